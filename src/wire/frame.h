#pragma once

// Frames: 4-byte little-endian length of the payload, then the payload.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace palena::wire {

inline constexpr std::size_t kFrameHeaderBytes = 4;

struct FrameStep {
  enum class Kind : std::uint8_t { kFrame, kNeedMore, kTooLarge, kEmpty };
  Kind kind = Kind::kNeedMore;
  std::string_view payload;           // kFrame: inside the input
  std::size_t consumed_bytes = 0;     // kFrame: header and payload
  std::size_t needed_bytes = 0;       // kNeedMore: how long the input must be to go on
  std::uint32_t announced_bytes = 0;  // kTooLarge: the length that was refused
};

// Looks for one frame at the front of `input`. Pure. The announced length is judged before anything
// is waited for or allocated: above `frame_bytes_max`, or 0 (no message is empty), the peer is
// refused at its header.
FrameStep DecodeFrame(std::string_view input, std::size_t frame_bytes_max);

// Reserves a header in `out` for a payload that is appended next; FinishFrame fills it in.
// `std::size_t start = BeginFrame(out); …append…; FinishFrame(out, start);`
std::size_t BeginFrame(std::string& out);
void FinishFrame(std::string& out, std::size_t start);

}  // namespace palena::wire
