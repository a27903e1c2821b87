#pragma once

#include <string>
#include <string_view>

namespace palena::script {

// The same script on persistent keys: every e-form becomes the plain one (eset → set, eget → get,
// edelete → delete, edel → del, eextend → extend, eexists → exists, escan → scan). Only keywords
// change, never text in quotes, backticks or comments, and no line moves. From the first place that
// is no token on the text stays as it is: it will be refused anyway. Pure.
std::string RewriteEphemeralToPersistent(std::string_view source);

}  // namespace palena::script
