#pragma once

// TO BE DEFINED by the builder of the table (see table.h): Entry, the resident state of one key.

#include "model/version.h"

namespace palena::store {

class Entry;

// The head version of an entry; valid until the next Install on it or until it is removed.
model::VersionView HeadOf(const Entry& entry);

}  // namespace palena::store
