#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/call.h"
#include "engine/shard.h"
#include "limits/bound_program.h"
#include "limits/limit_set.h"
#include "limits/limiter_answer.h"
#include "model/result.h"
#include "model/take.h"

namespace palena::limits {

inline constexpr std::size_t kWishesMax = 16;  // limits of one call
// The wait that is told when the node could not decide and the answer is no: nobody knows.
inline constexpr std::int64_t kUndecidedRetryMs = 1'000;

// One call between its request and its answer: which limits it names, the programs that decide, and
// what their results mean. Reused; knows no thread. The set of limits outlives it.
class TakeCall {
 public:
  // One limit of the call.
  struct Asked {
    const Limit* limit = nullptr;
    std::int64_t cost = 1;
    std::string cost_text;
    std::string key;
    std::string owner;
    std::string subject;  // for the list of the refused
    // A shadow limit whose script failed: the others are asked without it.
    bool is_left_out = false;
    // After Read() of a decision: what the limiter itself said, whatever its limit makes of it.
    bool is_refused = false;
  };

  // Takes over what is asked. The answer, with its fault, when that cannot be run.
  std::optional<model::TakeAnswer> Begin(const model::TakeRequest& request, const LimitSet& set);

  // Runs what decides, now, in a turn of `shard`; `never` is a program that answers 0.
  void Start(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane,
             const ProgramPtr& never);

  // What came back, as the answer. Nullopt: a shadow limit has failed and was left out; Start()
  // again.
  std::optional<model::TakeAnswer> Read(model::Result& result);

  model::TakeMode mode() const { return mode_; }
  std::span<const Asked> asked() const { return {asked_.data(), asked_count_}; }

 private:
  enum class Role : std::uint8_t { kPeek, kTake, kRenew, kRelease };

  std::optional<model::TakeAnswer> BeginOne(const model::TakeWish& wish, const LimitSet& set);
  std::optional<model::TakeAnswer> CheckMode(const model::TakeWish& wish, const Limit& limit) const;
  bool IsAskedBefore(const Asked& last) const;
  // A peek tells of a cost of 1, and of nobody's lease; for others the take itself is tried, and
  // undone.
  bool NeedsTrial() const;
  Role RoleOf() const;
  static const BoundProgram& ProgramOf(const Limit& limit, Role role);
  std::span<const std::string_view> ValuesOf(const Asked& asked, Role role);
  void StartOne(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane);
  void StartMany(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane,
                 const ProgramPtr& never);
  void AddCalls(Role role, bool is_required, std::vector<engine::ProgramCall>& calls);
  std::size_t present() const;

  // Whose script failed; null when it was none in particular.
  Asked* FailedOne(const model::Result& result);
  model::TakeAnswer ReadFailure(const model::Result& result);
  bool LeaveOutFailed(const model::Result& result);
  model::TakeAnswer Undecided(model::Code code, const std::string& reason) const;
  bool IsAllowedOnError() const;
  model::TakeAnswer ReadDecision(const model::Result& result);
  static const model::Result& ResultOf(const model::Result& result, std::size_t place);
  // Null, or whose script has answered something odd.
  const Asked* ReadLeases(const model::Result& result, model::TakeAnswer& answer);
  const Asked* ReadRecords(const model::Result& result, model::TakeAnswer& answer);
  static model::TakeRecord RecordWithoutState(const Asked& asked);
  static model::TakeRecord RecordOf(Asked& asked, const LimiterAnswer& decision,
                                    const LimiterAnswer& state);
  void Conclude(model::TakeAnswer& answer) const;

  model::TakeMode mode_ = model::TakeMode::kTake;
  std::int64_t timeout_ms_ = 0;
  std::vector<Asked> asked_;  // the first asked_count_ are of this call
  std::size_t asked_count_ = 0;
  // Scratch of Start.
  std::vector<std::string_view> values_;
  std::vector<engine::ProgramCall> calls_;
  std::vector<engine::ProgramCall> otherwise_;
};

}  // namespace palena::limits
