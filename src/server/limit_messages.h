#pragma once

#include <vector>

#include "limits/limit_report.h"
#include "limits/limit_set.h"
#include "wire/codec.h"

namespace palena::server {

// Named limits as the native protocol tells of them.
wire::LimitList ToLimitList(const limits::LimitSet& set, limits::LimitReport report);

// Their counts as metrics: limit_NAME_allowed and so on, and limit_refused_1 … with the name of the
// limit and the subject as text.
void AddLimitMetrics(const limits::LimitReport& report, std::vector<wire::Metric>& metrics);

}  // namespace palena::server
