#include "palena/node.h"

#include <future>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "model/public_result.h"
#include "model/request.h"
#include "node/runtime.h"

namespace palena {
namespace {

constexpr std::int64_t kStopPatienceMs = 10'000;

using Callback = std::function<void(Result)>;

// Hands each answer to the callback of its call, which travels as the request's number.
class CallbackSink final : public engine::ReplySink {
 public:
  static std::uint64_t Park(Callback done) {
    return reinterpret_cast<std::uint64_t>(new Callback(std::move(done)));
  }
  void OnResult(std::uint64_t, std::uint64_t request, model::Result& result) override {
    const std::unique_ptr<Callback> done(reinterpret_cast<Callback*>(request));
    (*done)(model::ToPublic(result));
  }
};

std::vector<model::ParameterView> Views(const Parameters& parameters) {
  std::vector<model::ParameterView> views;
  views.reserve(parameters.size());
  for (const auto& [name, value] : parameters) views.push_back({name, -1, value});
  return views;
}

}  // namespace

class Node::Impl {
 public:
  base::SystemClock clock;
  CallbackSink sink;
  std::unique_ptr<node::Runtime> runtime;
};

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Node::~Node() {
  impl_->runtime->Stop(kStopPatienceMs);
}

StatusOr<std::unique_ptr<Node>> Node::Open(const NodeOptions& options) {
  auto impl = std::make_unique<Impl>();
  auto runtime = node::Runtime::Open(options, impl->clock, nullptr);
  if (!runtime.ok()) return model::ToPublic(runtime.status());
  impl->runtime = *std::move(runtime);
  return std::unique_ptr<Node>(new Node(std::move(impl)));
}

void Node::ExecuteAsync(std::string_view script, const Parameters& parameters, Callback done) {
  const std::vector<model::ParameterView> views = Views(parameters);
  model::RequestView request;
  request.script = script;
  request.parameters = views;
  impl_->runtime->engine().ExecuteFromOutside(
      {request, {&impl_->sink, 0, CallbackSink::Park(std::move(done))}, 0});
}

Result Node::Execute(std::string_view script, const Parameters& parameters) {
  std::promise<Result> promise;
  std::future<Result> answer = promise.get_future();
  ExecuteAsync(script, parameters,
               [&promise](Result result) { promise.set_value(std::move(result)); });
  return answer.get();
}

}  // namespace palena
