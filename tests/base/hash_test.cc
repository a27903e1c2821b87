#include "base/hash.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "absl/strings/escaping.h"

namespace palena::base {
namespace {

std::string Hex(const Sha256Digest& digest) {
  return absl::BytesToHexString({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// FIPS 180-4, the examples for one block and for none.
TEST(Sha256Test, AgreesWithTheStandard) {
  EXPECT_EQ(Hex(Sha256("abc")), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Hex(Sha256("")), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

// Aumasson, Bernstein, "SipHash: a fast short-input PRF", appendix A.
TEST(KeyedHashTest, AgreesWithThePaper) {
  KeyedHash::Secret secret;
  std::iota(secret.begin(), secret.end(), static_cast<unsigned char>(0));
  std::string input(15, '\0');
  std::iota(input.begin(), input.end(), '\0');
  EXPECT_EQ(KeyedHash(secret)(input), 0xa129ca6149be45e5u);
}

TEST(KeyedHashTest, EqualBytesHashEqually) {
  const KeyedHash hash = KeyedHash::WithRandomSecret();
  EXPECT_EQ(hash("key"), hash(std::string("key")));
  EXPECT_NE(hash("key"), hash("kez"));
}

TEST(KeyedHashTest, TwoSecretsDisagree) {
  EXPECT_NE(KeyedHash::WithRandomSecret()("key"), KeyedHash::WithRandomSecret()("key"));
}

TEST(RandomTest, TwoDrawsDiffer) {
  EXPECT_NE(RandomUint64(), RandomUint64());
}

}  // namespace
}  // namespace palena::base
