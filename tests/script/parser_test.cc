#include "script/parser.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

namespace palena::script {
namespace {

constexpr std::string_view kOperatorTexts[] = {
    "..", "||", "&&", "==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/"};
constexpr std::string_view kGuardTexts[] = {"NF", "NS", "ND", "NX"};

Tree Parsed(std::string_view source) {
  auto tree = Parse(source);
  EXPECT_TRUE(tree.ok()) << source << ": " << (tree.ok() ? "" : tree.error().ToReason());
  return tree.ok() ? *std::move(tree) : Tree();
}

std::string Reason(std::string_view source) {
  const auto tree = Parse(source);
  return tree.ok() ? "no error" : tree.error().ToReason();
}

std::string Shape(const Tree& tree, ExprId id);

std::string Children(const Tree& tree, const Expr& expr, std::string_view between) {
  std::string shape;
  for (std::size_t i = 0; i < expr.children.size(); ++i) {
    if (i > 0 && expr.kind == ExprKind::kChain) {
      shape += kOperatorTexts[static_cast<std::size_t>(expr.ops[i - 1])];
    } else if (i > 0) {
      shape += between;
    }
    shape += Shape(tree, expr.children[i]);
  }
  return shape;
}

// The expression with every chain in parentheses: one pair for one precedence level.
std::string Shape(const Tree& tree, ExprId id) {
  const Expr& expr = tree.expr(id);
  switch (expr.kind) {
    case ExprKind::kNull:
      return "null";
    case ExprKind::kBool:
      return expr.boolean ? "true" : "false";
    case ExprKind::kInteger:
      return std::to_string(expr.integer);
    case ExprKind::kDouble:
      return "double";
    case ExprKind::kString:
      return absl::StrCat("'", expr.text, "'");
    case ExprKind::kVariable:
    case ExprKind::kParameter:
      return expr.text;
    case ExprKind::kArray:
      return absl::StrCat("[", Children(tree, expr, ","), "]");
    case ExprKind::kCall:
      return absl::StrCat(expr.text, "(", Children(tree, expr, ","), ")");
    case ExprKind::kIndex:
      return absl::StrCat(Children(tree, expr, "["), "]");
    case ExprKind::kNegate:
      return absl::StrCat("-", Children(tree, expr, ""));
    case ExprKind::kNot:
      return absl::StrCat("!", Children(tree, expr, ""));
    case ExprKind::kGuard:
      return std::string(kGuardTexts[static_cast<std::size_t>(expr.guard)]);
    case ExprKind::kChain:
      return absl::StrCat("(", Children(tree, expr, ""), ")");
  }
  return "?";
}

// Of the expression of a script `return …`.
std::string ShapeOf(const std::string& expression) {
  const Tree tree = Parsed("return " + expression);
  if (tree.top.size() != 1) return "not one statement";
  return Shape(tree, tree.stmt(tree.top[0]).expr);
}

const Stmt& First(const Tree& tree) {
  return tree.stmt(tree.top.at(0));
}

TEST(ParserTest, OperatorsBindByTheirPrecedence) {
  EXPECT_EQ(ShapeOf("1 + 2 * 3"), "(1+(2*3))");
  EXPECT_EQ(ShapeOf("1 * 2 + 3"), "((1*2)+3)");
  EXPECT_EQ(ShapeOf("1 + 1 .. 2 * 3"), "((1+1)..(2*3))");
  EXPECT_EQ(ShapeOf("a .. b || c && d == e < f + g * h"), "(a..(b||(c&&(d==(e<(f+(g*h)))))))");
  EXPECT_EQ(ShapeOf("a * b + c < d == e && f || g .. h"), "(((((((a*b)+c)<d)==e)&&f)||g)..h)");
  EXPECT_EQ(ShapeOf("a || b && c || d"), "(a||(b&&c)||d)");
}

TEST(ParserTest, OperatorsOfOneLevelMakeOneFlatChain) {
  EXPECT_EQ(ShapeOf("1 - 2 + 3 - 4"), "(1-2+3-4)");
  EXPECT_EQ(ShapeOf("1 / 2 * 3"), "(1/2*3)");
  EXPECT_EQ(ShapeOf("a < b >= c"), "(a<b>=c)");
  EXPECT_EQ(ShapeOf("1 .. 2 .. 3"), "(1..2..3)");
  EXPECT_EQ(ShapeOf("a + b * c * d - e"), "(a+(b*c*d)-e)");
}

TEST(ParserTest, ParenthesesKeepChainsApart) {
  EXPECT_EQ(ShapeOf("1 - (2 - 3) - 4"), "(1-(2-3)-4)");
  EXPECT_EQ(ShapeOf("(1 - 2) - 3"), "((1-2)-3)");
  EXPECT_EQ(ShapeOf("((a))"), "a");
  EXPECT_EQ(ShapeOf("2 * (a + (b .. c)) / d"), "(2*(a+(b..c))/d)");
}

TEST(ParserTest, EqualityHasTwoSpellingsEach) {
  EXPECT_EQ(ShapeOf("a = b == c != d <> e"), "(a==b==c!=d!=e)");
}

TEST(ParserTest, PrefixOperatorsBindTighterThanBinaryOnes) {
  EXPECT_EQ(ShapeOf("not a == b"), "(!a==b)");
  EXPECT_EQ(ShapeOf("-a * -b"), "(-a*-b)");
  EXPECT_EQ(ShapeOf("a--1"), "(a--1)");
  EXPECT_EQ(ShapeOf("-x[0]"), "-x[0]");
  EXPECT_EQ(ShapeOf("!-!!a"), "!-!!a");
}

TEST(ParserTest, GuardsAreCompleteOperands) {
  EXPECT_EQ(ShapeOf("not found || a < 5"), "(NF||(a<5))");
  EXPECT_EQ(ShapeOf("NOT Set"), "NS");
  EXPECT_EQ(ShapeOf("! found && !set"), "(NF&&NS)");
  EXPECT_EQ(ShapeOf("not deleted"), "ND");
  EXPECT_EQ(ShapeOf("not\n Extended"), "NX");
  EXPECT_EQ(ShapeOf("!(not found)"), "!NF");
  EXPECT_EQ(ShapeOf("not not set"), "!NS");
}

TEST(ParserTest, DeletedAndExtendedRemainNamesWithoutTheWordNot) {
  EXPECT_EQ(ShapeOf("!deleted"), "!deleted");
  EXPECT_EQ(ShapeOf("! extended"), "!extended");
  EXPECT_EQ(ShapeOf("not (deleted)"), "!deleted");
  EXPECT_EQ(ShapeOf("not `deleted`"), "!deleted");
  EXPECT_EQ(ShapeOf("deleted"), "deleted");
}

TEST(ParserTest, GuardsHaveNoPositiveForm) {
  EXPECT_EQ(Reason("return found"),
            "Syntax error, unexpected 'found', expected a statement at line 1");
}

TEST(ParserTest, CallsArraysAndIndexesNest) {
  EXPECT_EQ(ShapeOf("f()"), "f()");
  EXPECT_EQ(ShapeOf("max(a, min(b, 1 + 2))"), "max(a,min(b,(1+2)))");
  EXPECT_EQ(ShapeOf("[]"), "[]");
  EXPECT_EQ(ShapeOf("[1, [@a], 'x']"), "[1,[@a],'x']");
  EXPECT_EQ(ShapeOf("a[0][i + 1]"), "a[0][(i+1)]");
  EXPECT_EQ(ShapeOf("split(s, ',')[0]"), "split(s,',')[0]");
  EXPECT_EQ(ShapeOf("[1, 2][0]"), "[1,2][0]");
  EXPECT_EQ(ShapeOf("`f g`(1)"), "f g(1)");
}

TEST(ParserTest, ListsTakeNoLooseCommas) {
  EXPECT_NE(Reason("return [1,]"), "no error");
  EXPECT_NE(Reason("return f(,)"), "no error");
  EXPECT_EQ(Reason("return f(1 2)"), "Syntax error, unexpected '2', expected ',' or ')' at line 1");
}

TEST(ParserTest, LiteralsKeepTheirValues) {
  const Tree tree = Parsed("return [1, 2.5, 'a', TRUE, false, null, 0xFF]");
  EXPECT_EQ(Shape(tree, First(tree).expr), "[1,double,'a',true,false,null,255]");
  EXPECT_EQ(tree.expr(tree.expr(First(tree).expr).children[1]).real, 2.5);
}

TEST(ParserTest, StatementsNeedNoSeparator) {
  EXPECT_EQ(Parsed("set a 1 set b 2 let c = 3 return c").top.size(), 4U);
}

TEST(ParserTest, ReturnTakesWhatCanBeginAnExpression) {
  EXPECT_EQ(ShapeOf("\n(1)"), "1");
  EXPECT_EQ(ShapeOf("-1"), "-1");
  EXPECT_EQ(Parsed("return return 1").top.size(), 2U);
  EXPECT_EQ(First(Parsed("return get k")).expr, kNoNode);
  EXPECT_EQ(First(Parsed("if a then return else return end")).else_body.size(), 1U);
}

TEST(ParserTest, KeysAreNamesStringsOrParameters) {
  for (const char* key : {"k", "'k'", "\"k\"", "`k`"}) {
    const Stmt stmt = First(Parsed(std::string("get ") + key));
    EXPECT_EQ(stmt.key.text, "k");
    EXPECT_FALSE(stmt.key.is_parameter);
  }
  EXPECT_TRUE(First(Parsed("get @k")).key.is_parameter);
  EXPECT_EQ(First(Parsed("get @k")).key.text, "@k");
}

TEST(ParserTest, KeysAreNeverExpressionsNumbersOrKeywords) {
  EXPECT_EQ(Reason("get 5"), "Syntax error, unexpected '5', expected a key at line 1");
  EXPECT_EQ(Reason("get end"), "Syntax error, unexpected 'end', expected a key at line 1");
  EXPECT_NE(Reason("get ('k')"), "no error");
}

TEST(ParserTest, EveryReadHasItsForms) {
  EXPECT_EQ(First(Parsed("get k")).read, ReadKind::kGet);
  EXPECT_EQ(First(Parsed("eexists k")).read, ReadKind::kExists);
  EXPECT_EQ(First(Parsed("get by bucket k")).read, ReadKind::kBucket);
  EXPECT_EQ(First(Parsed("escan by prefix k")).read, ReadKind::kScan);
  EXPECT_EQ(First(Parsed("get k")).durability, model::Durability::kPersistent);
  EXPECT_EQ(First(Parsed("eget k")).durability, model::Durability::kEphemeral);
}

TEST(ParserTest, ReadsMayNameARevisionOrATime) {
  EXPECT_NE(First(Parsed("get k at 1 + 2")).at, kNoNode);
  EXPECT_NE(First(Parsed("get k @ 3")).at, kNoNode);
  EXPECT_NE(First(Parsed("exists k as of @t")).as_of, kNoNode);
  EXPECT_NE(First(Parsed("let a = eget by bucket b as of 5")).as_of, kNoNode);
}

TEST(ParserTest, RevisionAndTimeExcludeEachOther) {
  const std::string reason = "Syntax error, 'at' and 'as of' exclude each other at line 1";
  EXPECT_EQ(Reason("get k at 0 as of 1000"), reason);
  EXPECT_EQ(Reason("get k as of 1000 at 0"), reason);
}

TEST(ParserTest, BucketsAndScansHaveNoRevision) {
  EXPECT_NE(Reason("get by bucket b at 1"), "no error");
  EXPECT_NE(Reason("scan by prefix b at 1"), "no error");
  EXPECT_NE(Reason("exists by bucket b"), "no error");
  EXPECT_NE(Reason("scan k"), "no error");
}

TEST(ParserTest, SetTakesFlagsInAnyOrder) {
  const Tree tree = Parsed("set k 1 NX ex 5 cmp 'a' norev cmprev -1 xx ex @ttl");
  const Stmt& stmt = First(tree);
  std::vector<FlagKind> kinds;
  for (const Flag& flag : stmt.flags) kinds.push_back(flag.kind);
  EXPECT_EQ(kinds, (std::vector{FlagKind::kNx, FlagKind::kEx, FlagKind::kCmp, FlagKind::kNoRev,
                                FlagKind::kCmpRev, FlagKind::kXx, FlagKind::kEx}));
  EXPECT_EQ(Shape(tree, stmt.flags[4].expr), "-1");
  EXPECT_EQ(Shape(tree, stmt.flags[6].expr), "@ttl");
}

TEST(ParserTest, KeepTtlIsAWordOnlyAmongFlags) {
  EXPECT_EQ(First(Parsed("set k 1 KeepTTL nx")).flags.front().kind, FlagKind::kKeepTtl);
  const Tree tree = Parsed("let keepttl = 1 set keepttl keepttl keepttl");
  const Stmt& set = tree.stmt(tree.top[1]);
  EXPECT_EQ(Shape(tree, set.expr), "keepttl");
  EXPECT_EQ(set.flags.size(), 1U);
}

TEST(ParserTest, KeepTtlAndExExcludeEachOther) {
  const std::string reason = "Syntax error, 'ex' and 'keepttl' exclude each other at line 1";
  EXPECT_EQ(Reason("set k 1 ex 5 keepttl"), reason);
  EXPECT_EQ(Reason("set k 1 keepttl nx ex 5"), reason);
}

TEST(ParserTest, WritesOfEveryKindMayBeBound) {
  const Tree tree = Parsed("let a = eset k 1 nx let b = del k let c = extend k 5");
  EXPECT_EQ(tree.stmt(tree.top[0]).name, "a");
  EXPECT_EQ(tree.stmt(tree.top[1]).write, WriteKind::kDelete);
  EXPECT_EQ(tree.stmt(tree.top[2]).write, WriteKind::kExtend);
  EXPECT_EQ(tree.stmt(tree.top[2]).kind, StmtKind::kWrite);
}

TEST(ParserTest, OnlySetHasFlags) {
  EXPECT_NE(Reason("delete k nx"), "no error");
  EXPECT_NE(Reason("extend k 5 nx"), "no error");
  EXPECT_NE(Reason("set k"), "no error");
  EXPECT_NE(Reason("extend k"), "no error");
}

TEST(ParserTest, BlocksHoldStatements) {
  const Tree tree = Parsed("for i in 1..3 do if i > 1 then set a i else del a end end");
  const Stmt& loop = First(tree);
  EXPECT_EQ(loop.name, "i");
  const Stmt& choice = tree.stmt(loop.body.at(0));
  EXPECT_EQ(choice.body.size(), 1U);
  EXPECT_EQ(choice.else_body.size(), 1U);
}

TEST(ParserTest, BodiesAreNotEmpty) {
  const std::string reason = "Syntax error, unexpected 'end', expected a statement at line 1";
  EXPECT_EQ(Reason("if a then end"), reason);
  EXPECT_EQ(Reason("if a then return else end"), reason);
  EXPECT_EQ(Reason("for i in a do end"), reason);
  EXPECT_EQ(Reason("begin end"), reason);
}

TEST(ParserTest, BeginTakesOptionsOfAnyNameAndKind) {
  const Tree tree =
      Parsed("begin (locking='optimistic', a=b, c=0x10, d=1.50, e=True, f=@t)\n commit end");
  const std::vector<Option>& options = First(tree).options;
  ASSERT_EQ(options.size(), 6U);
  EXPECT_EQ(options[0].name, "locking");
  EXPECT_EQ(options[0].value, "optimistic");
  EXPECT_EQ(options[1].kind, Option::Kind::kWord);
  EXPECT_EQ(options[2].value, "0x10");
  EXPECT_EQ(options[3].value, "1.50");
  EXPECT_EQ(options[4].kind, Option::Kind::kBool);
  EXPECT_EQ(options[5].value, "@t");
}

TEST(ParserTest, BeginOptionsAreNamesWithValues) {
  for (const char* options : {"()", "(a)", "(a=)", "(a=1,)", "(a=1 b=2)", "(set=1)", "(a=-1)"}) {
    EXPECT_NE(Reason(std::string("begin ") + options + " commit end"), "no error") << options;
  }
}

TEST(ParserTest, CommitTakesNoParentheses) {
  EXPECT_NE(Reason("let a = 1 commit()"), "no error");
}

TEST(ParserTest, LetNamesAreNoKeywordsAndAssignWithOneSign) {
  EXPECT_EQ(Reason("let end = 1"), "Syntax error, unexpected 'end', expected a name at line 1");
  EXPECT_EQ(Reason("let a == 1"), "Syntax error, unexpected '==', expected '=' at line 1");
  EXPECT_EQ(First(Parsed("let `end` = 1")).name, "end");
  EXPECT_EQ(Reason("let `` = 1"), "Syntax error, a name is empty at line 1");
}

TEST(ParserTest, ReadsStandInNoExpression) {
  EXPECT_EQ(Reason("return to_int(get k)"),
            "Syntax error, unexpected 'get', expected an expression at line 1");
}

TEST(ParserTest, EmptyScriptIsAnError) {
  for (const char* source : {"", "  \n\n", "# nothing\n"}) {
    EXPECT_EQ(Reason(source),
              "Syntax error, unexpected end of script, expected a statement at line 1");
  }
}

TEST(ParserTest, UnfinishedScriptIsBlamedOnItsLastToken) {
  EXPECT_EQ(Reason("if true then\n return 1\n\n"),
            "Syntax error, unexpected end of script, expected 'end' at line 2");
  EXPECT_EQ(Reason("return (1 + 2"),
            "Syntax error, unexpected end of script, expected ')' at line 1");
  EXPECT_EQ(Reason("let a ="),
            "Syntax error, unexpected end of script, expected an expression at line 1");
}

TEST(ParserTest, StrayWordsAreNamed) {
  EXPECT_EQ(Reason("set a 1\nfrobnicate the store"),
            "Syntax error, unexpected 'frobnicate', expected a statement at line 2");
  EXPECT_EQ(Reason("set a 1 end"),
            "Syntax error, unexpected 'end', expected a statement at line 1");
  EXPECT_EQ(Reason("return 'a' 'b'"),
            "Syntax error, unexpected string \"b\", expected a statement at line 1");
}

TEST(ParserTest, LexicalErrorsKeepTheirMessage) {
  EXPECT_EQ(Reason("return 1;"), "Unexpected character ';' at line 1");
  EXPECT_EQ(Reason("return 5 % 2"), "Unexpected character '%' at line 1");
  EXPECT_EQ(Reason("get k\n?"), "Unexpected character '?' at line 2");
  EXPECT_EQ(Reason("return 9223372036854775808"),
            "Syntax error, integer out of range: '9223372036854775808' at line 1");
}

TEST(ParserTest, ErrorsHaveTheSyntaxCode) {
  EXPECT_EQ(Parse("return 1;").error().code, model::Code::kSyntax);
  EXPECT_EQ(Parse("return").ok(), true);
  EXPECT_EQ(Parse("let").error().code, model::Code::kSyntax);
}

TEST(ParserTest, ChainsHaveTheLineOfTheirFirstToken) {
  const Tree tree = Parsed("return\n(\na + b)\n* c");
  const Expr& product = tree.expr(First(tree).expr);
  EXPECT_EQ(product.line, 2);
  EXPECT_EQ(tree.expr(product.children[0]).line, 3);
  EXPECT_EQ(tree.expr(product.children[1]).line, 4);
}

TEST(ParserTest, NestedChainsHaveTheLineOfTheirOwnLeftOperand) {
  const Tree tree = Parsed("return a +\nb\n* c");
  const Expr& sum = tree.expr(First(tree).expr);
  EXPECT_EQ(sum.line, 1);
  EXPECT_EQ(tree.expr(sum.children[1]).line, 2);
}

TEST(ParserTest, CallsSignsAndIndexesHaveTheLineOfTheirFirstToken) {
  const Tree call = Parsed("let a =\n to_int\n('zz')");
  EXPECT_EQ(call.expr(First(call).expr).line, 2);
  const Tree sign = Parsed("return\n-\nx");
  EXPECT_EQ(sign.expr(First(sign).expr).line, 2);
  const Tree index = Parsed("return\n(\na)\n[0]");
  EXPECT_EQ(index.expr(First(index).expr).line, 2);
}

TEST(ParserTest, StatementsHaveTheLineOfTheirFirstToken) {
  const Tree tree = Parsed("\nlet n =\nset\nk 1\nnx");
  EXPECT_EQ(First(tree).line, 2);
  EXPECT_EQ(First(tree).key.line, 4);
}

}  // namespace
}  // namespace palena::script
