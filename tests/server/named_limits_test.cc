// Named limits over the native protocol, as an application meets them: palena::Limits.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "palena/named_limits.h"
#include "server/running_server.h"

namespace palena::server {
namespace {

using testing::HasSubstr;

constexpr const char* kFile = R"(
[limits.user]
limiter   = "fixed_window"
key       = "user:{subject}"
limit     = 3
window_ms = 31536000000
[limits.tenant]
limiter   = "fixed_window"
key       = "tenant:{tenant}"
limit     = 4
window_ms = 31536000000
on_error  = "allow"
[limits.slots]
limiter  = "concurrency"
key      = "slots:{subject}"
limit    = 1
lease_ms = 600000
)";

LimitRequest User(const std::string& subject, std::int64_t cost = 1) {
  return {"user", {{"subject", subject}}, cost, ""};
}
LimitRequest Tenant(std::int64_t cost = 1) {
  return {"tenant", {{"tenant", "acme"}}, cost, ""};
}

class NamedLimitsTest : public testing::Test {
 protected:
  base::SystemClock clock_;
  RunningServer server_{clock_, {.shards = 4, .limits = kFile}};
  std::unique_ptr<Client> client_ = server_.Connect();
  Limits limits_{*client_};
};

TEST_F(NamedLimitsTest, ATakeIsAnsweredInFull) {
  const auto take = limits_.Take(User("anna", 2));
  ASSERT_TRUE(take.ok()) << take.status().message();
  EXPECT_TRUE(take->allowed);
  EXPECT_EQ(take->applied, Applied::kYes);
  EXPECT_EQ(take->code, "");
  ASSERT_EQ(take->records.size(), 1u);
  EXPECT_EQ(take->records[0].limit, "user");
  EXPECT_EQ(take->records[0].quota, 3);
  EXPECT_EQ(take->records[0].remaining, 1);
  EXPECT_EQ(take->records[0].window_ms, 31'536'000'000);
  EXPECT_GT(take->records[0].reset_at_ms, take->stamp.ms);
  const auto refused = limits_.Take(User("anna", 2));
  EXPECT_FALSE(refused->allowed);
  EXPECT_EQ(refused->applied, Applied::kNo);
  EXPECT_EQ(refused->retry_after_ms, refused->records[0].retry_after_ms);
  EXPECT_EQ(limits_.Take(User("anna", 9))->retry_after_ms, -1);
  EXPECT_EQ(limits_.Peek(User("anna"))->records[0].remaining, 1);
}

TEST_F(NamedLimitsTest, SeveralAreTakenTogetherOrNotAtAll) {
  EXPECT_TRUE(limits_.TakeMany({User("anna"), Tenant(2)})->allowed);
  const auto refused = limits_.TakeMany({User("anna"), Tenant(3)});
  EXPECT_FALSE(refused->allowed);
  EXPECT_TRUE(refused->records[0].allowed);
  EXPECT_EQ(refused->records[0].remaining, 2);
  EXPECT_FALSE(refused->records[1].allowed);
  EXPECT_EQ(limits_.PeekMany({User("anna"), Tenant()})->records[0].remaining, 2);
}

TEST_F(NamedLimitsTest, LeasesAreRenewedAndReleased) {
  LimitRequest mine{"slots", {{"subject", "anna"}}, 1, "me"};
  LimitRequest yours = mine;
  yours.owner = "you";
  EXPECT_TRUE(limits_.Take(mine)->allowed);
  EXPECT_FALSE(limits_.Take(yours)->allowed);
  EXPECT_TRUE(limits_.Renew(mine)->allowed);
  EXPECT_FALSE(limits_.Release(yours)->allowed);
  EXPECT_TRUE(limits_.Release(mine)->allowed);
  EXPECT_TRUE(limits_.Take(yours)->allowed);
}

TEST_F(NamedLimitsTest, WhatCannotBeAskedIsAnInvalidArgument) {
  const auto unknown = limits_.Take({"nobody", {}, 1, ""});
  EXPECT_EQ(unknown.status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(unknown.status().message(), HasSubstr("There is no limit \"nobody\""));
  EXPECT_EQ(limits_.Take({"user", {}, 1, ""}).status().message(),
            "Limit user: the part \"subject\" is missing; the key is user:{subject}");
  EXPECT_EQ(limits_.Reset({"nobody", {}, 1, ""}).status().code(), StatusCode::kInvalidArgument);
  EXPECT_TRUE(client_->Ping().ok());
}

TEST_F(NamedLimitsTest, AServerThatCannotDecideSaysWhatOnErrorSays) {
  ASSERT_TRUE(client_->Execute("eset `tenant:acme` \"junk\"").ok());
  const auto open = limits_.Take(Tenant());
  ASSERT_TRUE(open.ok()) << open.status().message();
  EXPECT_TRUE(open->allowed);
  EXPECT_NE(open->code, "");
  EXPECT_THAT(open->reason, HasSubstr("Limit tenant: "));
  EXPECT_FALSE(limits_.TakeMany({User("anna"), Tenant()})->allowed);
}

TEST_F(NamedLimitsTest, AResetForgetsAndTellsWhetherThereWasSomething) {
  limits_.Take(User("anna", 3));
  EXPECT_TRUE(*limits_.Reset(User("anna")));
  EXPECT_FALSE(*limits_.Reset(User("anna")));
  EXPECT_TRUE(limits_.Take(User("anna", 3))->allowed);
}

TEST_F(NamedLimitsTest, TheListHasDefinitionsCountsAndTheRefused) {
  for (int i = 0; i < 5; ++i) limits_.Take(User("greedy"));
  const auto list = limits_.List();
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->limits.size(), 3u);
  const LimitInfo& user = list->limits[0];
  EXPECT_EQ(user.name, "user");
  EXPECT_EQ(user.limiter, "fixed_window");
  EXPECT_EQ(user.key, "user:{subject}");
  EXPECT_EQ(user.parameters.size(), 2u);
  EXPECT_EQ(user.allowed, 3u);
  EXPECT_EQ(user.denied, 2u);
  EXPECT_TRUE(list->limits[2].has_leases);
  ASSERT_EQ(list->refused.size(), 1u);
  EXPECT_EQ(list->refused[0].subject, "greedy");
  EXPECT_EQ(list->refused[0].refused, 2u);
  EXPECT_EQ(RunningServer::Counter(*client_, "limit_user_denied"), 2);
}

TEST_F(NamedLimitsTest, AnotherFileHoldsFromItsInstallationOn) {
  limits_.Take(User("anna", 2));
  server_.UseLimits(
      "[limits.user]\nlimiter = \"fixed_window\"\nkey = \"user:{subject}\"\n"
      "limit = 5\nwindow_ms = 31536000000\n");
  EXPECT_TRUE(RunningServer::Await(*client_, [&] { return limits_.List()->limits.size() == 1; }));
  EXPECT_EQ(limits_.Peek(User("anna"))->records[0].remaining, 3) << "what was used stays used";
}

TEST_F(NamedLimitsTest, ManyTakesInFlightAdmitExactlyTheBudget) {
  constexpr int kClients = 8;
  constexpr int kTakes = 50;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::future<bool>> answers;
  for (int i = 0; i < kClients; ++i) {
    clients.push_back(server_.Connect());
    Limits limits(*clients.back());
    for (int take = 0; take < kTakes; ++take) {
      auto promise = std::make_shared<std::promise<bool>>();
      answers.push_back(promise->get_future());
      limits.TakeManyAsync({User(std::to_string(take % 2)), Tenant()},
                           [promise](const StatusOr<TakeResult>& result) {
                             promise->set_value(result.ok() && result->allowed);
                           });
    }
  }
  int allowed = 0;
  for (std::future<bool>& answer : answers) allowed += answer.get() ? 1 : 0;
  EXPECT_EQ(allowed, 4) << "the tenant's budget";
}

}  // namespace
}  // namespace palena::server
