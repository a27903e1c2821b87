#include "script/parser.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "script/expression_parser.h"
#include "script/token_cursor.h"

namespace palena::script {
namespace {

using model::Durability;

// The words that begin a read or a write.
struct Command {
  TokenKind word;
  StmtKind kind;
  Durability durability;
  ReadKind read;
  WriteKind write;
};

constexpr Command ReadCommand(TokenKind word, Durability durability, ReadKind read) {
  return {word, StmtKind::kRead, durability, read, WriteKind::kSet};
}

constexpr Command WriteCommand(TokenKind word, Durability durability, WriteKind write) {
  return {word, StmtKind::kWrite, durability, ReadKind::kGet, write};
}

constexpr Command kCommands[] = {
    ReadCommand(TokenKind::kGet, Durability::kPersistent, ReadKind::kGet),
    ReadCommand(TokenKind::kEGet, Durability::kEphemeral, ReadKind::kGet),
    ReadCommand(TokenKind::kExists, Durability::kPersistent, ReadKind::kExists),
    ReadCommand(TokenKind::kEExists, Durability::kEphemeral, ReadKind::kExists),
    ReadCommand(TokenKind::kScan, Durability::kPersistent, ReadKind::kScan),
    ReadCommand(TokenKind::kEScan, Durability::kEphemeral, ReadKind::kScan),
    WriteCommand(TokenKind::kSet, Durability::kPersistent, WriteKind::kSet),
    WriteCommand(TokenKind::kESet, Durability::kEphemeral, WriteKind::kSet),
    WriteCommand(TokenKind::kDelete, Durability::kPersistent, WriteKind::kDelete),
    WriteCommand(TokenKind::kEDelete, Durability::kEphemeral, WriteKind::kDelete),
    WriteCommand(TokenKind::kExtend, Durability::kPersistent, WriteKind::kExtend),
    WriteCommand(TokenKind::kEExtend, Durability::kEphemeral, WriteKind::kExtend),
};

const Command* FindCommand(TokenKind word) {
  const auto* found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                   [word](const Command& row) { return row.word == word; });
  return found == std::end(kCommands) ? nullptr : found;
}

struct FlagWord {
  TokenKind word;
  FlagKind kind;
  bool has_value;
};

constexpr FlagWord kKeepTtlFlag = {TokenKind::kIdentifier, FlagKind::kKeepTtl, false};

constexpr FlagWord kFlagWords[] = {
    {TokenKind::kNx, FlagKind::kNx, false},        {TokenKind::kXx, FlagKind::kXx, false},
    {TokenKind::kEx, FlagKind::kEx, true},         {TokenKind::kCmp, FlagKind::kCmp, true},
    {TokenKind::kCmpRev, FlagKind::kCmpRev, true}, {TokenKind::kNoRev, FlagKind::kNoRev, false},
};

// `keepttl` is a word only here: elsewhere it may name a variable.
bool IsKeepTtl(const Token& token) {
  return token.kind == TokenKind::kIdentifier && !token.in_backticks &&
         absl::EqualsIgnoreCase({token.text.data(), token.text.size()}, "keepttl");
}

const FlagWord* FindFlag(const Token& token) {
  if (IsKeepTtl(token)) return &kKeepTtlFlag;
  const auto* found =
      std::find_if(std::begin(kFlagWords), std::end(kFlagWords),
                   [&token](const FlagWord& row) { return row.word == token.kind; });
  return found == std::end(kFlagWords) ? nullptr : found;
}

bool HasFlag(const Stmt& stmt, FlagKind kind) {
  return std::any_of(stmt.flags.begin(), stmt.flags.end(),
                     [kind](const Flag& flag) { return flag.kind == kind; });
}

// Statement lists are loops; only a block inside a block recurses.
class StatementParser {
 public:
  explicit StatementParser(std::string_view source)
      : cursor_(source), expressions_(cursor_, tree_) {}

  model::ScriptOr<Tree> ParseScript();

 private:
  bool AtEndOfList() const;
  bool ParseList(std::vector<StmtId>& list);
  bool ParseBody(std::vector<StmtId>& list);
  StmtId ParseStatement();
  bool ParseStatementInto(StmtId id);

  // Each reads its statement from the word on into the node `id`.
  bool ParseLet(StmtId id);
  bool ParseIf(StmtId id);
  bool ParseFor(StmtId id);
  bool ParseBegin(StmtId id);
  bool ParseReturn(StmtId id);
  bool ParseWord(StmtId id, StmtKind kind);
  bool ParseWithExpression(StmtId id, StmtKind kind);
  bool ParseCommand(StmtId id, const Command& command);

  // A command's statement has no statements inside: its node does not move while these run.
  bool ParseReadTail(Stmt& stmt);
  bool ParseReadKind(Stmt& stmt);
  bool ParseAsOf(Stmt& stmt);
  bool ParseWriteTail(Stmt& stmt);
  bool ParseFlags(Stmt& stmt);
  bool ParseKey(Key& key);

  bool ParseOptions(StmtId id);
  bool ParseOption(Option& option);
  bool ParseName(std::string& name);
  bool ParseExpression(ExprId& id);

