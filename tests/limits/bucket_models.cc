// The token bucket in exact fractions, and the same bucket under the names of GCRA.

#include <algorithm>

#include "limits/models.h"
#include "limits/take_model.h"

namespace palena::limits {

namespace {

const Int kPartsMax("4000000000000000000");

Int Ceil(const Ratio& ratio) {
  return CeilDivide(numerator(ratio), denominator(ratio));
}

class TokenBucket : public TakeModel {
 protected:
  struct Rule {
    Int capacity;
    Int refill;
    Int per_ms;
  };
  // How the parameters are called, in the same order.
  struct Names {
    std::string capacity;
    std::string refill;
    std::string per_ms;
  };
  virtual Names names() const { return {"capacity", "refill_tokens", "refill_ms"}; }
  virtual Rule RuleOf(const Numbers& numbers) const {
    return {numbers.at("capacity"), numbers.at("refill_tokens"), numbers.at("refill_ms")};
  }

  std::vector<Range> Ranges(const Call& /*call*/, const Int& /*t*/) const override {
    return {{"capacity", 0, kInt64Max},
            {"refill_tokens", 0, kInt64Max},
            {"refill_ms", 1, kPartsMax},
            {"cost", 0, kInt64Max}};
  }
  std::set<std::string> AtFaultTogether(const Numbers& numbers, const Int& t) const override {
    const Rule rule = RuleOf(numbers);
    if (rule.capacity * rule.per_ms > kPartsMax) return {names().capacity, names().per_ms};
    // What is missing would need more than 64 bits in the new parts.
    const bool is_converted = !IsOver(t) && rule.per_ms != rule_.per_ms;
    if (is_converted && Int(numerator(missing_) / denominator(missing_)) * rule.per_ms > kPartsMax)
      return {names().per_ms};
    return {};
  }

  void Configure(const Numbers& numbers) override {
    asked_ = RuleOf(numbers);
    missing_parts_ = Ceil(missing_ * asked_.per_ms);
  }
  Int limit() const override { return asked_.capacity; }

  Int Used(const Int& t) const override { return Ceil(Missing(t)); }
  Ratio Missing(const Int& t) const {
    if (IsOver(t)) return 0;
    const Int parts = missing_parts_ - asked_.refill * (t - since_);
    return parts > 0 ? Ratio(parts, asked_.per_ms) : Ratio(0);
  }
  void Charge(const Int& cost, const Int& t) override {
    missing_ = Missing(t) + cost;
    missing_parts_ = Ceil(missing_ * asked_.per_ms);
    since_ = t;
    rule_ = asked_;
    if (rule_.refill == 0) return Write(0);
    Write(t + Ceil(missing_ * rule_.per_ms / rule_.refill));
  }

 private:
  Rule asked_;         // of the present call
  Rule rule_;          // under which the state was written
  Ratio missing_;      // at since_
  Int missing_parts_;  // the same in parts of the present call, rounded up to a whole one
  Int since_;
};

class Gcra final : public TokenBucket {
  Names names() const override { return {"max_burst", "count", "period_ms"}; }
  Rule RuleOf(const Numbers& numbers) const override {
    return {numbers.at("max_burst") + 1, numbers.at("count"), numbers.at("period_ms")};
  }
  std::vector<Range> Ranges(const Call& /*call*/, const Int& /*t*/) const override {
    return {{"max_burst", 0, kInt64Max},
            {"count", 1, 1'000'000},
            {"period_ms", 1, kPartsMax},
            {"cost", 0, kInt64Max}};
  }
};

}  // namespace

std::unique_ptr<Model> MakeTokenBucket() {
  return std::make_unique<TokenBucket>();
}

std::unique_ptr<Model> MakeGcra() {
  return std::make_unique<Gcra>();
}

}  // namespace palena::limits
