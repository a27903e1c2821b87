#include "app/bench_load.h"

#include <pthread.h>
#include <sys/prctl.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace palena::app {
namespace {

constexpr std::size_t kReadBytes = std::size_t{256} << 10;
// More at once would overrun the queue in which a server finds new connections.
constexpr std::size_t kConnectingMax = 100;

}  // namespace

BenchLoad::BenchLoad(const base::Clock& clock, std::string name, Options options, Events events)
    : clock_(clock),
      name_(std::move(name)),
      options_(std::move(options)),
      events_(std::move(events)),
      random_(options_.seed),
      key_(0, options_.keys - 1),
      values_(options_.workload.templates.size()),
      input_(kReadBytes),
      schedule_(options_.rate) {}

BenchLoad::~BenchLoad() {
  Close();
}

void BenchLoad::Connect() {
  thread_ = std::thread([this] { Run(); });
}

void BenchLoad::Start(std::int64_t measure_from_ns) {
  measure_from_ns_.store(measure_from_ns);
  Ask(Wanted::kSend);
}

void BenchLoad::Close() {
  if (!thread_.joinable()) return;
  Ask(Wanted::kClose);
  thread_.join();
}

void BenchLoad::Ask(Wanted wanted) {
  wanted_.store(wanted);
  poller_.Wake();
}

// ---- the thread

void BenchLoad::Run() {
  pthread_setname_np(pthread_self(), name_.substr(0, 15).c_str());
  // By default the kernel may wake a thread 50 µs late to save power.
  prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);
  ConnectMore();
  while (DoWhatIsWanted()) {
    for (const epoll_event& event : poller_.Wait(WaitNs())) {
      OnEvents(*static_cast<BenchConnection*>(event.data.ptr), event.events);
    }
    if (schedule_.exists()) SendDue();
  }
}

std::int64_t BenchLoad::WaitNs() const {
  if (!schedule_.exists() || state_ != State::kSending || !MaySend()) return -1;
  if (schedule_.is_holding_back()) return -1;  // an answer makes room
  return std::max<std::int64_t>(schedule_.due_ns() - clock_.SteadyNs(), 0);
}

bool BenchLoad::DoWhatIsWanted() {
  const Wanted wanted = wanted_.load();
  if (wanted == Wanted::kClose) return false;
  if (wanted == Wanted::kSend && state_ == State::kReady) Begin();
  if (wanted == Wanted::kStop && state_ < State::kStopped) {
    state_ = State::kStopped;
    EndIfDrained();
  }
  return true;
}

// ---- connecting

void BenchLoad::ConnectMore() {
  while (state_ == State::kConnecting && connecting_ < kConnectingMax &&
         connections_.size() < options_.connections) {
    const std::uint64_t index = options_.first_connection + connections_.size();
    ++connecting_;
    connections_.push_back(std::make_unique<BenchConnection>(options_.workload.make_protocol(),
                                                             options_.depth, index));
    ConnectOne(*connections_.back());
  }
}

void BenchLoad::ConnectOne(BenchConnection& connection) {
  const base::Status begun = connection.socket().Connect(options_.endpoints[connection.endpoint()]);
  if (!begun.ok()) return LoseUnconnected(connection, begun);
  poller_.Add(connection.socket().fd(), EPOLLOUT, &connection);
}

void BenchLoad::OnConnectEnd(BenchConnection& connection) {
  const base::Status result = connection.socket().ConnectResult();
  if (result.ok()) {
    connection.SetConnected();
    output_.clear();
    connection.protocol().Start(output_);
    poller_.Change(connection.socket().fd(), EPOLLIN, &connection);
    return Flush(connection);
  }
  connection.NextEndpoint();
  if (connection.endpoint() < options_.endpoints.size()) return ConnectOne(connection);
  LoseUnconnected(connection, result);
}

void BenchLoad::OnConnectionReady(BenchConnection& connection) {
  turns_.push_back(&connection);
  --connecting_;
  ++ready_;
  ConnectMore();
  if (ready_ < options_.connections || state_ != State::kConnecting) return;
  state_ = State::kReady;
  events_.on_ready(base::Ok());
}

void BenchLoad::Fail(const base::Status& why) {
  if (state_ != State::kConnecting) return;
  state_ = State::kStopped;
  events_.on_ready(why);
}

void BenchLoad::Lose(BenchConnection& connection, const std::string& why) {
  Fail(absl::UnavailableError(why));
  if (state_ == State::kSending) {
    tally_.AddLost(std::max<std::uint64_t>(connection.in_flight(), 1), why);
  }
  in_flight_ -= connection.in_flight();
  std::erase(turns_, &connection);
  connections_[connection.index() - options_.first_connection] = nullptr;
  EndIfDrained();
}

void BenchLoad::LoseUnconnected(BenchConnection& connection, const base::Status& why) {
  Lose(connection, absl::StrCat("cannot connect to ", options_.address, ": ", why.message(),
                                "; is a server running there? Start it first, or name another "
                                "with --connect"));
}

std::string BenchLoad::WhyClosed() const {
  if (state_ != State::kConnecting) return "a connection was closed by the server";
  return absl::StrCat(options_.address, " closed a connection before it could be used, after ",
                      ready_, " of ", options_.connections,
                      "; its connection limit may be reached: give fewer --connections");
}

