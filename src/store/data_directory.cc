#include "store/data_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"

namespace palena::store {
namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnerOnly = 0700;
constexpr std::string_view kGrantAccess = "give its owner's rights to this user, or name another";

std::string ErrorText(int error) {
  return std::system_category().message(error);
}

std::string ParentOf(const std::string& directory) {
  fs::path path = fs::absolute(directory).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();  // a trailing slash
  return path.parent_path().string();
}

base::Status CreateDirectory(const std::string& directory) {
  if (mkdir(directory.c_str(), kOwnerOnly) == 0) return SyncDirectory(ParentOf(directory));
  const int error = errno;
  if (error == EACCES || error == EROFS || error == EPERM) {
    return DirectoryError(base::StatusCode::kPermissionDenied, directory,
                          absl::StrCat("cannot be created: ", ErrorText(error)), kGrantAccess);
  }
  if (error == ENOENT || error == ENOTDIR) {
    return DirectoryError(base::StatusCode::kInvalidArgument, directory,
                          absl::StrCat("cannot be created: ", ErrorText(error)),
                          "create its parent directory first");
  }
  return DirectoryError(base::StatusCode::kUnavailable, directory,
                        absl::StrCat("cannot be created: ", ErrorText(error)), "name another");
}

base::Status CheckDirectory(const std::string& directory, const struct stat& found) {
  if (!S_ISDIR(found.st_mode)) {
    return DirectoryError(base::StatusCode::kInvalidArgument, directory, "is not a directory",
                          "name a directory");
  }
  if (access(directory.c_str(), R_OK | W_OK | X_OK) == 0) return base::Ok();
  return DirectoryError(base::StatusCode::kPermissionDenied, directory,
                        absl::StrCat("cannot be written: ", ErrorText(errno)), kGrantAccess);
}

bool IsNumbered(std::string_view name, std::string_view extension) {
  if (!name.ends_with(extension)) return false;
  name.remove_suffix(extension.size());
  return !name.empty() && name.find_first_not_of("0123456789") == std::string_view::npos;
}

// Whether a file can only be there after a database was in use: a table, a log, or any manifest but
// the very first, which exists for a moment before the first CURRENT does.
bool IsTraceOfData(std::string_view name) {
  if (IsNumbered(name, ".sst") || IsNumbered(name, ".log")) return true;
  return name.starts_with("MANIFEST-") && name != "MANIFEST-000001";
}

// What may lie in the directory of a node that has not yet stored anything: what its first start
// makes before CURRENT, and what the root of a file system has of its own.
bool IsOfABeginning(std::string_view name) {
  if (name == "LOCK" || name == "IDENTITY" || name == "MANIFEST-000001") return true;
  if (name == "LOG" || name.starts_with("LOG.old.") || name.starts_with("OPTIONS-")) return true;
  return IsNumbered(name, ".dbtmp") || name == "lost+found";
}

// A directory without CURRENT holds no database that can be opened: it must be new, or the reason
// why it is not is said.
base::Status CheckCurrentFile(const std::string& directory) {
  std::error_code error;
  if (fs::exists(fs::path(directory) / "CURRENT", error)) return base::Ok();
  std::string foreign;
  for (const auto& file : fs::directory_iterator(directory, error)) {
    const std::string name = file.path().filename().string();
    if (IsTraceOfData(name)) {
      return DirectoryError(base::StatusCode::kDataLoss, directory,
                            absl::StrCat("is damaged: ", name, " is there but CURRENT is missing"),
                            "restore it from a copy");
    }
    if (!IsOfABeginning(name)) foreign = std::max(foreign, name);
  }
  if (foreign.empty()) return base::Ok();
  return DirectoryError(base::StatusCode::kInvalidArgument, directory,
                        absl::StrCat("holds no data of a node, but other files: ", foreign),
                        "name an empty or a new directory");
}

}  // namespace

base::Status PrepareDataDirectory(const std::string& directory) {
  struct stat found = {};
  if (stat(directory.c_str(), &found) != 0) {
    // Whatever keeps stat from looking keeps mkdir from working, and mkdir says why.
    return CreateDirectory(directory);
  }
  PALENA_RETURN_IF_ERROR(CheckDirectory(directory, found));
  // An earlier start may have ended between creating and syncing; a parent that this user may not
  // open was somebody else's to sync.
  SyncDirectory(ParentOf(directory)).IgnoreError();
  return CheckCurrentFile(directory);
}

base::Status SyncDirectory(const std::string& directory) {
  const int file = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool is_synced = file >= 0 && fsync(file) == 0;
  const int error = errno;
  if (file >= 0) close(file);
  if (is_synced) return base::Ok();
  return DirectoryError(base::StatusCode::kUnavailable, directory,
                        absl::StrCat("cannot be synced: ", ErrorText(error)), "check the disk");
}

base::Status DirectoryError(base::StatusCode code, const std::string& directory,
                            std::string_view what, std::string_view way_out) {
  std::string line(what);
  for (char& byte : line) {
    if (std::iscntrl(static_cast<unsigned char>(byte)) != 0) byte = ' ';
  }
  return {code, absl::StrCat("data directory '", directory, "' ", line, "; ",
                             absl::string_view(way_out.data(), way_out.size()))};
}

}  // namespace palena::store
