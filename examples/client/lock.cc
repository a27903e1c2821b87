// Takes a lock for a minute on a running palenad: lock [HOST:PORT] NAME OWNER. Exit status: 0 it is
// ours, 1 another holds it or the script failed, 2 bad usage, 3 no answer from the node.

#include <palena/client.h>

#include <cstdio>
#include <string>

constexpr const char* kTake = R"(
  eset @lock @owner nx ex 60000
  if not set then
    let holder = eget @lock
    return holder
  end
  return @owner
)";

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) {
    std::fprintf(stderr, "usage: lock [HOST:PORT] NAME OWNER\n");
    return 2;
  }
  const std::string name = argv[argc - 2];
  const std::string owner = argv[argc - 1];
  palena::ClientOptions options;
  if (argc == 4) options.address = argv[1];

  auto client = palena::Client::Connect(options);
  if (!client.ok()) {
    std::fprintf(stderr, "%s\n", client.status().message().c_str());
    return 3;
  }
  auto result = (*client)->Execute(kTake, {{"lock", name}, {"owner", owner}});
  if (!result.ok()) {  // no answer: whether the lock was taken is unknown
    std::fprintf(stderr, "%s\n", result.status().message().c_str());
    return 3;
  }
  if (!result->ok()) {  // an answer, and it is a failure: nothing was written
    std::fprintf(stderr, "%s: %s\n", result->code.c_str(), result->reason.c_str());
    return 1;
  }
  std::printf("%s is held by %s\n", name.c_str(), std::string(result->text()).c_str());
  return result->text() == owner ? 0 : 1;
}
