#include "app/script_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/limits.h"

namespace palena::app {
namespace {

std::string ReadAll(std::istream& source) {
  std::string text;
  char chunk[16'384];
  while (source.read(chunk, sizeof chunk), source.gcount() > 0) {
    text.append(chunk, static_cast<std::size_t>(source.gcount()));
    if (text.size() > base::kRequestFrameBytesMax) break;
  }
  return text;
}

}  // namespace

StatusOr<std::string> ReadScriptFile(const std::string& file, std::istream& standard_input) {
  if (file == "-") return ReadAll(standard_input);
  errno = 0;
  std::ifstream source(file, std::ios::binary);
  std::string text;
  if (source) text = ReadAll(source);
  if (source.is_open() && !source.bad()) return text;
  return Status(StatusCode::kInvalidArgument, "cannot read " + file + ": " + std::strerror(errno));
}

}  // namespace palena::app
