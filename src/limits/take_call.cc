#include "limits/take_call.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "base/check.h"

namespace palena::limits {
namespace {

using model::TakeAnswer;
using model::TakeFault;
using model::TakeMode;
using model::TakeRecord;

constexpr const char* kSubject = "subject";
constexpr std::size_t kShownBytesMax = 64;  // of what a caller wrote, in an error

TakeAnswer Fault(TakeFault fault, model::Code code, std::string reason) {
  TakeAnswer answer;
  answer.fault = fault;
  answer.code = code;
  answer.reason = std::move(reason);
  return answer;
}

TakeAnswer BadRequest(std::string reason) {
  return Fault(TakeFault::kBadRequest, model::Code::kMalformed, std::move(reason));
}

TakeAnswer BadWish(const Limit& limit, std::string_view why) {
  return BadRequest(absl::StrCat("Limit ", limit.name, ": ", std::string(why)));
}

std::string Shown(std::string_view text) {
  if (text.size() <= kShownBytesMax) return std::string(text);
  return absl::StrCat(std::string(text.substr(0, kShownBytesMax)), "…");
}

// Whether a script's error is about what the caller of this one call said. Limiters name the
// parameter first; where a value came straight from one, the engine names it last.
bool BlamesCaller(std::string_view reason) {
  for (const char* const parameter : {"@cost", "@owner"}) {
    if (reason.starts_with(parameter)) return true;
    if (reason.ends_with(absl::StrCat("(", parameter, ")"))) return true;
  }
  return false;
}

bool IsCallersFault(model::Code code) {
  return code == model::Code::kMalformed || code == model::Code::kTooLarge;
}

// "calls[3]: " or "otherwise[3]: " in front of the reason of one among several.
std::string_view WithoutPlace(std::string_view reason) {
  const std::size_t end = reason.find("]: ");
  const bool has_place = reason.starts_with("calls[") || reason.starts_with("otherwise[");
  return has_place && end != std::string_view::npos ? reason.substr(end + 3) : reason;
}

}  // namespace

std::optional<TakeAnswer> TakeCall::Begin(const model::TakeRequest& request, const LimitSet& set) {
  mode_ = request.mode;
  timeout_ms_ = request.timeout_ms;
  asked_count_ = 0;
  if (request.wishes.empty()) return BadRequest("No limit is named; name at least one");
  if (request.wishes.size() > kWishesMax) {
    return BadRequest(absl::StrCat("Too many limits in one call: ", request.wishes.size(),
                                   ", at most ", kWishesMax));
  }
  if (asked_.size() < request.wishes.size()) asked_.resize(request.wishes.size());
  for (const model::TakeWish& wish : request.wishes) {
    if (auto refusal = BeginOne(wish, set)) return refusal;
  }
  return std::nullopt;
}

std::optional<TakeAnswer> TakeCall::BeginOne(const model::TakeWish& wish, const LimitSet& set) {
  const Limit* const limit = set.Find(wish.limit);
  if (limit == nullptr) {
    return Fault(TakeFault::kUnknownLimit, model::Code::kMalformed,
                 absl::StrCat("There is no limit \"", Shown(wish.limit),
                              "\"; `palena limits list` shows those that there are"));
  }
  if (auto refusal = CheckMode(wish, *limit)) return refusal;
  Asked& asked = asked_[asked_count_++];
  asked.limit = limit;
  asked.cost = wish.cost;
  asked.cost_text = model::IntegerText(wish.cost).view();
  asked.owner = wish.cost == 0 ? std::string_view() : wish.owner;
  asked.is_left_out = false;
  asked.is_refused = false;
  asked.key.clear();
  if (const base::Status made = limit->key.AppendKey(wish.parts, asked.key); !made.ok()) {
    TakeAnswer refusal = BadWish(*limit, std::string(made.message()));
    if (absl::IsOutOfRange(made)) refusal.code = model::Code::kTooLarge;
    return refusal;
  }
  asked.subject = asked.key;
  for (const model::TakePart& part : wish.parts) {
    if (part.name == kSubject) asked.subject = part.value;
  }
  if (!IsAskedBefore(asked)) return std::nullopt;
  return BadWish(*limit, "it is named twice for the same caller; add the costs up");
}

std::optional<TakeAnswer> TakeCall::CheckMode(const model::TakeWish& wish,
                                              const Limit& limit) const {
  const bool is_of_lease = mode_ == TakeMode::kRenew || mode_ == TakeMode::kRelease;
  if (wish.cost < 0) return BadWish(limit, absl::StrCat("the cost is ", wish.cost, ", below 0"));
  if (!limit.has_leases()) {
    if (is_of_lease) return BadWish(limit, "it has no leases to renew or release");
    if (!wish.owner.empty()) return BadWish(limit, "it has no leases, so leave the owner out");
    return std::nullopt;
  }
  if (wish.cost > 1) return BadWish(limit, "a lease costs 1; take one for each owner");
  const bool needs_owner = is_of_lease || (mode_ == TakeMode::kTake && wish.cost > 0);
  if (needs_owner && wish.owner.empty()) return BadWish(limit, "say whose lease: name the owner");
  return std::nullopt;
}

bool TakeCall::IsAskedBefore(const Asked& last) const {
  return std::any_of(
      asked_.begin(), asked_.begin() + static_cast<std::ptrdiff_t>(asked_count_) - 1,
      [&](const Asked& earlier) { return earlier.limit == last.limit && earlier.key == last.key; });
}

bool TakeCall::NeedsTrial() const {
  if (mode_ != TakeMode::kPeek) return false;
  return std::any_of(asked().begin(), asked().end(),
                     [](const Asked& one) { return one.cost > 1 || !one.owner.empty(); });
}

TakeCall::Role TakeCall::RoleOf() const {
  switch (mode_) {
    case TakeMode::kTake:
      return Role::kTake;
    case TakeMode::kPeek:
      return NeedsTrial() ? Role::kTake : Role::kPeek;
    case TakeMode::kRenew:
      return Role::kRenew;
    case TakeMode::kRelease:
      return Role::kRelease;
  }
  base::CheckFailed(__FILE__, __LINE__, "a known mode");
}

const BoundProgram& TakeCall::ProgramOf(const Limit& limit, Role role) {
  if (role == Role::kRenew) return limit.renew;
  return role == Role::kRelease ? limit.release : limit.take;
}

std::span<const std::string_view> TakeCall::ValuesOf(const Asked& asked, Role role) {
  const std::size_t first = values_.size();
  CallArguments arguments{asked.key, asked.cost_text, asked.owner};
  if (role == Role::kPeek) {
    arguments.cost = "0";
    arguments.owner = "";
  }
  ProgramOf(*asked.limit, role).AppendValues(arguments, values_);
  return std::span(values_).subspan(first);
}

std::size_t TakeCall::present() const {
  return static_cast<std::size_t>(std::count_if(asked().begin(), asked().end(),
                                                [](const Asked& one) { return !one.is_left_out; }));
}

void TakeCall::Start(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane,
                     const ProgramPtr& never) {
  // Views into it are handed on: it must not grow meanwhile.
  std::size_t values = 0;
  for (const Asked& one : asked()) {
    values += one.limit->take.slots() + one.limit->renew.slots() + one.limit->release.slots();
  }
  values_.clear();
  values_.reserve(2 * values);
  if (asked_count_ == 1 && !NeedsTrial()) return StartOne(shard, to, lane);
  StartMany(shard, to, lane, never);
}

void TakeCall::StartOne(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane) {
  const Asked& asked = asked_.front();
  engine::Call call;
  call.reply_to = to;
  call.lane = lane;
  call.request.timeout_ms = timeout_ms_;
  call.program = &ProgramOf(*asked.limit, RoleOf()).program();
  call.values = ValuesOf(asked, RoleOf());
  shard.ExecuteNow(call);
}

// A take charges when every limit that counts allows it, and otherwise tells of all of them as they
// are. A trial never charges.
void TakeCall::StartMany(engine::Shard& shard, const engine::ReplyTo& to, std::uint64_t lane,
                         const ProgramPtr& never) {
  calls_.clear();
  otherwise_.clear();
  const bool is_trial = NeedsTrial();
  AddCalls(RoleOf(), mode_ == TakeMode::kTake, calls_);
  if (is_trial) {
    engine::ProgramCall& refusal = calls_.emplace_back();
    refusal.program = &never;
  }
  if (is_trial || mode_ == TakeMode::kTake) AddCalls(Role::kPeek, false, otherwise_);
  engine::ManyCall call;
  call.calls = calls_;
  call.otherwise = otherwise_;
  call.timeout_ms = timeout_ms_;
  call.reply_to = to;
  call.lane = lane;
  shard.ExecuteNow(call);
}

void TakeCall::AddCalls(Role role, bool is_required, std::vector<engine::ProgramCall>& calls) {
  for (const Asked& one : asked()) {
    if (one.is_left_out) continue;
    engine::ProgramCall& call = calls.emplace_back();
    call.program = &ProgramOf(*one.limit, role).program();
    call.values = ValuesOf(one, role);
    call.is_required = is_required && !one.limit->is_shadow;
  }
}

std::optional<TakeAnswer> TakeCall::Read(model::Result& result) {
  if (result.code != model::Code::kNone && LeaveOutFailed(result)) return std::nullopt;
  TakeAnswer answer =
      result.code == model::Code::kNone ? ReadDecision(result) : ReadFailure(result);
  answer.stamp = result.stamp;
  return answer;
}

TakeCall::Asked* TakeCall::FailedOne(const model::Result& result) {
  if (asked_count_ == 1) return &asked_.front();
  if (!result.many || result.many->failed < 0) return nullptr;
  auto place = static_cast<std::size_t>(result.many->failed);
  const std::size_t calls = present() + (NeedsTrial() ? 1 : 0);
  if (place >= calls) place -= calls;
  for (std::size_t i = 0; i < asked_count_; ++i) {
    if (!asked_[i].is_left_out && place-- == 0) return &asked_[i];
  }
  return nullptr;
}

// A shadow limit must not stand in the way of the others, whatever has become of its state.
bool TakeCall::LeaveOutFailed(const model::Result& result) {
  Asked* const failed = FailedOne(result);
  if (failed == nullptr || !failed->limit->is_shadow || present() == 1) return false;
  failed->is_left_out = true;
  return true;
}

TakeAnswer TakeCall::ReadFailure(const model::Result& result) {
  const std::string_view why = WithoutPlace(result.reason);
  const Asked* const failed = FailedOne(result);
  const std::string reason =
      failed == nullptr ? std::string(why)
                        : absl::StrCat("Limit ", failed->limit->name, ": ", std::string(why));
  TakeAnswer answer;
  if (IsCallersFault(result.code) || BlamesCaller(why)) {
    answer = Fault(TakeFault::kBadRequest, result.code, reason);
  } else {
    answer = Undecided(result.code, reason);
  }
  answer.line = result.line;
  answer.applied = result.applied;
  return answer;
}

TakeAnswer TakeCall::Undecided(model::Code code, const std::string& reason) const {
  TakeAnswer answer = Fault(TakeFault::kUndecided, code, reason);
  answer.is_allowed = IsAllowedOnError();
  answer.retry_after_ms = answer.is_allowed ? 0 : kUndecidedRetryMs;
  return answer;
}

bool TakeCall::IsAllowedOnError() const {
  if (mode_ == TakeMode::kRenew || mode_ == TakeMode::kRelease) return false;
  return std::all_of(asked().begin(), asked().end(), [](const Asked& one) {
    return one.limit->is_shadow || one.limit->on_error == OnError::kAllow;
  });
}

TakeAnswer TakeCall::ReadDecision(const model::Result& result) {
  TakeAnswer answer;
  const bool is_of_lease = mode_ == TakeMode::kRenew || mode_ == TakeMode::kRelease;
  const Asked* const odd = is_of_lease ? ReadLeases(result, answer) : ReadRecords(result, answer);
  if (odd == nullptr) {
    Conclude(answer);
    return answer;
  }
  answer = Undecided(model::Code::kRuntime,
                     absl::StrCat("Limit ", odd->limit->name, ": the script ", odd->limit->limiter,
                                  " has answered something else than a limiter does"));
  answer.applied = result.applied;
  return answer;
}

// Of the call of this place among those present, on its own or one of several.
const model::Result& TakeCall::ResultOf(const model::Result& result, std::size_t place) {
  return result.many ? result.many->calls[place] : result;
}

// That of which limit is none; null when all are read.
const TakeCall::Asked* TakeCall::ReadLeases(const model::Result& result, TakeAnswer& answer) {
  for (std::size_t i = 0; i < asked_count_; ++i) {
    const std::optional<bool> held = ReadLeaseAnswer(ResultOf(result, i));
    if (!held) return &asked_[i];
    TakeRecord& record = answer.records.emplace_back();
    record.limit = asked_[i].limit->name;
    record.is_allowed = *held;
    record.quota = asked_[i].limit->quota;
    record.window_ms = asked_[i].limit->window_ms;
    asked_[i].is_refused = !*held;
  }
  return nullptr;
}

const TakeCall::Asked* TakeCall::ReadRecords(const model::Result& result, TakeAnswer& answer) {
  std::size_t place = 0;
  for (Asked& one : std::span(asked_).first(asked_count_)) {
    if (one.is_left_out) {
      answer.records.push_back(RecordWithoutState(one));
      continue;
    }
    const std::optional<LimiterAnswer> decision = ReadLimiterAnswer(ResultOf(result, place));
    if (!decision) return &one;
    std::optional<LimiterAnswer> state = decision;
    if (result.many && !result.many->otherwise.empty()) {
      state = ReadLimiterAnswer(result.many->otherwise[place]);
    }
    if (!state) return &one;
    answer.records.push_back(RecordOf(one, *decision, *state));
    ++place;
  }
  return nullptr;
}

TakeRecord TakeCall::RecordWithoutState(const Asked& asked) {
  TakeRecord record;
  record.limit = asked.limit->name;
  record.is_allowed = true;
  record.quota = asked.limit->quota;
  record.window_ms = asked.limit->window_ms;
  return record;
}

TakeRecord TakeCall::RecordOf(Asked& asked, const LimiterAnswer& decision,
                              const LimiterAnswer& state) {
  asked.is_refused = !decision.is_allowed;
  TakeRecord record = RecordWithoutState(asked);
  record.quota = state.limit;
  record.remaining = state.remaining;
  record.reset_at_ms = state.reset_at_ms;
  record.is_shadow_refused = asked.is_refused && asked.limit->is_shadow;
  record.is_allowed = !asked.is_refused || asked.limit->is_shadow;
  record.retry_after_ms = record.is_allowed ? 0 : decision.retry_after_ms;
  return record;
}

void TakeCall::Conclude(TakeAnswer& answer) const {
  answer.is_allowed = true;
  bool was_charged = false;
  for (std::size_t i = 0; i < asked_count_; ++i) {
    const TakeRecord& record = answer.records[i];
    answer.is_allowed &= record.is_allowed;
    was_charged |= !asked_[i].is_refused && !asked_[i].is_left_out;
    const bool never = record.retry_after_ms == model::kNeverFits;
    if (answer.retry_after_ms == model::kNeverFits || never) {
      answer.retry_after_ms = model::kNeverFits;
    } else {
      answer.retry_after_ms = std::max(answer.retry_after_ms, record.retry_after_ms);
    }
  }
  const bool can_charge =
      mode_ != TakeMode::kPeek && (mode_ != TakeMode::kTake || answer.is_allowed);
  answer.applied = can_charge && was_charged ? model::Applied::kYes : model::Applied::kNo;
}

}  // namespace palena::limits
