// Runs stories through twin and engine: by hand, to see one again, and for hours (make twin-long).

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <string>

#include "twin/coverage.h"
#include "twin/story.h"

namespace palena::twin {
namespace {

struct Flags {
  std::uint64_t seed = 1;
  std::uint64_t scripts = kScriptsPerStory;
  std::string fault = "none";
  bool prints = false;
};

Fault FaultOf(const std::string& name) {
  for (const PlantedFault& planted : kPlantedFaults) {
    if (planted.name == name) return planted.fault;
  }
  return Fault::kNone;
}

int Main(const Flags& flags) {
  const StoryOptions options{kGenerated, FaultOf(flags.fault), flags.prints};
  Coverage coverage;
  const auto start = std::chrono::steady_clock::now();
  const Stories stories = RunStories(flags.seed, flags.scripts, options, &coverage);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  std::printf("%s\n%.0f scripts/s\n", coverage.Text().c_str(),
              static_cast<double>(stories.scripts) / took.count());
  if (!stories.mismatch) return 0;
  std::printf("%s\n", stories.mismatch->c_str());
  return 1;
}

}  // namespace
}  // namespace palena::twin

int main(int argc, char** argv) {
  palena::twin::Flags flags;
  CLI::App app("Runs random scripts through the engine and its twin.");
  app.add_option("--seed", flags.seed, "of the first story");
  app.add_option("--scripts", flags.scripts, "how many, in stories of 50");
  app.add_option("--fault", flags.fault, "planted in the twin");
  app.add_flag("--print", flags.prints, "every script and its answer");
  CLI11_PARSE(app, argc, argv);
  return palena::twin::Main(flags);
}
