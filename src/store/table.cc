#include "store/table.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/check.h"
#include "base/limits.h"
#include "store/entry_index.h"
#include "store/entry_pool.h"
#include "store/history_ring.h"
#include "store/ordered_index.h"
#include "store/timing_wheel.h"
#include "store/value_block.h"

namespace palena::store {
namespace {

using Time = TimingWheel::Time;

constexpr Time kNever = std::numeric_limits<Time>::max();

// "Nothing on disk" is worth remembering for a while, like a deletion.
constexpr std::int64_t kAbsenceKeptMs = Table::kDeletionKeptMs;
// When to look again at a dead entry that is held.
constexpr Time kHeldRetryMs = 100;
// Eviction drops the least recently used of so many. Source of the idea: Redis, whose eviction
// samples as well instead of keeping a list in exact order.
constexpr std::size_t kEvictionSample = 16;

constexpr Time ToTime(std::int64_t ms) {
  return ms < 0 ? 0 : static_cast<Time>(ms);
}

std::string_view BytesOf(const model::VersionView& head) {
  const bool has_bytes = head.kind == model::VersionKind::kValue && !head.value.is_integer;
  return has_bytes ? head.value.bytes : std::string_view{};
}

}  // namespace

class Table::Impl {
 public:
  explicit Impl(const TableOptions& options)
      : options_(options), wheel_(pool_), history_(options.history_bytes) {}
  ~Impl();
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  Entry* Find(const KeyView& key) {
    Entry* const entry = SpaceOf(key.durability).index.Find(key);
    if (entry != nullptr) entry->last_use_ = ++uses_;
    return entry;
  }
  void PrefetchPlace(const KeyView& key) const { SpaceOf(key.durability).index.PrefetchPlace(key); }
  void PrefetchEntry(const KeyView& key) const { SpaceOf(key.durability).index.PrefetchEntry(key); }
  std::uint64_t generation() const { return generation_; }
  std::size_t GrowthOf(const KeyView& key, const Entry* known,
                       const model::VersionView& head) const;
  bool MakeRoom(std::size_t growth_bytes, std::int64_t now_ms);
  std::size_t Room() const;
  Entry& Install(const KeyView& key, Entry* known, const model::VersionView& head);
  Entry& Load(const KeyView& key, const model::VersionView& head);
  model::VersionView VersionAt(const Entry& entry, std::int64_t revision) const;
  model::VersionView VersionAsOf(const Entry& entry, std::int64_t time_ms) const;
  void ForEachIn(const model::KeyRange& range, absl::FunctionRef<bool(Entry&)> visit);
  void SetPins(Entry& entry, std::uint32_t pins);
  bool Sweep(std::int64_t now_ms, std::size_t budget);
  TableStats stats() const;

 private:
  // One key space. The same name in both is two keys.
  struct Space {
    explicit Space(const EntryPool& pool) : index(pool), order(pool) {}
    std::size_t evictable() const { return index.size() - held; }

    EntryIndex index;
    OrderedIndex order;
    std::size_t held = 0;  // entries that are pinned
  };

  const Space& SpaceOf(model::Durability durability) const {
    return durability == model::Durability::kEphemeral ? ephemeral_ : persistent_;
  }
  Space& SpaceOf(model::Durability durability) {
    return durability == model::Durability::kEphemeral ? ephemeral_ : persistent_;
  }
  // Apart, here and below: the update of a counter carries nothing of what it does not need.
  [[gnu::noinline]] Entry& Create(const KeyView& key);
  void Remove(Entry& entry);

  // In the class: the parts of an update, so that the compiler makes one function of them.
  void Archive(Entry& entry, const model::VersionView& head) {
    const bool is_kept = entry.durability_ == model::Durability::kEphemeral && !entry.norev_ &&
                         entry.revision_ != head.revision;
    if (is_kept) entry.history_ = history_.Append(entry.history_, HeadOf(entry));
  }
  void SetHead(Entry& entry, const model::VersionView& head) {
    SetValue(entry, head);
    entry.norev_ = head.norev;
    entry.revision_ = head.revision;
    entry.expires_ms_ = head.expires_ms;
    entry.stamp_ = head.stamp;
  }
  void SetValue(Entry& entry, const model::VersionView& head) {
    if (entry.is_integer_ && head.value.is_integer && head.kind == model::VersionKind::kValue) {
      entry.value_word_ = head.value.integer;  // a counter: nothing else changes
    } else {
      SetValueOfAnyForm(entry, head);
    }
  }
  [[gnu::noinline]] void SetValueOfAnyForm(Entry& entry, const model::VersionView& head);

