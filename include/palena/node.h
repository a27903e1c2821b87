#pragma once

// palena::Node: the store and its script engine inside your process, without a socket.
//
//   auto node = palena::Node::Open({.data_dir = "data"});
//   palena::Result r = (*node)->Execute("eset @k 1 nx  return 1", {{"@k", "hello"}});
//
// A node owns one thread per shard, plus one that writes and one that reads the disk. All calls are
// safe from any thread. Runs are atomic, ordered and durable exactly as over the network.

#include <functional>
#include <memory>
#include <string_view>

#include "palena/options.h"
#include "palena/result.h"
#include "palena/status.h"

namespace palena {

class Node {
 public:
  // Recovers the data directory and starts the shards. Errors: kInvalidArgument (an option),
  // kFailedPrecondition (directory in use by another process), kPermissionDenied, kDataLoss.
  static StatusOr<std::unique_ptr<Node>> Open(const NodeOptions& options);
  // Waits for runs in flight and for their commits, then stops.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Runs a script and waits until its effects are durable. Not from a callback.
  Result Execute(std::string_view script, const Parameters& parameters = {});
  // Runs a script; `done` is called exactly once, on a shard's thread, and must not block.
  void ExecuteAsync(std::string_view script, const Parameters& parameters,
                    std::function<void(Result)> done);

 private:
  class Impl;
  explicit Node(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace palena
