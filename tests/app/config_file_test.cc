#include "app/config_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "app/flag_values.h"
#include "app/parse.h"
#include "base/temp_dir.h"

namespace palena::app {
namespace {

using testing::HasSubstr;

// A program with three options and a file for them.
class ConfigFileTest : public testing::Test {
 protected:
  // What it says against the file; empty when it takes it.
  std::string Read(const std::string& text, const std::vector<std::string>& flags = {}) {
    std::ofstream(file_) << text;
    return ReadFrom(file_, flags);
  }
  std::string ReadFrom(const std::string& file, const std::vector<std::string>& flags = {}) {
    CLI::App app("", "program");
    app.add_option("--data-dir", data_dir_);
    app.add_option("--shards", shards_)->check(WholeNumber(1, 256));
    app.add_flag("--insecure", is_insecure_);
    AddConfigFile(app);
    std::vector<const char*> argv = {"program", "--config", file.c_str()};
    for (const std::string& flag : flags) argv.push_back(flag.c_str());
    std::ostringstream out;
    std::ostringstream err;
    Parse(app, static_cast<int>(argv.size()), argv.data(), out, err);
    return err.str();
  }

  base::TempDir directory_;
  const std::string file_ = directory_ / "palena.toml";
  std::string data_dir_;
  int shards_ = 0;
  bool is_insecure_ = false;
};

TEST_F(ConfigFileTest, SetsOptionsByTheirNames) {
  EXPECT_EQ(Read("# a node\ndata-dir = \"/a b,c\"\nshards = 3\ninsecure = true\n"), "");
  EXPECT_EQ(data_dir_, "/a b,c");
  EXPECT_EQ(shards_, 3);
  EXPECT_TRUE(is_insecure_);
}

TEST_F(ConfigFileTest, TheCommandLineWins) {
  EXPECT_EQ(Read("shards = 3\n", {"--shards", "5"}), "");
  EXPECT_EQ(shards_, 5);
}

TEST_F(ConfigFileTest, AnUnknownKeyIsNamedWithItsFileAndTheNearestOption) {
  EXPECT_EQ(Read("data_dir = \"x\"\n"),
            "program: --config " + file_ +
                ": unknown key \"data_dir\"; keys are the names of options, without --; did you "
                "mean data-dir? (see program --help)\n");
  EXPECT_THAT(Read("help = true\n"), HasSubstr("unknown key \"help\""));
  EXPECT_THAT(Read("[server]\nshards = 1\n"), HasSubstr("section [server] is unknown"));
}

TEST_F(ConfigFileTest, ABadValueIsSaidToComeFromTheFile) {
  EXPECT_EQ(Read("shards = 1000\n"),
            "program: --config " + file_ +
                ": shards: \"1000\" is not a whole number from 1 to 256 (see program --help)\n");
  EXPECT_THAT(Read("insecure = maybe\n"), HasSubstr("\"maybe\" is neither true nor false"));
  EXPECT_THAT(Read("shards = 1\nshards = 2\n"), HasSubstr("shards: 2 values are given"));
  EXPECT_THAT(Read("data-dir = /a b\n"), HasSubstr("goes into \"quotes\""));
}

TEST_F(ConfigFileTest, AFileThatIsNoneIsNamed) {
  EXPECT_THAT(ReadFrom(directory_.path()),
              HasSubstr("--config: \"" + directory_.path() + "\" is a folder"));
  EXPECT_THAT(ReadFrom(""), HasSubstr("--config: the file's name is empty"));
  EXPECT_THAT(ReadFrom(directory_ / "missing"),
              HasSubstr("missing\" cannot be read: No such file"));
}

}  // namespace
}  // namespace palena::app
