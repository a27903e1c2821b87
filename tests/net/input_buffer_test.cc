#include "net/input_buffer.h"

#include <gtest/gtest.h>

namespace palena::net {
namespace {

void Fill(InputBuffer& buffer, std::string_view bytes, std::size_t message_bytes = 0) {
  while (!bytes.empty()) {
    const InputBuffer::Room room = buffer.MakeRoom(message_bytes);
    const std::size_t size = std::min(room.size, bytes.size());
    std::memcpy(room.data, bytes.data(), size);
    buffer.Commit(size);
    bytes.remove_prefix(size);
  }
}

TEST(InputBufferTest, KeepsTheRestInOrder) {
  InputBuffer buffer(8);
  Fill(buffer, "abcdef");
  buffer.Consume(4);
  Fill(buffer, "ghi");
  EXPECT_EQ(buffer.view(), "efghi");
}

TEST(InputBufferTest, GrowsWithWhatArrivesNotWithWhatIsAnnounced) {
  InputBuffer buffer(8);
  Fill(buffer, "12345678", 1'000'000);
  buffer.MakeRoom(1'000'000);
  EXPECT_EQ(buffer.capacity(), 16u);
}

TEST(InputBufferTest, NeverGrowsBeyondAnAnnouncedMessage) {
  InputBuffer buffer(8);
  Fill(buffer, std::string(100, 'x'), 100);
  EXPECT_EQ(buffer.capacity(), 100u);
}

TEST(InputBufferTest, FallsBackToItsFirstSizeAfterALargeMessage) {
  InputBuffer buffer(8);
  Fill(buffer, std::string(100, 'x'), 100);
  buffer.Consume(100);
  buffer.MakeRoom(0);
  EXPECT_EQ(buffer.capacity(), 8u);
}

}  // namespace
}  // namespace palena::net
