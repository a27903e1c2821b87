#pragma once

// A story: some scripts one after the other on one store, each run by the twin and by the engine on
// its fast and on its general path; at the end the stores are compared.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine_fixture.h"
#include "twin/coverage.h"
#include "twin/fault.h"
#include "twin/features.h"
#include "twin/generator.h"
#include "twin/store.h"

namespace palena::twin {

inline constexpr int kScriptsPerStory = 50;

struct StoryOptions {
  Features features = kGenerated;
  Fault planted = Fault::kNone;
  bool prints = false;  // every step, on stdout
};

class Story {
 public:
  // `coverage` may be null.
  Story(std::uint64_t seed, const StoryOptions& options, Coverage* coverage);
  ~Story();

  // Nothing when all is equal; otherwise what differs, for people.
  std::optional<std::string> Run();
  // Scripts that twin and engine have both answered, and alike.
  std::uint64_t compared() const { return compared_; }

 private:
  struct Engines;

  std::optional<std::string> RunSteps();
  void Advance(std::int64_t ms);
  std::optional<std::string> RunStep(const Step& step);
  std::optional<std::string> CompareStores();
  Answer AnswerOfTwin(const Step& step, const model::Result& fast);
  void Count(const Step& step);
  std::string Heading(const Step& step) const;
  void Print(const Step& step) const;
  std::string Report(const Step& step, const Answer& twin, const Answer& fast,
                     const Answer& general) const;

  const std::uint64_t seed_;
  const StoryOptions options_;
  Coverage* const coverage_;
  Generator generator_;
  Store store_;
  std::unique_ptr<Engines> engines_;
  std::int64_t last_tick_ms_;
  Answer last_answer_;  // the twin's
  int step_ = 0;
  std::uint64_t compared_ = 0;
};

struct Stories {
  std::uint64_t run = 0;
  std::uint64_t scripts = 0;
  std::optional<std::string> mismatch;
};

// Stories of seeds `first_seed` on, until there were that many scripts or one differs.
Stories RunStories(std::uint64_t first_seed, std::uint64_t scripts, const StoryOptions& options,
                   Coverage* coverage);

}  // namespace palena::twin
