#include "wire/request_json.h"

#include <utility>

#include "absl/container/flat_hash_set.h"
#include "model/request.h"
#include "nlohmann/json.hpp"

namespace palena::wire {
namespace {

using Json = nlohmann::json;

// Reads the events of the JSON parser instead of its tree: so a number arrives as it was written
// (1e3 stays 1e3), and depth costs nothing.
class RequestReader final : public nlohmann::json_sax<Json> {
 public:
  explicit RequestReader(RequestTimeout timeout)
      : allows_timeout_(timeout == RequestTimeout::kAllowed) {}

  bool null() override { return Scalar("null", std::nullopt); }
  bool boolean(bool value) override { return Scalar("boolean", value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { return Whole(value); }
  bool number_unsigned(number_unsigned_t value) override { return Whole(value); }
  bool number_float(number_float_t /*value*/, const string_t& text) override {
    return Scalar("number", text);
  }
  bool string(string_t& value) override {
    if (depth_ == 1 && key_ == "script") {
      request_.script = std::move(value);
      return true;
    }
    return Scalar("string", std::move(value));
  }
  bool binary(binary_t& /*value*/) override { return Fail("binary data"); }  // not in JSON text

  bool start_object(std::size_t /*elements*/) override { return Open("object"); }
  bool end_object() override { return CloseOne(); }
  bool start_array(std::size_t /*elements*/) override { return Open("array"); }
  bool end_array() override { return CloseOne(); }
  bool key(string_t& name) override {
    key_ = std::move(name);
    if (depth_ != 1) return true;
    is_in_params_ = key_ == "params";
    bool* const has_it = MemberSeen();
    if (has_it == nullptr) {
      return Fail("unknown member \"" + key_ + "\"; " +
                  (allows_timeout_ ? "\"script\", \"params\" and \"timeout_ms\" are known"
                                   : "\"script\" and \"params\" are known"));
    }
    if (std::exchange(*has_it, true)) return Fail("\"" + key_ + "\" is there twice");
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return Fail("not JSON at byte " + std::to_string(position));
  }

  std::variant<JsonRequest, std::string> Finish() {
    if (!error_.empty()) return error_;
    if (!has_script_) return std::string("\"script\" is missing");
    if (const std::string twice = GivenTwice(request_.parameters); !twice.empty()) {
      return "parameter \"" + twice + "\" is there twice";
    }
    return std::move(request_);
  }

 private:
  bool Fail(std::string error) {
    error_ = std::move(error);
    return false;
  }

  // Where it is noted that the member of this name was seen; null when there is none.
  bool* MemberSeen() {
    if (key_ == "script") return &has_script_;
    if (key_ == "params") return &has_params_;
    return key_ == "timeout_ms" && allows_timeout_ ? &has_timeout_ : nullptr;
  }

  // The numbers of the parser, of two types.
  template <typename T>
  bool Whole(T value) {
    if (depth_ != 1 || key_ != "timeout_ms") return Scalar("number", std::to_string(value));
    if (!std::in_range<std::int64_t>(value) || std::cmp_less(value, 1)) {
      return Fail("\"timeout_ms\" is " + std::to_string(value) + ", not a number above 0");
    }
    request_.timeout_ms = static_cast<std::int64_t>(value);
    return true;
  }

  bool Scalar(const std::string& kind, std::optional<std::string> text) {
    if (depth_ == 0) return Fail("a " + kind + " instead of an object");
    if (depth_ == 1 && key_ == "script") return Fail("\"script\" is a " + kind + ", not a string");
    if (depth_ == 1 && is_in_params_) return Fail("\"params\" is a " + kind + ", not an object");
    if (depth_ == 1 && key_ == "timeout_ms") return Fail("\"timeout_ms\" is no whole number");
    if (depth_ == 2 && is_in_params_) {
      if (!text) return Fail("parameter \"" + key_ + "\" is null");
      request_.parameters.emplace_back(key_, *std::move(text));
    }
    return true;
  }

  bool Open(const std::string& kind) {
    if (depth_ == 0 && kind != "object") return Fail("an array instead of an object");
    if (depth_ == 1 && key_ == "script") return Fail("\"script\" is an " + kind);
    if (depth_ == 1 && key_ == "timeout_ms") return Fail("\"timeout_ms\" is an " + kind);
    if (depth_ == 1 && is_in_params_ && kind != "object") return Fail("\"params\" is an array");
    if (depth_ == 2 && is_in_params_) return Fail("parameter \"" + key_ + "\" is an " + kind);
    ++depth_;
    return true;
  }

  bool CloseOne() {
    --depth_;
    if (depth_ == 1) is_in_params_ = false;
    return true;
  }

  const bool allows_timeout_;
  JsonRequest request_;
  bool has_script_ = false;
  bool has_params_ = false;
  bool has_timeout_ = false;
  std::string error_;
  int depth_ = 0;
  std::string key_;  // of the member that is being read, at depth 1 or 2
  bool is_in_params_ = false;
};

}  // namespace

// A request may hold a million of them.
std::string GivenTwice(const Parameters& parameters) {
  absl::flat_hash_set<std::string_view> seen;
  for (const auto& [name, value] : parameters) {
    if (!seen.insert(model::WithoutAt(name)).second) return name;
  }
  return {};
}

std::variant<JsonRequest, std::string> ParseRequestJson(std::string_view text,
                                                        RequestTimeout timeout) {
  RequestReader reader(timeout);
  Json::sax_parse(text, &reader);
  return reader.Finish();
}

}  // namespace palena::wire
