#pragma once

#include <csignal>
#include <cstdint>

namespace palena::app {

// SIGTERM and SIGINT become something to wait for. Block() belongs before the first thread begins,
// so that none is hit.
class StopSignals {
 public:
  static StopSignals Block();
  // SIGHUP too, for whoever has something to read again; it ends nothing any more.
  void BlockHangup();

  // Returns when one came.
  void Wait() const;
  // The same; and before, each time that SIGHUP came (after BlockHangup), with true.
  bool WaitForHangup() const;
  // Returns when one came, for at most `ns`: true then.
  bool WaitFor(std::int64_t ns) const;

 private:
  sigset_t signals_{};      // that stop
  sigset_t all_signals_{};  // and SIGHUP, when it is blocked
};

}  // namespace palena::app
