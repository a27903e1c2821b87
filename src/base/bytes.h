#pragma once

// Fixed-width integer coding. Little-endian where bytes are only read back; big-endian where
// their byte order must be the numbers' order (keys of an ordered store).

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace palena::base {

static_assert(std::endian::native == std::endian::little, "byte order of the supported machines");

template <std::unsigned_integral T>
void AppendLittle(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

// The first sizeof(T) bytes of `in`, which must hold that many.
template <std::unsigned_integral T>
T LoadLittle(const char* in) {
  T value;
  std::memcpy(&value, in, sizeof(T));
  return value;
}

template <std::unsigned_integral T>
void AppendBig(std::string& out, T value) {
  for (int shift = static_cast<int>(sizeof(T)) * 8 - 8; shift >= 0; shift -= 8) {
    out.push_back(static_cast<char>((value >> shift) & 0xFF));
  }
}

template <std::unsigned_integral T>
T LoadBig(const char* in) {
  T value = 0;
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    value = static_cast<T>((value << 8) | static_cast<unsigned char>(in[i]));
  }
  return value;
}

// Takes a fixed-width little-endian integer off the front of `in`; false, and nothing taken, when
// `in` is too short.
template <std::unsigned_integral T>
bool TakeLittle(std::string_view& in, T& value) {
  if (in.size() < sizeof(T)) return false;
  value = LoadLittle<T>(in.data());
  in.remove_prefix(sizeof(T));
  return true;
}

}  // namespace palena::base
