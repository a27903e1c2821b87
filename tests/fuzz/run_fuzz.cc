// Claims about script::Vm: a run gives the same answer, leaves the same store and counts the same
// steps whether it runs whole on a VM that ran others before, or in slices of one step on a new one
// over a host that has to be asked twice; it holds the VM's contract with its host
// (contract_host.h) and the limits on values and results; a failure names a line of the script.
//
// Input: steps parted by 0x01, run one after the other over one store; in each, parted by 0x00, the
// script and its parameters by slot.

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/check.h"
#include "fuzz/budgeted_run.h"
#include "fuzz/input.h"

namespace palena::fuzz {
namespace {

class Story {
 public:
  Story() { store_in_slices_.blocks_first = true; }

  void Step(std::string_view step) {
    const std::optional<CompiledStep> run = Compile(step);
    if (!run) return;
    const auto& [script, program, parameters] = *run;
    const Outcome whole = Run(vm_, *program, parameters, now_ms_, store_, base::kRunStepsMax);
    script::Vm fresh;
    const Outcome in_slices = Run(fresh, *program, parameters, now_ms_, store_in_slices_, 1);
    PALENA_CHECK(whole == in_slices);
    now_ms_ += kBetweenStepsMs;
  }

  void CheckStores() const { PALENA_CHECK(store_.Text() == store_in_slices_.Text()); }

 private:
  std::int64_t now_ms_ = kStartMs;
  script::Vm vm_;
  script::MapHost store_;
  script::MapHost store_in_slices_;
};

}  // namespace
}  // namespace palena::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  palena::fuzz::Story story;
  for (const std::string_view step : palena::fuzz::StepsOf(data, size)) {
    story.Step(step);
  }
  story.CheckStores();
  return 0;
}
