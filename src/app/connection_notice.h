#pragma once

#include <functional>
#include <ostream>
#include <string>

namespace palena::app {

// Tells somebody who would wait in silence that the connection is lost. Once a loss, on `err`.
class ConnectionNotice {
 public:
  using IsConnected = std::function<bool()>;

  ConnectionNotice(IsConnected is_connected, std::string address, std::ostream& err)
      : is_connected_(std::move(is_connected)), address_(std::move(address)), err_(err) {}

  // Before a request.
  void Look() {
    const bool is_lost = !is_connected_();
    if (is_lost && !has_told_) {
      err_ << "palena: the connection to " << address_ << " was lost, trying again" << std::endl;
    }
    has_told_ = is_lost;
  }

 private:
  const IsConnected is_connected_;
  const std::string address_;
  std::ostream& err_;
  bool has_told_ = false;
};

}  // namespace palena::app
