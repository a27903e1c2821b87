#include "server/hostile_scripts.h"

#include <iterator>
#include <utility>

#include "base/hostile.h"
#include "base/limits.h"

namespace palena::server {
namespace {

using model::Code;
using model::ResultType;

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr char kTooDeep[] = "Nesting too deep: more than 256 levels at line 1";
constexpr char kSteps[] = "Step limit exceeded: 10000000 at line 1";
constexpr char kMemory[] = "Script memory limit exceeded: 16777216 at line 1";
constexpr char kMinimum[] = "0x8000000000000000";

HostileScript Answers(std::string name, std::string script, Parameters parameters = {},
                      ResultType type = ResultType::kGet) {
  return {std::move(name), std::move(script), std::move(parameters), type, Code::kNone, 0, ""};
}

HostileScript Fails(std::string name, std::string script, Code code, std::string reason,
                    Parameters parameters = {}) {
  return {
      std::move(name),  std::move(script), std::move(parameters), model::TypeOfCode(code), code, 1,
      std::move(reason)};
}

// Fails after it has written, so that something could be left behind.
HostileScript FailsAfterWrites(std::string name, std::string_view rest, Code code,
                               std::string reason, Parameters parameters = {}) {
  std::string script = "set stray 1 eset stray 1 ";
  script += rest;
  return Fails(std::move(name), std::move(script), code, std::move(reason), std::move(parameters));
}

HostileScript TooLarge(std::string name, std::string script) {
  HostileScript row =
      Fails(std::move(name), std::move(script), Code::kTooLarge, "Script too large: ");
  row.line = 0;
  return row;
}

HostileScript TooDeep(std::string name, std::string script) {
  return Fails(std::move(name), std::move(script), Code::kLimit, kTooDeep);
}

std::string Around(std::size_t depth, std::string_view open, std::string_view inner,
                   std::string_view close) {
  std::string script = "return ";
  script += Times(depth, open);
  script += inner;
  return script += Times(depth, close);
}

}  // namespace

std::string Times(std::size_t count, std::string_view text) {
  std::string all;
  all.reserve(count * text.size());
  while (count-- > 0) all += text;
  return all;
}

std::vector<HostileScript> DeepScripts() {
  return {
      Answers("10 parentheses", Around(10, "(", "1", ")")),
      Answers("200 parentheses", Around(200, "(", "1", ")")),
      TooDeep("1,000 parentheses", Around(1'000, "(", "1", ")")),
      TooDeep("30,000 parentheses", Around(30'000, "(", "1", ")")),
      TooDeep("60,000 parentheses left open", Around(60'000, "(", "1", "")),
      TooLarge("100,000 parentheses", Around(100'000, "(", "1", "")),
      TooDeep("10,000 ifs", Times(4'500, "if true then ")),
      TooDeep("300 ifs, closed", Times(300, "if true then ") + "return 1" + Times(300, " end")),
      TooDeep("3,000 fors", Times(3'000, "for i in 1..2 do ")),
      TooDeep("60,000 exclamation marks", Around(60'000, "!", "true", "")),
      TooDeep("15,000 nots", Around(15'000, "not ", "true", "")),
      TooDeep("60,000 minus signs", Around(60'000, "-", "1", "")),
      TooDeep("30,000 arrays", Around(30'000, "[", "1", "]")),
      TooDeep("12,000 calls", Around(12'000, "abs(", "1", ")")),
      TooDeep("20,000 indexes in each other", "let a = [0] " + Around(20'000, "a[", "0", "]")),
      TooDeep("20,000 indexes in a row", "let a = [0] return a" + Times(20'000, "[0]")),
      Answers("25,000 sums in a row", "return 1" + Times(25'000, "+1")),
      TooLarge("100,000 minus signs", Around(100'000, "-", "1", "")),
      Answers("8,000 statements", Times(8'000, "let x=1 ")),
      TooDeep("10,000 begins", Times(10'000, "begin ")),
  };
}

std::vector<HostileScript> HugeLiterals() {
  return {
      Fails("a number of 60,000 digits", "return " + Times(60'000, "9"), Code::kSyntax,
            "at line 1"),
      Fails("a hexadecimal of 60,000 digits", "return 0x" + Times(60'000, "F"), Code::kSyntax,
            "at line 1"),
      Fails("one bit too many", "return 0x10000000000000000", Code::kSyntax, "at line 1"),
      Fails("2^63", "return 9223372036854775808", Code::kSyntax, "at line 1"),
      Answers("a fraction of 60,000 digits", "return 0." + Times(60'000, "1")),
      Fails("a float of 60,000 digits", "return " + Times(60'000, "9") + ".0", Code::kSyntax,
            "at line 1"),
      Answers("a text of 65,000 characters", "return \"" + Times(65'000, "x") + "\""),
      Answers("10,000 escapes", "return \"" + Times(10'000, "\\u0000") + "\""),
      Fails("a text without end", "return \"" + Times(65'000, "x"), Code::kSyntax, "at line 1"),
      Fails("a backslash at the end", "return \"\\", Code::kSyntax, "at line 1"),
      Fails("half an escape", "return \"\\uD83D\"", Code::kSyntax, "at line 1"),
      Fails("a key of 60,000 characters", "eget `" + Times(60'000, "k") + "`", Code::kRuntime,
            "has 60000 bytes, at most 1024 are allowed at line 1"),
      Answers("a variable of 60,000 characters", "let " + Times(60'000, "v") + " = 1"),
      Fails("a function of 60,000 characters", "return " + Times(60'000, "f") + "()",
            Code::kRuntime, "Undefined function f"),
      Fails("a call with 30,000 arguments", "return abs(1" + Times(30'000, ",1") + ")",
            Code::kRuntime, "Invalid number of arguments for 'abs' function at line 1"),
      Answers(
          "5,000 keys",
          [] {
            std::string script;
            for (int i = 0; i < 5'000; ++i) script += "eget k" + std::to_string(i) + " ";
            return script;
          }(),
          {}, ResultType::kDoesNotExist),
  };
}

std::vector<HostileScript> ImpossibleSums() {
  const std::string minimum = kMinimum;
  const auto overflows = [](std::string_view sum) {
    return FailsAfterWrites(std::string(sum), "return " + std::string(sum), Code::kRuntime,
                            "Integer overflow at line 1");
  };
  const auto divides_by_zero = [](std::string_view sum) {
    return FailsAfterWrites(std::string(sum), "return " + std::string(sum), Code::kRuntime,
                            "Division by zero at line 1");
  };
  return {
      divides_by_zero("1 / 0"),
      divides_by_zero("1.5 / 0"),
      divides_by_zero("1 / 0.0"),
      divides_by_zero("1 / \"0\""),
      divides_by_zero("mod(1, 0)"),
      overflows(minimum + " / -1"),
      overflows(minimum + " * -1"),
      overflows("-1 * " + minimum),
      overflows("-" + minimum),
      overflows("abs(" + minimum + ")"),
      overflows(minimum + " - 1"),
      overflows("9223372036854775807 + 1"),
      overflows("4611686018427387904 * 2"),
      FailsAfterWrites("to_int(1e300)", "return to_int(pow(10, 300))", Code::kRuntime,
                       "Cannot cast"),
      FailsAfterWrites("a range of 2,000,000,000", "for i in 1..2000000000 do let x = i end",
                       Code::kLimit, "1..2000000000, at most 100000 at line 1"),
      FailsAfterWrites("a range of everything", "return " + minimum + "..9223372036854775807",
                       Code::kLimit, "at most 100000 at line 1"),
      FailsAfterWrites("an index out of range", "let a = [1] return a[9223372036854775807]",
                       Code::kRuntime, "at line 1"),
      FailsAfterWrites("an index below zero", "let a = [1] return a[" + minimum + "]",
                       Code::kRuntime, "at line 1"),
  };
}

std::vector<HostileScript> Bombs() {
  const std::string mib(kMiB, 'x');
  return {
      FailsAfterWrites("a text that doubles",
                       "let s = \"x\" for i in 1..100 do let s = concat(s, s) end", Code::kLimit,
                       kMemory),
      FailsAfterWrites("an array that doubles",
                       "let a = [1] for i in 1..100000 do let a = [a, a] end", Code::kLimit,
                       "at line 1"),
      Answers("1,000 ranges of 100,000", "for i in 1..1000 do let a = 1..100000 end"),
      FailsAfterWrites("1,000 arrays of 60,001",
                       "for i in 1..1000 do let a = split(@commas, \",\") end", Code::kLimit,
                       kMemory, {{"@commas", std::string(60'000, ',')}}),
      FailsAfterWrites("a join of 100,000 texts of 1 MiB",
                       "let a = split(@commas, \",\") return join(a, @mib)", Code::kLimit, kMemory,
                       {{"@commas", std::string(60'000, ',')}, {"@mib", mib}}),
      FailsAfterWrites("a split into 1,048,577 parts", "return count(split(@c, \",\"))",
                       Code::kLimit, "100000", {{"@c", std::string(kMiB, ',')}}),
      FailsAfterWrites("the JSON of 2^40 numbers",
                       "let a = [1] for i in 1..40 do let a = [a, a] end return to_json(a)",
                       Code::kLimit, "at line 1"),
      FailsAfterWrites("an answer of 2^40 numbers",
                       "let a = [1] for i in 1..40 do let a = [a, a] end return a", Code::kLimit,
                       "at line 1"),
      Answers("the JSON of 100,000 numbers", "return to_json(1..100000)"),
      Answers("100,000 values", "return 1..100000"),
      Answers("an answer of 15 MiB", "let a = @m return [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]",
              {{"@m", mib}}),
      FailsAfterWrites("an answer of 17 MiB",
                       "let a = @m return [a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a]", Code::kLimit,
                       "Result too large", {{"@m", mib}}),
      FailsAfterWrites("1 MiB in capitals 100 times", "for i in 1..100 do let t = upper(@m) end",
                       Code::kLimit, kMemory, {{"@m", mib}}),
      Answers("a needle that almost fits everywhere", "return index_of(@hay, @needle)",
              {{"@hay", std::string(700'000, 'a')}, {"@needle", std::string(350'000, 'a') + "b"}}),
      Answers("a separator that almost fits everywhere", "return count(split(@hay, @needle))",
              {{"@hay", std::string(700'000, 'a')}, {"@needle", std::string(350'000, 'a') + "b"}}),
  };
}

std::vector<HostileScript> EndlessLoops() {
  return {
      FailsAfterWrites("two loops", "for i in 1..100000 do for j in 1..1000 do let x = i end end",
                       Code::kLimit, kSteps),
      FailsAfterWrites("four loops",
                       "let r = 1..10000 for a in r do for b in r do for c in r do for d in r do "
                       "let x = 1 end end end end",
                       Code::kLimit, kSteps),
      FailsAfterWrites("a counter without end",
                       "let r = 1..100000 for i in r do for j in r do eset stray i end end",
                       Code::kLimit, kSteps),
      FailsAfterWrites("persistent writes without end",
                       "let r = 1..100000 for i in r do for j in r do set stray i end end",
                       Code::kLimit, kSteps),
  };
}

std::vector<HostileScript> EndlessWork() {
  return {
      FailsAfterWrites("comparisons of 1 MiB without end",
                       "let r = 1..100000 for i in r do for j in r do let x = @a == @b end end",
                       Code::kLimit, kSteps,
                       {{"@a", std::string(500'000, 'a')}, {"@b", std::string(500'000, 'a')}}),
      FailsAfterWrites("searches without end",
                       "for i in 1..100000 do let x = index_of(@a, \"b\") end", Code::kLimit,
                       kSteps, {{"@a", std::string(kMiB, 'a')}}),
  };
}

std::vector<HostileScript> Throws() {
  return {
      FailsAfterWrites("null", "throw null", Code::kThrown, "at line 1"),
      FailsAfterWrites("nothing", "throw ''", Code::kThrown, "at line 1"),
      FailsAfterWrites("1 MiB", "throw @m", Code::kThrown, "at line 1",
                       {{"@m", std::string(kMiB, 'm')}}),
      FailsAfterWrites("bytes that are no UTF-8", "throw @m", Code::kThrown, "\xFF\xFE at line 1",
                       {{"@m", "\xFF\xFE"}}),
      FailsAfterWrites("a zero byte", "throw \"\\0\"", Code::kThrown, "at line 1"),
      FailsAfterWrites("a range", "throw 1..10", Code::kRuntime, "at line 1"),
      FailsAfterWrites("more than an answer can hold",
                       "let s = @m let s = concat(s, s) let s = concat(s, s) let s = concat(s, s) "
                       "throw s",
                       Code::kThrown, "at line 1", {{"@m", std::string(kMiB, 'm')}}),
  };
}

std::vector<HostileScript> HugeParameters() {
  Parameters most;
  for (std::size_t i = 0; i < base::kParametersMax; ++i) most.emplace_back(std::to_string(i), "");
  Parameters same(50'000, {"@same", "last"});
  same.front().second = "first";
  HostileScript too_many =
      Fails("65,536 parameters", "return 1", Code::kMalformed, "more than 65535 parameters", most);
  too_many.parameters.emplace_back("x", "");
  too_many.line = 0;
  return {
      Answers("65,535 parameters", "return @65534", most),
      too_many,
      Answers("one name 50,000 times", "return @same", same),
      Answers("a name of 1 MiB", "return 1", {{std::string(kMiB, 'n'), "v"}}),
      Answers("a value above 1 MiB", "return length(@v)", {{"@v", std::string(kMiB + 1, 'v')}}),
      Fails("a missing parameter", "return @a", Code::kRuntime, "Undefined parameter: @a at line 1",
            {{"@b", "1"}}),
      Fails("an empty key", "eget @k", Code::kRuntime, "Invalid key: empty at line 1 (@k)",
            {{"@k", ""}}),
      Answers("a key of 1,024 bytes", "eget @k", {{"@k", std::string(1'024, 'k')}},
              ResultType::kDoesNotExist),
      Fails("a key of 1,025 bytes", "eget @k", Code::kRuntime,
            "Invalid key: 1025 bytes, at most 1024 at line 1 (@k)",
            {{"@k", std::string(1'025, 'k')}}),
      Answers("a key of bytes", "get @k", {{"@k", std::string("\0\xFF\n", 3)}},
              ResultType::kDoesNotExist),
  };
}

std::vector<HostileScript> StoreLimits() {
  const std::string mib(kMiB, 'x');
  return {
      FailsAfterWrites("a TTL of 2^63-1", "eset stray 1 ex 9223372036854775807", Code::kRuntime,
                       "Invalid SET EX expression"),
      FailsAfterWrites("a TTL of 2^63-1 as text", "set stray 1 ex @t", Code::kRuntime,
                       "Invalid SET EX expression", {{"@t", "9223372036854775807"}}),
      FailsAfterWrites("a TTL below zero", "eset stray 1 ex 0x8000000000000000", Code::kRuntime,
                       "Invalid SET EX expression"),
      FailsAfterWrites("an extension of 2^63-1", "eextend stray 9223372036854775807",
                       Code::kRuntime, "Invalid EXTEND expression"),
      Answers("a TTL of 292 million years", "eset far 1 ex 9223370000000000000 edelete far", {},
              ResultType::kDeleted),
      Answers("a value of 1 MiB", "eset large @v set large @v edelete large delete large",
              {{"@v", mib}}, ResultType::kDeleted),
      FailsAfterWrites("a value of 1 MiB and a byte", "set stray @v", Code::kLimit,
                       "Value too large: 1048577 bytes, at most 1048576 at line 1",
                       {{"@v", mib + "x"}}),
      FailsAfterWrites("a revision out of range", "get stray at 9223372036854775808", Code::kSyntax,
                       "at line 1"),
      FailsAfterWrites("a revision below zero", "eget stray at @r", Code::kRuntime,
                       "Invalid AT expression", {{"@r", "-9223372036854775808"}}),
      Answers("a comparison with 1 MiB", "eset none 1 cmp @v", {{"@v", mib}}, ResultType::kNotSet),
  };
}

std::vector<HostileScript> AllHostileScripts() {
  std::vector<HostileScript> all;
  for (auto group : {DeepScripts, HugeLiterals, ImpossibleSums, Bombs, EndlessWork, Throws,
                     HugeParameters, StoreLimits}) {
    std::vector<HostileScript> rows = group();
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  // In slices of one step each takes ten million turns; EndlessWork shows the limit too.
  if (base::IsHostile()) return all;
  for (HostileScript& row : EndlessLoops()) all.push_back(std::move(row));
  return all;
}

}  // namespace palena::server
