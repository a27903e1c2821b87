#include "limits/shard_limits.h"

#include <map>
#include <optional>
#include <utility>

namespace palena::limits {

ShardLimits::ShardLimits(engine::Shard& shard, base::Executor& executor, ProgramPtr never)
    : shard_(shard), executor_(executor), never_(std::move(never)) {
  Use(std::make_shared<const LimitSet>());
}

void ShardLimits::Use(std::shared_ptr<const LimitSet> set) {
  auto view = std::make_shared<View>();
  std::map<std::string_view, std::shared_ptr<LimitCounts>> known;
  if (view_ != nullptr) {
    for (const std::shared_ptr<LimitCounts>& counts : view_->counts) known[counts->limit] = counts;
  }
  for (const Limit& limit : set->limits()) {
    std::shared_ptr<LimitCounts>& counts = known[limit.name];
    if (counts == nullptr) counts = std::make_shared<LimitCounts>(LimitCounts{limit.name});
    view->counts.push_back(counts);
  }
  view->set = std::move(set);
  view_ = std::move(view);
}

ShardLimits::Report ShardLimits::MakeReport() const {
  Report report;
  for (const std::shared_ptr<LimitCounts>& counts : view_->counts) {
    report.limits.push_back(*counts);
  }
  report.refused = {refused_.All(), refused_.least()};
  return report;
}

void ShardLimits::Execute(const model::TakeRequest& request, std::uint64_t lane,
                          const TakeReplyTo& to) {
  Pending& pending = TakePending(lane, to);
  std::optional<model::TakeAnswer> refusal = pending.call.Begin(request, *view_->set);
  if (!refusal) return Start(pending);
  Release(pending.place);
  to.sink->OnTake(to.session, to.request, *refusal);
}

void ShardLimits::Reset(const model::TakeWish& wish, std::uint64_t lane, const TakeReplyTo& to) {
  Pending& pending = TakePending(lane, to);
  pending.is_reset = true;
  model::TakeWish named = wish;
  named.owner = {};
  named.cost = 0;
  model::TakeRequest request;
  request.mode = model::TakeMode::kPeek;
  request.wishes = {&named, 1};
  if (const auto refusal = pending.call.Begin(request, *view_->set)) {
    Release(pending.place);
    model::Result result = model::Result::Failure({refusal->code, refusal->reason, 0, ""});
    return to.sink->OnReset(to.session, to.request, result);
  }
  const TakeCall::Asked& asked = pending.call.asked().front();
  const std::string_view key[] = {asked.key};
  engine::Call call;
  call.reply_to = {this, 0, pending.place};
  call.lane = lane;
  call.program = &asked.limit->reset;
  call.values = key;
  shard_.ExecuteNow(call);
}

ShardLimits::Pending& ShardLimits::TakePending(std::uint64_t lane, const TakeReplyTo& to) {
  if (free_.empty()) {
    free_.push_back(pending_.size());
    pending_.push_back(std::make_unique<Pending>());
    pending_.back()->place = free_.back();
  }
  Pending& pending = *pending_[free_.back()];
  free_.pop_back();
  pending.view = view_;
  pending.lane = lane;
  pending.to = to;
  pending.is_reset = false;
  return pending;
}

void ShardLimits::Release(std::size_t place) {
  pending_[place]->view.reset();
  free_.push_back(place);
}

void ShardLimits::Start(Pending& pending) {
  pending.call.Start(shard_, {this, 0, pending.place}, pending.lane, never_);
}

// Whoever answers may ask for the next, so the call is given back first.
void ShardLimits::OnResult(std::uint64_t, std::uint64_t place, model::Result& result) {
  Pending& pending = *pending_[place];
  const TakeReplyTo to = pending.to;
  if (pending.is_reset) {
    Release(place);
    return to.sink->OnReset(to.session, to.request, result);
  }
  std::optional<model::TakeAnswer> answer = pending.call.Read(result);
  if (!answer) return StartAgain(place);
  Count(pending, *answer);
  Release(place);
  to.sink->OnTake(to.session, to.request, *answer);
}

// In a turn of its own: this one is in the middle of something.
void ShardLimits::StartAgain(std::size_t place) {
  executor_.Post([this, place] {
    shard_.BeginTurn();
    Start(*pending_[place]);
    shard_.EndTurn();
  });
}

LimitCounts& ShardLimits::CountsOf(const Pending& pending, const Limit& limit) {
  const auto index = static_cast<std::size_t>(&limit - pending.view->set->limits().data());
  return *pending.view->counts[index];
}

void ShardLimits::Count(const Pending& pending, const model::TakeAnswer& answer) {
  for (const TakeCall::Asked& asked : pending.call.asked()) {
    if (answer.fault == model::TakeFault::kUndecided || asked.is_left_out) {
      ++CountsOf(pending, *asked.limit).errors;
    } else if (answer.fault == model::TakeFault::kNone &&
               pending.call.mode() == model::TakeMode::kTake && asked.cost > 0) {
      CountTake(pending, asked, answer.is_allowed);
    }
  }
}

// A limit that would have allowed a call which another refused has neither allowed nor denied it.
void ShardLimits::CountTake(const Pending& pending, const TakeCall::Asked& asked, bool is_allowed) {
  LimitCounts& counts = CountsOf(pending, *asked.limit);
  if (asked.is_refused) {
    ++(asked.limit->is_shadow ? counts.shadow_denied : counts.denied);
    refused_.Add(asked.limit->name, asked.subject);
  } else if (is_allowed) {
    ++counts.allowed;
  }
}

}  // namespace palena::limits
