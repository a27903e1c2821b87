#pragma once

// palena::Limits: the named limits of a palenad (its --limits file), through a palena::Client.
//
//   palena::Limits limits(*client);
//   auto take = limits.Take({"login", {{"subject", "anna"}}});
//   if (take.ok() && !take->allowed) …wait take->retry_after_ms…
//
// Several limits are taken together: all of them are charged or none, at one instant, wherever
// their keys live.
//
// A call that the server cannot understand (a limit that is not there, a part that is missing, a
// cost below 0) is kInvalidArgument with the server's words. A server that cannot decide (out of
// memory, no time) answers with a code and with what the limits' on_error says. Without a
// connection it is kUnavailable, as for every call of the client: what then holds is for the
// application to say.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "palena/client.h"
#include "palena/result.h"
#include "palena/status.h"

namespace palena {

// One limit of a call, and who asks.
struct LimitRequest {
  std::string limit;
  // What the limit's key names, {subject} and the like: each of them, and nothing else. Any bytes.
  std::vector<std::pair<std::string, std::string>> parts;
  std::int64_t cost = 1;  // 0 charges nothing
  std::string owner;      // of limits with leases: whose lease it is
};

struct LimitRecord {
  std::string limit;
  bool allowed = false;  // of Renew and Release: whether the owner held a live lease
  std::int64_t quota = 0;
  std::int64_t remaining = 0;       // after the take; when it was refused, as it is
  std::int64_t retry_after_ms = 0;  // 0 when allowed, -1: never at this cost
  std::int64_t reset_at_ms = 0;     // epoch ms at which everything is back if nobody takes
  std::int64_t window_ms = 0;       // in which the quota comes back; 0: it never does
  bool shadow_refused = false;      // a shadow limit that would have refused
};

struct TakeResult {
  bool allowed = false;  // all of them; nothing is charged otherwise
  // How long to wait until all would pass, if nobody else takes; 0 when allowed, -1: never.
  std::int64_t retry_after_ms = 0;
  std::vector<LimitRecord> records;  // in the order of the call; none when code is not empty
  // Not empty when the server could not decide: "OUT_OF_MEMORY", "TIMEOUT" and the like; `allowed`
  // is then what on_error of the limits says, `retry_after_ms` a guess.
  std::string code;
  std::string reason;
  int line = 0;  // of the limiter's script
  Stamp stamp;
  Applied applied = Applied::kNo;  // whether something was charged
};

// A limit as the server knows it, and what it has counted since its name is there.
struct LimitInfo {
  std::string name;
  std::string limiter;
  std::string key;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool persistent = false;
  bool shadow = false;
  bool allows_on_error = false;
  bool has_leases = false;
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::uint64_t shadow_denied = 0;
  std::uint64_t errors = 0;
};

// One of those who were refused most. `refused` is too high by at most `over_by`, never too low.
struct RefusedSubject {
  std::string limit;
  std::string subject;
  std::uint64_t refused = 0;
  std::uint64_t over_by = 0;
};

struct LimitList {
  std::string file;  // empty: the server was started without
  std::vector<LimitInfo> limits;
  std::vector<RefusedSubject> refused;  // most refused first
};

// A view of a client, which must outlive it; cheap. Thread rules are the client's: waiting calls
// from any thread but a callback's, callbacks on the client's thread.
class Limits {
 public:
  using TakeCallback = std::function<void(StatusOr<TakeResult>)>;

  explicit Limits(Client& client, const ExecuteOptions& options = {})
      : client_(&client), options_(options) {}

  StatusOr<TakeResult> Take(const LimitRequest& request) { return TakeMany({request}); }
  StatusOr<TakeResult> TakeMany(const std::vector<LimitRequest>& requests);
  void TakeManyAsync(const std::vector<LimitRequest>& requests, TakeCallback done);

  // What a take would answer, without taking.
  StatusOr<TakeResult> Peek(const LimitRequest& request) { return PeekMany({request}); }
  StatusOr<TakeResult> PeekMany(const std::vector<LimitRequest>& requests);

  // Of limits with leases: makes the owner's lease last from now on, or gives it back. `allowed`
  // says whether there was a live one.
  StatusOr<TakeResult> Renew(const LimitRequest& request);
  StatusOr<TakeResult> Release(const LimitRequest& request);

  // Forgets what these parts have used; false when nothing was. Cost and owner do not matter.
  StatusOr<bool> Reset(const LimitRequest& request);

  StatusOr<LimitList> List();

 private:
  Client* client_;
  ExecuteOptions options_;
};

}  // namespace palena
