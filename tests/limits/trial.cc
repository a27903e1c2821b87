#include "limits/trial.h"

#include <filesystem>
#include <sstream>
#include <utility>

#include "base/check.h"
#include "limits/calls.h"
#include "node/inline_node.h"

namespace palena::limits {

namespace {

std::string Shown(const Call& call) {
  std::string text = call.script;
  for (const auto& [name, value] : call.parameters) text += " " + name + "='" + value + "'";
  return text;
}

std::string Shown(const std::vector<Int>& values) {
  std::ostringstream text;
  for (const Int& value : values) text << value << ' ';
  return text.str();
}

std::string Shown(const Value& key) {
  return "'" + key.value.value_or("(none)") + "' revision " + std::to_string(key.revision) +
         " expires " + std::to_string(key.expires_ms);
}

bool NamesOneOf(const std::string& reason, const std::set<std::string>& names) {
  for (const std::string& name : names) {
    if (reason.find("@" + name) != std::string::npos) return true;
  }
  return false;
}

std::vector<Int> Numbers(const Result& result) {
  std::vector<Int> numbers;
  for (const Value& value : result.values) numbers.emplace_back(value.value.value_or("0"));
  return numbers;
}

}  // namespace

Sources LimiterSources() {
  Sources sources;
  const std::string folder = std::string(PALENA_SOURCE_DIR) + "/scripts/limits";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = file.path().stem().string();
    sources[name] = LimiterSource(name);
  }
  return sources;
}

Trial::Trial(const std::string& limiter, Sources sources, Keys keys)
    : sources_(std::move(sources)),
      keys_(keys),
      read_(ScriptFor("eget @key", keys)),
      model_(MakeModel(limiter)) {
  NodeOptions options;
  options.threading = Threading::kInline;
  auto impl = node::InlineNode::Open(options, clock_, {});
  PALENA_CHECK(impl.ok());
  node_ = std::make_unique<Node>(*std::move(impl));
  for (const auto& [name, source] : sources_) scripts_[name] = ScriptFor(source, keys);
}

Value Trial::Read() {
  const Result result = node_->Execute(read_, {{"key", "k"}});
  PALENA_CHECK(result.ok());
  return result.values.at(0);
}

std::int64_t Trial::ExpiresIn() {
  const Value key = Read();
  return key.expires_ms == 0 ? 0 : key.expires_ms - static_cast<std::int64_t>(Now());
}

std::optional<std::string> Trial::Differs(const Call& call) {
  const Value before = Read();
  const Result result = node_->Execute(scripts_.at(call.script), call.parameters);
  const Value after = Read();
  const Expected expected = model_->Answer(call, Now());
  auto difference = AnswerDiffers(result, expected);
  if (!difference) difference = KeyDiffers(before, after);
  if (!difference) return std::nullopt;
  return Shown(call) + " at " + Now().str() + ", key before " + Shown(before) + ", after " +
         Shown(after) + ": " + *difference;
}

std::optional<std::string> Trial::AnswerDiffers(const Result& result, const Expected& expected) {
  answer_.clear();
  if (!expected.at_fault.empty()) {
    const std::string wanted = "errored, naming @" + *expected.at_fault.begin() + " expected, ";
    if (result.type != ResultType::kErrored) return wanted + "not " + Shown(Numbers(result));
    if (!NamesOneOf(result.reason, expected.at_fault)) return wanted + "not " + result.reason;
    return std::nullopt;
  }
  if (!result.ok()) return Shown(expected.values) + "expected, not " + result.reason;
  answer_ = Numbers(result);
  if (answer_ == expected.values) return std::nullopt;
  return Shown(expected.values) + "expected, not " + Shown(answer_);
}

std::optional<std::string> Trial::KeyDiffers(const Value& before, const Value& after) {
  const std::optional<Int> expiry = model_->Expiry(Now());
  if (expiry.has_value() != after.value.has_value()) {
    return expiry ? "the key is gone too early" : "the key is still there";
  }
  if (expiry && *expiry != after.expires_ms) return "it expires at " + expiry->str();
  const bool is_same = before.value == after.value && before.revision == after.revision &&
                       before.expires_ms == after.expires_ms;
  // What takes something writes; whether a call does, its answer tells.
  const bool is_allowed = !answer_.empty() && answer_.front() == 1;
  if (!is_allowed && !is_same) return "something was written";
  return std::nullopt;
}

namespace {

class StoryTeller {
 public:
  StoryTeller(const Story& story, const Sources& sources)
      : story_(story),
        trial_(story.limiter, sources, story.keys),
        calls_(story.limiter, story.seed) {}

  Told Tell() {
    while (told_.calls < story_.calls && !told_.difference) {
      trial_.Wait(calls_.NextPause(trial_.ExpiresIn()));
      const Call call = calls_.Next();
      if (Make(call) && story_.seed % 2 == 0) WaitOut(call);
    }
    if (told_.difference) {
      told_.difference = "seed " + std::to_string(story_.seed) + ", call " +
                         std::to_string(told_.calls) + ": " + *told_.difference;
    }
    return told_;
  }

 private:
  // True when it was refused.
  bool Make(const Call& call) {
    ++told_.calls;
    told_.difference = trial_.Differs(call);
    const std::vector<Int>& answer = trial_.answer();
    const bool is_denied = !answer.empty() && answer[0] == 0;
    (answer.empty() ? told_.errors : is_denied ? told_.denied : told_.allowed) += 1;
    return is_denied && answer.size() > 1;
  }

  void WaitOut(const Call& call) {
    const Int wait = trial_.answer()[3];
    if (told_.difference || wait < 1 || wait > 300'000'000) return;
    trial_.Wait(static_cast<std::int64_t>(wait) - 1);
    if (!Make(call) && !told_.difference) told_.difference = "passes a millisecond too early";
    trial_.Wait(1);
    if (!told_.difference && Make(call)) told_.difference = "does not pass when it should";
    ++told_.waited;
  }

  const Story story_;
  Trial trial_;
  CallMaker calls_;
  Told told_;
};

}  // namespace

Told Tell(const Story& story, const Sources& sources) {
  return StoryTeller(story, sources).Tell();
}

}  // namespace palena::limits
