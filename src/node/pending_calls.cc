#include "node/pending_calls.h"

#include <string>
#include <utility>

#include "model/public_result.h"

namespace palena::node {

namespace {

void Answer(const PendingCalls::Done& done, const model::Result& result) {
  if (const auto* one = std::get_if<Node::Callback>(&done)) return (*one)(model::ToPublic(result));
  ManyResult many;
  model::ToPublic(result, many);
  std::get<Node::ManyCallback>(done)(std::move(many));
}

}  // namespace

std::optional<engine::ReplyTo> PendingCalls::Add(Done done) {
  base::Status failure;
  {
    base::MutexLock lock(mutex_);
    if (!failure_.has_value()) {
      calls_.emplace(++last_, std::move(done));
      return engine::ReplyTo{this, 0, last_};
    }
    failure = *failure_;
  }
  Answer(done, model::Result::Failure(LogFailure(failure)));
  return std::nullopt;
}

void PendingCalls::OnResult(std::uint64_t, std::uint64_t request, model::Result& result) {
  Done done;
  {
    base::MutexLock lock(mutex_);
    const auto found = calls_.find(request);
    if (found == calls_.end()) return;  // answered when the log failed
    done = std::move(found->second);
    calls_.erase(found);
  }
  Answer(done, result);
}

void PendingCalls::FailAll(const base::Status& cause) {
  {
    base::MutexLock lock(mutex_);
    failure_ = cause;
  }
  AnswerAll(LogFailure(cause));
}

bool PendingCalls::has_failed() const {
  base::MutexLock lock(mutex_);
  return failure_.has_value();
}

void PendingCalls::Abandon() {
  AnswerAll({model::Code::kDraining, "The node was closed before the run ended", 0, ""});
}

void PendingCalls::AnswerAll(const model::ScriptError& error) {
  Calls calls;
  {
    base::MutexLock lock(mutex_);
    calls = std::exchange(calls_, {});
  }
  for (auto& [number, done] : calls) Answer(done, UnknownOutcome(error));
}

model::ScriptError LogFailure(const base::Status& cause) {
  const bool is_full = cause.code() == base::StatusCode::kResourceExhausted;
  return {is_full ? model::Code::kNoSpace : model::Code::kCorruption,
          "The commit log failed: " + std::string(cause.message()), 0, ""};
}

model::Result UnknownOutcome(const model::ScriptError& error) {
  model::Result result = model::Result::Failure(error);
  result.applied = model::Applied::kUnknown;
  return result;
}

}  // namespace palena::node
