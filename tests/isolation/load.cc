#include "isolation/load.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <latch>
#include <limits>
#include <thread>
#include <utility>

#include "base/clock.h"
#include "base/hostile.h"
#include "node/node_impl.h"

namespace palena::isolation {
namespace {

constexpr std::size_t kInstantsMax = 64;

std::int64_t SteadyNs() {
  return base::SystemClock().SteadyNs();
}

}  // namespace

std::string_view FormName(Form form) {
  switch (form) {
    case Form::kPlain:
      return "plain script";
    case Form::kThrown:
      return "script that throws";
    case Form::kBegin:
      return "transaction";
    case Form::kAutoCommit:
      return "autoCommit transaction";
    case Form::kOptimistic:
      return "optimistic transaction";
    case Form::kRolledBack:
      return "rolled back transaction";
  }
  return "";
}

std::string ScriptOf(Form form, const std::string& body, const std::string& answer) {
  const std::string bind = body + "\nlet answer = " + answer + "\n";
  switch (form) {
    case Form::kPlain:
      return body + "\nreturn " + answer;
    case Form::kThrown:
      return bind + "throw 'undone'";
    case Form::kBegin:
      return "begin\n" + bind + "commit end";
    case Form::kAutoCommit:
      return "begin (autoCommit=true)\n" + body + "\nreturn " + answer + " end";
    case Form::kOptimistic:
      return "begin (locking=\"optimistic\")\n" + bind + "commit end";
    case Form::kRolledBack:
      return "begin\n" + bind + "rollback end";
  }
  return "";
}

std::string SnapshotOf(const std::string& body, const std::string& answer) {
  return "begin (snapshot=@t)\n" + body + "\nlet answer = " + answer + "\ncommit end";
}

Answer Ask(Node& node, std::string_view script, const Parameters& parameters) {
  Answer answer;
  answer.time.began_ns = SteadyNs();
  answer.result = node.Execute(script, parameters);
  answer.time.answered_ns = SteadyNs();
  return answer;
}

std::optional<Fate> FateOf(Form form, const Result& result) {
  const bool is_undone = result.applied == Applied::kNo;
  const bool must_throw = form == Form::kThrown;
  const bool must_abort = form == Form::kRolledBack;
  if (result.ok() && !must_throw && !must_abort) return Fate::kCommitted;
  if (!is_undone) return std::nullopt;
  if (must_throw && result.code == "THROWN") return Fate::kNotApplied;
  if (must_abort && result.code == "ROLLED_BACK") return Fate::kNotApplied;
  if (form == Form::kOptimistic && result.code == "CONFLICT") return Fate::kNotApplied;
  return std::nullopt;
}

std::string Unexpected(std::string_view what, const Result& result) {
  return std::string(what) + " answered " + std::string(ResultTypeName(result.type)) + " " +
         result.code + ": " + result.reason +
         " (applied: " + std::string(AppliedName(result.applied)) + ")";
}

bool IsHistoryGone(const Result& result) {
  return result.reason.find("History no longer kept") != std::string::npos;
}

Form Setting::DrawForm(Random& random) const {
  if (!transactions) return Draw(random, 8) == 0 ? Form::kThrown : Form::kPlain;
  static constexpr Form kForms[] = {Form::kPlain,      Form::kPlain,      Form::kPlain,
                                    Form::kThrown,     Form::kBegin,      Form::kBegin,
                                    Form::kAutoCommit, Form::kOptimistic, Form::kRolledBack};
  return kForms[Draw(random, std::size(kForms))];
}

std::unique_ptr<Node> OpenNode(const Setting& setting, const std::string& data_dir) {
  NodeOptions options;
  if (setting.on_disk) options.data_dir = data_dir;
  options.shards = setting.shards;
  options.fast_path = setting.fast_path;
  auto node =
      Node::Impl::Open(options, std::make_shared<base::SystemClock>(), base::TestCapacities());
  EXPECT_TRUE(node.ok()) << node.status().message();
  return *std::move(node);
}

void RunClients(const Setting& setting, std::size_t clients,
                const std::function<bool(std::size_t client, Random& random)>& step) {
  std::latch ready(static_cast<std::ptrdiff_t>(clients) + 1);  // nobody has a head start
  std::chrono::steady_clock::time_point began;
  std::atomic<bool> is_over = false;
  std::atomic<std::size_t> steps = 0;
  const auto goes_on = [&] {
    const auto elapsed = std::chrono::steady_clock::now() - began;
    if (is_over || elapsed > 10 * setting.duration) return false;
    return elapsed < setting.duration || steps < setting.steps_min;
  };
  std::vector<std::thread> threads;
  for (std::size_t client = 0; client < clients; ++client) {
    threads.emplace_back([&, client] {
      Random random(setting.seed * 1'000 + client);
      ready.arrive_and_wait();
      for (; goes_on(); ++steps) {
        if (!step(client, random)) is_over = true;
      }
    });
  }
  began = std::chrono::steady_clock::now();
  ready.arrive_and_wait();
  for (std::thread& thread : threads) thread.join();
}

void KnownInstants::Note(const Answer& answer) {
  if (!answer.result.ok()) return;
  if (instants_.size() == kInstantsMax) instants_.erase(instants_.begin());
  instants_.push_back({answer.result.stamp.ms, answer.time.began_ns});
}

KnownInstants::Instant KnownInstants::Draw(Random& random) const {
  return instants_[random() % instants_.size()];
}

KnownInstants::Instant Now(std::int64_t earliest_ms) {
  const std::int64_t now_ms = base::SystemClock().WallNs() / 1'000'000;
  return {std::max(now_ms, earliest_ms), std::numeric_limits<std::int64_t>::min()};
}

std::int64_t RunForEach(Node& node, const std::function<std::string(std::size_t)>& script,
                        const std::vector<Parameters>& parameters) {
  std::atomic<std::int64_t> last_ms = 0;
  std::latch answered(static_cast<std::ptrdiff_t>(parameters.size()));
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    node.ExecuteAsync(script(i), parameters[i], [&](const Result& result) {
      EXPECT_TRUE(result.ok()) << result.reason;
      std::int64_t so_far = last_ms;
      while (so_far < result.stamp.ms && !last_ms.compare_exchange_weak(so_far, result.stamp.ms)) {
      }
      answered.count_down();
    });
  }
  answered.wait();
  return last_ms;
}

}  // namespace palena::isolation
