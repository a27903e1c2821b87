#pragma once

#include <string>

#include "model/result.h"

namespace palena::twin {

// How a script's mistake leaves the twin. It is thrown: the plainest way to end a run from
// anywhere, and nobody waits for the twin.
struct Failure {
  model::Code code = model::Code::kRuntime;
  std::string message;
  int line = 0;           // 0: none is named
  std::string parameter;  // "@name" when the value at fault came straight from it
};

// The script asks for more than the twin cares to do (it has no limits of its own to answer with):
// this script cannot be compared.
struct TooMuch {};

}  // namespace palena::twin
