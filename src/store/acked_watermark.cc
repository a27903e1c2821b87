#include "store/acked_watermark.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "store/data_directory.h"

namespace palena::store {
namespace {

// A slot: 8 bytes of magic, the number, and the first 8 bytes of the SHA-256 of those two; all
// little-endian. Slots lie a page apart, so that one torn sector cannot spoil both.
constexpr std::uint64_t kMagic = 0x31'4B'43'41'4C'41'50'00;
constexpr std::size_t kSlotBytes = 24;
constexpr off_t kSlotDistance = 4096;
constexpr int kSlots = 2;
constexpr mode_t kOwnerOnly = 0600;

std::string EncodeSlot(Sequence value) {
  std::string slot;
  base::AppendLittle(slot, kMagic);
  base::AppendLittle(slot, value);
  const base::Sha256Digest digest = base::Sha256(slot);
  slot.append(reinterpret_cast<const char*>(digest.data()), kSlotBytes - slot.size());
  return slot;
}

// False when the slot is missing or not whole.
bool ReadSlot(int file, int index, Sequence& value) {
  std::array<char, kSlotBytes> slot;
  if (pread(file, slot.data(), slot.size(), index * kSlotDistance) != ssize_t{kSlotBytes}) {
    return false;
  }
  value = base::LoadLittle<Sequence>(slot.data() + sizeof(kMagic));
  return EncodeSlot(value) == std::string_view(slot.data(), slot.size());
}

}  // namespace

base::StatusOr<WatermarkFile> WatermarkFile::Open(const std::string& directory) {
  const std::string path = directory + "/ACKED";
  WatermarkFile opened(directory, open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (opened.file_ < 0) return opened.Error("opened");
  PALENA_RETURN_IF_ERROR(opened.Load());
  if (opened.value_ == 0) PALENA_RETURN_IF_ERROR(SyncDirectory(directory));
  return opened;
}

WatermarkFile::WatermarkFile(WatermarkFile&& other) noexcept
    : directory_(std::move(other.directory_)),
      file_(std::exchange(other.file_, -1)),
      next_slot_(other.next_slot_),
      value_(other.value_) {}

WatermarkFile::~WatermarkFile() {
  if (file_ >= 0) close(file_);
}

base::Status WatermarkFile::Load() {
  bool has_whole_slot = false;
  for (int index = 0; index < kSlots; ++index) {
    Sequence value = 0;
    if (!ReadSlot(file_, index, value)) continue;
    has_whole_slot = true;
    if (value < value_) continue;
    value_ = value;
    next_slot_ = (index + 1) % kSlots;
  }
  // A crash spoils the slot being written only: the first of a file that has no second yet, or one
  // of two.
  const off_t size = lseek(file_, 0, SEEK_END);
  if (has_whole_slot || size < kSlotDistance) return base::Ok();
  return DirectoryError(base::StatusCode::kDataLoss, directory_,
                        "is damaged: no slot of ACKED is whole", "restore it from a copy");
}

base::Status WatermarkFile::Write(Sequence value) {
  const std::string slot = EncodeSlot(value);
  errno = 0;
  const bool is_written =
      pwrite(file_, slot.data(), slot.size(), next_slot_ * kSlotDistance) == ssize_t{kSlotBytes} &&
      fdatasync(file_) == 0;
  if (!is_written) return Error("written");
  value_ = value;
  next_slot_ = (next_slot_ + 1) % kSlots;
  return base::Ok();
}

base::Status WatermarkFile::Clear() {
  if (ftruncate(file_, 0) != 0 || fdatasync(file_) != 0) return Error("cleared");
  value_ = 0;
  next_slot_ = 0;
  return base::Ok();
}

base::Status WatermarkFile::Error(std::string_view action) const {
  const int error = errno;
  const bool is_denied = error == EACCES || error == EROFS || error == EPERM;
  const auto code = is_denied         ? base::StatusCode::kPermissionDenied
                    : error == ENOSPC ? base::StatusCode::kResourceExhausted
                                      : base::StatusCode::kUnavailable;
  const std::string reason = error == 0 ? "cut short" : std::system_category().message(error);
  return DirectoryError(
      code, directory_,
      absl::StrCat("cannot be used: ACKED was not ", std::string(action), ": ", reason),
      "check the disk and its permissions");
}

void AckedWatermark::Note(Sequence sequence) {
  {
    base::MutexLock lock(mutex_);
    noted_ = sequence;
    if (std::exchange(is_scheduled_, true)) return;
  }
  executor_.PostAfter(kPeriodNs, [self = weak_from_this()] {
    if (const auto watermark = self.lock()) watermark->Flush();
  });
}

void AckedWatermark::Flush() {
  const base::Status written = WriteNoted();
  if (!written.ok()) on_failure_(written);
}

base::Status AckedWatermark::WriteNoted() {
  base::MutexLock lock(mutex_);
  is_scheduled_ = false;
  return noted_ > file_.value() ? file_.Write(noted_) : base::Ok();
}

}  // namespace palena::store
