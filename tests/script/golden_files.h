#pragma once

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/read_file.h"

namespace palena::script {

inline std::filesystem::path InTree(std::string_view path) {
  return std::filesystem::path(PALENA_SOURCE_DIR) / path;
}

// The scripts that have golden dumps: those made for them, and the recipes.
inline std::vector<std::filesystem::path> GoldenScripts() {
  std::vector<std::filesystem::path> scripts;
  for (const char* folder : {"tests/script/golden", "scripts/recipes"}) {
    for (const auto& entry : std::filesystem::directory_iterator(InTree(folder))) {
      if (entry.path().extension() == ".pal") scripts.push_back(entry.path());
    }
  }
  std::sort(scripts.begin(), scripts.end());
  return scripts;
}

}  // namespace palena::script
