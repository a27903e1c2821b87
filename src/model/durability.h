#pragma once

#include <cstdint>
#include <string_view>

namespace palena::model {

// The two key spaces. The same name in both is two keys.
enum class Durability : std::uint8_t { kEphemeral = 0, kPersistent = 1 };

constexpr std::string_view DurabilityName(Durability durability) {
  return durability == Durability::kEphemeral ? "Ephemeral" : "Persistent";
}

}  // namespace palena::model
