#include "faults/limiters.h"

#include <chrono>
#include <utility>

#include "base/check.h"
#include "engine/metric_of.h"
#include "node/inline_node.h"

namespace palena::limits {

namespace {

constexpr std::int64_t kDrainedMax = 100'000;  // of a limiter that limits nothing

}  // namespace

const std::vector<std::string>& Takers() {
  static const std::vector<std::string> takers = {
      "fixed_window", "first_hit_window", "sliding_window", "sliding_log", "token_bucket", "gcra"};
  return takers;
}

Rule Bucket(std::int64_t capacity, std::int64_t tokens, std::int64_t ms) {
  return {"token_bucket",
          {{"capacity", std::to_string(capacity)},
           {"refill_tokens", std::to_string(tokens)},
           {"refill_ms", std::to_string(ms)}}};
}

Rule Gcra(std::int64_t capacity, std::int64_t count, std::int64_t ms) {
  return {"gcra",
          {{"max_burst", std::to_string(capacity - 1)},
           {"count", std::to_string(count)},
           {"period_ms", std::to_string(ms)}}};
}

Rule PerWindow(const std::string& limiter, std::int64_t limit, std::int64_t window_ms) {
  if (limiter == "token_bucket") return Bucket(limit, limit, window_ms);
  if (limiter == "gcra") return Gcra(limit, limit, window_ms);
  Rule rule{limiter, {{"limit", std::to_string(limit)}, {"window_ms", std::to_string(window_ms)}}};
  if (limiter == "sliding_window") {
    rule.numbers.emplace_back("segments", window_ms % 10 == 0 ? "10" : "1");
  }
  return rule;
}

Limiters::Limiters(Keys keys, NodeOptions options) : keys_(keys), options_(std::move(options)) {
  options_.threading = Threading::kInline;
  Open();
}

void Limiters::Open() {
  auto impl = node::InlineNode::Open(options_, clock_, {});
  PALENA_CHECK(impl.ok());
  engine_ = &(*impl)->engine();
  node_ = std::make_unique<Node>(*std::move(impl));
}

void Limiters::Restart() {
  node_.reset();
  Open();
}

Result Limiters::Run(const std::string& script, const Parameters& parameters) {
  return node_->Execute(ScriptFor(script, keys_), parameters);
}

Result Limiters::RunFile(const std::string& name, const Parameters& parameters) {
  std::string& script = scripts_[name];
  if (script.empty()) script = ScriptFor(LimiterSource(name), keys_);
  return node_->Execute(script, parameters);
}

namespace {

Answer AnswerOf(const Result& result) {
  Answer answer;
  if (!result.ok() || result.values.size() != 5) {
    answer.error = result.ok() ? "no five numbers" : result.reason;
    return answer;
  }
  const auto number = [&](std::size_t i) { return std::stoll(result.values[i].value.value()); };
  return {number(0) == 1, number(1), number(2), number(3), number(4), ""};
}

}  // namespace

Answer Limiters::TakeText(const Rule& rule, const std::string& cost, const std::string& key) {
  Parameters parameters = rule.numbers;
  parameters.emplace_back("key", key);
  parameters.emplace_back("cost", cost);
  return AnswerOf(RunFile(rule.limiter, parameters));
}

Answer Limiters::Take(const Rule& rule, std::int64_t cost, const std::string& key) {
  return TakeText(rule, std::to_string(cost), key);
}

std::int64_t Limiters::Drain(const Rule& rule, const std::string& key) {
  std::int64_t allowed = 0;
  while (allowed < kDrainedMax && Take(rule, 1, key).is_allowed) ++allowed;
  return allowed;
}

Answer Limiters::Acquire(std::int64_t limit, std::int64_t lease_ms, const std::string& owner) {
  return AnswerOf(RunFile("concurrency_acquire", {{"key", "k"},
                                                  {"limit", std::to_string(limit)},
                                                  {"lease_ms", std::to_string(lease_ms)},
                                                  {"owner", owner}}));
}

std::string Limiters::Release(const std::string& owner) {
  const Result result = RunFile("concurrency_release", {{"key", "k"}, {"owner", owner}});
  return std::string(result.ok() ? result.text() : result.reason);
}

State Limiters::Look(const std::string& key) {
  const Result result = Run("eget @key", {{"key", key}});
  if (result.type != ResultType::kGet) return {};
  const Value& value = result.values.at(0);
  return {value.value.value_or(""), value.revision, value.expires_ms};
}

std::size_t Limiters::KeysBelow(const std::string& prefix) {
  const Result result = Run("escan by prefix @prefix", {{"prefix", prefix}});
  PALENA_CHECK(!result.truncated);
  return result.values.size();
}

void Limiters::WaitForMultipleOf(std::int64_t ms) {
  const std::int64_t ns = ms * 1'000'000;
  clock_->Advance(ns - clock_->WallNs() % ns);
}

void Limiters::PollUntilIdle() {
  while (node_->Poll() == std::chrono::milliseconds(0)) {
  }
}

std::int64_t Limiters::Metric(std::string_view name) {
  std::int64_t value = 0;
  engine_->CollectMetrics(
      [&](const std::vector<engine::Metric>& metrics) { value = engine::MetricOf(metrics, name); });
  PollUntilIdle();
  return value;
}

}  // namespace palena::limits
