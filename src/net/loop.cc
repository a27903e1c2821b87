#include "net/loop.h"

#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <asio/post.hpp>
#include <chrono>
#include <future>
#include <utility>

#include "base/check.h"
#include "net/loop_impl.h"

namespace palena::net {
namespace {

// Deadlines of sessions are looked at this often: one timer for all instead of one per request.
constexpr std::int64_t kDeadlineScanNs = 250'000'000;
// The timer never sleeps longer, because a manual clock may jump, and no shorter once it found
// nothing due, because a manual clock may stand still.
constexpr std::int64_t kTimerWaitMaxNs = 250'000'000;
constexpr std::int64_t kTimerRetryNs = 1'000'000;
constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

// Sockets and timers are touched by one thread only, so the reactor may do without its locks for
// them. Posting and registering stay safe from everywhere.
constexpr int kConcurrencyHint = ASIO_CONCURRENCY_HINT_UNSAFE_IO;

void PinToCpu(int cpu) {
  if (cpu < 0 || cpu >= CPU_SETSIZE) return;
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(cpu, &cpus);
  // Refused in some containers: then the scheduler decides, which is slower and not wrong.
  pthread_setaffinity_np(pthread_self(), sizeof(cpus), &cpus);
}

}  // namespace

UniqueFd::~UniqueFd() {
  if (fd_ >= 0) ::close(fd_);
}

std::string ReasonText(const asio::error_code& error) {
  std::string text = error.message();
  if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

// ---- Loop, the door

Loop::Loop(const base::Clock& clock, const std::string& name, int cpu)
    : impl_(std::make_unique<Impl>(clock, name, cpu)) {}

Loop::~Loop() {
  impl_->Stop();
}

void Loop::Post(base::Task task) {
  impl_->Post(std::move(task));
}
void Loop::PostAfter(std::int64_t delay_ns, base::Task task) {
  impl_->PostAfter(delay_ns, std::move(task));
}
bool Loop::IsCurrent() const {
  return impl_->IsCurrent();
}
void Loop::Stop() {
  impl_->Stop();
}
Session* Loop::FindSession(std::uint64_t id) {
  return impl_->FindSession(id);
}

// ---- the thread

Loop::Impl::Impl(const base::Clock& clock, std::string name, int cpu)
    : clock_(clock),
      io_(kConcurrencyHint),
      keep_running_(io_.get_executor()),
      timer_(io_.get_executor()),
      thread_([this, thread_name = std::move(name), cpu] { Run(thread_name, cpu); }) {}

void Loop::Impl::Run(const std::string& name, int cpu) {
  thread_id_ = std::this_thread::get_id();
  pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
  PinToCpu(cpu);
  io_.run();
}

void Loop::Impl::Stop() {
  std::call_once(stop_once_, [this] {
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
    }
    asio::post(io_, [this] { Shutdown(); });
    thread_.join();
    posted_.clear();
    delayed_.clear();
  });
}

void Loop::Impl::Shutdown() {
  for (base::Task& task : std::exchange(shutdown_tasks_, {})) task();
  {
    const Turn turn(*this);
    while (!sessions_.empty()) sessions_.begin()->second->Close(CloseReason::kShutdown);
  }
  io_.stop();
}

// ---- tasks

void Loop::Impl::Post(base::Task task) {
  bool wake = false;
  {
    const std::lock_guard lock(mutex_);
    if (stopped_) return;
    wake = posted_.empty();
    posted_.push_back(std::move(task));
  }
  if (wake) asio::post(io_, [this] { RunBatch(); });
}

void Loop::Impl::RunBatch() {
  const Turn turn(*this);
  {
    const std::lock_guard lock(mutex_);
    std::swap(posted_, batch_);
  }
  for (base::Task& task : batch_) task();
  batch_.clear();
}

bool Loop::Impl::RunAndWait(base::Task task) {
  if (IsCurrent()) {
    task();
    return true;
  }
  std::promise<void> promise;
  const std::future<void> done = promise.get_future();
  bool ran = false;
  // A task that is dropped takes the promise with it, and that too ends the wait.
  Post([&ran, inner = std::move(task), promise = std::move(promise)]() mutable {
    inner();
    ran = true;
    promise.set_value();
  });
  done.wait();
  return ran;
}

void Loop::Impl::PostAfter(std::int64_t delay_ns, base::Task task) {
  const std::int64_t now_ns = NowNs();
  const std::int64_t delay = std::max<std::int64_t>(delay_ns, 0);
  const std::int64_t due_ns = delay > kNever - now_ns ? kNever : now_ns + delay;
  if (IsCurrent()) return AddDelayed(due_ns, std::move(task));
  Post([this, due_ns, inner = std::move(task)]() mutable { AddDelayed(due_ns, std::move(inner)); });
}

void Loop::Impl::AddDelayed(std::int64_t due_ns, base::Task task) {
  delayed_.emplace(due_ns, std::move(task));
  if (due_ns < armed_for_ns_) ArmTimer(due_ns - NowNs());
}

void Loop::Impl::ArmTimer(std::int64_t wait_ns) {
  armed_for_ns_ = delayed_.begin()->first;
  timer_.expires_after(
      std::chrono::nanoseconds(std::clamp<std::int64_t>(wait_ns, 0, kTimerWaitMaxNs)));
  timer_.async_wait([this](const asio::error_code& error) {
    if (!error) OnTimer();
  });
}

void Loop::Impl::OnTimer() {
  const Turn turn(*this);
  armed_for_ns_ = kNever;
  const auto due_end = delayed_.upper_bound(NowNs());
  std::vector<base::Task> due;
  for (auto it = delayed_.begin(); it != due_end; ++it) due.push_back(std::move(it->second));
  delayed_.erase(delayed_.begin(), due_end);
  for (base::Task& task : due) task();
  if (delayed_.empty() || armed_for_ns_ <= delayed_.begin()->first) return;
  ArmTimer(std::max(delayed_.begin()->first - NowNs(), due.empty() ? kTimerRetryNs : 0));
}

// ---- sessions

Session* Loop::Impl::AddSession(SessionImpl::Setup setup) {
  ++session_count_;
  return AddCounted(std::move(setup));
}

Session* Loop::Impl::AddCounted(SessionImpl::Setup setup) {
  PALENA_CHECK(setup.handler != nullptr);
  const std::uint64_t id = next_session_id_++;
  auto session = std::make_unique<SessionImpl>(*this, id, std::move(setup));
  SessionImpl* const added = session.get();
  sessions_.emplace(id, std::move(session));
  ScheduleDeadlineScan();
  added->Open();
  return added;
}

void Loop::Impl::AdoptSocket(UniqueFd fd, bool is_v6, SessionImpl::Setup setup) {
  ++session_count_;
  Post([this, owned = std::move(fd), is_v6, moved = std::move(setup)]() mutable {
    Socket socket(io_.get_executor());
    asio::error_code error;
    socket.assign(is_v6 ? asio::ip::tcp::v6() : asio::ip::tcp::v4(), owned.Release(), error);
    moved.stream = std::make_unique<SocketStream>(std::move(socket));
    AddCounted(std::move(moved));
  });
}

Session* Loop::Impl::FindSession(std::uint64_t id) {
  const auto found = sessions_.find(id);
  return found == sessions_.end() ? nullptr : found->second.get();
}

void Loop::Impl::MarkDirty(SessionImpl& session) {
  if (!session.MarkDirty()) return;
  dirty_.push_back(&session);
  if (turn_depth_ == 0) Post([] {});  // the end of that batch settles it
}

// Reads start together, once all events at hand are served. Asio's reactor tries to read at once
// when it is asked to; right after a reply that finds nothing and costs a system call per request
// (waiting for readiness instead costs one too), but after the replies to all others the peer has
// often sent more. A session that is alone on its loop has nothing to wait for.
void Loop::Impl::ReadSoon(SessionImpl& session) {
  if (sessions_.size() == 1) return session.ReadOn();
  if (to_read_.empty()) asio::post(io_, [this] { StartReads(); });
  to_read_.push_back(&session);
}

void Loop::Impl::StartReads() {
  const Turn turn(*this);
  for (SessionImpl* session : to_read_) session->ReadOn();
  to_read_.clear();
}

void Loop::Impl::ShowAgainLater(const SessionImpl& session) {
  Post([this, id = session.id()] {
    const auto found = sessions_.find(id);
    if (found != sessions_.end()) found->second->ShowAgain();
  });
}

void Loop::Impl::Detach(const SessionImpl& session) {
  const auto found = sessions_.find(session.id());
  closed_sessions_.push_back(std::move(found->second));
  sessions_.erase(found);
  sweep_ = true;
}

void Loop::Impl::EndTurn() {
  ++turn_depth_;  // settling calls handlers, which may touch more sessions
  for (std::size_t i = 0; i < dirty_.size(); ++i) dirty_[i]->Settle();
  dirty_.clear();
  --turn_depth_;
  if (!std::exchange(sweep_, false)) return;
  const std::size_t gone = std::erase_if(
      closed_sessions_, [](const std::unique_ptr<SessionImpl>& s) { return s->is_gone(); });
  session_count_ -= static_cast<std::int64_t>(gone);
}

// ---- deadlines

void Loop::Impl::ScheduleDeadlineScan() {
  if (std::exchange(scan_scheduled_, true)) return;
  AddDelayed(NowNs() + kDeadlineScanNs, [this] { ScanDeadlines(); });
}

void Loop::Impl::ScanDeadlines() {
  scan_scheduled_ = false;
  std::vector<SessionImpl*> all;  // closing changes the containers
  all.reserve(sessions_.size() + closed_sessions_.size());
  for (const auto& [id, session] : sessions_) all.push_back(session.get());
  for (const auto& session : closed_sessions_) all.push_back(session.get());
  const std::int64_t now_ns = NowNs();
  for (SessionImpl* session : all) session->CloseIfOverdue(now_ns);
  if (!all.empty()) ScheduleDeadlineScan();
}

}  // namespace palena::net
