#pragma once

#include <ostream>
#include <string>
#include <string_view>

#include "palena/result.h"

namespace palena::app {

// A result for people. Answers: each value on its own line ("(null)" for null), with its key in
// front when the script read several; what a write did, with the revision. Failures: type, code and
// reason, and the line of `script` that is to blame.
//
//   5                                 set revision=0
//   (null)                            errored RUNTIME: Division by zero at line 2
//   user/1 = anna                       2 | return 1 / 0
struct Printer {
  std::ostream& out;
  std::ostream& err;
  bool is_terminal = false;  // then control characters of values are shown as \xHH

  void Print(const Result& result, std::string_view script) const;
  // On a terminal without control characters.
  std::string Shown(std::string_view bytes) const;

 private:
  void PrintAnswer(const Result& result) const;
  void PrintFailure(const Result& result, std::string_view script) const;
};

// Line `number` (from 1) of a text, without its line break; empty beyond the end.
std::string_view LineOf(std::string_view text, int number);

}  // namespace palena::app
