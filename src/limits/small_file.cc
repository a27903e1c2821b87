#include "limits/small_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace palena::limits {

base::StatusOr<std::string> ReadSmallFile(const std::string& file, std::size_t bytes_max) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    return absl::NotFoundError(absl::StrCat(file, " is a folder; name a file"));
  }
  errno = 0;
  std::ifstream source(file, std::ios::binary);
  std::string text(bytes_max + 1, '\0');
  if (source) source.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!source.is_open() || source.bad()) {
    return absl::NotFoundError(absl::StrCat(file, " cannot be read: ", std::strerror(errno)));
  }
  text.resize(static_cast<std::size_t>(source.gcount()));
  if (text.size() <= bytes_max) return text;
  return absl::InvalidArgumentError(
      absl::StrCat(file, " has more than the ", bytes_max, " bytes that are allowed"));
}

}  // namespace palena::limits
