#include "app/daemon_options.h"

#include <cstdint>
#include <iostream>
#include <limits>

#include "CLI/CLI.hpp"
#include "app/config_file.h"
#include "app/flag_values.h"
#include "app/parse.h"

namespace palena::app {
namespace {

constexpr const char* kAbout =
    "palenad: a key-value node that runs short scripts next to its data.\n"
    "\n"
    "Ephemeral keys live in memory, persistent keys in --data-dir. When the node can serve it\n"
    "prints one line,\n"
    "  ready listen=HOST:PORT node_id=N boot_id=HEX shards=N [http=HOST:PORT]\n"
    "and runs until SIGTERM or SIGINT. Exit status: 0 stopped by a signal, 1 stopped at once by a\n"
    "second one, 2 bad usage or it cannot start, for which the reason is one line (the ready line\n"
    "cannot be written, for one), 3 the data directory is damaged, 4 help could not be printed,\n"
    "70 a write failed, 71 the disk is full.\n";

constexpr const char* kExamples =
    "Examples:\n"
    "  palenad                                        serve on 127.0.0.1:7400, data in "
    "./palena-data\n"
    "  palenad --listen 127.0.0.1:0 --data-dir /tmp/p a free port, another directory\n"
    "  palenad --config palena.toml                   options from a file, whose keys are their "
    "names:\n"
    "                                                   listen = \"127.0.0.1:7400\"\n"
    "  palenad --limits limits.toml                   named limits: palena limits take NAME\n"
    "  palenad --http 127.0.0.1:7480                  HTTP too: curl 127.0.0.1:7480/readyz\n"
    "Then:  palena eval 'eset hello \"world\" ex 60000'\n";

// Without a directory nothing would be kept; a node without one is for embedders only.
std::string RefuseEmpty(const std::string& directory) {
  return directory.empty() ? "the directory's name is empty" : "";
}

// Somebody meant a file: without one there would be no limits.
std::string RefuseNoFile(const std::string& file) {
  return file.empty() ? "the file's name is empty; leave the flag out for no limits" : "";
}

void AddRetention(CLI::App& app, NodeOptions& options) {
  app.add_option("--revision-retention-count", options.revision_retention_count,
                 "versions kept of a persistent key, the newest included; 0 keeps all")
      ->check(WholeNumber(0, std::numeric_limits<std::uint64_t>::max()))
      ->type_name("N")
      ->default_str("0");
  app.add_option("--revision-retention-age", options.revision_retention_age_ms,
                 "how long a superseded version of a persistent key is kept; suffixes ms, s, m, h, "
                 "d; 0s keeps all")
      ->transform(Duration())
      ->type_name("TIME")
      ->default_str("0s");
}

void AddHttp(CLI::App& app, DaemonOptions& options) {
  app.add_option("--http", options.http,
                 "address to serve HTTP on, which is off without; port 0 picks a free one")
      ->type_name("HOST:PORT");
  app.add_option("--http-max-connections", options.http_connections_max,
                 "HTTP connections above are closed at once")
      ->check(WholeNumber(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
}

void AddFlags(CLI::App& app, DaemonOptions& options) {
  app.add_option("--listen", options.listen, "address to serve on; port 0 picks a free one")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  app.add_option("--limits", options.limits,
                 "named limits, a TOML file (docs/named_limits.md); SIGHUP reads it again")
      ->check(CLI::Validator(RefuseNoFile, "", "file"))
      ->type_name("FILE");
  AddHttp(app, options);
  app.add_option("--data-dir", options.node.data_dir,
                 "where persistent keys live; made when missing")
      ->check(CLI::Validator(RefuseEmpty, "", "directory"))
      ->type_name("DIR")
      ->capture_default_str();
  app.add_option("--shards", options.node.shards,
                 "threads that own keys, 1 to 256 (default: one per hardware thread)")
      ->check(WholeNumber(1, 256))
      ->type_name("N");
  app.add_option("--node-id", options.node.node_id, "identifies this node in stamps, 1 to 65535")
      ->check(WholeNumber(1, 65535))
      ->type_name("N")
      ->capture_default_str();
  app.add_option("--max-memory", options.node.memory_bytes_max,
                 "budget for keys and values in memory; suffixes KiB, MiB, GiB")
      ->transform(Size())
      ->type_name("BYTES")
      ->default_str("4GiB");
  app.add_option("--ephemeral-history", options.node.ephemeral_history_bytes,
                 "budget for older versions of ephemeral keys")
      ->transform(Size())
      ->type_name("BYTES")
      ->default_str("64MiB");
  AddRetention(app, options.node);
  AddChoice(app, "--eviction", options.node.eviction,
            Choices<Eviction>{{"none", Eviction::kNone}, {"lru", Eviction::kLru}},
            "when memory is full: refuse growing writes (none), or drop the least recently used "
            "ephemeral keys (lru)")
      ->type_name("none|lru")
      ->default_str("none");
  app.add_option("--max-connections", options.connections_max,
                 "connections above are closed at once")
      ->check(WholeNumber(1, 1'000'000))
      ->type_name("N")
      ->capture_default_str();
  AddChoice(app, "--fast-path", options.node.fast_path, Choices<bool>{{"on", true}, {"off", false}},
            "off sends every run through the general path; answers are the same")
      ->type_name("on|off")
      ->default_str("on");
  app.add_flag("--insecure", options.is_insecure,
               "allow a --listen or --http address beyond loopback: anybody who reaches it may run "
               "scripts");
  app.add_flag("--hostile", options.is_hostile)->group("");
  AddConfigFile(app);
  app.set_version_flag("--version", "palenad " PALENA_VERSION);
}

}  // namespace

std::optional<int> ParseDaemonOptions(int argc, char** argv, DaemonOptions& options) {
  options.node.data_dir = "./palena-data";
  CLI::App app(kAbout, "palenad");
  app.footer(kExamples);
  UseHelpFormat(app);
  AddFlags(app, options);
  return Parse(app, argc, argv, std::cout, std::cerr);
}

}  // namespace palena::app
