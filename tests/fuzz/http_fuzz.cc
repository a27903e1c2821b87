// Claims about the HTTP door's readers: the requests of a byte stream are the same however it is
// split into reads; no byte behind a request is taken; limits hold; what is read of addresses and
// bodies refers to nothing that is gone, and what is refused is refused with words.
//
// Input: one byte for how the stream is split, then the stream.

#include <algorithm>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/check.h"
#include "fuzz/input.h"
#include "server/http_parser.h"
#include "server/http_response.h"
#include "server/http_routes.h"
#include "server/http_take.h"
#include "server/http_target.h"
#include "wire/request_json.h"

namespace palena::server {
namespace {

using Step = HttpParser::Step;

struct Requests {
  std::vector<std::string> texts;
  Step end = Step::kNeedMore;
  std::string reason;

  bool operator==(const Requests&) const = default;
};

std::string TextOf(const HttpRequest& request) {
  std::string text = request.method + ' ' + request.target + '\n' + request.body;
  for (const auto& [name, value] : request.part_headers) text += '\n' + name + ':' + value;
  return text + (request.keeps_alive ? "+" : "-") + (request.is_http_1_0 ? "0" : "1");
}

void CheckLimits(const HttpRequest& request) {
  PALENA_CHECK(request.target.size() <= base::kHttpTargetBytesMax);
  PALENA_CHECK(request.body.size() <= base::kHttpBodyBytesMax);
}

// What a session would: the input grows by pieces, and only the bytes that have arrived exist, in
// memory of their own.
Requests Read(std::string_view stream, std::size_t piece_bytes) {
  Requests requests;
  HttpParser parser;
  std::string waiting;
  for (;;) {
    const std::string exact = waiting;  // nothing behind it that might be read unnoticed
    requests.end = parser.Parse(exact);
    if (requests.end == Step::kRequest) {
      PALENA_CHECK(parser.consumed_bytes() > 0 && parser.consumed_bytes() <= exact.size());
      CheckLimits(parser.request());
      requests.texts.push_back(TextOf(parser.request()));
      waiting.erase(0, parser.consumed_bytes());
      parser.Next();
      continue;
    }
    if (requests.end == Step::kRefused) {
      requests.reason = parser.failure().message;
      PALENA_CHECK(!requests.reason.empty());
      return requests;
    }
    PALENA_CHECK(parser.needed_bytes() == 0 || parser.needed_bytes() > exact.size());
    if (stream.empty()) return requests;
    waiting.append(stream.substr(0, piece_bytes));
    stream.remove_prefix(std::min(piece_bytes, stream.size()));
  }
}

template <typename T>
void CheckFailure(const std::variant<T, HttpFailure>& read) {
  if (const auto* failure = std::get_if<HttpFailure>(&read)) {
    PALENA_CHECK(!failure->message.empty());
    PALENA_CHECK(HttpErrorResponse(*failure).status >= 400);
  }
}

void CheckMeaning(const HttpRequest& request) {
  const auto parsed = ParseHttpTarget(request.target);
  if (const auto* error = std::get_if<std::string>(&parsed)) return PALENA_CHECK(!error->empty());
  const auto& target = std::get<HttpTarget>(parsed);
  std::vector<std::string_view> names;
  FindHttpRoute(target.path, names);
  CheckFailure(ReadTake(model::TakeMode::kTake, "limit", target, request));
  CheckFailure(ReadTakeMany(target, request));
  CheckFailure(ReadParts("subject", target, request));
  const auto json = wire::ParseRequestJson(request.body, wire::RequestTimeout::kAllowed);
  if (const auto* error = std::get_if<std::string>(&json)) PALENA_CHECK(!error->empty());
}

}  // namespace
}  // namespace palena::server

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using palena::server::HttpParser;
  palena::fuzz::Bytes input(palena::fuzz::TextOf(data, size));
  const std::size_t piece_bytes = 1 + std::size_t{input.TakeByte()};
  const std::string stream(input.rest());

  const auto whole = palena::server::Read(stream, stream.size() + 1);
  PALENA_CHECK(whole == palena::server::Read(stream, piece_bytes));
  HttpParser parser;
  if (parser.Parse(stream) == HttpParser::Step::kRequest) {
    palena::server::CheckMeaning(parser.request());
  }
  return 0;
}
