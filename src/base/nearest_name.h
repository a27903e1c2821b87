#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace palena::base {

// Of `names` the one that somebody who wrote `word` most likely meant; empty when none is near: at
// most a third of its letters may be wrong. '_' counts as '-'.
std::string NearestName(std::string_view word, const std::vector<std::string>& names);

// "; did you mean X?" for that, or nothing.
std::string DidYouMean(std::string_view word, const std::vector<std::string>& names);

}  // namespace palena::base
