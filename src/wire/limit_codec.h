#pragma once

// The messages of named limits; rules as in codec.h, which includes this.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"
#include "model/take.h"

namespace palena::wire {

struct TakeRequest {
  model::TakeRequest request;  // refers to the decoder's reused storage
};
struct ResetLimitRequest {
  model::TakeWish wish;  // the same
};
struct ListLimitsRequest {};

// What a request refers to, reused from one to the next.
class TakeStorage {
 public:
  void Clear();
  // InvalidArgument for what is no such message, or has more wishes or parts than make sense.
  base::Status DecodeTake(std::string_view message, model::TakeRequest& out);
  base::Status DecodeReset(std::string_view message, model::TakeWish& out);

 private:
  base::Status AddWish(std::string_view message);
  void ReferToParts();

  std::vector<model::TakeWish> wishes_;
  std::vector<std::size_t> first_parts_;  // of each wish, in parts_
  std::vector<model::TakePart> parts_;
};

struct LimitInfo {
  std::string name;
  std::string limiter;
  std::string key;
  std::vector<std::pair<std::string, std::string>> parameters;
  bool is_persistent = false;
  bool is_shadow = false;
  bool allows_on_error = false;
  bool has_leases = false;
  std::uint64_t allowed = 0;
  std::uint64_t denied = 0;
  std::uint64_t shadow_denied = 0;
  std::uint64_t errors = 0;
};
struct RefusedSubject {
  std::string limit;
  std::string subject;  // any bytes
  std::uint64_t refused = 0;
  std::uint64_t over_by = 0;
};
struct LimitList {
  std::string file;
  std::vector<LimitInfo> limits;
  std::vector<RefusedSubject> refused;
};

// Client side.
void AppendTake(std::string& out, std::uint64_t id, const model::TakeRequest& request);
void AppendResetLimit(std::string& out, std::uint64_t id, const model::TakeWish& wish);
void AppendListLimits(std::string& out, std::uint64_t id);
base::Status DecodeTakeReply(std::string_view message, model::TakeAnswer& out);
base::Status DecodeLimitList(std::string_view message, LimitList& out);

// Server side. Of an answer with a fault only kUndecided has a place in a TakeReply; others are
// told by AppendResult.
void AppendTakeReply(std::string& out, std::uint64_t id, const model::TakeAnswer& answer);
void AppendLimitList(std::string& out, std::uint64_t id, const LimitList& list);

}  // namespace palena::wire
