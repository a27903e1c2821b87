#include "server/http_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace palena::server {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using Text = boost::beast::string_view;

// What a chunked body may add around its data, all chunks together: their sizes, and trailers.
constexpr std::size_t kChunkOverheadBytesMax = std::size_t{64} << 10;

std::string_view View(Text text) {
  return {text.data(), text.size()};
}

HttpFailure FailureOf(const error_code& error) {
  if (error == http::error::header_limit) {
    return {HttpError::kHeadersTooLarge,
            absl::StrCat("The headers are too large: at most ", base::kHttpHeaderBytesMax,
                         " bytes, the request line included")};
  }
  if (error == http::error::body_limit) {
    return {HttpError::kBodyTooLarge,
            absl::StrCat("The body is too large: at most ", base::kHttpBodyBytesMax, " bytes")};
  }
  if (error == http::error::bad_version) {
    return {HttpError::kUnknownVersion, "HTTP/1.1 and HTTP/1.0 are spoken here, no other version"};
  }
  return {HttpError::kMalformed, absl::StrCat("Malformed request: ", error.message())};
}

}  // namespace

// Beast's parser over one message: it checks the syntax and the framing, this gathers what the door
// wants to know. An error of our own is kept aside, since Beast carries only codes.
class HttpParser::Message final : public http::basic_parser<true> {
 public:
  Message() {
    header_limit(static_cast<std::uint32_t>(base::kHttpHeaderBytesMax));  // Begins() has looked
    body_limit(base::kHttpBodyBytesMax);
    eager(true);
  }

  Step Parse(std::string_view input) {
    if (failure.has_value()) return Step::kRefused;
    if (!has_begun_ && !Begins(input)) {
      return failure.has_value() ? Step::kRefused : Step::kNeedMore;
    }
    error_code error;
    while (parsed_bytes < input.size() && !is_done()) {
      const std::string_view rest = input.substr(parsed_bytes);
      const std::size_t taken = put({rest.data(), rest.size()}, error);
      parsed_bytes += taken;
      if (error || taken == 0) break;
    }
    if (error && error != http::error::need_more) return Refuse(error);
    if (!is_done()) return IsTooLong(input.size()) ? Refuse(http::error::body_limit) : NeedMore();
    request.keeps_alive = keep_alive();
    return Step::kRequest;
  }

  HttpRequest request;
  std::optional<HttpFailure> failure;
  std::size_t parsed_bytes = 0;
  std::size_t needed_bytes = 0;
  bool waits_for_continue = false;

 private:
  // Whether all headers are there. Beast gets them in one piece: what it makes of them would depend
  // on how they arrive otherwise. Empty lines in front are skipped, as RFC 9112 asks.
  bool Begins(std::string_view input) {
    while (input.substr(parsed_bytes).starts_with("\r\n") && parsed_bytes < kEmptyLineBytesMax) {
      parsed_bytes += 2;
    }
    const std::string_view rest = input.substr(parsed_bytes);
    if (rest.empty() || rest == "\r") return false;
    if (!absl::ascii_isalpha(static_cast<unsigned char>(rest.front()))) {
      Refuse(http::error::bad_method);  // TLS, for one, has no end of headers to wait for
      return false;
    }
    const std::size_t from = std::max(parsed_bytes, searched_bytes_);
    has_begun_ = input.substr(0, parsed_bytes + base::kHttpHeaderBytesMax).find("\r\n\r\n", from) !=
                 input.npos;
    searched_bytes_ = input.size() - std::min<std::size_t>(input.size(), 3);
    if (!has_begun_ && rest.size() >= base::kHttpHeaderBytesMax) Refuse(http::error::header_limit);
    return has_begun_;
  }

  // The body is limited by what it holds; this limits what is sent around it.
  bool IsTooLong(std::size_t bytes) const {
    return bytes > 2 * base::kHttpHeaderBytesMax + base::kHttpBodyBytesMax + kChunkOverheadBytesMax;
  }

  Step NeedMore() {
    needed_bytes = 0;
    if (is_header_done() && content_length_remaining()) {
      needed_bytes = parsed_bytes + static_cast<std::size_t>(*content_length_remaining());
    }
    return Step::kNeedMore;
  }

  Step Refuse(const error_code& error) {
    if (!failure.has_value()) failure = FailureOf(error);
    return Step::kRefused;
  }
  // Ends the parse, for a reason that Beast does not know.
  void Fail(HttpError error, std::string message, error_code& ec) {
    failure = HttpFailure{error, std::move(message)};
    ec = http::error::bad_value;
  }

