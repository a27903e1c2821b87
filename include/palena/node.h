#pragma once

// palena::Node: the store and its script engine inside your process, without a socket.
//
//   auto node = palena::Node::Open({.data_dir = "data"});
//   palena::Result r = (*node)->Execute("eset @k 1 nx  return 1", {{"@k", "hello"}});
//
// Runs are atomic, ordered and durable exactly as over the network.
//
// Threads (NodeOptions::threading). With kThreads a node owns one thread per shard, plus one that
// writes and one that reads the disk, and all calls are safe from any thread. With kInline it owns
// none: it belongs to the thread that opened it, which is its only shard; a call from another
// thread is a bug and ends the process. Work then happens inside Execute, Poll and the destructor:
// runs, disk reads and synced writes, timers, the removal of expired keys, and callbacks.
//
// A script that fails is a Result with ok() false. When the disk refuses a commit the node has
// failed for good: what waits for the disk is answered with NO_SPACE or CORRUPTION and
// Applied::kUnknown, everything after it with Applied::kNo. Destroy such a node, and open another
// once the disk is mended: it recovers what was durable.

#include <chrono>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "palena/many.h"
#include "palena/options.h"
#include "palena/result.h"
#include "palena/status.h"

namespace palena {

// A compiled script: a small handle, cheap to copy, that no run looks up again. Immutable, for any
// thread; may outlive the node that prepared it and serve another.
class PreparedProgram {
 public:
  std::string_view text() const;
  // Names of the parameters with '@', in slot order: the order of Execute's values.
  std::span<const std::string> parameters() const;

  class Impl;  // opaque
  explicit PreparedProgram(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

class Node {
 public:
  // Values of a prepared program's parameters, by slot. Those that are missing at the end are
  // undefined in the script; more than it has parameters is refused (MALFORMED).
  using Values = std::span<const std::string_view>;
  using Callback = std::function<void(Result)>;
  using ManyCallback = std::function<void(ManyResult)>;

  // Recovers the data directory and starts the shards. Errors: kInvalidArgument (an option),
  // kFailedPrecondition (directory in use by another process), kPermissionDenied, kDataLoss.
  static StatusOr<std::unique_ptr<Node>> Open(const NodeOptions& options);
  // Waits for runs in flight and for their commits (at most 10 s), then stops. Every callback has
  // been called when it returns. Not from a callback.
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Compiles a script. kInvalidArgument: the script's error and its line.
  StatusOr<PreparedProgram> Prepare(std::string_view script);

  // Runs a script and waits until its effects are durable. Not from a callback: with kThreads it
  // would wait for its own thread, with kInline it ends the process. With kInline other work of the
  // node goes on meanwhile, and when only time can help the thread sleeps.
  Result Execute(std::string_view script, const Parameters& parameters = {});
  Result Execute(const PreparedProgram& program, Values values);
  // The same, into a result of an earlier run, whose memory is used again. With kInline a warm run
  // on ephemeral keys with a small answer then allocates nothing.
  void Execute(const PreparedProgram& program, Values values, Result& result);

  // Runs a script; `done` is called exactly once and must neither block nor throw; it may call
  // ExecuteAsync. With kThreads it is called on a shard's thread, with kInline inside a later
  // Execute, Poll or the destructor; for a refusal before the run (a syntax error) also before this
  // returns.
  void ExecuteAsync(std::string_view script, const Parameters& parameters, Callback done);
  void ExecuteAsync(const PreparedProgram& program, Values values, Callback done);

  // Runs several scripts as one, all or none (many.h). Blocking, and with a callback, as above.
  ManyResult ExecuteMany(const Many& many);
  void ExecuteManyAsync(const Many& many, ManyCallback done);

  // With kInline: does what is due, for about a millisecond (a synced write takes as long as it
  // takes), and tells after how long it should be called again: at once (0) when more is due, and
  // at the latest then (timers are due about ten times a second). With kThreads: nothing to do,
  // and nullopt. Not from a callback.
  std::optional<std::chrono::milliseconds> Poll();

  Result Execute(const PreparedProgram& program, std::initializer_list<std::string_view> values) {
    return Execute(program, Values(values.begin(), values.size()));
  }
  void Execute(const PreparedProgram& program, std::initializer_list<std::string_view> values,
               Result& result) {
    Execute(program, Values(values.begin(), values.size()), result);
  }

  class Impl;  // opaque
  explicit Node(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace palena
