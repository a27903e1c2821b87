#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "limits/key_template.h"
#include "model/durability.h"
#include "script/program.h"

namespace palena::limits {

enum class OnError : std::uint8_t { kDeny, kAllow };

using ProgramPtr = std::shared_ptr<const script::Program>;

// A script of a limit, with the values of its parameters as far as the file fixes them.
struct BoundProgram {
  ProgramPtr program;
  std::vector<std::string> values;  // by slot; those of key, cost and owner are empty
  int key_slot = -1;                // -1: the script has no such parameter
  int cost_slot = -1;
  int owner_slot = -1;
};

// One limit as the file defines it. Immutable.
struct Limit {
  std::string name;
  std::string limiter;
  KeyTemplate key;
  model::Durability durability = model::Durability::kEphemeral;
  bool is_shadow = false;
  OnError on_error = OnError::kDeny;
  // Of the limiter's scripts, names without '@', in the order of the file.
  std::vector<std::pair<std::string, std::string>> parameters;
  int line = 0;  // of its table in the file

  BoundProgram take;     // of leases: acquire
  BoundProgram renew;    // of leases only
  BoundProgram release;  // of leases only
  ProgramPtr reset;      // forgets the key @key

  // What the limiter says of a caller who has used nothing.
  std::int64_t quota = 0;
  std::int64_t window_ms = 0;  // in which the quota comes back; 0: never

  bool has_leases() const { return take.owner_slot >= 0; }
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
