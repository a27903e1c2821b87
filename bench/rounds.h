#pragma once

// What the bench programs that repeat a measurement have in common.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <optional>
#include <string_view>
#include <vector>

namespace palena {

// `PROGRAM [ROUNDS]`, 5 without; nothing, and the usage on standard error, for anything else.
inline std::optional<std::size_t> ParseRounds(int argc, char** argv) {
  std::size_t rounds = 5;
  if (argc == 1) return rounds;
  const std::string_view text = argc == 2 ? argv[1] : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rounds);
  if (error == std::errc() && end == text.data() + text.size() && rounds > 0) return rounds;
  std::fprintf(stderr, "usage: %s [ROUNDS]\n", argv[0]);
  return std::nullopt;
}

inline double Median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

}  // namespace palena
