#pragma once

#include <algorithm>
#include <csignal>
#include <memory>
#include <string>
#include <vector>

#include "app/process.h"
#include "base/hostile.h"
#include "base/temp_dir.h"

namespace palena::app {

// A palenad on a free port, with a fresh data directory that outlives its restarts.
class Daemon {
 public:
  explicit Daemon(std::vector<std::string> flags = {"--shards", "1"}) : flags_(std::move(flags)) {
    Start();
  }

  void Start() {
    std::vector<std::string> arguments = {"--listen", "127.0.0.1:0", "--data-dir", data_dir()};
    arguments.insert(arguments.end(), flags_.begin(), flags_.end());
    if (base::IsHostile() && std::ranges::count(flags_, "--hostile") == 0)
      arguments.push_back("--hostile");
    process_ = std::make_unique<Process>("palenad", arguments);
    ready_ = process_->ReadLine();
  }
  // Its exit status.
  int Stop(int signal = SIGTERM) {
    process_->Signal(signal);
    return process_->Wait();
  }

  Process& process() { return *process_; }
  // "ready listen=HOST:PORT …", and HOST:PORT of it.
  const std::string& ready() const { return ready_; }
  std::string address() const {
    const std::size_t begin = ready_.find('=') + 1;
    return ready_.substr(begin, ready_.find(' ', begin) - begin);
  }
  std::string data_dir() const { return directory_ / "data"; }

  // `palena --connect ADDRESS …` to its end.
  Ended Palena(const std::vector<std::string>& command, const std::string& input = {}) const {
    std::vector<std::string> arguments = {"--connect", address()};
    arguments.insert(arguments.end(), command.begin(), command.end());
    return RunToEnd("palena", arguments, input);
  }

 private:
  base::TempDir directory_;
  const std::vector<std::string> flags_;
  std::unique_ptr<Process> process_;
  std::string ready_;
};

}  // namespace palena::app
