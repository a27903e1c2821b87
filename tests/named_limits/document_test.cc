// docs/named_limits.md and the code name the same keys.

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/read_file.h"
#include "limits/limits_file.h"
#include "limits/refused_subjects.h"
#include "limits/shard_limits.h"

namespace palena::limits {
namespace {

std::string Document() {
  return base::ReadFile(PALENA_SOURCE_DIR "/docs/named_limits.md");
}

// "| `key` | kind | default |" of each row of the table of keys, as far as the code knows it.
std::vector<std::string> DocumentedKeys() {
  std::vector<std::string> rows;
  std::istringstream lines(Document());
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::size_t end = 0;
    for (int column = 0; column < 4; ++column) end = line.find('|', end) + 1;
    rows.push_back(line.substr(0, end));
  }
  return rows;
}

TEST(NamedLimitsDocumentTest, ItsTableOfKeysIsThatOfTheCode) {
  std::vector<std::string> rows;
  for (const LimitKey& key : LimitKeys()) {
    const std::string standard =
        *key.standard == '\0' ? "it must be there" : "`" + std::string(key.standard) + "`";
    rows.push_back("| `" + std::string(key.name) + "` | " + key.kind + " | " + standard + " |");
  }
  EXPECT_EQ(DocumentedKeys(), rows);
}

TEST(NamedLimitsDocumentTest, ItsNumbersAreThoseOfTheCode) {
  const std::string text = Document();
  for (const std::string& claim :
       {"at most " + std::to_string(kLimitNameBytesMax) + " letters",
        "(at most " + std::to_string(kWishesMax) + ")",
        std::to_string(kTrackedSubjectsMax) + " of them for",
        "The " + std::to_string(kReportedSubjectsMax) + " highest are told"}) {
    EXPECT_NE(text.find(claim), std::string::npos) << claim;
  }
  EXPECT_NE(text.find("1,000 of them and 1 MiB"), std::string::npos);
  EXPECT_EQ(kLimitsMax, 1'000U);
  EXPECT_EQ(kLimitsFileBytesMax, std::size_t{1} << 20);
  EXPECT_NE(text.find("a guess, one second"), std::string::npos);
  EXPECT_EQ(kUndecidedRetryMs, 1'000);
}

// The example of the document is a file that works.
TEST(NamedLimitsDocumentTest, ItsExampleIsAFileOfLimits) {
  const std::string text = Document();
  const std::size_t begin = text.find("```toml\n") + 8;
  const auto set = ParseLimits(text.substr(begin, text.find("```", begin) - begin), "limits.toml");
  ASSERT_TRUE(set.ok()) << set.status();
  EXPECT_NE((*set)->Find("login"), nullptr);
}

}  // namespace
}  // namespace palena::limits
