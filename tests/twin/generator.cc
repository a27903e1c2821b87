#include "twin/generator.h"

#include "base/limits.h"

namespace palena::twin {
namespace {

constexpr std::int64_t kAdvancesMs[] = {0, 0, 0, 0, 1, 1, 4, 5, 9, 10, 11, 49, 50, 51, 99, 1000};
constexpr const char* kNumbers[] = {"0",  "1",   "2",   "5", "10", "42", "-1", " 3 ",
                                    "+4", "2.5", "1e2", "7", "12", "3",  "100"};
constexpr const char* kOddNumbers[] = {"", "abc", "9223372036854775807", "1,5",
                                       "-9223372036854775808"};
constexpr const char* kWords[] = {"abc",  "word", "\u00e9t\u00e9", "x y", "a,b",
                                  "5",    "TRUE", "\U0001F680",    "",    "A/b",
                                  "\xFF", "null", "\u00df"};
constexpr const char* kTtls[] = {"10", "50", "100", "5", "1000", "0", " 20 ", "2e1"};
constexpr const char* kRevisions[] = {"0", "1", "2", "3", "0", "1", "4.0", "x"};

}  // namespace

Step Generator::Next(std::int64_t now_ms) {
  Step step;
  step.advance_ms = random_.Pick(kAdvancesMs);
  step.script = writer_.Write(now_ms + step.advance_ms);
  if (random_.Chance(2)) Break(step.script);
  step.parameters = WriteParameters();
  return step;
}

Parameters Generator::WriteParameters() {
  Parameters parameters;
  for (const char* name : kNumberParameters) {
    parameters[name] = random_.Chance(92) ? random_.Pick(kNumbers) : random_.Pick(kOddNumbers);
  }
  parameters["@w"] = random_.Pick(kWords);
  parameters["@v"] = random_.Pick(kWords);
  parameters["@e"] = "";
  parameters["@k"] = random_.Pick(kKeyNames);
  parameters["@ttl"] = random_.Chance(97) ? random_.Pick(kTtls) : "soon";
  parameters["@r"] = random_.Pick(kRevisions);
  if (random_.ChancePerMille(6)) parameters["@k"] = "";
  if (random_.ChancePerMille(2)) parameters["@k"] = std::string(base::kKeyBytesMax + 1, 'k');
  if (random_.Chance(4)) parameters.erase("@k");
  if (random_.Chance(4)) parameters.erase("@n");
  if (random_.Chance(4)) parameters.erase("@w");
  return parameters;
}

// One character more, less, or another: mostly a syntax error.
void Generator::Break(std::string& script) {
  static constexpr const char* kPieces[] = {";", "(", ")",  "end", "\"",
                                            "@", "]", "..", "%",   "then"};
  const std::size_t at = random_.Below(script.size());
  if (random_.Chance(50)) {
    script.erase(at, 1 + random_.Below(3));
  } else {
    script.insert(at, random_.Pick(kPieces));
  }
}

}  // namespace palena::twin