  // The first millisecond at which nobody needs the entry any more.
  static Time DeadlineOf(const Entry& entry) {
    if (entry.kind_ == model::VersionKind::kValue) {
      return entry.expires_ms_ == model::kNoExpiry ? kNever : ToTime(entry.expires_ms_) + 1;
    }
    if (entry.kind_ == model::VersionKind::kAbsent) return ToTime(entry.value_word_);
    return ToTime(entry.stamp_.ms()) + ToTime(kDeletionKeptMs) + 1;
  }
  // An entry that moved to a later deadline, or to none, stays where it is filed: Review sorts it
  // out when its old time comes.
  void Rearm(Entry& entry, Time deadline_before) {
    const Time deadline = DeadlineOf(entry);
    if (deadline == kNever) return;
    const bool is_filed = TimingWheel::IsFiled(entry);
    if (is_filed && deadline >= deadline_before) return;
    if (is_filed) wheel_.Remove(entry);
    wheel_.File(entry, deadline);
  }
  void Review(Entry& entry, Time now);

  std::size_t memory_bytes() const;
  bool Fits(std::size_t growth_bytes) const;
  bool SweepUntilFits(std::size_t growth_bytes, std::int64_t now_ms);
  bool EvictUntilFits(Space& space, std::size_t growth_bytes, std::uint64_t& evicted);
  Entry* LeastRecentlyUsed(Space& space);

