#include "wire/frame.h"

#include <cstring>
#include <limits>

#include "base/bytes.h"
#include "base/check.h"

namespace palena::wire {

FrameStep DecodeFrame(std::string_view input, std::size_t frame_bytes_max) {
  FrameStep step;
  step.needed_bytes = kFrameHeaderBytes;
  if (input.size() < kFrameHeaderBytes) return step;

  const auto announced = base::LoadLittle<std::uint32_t>(input.data());
  if (announced == 0 || announced > frame_bytes_max) {
    step.kind = announced == 0 ? FrameStep::Kind::kEmpty : FrameStep::Kind::kTooLarge;
    step.announced_bytes = announced;
    return step;
  }
  const std::size_t whole = kFrameHeaderBytes + std::size_t{announced};
  step.needed_bytes = whole;
  if (input.size() < whole) return step;

  step.kind = FrameStep::Kind::kFrame;
  step.payload = input.substr(kFrameHeaderBytes, announced);
  step.consumed_bytes = whole;
  return step;
}

std::size_t BeginFrame(std::string& out) {
  const std::size_t start = out.size();
  out.append(kFrameHeaderBytes, '\0');
  return start;
}

void FinishFrame(std::string& out, std::size_t start) {
  PALENA_CHECK(out.size() >= start + kFrameHeaderBytes);
  const std::size_t payload = out.size() - start - kFrameHeaderBytes;
  PALENA_CHECK(payload <= std::numeric_limits<std::uint32_t>::max());
  const auto length = static_cast<std::uint32_t>(payload);
  std::memcpy(out.data() + start, &length, sizeof(length));
}

}  // namespace palena::wire
