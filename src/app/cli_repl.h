#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "app/cli_line_source.h"
#include "app/cli_options.h"
#include "app/cli_print.h"
#include "app/exit_status.h"
#include "palena/client.h"

namespace palena::app {

// The interactive session: lines are scripts, lines that begin with '.' are commands. A script goes
// on in the next line while a line ends with a backslash or an if, for or begin lacks its end.
class Repl {
 public:
  // What becomes of the lines that follow when there is no connection.
  enum class Without { kGoOn, kEnd };

  // `before_request` is called before each request is sent.
  Repl(Client& client, const CliOptions& options, LineSource& lines, Printer printer,
       std::function<void()> before_request)
      : client_(client),
        options_(options),
        lines_(lines),
        printer_(printer),
        before_request_(std::move(before_request)) {}

  // Until the input ends or the user leaves. The worst of what its lines came to, which is the one
  // with the highest number.
  ExitStatus Run(Without without_connection);

  // True when the script cannot be complete after this text.
  static bool GoesOn(std::string_view text);
  // For a word that is no script, and which somebody who wants out or help types: the command that
  // does it. Empty for anything else.
  static std::string_view CommandMeantBy(std::string_view text);

 private:
  // One whole script or command.
  ExitStatus Handle(const std::string& text);
  ExitStatus HandleCommand(std::string_view text);
  ExitStatus RunScript(const std::string& script);
  ExitStatus ShowHelp();
  ExitStatus ShowParameters();
  ExitStatus SetParameter(std::string_view text);
  ExitStatus UnsetParameter(std::string_view name);
  ExitStatus SwitchJson();
  ExitStatus Refuse(std::string_view why);

  Client& client_;
  CliOptions options_;
  LineSource& lines_;
  const Printer printer_;
  const std::function<void()> before_request_;
  bool wants_out_ = false;
};

}  // namespace palena::app
