#include <cstddef>
#include <new>

#include "script/conversions.h"
#include "script/operators.h"
#include "script/statement_parts.h"

namespace palena::script {
namespace {

// The time of `as of`, in epoch ms. 0 is what an unset variable of the caller's would send; a null
// counts as none, not as 0 (language.md 7.6).
bool SnapshotTime(Evaluation& e, const Value& value, std::int64_t& out) {
  if (!NotNegative(e, "AS OF", value, out)) return false;
  return out != 0 || e.Fail("AS OF 0 is not a valid snapshot timestamp", &value);
}

// Binds and answers for a read that found `version`.
bool Found(RunState& run, const Instruction& i, bool is_get, const model::VersionView& version) {
  Value value = Value::Bool(true);
  const bool is_wanted = (i.flags & kKeyFlags) != 0;
  if (is_get && is_wanted && !KeepValue(run.evaluation, version.value, value)) return false;
  value.revision = version.revision;
  value.expires_ms = version.expires_ms;
  if ((i.flags & kBinds) != 0) run.registers[i.a] = value;
  if (is_get) {
    AnswerWith(run, i, model::ResultType::kGet, value, version.stamp.ms());
    return true;
  }
  Value shown;  // `exists` answers no value
  shown.revision = version.revision;
  shown.expires_ms = version.expires_ms;
  AnswerWith(run, i, model::ResultType::kExists, shown, version.stamp.ms());
  return true;
}

void Missing(RunState& run, const Instruction& i, bool is_get) {
  if ((i.flags & kBinds) != 0) run.registers[i.a] = is_get ? Value::Null() : Value::Bool(false);
  AnswerWith(run, i, model::ResultType::kDoesNotExist, Value::Null(), 0);
}

void Remember(RunState& run, bool is_found) {
  run.last_of(Guard::kNotFound) = is_found ? Last::kWithEffect : Last::kWithoutEffect;
}

bool IsGet(Opcode op) {
  return op == Opcode::kGet || op == Opcode::kGetAt || op == Opcode::kGetAsOf;
}

// Of a read `at` or `as of`. False, with the failure, when the operand is none.
bool AskForOldVersion(RunState& run, const Instruction& i, HostStatus& status,
                      model::VersionView& out) {
  std::int64_t number = 0;
  if (i.op == Opcode::kGetAt || i.op == Opcode::kExistsAt) {
    if (!NotNegative(run.evaluation, "AT", run.c(i), number)) return false;
    status = run.host->GetAt(i.b, number, out);
    return true;
  }
  if (!SnapshotTime(run.evaluation, run.c(i), number)) return false;
  status = run.host->GetAsOf(i.b, number, out);
  return true;
}

bool AskForListing(RunState& run, const Instruction& i, HostStatus& status, Listing& out) {
  std::int64_t time_ms = 0;
  if (i.op == Opcode::kList) {
    status = run.host->List(i.b, out);
    return true;
  }
  if (!SnapshotTime(run.evaluation, run.c(i), time_ms)) return false;
  status = run.host->ListAsOf(i.b, time_ms, out);
  return true;
}

bool KeepElements(Evaluation& e, const Listing& listing, Array& out) {
  Value* const elements = AllocateElements(e, listing.entries.size());
  if (elements == nullptr) return false;
  for (std::size_t i = 0; i < listing.entries.size(); ++i) {
    const model::VersionView& version = listing.entries[i].version;
    if (!KeepValue(e, version.value, elements[i])) return false;
    elements[i].revision = version.revision;
    elements[i].expires_ms = version.expires_ms;
  }
  out.elements = elements;
  out.count = listing.entries.size();
  out.truncated = listing.truncated;
  return true;
}

// Keys and times of change take as much memory as small values do: only for an answer.
bool KeepSources(Evaluation& e, const Listing& listing, Array& out) {
  char* const memory = e.Allocate(listing.entries.size() * sizeof(ElementSource));
  if (memory == nullptr) return false;
  auto* const sources = reinterpret_cast<ElementSource*>(memory);
  for (std::size_t i = 0; i < listing.entries.size(); ++i) {
    const ListedKey& entry = listing.entries[i];
    ElementSource* const source =
        new (memory + i * sizeof(ElementSource)) ElementSource{{}, entry.version.stamp.ms()};
    if (!KeepText(e, entry.key, source->key)) return false;
  }
  out.sources = sources;
  return true;
}

// Binds and answers what a bucket or scan read found, if anybody wants it.
bool Listed(RunState& run, const Instruction& i, const Listing& listing) {
  if ((i.flags & kKeyFlags) == 0) return true;
  const bool answers = (i.flags & kAnswers) != 0;
  Array array;
  if (!KeepElements(run.evaluation, listing, array)) return false;
  if (answers && !KeepSources(run.evaluation, listing, array)) return false;
  Value value;
  if (!PlaceArray(run.evaluation, array, value)) return false;
  if ((i.flags & kBinds) != 0) run.registers[i.a] = value;
  if (answers) run.answer = Answer::Listing(value, run.place());
  return true;
}

}  // namespace

Step ExecuteRead(RunState& run, const Instruction& i) {
  HostStatus status = HostStatus::kDone;
  model::VersionView version;
  if (i.op == Opcode::kGet || i.op == Opcode::kExists) {
    status = run.host->Get(i.b, version);
  } else if (!AskForOldVersion(run, i, status, version)) {
    return Step::kFailed;
  }
  if (status != HostStatus::kDone) return Refused(run, status);
  const bool is_get = IsGet(i.op);
  const bool is_found = version.kind == model::VersionKind::kValue;
  Remember(run, is_found);
  if (is_found) return StepOf(Found(run, i, is_get, version));
  Missing(run, i, is_get);
  return Step::kNext;
}

Step ExecuteList(RunState& run, const Instruction& i) {
  HostStatus status = HostStatus::kDone;
  Listing listing;
  if (!AskForListing(run, i, status, listing)) return Step::kFailed;
  if (status != HostStatus::kDone) return Refused(run, status);
  Remember(run, !listing.entries.empty());
  // The host went through them, whether anybody looks at them or not.
  run.evaluation.Charge(listing.entries.size());
  return StepOf(Listed(run, i, listing));
}

}  // namespace palena::script
