#include "model/request.h"

namespace palena::model {

Request::Request(const RequestView& view)
    : program_id_(view.program_id), timeout_ms_(view.timeout_ms) {
  std::size_t total = view.script.size();
  for (const ParameterView& p : view.parameters) total += p.name.size() + p.value.size();
  bytes_.reserve(total);
  script_ = Append(view.script);
  parameters_.reserve(view.parameters.size());
  for (const ParameterView& p : view.parameters) {
    parameters_.push_back({Append(p.name), p.slot, Append(p.value)});
  }
}

RequestView Request::view() const {
  views_.clear();
  for (const Parameter& p : parameters_) views_.push_back({Text(p.name), p.slot, Text(p.value)});
  return {Text(script_), program_id_, views_, timeout_ms_};
}

Request::Span Request::Append(std::string_view bytes) {
  const Span span{static_cast<std::uint32_t>(bytes_.size()),
                  static_cast<std::uint32_t>(bytes.size())};
  bytes_.append(bytes);
  return span;
}

}  // namespace palena::model
