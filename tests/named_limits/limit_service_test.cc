#include "limits/limit_service.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/temp_dir.h"
#include "named_limits/inline_limits.h"

namespace palena::limits {
namespace {

using model::Applied;
using model::Code;
using model::TakeAnswer;
using model::TakeFault;
using model::TakeMode;
using model::TakeRecord;

constexpr const char* kFile = R"(
[limits.second]
limiter   = "fixed_window"
key       = "second:{subject}"
limit     = 3
window_ms = 1000
[limits.day]
limiter   = "fixed_window"
key       = "day:{subject}"
limit     = 10
window_ms = 86400000
[limits.tenant]
limiter       = "token_bucket"
key           = "tenant:{tenant}"
capacity      = 20
refill_tokens = 1
refill_ms     = 1000
[limits.slots]
limiter  = "concurrency"
key      = "slots:{subject}"
limit    = 2
lease_ms = 5000
[limits.trying]
limiter   = "fixed_window"
key       = "trying:{subject}"
limit     = 1
window_ms = 1000
shadow    = true
[limits.open]
limiter   = "fixed_window"
key       = "open:{subject}"
limit     = 5
window_ms = 1000
on_error  = "allow"
[limits.paid]
limiter    = "fixed_window"
key        = "paid:{subject}"
limit      = 5
window_ms  = 1000
durability = "persistent"
)";

OwnWish Of(const std::string& limit, const std::string& subject, std::int64_t cost = 1) {
  return {limit, {{limit == "tenant" ? "tenant" : "subject", subject}}, cost, ""};
}
OwnWish Lease(const std::string& owner) {
  return {"slots", {{"subject", "anna"}}, 1, owner};
}

// "allowed limit remaining retry_after_ms" of a record, for short.
std::string Numbers(const TakeRecord& record) {
  return std::to_string(record.is_allowed ? 1 : 0) + " " + std::to_string(record.quota) + " " +
         std::to_string(record.remaining) + " " + std::to_string(record.retry_after_ms);
}
std::string Numbers(const TakeAnswer& answer) {
  std::string numbers;
  for (const TakeRecord& record : answer.records) {
    numbers += (numbers.empty() ? "" : "; ") + Numbers(record);
  }
  return numbers;
}

class LimitServiceTest : public testing::Test {
 protected:
  InlineLimits limits_{kFile};
};

TEST_F(LimitServiceTest, TakesUntilNothingIsLeftAndSaysWhenThereIsMore) {
  EXPECT_EQ(Numbers(limits_.Take(Of("second", "anna"))), "1 3 2 0");
  EXPECT_EQ(Numbers(limits_.Take(Of("second", "anna", 2))), "1 3 0 0");
  limits_.clock().AdvanceMs(300);
  const TakeAnswer refused = limits_.Take(Of("second", "anna"));
  EXPECT_FALSE(refused.is_allowed);
  EXPECT_EQ(refused.applied, Applied::kNo);
  EXPECT_EQ(Numbers(refused), "0 3 0 700");
  EXPECT_EQ(refused.retry_after_ms, 700);
  EXPECT_EQ(refused.records[0].reset_at_ms, limits_.now_ms() + 700);
  EXPECT_EQ(refused.records[0].window_ms, 1'000);
  EXPECT_EQ(Numbers(limits_.Take(Of("second", "bert"))), "1 3 2 0");
  limits_.clock().AdvanceMs(700);
  EXPECT_EQ(Numbers(limits_.Take(Of("second", "anna"))), "1 3 2 0");
}

TEST_F(LimitServiceTest, PeeksWithoutCharging) {
  limits_.Take(Of("second", "anna"));
  EXPECT_EQ(Numbers(limits_.Peek(Of("second", "anna"))), "1 3 2 0");
  EXPECT_EQ(Numbers(limits_.Take(Of("second", "anna", 0))), "1 3 2 0");
  EXPECT_EQ(Numbers(limits_.Peek(Of("second", "anna", 2))), "1 3 2 0");
  EXPECT_EQ(Numbers(limits_.Peek(Of("second", "anna", 3))), "0 3 2 1000");
  EXPECT_EQ(Numbers(limits_.Peek(Of("second", "anna", 4))), "0 3 2 -1");
  EXPECT_EQ(Numbers(limits_.Peek(Of("second", "anna"))), "1 3 2 0");
  EXPECT_EQ(limits_.Peek(Of("second", "anna", 2)).applied, Applied::kNo);
}

TEST_F(LimitServiceTest, TakesSeveralTogether) {
  const TakeAnswer answer =
      limits_.Take({Of("second", "anna", 2), Of("day", "anna"), Of("tenant", "acme", 5)});
  EXPECT_TRUE(answer.is_allowed);
  EXPECT_EQ(answer.applied, Applied::kYes);
  EXPECT_EQ(Numbers(answer), "1 3 1 0; 1 10 9 0; 1 20 15 0");
  EXPECT_EQ(answer.records[1].limit, "day");
}

TEST_F(LimitServiceTest, ChargesNothingWhenOneOfSeveralRefuses) {
  limits_.Take(Of("second", "anna", 2));
  const TakeAnswer answer =
      limits_.Take({Of("day", "anna", 4), Of("second", "anna", 2), Of("tenant", "acme", 5)});
  EXPECT_FALSE(answer.is_allowed);
  EXPECT_EQ(answer.applied, Applied::kNo);
  EXPECT_EQ(Numbers(answer), "1 10 10 0; 0 3 1 1000; 1 20 20 0") << "peeks, for the asked costs";
  EXPECT_EQ(answer.retry_after_ms, 1'000);
  EXPECT_EQ(Numbers(limits_.Peek(Of("day", "anna"))), "1 10 10 0");
  EXPECT_EQ(Numbers(limits_.Peek(Of("tenant", "acme"))), "1 20 20 0");
}

TEST_F(LimitServiceTest, WaitsForTheSlowestAndSaysNeverWhenOneNeverFits) {
  limits_.Take(Of("second", "anna", 3));
  limits_.Take(Of("tenant", "acme", 20));
  EXPECT_EQ(limits_.Take({Of("second", "anna"), Of("tenant", "acme", 5)}).retry_after_ms, 5'000);
  EXPECT_EQ(limits_.Take({Of("day", "anna", 11), Of("tenant", "acme", 5)}).retry_after_ms,
            model::kNeverFits);
}

TEST_F(LimitServiceTest, RefusesWhatCannotBeAsked) {
  const auto reason = [&](const std::vector<OwnWish>& wishes, TakeMode mode = TakeMode::kTake) {
    const TakeAnswer answer = limits_.Call(mode, wishes);
    EXPECT_EQ(answer.fault, TakeFault::kBadRequest);
    EXPECT_FALSE(answer.is_allowed);
    return answer.reason;
  };
  EXPECT_EQ(reason({}), "No limit is named; name at least one");
  EXPECT_EQ(reason(std::vector<OwnWish>(17, Of("day", "anna"))),
            "Too many limits in one call: 17, at most 16");
  EXPECT_EQ(reason({Of("day", "anna", -1)}), "Limit day: the cost is -1, below 0");
  EXPECT_EQ(reason({{"day", {}, 1, ""}}),
            "Limit day: the part \"subject\" is missing; the key is day:{subject}");
  EXPECT_EQ(reason({Of("day", "anna"), Of("day", "anna", 2)}),
            "Limit day: it is named twice for the same caller; add the costs up");
  EXPECT_EQ(reason({{"day", {{"subject", "anna"}}, 1, "me"}}),
            "Limit day: it has no leases, so leave the owner out");
  EXPECT_EQ(reason({Of("day", "anna")}, TakeMode::kRenew),
            "Limit day: it has no leases to renew or release");
  EXPECT_EQ(reason({Lease("")}), "Limit slots: say whose lease: name the owner");
  EXPECT_EQ(reason({{"slots", {{"subject", "anna"}}, 2, "me"}}),
            "Limit slots: a lease costs 1; take one for each owner");
  EXPECT_EQ(limits_.Counts("day").errors, 0U);
}

TEST_F(LimitServiceTest, NamesALimitThatIsNotThere) {
  const TakeAnswer answer = limits_.Take(Of("night", "anna"));
  EXPECT_EQ(answer.fault, TakeFault::kUnknownLimit);
  EXPECT_EQ(answer.reason,
            "There is no limit \"night\"; `palena limits list` shows those that there are");
}

TEST_F(LimitServiceTest, LendsRenewsAndTakesBackLeases) {
  EXPECT_EQ(Numbers(limits_.Take(Lease("a"))), "1 2 1 0");
  EXPECT_EQ(Numbers(limits_.Take(Lease("b"))), "1 2 0 0");
  EXPECT_EQ(Numbers(limits_.Take(Lease("c"))), "0 2 0 5000");
  EXPECT_EQ(Numbers(limits_.Peek({"slots", {{"subject", "anna"}}, 1, "a"})), "1 2 0 0");
  limits_.clock().AdvanceMs(4'000);
  EXPECT_TRUE(limits_.Call(TakeMode::kRenew, {Lease("a")}).is_allowed);
  EXPECT_FALSE(limits_.Call(TakeMode::kRenew, {Lease("c")}).is_allowed);
  const TakeAnswer both =
      limits_.Call(TakeMode::kRelease, {Lease("b"), {"slots", {{"subject", "bert"}}, 1, "x"}});
  EXPECT_FALSE(both.is_allowed);
  EXPECT_TRUE(both.records[0].is_allowed) << "each for itself";
  EXPECT_FALSE(both.records[1].is_allowed);
  EXPECT_EQ(Numbers(limits_.Take(Lease("c"))), "1 2 0 0");
}

TEST_F(LimitServiceTest, AllowsWhatOnlyAShadowLimitRefuses) {
  EXPECT_FALSE(limits_.Take(Of("trying", "anna")).records[0].is_shadow_refused);
  const TakeAnswer alone = limits_.Take(Of("trying", "anna"));
  EXPECT_TRUE(alone.is_allowed);
  EXPECT_TRUE(alone.records[0].is_shadow_refused);
  EXPECT_EQ(Numbers(alone), "1 1 0 0");
  const TakeAnswer both = limits_.Take({Of("trying", "anna"), Of("day", "anna")});
  EXPECT_TRUE(both.is_allowed);
  EXPECT_EQ(Numbers(both), "1 1 0 0; 1 10 9 0");
  EXPECT_EQ(limits_.Counts("trying").allowed, 1U);
  EXPECT_EQ(limits_.Counts("trying").shadow_denied, 2U);
  EXPECT_EQ(limits_.Counts("trying").denied, 0U);
}

TEST_F(LimitServiceTest, ChargesNoShadowLimitWhenTheCallIsRefused) {
  EXPECT_FALSE(limits_.Take({Of("trying", "anna"), Of("day", "anna", 11)}).is_allowed);
  EXPECT_EQ(Numbers(limits_.Peek(Of("trying", "anna"))), "1 1 1 0");
}

TEST_F(LimitServiceTest, LetsNoBrokenShadowLimitStandInTheWay) {
  limits_.Run("eset `trying:anna` \"garbage\"");
  const TakeAnswer both = limits_.Take({Of("day", "anna"), Of("trying", "anna")});
  EXPECT_EQ(both.fault, TakeFault::kNone);
  EXPECT_TRUE(both.is_allowed);
  EXPECT_EQ(Numbers(both), "1 10 9 0; 1 1 0 0");
  EXPECT_EQ(limits_.Counts("trying").errors, 1U);
  EXPECT_EQ(limits_.Counts("day").errors, 0U);
  const TakeAnswer alone = limits_.Take(Of("trying", "anna"));
  EXPECT_EQ(alone.fault, TakeFault::kUndecided);
  EXPECT_TRUE(alone.is_allowed);
}

TEST_F(LimitServiceTest, AnswersAsOnErrorSaysWhenTheStateIsNone) {
  limits_.Run("eset `day:anna` \"garbage\"");
  limits_.Run("eset `open:anna` \"garbage\"");
  const TakeAnswer denied = limits_.Take(Of("day", "anna"));
  EXPECT_EQ(denied.fault, TakeFault::kUndecided);
  EXPECT_NE(denied.code, Code::kNone);
  EXPECT_FALSE(denied.is_allowed);
  EXPECT_EQ(denied.retry_after_ms, kUndecidedRetryMs);
  EXPECT_THAT(denied.reason, testing::StartsWith("Limit day: "));
  const TakeAnswer allowed = limits_.Take(Of("open", "anna"));
  EXPECT_EQ(allowed.fault, TakeFault::kUndecided);
  EXPECT_TRUE(allowed.is_allowed);
  EXPECT_EQ(allowed.retry_after_ms, 0);
  EXPECT_FALSE(limits_.Take({Of("open", "anna"), Of("day", "bert")}).is_allowed)
      << "one of them says deny";
  EXPECT_EQ(limits_.Counts("open").errors, 2U);
  EXPECT_EQ(limits_.Run("eget `day:anna`").values[0].value.bytes, "garbage");
}

TEST(LimitServiceMemoryTest, AnswersAsOnErrorSaysWhenMemoryIsFull) {
  InlineLimits limits(kFile, std::size_t{1} << 20);
  for (int i = 0; i < 4'000; ++i) {
    limits.Run("eset `filler:" + std::to_string(i) + "` \"" + std::string(2'000, 'x') + "\"");
  }
  const auto ask = [&](const char* limit) {
    TakeAnswer answer;
    for (int i = 0; i < 64 && answer.code == Code::kNone; ++i) {
      answer = limits.Take(Of(limit, "somebody " + std::to_string(i) + std::string(900, '.')));
    }
    return answer;
  };
  EXPECT_EQ(ask("open").code, Code::kOutOfMemory);
  EXPECT_TRUE(ask("open").is_allowed);
  EXPECT_EQ(ask("day").code, Code::kOutOfMemory);
  EXPECT_FALSE(ask("day").is_allowed);
}

// What this call said is its caller's to mend, not the node's failure.
TEST(LimitServiceOwnTest, BlamesTheCallerForACostThatTheScriptRefuses) {
  const base::TempDir folder;
  std::ofstream(folder / "choosy.pal")
      << "if to_int(@cost) > 5 then throw concat(\"@cost must be at most 5: \", @cost) end\n"
         "eget @key\nreturn [1, 9, 9, 0, hlc()]\n";
  InlineLimits limits("limiters = \"" + folder.path() +
                      "\"\n[limits.choosy]\nlimiter = \"choosy\"\nkey = \"c\"\non_error = "
                      "\"allow\"\n[limits.day]\nlimiter = \"fixed_window\"\nkey = \"day\"\nlimit = "
                      "10\nwindow_ms = 1000\n");
  for (const std::vector<OwnWish>& wishes :
       {std::vector<OwnWish>{{"choosy", {}, 6, ""}},
        std::vector<OwnWish>{{"day", {}, 1, ""}, {"choosy", {}, 6, ""}}}) {
    const TakeAnswer answer = limits.Take(wishes);
    EXPECT_EQ(answer.fault, TakeFault::kBadRequest);
    EXPECT_FALSE(answer.is_allowed);
    EXPECT_EQ(answer.reason, "Limit choosy: @cost must be at most 5: 6 at line 1");
    EXPECT_EQ(answer.line, 1);
  }
  EXPECT_EQ(limits.Counts("choosy").errors, 0U);
}

TEST_F(LimitServiceTest, KeepsPersistentLimitsOnPersistentKeys) {
  limits_.Take(Of("paid", "anna", 2));
  limits_.Take(Of("open", "anna", 2));
  EXPECT_EQ(limits_.Run("get `paid:anna`").type, model::ResultType::kGet);
  EXPECT_EQ(limits_.Run("eget `paid:anna`").type, model::ResultType::kDoesNotExist);
  EXPECT_EQ(limits_.Run("eget `open:anna`").type, model::ResultType::kGet);
  EXPECT_EQ(limits_.Run("get `open:anna`").type, model::ResultType::kDoesNotExist);
}

TEST_F(LimitServiceTest, ForgetsWhatWasUsedAfterAReset) {
  for (const char* const limit : {"second", "paid"}) {
    limits_.Take(Of(limit, "anna", 3));
    EXPECT_EQ(limits_.Reset(Of(limit, "anna")).type, model::ResultType::kDeleted);
    EXPECT_EQ(limits_.Reset(Of(limit, "anna")).type, model::ResultType::kDoesNotExist);
    EXPECT_TRUE(limits_.Take(Of(limit, "anna", 3)).is_allowed);
  }
  EXPECT_EQ(limits_.Reset(Of("night", "anna")).code, Code::kMalformed);
  EXPECT_EQ(limits_.Reset({"day", {}, 1, ""}).code, Code::kMalformed);
}

TEST_F(LimitServiceTest, KeepsWhatWasUsedOverAReload) {
  limits_.Take(Of("day", "anna", 4));
  limits_.Use(
      "[limits.day]\nlimiter = \"fixed_window\"\nkey = \"day:{subject}\"\nlimit = 6\n"
      "window_ms = 86400000\n");
  EXPECT_EQ(Numbers(limits_.Peek(Of("day", "anna"))), "1 6 2 0");
  EXPECT_EQ(limits_.Take(Of("second", "anna")).fault, TakeFault::kUnknownLimit);
  EXPECT_EQ(limits_.Counts("day").allowed, 1U) << "counts go on too";
}

TEST_F(LimitServiceTest, CountsEveryTakeOnceAndNoPeek) {
  for (int i = 0; i < 5; ++i) limits_.Take(Of("second", "anna"));
  limits_.Peek(Of("second", "anna"));
  limits_.Take(Of("second", "anna", 0));
  limits_.Take({Of("second", "anna"), Of("day", "anna")});
  const LimitCounts second = limits_.Counts("second");
  EXPECT_EQ(second.allowed, 3U);
  EXPECT_EQ(second.denied, 3U);
  EXPECT_EQ(second.errors, 0U);
  EXPECT_EQ(limits_.Counts("day").allowed, 0U) << "it would have allowed a call that was refused";
  EXPECT_EQ(limits_.Counts("day").denied, 0U);
}

TEST_F(LimitServiceTest, TellsWhoIsRefusedMost) {
  for (int i = 0; i < 13; ++i) limits_.Take(Of("second", "greedy"));
  for (int i = 0; i < 5; ++i) limits_.Take(Of("second", "eager"));
  const std::vector<RefusedSubject> refused = limits_.Report().refused;
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[0].subject, "greedy");
  EXPECT_EQ(refused[0].limit, "second");
  EXPECT_EQ(refused[0].refused, 10U);
  EXPECT_EQ(refused[0].over_by, 0U);
  EXPECT_EQ(refused[1].refused, 2U);
}

}  // namespace
}  // namespace palena::limits
