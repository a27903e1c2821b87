#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/bench_options.h"
#include "app/bench_protocol.h"
#include "app/bench_template.h"

namespace palena::app {

// What every connection of a run asks, and in which language.
struct BenchWorkload {
  std::vector<BenchTemplate> templates;  // of the values of one request
  std::function<std::unique_ptr<BenchProtocol>()> make_protocol;
};

// `script`: the text of the file that the options name, empty for a plain command. Both must
// outlive the workload and its protocols.
BenchWorkload MakeWorkload(const BenchOptions& options, const std::string& script);

}  // namespace palena::app
