#include "app/bench_options.h"

#include <utility>

#include "CLI/CLI.hpp"
#include "app/cli_options.h"
#include "app/cli_parameters.h"
#include "app/parse.h"
#include "base/limits.h"

namespace palena::app {
namespace {

constexpr const char* kDescription =
    "Puts load on a Palena node: many connections run one script over and over.";

constexpr const char* kFooter = R"(
Without --rate each connection keeps --pipeline requests in flight and sends the next when one is
answered (closed loop). With --rate requests leave on a schedule, as users do not wait for each
other, and latency counts from the scheduled time (open loop); what finds no room in the pipelines
waits, and its waiting counts.

Example:
  palena-bench --script scripts/recipes/fixed_window.pal -p counter_key='rl:{n}' -p limit=100 \
      -p expires_ms=60000 --keys 100000 --connections 50 --pipeline 16 --seconds 10

Exit status: 0 all answers were ok; 1 some were not; 2 bad usage; 3 no connection.)";

struct Flags {
  BenchOptions options;
  std::vector<std::string> templates;
};

void AddWhat(CLI::App& app, Flags& flags) {
  BenchOptions& options = flags.options;
  app.set_version_flag("--version", std::string("palena-bench ") + PALENA_VERSION);
  app.add_option("--connect", options.connect, "The node")
      ->type_name("HOST:PORT")
      ->take_last()
      ->capture_default_str();
  app.add_option("--script", options.script_file, "The script to run; - reads standard input")
      ->type_name("FILE.pal")
      ->required();
  app.add_option("-p,--param", flags.templates,
                 "A parameter; in its value {n} is a random number below --keys, {i} a running "
                 "number, {c} the number of the connection. Repeat for more")
      ->type_name("name=template")
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        return ParseParameter(text) ? std::string() : "\"" + text + "\" is not name=template";
      });
  app.add_option("--keys", options.keys, "How many different {n} there are")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62))
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the random numbers")->capture_default_str();
}

void AddHowMuch(CLI::App& app, Flags& flags) {
  BenchOptions& options = flags.options;
  app.add_option("--connections", options.connections, "Connections, over all threads")
      ->check(CLI::Range(std::size_t{1}, std::size_t{60'000}))
      ->capture_default_str();
  app.add_option("--pipeline", options.pipeline, "Requests in flight on each connection")
      ->check(CLI::Range(std::size_t{1}, base::kRequestsInFlightMax))
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long to measure")
      ->check(CLI::Range(0.1, 86'400.0))
      ->capture_default_str();
  app.add_option("--requests", options.requests,
                 "Send so many requests in all, without warm-up, instead of for --seconds")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 40));
  app.add_option("--warmup", options.warmup_seconds, "Seconds of load before measuring")
      ->check(CLI::Range(0.0, 86'400.0))
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads of the generator")
      ->check(CLI::Range(std::size_t{1}, std::size_t{256}))
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Requests a second on a schedule, over all connections")
      ->check(CLI::Range(0.001, 1e9));
  app.add_flag("--json", options.json, "Print the result as one line of JSON");
}

}  // namespace

BenchParse ParseBench(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app(kDescription, "palena-bench");
  Flags flags;
  AddWhat(app, flags);
  AddHowMuch(app, flags);
  app.footer(kFooter);
  if (const std::optional<int> ends = Parse(app, argc, argv, out, err)) {
    return {std::nullopt, *ends};
  }
  for (const std::string& text : flags.templates) {
    flags.options.templates.push_back(*ParseParameter(text));
  }
  if (flags.options.threads > flags.options.connections) {
    err << "palena-bench: " << flags.options.threads << " threads for " << flags.options.connections
        << " connections; each thread needs one" << std::endl;
    return {std::nullopt, kExitUsage};
  }
  if (flags.options.requests > 0 && flags.options.requests < flags.options.threads) {
    err << "palena-bench: " << flags.options.requests << " requests for " << flags.options.threads
        << " threads; each thread needs one" << std::endl;
    return {std::nullopt, kExitUsage};
  }
  return {std::move(flags.options), kExitAnswered};
}

}  // namespace palena::app
