#include "base/hash.h"

#include <sodium.h>

#include "base/check.h"

namespace palena::base {
namespace {

static_assert(crypto_shorthash_BYTES == sizeof(std::uint64_t));
static_assert(crypto_shorthash_KEYBYTES == sizeof(KeyedHash::Secret));
static_assert(crypto_hash_sha256_BYTES == sizeof(Sha256Digest));

// libsodium wants to be initialised before randomness is asked for; doing it again is harmless.
void RandomBytes(void* out, std::size_t size) {
  PALENA_CHECK(sodium_init() >= 0);
  randombytes_buf(out, size);
}

const unsigned char* Unsigned(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

KeyedHash KeyedHash::WithRandomSecret() {
  Secret secret;
  RandomBytes(secret.data(), secret.size());
  return KeyedHash(secret);
}

std::uint64_t KeyedHash::operator()(std::string_view bytes) const {
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash), Unsigned(bytes), bytes.size(),
                   secret_.data());
  return hash;
}

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  crypto_hash_sha256(digest.data(), Unsigned(bytes), bytes.size());
  return digest;
}

std::uint64_t RandomUint64() {
  std::uint64_t value = 0;
  RandomBytes(&value, sizeof(value));
  return value;
}

}  // namespace palena::base
