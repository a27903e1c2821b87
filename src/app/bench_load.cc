#include "app/bench_load.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace palena::app {
namespace {

constexpr double kNsPerSecond = 1e9;
// Waking up more often would cost more than it makes the schedule smoother.
constexpr std::int64_t kPauseNsMin = 20'000;

}  // namespace

BenchLoad::BenchLoad(const base::Clock& clock, const std::string& name, Options options,
                     Events events)
    : clock_(clock),
      options_(std::move(options)),
      events_(std::move(events)),
      random_(options_.seed),
      key_(0, options_.keys - 1),
      values_(options_.workload.templates.size()),
      loop_(clock, name) {}

BenchLoad::~BenchLoad() {
  loop_.Stop();
}

void BenchLoad::Connect() {
  loop_.Post([this] {
    for (std::uint64_t i = 0; i < options_.connections; ++i) {
      loop_.Connect(options_.address, this, {}, [this, i](base::StatusOr<net::Session*> connected) {
        OnConnected(options_.first_connection + i, std::move(connected));
      });
    }
  });
}

void BenchLoad::Start(std::int64_t measure_from_ns) {
  loop_.Post([this, measure_from_ns] {
    measure_from_ns_ = measure_from_ns;
    Begin();
  });
}

void BenchLoad::Stop() {
  loop_.Post([this] {
    if (state_ == State::kDrained) return;
    state_ = State::kStopped;
    EndIfDrained();
  });
}

void BenchLoad::OnConnected(std::uint64_t index, base::StatusOr<net::Session*> connected) {
  if (!connected.ok()) return Fail(connected.status());
  net::Session& session = **connected;
  auto connection =
      std::make_unique<BenchConnection>(options_.workload.make_protocol(), options_.depth, index);
  connection->Start(session);
  session.Flush();
  connections_[session.id()] = std::move(connection);
}

void BenchLoad::OnConnectionReady() {
  if (++ready_ < options_.connections || state_ != State::kConnecting) return;
  state_ = State::kReady;
  events_.on_ready(base::Ok());
}

void BenchLoad::Fail(const base::Status& why) {
  if (state_ != State::kConnecting) return;
  state_ = State::kStopped;
  events_.on_ready(why);
}

net::InputVerdict BenchLoad::OnInput(net::Session& session, std::string_view input) {
  net::InputVerdict verdict;
  const auto found = connections_.find(session.id());
  if (found == connections_.end()) {
    verdict.close = true;
    return verdict;
  }
  BenchConnection& connection = *found->second;
  const std::int64_t now_ns = clock_.SteadyNs();
  for (;;) {
    const BenchProtocol::Step step = connection.Next(input.substr(verdict.consumed_bytes));
    if (step.kind == BenchProtocol::StepKind::kNeedMore) {
      verdict.needed_bytes = step.needed_bytes;
      break;
    }
    verdict.consumed_bytes += step.consumed_bytes;
    if (!OnStep(connection, step, now_ns)) {
      verdict.close = true;
      return verdict;
    }
  }
  if (state_ == State::kSending) Refill(connection, now_ns);
  EndIfDrained();
  return verdict;
}

bool BenchLoad::OnStep(BenchConnection& connection, const BenchProtocol::Step& step,
                       std::int64_t now_ns) {
  switch (step.kind) {
    case BenchProtocol::StepKind::kAnswer:
      OnAnswer(connection, step.answer, now_ns);
      return true;
    case BenchProtocol::StepKind::kReady:
      connection.session().SetEstablished();
      turns_.push_back(&connection);
      OnConnectionReady();
      return true;
    case BenchProtocol::StepKind::kBad:
      Fail(absl::InvalidArgumentError(step.error));
      if (tally_.first_failure.empty()) tally_.first_failure = step.error;
      return false;
    case BenchProtocol::StepKind::kPreparing:
    case BenchProtocol::StepKind::kNeedMore:
      return true;
  }
  return true;
}

