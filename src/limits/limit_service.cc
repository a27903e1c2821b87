#include "limits/limit_service.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace palena::limits {
namespace {

ProgramPtr NeverAllows() {
  auto program = script::Compile("return 0");
  PALENA_CHECK(program.ok());
  return *std::move(program);
}

// What the shards report, each from its own thread.
struct Gathering {
  std::mutex mutex;  // guards the rest
  std::vector<LimitCounts> limits;
  std::vector<ShardSubjects> refused;
  std::size_t missing = 0;
  std::function<void(LimitReport)> done;

  // True for the last report.
  bool Add(ShardLimits::Report report) {
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < report.limits.size(); ++i) AddCounts(i, report.limits[i]);
    refused.push_back(std::move(report.refused));
    return --missing == 0;
  }

  // By name, which mostly is at the same place; during a reload shards may know different limits.
  void AddCounts(std::size_t place, const LimitCounts& counts) {
    const auto is_same = [&](const LimitCounts& sum) { return sum.limit == counts.limit; };
    auto sum = limits.begin();
    if (place < limits.size() && is_same(limits[place])) {
      sum += static_cast<std::ptrdiff_t>(place);
    } else {
      sum = std::find_if(limits.begin(), limits.end(), is_same);
    }
    if (sum == limits.end()) return limits.push_back(counts);
    sum->allowed += counts.allowed;
    sum->denied += counts.denied;
    sum->shadow_denied += counts.shadow_denied;
    sum->errors += counts.errors;
  }
};

}  // namespace

LimitService::LimitService(engine::Engine& engine, std::vector<base::Executor*> executors)
    : executors_(std::move(executors)), set_(std::make_shared<const LimitSet>()) {
  PALENA_CHECK(executors_.size() == engine.shards());
  const ProgramPtr never = NeverAllows();
  for (unsigned i = 0; i < engine.shards(); ++i) {
    shards_.push_back(std::make_unique<ShardLimits>(engine.shard(i), *executors_[i], never));
  }
}

LimitService::~LimitService() = default;

void LimitService::Execute(const model::TakeRequest& request, const ComesFrom& from,
                           const TakeReplyTo& to) {
  shards_[from.shard]->Execute(request, from.lane, to);
}

void LimitService::Reset(const model::TakeWish& wish, const ComesFrom& from,
                         const TakeReplyTo& to) {
  shards_[from.shard]->Reset(wish, from.lane, to);
}

void LimitService::Install(std::shared_ptr<const LimitSet> set) {
  {
    const std::lock_guard lock(mutex_);
    set_ = set;
  }
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    executors_[i]->Post([shard = shards_[i].get(), set] { shard->Use(set); });
  }
}

std::shared_ptr<const LimitSet> LimitService::current() const {
  const std::lock_guard lock(mutex_);
  return set_;
}

void LimitService::Collect(std::function<void(LimitReport)> done) {
  auto gathering = std::make_shared<Gathering>();
  gathering->missing = shards_.size();
  gathering->done = std::move(done);
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    executors_[i]->Post([shard = shards_[i].get(), gathering] {
      if (!gathering->Add(shard->MakeReport())) return;
      gathering->done(
          {std::move(gathering->limits), MergeSubjects(gathering->refused, kReportedSubjectsMax)});
    });
  }
}

}  // namespace palena::limits
