#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace palena::net {

// What a session has read and its handler has not taken. Memory follows the bytes that arrived, not
// the length that a peer announced: a large message doubles the buffer as it comes in, and the
// buffer falls back to its first size once it is empty. Untouched pages cost nothing, so the memory
// is left uninitialised.
class InputBuffer {
 public:
  explicit InputBuffer(std::size_t first_bytes)
      : first_bytes_(std::max<std::size_t>(first_bytes, 1)) {}

  std::string_view view() const { return {data_.get() + begin_, end_ - begin_}; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }
  std::size_t capacity() const { return capacity_; }

  void Consume(std::size_t bytes) { begin_ += std::min(bytes, size()); }
  void Clear() { begin_ = end_ = 0; }

  // Where to read to: at least one byte of room.
  struct Room {
    char* data;
    std::size_t size;
  };
  // `message_bytes`: how long the message at the front is known to be; 0: unknown.
  Room MakeRoom(std::size_t message_bytes) {
    Compact();
    if (empty() && capacity_ != first_bytes_) {
      Reallocate(first_bytes_);
    } else if (end_ == capacity_) {
      const std::size_t doubled = capacity_ * 2;
      Reallocate(message_bytes > end_ ? std::min(doubled, message_bytes) : doubled);
    }
    return {data_.get() + end_, capacity_ - end_};
  }
  // `bytes` of the room were filled.
  void Commit(std::size_t bytes) { end_ += bytes; }

 private:
  void Compact() {
    if (begin_ == 0) return;
    std::memmove(data_.get(), data_.get() + begin_, size());
    end_ -= begin_;
    begin_ = 0;
  }
  void Reallocate(std::size_t capacity) {
    auto grown = std::make_unique_for_overwrite<char[]>(capacity);
    if (!empty()) std::memcpy(grown.get(), data_.get(), end_);
    data_ = std::move(grown);
    capacity_ = capacity;
  }

  std::size_t first_bytes_;
  std::unique_ptr<char[]> data_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace palena::net
