#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace palena::app {

// A program of this build, run as a child process. Blocking calls on the test's own thread; the
// child is killed at the end if it still runs.
class Process {
 public:
  // `program`: a name in the build's bin folder. The child gets `arguments`, an empty environment
  // but PATH and HOME, and pipes for its three streams; `out_file`: what it prints goes there
  // instead.
  Process(const std::string& program, const std::vector<std::string>& arguments,
          const std::string& out_file = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  pid_t pid() const { return pid_; }
  void Write(const std::string& text);
  void CloseInput();
  // The next line of its standard output, without the end of line; empty at the end of the stream.
  std::string ReadLine();
  void Signal(int signal);
  // Its exit status, or 128 + the signal that ended it. What it still says is then in out(), err().
  int Wait();
  const std::string& out() const { return out_; }
  const std::string& err() const { return err_; }

 private:
  void ReadWhatComes();

  pid_t pid_ = -1;
  int in_fd_ = -1;
  int out_fd_ = -1;
  int err_fd_ = -1;
  bool has_ended_ = false;
  std::string out_;
  std::string err_;
};

// Runs a program to its end with `input` on its standard input.
struct Ended {
  int status = 0;
  std::string out;
  std::string err;
};
Ended RunToEnd(const std::string& program, const std::vector<std::string>& arguments,
               const std::string& input = {});
// The same on a full disk: nothing that it prints can be written.
Ended RunOnFullDisk(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input = {});

}  // namespace palena::app
