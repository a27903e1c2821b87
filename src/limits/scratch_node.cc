#include "limits/scratch_node.h"

#include <utility>

#include "base/hash.h"
#include "store/memory_commit_log.h"

namespace palena::limits {
namespace {

constexpr std::int64_t kNsPerMs = 1'000'000;

engine::EngineOptions SmallOptions() {
  engine::EngineOptions options;
  options.table.memory_bytes_max = std::size_t{64} << 20;
  options.table.history_bytes = std::size_t{1} << 20;
  return options;
}

}  // namespace

ScratchNode::ScratchNode(std::int64_t now_ms)
    : clock_(now_ms * kNsPerMs),
      executor_(clock_),
      log_(store::MakeMemoryCommitLog(executor_)),
      node_clock_(clock_, hlc::HybridTime{}),
      engine_(SmallOptions(),
              {&clock_,
               &node_clock_,
               log_.get(),
               &executor_,
               {&executor_},
               base::KeyedHash::WithRandomSecret()},
              nullptr) {}

// The log writes what is left, and tells the engine of it.
ScratchNode::~ScratchNode() {
  log_.reset();
}

model::Result ScratchNode::Run(const engine::ProgramPtr& program,
                               std::span<const std::string_view> values) {
  answer_.reset();
  engine::Call call;
  call.reply_to.sink = this;
  call.program = &program;
  call.values = values;
  engine::Shard& shard = engine_.shard(0);
  shard.BeginTurn();
  shard.ExecuteNow(call);
  shard.EndTurn();
  while (!answer_ && executor_.RunReady()) {
  }
  if (answer_) return *std::exchange(answer_, std::nullopt);
  return model::Result::Failure(
      {model::Code::kLimit, "it waits, where it must answer at once", 0, ""});
}

void ScratchNode::OnResult(std::uint64_t, std::uint64_t, model::Result& result) {
  answer_ = std::move(result);
}

}  // namespace palena::limits
