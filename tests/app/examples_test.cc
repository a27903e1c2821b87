// The scripts of scripts/examples do what they claim. Each story runs on a node of its own, whose
// time passes when the story says so.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/document_scripts.h"
#include "base/clock.h"
#include "base/hostile.h"
#include "base/read_file.h"
#include "node/inline_node.h"

namespace palena::app {
namespace {

using testing::HasSubstr;

std::string InTree(const std::string& path) {
  return base::ReadFile(std::string(PALENA_SOURCE_DIR) + "/" + path);
}

class Examples : public testing::Test {
 protected:
  Examples() {
    NodeOptions options;
    options.threading = Threading::kInline;
    auto impl = node::InlineNode::Open(options, clock_, base::TestCapacities());
    EXPECT_TRUE(impl.ok()) << impl.status();
    node_ = std::make_unique<Node>(*std::move(impl));
  }

  // What the example answers, as `palena run` prints it.
  std::string Run(const std::string& example, const Parameters& parameters) {
    const std::string script = InTree("scripts/examples/" + example + ".pal");
    return Shown(node_->Execute(script, parameters), script);
  }
  std::string Eval(const std::string& script) { return Shown(node_->Execute(script), script); }
  void Wait(std::int64_t ms) { clock_->AdvanceMs(ms); }
  std::string NowMs() const { return std::to_string(clock_->WallNs() / 1'000'000); }

  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  std::unique_ptr<Node> node_;
};

class Inventory : public Examples {
 protected:
  std::string Reserve(const std::string& order, const std::string& pieces) {
    return Run("reserve", {{"stock", "stock"}, {"order", order}, {"pieces", pieces}});
  }
  std::string Release(const std::string& order) {
    return Run("release", {{"stock", "stock"}, {"order", order}});
  }
};

TEST_F(Inventory, OfTwoThatReserveTheLastPieceOneGetsIt) {
  Eval("set stock 1");
  EXPECT_EQ(Reserve("order1", "1"), "reserved");
  EXPECT_EQ(Reserve("order2", "1"), "sold out");
  EXPECT_EQ(Eval("get stock"), "0");
}

TEST_F(Inventory, AnOrderGetsAllItsPiecesOrNone) {
  Eval("set stock 3");
  EXPECT_EQ(Reserve("order1", "4"), "sold out");
  EXPECT_EQ(Eval("get stock"), "3");
  EXPECT_EQ(Eval("get order1"), "does_not_exist");
  EXPECT_THAT(Reserve("order1", "0"), HasSubstr("pieces: at least 1"));
}

TEST_F(Inventory, AskedAgainForAnOrderItTakesNothingMore) {
  Eval("set stock 3");
  EXPECT_EQ(Reserve("order1", "2"), "reserved");
  EXPECT_EQ(Reserve("order1", "2"), "reserved");
  EXPECT_EQ(Eval("get stock"), "1");
}

TEST_F(Inventory, WhatIsReleasedCanBeReservedAndOnlyOnce) {
  Eval("set stock 1");
  Reserve("order1", "1");
  EXPECT_EQ(Release("order1"), "released");
  EXPECT_EQ(Release("order1"), "nothing reserved");
  EXPECT_EQ(Eval("get stock"), "1");
  EXPECT_EQ(Reserve("order2", "1"), "reserved");
}

class Leader : public Examples {
 protected:
  std::string Lead(const std::string& candidate) {
    return Run("lead", {{"lease", "lease"}, {"candidate", candidate}, {"lease_ms", "3000"}});
  }
  std::string Write(const std::string& token, const std::string& value) {
    return Run("leader_write",
               {{"lease", "lease"}, {"token", token}, {"key", "k"}, {"value", value}});
  }
  std::string Resign(const std::string& token) {
    return Run("resign", {{"lease", "lease"}, {"token", token}});
  }
};

TEST_F(Leader, ThereIsOneAtATime) {
  EXPECT_EQ(Lead("ada"), "0");
  EXPECT_EQ(Lead("bob"), "-1");
}

TEST_F(Leader, KeepsLeaseAndTokenAsLongAsItAsks) {
  EXPECT_EQ(Lead("ada"), "0");
  for (int i = 0; i < 5; ++i) {
    Wait(2'000);
    EXPECT_EQ(Lead("ada"), "0");
    EXPECT_EQ(Lead("bob"), "-1");
  }
}

TEST_F(Leader, OfALostLeaseCannotWriteWithTheOldToken) {
  const std::string old_token = Lead("ada");
  EXPECT_EQ(Write(old_token, "of ada"), "written");
  Wait(3'001);
  EXPECT_EQ(Write(old_token, "late"), "lease lost");
  const std::string token = Lead("bob");
  EXPECT_GT(std::stoi(token), std::stoi(old_token));
  EXPECT_EQ(Write(old_token, "late"), "lease lost");
  EXPECT_EQ(Write(token, "of bob"), "written");
  EXPECT_EQ(Eval("get k"), "of bob");
}

TEST_F(Leader, WhoComesBackGetsAHigherTokenToo) {
  const std::string first = Lead("ada");
  Wait(3'001);
  const std::string second = Lead("ada");
  EXPECT_GT(std::stoi(second), std::stoi(first));
  EXPECT_EQ(Write(first, "late"), "lease lost");
}

TEST_F(Leader, ThatResignsMakesRoomAtOnceAndOthersCannotResignForIt) {
  const std::string token = Lead("ada");
  EXPECT_EQ(Resign("7"), "lease lost");
  EXPECT_EQ(Resign(token), "resigned");
  EXPECT_GT(std::stoi(Lead("bob")), std::stoi(token));
  EXPECT_EQ(Resign(token), "lease lost");
}

class Job : public Examples {
 protected:
  std::string Begin(const std::string& worker) {
    return Run("job_begin", {{"job", "job"}, {"worker", worker}, {"lease_ms", "1000"}});
  }
  std::string Finish(const std::string& worker, const std::string& result) {
    return Run("job_finish",
               {{"job", "job"}, {"worker", worker}, {"result", result}, {"keep_ms", "60000"}});
  }
};

TEST_F(Job, RunsOnceAndItsResultIsToldToAll) {
  EXPECT_EQ(Begin("ada"), "run");
  EXPECT_EQ(Begin("bob"), "running:ada");
  EXPECT_EQ(Finish("ada", "42"), "done");
  EXPECT_EQ(Begin("bob"), "done:42");
  EXPECT_EQ(Begin("ada"), "done:42");
}

TEST_F(Job, GoesToAnotherWhenItsWorkerDiedWhoCannotFinishItAnyMore) {
  EXPECT_EQ(Begin("ada"), "run");
  Wait(1'001);
  EXPECT_EQ(Begin("bob"), "run");
  EXPECT_EQ(Finish("ada", "41"), "lease lost");
  EXPECT_EQ(Finish("bob", "42"), "done");
  EXPECT_EQ(Finish("bob", "43"), "lease lost");
  EXPECT_EQ(Begin("ada"), "done:42");
}

TEST_F(Job, StaysWithAWorkerThatAsksAgain) {
  EXPECT_EQ(Begin("ada"), "run");
  Wait(900);
  EXPECT_EQ(Begin("ada"), "run");
  Wait(900);
  EXPECT_EQ(Begin("bob"), "running:ada");
}

class Flag : public Examples {
 protected:
  std::string Set(const std::string& state, const std::string& by) {
    return Run("flag_set", {{"flag", "flag"}, {"state", state}, {"by", by}});
  }
  std::string Now() { return Run("flag", {{"flag", "flag"}}); }
  std::string AsOf(const std::string& time) {
    return Run("flag_as_of", {{"flag", "flag"}, {"time", time}});
  }
};

TEST_F(Flag, IsOffUntilSomebodySwitchesIt) {
  EXPECT_EQ(Now(), "off");
  EXPECT_EQ(Set("on", "ada"), "0");
  EXPECT_EQ(Now(), "on");
  EXPECT_EQ(Set("off", "bob"), "1");
  EXPECT_EQ(Now(), "off");
}

TEST_F(Flag, TellsWhatItWasAtATimeAndByWhomForGood) {
  const std::string before = NowMs();
  Wait(1'000);
  Set("on", "ada");
  const std::string on = NowMs();
  Wait(1'000);
  Set("off", "bob");
  const std::string off = NowMs();
  Wait(1'000);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(AsOf(before), "off");
    EXPECT_EQ(AsOf(on), "on by ada");
    EXPECT_EQ(AsOf(off), "off by bob");
    Set("on", "eve");
  }
}

TEST_F(Examples, IdsRiseWithoutGapOrOverlap) {
  const auto next = [&](const std::string& count) {
    return Run("next_ids", {{"sequence", "ids"}, {"count", count}});
  };
  EXPECT_EQ(next("1"), "1");
  EXPECT_EQ(next("1"), "2");
  EXPECT_EQ(next("100"), "3");
  EXPECT_EQ(next("1"), "103");
  EXPECT_THAT(next("0"), HasSubstr("count: at least 1"));
}

class Session : public Examples {
 protected:
  std::string Open(const std::string& user) {
    return Run("session_open",
               {{"session", "s"}, {"user", user}, {"idle_ms", "1000"}, {"lifetime_ms", "2500"}});
  }
  std::string Refresh() { return Run("session_refresh", {{"session", "s"}, {"idle_ms", "1000"}}); }
};

TEST_F(Session, EndsWhenItIsIdle) {
  EXPECT_EQ(Open("ada of paris"), "opened");
  Wait(1'000);
  EXPECT_EQ(Refresh(), "ada of paris");
  Wait(1'001);
  EXPECT_EQ(Refresh(), "expired");
}

TEST_F(Session, EndsWithItsLifetimeHoweverBusy) {
  Open("ada");
  for (int i = 0; i < 24; ++i) {
    Wait(100);
    EXPECT_EQ(Refresh(), "ada");
  }
  Wait(100);
  EXPECT_EQ(Refresh(), "expired");  // the last millisecond, in which the key is still there
  Wait(1);
  EXPECT_EQ(Refresh(), "expired");
}

TEST_F(Session, IsNotTakenOverByAnother) {
  Open("ada");
  EXPECT_EQ(Open("eve"), "taken");
  EXPECT_EQ(Refresh(), "ada");
}

class Account : public Examples {
 protected:
  std::string Transfer(const std::string& number, const std::string& to,
                       const std::string& amount) {
    return Run("transfer", {{"from", "ada"},
                            {"to", to},
                            {"amount", amount},
                            {"transfer", number},
                            {"remember_ms", "60000"}});
  }
  std::string Balances() {
    return Eval("let a = get ada let b = get bob return join([a, b], ' ')");
  }
};

TEST_F(Account, TransferKeepsTheSumAndNothingFallsBelowZero) {
  Eval("set ada 100");
  EXPECT_EQ(Transfer("t1", "bob", "70"), "moved");
  EXPECT_EQ(Transfer("t2", "bob", "70"), "insufficient");
  EXPECT_EQ(Balances(), "30 70");
}

TEST_F(Account, TransferThatIsRepeatedMovesOnce) {
  Eval("set ada 100");
  EXPECT_EQ(Transfer("t1", "bob", "70"), "moved");
  EXPECT_EQ(Transfer("t1", "bob", "70"), "moved");
  EXPECT_EQ(Balances(), "30 70");
}

TEST_F(Account, TransferToItselfMakesNoMoneyAndANegativeOneIsRefused) {
  Eval("set ada 100");
  EXPECT_EQ(Transfer("t1", "ada", "70"), "moved");
  EXPECT_EQ(Eval("get ada"), "100");
  EXPECT_THAT(Transfer("t2", "bob", "-5"), HasSubstr("amount: at least 1"));
}

TEST(ExampleFiles, SayWhatTheirParametersAreAndAreInTheDocument) {
  const auto node = *Node::Open({.threading = Threading::kInline});
  const std::string document = InTree("docs/examples.md");
  const std::string folder = std::string(PALENA_SOURCE_DIR) + "/scripts/examples";
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    const std::string name = "scripts/examples/" + file.path().filename().string();
    const std::string script = InTree(name);
    const auto program = node->Prepare(script);
    EXPECT_TRUE(program.ok()) << name << ": " << program.status().message();
    const std::string head = script.substr(0, script.find("\n\n"));
    EXPECT_THAT(head, HasSubstr("# Answers ")) << name;
    if (program.ok()) {
      for (const std::string& parameter : program->parameters()) {
        EXPECT_THAT(head, HasSubstr("#   " + parameter + " ")) << name;
      }
    }
    EXPECT_THAT(document, HasSubstr("`" + name + "`"));
  }
}

}  // namespace
}  // namespace palena::app
