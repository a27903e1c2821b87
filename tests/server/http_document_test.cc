// docs/http.md says what the code does: its tables hold exactly the rows of ours.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/read_file.h"
#include "server/http_error.h"
#include "server/http_routes.h"

namespace palena::server {
namespace {

using testing::HasSubstr;

class HttpDocumentTest : public testing::Test {
 protected:
  // Lines that begin with this.
  std::size_t CountLines(const std::string& start) const {
    std::size_t count = 0;
    for (std::size_t at = text_.find("\n" + start); at != text_.npos;
         at = text_.find("\n" + start, at + 1)) {
      ++count;
    }
    return count;
  }

  const std::string text_ = base::ReadFile(PALENA_SOURCE_DIR "/docs/http.md");
};

TEST_F(HttpDocumentTest, ListsEveryAddress) {
  for (const HttpRoute& route : HttpRoutes()) {
    EXPECT_THAT(text_, HasSubstr("\n| `" + std::string(route.path) + "` | `" +
                                 std::string(route.methods) + "` |"));
  }
  EXPECT_EQ(CountLines("| `/"), HttpRoutes().size());
}

TEST_F(HttpDocumentTest, ListsEveryRefusal) {
#define X(name, code, status) \
  EXPECT_THAT(text_, HasSubstr("\n| `" code "` | " + std::to_string(status) + " |"));
  PALENA_HTTP_ERRORS(X)
#undef X
}

// The row of the status that names the code.
TEST_F(HttpDocumentTest, GivesEveryCodeItsStatus) {
  const auto expect = [&](model::Code code, const std::string& name) {
    const std::size_t at = text_.find(name.empty() ? "\n| none" : "`" + name + "`");
    ASSERT_NE(at, text_.npos) << name;
    const std::string row = text_.substr(at, text_.find('\n', at + 1) - at);
    EXPECT_THAT(row, HasSubstr("| " + std::to_string(HttpStatusOf(code)) + " |")) << name;
  };
#define X(name, text, number, type) expect(model::Code::name, text);
  PALENA_CODES(X)
#undef X
}

}  // namespace
}  // namespace palena::server
