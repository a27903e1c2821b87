#include "twin/answer.h"

#include "script/quote.h"

namespace palena::twin {

Answer Answer::From(const model::Result& result) {
  Answer answer{result.type,   result.code, result.applied, result.truncated, result.line,
                result.reason, {}};
  for (const model::ResultValue& value : result.values) {
    AnswerValue& copy = answer.values.emplace_back();
    copy.key = value.key;
    if (!value.is_null) copy.value = value.value.view().ToText();
    copy.revision = value.revision;
    copy.expires_ms = value.expires_ms;
    copy.last_modified_ms = value.last_modified_ms;
  }
  return answer;
}

std::string Answer::Text() const {
  std::string text(model::ResultTypeName(type));
  if (!is_result()) text.append(" ").append(model::CodeName(code));
  if (!reason.empty()) text.append(": ").append(reason);
  text.append(", applied ").append(model::AppliedName(applied));
  if (line != 0) text.append(", line ").append(std::to_string(line));
  if (truncated) text += ", truncated";
  for (const AnswerValue& value : values) {
    text.append("\n    ").append(script::QuoteText(value.key, '\''));
    text.append(" = ").append(value.value ? script::QuoteText(*value.value, '"', 300) : "null");
    text.append(" revision ").append(std::to_string(value.revision));
    text.append(" expires ").append(std::to_string(value.expires_ms));
    text.append(" modified ").append(std::to_string(value.last_modified_ms));
  }
  return text;
}

}  // namespace palena::twin
