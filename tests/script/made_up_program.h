#pragma once

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "script/program.h"

namespace palena::script {

// A compiled program whose code can be changed: code that no compiler makes.
class MadeUpProgram {
 public:
  // `script` must compile.
  explicit MadeUpProgram(std::string_view script) : MadeUpProgram(*Compile(script)) {}
  // Nobody else may hold the program.
  explicit MadeUpProgram(std::shared_ptr<const Program> program)
      : program_(std::const_pointer_cast<Program>(std::move(program))) {}

  std::vector<Instruction>& code() { return program_->code_; }
  std::vector<std::int32_t>& lines() { return program_->lines_; }
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<Program> program_;
};

}  // namespace palena::script
