#include "app/bench_schedule.h"

#include <gtest/gtest.h>

namespace palena::app {
namespace {

TEST(BenchScheduleTest, SpreadsRequestsEvenlyFromTheBeginning) {
  BenchSchedule schedule(1000);
  schedule.Begin(500);
  EXPECT_EQ(schedule.due_ns(), 500);
  schedule.Next();
  EXPECT_EQ(schedule.due_ns(), 1'000'500);
  for (int i = 0; i < 999; ++i) schedule.Next();
  EXPECT_EQ(schedule.due_ns(), 1'000'000'500);
}

TEST(BenchScheduleTest, DoesNotDriftOverMillionsOfRequests) {
  BenchSchedule schedule(300'000);
  schedule.Begin(0);
  for (int i = 0; i < 3'000'000; ++i) schedule.Next();
  EXPECT_EQ(schedule.due_ns(), 10'000'000'000);
}

TEST(BenchScheduleTest, AClosedLoopHasNone) {
  EXPECT_FALSE(BenchSchedule(0).exists());
  EXPECT_TRUE(BenchSchedule(0.5).exists());
}

TEST(BenchScheduleTest, WhatWasDueWhileThereWasNoRoomIsHeldBackAndNotLate) {
  BenchSchedule schedule(1e6);  // one a microsecond
  schedule.Begin(0);
  schedule.HoldBack();
  EXPECT_TRUE(schedule.is_holding_back());
  schedule.GoOn(2'500);
  EXPECT_FALSE(schedule.is_holding_back());
  for (int due = 0; due < 3; ++due, schedule.Next()) EXPECT_TRUE(schedule.was_held_back()) << due;
  EXPECT_FALSE(schedule.was_held_back());
}

TEST(BenchScheduleTest, NothingIsHeldBackWhileThereIsRoom) {
  BenchSchedule schedule(1e6);
  schedule.Begin(0);
  schedule.GoOn(5'000);
  EXPECT_FALSE(schedule.was_held_back());
}

}  // namespace
}  // namespace palena::app
