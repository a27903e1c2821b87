#pragma once

#include <cstdint>

#include "model/result.h"
#include "model/take.h"

namespace palena::limits {

// Where answers go; the pattern of engine::ReplySink.
class TakeSink {
 public:
  virtual ~TakeSink() = default;
  // Exactly once per call, on the thread of the shard that the call came in by; before the call
  // returns when the request is refused or could be decided at once. The sink may move `answer`
  // away.
  virtual void OnTake(std::uint64_t session, std::uint64_t request, model::TakeAnswer& answer) = 0;
  // The answer to a Reset: type deleted, or does_not_exist when nothing was in use; or a failure.
  virtual void OnReset(std::uint64_t session, std::uint64_t request, model::Result& result) = 0;
};

struct TakeReplyTo {
  TakeSink* sink = nullptr;
  std::uint64_t session = 0;
  std::uint64_t request = 0;
};

}  // namespace palena::limits
