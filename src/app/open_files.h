#pragma once

namespace palena::app {

// Raises the soft limit of open files to the hard one: every connection is one, and the soft limit
// of a shell is often 1024. Does nothing where that is refused.
void RaiseOpenFilesLimit();

}  // namespace palena::app
