#pragma once

// The twin: language.md walked along the tree, as plainly as it goes. It shares the engine's parser
// and nothing else of its script room.

#include <string_view>

#include "hlc/stamp.h"
#include "twin/answer.h"
#include "twin/evaluator.h"
#include "twin/fault.h"
#include "twin/store.h"

namespace palena::twin {

struct Request {
  std::string_view script;
  const Parameters& parameters;
  hlc::Stamp stamp;  // the run's; what the engine said it was
  Fault planted = Fault::kNone;
};

// Runs to the end; the store holds what was committed. Throws TooMuch.
Answer Run(const Request& request, Store& store);

}  // namespace palena::twin
