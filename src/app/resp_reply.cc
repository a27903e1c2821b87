#include "app/resp_reply.h"

#include <charconv>
#include <optional>

namespace palena::app {
namespace {

using Kind = RespReply::Kind;

constexpr std::string_view kLineEnd = "\r\n";
// A longest header is "*-9223372036854775808".
constexpr std::size_t kHeaderBytesMax = 21;

std::optional<std::int64_t> ParseNumber(std::string_view text) {
  std::int64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [parsed, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || parsed != end) return std::nullopt;
  return number;
}

RespReply Bad(std::string_view why) {
  RespReply reply;
  reply.kind = Kind::kBad;
  reply.text = why;
  return reply;
}

// Walks over the elements of one reply:
//
//   +text\r\n   -text\r\n   :number\r\n   $length\r\nbytes\r\n   *count\r\nelement…
class Cursor {
 public:
  Cursor(std::string_view input, std::size_t bytes_max) : input_(input), bytes_max_(bytes_max) {}

  // The next element, consumed_bytes counting from the front of the input; of an array only its
  // header, and `elements` says how many follow.
  RespReply Next() {
    elements_ = 0;
    if (at_ >= input_.size()) return NeedMore(at_ + 1);
    const char marker = input_[at_];
    switch (marker) {
      case '+':
        return Line(Kind::kSimple);
      case '-':
        return Line(Kind::kError);
      case ':':
      case '$':
      case '*':
        return Numbered(marker);
      default:
        return Bad("a reply that begins with a byte that RESP2 does not know");
    }
  }
  std::size_t elements() const { return elements_; }

 private:
  RespReply NeedMore(std::size_t needed_bytes) const {
    if (needed_bytes > bytes_max_) return Bad("a reply that is too long");
    RespReply reply;
    reply.needed_bytes = needed_bytes;
    return reply;
  }

  RespReply Take(Kind kind, std::string_view text, std::size_t end) {
    at_ = end;
    if (at_ > bytes_max_) return Bad("a reply that is too long");
    RespReply reply;
    reply.kind = kind;
    reply.text = text;
    reply.consumed_bytes = at_;
    return reply;
  }

  RespReply Line(Kind kind) {
    const std::size_t end = input_.find('\r', at_);
    if (end == std::string_view::npos || end + 1 == input_.size()) {
      return NeedMore(input_.size() + 1);
    }
    if (input_[end + 1] != '\n') return Bad("a line that ends in a bare carriage return");
    return Take(kind, input_.substr(at_ + 1, end - at_ - 1), end + kLineEnd.size());
  }

  RespReply Numbered(char marker) {
    const std::size_t begin = at_;
    RespReply line = Line(Kind::kInteger);
    if (line.kind == Kind::kNeedMore && input_.size() - begin > kHeaderBytesMax + 1) {
      return Bad("a number that is too long");
    }
    if (line.kind != Kind::kInteger) return line;
    const std::optional<std::int64_t> number = ParseNumber(line.text);
    if (!number) return Bad("a number that is none");
    if (marker == ':') return line;
    if (*number < -1) return Bad("a negative length");
    if (*number == -1) return Take(Kind::kNil, {}, at_);
    // An element takes a byte at least: neither may announce more than a reply may hold.
    if (static_cast<std::uint64_t>(*number) > bytes_max_) return Bad("a reply that is too long");
    const auto length = static_cast<std::size_t>(*number);
    return marker == '$' ? Bulk(length) : Array(length);
  }

  RespReply Bulk(std::size_t length) {
    const std::size_t end = at_ + length + kLineEnd.size();
    if (input_.size() < end) return NeedMore(end);
    if (input_.substr(end - kLineEnd.size(), kLineEnd.size()) != kLineEnd) {
      return Bad("a bulk string that is longer than it says");
    }
    return Take(Kind::kBulk, input_.substr(at_, length), end);
  }

  RespReply Array(std::size_t length) {
    elements_ = length;
    return Take(Kind::kArray, {}, at_);
  }

  const std::string_view input_;
  const std::size_t bytes_max_;
  std::size_t at_ = 0;
  std::size_t elements_ = 0;
};

}  // namespace

std::string_view RespReply::type_name() const {
  switch (kind) {
    case Kind::kNeedMore:
      return "need_more";
    case Kind::kSimple:
      return "simple";
    case Kind::kError:
      return "error";
    case Kind::kInteger:
      return "integer";
    case Kind::kBulk:
      return "bulk";
    case Kind::kNil:
      return "nil";
    case Kind::kArray:
      return "array";
    case Kind::kBad:
      return "bad";
  }
  return "bad";
}

RespReply DecodeRespReply(std::string_view input, std::size_t reply_bytes_max) {
  Cursor cursor(input, reply_bytes_max);
  RespReply reply = cursor.Next();
  std::uint64_t pending = cursor.elements();
  while (pending > 0) {
    const RespReply element = cursor.Next();
    if (element.kind == Kind::kNeedMore || element.kind == Kind::kBad) return element;
    pending += cursor.elements();
    --pending;
    reply.consumed_bytes = element.consumed_bytes;
  }
  return reply;
}

}  // namespace palena::app
