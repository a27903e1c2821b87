#include "server/http_target.h"

#include <algorithm>
#include <optional>

#include "absl/strings/str_cat.h"

namespace palena::server {
namespace {

std::optional<int> HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return std::nullopt;
}

// Appends `text` with its %XX decoded; the place of a '%' that begins no such thing, or nothing.
std::optional<std::size_t> Decode(std::string_view text, bool is_query, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && is_query) {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      const auto high = i + 2 < text.size() ? HexDigit(text[i + 1]) : std::nullopt;
      const auto low = high ? HexDigit(text[i + 2]) : std::nullopt;
      if (!low) return i;
      out += static_cast<char>(*high * 16 + *low);
      i += 2;
    }
  }
  return std::nullopt;
}

std::string Quoted(std::string_view text) {
  return absl::StrCat("\"", absl::string_view(text.data(), text.size()), "\"");
}

class TargetReader {
 public:
  std::variant<HttpTarget, std::string> Read(std::string_view target) {
    target = WithoutHost(target.substr(0, target.find('#')));
    if (!target.starts_with('/')) {
      return absl::StrCat("The address ", Quoted(target), " is no path; it begins with /");
    }
    const std::size_t question = target.find('?');
    std::string error =
        ReadPath(target.substr(1, question == target.npos ? question : question - 1));
    if (error.empty() && question != target.npos) error = ReadQuery(target.substr(question + 1));
    if (!error.empty()) return error;
    return std::move(target_);
  }

 private:
  // "http://host:port/path", which proxies are asked with.
  static std::string_view WithoutHost(std::string_view target) {
    const std::size_t scheme = target.find("://");
    if (target.starts_with('/') || scheme == target.npos) return target;
    const std::size_t path = target.find_first_of("/?", scheme + 3);
    return path == target.npos ? std::string_view("/") : target.substr(path);
  }

  std::string ReadPath(std::string_view path) {
    for (;;) {
      const std::size_t slash = path.find('/');
      const std::string_view segment = path.substr(0, slash);
      if (Decode(segment, /*is_query=*/false, target_.path.emplace_back()))
        return BadEscape(segment);
      if (slash == path.npos) return {};
      path.remove_prefix(slash + 1);
    }
  }

  std::string ReadQuery(std::string_view query) {
    while (!query.empty()) {
      const std::size_t end = query.find('&');
      if (std::string error = ReadPair(query.substr(0, end)); !error.empty()) return error;
      if (end == query.npos) break;
      query.remove_prefix(end + 1);
    }
    return {};
  }

  std::string ReadPair(std::string_view pair) {
    if (pair.empty()) return {};
    const std::size_t equals = pair.find('=');
    std::string name;
    std::string value;
    const std::string_view rest =
        equals == pair.npos ? std::string_view() : pair.substr(equals + 1);
    if (Decode(pair.substr(0, equals), /*is_query=*/true, name)) return BadEscape(pair);
    if (Decode(rest, /*is_query=*/true, value)) return BadEscape(pair);
    if (name.empty()) return absl::StrCat("The parameter ", Quoted(pair), " has no name");
    if (target_.Find(name) != nullptr) {
      return absl::StrCat("The parameter ", Quoted(name), " is there twice; give it once");
    }
    target_.query.emplace_back(std::move(name), std::move(value));
    return {};
  }

  static std::string BadEscape(std::string_view text) {
    return absl::StrCat("In ", Quoted(text),
                        " a % is not followed by two hexadecimal digits; write %25 for a %");
  }

  HttpTarget target_;
};

}  // namespace

const std::string* HttpTarget::Find(std::string_view name) const {
  const auto found = std::find_if(query.begin(), query.end(),
                                  [&](const auto& parameter) { return parameter.first == name; });
  return found == query.end() ? nullptr : &found->second;
}

std::variant<HttpTarget, std::string> ParseHttpTarget(std::string_view target) {
  return TargetReader().Read(target);
}

}  // namespace palena::server
