#pragma once

#include <set>
#include <string>

#include "conformance/case.h"

namespace palena::conformance {

// The keys that a step's script names, parameters resolved. None when it does not parse.
std::set<std::string> KeysOf(const Step& step);

// True when a script of the case touches more than one key, or a bucket or prefix: all of it must
// live on one shard until runs over several shards are built.
bool NeedsOneShard(const Case& a_case);

}  // namespace palena::conformance
