#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "net/loop.h"

namespace palena::net {
namespace {

std::string Reformatted(std::string_view text) {
  const base::StatusOr<Address> address = ParseAddress(text);
  return address.ok() ? FormatAddress(*address) : std::string(address.status().message());
}

TEST(AddressTest, TakesNamesAndLiteralsWithAPort) {
  for (const char* text :
       {"127.0.0.1:7400", "localhost:0", "[::1]:65535", "node-3.example.org:80", "[fe80::1]:1"}) {
    EXPECT_EQ(Reformatted(text), text);
  }
}

TEST(AddressTest, RefusesOthersNamingThem) {
  for (const std::string text : {"", "host", ":1", "host:", "host:65536", "host:-1", "host:1x",
                                 "::1:80", "[::1]", "[::1:80", "[]:80", "[host]:80", "a b:80"}) {
    EXPECT_EQ(ParseAddress(text).status().code(), base::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(Reformatted(text), testing::StartsWith("\"" + text + "\" is no address"));
  }
}

TEST(AddressTest, KnowsTheLoopback) {
  EXPECT_TRUE(IsLoopback({"127.0.0.1", 1}));
  EXPECT_TRUE(IsLoopback({"127.255.0.3", 1}));
  EXPECT_TRUE(IsLoopback({"::1", 1}));
  EXPECT_TRUE(IsLoopback({"localhost", 1}));
  EXPECT_FALSE(IsLoopback({"0.0.0.0", 1}));
  EXPECT_FALSE(IsLoopback({"::", 1}));
  EXPECT_FALSE(IsLoopback({"10.0.0.1", 1}));
  EXPECT_FALSE(IsLoopback({"example.org", 1}));
}

}  // namespace
}  // namespace palena::net
