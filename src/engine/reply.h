#pragma once

#include <cstdint>

#include "model/result.h"

namespace palena::engine {

// Where answers go. One sink serves many requests; `session` and `request` are the caller's own
// numbers, handed back.
class ReplySink {
 public:
  virtual ~ReplySink() = default;
  // Exactly once per call. The sink may move `result` away. On the thread of the shard that the
  // call came in by; for calls from outside, on the thread of the shard that ran it.
  virtual void OnResult(std::uint64_t session, std::uint64_t request, model::Result& result) = 0;
};

struct ReplyTo {
  ReplySink* sink = nullptr;
  std::uint64_t session = 0;
  std::uint64_t request = 0;
};

}  // namespace palena::engine
