#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <string>
#include <string_view>

#include "absl/container/flat_hash_map.h"
#include "base/capacities.h"
#include "base/clock.h"
#include "base/executor.h"
#include "client/call.h"
#include "client/connection.h"
#include "client/known_programs.h"

namespace palena::client {

// The calls of a client between their start and their end: keeps them in order, sends them as far
// as the server's window allows, matches answers by id, prepares programs, ends calls that took too
// long. All on the loop's thread.
class Pipeline {
 public:
  // `call_timeout_ms` 0: calls wait for ever.
  Pipeline(Connection& connection, base::Executor& loop, const base::Clock& clock,
           std::int64_t call_timeout_ms, const base::Capacities& capacities = {});

  // Sends the call now, or once there is a connection and room.
  void Add(std::unique_ptr<Call> call);
  // Ends every call, those added later too, with Unavailable.
  void Close();

  // Events of the connection.
  void OnReady();
  void OnMessage(wire::ServerMessage message);
  void OnBroken(const base::Status& why);

 private:
  using Calls = std::list<std::unique_ptr<Call>>;

  void SendWaiting();
  bool HasRoom() const;
  // Writes the request of a call; false when it is too large and was ended instead.
  bool Send(Calls::iterator position, bool by_text);
  void AppendRequest(Call& call, bool by_text);
  void AppendExecute(Call& call, bool by_text);
  void AppendExecuteMany(Call& call, bool by_text);
  const KnownPrograms::Program* ReadyProgram(std::string_view script);
  void PrepareAll(const Call& call);
  void AppendLimits(const Call& call);
  void PrepareOnce(const std::string& script);
  void ForgetPrograms(const Call& call, const model::Result& refusal);
  void OnPrepareReply(const std::string& script, const wire::ServerMessage& message);
  bool SendAgainIfUnknown(Calls::iterator position, const wire::ServerMessage& message);
  std::unique_ptr<Call> Take(Calls::iterator position);
  void ArmTimer();
  void EndOverdue();

  Connection& connection_;
  base::Executor& loop_;
  const base::Clock& clock_;
  const std::int64_t call_timeout_ms_;
  const std::size_t in_flight_max_;
  bool is_closed_ = false;
  std::string why_broken_;  // the connection, when it last was
  bool is_timer_armed_ = false;
  std::uint64_t next_id_ = 1;
  // All open calls, oldest first: those that were sent, then from next_unsent_ on those that wait.
  // One timeout for all means that deadlines are in this order too.
  Calls calls_;
  Calls::iterator next_unsent_ = calls_.end();
  absl::flat_hash_map<std::uint64_t, Calls::iterator> in_flight_;
  absl::flat_hash_map<std::uint64_t, std::string> preparing_;  // id of a Prepare → its text
  KnownPrograms programs_;
};

}  // namespace palena::client
