#include "app/cli_print.h"

#include "absl/strings/str_format.h"

namespace palena::app {

void Printer::Print(const Result& result, std::string_view script) const {
  if (result.ok()) {
    PrintAnswer(result);
  } else {
    PrintFailure(result, script);
  }
  out.flush();
}

void Printer::PrintAnswer(const Result& result) const {
  if (result.type != ResultType::kGet) {
    out << ResultTypeName(result.type);
    const bool has_revision = !result.values.empty() && result.values.front().revision >= 0;
    if (has_revision) out << " revision=" << result.values.front().revision;
    out << '\n';
    return;
  }
  for (const Value& value : result.values) {
    if (result.values.size() > 1 && !value.key.empty()) out << Shown(value.key) << " = ";
    out << (value.value ? Shown(*value.value) : "(null)") << '\n';
  }
  if (result.truncated) err << "palena: the answer was cut at its limit; there is more\n";
}

void Printer::PrintFailure(const Result& result, std::string_view script) const {
  err << ResultTypeName(result.type);
  if (!result.code.empty()) err << ' ' << result.code;
  err << ": " << Shown(result.reason) << '\n';
  const std::string_view line = LineOf(script, result.line);
  if (!line.empty()) err << absl::StrFormat("%5d | ", result.line) << Shown(line) << '\n';
  err.flush();
}

// A stored value must not be able to steer somebody's terminal.
std::string Printer::Shown(std::string_view bytes) const {
  std::string shown;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    const bool is_control = (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F;
    if (is_terminal && is_control) {
      absl::StrAppendFormat(&shown, "\\x%02X", code);
    } else {
      shown.push_back(c);
    }
  }
  return shown;
}

std::string_view LineOf(std::string_view text, int number) {
  for (int line = 1; line < number; ++line) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return number < 1 ? std::string_view() : text.substr(0, text.find('\n'));
}

}  // namespace palena::app
