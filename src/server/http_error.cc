#include "server/http_error.h"

#include "base/check.h"

namespace palena::server {

std::string_view HttpErrorName(HttpError error) {
  switch (error) {
#define X(name, text, status) \
  case HttpError::name:       \
    return text;
    PALENA_HTTP_ERRORS(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known refusal");
}

int HttpStatusOf(HttpError error) {
  switch (error) {
#define X(name, text, status) \
  case HttpError::name:       \
    return status;
    PALENA_HTTP_ERRORS(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known refusal");
}

int HttpStatusOf(model::Code code) {
  using model::Code;
  switch (code) {
    case Code::kNone:
      return 200;
    case Code::kMalformed:
    case Code::kUnknownProgram:
      return 400;
    case Code::kUnauthenticated:
      return 401;
    case Code::kConflict:
    case Code::kLockTimeout:
    case Code::kRolledBack:
    case Code::kSnapshotWrite:
      return 409;
    case Code::kTooLarge:
      return 413;
    case Code::kSyntax:
    case Code::kRuntime:
    case Code::kThrown:
    case Code::kLimit:
      return 422;
    case Code::kCorruption:
      return 500;
    case Code::kOverloaded:
    case Code::kDraining:
    case Code::kAdmission:
      return 503;
    case Code::kTimeout:
      return 504;
    case Code::kOutOfMemory:
    case Code::kNoSpace:
      return 507;
  }
  base::CheckFailed(__FILE__, __LINE__, "a known code");
}

std::string_view HttpReason(int status) {
  static constexpr struct {
    int status;
    std::string_view reason;
  } kReasons[] = {{200, "OK"},
                  {400, "Bad Request"},
                  {401, "Unauthorized"},
                  {403, "Forbidden"},
                  {404, "Not Found"},
                  {405, "Method Not Allowed"},
                  {408, "Request Timeout"},
                  {409, "Conflict"},
                  {413, "Content Too Large"},
                  {414, "URI Too Long"},
                  {417, "Expectation Failed"},
                  {422, "Unprocessable Content"},
                  {429, "Too Many Requests"},
                  {431, "Request Header Fields Too Large"},
                  {500, "Internal Server Error"},
                  {501, "Not Implemented"},
                  {503, "Service Unavailable"},
                  {504, "Gateway Timeout"},
                  {505, "HTTP Version Not Supported"},
                  {507, "Insufficient Storage"}};
  for (const auto& [known, reason] : kReasons) {
    if (known == status) return reason;
  }
  base::CheckFailed(__FILE__, __LINE__, "a known status");
}

}  // namespace palena::server
