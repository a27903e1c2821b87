// What a suspended run has asked for: the tables of the shards concerned tell what they know, and
// of persistent keys the log tells the rest.

#include <string>
#include <utility>

#include "engine/shard.h"

namespace palena::engine {
namespace {

model::ScriptError ReadFailure(const base::Status& status) {
  return {model::Code::kCorruption, std::string(status.message()), 0, ""};
}

}  // namespace

// Of one persistent key the run knows the head: only the log knows more.
void Shard::Ask(Run* run) {
  const Question& question = run->host.question();
  const bool is_persistent = question.durability() == model::Durability::kPersistent;
  run->parts_missing = 1;  // this shard's word, until all are asked
  for (unsigned shard = 0; shard < options_.shards; ++shard) {
    const bool is_owner = store::ShardOf(question.key.hash, options_.shards) == shard;
    if (question.IsAboutRange() ? false : is_persistent || !is_owner) continue;
    ++run->parts_missing;
    const Inquiry inquiry{run, options_.index};
    if (shard == options_.index) {
      AnswerInquiry(inquiry);
    } else {
      MailTo(shard).inquiries.push_back(inquiry);
    }
  }
  OnInformation(run, {});
}

// The asker waits, so its question stays as it is.
void Shard::AnswerInquiry(const Inquiry& inquiry) {
  Findings findings = AskTable(inquiry.run->host.question(), table_, *this);
  if (inquiry.asker == options_.index) return OnInformation(inquiry.run, std::move(findings));
  MailTo(inquiry.asker).information.push_back({inquiry.run, std::move(findings)});
}

void Shard::OnInformation(Run* run, Findings findings) {
  run->host.findings().Merge(std::move(findings));
  if (--run->parts_missing > 0) return;
  const bool is_persistent = run->host.question().durability() == model::Durability::kPersistent;
  if (is_persistent) return AskLogFor(run);
  run->host.SetAnswered();
  MakeReady(run, Run::Step::kSlice);
}

// Not before the log has what the tables know, or might be about to lose.
void Shard::AskLogFor(Run* run) {
  const store::Sequence after = std::max(run->host.findings().depends_on, run->host.depends_on());
  if (after <= parts_.watermark->sequence()) return ReadAnswer(run);
  Waiter waiter;
  waiter.asking = run;
  gate_.Hold(after, hlc::HybridTime{}, std::move(waiter));
}

void Shard::ReadAnswer(Run* run) {
  ++counters_.disk_fetches;
  parts_.reader->Post([this, run] {
    const base::Status read = AskLog(run->host.question(), *parts_.log, run->host.findings());
    if (!read.ok()) run->fetch_error = ReadFailure(read);
    run->host.SetAnswered();
    parts_.executor->Post([this, run] {
      BeginTurn();
      if (run->fetch_error.has_value()) {
        FailRun(Release(run), *run->fetch_error);
      } else {
        RunSlice(run);
      }
      EndTurn();
    });
  });
}

}  // namespace palena::engine
