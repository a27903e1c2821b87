#include "app/connection_notice.h"

#include <gtest/gtest.h>

#include <sstream>

namespace palena::app {
namespace {

TEST(ConnectionNoticeTest, TellsEachLossOnce) {
  bool is_connected = true;
  std::ostringstream err;
  ConnectionNotice notice([&] { return is_connected; }, "127.0.0.1:7400", err);
  notice.Look();
  EXPECT_EQ(err.str(), "");
  is_connected = false;
  notice.Look();
  notice.Look();
  const std::string line = "palena: the connection to 127.0.0.1:7400 was lost, trying again\n";
  EXPECT_EQ(err.str(), line);
  is_connected = true;
  notice.Look();
  is_connected = false;
  notice.Look();
  EXPECT_EQ(err.str(), line + line);
}

}  // namespace
}  // namespace palena::app
