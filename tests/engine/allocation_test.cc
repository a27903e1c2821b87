// What a run costs in allocations, once everything it needs has been made.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/allocation_count.h"
#include "engine/inline_engine.h"

namespace palena::engine {
namespace {

class AllocationTest : public testing::Test {
 protected:
  // Allocations of one more run of a script that has run a few times.
  std::size_t AllocationsOf(std::string_view script, std::vector<model::ParameterView> parameters) {
    const model::ProgramId program = node_.Prepare(script);
    for (int i = 0; i < 3; ++i) {
      node_.Run(program, parameters);
      node_.RunReady();
    }
    const std::size_t before = base::AllocationCount();
    node_.Run(program, parameters);
    return base::AllocationCount() - before;
  }

  InlineEngine node_;
};

TEST_F(AllocationTest, AWarmDecisionTakesNone) {
  EXPECT_EQ(AllocationsOf(FixedWindow(), {{"", 0, "rate-limit/api/user-42/1718391900"},
                                          {"", 1, "60000"},
                                          {"", 2, "1000000000"}}),
            0U);
}

TEST_F(AllocationTest, ADeniedDecisionTakesNone) {
  EXPECT_EQ(AllocationsOf(FixedWindow(), {{"", 0, "k"}, {"", 1, "60000"}, {"", 2, "1"}}), 0U);
}

TEST_F(AllocationTest, ParametersByNameTakeNone) {
  EXPECT_EQ(AllocationsOf(FixedWindow(), {{"counter_key", -1, "k"},
                                          {"@expires_ms", -1, "60000"},
                                          {"limit", -1, "1000000000"}}),
            0U);
}

TEST_F(AllocationTest, AnAnswerThatIsTooLongToLieInTheResultTakesSome) {
  const std::string text(100, 'x');
  EXPECT_GT(AllocationsOf("return @text", {{"", 0, text}}), 0U);
}

}  // namespace
}  // namespace palena::engine
