#include "script/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace palena::script {
namespace {

std::vector<Token> Lex(std::string_view source) {
  Lexer lexer(source);
  std::vector<Token> tokens;
  while (tokens.empty() || tokens.back().kind > TokenKind::kBad) tokens.push_back(lexer.Next());
  return tokens;
}

// The kinds up to the end of the script, which is left out.
std::vector<TokenKind> Kinds(std::string_view source) {
  std::vector<TokenKind> kinds;
  for (const Token& token : Lex(source)) {
    if (token.kind != TokenKind::kEndOfScript) kinds.push_back(token.kind);
  }
  return kinds;
}

std::string StringOf(std::string_view source) {
  const Token token = Lex(source).front();
  EXPECT_EQ(token.kind, TokenKind::kString) << source;
  return token.text;
}

std::string ReasonOf(std::string_view source) {
  Lexer lexer(source);
  while (true) {
    const TokenKind kind = lexer.Next().kind;
    if (kind == TokenKind::kBad) return lexer.error().ToReason();
    if (kind == TokenKind::kEndOfScript) return "no error";
  }
}

using Kind = TokenKind;

TEST(LexerTest, KeywordsComeInAnyLetterCase) {
  EXPECT_EQ(Kinds("LeT eGET EDel del NOT"),
            (std::vector{Kind::kLet, Kind::kEGet, Kind::kEDelete, Kind::kDelete, Kind::kNot}));
}

TEST(LexerTest, NamesThatBeginWithAKeywordAreNames) {
  for (const char* name : {"settings", "getter", "end_", "_if", "deleted", "extended", "keepttl"}) {
    const Token token = Lex(name).front();
    EXPECT_EQ(token.kind, Kind::kIdentifier) << name;
    EXPECT_EQ(token.text, name);
  }
}

TEST(LexerTest, NamesKeepTheirCase) {
  EXPECT_EQ(Lex("Count").front().text, "Count");
}

TEST(LexerTest, BackticksMakeAnyTextAName) {
  const Token token = Lex("`if it's \"x\"`").front();
  EXPECT_EQ(token.kind, Kind::kIdentifier);
  EXPECT_EQ(token.text, "if it's \"x\"");
  EXPECT_TRUE(token.in_backticks);
}

TEST(LexerTest, BackticksEndAtTheFirstUnescapedOne) {
  const std::vector<Token> tokens = Lex("`a\\`b` `c`");
  EXPECT_EQ(tokens[0].text, "a`b");
  EXPECT_EQ(tokens[1].text, "c");
}

TEST(LexerTest, PlaceholdersKeepTheirAtSign) {
  const std::vector<Token> tokens = Lex("@limit @1 @_a");
  EXPECT_EQ(tokens[0].kind, Kind::kPlaceholder);
  EXPECT_EQ(tokens[0].text, "@limit");
  EXPECT_EQ(tokens[1].text, "@1");
  EXPECT_EQ(tokens[2].text, "@_a");
}

TEST(LexerTest, LoneAtSignIsTheKeyword) {
  EXPECT_EQ(Kinds("@ 5 at"), (std::vector{Kind::kAt, Kind::kInteger, Kind::kAt}));
}

TEST(LexerTest, SymbolsTakeTheLongestText) {
  EXPECT_EQ(Kinds("<= <> < = == != ! .. && ||"),
            (std::vector{Kind::kLessEqual, Kind::kNotEqualAngled, Kind::kLess, Kind::kAssign,
                         Kind::kEqual, Kind::kNotEqual, Kind::kBang, Kind::kRange, Kind::kAnd,
                         Kind::kOr}));
}

TEST(LexerTest, MinusIsNeverPartOfANumber) {
  EXPECT_EQ(Kinds("5-3"), (std::vector{Kind::kInteger, Kind::kMinus, Kind::kInteger}));
}

TEST(LexerTest, IntegersReachToTheLast64BitOne) {
  EXPECT_EQ(Lex("9223372036854775807").front().integer, INT64_MAX);
  EXPECT_EQ(Lex("007").front().integer, 7);
  EXPECT_EQ(ReasonOf("\n9223372036854775808"),
            "Syntax error, integer out of range: '9223372036854775808' at line 2");
}

TEST(LexerTest, HexadecimalIsA64BitPattern) {
  EXPECT_EQ(Lex("0x1F").front().integer, 31);
  EXPECT_EQ(Lex("0Xff").front().integer, 255);
  EXPECT_EQ(Lex("0xFFFFFFFFFFFFFFFF").front().integer, -1);
  EXPECT_EQ(Lex("0x8000000000000000").front().integer, INT64_MIN);
  EXPECT_EQ(Lex("0x0000000000000000001").front().integer, 1);
  EXPECT_EQ(ReasonOf("0x10000000000000000"),
            "Syntax error, integer out of range: '0x10000000000000000' at line 1");
}

TEST(LexerTest, FloatsHaveDigitsOnBothSides) {
  EXPECT_EQ(Lex("2.50").front().real, 2.5);
  EXPECT_EQ(Lex("2.50").front().text, "2.50");
  EXPECT_EQ(ReasonOf("5."), "Unexpected character '.' at line 1");
  EXPECT_EQ(ReasonOf(".5"), "Unexpected character '.' at line 1");
  EXPECT_EQ(ReasonOf("1" + std::string(400, '0') + ".0").find("Syntax error, number out of range"),
            0U);
}

TEST(LexerTest, RangeAfterAnIntegerIsNoFloat) {
  EXPECT_EQ(Kinds("1..5"), (std::vector{Kind::kInteger, Kind::kRange, Kind::kInteger}));
  EXPECT_EQ(Kinds("1.5..2"), (std::vector{Kind::kDouble, Kind::kRange, Kind::kInteger}));
}

TEST(LexerTest, ThereIsNoExponent) {
  EXPECT_EQ(Kinds("1e3"), (std::vector{Kind::kInteger, Kind::kIdentifier}));
}

TEST(LexerTest, StringsHoldTheOtherQuoteFreely) {
  EXPECT_EQ(StringOf("\"it's\""), "it's");
  EXPECT_EQ(StringOf("'say \"hi\"'"), "say \"hi\"");
  EXPECT_EQ(StringOf("''"), "");
}

TEST(LexerTest, EscapesAreDecodedOnce) {
  EXPECT_EQ(StringOf(R"('\n\t\r\a\b\f\v\\\"\'\`')"), "\n\t\r\a\b\f\v\\\"'`");
  EXPECT_EQ(StringOf(R"("end\"")"), "end\"");
  EXPECT_EQ(StringOf(R"('c:\\tmp')"), "c:\\tmp");
}

TEST(LexerTest, CharactersMayBeWrittenByNumber) {
  EXPECT_EQ(StringOf(R"('\x41\u00e9\101')"), "AéA");
  EXPECT_EQ(StringOf(R"('\0')"), std::string(1, '\0'));
  EXPECT_EQ(StringOf(R"('\1018')"), "A8");
  EXPECT_EQ(StringOf(R"('\377')"), "ÿ");
  EXPECT_EQ(StringOf(R"('\U0001F525')"), "🔥");
}

TEST(LexerTest, SurrogatePairsJoinToOneCharacter) {
  EXPECT_EQ(StringOf(R"('\uD83D\uDE00')"), "😀");
}

TEST(LexerTest, LoneSurrogatesAreRefused) {
  EXPECT_EQ(ReasonOf(R"('\uD83D')"), "Syntax error, lone surrogate \\uD83D at line 1");
  EXPECT_EQ(ReasonOf(R"('\uDE00\uD83D')"), "Syntax error, lone surrogate \\uDE00 at line 1");
  EXPECT_EQ(ReasonOf(R"('\uD83Dx')"), "Syntax error, lone surrogate \\uD83D at line 1");
  EXPECT_EQ(ReasonOf(R"('\U0000D83D')"), "Syntax error, lone surrogate \\U0000D83D at line 1");
}

TEST(LexerTest, BadEscapesAreRefused) {
  EXPECT_EQ(ReasonOf(R"('a\qb')"), "Syntax error, unknown escape \\q at line 1");
  EXPECT_EQ(ReasonOf(R"('\8')"), "Syntax error, unknown escape \\8 at line 1");
  EXPECT_EQ(ReasonOf(R"(`\x4`)"), "Syntax error, incomplete escape \\x at line 1");
  EXPECT_EQ(ReasonOf(R"('\u12')"), "Syntax error, incomplete escape \\u at line 1");
  EXPECT_EQ(ReasonOf(R"('\U00110000')"), "Syntax error, no such character \\U00110000 at line 1");
}

TEST(LexerTest, UnterminatedLiteralsAreRefusedAtTheirOpeningLine) {
  EXPECT_EQ(ReasonOf("\n'abc"), "Syntax error, unterminated string 'abc' at line 2");
  EXPECT_EQ(ReasonOf("\"abc\\"), "Syntax error, unterminated string \"abc\\\\\" at line 1");
  EXPECT_EQ(ReasonOf("`k\n`"), "Syntax error, unterminated name `k` at line 1");
}

TEST(LexerTest, LiteralsHoldNoRawLineBreak) {
  for (const char* source : {"'a\nb'", "'a\r\nb'", "'a\\\nb'", "`a\nb`"}) {
    EXPECT_NE(ReasonOf(source).find("unterminated"), std::string::npos) << source;
  }
}

TEST(LexerTest, BytesInsideQuotesPassAsTheyAre) {
  EXPECT_EQ(StringOf("'zażółć 日本'"), "zażółć 日本");
  EXPECT_EQ(StringOf("'\xff\x01'"), "\xff\x01");
}

TEST(LexerTest, CharactersOfNoMeaningAreRefused) {
  for (const std::string c : {";", "%", "$", "?", ":", "&", "|", "{", "}", "~", "^", "é", "日"}) {
    EXPECT_EQ(ReasonOf("return 1\n " + c), "Unexpected character '" + c + "' at line 2");
  }
}

TEST(LexerTest, CharactersThatCannotBeShownAreEscaped) {
  EXPECT_EQ(ReasonOf("\xff"), "Unexpected character '\\xff' at line 1");
  EXPECT_EQ(ReasonOf(std::string_view("\0", 1)), "Unexpected character '\\x00' at line 1");
  EXPECT_EQ(ReasonOf("\f"), "Unexpected character '\\x0c' at line 1");
}

TEST(LexerTest, CommentsReachToTheEndOfTheLine) {
  const std::vector<Token> tokens = Lex("# let ' ; \n get # by\r\nk#");
  ASSERT_EQ(tokens.size(), 3U);
  EXPECT_EQ(tokens[0].kind, Kind::kGet);
  EXPECT_EQ(tokens[0].line, 2);
  EXPECT_EQ(tokens[1].line, 3);
}

TEST(LexerTest, HashInsideQuotesIsText) {
  EXPECT_EQ(StringOf("'a#b'"), "a#b");
}

TEST(LexerTest, CarriageReturnAndLineFeedAreOneLine) {
  EXPECT_EQ(Lex("a\r\nb\r\nc")[2].line, 3);
}

TEST(LexerTest, EndHasTheLineOfTheLastTokenAndRepeats) {
  Lexer lexer("a\nb\n\n# c\n");
  lexer.Next();
  lexer.Next();
  EXPECT_EQ(lexer.Next().line, 2);
  EXPECT_EQ(lexer.Next().kind, Kind::kEndOfScript);
}

TEST(LexerTest, BadPlaceRepeats) {
  Lexer lexer("?");
  EXPECT_EQ(lexer.Next().kind, Kind::kBad);
  EXPECT_EQ(lexer.Next().kind, Kind::kBad);
}

TEST(LexerTest, MessagesCutLongTexts) {
  EXPECT_LT(ReasonOf("'" + std::string(60000, 'x')).size(), 200U);
  EXPECT_LT(ReasonOf(std::string(60000, '9')).size(), 200U);
}

}  // namespace
}  // namespace palena::script
