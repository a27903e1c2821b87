// Requests in, mail between shards, replies out, and the clockwork around them.

#include "engine/shard.h"

#include <string>

#include "base/check.h"

namespace palena::engine {
namespace {

constexpr std::int64_t kTickNs = 100'000'000;
constexpr std::int64_t kGatherNsMax = 500'000;

}  // namespace

Shard::Shard(const ShardOptions& options, const ShardParts& parts)
    : options_(options),
      parts_(parts),
      clock_(*parts.node_clock, *parts.floor, options.node, options.shards == 1),
      table_(options.table),
      programs_(*parts.programs, *parts.hash, {.programs_max = options.capacities.programs_max}),
      gate_(*parts.watermark, table_),
      outbox_(options.shards) {}

Shard::~Shard() = default;

void Shard::Start() {
  parts_.executor->PostAfter(kTickNs, [this] { Tick(); });
}

void Shard::Tick() {
  BeginTurn();
  const bool more = table_.Sweep(clock_.now_ms(), options_.capacities.swept_entries_per_turn);
  EndTurn();
  // More is due: go on at once, but let what waits have its turn in between.
  parts_.executor->PostAfter(more ? 0 : kTickNs, [this] { Tick(); });
}

void Shard::BeginTurn() {
  PALENA_CHECK(!is_in_turn_);
  is_in_turn_ = true;
  clock_.BeginTurn();
}

void Shard::EndTurn() {
  AdmitAll();
  programs_.EndTurn();
  clock_.Settle();  // before any answer leaves
  if (gate_.HasWork()) {
    // The flag goes up before the watermark is read: either the log sees it, or we see the log.
    waits_for_log_.store(true);
    ReleaseHeld();
  }
  if (appended_ > started_) GatherCommits();
  if (is_over_budget_ && counters_.runs != runs_at_last_eviction_) ReturnToBudget();
  if (has_mail_) SendMail();
  if (!when_idle_.empty()) ReportIdle();
  is_in_turn_ = false;
  if (!outside_.empty()) AnswerOutside();
}

void Shard::AnswerOutside() {
  for (Reply& reply : std::exchange(outside_, {})) {
    reply.to.sink->OnResult(reply.to.session, reply.to.request, reply.result);
  }
}

// What was loaded beyond the budget may go once no run uses it any more: tried when one has ended.
void Shard::ReturnToBudget() {
  runs_at_last_eviction_ = counters_.runs;
  is_over_budget_ = !table_.MakeRoom(1, clock_.now_ms());
}

std::size_t ValueBytes(const model::Result& result) {
  std::size_t bytes = result.reason.size() + result.values.size() * sizeof(model::ResultValue);
  for (const model::ResultValue& value : result.values) bytes += value.value.bytes.size();
  if (!result.many.has_value()) return bytes;
  for (const auto* list : {&result.many->calls, &result.many->otherwise}) {
    for (const model::Result& one : *list) bytes += sizeof(one) + ValueBytes(one);
  }
  return bytes;
}

void Shard::Refuse(const ReplyTo& to, model::Result refusal) {
  to.sink->OnResult(to.session, to.request, refusal);
}

template <typename AnyCall>
bool Shard::ExecuteAny(const AnyCall& call) {
  std::unique_ptr<Run> run = Receive(call);
  if (run == nullptr) return false;
  Await(std::move(run));
  return true;
}

bool Shard::Execute(const Call& call) {
  return ExecuteAny(call);
}

bool Shard::Execute(const ManyCall& call) {
  return ExecuteAny(call);
}

template <typename AnyCall>
void Shard::ExecuteAnyNow(const AnyCall& call) {
  AdmitAll();  // those that came before it
  if (std::unique_ptr<Run> run = Receive(call)) Admit(std::move(run));
}

void Shard::ExecuteNow(const Call& call) {
  ExecuteAnyNow(call);
}

void Shard::ExecuteNow(const ManyCall& call) {
  ExecuteAnyNow(call);
}

// A run of this shard with its keys; null when it was refused, or belongs to another shard.
std::unique_ptr<Run> Shard::Receive(const Call& call) {
  if (parts_.is_draining->load(std::memory_order_relaxed)) {
    Refuse(call.reply_to, model::Result::Failure(DrainingError()));
    return nullptr;
  }
  const model::ScriptOr<const script::Program*> program = FindProgram(programs_, call);
  if (!program.ok()) {
    Refuse(call.reply_to, model::Result::Failure(program.error()));
    return nullptr;
  }
  std::unique_ptr<Run> run = TakeRun();
  run->Bind(**program, call, options_.index);
  run->home = options_.index;
  if (const auto error = run->Resolve(*parts_.hash)) return RefuseBound(std::move(run), *error);
  if (options_.shards == 1) return run;
  return Route(std::move(run));
}

std::unique_ptr<Run> Shard::Receive(const ManyCall& call) {
  if (parts_.is_draining->load(std::memory_order_relaxed)) {
    Refuse(call.reply_to, model::Result::Failure(DrainingError()));
    return nullptr;
  }
  auto series = std::make_unique<Series>();
  if (const auto error = series->Find(programs_, call)) {
    Refuse(call.reply_to, series->Failure(*error));
    return nullptr;
  }
  std::unique_ptr<Run> run = TakeRun();
  run->Bind(std::move(series), call, options_.index);
  run->home = options_.index;
  if (const auto error = run->ResolveSeries(*parts_.hash)) {
    return RefuseBound(std::move(run), *error);
  }
  if (options_.shards == 1) return run;
  return Route(std::move(run));
}

std::unique_ptr<Run> Shard::RefuseBound(std::unique_ptr<Run> run, const model::ScriptError& error) {
  Refuse(run->reply_to, run->Failure(error));
  Recycle(std::move(run));
  return nullptr;
}

// The run, if it begins here; otherwise it is on its way.
std::unique_ptr<Run> Shard::Route(std::unique_ptr<Run> run) {
  const unsigned first = PlanStops(run->keys, options_.shards, options_.index, run->stops);
  if (first == options_.index) return run;
  ++counters_.hops;
  run->Detach(parts_.clock->SteadyNs());
  away_.emplace(run.get(), run->lane);
  MailTo(first).runs.push_back(std::move(run));
  return nullptr;
}

void Shard::Submit(std::unique_ptr<Run> run) {
  // The task owns the run: one that the stopped executor drops is destroyed, not leaked.
  parts_.executor->Post([this, run = std::move(run)]() mutable {
    Mail mail;
    mail.runs.push_back(std::move(run));
    OnMail(std::move(mail), *this);
  });
}

void Shard::OnMail(Mail mail, Shard& from) {
  BeginTurn();
  for (Reply& reply : mail.replies) {
    reply.to.sink->OnResult(reply.to.session, reply.to.request, reply.result);
  }
  for (std::unique_ptr<Run>& run : mail.returned) Recycle(std::move(run));
  for (Settlement& settlement : mail.settlements) Settle(settlement);
  for (const Inquiry& inquiry : mail.inquiries) AnswerInquiry(inquiry);
  for (Information& answer : mail.information) {
    OnInformation(answer.run, std::move(answer.findings));
  }
  for (std::unique_ptr<Run>& run : mail.visitors) Arrive(Keep(std::move(run)));
  for (std::unique_ptr<Run>& run : mail.runs) Await(std::move(run));
  EndTurn();
  if (IsLarge(mail)) from.OnHandled(mail.answer_bytes);
}

void Shard::OnHandled(std::size_t answer_bytes) {
  parts_.executor->Post([this, answer_bytes] {
    unhandled_bytes_ -= answer_bytes;
    if (!ready_.empty()) ScheduleReady();
  });
}

Shard::Mail& Shard::MailTo(unsigned shard) {
  has_mail_ = true;
  outbox_[shard].is_empty = false;
  return outbox_[shard];
}

void Shard::SendMail() {
  has_mail_ = false;
  mailed_bytes_ = 0;
  for (unsigned i = 0; i < outbox_.size(); ++i) {
    if (outbox_[i].is_empty) continue;
    Shard* peer = peers_[i];
    Mail mail = std::exchange(outbox_[i], {});
    if (IsLarge(mail)) unhandled_bytes_ += mail.answer_bytes;
    peer->parts_.executor->Post(
        [this, peer, mail = std::move(mail)]() mutable { peer->OnMail(std::move(mail), *this); });
  }
}

// A result that stays on this thread is shown to the sink where it is; others are moved.
void Shard::SendReply(unsigned origin, const ReplyTo& to, model::Result& result) {
  if (origin == options_.index) {
    to.sink->OnResult(to.session, to.request, result);
  } else if (origin == kOutside) {
    outside_.push_back({to, std::move(result)});
  } else {
    const std::size_t bytes = ValueBytes(result);
    mailed_bytes_ += bytes;
    Mail& mail = MailTo(origin);
    mail.answer_bytes += bytes;
    mail.replies.push_back({to, std::move(result)});
  }
}

// A sync costs the same for one commit and for a hundred. So the log starts when a pass of this
// thread over its sockets has brought no further commit, or after about as long as a sync takes.
void Shard::GatherCommits() {
  if (gathering_since_ns_.has_value()) return;
  gathering_since_ns_ = parts_.clock->SteadyNs();
  gathered_ = appended_;
  parts_.executor->Post([this] { OnGathered(); });
}

void Shard::OnGathered() {
  const bool has_more = std::exchange(gathered_, appended_) != appended_;
  if (has_more && parts_.clock->SteadyNs() - *gathering_since_ns_ < kGatherNsMax) {
    return parts_.executor->Post([this] { OnGathered(); });
  }
  gathering_since_ns_.reset();
  started_ = appended_;
  parts_.log->Start();
}

void Shard::OnDurable() {
  if (!waits_for_log_.exchange(false)) return;
  parts_.executor->Post([this] {
    BeginTurn();
    EndTurn();
  });
}

void Shard::ReleaseHeld() {
  const store::Sequence sequence = parts_.watermark->sequence();
  const hlc::HybridTime bound = parts_.watermark->bound();
  if (sequence == seen_sequence_ && bound == seen_bound_) return;
  seen_sequence_ = sequence;
  seen_bound_ = bound;
  started_ = sequence;  // what was started later waits for the next start
  for (Waiter& waiter : gate_.TakeCovered()) {
    if (waiter.asking != nullptr) {
      ReadAnswer(waiter.asking);
    } else {
      held_bytes_ -= ValueBytes(waiter.reply.result);
      SendReply(waiter.origin, waiter.reply.to, waiter.reply.result);
    }
  }
}

std::unique_ptr<Run> Shard::TakeRun() {
  if (pool_.empty()) return std::make_unique<Run>(options_.capacities);
  std::unique_ptr<Run> run = std::move(pool_.back());
  pool_.pop_back();
  return run;
}

void Shard::Recycle(std::unique_ptr<Run> run) {
  if (run->home != options_.index) {
    MailTo(run->home).returned.push_back(std::move(run));
    return;
  }
  if (!away_.empty()) away_.erase(run.get());
  run->Reset();
  if (pool_.size() < options_.capacities.pooled_runs_max) pool_.push_back(std::move(run));
}

bool Shard::IsIdle() const {
  return open_.empty() && gate_.held() == 0 && away_.empty() && locks_.empty() &&
         open_transactions_ == 0;
}

void Shard::WhenIdle(base::Task done) {
  parts_.executor->Post([this, done = std::move(done)]() mutable {
    BeginTurn();
    when_idle_.push_back(std::move(done));
    EndTurn();
  });
}

void Shard::ReportIdle() {
  if (!IsIdle()) return;
  for (base::Task& done : std::exchange(when_idle_, {})) done();
}

}  // namespace palena::engine
