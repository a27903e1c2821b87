// Gives a fuzz target the kept inputs, one after the other: the main of every build that has no
// libFuzzer. Arguments are files, and folders of files. Before each input its path is printed, so
// that the last line before a crash names the input that caused it.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "base/read_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> InputsUnder(const fs::path& path) {
  if (!fs::is_directory(path)) return {path};
  std::vector<fs::path> inputs;
  for (const auto& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file()) inputs.push_back(entry.path());
  }
  std::sort(inputs.begin(), inputs.end());
  return inputs;
}

void Replay(const fs::path& input) {
  std::printf("%s\n", input.c_str());
  std::fflush(stdout);
  const std::string bytes = palena::base::ReadFile(input);
  // Exactly as long as the input, so that a sanitizer sees every byte that is read behind it.
  const std::vector<std::uint8_t> exact(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t count = 0;
  for (int i = 1; i < argc; ++i) {
    if (!fs::exists(argv[i])) continue;  // a target without findings has no folder for them
    for (const fs::path& input : InputsUnder(argv[i])) {
      Replay(input);
      ++count;
    }
  }
  if (count == 0) {
    std::fprintf(stderr, "replay: no inputs under the %d given paths\n", argc - 1);
    return 2;
  }
  std::printf("replayed %zu inputs\n", count);
  return 0;
}
