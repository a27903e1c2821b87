// Golden programs: each script of golden/ and of the recipes that compiles, against its .code file.
// After a wanted change, PALENA_UPDATE_GOLDEN=1 writes the files anew; read the difference before
// committing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "script/golden_files.h"
#include "script/program.h"

namespace palena::script {
namespace {

namespace fs = std::filesystem;

// Those that compile: a refused script has no program.
std::vector<fs::path> Scripts() {
  std::vector<fs::path> scripts = GoldenScripts();
  std::erase_if(scripts, [](const fs::path& path) { return !Compile(base::ReadFile(path)).ok(); });
  return scripts;
}

class GoldenProgramTest : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenProgramTest, IsAsRecorded) {
  const fs::path file =
      InTree("tests/script/golden") / fs::path(GetParam()).filename().replace_extension(".code");
  const std::string golden = DumpProgram(**Compile(base::ReadFile(GetParam())));
  if (std::getenv("PALENA_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << golden;
  EXPECT_EQ(golden, base::ReadFile(file)) << file;
}

INSTANTIATE_TEST_SUITE_P(Scripts, GoldenProgramTest, testing::ValuesIn(Scripts()),
                         [](const auto& script) { return script.param.stem().string(); });

}  // namespace
}  // namespace palena::script
