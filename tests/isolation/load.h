#pragma once

// Clients that call a node in process, and the forms in which a script comes: what its body does
// must not depend on them.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "isolation/history.h"
#include "palena/node.h"

namespace palena::isolation {

using Random = std::mt19937_64;

inline int Draw(Random& random, int below) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(below));
}

enum class Form {
  kPlain,
  kThrown,  // writes, then throws
  kBegin,
  kAutoCommit,
  kOptimistic,
  kRolledBack,
};
std::string_view FormName(Form form);

// A script of this form that does `body` and answers `answer`, an expression.
std::string ScriptOf(Form form, const std::string& body, const std::string& answer);

// A transaction that does `body`, whose reads are as of @t, and answers `answer`.
std::string SnapshotOf(const std::string& body, const std::string& answer);

struct Answer {
  Interval time;
  Result result;
};
Answer Ask(Node& node, std::string_view script, const Parameters& parameters);

// What a run of the form has come to; nothing when the form must not answer so: a pessimistic run
// waits instead of being aborted, an optimistic one is aborted for conflicts only.
std::optional<Fate> FateOf(Form form, const Result& result);
std::string Unexpected(std::string_view what, const Result& result);

// Of an ephemeral key 16 versions are kept: a read of the past, even of the millisecond in which it
// was asked, may come too late.
bool IsHistoryGone(const Result& result);

// What the rounds of a load vary.
struct Setting {
  unsigned shards = 4;
  bool transactions = true;  // false: plain scripts, no bucket, scan or read of the past
  bool on_disk = true;
  bool fast_path = true;
  std::uint64_t seed = 1;
  std::chrono::milliseconds duration{2'000};
  // The load goes on beyond its duration, up to ten times as long, until there were as many steps:
  // on a slow machine there is a verdict too.
  std::size_t steps_min = 0;

  // One of the forms that the setting allows, plain more often than each other.
  Form DrawForm(Random& random) const;
};

// With the capacities of the mode (hostile or not) that the suite runs in.
std::unique_ptr<Node> OpenNode(const Setting& setting, const std::string& data_dir);

constexpr std::size_t kClients = 16;

// Calls step(client, random) again and again on `clients` threads until the time is up, or one
// answers false.
void RunClients(const Setting& setting, std::size_t clients,
                const std::function<bool(std::size_t client, Random& random)>& step);

// Instants that were stamps of earlier answers, to be asked about again. Of one client.
class KnownInstants {
 public:
  struct Instant {
    std::int64_t ms = 0;
    std::int64_t began_ns = 0;  // of the run: what was answered before lies at or before `ms`
  };
  void Note(const Answer& answer);
  bool empty() const { return instants_.empty(); }
  Instant Draw(Random& random) const;

 private:
  std::vector<Instant> instants_;
};

// The present by the wall clock, or `earliest_ms` when that is later (the node's clock may be
// ahead); promises nothing about what was answered before.
KnownInstants::Instant Now(std::int64_t earliest_ms);

// Runs a script for each of these parameters, and answers the last of their stamps, in ms.
std::int64_t RunForEach(Node& node, const std::function<std::string(std::size_t)>& script,
                        const std::vector<Parameters>& parameters);

}  // namespace palena::isolation
