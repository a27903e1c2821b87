#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace palena::server {

// What a request is about: "/v1/limits/login/take?subject=ada%20l", taken apart and decoded.
struct HttpTarget {
  std::vector<std::string> path;                           // "v1", "limits", "login", "take"
  std::vector<std::pair<std::string, std::string>> query;  // names are distinct

  // Null when there is no such parameter.
  const std::string* Find(std::string_view name) const;
};

// Of a path with or without "http://host" in front. Each segment is split off before it is decoded,
// so %2F is a part of a name. In the query '+' is a blank, as forms write it; a '+' is %2B. A
// sentence that says what is wrong: a '%' without two hexadecimal digits, a parameter that is there
// twice, one without a name, no path.
std::variant<HttpTarget, std::string> ParseHttpTarget(std::string_view target);

}  // namespace palena::server
