#pragma once

// What a Loop is inside. Private to net: this header names Asio.

#include <asio/executor_work_guard.hpp>
#include <asio/io_context.hpp>
#include <asio/steady_timer.hpp>
#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "net/loop.h"
#include "net/session_impl.h"
#include "net/socket_stream.h"

namespace palena::net {

// A descriptor on its way between threads; closed when nobody takes it.
class UniqueFd {
 public:
  explicit UniqueFd(int fd) : fd_(fd) {}
  UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  UniqueFd& operator=(UniqueFd&&) = delete;
  ~UniqueFd();

  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class Loop::Impl {
 public:
  Impl(const base::Clock& clock, std::string name, int cpu);
  // Stop() is behind it.
  ~Impl() = default;

  // ---- any thread
  void Post(base::Task task);
  void PostAfter(std::int64_t delay_ns, base::Task task);
  bool IsCurrent() const { return thread_id_.load() == std::this_thread::get_id(); }
  void Stop();
  std::int64_t NowNs() const { return clock_.SteadyNs(); }
  // Runs `task` on the loop's thread and waits for its end; false when the loop has stopped.
  bool RunAndWait(base::Task task);
  // Sessions here and on their way here.
  std::int64_t session_count() const { return session_count_.load(); }
  // Makes a session of an accepted connection, counted from now on; `setup` lacks the stream.
  void AdoptSocket(UniqueFd fd, bool is_v6, SessionImpl::Setup setup);

  // ---- the loop's thread
  // While one exists, a turn is under way; when the outermost ends, every session that was touched
  // is settled once.
  class Turn {
   public:
    explicit Turn(Impl& loop) : loop_(loop) { ++loop_.turn_depth_; }
    ~Turn() {
      if (--loop_.turn_depth_ == 0) loop_.EndTurn();
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    Impl& loop_;
  };

  asio::io_context& io() { return io_; }
  // A new session. AddCounted: one that session_count() holds since it was on its way.
  Session* AddSession(SessionImpl::Setup setup);
  Session* AddCounted(SessionImpl::Setup setup);
  Session* FindSession(std::uint64_t id);
  void MarkDirty(SessionImpl& session);
  void ReadSoon(SessionImpl& session);
  void ShowAgainLater(const SessionImpl& session);
  // A session is closed: no longer found, kept until it is gone.
  void Detach(const SessionImpl& session);
  // Some closed session may be gone now.
  void SweepLater() { sweep_ = true; }
  // Called when the loop stops, before its I/O ends.
  void OnShutdown(base::Task task) { shutdown_tasks_.push_back(std::move(task)); }

 private:
  void Run(const std::string& name, int cpu);
  void RunBatch();
  void AddDelayed(std::int64_t due_ns, base::Task task);
  void ArmTimer(std::int64_t wait_ns);
  void OnTimer();
  void EndTurn();
  void StartReads();
  void ScheduleDeadlineScan();
  void ScanDeadlines();
  void Shutdown();

  const base::Clock& clock_;
  asio::io_context io_;
  asio::executor_work_guard<IoExecutor> keep_running_;
  std::atomic<std::thread::id> thread_id_{};
  std::atomic<std::int64_t> session_count_{0};

  std::mutex mutex_;  // guards posted_, stopped_
  std::vector<base::Task> posted_;
  bool stopped_ = false;

  // Everything below belongs to the loop's thread.
  std::vector<base::Task> batch_;
  std::multimap<std::int64_t, base::Task> delayed_;  // by due time, steady ns
  asio::basic_waitable_timer<std::chrono::steady_clock,
                             asio::wait_traits<std::chrono::steady_clock>, IoExecutor>
      timer_;
  std::int64_t armed_for_ns_ = std::numeric_limits<std::int64_t>::max();

  std::uint64_t next_session_id_ = 1;
  absl::flat_hash_map<std::uint64_t, std::unique_ptr<SessionImpl>> sessions_;
  std::vector<std::unique_ptr<SessionImpl>> closed_sessions_;  // not gone yet
  bool sweep_ = false;
  bool scan_scheduled_ = false;
  int turn_depth_ = 0;
  std::vector<SessionImpl*> dirty_;
  std::vector<SessionImpl*> to_read_;
  std::vector<base::Task> shutdown_tasks_;

  std::once_flag stop_once_;
  std::thread thread_;
};

// "address already in use", as part of a sentence.
std::string ReasonText(const asio::error_code& error);

}  // namespace palena::net
