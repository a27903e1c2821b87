// Windows: fixed, from the first hit, sliding by segments, and the exact log.

#include <algorithm>
#include <map>

#include "limits/models.h"
#include "limits/take_model.h"

namespace palena::limits {

namespace {

class WindowModel : public TakeModel {
 protected:
  std::vector<Range> Ranges(const Call& /*call*/, const Int& t) const override {
    return {{"limit", 0, limit_max()}, {"window_ms", 1, window_max(t)}, {"cost", 0, kInt64Max}};
  }
  virtual Int limit_max() const { return kInt64Max; }
  virtual Int window_max(const Int& t) const { return kInt64Max - t; }

  void Configure(const Numbers& numbers) override {
    limit_ = numbers.at("limit");
    window_ = numbers.at("window_ms");
  }
  Int limit() const override { return limit_; }
  const Int& window() const { return window_; }

 private:
  Int limit_;
  Int window_;
};

// Windows begin at multiples of their length. What was taken in a window of another length counts
// until that one ends.
class FixedWindow final : public WindowModel {
  Int window_max(const Int& /*t*/) const override { return kInt64Max; }
  Int WindowEnd(const Int& t) const { return (t / window() + 1) * window(); }

  Int Used(const Int& t) const override { return IsOver(t) ? Int(0) : used_; }
  void Charge(const Int& cost, const Int& t) override {
    used_ = (IsOver(t) ? Int(0) : used_) + cost;
    Write(WindowEnd(t));
  }
  std::optional<Int> ResetAt(const Int& t) const override { return WindowEnd(t); }

  Int used_;
};

// The window begins with the first charge, and has the length that it has now.
class FirstHitWindow final : public WindowModel {
  bool IsOpen(const Int& t) const { return !IsOver(t) && t < began_ + window(); }

  Int Used(const Int& t) const override { return IsOpen(t) ? used_ : Int(0); }
  void Charge(const Int& cost, const Int& t) override {
    if (!IsOpen(t)) {
      began_ = t;
      used_ = 0;
    }
    used_ += cost;
    Write(began_ + window());
  }

  Int began_;
  Int used_;
};

struct Charged {
  Int at;  // ms; of a segment the last of them
  Int cost;
};

// A charge at s counts while t < s + window.
class SlidingLog final : public WindowModel {
  Int limit_max() const override { return 100; }
  bool Counts(const Charged& charge, const Int& t) const {
    return !IsOver(t) && t < charge.at + window();
  }

  Int Used(const Int& t) const override {
    Int used;
    for (const Charged& charge : charges_) {
      if (Counts(charge, t)) used += charge.cost;
    }
    return used;
  }
  void Charge(const Int& cost, const Int& t) override {
    std::erase_if(charges_, [&](const Charged& charge) { return !Counts(charge, t); });
    charges_.push_back({t, cost});
    Write(t + window());
  }

  std::vector<Charged> charges_;
};

// Segments of one length; a charge is known by its segment alone. One of segments of another length
// is taken to be from its last millisecond, or from the instant of who asks if that is earlier.
class SlidingWindow final : public WindowModel {
  std::vector<Range> Ranges(const Call& call, const Int& t) const override {
    std::vector<Range> ranges = WindowModel::Ranges(call, t);
    ranges.push_back({"segments", 1, 1'000});
    return ranges;
  }
  Int window_max(const Int& /*t*/) const override { return Int("4000000000000000000"); }
  std::set<std::string> AtFaultTogether(const Numbers& numbers, const Int& /*t*/) const override {
    if (numbers.at("window_ms") % numbers.at("segments") == 0) return {};
    return {"segments"};
  }
  void Configure(const Numbers& numbers) override {
    WindowModel::Configure(numbers);
    segments_ = numbers.at("segments");
    size_ = window() / segments_;
  }

  Int SegmentOf(const Charged& charge, const Int& t) const {
    return std::min(charge.at, t) / size_;
  }
  bool Counts(const Charged& charge, const Int& t) const {
    return !IsOver(t) && SegmentOf(charge, t) >= t / size_ - segments_ + 1;
  }
  Int Used(const Int& t) const override {
    Int used;
    for (const Charged& charge : charges_) {
      if (Counts(charge, t)) used += charge.cost;
    }
    return used;
  }
  void Charge(const Int& cost, const Int& t) override {
    std::erase_if(charges_, [&](const Charged& charge) { return !Counts(charge, t); });
    std::map<Int, Int> of_segment;
    for (const Charged& charge : charges_) of_segment[SegmentOf(charge, t)] += charge.cost;
    of_segment[t / size_] += cost;
    charges_.clear();
    for (const auto& [segment, units] : of_segment)
      charges_.push_back({(segment + 1) * size_ - 1, units});
    Write((t / size_ + segments_) * size_);
  }

  Int segments_;
  Int size_;
  std::vector<Charged> charges_;
};

}  // namespace

std::unique_ptr<Model> MakeFixedWindow() {
  return std::make_unique<FixedWindow>();
}

std::unique_ptr<Model> MakeFirstHitWindow() {
  return std::make_unique<FirstHitWindow>();
}

std::unique_ptr<Model> MakeSlidingLog() {
  return std::make_unique<SlidingLog>();
}

std::unique_ptr<Model> MakeSlidingWindow() {
  return std::make_unique<SlidingWindow>();
}

}  // namespace palena::limits
