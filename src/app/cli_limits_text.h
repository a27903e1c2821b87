#pragma once

// What `palena limits` prints, without line breaks at the end.

#include <string>

#include "app/cli_limits_options.h"
#include "palena/named_limits.h"

namespace palena::app {

// {"allowed":…,"limit":…,"remaining":…,"retry_after_ms":…,"reset_at_ms":…,"name":…}, the same as
// over HTTP; for renew and release {"held":…,"name":…}; when the node could not decide
// {"allowed":…,"retry_after_ms":…,"code":…,"reason":…,"line":…}.
std::string TakeJson(const TakeResult& result, LimitsAction action);
// "login: allowed, limit=10 remaining=9 retry_after_ms=0 reset_at_ms=…", or "slots: renewed".
std::string TakeText(const TakeResult& result, LimitsAction action);

std::string LimitListJson(const LimitList& list);
std::string LimitListText(const LimitList& list);

}  // namespace palena::app
