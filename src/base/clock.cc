#include "base/clock.h"

#include <chrono>
#include <ctime>
#include <thread>

namespace palena::base {
namespace {

std::int64_t Read(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t SystemClock::WallNs() const {
  return Read(CLOCK_REALTIME);
}
std::int64_t SystemClock::BoottimeNs() const {
  return Read(CLOCK_BOOTTIME);
}
std::int64_t SystemClock::SteadyNs() const {
  return Read(CLOCK_MONOTONIC);
}
void SystemClock::SleepNs(std::int64_t ns) const {
  std::this_thread::sleep_for(std::chrono::nanoseconds(ns));
}

}  // namespace palena::base
