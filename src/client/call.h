#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "base/status.h"
#include "model/take.h"
#include "palena/many.h"
#include "palena/named_limits.h"
#include "palena/result.h"
#include "wire/codec.h"

namespace palena::client {

// One call of the application that has no answer yet. However a call ends (an answer, a break, a
// timeout, a client that is closed while the call is still on its way to the client's thread), it
// hears of it exactly once.
class Call {
 public:
  enum class Kind : std::uint8_t {
    kExecute,
    kExecuteMany,
    kPing,
    kInfo,
    kTake,
    kResetLimit,
    kListLimits,
  };
  using Done = absl::AnyInvocable<void(base::StatusOr<wire::ServerMessage>)>;

  Call(Kind kind_of_call, Done done) : kind(kind_of_call), done_(std::move(done)) {}
  ~Call() {
    if (done_) Finish(absl::UnavailableError("the client was closed"));
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  void Finish(base::StatusOr<wire::ServerMessage> reply) {
    Done done = std::exchange(done_, nullptr);
    done(std::move(reply));
  }

  const Kind kind;
  std::string script;                             // kExecute; kept to send the text again
  Parameters parameters;                          // kExecute
  std::int64_t timeout_ms = 0;                    // kExecute: of the run on the server
  Many many;                                      // kExecuteMany
  model::TakeMode mode = model::TakeMode::kTake;  // kTake
  std::vector<LimitRequest> limits;               // kTake; of kResetLimit one
  std::int64_t deadline_ns = 0;                   // steady time at which the caller gives up
  std::uint64_t id = 0;                           // on the wire; 0: not sent yet
  bool sent_by_program_id = false;                // at least one of its programs

 private:
  Done done_;
};

}  // namespace palena::client
