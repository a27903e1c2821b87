#include <asio/ip/address.hpp>
#include <charconv>
#include <optional>

#include "net/loop.h"

namespace palena::net {
namespace {

base::Status BadAddress(std::string_view text, const char* what) {
  return absl::InvalidArgumentError("\"" + std::string(text) + "\" is no address: " + what +
                                    "; expected HOST:PORT or [IPV6]:PORT");
}

std::optional<std::uint16_t> ParsePort(std::string_view text) {
  std::uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto [stopped, error] = std::from_chars(text.data(), end, port);
  if (error != std::errc{} || stopped != end) return std::nullopt;
  return port;
}

bool IsIpv6(const std::string& host) {
  asio::error_code error;
  asio::ip::make_address_v6(host, error);
  return !error;
}

// The host in front of the port: without brackets, which only an IPv6 literal has and must have.
base::StatusOr<std::string> ParseHost(std::string_view host, std::string_view text) {
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  std::string name(bracketed ? host.substr(1, host.size() - 2) : host);
  if (name.empty()) return BadAddress(text, "the host is missing");
  if (bracketed && !IsIpv6(name)) return BadAddress(text, "no IPv6 address in the brackets");
  if (!bracketed && name.find_first_of(":[] ") != std::string::npos) {
    return BadAddress(text, "the host is not a name, an IPv4 or a bracketed IPv6 address");
  }
  return name;
}

}  // namespace

base::StatusOr<Address> ParseAddress(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return BadAddress(text, "the port is missing");
  const std::optional<std::uint16_t> port = ParsePort(text.substr(colon + 1));
  if (!port) return BadAddress(text, "the port is not a number from 0 to 65535");
  PALENA_ASSIGN_OR_RETURN(std::string host, ParseHost(text.substr(0, colon), text));
  return Address{std::move(host), *port};
}

bool IsLoopback(const Address& address) {
  if (address.host == "localhost") return true;
  asio::error_code error;
  const asio::ip::address literal = asio::ip::make_address(address.host, error);
  return !error && literal.is_loopback();
}

std::string FormatAddress(const Address& address) {
  const bool bracket = address.host.find(':') != std::string::npos;
  return (bracket ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

}  // namespace palena::net
