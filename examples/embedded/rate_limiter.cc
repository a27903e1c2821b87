// A rate limiter inside a process: at most three requests a client and minute.

#include <palena/node.h>

#include <cstdio>
#include <string_view>
#include <utility>

class RateLimiter {
 public:
  RateLimiter(palena::Node& node, palena::PreparedProgram take)
      : node_(node), take_(std::move(take)) {}

  bool Allows(std::string_view client) {
    node_.Execute(take_, {client, "60000", "3"}, answer_);  // in the order of the script's @names
    return answer_.ok() && answer_.text() == "allowed";
  }

 private:
  palena::Node& node_;
  const palena::PreparedProgram take_;
  palena::Result answer_;  // used again and again: a warm call allocates nothing
};

constexpr std::string_view kTake = R"(
  let taken = eget @client
  if not found then
    eset @client 1 ex @window_ms
    return "allowed"
  end
  if to_int(taken) >= to_int(@limit) then
    return "refused"
  end
  eset @client to_int(taken) + 1 keepttl
  return "allowed"
)";

int Fail(const palena::Status& status) {
  std::fprintf(stderr, "%s\n", status.message().c_str());
  return 1;
}

int main() {
  auto node = palena::Node::Open({.threading = palena::Threading::kInline});
  if (!node.ok()) return Fail(node.status());
  auto take = (*node)->Prepare(kTake);
  if (!take.ok()) return Fail(take.status());

  RateLimiter limiter(**node, *take);
  for (const char* client : {"ada", "ada", "bob", "ada", "ada", "bob"}) {
    std::printf("%s: %s\n", client, limiter.Allows(client) ? "allowed" : "refused");
  }
}
