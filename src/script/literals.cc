#include "script/literals.h"

#include <utf8proc.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>

#include "absl/strings/ascii.h"
#include "script/quote.h"

namespace palena::script {
namespace {

constexpr std::uint32_t kCodePointMax = 0x10FFFF;
constexpr std::size_t kOctalDigitsMax = 3;

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

bool IsHexDigit(char c) {
  return absl::ascii_isxdigit(static_cast<unsigned char>(c));
}

bool IsOctalDigit(char c) {
  return c >= '0' && c <= '7';
}

bool IsHighSurrogate(std::uint32_t unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}

bool IsLowSurrogate(std::uint32_t unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

std::size_t LeadingCount(std::string_view text, bool (*belongs)(char)) {
  return static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) -
                                  text.begin());
}

// Walks over one quoted literal. The first problem ends the walk.
class QuotedReader {
 public:
  explicit QuotedReader(std::string_view source) : source_(source), mark_(source.front()) {}

  QuotedLiteral Read() {
    while (problem_.empty() && !AtMark()) ReadCharacter();
    return {std::move(text_), at_ + 1, std::move(problem_)};
  }

 private:
  bool AtEnd() const { return at_ >= source_.size(); }
  bool AtMark() const { return !AtEnd() && source_[at_] == mark_; }

  bool AtEndOfLine() const { return AtEnd() || source_[at_] == '\n' || source_[at_] == '\r'; }

  void ReadCharacter() {
    if (AtEndOfLine()) {
      problem_ = mark_ == '`' ? "unterminated name " : "unterminated string ";
      problem_ += QuoteText(source_.substr(1, at_ - 1), mark_);
    } else if (source_[at_] == '\\') {
      ReadEscape();
    } else {
      text_ += source_[at_++];
    }
  }

  void ReadEscape() {
    escape_begin_ = at_++;
    if (AtEndOfLine()) return;  // the walk goes on to say that the literal does not end
    const char c = source_[at_];
    if (IsOctalDigit(c)) return ReadOctal();
    if (c == 'x') return ReadHex(2);
    if (c == 'u') return ReadHex(4);
    if (c == 'U') return ReadHex(8);
    if (const std::optional<char> meaning = SimpleEscape(c)) {
      text_ += *meaning;
      ++at_;
      return;
    }
    ++at_;
    RefuseEscape("unknown escape");
  }

  static std::optional<char> SimpleEscape(char c) {
    constexpr std::string_view kNames = "ntrabfv\\\"'`";
    constexpr std::string_view kMeanings = "\n\t\r\a\b\f\v\\\"'`";
    const std::size_t place = kNames.find(c);
    if (place == std::string_view::npos) return std::nullopt;
    return kMeanings[place];
  }

  void ReadOctal() {
    const std::size_t digits = LeadingCount(source_.substr(at_, kOctalDigitsMax), IsOctalDigit);
    AppendCodePoint(TakeDigits(digits, 8));
  }

  void ReadHex(std::size_t digits) {
    ++at_;
    if (LeadingCount(source_.substr(at_, digits), IsHexDigit) < digits) {
      return RefuseEscape("incomplete escape");
    }
    std::uint32_t code_point = TakeDigits(digits, 16);
    if (digits == 4 && IsHighSurrogate(code_point)) code_point = JoinSurrogates(code_point);
    AppendCodePoint(code_point);
  }

  // The character of a pair `\uD83D\uDE00`; `high` itself when its partner is missing.
  std::uint32_t JoinSurrogates(std::uint32_t high) {
    if (!source_.substr(at_).starts_with("\\u")) return high;
    const std::size_t digits_begin = at_ + 2;
    if (LeadingCount(source_.substr(digits_begin, 4), IsHexDigit) < 4) return high;
    at_ = digits_begin;
    const std::uint32_t low = TakeDigits(4, 16);
    if (!IsLowSurrogate(low)) return high;
    return 0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00);
  }

  // Only called for as many digits as fit 32 bits.
  std::uint32_t TakeDigits(std::size_t digits, int base) {
    std::uint32_t value = 0;
    std::from_chars(source_.data() + at_, source_.data() + at_ + digits, value, base);
    at_ += digits;
    return value;
  }

  void AppendCodePoint(std::uint32_t code_point) {
    if (code_point > kCodePointMax) return RefuseEscape("no such character");
    if (IsHighSurrogate(code_point) || IsLowSurrogate(code_point)) {
      return RefuseEscape("lone surrogate");
    }
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t count =
        utf8proc_encode_char(static_cast<utf8proc_int32_t>(code_point), bytes);
    text_.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(count));
  }

  void RefuseEscape(std::string_view why) {
    // Shown as written: quoting the whole would show two backslashes.
    const std::string_view name = source_.substr(escape_begin_ + 1, at_ - escape_begin_ - 1);
    const std::string quoted = QuoteText(name, mark_);
    problem_ = std::string(why) + " \\" + quoted.substr(1, quoted.size() - 2);
  }

  std::string_view source_;
  char mark_;
  std::size_t at_ = 1;
  std::size_t escape_begin_ = 0;
  std::string text_;
  std::string problem_;
};

// std::from_chars over all of `digits`, the number's value going to `value`.
template <typename T, typename... Base>
bool FitsInto(std::string_view digits, T& value, Base... base) {
  return std::from_chars(digits.data(), digits.data() + digits.size(), value, base...).ec ==
         std::errc();
}

NumberLiteral Finish(NumberLiteral number, std::string_view written, bool fits) {
  number.bytes = written.size();
  if (!fits) {
    number.problem = number.is_integer ? "integer out of range: " : "number out of range: ";
    number.problem += QuoteText(written, '\'');
  }
  return number;
}

NumberLiteral ReadHexNumber(std::string_view source) {
  const std::size_t digits = LeadingCount(source.substr(2), IsHexDigit);
  std::uint64_t pattern = 0;
  const bool fits = FitsInto(source.substr(2, digits), pattern, 16);
  NumberLiteral number;
  number.integer = static_cast<std::int64_t>(pattern);
  return Finish(number, source.substr(0, 2 + digits), fits);
}

NumberLiteral ReadFloat(std::string_view written) {
  NumberLiteral number;
  number.is_integer = false;
  const bool fits = FitsInto(written, number.real);
  return Finish(number, written, fits);
}

bool BeginsHexNumber(std::string_view source) {
  return source.size() > 2 && source[0] == '0' && (source[1] == 'x' || source[1] == 'X') &&
         IsHexDigit(source[2]);
}

}  // namespace

QuotedLiteral ReadQuoted(std::string_view source) {
  return QuotedReader(source).Read();
}

NumberLiteral ReadNumber(std::string_view source) {
  if (BeginsHexNumber(source)) return ReadHexNumber(source);
  const std::size_t whole = LeadingCount(source, IsDigit);
  const std::string_view rest = source.substr(whole);
  if (rest.size() > 1 && rest[0] == '.' && IsDigit(rest[1])) {
    return ReadFloat(source.substr(0, whole + 1 + LeadingCount(rest.substr(1), IsDigit)));
  }
  NumberLiteral number;
  const bool fits = FitsInto(source.substr(0, whole), number.integer);
  return Finish(number, source.substr(0, whole), fits);
}

}  // namespace palena::script
