#include "engine/question.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace palena::engine {
namespace {

using model::VersionKind;
using store::KeyedVersion;

// Heads that are read from disk in one go.
constexpr std::size_t kHeadsPerRead = 1'024;

bool IsEphemeral(const Question& question) {
  return question.durability() == model::Durability::kEphemeral;
}

Findings AskTableForKey(const Question& question, store::Table& table,
                        const Dependencies& dependencies) {
  Findings found;
  store::Entry* const entry = table.Find(question.key);
  if (entry == nullptr) return found;
  found.depends_on = dependencies.DependencyOf(entry);
  const bool is_at = question.kind == Question::Kind::kVersionAt;
  const model::VersionView version = is_at ? table.VersionAt(*entry, question.argument)
                                           : table.VersionAsOf(*entry, question.argument);
  found.entries.push_back({std::string(question.key.bytes), model::Version::Copy(version)});
  return found;
}

// Puts the log's heads behind the tables' (which are newer) until enough is wanted or the log has
// no more.
class RangeReader {
 public:
  RangeReader(const Question& question, store::CommitLog& log, std::vector<KeyedVersion> known)
      : question_(question), log_(log), known_(std::move(known)) {}

  base::StatusOr<std::vector<KeyedVersion>> Run() {
    while (!HasEnough()) {
      PALENA_ASSIGN_OR_RETURN(std::vector<KeyedVersion> heads,
                              log_.ReadRange(question_.range, after_, kHeadsPerRead));
      for (KeyedVersion& head : heads) PALENA_RETURN_IF_ERROR(AddFromLog(std::move(head)));
      if (heads.size() < kHeadsPerRead) break;
    }
    PALENA_RETURN_IF_ERROR(AddKnownBefore(std::nullopt));
    return std::move(merged_);
  }

 private:
  bool HasEnough() const { return wanted_.Suffices(question_); }

  // What the tables know of the keys before `key`, all of them for none.
  base::Status AddKnownBefore(std::optional<std::string_view> key) {
    while (next_ < known_.size() && (!key.has_value() || known_[next_].key < *key)) {
      PALENA_RETURN_IF_ERROR(Add(std::move(known_[next_++])));
    }
    return base::Ok();
  }

  base::Status AddFromLog(KeyedVersion head) {
    after_ = head.key;
    PALENA_RETURN_IF_ERROR(AddKnownBefore(head.key));
    const bool is_known = next_ < known_.size() && known_[next_].key == head.key;
    return Add(is_known ? std::move(known_[next_++]) : std::move(head));
  }

  base::Status Add(KeyedVersion entry) {
    if (HasEnough()) return base::Ok();
    const bool is_too_new = question_.kind == Question::Kind::kRangeAsOf &&
                            (entry.version.kind == VersionKind::kTrimmed ||
                             entry.version.stamp.ms() > question_.argument);
    if (is_too_new) {
      PALENA_ASSIGN_OR_RETURN(entry.version, log_.ReadAsOf(entry.key, question_.argument));
    }
    if (question_.Wants(entry.version.view())) wanted_.Count(entry.version.view());
    merged_.push_back(std::move(entry));
    return base::Ok();
  }

  const Question& question_;
  store::CommitLog& log_;
  std::vector<KeyedVersion> known_;
  std::size_t next_ = 0;  // of known_
  std::string after_;
  std::vector<KeyedVersion> merged_;
  Amount wanted_;
};

}  // namespace

bool Question::Wants(const model::VersionView& version) const {
  switch (kind) {
    case Kind::kVersionAt:
      return version.kind == VersionKind::kValue;
    case Kind::kRange:
      return version.IsLive(now_ms);
    case Kind::kVersionAsOf:
    case Kind::kRangeAsOf:
      return version.IsLive(std::min(argument, now_ms));  // a time to come shows what is live now
  }
  return false;
}

void Findings::Merge(Findings other) {
  depends_on = std::max(depends_on, other.depends_on);
  const auto middle = static_cast<std::ptrdiff_t>(entries.size());
  std::ranges::move(other.entries, std::back_inserter(entries));
  std::inplace_merge(entries.begin(), entries.begin() + middle, entries.end(),
                     [](const KeyedVersion& a, const KeyedVersion& b) { return a.key < b.key; });
}

Findings AskTable(const Question& question, store::Table& table, const Dependencies& dependencies) {
  if (!question.IsAboutRange()) return AskTableForKey(question, table, dependencies);
  Findings found;
  Amount wanted;
  const bool shows_all = !IsEphemeral(question);
  table.ForEachIn(question.range, [&](store::Entry& entry) {
    found.depends_on = std::max(found.depends_on, dependencies.DependencyOf(&entry));
    const model::VersionView version = question.kind == Question::Kind::kRange
                                           ? store::HeadOf(entry)
                                           : table.VersionAsOf(entry, question.argument);
    const bool is_wanted = question.Wants(version);
    if (is_wanted || shows_all || version.kind == VersionKind::kTrimmed) {
      found.entries.push_back({std::string(entry.key()), model::Version::Copy(version)});
    }
    if (is_wanted) wanted.Count(version);
    return !wanted.Suffices(question);
  });
  return found;
}

base::Status AskLog(const Question& question, store::CommitLog& log, Findings& findings) {
  if (question.IsAboutRange()) {
    RangeReader reader(question, log, std::move(findings.entries));
    PALENA_ASSIGN_OR_RETURN(findings.entries, reader.Run());
    return base::Ok();
  }
  const bool is_at = question.kind == Question::Kind::kVersionAt;
  PALENA_ASSIGN_OR_RETURN(model::Version version,
                          is_at ? log.ReadVersion(question.key.bytes, question.argument)
                                : log.ReadAsOf(question.key.bytes, question.argument));
  findings.entries.clear();
  findings.entries.push_back({std::string(question.key.bytes), std::move(version)});
  return base::Ok();
}

bool Conclude(const Question& question, Findings& findings) {
  std::size_t wanted = 0;
  bool is_kept = true;
  std::erase_if(findings.entries, [&](const KeyedVersion& entry) {
    if (wanted >= question.entries_max) return true;
    is_kept = is_kept && entry.version.kind != VersionKind::kTrimmed;
    if (!question.Wants(entry.version.view())) return true;
    ++wanted;
    return false;
  });
  return is_kept;
}

}  // namespace palena::engine
