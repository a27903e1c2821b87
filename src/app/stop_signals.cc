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
  return stop;
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