void BenchLoad::OnAnswer(BenchConnection& connection, const BenchAnswer& answer,
                         std::int64_t now_ns) {
  const std::int64_t since_ns = connection.Answered(answer.id);
  if (since_ns < 0) return;
  --in_flight_;
  answered_.store(answered() + 1, std::memory_order_relaxed);
  const bool is_measuring = state_ == State::kSending && now_ns >= measure_from_ns_;
  if (is_measuring) {
    tally_.Add(answer, now_ns - since_ns);
  } else if (!answer.is_ok && tally_.first_failure.empty()) {
    tally_.first_failure = answer.reason;  // of the warm-up: says why there is nothing to measure
  }
}

void BenchLoad::OnClose(net::Session& session, net::CloseReason reason) {
  const auto found = connections_.find(session.id());
  if (found == connections_.end()) return;
  const std::string why =
      absl::StrCat("a connection was closed (", std::string(net::CloseReasonName(reason)), ")");
  const std::unique_ptr<BenchConnection> connection = std::move(found->second);
  connections_.erase(found);
  std::erase(turns_, connection.get());
  in_flight_ -= connection->in_flight();
  Fail(absl::UnavailableError(why));
  if (state_ == State::kSending) {
    tally_.AddLost(std::max<std::uint64_t>(connection->in_flight(), 1), why);
  }
  EndIfDrained();
}

void BenchLoad::Begin() {
  if (state_ != State::kReady) return;
  state_ = State::kSending;
  start_ns_ = clock_.SteadyNs();
  if (options_.rate > 0) return SendDue(start_ns_);
  for (BenchConnection* connection : turns_) {
    Refill(*connection, start_ns_);
    connection->session().Flush();
  }
}

void BenchLoad::Refill(BenchConnection& connection, std::int64_t now_ns) {
  if (options_.rate > 0) return;  // the schedule decides; see SendDue
  while (MaySend() && connection.has_room()) SendOne(connection, now_ns);
}

void BenchLoad::SendOne(BenchConnection& connection, std::int64_t since_ns) {
  const TemplateInput input{key_(random_), running_++, connection.index()};
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i].clear();
    options_.workload.templates[i].AppendTo(values_[i], input);
  }
  connection.Send(since_ns, values_);
  ++in_flight_;
}

// Sends everything whose time has come. What finds no room is sent late, but its latency counts
// from when it was due: a slow server must not slow down the questions.
void BenchLoad::SendDue(std::int64_t now_ns) {
  if (state_ != State::kSending) return;
  const double elapsed_s = static_cast<double>(now_ns - start_ns_) / kNsPerSecond;
  const auto due_by_now = static_cast<std::uint64_t>(elapsed_s * options_.rate) + 1;
  while (due_ < due_by_now && MaySend()) {
    BenchConnection* connection = NextWithRoom();
    if (connection == nullptr) break;
    const double at_ns = static_cast<double>(due_++) / options_.rate * kNsPerSecond;
    SendOne(*connection, start_ns_ + static_cast<std::int64_t>(at_ns));
    connection->session().Flush();
  }
  ScheduleNextDue(now_ns);
}

void BenchLoad::ScheduleNextDue(std::int64_t now_ns) {
  const double at_ns = static_cast<double>(due_) / options_.rate * kNsPerSecond;
  const std::int64_t pause_ns = start_ns_ + static_cast<std::int64_t>(at_ns) - now_ns;
  loop_.PostAfter(std::max(pause_ns, kPauseNsMin), [this] { SendDue(clock_.SteadyNs()); });
}

BenchConnection* BenchLoad::NextWithRoom() {
  if (in_flight_ >= turns_.size() * options_.depth) return nullptr;
  for (std::size_t i = 0; i < turns_.size(); ++i) {
    turn_ = (turn_ + 1) % turns_.size();
    if (turns_[turn_]->has_room()) return turns_[turn_];
  }
  return nullptr;
}

void BenchLoad::EndIfDrained() {
  const bool sends_no_more =
      state_ == State::kStopped || (state_ == State::kSending && (turns_.empty() || !MaySend()));
  if (!sends_no_more || in_flight_ > 0) return;
  state_ = State::kDrained;
  events_.on_drained();
}

}  // namespace palena::app
