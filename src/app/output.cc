#include "app/output.h"

#include "app/exit_status.h"

namespace palena::app {

int Finish(const std::string& program, int exit_status, std::ostream& out, std::ostream& err) {
  if (out.flush()) return exit_status;
  err << program << ": standard output cannot be written" << std::endl;
  return kExitOutput;
}

}  // namespace palena::app
