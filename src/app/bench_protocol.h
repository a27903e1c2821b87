#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "app/bench_tally.h"

namespace palena::app {

// One connection's side of a conversation under load: what palena-bench needs to know of a
// protocol, and nothing of sockets.
class BenchProtocol {
 public:
  enum class StepKind : std::uint8_t {
    kNeedMore,   // show the rest again with more
    kPreparing,  // part of the beginning; go on
    kReady,      // the beginning is over: requests may follow
    kAnswer,
    kBad,  // the conversation cannot go on: `error`
  };
  struct Step {
    StepKind kind = StepKind::kNeedMore;
    std::size_t consumed_bytes = 0;
    std::size_t needed_bytes = 0;  // kNeedMore: how long the rest must become
    BenchAnswer answer;            // kAnswer
    std::string error;             // kBad

    static Step NeedMore(std::size_t needed_bytes) {
      Step step = Of(StepKind::kNeedMore);
      step.needed_bytes = needed_bytes;
      return step;
    }
    static Step Answer(const BenchAnswer& answer) {
      Step step = Of(StepKind::kAnswer);
      step.answer = answer;
      return step;
    }
    static Step Bad(std::string error) {
      Step step = Of(StepKind::kBad);
      step.error = std::move(error);
      return step;
    }
    // Of a kind that says everything.
    static Step Of(StepKind kind) {
      Step step;
      step.kind = kind;
      return step;
    }
  };

  virtual ~BenchProtocol() = default;

  // Bytes that open the conversation.
  virtual void Start(std::string& out) = 0;
  // Takes one message off the front of `input`; may write to `out` until kReady.
  virtual Step Next(std::string_view input, std::string& out) = 0;
  // After kReady: one request. `values` are those of the templates, in their order. Ids are below
  // 2^32 and unique among the requests in flight.
  virtual void AppendRequest(std::string& out, std::uint64_t id,
                             std::span<const std::string> values) = 0;
};

}  // namespace palena::app
