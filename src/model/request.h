#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace palena::model {

// First 16 bytes of the SHA-256 of a program's text.
using ProgramId = std::array<unsigned char, 16>;

// A parameter's name as it is compared: "@limit" and "limit" mean the same.
inline std::string_view WithoutAt(std::string_view name) {
  return name.starts_with('@') ? name.substr(1) : name;
}

// A parameter of a request, by name ("@limit", or "limit") or, when `slot` is not negative, by its
// place in the program's list of parameter names.
struct ParameterView {
  std::string_view name;
  int slot = -1;
  std::string_view value;
};

// "Run this." Refers to bytes of somebody else (a frame); see Request for one that owns them.
struct RequestView {
  std::string_view script;              // when there is no program_id
  std::optional<ProgramId> program_id;  // of a prepared program
  std::span<const ParameterView> parameters;
  std::int64_t timeout_ms = 0;  // 0: the default
};

// One of several programs to run as one.
struct CallView {
  RequestView request;      // its timeout is not looked at
  bool is_required = true;  // must answer 1, or else nothing of any is applied
};

// "Run these as one": a single run over all their keys, one after the other, each seeing what those
// before it wrote. Applied only when the first value that each required call answers is 1.
struct ManyRequestView {
  std::span<const CallView> calls;  // 1 to base::kCallsMax
  // Run instead, at the same instant, when a required call refused: on the state as it was before
  // the calls. What these write is never applied. At most base::kCallsMax.
  std::span<const CallView> otherwise;
  std::int64_t timeout_ms = 0;  // of the whole; 0: the default
};

// A request for one program, owning its bytes. Movable; view() is valid until the next move or
// destruction.
class Request {
 public:
  Request() = default;
  explicit Request(const RequestView& view);

  RequestView view() const;

 private:
  struct Span {
    std::uint32_t offset = 0;
    std::uint32_t size = 0;
  };
  struct Parameter {
    Span name;
    int slot = -1;
    Span value;
  };

  Span Append(std::string_view bytes);
  std::string_view Text(Span span) const {
    return std::string_view(bytes_).substr(span.offset, span.size);
  }

  std::string bytes_;
  Span script_;
  std::optional<ProgramId> program_id_;
  std::vector<Parameter> parameters_;
  mutable std::vector<ParameterView> views_;  // built by view()
  std::int64_t timeout_ms_ = 0;
};

}  // namespace palena::model
