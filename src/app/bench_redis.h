#pragma once

#include <deque>
#include <string>
#include <string_view>

#include "app/bench_protocol.h"
#include "app/resp_reply.h"

namespace palena::app {

// The protocol of Redis (RESP2), so that another server is measured by the same generator. Requests
// carry no ids there: answers come in the order of the requests.
class RedisProtocol final : public BenchProtocol {
 public:
  struct Options {
    std::string_view script;       // loaded once, then run by EVALSHA; empty: the values are a
                                   // whole command, its name first. Must outlive the protocol
    std::size_t script_keys = 1;   // how many values, at the front, are KEYS; the others are ARGV
    std::size_t values_count = 0;  // of each request
  };
  explicit RedisProtocol(const Options& options) : options_(options) {}

  void Start(std::string& out) override;
  Step Next(std::string_view input, std::string& out) override;
  void AppendRequest(std::string& out, std::uint64_t id,
                     std::span<const std::string> values) override;

 private:
  Step OnStarted(const RespReply& reply);
  Step OnAnswer(const RespReply& reply);

  const Options options_;
  bool is_ready_ = false;
  std::string request_begin_;             // what comes before the values, always the same
  std::deque<std::uint64_t> unanswered_;  // ids, oldest first
};

}  // namespace palena::app
