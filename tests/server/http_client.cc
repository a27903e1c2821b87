#include "server/http_client.h"

#include <algorithm>
#include <cctype>
#include <sstream>

namespace palena::server {
namespace {

std::string Lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

}  // namespace

void HttpClient::SendRequest(std::string_view method, std::string_view target,
                             std::string_view body, std::string_view headers) {
  std::ostringstream request;
  request << method << ' ' << target << " HTTP/1.1\r\nHost: palena\r\n" << headers;
  if (!body.empty()) request << "Content-Length: " << body.size() << "\r\n";
  request << "\r\n" << body;
  Send(request.str());
}

HttpAnswer HttpClient::Ask(std::string_view method, std::string_view target, std::string_view body,
                           std::string_view headers) {
  SendRequest(method, target, body, headers);
  return Receive(method == "HEAD");
}

bool HttpClient::ReceiveMore() {
  const std::string more = peer_->Receive(std::size_t{64} << 10);
  buffer_ += more;
  return !more.empty();
}

std::string HttpClient::ReceiveThrough(std::string_view end) {
  std::size_t found = 0;
  while ((found = buffer_.find(end)) == buffer_.npos) {
    if (!ReceiveMore()) return std::exchange(buffer_, {});
  }
  std::string taken = buffer_.substr(0, found + end.size());
  buffer_.erase(0, taken.size());
  return taken;
}

HttpAnswer HttpClient::Receive(bool without_body) {
  HttpAnswer answer;
  std::istringstream head(ReceiveThrough("\r\n\r\n"));
  std::string version;
  if (!(head >> version >> answer.status)) return {};
  std::string line;
  std::getline(head, line);
  while (std::getline(head, line) && line != "\r") {
    const std::size_t colon = line.find(": ");
    answer.headers[Lower(line.substr(0, colon))] = line.substr(colon + 2, line.size() - colon - 3);
  }
  if (without_body || answer.status == 100) return answer;
  const std::size_t bytes = std::stoul("0" + answer.header("content-length"));
  while (buffer_.size() < bytes && ReceiveMore()) {
  }
  answer.body = buffer_.substr(0, bytes);
  buffer_.erase(0, bytes);
  return answer;
}

}  // namespace palena::server
