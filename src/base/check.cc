#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace palena::base {

void CheckFailed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "palena: internal error at %s:%d: %s does not hold\n", file, line,
               condition);
  std::abort();
}

}  // namespace palena::base
