#include <sys/socket.h>

#include <algorithm>
#include <asio/ip/tcp.hpp>
#include <cerrno>
#include <optional>
#include <utility>

#include "net/loop.h"
#include "net/loop_impl.h"

namespace palena::net {
namespace {

using asio::ip::tcp;
using Acceptor = asio::basic_socket_acceptor<tcp, IoExecutor>;

// Pause when the process or the system is out of descriptors or memory.
constexpr std::int64_t kBackOffNs = 100'000'000;

bool IsExhaustion(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

base::Status ListenError(const Address& address, const asio::error_code& error) {
  return absl::UnavailableError("cannot listen on " + FormatAddress(address) + ": " +
                                ReasonText(error));
}

base::StatusOr<std::vector<tcp::endpoint>> Resolve(const Address& address) {
  asio::error_code error;
  const asio::ip::address literal = asio::ip::make_address(address.host, error);
  if (!error) return std::vector<tcp::endpoint>{{literal, address.port}};
  asio::io_context io;
  const auto results = tcp::resolver(io).resolve(address.host, std::to_string(address.port),
                                                 tcp::resolver::numeric_service, error);
  if (error) return ListenError(address, error);
  return std::vector<tcp::endpoint>{results.begin(), results.end()};
}

}  // namespace

// The acceptor lives on the first loop's thread; the counters are read from everywhere.
class Listener::Impl : public std::enable_shared_from_this<Listener::Impl> {
 public:
  Impl(const Options& options, std::vector<Listener::Place> places)
      : options_(options), places_(std::move(places)), address_(options.address) {}

  base::Status Open() {
    PALENA_ASSIGN_OR_RETURN(const std::vector<tcp::endpoint> endpoints, Resolve(options_.address));
    asio::error_code error = asio::error::not_found;
    const bool ran = home().RunAndWait([&] {
      for (const tcp::endpoint& endpoint : endpoints) {
        error = Bind(endpoint);
        if (!error) return Start();
      }
    });
    if (!ran) error = asio::error::shut_down;
    return error ? ListenError(options_.address, error) : base::Ok();
  }

  void Stop() {
    home().RunAndWait([this] { acceptor_.reset(); });
  }

  const Address& address() const { return address_; }

  ListenerStats stats() const {
    ListenerStats stats;
    stats.accepted = counters_->accepted;
    stats.refused = counters_->refused;
    stats.open = counters_->open;
    for (const auto& count : counters_->closed_by_reason) stats.closed_by_reason.push_back(count);
    return stats;
  }

 private:
  Loop::Impl& home() { return places_.front().loop->impl(); }

  asio::error_code Bind(const tcp::endpoint& endpoint) {
    asio::error_code error;
    Acceptor acceptor(home().io().get_executor());
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
    if (!error) acceptor.non_blocking(true, error);
    if (!error) address_.port = acceptor.local_endpoint(error).port();
    is_v6_ = endpoint.address().is_v6();
    if (!error) acceptor_.emplace(std::move(acceptor));
    return error;
  }

  void Start() {
    // The acceptor must be gone before the loop's I/O is.
    home().OnShutdown([weak = weak_from_this()] {
      if (const auto self = weak.lock()) self->acceptor_.reset();
    });
    WaitForConnection();
  }

  void WaitForConnection() {
    acceptor_->async_wait(Acceptor::wait_read,
                          [self = shared_from_this()](const asio::error_code& error) {
                            if (!error && self->acceptor_) self->AcceptSome();
                          });
  }

  // Plain accept4 instead of Asio's: the descriptor may belong to another loop, whose reactor only
  // that loop's thread may register it with.
  void AcceptSome() {
    for (std::size_t i = 0; i < options_.accepted_per_turn; ++i) {
      const int fd =
          ::accept4(acceptor_->native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (fd >= 0) {
        Give(UniqueFd(fd));
      } else if (IsExhaustion(errno)) {
        return BackOff();
      } else if (errno == EAGAIN) {
        break;
      }  // else: this one connection failed before it was accepted
    }
    WaitForConnection();
  }

  void BackOff() {
    home().PostAfter(kBackOffNs, [weak = weak_from_this()] {
      const auto self = weak.lock();
      if (self && self->acceptor_) self->AcceptSome();
    });
  }

  void Give(UniqueFd fd) {
    if (counters_->occupied >= static_cast<std::int64_t>(options_.connections_max)) {
      ++counters_->refused;
      return;
    }
    ++counters_->accepted;
    ++counters_->open;
    ++counters_->occupied;
    const auto fewer = [](const Listener::Place& a, const Listener::Place& b) {
      return a.loop->impl().session_count() < b.loop->impl().session_count();
    };
    const Listener::Place& idlest = *std::min_element(places_.begin(), places_.end(), fewer);
    idlest.loop->impl().AdoptSocket(std::move(fd), is_v6_,
                                    {nullptr, idlest.handler, options_.session, counters_});
  }

  const Options options_;
  const std::vector<Listener::Place> places_;
  Address address_;  // with the port that was bound
  bool is_v6_ = false;
  std::optional<Acceptor> acceptor_;
  const std::shared_ptr<ConnectionCounters> counters_ = std::make_shared<ConnectionCounters>();
};

base::StatusOr<std::unique_ptr<Listener>> Listener::Open(const Options& options,
                                                         std::vector<Place> places) {
  if (places.empty()) return absl::InvalidArgumentError("a listener needs at least one loop");
  auto impl = std::make_shared<Impl>(options, std::move(places));
  PALENA_RETURN_IF_ERROR(impl->Open());
  return std::unique_ptr<Listener>(new Listener(std::move(impl)));
}

Listener::Listener(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Listener::~Listener() {
  impl_->Stop();
}

Address Listener::address() const {
  return impl_->address();
}

ListenerStats Listener::stats() const {
  return impl_->stats();
}

void Listener::StopAccepting() {
  impl_->Stop();
}

}  // namespace palena::net
