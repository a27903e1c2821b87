#pragma once

// The tree: what the parser makes and the analyser annotates. Nodes live in two vectors and name
// each other by index, so destroying, dumping or walking a tree never recurses by accident. Real
// nesting is at most base::kNestingDepthMax; whatever is long but flat (statement lists, operator
// chains) is a list in one node.

#include <cstdint>
#include <string>
#include <vector>

#include "model/durability.h"

namespace palena::script {

using ExprId = std::uint32_t;
using StmtId = std::uint32_t;
inline constexpr std::uint32_t kNoNode = 0xFFFF'FFFF;
inline constexpr std::uint32_t kNoSlot = 0xFFFF'FFFF;

enum class BinaryOp : std::uint8_t {
  kRange,
  kOr,
  kAnd,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
};

enum class Guard : std::uint8_t { kNotFound, kNotSet, kNotDeleted, kNotExtended };

enum class ExprKind : std::uint8_t {
  kNull,
  kBool,
  kInteger,
  kDouble,
  kString,  // literals
  kVariable,
  kParameter,
  kArray,  // children: the elements
  kCall,   // text: function name; children: the arguments
  kIndex,  // children: array, index
  kNegate,
  kNot,  // children: the operand
  kGuard,
  kChain,  // children: n operands, ops: n-1 operators of one precedence level, left-associative
};

struct Expr {
  ExprKind kind = ExprKind::kNull;
  int line = 0;              // of the first token; for a call, of the function name
  bool boolean = false;      // kBool
  std::int64_t integer = 0;  // kInteger
  double real = 0;           // kDouble
  Guard guard = Guard::kNotFound;
  std::string text;  // kString: decoded; kVariable, kCall: name; kParameter: with '@'
  std::vector<ExprId> children;
  std::vector<BinaryOp> ops;
  std::uint32_t slot = kNoSlot;  // analyser: of a variable or parameter
};

// A key is a constant or a parameter, never an expression.
struct Key {
  bool is_parameter = false;
  std::string text;  // the name itself, or the parameter's with '@'
  int line = 0;
  std::uint32_t slot = kNoSlot;  // analyser: index into Footprint
};

enum class StmtKind : std::uint8_t {
  kLet,    // name = expr
  kRead,   // [let name =] read
  kWrite,  // [let name =] write
  kIf,     // expr, body, else_body
  kFor,    // name, expr, body
  kBegin,  // options, body
  kCommit,
  kRollback,
  kReturn,  // expr or kNoNode
  kSleep,   // expr
  kThrow,   // expr
};

enum class ReadKind : std::uint8_t { kGet, kExists, kBucket, kScan };
enum class WriteKind : std::uint8_t { kSet, kDelete, kExtend };
enum class FlagKind : std::uint8_t { kNx, kXx, kEx, kCmp, kCmpRev, kNoRev, kKeepTtl };

struct Flag {
  FlagKind kind = FlagKind::kNx;
  ExprId expr = kNoNode;  // kEx, kCmp, kCmpRev
};

// An option of `begin (…)`. The value's text is as written; strings are decoded.
struct Option {
  enum class Kind : std::uint8_t { kWord, kInteger, kDouble, kString, kBool, kParameter };
  std::string name;
  Kind kind = Kind::kWord;
  std::string value;
  int line = 0;
  std::uint32_t slot = kNoSlot;  // analyser: of kParameter
};

struct Stmt {
  StmtKind kind = StmtKind::kLet;
  int line = 0;                  // of the first token
  std::string name;              // kLet, kFor; kRead and kWrite when they are bound by a `let`
  std::uint32_t slot = kNoSlot;  // analyser: of the variable `name`
  ExprId expr = kNoNode;         // see StmtKind; kWrite: the value of a set, the TTL of an extend
  model::Durability durability = model::Durability::kPersistent;
  Key key;  // kRead, kWrite; for buckets and scans the bucket or prefix
  ReadKind read = ReadKind::kGet;
  WriteKind write = WriteKind::kSet;
  ExprId at = kNoNode;          // kRead: `at N`
  ExprId as_of = kNoNode;       // kRead: `as of T`
  std::vector<Flag> flags;      // kWrite, in written order
  std::vector<Option> options;  // kBegin
  std::vector<StmtId> body;
  std::vector<StmtId> else_body;
};

struct Tree {
  std::vector<Expr> exprs;
  std::vector<Stmt> stmts;
  std::vector<StmtId> top;  // the script's statements in order

  const Expr& expr(ExprId id) const { return exprs[id]; }
  const Stmt& stmt(StmtId id) const { return stmts[id]; }
};

}  // namespace palena::script
