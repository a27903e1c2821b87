#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "palena/result.h"

namespace palena::app {

enum class BenchTarget : std::uint8_t { kPalena, kRedis };

struct BenchOptions {
  BenchTarget target = BenchTarget::kPalena;
  std::string connect;               // HOST:PORT; the target's usual port unless it was given
  std::string script_file;           // of either target; empty: `command`
  bool persistent = false;           // Palena: the script's e-forms become the plain ones
  std::vector<std::string> command;  // words of a plain command for Redis, with placeholders
  Parameters templates;              // name with '@', and the text with its placeholders
  std::size_t script_keys = 1;       // Redis: how many of the templates are KEYS
  std::uint64_t keys = 100'000;
  std::size_t connections = 50;
  std::size_t pipeline = 1;
  double seconds = 10;
  double warmup_seconds = 1;
  std::size_t threads = 1;
  std::uint64_t requests = 0;  // in all; 0: for `seconds`
  double rate = 0;             // requests a second; 0: closed loop
  std::uint64_t seed = 1;
  bool json = false;
};

struct BenchParse {
  std::optional<BenchOptions> options;
  int exit_status = 0;  // without options
};

BenchParse ParseBench(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace palena::app
