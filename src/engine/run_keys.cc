#include "engine/run_keys.h"

#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/limits.h"

namespace palena::engine {
namespace {

// Up to here every key is compared with every other; above, an index is built.
constexpr std::size_t kPairwiseMax = 16;

// What a reused object keeps: more than scripts by hand ever name, less than a generated one may.
constexpr std::size_t kKeptCapacity = 256;

bool Same(const store::KeyView& a, const store::KeyView& b) {
  return a.hash == b.hash && a.durability == b.durability && a.bytes == b.bytes;
}

struct KeyHash {
  std::size_t operator()(const store::KeyView& key) const {
    return key.hash ^ static_cast<std::size_t>(key.durability);
  }
};
struct KeyEqual {
  bool operator()(const store::KeyView& a, const store::KeyView& b) const { return Same(a, b); }
};
using KeyIndex = absl::flat_hash_map<store::KeyView, std::uint32_t, KeyHash, KeyEqual>;

model::ScriptError BadKey(const script::FootprintKey& named, std::string message) {
  model::ScriptError error{model::Code::kRuntime, std::move(message), named.line, ""};
  if (named.is_parameter) error.parameter = named.text;
  return error;
}

std::optional<model::ScriptError> Refuse(const script::FootprintKey& named,
                                         std::string_view bytes) {
  if (bytes.empty()) return BadKey(named, "Invalid key: empty");
  if (bytes.size() > base::kKeyBytesMax) {
    return BadKey(named, "Invalid key: " + std::to_string(bytes.size()) + " bytes, at most " +
                             std::to_string(base::kKeyBytesMax));
  }
  return std::nullopt;
}

}  // namespace

void RunKeys::Clear() {
  keys_.clear();
  slots_.clear();
  if (keys_.capacity() <= kKeptCapacity) return;
  keys_.shrink_to_fit();
  slots_.shrink_to_fit();
}

std::optional<model::ScriptError> RunKeys::Resolve(const script::Program& program,
                                                   Parameters parameters,
                                                   const base::KeyedHash& hash) {
  Clear();
  KeyIndex index;
  for (const script::FootprintKey& named : program.footprint()) {
    std::string_view bytes = named.text;
    if (named.is_parameter) {
      const std::optional<std::string_view>& value = parameters[named.parameter];
      if (!value.has_value()) {
        return model::ScriptError{model::Code::kRuntime, "Undefined parameter: " + named.text,
                                  named.line, ""};
      }
      bytes = *value;
    }
    if (auto error = Refuse(named, bytes)) return error;
    const store::KeyView key{named.durability, bytes, hash(bytes)};
    std::size_t place = keys_.size();
    if (program.footprint().size() <= kPairwiseMax) {
      place = Find(key);
    } else {
      place = index.try_emplace(key, static_cast<std::uint32_t>(keys_.size())).first->second;
    }
    if (place == keys_.size()) Add(key, named);
    keys_[place].writes |= named.writes;
    slots_.push_back(static_cast<std::uint32_t>(place));
  }
  return std::nullopt;
}

std::size_t RunKeys::Find(const store::KeyView& key) const {
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    if (Same(keys_[i].key, key)) return i;
  }
  return keys_.size();
}

void RunKeys::Add(const store::KeyView& key, const script::FootprintKey& named) {
  RunKey& added = keys_.emplace_back();
  added.key = key;
  added.line = named.line;
}

}  // namespace palena::engine
