#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "limits/limit_service.h"
#include "net/loop.h"
#include "server/http_metrics.h"
#include "server/http_parser.h"
#include "server/http_response.h"
#include "server/http_routes.h"
#include "server/http_take.h"
#include "server/http_target.h"

namespace palena::server {

// What all HTTP doors of a node share; outlives them.
struct HttpNode {
  engine::Engine* engine = nullptr;
  limits::LimitService* limits = nullptr;
  // False while the node starts or drains: /readyz.
  std::atomic<bool> is_ready{false};
  // What only the server knows, for /metrics. Any thread.
  std::function<HttpServerMetrics()> metrics;
};

// Where the answers of an HttpApi go.
class HttpAnswerSink {
 public:
  virtual ~HttpAnswerSink() = default;
  // Exactly once per Handle, on its thread, maybe before it returns.
  virtual void OnAnswer(std::uint64_t session, HttpResponse& response) = 0;
};

// Who asks: a session, of which one request at a time is being answered, and its lane.
struct HttpCaller {
  std::uint64_t session = 0;
  std::uint64_t lane = 0;
};

// The meaning of requests: from a request to an answer, by asking the node. Knows no bytes and no
// connection. One per shard, on its thread, inside its turns.
class HttpApi final : private engine::ReplySink, private limits::TakeSink {
 public:
  HttpApi(HttpNode& node, unsigned shard, net::Loop& loop, HttpAnswerSink& sink);

  // `request` is only looked at during the call.
  void Handle(const HttpRequest& request, const HttpCaller& caller);

 private:
  struct Exchange {
    const HttpRequest& request;
    const HttpTarget& target;
    std::vector<std::string_view> names;  // of the path
    HttpCaller caller;
  };
  // The answer, or nothing when it comes later.
  using Answer = std::optional<HttpResponse>;

  Answer Route(const HttpRequest& request, const HttpCaller& caller);
  Answer Do(HttpAction action, const Exchange& exchange);
  Answer Ready() const;
  Answer Execute(const Exchange& exchange);
  Answer Metrics(const Exchange& exchange);
  Answer Take(model::TakeMode mode, const Exchange& exchange);
  Answer TakeMany(const Exchange& exchange);
  Answer Reset(const Exchange& exchange);
  Answer ListLimits(const Exchange& exchange);
  Answer Call(const std::variant<TakeCall, HttpFailure>& read, const Exchange& exchange);

  void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) override;
  void OnTake(std::uint64_t session, std::uint64_t request, model::TakeAnswer& answer) override;
  void OnReset(std::uint64_t session, std::uint64_t request, model::Result& result) override;
  void Send(std::uint64_t session, HttpResponse response);
  // The same from whatever thread.
  void SendLater(std::uint64_t session, HttpResponse response);

  HttpNode& node_;
  engine::Shard& shard_;
  const unsigned shard_index_;
  net::Loop& loop_;
  HttpAnswerSink& sink_;
};

}  // namespace palena::server
