#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "engine/engine.h"

namespace palena::engine {

// The counter of this name, as `palena info` shows it; there must be one.
inline std::int64_t MetricOf(const std::vector<Metric>& metrics, std::string_view name) {
  for (const Metric& metric : metrics) {
    if (metric.name == name) return metric.value;
  }
  base::CheckFailed(__FILE__, __LINE__, "a counter of this name");
}

}  // namespace palena::engine
