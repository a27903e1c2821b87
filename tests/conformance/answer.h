#pragma once

// What a run answered, as far as a case can assert it, whichever way it came: straight from the
// engine or over TCP.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case.h"
#include "model/result.h"
#include "palena/result.h"

namespace palena::conformance {

struct AnswerValue {
  std::optional<std::string> text;  // null: none
  std::int64_t revision = -1;
};

struct Answer {
  std::string type;
  std::vector<AnswerValue> values;
  std::string reason;

  static Answer From(const model::Result& result);
  // Inline: only who links the client or the node can call it.
  static Answer From(const palena::Result& result) {
    Answer answer{std::string(ResultTypeName(result.type)), {}, result.reason};
    for (const Value& value : result.values) {
      answer.values.push_back({value.value, value.revision});
    }
    return answer;
  }
};

// One sentence for each thing that `answer` lacks of `expect`; none when they agree.
std::vector<std::string> Differences(const Expectation& expect, const Answer& answer);

// The answer on one line, for messages.
std::string Describe(const Answer& answer);

}  // namespace palena::conformance