  Stmt& stmt(StmtId id) { return tree_.stmts[id]; }

  Tree tree_;
  TokenCursor cursor_;
  ExpressionParser expressions_;
};

model::ScriptOr<Tree> StatementParser::ParseScript() {
  std::vector<StmtId> top;
  const bool parsed = ParseList(top) &&
                      (cursor_.Is(TokenKind::kEndOfScript) || cursor_.FailExpected("a statement"));
  if (!parsed) return cursor_.error();
  tree_.top = std::move(top);
  return std::move(tree_);
}

bool StatementParser::AtEndOfList() const {
  return cursor_.Is(TokenKind::kEndOfScript) || cursor_.Is(TokenKind::kEnd) ||
         cursor_.Is(TokenKind::kElse);
}

// One statement or more.
bool StatementParser::ParseList(std::vector<StmtId>& list) {
  do {
    const StmtId id = ParseStatement();
    if (id == kNoNode) return false;
    list.push_back(id);
  } while (!AtEndOfList());
  return true;
}

bool StatementParser::ParseBody(std::vector<StmtId>& list) {
  if (!cursor_.EnterBlock() || !ParseList(list)) return false;
  cursor_.LeaveBlock();
  return true;
}

StmtId StatementParser::ParseStatement() {
  const auto id = static_cast<StmtId>(tree_.stmts.size());
  tree_.stmts.emplace_back().line = cursor_.line();
  return ParseStatementInto(id) ? id : kNoNode;
}

bool StatementParser::ParseStatementInto(StmtId id) {
  if (const Command* command = FindCommand(cursor_.token().kind)) return ParseCommand(id, *command);
  switch (cursor_.token().kind) {
    case TokenKind::kLet:
      return ParseLet(id);
    case TokenKind::kIf:
      return ParseIf(id);
    case TokenKind::kFor:
      return ParseFor(id);
    case TokenKind::kBegin:
      return ParseBegin(id);
    case TokenKind::kReturn:
      return ParseReturn(id);
    case TokenKind::kCommit:
      return ParseWord(id, StmtKind::kCommit);
    case TokenKind::kRollback:
      return ParseWord(id, StmtKind::kRollback);
    case TokenKind::kSleep:
      return ParseWithExpression(id, StmtKind::kSleep);
    case TokenKind::kThrow:
      return ParseWithExpression(id, StmtKind::kThrow);
    default:
      return cursor_.FailExpected("a statement");
  }
}

bool StatementParser::ParseLet(StmtId id) {
  cursor_.Skip();
  if (!ParseName(stmt(id).name) || !cursor_.Expect(TokenKind::kAssign)) return false;
  if (const Command* command = FindCommand(cursor_.token().kind)) return ParseCommand(id, *command);
  stmt(id).kind = StmtKind::kLet;
  return ParseExpression(stmt(id).expr);
}

bool StatementParser::ParseIf(StmtId id) {
  stmt(id).kind = StmtKind::kIf;
  cursor_.Skip();
  if (!ParseExpression(stmt(id).expr) || !cursor_.Expect(TokenKind::kThen)) return false;
  std::vector<StmtId> list;
  if (!ParseBody(list)) return false;
  stmt(id).body = std::move(list);
  if (cursor_.Accept(TokenKind::kElse)) {
    list.clear();
    if (!ParseBody(list)) return false;
    stmt(id).else_body = std::move(list);
  }
  return cursor_.Expect(TokenKind::kEnd);
}

bool StatementParser::ParseFor(StmtId id) {
  stmt(id).kind = StmtKind::kFor;
  cursor_.Skip();
  if (!ParseName(stmt(id).name) || !cursor_.Expect(TokenKind::kIn)) return false;
  if (!ParseExpression(stmt(id).expr) || !cursor_.Expect(TokenKind::kDo)) return false;
  std::vector<StmtId> list;
  if (!ParseBody(list)) return false;
  stmt(id).body = std::move(list);
  return cursor_.Expect(TokenKind::kEnd);
}

bool StatementParser::ParseBegin(StmtId id) {
  stmt(id).kind = StmtKind::kBegin;
  cursor_.Skip();
  if (cursor_.Accept(TokenKind::kLeftParen) && !ParseOptions(id)) return false;
  std::vector<StmtId> list;
  if (!ParseBody(list)) return false;
  stmt(id).body = std::move(list);
  return cursor_.Expect(TokenKind::kEnd);
}

bool StatementParser::ParseReturn(StmtId id) {
  stmt(id).kind = StmtKind::kReturn;
  cursor_.Skip();
  return !ExpressionParser::CanBegin(cursor_.token()) || ParseExpression(stmt(id).expr);
}

bool StatementParser::ParseWord(StmtId id, StmtKind kind) {
  stmt(id).kind = kind;
  cursor_.Skip();
  return true;
}

bool StatementParser::ParseWithExpression(StmtId id, StmtKind kind) {
  stmt(id).kind = kind;
  cursor_.Skip();
  return ParseExpression(stmt(id).expr);
}

bool StatementParser::ParseCommand(StmtId id, const Command& command) {
  Stmt& node = stmt(id);
  node.kind = command.kind;
  node.durability = command.durability;
  node.read = command.read;
  node.write = command.write;
  cursor_.Skip();
  return command.kind == StmtKind::kRead ? ParseReadTail(node) : ParseWriteTail(node);
}

bool StatementParser::ParseReadTail(Stmt& stmt) {
  if (!ParseReadKind(stmt) || !ParseKey(stmt.key)) return false;
  const bool is_point = stmt.read == ReadKind::kGet || stmt.read == ReadKind::kExists;
  if (is_point && cursor_.Accept(TokenKind::kAt) && !ParseExpression(stmt.at)) return false;
  if (cursor_.Is(TokenKind::kAs) && !ParseAsOf(stmt)) return false;
  if (stmt.as_of == kNoNode || !cursor_.Is(TokenKind::kAt)) return true;
  return cursor_.FailSyntax("'at' and 'as of' exclude each other");
}

// `by bucket` makes a get a bucket read; a scan has nothing but `by prefix`.
bool StatementParser::ParseReadKind(Stmt& stmt) {
  if (stmt.read == ReadKind::kScan) {
    return cursor_.Expect(TokenKind::kBy) && cursor_.Expect(TokenKind::kPrefix);
  }
  if (stmt.read != ReadKind::kGet || !cursor_.Accept(TokenKind::kBy)) return true;
  stmt.read = ReadKind::kBucket;
  return cursor_.Expect(TokenKind::kBucket);
}

bool StatementParser::ParseAsOf(Stmt& stmt) {
  if (stmt.at != kNoNode) return cursor_.FailSyntax("'at' and 'as of' exclude each other");
  cursor_.Skip();
  return cursor_.Expect(TokenKind::kOf) && ParseExpression(stmt.as_of);
}

bool StatementParser::ParseWriteTail(Stmt& stmt) {
  if (!ParseKey(stmt.key)) return false;
  if (stmt.write == WriteKind::kDelete) return true;
  if (!ParseExpression(stmt.expr)) return false;
  return stmt.write != WriteKind::kSet || ParseFlags(stmt);
}

bool StatementParser::ParseFlags(Stmt& stmt) {
  while (const FlagWord* word = FindFlag(cursor_.token())) {
    Flag flag;
    flag.kind = word->kind;
    const bool clashes = (flag.kind == FlagKind::kKeepTtl && HasFlag(stmt, FlagKind::kEx)) ||
                         (flag.kind == FlagKind::kEx && HasFlag(stmt, FlagKind::kKeepTtl));
    if (clashes) return cursor_.FailSyntax("'ex' and 'keepttl' exclude each other");
    cursor_.Skip();
    if (word->has_value && !ParseExpression(flag.expr)) return false;
    stmt.flags.push_back(flag);
  }
  return true;
}

bool StatementParser::ParseKey(Key& key) {
  key.line = cursor_.line();
  key.is_parameter = cursor_.Is(TokenKind::kPlaceholder);
  const bool is_key =
      key.is_parameter || cursor_.Is(TokenKind::kIdentifier) || cursor_.Is(TokenKind::kString);
  if (!is_key) return cursor_.FailExpected("a key");
  key.text = cursor_.Take().text;
  return true;
}

bool StatementParser::ParseOptions(StmtId id) {
  do {
    if (!ParseOption(stmt(id).options.emplace_back())) return false;
  } while (cursor_.Accept(TokenKind::kComma));
  return cursor_.Accept(TokenKind::kRightParen) || cursor_.FailExpected("',' or ')'");
}

bool StatementParser::ParseOption(Option& option) {
  static constexpr std::pair<TokenKind, Option::Kind> kKinds[] = {
      {TokenKind::kIdentifier, Option::Kind::kWord},
      {TokenKind::kInteger, Option::Kind::kInteger},
      {TokenKind::kDouble, Option::Kind::kDouble},
      {TokenKind::kString, Option::Kind::kString},
      {TokenKind::kTrue, Option::Kind::kBool},
      {TokenKind::kFalse, Option::Kind::kBool},
      {TokenKind::kPlaceholder, Option::Kind::kParameter}};
  option.line = cursor_.line();
  if (!ParseName(option.name) || !cursor_.Expect(TokenKind::kAssign)) return false;
  const auto* found = std::find_if(std::begin(kKinds), std::end(kKinds),
                                   [this](const auto& row) { return cursor_.Is(row.first); });
  if (found == std::end(kKinds)) return cursor_.FailExpected("a value of the option");
  option.kind = found->second;
  option.value = cursor_.Take().text;
  return true;
}

bool StatementParser::ParseName(std::string& name) {
  if (!cursor_.Is(TokenKind::kIdentifier)) return cursor_.FailExpected("a name");
  name = cursor_.Take().text;
  return !name.empty() || cursor_.FailSyntax("a name is empty");
}

bool StatementParser::ParseExpression(ExprId& id) {
  id = expressions_.Parse();
  return id != kNoNode;
}

}  // namespace

model::ScriptOr<Tree> Parse(std::string_view source) {
  return StatementParser(source).ParseScript();
}

}  // namespace palena::script
