#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace palena::app {

// What the placeholders of one request stand for.
struct TemplateInput {
  std::uint64_t random = 0;      // {n}
  std::uint64_t running = 0;     // {i}
  std::uint64_t connection = 0;  // {c}
};

// The value of a parameter that differs from request to request: "rl:{n}". Other braces are text.
class BenchTemplate {
 public:
  explicit BenchTemplate(std::string_view text);

  void AppendTo(std::string& out, const TemplateInput& input) const;
  // Makes `value`, empty or the last one of this template, that of the next request.
  void Refresh(std::string& value, const TemplateInput& input) const;

 private:
  struct Part {
    std::string text;         // comes first
    char placeholder = '\0';  // then 'n', 'i', 'c' or nothing
  };
  std::vector<Part> parts_;
};

}  // namespace palena::app
