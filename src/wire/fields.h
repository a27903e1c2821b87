#pragma once

// Fields of one protobuf message, read and written strictly over flat bytes with protobuf's own
// coded streams: no heap, no copy. Private to wire.
//
// What is stricter here than in the generated classes: a known field with a foreign wire type, a
// group, a tag or a number beyond its type and a byte after the last field are refused. Unknown
// fields are skipped. Messages of ours nest four deep and groups are refused, so that no input
// chooses the depth of the C++ stack. A number may be padded up to ten bytes; a tag or a length,
// which encoders that fill it in afterwards pad, up to five; longer ones are refused. Nothing is
// laxer here: what is read here the generated classes read too.

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace palena::wire {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;
using google::protobuf::io::CodedOutputStream;

inline constexpr std::uint64_t kUint64Max = std::numeric_limits<std::uint64_t>::max();
inline constexpr std::uint64_t kInt64Max = std::numeric_limits<std::int64_t>::max();
inline constexpr std::uint64_t kUint32Max = std::numeric_limits<std::uint32_t>::max();
inline constexpr std::uint64_t kInt32Max = std::numeric_limits<std::int32_t>::max();

inline constexpr std::size_t kShortVarintBytesMax = 5;

constexpr std::uint32_t VarintTag(int field) {
  return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_VARINT);
}
constexpr std::uint32_t Fixed64Tag(int field) {
  return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_FIXED64);
}
constexpr std::uint32_t BytesTag(int field) {
  return WireFormatLite::MakeTag(field, WireFormatLite::WIRETYPE_LENGTH_DELIMITED);
}

// Walks the fields of one message:
//   while (fields.Next()) switch (fields.tag()) { case BytesTag(1): …; default: …Skip(); }
//   return fields.status();
// Every read may fail; then Next() is false from there on and status() says why, naming the field.
class FieldReader {
 public:
  // `name`: of the message, for errors. `known_fields`: the numbers 1 to this one are known.
  FieldReader(std::string_view message, const char* name, int known_fields)
      : stream_(reinterpret_cast<const std::uint8_t*>(message.data()),
                message.size() > kInt32Max ? 0 : static_cast<int>(message.size())),
        name_(name),
        known_fields_(known_fields) {
    if (message.size() > kInt32Max) Fail("a message above 2 GiB");
  }

  bool Next() {
    if (failure_ != nullptr || Rest().empty()) return false;
    std::uint64_t tag = 0;
    if (!ShortVarint(tag)) return Fail("a broken tag");
    if (tag > kUint32Max || tag < 8) return Fail("an impossible tag");
    tag_ = static_cast<std::uint32_t>(tag);
    return true;
  }
  std::uint32_t tag() const { return tag_; }
  int number() const { return WireFormatLite::GetTagFieldNumber(tag_); }
  // Whether this is one of the messages (or bytes) with the numbers from `first` to `last`.
  bool IsMessage(int first, int last) const {
    return number() >= first && number() <= last && tag_ == BytesTag(number());
  }

  // Numbers above `max` are refused, not cut.
  template <typename T>
  bool Varint(std::uint64_t max, T& out) {
    std::uint64_t value = 0;
    if (!stream_.ReadVarint64(&value)) return Fail("a broken number");
    if (value > max) return FailAbove(value, max);
    out = static_cast<T>(value);
    return true;
  }
  bool Signed(std::int64_t& out) {
    std::uint64_t value = 0;
    if (!stream_.ReadVarint64(&value)) return Fail("a broken number");
    out = WireFormatLite::ZigZagDecode64(value);
    return true;
  }
  bool Bool(bool& out) {
    std::uint64_t value = 0;
    if (!stream_.ReadVarint64(&value)) return Fail("a broken number");
    out = value != 0;
    return true;
  }
  bool Fixed64(std::uint64_t& out) {
    return stream_.ReadLittleEndian64(&out) || Fail("a truncated number");
  }
  // A view into the message.
  bool Bytes(std::string_view& out) {
    std::uint64_t size = 0;
    if (!ShortVarint(size)) return Fail("a broken length");
    const std::string_view rest = Rest();
    if (size > rest.size()) return Fail("a length beyond the end");
    out = rest.substr(0, size);
    return stream_.Skip(static_cast<int>(size));
  }
  // Numbers packed into one field, added to `out`. Those above `max` are refused, and
  // more than max + 1 of them.
  bool Packed(std::uint64_t max, std::vector<std::uint32_t>& out);
  // The same for a field of type `string`, which is UTF-8.
  bool Text(std::string_view& out);

