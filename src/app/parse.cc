#include "app/parse.h"

#include "app/cli_options.h"

namespace palena::app {

std::optional<int> Parse(CLI::App& app, int argc, const char* const* argv, std::ostream& out,
                         std::ostream& err) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& success) {
    app.exit(success, out, err);
    return kExitAnswered;
  } catch (const CLI::Error& error) {
    err << app.get_name() << ": " << error.what() << " (see " << app.get_name() << " --help)\n";
    return kExitUsage;
  }
}

}  // namespace palena::app