  void on_request_impl(http::verb, Text method, Text target, int version, error_code& ec) override {
    request.method = View(method);
    request.is_http_1_0 = version == 10;
    if (target.size() > base::kHttpTargetBytesMax) {
      return Fail(HttpError::kTargetTooLong,
                  absl::StrCat("The address is too long: ", target.size(), " bytes, at most ",
                               base::kHttpTargetBytesMax),
                  ec);
    }
    request.target = View(target);
  }

  void on_field_impl(http::field field, Text name, Text value, error_code& ec) override {
    if (has_header_) return;  // a trailer of a chunked body
    switch (field) {
      case http::field::host:
        ++hosts_;
        return;
      case http::field::origin:
        request.has_origin = true;
        return;
      case http::field::expect:
        return OnExpect(View(value), ec);
      case http::field::transfer_encoding:
        return OnTransferEncoding(View(value), ec);
      default:
        return OnOther(View(name), View(value));
    }
  }

  void OnExpect(std::string_view value, error_code& ec) {
    if (absl::EqualsIgnoreCase({value.data(), value.size()}, "100-continue")) {
      waits_for_continue = true;
      return;
    }
    Fail(HttpError::kExpectationFailed,
         absl::StrCat("Expect: ", absl::string_view(value.data(), value.size()),
                      " cannot be met; 100-continue can"),
         ec);
  }

  // Anything else would leave open where the body ends.
  void OnTransferEncoding(std::string_view value, error_code& ec) {
    if (absl::EqualsIgnoreCase({value.data(), value.size()}, "chunked") && !request.is_http_1_0) {
      return;
    }
    Fail(HttpError::kUnknownTransferCoding,
         absl::StrCat("Transfer-Encoding: ", absl::string_view(value.data(), value.size()),
                      " is not known; chunked is, in HTTP/1.1"),
         ec);
  }

  void OnOther(std::string_view name, std::string_view value) {
    if (!absl::StartsWithIgnoreCase({name.data(), name.size()},
                                    {kPartHeaderPrefix.data(), kPartHeaderPrefix.size()})) {
      return;
    }
    std::string part(name.substr(kPartHeaderPrefix.size()));
    absl::AsciiStrToLower(&part);
    request.part_headers.emplace_back(std::move(part), value);
  }

  void on_header_impl(error_code& ec) override {
    has_header_ = true;
    if (is_done() || request.is_http_1_0) waits_for_continue = false;
    if (hosts_ > 1 || (hosts_ == 0 && !request.is_http_1_0)) {
      Fail(HttpError::kMalformed,
           hosts_ == 0 ? "Malformed request: the Host header is missing"
                       : "Malformed request: the Host header is there twice",
           ec);
    }
  }

  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/, error_code&) override {}
  std::size_t on_body_impl(Text body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t /*size*/, Text /*extensions*/, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t /*remaining*/, Text body, error_code&) override {
    request.body.append(body.data(), body.size());
    return body.size();
  }
  void on_finish_impl(error_code&) override { waits_for_continue = false; }
  void on_response_impl(int, Text, int, error_code&) override {}  // of a server's messages

  static constexpr std::size_t kEmptyLineBytesMax = 8;

  bool has_begun_ = false;
  std::size_t searched_bytes_ = 0;  // in which the headers do not end
  bool has_header_ = false;
  int hosts_ = 0;
};

HttpParser::HttpParser() : message_(std::make_unique<Message>()) {}
HttpParser::~HttpParser() = default;
HttpParser::HttpParser(HttpParser&&) noexcept = default;
HttpParser& HttpParser::operator=(HttpParser&&) noexcept = default;

HttpParser::Step HttpParser::Parse(std::string_view input) {
  return message_->Parse(input);
}

const HttpRequest& HttpParser::request() const {
  return message_->request;
}

std::size_t HttpParser::consumed_bytes() const {
  return message_->parsed_bytes;
}

const HttpFailure& HttpParser::failure() const {
  return *message_->failure;
}

std::size_t HttpParser::needed_bytes() const {
  return message_->needed_bytes;
}

bool HttpParser::TakeContinue() {
  return message_->is_header_done() && std::exchange(message_->waits_for_continue, false);
}

void HttpParser::Next() {
  message_ = std::make_unique<Message>();
}

}  // namespace palena::server
