#pragma once

#include <string>
#include <vector>

namespace palena::limits {

// Names of the limiters that there are pictures of.
const std::vector<std::string>& PicturedLimiters();

// The behaviour of a limiter over half a minute as SVG: its script, run on an inline node at a
// fixed pattern of arrivals, the same for all. Always the same text for the same scripts.
std::string DrawPicture(const std::string& limiter);

// Where a picture lies in the tree: docs/pictures/LIMITER.svg.
std::string PicturePath(const std::string& limiter);

}  // namespace palena::limits
