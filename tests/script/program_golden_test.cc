// Golden programs: each script of golden/ and of the recipes that compiles, against its .code file.
// After a wanted change, PALENA_UPDATE_GOLDEN=1 writes the files anew; read the difference before
// committing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "script/program.h"

namespace palena::script {
namespace {

namespace fs = std::filesystem;

fs::path InTree(std::string_view path) {
  return fs::path(PALENA_SOURCE_DIR) / path;
}

std::string ReadFile(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<fs::path> Scripts() {
  std::vector<fs::path> scripts;
  for (const char* folder : {"tests/script/golden", "scripts/recipes"}) {
    for (const auto& entry : fs::directory_iterator(InTree(folder))) {
      const bool is_script = entry.path().extension() == ".pal";
      if (is_script && Compile(ReadFile(entry.path())).ok()) scripts.push_back(entry.path());
    }
  }
  std::sort(scripts.begin(), scripts.end());
  return scripts;
}

class GoldenProgramTest : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenProgramTest, IsAsRecorded) {
  const fs::path file =
      InTree("tests/script/golden") / fs::path(GetParam()).filename().replace_extension(".code");
  const std::string golden = DumpProgram(**Compile(ReadFile(GetParam())));
  if (std::getenv("PALENA_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << golden;
  EXPECT_EQ(golden, ReadFile(file)) << file;
}

INSTANTIATE_TEST_SUITE_P(Scripts, GoldenProgramTest, testing::ValuesIn(Scripts()),
                         [](const auto& script) { return script.param.stem().string(); });

}  // namespace
}  // namespace palena::script
