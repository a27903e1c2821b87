#include "app/cli_batch_line.h"

#include <utility>

#include "app/cli_parameters.h"
#include "nlohmann/json.hpp"

namespace palena::app {
namespace {

using Json = nlohmann::json;

// Reads the events of the JSON parser instead of its tree: so a number arrives as it was written
// (1e3 stays 1e3), and depth costs nothing.
class BatchLineReader final : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return Scalar("null", std::nullopt); }
  bool boolean(bool value) override { return Scalar("boolean", value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override {
    return Scalar("number", std::to_string(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return Scalar("number", std::to_string(value));
  }
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
    if (key_ != "script" && key_ != "params") {
      return Fail("unknown member \"" + key_ + "\"; \"script\" and \"params\" are known");
    }
    bool& has_it = is_in_params_ ? has_params_ : has_script_;
    if (has_it) return Fail("\"" + key_ + "\" is there twice");
    has_it = true;
    return true;
  }
  bool parse_error(std::size_t position, const std::string& /*last_token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return Fail("not JSON at byte " + std::to_string(position));
  }

  std::variant<BatchRequest, std::string> Finish() {
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

  bool Scalar(const std::string& kind, std::optional<std::string> text) {
    if (depth_ == 0) return Fail("a " + kind + " instead of an object");
    if (depth_ == 1 && key_ == "script") return Fail("\"script\" is a " + kind + ", not a string");
    if (depth_ == 1 && is_in_params_) return Fail("\"params\" is a " + kind + ", not an object");
    if (depth_ == 2 && is_in_params_) {
      if (!text) return Fail("parameter \"" + key_ + "\" is null");
      request_.parameters.emplace_back(key_, *std::move(text));
    }
    return true;
  }

  bool Open(const std::string& kind) {
    if (depth_ == 0 && kind != "object") return Fail("an array instead of an object");
    if (depth_ == 1 && key_ == "script") return Fail("\"script\" is an " + kind);
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

  BatchRequest request_;
  bool has_script_ = false;
  bool has_params_ = false;
  std::string error_;
  int depth_ = 0;
  std::string key_;  // of the member that is being read, at depth 1 or 2
  bool is_in_params_ = false;
};

}  // namespace

std::variant<BatchRequest, std::string> ParseBatchLine(std::string_view line) {
  BatchLineReader reader;
  Json::sax_parse(line, &reader);
  return reader.Finish();
}

Result MalformedLine(std::string reason) {
  Result result;
  result.type = ResultType::kInvalidInput;
  result.code = "MALFORMED";
  result.reason = "Malformed line: " + std::move(reason);
  result.applied = Applied::kNo;
  return result;
}

}  // namespace palena::app
