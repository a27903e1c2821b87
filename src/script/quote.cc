#include "script/quote.h"

#include <utf8proc.h>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"

namespace palena::script {
namespace {

void AppendEscape(char c, std::string& out) {
  switch (c) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      absl::StrAppend(&out, "\\x", absl::Hex(static_cast<unsigned char>(c), absl::kZeroPad2));
  }
}

// Appends the first character of `text` and returns how many bytes it took.
std::size_t AppendCharacter(std::string_view text, char mark, std::string& out) {
  const char c = text.front();
  const std::size_t bytes = Utf8Bytes(text);
  if (bytes == 0 || absl::ascii_iscntrl(static_cast<unsigned char>(c))) {
    AppendEscape(c, out);
    return 1;
  }
  if (c == mark || c == '\\') out += '\\';
  out.append(text.substr(0, bytes));
  return bytes;
}

}  // namespace

std::size_t Utf8Bytes(std::string_view text) {
  utf8proc_int32_t code_point = 0;
  const utf8proc_ssize_t bytes =
      utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                       static_cast<utf8proc_ssize_t>(text.size()), &code_point);
  return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
}

std::string QuoteText(std::string_view text, char mark, std::size_t bytes_max) {
  std::string out(1, mark);
  std::size_t at = 0;
  while (at < text.size() && at < bytes_max) at += AppendCharacter(text.substr(at), mark, out);
  if (at < text.size()) out += "…";
  out += mark;
  return out;
}

}  // namespace palena::script
