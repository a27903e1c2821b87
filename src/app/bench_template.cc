#include "app/bench_template.h"

#include "absl/strings/str_cat.h"

namespace palena::app {
namespace {

bool IsPlaceholder(std::string_view text) {
  return text.starts_with("{n}") || text.starts_with("{i}") || text.starts_with("{c}");
}

}  // namespace

BenchTemplate::BenchTemplate(std::string_view text) {
  parts_.emplace_back();
  while (!text.empty()) {
    if (IsPlaceholder(text)) {
      parts_.back().placeholder = text[1];
      parts_.emplace_back();
      text.remove_prefix(3);
    } else {
      parts_.back().text.push_back(text.front());
      text.remove_prefix(1);
    }
  }
}

void BenchTemplate::AppendTo(std::string& out, const TemplateInput& input) const {
  for (const Part& part : parts_) {
    out += part.text;
    switch (part.placeholder) {
      case 'n':
        absl::StrAppend(&out, input.random);
        break;
      case 'i':
        absl::StrAppend(&out, input.running);
        break;
      case 'c':
        absl::StrAppend(&out, input.connection);
        break;
      default:
        break;
    }
  }
}

// Most values are the same in every request.
void BenchTemplate::Refresh(std::string& value, const TemplateInput& input) const {
  if (parts_.size() == 1 && value.size() == parts_.front().text.size()) return;
  value.clear();
  AppendTo(value, input);
}

}  // namespace palena::app
