#pragma once

// What a script answers, as twin and engine are compared by.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/result.h"

namespace palena::twin {

struct AnswerValue {
  std::string key;
  std::optional<std::string> value;  // nothing: null
  std::int64_t revision = -1;
  std::int64_t expires_ms = 0;
  std::int64_t last_modified_ms = 0;

  friend bool operator==(const AnswerValue&, const AnswerValue&) = default;
};

struct Answer {
  model::ResultType type = model::ResultType::kGet;
  model::Code code = model::Code::kNone;
  model::Applied applied = model::Applied::kYes;
  bool truncated = false;
  int line = 0;
  std::string reason;
  std::vector<AnswerValue> values;

  bool is_result() const { return code == model::Code::kNone; }

  friend bool operator==(const Answer&, const Answer&) = default;

  static Answer From(const model::Result& result);
  // For people.
  std::string Text() const;
};

}  // namespace palena::twin
