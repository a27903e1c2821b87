// Claim: the machinery finds bugs. This target holds one on purpose, of the kind that the others
// look for: it reads one byte behind its input when the input is a frame header that announces more
// than follows. `make fuzz` fails unless libFuzzer finds that within seconds.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

// The planted bug: trusts the announced length. Ends the process by itself as well, so that builds
// without a sanitizer notice.
bool IsAsLongAsAnnounced(const std::uint8_t* data, std::size_t size) {
  const std::size_t announced = data[1];
  const volatile std::uint8_t last = data[1 + announced];
  if (1 + announced >= size) std::abort();
  return last != 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 4 || data[0] != 'P' || data[2] != 'A' || data[3] != 'L') return 0;
  return IsAsLongAsAnnounced(data, size) ? 0 : 0;
}
