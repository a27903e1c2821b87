#include "model/take.h"

#include "base/check.h"

namespace palena::model {

std::string_view TakeModeName(TakeMode mode) {
  switch (mode) {
#define X(name, text, number) \
  case TakeMode::name:        \
    return text;
    PALENA_TAKE_MODES(X)
#undef X
  }
  base::CheckFailed(__FILE__, __LINE__, "a known mode");
}

}  // namespace palena::model
