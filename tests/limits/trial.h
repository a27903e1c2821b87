#pragma once

// A limiter on an inline node beside its model, on a clock that moves when the trial says.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "limits/model.h"
#include "limits/scripts.h"
#include "palena/node.h"

namespace palena::limits {

// Files of scripts/limits by name; a mutation differs from what is on disk.
using Sources = std::map<std::string, std::string>;
Sources LimiterSources();

class Trial {
 public:
  Trial(const std::string& limiter, Sources sources, Keys keys);

  // Makes the call here and there. What is different, in one sentence; nothing when all is equal:
  // the answer, what an error names, and the key: its value, expiry and revision as they were when
  // nothing may be written, there as long as the model's and no longer.
  std::optional<std::string> Differs(const Call& call);
  // The last answer of the limiter; empty after an error.
  const std::vector<Int>& answer() const { return answer_; }

  void Wait(std::int64_t ms) { clock_->AdvanceMs(ms); }
  // Until the key expires, ms; 0 when it does not, or when there is none.
  std::int64_t ExpiresIn();

 private:
  Int Now() const { return clock_->WallNs() / 1'000'000; }
  Value Read();
  std::optional<std::string> AnswerDiffers(const Result& result, const Expected& expected);
  std::optional<std::string> KeyDiffers(const Value& before, const Value& after);

  const Sources sources_;
  const Keys keys_;
  const std::string read_;
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  std::unique_ptr<Node> node_;
  std::unique_ptr<Model> model_;
  std::map<std::string, std::string> scripts_;
  std::vector<Int> answer_;
};

// One story: `calls` random calls on one key, begun from `seed`. After a refusal that can pass, one
// story in two waits as long as the limiter says: a millisecond less is too early, then it passes.
// The first difference, with what led to it.
struct Story {
  std::string limiter;
  Keys keys = Keys::kEphemeral;
  std::uint64_t seed = 1;
  int calls = 1'000;
};
struct Told {
  std::optional<std::string> difference;
  int calls = 0;    // made
  int allowed = 0;  // that took something
  int denied = 0;
  int waited = 0;  // refusals waited out
  int errors = 0;
};
Told Tell(const Story& story, const Sources& sources);

}  // namespace palena::limits
