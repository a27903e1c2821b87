#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "base/capacities.h"
#include "base/limits.h"
#include "engine/engine.h"
#include "limits/limit_service.h"
#include "net/loop.h"
#include "net/session.h"
#include "wire/codec.h"

namespace palena::server {

// Requests of so many bytes and more are bounded by their bytes too; smaller ones are bounded well
// enough by their number.
inline constexpr std::size_t kLargeRequestBytes = std::size_t{4} << 10;

struct DoorOptions {
  std::string server_version;
  std::uint16_t node_id = 1;
  std::uint64_t boot_id = 0;
  base::Capacities capacities;
};

// Adds what the server knows to the engine's metrics (connections, version, …). Any thread.
using MetricSource = std::function<void(std::vector<wire::Metric>&)>;

// The native protocol on one loop, which is one shard's thread: frames to requests, results to
// frames. The one place where a failure becomes a reply of this protocol. docs/wire.md.
class NativeDoor final : public net::SessionHandler,
                         private engine::ReplySink,
                         private limits::TakeSink {
 public:
  NativeDoor(const DoorOptions& options, engine::Engine& engine, limits::LimitService& limits,
             unsigned shard, net::Loop& loop, MetricSource metrics);

  void OnOpen(net::Session& session) override;
  net::InputVerdict OnInput(net::Session& session, std::string_view input) override;
  bool OnInputEnd(net::Session& session) override;
  void OnClose(net::Session& session, net::CloseReason reason) override;

 private:
  struct Peer {
    bool is_established = false;
    bool is_paused = false;
    bool has_ended = false;  // sends nothing more; wants its answers
    std::size_t in_flight = 0;
    std::size_t large_bytes = 0;  // of large requests, since nothing was in flight

    void EndRequest() {
      if (--in_flight == 0) large_bytes = 0;
    }
  };

  // Too much is in flight: the rest waits in the socket.
  bool IsFull(const Peer& peer) const;
  bool MayResume(const Peer& peer) const;
  net::InputVerdict HandleFrames(net::Session& session, Peer& peer, std::string_view input);
  // Begins the runs of this input that wait to begin, while there is room for their answers; the
  // frames of the others stay in the input.
  void BeginAwaiting(net::Session& session, Peer& peer, std::string_view input,
                     net::InputVerdict& verdict);
  void Unread(Peer& peer, std::string_view frames);
  bool HasMuchOutput(net::Session& session) const;
  // False: the connection ends after what is queued.
  bool HandleMessage(net::Session& session, Peer& peer, std::string_view payload);
  bool HandleHello(net::Session& session, Peer& peer, std::uint64_t id,
                   const wire::HelloRequest& hello);
  void HandlePrepare(net::Session& session, std::uint64_t id, std::string_view script);
  void HandleExecute(net::Session& session, std::uint64_t id, const model::RequestView& request);
  void HandleExecuteMany(net::Session& session, std::uint64_t id,
                         const model::ManyRequestView& request);
  void CountRequest(Peer& peer, std::size_t bytes);
  // What is left once a session is established.
  void HandleRequest(net::Session& session, Peer& peer, std::uint64_t id);
  bool IsTake() const;
  void HandleListLimits(net::Session& session, Peer& peer, std::uint64_t id);
  void HandleInfo(net::Session& session, Peer& peer, std::uint64_t id);
  // Writes an answer that comes from outside the session's turn, unless it went away meanwhile.
  template <typename Append>
  void AnswerLater(std::uint64_t session_id, Append append);
  void RefuseFrame(net::Session& session, std::uint32_t announced_bytes, std::size_t bytes_max);
  void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;
  void OnTake(std::uint64_t session, std::uint64_t request, model::TakeAnswer& answer) override;
  void OnReset(std::uint64_t session, std::uint64_t request, model::Result& result) override;
  // Writes the answer to a request of this session, wherever the session is.
  template <typename Append>
  void Answer(std::uint64_t session_id, Append append);
  // One answer of `peer` has been written.
  void Answered(net::Session& session, Peer& peer);

  const DoorOptions options_;
  engine::Engine& engine_;
  limits::LimitService& limits_;
  engine::Shard& shard_;
  const unsigned shard_index_;
  net::Loop& loop_;
  const MetricSource metrics_;
  absl::flat_hash_map<std::uint64_t, Peer> peers_;  // by session id
  wire::RequestDecoder decoder_;
  wire::ClientMessage message_;  // reused
  std::vector<engine::ProgramCall> calls_;
  net::Session* current_ = nullptr;  // whose input is being handled
  Peer* current_peer_ = nullptr;
  // Where in the input the last frames began, by their number: those of the runs that wait to begin
  // are the last ones.
  std::array<std::size_t, engine::Shard::kAwaitingMax> frame_starts_{};
  std::size_t frames_ = 0;  // of this turn
};

}  // namespace palena::server
