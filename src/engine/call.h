#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "engine/program_cache.h"
#include "engine/reply.h"
#include "model/request.h"

namespace palena::engine {

// A request, as it comes in. `request` is only looked at during the call.
struct Call {
  model::RequestView request;
  ReplyTo reply_to;
  std::uint64_t lane = 0;  // calls of one lane start in the order they came; 0: no lane
  // When the caller holds the program nothing is looked up, and parameters may come as values in
  // the order of its slots instead of request.parameters.
  const ProgramPtr* program = nullptr;
  std::span<const std::string_view> values = {};
};

// One program of several: as in a Call, but for what belongs to the whole.
struct ProgramCall {
  model::RequestView request;  // its timeout is not looked at
  const ProgramPtr* program = nullptr;
  std::span<const std::string_view> values = {};
  bool is_required = true;
};

// Several programs as one run (model::ManyRequestView says what that means). The answer comes as
// one result, with `many`. Only looked at during the call, as a Call is.
struct ManyCall {
  std::span<const ProgramCall> calls;
  std::span<const ProgramCall> otherwise;
  std::int64_t timeout_ms = 0;
  ReplyTo reply_to;
  std::uint64_t lane = 0;
};

// Calls that come from no shard's thread: embedders, tests.
inline constexpr unsigned kOutside = ~0U;

}  // namespace palena::engine
