#pragma once

// Named limits over HTTP: what an address asks, and how the answer looks. Pure functions.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "limits/limit_service.h"
#include "model/take.h"
#include "server/http_parser.h"
#include "server/http_response.h"
#include "server/http_target.h"

namespace palena::server {

inline constexpr int kDenyStatus = 429;  // unless `deny_status` says otherwise

// How the answer to a call looks. Fits into the number that the engine hands back with it.
struct TakeShape {
  model::TakeMode mode = model::TakeMode::kTake;
  bool is_many = false;
  int deny_status = kDenyStatus;
  bool has_deny_status = false;  // given: it then holds for a call that was not decided, too

  std::uint64_t Pack() const;
  static TakeShape Unpack(std::uint64_t packed);
};

// A call, with views into what it was read from.
struct TakeCall {
  TakeShape shape;
  std::vector<std::vector<model::TakePart>> parts;  // of each wish
  std::vector<model::TakeWish> wishes;
  std::int64_t timeout_ms = 0;
  std::shared_ptr<const void> owned;  // what they refer to, when it is nothing of the request
};

// Parameters that are no part of a key.
inline constexpr std::string_view kTakeParameters[] = {"cost", "owner", "timeout_ms",
                                                       "deny_status"};

// Of /v1/limits/NAME/…: a failure names the parameter.
std::variant<TakeCall, HttpFailure> ReadTake(model::TakeMode mode, std::string_view limit,
                                             const HttpTarget& target, const HttpRequest& request);
// The parameter deny_status, if it is there.
std::optional<HttpFailure> ReadDenyStatus(const HttpTarget& target, TakeShape& shape);
// Of POST /v1/take: {"limits":[{"name":…,"subject":…,"parts":{…},"cost":…,"owner":…},…]}.
std::variant<TakeCall, HttpFailure> ReadTakeMany(const HttpTarget& target,
                                                 const HttpRequest& request);
// The parts of a caller, for a reset: those of the query and the headers, and `subject`.
std::variant<std::vector<model::TakePart>, HttpFailure> ReadParts(std::string_view subject,
                                                                  const HttpTarget& target,
                                                                  const HttpRequest& request);

HttpResponse TakeResponse(const model::TakeAnswer& answer, const TakeShape& shape);
HttpResponse ResetResponse(const model::Result& result);
// GET /v1/limits.
HttpResponse LimitsResponse(const limits::LimitSet& set, const limits::LimitReport& report);

}  // namespace palena::server
