#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>

#include "net/mailbox.h"
#include "net/session.h"

namespace palena::net {

// Answers every line with itself, unless a test puts a hook in. Tells the test what it saw.
class HookedHandler final : public SessionHandler {
 public:
  std::function<void(Session&)> on_open = [](Session&) {};
  std::function<InputVerdict(Session&, std::string_view)> on_input = EchoLines;
  std::function<void(Session&)> on_input_stalled = [](Session&) {};
  std::function<bool(Session&)> on_input_end = [](Session&) { return false; };

  Mailbox<std::uint64_t> opened;  // ids
  Mailbox<std::string> shown;     // every input, as shown
  Mailbox<CloseReason> closed;

  static InputVerdict EchoLines(Session& session, std::string_view input) {
    const std::size_t end = input.rfind('\n') + 1;  // npos + 1: 0
    session.output().append(input.substr(0, end));
    return {.consumed_bytes = end};
  }

  void OnOpen(Session& session) override {
    on_open(session);
    opened.Put(session.id());
  }
  InputVerdict OnInput(Session& session, std::string_view input) override {
    const InputVerdict verdict = on_input(session, input);
    shown.Put(std::string(input));
    return verdict;
  }
  bool OnInputEnd(Session& session) override { return on_input_end(session); }
  void OnInputStalled(Session& session) override { on_input_stalled(session); }
  void OnClose(Session& session, CloseReason reason) override {
    session.output().append("nobody reads this");
    closed.Put(reason);
  }
};

}  // namespace palena::net
