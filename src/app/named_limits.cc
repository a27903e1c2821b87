#include "app/named_limits.h"

#include <cstdio>
#include <utility>
#include <vector>

#include "limits/limits_file.h"

namespace palena::app {

base::StatusOr<NamedLimits> NamedLimits::Read(const std::string& file) {
  NamedLimits named;
  named.file_ = file;
  named.set_ = std::make_shared<const limits::LimitSet>();
  if (!file.empty()) {
    PALENA_ASSIGN_OR_RETURN(named.set_, limits::ReadLimitsFile(file));
  }
  return named;
}

void NamedLimits::Serve(node::Runtime& runtime) {
  const std::vector<net::Loop*> loops = runtime.loops();
  service_ = std::make_unique<limits::LimitService>(
      runtime.engine(), std::vector<base::Executor*>(loops.begin(), loops.end()));
  service_->Install(set_);
}

void NamedLimits::Reload() {
  const auto read = limits::ReadLimitsFile(file_);
  if (!read.ok()) {
    std::fprintf(stderr, "palenad: the limits stay as they were: %s\n",
                 std::string(read.status().message()).c_str());
    return;
  }
  service_->Install(*read);
  std::fprintf(stderr, "palenad: limits reloaded from %s: %zu\n", file_.c_str(),
               (*read)->limits().size());
}

}  // namespace palena::app
