#include "limits/calls.h"

#include <algorithm>

namespace palena::limits {

namespace {

const std::vector<std::string> kNoNumbers = {"",       " ",   "abc", "-1",
                                             "1.5",    "1e3", "0x5", "-9223372036854775808",
                                             "1 2",    "--1", "+",   "9223372036854775808",
                                             "1000 ms"};
const std::vector<std::string> kOwners = {"ada", "bob",  "a b", "a%20b", "a b%",
                                          "é",   "\xff", "7",   "eve"};
const std::vector<std::string> kWindows = {"1", "60", "700", "1000", "1200", "60000"};

}  // namespace

const std::map<std::string, std::vector<CallMaker::Choice>>& CallMaker::Choices() {
  static const std::string max = kInt64Max.str();
  static const std::vector<std::string> limits = {"0", "1", "2", "3", "5", "10", "10", "40"};
  static std::vector<std::string> many = limits;
  many.insert(many.end(), {"1000000", max});
  static std::vector<std::string> windows = kWindows;
  windows.insert(windows.end(), {"4000000000000000000", max});
  static const std::map<std::string, std::vector<Choice>> choices = {
      {"fixed_window", {{"limit", many}, {"window_ms", windows}}},
      {"first_hit_window", {{"limit", many}, {"window_ms", windows}}},
      {"sliding_window",
       {{"limit", many},
        {"window_ms", {"60", "1200", "1200", "60000", "6000000", "4000000000000000000"}},
        {"segments", {"1", "2", "3", "4", "5", "6", "10", "12", "20", "60", "7", "1000"}}}},
      {"sliding_log", {{"limit", limits}, {"window_ms", windows}}},
      {"token_bucket",
       {{"capacity", many},
        {"refill_tokens", {"0", "1", "1", "2", "3", "7", "10", "1000", max}},
        {"refill_ms",
         {"1", "3", "7", "1000", "1001", "60000", "86400000", "99999999999999977",
          "1300000000000000000"}}}},
      {"gcra",
       {{"max_burst", many},
        {"count", {"1", "1", "2", "3", "7", "10", "1000", "1000000"}},
        {"period_ms",
         {"1", "3", "7", "1000", "1001", "60000", "86400000", "99999999999999977",
          "1300000000000000000"}}}},
      {"concurrency_acquire", {{"limit", {"0", "1", "2", "3", "5", "100"}}, {"lease_ms", windows}}},
  };
  return choices;
}

CallMaker::CallMaker(const std::string& limiter, std::uint64_t seed)
    : limiter_(limiter), random_(seed) {}

std::string CallMaker::Cost() {
  if (random_.OneIn(8)) return "0";
  if (random_.OneIn(2)) return "1";
  if (random_.OneIn(20)) return random_.Of<std::string>({"101", "1000001", kInt64Max.str()});
  return std::to_string(1 + random_.Below(12));
}

Call CallMaker::Next() {
  Call call{limiter_, {{"key", "k"}}};
  for (const Choice& choice : Choices().at(limiter_)) {
    std::string& number = numbers_[choice.name];
    if (number.empty() || random_.OneIn(25)) number = random_.Of(choice.values);
    call.parameters.emplace_back(choice.name, number);
  }
  if (limiter_ == "concurrency_acquire") {
    if (random_.OneIn(3)) {
      call.script = random_.OneIn(2) ? "concurrency_renew" : "concurrency_release";
    }
    call.parameters.emplace_back("owner", random_.OneIn(10) ? "" : random_.Of(kOwners));
  } else {
    call.parameters.emplace_back("cost", Cost());
  }
  if (random_.OneIn(40)) Spoil(call);
  return call;
}

void CallMaker::Spoil(Call& call) {
  auto& [name, text] = call.parameters[random_.Below(call.parameters.size())];
  if (random_.OneIn(4)) {
    name = "other";
  } else if (name != "key" && name != "owner") {
    text = random_.Of(kNoNumbers);
  } else {
    text = "";
  }
}

std::int64_t CallMaker::NextPause(std::int64_t expires_in) {
  constexpr std::int64_t kPauseMax = 200'000'000;  // what a manual clock has room for, many times
  switch (random_.Below(8)) {
    case 0:
    case 1:
      return 0;
    case 2:
      return static_cast<std::int64_t>(random_.Below(5));
    case 3:
      return static_cast<std::int64_t>(random_.Below(200));
    case 4:
      return static_cast<std::int64_t>(random_.Below(2'000));
    case 5:
      return static_cast<std::int64_t>(random_.Below(70'000));
    case 6: {  // around its expiry
      const std::int64_t pause = expires_in - 1 + static_cast<std::int64_t>(random_.Below(3));
      return expires_in > 0 && pause <= kPauseMax && random_.OneIn(2) ? pause : 1;
    }
    default: {
      const std::int64_t half = std::min(expires_in, kPauseMax) / 2;
      return half;
    }
  }
}

}  // namespace palena::limits
