#include "net/session_test_base.h"

#include <future>

namespace palena::net {

std::string NameOfCarrier(const testing::TestParamInfo<Carrier>& carrier) {
  switch (carrier.param) {
    case Carrier::kSocket:
      return "Socket";
    case Carrier::kPipe:
      return "Pipe";
    case Carrier::kPipeOfSingleBytes:
      return "PipeOfSingleBytes";
    case Carrier::kSocketInSingleBytes:
      return "SocketInSingleBytes";
  }
  return "";
}

bool SessionTestBase::IsSocket() const {
  return GetParam() == Carrier::kSocket || GetParam() == Carrier::kSocketInSingleBytes;
}

void SessionTestBase::Start() {
  if (GetParam() == Carrier::kSocketInSingleBytes) options_.transfer_bytes_max = 1;
  loop_ = std::make_unique<Loop>(clock_, "test-loop");
  if (!IsSocket()) return;
  auto listener = Listener::Open({.address = {"127.0.0.1", 0}, .session = options_},
                                 {{loop_.get(), &handler_}});
  ASSERT_TRUE(listener.ok()) << listener.status();
  listener_ = *std::move(listener);
}

std::unique_ptr<Peer> SessionTestBase::Connect() {
  if (!loop_) Start();
  std::unique_ptr<Peer> peer;
  if (IsSocket()) {
    peer = ConnectSocketPeer(listener_->address(), 0);
  } else {
    PipeOptions pipe;
    pipe.capacity_bytes = std::size_t{1} << 20;
    if (GetParam() == Carrier::kPipeOfSingleBytes) pipe.read_bytes_max = 1;
    peer = WrapPipePeer(OpenPipe(*loop_, &handler_, options_, pipe));
  }
  session_id_ = handler_.opened.Take();
  return peer;
}

void SessionTestBase::Stop() {
  listener_.reset();
  if (loop_) loop_->Stop();
}

void SessionTestBase::OnLoop(std::function<void(Session*)> task) {
  std::promise<void> done;
  loop_->Post([&] {
    task(loop_->FindSession(session_id_));
    // Behind the end of this batch, so that what the task caused has happened.
    loop_->Post([&done] { done.set_value(); });
  });
  done.get_future().wait();
}

void SessionTestBase::PostTogether(int times, std::function<void(Session*)> task) {
  auto gate = std::make_shared<std::promise<void>>();
  auto reached = std::make_shared<std::promise<void>>();
  loop_->Post([gate, reached] {
    reached->set_value();
    gate->get_future().wait();
  });
  reached->get_future().wait();  // else the batch of the gate might take some of them along
  for (int i = 0; i < times; ++i) {
    loop_->Post([this, task] { task(loop_->FindSession(session_id_)); });
  }
  gate->set_value();
}

}  // namespace palena::net
