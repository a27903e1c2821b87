#pragma once

// What the HTTP door refuses by itself, before any node is asked. docs/http.md lists it.

#include <string>
#include <string_view>

#include "model/result.h"

namespace palena::server {

// One row per refusal: enumerator, "code" of the body, status.
#define PALENA_HTTP_ERRORS(X)                               \
  X(kMalformed, "MALFORMED", 400)                           \
  X(kForeignOrigin, "FOREIGN_ORIGIN", 403)                  \
  X(kNotFound, "NOT_FOUND", 404)                            \
  X(kUnknownLimit, "UNKNOWN_LIMIT", 404)                    \
  X(kMethodNotAllowed, "METHOD_NOT_ALLOWED", 405)           \
  X(kRequestTimeout, "REQUEST_TIMEOUT", 408)                \
  X(kBodyTooLarge, "BODY_TOO_LARGE", 413)                   \
  X(kTargetTooLong, "TARGET_TOO_LONG", 414)                 \
  X(kExpectationFailed, "EXPECTATION_FAILED", 417)          \
  X(kHeadersTooLarge, "HEADERS_TOO_LARGE", 431)             \
  X(kUnknownTransferCoding, "UNKNOWN_TRANSFER_CODING", 501) \
  X(kNotReady, "NOT_READY", 503)                            \
  X(kUnknownVersion, "UNKNOWN_VERSION", 505)

enum class HttpError : unsigned char {
#define X(name, text, status) name,
  PALENA_HTTP_ERRORS(X)
#undef X
};

std::string_view HttpErrorName(HttpError error);
int HttpStatusOf(HttpError error);
// Of what a node answers: 200 for kNone.
int HttpStatusOf(model::Code code);
// "Not Found"; of every status that is answered.
std::string_view HttpReason(int status);

// Why a request is refused; `message` is for people, names the offending value and the way out.
struct HttpFailure {
  HttpError error = HttpError::kMalformed;
  std::string message;
};

}  // namespace palena::server
