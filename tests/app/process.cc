#include "app/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <utility>

#include "base/check.h"

namespace palena::app {
namespace {

struct PipeEnds {
  int read = -1;
  int write = -1;
};

PipeEnds OpenPipe() {
  int ends[2];
  PALENA_CHECK(pipe2(ends, O_CLOEXEC) == 0);
  return {ends[0], ends[1]};
}

// A child that says nothing for this long hangs. It is killed, which fails the test and leaves
// nothing running.
constexpr int kPatienceMs = 60'000;

void CloseOnce(int& fd) {
  if (fd >= 0) close(std::exchange(fd, -1));
}

pid_t Spawn(const std::string& path, std::vector<char*>& argv, const PipeEnds& in,
            const PipeEnds& out, const PipeEnds& err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, in.read, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, out.write, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write, STDERR_FILENO);
  std::string variables[] = {"PATH=/usr/bin:/bin", "HOME=/nonexistent"};
  char* const environment[] = {variables[0].data(), variables[1].data(), nullptr};
  pid_t pid = -1;
  const int error = posix_spawn(&pid, path.c_str(), &actions, nullptr, argv.data(), environment);
  posix_spawn_file_actions_destroy(&actions);
  PALENA_CHECK(error == 0);
  return pid;
}

// Appends what can be read; closes `fd` at its end.
void ReadSome(int& fd, std::string& to) {
  char bytes[4096];
  const ssize_t got = read(fd, bytes, sizeof(bytes));
  if (got > 0) {
    to.append(bytes, static_cast<std::size_t>(got));
  } else if (got == 0 || errno != EINTR) {
    CloseOnce(fd);
  }
}

}  // namespace

Process::Process(const std::string& program, const std::vector<std::string>& arguments,
                 const std::string& out_file) {
  std::signal(SIGPIPE, SIG_IGN);  // a child that ends early must not end the test
  std::vector<std::string> words = {PALENA_BINARY_DIR "/bin/" + program};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  PipeEnds in = OpenPipe();
  PipeEnds out = OpenPipe();
  PipeEnds err = OpenPipe();
  if (!out_file.empty()) {
    CloseOnce(out.write);
    out.write = open(out_file.c_str(), O_WRONLY | O_CLOEXEC);
    PALENA_CHECK(out.write >= 0);
  }
  pid_ = Spawn(words.front(), argv, in, out, err);
  CloseOnce(in.read);
  CloseOnce(out.write);
  CloseOnce(err.write);
  in_fd_ = in.write;
  out_fd_ = out.read;
  err_fd_ = err.read;
}

Process::~Process() {
  if (!has_ended_) {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  CloseOnce(in_fd_);
  CloseOnce(out_fd_);
  CloseOnce(err_fd_);
}

void Process::Write(const std::string& text) {
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(in_fd_, text.data() + written, text.size() - written);
    if (n <= 0) return;
    written += static_cast<std::size_t>(n);
  }
}

void Process::CloseInput() {
  CloseOnce(in_fd_);
}

std::string Process::ReadLine() {
  std::size_t end = out_.find('\n');
  while (end == std::string::npos && out_fd_ >= 0) {
    ReadWhatComes();
    end = out_.find('\n');
  }
  std::string line = out_.substr(0, end);
  out_.erase(0, end == std::string::npos ? end : end + 1);
  return line;
}

void Process::ReadWhatComes() {
  pollfd streams[] = {{out_fd_, POLLIN, 0}, {err_fd_, POLLIN, 0}};
  if (poll(streams, 2, kPatienceMs) == 0) kill(pid_, SIGKILL);
  if (streams[0].revents != 0) ReadSome(out_fd_, out_);
  if (streams[1].revents != 0) ReadSome(err_fd_, err_);
}

void Process::Signal(int signal) {
  kill(pid_, signal);
}

int Process::Wait() {
  while (out_fd_ >= 0 || err_fd_ >= 0) ReadWhatComes();
  int status = 0;
  PALENA_CHECK(waitpid(pid_, &status, 0) == pid_);
  has_ended_ = true;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

namespace {

Ended ToEnd(Process& process, const std::string& input) {
  process.Write(input);
  process.CloseInput();
  Ended ended;
  ended.status = process.Wait();
  ended.out = process.out();
  ended.err = process.err();
  return ended;
}

}  // namespace

Ended RunToEnd(const std::string& program, const std::vector<std::string>& arguments,
               const std::string& input) {
  Process process(program, arguments);
  return ToEnd(process, input);
}

Ended RunOnFullDisk(const std::string& program, const std::vector<std::string>& arguments,
                    const std::string& input) {
  Process process(program, arguments, "/dev/full");
  return ToEnd(process, input);
}

}  // namespace palena::app
