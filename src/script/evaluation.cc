#include "script/evaluation.h"

#include <utility>

namespace palena::script {

void Evaluation::Reset(hlc::Stamp stamp) {
  arena_.Reset();
  steps_ = 0;
  answer_bytes_ = 0;
  stamp_ = stamp;
  // Field by field: a fresh ScriptError would give the texts' memory back.
  error_.code = model::Code::kRuntime;
  error_.message.clear();
  error_.line = 0;
  error_.parameter.clear();
  culprit_origin_ = 0;
}

char* Evaluation::Allocate(std::size_t bytes) {
  char* const memory = arena_.Allocate(bytes);
  if (memory == nullptr) {
    FailWith(model::Code::kLimit,
             "Script memory limit exceeded: " + std::to_string(arena_.limit_bytes()));
  }
  return memory;
}

bool Evaluation::Fail(std::string message, const Value* culprit) {
  error_.code = model::Code::kRuntime;
  error_.message = std::move(message);
  culprit_origin_ = culprit == nullptr ? std::uint16_t{0} : culprit->origin;
  return false;
}

bool Evaluation::FailWith(model::Code code, std::string message) {
  Fail(std::move(message));
  error_.code = code;
  return false;
}

}  // namespace palena::script
