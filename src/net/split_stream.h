#pragma once

// Cuts what another stream carries into small pieces (base/capacities.h). Private to net.

#include <cstddef>
#include <memory>

#include "net/byte_stream.h"

namespace palena::net {

// `stream`, moving at most `bytes_max` in one transfer; itself when that is base::kUnbounded. Every
// thousandth transfer of a direction is left as it is, so that a megabyte does not cost a million
// system calls, and so that pieces of several messages arrive in one read now and then.
std::unique_ptr<ByteStream> SplitTransfers(std::unique_ptr<ByteStream> stream,
                                           std::size_t bytes_max);

}  // namespace palena::net
