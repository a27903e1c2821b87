#include "limits/limit_builder.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/check.h"
#include "base/nearest_name.h"
#include "limits/limit_trial.h"
#include "limits/limits_file.h"
#include "model/request.h"

namespace palena::limits {
namespace {

constexpr const char* kLimiterKey = "limiter";
constexpr const char* kKeyKey = "key";
constexpr const char* kDurabilityKey = "durability";
constexpr const char* kShadowKey = "shadow";
constexpr const char* kOnErrorKey = "on_error";
constexpr LimitKey kLimitKeys[] = {
    {kLimiterKey, "text", ""},
    {kKeyKey, "text", ""},
    {kDurabilityKey, "text", "\"ephemeral\""},
    {kShadowKey, "boolean", "false"},
    {kOnErrorKey, "text", "\"deny\""},
};

constexpr std::string_view kResetEphemeral = "edelete @key";
constexpr std::string_view kResetPersistent = "delete @key";

bool IsLimitName(std::string_view name) {
  const auto is_name_character = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-' || c == '.';
  };
  return !name.empty() && name.size() <= kLimitNameBytesMax &&
         std::all_of(name.begin(), name.end(), is_name_character);
}

bool IsKeyOfLimits(std::string_view name) {
  return std::any_of(std::begin(kLimitKeys), std::end(kLimitKeys),
                     [&](const LimitKey& key) { return key.name == name; });
}

std::vector<std::string> ParametersOf(const Limit& limit) {
  std::set<std::string> names;
  for (const BoundProgram* bound : {&limit.take, &limit.renew, &limit.release}) {
    if (bound->program() == nullptr) continue;
    for (const std::string& name : bound->program()->parameters()) {
      if (!IsSetByCall(model::WithoutAt(name))) names.emplace(model::WithoutAt(name));
    }
  }
  return {names.begin(), names.end()};
}

class Builder {
 public:
  Builder(const std::string& file, const LimitDefinition& definition, const LimiterLibrary& library)
      : file_(file), definition_(definition), library_(library) {}

  base::StatusOr<Limit> Build(ScratchNode& node) {
    limit_.name = definition_.name;
    limit_.line = definition_.line;
    if (!IsLimitName(limit_.name)) {
      return Wrong(definition_.line, absl::StrCat("a name is of at most ", kLimitNameBytesMax,
                                                  " letters, digits, _, - and ."));
    }
    PALENA_RETURN_IF_ERROR(ReadKeys());
    PALENA_RETURN_IF_ERROR(BindScripts());
    PALENA_RETURN_IF_ERROR(CheckParameters());
    const base::StatusOr<TrialOutcome> tried = TryLimit(limit_, node);
    if (!tried.ok()) return WrongParameter(std::string(tried.status().message()));
    limit_.quota = tried->quota;
    limit_.window_ms = tried->window_ms;
    return std::move(limit_);
  }

 private:
  base::Status Wrong(int line, const std::string& why) const {
    return WrongAt(file_, line, absl::StrCat("[limits.", definition_.name, "] ", why));
  }

  base::Status ReadKeys() {
    const Setting* text = nullptr;
    PALENA_ASSIGN_OR_RETURN(text, Required(kLimiterKey));
    limit_.limiter = text->text;
    PALENA_ASSIGN_OR_RETURN(text, Required(kKeyKey));
    base::StatusOr<KeyTemplate> key = KeyTemplate::Parse(text->text);
    if (!key.ok()) return Wrong(text->line, std::string(key.status().message()));
    limit_.key = *std::move(key);
    PALENA_ASSIGN_OR_RETURN(const bool is_persistent,
                            Choice(kDurabilityKey, "ephemeral", "persistent"));
    limit_.durability =
        is_persistent ? model::Durability::kPersistent : model::Durability::kEphemeral;
    PALENA_ASSIGN_OR_RETURN(const bool allows, Choice(kOnErrorKey, "deny", "allow"));
    limit_.on_error = allows ? OnError::kAllow : OnError::kDeny;
    PALENA_ASSIGN_OR_RETURN(limit_.is_shadow, Flag(kShadowKey));
    for (const Setting& setting : definition_.settings) {
      if (!IsKeyOfLimits(setting.name)) limit_.parameters.emplace_back(setting.name, setting.text);
    }
    return base::Ok();
  }

  base::StatusOr<const Setting*> Required(const char* name) const {
    const Setting* const setting = definition_.Find(name);
    if (setting == nullptr) {
      return Wrong(definition_.line, absl::StrCat("has no ", name, "; write ", name, " = \"…\""));
    }
    if (setting->kind == Setting::Kind::kText) return setting;
    return Wrong(setting->line, absl::StrCat(name, " is ", setting->text, ", not a \"text\""));
  }

  // One of two words, the first by default; whether it is the second.
  base::StatusOr<bool> Choice(const char* name, const char* first, const char* second) const {
    const Setting* const setting = definition_.Find(name);
    if (setting == nullptr) return false;
    const bool is_text = setting->kind == Setting::Kind::kText;
    if (is_text && setting->text == first) return false;
    if (is_text && setting->text == second) return true;
    return Wrong(setting->line, absl::StrCat(name, " is \"", setting->text, "\"; it is \"", first,
                                             "\" or \"", second, "\""));
  }

