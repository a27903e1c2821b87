#pragma once

#include <functional>
#include <istream>
#include <ostream>

#include "app/cli_answer_queue.h"
#include "app/cli_batch_line.h"

namespace palena::app {

// How a batch runs a script: calls back exactly once, on any thread.
using StartRequest =
    std::function<void(const BatchRequest& request, std::function<void(Answer)> done)>;

enum class BatchEnd {
  kAnswered,      // every line
  kNoConnection,  // some line was not answered by the server
  kOutputClosed,  // nobody reads on
};

// Reads one request a line, has at most `open_max` in flight, writes one JSON result a line in the
// order of the input, flushed. A line that is no request, or is longer than 16 MiB, is answered
// MALFORMED and costs nobody else anything. A line whose connection broke is answered errored with
// applied "unknown", and the batch goes on when the client has reconnected; when there is no
// connection in time, it ends.
BatchEnd RunBatch(const StartRequest& start, std::istream& in, std::ostream& out,
                  std::size_t open_max);

}  // namespace palena::app
