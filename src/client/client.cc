#include "palena/client.h"

#include <atomic>
#include <functional>
#include <future>
#include <mutex>
#include <utility>

#include "base/clock.h"
#include "client/access.h"
#include "client/connection.h"
#include "client/pipeline.h"
#include "model/public_result.h"
#include "net/loop.h"

namespace palena {
namespace {

using client::Call;
using Reply = base::StatusOr<wire::ServerMessage>;
using Metrics = std::vector<std::pair<std::string, std::string>>;

constexpr std::int64_t kNsPerUs = 1'000;

// What a reply of an unexpected kind means: the server refused the request, or broke the protocol.
Status Unexpected(const wire::ServerMessage& message) {
  if (const auto* refusal = std::get_if<model::Result>(&message.reply)) {
    return {StatusCode::kUnavailable, "the server refused: " + refusal->reason};
  }
  return {StatusCode::kInternal, "the server answered with another kind of message"};
}

StatusOr<Result> ToResult(const Reply& reply) {
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* result = std::get_if<model::Result>(&reply->reply);
  if (result == nullptr) return Unexpected(*reply);
  return model::ToPublic(*result);
}

StatusOr<ManyResult> ToManyResult(const Reply& reply) {
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* result = std::get_if<model::Result>(&reply->reply);
  if (result == nullptr) return Unexpected(*reply);
  ManyResult many;
  model::ToPublic(*result, many);
  return many;
}

std::unique_ptr<Call> ExecuteCall(std::string_view script, const Parameters& parameters,
                                  const ExecuteOptions& options, Call::Done done) {
  auto call = std::make_unique<Call>(Call::Kind::kExecute, std::move(done));
  call->script = script;
  call->parameters = parameters;
  call->timeout_ms = options.timeout_ms;
  return call;
}

std::unique_ptr<Call> ManyCallOf(const Many& many, Call::Done done) {
  auto call = std::make_unique<Call>(Call::Kind::kExecuteMany, std::move(done));
  call->many = many;
  return call;
}

StatusOr<Metrics> ToMetrics(const Reply& reply) {
  if (!reply.ok()) return model::ToPublic(reply.status());
  const auto* info = std::get_if<wire::InfoReply>(&reply->reply);
  if (info == nullptr) return Unexpected(*reply);
  Metrics metrics;
  for (const wire::Metric& metric : info->metrics) {
    metrics.emplace_back(metric.name,
                         metric.text.empty() ? std::to_string(metric.value) : metric.text);
  }
  return metrics;
}

Status Validate(const ClientOptions& options) {
  if (options.connect_timeout_ms <= 0) {
    return {StatusCode::kInvalidArgument, "connect_timeout_ms is " +
                                              std::to_string(options.connect_timeout_ms) +
                                              "; it must be positive"};
  }
  if (options.call_timeout_ms < 0) {
    return {StatusCode::kInvalidArgument, "call_timeout_ms is " +
                                              std::to_string(options.call_timeout_ms) +
                                              "; it must not be negative"};
  }
  return {};
}

}  // namespace

// Owns the thread. What application threads touch is the loop's queue and server_, no more.
class Client::Impl {
 public:
  Impl(const ClientOptions& options, net::Address address, const base::Capacities& capacities)
      : loop_(clock_, "palena-client"),
        connection_(loop_,
                    {std::move(address), options.name, options.connect_timeout_ms, capacities},
                    ConnectionEvents()),
        pipeline_(connection_, loop_, clock_, options.call_timeout_ms, capacities) {}

  ~Impl() {
    std::promise<void> promise;
    std::future<void> closed = promise.get_future();
    loop_.Post([this, promise = std::move(promise)]() mutable {
      pipeline_.Close();
      connection_.Close();
      promise.set_value();
    });
    closed.wait();
    loop_.Stop();
  }

  // Waits for the outcome of the first attempt.
  Status Open() {
    loop_.Post([this] { connection_.Open(); });
    return first_attempt_.get_future().get();
  }

  void Start(std::unique_ptr<Call> call) {
    loop_.Post([this, call = std::move(call)]() mutable { pipeline_.Add(std::move(call)); });
  }

  // Starts the call that `make` makes of an end, and waits for its answer.
  Reply Wait(const std::function<std::unique_ptr<Call>(Call::Done)>& make) {
    if (loop_.IsCurrent()) {
      return absl::FailedPreconditionError(
          "a callback runs on the client's thread and cannot wait for an answer there");
    }
    // The promise lives in the call: its owner must not be gone before set_value has returned.
    std::promise<Reply> promise;
    std::future<Reply> answer = promise.get_future();
    Start(make([promise = std::move(promise)](Reply reply) mutable {
      promise.set_value(std::move(reply));
    }));
    return answer.get();
  }
  Reply Wait(Call::Kind kind) {
    return Wait([kind](Call::Done done) { return std::make_unique<Call>(kind, std::move(done)); });
  }

