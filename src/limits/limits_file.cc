#include "limits/limits_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "limits/limit_builder.h"
#include "limits/limit_trial.h"
#include "limits/limiter_library.h"
#include "limits/limits_document.h"
#include "limits/scratch_node.h"
#include "limits/small_file.h"

namespace palena::limits {
namespace {

// A folder of limiters is looked for beside the file that names it.
base::StatusOr<LimiterLibrary> LibraryOf(const LimitsDocument& document) {
  if (!document.limiters) return LimiterLibrary();
  const Setting& named = *document.limiters;
  if (named.kind != Setting::Kind::kText || named.text.empty()) {
    return WrongAt(document.file, named.line, "limiters must be the \"name\" of a folder");
  }
  const std::filesystem::path folder =
      std::filesystem::path(document.file).parent_path() / named.text;
  std::error_code ignored;
  if (!std::filesystem::is_directory(folder, ignored)) {
    return WrongAt(document.file, named.line,
                   absl::StrCat("limiters: there is no folder ", folder.string()));
  }
  return LimiterLibrary(folder.string());
}

// Two limits whose callers could share a key would charge each other.
base::Status CheckApart(const std::string& file, const std::vector<Limit>& limits) {
  for (std::size_t i = 0; i < limits.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Limit& later = limits[i];
      const Limit& earlier = limits[j];
      if (later.durability != earlier.durability || !later.key.MayMeet(earlier.key)) continue;
      return WrongAt(
          file, later.line,
          absl::StrCat("[limits.", later.name, "] may share a key with [limits.", earlier.name,
                       "]: ", std::string(later.key.text()), " and ",
                       std::string(earlier.key.text()),
                       "; begin each with a word of its own, such as ", later.name, ":"));
    }
  }
  return base::Ok();
}

}  // namespace

base::StatusOr<std::shared_ptr<const LimitSet>> ReadLimitsFile(const std::string& file) {
  PALENA_ASSIGN_OR_RETURN(const std::string text, ReadSmallFile(file, kLimitsFileBytesMax));
  return ParseLimits(text, file);
}

base::StatusOr<std::shared_ptr<const LimitSet>> ParseLimits(std::string_view text,
                                                            const std::string& file) {
  PALENA_ASSIGN_OR_RETURN(const LimitsDocument document, ParseLimitsDocument(text, file));
  if (document.limits.size() > kLimitsMax) {
    return WrongAt(
        file, document.limits[kLimitsMax].line,
        absl::StrCat(document.limits.size(), " limits, at most ", kLimitsMax, " are allowed"));
  }
  PALENA_ASSIGN_OR_RETURN(const LimiterLibrary library, LibraryOf(document));
  ScratchNode node(kTrialMs);
  std::vector<Limit> limits;
  for (const LimitDefinition& definition : document.limits) {
    PALENA_ASSIGN_OR_RETURN(Limit limit, BuildLimit(file, definition, library, node));
    limits.push_back(std::move(limit));
  }
  PALENA_RETURN_IF_ERROR(CheckApart(file, limits));
  return std::make_shared<const LimitSet>(file, std::move(limits));
}

}  // namespace palena::limits
