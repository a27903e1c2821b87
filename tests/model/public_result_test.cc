#include "model/public_result.h"

#include <gtest/gtest.h>

namespace palena::model {
namespace {

TEST(PublicResultTest, CarriesEveryFieldOver) {
  Result result;
  result.type = ResultType::kDeleted;
  result.truncated = true;
  result.line = 3;
  result.reason = "why";
  result.applied = Applied::kUnknown;
  result.stamp = {hlc::HybridTime{(std::uint64_t{5} << 16) | 6}, 7};
  const palena::Result shown = ToPublic(result);
  EXPECT_EQ(palena::ResultTypeName(shown.type), "deleted");
  EXPECT_TRUE(shown.truncated);
  EXPECT_EQ(shown.line, 3);
  EXPECT_EQ(shown.reason, "why");
  EXPECT_EQ(palena::AppliedName(shown.applied), "unknown");
  EXPECT_EQ(shown.stamp.ms, 5);
  EXPECT_EQ(shown.stamp.counter, 6);
  EXPECT_EQ(shown.stamp.node, 7);
}

TEST(PublicResultTest, ShowsIntegersAsTextAndNullAsNothing) {
  Result result;
  result.values.push_back({"k", false, Value::Integer(-5), 2, 10, 9});
  result.values.push_back({});
  const palena::Result shown = ToPublic(result);
  EXPECT_EQ(shown.values[0].key, "k");
  EXPECT_EQ(shown.values[0].value, "-5");
  EXPECT_EQ(shown.values[0].revision, 2);
  EXPECT_EQ(shown.values[0].expires_ms, 10);
  EXPECT_EQ(shown.values[0].last_modified_ms, 9);
  EXPECT_EQ(shown.values[1].value, std::nullopt);
  EXPECT_EQ(shown.text(), "-5");
}

TEST(PublicResultTest, TellsAnswersFromFailures) {
  EXPECT_TRUE(ToPublic(Result{}).ok());
  const palena::Result failed = ToPublic(Result::Failure({Code::kOutOfMemory, "no room", 0, {}}));
  EXPECT_FALSE(failed.ok());
  EXPECT_EQ(failed.code, "OUT_OF_MEMORY");
  EXPECT_EQ(failed.text(), "");
}

TEST(PublicStatusTest, KeepsCodeAndMessage) {
  EXPECT_TRUE(ToPublic(base::Ok()).ok());
  const palena::Status status = ToPublic(absl::DataLossError("broken file"));
  EXPECT_EQ(status.code(), palena::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "broken file");
  EXPECT_EQ(ToPublic(absl::AbortedError("x")).code(), palena::StatusCode::kInternal);
}

}  // namespace
}  // namespace palena::model
