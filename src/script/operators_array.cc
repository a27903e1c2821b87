// The operators of operators.h that make and read arrays.

#include <algorithm>
#include <new>
#include <string>

#include "base/limits.h"
#include "script/characters.h"
#include "script/conversions.h"
#include "script/operators.h"
#include "script/scalar_text.h"

namespace palena::script {

namespace {

std::string BoundsText(std::int64_t first, std::int64_t last) {
  return std::to_string(first) + ".." + std::to_string(last);
}

bool InvalidIndex(Evaluation& e, const Value& index, std::size_t count) {
  std::string shown(TypeName(index.type));
  if (index.type == ValueType::kLong || index.type == ValueType::kDouble) {
    shown = ScalarText(index).view();
  } else if (index.type == ValueType::kString) {
    shown = std::string("'").append(Excerpt(ScalarText(index).view())).append("'");
  }
  return e.Fail("Invalid index: " + shown + " in an array of " + std::to_string(count), &index);
}

bool TooManyElements(Evaluation& e, const std::string& shown) {
  return e.FailWith(model::Code::kLimit, "Too many array elements: " + shown + ", at most " +
                                             std::to_string(base::kArrayElementsMax));
}

}  // namespace

bool PlaceArray(Evaluation& e, const Array& array, Value& out) {
  char* const memory = e.Allocate(sizeof(Array));
  if (memory == nullptr) return false;
  out = Value::OfArray(new (memory) Array(array));
  return true;
}

bool Range(Evaluation& e, const Value& a, const Value& b, Value& out) {
  if (a.type != ValueType::kLong || b.type != ValueType::kLong) {
    std::string message("Invalid operands for range operator: ");
    message.append(TypeName(a.type)).append(" - ").append(TypeName(b.type));
    return e.Fail(std::move(message), a.type != ValueType::kLong ? &a : &b);
  }
  Array range;
  range.first = a.integer;
  if (a.integer <= b.integer) {
    // Unsigned: the distance of two integers can exceed the signed range.
    const auto steps =
        static_cast<std::uint64_t>(b.integer) - static_cast<std::uint64_t>(a.integer);
    if (steps >= base::kArrayElementsMax) {
      return TooManyElements(e, BoundsText(a.integer, b.integer));
    }
    range.count = steps + 1;
  }
  return PlaceArray(e, range, out);
}

bool Index(Evaluation& e, const Value& array, const Value& index, Value& out) {
  if (array.type != ValueType::kArray) {
    return e.Fail(
        "Expression to index must be an array: Found: " + std::string(TypeName(array.type)),
        &array);
  }
  const Array& elements = *array.array;
  const auto position = WholeNumber(index);
  if (!position || *position < 0 || static_cast<std::uint64_t>(*position) >= elements.count) {
    return InvalidIndex(e, index, elements.count);
  }
  out = elements.At(static_cast<std::size_t>(*position));
  return true;
}

Value* AllocateElements(Evaluation& e, std::size_t count) {
  if (count > base::kArrayElementsMax) {
    TooManyElements(e, std::to_string(count));
    return nullptr;
  }
  e.Charge(count);
  char* const memory = e.Allocate(count * sizeof(Value));
  if (memory == nullptr) return nullptr;
  Value* const first = reinterpret_cast<Value*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (memory + i * sizeof(Value)) Value();
  return first;
}

bool AdoptArray(Evaluation& e, const Value* elements, std::size_t count, Value& out) {
  Array array{.elements = elements, .count = count};
  for (std::size_t i = 0; i < count; ++i) {
    if (elements[i].type != ValueType::kArray) continue;
    array.depth = std::max(array.depth, elements[i].array->depth + 1);
  }
  if (array.depth > base::kNestingDepthMax) {
    return e.FailWith(model::Code::kLimit, "Nesting too deep");
  }
  return PlaceArray(e, array, out);
}

bool MakeArray(Evaluation& e, const Value* elements, std::size_t count, Value& out) {
  Value* const copies = AllocateElements(e, count);
  if (copies == nullptr) return false;
  std::copy_n(elements, count, copies);
  return AdoptArray(e, copies, count, out);
}

}  // namespace palena::script
