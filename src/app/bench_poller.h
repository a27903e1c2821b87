#pragma once

#include <sys/epoll.h>

#include <array>
#include <cstdint>
#include <span>

namespace palena::app {

// Waits for many sockets at once, to the microsecond: an open loop is only as honest as its timer.
// Needs Linux 5.11.
class BenchPoller {
 public:
  BenchPoller();
  ~BenchPoller();
  BenchPoller(const BenchPoller&) = delete;
  BenchPoller& operator=(const BenchPoller&) = delete;

  // `data` comes back with the events of `fd`; not null, that is Wake's. A closed descriptor is
  // forgotten by itself.
  void Add(int fd, std::uint32_t events, void* data);
  void Change(int fd, std::uint32_t events, void* data);

  // Events, at most once a descriptor, valid until the next call; none when `wait_ns` have passed
  // or somebody called Wake. Negative: as long as it takes.
  std::span<const epoll_event> Wait(std::int64_t wait_ns);
  // Any thread: the next Wait, or the present one, returns at once.
  void Wake();

 private:
  int epoll_fd_ = -1;
  int wake_fd_ = -1;
  std::array<epoll_event, 256> events_{};
};

}  // namespace palena::app
