#include "server/http_routes.h"

namespace palena::server {
namespace {

constexpr HttpRoute kRoutes[] = {
#define X(name, path, methods) {HttpAction::name, path, methods},
    PALENA_HTTP_ROUTES(X)
#undef X
};

std::string_view TakeUntil(std::string_view& rest, std::string_view separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view taken = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + separator.size());
  return taken;
}

bool Matches(std::string_view pattern, std::span<const std::string> path,
             std::vector<std::string_view>& names) {
  names.clear();
  pattern.remove_prefix(1);
  for (const std::string& segment : path) {
    if (pattern.empty()) return false;
    const std::string_view expected = TakeUntil(pattern, "/");
    if (expected.starts_with('{')) {
      names.emplace_back(segment);
    } else if (expected != segment) {
      return false;
    }
  }
  return pattern.empty();
}

}  // namespace

bool HttpRoute::Allows(std::string_view method) const {
  for (std::string_view rest = methods; !rest.empty();) {
    if (TakeUntil(rest, ", ") == method) return true;
  }
  return false;
}

std::span<const HttpRoute> HttpRoutes() {
  return kRoutes;
}

const HttpRoute* FindHttpRoute(std::span<const std::string> path,
                               std::vector<std::string_view>& names) {
  for (const HttpRoute& route : kRoutes) {
    if (Matches(route.path, path, names)) return &route;
  }
  return nullptr;
}

}  // namespace palena::server
