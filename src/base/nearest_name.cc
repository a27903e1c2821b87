#include "base/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>

namespace palena::base {
namespace {

bool IsSame(char a, char b) {
  return a == b || (a == '_' && b == '-') || (a == '-' && b == '_');
}

// Letters to insert, delete or replace to get from one to the other (Wagner and Fischer, one row).
std::size_t Distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> row(to.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < to.size(); ++j) {
      const std::size_t replaced = diagonal + (IsSame(from[i], to[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string NearestName(std::string_view word, const std::vector<std::string>& names) {
  std::string nearest;
  std::size_t least = 0;
  for (const std::string& name : names) {
    const std::size_t distance = Distance(word, name);
    const bool is_near = distance * 3 <= std::max(word.size(), name.size());
    if (!is_near || (!nearest.empty() && distance >= least)) continue;
    nearest = name;
    least = distance;
  }
  return nearest;
}

std::string DidYouMean(std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = NearestName(word, names);
  return nearest.empty() ? nearest : "; did you mean " + nearest + "?";
}

}  // namespace palena::base