  base::StatusOr<bool> Flag(const char* name) const {
    const Setting* const setting = definition_.Find(name);
    if (setting == nullptr) return false;
    if (setting->kind == Setting::Kind::kBoolean) return setting->text == "true";
    return Wrong(setting->line, absl::StrCat(name, " is ", setting->text,
                                             "; it is true or false, without quotes"));
  }

  base::Status BindScripts() {
    const base::StatusOr<Limiter> limiter = library_.Find(limit_.limiter);
    if (!limiter.ok()) return WrongLimiter(limiter.status());
    PALENA_ASSIGN_OR_RETURN(limit_.take, Bind(limiter->take));
    if (limiter->has_leases != limit_.take.has_owner() ||
        limit_.take.has_cost() == limit_.take.has_owner()) {
      return WrongLimiter(absl::InvalidArgumentError(
          absl::StrCat(limiter->take.place,
                       ": a limiter has a parameter @cost; one with leases has @owner instead, and "
                       "is named NAME_acquire, with NAME_renew and NAME_release beside it")));
    }
    if (limiter->has_leases) {
      PALENA_ASSIGN_OR_RETURN(limit_.renew, Bind(limiter->renew));
      PALENA_ASSIGN_OR_RETURN(limit_.release, Bind(limiter->release));
    }
    const bool is_persistent = limit_.durability == model::Durability::kPersistent;
    auto reset = script::Compile(is_persistent ? kResetPersistent : kResetEphemeral);
    PALENA_CHECK(reset.ok());
    limit_.reset = *std::move(reset);
    return base::Ok();
  }

  base::StatusOr<BoundProgram> Bind(const LimiterScript& script) const {
    base::StatusOr<BoundProgram> bound =
        BoundProgram::Bind(script, limit_.durability, limit_.parameters);
    if (!bound.ok()) return WrongLimiter(bound.status());
    return bound;
  }

  base::Status WrongLimiter(const base::Status& why) const {
    return Wrong(definition_.Find(kLimiterKey)->line, std::string(why.message()));
  }

  // A name that no script of the limiter knows would be a rule that nobody keeps.
  base::Status CheckParameters() const {
    const std::vector<std::string> known = ParametersOf(limit_);
    for (const Setting& setting : definition_.settings) {
      if (IsKeyOfLimits(setting.name)) continue;
      if (IsSetByCall(setting.name)) {
        return Wrong(setting.line,
                     absl::StrCat(setting.name, " is what each call says; leave it out"));
      }
      if (std::find(known.begin(), known.end(), setting.name) != known.end()) continue;
      return Wrong(setting.line, UnknownKey(setting.name, known));
    }
    for (const BoundProgram* bound : {&limit_.take, &limit_.renew, &limit_.release}) {
      if (bound->missing().empty()) continue;
      return Wrong(definition_.line,
                   absl::StrCat("has no ", bound->missing().front(), "; ", limit_.limiter,
                                " takes ", absl::StrJoin(known, ", ")));
    }
    return base::Ok();
  }

  std::string UnknownKey(const std::string& name, std::vector<std::string> known) const {
    const std::string parameters = absl::StrJoin(known, ", ");
    for (const LimitKey& key : kLimitKeys) known.emplace_back(key.name);
    const std::string meant = base::DidYouMean(name, known);
    return absl::StrCat(
        "unknown key \"", name, "\"",
        meant.empty() ? absl::StrCat("; the parameters of ", limit_.limiter, " are ", parameters)
                      : meant);
  }

  // The setting whose parameter the script's error names first.
  base::Status WrongParameter(const std::string& reason) const {
    const Setting* blamed = definition_.Find(kLimiterKey);
    std::size_t first = std::string::npos;
    for (const Setting& setting : definition_.settings) {
      const std::size_t place = FindWord(reason, "@" + setting.name);
      if (place >= first) continue;
      first = place;
      blamed = &setting;
    }
    return Wrong(blamed->line, reason);
  }

  static std::size_t FindWord(const std::string& text, const std::string& word) {
    std::size_t place = text.find(word);
    while (place != std::string::npos) {
      const std::size_t end = place + word.size();
      const bool goes_on =
          end < text.size() &&
          (text[end] == '_' || absl::ascii_isalnum(static_cast<unsigned char>(text[end])));
      if (!goes_on) break;
      place = text.find(word, end);
    }
    return place;
  }

  const std::string& file_;
  const LimitDefinition& definition_;
  const LimiterLibrary& library_;
  Limit limit_;
};

}  // namespace

std::span<const LimitKey> LimitKeys() {
  return kLimitKeys;
}

base::StatusOr<Limit> BuildLimit(const std::string& file, const LimitDefinition& definition,
                                 const LimiterLibrary& library, ScratchNode& node) {
  return Builder(file, definition, library).Build(node);
}

}  // namespace palena::limits
