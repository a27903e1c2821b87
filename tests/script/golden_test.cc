// Golden trees: each script of golden/ and of the recipes against its .tree file. After a wanted
// change, PALENA_UPDATE_GOLDEN=1 writes the files anew; read the difference before committing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "script/analyser.h"
#include "script/dump.h"
#include "script/golden_files.h"
#include "script/parser.h"

namespace palena::script {
namespace {

namespace fs = std::filesystem;

std::string DumpKey(const FootprintKey& key) {
  constexpr const char* kKinds[] = {"key", "bucket", "prefix"};
  return absl::StrCat(
      key.writes ? "writes " : "reads ",
      key.durability == model::Durability::kEphemeral ? "ephemeral " : "persistent ",
      kKinds[static_cast<std::size_t>(key.kind)], " ", key.text, key.reads_now ? "" : ", not now",
      key.has_own_as_of ? ", as of" : "", "\n");
}

std::string DumpAnalysis(const Analysis& analysis) {
  std::string text = absl::StrCat("variables: ", absl::StrJoin(analysis.variables, ", "),
                                  "\nparameters: ", absl::StrJoin(analysis.parameters, ", "), "\n");
  for (const FootprintKey& key : analysis.footprint) text += DumpKey(key);
  return text;
}

// The tree and what was found in it, or why it was refused.
std::string Golden(const std::string& source) {
  auto tree = Parse(source);
  if (!tree.ok()) return "refused: " + tree.error().ToReason() + "\n";
  const auto analysis = Analyse(*tree);
  const std::string dump = DumpTree(*tree) + "\n";
  if (!analysis.ok()) return dump + "refused: " + analysis.error().ToReason() + "\n";
  return dump + DumpAnalysis(*analysis);
}

class GoldenTreeTest : public testing::TestWithParam<fs::path> {};

TEST_P(GoldenTreeTest, IsAsRecorded) {
  const fs::path file =
      InTree("tests/script/golden") / fs::path(GetParam()).filename().replace_extension(".tree");
  const std::string golden = Golden(base::ReadFile(GetParam()));
  if (std::getenv("PALENA_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << golden;
  EXPECT_EQ(golden, base::ReadFile(file)) << file;
}

INSTANTIATE_TEST_SUITE_P(Scripts, GoldenTreeTest, testing::ValuesIn(GoldenScripts()),
                         [](const auto& script) { return script.param.stem().string(); });

}  // namespace
}  // namespace palena::script
