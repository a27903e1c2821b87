#pragma once

// The one door to time. Everything that needs an instant is handed a Clock by the composition
// root; nothing else in the project asks the operating system.

#include <atomic>
#include <cstdint>

namespace palena::base {

// Thread-safe. All readings are in nanoseconds.
class Clock {
 public:
  virtual ~Clock() = default;

  // Wall clock, since the Unix epoch. May step in either direction.
  virtual std::int64_t WallNs() const = 0;
  // Since boot, time asleep included. Never goes back, is not stepped.
  virtual std::int64_t BoottimeNs() const = 0;
  // For durations within the process (slices, deadlines). Never goes back.
  virtual std::int64_t SteadyNs() const = 0;
  // Returns once at least this much of steady time has passed.
  virtual void SleepNs(std::int64_t ns) const = 0;
};

class SystemClock final : public Clock {
 public:
  std::int64_t WallNs() const override;
  std::int64_t BoottimeNs() const override;
  std::int64_t SteadyNs() const override;
  void SleepNs(std::int64_t ns) const override;
};

// Stands still until it is told to move, or somebody sleeps: then it moves on by as much at once.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(std::int64_t wall_ns = 1'700'000'000'000'000'000) : wall_ns_(wall_ns) {}

  std::int64_t WallNs() const override { return wall_ns_.load(); }
  std::int64_t BoottimeNs() const override { return elapsed_ns_.load(); }
  std::int64_t SteadyNs() const override { return elapsed_ns_.load(); }

  void SleepNs(std::int64_t ns) const override { MoveOn(ns); }

  // Time passes: all three readings move on together.
  void Advance(std::int64_t ns) { MoveOn(ns); }
  void AdvanceMs(std::int64_t ms) { Advance(ms * 1'000'000); }
  // Somebody sets the wall clock; no time passes.
  void StepWall(std::int64_t ns) { wall_ns_ += ns; }

 private:
  void MoveOn(std::int64_t ns) const {
    wall_ns_ += ns;
    elapsed_ns_ += ns;
  }

  // Mutable: to whoever only reads the clock, time passes all the same.
  mutable std::atomic<std::int64_t> wall_ns_;
  mutable std::atomic<std::int64_t> elapsed_ns_{1'000'000'000};
};

}  // namespace palena::base
