#include "app/parse.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/nearest_name.h"

namespace palena::app {
namespace {

constexpr std::size_t kHelpColumns = 100;

// Breaks descriptions at blanks; CLI11 indents what follows a line break.
class HelpFormat final : public CLI::Formatter {
 public:
  std::string make_option_desc(const CLI::Option* option) const override {
    return Wrapped(Formatter::make_option_desc(option), kHelpColumns - get_column_width());
  }

 private:
  static std::string Wrapped(const std::string& text, std::size_t columns) {
    std::string wrapped;
    std::size_t used = 0;
    for (const std::string& word : CLI::detail::split(text, ' ')) {
      const bool begins = wrapped.empty();
      const bool fits = used + 1 + word.size() <= columns;
      if (!begins) wrapped += fits ? ' ' : '\n';
      used = begins || !fits ? word.size() : used + 1 + word.size();
      wrapped += word;
    }
    return wrapped;
  }
};

std::vector<CLI::App*> CommandsOf(CLI::App& app) {
  return app.get_subcommands([](CLI::App*) { return true; });
}

// Those that do something themselves: `limits` alone does not, `limits take` does.
std::vector<CLI::App*> AllCommands(CLI::App& app) {
  std::vector<CLI::App*> all;
  for (CLI::App* command : CommandsOf(app)) {
    const std::vector<CLI::App*> below = AllCommands(*command);
    all.insert(all.end(), below.begin(), below.end());
    if (below.empty()) all.push_back(command);
  }
  return all;
}

// The last of the commands that were given.
CLI::App& Chosen(CLI::App& app) {
  CLI::App* chosen = &app;
  while (!chosen->get_subcommands().empty()) chosen = chosen->get_subcommands().front();
  return *chosen;
}

// As it is written behind the program: "limits take".
std::string NameOf(const CLI::App& command) {
  const CLI::App* const parent = command.get_parent();
  const bool is_first = parent == nullptr || parent->get_parent() == nullptr;
  return is_first ? command.get_name() : NameOf(*parent) + " " + command.get_name();
}

std::vector<std::string> NamesOf(const std::vector<CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(NameOf(*command));
  return names;
}

std::vector<std::string> OwnNamesOf(const std::vector<CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// Options without a group are hidden: they are for tests, or there to be refused with a reason.
bool Takes(const CLI::App& app, const std::string& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && !option->get_group().empty();
}

std::vector<std::string> FlagNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string ExplainFlag(CLI::App& app, const std::string& flag) {
  std::vector<CLI::App*> takers = AllCommands(app);
  std::erase_if(takers, [&](const CLI::App* command) { return !Takes(*command, flag); });
  const CLI::App& command = Chosen(app);
  if (takers.empty()) {
    std::vector<std::string> known = FlagNames(app);
    for (const std::string& name : FlagNames(command)) known.push_back(name);
    return absl::StrCat("unknown flag ", flag, base::DidYouMean(flag, known));
  }
  if (&command == &app) {
    return absl::StrCat(
        flag, " stands behind a command that takes it: ", absl::StrJoin(NamesOf(takers), ", "));
  }
  if (Takes(command, flag)) {
    return absl::StrCat(flag, " stands behind its command: ", app.get_name(), " ", NameOf(command),
                        " ", flag);
  }
  return absl::StrCat(NameOf(command), " takes no ", flag,
                      "; these commands do: ", absl::StrJoin(NamesOf(takers), ", "));
}

std::string ExplainExtras(CLI::App& app) {
  const std::string word = app.remaining(/*recurse=*/true).front();
  if (word.starts_with('-')) return ExplainFlag(app, word.substr(0, word.find('=')));
  const std::vector<std::string> commands = OwnNamesOf(CommandsOf(Chosen(app)));
  if (!commands.empty()) {
    return absl::StrCat("unknown command \"", word, "\"", base::DidYouMean(word, commands),
                        "; the commands are ", absl::StrJoin(commands, ", "));
  }
  return absl::StrCat("unexpected argument \"", word, "\"; a text with blanks goes into quotes");
}

// A flag without its value, or given twice.
std::string ExplainMismatch(CLI::App& app, const std::string& message) {
  const std::string name = message.substr(0, message.find(':'));
  const std::vector<CLI::App*> places = {&Chosen(app), &app};
  for (const CLI::App* place : places) {
    const CLI::Option* const option = place->get_option_no_throw(name);
    if (option == nullptr) continue;
    if (option->count() > 1) {
      return absl::StrCat(name, " is given ", option->count(), " times; once is allowed");
    }
    return absl::StrCat(name, ": its value is missing, write ", name, " ", option->get_type_name());
  }
  return message;
}

// Behind a command that only leads to others there must be one of them.
std::string ExplainMissing(CLI::App& app, const std::string& message) {
  const std::vector<std::string> commands = OwnNamesOf(CommandsOf(Chosen(app)));
  if (commands.empty()) return message;
  const std::vector<std::string> rest = app.remaining(/*recurse=*/true);
  if (!rest.empty()) return ExplainExtras(app);
  return absl::StrCat(NameOf(Chosen(app)),
                      " needs a command behind it: ", absl::StrJoin(commands, ", "));
}

std::string Explain(CLI::App& app, const CLI::Error& error) {
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    return ExplainMissing(app, error.what());
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return ExplainExtras(app);
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) {
    return ExplainMismatch(app, error.what());
  }
  return error.what();
}

}  // namespace

void UseHelpFormat(CLI::App& app) {
  app.formatter(std::make_shared<HelpFormat>());
}

std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv, std::ostream& out,
                         std::ostream& err) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& success) {
    app.exit(success, out, err);
    return kExitAnswered;
  } catch (const CLI::Error& error) {
    return RefuseUsage(app.get_name(), Explain(app, error), err);
  }
}

ExitStatus RefuseUsage(const std::string& program, const std::string& why, std::ostream& err) {
  err << program << ": " << why << " (see " << program << " --help)" << std::endl;
  return kExitUsage;
}

}  // namespace palena::app
