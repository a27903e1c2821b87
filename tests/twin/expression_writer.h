#pragma once

// Writes random expressions as text: of a kind that fits where they stand, mostly.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <string>

#include "twin/random.h"

namespace palena::twin {

enum class Kind : std::uint8_t { kInt, kReal, kBool, kText, kNumberText, kNull, kArray };
inline constexpr std::size_t kKindCount = 7;

// What scripts may name. Values of parameters: generator.cc.
inline constexpr const char* kNumberParameters[] = {"@n", "@m"};
inline constexpr const char* kWordParameters[] = {"@w", "@v", "@e"};

class ExpressionWriter {
 public:
  explicit ExpressionWriter(Random& random) : random_(random) {}

  // A new script. `wild_per_mille`: how often an expression is of any kind at all, a call has an
  // argument too many, and so on.
  void Begin(std::size_t wild_per_mille);

  std::string Write(Kind kind, int depth);
  Kind AnyKind() { return static_cast<Kind>(random_.Below(kKindCount)); }
  // A small integer, and only seldom anything else.
  std::string SmallInt(std::int64_t least, std::int64_t most);

  void Bind(const std::string& name, Kind kind) { variables_[name] = kind; }
  // What a script forgets when a branch may not have run.
  std::map<std::string, Kind>& variables() { return variables_; }
  // Which guards have had a statement, as bits of script::Guard.
  void AllowGuard(unsigned guard) { guards_ |= 1u << guard; }
  bool IsWild() { return random_.ChancePerMille(wild_per_mille_); }
  // A blank or, now and then, a line break: errors name lines.
  std::string Gap();

 private:
  std::string Leaf(Kind kind);
  std::string Variable(Kind kind);
  std::string Int(int depth);
  std::string Real(int depth);
  std::string Bool(int depth);
  std::string Text(int depth);
  std::string Array(int depth);
  std::string Guard();
  std::string Comparison(int depth);
  std::string Chain(Kind operand, const char* const* ops, std::size_t ops_count, int depth);
  std::string Call(const char* name, std::initializer_list<Kind> arguments, int depth);
  std::string SmallCall(const char* name, const std::string& arguments);

  Random& random_;
  std::size_t wild_per_mille_ = 0;
  std::map<std::string, Kind> variables_;
  unsigned guards_ = 0;
};

}  // namespace palena::twin
