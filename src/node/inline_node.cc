#include "node/inline_node.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"
#include "model/public_result.h"
#include "node/complete_options.h"

namespace palena::node {
namespace {

constexpr std::int64_t kPollNs = 1'000'000;
constexpr std::int64_t kForEver = std::numeric_limits<std::int64_t>::max();

}  // namespace

// While it lives the node works: on its own thread, and not from within itself.
class InlineNode::Work {
 public:
  explicit Work(InlineNode& node) : node_(node) {
    PALENA_CHECK(std::this_thread::get_id() == node.owner_);
    PALENA_CHECK(!node.is_working_);  // a callback may only ExecuteAsync
    node.is_working_ = true;
  }
  ~Work() { node_.is_working_ = false; }
  Work(const Work&) = delete;
  Work& operator=(const Work&) = delete;

 private:
  InlineNode& node_;
};

engine::ReplyTo InlineNode::Answer::Await(Result& into) {
  into_ = &into;
  return {this, 0, ++awaited_};
}

engine::ReplyTo InlineNode::Answer::Await(ManyResult& into) {
  many_ = &into;
  return Await(into.verdict);
}

void InlineNode::Answer::OnResult(std::uint64_t, std::uint64_t request, model::Result& result) {
  if (has_come() || request != awaited_) return;
  if (many_ == nullptr) {
    model::ToPublic(result, *into_);
  } else {
    model::ToPublic(result, *std::exchange(many_, nullptr));
  }
  into_ = nullptr;
}

base::StatusOr<std::unique_ptr<InlineNode>> InlineNode::Open(
    const NodeOptions& options, std::shared_ptr<const base::Clock> clock,
    const base::Capacities& capacities) {
  PALENA_ASSIGN_OR_RETURN(const NodeOptions complete, Complete(options));
  std::unique_ptr<InlineNode> node(new InlineNode(std::move(clock)));
  base::Executor* here = &node->executor_;
  const auto on_failure = [&node = *node](const base::Status& cause) { node.OnLogFailure(cause); };
  PALENA_ASSIGN_OR_RETURN(
      node->core_,
      Core::Open(complete, *node->clock_, Workplaces{here, here, {here}, capacities}, on_failure));
  return node;
}

InlineNode::InlineNode(std::shared_ptr<const base::Clock> clock)
    : clock_(std::move(clock)), executor_(*clock_) {}

InlineNode::~InlineNode() {
  const Work work(*this);
  if (core_ == nullptr) return;
  Drain();
  core_->CloseLog();
  core_.reset();
  pending_.Abandon();
}

void InlineNode::OnLogFailure(const base::Status& cause) {
  failure_ = cause;
  pending_.FailAll(cause);
}

void InlineNode::Execute(engine::Call call, Result& result) {
  Run(call, result);
}

void InlineNode::ExecuteMany(engine::ManyCall call, ManyResult& result) {
  Run(call, result);
}

template <typename AnyCall, typename AnyResult>
void InlineNode::Run(AnyCall call, AnyResult& result) {
  const Work work(*this);
  engine::Shard& shard = engine().shard(0);
  // What was asked for before begins before; and who never polls has the timers served here.
  if (HasDueTasks(shard)) executor_.RunBatch();
  if (!failure_.ok()) {
    return model::ToPublic(model::Result::Failure(LogFailure(failure_)), result);
  }
  call.reply_to = answer_.Await(result);
  shard.BeginTurn();
  shard.ExecuteNow(call);
  shard.EndTurn();
  while (!answer_.has_come() && failure_.ok()) WorkOrSleep(kForEver);
  if (answer_.has_come()) return;
  answer_.Forget();
  model::ToPublic(UnknownOutcome(LogFailure(failure_)), result);
}

// Timers are looked at once for every millisecond in which the shard had a turn: a look at the
// clock for each call would cost more than a small script.
bool InlineNode::HasDueTasks(const engine::Shard& shard) {
  if (executor_.HasReady()) return true;
  if (std::exchange(looked_at_ms_, shard.now_ms()) == shard.now_ms()) return false;
  return executor_.IsDue(clock_->SteadyNs());
}

void InlineNode::ExecuteAsync(engine::Call call, Node::Callback done) {
  Send(call, std::move(done));
}

void InlineNode::ExecuteManyAsync(engine::ManyCall call, Node::ManyCallback done) {
  Send(call, std::move(done));
}

template <typename AnyCall, typename Callback>
void InlineNode::Send(AnyCall call, Callback done) {
  PALENA_CHECK(std::this_thread::get_id() == owner_);
  const std::optional<engine::ReplyTo> reply_to = pending_.Add(std::move(done));
  if (!reply_to.has_value()) return;
  call.reply_to = *reply_to;
  engine().ExecuteFromOutside(call);
}

std::optional<std::chrono::milliseconds> InlineNode::Poll() {
  const Work work(*this);
  const std::int64_t begin_ns = clock_->SteadyNs();
  while (executor_.RunBatch() && clock_->SteadyNs() - begin_ns < kPollNs) {
  }
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::nanoseconds(executor_.NextDelayNs()));
}

// The database's own threads can post a failure while this one sleeps; the next timer, a tenth of a
// second away at most, finds it.
void InlineNode::WorkOrSleep(std::int64_t until_ns) {
  if (executor_.RunBatch()) return;
  const std::int64_t delay_ns = executor_.NextDelayNs();
  PALENA_CHECK(delay_ns >= 0);  // the shard's sweep is always to come
  clock_->SleepNs(std::min(delay_ns, until_ns - clock_->SteadyNs()));
}

void InlineNode::Drain() {
  const std::int64_t until_ns = clock_->SteadyNs() + kStopPatienceMs * 1'000'000;
  bool is_drained = false;
  engine().Drain([&is_drained] { is_drained = true; });
  while (!is_drained && failure_.ok() && clock_->SteadyNs() < until_ns) WorkOrSleep(until_ns);
}

}  // namespace palena::node
