#include "limits/key_template.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/limits.h"

namespace palena::limits {
namespace {

constexpr char kSeparator = ':';

bool IsNameCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsPartName(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), IsNameCharacter);
}

base::Status Refuse(std::string_view text, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat("key \"", std::string(text), "\": ", why));
}

void AppendEscaped(std::string_view part, std::string& out) {
  for (const char c : part) {
    switch (c) {
      case '%':
        out.append("%25");
        break;
      case kSeparator:
        out.append("%3A");
        break;
      case '{':
        out.append("%7B");
        break;
      case '}':
        out.append("%7D");
        break;
      default:
        out.push_back(c);
    }
  }
}

}  // namespace

base::StatusOr<KeyTemplate> KeyTemplate::Parse(std::string_view text) {
  if (text.empty()) return Refuse(text, "it is empty; write one such as \"login:{subject}\"");
  KeyTemplate made;
  made.text_ = text;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t brace = rest.find_first_of("{}");
    PALENA_RETURN_IF_ERROR(made.AddText(rest.substr(0, brace)));
    if (brace == std::string_view::npos) break;
    if (rest[brace] == '}') return Refuse(text, "a } without a {");
    rest.remove_prefix(brace + 1);
    const std::size_t end = rest.find_first_of("{}");
    if (end == std::string_view::npos || rest[end] == '{') return Refuse(text, "a { without a }");
    PALENA_RETURN_IF_ERROR(made.AddPart(rest.substr(0, end)));
    rest.remove_prefix(end + 1);
  }
  return made;
}

base::Status KeyTemplate::AddText(std::string_view text) {
  if (text.empty()) return base::Ok();
  text_bytes_ += text.size();
  if (text_bytes_ > base::kKeyBytesMax) {
    return absl::InvalidArgumentError(
        absl::StrCat("key of more than ", base::kKeyBytesMax, " bytes, the longest that there is"));
  }
  pieces_.push_back({std::string(text), std::nullopt});
  return base::Ok();
}

base::Status KeyTemplate::AddPart(std::string_view name) {
  if (!IsPartName(name)) {
    return Refuse(text_, absl::StrCat("\"{", std::string(name),
                                      "}\" is no part: a name is of letters, digits and _"));
  }
  const bool is_first = part_names_.empty();
  const bool is_apart =
      !pieces_.empty() && pieces_.back().text.find(kSeparator) != std::string::npos;
  if (!is_first && !is_apart) {
    return Refuse(text_, absl::StrCat("put a : between {", part_names_[last_part_], "} and {",
                                      std::string(name), "}, or two callers may share a counter"));
  }
  const auto known = std::find(part_names_.begin(), part_names_.end(), name);
  last_part_ = static_cast<std::size_t>(known - part_names_.begin());
  if (known == part_names_.end()) part_names_.emplace_back(name);
  pieces_.push_back({"", last_part_});
  return base::Ok();
}

base::Status KeyTemplate::AppendKey(std::span<const model::TakePart> parts,
                                    std::string& out) const {
  PALENA_RETURN_IF_ERROR(CheckNames(parts));
  const std::size_t before = out.size();
  for (const Piece& piece : pieces_) {
    if (piece.part) {
      AppendEscaped(Find(parts, part_names_[*piece.part])->value, out);
    } else {
      out.append(piece.text);
    }
  }
  const std::size_t bytes = out.size() - before;
  if (bytes == 0) return absl::InvalidArgumentError("all parts are empty, and so is the key");
  if (bytes <= base::kKeyBytesMax) return base::Ok();
  out.resize(before);
  return absl::OutOfRangeError(absl::StrCat("the parts make a key of ", bytes, " bytes, at most ",
                                            base::kKeyBytesMax, " are allowed"));
}

const model::TakePart* KeyTemplate::Find(std::span<const model::TakePart> parts,
                                         std::string_view name) {
  for (const model::TakePart& part : parts) {
    if (part.name == name) return &part;
  }
  return nullptr;
}

// As many parts as names, and each name among them: then there is none twice and none unknown.
base::Status KeyTemplate::CheckNames(std::span<const model::TakePart> parts) const {
  for (const std::string& name : part_names_) {
    if (Find(parts, name) != nullptr) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the part \"", name, "\" is missing; the key is ", text_));
  }
  if (parts.size() == part_names_.size()) return base::Ok();
  return NameSurplus(parts);
}

base::Status KeyTemplate::NameSurplus(std::span<const model::TakePart> parts) const {
  for (const model::TakePart& part : parts) {
    if (std::find(part_names_.begin(), part_names_.end(), part.name) == part_names_.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no part \"", std::string(part.name), "\"; the key is ", text_));
    }
    if (Find(parts, part.name) != &part) {
      return absl::InvalidArgumentError(
          absl::StrCat("the part \"", std::string(part.name), "\" is given twice"));
    }
  }
  return base::Ok();
}

namespace {

// A template as letters: a byte of text, or kAnyPart, which stands for any bytes but the separator.
constexpr int kAnyPart = -1;
constexpr int kEnd = -2;

bool IsInPart(int letter) {
  return letter >= 0 && letter != kSeparator;
}

using Letters = std::vector<int>;

// Whether some text is spelled by both, by the usual table, row by row: at j of row i the first i
// letters of one and the first j of the other have spelled the same.
bool SpellTheSame(const Letters& a, const Letters& b) {
  std::vector<bool> row(b.size() + 1, false);
  row[0] = true;
  for (std::size_t i = 0;; ++i) {
    const int letter_a = i < a.size() ? a[i] : kEnd;
    std::vector<bool> next(b.size() + 1, false);
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (!row[j]) continue;
      const int letter_b = j < b.size() ? b[j] : kEnd;
      // A part ends here, or takes the other's letter and goes on; or both have the same letter.
      const bool goes_right = letter_b == kAnyPart || (letter_a == kAnyPart && IsInPart(letter_b));
      if (goes_right) row[j + 1] = true;
      const bool goes_down = letter_a == kAnyPart || (letter_b == kAnyPart && IsInPart(letter_a));
      if (goes_down) next[j] = true;
      if (letter_a >= 0 && letter_a == letter_b) next[j + 1] = true;
    }
    if (i == a.size()) return row[b.size()];
    row = std::move(next);
    if (std::find(row.begin(), row.end(), true) == row.end()) return false;
  }
}

}  // namespace

bool KeyTemplate::MayMeet(const KeyTemplate& other) const {
  const auto letters = [](const KeyTemplate& key) {
    Letters made;
    for (const Piece& piece : key.pieces_) {
      if (piece.part) made.push_back(kAnyPart);
      for (const char c : piece.text) made.push_back(static_cast<unsigned char>(c));
    }
    return made;
  };
  return SpellTheSame(letters(*this), letters(other));
}

}  // namespace palena::limits
