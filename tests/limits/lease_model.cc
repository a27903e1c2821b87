// Leases: who holds one, and until when.

#include <algorithm>

#include "limits/models.h"

namespace palena::limits {

namespace {

class Concurrency final : public Model {
  std::vector<Range> Ranges(const Call& call, const Int& t) const override {
    std::vector<Range> ranges;
    if (call.script == "concurrency_acquire") ranges.push_back({"limit", 0, 100});
    if (call.script != "concurrency_release") ranges.push_back({"lease_ms", 1, kInt64Max - t});
    return ranges;
  }

  std::vector<Int> AnswerInRange(const Call& call, const Numbers& numbers, const Int& t) override {
    const std::string owner = *call.Text("owner");
    if (call.script == "concurrency_release") return {Release(owner, t)};
    const Int end = t + numbers.at("lease_ms");
    if (call.script == "concurrency_renew") return {Renew(owner, t, end)};
    return Acquire(owner, numbers.at("limit"), t, end);
  }

  bool Holds(const std::string& owner, const Int& t) const {
    return ends_.contains(owner) && t < ends_.at(owner);
  }
  std::vector<Int> Live(const Int& t) const {
    std::vector<Int> live;
    for (const auto& [owner, end] : ends_) {
      if (t < end) live.push_back(end);
    }
    std::ranges::sort(live);
    return live;
  }
  void WriteLive(const Int& t) {
    std::erase_if(ends_, [&](const auto& lease) { return t >= lease.second; });
    if (ends_.empty()) return Remove();
    Write(Live(t).back());
  }

  std::vector<Int> Acquire(const std::string& owner, const Int& limit, const Int& t,
                           const Int& end) {
    const bool is_peek = owner.empty();
    const bool is_allowed = Holds(owner, t) || Live(t).size() < limit;
    if (is_allowed && !is_peek) {
      ends_[owner] = end;
      WriteLive(t);
    }
    const std::vector<Int> live = Live(t);
    const Int remaining = std::max(Int(limit - live.size()), Int(0));
    Int reset = live.empty() ? t : live.front();
    if (is_allowed && !is_peek) reset = end;
    Int retry_after = 0;
    if (!is_allowed) {
      retry_after =
          Least([&](const Int& ms) { return Live(t + ms).size() < limit; }).value_or(Int(-1));
    }
    return {is_allowed ? 1 : 0, limit, remaining, retry_after, reset};
  }

  Int Renew(const std::string& owner, const Int& t, const Int& end) {
    if (!Holds(owner, t)) return 0;
    ends_[owner] = end;
    WriteLive(t);
    return 1;
  }

  Int Release(const std::string& owner, const Int& t) {
    if (!Holds(owner, t)) return 0;
    ends_.erase(owner);
    WriteLive(t);
    return 1;
  }

  std::set<std::string> AtFault(const Call& call) const override {
    const std::optional<std::string> owner = call.Text("owner");
    if (!owner) return {"owner"};
    if (owner->empty() && call.script != "concurrency_acquire") return {"owner"};
    return {};
  }

  std::map<std::string, Int> ends_;
};

}  // namespace

std::unique_ptr<Model> MakeConcurrency() {
  return std::make_unique<Concurrency>();
}

}  // namespace palena::limits
