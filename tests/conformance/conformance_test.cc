// The conformance cases through the engine, through palena::Node and through TCP, over each path
// and number of shards.

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/case.h"
#include "conformance/engine_runner.h"
#include "conformance/node_runner.h"
#include "conformance/run_cases.h"
#include "conformance/tcp_runner.h"

namespace palena::conformance {
namespace {

using MakeRunner = std::function<std::unique_ptr<Runner>(unsigned shards)>;

std::vector<Case> AllCases() {
  auto cases = LoadCases(PALENA_SOURCE_DIR "/tests/conformance/cases.jsonl");
  EXPECT_TRUE(cases.ok()) << cases.status();
  return *std::move(cases);
}

void ExpectAllPass(const Report& report, const std::string& name) {
  std::printf("%s\n%s", name.c_str(), report.ToText().c_str());
  EXPECT_EQ(report.sum().total, kCases);
  EXPECT_TRUE(report.failures.empty()) << report.ToText();
}

void ExpectConformance(const std::string& name, const MakeRunner& make_runner) {
  const std::vector<Case> cases = AllCases();
  ExpectAllPass(RunCases(cases, *make_runner(1)), name + ", 1 shard");
  ExpectAllPass(RunCases(cases, *make_runner(4)), name + ", 4 shards");
}

MakeRunner EngineWith(bool fast_path) {
  return [fast_path](unsigned shards) {
    engine::TestEngineOptions options;
    options.shards = shards;
    options.fast_path = fast_path;
    return std::make_unique<EngineRunner>(options);
  };
}

TEST(ConformanceTest, EngineFastPath) {
  ExpectConformance("engine, fast path", EngineWith(true));
}

TEST(ConformanceTest, EngineGeneralPath) {
  ExpectConformance("engine, fast path off", EngineWith(false));
}

MakeRunner NodeWith(bool fast_path, bool is_prepared) {
  return [=](unsigned shards) {
    NodeUse use;
    use.options.shards = shards;
    use.options.fast_path = fast_path;
    use.is_prepared = is_prepared;
    return std::make_unique<NodeRunner>(use);
  };
}

void ExpectConformanceInline(const std::string& name, bool fast_path, bool is_prepared) {
  NodeUse use;
  use.options.threading = Threading::kInline;
  use.options.fast_path = fast_path;
  use.is_prepared = is_prepared;
  NodeRunner runner(use);
  ExpectAllPass(RunCases(AllCases(), runner), name);
}

TEST(ConformanceTest, NodeFastPath) {
  ExpectConformance("node, fast path", NodeWith(true, false));
}

TEST(ConformanceTest, NodeGeneralPathPrepared) {
  ExpectConformance("node, fast path off, prepared", NodeWith(false, true));
}

TEST(ConformanceTest, InlineNodeFastPath) {
  ExpectConformanceInline("inline node, fast path", true, false);
}

TEST(ConformanceTest, InlineNodeFastPathPrepared) {
  ExpectConformanceInline("inline node, fast path, prepared", true, true);
}

TEST(ConformanceTest, InlineNodeGeneralPath) {
  ExpectConformanceInline("inline node, fast path off", false, false);
}

TEST(ConformanceTest, TcpFastPath) {
  base::ManualClock clock;
  ExpectConformance("tcp, fast path", [&clock](unsigned shards) {
    return std::make_unique<TcpRunner>(shards, true, &clock);
  });
}

TEST(ConformanceTest, TcpGeneralPath) {
  base::ManualClock clock;
  ExpectConformance("tcp, fast path off", [&clock](unsigned shards) {
    return std::make_unique<TcpRunner>(shards, false, &clock);
  });
}

TEST(ConformanceTest, TcpInRealTime) {
  TcpRunner runner(1, true, nullptr);
  ExpectAllPass(RunCases(AllCases(), runner), "tcp, real time");
}

}  // namespace
}  // namespace palena::conformance
