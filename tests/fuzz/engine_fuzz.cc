// Claims about the engine over its tables: a script gives the same answer on the fast path of one
// shard, on the general path of a node with two, and on a plain VM over ordered maps (MapHost);
// afterwards so does every later script, so all three hold the same data.
//
// Input: that of run_fuzz.cc. A script that does not end within the budget ends the story: the
// engine would run it for ten million steps.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "engine/engine_fixture.h"
#include "fuzz/budgeted_run.h"
#include "fuzz/input.h"
#include "script/program.h"

namespace palena::fuzz {
namespace {

constexpr std::int64_t kStartMs = 1'700'000'000'000;  // of base::ManualClock
constexpr std::int64_t kBetweenStepsMs = 10;

// The answer without its stamp, whose fraction of a millisecond is the node's own.
std::string Encoded(model::Result result) {
  result.stamp = {};
  std::string text;
  wire::AppendResult(text, 0, result);
  return text;
}

class Story {
 public:
  // False when the story is over.
  bool Step(std::string_view step) {
    std::vector<std::string_view> parts = Split(step, '\x00');
    const std::string_view script = parts[0];
    const auto program = script::Compile(script);
    if (!program.ok()) return true;
    parts.erase(parts.begin());
    const OwnParameters parameters(parts, (*program)->parameters().size());
    const hlc::Stamp stamp{hlc::HybridTime::FromMs(now_ms_), 0};
    if (!store_.Begin(**program, parameters.views(), stamp)) return true;

    const Outcome plain = Run(vm_, **program, parameters, now_ms_, store_, base::kRunStepsMax);
    if (!plain.is_finished) return false;
    const engine::TestParameters named = Named(**program, parameters);
    PALENA_CHECK(Encoded(fast_.Run(script, named)) == plain.answer);
    PALENA_CHECK(Encoded(general_.Run(script, named)) == plain.answer);
    Advance();
    return true;
  }

 private:
  static engine::TestParameters Named(const script::Program& program,
                                      const OwnParameters& parameters) {
    engine::TestParameters named;
    for (std::size_t slot = 0; slot < parameters.views().size(); ++slot) {
      const auto& text = parameters.views()[slot];
      if (text) named.emplace_back(program.parameters()[slot], *text);
    }
    return named;
  }

  void Advance() {
    now_ms_ += kBetweenStepsMs;
    fast_.clock.AdvanceMs(kBetweenStepsMs);
    general_.clock.AdvanceMs(kBetweenStepsMs);
  }

  std::int64_t now_ms_ = kStartMs;
  script::Vm vm_;
  script::MapHost store_;
  engine::TestEngine fast_;
  engine::TestEngine general_{{.shards = 2, .fast_path = false}};
};

}  // namespace
}  // namespace palena::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  palena::fuzz::Story story;
  for (const std::string_view step :
       palena::fuzz::Split(palena::fuzz::TextOf(data, size), '\x01')) {
    if (!story.Step(step)) break;
  }
  return 0;
}
