#include "app/cli_commands.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <utility>

#include "app/cli_batch.h"
#include "app/cli_json.h"
#include "app/cli_limits.h"
#include "app/cli_line_source.h"
#include "app/cli_parameters.h"
#include "app/cli_repl.h"
#include "app/connection_notice.h"
#include "app/script_file.h"
#include "wire/result_json.h"

namespace palena::app {
namespace {

constexpr std::int64_t kCallTimeoutMs = 30'000;
constexpr std::int64_t kAnswerGraceMs = 10'000;  // beyond the time that a run may take

ExitStatus Fail(const Printer& printer, const Status& status) {
  printer.out.flush();
  printer.err << "palena: " << status.message() << std::endl;
  return status.code() == StatusCode::kInvalidArgument ? kExitUsage : kExitNoConnection;
}

ExecuteOptions RunOptions(const CliOptions& options) {
  return {options.timeout_ms};
}

// A bad address is a bad flag; where nobody answers another node may.
Status NameConnect(const Status& status) {
  if (status.code() == StatusCode::kInvalidArgument) {
    return {status.code(), "--connect: " + status.message()};
  }
  return {status.code(), status.message() + "; or name another node with --connect"};
}

ConnectionNotice Notice(const Client& client, const CliOptions& options, const Printer& printer) {
  return {[&client] { return client.is_connected(); }, options.connect, printer.err};
}

StatusOr<std::unique_ptr<Client>> Connect(const CliOptions& options) {
  ClientOptions client;
  client.address = options.connect;
  client.name = "palena";
  client.call_timeout_ms = std::max(kCallTimeoutMs, options.timeout_ms + kAnswerGraceMs);
  return Client::Connect(client);
}

ExitStatus Batch(Client& client, const CliOptions& options, std::istream& in,
                 const Printer& printer) {
  ConnectionNotice notice = Notice(client, options, printer);
  const auto start = [&](const BatchRequest& request, std::function<void(Answer)> done) {
    notice.Look();
    client.ExecuteAsync(request.script, request.parameters, std::move(done), RunOptions(options));
  };
  switch (RunBatch(start, in, printer.out, options.pipeline)) {
    case BatchEnd::kAnswered:
      return kExitAnswered;
    case BatchEnd::kNoConnection:
      return kExitNoConnection;
    case BatchEnd::kOutputClosed:
      return kExitOutput;
  }
  return kExitOutput;
}

std::string HistoryFile() {
  const char* home = std::getenv("HOME");
  return home == nullptr || *home == '\0' ? std::string() : std::string(home) + "/.palena_history";
}

ExitStatus Interact(Client& client, const CliOptions& options, std::istream& in,
                    const Printer& printer) {
  std::unique_ptr<LineSource> lines;
  const bool is_at_terminal = isatty(STDIN_FILENO) != 0;
  if (is_at_terminal) {
    printer.out << "Node " << client.server().node_id << " (palenad "
                << client.server().server_version << ") at " << options.connect
                << ". A line is a script; .help says more." << std::endl;
    lines = OpenTerminalLines(HistoryFile());
  } else {
    lines = std::make_unique<StreamLines>(in);
  }
  ConnectionNotice notice = Notice(client, options, printer);
  Repl repl(client, options, *lines, printer, [&notice] { notice.Look(); });
  if (!is_at_terminal) return repl.Run(Repl::Without::kEnd);
  repl.Run(Repl::Without::kGoOn);  // whoever sat there has seen what failed
  return kExitAnswered;
}

// A parameter that the script does not read is a typing error, which would show as an answer to
// another question.
std::string Misnamed(const CliOptions& options, const std::string& file_text) {
  return UnknownParameter(options.command == Command::kRun ? file_text : options.script,
                          NamesOf(options.parameters));
}

ExitStatus RunCommand(Client& client, const CliOptions& options, const std::string& file_text,
                      std::istream& in, const Printer& printer) {
  switch (options.command) {
    case Command::kRun:
      return Execute(client, file_text, options, printer);
    case Command::kEval:
      return Execute(client, options.script, options, printer);
    case Command::kBatch:
      return Batch(client, options, in, printer);
    case Command::kPing:
      return Ping(client, options, printer);
    case Command::kInfo:
      return ShowInfo(client, options, printer);
    case Command::kLimits:
      return RunLimits(client, options.limits, RunOptions(options), options.json, printer);
    case Command::kRepl:
    case Command::kNone:
      return Interact(client, options, in, printer);
  }
  return kExitUsage;
}

}  // namespace

ExitStatus RunCli(const CliOptions& options, std::istream& in, const Printer& printer) {
  if (options.command == Command::kNone && isatty(STDIN_FILENO) == 0) {
    printer.err << "palena: no command, and standard input is no terminal; --help lists the "
                   "commands"
                << std::endl;
    return kExitUsage;
  }
  const bool is_check =
      options.command == Command::kLimits && options.limits.action == LimitsAction::kCheck;
  if (is_check) return CheckLimits(options.limits, options.json, printer);
  StatusOr<std::string> file_text(std::string{});
  if (options.command == Command::kRun) {
    file_text = ReadScriptFile({options.file, options.persistent}, in);
  }
  if (!file_text.ok()) return Fail(printer, file_text.status());
  if (const std::string misnamed = Misnamed(options, *file_text); !misnamed.empty()) {
    return Fail(printer, {StatusCode::kInvalidArgument, "-p: " + misnamed});
  }
  StatusOr<std::unique_ptr<Client>> client = Connect(options);
  if (!client.ok()) return Fail(printer, NameConnect(client.status()));
  return RunCommand(**client, options, *file_text, in, printer);
}

ExitStatus Execute(Client& client, const std::string& script, const CliOptions& options,
                   const Printer& printer) {
  const StatusOr<Result> result = client.Execute(script, options.parameters, RunOptions(options));
  if (!result.ok()) return Fail(printer, result.status());
  if (options.json) {
    printer.out << wire::ResultJson(*result) << std::endl;
  } else {
    printer.Print(*result, script);
  }
  return result->ok() ? kExitAnswered : kExitFailed;
}

ExitStatus Ping(Client& client, const CliOptions& options, const Printer& printer) {
  const StatusOr<std::int64_t> round_trip_us = client.Ping();
  if (!round_trip_us.ok()) return Fail(printer, round_trip_us.status());
  const std::string us = std::to_string(*round_trip_us);
  const ServerInfo server = client.server();
  if (options.json) {
    printer.out << MetricsJson({{"round_trip_us", us},
                                {"node_id", std::to_string(server.node_id)},
                                {"server_version", server.server_version}})
                << std::endl;
  } else {
    printer.out << "pong from node " << server.node_id << " in " << us << " us" << std::endl;
  }
  return kExitAnswered;
}

ExitStatus ShowInfo(Client& client, const CliOptions& options, const Printer& printer) {
  const auto metrics = client.Info();
  if (!metrics.ok()) return Fail(printer, metrics.status());
  if (options.json) {
    printer.out << MetricsJson(*metrics) << std::endl;
    return kExitAnswered;
  }
  std::size_t width = 0;
  for (const auto& [name, value] : *metrics) width = std::max(width, name.size());
  for (const auto& [name, value] : *metrics) {
    printer.out << name << std::string(width - name.size() + 2, ' ') << value << '\n';
  }
  printer.out.flush();
  return kExitAnswered;
}

}  // namespace palena::app
