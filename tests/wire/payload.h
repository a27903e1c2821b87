#pragma once

// From a frame to its message, for tests that have made it themselves.

#include <string_view>

#include "base/check.h"
#include "wire/frame.h"

namespace palena::wire {

// The payload of the one frame that `framed` is.
inline std::string_view PayloadOf(std::string_view framed) {
  const FrameStep step = DecodeFrame(framed, framed.size());
  PALENA_CHECK(step.kind == FrameStep::Kind::kFrame && step.consumed_bytes == framed.size());
  return step.payload;
}

// By the generated classes.
template <typename Generated>
Generated MustParse(std::string_view payload) {
  Generated message;
  PALENA_CHECK(message.ParseFromArray(payload.data(), static_cast<int>(payload.size())));
  return message;
}

}  // namespace palena::wire
