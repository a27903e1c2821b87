#pragma once

// The contract of a session, run over every byte stream there is. A new stream is one more Carrier.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "net/hooked_handler.h"
#include "net/loop.h"
#include "net/peer.h"

namespace palena::net {

enum class Carrier { kSocket, kPipe, kPipeOfSingleBytes, kSocketInSingleBytes };
std::string NameOfCarrier(const testing::TestParamInfo<Carrier>& carrier);

class SessionTestBase : public testing::TestWithParam<Carrier> {
 protected:
  ~SessionTestBase() override { Stop(); }

  // Starts the loop with the handler's hooks and the options as they are; a peer of a new session.
  std::unique_ptr<Peer> Connect();
  void Stop();
  // Runs `task` on the loop's thread, with the latest session, in one batch, and waits.
  void OnLoop(std::function<void(Session*)> task);
  // Posts `task` that many times while the loop is busy, so that they wait as one batch.
  void PostTogether(int times, std::function<void(Session*)> task);

  base::ManualClock clock_;
  HookedHandler handler_;
  SessionOptions options_;
  std::uint64_t session_id_ = 0;

 private:
  void Start();
  bool IsSocket() const;

  std::unique_ptr<Loop> loop_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace palena::net
