#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace palena::limits {

// A limiter of scripts/limits, as it was when this was built.
struct BuiltInLimiter {
  std::string_view name;
  std::string_view text;
};
std::vector<BuiltInLimiter> BuiltInLimiters();  // by name; made from the folder at build time

// The text of a limiter's script, and what to call it in an error.
struct LimiterScript {
  std::string place;  // "token_bucket", or the file of the user's own
  std::string text;
};

// The scripts of one limiter.
struct Limiter {
  LimiterScript take;
  // Of limiters with leases only.
  bool has_leases = false;
  LimiterScript renew;
  LimiterScript release;
};

// The limiters that a file may name: those of a folder of the user's own, and the built-in ones. A
// name in both is the user's.
class LimiterLibrary {
 public:
  // Empty: the built-in ones alone.
  explicit LimiterLibrary(std::string folder = "") : folder_(std::move(folder)) {}

  // NAME is NAME.pal, or NAME_acquire.pal, NAME_renew.pal and NAME_release.pal together, which make
  // one limiter with leases; NAME_acquire is the same. NotFound naming what there is;
  // InvalidArgument for a name that is no file's, or a script that cannot be read or is too long.
  base::StatusOr<Limiter> Find(std::string_view name) const;

 private:
  base::StatusOr<LimiterScript> FindScript(const std::string& name) const;
  base::StatusOr<LimiterScript> ReadOwn(const std::string& file) const;
  base::Status Unknown(const std::string& name) const;

  const std::string folder_;
};

}  // namespace palena::limits
