#pragma once

// Writes random scripts, by the grammar of language.md 2.

#include <cstddef>
#include <cstdint>
#include <string>

#include "twin/expression_writer.h"
#include "twin/features.h"
#include "twin/random.h"

namespace palena::twin {

class ScriptWriter {
 public:
  ScriptWriter(Random& random, Features features)
      : random_(random), features_(features), expressions_(random) {}

  // `now_ms` is about when it will run.
  std::string Write(std::int64_t now_ms);

 private:
  bool May(Features feature) const { return (features_ & feature) != 0; }

  std::string Statements(int depth, std::size_t count);
  std::string Body(int depth);
  std::string Statement(int depth);
  std::string Let();
  std::string If(int depth);
  std::string For(int depth);
  std::string Return();
  std::string Ending();
  std::string Begin();
  std::string Options();

  std::string Read(bool is_bound);
  std::string PointRead(bool is_bound);
  std::string RangeRead();
  std::string AsOf();
  std::string Write(bool is_bound);
  std::string Set();
  std::string Flags();
  std::string Ttl();
  std::string Revision();

  std::string Key();
  std::string Name();
  const char* Ephemeral() { return random_.Chance(50) ? "e" : ""; }

  Random& random_;
  const Features features_;
  ExpressionWriter expressions_;
  std::int64_t now_ms_ = 0;
};

}  // namespace palena::twin
