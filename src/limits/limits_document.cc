#include "limits/limits_document.h"

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/nearest_name.h"

namespace palena::limits {
namespace {

constexpr const char* kLimits = "limits";
constexpr const char* kLimiters = "limiters";

int LineOf(const toml::source_region& source) {
  return static_cast<int>(source.begin.line);
}

std::string KindName(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table:
      return "a table";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::floating_point:
      return "a number with a fraction";
    default:
      return "a date or time";
  }
}

// Reads one document; errors name its file.
class DocumentReader {
 public:
  explicit DocumentReader(const std::string& file) { document_.file = file; }

  base::StatusOr<LimitsDocument> Read(const toml::table& root) {
    for (const auto& [key, node] : root) {
      if (key == kLimits) {
        PALENA_RETURN_IF_ERROR(ReadLimits(key, node));
      } else if (key == kLimiters) {
        PALENA_ASSIGN_OR_RETURN(document_.limiters, ReadSetting("", key, node));
      } else {
        return Unknown(key);
      }
    }
    // The library keeps tables by name.
    std::sort(document_.limits.begin(), document_.limits.end(),
              [](const auto& a, const auto& b) { return a.line < b.line; });
    return std::move(document_);
  }

 private:
  base::Status Wrong(const toml::source_region& source, const std::string& why) const {
    return WrongAt(document_.file, LineOf(source), why);
  }

  base::Status Unknown(const toml::key& key) const {
    const std::string name(key.str());
    return Wrong(key.source(),
                 absl::StrCat("unknown key \"", name, "\"; beside tables [limits.NAME] there is ",
                              kLimiters, base::DidYouMean(name, {kLimits, kLimiters})));
  }

  base::Status ReadLimits(const toml::key& key, const toml::node& node) {
    const toml::table* const limits = node.as_table();
    if (limits == nullptr) {
      return Wrong(key.source(), "limits is no table; write [limits.NAME] above each limit");
    }
    for (const auto& [name, limit] : *limits) {
      if (!limit.is_table()) {
        return Wrong(name.source(), absl::StrCat("limits.", std::string(name.str()),
                                                 " is no table; write [limits.NAME] above each"));
      }
      PALENA_RETURN_IF_ERROR(ReadLimit(name, *limit.as_table()));
    }
    return base::Ok();
  }

  base::Status ReadLimit(const toml::key& name, const toml::table& table) {
    LimitDefinition limit;
    limit.name = name.str();
    limit.line = LineOf(name.source());
    for (const auto& [key, node] : table) {
      PALENA_ASSIGN_OR_RETURN(Setting setting,
                              ReadSetting(absl::StrCat("[limits.", limit.name, "] "), key, node));
      limit.settings.push_back(std::move(setting));
    }
    std::sort(limit.settings.begin(), limit.settings.end(),
              [](const Setting& a, const Setting& b) { return a.line < b.line; });
    document_.limits.push_back(std::move(limit));
    return base::Ok();
  }

  base::StatusOr<Setting> ReadSetting(const std::string& where, const toml::key& key,
                                      const toml::node& node) const {
    Setting setting;
    setting.name = key.str();
    setting.line = LineOf(key.source());
    if (const auto* const text = node.as_string()) {
      setting.text = text->get();
    } else if (const auto* const integer = node.as_integer()) {
      setting.kind = Setting::Kind::kInteger;
      setting.text = std::to_string(integer->get());
    } else if (const auto* const boolean = node.as_boolean()) {
      setting.kind = Setting::Kind::kBoolean;
      setting.text = boolean->get() ? "true" : "false";
    } else {
      return Wrong(key.source(), absl::StrCat(where, setting.name, " is ", KindName(node),
                                              "; write a whole number, a \"text\", true or false"));
    }
    return setting;
  }

  LimitsDocument document_;
};

}  // namespace

const Setting* LimitDefinition::Find(std::string_view setting) const {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const Setting& one) { return one.name == setting; });
  return found == settings.end() ? nullptr : &*found;
}

base::Status WrongAt(const std::string& file, int line, const std::string& why) {
  return absl::InvalidArgumentError(absl::StrCat(file, ":", line, ": ", why));
}

base::StatusOr<LimitsDocument> ParseLimitsDocument(std::string_view text, const std::string& file) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return WrongAt(file, LineOf(parsed.error().source()),
                   std::string(parsed.error().description()));
  }
  return DocumentReader(file).Read(parsed.table());
}

}  // namespace palena::limits
