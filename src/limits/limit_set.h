#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "limits/bound_program.h"
#include "limits/key_template.h"
#include "model/durability.h"

namespace palena::limits {

enum class OnError : std::uint8_t { kDeny, kAllow };

// One limit as the file defines it. Immutable.
struct Limit {
  std::string name;
  std::string limiter;
  KeyTemplate key;
  model::Durability durability = model::Durability::kEphemeral;
  bool is_shadow = false;
  OnError on_error = OnError::kDeny;
  // Of the limiter's scripts, names without '@', in the order of the file.
  BoundProgram::Parameters parameters;
  int line = 0;  // of its table in the file

  BoundProgram take;     // of leases: acquire
  BoundProgram renew;    // of leases only
  BoundProgram release;  // of leases only
  ProgramPtr reset;      // forgets the key @key

  // What the limiter says of a caller who has used nothing.
  std::int64_t quota = 0;
  std::int64_t window_ms = 0;  // in which the quota comes back; 0: never

  bool has_leases() const { return take.has_owner(); }
};

// The limits of one file, by number and by name. Immutable, shared by all threads.
class LimitSet {
 public:
  LimitSet() = default;
  // Names are distinct.
  LimitSet(std::string file, std::vector<Limit> limits);
  LimitSet(const LimitSet&) = delete;
  LimitSet& operator=(const LimitSet&) = delete;

  // As it was named when it was read; empty: there is no file.
  const std::string& file() const { return file_; }
  // In the order of the file.
  const std::vector<Limit>& limits() const { return limits_; }
  // Null when there is none of this name.
  const Limit* Find(std::string_view name) const;

 private:
  std::string file_;
  std::vector<Limit> limits_;
  absl::flat_hash_map<std::string_view, std::size_t> by_name_;  // views into limits_
};

}  // namespace palena::limits
