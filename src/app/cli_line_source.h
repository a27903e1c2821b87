#pragma once

#include <istream>
#include <memory>
#include <string>

namespace palena::app {

// Where an interactive session reads its lines.
class LineSource {
 public:
  enum class Read { kLine, kCancelled, kEnd };

  virtual ~LineSource() = default;
  // kLine fills `line`, without its line break. kCancelled: the user wants to begin anew (Ctrl-C).
  virtual Read Next(const std::string& prompt, std::string& line) = 0;
};

// A terminal: editing, and a history that is kept in `history_file` (empty: not kept) from session
// to session.
std::unique_ptr<LineSource> OpenTerminalLines(const std::string& history_file);

// Anything else: no prompt, no history.
class StreamLines final : public LineSource {
 public:
  explicit StreamLines(std::istream& in) : in_(in) {}
  Read Next(const std::string& /*prompt*/, std::string& line) override {
    return std::getline(in_, line) ? Read::kLine : Read::kEnd;
  }

 private:
  std::istream& in_;
};

}  // namespace palena::app
