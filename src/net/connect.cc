#include <asio/connect.hpp>
#include <asio/ip/tcp.hpp>
#include <utility>

#include "net/loop_impl.h"

namespace palena::net {
namespace {

using asio::ip::tcp;
using Resolver = asio::ip::basic_resolver<tcp, IoExecutor>;
using Done = std::function<void(base::StatusOr<Session*>)>;

// One attempt to connect; keeps itself alive while an operation of it is open.
class Connector : public std::enable_shared_from_this<Connector> {
 public:
  Connector(Loop::Impl& loop, Address address, SessionImpl::Setup setup, Done done)
      : loop_(loop),
        address_(std::move(address)),
        setup_(std::move(setup)),
        done_(std::move(done)),
        resolver_(loop.io().get_executor()),
        socket_(loop.io().get_executor()) {}

  void Start() {
    asio::error_code error;
    const asio::ip::address literal = asio::ip::make_address(address_.host, error);
    if (!error) return Connect({tcp::endpoint(literal, address_.port)});
    resolver_.async_resolve(address_.host, std::to_string(address_.port), Resolver::numeric_service,
                            [self = shared_from_this()](const asio::error_code& failure,
                                                        const Resolver::results_type& results) {
                              if (failure) return self->Fail(failure);
                              self->Connect({results.begin(), results.end()});
                            });
  }

 private:
  // Tries one after the other.
  void Connect(const std::vector<tcp::endpoint>& endpoints) {
    asio::async_connect(socket_, endpoints,
                        [self = shared_from_this()](const asio::error_code& error,
                                                    const tcp::endpoint& /*connected*/) {
                          error ? self->Fail(error) : self->Succeed();
                        });
  }

  void Fail(const asio::error_code& error) {
    const Loop::Impl::Turn turn(loop_);
    done_(absl::UnavailableError("cannot connect to " + FormatAddress(address_) + ": " +
                                 ReasonText(error)));
  }

  void Succeed() {
    const Loop::Impl::Turn turn(loop_);
    setup_.stream = std::make_unique<SocketStream>(std::move(socket_));
    done_(loop_.AddSession(std::move(setup_)));
  }

  Loop::Impl& loop_;
  const Address address_;
  SessionImpl::Setup setup_;
  const Done done_;
  Resolver resolver_;
  Socket socket_;
};

}  // namespace

void Loop::Connect(const Address& address, SessionHandler* handler, const SessionOptions& options,
                   std::function<void(base::StatusOr<Session*>)> done) {
  // Always as a task: Asio's objects are made on the loop's thread only.
  Post([this, address, handler, options, done = std::move(done)] {
    std::make_shared<Connector>(*impl_, address,
                                SessionImpl::Setup{nullptr, handler, options, nullptr}, done)
        ->Start();
  });
}

}  // namespace palena::net
