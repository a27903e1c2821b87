#include "store/rocks_format.h"

#include "absl/strings/escaping.h"
#include "base/bytes.h"
#include "base/check.h"

namespace palena::store {
namespace {

constexpr std::uint8_t kVersionLayout = 1;
constexpr std::uint8_t kDeletionFlag = 1;
constexpr std::uint8_t kNorevFlag = 2;
constexpr std::uint8_t kIntegerFlag = 4;
constexpr std::uint8_t kTrimmedFlag = 8;
constexpr std::uint8_t kAllFlags = kDeletionFlag | kNorevFlag | kIntegerFlag | kTrimmedFlag;

std::uint8_t FlagsOf(const model::VersionView& version) {
  const bool is_deletion = version.kind == model::VersionKind::kDeletion;
  const bool is_trimmed = version.kind == model::VersionKind::kTrimmed;
  const bool is_integer = !is_deletion && version.value.is_integer;
  return static_cast<std::uint8_t>(
      (is_deletion ? kDeletionFlag : 0) | (version.norev ? kNorevFlag : 0) |
      (is_integer ? kIntegerFlag : 0) | (is_trimmed ? kTrimmedFlag : 0));
}

bool TakeSigned(std::string_view& in, std::int64_t& value) {
  std::uint64_t bits = 0;
  if (!base::TakeLittle(in, bits)) return false;
  value = static_cast<std::int64_t>(bits);
  return true;
}

bool TakeFlags(std::string_view& in, std::uint8_t& flags) {
  std::uint8_t layout = 0;
  return base::TakeLittle(in, layout) && layout == kVersionLayout && base::TakeLittle(in, flags) &&
         (flags & ~kAllFlags) == 0;
}

model::VersionKind KindOf(std::uint8_t flags) {
  if ((flags & kTrimmedFlag) != 0) return model::VersionKind::kTrimmed;
  return (flags & kDeletionFlag) != 0 ? model::VersionKind::kDeletion : model::VersionKind::kValue;
}

bool DecodeValue(std::string_view in, std::uint8_t flags, model::ValueView& value) {
  const bool is_integer = (flags & kIntegerFlag) != 0;
  if ((flags & kTrimmedFlag) != 0 && (!is_integer || (flags & kDeletionFlag) != 0)) return false;
  if ((flags & kDeletionFlag) != 0) return in.empty() && !is_integer;
  value = is_integer ? model::ValueView::Integer(0) : model::ValueView::Bytes(in);
  return !is_integer || (TakeSigned(in, value.integer) && in.empty());
}

}  // namespace

void AppendVersion(const model::VersionView& version, std::string& out) {
  PALENA_CHECK(version.kind != model::VersionKind::kAbsent);
  const std::uint8_t flags = FlagsOf(version);
  base::AppendLittle(out, kVersionLayout);
  base::AppendLittle(out, flags);
  base::AppendLittle(out, static_cast<std::uint64_t>(version.revision));
  base::AppendLittle(out, static_cast<std::uint64_t>(version.expires_ms));
  base::AppendLittle(out, version.stamp.packed);
  if ((flags & kDeletionFlag) != 0) return;
  if ((flags & kIntegerFlag) != 0) {
    base::AppendLittle(out, static_cast<std::uint64_t>(version.value.integer));
  } else {
    out.append(version.value.bytes);
  }
}

bool DecodeVersionView(std::string_view in, model::VersionView& version) {
  std::uint8_t flags = 0;
  if (!TakeFlags(in, flags)) return false;
  version.kind = KindOf(flags);
  version.norev = (flags & kNorevFlag) != 0;
  version.value = {};
  return TakeSigned(in, version.revision) && TakeSigned(in, version.expires_ms) &&
         base::TakeLittle(in, version.stamp.packed) && DecodeValue(in, flags, version.value);
}

bool DecodeVersion(std::string_view in, model::Version& version) {
  model::VersionView view;
  if (!DecodeVersionView(in, view)) return false;
  version.Assign(view);
  return true;
}

void AppendHistoryKey(std::string_view key, std::int64_t revision, std::string& out) {
  for (const char byte : key) {
    out.push_back(byte);
    if (byte == '\0') out.push_back('\xFF');
  }
  out.push_back('\0');
  out.push_back('\x01');
  base::AppendBig(out, static_cast<std::uint64_t>(revision));
}

std::string EncodeMeta(std::uint64_t value) {
  std::string out;
  base::AppendLittle(out, value);
  return out;
}

bool DecodeMeta(std::string_view in, std::uint64_t& value) {
  return base::TakeLittle(in, value) && in.empty();
}

std::string PrintableKey(std::string_view key) {
  constexpr std::size_t kShownBytes = 64;
  const bool is_cut = key.size() > kShownBytes;
  const std::string_view shown = key.substr(0, kShownBytes);
  return absl::CHexEscape({shown.data(), shown.size()}) + (is_cut ? "…" : "");
}

}  // namespace palena::store
