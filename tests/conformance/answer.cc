#include "conformance/answer.h"

namespace palena::conformance {
namespace {

std::string Quoted(const std::string& text) {
  return '"' + text + '"';
}

// Null and empty are one to a case.
std::string TextOf(const AnswerValue& value) {
  return value.text.value_or("");
}

std::string FirstText(const Answer& answer) {
  return answer.values.empty() ? "" : TextOf(answer.values.front());
}

std::int64_t FirstRevision(const Answer& answer) {
  return answer.values.empty() ? -1 : answer.values.front().revision;
}

std::vector<std::string> Texts(const Answer& answer) {
  std::vector<std::string> texts;
  for (const AnswerValue& value : answer.values) texts.push_back(TextOf(value));
  return texts;
}

std::string List(const std::vector<std::string>& texts) {
  std::string list = "[";
  for (const std::string& text : texts) {
    if (list.size() > 1) list += ", ";
    list += Quoted(text);
  }
  return list + "]";
}

}  // namespace

Answer Answer::From(const model::Result& result) {
  Answer answer{std::string(model::ResultTypeName(result.type)), {}, result.reason};
  for (const model::ResultValue& value : result.values) {
    std::optional<std::string> text;
    if (!value.is_null) text = value.value.view().ToText();
    answer.values.push_back({std::move(text), value.revision});
  }
  return answer;
}

std::vector<std::string> Differences(const Expectation& expect, const Answer& answer) {
  std::vector<std::string> found;
  const auto differ = [&](const char* what, const std::string& wanted, const std::string& got) {
    found.push_back(std::string(what) + ": expected " + wanted + ", got " + got);
  };
  if (answer.type != expect.type) differ("type", expect.type, answer.type);
  if (expect.value && *expect.value != FirstText(answer)) {
    differ("value", Quoted(*expect.value), Quoted(FirstText(answer)));
  }
  if (expect.values && *expect.values != Texts(answer)) {
    differ("values", List(*expect.values), List(Texts(answer)));
  }
  if (expect.revision && *expect.revision != FirstRevision(answer)) {
    differ("revision", std::to_string(*expect.revision), std::to_string(FirstRevision(answer)));
  }
  if (expect.reason_contains && answer.reason.find(*expect.reason_contains) == std::string::npos) {
    differ("reason", "a text with " + Quoted(*expect.reason_contains), Quoted(answer.reason));
  }
  return found;
}

std::string Describe(const Answer& answer) {
  std::string line = answer.type;
  if (!answer.values.empty()) {
    line += " " + List(Texts(answer)) + " revision " + std::to_string(FirstRevision(answer));
  }
  if (!answer.reason.empty()) line += " " + Quoted(answer.reason);
  return line;
}

}  // namespace palena::conformance
