// Two limits in one decision, a user's and a tenant's: both are charged, or neither is.

#include <palena/node.h>

#include <cstdio>
#include <string>

constexpr const char* kTake = R"(
  let taken = eget @key
  if not found then
    eset @key 1 ex 60000
    return 1
  end
  if to_int(taken) >= to_int(@limit) then
    return 0
  end
  eset @key to_int(taken) + 1 keepttl
  return 1
)";

const char* Decide(palena::Node& node, const std::string& user, const std::string& tenant) {
  palena::Many many;
  many.calls = {{kTake, {{"@key", "user/" + user}, {"@limit", "2"}}},
                {kTake, {{"@key", "tenant/" + tenant}, {"@limit", "3"}}}};
  const palena::ManyResult result = node.ExecuteMany(many);
  if (!result.ok()) return "failed";  // result.verdict.reason says why, and in which call
  if (result.is_applied()) return "allowed";
  return result.refused.front() == 0 ? "refused by the user's limit" : "refused by the tenant's";
}

int main() {
  auto node = palena::Node::Open({.threading = palena::Threading::kInline});
  if (!node.ok()) return std::fprintf(stderr, "%s\n", node.status().message().c_str()), 1;
  for (const char* user : {"ada", "ada", "ada", "bob", "bob"}) {
    std::printf("%s: %s\n", user, Decide(**node, user, "acme"));
  }
}
