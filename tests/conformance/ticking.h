#pragma once

#include <atomic>
#include <chrono>
#include <string_view>
#include <thread>

#include "base/clock.h"

namespace palena::conformance {

// Lets a manual clock go on while a script that sleeps runs: nobody else would. Elsewhere time
// stands still during a run.
class Ticking {
 public:
  Ticking(base::ManualClock* clock, std::string_view script) {
    if (clock == nullptr || script.find("sleep") == std::string_view::npos) return;
    thread_ = std::thread([this, clock] {
      while (!is_done_.load()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        clock->AdvanceMs(1);
      }
    });
  }
  ~Ticking() {
    is_done_.store(true);
    if (thread_.joinable()) thread_.join();
  }
  Ticking(const Ticking&) = delete;
  Ticking& operator=(const Ticking&) = delete;

 private:
  std::atomic<bool> is_done_{false};
  std::thread thread_;
};

}  // namespace palena::conformance
