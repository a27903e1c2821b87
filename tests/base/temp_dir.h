#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "base/check.h"

namespace palena::base {

// A fresh folder under the system's one for temporary files; gone, with all in it, at the end.
class TempDir {
 public:
  TempDir() : path_((std::filesystem::temp_directory_path() / "palena-test-XXXXXX").string()) {
    PALENA_CHECK(mkdtemp(path_.data()) != nullptr);
  }
  ~TempDir() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace palena::base
