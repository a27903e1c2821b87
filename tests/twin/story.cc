#include "twin/story.h"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "script/program.h"
#include "script/quote.h"
#include "twin/failure.h"
#include "twin/interpreter.h"

namespace palena::twin {
namespace {

// A shard looks for expired entries that often; what it has forgotten starts at revision 0 again.
constexpr std::int64_t kTickMs = 100;
// Enough for all that a story writes.
constexpr std::size_t kHistoryBytes = std::size_t{4} << 20;
constexpr std::int64_t kRevisionsCompared = 8;

engine::TestEngineOptions OptionsOf(bool fast_path) {
  engine::TestEngineOptions options;
  options.fast_path = fast_path;
  options.table.history_bytes = kHistoryBytes;
  return options;
}

// What the store holds of one key, by way of a script: its head, whether it is there, and its last
// revisions.
std::string Inspection(const Key& key, const Versions& versions) {
  const std::string name = script::QuoteText(key.name, '"', key.name.size() + 1);
  const std::string prefix = key.durability == model::Durability::kEphemeral ? "e" : "";
  std::string script = "let x = " + prefix + "exists " + name + "\nlet v = " + prefix + "get " +
                       name + "\nlet all = [x, rev(x), expires(x), v, rev(v), expires(v)]\n";
  const std::int64_t head = versions.back().revision;
  for (std::int64_t i = std::max<std::int64_t>(0, head - kRevisionsCompared); i <= head + 1; ++i) {
    script += "let v = " + prefix + "get " + name + " at " + std::to_string(i) +
              "\nlet all = [all, v, rev(v), expires(v)]\n";
  }
  return script + "return all";
}

std::string TextOf(const Parameters& parameters) {
  std::string text;
  for (const auto& [name, value] : parameters) {
    text += (text.empty() ? "" : " ") + name + "=" + script::QuoteText(value, '"');
  }
  return text;
}

}  // namespace

struct Story::Engines {
  engine::TestEngine fast{OptionsOf(true)};
  engine::TestEngine general{OptionsOf(false)};

  void Advance(std::int64_t ms) {
    for (engine::TestEngine* engine : {&fast, &general}) {
      engine->clock.AdvanceMs(ms);
      engine->Settle();
      engine->sink.answers.clear();
    }
  }
  std::int64_t now_ms() const { return fast.clock.WallNs() / 1'000'000; }
};

Story::Story(std::uint64_t seed, const StoryOptions& options, Coverage* coverage)
    : seed_(seed),
      options_(options),
      coverage_(coverage),
      generator_(seed, options.features),
      engines_(std::make_unique<Engines>()),
      last_tick_ms_(engines_->now_ms()) {}

Story::~Story() = default;

std::optional<std::string> Story::Run() {
  try {
    return RunSteps();
  } catch (const TooMuch&) {
    return {};  // twin and engine have parted: the story is over
  }
}

std::optional<std::string> Story::RunSteps() {
  for (step_ = 0; step_ < kScriptsPerStory; ++step_) {
    const Step step = generator_.Next(engines_->now_ms());
    if (auto mismatch = RunStep(step)) return mismatch;
    ++compared_;
    Count(step);
  }
  return CompareStores();
}

void Story::Advance(std::int64_t ms) {
  engines_->Advance(ms);
  const std::int64_t now_ms = engines_->now_ms();
  if (now_ms - last_tick_ms_ < kTickMs) return;
  last_tick_ms_ = now_ms;
  store_.Sweep(now_ms);
}

Answer Story::AnswerOfTwin(const Step& step, const model::Result& fast) {
  hlc::Stamp stamp = fast.stamp;
  // A script that was refused before it ran has none, and needs none.
  if (stamp == hlc::Stamp{}) stamp = {hlc::HybridTime::FromMs(engines_->now_ms()), 0};
  return twin::Run({step.script, step.parameters, stamp, options_.planted}, store_);
}

std::optional<std::string> Story::RunStep(const Step& step) {
  Advance(step.advance_ms);
  Print(step);
  const engine::TestParameters parameters(step.parameters.begin(), step.parameters.end());
  const model::Result fast_result = engines_->fast.Run(step.script, parameters);
  const model::Result general_result = engines_->general.Run(step.script, parameters);
  const Answer twin = last_answer_ = AnswerOfTwin(step, fast_result);
  const Answer fast = Answer::From(fast_result);
  const Answer general = Answer::From(general_result);
  if (options_.prints) std::printf("  twin: %s\n", twin.Text().c_str());
  // An optimistic run of the general path takes a second stamp, of its validation: from there on
  // the engines count differently until time goes on.
  const bool is_optimistic = step.script.find("optimistic") != std::string::npos;
  const bool are_stamped_alike = is_optimistic
                                     ? fast_result.stamp.time.ms() == general_result.stamp.time.ms()
                                     : fast_result.stamp == general_result.stamp;
  if (is_optimistic) Advance(1);
  if (twin == fast && fast == general && are_stamped_alike) return {};
  return Report(step, twin, fast, general);
}

void Story::Count(const Step& step) {
  if (coverage_ == nullptr) return;
  const auto program = script::Compile(step.script);
  coverage_->Count(program.ok() ? program->get() : nullptr, last_answer_);
}

std::optional<std::string> Story::CompareStores() {
  std::vector<Step> inspections;
  for (const auto& [key, versions] : store_.keys()) {
    inspections.push_back({0, Inspection(key, versions), {}});
  }
  for (const Step& inspection : inspections) {
    if (auto mismatch = RunStep(inspection)) return "the stores differ\n" + *mismatch;
  }
  return {};
}

std::string Story::Heading(const Step& step) const {
  return "seed " + std::to_string(seed_) + ", script " + std::to_string(step_ + 1) + ", after " +
         std::to_string(step.advance_ms) + " ms\n" + step.script + "\nwith " +
         TextOf(step.parameters) + "\n";
}

// Before the engine has it: it may be what ends the process.
void Story::Print(const Step& step) const {
  if (!options_.prints) return;
  std::printf("%s", Heading(step).c_str());
  std::fflush(stdout);
}

std::string Story::Report(const Step& step, const Answer& twin, const Answer& fast,
                          const Answer& general) const {
  return Heading(step) + "  twin: " + twin.Text() + "\n  engine, fast path: " + fast.Text() +
         "\n  engine, general path: " + general.Text() +
         "\nagain: build/release/bin/twin_stories --seed " + std::to_string(seed_) + " --print";
}

Stories RunStories(std::uint64_t first_seed, std::uint64_t scripts, const StoryOptions& options,
                   Coverage* coverage) {
  Stories stories;
  while (stories.scripts < scripts && !stories.mismatch) {
    Story story(first_seed + stories.run, options, coverage);
    stories.mismatch = story.Run();
    ++stories.run;
    stories.scripts += story.compared();
  }
  return stories;
}

}  // namespace palena::twin
