// Claims about the engine over its tables: a script gives the same answer on the fast path of one
// shard, on its general path, and on a plain VM over ordered maps (MapHost);
// afterwards so does every later script, so all three hold the same data.
//
// Input: that of run_fuzz.cc. Steps that the engine cannot run yet are left out. A script that does
// not end within the budget ends the story: the
// engine would run it for ten million steps.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/check.h"
#include "engine/engine_fixture.h"
#include "fuzz/budgeted_run.h"
#include "fuzz/input.h"
#include "wire/frame.h"

namespace palena::fuzz {
namespace {

// More than any story writes; a ring is allocated as a whole, and there are two for each input.
constexpr std::size_t kHistoryBytes = std::size_t{1} << 16;

// The answer without its stamp, whose fraction of a millisecond is the node's own.
std::string Encoded(model::Result result) {
  result.stamp = {};
  std::string text;
  wire::AppendResult(text, 0, result);
  return text;
}

void Print(const char* who, const model::Result& result) {
  std::fprintf(stderr, "%s: %s %s line %d applied %s, %s\n", who,
               std::string(model::ResultTypeName(result.type)).c_str(),
               std::string(model::CodeName(result.code)).c_str(), result.line,
               std::string(model::AppliedName(result.applied)).c_str(), result.reason.c_str());
  for (const model::ResultValue& value : result.values) {
    std::fprintf(stderr, "  '%s' = %s revision %lld expires %lld modified %lld\n",
                 value.key.c_str(), value.is_null ? "null" : value.value.view().ToText().c_str(),
                 static_cast<long long>(value.revision), static_cast<long long>(value.expires_ms),
                 static_cast<long long>(value.last_modified_ms));
  }
}

// `plain` is as encoded, without a stamp.
void CheckSame(const char* path, const model::Result& result, const std::string& plain) {
  if (Encoded(result) == plain) return;
  Print(path, result);
  const auto message = wire::DecodeReply(wire::DecodeFrame(plain, plain.size()).payload);
  Print("plain VM", std::get<model::Result>(message->reply));
  PALENA_CHECK(false && "the engine answers as the plain VM does");
}

// Whether a plain run of the VM shows all that the engine makes of the program. How a run ends
// other than by its end, and what time does to it meanwhile, is the engine's (and the twin's) to
// say.
bool IsPlain(const script::Program& program) {
  using script::Opcode;
  static constexpr Opcode kOfTheEngine[] = {Opcode::kSleep, Opcode::kCommit, Opcode::kRollback};
  return !program.is_transaction() &&
         std::ranges::none_of(program.code(), [](const script::Instruction& i) {
           return std::ranges::find(kOfTheEngine, i.op) != std::end(kOfTheEngine);
         });
}

class Story {
 public:
  // False when the story is over.
  bool Step(std::string_view step) {
    const std::optional<CompiledStep> run = Compile(step);
    if (!run) return true;
    const auto& [script, program, parameters] = *run;
    if (!IsPlain(*program)) return true;
    const hlc::Stamp stamp{hlc::HybridTime::FromMs(now_ms_), 0};
    if (!store_.Begin(*program, parameters.views(), stamp)) return true;

    const Outcome plain = Run(vm_, *program, parameters, now_ms_, store_, base::kRunStepsMax);
    if (!plain.is_finished) return false;
    const engine::TestParameters named = Named(*run);
    CheckSame("fast path", fast_.Run(script, named), plain.answer);
    CheckSame("general path", general_.Run(script, named), plain.answer);
    Advance();
    return true;
  }

 private:
  static engine::TestParameters Named(const CompiledStep& run) {
    engine::TestParameters named;
    for (std::size_t slot = 0; slot < run.parameters.views().size(); ++slot) {
      const auto& text = run.parameters.views()[slot];
      if (text) named.emplace_back(run.program->parameters()[slot], *text);
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
  engine::TestEngine fast_{{.table = {.history_bytes = kHistoryBytes}}};
  engine::TestEngine general_{{.fast_path = false, .table = {.history_bytes = kHistoryBytes}}};
};

}  // namespace
}  // namespace palena::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  palena::fuzz::Story story;
  for (const std::string_view step : palena::fuzz::StepsOf(data, size)) {
    if (!story.Step(step)) break;
  }
  return 0;
}
