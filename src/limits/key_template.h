#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "model/take.h"

namespace palena::limits {

// The key of a limit with places for the parts of a caller: "rate_limit:{user_type}:{subject}".
//
// No two sets of parts share a key: %, :, { and } in a part are written %25, %3A, %7B and %7D, and
// between two parts there is a ':', which a part cannot hold, so each ends where it seems to end. A
// part may be empty. '/' stays as it is.
class KeyTemplate {
 public:
  // InvalidArgument, naming the place and the way out: a brace without its partner, a part without
  // a name or with other characters than letters, digits and '_', two parts without a ':' between
  // them, an empty or too long key.
  static base::StatusOr<KeyTemplate> Parse(std::string_view text);

  std::string_view text() const { return text_; }
  // Each name once, in the order of the template.
  std::span<const std::string> part_names() const { return part_names_; }

  // Appends the key of these parts to `out`. InvalidArgument naming the part that is missing,
  // unknown or given twice; OutOfRange when the key would have more than base::kKeyBytesMax bytes.
  base::Status AppendKey(std::span<const model::TakePart> parts, std::string& out) const;

  // Whether some parts of this and some of `other` make the same key.
  bool MayMeet(const KeyTemplate& other) const;

 private:
  // A piece of the key: a text, or the part of this number.
  struct Piece {
    std::string text;
    std::optional<std::size_t> part;
  };

  base::Status AddText(std::string_view text);
  base::Status AddPart(std::string_view name);
  static const model::TakePart* Find(std::span<const model::TakePart> parts, std::string_view name);
  base::Status CheckNames(std::span<const model::TakePart> parts) const;
  base::Status NameSurplus(std::span<const model::TakePart> parts) const;

  std::string text_;
  std::vector<Piece> pieces_;
  std::vector<std::string> part_names_;
  std::size_t last_part_ = 0;   // while parsing: the number of the last one
  std::size_t text_bytes_ = 0;  // of the pieces that are texts
};

}  // namespace palena::limits
