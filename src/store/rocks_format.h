#pragma once

// The bytes of the data directory: how keys, versions and the meta values are laid out. Pure
// functions; the database's own checksums stand below them, so a decoder that says no has met bytes
// that this program did not write.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "hlc/stamp.h"
#include "model/version.h"

namespace palena::store {

// Raised when the layout changes in a way that this code could not read.
inline constexpr std::uint32_t kDataFormat = 1;

// Names of column families and of the keys in `meta`.
inline constexpr std::string_view kLatestFamily = "latest";
inline constexpr std::string_view kHistoryFamily = "history";
inline constexpr std::string_view kMetaFamily = "meta";
inline constexpr std::string_view kFormatKey = "format";           // u64
inline constexpr std::string_view kSequenceKey = "sequence";       // u64
inline constexpr std::string_view kClockBoundKey = "clock_bound";  // u64, HybridTime

// Appends a value, a deletion mark, or a stub of trimmed versions.
//
//   0        1       2           10           18       26
//   +--------+-------+-----------+------------+--------+------------------------+
//   | layout | flags | revision  | expires_ms | stamp  | 8 bytes of an integer, |
//   | 1      | 1     | 8         | 8          | 8      | or text to the end     |
//   +--------+-------+-----------+------------+--------+------------------------+
//   little-endian; flags: 1 deletion (no value follows), 2 norev, 4 integer, 8 stub
//
// A stub stands for all versions of a key up to its revision, which history kept once and does not
// any more (kTrimmed): revision and stamp are those of the newest of them, and its integer, always
// there, is the stamp of the oldest, before which there was none. The key has at most one, at
// kStubPlace. A program that knows no stubs meets none unless it reads that very place.
void AppendVersion(const model::VersionView& version, std::string& out);
// False when `in` is not exactly one version.
bool DecodeVersion(std::string_view in, model::Version& version);
// The same without a copy: the value refers to `in`.
bool DecodeVersionView(std::string_view in, model::VersionView& version);

// Appends the place of a version in `history`: the key with each 00 written as 00 FF, then 00 01 as
// its end, then the revision, big-endian. So byte order is order by key, then by revision, and no
// key's versions lie among another's.
void AppendHistoryKey(std::string_view key, std::int64_t revision, std::string& out);
inline constexpr std::size_t kRevisionBytes = 8;
// In place of a revision: behind all of them, and found without a search over those that were
// deleted.
inline constexpr std::int64_t kStubPlace = -1;

// Fixed-width values of `meta`; false when the size is not theirs.
std::string EncodeMeta(std::uint64_t value);
bool DecodeMeta(std::string_view in, std::uint64_t& value);

// A key as an error message shows it: escaped, and cut when long.
std::string PrintableKey(std::string_view key);

}  // namespace palena::store
