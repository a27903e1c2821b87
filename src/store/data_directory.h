#pragma once

// The data directory before and around the database: makes it, tells why it cannot be used.

#include <string>

#include "base/status.h"

namespace palena::store {

// Creates `directory` (one level, for the owner alone) when it is missing and makes its entry in
// the parent durable. Refuses, in one line, what no database should be opened in:
//   InvalidArgument   not a directory, or the parent is missing, or holds somebody else's files and
//                     no database
//   PermissionDenied  not readable or writable
//   DataLoss          holds data files, but the file that lists them is gone: opening would start
//                     an empty database beside them
base::Status PrepareDataDirectory(const std::string& directory);

// Makes the entries of `directory` itself durable.
base::Status SyncDirectory(const std::string& directory);

// "data directory 'x': what happened; what to do", with the control characters of `what` blanked.
base::Status DirectoryError(base::StatusCode code, const std::string& directory,
                            std::string_view what, std::string_view way_out);

}  // namespace palena::store