  const TableOptions options_;
  EntryPool pool_;
  Space ephemeral_{pool_};
  Space persistent_{pool_};
  TimingWheel wheel_;
  HistoryRing history_;
  std::size_t value_bytes_ = 0;
  std::uint64_t generation_ = 0;
  // The clock of "least recently used": it wraps after 4 billion uses, and an entry that idled for
  // exactly that long passes for fresh, which harms nobody.
  std::uint32_t uses_ = 0;
  TableStats counters_;  // only the counters; sizes are taken when asked
};

Table::Impl::~Impl() {
  for (const Space* space : {&ephemeral_, &persistent_}) {
    space->index.ForEach([](Entry& entry) {
      if (!entry.is_integer_ && entry.kind_ == model::VersionKind::kValue) {
        ValueBlock::Free(entry.block());
      }
    });
  }
}

Entry& Table::Impl::Create(const KeyView& key) {
  Entry& entry = pool_.Create(key);
  Space& space = SpaceOf(key.durability);
  space.index.Insert(entry);
  space.order.Insert(entry);
  entry.last_use_ = ++uses_;
  return entry;
}

void Table::Impl::Remove(Entry& entry) {
  PALENA_CHECK(!entry.is_pinned());
  if (TimingWheel::IsFiled(entry)) wheel_.Remove(entry);
  SetValue(entry, {});
  Space& space = SpaceOf(entry.durability_);
  space.index.Erase(entry);
  space.order.Erase(entry);
  pool_.Destroy(entry);
  ++generation_;
}

// ---- heads
// ---------------------------------------------------------------------------------------

Entry& Table::Impl::Install(const KeyView& key, Entry* known, const model::VersionView& head) {
  PALENA_CHECK(head.kind != model::VersionKind::kAbsent);
  const bool is_new = known == nullptr;
  Entry& entry = is_new ? Create(key) : *known;
  const Time deadline_before = DeadlineOf(entry);
  if (!is_new) Archive(entry, head);
  SetHead(entry, head);
  Rearm(entry, deadline_before);
  return entry;
}

Entry& Table::Impl::Load(const KeyView& key, const model::VersionView& head) {
  PALENA_CHECK(key.durability == model::Durability::kPersistent);
  if (Entry* const resident = Find(key)) return *resident;
  Entry& entry = Create(key);
  SetHead(entry, head);
  if (head.kind == model::VersionKind::kAbsent) {
    entry.value_word_ = static_cast<std::int64_t>(wheel_.time()) + kAbsenceKeptMs;
  }
  Rearm(entry, kNever);
  return entry;
}

void Table::Impl::SetValueOfAnyForm(Entry& entry, const model::VersionView& head) {
  const bool had_block = !entry.is_integer_ && entry.kind_ == model::VersionKind::kValue;
  ValueBlock* block = had_block ? entry.block() : nullptr;
  const std::string_view bytes = BytesOf(head);
  if (block != nullptr || !bytes.empty()) {
    value_bytes_ -= ValueBlock::Cost(block);
    block = ValueBlock::Replace(block, bytes);
    value_bytes_ += ValueBlock::Cost(block);
  }
  entry.kind_ = head.kind;
  entry.is_integer_ = head.kind == model::VersionKind::kValue && head.value.is_integer;
  entry.value_word_ =
      entry.is_integer_ ? head.value.integer : reinterpret_cast<std::int64_t>(block);
}

model::VersionView Table::Impl::VersionAt(const Entry& entry, std::int64_t revision) const {
  const model::VersionView head = HeadOf(entry);
  if (head.revision == revision) {
    return head.kind == model::VersionKind::kValue ? head : model::VersionView{};
  }
  auto at = head.revision > revision ? entry.history_ : HistoryRing::kNone;
  for (int versions = 1; versions < base::kVersionsInMemoryMax; ++versions) {
    const auto record = history_.Read(at);
    if (!record || record->version.revision < revision) break;
    if (record->version.revision == revision) {
      return record->version.kind == model::VersionKind::kValue ? record->version
                                                                : model::VersionView{};
    }
    at = record->previous;
  }
  return {};
}

// Superseded `norev` versions never entered the ring, so that the chain holds what was kept. A
// chain that ends is whole; one that is cut or too long says no more about the time before it.
model::VersionView Table::Impl::VersionAsOf(const Entry& entry, std::int64_t time_ms) const {
  const model::VersionView head = HeadOf(entry);
  if (head.stamp.ms() <= time_ms) return head;
  model::VersionView trimmed;
  trimmed.kind = model::VersionKind::kTrimmed;
  if (entry.durability_ == model::Durability::kPersistent) {
    return head.revision > 0 ? trimmed : model::VersionView{};
  }
  auto at = entry.history_;
  for (int versions = 1; versions < base::kVersionsInMemoryMax; ++versions) {
    if (at == HistoryRing::kNone) return {};
    const auto record = history_.Read(at);
    if (!record) return trimmed;
    if (record->version.stamp.ms() <= time_ms) return record->version;
    at = record->previous;
  }
  return at == HistoryRing::kNone ? model::VersionView{} : trimmed;
}

void Table::Impl::ForEachIn(const model::KeyRange& range, absl::FunctionRef<bool(Entry&)> visit) {
  SpaceOf(range.durability).order.ForEachIn(range, visit);
}

// ---- held entries
// --------------------------------------------------------------------------------

void Table::Impl::SetPins(Entry& entry, std::uint32_t pins) {
  PALENA_CHECK(pins <= Entry::kPinsMax);
  Space& space = SpaceOf(entry.durability_);
  space.held -= entry.is_pinned() ? 1 : 0;
  entry.pins_ = pins & Entry::kPinsMax;
  space.held += entry.is_pinned() ? 1 : 0;
}

// ---- time
// ----------------------------------------------------------------------------------------

void Table::Impl::Review(Entry& entry, Time now) {
  const Time deadline = DeadlineOf(entry);
  if (deadline == kNever) return;
  if (deadline > now) {
    wheel_.File(entry, deadline);
  } else if (entry.is_pinned()) {
    wheel_.File(entry, now + kHeldRetryMs);
  } else {
    const bool is_absence = entry.kind_ == model::VersionKind::kAbsent;
    ++(is_absence ? counters_.persistent_evicted : counters_.expired_swept);
    Remove(entry);
  }
}

bool Table::Impl::Sweep(std::int64_t now_ms, std::size_t budget) {
  const Time now = ToTime(now_ms);
  for (; budget > 0; --budget) {
    Entry* const entry = wheel_.Take(now);
    if (entry == nullptr) {
      ephemeral_.index.ShrinkIfSparse();
      persistent_.index.ShrinkIfSparse();
      return false;
    }
    Review(*entry, now);
  }
  return wheel_.HasDue(now);
}

// ---- memory
// --------------------------------------------------------------------------------------

std::size_t Table::Impl::memory_bytes() const {
  const std::size_t entries = ephemeral_.index.size() + persistent_.index.size();
  return pool_.bytes() + value_bytes_ + entries * EntryIndex::kBytesPerEntry +
         ephemeral_.order.bytes() + persistent_.order.bytes();
}

std::size_t Table::Impl::GrowthOf(const KeyView& key, const Entry* known,
                                  const model::VersionView& head) const {
  const std::size_t value_bytes = BytesOf(head).size();
  if (known == nullptr) {
    return Entry::BytesFor(key.bytes.size()) + EntryIndex::kBytesPerEntry +
           OrderedIndex::BytesFor(key.bytes) + ValueBlock::CostAfterReplace(nullptr, value_bytes);
  }
  const bool has_block = !known->is_integer_ && known->kind_ == model::VersionKind::kValue;
  const ValueBlock* const block = has_block ? known->block() : nullptr;
  const std::size_t before = ValueBlock::Cost(block);
  return std::max(ValueBlock::CostAfterReplace(block, value_bytes), before) - before;
}

// Evictable entries count with the least that each holds.
std::size_t Table::Impl::Room() const {
  if (options_.eviction == Eviction::kLru) return std::numeric_limits<std::size_t>::max();
  const std::size_t used = memory_bytes();
  const std::size_t free = options_.memory_bytes_max - std::min(used, options_.memory_bytes_max);
  return free + persistent_.evictable() * sizeof(Entry);
}

bool Table::Impl::Fits(std::size_t growth_bytes) const {
  return !pool_.is_full() && memory_bytes() + growth_bytes <= options_.memory_bytes_max;
}

bool Table::Impl::MakeRoom(std::size_t growth_bytes, std::int64_t now_ms) {
  if (growth_bytes == 0 || Fits(growth_bytes)) return true;
  // Nothing is given up for what can never fit.
  const bool can_fit = growth_bytes <= options_.memory_bytes_max;
  if (can_fit && SweepUntilFits(growth_bytes, now_ms)) return true;
  if (can_fit && EvictUntilFits(persistent_, growth_bytes, counters_.persistent_evicted)) {
    return true;
  }
  if (can_fit && options_.eviction == Eviction::kLru &&
      EvictUntilFits(ephemeral_, growth_bytes, counters_.ephemeral_evicted)) {
    return true;
  }
  ++counters_.memory_refusals;
  return false;
}

bool Table::Impl::SweepUntilFits(std::size_t growth_bytes, std::int64_t now_ms) {
  bool has_more = true;
  while (has_more && !Fits(growth_bytes)) has_more = Sweep(now_ms, 1);
  return Fits(growth_bytes);
}

bool Table::Impl::EvictUntilFits(Space& space, std::size_t growth_bytes, std::uint64_t& evicted) {
  while (!Fits(growth_bytes)) {
    if (space.evictable() == 0) return false;
    if (Entry* const victim = LeastRecentlyUsed(space)) {
      Remove(*victim);
      ++evicted;
    }
  }
  return true;
}

// Of the next few under the hand; null when all of those are held.
Entry* Table::Impl::LeastRecentlyUsed(Space& space) {
  Entry* oldest = nullptr;
  const auto age = [this](const Entry& entry) { return uses_ - entry.last_use_; };
  space.index.WalkOn(kEvictionSample, [&](Entry& entry) {
    if (entry.is_pinned()) return;
    if (oldest == nullptr || age(entry) > age(*oldest)) oldest = &entry;
  });
  return oldest;
}

TableStats Table::Impl::stats() const {
  TableStats stats = counters_;
  stats.entries = ephemeral_.index.size() + persistent_.index.size();
  stats.memory_bytes = memory_bytes();
  stats.history_bytes = history_.bytes_in_use();
  return stats;
}

// ---- the public face
// -----------------------------------------------------------------------------

Table::Table(const TableOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Table::~Table() = default;

Entry* Table::Find(const KeyView& key) {
  return impl_->Find(key);
}
void Table::PrefetchPlace(const KeyView& key) const {
  impl_->PrefetchPlace(key);
}
void Table::PrefetchEntry(const KeyView& key) const {
  impl_->PrefetchEntry(key);
}
std::uint64_t Table::generation() const {
  return impl_->generation();
}

std::size_t Table::GrowthOfAnyForm(const KeyView& key, const Entry* known,
                                   const model::VersionView& head) const {
  return impl_->GrowthOf(key, known, head);
}
bool Table::MakeRoom(std::size_t growth_bytes, std::int64_t now_ms) {
  return impl_->MakeRoom(growth_bytes, now_ms);
}
Entry& Table::Install(const KeyView& key, Entry* known, const model::VersionView& head) {
  return impl_->Install(key, known, head);
}
Entry& Table::Load(const KeyView& key, const model::VersionView& head) {
  return impl_->Load(key, head);
}
model::VersionView Table::VersionAt(const Entry& entry, std::int64_t revision) const {
  return impl_->VersionAt(entry, revision);
}
void Table::Pin(Entry& entry) {
  impl_->SetPins(entry, entry.pins_ + 1);
}
void Table::Unpin(Entry& entry) {
  impl_->SetPins(entry, entry.pins_ - 1);
}
std::size_t Table::Room() const {
  return impl_->Room();
}

model::VersionView Table::VersionAsOf(const Entry& entry, std::int64_t time_ms) const {
  return impl_->VersionAsOf(entry, time_ms);
}

void Table::ForEachIn(const model::KeyRange& range, absl::FunctionRef<bool(Entry&)> visit) {
  impl_->ForEachIn(range, visit);
}

bool Table::Sweep(std::int64_t now_ms, std::size_t budget) {
  return impl_->Sweep(now_ms, budget);
}
TableStats Table::stats() const {
  return impl_->stats();
}

}  // namespace palena::store
