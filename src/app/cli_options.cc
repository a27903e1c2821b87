#include "app/cli_options.h"

#include <utility>
#include <vector>

#include "CLI/CLI.hpp"
#include "app/cli_parameters.h"
#include "app/flag_values.h"
#include "app/parse.h"
#include "base/limits.h"

namespace palena::app {
namespace {

constexpr const char* kDescription =
    "Runs scripts on a Palena node (palenad) and prints what they answer.";

constexpr const char* kExamples = R"(
Examples:
  palena eval 'set greeting "hello"'             write a key that survives a restart
  palena eval 'get greeting'                     read it
  palena eval 'eset @k 1 nx ex 60000' -p k=job   take a lock for a minute, in memory
  palena run scripts/recipes/fixed_window.pal -p counter_key=rl:anna -p limit=10 -p expires_ms=60000
  echo '{"script":"get @k","params":{"k":"greeting"}}' | palena batch
  palena limits take login --subject anna        charge a named limit of the node
  palena                                         an interactive session with history

Exit status: 0 answered; 1 the script was errored, aborted or refused; 2 bad usage;
3 no connection; 4 standard output could not be written (what ran has run). A session that is not
at a terminal ends with the worst status of its lines.)";

constexpr const char* kBatchFooter = R"(
Each line of standard input is one request: {"script":"get @k","params":{"@k":"v"}}. Names of
parameters go with or without @; values are strings, numbers or booleans. Each line of standard
output is one JSON result, in the same order. A line that is no such request is answered
invalid_input / MALFORMED, one with another member too. Exit status 0 when every line was answered.)";

// What the flags write into; checked and turned into CliOptions at the end.
struct Flags {
  CliOptions options;
  std::vector<std::string> parameters;
};

void AddParameters(CLI::App& command, Flags& flags) {
  command
      .add_option("-p,--param", flags.parameters,
                  "A parameter of the script: @name there, name=value or @name=value here. Repeat "
                  "for more")
      ->type_name("name=value")
      ->allow_extra_args(false)
      ->check(ParameterText("name=value"));
}

void AddJson(CLI::App& command, Flags& flags) {
  command.add_flag("--json", flags.options.json, "Print JSON, one line an answer");
}

CLI::App& AddCommand(CLI::App& app, Flags& flags, Command command, const std::string& name,
                     const std::string& description) {
  CLI::App* added = app.add_subcommand(name, description);
  added->fallthrough();  // --connect and --timeout-ms may follow the command
  added->callback([&flags, command] { flags.options.command = command; });
  return *added;
}

void AddScriptCommands(CLI::App& app, Flags& flags) {
  CLI::App& run = AddCommand(app, flags, Command::kRun, "run", "Run a script from a file");
  run.add_option("file", flags.options.file, "The script; - reads standard input")
      ->type_name("FILE.pal")
      ->required();
  AddParameters(run, flags);
  AddJson(run, flags);
  run.add_flag("--persistent", flags.options.persistent,
               "Work on persistent keys: eset becomes set, eget becomes get, and so on");

  CLI::App& eval =
      AddCommand(app, flags, Command::kEval, "eval", "Run a script from the command line");
  eval.add_option("script", flags.options.script, "The script")->type_name("SCRIPT")->required();
  AddParameters(eval, flags);
  AddJson(eval, flags);
}

void AddOtherCommands(CLI::App& app, Flags& flags) {
  CLI::App& batch =
      AddCommand(app, flags, Command::kBatch, "batch", "Run scripts from lines of JSON");
  batch
      .add_option("--pipeline", flags.options.pipeline,
                  "Requests in flight; with more than one, scripts that touch different shards "
                  "may run in any order")
      ->type_name("N")
      ->check(WholeNumber(1, base::kRequestsInFlightMax))
      ->capture_default_str();
  batch
      .add_flag_callback("--json",
                         [] {
                           throw CLI::ValidationError(
                               "--json",
                               "batch answers in JSON always, leave it out; run, eval, "
                               "ping and info take it");
                         })
      ->group("");  // not in the help
  batch.footer(kBatchFooter);
  AddJson(AddCommand(app, flags, Command::kPing, "ping", "Measure a round trip"), flags);
  AddJson(AddCommand(app, flags, Command::kInfo, "info", "Show the node's counters"), flags);
  AddLimitsCommand(app, flags.options.limits, flags.options.json,
                   [&flags] { flags.options.command = Command::kLimits; });
  AddCommand(app, flags, Command::kRepl, "repl",
             "An interactive session; on a terminal the default");
}

void AddGlobalFlags(CLI::App& app, Flags& flags) {
  app.set_version_flag("--version", "palena " PALENA_VERSION);
  app.add_option("--connect", flags.options.connect, "The node to talk to")
      ->type_name("HOST:PORT")
      ->take_last()
      ->capture_default_str();
  app.add_option("--timeout-ms", flags.options.timeout_ms,
                 "Longest that one script may take on the node; 0: 5 s")
      ->type_name("MS")
      ->check(WholeNumber(0, base::kRunTimeoutMsMax));
  app.require_subcommand(0, 1);
  app.footer(kExamples);
}

}  // namespace

CliParse ParseCli(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App app(kDescription, "palena");
  UseHelpFormat(app);
  Flags flags;
  AddGlobalFlags(app, flags);
  AddScriptCommands(app, flags);
  AddOtherCommands(app, flags);
  if (const std::optional<int> ends = Parse(app, argc, argv, out, err)) {
    return {std::nullopt, *ends};
  }
  flags.options.parameters = ParseParameters(flags.parameters);
  if (const std::string twice = GivenTwice(flags.options.parameters); !twice.empty()) {
    return {std::nullopt, RefuseUsage("palena", "-p: " + twice + " is given twice", err)};
  }
  return {std::move(flags.options), kExitAnswered};
}

}  // namespace palena::app
