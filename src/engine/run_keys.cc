#include "engine/run_keys.h"

#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "base/check.h"
#include "base/limits.h"

namespace palena::engine {
namespace {

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

model::ScriptError BadKey(const script::FootprintKey& named, std::string message) {
  model::ScriptError error{model::Code::kRuntime, std::move(message), named.line, ""};
  if (named.is_parameter) error.parameter = named.text;
  return error;
}

model::ScriptError UndefinedParameter(const script::FootprintKey& named) {
  return {model::Code::kRuntime, "Undefined parameter: " + named.text, named.line, ""};
}

std::optional<model::ScriptError> Refuse(const script::FootprintKey& named,
                                         std::string_view bytes) {
  const bool is_point = named.kind == script::KeyKind::kPoint;
  if (is_point && bytes.empty()) return BadKey(named, "Invalid key: empty");
  if (bytes.size() > base::kKeyBytesMax) {
    return BadKey(named, "Invalid key: " + std::to_string(bytes.size()) + " bytes, at most " +
                             std::to_string(base::kKeyBytesMax));
  }
  return std::nullopt;
}

}  // namespace

struct RunKeys::Index {
  absl::flat_hash_map<store::KeyView, std::size_t, KeyHash, KeyEqual> places;
};

RunKeys::RunKeys(const base::Capacities& capacities)
    : pairwise_max_(capacities.pairwise_keys_max),
      kept_max_(capacities.kept_keys_max),
      kept_value_bytes_(capacities.kept_value_bytes) {}

RunKeys::~RunKeys() = default;

void RunKeys::DropWrites() {
  for (RunKey& key : keys()) {
    if (std::exchange(key.has_write, false)) key.write.value.Trim(kept_value_bytes_);
  }
}

void RunKeys::Clear() {
  for (RunKey& key : keys()) {
    if (key.has_write) key.write.value.Trim(kept_value_bytes_);
    if (key.is_captured) key.captured.value.Trim(kept_value_bytes_);
  }
  count_ = 0;
  ranges_.clear();
  places_.clear();
  if (index_ != nullptr) index_.reset();
  if (keys_.size() <= kept_max_) return;
  keys_.resize(kept_max_);
  keys_.shrink_to_fit();
  places_.shrink_to_fit();
}

std::optional<model::ScriptError> RunKeys::Resolve(const script::Program& program,
                                                   Parameters parameters,
                                                   const base::KeyedHash& hash) {
  if (count_ + program.footprint().size() > pairwise_max_ && index_ == nullptr) BuildIndex();
  for (const script::FootprintKey& named : program.footprint()) {
    std::string_view bytes = named.text;
    if (named.is_parameter) {
      const std::optional<std::string_view>& value = parameters[named.parameter];
      if (!value.has_value()) return UndefinedParameter(named);
      bytes = *value;
    }
    if (auto error = Refuse(named, bytes)) return error;
    if (named.kind != script::KeyKind::kPoint) {
      AddRange(bytes, named);
      continue;
    }
    const store::KeyView key{named.durability, bytes, hash(bytes)};
    const std::size_t place =
        index_ != nullptr ? index_->places.try_emplace(key, count_).first->second : Find(key);
    if (place == count_) Add(key, named);
    keys_[place].writes |= named.writes;
    keys_[place].reads_now |= named.reads_now || named.has_own_as_of;
    places_.push_back(static_cast<std::uint32_t>(place));
  }
  UseSlots(0);
  return std::nullopt;
}

void RunKeys::BuildIndex() {
  index_ = std::make_unique<Index>();
  for (std::size_t place = 0; place < count_; ++place) {
    index_->places.emplace(keys_[place].key, place);
  }
}

std::size_t RunKeys::Find(const store::KeyView& key) const {
  std::size_t place = 0;
  while (place < count_ && !Same(keys_[place].key, key)) ++place;
  return place;
}

void RunKeys::Add(const store::KeyView& key, const script::FootprintKey& named) {
  if (count_ == keys_.size()) keys_.emplace_back();
  RunKey& added = keys_[count_++];
  added.key = key;
  added.writes = false;
  added.reads_now = false;
  added.line = named.line;
  added.entry = nullptr;
  added.is_pinned = false;
  added.has_write = false;  // what an earlier run wrote is left for its memory
  added.is_captured = false;
  added.was_read = false;
}

void RunKeys::AddRange(std::string_view text, const script::FootprintKey& named) {
  const bool is_bucket = named.kind == script::KeyKind::kBucket;
  const auto kind = is_bucket ? model::RangeKind::kBucket : model::RangeKind::kPrefix;
  places_.push_back(static_cast<std::uint32_t>(ranges_.size()));
  ranges_.push_back({{named.durability, kind, text}, named.reads_now || named.has_own_as_of});
}

}  // namespace palena::engine
