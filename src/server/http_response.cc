#include "server/http_response.h"

#include <chrono>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "nlohmann/json.hpp"

namespace palena::server {
namespace {

absl::string_view Text(std::string_view text) {
  return {text.data(), text.size()};
}

constexpr std::string_view kDays[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::string_view kMonths[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

HttpResponse ErrorResponse(int status, std::string_view code, std::string_view message) {
  HttpResponse response;
  response.status = status;
  response.body = HttpErrorBody(code, message);
  return response;
}

}  // namespace

void HttpResponse::AddHeader(std::string_view name, std::string_view value) {
  absl::StrAppend(&headers, Text(name), ": ", Text(value), "\r\n");
}

std::string JsonText(std::string_view text) {
  using Json = nlohmann::json;
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string HttpErrorBody(std::string_view code, std::string_view message) {
  return absl::StrCat("{\"error\":{\"code\":", JsonText(code), ",\"message\":", JsonText(message),
                      "}}");
}

HttpResponse HttpErrorResponse(const HttpFailure& failure) {
  return ErrorResponse(HttpStatusOf(failure.error), HttpErrorName(failure.error), failure.message);
}

HttpResponse HttpErrorResponse(model::Code code, std::string_view message) {
  HttpResponse response = ErrorResponse(HttpStatusOf(code), model::CodeName(code), message);
  response.closes = code == model::Code::kDraining;
  return response;
}

std::string HttpDate(std::int64_t epoch_ms) {
  using namespace std::chrono;
  const auto time = floor<seconds>(sys_time<milliseconds>(milliseconds(epoch_ms)));
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  return absl::StrFormat("%s, %02u %s %04d %02d:%02d:%02d GMT",
                         Text(kDays[weekday(day).c_encoding()]), unsigned{date.day()},
                         Text(kMonths[unsigned{date.month()} - 1]), int{date.year()},
                         clock.hours().count(), clock.minutes().count(), clock.seconds().count());
}

// Nobody may keep an answer of a limiter, or of a script, for later.
void AppendHttpResponse(const HttpResponse& response, const HttpSending& sending,
                        std::string& out) {
  const bool ends = response.closes || !sending.keeps_alive;
  absl::StrAppend(&out, "HTTP/1.1 ", response.status, " ", Text(HttpReason(response.status)),
                  "\r\nContent-Type: ", Text(response.content_type),
                  "\r\nContent-Length: ", response.body.size(),
                  "\r\nCache-Control: no-store\r\nDate: ", HttpDate(sending.now_ms), "\r\n",
                  response.headers);
  if (ends) {
    out += "Connection: close\r\n";
  } else if (sending.is_http_1_0) {
    out += "Connection: keep-alive\r\n";
  }
  out += "\r\n";
  if (!sending.without_body) out += response.body;
}

}  // namespace palena::server
