#include "engine/run_keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/hostile.h"
#include "base/limits.h"

namespace palena::engine {
namespace {

using testing::HasSubstr;

class RunKeysTest : public testing::Test {
 protected:
  std::optional<model::ScriptError> Resolve(
      std::string_view script, const std::vector<std::optional<std::string_view>>& parameters) {
    auto program = script::Compile(script);
    EXPECT_TRUE(program.ok());
    program_ = *program;
    keys_.Clear();
    return keys_.Resolve(*program_, parameters, hash_);
  }

  base::KeyedHash hash_{base::KeyedHash::Secret{}};
  std::shared_ptr<const script::Program> program_;
  RunKeys keys_{base::TestCapacities()};
};

TEST_F(RunKeysTest, EachKeyOnceHoweverItIsNamed) {
  ASSERT_FALSE(Resolve("eget k\neget @a\neget @b", {"k", "other"}).has_value());
  EXPECT_EQ(keys_.keys().size(), 2U);
  EXPECT_EQ(&keys_.at(0), &keys_.at(1));
  EXPECT_NE(&keys_.at(0), &keys_.at(2));
}

TEST_F(RunKeysTest, AKeyIsWrittenIfAnyOfItsNamesIs) {
  ASSERT_FALSE(Resolve("eget @a\neset @b 1", {"k", "k"}).has_value());
  ASSERT_EQ(keys_.keys().size(), 1U);
  EXPECT_TRUE(keys_.keys()[0].writes);
}

TEST_F(RunKeysTest, TheTwoKeySpacesStayApart) {
  ASSERT_FALSE(Resolve("eget k\nget k", {}).has_value());
  EXPECT_EQ(keys_.keys().size(), 2U);
}

TEST_F(RunKeysTest, ManyKeysAreToldApartToo) {
  std::string script;
  for (int i = 0; i < 1000; ++i) script += "eget k" + std::to_string(i) + " eget @p\n";
  ASSERT_FALSE(Resolve(script, {"k7"}).has_value());
  EXPECT_EQ(keys_.keys().size(), 1000U);
}

TEST_F(RunKeysTest, AMissingParameterIsNamedWithItsLine) {
  const auto error = Resolve("let a = 1\neget @k", {std::nullopt});
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->ToReason(), "Undefined parameter: @k at line 2");
}

TEST_F(RunKeysTest, KeyLengthIsBounded) {
  const std::string longest(base::kKeyBytesMax, 'x');
  EXPECT_FALSE(Resolve("eget @k", {longest}).has_value());
  const auto error = Resolve("eget @k", {longest + "x"});
  ASSERT_TRUE(error.has_value());
  EXPECT_THAT(error->ToReason(), HasSubstr("1025 bytes, at most 1024 at line 1 (@k)"));
}

}  // namespace
}  // namespace palena::engine
