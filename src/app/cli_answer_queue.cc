#include "app/cli_answer_queue.h"

#include <utility>

namespace palena::app {

std::optional<AnswerQueue::Ticket> AnswerQueue::Ask() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return is_stopped_ || open_.size() < open_max_; });
  if (is_stopped_) return std::nullopt;
  open_.emplace_back();
  changed_.notify_all();
  return first_ + open_.size() - 1;
}

void AnswerQueue::Put(Ticket ticket, Answer answer) {
  const std::lock_guard lock(mutex_);
  open_[ticket - first_] = std::move(answer);
  changed_.notify_all();
}

void AnswerQueue::End() {
  const std::lock_guard lock(mutex_);
  has_ended_ = true;
  changed_.notify_all();
}

std::optional<Answer> AnswerQueue::Take() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return open_.empty() ? has_ended_ : open_.front().has_value(); });
  if (open_.empty()) return std::nullopt;
  std::optional<Answer> answer = std::move(open_.front());
  open_.pop_front();
  ++first_;
  changed_.notify_all();
  return answer;
}

void AnswerQueue::Stop() {
  const std::lock_guard lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
}

}  // namespace palena::app
