#include "conformance/case.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <span>

namespace palena::conformance {
namespace {

using Json = nlohmann::json;

// The JSON library throws; its exceptions and these end in ParseCases.
struct BadCase {
  std::string message;
};

void RefuseUnknownFields(const Json& object, std::span<const std::string_view> known) {
  for (const auto& [field, unused] : object.items()) {
    if (std::find(known.begin(), known.end(), field) == known.end()) {
      throw BadCase{"unknown field \"" + field + "\""};
    }
  }
}

template <typename T>
std::optional<T> Optional(const Json& object, const char* field) {
  if (!object.contains(field)) return std::nullopt;
  return object.at(field).get<T>();
}

Expectation ParseExpectation(const Json& object) {
  static constexpr std::string_view kFields[] = {"type", "value", "values", "revision",
                                                 "reason_contains"};
  RefuseUnknownFields(object, kFields);
  return {.type = object.at("type").get<std::string>(),
          .value = Optional<std::string>(object, "value"),
          .values = Optional<std::vector<std::string>>(object, "values"),
          .revision = Optional<std::int64_t>(object, "revision"),
          .reason_contains = Optional<std::string>(object, "reason_contains")};
}

Step ParseStep(const Json& object) {
  static constexpr std::string_view kFields[] = {"script", "params", "sleep_ms", "expect"};
  RefuseUnknownFields(object, kFields);
  Step step{.sleep_ms = Optional<std::int64_t>(object, "sleep_ms").value_or(0),
            .script = object.at("script").get<std::string>(),
            .parameters = {},
            .expect = ParseExpectation(object.at("expect"))};
  if (object.contains("params")) {
    for (const auto& [name, value] : object.at("params").items()) {
      step.parameters.emplace_back(name, value.get<std::string>());
    }
  }
  return step;
}

Case ParseCase(const Json& object) {
  // `basis` and `differs_from_kahuna` tell where the expected answer comes from.
  static constexpr std::string_view kFields[] = {
      "id", "group", "store", "note", "basis", "differs_from_kahuna", "steps"};
  RefuseUnknownFields(object, kFields);
  if (const auto store = object.at("store").get<std::string>(); store != "fresh") {
    throw BadCase{"unknown store \"" + store + "\", \"fresh\" is the only one"};
  }
  Case a_case{.id = object.at("id").get<std::string>(),
              .group = object.at("group").get<std::string>(),
              .note = Optional<std::string>(object, "note").value_or(""),
              .steps = {}};
  for (const Json& step : object.at("steps")) a_case.steps.push_back(ParseStep(step));
  if (a_case.steps.empty()) throw BadCase{"no steps"};
  return a_case;
}

base::StatusOr<Case> ParseLine(std::string_view line, int number) {
  const auto bad = [&](std::string_view what) {
    return absl::InvalidArgumentError("case in line " + std::to_string(number) + ": " +
                                      std::string(what));
  };
  try {
    return ParseCase(Json::parse(line));
  } catch (const BadCase& error) {
    return bad(error.message);
  } catch (const Json::exception& error) {
    return bad(error.what());
  }
}

}  // namespace

base::StatusOr<std::vector<Case>> ParseCases(std::string_view jsonl) {
  std::vector<Case> cases;
  for (int number = 1; !jsonl.empty(); ++number) {
    const std::string_view line = jsonl.substr(0, jsonl.find('\n'));
    jsonl.remove_prefix(std::min(line.size() + 1, jsonl.size()));
    if (line.empty()) continue;
    PALENA_ASSIGN_OR_RETURN(Case a_case, ParseLine(line, number));
    cases.push_back(std::move(a_case));
  }
  return cases;
}

base::StatusOr<std::vector<Case>> LoadCases(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return absl::NotFoundError("cannot read the cases of " + path);
  return ParseCases(std::string(std::istreambuf_iterator<char>(file), {}));
}

}  // namespace palena::conformance
