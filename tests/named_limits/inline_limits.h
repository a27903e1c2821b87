#pragma once

// Named limits on an engine of four shards on the caller's thread, whose clock moves when told.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/hostile.h"
#include "base/inline_executor.h"
#include "engine/engine.h"
#include "hlc/node_clock.h"
#include "limits/limit_service.h"
#include "limits/limits_file.h"
#include "store/memory_commit_log.h"

namespace palena::limits {

// One limit of a request, owning what it says.
struct OwnWish {
  std::string limit;
  std::vector<std::pair<std::string, std::string>> parts;
  std::int64_t cost = 1;
  std::string owner;
};

class InlineLimits : private TakeSink, private engine::ReplySink {
 public:
  explicit InlineLimits(std::string_view file, std::size_t memory_bytes_max = std::size_t{64} << 20)
      : log_(store::MakeMemoryCommitLog(executor_)), node_clock_(clock_, hlc::HybridTime{}) {
    engine::EngineOptions options;
    options.capacities = base::TestCapacities();
    options.table.memory_bytes_max = memory_bytes_max;
    options.table.history_bytes = std::size_t{1} << 20;
    engine_ = std::make_unique<engine::Engine>(
        options,
        engine::EngineParts{&clock_, &node_clock_, log_.get(), &executor_,
                            std::vector<base::Executor*>(kShards, &executor_),
                            base::KeyedHash::WithRandomSecret()},
        nullptr);
    service_ =
        std::make_unique<LimitService>(*engine_, std::vector<base::Executor*>(kShards, &executor_));
    Use(file);
  }

  // The log writes what is left, and tells the engine of it.
  ~InlineLimits() override { log_.reset(); }

  // Another file in the place of the present one.
  void Use(std::string_view file) {
    auto set = ParseLimits(file, "limits.toml");
    ASSERT_TRUE(set.ok()) << set.status();
    service_->Install(*std::move(set));
    executor_.RunReady();
  }

  model::TakeAnswer Call(model::TakeMode mode, const std::vector<OwnWish>& wishes) {
    std::deque<std::vector<model::TakePart>> parts;
    std::vector<model::TakeWish> views;
    for (const OwnWish& wish : wishes) {
      auto& own = parts.emplace_back();
      for (const auto& [name, value] : wish.parts) own.push_back({name, value});
      views.push_back({wish.limit, own, wish.cost, wish.owner});
    }
    model::TakeRequest request;
    request.mode = mode;
    request.wishes = views;
    answer_.reset();
    InTurn([&](const ComesFrom& from) { service_->Execute(request, from, {this, 0, 0}); });
    while (!answer_ && executor_.RunReady()) {
    }
    EXPECT_TRUE(answer_) << "no answer";
    return *std::exchange(answer_, std::nullopt);
  }
  model::TakeAnswer Take(const std::vector<OwnWish>& wishes) {
    return Call(model::TakeMode::kTake, wishes);
  }
  model::TakeAnswer Take(const OwnWish& wish) { return Take(std::vector<OwnWish>{wish}); }
  model::TakeAnswer Peek(const OwnWish& wish) { return Call(model::TakeMode::kPeek, {wish}); }

  model::Result Reset(const OwnWish& wish) {
    std::vector<model::TakePart> parts;
    for (const auto& [name, value] : wish.parts) parts.push_back({name, value});
    result_.reset();
    InTurn([&](const ComesFrom& from) {
      service_->Reset({wish.limit, parts, wish.cost, wish.owner}, from, {this, 0, 0});
    });
    return Result();
  }

  // Any script.
  model::Result Run(std::string_view script) {
    result_.reset();
    engine::Call call;
    call.request.script = script;
    call.reply_to.sink = this;
    InTurn([&](const ComesFrom& from) { engine_->shard(from.shard).ExecuteNow(call); });
    return Result();
  }

  LimitReport Report() {
    std::optional<LimitReport> report;
    service_->Collect([&](LimitReport made) { report = std::move(made); });
    executor_.RunReady();
    return *std::move(report);
  }
  LimitCounts Counts(std::string_view limit) {
    for (LimitCounts& counts : Report().limits) {
      if (counts.limit == limit) return counts;
    }
    ADD_FAILURE() << "nothing is counted for " << limit;
    return {};
  }

  base::ManualClock& clock() { return clock_; }
  std::int64_t now_ms() const { return clock_.WallNs() / 1'000'000; }
  engine::Engine& engine() { return *engine_; }
  base::InlineExecutor& executor() { return executor_; }

 private:
  static constexpr unsigned kShards = 4;

  // Calls come in by one shard after the other.
  template <typename Body>
  void InTurn(Body body) {
    next_shard_ = (next_shard_ + 1) % kShards;
    engine_->shard(next_shard_).BeginTurn();
    body(ComesFrom{next_shard_, 0});
    engine_->shard(next_shard_).EndTurn();
  }
  model::Result Result() {
    while (!result_ && executor_.RunReady()) {
    }
    EXPECT_TRUE(result_) << "no answer";
    return *std::exchange(result_, std::nullopt);
  }

  void OnTake(std::uint64_t, std::uint64_t, model::TakeAnswer& answer) override {
    EXPECT_FALSE(answer_) << "a second answer";
    answer_ = std::move(answer);
  }
  void OnReset(std::uint64_t, std::uint64_t, model::Result& result) override {
    result_ = std::move(result);
  }
  void OnResult(std::uint64_t, std::uint64_t, model::Result& result) override {
    result_ = std::move(result);
  }

  base::ManualClock clock_;
  base::InlineExecutor executor_{clock_};
  std::unique_ptr<store::CommitLog> log_;
  hlc::NodeClock node_clock_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<LimitService> service_;
  unsigned next_shard_ = 0;
  std::optional<model::TakeAnswer> answer_;
  std::optional<model::Result> result_;
};

}  // namespace palena::limits
