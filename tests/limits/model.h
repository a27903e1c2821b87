#pragma once

// What each limiter must answer: the rules of scripts/limits in whole numbers of any size, plain
// and slow. A model knows what is used at any instant; how long to wait and when all is back it
// finds by looking at later instants. Nothing here is taken from the scripts.

#include <boost/multiprecision/cpp_int.hpp>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "palena/result.h"

namespace palena::limits {

using Int = boost::multiprecision::cpp_int;
using Ratio = boost::multiprecision::cpp_rational;

inline const Int kInt64Max("9223372036854775807");

// One call of a limiter: a file of scripts/limits without its ending, and what it is given.
struct Call {
  std::string script;
  Parameters parameters;

  // Text of a parameter; nothing when it is not given.
  std::optional<std::string> Text(std::string_view name) const;
};

struct Expected {
  // Not empty: errored, naming one of these parameters (without '@'), and nothing written.
  std::set<std::string> at_fault;
  std::vector<Int> values;
};

// A whole number as scripts read it; nothing for text that is none or that 64 bits cannot hold.
std::optional<Int> ParseInt(const std::string& text);
Int FloorDivide(const Int& a, const Int& b);
Int CeilDivide(const Int& a, const Int& b);
// The least n >= 0 for which `holds`, which from there on holds; nothing when it never does.
std::optional<Int> Least(const std::function<bool(const Int& n)>& holds);

// One key of one limiter.
class Model {
 public:
  virtual ~Model() = default;

  // A call at `t`, epoch ms, not before the last one.
  Expected Answer(const Call& call, const Int& t);
  // When the state's key expires, 0 for never; nothing when there is no key at `t`.
  std::optional<Int> Expiry(const Int& t) const;

 protected:
  using Numbers = std::map<std::string, Int>;
  struct Range {
    std::string name;
    Int least;
    Int most;
  };

  virtual std::vector<Range> Ranges(const Call& call, const Int& t) const = 0;
  // Names of faulty parameters that are no numbers.
  virtual std::set<std::string> AtFault(const Call& /*call*/) const { return {}; }
  // Names of parameters that are in range, but not together, or not with what is used.
  virtual std::set<std::string> AtFaultTogether(const Numbers& /*numbers*/,
                                                const Int& /*t*/) const {
    return {};
  }
  virtual std::vector<Int> AnswerInRange(const Call& call, const Numbers& numbers,
                                         const Int& t) = 0;

  // A state says nothing from this instant on, whatever the parameters then are; 0: no such
  // instant. The key is there up to and including it.
  bool IsOver(const Int& t) const { return !exists_ || (until_ != 0 && t >= until_); }
  void Write(const Int& until) {
    exists_ = true;
    until_ = until;
  }
  void Remove() { exists_ = false; }

 private:
  bool exists_ = false;
  Int until_;
};

// A limiter by the name of its file.
std::unique_ptr<Model> MakeModel(const std::string& limiter);

}  // namespace palena::limits
