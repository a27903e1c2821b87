#pragma once

// The limiters of scripts/limits as somebody uses them who has read a report of a fault elsewhere
// and wants to know whether it can happen here (docs/faults.md): on an inline node whose clock the
// test moves.

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "engine/engine.h"
#include "limits/scripts.h"
#include "palena/node.h"

namespace palena::limits {

constexpr std::int64_t kNever = -1;

// A limiter by the name of its file, and its numbers.
struct Rule {
  std::string limiter;
  Parameters numbers;
};

// The limiters that take a cost.
const std::vector<std::string>& Takers();
// At most `limit` units per `window_ms`, in the words of each limiter that takes; of a sliding
// window in ten segments where they divide it, otherwise in one.
Rule PerWindow(const std::string& limiter, std::int64_t limit, std::int64_t window_ms);
// A bucket that starts with `capacity` and gains `tokens` every `ms`.
Rule Bucket(std::int64_t capacity, std::int64_t tokens, std::int64_t ms);
// The same under GCRA's names; `capacity` is the burst and one.
Rule Gcra(std::int64_t capacity, std::int64_t count, std::int64_t ms);

struct Answer {
  bool is_allowed = false;
  std::int64_t limit = 0;
  std::int64_t remaining = 0;
  std::int64_t retry_after_ms = 0;
  std::int64_t reset_at_ms = 0;
  std::string error;  // not empty: errored, and the rest says nothing
};

// A key as it lies in the store; no value: it is not there.
struct State {
  std::string value;
  std::int64_t revision = -1;
  std::int64_t expires_ms = 0;  // 0: never
  bool operator==(const State&) const = default;
};

class Limiters {
 public:
  explicit Limiters(Keys keys = Keys::kEphemeral, NodeOptions options = {});

  Answer Take(const Rule& rule, std::int64_t cost = 1, const std::string& key = "k");
  // Also what is no number.
  Answer TakeText(const Rule& rule, const std::string& cost, const std::string& key = "k");
  Answer Peek(const Rule& rule, const std::string& key = "k") { return Take(rule, 0, key); }
  // Takes of 1 until one is refused, at most 100,000; how many were allowed.
  std::int64_t Drain(const Rule& rule, const std::string& key = "k");

  // concurrency_acquire; an empty owner only asks. The others answer 1 or 0.
  Answer Acquire(std::int64_t limit, std::int64_t lease_ms, const std::string& owner);
  std::string Release(const std::string& owner);

  // Any script for these keys, written for ephemeral ones.
  Result Run(const std::string& script, const Parameters& parameters = {});
  State Look(const std::string& key = "k");
  std::size_t KeysBelow(const std::string& prefix);

  std::int64_t now_ms() const { return clock_->WallNs() / 1'000'000; }
  base::ManualClock& clock() { return *clock_; }
  void WaitMs(std::int64_t ms) { clock_->AdvanceMs(ms); }
  // On to the next multiple of `ms`: where a fixed window begins.
  void WaitForMultipleOf(std::int64_t ms);
  // What a node does between requests, until nothing is due.
  void PollUntilIdle();
  std::int64_t Metric(std::string_view name);

  // Stops the node and opens it again on the same directory.
  void Restart();

 private:
  void Open();
  Result RunFile(const std::string& name, const Parameters& parameters);

  const Keys keys_;
  NodeOptions options_;
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  engine::Engine* engine_ = nullptr;
  std::unique_ptr<Node> node_;
  std::map<std::string, std::string> scripts_;
};

// A fault that any limiter could have.
class AnyLimiter : public testing::TestWithParam<std::string> {
 protected:
  static Rule Ten() { return PerWindow(GetParam(), 10, 1'000); }

  Limiters limiters_;
};

}  // namespace palena::limits
