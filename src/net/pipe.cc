#include "net/pipe.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "net/byte_stream.h"
#include "net/loop_impl.h"

namespace palena::net {

class PipeStream;

struct PipeState {
  explicit PipeState(const PipeOptions& pipe_options) : options(pipe_options) {}

  const PipeOptions options;
  PipeStream* near = nullptr;  // the loop's thread only; null once the session is gone

  std::mutex mutex;  // guards everything below
  std::condition_variable changed;
  std::string to_session;
  std::string to_peer;
  bool peer_ended = false;     // the peer sends no more
  bool session_ended = false;  // the session sends no more
  bool broken = false;         // by either side
  // The session waits, and has to be told.
  bool read_waits = false;
  bool write_waits = false;
};

namespace {

// At most `bytes_max` bytes off the front.
std::string TakeFront(std::string& bytes, std::size_t bytes_max) {
  if (bytes.size() <= bytes_max) return std::exchange(bytes, {});
  std::string front = bytes.substr(0, bytes_max);
  bytes.erase(0, front.size());
  return front;
}

}  // namespace

// The near end.
class PipeStream final : public ByteStream {
 public:
  PipeStream(Loop::Impl& loop, std::shared_ptr<PipeState> state)
      : loop_(loop), state_(std::move(state)) {
    state_->near = this;
  }
  ~PipeStream() override {
    state_->near = nullptr;
    Close();
  }

  void SetUser(StreamUser* user) override { user_ = user; }

  void StartRead(char* data, std::size_t size) override {
    read_data_ = data;
    read_size_ = std::min(size, state_->options.read_bytes_max);
    const std::lock_guard lock(state_->mutex);
    if (CanRead()) return PostFinish(&PipeStream::FinishRead);
    state_->read_waits = true;
  }

  Transfer WriteNow(std::string_view bytes) override {
    const std::lock_guard lock(state_->mutex);
    if (state_->broken) return {};
    const std::size_t room = state_->options.capacity_bytes - state_->to_peer.size();
    if (room == 0) return {Transfer::Kind::kWouldBlock, 0};
    const std::string_view fitting = bytes.substr(0, room);
    state_->to_peer.append(fitting);
    state_->changed.notify_all();
    return {Transfer::Kind::kBytes, fitting.size()};
  }

  void StartWrite(std::string_view bytes) override {
    write_bytes_ = bytes;
    const std::lock_guard lock(state_->mutex);
    if (CanWrite()) return PostFinish(&PipeStream::FinishWrite);
    state_->write_waits = true;
  }

  void EndOutput() override {
    const std::lock_guard lock(state_->mutex);
    state_->session_ended = true;
    state_->changed.notify_all();
  }

  void Close() override {
    {
      const std::lock_guard lock(state_->mutex);
      state_->session_ended = true;
      state_->broken = true;
      state_->changed.notify_all();
    }
    if (read_data_ != nullptr) PostFinish(&PipeStream::FinishRead);
    if (!write_bytes_.empty()) PostFinish(&PipeStream::FinishWrite);
  }

  void FinishRead() {
    if (read_data_ == nullptr) return;  // it was woken twice
    char* const data = std::exchange(read_data_, nullptr);
    user_->OnRead(Read(data, read_size_));
  }

  void FinishWrite() {
    if (write_bytes_.empty()) return;
    user_->OnWritten(WriteNow(std::exchange(write_bytes_, {})));
  }

 private:
  bool CanRead() const {
    return state_->broken || !state_->to_session.empty() || state_->peer_ended;
  }
  bool CanWrite() const {
    return state_->broken || state_->to_peer.size() < state_->options.capacity_bytes;
  }

  Transfer Read(char* data, std::size_t size) {
    const std::lock_guard lock(state_->mutex);
    if (state_->broken) return {};
    if (state_->to_session.empty()) return {Transfer::Kind::kEnd, 0};
    const std::string bytes = TakeFront(state_->to_session, size);
    std::copy(bytes.begin(), bytes.end(), data);
    return {Transfer::Kind::kBytes, bytes.size()};
  }

  void PostFinish(void (PipeStream::*finish)()) {
    loop_.Post([state = state_, finish] {
      if (state->near != nullptr) (state->near->*finish)();
    });
  }

  Loop::Impl& loop_;
  const std::shared_ptr<PipeState> state_;
  StreamUser* user_ = nullptr;
  char* read_data_ = nullptr;  // of the open read
  std::size_t read_size_ = 0;
  std::string_view write_bytes_;  // of the open write
};

// ---- the far end

PipePeer::PipePeer(Loop& loop, std::shared_ptr<PipeState> state)
    : loop_(loop), state_(std::move(state)) {}

PipePeer::~PipePeer() {
  Reset();
}

void PipePeer::WakeReader() {
  {
    const std::lock_guard lock(state_->mutex);
    if (!std::exchange(state_->read_waits, false)) return;
  }
  loop_.Post([state = state_] {
    if (state->near != nullptr) state->near->FinishRead();
  });
}

void PipePeer::Send(std::string_view bytes) {
  {
    const std::lock_guard lock(state_->mutex);
    if (state_->broken) return;
    state_->to_session.append(bytes);
  }
  WakeReader();
}

std::string PipePeer::Receive(std::size_t bytes_max) {
  std::string bytes;
  {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait(lock,
                         [this] { return !state_->to_peer.empty() || state_->session_ended; });
    bytes = TakeFront(state_->to_peer, bytes_max);
    if (bytes.empty() || !std::exchange(state_->write_waits, false)) return bytes;
  }
  loop_.Post([state = state_] {
    if (state->near != nullptr) state->near->FinishWrite();
  });
  return bytes;
}

void PipePeer::CloseSending() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->peer_ended = true;
  }
  WakeReader();
}

void PipePeer::Reset() {
  bool write_waits = false;
  {
    const std::lock_guard lock(state_->mutex);
    state_->broken = true;
    write_waits = std::exchange(state_->write_waits, false);
  }
  WakeReader();
  if (!write_waits) return;
  loop_.Post([state = state_] {
    if (state->near != nullptr) state->near->FinishWrite();
  });
}

std::unique_ptr<PipePeer> OpenPipe(Loop& loop, SessionHandler* handler,
                                   const SessionOptions& session, const PipeOptions& options) {
  auto state = std::make_shared<PipeState>(options);
  loop.Post([impl = &loop.impl(), handler, session, state] {
    impl->AddSession({std::make_unique<PipeStream>(*impl, state), handler, session, nullptr});
  });
  return std::make_unique<PipePeer>(loop, state);
}

}  // namespace palena::net
