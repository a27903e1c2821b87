#pragma once

#include <csignal>
#include <cstdint>

namespace palena::app {

// SIGTERM and SIGINT become something to wait for. Block() belongs before the first thread begins,
// so that none is hit.
class StopSignals {
 public:
  static StopSignals Block();

  // Returns when one came.
  void Wait() const;
  // The same, for at most `ns`: true when one came.
  bool WaitFor(std::int64_t ns) const;

 private:
  sigset_t signals_{};
};

}  // namespace palena::app
