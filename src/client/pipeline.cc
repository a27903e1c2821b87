#include "client/pipeline.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/limits.h"
#include "model/request.h"
#include "wire/frame.h"

namespace palena::client {
namespace {

constexpr std::size_t kCallsWaitingMax = 1'000'000;
constexpr std::int64_t kNsPerMs = 1'000'000;

std::vector<model::ParameterView> ByName(const Parameters& parameters) {
  std::vector<model::ParameterView> views;
  views.reserve(parameters.size());
  for (const auto& [name, value] : parameters) views.push_back({name, -1, value});
  return views;
}

// Of parameters given twice the first counts, and those that the program does not know are left
// out, as the server would.
std::vector<model::ParameterView> BySlot(const Parameters& parameters,
                                         const std::vector<std::string>& slots) {
  std::vector<model::ParameterView> views;
  views.reserve(slots.size());
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    const auto given = std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) {
      return model::WithoutAt(p.first) == model::WithoutAt(slots[slot]);
    });
    if (given != parameters.end()) views.push_back({{}, static_cast<int>(slot), given->second});
  }
  return views;
}

// By its id, when the server has the program, and by its text otherwise. Refers to `parameters`,
// which are filled in, and to the rest.
model::RequestView RequestOf(const std::string& script, const Parameters& given,
                             const KnownPrograms::Program* program,
                             std::vector<model::ParameterView>& parameters) {
  model::RequestView request;
  if (program != nullptr) {
    request.program_id = program->id;
    parameters = BySlot(given, program->parameters);
  } else {
    request.script = script;
    parameters = ByName(given);
  }
  request.parameters = parameters;
  return request;
}

wire::ServerMessage TooLarge(std::size_t frame_bytes) {
  return {0, model::Result::Failure(
                 {model::Code::kTooLarge,
                  absl::StrCat("Request of ", frame_bytes, " bytes is too large; at most ",
                               base::kRequestFrameBytesMax, " are allowed"),
                  0,
                  {}})};
}

}  // namespace

Pipeline::Pipeline(Connection& connection, base::Executor& loop, const base::Clock& clock,
                   std::int64_t call_timeout_ms, const base::Capacities& capacities)
    : connection_(connection),
      loop_(loop),
      clock_(clock),
      call_timeout_ms_(call_timeout_ms),
      in_flight_max_(capacities.requests_in_flight_max),
      programs_(capacities.programs_max, base::kCachedProgramBytesMax) {}

void Pipeline::Add(std::unique_ptr<Call> call) {
  if (is_closed_) return;  // the call's end says so
  if (calls_.size() - in_flight_.size() >= kCallsWaitingMax) {
    return call->Finish(absl::UnavailableError(
        absl::StrCat("more than ", kCallsWaitingMax, " calls are waiting for the server")));
  }
  call->deadline_ns = clock_.SteadyNs() + call_timeout_ms_ * kNsPerMs;
  const auto position = calls_.insert(calls_.end(), std::move(call));
  if (next_unsent_ == calls_.end()) next_unsent_ = position;
  SendWaiting();
  ArmTimer();
}

void Pipeline::Close() {
  is_closed_ = true;
  in_flight_.clear();
  Calls ended = std::exchange(calls_, {});
  next_unsent_ = calls_.end();
}

void Pipeline::OnReady() {
  SendWaiting();
}

void Pipeline::OnMessage(wire::ServerMessage message) {
  if (const auto prepared = preparing_.extract(message.id)) {
    OnPrepareReply(prepared.mapped(), message);
  } else if (const auto found = in_flight_.find(message.id); found != in_flight_.end()) {
    const auto position = found->second;
    if (SendAgainIfUnknown(position, message)) return;
    Take(position)->Finish(std::move(message));
  }  // else: the call gave up before
  SendWaiting();
}

void Pipeline::OnBroken(const base::Status& why) {
  why_broken_ = std::string(why.message());
  programs_.Clear();
  preparing_.clear();
  in_flight_.clear();
  Calls lost;
  lost.splice(lost.begin(), calls_, calls_.begin(), next_unsent_);
  for (const std::unique_ptr<Call>& call : lost) call->Finish(why);
}

