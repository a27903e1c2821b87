#pragma once

// A value while a script runs: 32 bytes, trivially copyable. Strings and arrays live in the run's
// arena, in the program's constants, in the request, or in the store, all of which outlive the
// slice of the run that can see them (a host that suspends copies first).

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "model/version.h"

namespace palena::script {

enum class ValueType : std::uint8_t { kNull, kBool, kLong, kDouble, kString, kArray };

// "NullType", "LongType", …: the names that messages use.
std::string_view TypeName(ValueType type);

struct Array;

struct Value {
  ValueType type = ValueType::kNull;
  // kString only: the text is the decimal form of `integer` and has not been made yet. A counter
  // that the store keeps as an integer is read, converted, compared and written back without text.
  bool is_integer_text = false;
  std::uint16_t origin = 0;  // 1 + parameter slot when it came straight from a parameter, else 0
  std::uint32_t size = 0;    // kString with text: bytes
  union {
    bool boolean;
    std::int64_t integer;
    double real;
    const char* text;
    const Array* array;
  };
  std::int64_t revision = model::kNoRevision;  // carried from the store, dropped by computation
  std::int64_t expires_ms = model::kNoExpiry;

  Value() : integer(0) {}
  static Value Null() { return Value(); }
  static Value Bool(bool b) {
    Value v;
    v.type = ValueType::kBool;
    v.boolean = b;
    return v;
  }
  static Value Long(std::int64_t i) {
    Value v;
    v.type = ValueType::kLong;
    v.integer = i;
    return v;
  }
  static Value Double(double d) {
    Value v;
    v.type = ValueType::kDouble;
    v.real = d;
    return v;
  }
  // Refers to `text`, which the caller keeps alive for the run.
  static Value String(std::string_view text) {
    Value v;
    v.type = ValueType::kString;
    v.size = static_cast<std::uint32_t>(text.size());
    v.text = text.data();
    return v;
  }
  static Value IntegerText(std::int64_t i) {
    Value v;
    v.type = ValueType::kString;
    v.is_integer_text = true;
    v.integer = i;
    return v;
  }
  static Value OfArray(const Array* a) {
    Value v;
    v.type = ValueType::kArray;
    v.array = a;
    return v;
  }

  // Of a kString whose text exists.
  std::string_view string() const { return {text, size}; }
};

static_assert(sizeof(Value) == 32);

// Where an element of a bucket or scan read came from, beyond what its value carries.
struct ElementSource {
  std::string_view key;
  std::int64_t last_modified_ms = 0;
};

// Immutable once made. A range keeps its bounds instead of its elements.
struct Array {
  const Value* elements = nullptr;  // null for a range
  std::size_t count = 0;
  std::int64_t first = 0;  // of a range
  int depth = 1;           // 1 + the deepest element's, at most base::kNestingDepthMax
  bool truncated = false;  // a bucket or scan read that was cut
  // One per element, for a bucket or scan read that may itself be the answer; otherwise null.
  const ElementSource* sources = nullptr;

  Value At(std::size_t i) const {
    if (elements != nullptr) return elements[i];
    return Value::Long(first + static_cast<std::int64_t>(i));
  }
};

}  // namespace palena::script
