#include "app/cli_limits.h"

#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "app/cli_limits_text.h"
#include "limits/limits_file.h"

namespace palena::app {
namespace {

ExitStatus Complain(const Printer& printer, const Status& status) {
  printer.out.flush();
  printer.err << "palena: " << printer.Shown(status.message()) << std::endl;
  return status.code() == StatusCode::kInvalidArgument ? kExitFailed : kExitNoConnection;
}

void PrintLine(const Printer& printer, const std::string& text) {
  printer.out << text << std::endl;
}

// Subjects and names are the callers': they must not steer somebody's terminal.
void PrintShown(const Printer& printer, const std::string& text) {
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    PrintLine(printer, printer.Shown(text.substr(begin, end - begin)));
    begin = end + 1;
  }
}

StatusOr<TakeResult> Ask(Limits& limits, const LimitRequest& request, LimitsAction action) {
  switch (action) {
    case LimitsAction::kPeek:
      return limits.Peek(request);
    case LimitsAction::kRenew:
      return limits.Renew(request);
    case LimitsAction::kRelease:
      return limits.Release(request);
    default:
      return limits.Take(request);
  }
}

ExitStatus Take(Limits& limits, const LimitRequest& request, LimitsAction action, bool json,
                const Printer& printer) {
  const StatusOr<TakeResult> result = Ask(limits, request, action);
  if (!result.ok()) return Complain(printer, result.status());
  if (json) {
    PrintLine(printer, TakeJson(*result, action));
  } else if (result->code.empty()) {
    PrintLine(printer, TakeText(*result, action));
  } else {
    printer.err << "palena: the node cannot decide, so on_error says "
                << (result->allowed ? "allowed: " : "refused: ") << result->code << ": "
                << printer.Shown(result->reason) << std::endl;
  }
  const bool is_answered =
      result->code.empty() && (result->allowed || action == LimitsAction::kPeek);
  return is_answered ? kExitAnswered : kExitFailed;
}

ExitStatus Reset(Limits& limits, const LimitRequest& request, bool json, const Printer& printer) {
  const StatusOr<bool> was_used = limits.Reset(request);
  if (!was_used.ok()) return Complain(printer, was_used.status());
  if (json) {
    PrintLine(printer, *was_used ? "{\"reset\":true}" : "{\"reset\":false}");
  } else {
    PrintLine(printer, request.limit + (*was_used ? ": reset" : ": nothing was used"));
  }
  return kExitAnswered;
}

ExitStatus List(Limits& limits, bool json, const Printer& printer) {
  const StatusOr<LimitList> list = limits.List();
  if (!list.ok()) return Complain(printer, list.status());
  json ? PrintLine(printer, LimitListJson(*list)) : PrintShown(printer, LimitListText(*list));
  return kExitAnswered;
}

std::string CheckText(const limits::LimitSet& set) {
  std::string text = absl::StrCat(set.file(), ": ", set.limits().size(),
                                  set.limits().size() == 1 ? " limit" : " limits");
  for (const limits::Limit& limit : set.limits()) {
    absl::StrAppend(&text, "\n  ", limit.name, ": ", limit.limiter, ", at most ", limit.quota);
    if (limit.window_ms > 0) absl::StrAppend(&text, " in ", limit.window_ms, " ms");
  }
  return text;
}

}  // namespace

ExitStatus RunLimits(Client& client, const LimitsOptions& options, const ExecuteOptions& execute,
                     bool json, const Printer& printer) {
  Limits limits(client, execute);
  const LimitRequest request{options.name, options.parts, options.cost, options.owner};
  switch (options.action) {
    case LimitsAction::kList:
      return List(limits, json, printer);
    case LimitsAction::kReset:
      return Reset(limits, request, json, printer);
    default:
      return Take(limits, request, options.action, json, printer);
  }
}

ExitStatus CheckLimits(const LimitsOptions& options, bool json, const Printer& printer) {
  const auto set = limits::ReadLimitsFile(options.file);
  if (!set.ok()) {
    printer.err << printer.Shown(std::string(set.status().message())) << std::endl;
    return absl::IsNotFound(set.status()) ? kExitUsage : kExitFailed;
  }
  if (json) {
    LimitList list;
    list.file = (*set)->file();
    for (const limits::Limit& limit : (*set)->limits()) {
      list.limits.push_back({limit.name, limit.limiter, std::string(limit.key.text()),
                             limit.parameters, limit.durability == model::Durability::kPersistent,
                             limit.is_shadow, limit.on_error == limits::OnError::kAllow,
                             limit.has_leases()});
    }
    PrintLine(printer, LimitListJson(list));
  } else {
    PrintShown(printer, CheckText(**set));
  }
  return kExitAnswered;
}

}  // namespace palena::app
