#include "app/bench_workload.h"

#include "app/bench_palena.h"
#include "app/bench_redis.h"
#include "app/cli_parameters.h"

namespace palena::app {
namespace {

std::function<std::unique_ptr<BenchProtocol>()> MakeProtocols(const BenchOptions& options,
                                                              const std::string& script,
                                                              std::size_t values_count) {
  if (options.target == BenchTarget::kRedis) {
    const RedisProtocol::Options redis{script, options.script_keys, values_count};
    return [redis] { return std::make_unique<RedisProtocol>(redis); };
  }
  return [&script, names = NamesOf(options.templates)] {
    return std::make_unique<PalenaProtocol>(script, names);
  };
}

}  // namespace

BenchWorkload MakeWorkload(const BenchOptions& options, const std::string& script) {
  BenchWorkload workload;
  for (const auto& [name, text] : options.templates) workload.templates.emplace_back(text);
  for (const std::string& word : options.command) workload.templates.emplace_back(word);
  workload.make_protocol = MakeProtocols(options, script, workload.templates.size());
  return workload;
}

}  // namespace palena::app
