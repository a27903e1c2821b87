#pragma once

// Random stories: scripts with parameters and the time between them, the same for the same seed.

#include <cstdint>
#include <string>

#include "twin/evaluator.h"
#include "twin/features.h"
#include "twin/random.h"
#include "twin/script_writer.h"

namespace palena::twin {

// Few, so that scripts meet each other's keys. Of both durabilities.
inline constexpr const char* kKeyNames[] = {
    "plain", "other", "box/a", "box/b", "box/in/c", "box", "se:lf", "\u043a\u043b\u044e\u0447"};

struct Step {
  std::int64_t advance_ms = 0;  // before it runs
  std::string script;
  Parameters parameters;
};

class Generator {
 public:
  Generator(std::uint64_t seed, Features features) : random_(seed), writer_(random_, features) {}

  Step Next(std::int64_t now_ms);

 private:
  Parameters WriteParameters();
  void Break(std::string& script);

  Random random_;
  ScriptWriter writer_;
};

}  // namespace palena::twin
