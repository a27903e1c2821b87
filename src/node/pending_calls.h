#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "absl/container/flat_hash_map.h"
#include "base/mutex.h"
#include "base/status.h"
#include "engine/reply.h"
#include "model/result.h"
#include "palena/node.h"

namespace palena::node {

// How long a node waits at its end for what is in flight.
inline constexpr std::int64_t kStopPatienceMs = 10'000;

// The callbacks of calls in flight: each is called exactly once, with the answer, or with a failure
// when there will be none. Any thread; callbacks are called outside the lock.
class PendingCalls final : public engine::ReplySink {
 public:
  using Done = std::variant<Node::Callback, Node::ManyCallback>;

  // Where the engine is to send the answer. Nullopt, and `done` has been called, when the log has
  // failed.
  std::optional<engine::ReplyTo> Add(Done done);
  void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;

  // The commit log has failed: answers what waits, and whatever is added from now on.
  void FailAll(const base::Status& cause);
  bool has_failed() const;
  // The node has stopped: answers what it left behind.
  void Abandon();

 private:
  using Calls = absl::flat_hash_map<std::uint64_t, Done>;
  void AnswerAll(const model::ScriptError& error);

  mutable base::Mutex mutex_;
  Calls calls_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::optional<base::Status> failure_ ABSL_GUARDED_BY(mutex_);
};

// What a call is answered once the commit log has failed: NO_SPACE or CORRUPTION.
model::ScriptError LogFailure(const base::Status& cause);
// The answer of a run that may have been applied: nobody will ever know.
model::Result UnknownOutcome(const model::ScriptError& error);

}  // namespace palena::node
