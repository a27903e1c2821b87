#include "wire/fields.h"

#include <google/protobuf/stubs/common.h>

#include "base/check.h"

namespace palena::wire {

bool FieldReader::Text(std::string_view& out) {
  if (!Bytes(out)) return false;
  const bool valid =
      google::protobuf::internal::IsStructurallyValidUTF8(out.data(), static_cast<int>(out.size()));
  return valid || Fail("text that is not UTF-8");
}

bool FieldReader::Packed(std::uint64_t max, std::vector<std::uint32_t>& out) {
  std::string_view bytes;
  if (!Bytes(bytes)) return false;
  CodedInputStream numbers(reinterpret_cast<const std::uint8_t*>(bytes.data()),
                           static_cast<int>(bytes.size()));
  while (numbers.CurrentPosition() < static_cast<int>(bytes.size())) {
    std::uint64_t number = 0;
    if (!numbers.ReadVarint64(&number)) return Fail("a broken number");
    if (number > max) return FailAbove(number, max);
    if (out.size() > max) return Fail("too many numbers");
    out.push_back(static_cast<std::uint32_t>(number));
  }
  return true;
}

bool FieldReader::Skip() {
  if (number() <= known_fields_) return Fail("a wrong wire type");
  std::uint64_t number = 0;
  std::uint32_t word = 0;
  std::string_view bytes;
  switch (WireFormatLite::GetTagWireType(tag_)) {
    case WireFormatLite::WIRETYPE_VARINT:
      return stream_.ReadVarint64(&number) || Fail("a broken number");
    case WireFormatLite::WIRETYPE_FIXED64:
      return Fixed64(number);
    case WireFormatLite::WIRETYPE_FIXED32:
      return stream_.ReadLittleEndian32(&word) || Fail("a truncated number");
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      return Bytes(bytes);
    default:
      return Fail("a group or an unknown wire type");
  }
}

bool FieldReader::FailAbove(std::uint64_t value, std::uint64_t max) {
  refused_ = value;
  max_ = max;
  return Fail("a number out of range");
}

base::Status FieldReader::FailureStatus() const {
  std::string text = name_;
  text += ": ";
  text += failure_;
  if (max_ != 0) {
    text += " (" + std::to_string(refused_) + ", at most " + std::to_string(max_) + ")";
  }
  if (tag_ != 0) text += " at field " + std::to_string(number());
  return absl::InvalidArgumentError(text);
}

FieldWriter::FieldWriter(std::string& out, std::size_t bytes) {
  const std::size_t start = out.size();
  out.resize(start + bytes);
  at_ = reinterpret_cast<std::uint8_t*>(out.data()) + start;
  end_ = at_ + bytes;
}

void FieldWriter::Finish() const {
  PALENA_CHECK(at_ == end_);
}

}  // namespace palena::wire
