#include "store/history_ring.h"

#include <algorithm>
#include <cstring>

namespace palena::store {

// In the ring: this, then the bytes of a byte value, padded to 8.
struct HistoryRing::Header {
  Position previous;
  std::int64_t revision;
  std::int64_t expires_ms;
  hlc::HybridTime stamp;
  std::int64_t integer_or_size;
  model::VersionKind kind;
  bool is_integer;
};

namespace {

constexpr std::size_t kAlignment = 8;

constexpr std::size_t RoundUp(std::size_t bytes) {
  return (bytes + kAlignment - 1) & ~(kAlignment - 1);
}

}  // namespace

HistoryRing::HistoryRing(std::size_t capacity_bytes)
    : capacity_bytes_(capacity_bytes & ~(kAlignment - 1)), end_(capacity_bytes_) {}

HistoryRing::Position HistoryRing::Append(Position previous, const model::VersionView& version) {
  const std::string_view value = version.value.bytes;
  const std::size_t record_bytes = RoundUp(sizeof(Header) + value.size());
  if (record_bytes > capacity_bytes_) [[unlikely]]
    return kCut;
  if (bytes_ == nullptr) bytes_ = std::make_unique_for_overwrite<char[]>(capacity_bytes_);
  std::size_t offset = end_ % capacity_bytes_;
  if (offset + record_bytes > capacity_bytes_) {  // records do not wrap: values are read in place
    end_ += capacity_bytes_ - offset;
    offset = 0;
  }
  const bool is_integer = version.value.is_integer;
  const Header header = {
      previous,
      version.revision,
      version.expires_ms,
      version.stamp,
      is_integer ? version.value.integer : static_cast<std::int64_t>(value.size()),
      version.kind,
      is_integer};
  std::memcpy(bytes_.get() + offset, &header, sizeof(header));
  if (!value.empty())
    std::memcpy(bytes_.get() + offset + sizeof(header), value.data(), value.size());
  const Position position = end_;
  end_ += record_bytes;
  return position;
}

std::optional<HistoryRing::Record> HistoryRing::Read(Position position) const {
  if (position <= kCut || position + capacity_bytes_ < end_) return std::nullopt;
  const char* const at = bytes_.get() + position % capacity_bytes_;
  Header header;
  std::memcpy(&header, at, sizeof(header));
  Record record{.version = {}, .previous = header.previous};
  record.version.kind = header.kind;
  record.version.revision = header.revision;
  record.version.expires_ms = header.expires_ms;
  record.version.stamp = header.stamp;
  record.version.value =
      header.is_integer
          ? model::ValueView::Integer(header.integer_or_size)
          : model::ValueView::Bytes(
                {at + sizeof(header), static_cast<std::size_t>(header.integer_or_size)});
  return record;
}

std::size_t HistoryRing::bytes_in_use() const {
  return static_cast<std::size_t>(std::min<Position>(end_ - capacity_bytes_, capacity_bytes_));
}

}  // namespace palena::store
