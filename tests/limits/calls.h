#pragma once

// Calls of a limiter as nobody would make them: random costs, peeks, changed limits, windows and
// rates, parameters that are none.

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "limits/model.h"

namespace palena::limits {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // 0 … count - 1
  std::size_t Below(std::size_t count) { return engine_() % count; }
  bool OneIn(std::size_t n) { return Below(n) == 0; }
  template <typename T>
  const T& Of(const std::vector<T>& values) {
    return values[Below(values.size())];
  }

 private:
  std::mt19937_64 engine_;
};

class CallMaker {
 public:
  // `limiter`: the file that takes.
  CallMaker(const std::string& limiter, std::uint64_t seed);

  // The next call; mostly with the numbers of the one before.
  Call Next();
  // A pause in ms before it, for a key that expires in `expires_in` ms (0: not, or no key).
  std::int64_t NextPause(std::int64_t expires_in);

 private:
  struct Choice {
    std::string name;
    std::vector<std::string> values;
  };
  static const std::map<std::string, std::vector<Choice>>& Choices();

  void Spoil(Call& call);
  std::string Cost();

  const std::string limiter_;
  Random random_;
  std::map<std::string, std::string> numbers_;
};

}  // namespace palena::limits
