#include "script/rewrite.h"

#include <gtest/gtest.h>

namespace palena::script {
namespace {

TEST(RewriteTest, TurnsEveryEphemeralFormIntoThePlainOne) {
  EXPECT_EQ(RewriteEphemeralToPersistent("eset a 1 eget a edelete a edel a eextend a 5 eexists a "
                                         "escan by prefix a"),
            "set a 1 get a delete a del a extend a 5 exists a scan by prefix a");
}

TEST(RewriteTest, BucketsScansAndBlocksFollowToo) {
  EXPECT_EQ(RewriteEphemeralToPersistent("begin (snapshot=@t) let m = eget by bucket b "
                                         "EScan By Prefix p as of 5 eexists k as of 6 commit end"),
            "begin (snapshot=@t) let m = get by bucket b "
            "Scan By Prefix p as of 5 exists k as of 6 commit end");
}

TEST(RewriteTest, KnowsKeywordsInAnyLetterCase) {
  EXPECT_EQ(RewriteEphemeralToPersistent("ESET a 1 Eget a"), "SET a 1 get a");
}

TEST(RewriteTest, LeavesPlainFormsAlone) {
  const char* script = "set a 1\nif not found then return 0 end";
  EXPECT_EQ(RewriteEphemeralToPersistent(script), script);
}

TEST(RewriteTest, LeavesQuotedTextAndBacktickNamesAlone) {
  const char* script = R"(set "eget" 'eset' let `eget` = "edel \" eget" get `escan`)";
  EXPECT_EQ(RewriteEphemeralToPersistent(script), script);
}

TEST(RewriteTest, LeavesCommentsParametersAndLongerNamesAlone) {
  EXPECT_EQ(RewriteEphemeralToPersistent("# eget\neset @eget 1 let egets = 2"),
            "# eget\nset @eget 1 let egets = 2");
}

TEST(RewriteTest, KeepsBlanksAndLinesWhereTheyWere) {
  EXPECT_EQ(RewriteEphemeralToPersistent("  eset  a\r\n\t1\n\n"), "  set  a\r\n\t1\n\n");
}

TEST(RewriteTest, KeepsTheRestOfATextThatIsNoScript) {
  EXPECT_EQ(RewriteEphemeralToPersistent("eget a ; eget b"), "get a ; eget b");
  EXPECT_EQ(RewriteEphemeralToPersistent(""), "");
}

}  // namespace
}  // namespace palena::script
