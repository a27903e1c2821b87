#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/request.h"

namespace palena::client {

// The texts that the server of the current connection was asked to prepare, and what it said.
// Bounded as the server's own cache is: the least recently used text is forgotten first.
class KnownPrograms {
 public:
  enum class State : std::uint8_t {
    kPreparing,  // asked; until the answer the text is sent
    kReady,      // 16 bytes will do
    kRefused,    // a faulty text: sent as it is, so that every call hears what is wrong
  };
  struct Program {
    State state = State::kPreparing;
    model::ProgramId id{};
    std::vector<std::string> parameters;  // names with '@', in slot order
  };

  KnownPrograms(std::size_t programs_max, std::size_t bytes_max)
      : programs_max_(programs_max), bytes_max_(bytes_max) {}

  // Null for an unknown text. Valid until the next Add, Forget or Clear. Counts as a use.
  Program* Find(std::string_view script);
  // Remembers a text that is unknown so far, as kPreparing.
  void Add(std::string_view script);
  void Forget(std::string_view script);
  void Clear();

 private:
  struct Entry {
    std::string script;
    Program program;
  };
  using Entries = std::list<Entry>;

  void Drop(Entries::iterator entry);

  const std::size_t programs_max_;
  const std::size_t bytes_max_;
  std::size_t bytes_ = 0;
  Entries entries_;                                                    // most recently used first
  std::unordered_map<std::string_view, Entries::iterator> by_script_;  // views into entries_
};

}  // namespace palena::client
