#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/latency_histogram.h"

namespace palena::app {

// How often each of a few texts occurred. Beyond 16 different ones they count as "(other)".
class CountedTexts {
 public:
  void Add(std::string_view text, std::uint64_t times = 1);
  // In the order in which they first occurred.
  const std::vector<std::pair<std::string, std::uint64_t>>& counts() const { return counts_; }

 private:
  std::vector<std::pair<std::string, std::uint64_t>> counts_;
};

// One answer of a server, whatever its protocol. Views are valid until the next one.
struct BenchAnswer {
  std::uint64_t id = 0;
  bool is_ok = true;
  std::string_view type;
  std::string_view first_value;
  std::string_view reason;  // when not ok
};

// What a load generator has seen while it measured.
struct BenchTally {
  LatencyHistogram latency;
  // An open loop: how long after it was due a request left, by the generator's own fault; and how
  // many requests found no room, so that they left late by the server's fault.
  LatencyHistogram lateness;
  std::uint64_t held_back = 0;
  CountedTexts types;
  CountedTexts first_values;
  std::uint64_t failed = 0;  // answers that were not ok
  std::uint64_t lost = 0;    // requests whose connection broke
  std::string first_failure;
  std::int64_t last_answer_ns = 0;  // steady time

  void Add(const BenchAnswer& answer, std::int64_t latency_ns);
  void AddLost(std::uint64_t requests, const std::string& why);
  void Merge(const BenchTally& other);
};

}  // namespace palena::app