  std::int64_t NowNs() const { return clock_.SteadyNs(); }

  bool is_connected() const { return is_connected_.load(); }

  ServerInfo server() const {
    const std::lock_guard lock(server_mutex_);
    return server_;
  }

 private:
  client::Connection::Events ConnectionEvents() {
    return {[this](const wire::HelloReply& hello) { OnReady(hello); },
            [this](wire::ServerMessage message) { pipeline_.OnMessage(std::move(message)); },
            [this](const base::Status& why) { OnBroken(why); }};
  }

  void OnReady(const wire::HelloReply& hello) {
    {
      const std::lock_guard lock(server_mutex_);
      server_ = {hello.server_version, hello.node_id, hello.boot_id};
    }
    is_connected_.store(true);
    pipeline_.OnReady();
    EndFirstAttempt({});
  }

  void OnBroken(const base::Status& why) {
    is_connected_.store(false);
    pipeline_.OnBroken(why);
    EndFirstAttempt(model::ToPublic(why));
  }

  void EndFirstAttempt(const Status& status) {
    if (!std::exchange(has_attempted_, true)) first_attempt_.set_value(status);
  }

  base::SystemClock clock_;
  mutable std::mutex server_mutex_;  // guards server_
  ServerInfo server_;
  std::atomic<bool> is_connected_{false};
  bool has_attempted_ = false;  // loop's thread
  std::promise<Status> first_attempt_;
  net::Loop loop_;
  client::Connection connection_;
  client::Pipeline pipeline_;
};

Client::Client(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Client::~Client() = default;

StatusOr<std::unique_ptr<Client>> Client::Connect(const ClientOptions& options) {
  return client::Access::Connect(options, {});
}

StatusOr<std::unique_ptr<Client>> client::Access::Connect(const ClientOptions& options,
                                                          const base::Capacities& capacities) {
  if (Status status = Validate(options); !status.ok()) return status;
  base::StatusOr<net::Address> address = net::ParseAddress(options.address);
  if (!address.ok()) return model::ToPublic(address.status());
  auto impl = std::make_unique<Client::Impl>(options, *std::move(address), capacities);
  if (Status status = impl->Open(); !status.ok()) return status;
  return std::unique_ptr<Client>(new Client(std::move(impl)));
}

void client::Access::Start(Client& client, std::unique_ptr<Call> call) {
  client.impl_->Start(std::move(call));
}

Reply client::Access::Wait(Client& client,
                           const std::function<std::unique_ptr<Call>(Call::Done)>& make) {
  return client.impl_->Wait(make);
}

StatusOr<Result> Client::Execute(std::string_view script, const Parameters& parameters,
                                 const ExecuteOptions& options) {
  return ToResult(impl_->Wait(
      [&](Call::Done done) { return ExecuteCall(script, parameters, options, std::move(done)); }));
}

void Client::ExecuteAsync(std::string_view script, const Parameters& parameters,
                          ResultCallback done, const ExecuteOptions& options) {
  impl_->Start(
      ExecuteCall(script, parameters, options,
                  [done = std::move(done)](const Reply& reply) { done(ToResult(reply)); }));
}

StatusOr<ManyResult> Client::ExecuteMany(const Many& many) {
  return ToManyResult(
      impl_->Wait([&](Call::Done done) { return ManyCallOf(many, std::move(done)); }));
}

void Client::ExecuteManyAsync(const Many& many, ManyCallback done) {
  impl_->Start(ManyCallOf(
      many, [done = std::move(done)](const Reply& reply) { done(ToManyResult(reply)); }));
}

StatusOr<std::int64_t> Client::Ping() {
  const std::int64_t start_ns = impl_->NowNs();
  const Reply reply = impl_->Wait(Call::Kind::kPing);
  if (!reply.ok()) return model::ToPublic(reply.status());
  if (!std::holds_alternative<wire::PongReply>(reply->reply)) return Unexpected(*reply);
  return (impl_->NowNs() - start_ns) / kNsPerUs;
}

StatusOr<Metrics> Client::Info() {
  return ToMetrics(impl_->Wait(Call::Kind::kInfo));
}

ServerInfo Client::server() const {
  return impl_->server();
}

bool Client::is_connected() const {
  return impl_->is_connected();
}

}  // namespace palena
