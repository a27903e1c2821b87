#include "app/script_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "base/limits.h"
#include "script/rewrite.h"

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

StatusOr<std::string> ReadNamed(const std::string& name) {
  errno = 0;
  std::ifstream source(name, std::ios::binary);
  std::string text;
  if (source) text = ReadAll(source);
  if (source.is_open() && !source.bad()) return text;
  return Status(StatusCode::kInvalidArgument, "cannot read " + name + ": " + std::strerror(errno));
}

}  // namespace

StatusOr<std::string> ReadScriptFile(const ScriptFile& file, std::istream& standard_input) {
  StatusOr<std::string> text = file.name == "-" ? ReadAll(standard_input) : ReadNamed(file.name);
  if (!text.ok() || !file.is_persistent) return text;
  return script::RewriteEphemeralToPersistent(*text);
}

}  // namespace palena::app
