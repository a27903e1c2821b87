#include "app/bench_options.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "CLI/CLI.hpp"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "app/cli_parameters.h"
#include "app/exit_status.h"
#include "app/flag_values.h"
#include "app/parse.h"
#include "base/limits.h"

namespace palena::app {
namespace {

constexpr const char* kDescription =
    "Puts load on a Palena node, or on a Redis to compare: many connections run one script over\n"
    "and over.";

constexpr const char* kFooter = R"(
Without --rate each connection keeps --pipeline requests in flight and sends the next when one is
answered (closed loop). With --rate requests leave on a schedule, as users do not wait for each
other, and latency counts from the scheduled time (open loop); what finds no room in the pipelines
waits, and its waiting counts.

Redis: --evalsha loads the file with SCRIPT LOAD on each connection, then sends EVALSHA. Its -p
count by their order, whatever their names: the first --numkeys of them are KEYS[1], KEYS[2], …, the
others ARGV[1], ARGV[2], …. Or --command sends a plain command, words separated by spaces, with the
same placeholders. An error reply is a failed answer.

Examples:
  palena-bench --script scripts/recipes/fixed_window.pal -p counter_key='rl:{n}' -p limit=100 \
      -p expires_ms=60000 --keys 100000 --connections 50 --pipeline 16 --seconds 10
  palena-bench --target redis --evalsha bench/fixed_window_get_set.lua -p key='rl:{n}' \
      -p limit=100 -p expires_ms=60000 --pipeline 16
  palena-bench --target redis --command 'GET rl:{n}' --pipeline 16

Exit status: 0 every request was answered ok; 1 an answer was not ok, a request was lost or nothing
was answered, the server refused the script, or it was stopped before it measured; 2 bad usage, a
parameter of the script that is missing too; 3 no connection, or all were lost; 4 standard output
could not be written.)";

constexpr std::uint64_t kKeysMax = 1'000'000'000'000;
constexpr std::uint64_t kRequestsMax = 1'000'000'000'000;
constexpr std::uint64_t kScriptKeysMax = 1'000'000;

struct Flags {
  BenchOptions options;
  std::string script;
  std::string evalsha;
  std::string command;
  std::optional<std::size_t> script_keys;
  std::vector<std::string> templates;
};

void AddWhat(CLI::App& app, Flags& flags) {
  BenchOptions& options = flags.options;
  app.set_version_flag("--version", "palena-bench " PALENA_VERSION);
  AddChoice(app, "--target", options.target,
            Choices<BenchTarget>{{"palena", BenchTarget::kPalena}, {"redis", BenchTarget::kRedis}},
            "What is measured")
      ->type_name("palena|redis")
      ->default_str("palena");
  app.add_option("--connect", options.connect,
                 "The server (default: 127.0.0.1, port 7400, of a Redis 6379)")
      ->type_name("HOST:PORT")
      ->take_last();
  app.add_option("--script", flags.script, "palena: the script to run; - reads standard input")
      ->type_name("FILE.pal");
  app.add_flag("--persistent", options.persistent,
               "palena: work on persistent keys, as palena run --persistent does");
  app.add_option("--evalsha", flags.evalsha, "redis: the script to run; - reads standard input")
      ->type_name("FILE.lua");
  app.add_option("--command", flags.command, "redis: a plain command to send instead")
      ->type_name("'WORD ...'");
  app.add_option("--numkeys", flags.script_keys, "redis: how many -p are keys (default: 1)")
      ->check(WholeNumber(0, kScriptKeysMax))
      ->type_name("N");
  app.add_option("-p,--param", flags.templates,
                 "A parameter; in its value {n} is a random number below --keys, {i} a running "
                 "number, {c} the number of the connection. Repeat for more")
      ->type_name("name=template")
      ->allow_extra_args(false)
      ->check(ParameterText("name=template"));
  app.add_option("--keys", options.keys, "How many different {n} there are")
      ->check(WholeNumber(1, kKeysMax))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "Of the random numbers")
      ->check(WholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N")
      ->capture_default_str();
}

void AddHowMuch(CLI::App& app, Flags& flags) {
  BenchOptions& options = flags.options;
  app.add_option("--connections", options.connections, "Connections, over all threads")
      ->check(WholeNumber(1, 60'000))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--pipeline", options.pipeline, "Requests in flight on each connection")
      ->check(WholeNumber(1, base::kRequestsInFlightMax))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--seconds", options.seconds, "How long to measure")
      ->check(Number(0.1, 86'400))
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--requests", options.requests,
                 "Send so many requests in all, without warm-up, instead of for --seconds")
      ->check(WholeNumber(1, kRequestsMax))
      ->type_name("N");
  app.add_option("--warmup", options.warmup_seconds, "Seconds of load before measuring")
      ->check(Number(0, 86'400))
      ->type_name("S")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "Threads of the generator")
      ->check(WholeNumber(1, 256))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--rate", options.rate, "Requests a second on a schedule, over all connections")
      ->check(Number(0.001, 1e9))
      ->type_name("N");
  app.add_flag("--json", options.json, "Print the result as one line of JSON");
}

// What is wrong with the flags that say what to send, or nothing.
std::string ConflictOf(const Flags& flags) {
  if (flags.options.target == BenchTarget::kPalena) {
    if (!flags.evalsha.empty() || !flags.command.empty() || flags.script_keys) {
      return "--evalsha, --command and --numkeys go with --target redis";
    }
    return flags.script.empty() ? "--script is required" : "";
  }
  if (!flags.script.empty()) return "--script is for Palena; for Redis give --evalsha";
  if (flags.options.persistent) return "--persistent is for Palena; Redis has one kind of keys";
  if (flags.evalsha.empty() == flags.command.empty()) {
    return "--target redis takes either --evalsha or --command";
  }
  if (!flags.command.empty() && flags.command.find_first_not_of(' ') == std::string::npos) {
    return "--command holds no word";
  }
  if (!flags.command.empty() && (flags.script_keys || !flags.templates.empty())) {
    return "-p and --numkeys go with --evalsha; put placeholders into the words of --command";
  }
  if (flags.script_keys.value_or(0) > flags.templates.size()) {
    return absl::StrCat("--numkeys ", *flags.script_keys, " for ", flags.templates.size(),
                        " -p; each key is one");
  }
  return "";
}

// The same of those that say how much.
std::string ConflictOf(const BenchOptions& options) {
  if (options.threads > options.connections) {
    return absl::StrCat(options.threads, " threads for ", options.connections,
                        " connections; each thread needs one");
  }
  if (options.requests > 0 && options.requests < options.threads) {
    return absl::StrCat(options.requests, " requests for ", options.threads,
                        " threads; each thread needs one");
  }
  return "";
}

void TakeTarget(Flags& flags) {
  BenchOptions& options = flags.options;
  const bool is_redis = options.target == BenchTarget::kRedis;
  if (options.connect.empty()) options.connect = is_redis ? "127.0.0.1:6379" : "127.0.0.1:7400";
  options.script_file = is_redis ? flags.evalsha : flags.script;
  options.command = absl::StrSplit(flags.command, ' ', absl::SkipEmpty());
  options.templates = ParseParameters(flags.templates);
  options.script_keys =
      flags.script_keys.value_or(std::min<std::size_t>(1, options.templates.size()));
}

}  // namespace

BenchParse ParseBench(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app(kDescription, "palena-bench");
  UseHelpFormat(app);
  Flags flags;
  AddWhat(app, flags);
  AddHowMuch(app, flags);
  app.footer(kFooter);
  if (const std::optional<int> ends = Parse(app, argc, argv, out, err)) {
    return {std::nullopt, *ends};
  }
  std::string conflict = ConflictOf(flags);
  if (conflict.empty()) conflict = ConflictOf(flags.options);
  if (!conflict.empty()) {
    return {std::nullopt, RefuseUsage("palena-bench", conflict, err)};
  }
  TakeTarget(flags);
  const std::string twice = GivenTwice(flags.options.templates);
  if (!twice.empty() && flags.options.target == BenchTarget::kPalena) {
    return {std::nullopt, RefuseUsage("palena-bench", "-p: " + twice + " is given twice", err)};
  }
  return {std::move(flags.options), kExitAnswered};
}

}  // namespace palena::app
