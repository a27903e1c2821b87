#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/http_error.h"

namespace palena::server {

// An answer, before it is bytes.
struct HttpResponse {
  int status = 200;
  std::string_view content_type = "application/json";
  std::string headers;  // beyond those of every answer, each "Name: value\r\n"
  std::string body;
  bool closes = false;  // the connection ends behind it, whatever the request says

  void AddHeader(std::string_view name, std::string_view value);
};

// {"error":{"code":…,"message":…}}
HttpResponse HttpErrorResponse(const HttpFailure& failure);
// The same for a refusal of the node.
HttpResponse HttpErrorResponse(model::Code code, std::string_view message);
std::string HttpErrorBody(std::string_view code, std::string_view message);

// `text` as JSON, in quotes; bytes that are not UTF-8 become U+FFFD.
std::string JsonText(std::string_view text);

// How an answer is sent, which depends on what was asked.
struct HttpSending {
  bool is_http_1_0 = false;
  bool without_body = false;  // of HEAD
  bool keeps_alive = true;
  std::int64_t now_ms = 0;  // since the epoch, for Date
};
void AppendHttpResponse(const HttpResponse& response, const HttpSending& sending, std::string& out);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string HttpDate(std::int64_t epoch_ms);

}  // namespace palena::server
