#include "app/cli_line_source.h"

#include <histedit.h>

#include <cstdio>
#include <utility>

namespace palena::app {
namespace {

constexpr int kHistoryLinesMax = 1000;

class TerminalLines final : public LineSource {
 public:
  explicit TerminalLines(std::string history_file)
      : history_file_(std::move(history_file)),
        editor_(el_init("palena", stdin, stdout, stderr)),
        history_(history_init()) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, kHistoryLinesMax);
    history(history_, &event, H_SETUNIQUE, 1);
    if (!history_file_.empty()) history(history_, &event, H_LOAD, history_file_.c_str());
    el_set(editor_, EL_CLIENTDATA, this);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_PROMPT, &Prompt);
    el_set(editor_, EL_HIST, history, history_);
    BindCancel();
  }
  ~TerminalLines() override {
    history_end(history_);
    el_end(editor_);
  }
  TerminalLines(const TerminalLines&) = delete;
  TerminalLines& operator=(const TerminalLines&) = delete;

  Read Next(const std::string& prompt, std::string& line) override {
    prompt_ = prompt;
    is_cancelled_ = false;
    int bytes = 0;
    const char* text = el_gets(editor_, &bytes);
    if (is_cancelled_) {
      std::fputs("^C\n", stdout);
      return Read::kCancelled;
    }
    if (text == nullptr || bytes <= 0) {
      std::fputc('\n', stdout);
      return Read::kEnd;
    }
    line.assign(text, static_cast<std::size_t>(bytes));
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
    Remember(line);
    return Read::kLine;
  }

 private:
  // While a line is edited Ctrl-C is a key like others; while a script runs it is the signal. So
  // no signal handler is needed, and no variable that one could reach.
  void BindCancel() {
    el_set(editor_, EL_SETTY, "-d", "-isig", nullptr);
    el_set(editor_, EL_ADDFN, "cancel-line", "Begin anew", &Cancel);
    el_set(editor_, EL_BIND, "^C", "cancel-line", nullptr);
  }

  // Saved line by line: the session may end at any of them.
  void Remember(const std::string& line) {
    if (line.empty()) return;
    HistEvent event;
    history(history_, &event, H_ENTER, line.c_str());
    if (!history_file_.empty()) history(history_, &event, H_SAVE, history_file_.c_str());
  }

  static TerminalLines* Self(EditLine* editor) {
    void* self = nullptr;
    el_get(editor, EL_CLIENTDATA, &self);
    return static_cast<TerminalLines*>(self);
  }
  static char* Prompt(EditLine* editor) { return Self(editor)->prompt_.data(); }
  static unsigned char Cancel(EditLine* editor, int /*key*/) {
    const LineInfo* line = el_line(editor);
    el_cursor(editor, static_cast<int>(line->lastchar - line->cursor));
    el_set(editor, EL_REFRESH);
    Self(editor)->is_cancelled_ = true;
    return CC_NEWLINE;
  }

  const std::string history_file_;
  EditLine* editor_;
  History* history_;
  std::string prompt_;
  bool is_cancelled_ = false;
};

}  // namespace

std::unique_ptr<LineSource> OpenTerminalLines(const std::string& history_file) {
  return std::make_unique<TerminalLines>(history_file);
}

}  // namespace palena::app
