#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "app/cli_line_source.h"
#include "app/cli_options.h"
#include "app/cli_print.h"
#include "palena/client.h"

namespace palena::app {

// The interactive session: lines are scripts, lines that begin with '.' are commands. A script goes
// on in the next line while a line ends with a backslash or an if, for or begin lacks its end.
class Repl {
 public:
  Repl(Client& client, const CliOptions& options, LineSource& lines, Printer printer)
      : client_(client), options_(options), lines_(lines), printer_(printer) {}

  // Until the input ends or the user leaves.
  void Run();

  // True when the script cannot be complete after this text.
  static bool GoesOn(std::string_view text);

 private:
  // One whole script or command; false to leave.
  bool Handle(const std::string& text);
  bool HandleCommand(std::string_view text);
  void RunScript(const std::string& script);
  void ShowHelp();
  void ShowParameters();
  void SetParameter(std::string_view text);
  void UnsetParameter(std::string_view name);

  Client& client_;
  CliOptions options_;
  LineSource& lines_;
  const Printer printer_;
};

}  // namespace palena::app
