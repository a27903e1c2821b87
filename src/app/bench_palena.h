#pragma once

#include <string>
#include <vector>

#include "app/bench_protocol.h"
#include "model/request.h"
#include "wire/codec.h"

namespace palena::app {

// Palena's own protocol: shakes hands, prepares the script, then executes it by its id with
// parameters by slot, so that a request costs the generator little more than its bytes.
class PalenaProtocol final : public BenchProtocol {
 public:
  // `script` must outlive the protocol. `names`: of the templates, with '@', in their order.
  PalenaProtocol(std::string_view script, std::vector<std::string> names)
      : script_(script), names_(std::move(names)) {}

  void Start(std::string& out) override;
  Step Next(std::string_view input, std::string& out) override;
  void AppendRequest(std::string& out, std::uint64_t id,
                     std::span<const std::string> values) override;

 private:
  Step Understand(std::string& out);
  Step OnPrepared(const wire::PrepareReply& reply);
  Step OnResult(const model::Result& result);

  const std::string_view script_;
  const std::vector<std::string> names_;
  bool is_ready_ = false;
  wire::ServerMessage message_;  // the last one; answers refer to it
  std::string first_value_;      // of an answer whose value is an integer
  std::vector<std::size_t> template_of_slot_;
  std::vector<model::ParameterView> parameters_;  // one a slot, filled in for each request
  model::RequestView request_;
};

}  // namespace palena::app