  // Passes over a field that is not known.
  bool Skip();

  // Fails at the current field; false, so that a read can end with it.
  bool Fail(const char* what) {
    if (failure_ == nullptr) failure_ = what;
    return false;
  }
  base::Status status() const { return failure_ == nullptr ? base::Ok() : FailureStatus(); }

 private:
  std::string_view Rest() {
    const void* data = nullptr;
    int size = 0;
    stream_.GetDirectBufferPointerInline(&data, &size);
    return {static_cast<const char*>(data), static_cast<std::size_t>(size)};
  }
  // Of at most five bytes: a tag or a length.
  bool ShortVarint(std::uint64_t& out) {
    const std::size_t before = Rest().size();
    return stream_.ReadVarint64(&out) && before - Rest().size() <= kShortVarintBytesMax;
  }
  bool FailAbove(std::uint64_t value, std::uint64_t max);
  base::Status FailureStatus() const;

  CodedInputStream stream_;
  const char* name_;
  int known_fields_;
  std::uint32_t tag_ = 0;
  const char* failure_ = nullptr;
  std::uint64_t refused_ = 0;  // with max_: the number that was too large
  std::uint64_t max_ = 0;
};

// Sizes of fields as written below; a value that proto3 leaves out costs nothing.

inline std::size_t VarintBytes(std::uint64_t value) {
  return CodedOutputStream::VarintSize64(value);
}
inline std::size_t BytesFieldBytes(std::size_t size) {
  return 1 + VarintBytes(size) + size;
}
inline std::size_t NumberFieldBytes(std::uint64_t value) {
  return value == 0 ? 0 : 1 + VarintBytes(value);
}
inline std::size_t TextFieldBytes(std::size_t size) {
  return size == 0 ? 0 : BytesFieldBytes(size);
}

// Writes fields into a buffer that is known to be large enough. All tags of ours are one byte.
class FieldWriter {
 public:
  // Grows `out` once, by `bytes`, all of which must be written.
  FieldWriter(std::string& out, std::size_t bytes);
  // Checks that exactly the announced bytes were written.
  void Finish() const;

  void Begin(int field, std::size_t message_bytes) {
    Tag(BytesTag(field));
    Varint(message_bytes);
  }
  void Bytes(int field, std::string_view bytes) {
    Begin(field, bytes.size());
    if (bytes.empty()) return;  // memcpy wants a pointer even then
    std::memcpy(at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  void Number(int field, std::uint64_t value) {
    if (value == 0) return;
    Tag(VarintTag(field));
    Varint(value);
  }
  void Text(int field, std::string_view bytes) {
    if (!bytes.empty()) Bytes(field, bytes);
  }
  // Numbers that take `bytes` bytes, in one field.
  void Packed(int field, std::span<const std::uint32_t> numbers, std::size_t bytes) {
    if (numbers.empty()) return;
    Begin(field, bytes);
    for (const std::uint32_t number : numbers) Varint(number);
  }

 private:
  void Tag(std::uint32_t tag) { *at_++ = static_cast<std::uint8_t>(tag); }
  void Varint(std::uint64_t value) { at_ = CodedOutputStream::WriteVarint64ToArray(value, at_); }

  std::uint8_t* at_;
  const std::uint8_t* end_;
};

}  // namespace palena::wire
