// The options of `begin (…)`: what is refused when compiling, what in a run, and what they come to.

#include "script/transaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "script/program.h"

namespace palena::script {
namespace {

using testing::StartsWith;
using Locking = TransactionOptions::Locking;
using Priority = TransactionOptions::Priority;

// What is wrong with the block's options whatever the parameters are; empty for nothing.
std::string Refusal(const std::string& options) {
  const auto program = Compile("begin (" + options + ")\n commit end");
  if (program.ok()) return "";
  EXPECT_EQ(program.error().code, model::Code::kRuntime);
  return program.error().ToReason();
}

model::ScriptOr<TransactionOptions> Resolve(
    const std::string& options, std::vector<std::optional<std::string_view>> parameters = {}) {
  const auto program = Compile("begin (" + options + ")\n commit end");
  EXPECT_TRUE(program.ok()) << options;
  return ResolveTransaction(**program, parameters);
}

// What is wrong with the options when their parameter @p is `value`.
std::string RefusalOf(const std::string& options, std::optional<std::string_view> value) {
  const auto resolved = Resolve(options, {value});
  return resolved.ok() ? "" : resolved.error().ToReason();
}

TEST(TransactionTest, PlainScriptIsNone) {
  const auto program = Compile("return 1");
  EXPECT_FALSE((*program)->is_transaction());
  EXPECT_TRUE(ResolveTransaction(**program, {})->auto_commit);
}

TEST(TransactionTest, HasDefaults) {
  const auto program = Compile("begin commit end");
  EXPECT_TRUE((*program)->is_transaction());
  const TransactionOptions options = *ResolveTransaction(**program, {});
  EXPECT_EQ(options.locking, Locking::kPessimistic);
  EXPECT_FALSE(options.auto_commit || options.async_release);
  EXPECT_EQ(options.timeout_ms, 0);
  EXPECT_EQ(options.admission_wait_ms, 5000);
  EXPECT_EQ(options.snapshot_ms, 0);
  EXPECT_EQ(options.priority, Priority::kNormal);
  EXPECT_FALSE(options.validates_reads || options.is_decision_durable);
}

TEST(TransactionTest, TakesEveryOption) {
  const TransactionOptions options = *Resolve(
      "locking=optimistic, autoCommit=yes, asyncRelease='true', timeout=250, admissionWait=0, "
      "priority='critical', readValidation=trackAndValidate, decisionDurability=durable");
  EXPECT_EQ(options.locking, Locking::kOptimistic);
  EXPECT_TRUE(options.auto_commit && options.async_release);
  EXPECT_EQ(options.timeout_ms, 250);
  EXPECT_EQ(options.admission_wait_ms, 0);
  EXPECT_EQ(options.priority, Priority::kCritical);
  EXPECT_TRUE(options.validates_reads && options.is_decision_durable);
}

TEST(TransactionTest, TakesTheOtherWords) {
  const TransactionOptions options = *Resolve(
      "locking='pessimistic', autoCommit=no, asyncRelease=false, priority=background, "
      "readValidation=none, decisionDurability='bestEffort', snapshot=0x10");
  EXPECT_EQ(options.priority, Priority::kBackground);
  EXPECT_FALSE(options.auto_commit || options.validates_reads || options.is_decision_durable);
  EXPECT_EQ(options.snapshot_ms, 16);
}

TEST(TransactionTest, ClampsTheTimeout) {
  EXPECT_EQ(Resolve("timeout=300001")->timeout_ms, 300'000);
  EXPECT_EQ(Resolve("timeout=9223372036854775807")->timeout_ms, 300'000);
}

TEST(TransactionTest, RefusesUnknownAndRepeatedNames) {
  EXPECT_EQ(Refusal("timeout=5,\n weight=1"), "Unknown BEGIN option: weight at line 2");
  EXPECT_EQ(Refusal("Locking=optimistic"), "Unknown BEGIN option: Locking at line 1");
  EXPECT_EQ(Refusal("timeout=5, timeout=5"),
            "Invalid BEGIN option: timeout is given twice at line 1");
  EXPECT_EQ(Refusal("timeout=@p, timeout=@p"),
            "Invalid BEGIN option: timeout is given twice at line 1");
}

TEST(TransactionTest, RefusesBadWords) {
  EXPECT_EQ(Refusal("locking=Optimistic"), "Unsupported locking option: Optimistic at line 1");
  EXPECT_EQ(Refusal("autoCommit='maybe'"), "Unsupported autoCommit option: maybe at line 1");
  EXPECT_EQ(Refusal("asyncRelease=1"), "Unsupported asyncRelease option: 1 at line 1");
  EXPECT_EQ(Refusal("priority=urgent"), "Unsupported priority option: urgent at line 1");
  EXPECT_EQ(Refusal("readValidation=all"), "Unsupported readValidation option: all at line 1");
  EXPECT_EQ(Refusal("decisionDurability=1"), "Unsupported decisionDurability option: 1 at line 1");
}

TEST(TransactionTest, RefusesBadNumbers) {
  EXPECT_EQ(Refusal("timeout=0"), "Invalid timeout option: 0 at line 1");
  EXPECT_EQ(Refusal("timeout='-1'"), "Invalid timeout option: -1 at line 1");
  EXPECT_EQ(Refusal("timeout=1.5"), "Invalid timeout option: 1.5 at line 1");
  EXPECT_EQ(Refusal("timeout=soon"), "Invalid timeout option: soon at line 1");
  EXPECT_EQ(Refusal("admissionWait=30001"), "Invalid admissionWait option: 30001 at line 1");
  EXPECT_EQ(Refusal("admissionWait=30000"), "");
  EXPECT_THAT(Refusal("snapshot=0"), StartsWith("snapshot must be a non-zero"));
  EXPECT_THAT(Refusal("snapshot='-5'"), StartsWith("snapshot must be a non-zero"));
  EXPECT_THAT(Refusal("snapshot=''"), StartsWith("snapshot must be a non-zero"));
}

TEST(TransactionTest, RefusesToValidateASnapshot) {
  const std::string reason = "Invalid BEGIN option: readValidation and snapshot exclude each other";
  EXPECT_THAT(Refusal("readValidation=trackAndValidate, snapshot=5"), StartsWith(reason));
  EXPECT_THAT(Refusal("snapshot=5, readValidation=trackAndValidate"), StartsWith(reason));
  EXPECT_EQ(Refusal("snapshot=5, readValidation=none"), "");
  EXPECT_THAT(RefusalOf("snapshot=@p, readValidation=trackAndValidate", "5"), StartsWith(reason));
}

TEST(TransactionTest, ResolvesParameters) {
  const TransactionOptions options =
      *Resolve("timeout=@t, locking=@l, snapshot=@s", {" 70 ", "optimistic", "1e3"});
  EXPECT_EQ(options.timeout_ms, 70);
  EXPECT_EQ(options.locking, Locking::kOptimistic);
  EXPECT_EQ(options.snapshot_ms, 1000);
}

TEST(TransactionTest, NamesTheParameterAtFault) {
  EXPECT_EQ(RefusalOf("timeout=@p", "0"), "Invalid timeout option: 0 at line 1 (@p)");
  EXPECT_EQ(RefusalOf("autoCommit=no,\nlocking=@p", ""),
            "Unsupported locking option:  at line 2 (@p)");
  EXPECT_EQ(RefusalOf("\nsnapshot=@p", std::nullopt), "Undefined parameter: @p at line 2");
}

TEST(TransactionTest, CommitsAtItsEndWhenAutoCommitSaysSo) {
  const auto commits = [](const std::string& script, std::optional<std::string_view> value) {
    const std::vector<std::optional<std::string_view>> parameters{value};
    return CommitsAtItsEnd(**Compile(script), parameters);
  };
  EXPECT_TRUE(commits("return @p", ""));
  EXPECT_FALSE(commits("begin return @p end", ""));
  EXPECT_TRUE(commits("begin (autoCommit=true) return @p end", ""));
  EXPECT_TRUE(commits("begin (autoCommit=@p) return 1 end", "yes"));
  EXPECT_FALSE(commits("begin (autoCommit=@p) return 1 end", "no"));
}

}  // namespace
}  // namespace palena::script
