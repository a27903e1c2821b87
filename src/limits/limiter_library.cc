#include "limits/limiter_library.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/strip.h"
#include "base/limits.h"
#include "base/nearest_name.h"
#include "limits/small_file.h"

namespace palena::limits {
namespace {

constexpr const char* kAcquire = "_acquire";
constexpr const char* kRenew = "_renew";
constexpr const char* kRelease = "_release";

bool IsName(std::string_view name) {
  const auto is_name_character = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_name_character);
}

// The names that can be given for these scripts: of the three of a lease limiter the common one.
std::vector<std::string> NamesFor(const std::set<std::string>& scripts) {
  std::vector<std::string> names;
  for (const std::string& script : scripts) {
    if (absl::EndsWith(script, kRenew) || absl::EndsWith(script, kRelease)) continue;
    names.emplace_back(absl::StripSuffix(script, kAcquire));
  }
  return names;
}

}  // namespace

base::StatusOr<Limiter> LimiterLibrary::Find(std::string_view asked) const {
  const std::string name(asked);
  if (!IsName(name)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "limiter \"", name, "\" is no name; a name is of letters, digits, _ and -, without .pal"));
  }
  Limiter limiter;
  const std::string stem(absl::StripSuffix(name, kAcquire));
  base::StatusOr<LimiterScript> take = FindScript(stem);
  limiter.has_leases = absl::IsNotFound(take.status());
  if (limiter.has_leases) take = FindScript(stem + kAcquire);
  if (absl::IsNotFound(take.status())) return Unknown(name);
  PALENA_ASSIGN_OR_RETURN(limiter.take, std::move(take));
  if (!limiter.has_leases) return limiter;
  PALENA_ASSIGN_OR_RETURN(limiter.renew, FindScript(stem + kRenew));
  PALENA_ASSIGN_OR_RETURN(limiter.release, FindScript(stem + kRelease));
  return limiter;
}

base::StatusOr<LimiterScript> LimiterLibrary::FindScript(const std::string& name) const {
  if (!folder_.empty()) {
    const std::string file = absl::StrCat(folder_, "/", name, ".pal");
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) return ReadOwn(file);
  }
  for (const BuiltInLimiter& limiter : BuiltInLimiters()) {
    if (limiter.name == name) return LimiterScript{name, std::string(limiter.text)};
  }
  return absl::NotFoundError(absl::StrCat("there is no script ", name, ".pal"));
}

base::StatusOr<LimiterScript> LimiterLibrary::ReadOwn(const std::string& file) const {
  base::StatusOr<std::string> text = ReadSmallFile(file, base::kScriptBytesMax);
  // It is there: that it cannot be read does not mean that another may stand in for it.
  if (!text.ok()) return absl::InvalidArgumentError(text.status().message());
  return LimiterScript{file, *std::move(text)};
}

base::Status LimiterLibrary::Unknown(const std::string& name) const {
  std::set<std::string> scripts;
  for (const BuiltInLimiter& limiter : BuiltInLimiters()) scripts.emplace(limiter.name);
  std::error_code error;
  for (std::filesystem::directory_iterator it(folder_, error), end; !error && it != end;
       it.increment(error)) {
    if (it->path().extension() == ".pal") scripts.insert(it->path().stem().string());
  }
  const std::vector<std::string> names = NamesFor(scripts);
  const std::string meant = base::DidYouMean(name, names);
  return absl::NotFoundError(absl::StrCat(
      "there is no limiter \"", name, "\"",
      meant.empty() ? absl::StrCat("; there are ", absl::StrJoin(names, ", ")) : meant));
}

}  // namespace palena::limits
