#include "app/stop_signals.h"

#include <ctime>

namespace palena::app {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

}  // namespace

StopSignals StopSignals::Block() {
  StopSignals stop;
  sigemptyset(&stop.signals_);
  sigaddset(&stop.signals_, SIGTERM);
  sigaddset(&stop.signals_, SIGINT);
  pthread_sigmask(SIG_BLOCK, &stop.signals_, nullptr);
  stop.all_signals_ = stop.signals_;
  return stop;
}

void StopSignals::BlockHangup() {
  sigaddset(&all_signals_, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &all_signals_, nullptr);
}

bool StopSignals::WaitForHangup() const {
  int signal = 0;
  while (sigwait(&all_signals_, &signal) != 0) {
  }
  return signal == SIGHUP;
}

void StopSignals::Wait() const {
  int signal = 0;
  while (sigwait(&signals_, &signal) != 0) {
  }
}

bool StopSignals::WaitFor(std::int64_t ns) const {
  const timespec timeout{ns / kNsPerSecond, ns % kNsPerSecond};
  return sigtimedwait(&signals_, nullptr, &timeout) > 0;
}

}  // namespace palena::app
