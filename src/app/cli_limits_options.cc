#include "app/cli_limits_options.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "app/flag_values.h"

namespace palena::app {
namespace {

constexpr const char* kFooter = R"(
Examples:
  palena limits check limits.toml                        is the file right? (needs no node)
  palena limits list                                     what there is, and who was refused most
  palena limits take login --subject anna --part path=/  charge one
  palena limits peek login --subject anna --part path=/ --cost 5
  palena limits take builds --subject acme --owner job-7 a lease; then renew, release

Exit status: as of every command; a take that is refused, and a renew or release of a lease that is
not held, are 1, as is a file that is wrong. A peek is answered: 0.)";

// A part is what stands in the braces of a limit's key.
CLI::Validator PartText() {
  return {[](std::string& text) {
            const std::size_t sign = text.find('=');
            if (sign != std::string::npos && sign > 0) return std::string();
            return absl::StrCat("\"", text, "\" is not name=value");
          },
          "", "part"};
}

void AddPart(LimitsOptions& options, std::string name, std::string value) {
  for (const auto& part : options.parts) {
    if (part.first != name) continue;
    throw CLI::ValidationError("--part", absl::StrCat("the part ", name, " is given twice"));
  }
  options.parts.emplace_back(std::move(name), std::move(value));
}

class LimitsCommand {
 public:
  LimitsCommand(CLI::App& limits, LimitsOptions& options, bool& json)
      : limits_(limits), options_(options), json_(json) {}

  void AddAll() {
    Add(LimitsAction::kList, "list", "Show the limits of a node, their counts, and who is refused");
    CLI::App& check = Add(LimitsAction::kCheck, "check", "Say what is wrong with a file of limits");
    check.add_option("file", options_.file, "The file, as for palenad --limits")
        ->type_name("FILE.toml")
        ->required();
    AddCost(AddOwner(AddNamed(LimitsAction::kTake, "take", "Charge a limit, when all of it fits")));
    AddCost(AddOwner(AddNamed(LimitsAction::kPeek, "peek",
                              "Say what a take would, and charge "
                              "nothing")));
    AddOwner(AddNamed(LimitsAction::kRenew, "renew", "Make the lease of an owner last longer"));
    AddOwner(AddNamed(LimitsAction::kRelease, "release", "Give the lease of an owner back"));
    AddNamed(LimitsAction::kReset, "reset", "Forget what a caller has used");
  }

 private:
  CLI::App& Add(LimitsAction action, const std::string& name, const std::string& description) {
    CLI::App* const command = limits_.add_subcommand(name, description);
    command->fallthrough();
    command->callback([this_options = &options_, action] { this_options->action = action; });
    command->add_flag("--json", json_, "Print JSON, one line an answer");
    return *command;
  }

  CLI::App& AddNamed(LimitsAction action, const std::string& name, const std::string& description) {
    CLI::App& command = Add(action, name, description);
    command.add_option("name", options_.name, "The limit")->type_name("NAME")->required();
    command
        .add_option_function<std::vector<std::string>>(
            "--part",
            [options = &options_](const std::vector<std::string>& texts) {
              for (const std::string& text : texts) {
                const std::size_t sign = text.find('=');
                AddPart(*options, text.substr(0, sign), text.substr(sign + 1));
              }
            },
            "A part of the limit's key: {name} there. Repeat for more")
        ->type_name("name=value")
        ->allow_extra_args(false)
        ->check(PartText());
    command
        .add_option_function<std::string>(
            "--subject",
            [options = &options_](const std::string& subject) {
              AddPart(*options, "subject", subject);
            },
            "The part {subject}: who asks")
        ->type_name("TEXT");
    return command;
  }

  CLI::App& AddCost(CLI::App& command) {
    command.add_option("--cost", options_.cost, "How much is asked for; 0 charges nothing")
        ->type_name("N")
        ->check(WholeNumber(0, std::numeric_limits<std::int64_t>::max()))
        ->default_str("1");
    return command;
  }

  CLI::App& AddOwner(CLI::App& command) {
    command.add_option("--owner", options_.owner, "Whose lease, of limits with leases")
        ->type_name("TEXT");
    return command;
  }

  CLI::App& limits_;
  LimitsOptions& options_;
  bool& json_;
};

}  // namespace

void AddLimitsCommand(CLI::App& app, LimitsOptions& options, bool& json,
                      std::function<void()> chosen) {
  CLI::App* const limits =
      app.add_subcommand("limits", "Named limits: list, check, take, peek, renew, release, reset");
  limits->fallthrough();
  limits->require_subcommand(1);
  limits->callback(std::move(chosen));
  limits->footer(kFooter);
  LimitsCommand(*limits, options, json).AddAll();
}

}  // namespace palena::app
