// Functions on texts. A part of a text shares the bytes of the whole, which live as long as the
// run.

#include <string.h>  // memmem, which <cstring> need not declare
#include <utf8proc.h>

#include <algorithm>
#include <optional>
#include <string>

#include "base/limits.h"
#include "script/characters.h"
#include "script/conversions.h"
#include "script/function_bodies.h"
#include "script/operators.h"
#include "script/scalar_text.h"

namespace palena::script {

namespace {

bool Answer(Value value, Value& out) {
  out = value;
  return true;
}

// The text of a string argument; refuses every other type.
bool TextArgument(Evaluation& e, std::string_view function, const Value& argument,
                  std::string_view& out) {
  if (argument.type != ValueType::kString) return WrongArgument(e, function, argument);
  if (!StringText(e, argument, out)) return false;
  e.ChargeBytes(out.size());
  return true;
}

// Going through a text character by character, which is slower than looking at its bytes.
void ChargeWalk(Evaluation& e, std::size_t bytes) {
  constexpr std::size_t kBytesPerStep = 8;
  e.Charge(bytes / kBytesPerStep);
}

struct TextPair {
  std::string_view first;
  std::string_view second;
};

bool TwoTexts(Evaluation& e, std::string_view function, Arguments arguments, TextPair& out) {
  return TextArgument(e, function, arguments[0], out.first) &&
         TextArgument(e, function, arguments[1], out.second);
}

// The C library's search, because its time is linear; string_view::find is quadratic at worst, and
// scripts choose both texts.
std::size_t Find(std::string_view text, std::string_view part) {
  if (part.empty()) return 0;
  if (part.size() > text.size()) return std::string_view::npos;
  const void* const found = memmem(text.data(), text.size(), part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

// The one-to-one mapping keeps the German sharp s; the library would give its capital.
utf8proc_int32_t UpperCodePoint(utf8proc_int32_t code_point) {
  constexpr utf8proc_int32_t kSharpS = 0xDF;
  return code_point == kSharpS ? kSharpS : utf8proc_toupper(code_point);
}

using CodePointMap = utf8proc_int32_t (*)(utf8proc_int32_t);

// One character mapped, in `bytes`; what is no code point passes as it is.
struct MappedCharacter {
  utf8proc_uint8_t bytes[4];
  std::size_t size;

  MappedCharacter(std::string_view character, CodePointMap map) : size(1) {
    const auto* const source = reinterpret_cast<const utf8proc_uint8_t*>(character.data());
    utf8proc_int32_t code_point;
    if (utf8proc_iterate(source, static_cast<utf8proc_ssize_t>(character.size()), &code_point) <=
        0) {
      bytes[0] = source[0];
      return;
    }
    size = static_cast<std::size_t>(utf8proc_encode_char(map(code_point), bytes));
  }
};

template <typename Visit>
void ForEachMapped(std::string_view text, CodePointMap map, Visit visit) {
  while (!text.empty()) {
    const std::size_t bytes = CharacterBytes(text);
    visit(MappedCharacter(text.substr(0, bytes), map));
    text.remove_prefix(bytes);
  }
}

// Measured first: a mapped character can be longer than the original.
bool MapCase(Evaluation& e, std::string_view function, const Value& argument, CodePointMap map,
             Value& out) {
  std::string_view text;
  if (!TextArgument(e, function, argument, text)) return false;
  ChargeWalk(e, 2 * text.size());
  std::size_t size = 0;
  ForEachMapped(text, map, [&](const MappedCharacter& mapped) { size += mapped.size; });
  char* const memory = e.Allocate(size);
  if (memory == nullptr) return false;
  char* next = memory;
  ForEachMapped(text, map, [&](const MappedCharacter& mapped) {
    next = std::copy_n(mapped.bytes, mapped.size, next);
  });
  return Answer(Value::String({memory, size}), out);
}

// A whole number of characters, as an integer or a float.
bool CharactersArgument(Evaluation& e, const Value& argument, std::int64_t& out) {
  if (argument.type != ValueType::kLong && argument.type != ValueType::kDouble) {
    return WrongArgument(e, "substring", argument);
  }
  const auto whole = WholeNumber(argument);
  if (!whole) return e.Fail("Invalid substring position: " + DoubleText(argument.real));
  out = *whole;
  return true;
}

// Cuts the first `count` characters off `text`; nothing when there are fewer.
std::optional<std::string_view> TakeCharacters(std::string_view& text, std::int64_t count) {
  if (count < 0) return std::nullopt;
  const auto bytes = BytesOfCharacters(text, static_cast<std::size_t>(count));
  if (!bytes) return std::nullopt;
  const std::string_view taken = text.substr(0, *bytes);
  text.remove_prefix(*bytes);
  return taken;
}

bool OutOfRange(Evaluation& e, std::string_view what, std::int64_t value, std::string_view text) {
  std::string message("Substring ");
  message.append(what).append(" out of range: ").append(std::to_string(value));
  message.append(", the text has ").append(std::to_string(CountCharacters(text)));
  return e.Fail(message.append(" characters"));
}

std::size_t CountParts(std::string_view text, std::string_view separator) {
  std::size_t parts = 1;
  for (std::size_t at = Find(text, separator); at != std::string_view::npos;
       at = Find(text, separator)) {
    text.remove_prefix(at + separator.size());
    if (++parts > base::kArrayElementsMax) break;
  }
  return parts;
}

void WriteParts(std::string_view text, std::string_view separator, std::size_t parts,
                Value* elements) {
  for (std::size_t i = 0; i + 1 < parts; ++i) {
    const std::size_t at = Find(text, separator);
    elements[i] = Value::String(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  elements[parts - 1] = Value::String(text);
}

// Refuses nested arrays, and texts that together pass the memory of the run, before adding further.
bool MeasureJoined(Evaluation& e, const Array& array, std::string_view separator,
                   std::size_t& out) {
  std::size_t size = 0;
  for (std::size_t i = 0; i < array.count && size <= e.arena().limit_bytes(); ++i) {
    const Value element = array.At(i);
    if (element.type == ValueType::kArray) return e.Fail("Cannot cast ArrayType to string");
    size += ScalarText(element).view().size() + (i > 0 ? separator.size() : 0);
  }
  out = size;
  return true;
}

void WriteJoined(const Array& array, std::string_view separator, char* next) {
  for (std::size_t i = 0; i < array.count; ++i) {
    if (i > 0) next += separator.copy(next, separator.size());
    const Value element = array.At(i);
    const ScalarText text(element);
    next += text.view().copy(next, text.view().size());
  }
}

}  // namespace

bool Concat(Evaluation& e, Arguments arguments, Value& out) {
  TextPair texts;
  if (!TwoTexts(e, "concat", arguments, texts)) return false;
  const std::size_t size = texts.first.size() + texts.second.size();
  char* const memory = e.Allocate(size);
  if (memory == nullptr) return false;
  texts.first.copy(memory, texts.first.size());
  texts.second.copy(memory + texts.first.size(), texts.second.size());
  return Answer(Value::String({memory, size}), out);
}

bool Upper(Evaluation& e, Arguments arguments, Value& out) {
  return MapCase(e, "upper", arguments[0], UpperCodePoint, out);
}

bool Lower(Evaluation& e, Arguments arguments, Value& out) {
  return MapCase(e, "lower", arguments[0], utf8proc_tolower, out);
}

bool Length(Evaluation& e, Arguments arguments, Value& out) {
  std::string_view text;
  if (!TextArgument(e, "length", arguments[0], text)) return false;
  ChargeWalk(e, text.size());
  return Answer(Value::Long(static_cast<std::int64_t>(CountCharacters(text))), out);
}

bool Substring(Evaluation& e, Arguments arguments, Value& out) {
  std::string_view whole;
  std::int64_t start = 0;
  if (!TextArgument(e, "substring", arguments[0], whole)) return false;
  ChargeWalk(e, whole.size());
  if (!CharactersArgument(e, arguments[1], start)) return false;
  std::string_view rest = whole;
  if (!TakeCharacters(rest, start)) return OutOfRange(e, "start", start, whole);
  if (arguments.size() < 3) return Answer(Value::String(rest), out);
  std::int64_t length = 0;
  if (!CharactersArgument(e, arguments[2], length)) return false;
  const auto part = TakeCharacters(rest, length);
  if (!part) return OutOfRange(e, "length", length, whole);
  return Answer(Value::String(*part), out);
}

bool StartsWith(Evaluation& e, Arguments arguments, Value& out) {
  TextPair texts;
  if (!TwoTexts(e, "starts_with", arguments, texts)) return false;
  return Answer(Value::Bool(texts.first.starts_with(texts.second)), out);
}

bool EndsWith(Evaluation& e, Arguments arguments, Value& out) {
  TextPair texts;
  if (!TwoTexts(e, "ends_with", arguments, texts)) return false;
  return Answer(Value::Bool(texts.first.ends_with(texts.second)), out);
}

bool IndexOf(Evaluation& e, Arguments arguments, Value& out) {
  TextPair texts;
  if (!TwoTexts(e, "index_of", arguments, texts)) return false;
  const std::size_t at = Find(texts.first, texts.second);
  if (at == std::string_view::npos) return Answer(Value::Long(-1), out);
  ChargeWalk(e, at);
  const std::size_t characters = CountCharacters(texts.first.substr(0, at));
  return Answer(Value::Long(static_cast<std::int64_t>(characters)), out);
}

bool Split(Evaluation& e, Arguments arguments, Value& out) {
  TextPair texts;
  if (!TwoTexts(e, "split", arguments, texts)) return false;
  if (texts.second.empty()) return e.Fail("Invalid separator: it is empty", &arguments[1]);
  const std::size_t parts = CountParts(texts.first, texts.second);
  Value* const elements = AllocateElements(e, parts);
  if (elements == nullptr) return false;
  WriteParts(texts.first, texts.second, parts, elements);
  return AdoptArray(e, elements, parts, out);
}

bool Trim(Evaluation& e, Arguments arguments, Value& out) {
  std::string_view text;
  if (!TextArgument(e, "trim", arguments[0], text)) return false;
  return Answer(Value::String(TrimBlanks(text)), out);
}

bool Join(Evaluation& e, Arguments arguments, Value& out) {
  if (arguments[0].type != ValueType::kArray) return WrongArgument(e, "join", arguments[0]);
  std::string_view separator;
  if (!TextArgument(e, "join", arguments[1], separator)) return false;
  const Array& array = *arguments[0].array;
  std::size_t size = 0;
  if (!MeasureJoined(e, array, separator, size)) return false;
  e.Charge(array.count);
  e.ChargeBytes(size);
  char* const memory = e.Allocate(size);
  if (memory == nullptr) return false;
  WriteJoined(array, separator, memory);
  return Answer(Value::String({memory, size}), out);
}

}  // namespace palena::script
