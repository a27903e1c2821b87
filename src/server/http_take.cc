#include "server/http_take.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace palena::server {
namespace {

using model::TakeMode;
using model::TakePart;

constexpr int kDenyStatuses[] = {403, 429, 503};

absl::string_view Text(std::string_view text) {
  return {text.data(), text.size()};
}

HttpFailure Malformed(std::string message) {
  return {HttpError::kMalformed, std::move(message)};
}

bool IsPart(std::string_view name) {
  return std::ranges::find(kTakeParameters, name) == std::end(kTakeParameters);
}

// The parameter as a whole number of at least `min`; `out` stays when there is none.
std::optional<HttpFailure> ReadNumber(const HttpTarget& target, std::string_view name,
                                      std::int64_t min, std::int64_t& out) {
  const std::string* const text = target.Find(name);
  if (text == nullptr) return std::nullopt;
  std::int64_t number = 0;
  // SimpleAtoi takes blanks and a plus sign.
  const bool is_plain = text->find_first_not_of("-0123456789") == text->npos;
  if (is_plain && absl::SimpleAtoi(*text, &number) && number >= min) {
    out = number;
    return std::nullopt;
  }
  return Malformed(absl::StrCat("The parameter \"", Text(name), "\" is \"", *text,
                                "\", not a whole number of at least ", min));
}

}  // namespace

std::optional<HttpFailure> ReadDenyStatus(const HttpTarget& target, TakeShape& shape) {
  std::int64_t status = kDenyStatus;
  if (auto failure = ReadNumber(target, "deny_status", 0, status)) return failure;
  if (std::ranges::find(kDenyStatuses, status) == std::end(kDenyStatuses)) {
    return Malformed(absl::StrCat("The parameter \"deny_status\" is ", status,
                                  "; 403, 429 or 503 are possible"));
  }
  shape.deny_status = static_cast<int>(status);
  shape.has_deny_status = target.Find("deny_status") != nullptr;
  return std::nullopt;
}

namespace {

std::optional<HttpFailure> AddParts(const HttpTarget& target, const HttpRequest& request,
                                    std::vector<TakePart>& parts) {
  for (const auto& [name, value] : target.query) {
    if (IsPart(name)) parts.push_back({name, value});
  }
  for (const auto& [name, value] : request.part_headers) {
    const auto same = [&part_name = name](const TakePart& part) { return part.name == part_name; };
    if (!IsPart(name)) {
      return Malformed(
          absl::StrCat("\"", name, "\" cannot be given by a header; it is a parameter"));
    }
    if (std::ranges::any_of(parts, same)) {
      return Malformed(absl::StrCat(
          "The part \"", name, "\" is given twice: by headers, or by a header and a parameter"));
    }
    parts.push_back({name, value});
  }
  return std::nullopt;
}

}  // namespace

std::uint64_t TakeShape::Pack() const {
  return static_cast<std::uint64_t>(mode) | std::uint64_t{is_many} << 8 |
         std::uint64_t{has_deny_status} << 9 | static_cast<std::uint64_t>(deny_status) << 16;
}

TakeShape TakeShape::Unpack(std::uint64_t packed) {
  TakeShape shape;
  shape.mode = static_cast<TakeMode>(packed & 0xFF);
  shape.is_many = (packed >> 8 & 1) != 0;
  shape.has_deny_status = (packed >> 9 & 1) != 0;
  shape.deny_status = static_cast<int>(packed >> 16);
  return shape;
}

std::variant<TakeCall, HttpFailure> ReadTake(TakeMode mode, std::string_view limit,
                                             const HttpTarget& target, const HttpRequest& request) {
  if (!request.body.empty()) {
    return Malformed("The request has a body; its parameters belong into the address");
  }
  TakeCall call;
  call.shape.mode = mode;
  model::TakeWish wish;
  wish.limit = limit;
  if (auto failure = ReadDenyStatus(target, call.shape)) return *failure;
  if (auto failure = ReadNumber(target, "cost", 0, wish.cost)) return *failure;
  if (auto failure = ReadNumber(target, "timeout_ms", 1, call.timeout_ms)) return *failure;
  if (const std::string* const owner = target.Find("owner")) wish.owner = *owner;
  if (auto failure = AddParts(target, request, call.parts.emplace_back())) return *failure;
  wish.parts = call.parts.back();
  call.wishes.push_back(wish);
  return call;
}

std::variant<std::vector<TakePart>, HttpFailure> ReadParts(std::string_view subject,
                                                           const HttpTarget& target,
                                                           const HttpRequest& request) {
  for (const auto& [name, value] : target.query) {
    if (!IsPart(name)) return Malformed(absl::StrCat("The parameter \"", name, "\" is for takes"));
  }
  std::vector<TakePart> parts{{"subject", subject}};
  if (auto failure = AddParts(target, request, parts)) return *failure;
  return parts;
}

}  // namespace palena::server
