#pragma once

#include "CLI/CLI.hpp"

namespace palena::app {

// Adds --config FILE: names of options as keys, `listen = "127.0.0.1:7400"`, one a line, in TOML.
// What the command line says wins. Whatever is wrong with the file, a key or a value is refused
// with the file's name, the key and the way out.
void AddConfigFile(CLI::App& app);

}  // namespace palena::app
