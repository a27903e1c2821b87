#pragma once

// The two hashes of the project, both libsodium's, and the one door to randomness.

#include <array>
#include <cstdint>
#include <string_view>

namespace palena::base {

// SipHash-2-4 with a secret key. Every table that a client can choose the keys of uses it, so that
// nobody can aim keys at one shard or one slot. The key lives as long as the process: hashes never
// reach disk or wire.
class KeyedHash {
 public:
  using Secret = std::array<unsigned char, 16>;

  explicit KeyedHash(const Secret& secret) : secret_(secret) {}
  static KeyedHash WithRandomSecret();

  std::uint64_t operator()(std::string_view bytes) const;

 private:
  Secret secret_;
};

using Sha256Digest = std::array<unsigned char, 32>;
Sha256Digest Sha256(std::string_view bytes);

// Unpredictable bytes from the operating system: secrets, boot ids.
std::uint64_t RandomUint64();

}  // namespace palena::base
