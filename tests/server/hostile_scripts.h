#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/result.h"
#include "palena/result.h"

namespace palena::server {

// A script that wants too much, and the one answer that it may get.
struct HostileScript {
  std::string name;
  std::string script;
  Parameters parameters;
  model::ResultType type = model::ResultType::kGet;
  model::Code code = model::Code::kNone;
  int line = 0;
  std::string reason;  // a part of it
};

// Scripts that are refused before they run, or that run and try the limits of the language.
std::vector<HostileScript> DeepScripts();
std::vector<HostileScript> HugeLiterals();
std::vector<HostileScript> ImpossibleSums();
std::vector<HostileScript> Bombs();
std::vector<HostileScript> EndlessLoops();
std::vector<HostileScript> EndlessWork();  // the same limit in few instructions
std::vector<HostileScript> Throws();
std::vector<HostileScript> HugeParameters();
std::vector<HostileScript> StoreLimits();

// All of the above.
std::vector<HostileScript> AllHostileScripts();

// `text` over and over.
std::string Times(std::size_t count, std::string_view text);

}  // namespace palena::server
