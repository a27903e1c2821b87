#include "app/bench_poller.h"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <utility>

#include "base/check.h"

namespace palena::app {
namespace {

constexpr std::int64_t kNsPerSecond = 1'000'000'000;

}  // namespace

BenchPoller::BenchPoller()
    : epoll_fd_(::epoll_create1(EPOLL_CLOEXEC)),
      wake_fd_(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
  PALENA_CHECK(epoll_fd_ >= 0 && wake_fd_ >= 0);
  Add(wake_fd_, EPOLLIN, nullptr);
}

BenchPoller::~BenchPoller() {
  ::close(wake_fd_);
  ::close(epoll_fd_);
}

void BenchPoller::Add(int fd, std::uint32_t events, void* data) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = data;
  PALENA_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, fd, &event) == 0);
}

void BenchPoller::Change(int fd, std::uint32_t events, void* data) {
  epoll_event event{};
  event.events = events;
  event.data.ptr = data;
  PALENA_CHECK(::epoll_ctl(epoll_fd_, EPOLL_CTL_MOD, fd, &event) == 0);
}

std::span<const epoll_event> BenchPoller::Wait(std::int64_t wait_ns) {
  const timespec timeout{wait_ns / kNsPerSecond, wait_ns % kNsPerSecond};
  const int ready = ::epoll_pwait2(epoll_fd_, events_.data(), static_cast<int>(events_.size()),
                                   wait_ns < 0 ? nullptr : &timeout, nullptr);
  PALENA_CHECK(ready >= 0 || errno == EINTR);
  const auto end = events_.begin() + std::max(ready, 0);
  const auto woken =
      std::find_if(events_.begin(), end, [](const epoll_event& event) { return !event.data.ptr; });
  if (woken == end) return {events_.begin(), end};
  std::uint64_t times = 0;
  [[maybe_unused]] const ssize_t read = ::read(wake_fd_, &times, sizeof times);
  std::swap(*woken, *(end - 1));
  return {events_.begin(), end - 1};
}

void BenchPoller::Wake() {
  const std::uint64_t once = 1;
  [[maybe_unused]] const ssize_t written = ::write(wake_fd_, &once, sizeof once);
}

}  // namespace palena::app
