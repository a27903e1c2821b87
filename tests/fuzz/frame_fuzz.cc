// Claims about wire/frame.h: the frames of a byte stream are the same however it is split into
// reads; a payload lies inside the input and has the announced length; no length above the limit
// and no empty frame passes; what the decoder says it needs is what it needs; frames that are
// encoded again give the same bytes.
//
// Input: one byte each for the limit and for how the stream is split, then the stream.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "fuzz/input.h"
#include "wire/frame.h"

namespace palena::wire {
namespace {

struct Frames {
  std::vector<std::string> payloads;
  FrameStep::Kind end = FrameStep::Kind::kNeedMore;
  std::size_t left_bytes = 0;  // not a whole frame yet, or refused

  bool operator==(const Frames&) const = default;
};

void CheckStep(const FrameStep& step, std::string_view input, std::size_t limit) {
  const bool has_header = input.size() >= kFrameHeaderBytes;
  const std::size_t announced =
      has_header ? base::LoadLittle<std::uint32_t>(input.data()) : std::size_t{0};
  switch (step.kind) {
    case FrameStep::Kind::kFrame:
      PALENA_CHECK(step.payload.size() == announced && announced <= limit && announced > 0);
      PALENA_CHECK(step.payload.data() == input.data() + kFrameHeaderBytes);
      PALENA_CHECK(step.consumed_bytes == kFrameHeaderBytes + announced);
      PALENA_CHECK(step.consumed_bytes <= input.size());
      return;
    case FrameStep::Kind::kNeedMore:
      PALENA_CHECK(step.needed_bytes > input.size());
      PALENA_CHECK(step.needed_bytes == kFrameHeaderBytes + announced);
      PALENA_CHECK(announced <= limit);
      return;
    case FrameStep::Kind::kTooLarge:
      PALENA_CHECK(has_header && announced > limit && step.announced_bytes == announced);
      return;
    case FrameStep::Kind::kEmpty:
      PALENA_CHECK(has_header && announced == 0);
      return;
  }
}

// Decodes what a session would: `stream` arrives in pieces of at most `piece_bytes`, and only the
// bytes that have arrived exist, in memory of their own.
Frames Decode(std::string_view stream, std::size_t piece_bytes, std::size_t limit) {
  Frames frames;
  std::string waiting;
  std::size_t needed = 0;
  while (true) {
    const std::string exact = waiting;  // nothing behind it that might be read unnoticed
    const FrameStep step = DecodeFrame(exact, limit);
    CheckStep(step, exact, limit);
    PALENA_CHECK(exact.size() >= needed || step.kind == FrameStep::Kind::kNeedMore);
    if (step.kind == FrameStep::Kind::kFrame) {
      frames.payloads.emplace_back(step.payload);
      waiting.erase(0, step.consumed_bytes);
      needed = 0;
      continue;
    }
    frames.end = step.kind;
    needed = step.needed_bytes;
    if (step.kind != FrameStep::Kind::kNeedMore || stream.empty()) break;
    waiting.append(stream.substr(0, piece_bytes));
    stream.remove_prefix(std::min(piece_bytes, stream.size()));
  }
  frames.left_bytes = frames.end == FrameStep::Kind::kNeedMore ? waiting.size() : 0;
  return frames;
}

std::string Encode(const Frames& frames) {
  std::string bytes;
  for (const std::string& payload : frames.payloads) {
    const std::size_t start = BeginFrame(bytes);
    bytes.append(payload);
    FinishFrame(bytes, start);
  }
  return bytes;
}

}  // namespace
}  // namespace palena::wire

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using palena::wire::Frames;
  palena::fuzz::Bytes input(palena::fuzz::TextOf(data, size));
  const std::size_t limit = 1 + std::size_t{input.TakeByte()} * 16;
  const std::size_t piece_bytes = 1 + std::size_t{input.TakeByte()};
  const std::string_view stream = input.rest();

  const Frames whole = palena::wire::Decode(stream, stream.size() + 1, limit);
  PALENA_CHECK(whole == palena::wire::Decode(stream, piece_bytes, limit));
  PALENA_CHECK(stream.starts_with(palena::wire::Encode(whole)));
  return 0;
}
