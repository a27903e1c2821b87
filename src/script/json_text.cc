// JsonText of conversions.h. The text is measured first and then written, both times by the same
// walk: one array can hold another many times, so the text can be far larger than the value, and
// must be refused before it takes memory or long.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>

#include "base/limits.h"
#include "script/conversions.h"
#include "script/scalar_text.h"

namespace palena::script {

namespace {

constexpr std::size_t kPieceBytes = 4096;
constexpr std::size_t kCodePointBytesMax = 4;
constexpr std::uint64_t kStepsPerPart = 4;  // a part takes about as long as four instructions
constexpr std::uint64_t kStepsPerEscapeByte = 8;
constexpr std::uint64_t kQuotedBytesPerStep = 2;

class JsonMeasure {
 public:
  JsonMeasure(std::size_t bytes_max, std::uint64_t steps_max)
      : bytes_max_(bytes_max), steps_max_(steps_max) {}

  void Append(std::string_view text) {
    bytes_ += text.size();
    steps_ += kStepsPerPart;
  }
  void Charge(std::uint64_t steps) { steps_ += steps; }
  bool is_full() const { return bytes_ > bytes_max_ || has_too_many_steps(); }
  bool has_too_many_steps() const { return steps_ > steps_max_; }
  std::size_t bytes() const { return bytes_; }
  std::uint64_t steps() const { return steps_; }

 private:
  std::size_t bytes_max_;
  std::uint64_t steps_max_;
  std::size_t bytes_ = 0;
  std::uint64_t steps_ = 0;
};

class JsonWriter {
 public:
  explicit JsonWriter(char* memory) : next_(memory) {}

  void Append(std::string_view text) {
    std::memcpy(next_, text.data(), text.size());
    next_ += text.size();
  }
  void Charge(std::uint64_t) {}  // paid for when it was measured
  bool is_full() const { return false; }

 private:
  char* next_;
};

bool IsContinuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0) == 0x80;
}

// Where to cut a long text, so that escaping it takes little memory: between code points.
std::size_t PieceBytes(std::string_view text) {
  if (text.size() <= kPieceBytes) return text.size();
  for (std::size_t back = 0; back < kCodePointBytesMax; ++back) {
    if (!IsContinuation(text[kPieceBytes - back])) return kPieceBytes - back;
  }
  return kPieceBytes;
}

template <typename Sink>
void WriteString(std::string_view text, Sink& sink) {
  sink.Append("\"");
  while (!text.empty() && !sink.is_full()) {
    const std::size_t bytes = PieceBytes(text);
    const nlohmann::json piece(std::string(text.substr(0, bytes)));
    // Bytes that are not UTF-8 become U+FFFD: JSON has no other way to say them.
    const std::string quoted = piece.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    sink.Append(std::string_view(quoted).substr(1, quoted.size() - 2));
    // The library takes long over every byte, and far longer over what grew: the escapes.
    sink.Charge(bytes / kQuotedBytesPerStep +
                (std::max(quoted.size() - 2, bytes) - bytes) * kStepsPerEscapeByte);
    text.remove_prefix(bytes);
  }
  sink.Append("\"");
}

template <typename Sink>
void WriteScalar(const Value& value, Sink& sink) {
  const bool is_number_text = value.type != ValueType::kDouble || std::isfinite(value.real);
  const ScalarText text(value);
  if (value.type == ValueType::kNull) return sink.Append("null");
  if (value.type == ValueType::kString || !is_number_text) return WriteString(text.view(), sink);
  sink.Append(text.view());
}

// Recursion is as deep as the array, which MakeArray bounds.
template <typename Sink>
void WriteJson(const Value& value, Sink& sink) {
  if (value.type != ValueType::kArray) return WriteScalar(value, sink);
  const Array& array = *value.array;
  sink.Append("[");
  for (std::size_t i = 0; i < array.count && !sink.is_full(); ++i) {
    if (i > 0) sink.Append(",");
    WriteJson(array.At(i), sink);
  }
  sink.Append("]");
}

std::uint64_t StepsLeft(const Evaluation& e) {
  return base::kRunStepsMax - std::min(e.steps(), base::kRunStepsMax);
}

}  // namespace

bool JsonText(Evaluation& e, const Value& value, std::string_view& out) {
  JsonMeasure measure(e.arena().limit_bytes(), StepsLeft(e));
  WriteJson(value, measure);
  e.Charge(measure.steps());
  if (measure.has_too_many_steps()) {
    // Said here, because the VM looks at its limit only after an instruction that succeeded.
    return e.FailWith(model::Code::kLimit,
                      "Step limit exceeded: " + std::to_string(base::kRunStepsMax));
  }
  e.ChargeBytes(measure.bytes());
  char* const memory = e.Allocate(measure.bytes());
  if (memory == nullptr) return false;
  JsonWriter writer(memory);
  WriteJson(value, writer);
  out = {memory, measure.bytes()};
  return true;
}

}  // namespace palena::script
