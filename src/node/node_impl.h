#pragma once

// What is behind palena::Node: one implementation per kind of threading. The facade (node.cc) turns
// what an embedder says into an engine::Call.

#include <chrono>
#include <memory>
#include <optional>

#include "base/capacities.h"
#include "base/clock.h"
#include "engine/call.h"
#include "engine/engine.h"
#include "palena/node.h"

namespace palena {

class PreparedProgram::Impl {
 public:
  explicit Impl(engine::ProgramPtr compiled) : program(std::move(compiled)) {}
  const engine::ProgramPtr program;
};

class Node::Impl {
 public:
  // A node on a clock and with capacities of the caller's choice; Node::Open takes the system's,
  // and the usual ones.
  static StatusOr<std::unique_ptr<Node>> Open(const NodeOptions& options,
                                              std::shared_ptr<const base::Clock> clock,
                                              const base::Capacities& capacities = {});
  // Answers every call, then stops.
  virtual ~Impl() = default;

  // As in palena/node.h. Where the answer goes is filled in here.
  virtual void Execute(engine::Call call, Result& result) = 0;
  virtual void ExecuteAsync(engine::Call call, Callback done) = 0;
  virtual void ExecuteMany(engine::ManyCall call, ManyResult& result) = 0;
  virtual void ExecuteManyAsync(engine::ManyCall call, ManyCallback done) = 0;
  virtual std::optional<std::chrono::milliseconds> Poll() = 0;
  virtual engine::Engine& engine() = 0;
};

}  // namespace palena
