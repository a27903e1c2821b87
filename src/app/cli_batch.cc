#include "app/cli_batch.h"
#include "wire/result_json.h"

#include <string>
#include <thread>
#include <utility>

namespace palena::app {
namespace {

// Six bytes of JSON a byte ("\u0000") of the largest request, and some room.
constexpr std::size_t kLineBytesMax = std::size_t{16} << 20;

enum class LineRead { kLine, kTooLong, kEnd };

// Like std::getline, but a line that never ends does not eat the memory: what is beyond the limit
// is read and dropped.
LineRead ReadLine(std::istream& in, std::string& line) {
  line.clear();
  std::streambuf& bytes = *in.rdbuf();
  bool is_too_long = false;
  bool is_empty = true;
  for (int c = bytes.sbumpc(); c != std::istream::traits_type::eof(); c = bytes.sbumpc()) {
    is_empty = false;
    if (c == '\n') return is_too_long ? LineRead::kTooLong : LineRead::kLine;
    is_too_long |= line.size() == kLineBytesMax;
    if (!is_too_long) line.push_back(static_cast<char>(c));
  }
  if (is_empty) return LineRead::kEnd;
  return is_too_long ? LineRead::kTooLong : LineRead::kLine;
}

void AskOne(const StartRequest& start, LineRead read, const std::string& line, AnswerQueue& queue,
            AnswerQueue::Ticket ticket) {
  if (read == LineRead::kTooLong) {
    return queue.Put(ticket,
                     MalformedLine("longer than " + std::to_string(kLineBytesMax) + " bytes"));
  }
  auto parsed = ParseBatchLine(line);
  if (auto* error = std::get_if<std::string>(&parsed)) {
    return queue.Put(ticket, MalformedLine(std::move(*error)));
  }
  start(std::get<BatchRequest>(parsed),
        [&queue, ticket](Answer answer) { queue.Put(ticket, std::move(answer)); });
}

void AskAll(const StartRequest& start, std::istream& in, AnswerQueue& queue) {
  std::string line;
  for (LineRead read = ReadLine(in, line); read != LineRead::kEnd; read = ReadLine(in, line)) {
    const std::optional<AnswerQueue::Ticket> ticket = queue.Ask();
    if (!ticket) break;
    AskOne(start, read, line, queue, *ticket);
  }
  queue.End();
}

// The server's word is missing, so nobody knows; said in the shape that readers of lines expect.
Result Unanswered(const Status& status) {
  Result result;
  result.type = ResultType::kErrored;
  result.reason = status.message();
  result.applied = Applied::kUnknown;
  return result;
}

BatchEnd WriteAll(std::ostream& out, AnswerQueue& queue) {
  BatchEnd end = BatchEnd::kAnswered;
  while (const std::optional<Answer> answer = queue.Take()) {
    if (end == BatchEnd::kOutputClosed) continue;
    out << wire::ResultJson(answer->ok() ? **answer : Unanswered(answer->status())) << '\n'
        << std::flush;
    if (!answer->ok()) end = BatchEnd::kNoConnection;
    if (!out) end = BatchEnd::kOutputClosed;
    const bool is_lost = answer->status().code() == StatusCode::kDeadlineExceeded;
    if (is_lost || !out) queue.Stop();
  }
  return end;
}

}  // namespace

BatchEnd RunBatch(const StartRequest& start, std::istream& in, std::ostream& out,
                  std::size_t open_max) {
  AnswerQueue queue(open_max);
  BatchEnd end = BatchEnd::kAnswered;
  std::thread writer([&] { end = WriteAll(out, queue); });
  AskAll(start, in, queue);
  writer.join();
  return end;
}

}  // namespace palena::app