void Pipeline::SendWaiting() {
  if (!connection_.is_ready()) return;
  bool has_sent = false;
  while (next_unsent_ != calls_.end() && HasRoom()) {
    has_sent |= Send(next_unsent_++, /*by_text=*/false);
  }
  if (has_sent) connection_.Flush();
}

// Beyond the server's window it would stop reading; what waits here can still be ended alone. A
// call may bring a Prepare along.
bool Pipeline::HasRoom() const {
  return in_flight_.size() + preparing_.size() + 2 <= in_flight_max_;
}

bool Pipeline::Send(Calls::iterator position, bool by_text) {
  Call& call = **position;
  std::string& out = connection_.output();
  const std::size_t start = out.size();
  call.id = next_id_++;
  AppendRequest(call, by_text);
  const std::size_t frame_bytes = out.size() - start - wire::kFrameHeaderBytes;
  if (frame_bytes > base::kRequestFrameBytesMax) {
    // The server would have to close the connection, on everybody's calls.
    out.resize(start);
    Take(position)->Finish(TooLarge(frame_bytes));
    return false;
  }
  in_flight_[call.id] = position;
  PrepareAll(call);
  return true;
}

void Pipeline::AppendRequest(Call& call, bool by_text) {
  switch (call.kind) {
    case Call::Kind::kExecute:
      return AppendExecute(call, by_text);
    case Call::Kind::kExecuteMany:
      return AppendExecuteMany(call, by_text);
    case Call::Kind::kPing:
      return wire::AppendPing(connection_.output(), call.id);
    case Call::Kind::kInfo:
      return wire::AppendInfo(connection_.output(), call.id);
    case Call::Kind::kListLimits:
      return wire::AppendListLimits(connection_.output(), call.id);
    case Call::Kind::kTake:
    case Call::Kind::kResetLimit:
      return AppendLimits(call);
  }
}

void Pipeline::AppendLimits(const Call& call) {
  std::vector<std::vector<model::TakePart>> parts(call.limits.size());
  std::vector<model::TakeWish> wishes;
  for (std::size_t i = 0; i < call.limits.size(); ++i) {
    const LimitRequest& asked = call.limits[i];
    for (const auto& [name, value] : asked.parts) parts[i].push_back({name, value});
    wishes.push_back({asked.limit, parts[i], asked.cost, asked.owner});
  }
  if (call.kind == Call::Kind::kResetLimit) {
    return wire::AppendResetLimit(connection_.output(), call.id, wishes.front());
  }
  wire::AppendTake(connection_.output(), call.id, {call.mode, wishes, call.timeout_ms});
}

void Pipeline::AppendExecute(Call& call, bool by_text) {
  const KnownPrograms::Program* program = by_text ? nullptr : ReadyProgram(call.script);
  call.sent_by_program_id = program != nullptr;
  std::vector<model::ParameterView> parameters;
  model::RequestView request = RequestOf(call.script, call.parameters, program, parameters);
  request.timeout_ms = call.timeout_ms;
  wire::AppendExecute(connection_.output(), call.id, request);
}

void Pipeline::AppendExecuteMany(Call& call, bool by_text) {
  const std::size_t count = call.many.calls.size() + call.many.otherwise.size();
  std::vector<std::vector<model::ParameterView>> parameters(count);
  std::vector<model::CallView> views;
  call.sent_by_program_id = false;
  for (const auto* list : {&call.many.calls, &call.many.otherwise}) {
    for (const ManyCall& one : *list) {
      const KnownPrograms::Program* program = by_text ? nullptr : ReadyProgram(one.script);
      call.sent_by_program_id |= program != nullptr;
      views.push_back({RequestOf(one.script, one.parameters, program, parameters[views.size()]),
                       one.is_required});
    }
  }
  const std::span<const model::CallView> all = views;
  const std::size_t calls = call.many.calls.size();
  wire::AppendExecuteMany(connection_.output(), call.id,
                          {all.first(calls), all.subspan(calls), call.many.timeout_ms});
}

