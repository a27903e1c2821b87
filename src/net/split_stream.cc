#include "net/split_stream.h"

#include <algorithm>
#include <utility>

#include "base/capacities.h"

namespace palena::net {
namespace {

constexpr std::size_t kWholeEvery = 1'000;

class SplitStream final : public ByteStream {
 public:
  SplitStream(std::unique_ptr<ByteStream> stream, std::size_t bytes_max)
      : stream_(std::move(stream)), bytes_max_(bytes_max) {}

  void SetUser(StreamUser* user) override { stream_->SetUser(user); }
  void StartRead(char* data, std::size_t size) override {
    stream_->StartRead(data, Piece(size, reads_));
  }
  Transfer WriteNow(std::string_view bytes) override {
    return stream_->WriteNow(bytes.substr(0, Piece(bytes.size(), writes_)));
  }
  void StartWrite(std::string_view bytes) override {
    stream_->StartWrite(bytes.substr(0, Piece(bytes.size(), writes_)));
  }
  void EndOutput() override { stream_->EndOutput(); }
  void Close() override { stream_->Close(); }

 private:
  std::size_t Piece(std::size_t size, std::size_t& transfers) const {
    return ++transfers % kWholeEvery == 0 ? size : std::min(size, bytes_max_);
  }

  const std::unique_ptr<ByteStream> stream_;
  const std::size_t bytes_max_;
  std::size_t reads_ = 0;
  std::size_t writes_ = 0;
};

}  // namespace

std::unique_ptr<ByteStream> SplitTransfers(std::unique_ptr<ByteStream> stream,
                                           std::size_t bytes_max) {
  if (bytes_max == base::kUnbounded) return stream;
  return std::make_unique<SplitStream>(std::move(stream), bytes_max);
}

}  // namespace palena::net
