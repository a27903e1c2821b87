#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palena::server {

// One row per address: what is done, its path, its methods in the form of the header Allow. {name}
// stands for one segment. docs/http.md has the same table.
#define PALENA_HTTP_ROUTES(X)                           \
  X(kHealth, "/healthz", "GET, HEAD")                   \
  X(kReady, "/readyz", "GET, HEAD")                     \
  X(kMetrics, "/metrics", "GET, HEAD")                  \
  X(kExecute, "/v1/execute", "POST")                    \
  X(kTakeMany, "/v1/take", "POST")                      \
  X(kListLimits, "/v1/limits", "GET, HEAD")             \
  X(kTake, "/v1/limits/{name}/take", "GET, HEAD, POST") \
  X(kPeek, "/v1/limits/{name}/peek", "GET, HEAD, POST") \
  X(kRenew, "/v1/limits/{name}/renew", "POST")          \
  X(kRelease, "/v1/limits/{name}/release", "POST")      \
  X(kReset, "/v1/limits/{name}/subjects/{subject}", "DELETE")

enum class HttpAction : unsigned char {
#define X(name, path, methods) name,
  PALENA_HTTP_ROUTES(X)
#undef X
};

struct HttpRoute {
  HttpAction action = HttpAction::kHealth;
  std::string_view path;
  std::string_view methods;

  bool Allows(std::string_view method) const;
};
std::span<const HttpRoute> HttpRoutes();

// The route of a decoded path, null when there is none; what stands for its {…} goes to `names`,
// as views into `path`.
const HttpRoute* FindHttpRoute(std::span<const std::string> path,
                               std::vector<std::string_view>& names);

}  // namespace palena::server