// Null unless the server is known to have it.
const KnownPrograms::Program* Pipeline::ReadyProgram(std::string_view script) {
  const KnownPrograms::Program* program = programs_.Find(script);
  const bool is_ready = program != nullptr && program->state == KnownPrograms::State::kReady;
  return is_ready ? program : nullptr;
}

void Pipeline::PrepareAll(const Call& call) {
  const bool is_known = call.sent_by_program_id;
  if (call.kind == Call::Kind::kExecute && !is_known) PrepareOnce(call.script);
  for (const auto* list : {&call.many.calls, &call.many.otherwise}) {
    for (const ManyCall& one : *list) PrepareOnce(one.script);
  }
}

// The first call of a text does not wait for the preparation: it takes the text along, and the
// Prepare follows it.
void Pipeline::PrepareOnce(const std::string& script) {
  if (script.size() > base::kScriptBytesMax || programs_.Find(script) != nullptr) return;
  programs_.Add(script);
  const std::uint64_t id = next_id_++;
  wire::AppendPrepare(connection_.output(), id, script);
  preparing_[id] = script;
}

void Pipeline::OnPrepareReply(const std::string& script, const wire::ServerMessage& message) {
  KnownPrograms::Program* program = programs_.Find(script);
  if (program == nullptr) return;  // pushed out by newer texts
  if (const auto* reply = std::get_if<wire::PrepareReply>(&message.reply)) {
    *program = {KnownPrograms::State::kReady, reply->program_id, reply->parameters};
  } else {
    program->state = KnownPrograms::State::kRefused;
  }
}

// The server forgot a program (its cache is bounded). Nothing ran, so the call is repeated with its
// text; by text, so that a server that forgets quickly cannot send it in circles.
bool Pipeline::SendAgainIfUnknown(Calls::iterator position, const wire::ServerMessage& message) {
  const auto* result = std::get_if<model::Result>(&message.reply);
  Call& call = **position;
  if (result == nullptr || result->code != model::Code::kUnknownProgram) return false;
  if (!call.sent_by_program_id) return false;
  ForgetPrograms(call, *result);
  in_flight_.erase(call.id);
  if (Send(position, /*by_text=*/true)) connection_.Flush();
  return true;
}

void Pipeline::ForgetPrograms(const Call& call, const model::Result& refusal) {
  if (call.kind == Call::Kind::kExecute) return programs_.Forget(call.script);
  auto place = static_cast<std::size_t>(refusal.many.has_value() ? refusal.many->failed : 0);
  for (const auto* list : {&call.many.calls, &call.many.otherwise}) {
    if (place < list->size()) return programs_.Forget((*list)[place].script);
    place -= list->size();
  }
}

std::unique_ptr<Call> Pipeline::Take(Calls::iterator position) {
  std::unique_ptr<Call> call = std::move(*position);
  in_flight_.erase(call->id);
  if (position == next_unsent_) ++next_unsent_;
  calls_.erase(position);
  return call;
}

// One timer for all calls, set for the oldest. Most calls are long answered when it fires; it is
// then set for what is the oldest by that time.
void Pipeline::ArmTimer() {
  if (is_timer_armed_ || call_timeout_ms_ == 0 || calls_.empty()) return;
  is_timer_armed_ = true;
  const std::int64_t delay_ns = calls_.front()->deadline_ns - clock_.SteadyNs();
  loop_.PostAfter(std::max<std::int64_t>(delay_ns, 0), [this] {
    is_timer_armed_ = false;
    EndOverdue();
    ArmTimer();
  });
}

void Pipeline::EndOverdue() {
  const std::int64_t now_ns = clock_.SteadyNs();
  while (!calls_.empty() && calls_.front()->deadline_ns <= now_ns) {
    const bool was_sent = calls_.front()->id != 0;
    Take(calls_.begin())
        ->Finish(absl::DeadlineExceededError(
            was_sent
                ? absl::StrCat("no answer within ", call_timeout_ms_, " ms")
                : absl::StrCat("no connection within ", call_timeout_ms_, " ms: ", why_broken_)));
  }
  SendWaiting();
}

}  // namespace palena::client
