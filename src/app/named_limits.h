#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "limits/limit_service.h"
#include "limits/limit_set.h"
#include "node/runtime.h"

namespace palena::app {

// The named limits of a palenad: the file of --limits, read at the start and again when asked.
class NamedLimits {
 public:
  // Empty: there are none. InvalidArgument or NotFound, one line with file, line and reason.
  static base::StatusOr<NamedLimits> Read(const std::string& file);

  // Hands them to a service on `runtime`, before the first connection. The runtime stops before
  // this goes.
  void Serve(node::Runtime& runtime);
  limits::LimitService& service() { return *service_; }

  // Reads the file again: all of it holds from now on, or nothing of it. Says which on standard
  // error.
  void Reload();

 private:
  std::string file_;
  std::shared_ptr<const limits::LimitSet> set_;
  std::unique_ptr<limits::LimitService> service_;
};

}  // namespace palena::app
