#include "app/config_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"

namespace palena::app {
namespace {

std::string RefuseUnreadable(std::string& file) {
  if (file.empty()) return "the file's name is empty; name a TOML file";
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    return absl::StrCat("\"", file, "\" is a folder; name a TOML file");
  }
  if (access(file.c_str(), R_OK) == 0) return "";
  return absl::StrCat("\"", file, "\" cannot be read: ", std::strerror(errno));
}

// Reads with CLI11's parser and hands the values to the options itself: CLI11 would forget, by the
// time of an error, that the value came from the file.
class NamedConfig final : public CLI::ConfigBase {
 public:
  explicit NamedConfig(CLI::App& app) : app_(app) {}

  std::vector<CLI::ConfigItem> from_config(std::istream& input) const override {
    const std::string file = app_.get_config_ptr()->as<std::string>();
    for (const CLI::ConfigItem& item : ConfigBase::from_config(input)) Take(file, item);
    return {};
  }

 private:
  void Take(const std::string& file, const CLI::ConfigItem& item) const {
    if (!item.parents.empty()) {
      throw CLI::ConfigError(absl::StrCat("--config ", file, ": section [",
                                          absl::StrJoin(item.parents, "."),
                                          "] is unknown; write the options without sections"));
    }
    CLI::Option* const option = app_.get_option_no_throw("--" + item.name);
    if (option == nullptr || !option->get_configurable()) {
      throw CLI::ConfigError(absl::StrCat("--config ", file, ": unknown key \"", item.name,
                                          "\"; keys are the names of options, without --",
                                          base::DidYouMean(item.name, Keys())));
    }
    if (!option->empty()) return;  // the command line wins
    try {
      Give(*option, item);
    } catch (const CLI::ParseError& error) {
      throw CLI::ConfigError(absl::StrCat("--config ", file, ": ", Unflagged(error.what())));
    }
  }

  void Give(CLI::Option& option, const CLI::ConfigItem& item) const {
    if (item.inputs.size() != 1) {
      throw CLI::ConversionError(
          absl::StrCat(item.name, ": ", item.inputs.size(),
                       " values are given, one is expected; a value with blanks or commas goes "
                       "into \"quotes\""));
    }
    const std::string& value = item.inputs.front();
    const bool is_flag = option.get_expected_min() == 0;
    if (is_flag && value != "true" && value != "false") {
      throw CLI::ConversionError(
          absl::StrCat(item.name, ": \"", value, "\" is neither true nor false"));
    }
    option.add_result(value);
    option.run_callback();
  }

  // In a file keys have no dashes.
  static std::string Unflagged(std::string message) {
    return message.starts_with("--") ? message.substr(2) : message;
  }

  std::vector<std::string> Keys() const {
    std::vector<std::string> keys;
    for (const CLI::Option* option : app_.get_options()) {
      if (!option->get_configurable() || option->get_group().empty()) continue;
      for (const std::string& name : option->get_lnames()) keys.push_back(name);
    }
    return keys;
  }

  CLI::App& app_;
};

}  // namespace

void AddConfigFile(CLI::App& app) {
  app.set_config("--config", "",
                 "read options from a TOML file, its keys are their names: listen = \"HOST:PORT\"; "
                 "the command line wins")
      ->check(CLI::Validator(RefuseUnreadable, "", "file"))
      ->type_name("FILE");
  app.allow_config_extras(CLI::config_extras_mode::error);
  app.config_formatter(std::make_shared<NamedConfig>(app));
}

}  // namespace palena::app
