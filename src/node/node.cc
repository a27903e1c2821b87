#include "palena/node.h"

#include <span>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "base/clock.h"
#include "model/public_result.h"
#include "node/inline_node.h"
#include "node/node_impl.h"
#include "node/threaded_node.h"

namespace palena {
namespace {

// On the stack for as many parameters as scripts by hand have.
using Views = absl::InlinedVector<model::ParameterView, 16>;

Views ViewsOf(const Parameters& parameters) {
  Views views;
  views.reserve(parameters.size());
  for (const auto& [name, value] : parameters) views.push_back({name, -1, value});
  return views;
}

engine::Call CallOf(std::string_view script, const Views& parameters) {
  engine::Call call;
  call.request.script = script;
  call.request.parameters = parameters;
  return call;
}

engine::Call CallOf(const PreparedProgram& program, Node::Values values) {
  engine::Call call;
  call.program = &program.impl().program;
  call.values = values;
  return call;
}

// What an engine::ManyCall refers to.
class ManyCallOf {
 public:
  explicit ManyCallOf(const Many& many) {
    views_.reserve(many.calls.size() + many.otherwise.size());
    for (const auto* list : {&many.calls, &many.otherwise}) {
      for (const ManyCall& call : *list) Add(call);
    }
    const std::span<const engine::ProgramCall> all = calls_;
    call_.calls = all.first(many.calls.size());
    call_.otherwise = all.subspan(many.calls.size());
    call_.timeout_ms = many.timeout_ms;
  }
  const engine::ManyCall& call() const { return call_; }

 private:
  void Add(const ManyCall& call) {
    views_.push_back(ViewsOf(call.parameters));
    engine::ProgramCall& added = calls_.emplace_back();
    added.request.script = call.script;
    added.request.parameters = views_.back();
    added.is_required = call.is_required;
  }

  std::vector<Views> views_;
  std::vector<engine::ProgramCall> calls_;
  engine::ManyCall call_;
};

bool Fits(const PreparedProgram& program, Node::Values values) {
  return values.size() <= program.parameters().size();
}

Result TooManyValues(const PreparedProgram& program, Node::Values values) {
  return model::ToPublic(
      model::Result::Failure({model::Code::kMalformed,
                              std::to_string(values.size()) + " values for a program with " +
                                  std::to_string(program.parameters().size()) + " parameters",
                              0, ""}));
}

template <typename Kind>
StatusOr<std::unique_ptr<Node>> OpenAs(const NodeOptions& options,
                                       std::shared_ptr<const base::Clock> clock,
                                       const base::Capacities& capacities) {
  auto impl = Kind::Open(options, std::move(clock), capacities);
  if (!impl.ok()) return model::ToPublic(impl.status());
  return std::make_unique<Node>(*std::move(impl));
}

}  // namespace

std::string_view PreparedProgram::text() const {
  return impl_->program->text();
}

std::span<const std::string> PreparedProgram::parameters() const {
  return impl_->program->parameters();
}

StatusOr<std::unique_ptr<Node>> Node::Impl::Open(const NodeOptions& options,
                                                 std::shared_ptr<const base::Clock> clock,
                                                 const base::Capacities& capacities) {
  return options.threading == Threading::kInline
             ? OpenAs<node::InlineNode>(options, std::move(clock), capacities)
             : OpenAs<node::ThreadedNode>(options, std::move(clock), capacities);
}

StatusOr<std::unique_ptr<Node>> Node::Open(const NodeOptions& options) {
  return Impl::Open(options, std::make_shared<base::SystemClock>());
}

Node::Node(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Node::~Node() = default;

StatusOr<PreparedProgram> Node::Prepare(std::string_view script) {
  model::ScriptOr<engine::ProgramPtr> program = impl_->engine().Prepare(script);
  if (!program.ok()) return Status(StatusCode::kInvalidArgument, program.error().ToReason());
  return PreparedProgram(std::make_shared<PreparedProgram::Impl>(*std::move(program)));
}

Result Node::Execute(std::string_view script, const Parameters& parameters) {
  Result result;
  impl_->Execute(CallOf(script, ViewsOf(parameters)), result);
  return result;
}

Result Node::Execute(const PreparedProgram& program, Values values) {
  Result result;
  Execute(program, values, result);
  return result;
}

void Node::Execute(const PreparedProgram& program, Values values, Result& result) {
  if (!Fits(program, values)) {
    result = TooManyValues(program, values);
  } else {
    impl_->Execute(CallOf(program, values), result);
  }
}

void Node::ExecuteAsync(std::string_view script, const Parameters& parameters, Callback done) {
  impl_->ExecuteAsync(CallOf(script, ViewsOf(parameters)), std::move(done));
}

void Node::ExecuteAsync(const PreparedProgram& program, Values values, Callback done) {
  if (!Fits(program, values)) return done(TooManyValues(program, values));
  impl_->ExecuteAsync(CallOf(program, values), std::move(done));
}

ManyResult Node::ExecuteMany(const Many& many) {
  ManyResult result;
  impl_->ExecuteMany(ManyCallOf(many).call(), result);
  return result;
}

void Node::ExecuteManyAsync(const Many& many, ManyCallback done) {
  impl_->ExecuteManyAsync(ManyCallOf(many).call(), std::move(done));
}

std::optional<std::chrono::milliseconds> Node::Poll() {
  return impl_->Poll();
}

}  // namespace palena
