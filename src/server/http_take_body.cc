#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/limits.h"
#include "nlohmann/json.hpp"
#include "server/http_take.h"

namespace palena::server {
namespace {

using Json = nlohmann::json;

// The texts that the wishes refer to; a list would do, were its elements not to stay in place.
struct Texts {
  std::vector<std::unique_ptr<std::string>> kept;

  std::string_view Keep(std::string text) {
    return *kept.emplace_back(std::make_unique<std::string>(std::move(text)));
  }
};

// Reads one body. The first thing that is wrong is in `error`.
class ManyReader {
 public:
  explicit ManyReader(const TakeShape& shape) { call_.shape = shape; }

  std::variant<TakeCall, HttpFailure> Read(const Json& body) {
    if (!body.is_object()) return Refuse("it is no object");
    for (const auto& [name, value] : body.items()) {
      if (name == "timeout_ms") {
        ReadWhole(name, value, 1, call_.timeout_ms);
      } else if (name == "limits") {
        ReadLimits(value);
      } else {
        Fail("unknown member \"" + name + "\"; \"limits\" and \"timeout_ms\" are known");
      }
      if (!error_.empty()) return Refuse(error_);
    }
    if (call_.wishes.empty()) return Refuse("\"limits\" is missing or empty");
    for (std::size_t i = 0; i < call_.wishes.size(); ++i) call_.wishes[i].parts = call_.parts[i];
    call_.owned = std::move(texts_);
    return std::move(call_);
  }

 private:
  static HttpFailure Refuse(const std::string& why) {
    return {HttpError::kMalformed, "Malformed body: " + why};
  }
  void Fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  void ReadLimits(const Json& list) {
    if (!list.is_array()) return Fail("\"limits\" is no array");
    if (list.size() > limits::kWishesMax) {
      return Fail(
          absl::StrCat("\"limits\" has ", list.size(), " elements, at most ", limits::kWishesMax));
    }
    for (const Json& wish : list) ReadWish(wish);
  }

  void ReadWish(const Json& json) {
    if (!json.is_object()) return Fail("an element of \"limits\" is no object");
    model::TakeWish wish;
    std::vector<model::TakePart> parts;
    for (const auto& [name, value] : json.items()) {
      if (name == "name") {
        ReadText(name, value, wish.limit);
      } else if (name == "owner") {
        ReadText(name, value, wish.owner);
      } else if (name == "cost") {
        ReadWhole(name, value, 0, wish.cost);
      } else if (name == "subject") {
        AddPart("subject", value, parts);
      } else if (name == "parts") {
        ReadParts(value, parts);
      } else {
        Fail("unknown member \"" + name +
             "\" of a limit; \"name\", \"subject\", \"parts\", \"cost\" and \"owner\" are known");
      }
    }
    if (!json.contains("name")) Fail("an element of \"limits\" has no \"name\"");
    call_.wishes.push_back(wish);
    call_.parts.push_back(std::move(parts));
  }

  void ReadParts(const Json& json, std::vector<model::TakePart>& parts) {
    if (!json.is_object()) return Fail("\"parts\" is no object");
    for (const auto& [name, value] : json.items()) {
      AddPart(texts_->Keep(name), value, parts);
    }
  }

  void AddPart(std::string_view name, const Json& value, std::vector<model::TakePart>& parts) {
    model::TakePart part{name, {}};
    ReadText(std::string(name), value, part.value);
    parts.push_back(part);
  }

  void ReadText(const std::string& name, const Json& value, std::string_view& out) {
    if (!value.is_string()) return Fail("\"" + name + "\" is no string");
    out = texts_->Keep(value.get<std::string>());
  }

  void ReadWhole(const std::string& name, const Json& value, std::int64_t min, std::int64_t& out) {
    const bool fits =
        value.is_number_integer() &&
        (!value.is_number_unsigned() || std::in_range<std::int64_t>(value.get<std::uint64_t>()));
    if (!fits || value.get<std::int64_t>() < min) {
      return Fail(absl::StrCat("\"", name, "\" is not a whole number of at least ", min));
    }
    out = value.get<std::int64_t>();
  }

  TakeCall call_;
  std::shared_ptr<Texts> texts_ = std::make_shared<Texts>();
  std::string error_;
};

}  // namespace

std::variant<TakeCall, HttpFailure> ReadTakeMany(const HttpTarget& target,
                                                 const HttpRequest& request) {
  if (request.body.size() > base::kHttpTakeBodyBytesMax) {
    return HttpFailure{HttpError::kBodyTooLarge,
                       absl::StrCat("The body is too large: ", request.body.size(),
                                    " bytes, at most ", base::kHttpTakeBodyBytesMax)};
  }
  for (const auto& [name, value] : target.query) {
    if (name != "deny_status") {
      return HttpFailure{
          HttpError::kMalformed,
          absl::StrCat("The parameter \"", name,
                       "\" belongs into the body; only \"deny_status\" may be here")};
    }
  }
  TakeShape shape;
  if (auto failure = ReadDenyStatus(target, shape)) return *failure;
  shape.is_many = true;
  const Json body = Json::parse(request.body, nullptr, /*allow_exceptions=*/false);
  if (body.is_discarded()) {
    return HttpFailure{HttpError::kMalformed, "Malformed body: it is no JSON"};
  }
  return ManyReader(shape).Read(body);
}

}  // namespace palena::server