// ---- answers

void BenchLoad::OnEvents(BenchConnection& connection, std::uint32_t events) {
  if (!connection.is_connected()) return OnConnectEnd(connection);
  if ((events & EPOLLOUT) != 0) {
    output_.clear();
    Flush(connection);
  } else {
    OnReadable(connection);
  }
}

void BenchLoad::OnReadable(BenchConnection& connection) {
  const BenchSocket::Transfer read = connection.socket().Read(input_);
  if (read.is_closed) return Lose(connection, WhyClosed());
  const std::int64_t now_ns = clock_.SteadyNs();
  output_.clear();
  if (!TakeAnswers(connection, {input_.data(), read.bytes}, now_ns)) return;
  if (state_ == State::kSending) Refill(connection, now_ns);
  if (!output_.empty()) Flush(connection);
  EndIfDrained();
}

bool BenchLoad::TakeAnswers(BenchConnection& connection, std::string_view bytes,
                            std::int64_t now_ns) {
  const std::string_view input = connection.Input(bytes);
  if (input.empty()) return true;
  std::size_t consumed_bytes = 0;
  for (;;) {
    const BenchProtocol::Step step =
        connection.protocol().Next(input.substr(consumed_bytes), output_);
    if (step.kind == BenchProtocol::StepKind::kNeedMore) {
      connection.Keep(input, consumed_bytes, step.needed_bytes);
      return true;
    }
    consumed_bytes += step.consumed_bytes;
    if (!OnStep(connection, step, now_ns)) return false;
  }
}

bool BenchLoad::OnStep(BenchConnection& connection, const BenchProtocol::Step& step,
                       std::int64_t now_ns) {
  switch (step.kind) {
    case BenchProtocol::StepKind::kAnswer:
      OnAnswer(connection, step.answer, now_ns);
      return true;
    case BenchProtocol::StepKind::kReady:
      OnConnectionReady(connection);
      return true;
    case BenchProtocol::StepKind::kBad:
      Fail(absl::InvalidArgumentError(step.error));
      Lose(connection, step.error);
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
  const bool is_measuring =
      state_ == State::kSending && now_ns >= measure_from_ns_.load(std::memory_order_relaxed);
  if (is_measuring) {
    tally_.Add(answer, now_ns - since_ns);
    tally_.last_answer_ns = now_ns;
  } else if (!answer.is_ok && tally_.first_failure.empty()) {
    tally_.first_failure = answer.reason;  // of the warm-up: says why there is nothing to measure
  }
}

// ---- requests

void BenchLoad::Begin() {
  state_ = State::kSending;
  const std::int64_t now_ns = clock_.SteadyNs();
  schedule_.Begin(now_ns);
  // A copy: a connection that turns out to be broken leaves the turns.
  for (BenchConnection* connection : std::vector<BenchConnection*>(turns_)) {
    output_.clear();
    Refill(*connection, now_ns);
    if (!output_.empty()) Flush(*connection);
  }
  EndIfDrained();  // no connection may be left
}

void BenchLoad::Refill(BenchConnection& connection, std::int64_t now_ns) {
  if (schedule_.exists()) return;  // it decides; see SendDue
  while (MaySend() && connection.has_room()) AppendOne(connection, now_ns);
}

void BenchLoad::AppendOne(BenchConnection& connection, std::int64_t since_ns) {
  const TemplateInput input{key_(random_), running_++, connection.index()};
  for (std::size_t i = 0; i < values_.size(); ++i) {
    options_.workload.templates[i].Refresh(values_[i], input);
  }
  connection.AppendRequest(output_, since_ns, values_);
  ++in_flight_;
}

// Writes output_; what finds no room is written when the socket says so.
void BenchLoad::Flush(BenchConnection& connection) {
  const bool was_waiting = connection.has_unsent();
  if (!connection.Write(output_)) return Lose(connection, WhyClosed());
  if (connection.has_unsent() == was_waiting) return;
  const std::uint32_t events = connection.has_unsent() ? EPOLLIN | EPOLLOUT : EPOLLIN;
  poller_.Change(connection.socket().fd(), events, &connection);
}

// Sends everything whose time has come. What finds no room is sent late, but its latency counts
// from when it was due: a slow server must not slow down the questions.
void BenchLoad::SendDue() {
  if (state_ != State::kSending) return;
  const std::int64_t now_ns = clock_.SteadyNs();
  while (MaySend() && schedule_.due_ns() <= now_ns) {
    BenchConnection* const connection = NextWithRoom();
    if (connection == nullptr) return schedule_.HoldBack();
    schedule_.GoOn(now_ns);
    const std::int64_t due_ns = schedule_.due_ns();
    const bool was_held_back = schedule_.was_held_back();
    schedule_.Next();
    output_.clear();
    AppendOne(*connection, due_ns);
    Flush(*connection);
    if (now_ns < measure_from_ns_.load(std::memory_order_relaxed)) continue;
    if (was_held_back) {
      ++tally_.held_back;
    } else {
      tally_.lateness.Add(clock_.SteadyNs() - due_ns);
    }
  }
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
