#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "server/http_error.h"

namespace palena::server {

// A header "Palena-Part-NAME: value" is a part of a caller's identity that needs no escaping, for
// proxies that cannot escape what they put into an address.
inline constexpr std::string_view kPartHeaderPrefix = "palena-part-";

// A request as it was read, without its meaning.
struct HttpRequest {
  std::string method;
  std::string target;  // as sent: still percent-encoded
  bool is_http_1_0 = false;
  bool keeps_alive = true;  // what version and Connection say
  bool has_origin = false;  // sent by a page in a browser
  // Of each header of kPartHeaderPrefix: NAME in lower case, and the value as sent.
  std::vector<std::pair<std::string, std::string>> part_headers;
  std::string body;
};

// One connection's requests out of its bytes, one after the other. Pure and incremental; memory is
// bounded by base::kHttpHeaderBytesMax and kHttpBodyBytesMax. Boost.Beast's parser is inside.
class HttpParser {
 public:
  HttpParser();
  ~HttpParser();
  HttpParser(HttpParser&&) noexcept;
  HttpParser& operator=(HttpParser&&) noexcept;

  enum class Step : unsigned char {
    kNeedMore,
    kRequest,  // request() is whole; Next() before the next Parse
    kRefused,  // failure() says why; nothing that follows can be told apart, so close
  };
  // `input`: everything behind the last whole request; with each call what it was before, and more.
  Step Parse(std::string_view input);

  const HttpRequest& request() const;
  std::size_t consumed_bytes() const;  // of the whole request
  const HttpFailure& failure() const;
  // After kNeedMore: how long the input must be before it makes sense to go on; 0: unknown.
  std::size_t needed_bytes() const;
  // After kNeedMore: true once, when the headers are there and the peer keeps the body until it is
  // told "100 Continue".
  bool TakeContinue();

  void Next();

 private:
  class Message;

  std::unique_ptr<Message> message_;
};

}  // namespace palena::server
