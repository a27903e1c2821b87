#include "twin/functions.h"

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "base/limits.h"
#include "twin/characters.h"
#include "twin/failure.h"

namespace palena::twin {
namespace {

using Arguments = std::vector<Value>;

// One call: what it was given, and the checks that functions share.
struct CallSite {
  const Site& site;
  std::string_view name;  // canonical: what messages say
  const Arguments& arguments;
  const hlc::Stamp& stamp;

  const Value& operator[](std::size_t i) const { return arguments[i]; }

  [[noreturn]] void Refuse(const Value& argument) const {
    Fail(site,
         "Cannot use '" + std::string(name) + "' function with argument " +
             std::string(TypeName(argument.type)),
         &argument);
  }
  void WantAll(Type type) const {
    for (const Value& argument : arguments) Want(argument, type);
  }
  void Want(const Value& argument, Type type) const {
    if (!argument.Is(type)) Refuse(argument);
  }
  void WantNumbers() const {
    for (const Value& argument : arguments) {
      if (!argument.IsNumber()) Refuse(argument);
    }
  }
  double Real(std::size_t i) const { return NumberOf(arguments[i])->AsDouble(); }
};

// ---- numbers

Value Abs(const CallSite& call) {
  call.WantNumbers();
  if (call[0].Is(Type::kDouble)) return Value::Double(std::fabs(call[0].real));
  if (call[0].integer == INT64_MIN) Fail(call.site, "Integer overflow", &call[0]);
  return Value::Long(call[0].integer < 0 ? -call[0].integer : call[0].integer);
}

Value Ceil(const CallSite& call) {
  call.WantNumbers();
  return Value::Double(std::ceil(call.Real(0)));
}

Value Floor(const CallSite& call) {
  call.WantNumbers();
  return Value::Double(std::floor(call.Real(0)));
}

double RoundedHalfToEven(double real) {
  const double below = std::floor(real);
  const double rest = real - below;
  if (rest != 0.5) return std::copysign(std::round(real), real);
  const bool is_even = std::fmod(below, 2) == 0;
  return std::copysign(is_even ? below : below + 1, real);
}

Value Round(const CallSite& call) {
  if (!call[0].IsNumber()) call.Refuse(call[0]);
  call.Want(call[1], Type::kLong);
  const std::int64_t digits = call[1].integer;
  if (digits < 0 || digits > 15) {
    Fail(call.site, "Invalid value for digits: " + std::to_string(digits) + ", it must be 0 to 15");
  }
  const double real = call.Real(0);
  // Nothing to round from here on, and 10^d could overflow.
  if (std::fabs(real) >= 1e16) return Value::Double(real);
  const double scale = std::pow(10.0, static_cast<double>(digits));
  const double scaled = real * scale;
  if (call.site.planted == Fault::kRoundsHalfUp) return Value::Double(std::round(scaled) / scale);
  return Value::Double(RoundedHalfToEven(scaled) / scale);
}

// The first if it is NaN or less (greater), else the second.
Value Extreme(const CallSite& call, bool wants_less) {
  call.WantNumbers();
  if (call[0].Is(Type::kLong) && call[1].Is(Type::kLong)) {
    const bool takes_first = wants_less ? call[0].integer < call[1].integer  //
                                        : call[0].integer > call[1].integer;
    return Value::Long(takes_first ? call[0].integer : call[1].integer);
  }
  const double a = call.Real(0);
  const double b = call.Real(1);
  if (std::isnan(a)) return Value::Double(a);
  if (std::isnan(b)) return Value::Double(b);
  return Value::Double((wants_less ? a < b : a > b) ? a : b);
}

Value Min(const CallSite& call) {
  return Extreme(call, true);
}

Value Max(const CallSite& call) {
  return Extreme(call, false);
}

Value Pow(const CallSite& call) {
  call.WantNumbers();
  return Value::Double(std::pow(call.Real(0), call.Real(1)));
}

Value Mod(const CallSite& call) {
  call.WantAll(Type::kLong);
  if (call[1].integer == 0) Fail(call.site, "Division by zero", &call[1]);
  if (call[1].integer == -1) return Value::Long(0);
  return Value::Long(call[0].integer % call[1].integer);
}

Value NearlyEquals(const CallSite& call) {
  call.WantNumbers();
  const double tolerance = call.Real(2);
  if (std::isnan(tolerance) || tolerance < 0) {
    Fail(call.site, "Invalid tolerance: " + TextOf(tolerance) + ", it must not be negative");
  }
  const auto exact = [](const Value& value) {
    const Number number = *NumberOf(value);
    return number.is_integer ? static_cast<long double>(number.integer)
                             : static_cast<long double>(number.real);
  };
  const long double a = exact(call[0]);
  const long double b = exact(call[1]);
  return Value::Bool(a == b || std::fabs(a - b) <= static_cast<long double>(tolerance));
}

// ---- conversions

[[noreturn]] void CannotCast(const CallSite& call, std::string_view target) {
  std::string what(TypeName(call[0].type));
  if (call[0].Is(Type::kString)) what = "string value '" + Quoted(call[0].text) + "'";
  if (call[0].Is(Type::kDouble)) what = "double value " + TextOf(call[0].real);
  Fail(call.site, "Cannot cast " + what + " to " + std::string(target), &call[0]);
}

Value ToInt(const CallSite& call) {
  const Value& value = call[0];
  if (value.Is(Type::kLong)) return Value::Long(value.integer);
  if (value.Is(Type::kBool)) return Value::Long(value.boolean ? 1 : 0);
  std::optional<std::int64_t> integer;
  if (value.Is(Type::kDouble)) integer = Truncated(value.real);
  if (value.Is(Type::kString)) integer = value.text.empty() ? 0 : IntegerOf(value.text);
  if (!integer) CannotCast(call, "int");
  return Value::Long(*integer);
}

Value ToDouble(const CallSite& call) {
  const Value& value = call[0];
  if (value.Is(Type::kBool)) return Value::Double(value.boolean ? 1 : 0);
  if (value.Is(Type::kString) && value.text.empty()) return Value::Double(0);
  const auto number = NumberOf(value);
  if (!number) CannotCast(call, "double");
  return Value::Double(number->AsDouble());
}

Value ToStr(const CallSite& call) {
  return Value::String(StoredText(call.site, call[0]));
}

Value ToBool(const CallSite& call) {
  const Value& value = call[0];
  if (value.Is(Type::kBool)) return Value::Bool(value.boolean);
  if (value.Is(Type::kLong)) return Value::Bool(value.integer != 0);
  if (value.Is(Type::kDouble)) return Value::Bool(value.real != 0);
  if (value.Is(Type::kString)) return Value::Bool(Lower(value.text) == "true");
  CannotCast(call, "bool");
}

Value ToJson(const CallSite& call) {
  return Value::String(JsonOf(call[0]));
}

template <Type kType>
Value IsOf(const CallSite& call) {
  return Value::Bool(call[0].Is(kType));
}

// ---- texts

Value Concat(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::String(call[0].text + call[1].text);
}

Value UpperCase(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::String(Upper(call[0].text));
}

Value LowerCase(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::String(Lower(call[0].text));
}

std::int64_t LengthOf(std::string_view text) {
  return static_cast<std::int64_t>(CharactersOf(text).size());
}

Value Length(const CallSite& call) {
  call.WantAll(Type::kString);
  if (call.site.planted == Fault::kCountsBytes) {
    return Value::Long(static_cast<std::int64_t>(call[0].text.size()));
  }
  return Value::Long(LengthOf(call[0].text));
}

// A place in a text: a whole number from 0 to `last`.
std::size_t PlaceOf(const CallSite& call, std::size_t argument, std::string_view what,
                    std::size_t last) {
  const Value& value = call[argument];
  if (!value.IsNumber()) call.Refuse(value);
  const auto place = WholeOf(value);
  if (!place) Fail(call.site, "Invalid substring position: " + TextOf(value));
  if (*place < 0 || static_cast<std::size_t>(*place) > last) {
    Fail(call.site, "Substring " + std::string(what) + " out of range: " + std::to_string(*place) +
                        ", the text has " + std::to_string(LengthOf(call[0].text)) + " characters");
  }
  return static_cast<std::size_t>(*place);
}

Value Substring(const CallSite& call) {
  call.Want(call[0], Type::kString);
  const std::vector<Character> characters = CharactersOf(call[0].text);
  const std::size_t start = PlaceOf(call, 1, "start", characters.size());
  std::size_t count = characters.size() - start;
  if (call.arguments.size() == 3) count = PlaceOf(call, 2, "length", count);
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += characters[start + i].bytes;
  return Value::String(out);
}

Value StartsWith(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::Bool(call[0].text.starts_with(call[1].text));
}

Value EndsWith(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::Bool(call[0].text.ends_with(call[1].text));
}

Value IndexOf(const CallSite& call) {
  call.WantAll(Type::kString);
  const std::size_t at = call[0].text.find(call[1].text);
  if (at == std::string::npos) return Value::Long(-1);
  return Value::Long(LengthOf(std::string_view(call[0].text).substr(0, at)));
}

Value Split(const CallSite& call) {
  call.WantAll(Type::kString);
  if (call[1].text.empty()) Fail(call.site, "Invalid separator: it is empty", &call[1]);
  Value::Elements parts;
  std::string rest = call[0].text;
  for (std::size_t at = rest.find(call[1].text); at != std::string::npos;
       at = rest.find(call[1].text)) {
    parts.push_back(Value::String(rest.substr(0, at)));
    rest.erase(0, at + call[1].text.size());
  }
  parts.push_back(Value::String(rest));
  return Value::Array(std::move(parts));
}

Value Trim(const CallSite& call) {
  call.WantAll(Type::kString);
  return Value::String(std::string(Trimmed(call[0].text)));
}

Value Join(const CallSite& call) {
  call.Want(call[0], Type::kArray);
  call.Want(call[1], Type::kString);
  std::string out;
  for (const Value& element : *call[0].elements) {
    const bool is_first = &element == &call[0].elements->front();
    if (!is_first) out += call[1].text;
    out += StoredText(call.site, element);
  }
  return Value::String(out);
}

// ---- what values carry, and time

Value Count(const CallSite& call) {
  call.WantAll(Type::kArray);
  return Value::Long(static_cast<std::int64_t>(call[0].elements->size()));
}

Value IsTruncated(const CallSite& call) {
  call.WantAll(Type::kArray);
  return Value::Bool(call[0].truncated);
}

Value Revision(const CallSite& call) {
  Value revision = Value::Long(call[0].revision);
  revision.revision = call[0].revision;
  return revision;
}

Value Expires(const CallSite& call) {
  return Value::Long(call[0].expires_ms);
}

Value Hlc(const CallSite& call) {
  return Value::Long(call.stamp.time.ms());
}

Value HlcCounter(const CallSite& call) {
  return Value::Long(call.stamp.time.counter());
}

// ---- the table

struct Function {
  std::string_view name;  // canonical
  std::size_t least = 0;
  std::size_t most = 0;
  Value (*body)(const CallSite&) = nullptr;
};

constexpr Function kToInt{"to_int", 1, 1, ToInt};
constexpr Function kToDouble{"to_double", 1, 1, ToDouble};
constexpr Function kToStr{"to_str", 1, 1, ToStr};
constexpr Function kToBool{"to_bool", 1, 1, ToBool};
constexpr Function kIsLong{"is_long", 1, 1, IsOf<Type::kLong>};
constexpr Function kIsDouble{"is_double", 1, 1, IsOf<Type::kDouble>};
constexpr Function kIsString{"is_string", 1, 1, IsOf<Type::kString>};
constexpr Function kIsBool{"is_bool", 1, 1, IsOf<Type::kBool>};
constexpr Function kLength{"length", 1, 1, Length};
constexpr Function kRevision{"revision", 1, 1, Revision};

const std::map<std::string_view, Function>& Table() {
  static const std::map<std::string_view, Function> kTable = {
      {"abs", {"abs", 1, 1, Abs}},
      {"ceil", {"ceil", 1, 1, Ceil}},
      {"floor", {"floor", 1, 1, Floor}},
      {"round", {"round", 2, 2, Round}},
      {"min", {"min", 2, 2, Min}},
      {"max", {"max", 2, 2, Max}},
      {"pow", {"pow", 2, 2, Pow}},
      {"mod", {"mod", 2, 2, Mod}},
      {"nearly_equals", {"nearly_equals", 3, 3, NearlyEquals}},
      {"to_int", kToInt},
      {"to_integer", kToInt},
      {"to_long", kToInt},
      {"to_number", kToInt},
      {"to_double", kToDouble},
      {"to_float", kToDouble},
      {"to_str", kToStr},
      {"to_string", kToStr},
      {"to_bool", kToBool},
      {"to_boolean", kToBool},
      {"to_json", {"to_json", 1, 1, ToJson}},
      {"is_long", kIsLong},
      {"is_int", kIsLong},
      {"is_integer", kIsLong},
      {"is_double", kIsDouble},
      {"is_float", kIsDouble},
      {"is_string", kIsString},
      {"is_str", kIsString},
      {"is_bool", kIsBool},
      {"is_boolean", kIsBool},
      {"is_null", {"is_null", 1, 1, IsOf<Type::kNull>}},
      {"is_array", {"is_array", 1, 1, IsOf<Type::kArray>}},
      {"concat", {"concat", 2, 2, Concat}},
      {"upper", {"upper", 1, 1, UpperCase}},
      {"lower", {"lower", 1, 1, LowerCase}},
      {"length", kLength},
      {"len", kLength},
      {"substring", {"substring", 2, 3, Substring}},
      {"starts_with", {"starts_with", 2, 2, StartsWith}},
      {"ends_with", {"ends_with", 2, 2, EndsWith}},
      {"index_of", {"index_of", 2, 2, IndexOf}},
      {"split", {"split", 2, 2, Split}},
      {"trim", {"trim", 1, 1, Trim}},
      {"join", {"join", 2, 2, Join}},
      {"count", {"count", 1, 1, Count}},
      {"truncated", {"truncated", 1, 1, IsTruncated}},
      {"revision", kRevision},
      {"rev", kRevision},
      {"expires", {"expires", 1, 1, Expires}},
      {"current_time", {"current_time", 0, 0, Hlc}},
      {"hlc", {"hlc", 0, 0, Hlc}},
      {"hlc_counter", {"hlc_counter", 0, 0, HlcCounter}},
  };
  return kTable;
}

}  // namespace

Value Call(const Site& site, std::string_view name, const std::vector<Value>& arguments,
           const hlc::Stamp& stamp) {
  const auto found = Table().find(name);
  if (found == Table().end()) {
    Fail(site, "Undefined function " + std::string(name) + " expression");
  }
  const Function& function = found->second;
  if (arguments.size() < function.least || arguments.size() > function.most) {
    Fail(site, "Invalid number of arguments for '" + std::string(function.name) + "' function");
  }
  return function.body({site, function.name, arguments, stamp});
}

}  // namespace palena::twin
