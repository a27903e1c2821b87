// What is deep is refused or fits a small stack; what is long and flat has no limit here.

#include <gtest/gtest.h>
#include <pthread.h>

#include <cstddef>
#include <functional>
#include <string>

#include "script/analyser.h"
#include "script/dump.h"
#include "script/parser.h"

namespace palena::script {
namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t kStackBytes = std::size_t{1} << 20;
#else
constexpr std::size_t kStackBytes = std::size_t{256} << 10;
#endif

// Runs `work` on a thread with a small stack and waits for it.
void OnSmallStack(std::function<void()> work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kStackBytes), 0);
  pthread_t thread;
  const auto run = [](void* argument) -> void* {
    (*static_cast<std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, &work), 0);
  EXPECT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

std::string Repeat(std::string_view text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

// Lex, parse, analyse and dump; how it ended.
model::ScriptError Read(const std::string& source) {
  auto tree = Parse(source);
  if (!tree.ok()) return tree.error();
  const auto analysis = Analyse(*tree);
  if (!analysis.ok()) return analysis.error();
  DumpTree(*tree);
  return {model::Code::kNone, "", 0, ""};
}

// A script of the shape prefix^n middle suffix^n.
struct Nest {
  const char* name;
  const char* head;
  const char* prefix;
  const char* middle;
  const char* suffix;
  int levels_of_each = 1;
};

constexpr Nest kNests[] = {
    {"parentheses", "return ", "(", "1", ")"},
    {"sums", "return ", "(1 + ", "1", ")"},
    {"left_sums", "return ", "(", "1", " + 1)"},
    {"signs", "return ", "- ", "1", ""},
    {"bangs", "return ", "!", "true", ""},
    {"nots", "return ", "not ", "found", ""},
    {"arrays", "return ", "[", "1", "]"},
    {"calls", "return ", "abs(", "1", ")"},
    {"indexes", "return a", "[0]", "", ""},
    {"inner_indexes", "return ", "a[", "0", "]"},
    {"ifs", "", "if true then ", "return ", "end "},
    {"elses", "", "if true then return else ", "return ", "end "},
    {"loops", "", "for i in a do ", "return ", "end "},
    {"begins", "", "begin ", "commit ", "end "},
    {"all_levels", "return ", "(a..b||c&&d==e<f+g*", "1", ")", 7},
    {"all_left_levels", "return ", "(", "1", "*a+b<c==d&&e||f..g)", 7},
    {"mixed", "return ", "(1 + f(-[!a[1 * ", "1", "]]))", 7},
};

class NestingTest : public testing::TestWithParam<Nest> {
 protected:
  static std::string Source(int levels) {
    const Nest& nest = GetParam();
    const int times = levels / nest.levels_of_each;
    return nest.head + Repeat(nest.prefix, times) + nest.middle + Repeat(nest.suffix, times);
  }
};

TEST_P(NestingTest, ModestDepthIsFine) {
  OnSmallStack([] {
    for (const int levels : {10, 100, 250}) {
      EXPECT_NE(Read(Source(levels)).code, model::Code::kLimit) << levels;
    }
  });
}

TEST_P(NestingTest, ExcessiveDepthIsRefused) {
  OnSmallStack([] {
    for (const int levels : {1000, 10'000, 100'000, 1'000'000}) {
      const model::ScriptError error = Read(Source(levels));
      EXPECT_EQ(error.code, model::Code::kLimit) << levels << error.message;
      EXPECT_EQ(error.ToReason(), "Nesting too deep: more than 256 levels at line 1");
    }
  });
}

TEST_P(NestingTest, UnfinishedDepthIsRefusedToo) {
  OnSmallStack([] {
    const Nest& nest = GetParam();
    EXPECT_NE(Read(nest.head + Repeat(nest.prefix, 1'000'000)).code, model::Code::kNone);
  });
}

INSTANTIATE_TEST_SUITE_P(Shapes, NestingTest, testing::ValuesIn(kNests),
                         [](const auto& nest) { return std::string(nest.param.name); });

TEST(NestingLimitTest, IsExactly256) {
  EXPECT_EQ(Read("return " + Repeat("(", 256) + "1" + Repeat(")", 256)).code, model::Code::kNone);
  EXPECT_EQ(Read("return " + Repeat("(", 257) + "1" + Repeat(")", 257)).code, model::Code::kLimit);
  EXPECT_EQ(Read(Repeat("if a then ", 256) + "return " + Repeat("end ", 256)).code,
            model::Code::kNone);
  EXPECT_EQ(Read(Repeat("if a then ", 257) + "return " + Repeat("end ", 257)).code,
            model::Code::kLimit);
}

TEST(NestingLimitTest, CountsBlocksAndExpressionsTogether) {
  const std::string blocks = Repeat("if a then ", 200);
  EXPECT_EQ(Read(blocks + "return " + Repeat("-", 56) + "1 " + Repeat("end ", 200)).code,
            model::Code::kNone);
  EXPECT_EQ(Read(blocks + "return " + Repeat("-", 57) + "1 " + Repeat("end ", 200)).code,
            model::Code::kLimit);
}

TEST(NestingLimitTest, LeavesWhatStandsSideBySide) {
  EXPECT_EQ(Read("return " + Repeat("((1)) + ", 1000) + "1").code, model::Code::kNone);
  EXPECT_EQ(Read(Repeat("if a then return -(1) end ", 1000)).code, model::Code::kNone);
  EXPECT_EQ(Read("return [" + Repeat("-a[0][0], ", 1000) + "1]").code, model::Code::kNone);
}

TEST(NestingLimitTest, BoundsTheTreeWhateverItIsMadeOf) {
  const auto tree = Parse("return " + Repeat("(", 36) + "1" + Repeat("*a+b<c==d&&e||f..g)", 36));
  ASSERT_TRUE(tree.ok());
  const auto deeper = Parse("return " + Repeat("(", 37) + "1" + Repeat("*a+b<c==d&&e||f..g)", 37));
  ASSERT_FALSE(deeper.ok());
  EXPECT_EQ(deeper.error().code, model::Code::kLimit);
}

TEST(FlatScriptTest, OperatorChainsHaveNoLimit) {
  OnSmallStack([] {
    const auto tree = Parse("return 1" + Repeat(" + 1", 500'000));
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(tree->expr(tree->stmt(0).expr).children.size(), 500'001U);
  });
}

TEST(FlatScriptTest, StatementListsHaveNoLimit) {
  OnSmallStack([] {
    const auto tree = Parse(Repeat("get k\n", 200'000));
    ASSERT_TRUE(tree.ok());
    EXPECT_EQ(tree->top.size(), 200'000U);
    EXPECT_EQ(tree->stmt(tree->top.back()).line, 200'000);
  });
}

TEST(FlatScriptTest, LargestScriptsAreRead) {
  OnSmallStack([] {
    const std::string statements = Repeat("set a 1 ", 65'536 / 8);
    const std::string operands = "return 1" + Repeat("*2+3", 16'000);
    const std::string elements = "return [1" + Repeat(",1", 32'000) + "]";
    for (const std::string& source : {statements, operands, elements}) {
      EXPECT_EQ(Read(source).code, model::Code::kNone);
    }
  });
}

}  // namespace
}  // namespace palena::script
