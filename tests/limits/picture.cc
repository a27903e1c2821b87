#include "limits/picture.h"

#include <cstdint>
#include <map>
#include <memory>
#include <sstream>

#include "base/check.h"
#include "base/clock.h"
#include "limits/scripts.h"
#include "node/inline_node.h"

namespace palena::limits {

namespace {

constexpr int kEndMs = 30'000;
constexpr int kStepMs = 100;
constexpr int kLimit = 10;

struct Pictured {
  std::string title;
  Parameters parameters;
};

// Ten in ten seconds, each in its own way.
const std::map<std::string, Pictured>& Limiters() {
  static const Parameters window = {{"limit", "10"}, {"window_ms", "10000"}};
  static const std::map<std::string, Pictured> limiters = {
      {"fixed_window", {"fixed_window: 10 in each window of 10 s", window}},
      {"first_hit_window",
       {"first_hit_window: 10 in a window of 10 s from its first take", window}},
      {"sliding_window",
       {"sliding_window: 10 in 10 s, in 5 segments of 2 s",
        {{"limit", "10"}, {"window_ms", "10000"}, {"segments", "5"}}}},
      {"sliding_log", {"sliding_log: 10 in any 10 s", window}},
      {"token_bucket",
       {"token_bucket: capacity 10, 1 token a second",
        {{"capacity", "10"}, {"refill_tokens", "1"}, {"refill_ms", "1000"}}}},
      {"gcra",
       {"gcra: 1 a second and a burst of 4 more",
        {{"max_burst", "4"}, {"count", "1"}, {"period_ms", "1000"}}}},
      {"concurrency_acquire",
       {"concurrency_acquire: 10 at a time, each for 3 s",
        {{"limit", "10"}, {"lease_ms", "3000"}}}},
  };
  return limiters;
}

// Of one unit each: a first one; ten just before 10 s and ten just after it; then two a second.
bool Arrives(int ms) {
  const bool is_burst = ms >= 8'000 && ms < 12'000 && ms % 200 == 0;
  const bool is_steady = ms >= 15'000 && ms % 500 == 0;
  return ms == 2'000 || is_burst || is_steady;
}

struct Arrival {
  int ms;
  bool is_allowed;
};

struct Course {
  std::vector<int> remaining;  // after each step
  std::vector<Arrival> arrivals;
};

class Subject {
 public:
  explicit Subject(const std::string& limiter)
      : script_(LimiterSource(limiter)), parameters_(Limiters().at(limiter).parameters) {
    auto impl = node::InlineNode::Open({.threading = Threading::kInline}, clock_, {});
    PALENA_CHECK(impl.ok());
    node_ = std::make_unique<Node>(*std::move(impl));
  }

  Course Run() {
    Course course;
    for (int ms = 0; ms < kEndMs; ms += kStepMs) {
      if (Arrives(ms)) course.arrivals.push_back({ms, Take("1", std::to_string(ms))[0] == 1});
      course.remaining.push_back(Take("0", "")[2]);
      clock_->AdvanceMs(kStepMs);
    }
    return course;
  }

 private:
  std::vector<int> Take(const std::string& cost, const std::string& owner) {
    Parameters parameters = parameters_;
    parameters.insert(parameters.end(), {{"key", "k"}, {"cost", cost}, {"owner", owner}});
    const Result result = node_->Execute(script_, parameters);
    PALENA_CHECK(result.values.size() == 5);
    std::vector<int> answer;
    for (std::size_t i = 0; i < 3; ++i) answer.push_back(std::stoi(*result.values[i].value));
    return answer;
  }

  const std::string script_;
  const Parameters parameters_;
  const std::shared_ptr<base::ManualClock> clock_ = std::make_shared<base::ManualClock>();
  std::unique_ptr<Node> node_;
};

// Places in the picture, in its units.
constexpr int kLeft = 40;
constexpr int kBottom = 160;
int X(int ms) {
  return kLeft + ms / 50;
}
int Y(int remaining) {
  return kBottom - remaining * 12;
}

void DrawAxes(std::ostringstream& svg) {
  for (int units = 0; units <= kLimit; units += 5) {
    svg << "<path class='grid' d='M" << X(0) << ' ' << Y(units) << "H" << X(kEndMs) << "'/>"
        << "<text x='" << kLeft - 6 << "' y='" << Y(units) + 4 << "' class='end'>" << units
        << "</text>\n";
  }
  for (int ms = 0; ms <= kEndMs; ms += 5'000) {
    svg << "<path class='grid' d='M" << X(ms) << ' ' << Y(kLimit) << "V" << kBottom << "'/>"
        << "<text x='" << X(ms) << "' y='" << kBottom + 36 << "' class='middle'>" << ms / 1'000
        << " s</text>\n";
  }
}

void DrawCourse(std::ostringstream& svg, const Course& course) {
  svg << "<path class='left' d='M" << X(0) << ' ' << Y(course.remaining[0]);
  int ms = 0;
  int last = course.remaining[0];
  for (const int remaining : course.remaining) {
    if (remaining != last) svg << "H" << X(ms) << "V" << Y(remaining);
    last = remaining;
    ms += kStepMs;
  }
  svg << "H" << X(kEndMs) << "'/>\n";
  for (const bool is_allowed : {true, false}) {
    svg << "<path class='" << (is_allowed ? "allowed" : "refused") << "' d='";
    for (const Arrival& arrival : course.arrivals) {
      if (arrival.is_allowed != is_allowed) continue;
      svg << "M" << X(arrival.ms) << ' ' << kBottom + (is_allowed ? 4 : 13) << "v8";
    }
    svg << "'/>\n";
  }
}

}  // namespace

const std::vector<std::string>& PicturedLimiters() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const auto& [name, pictured] : Limiters()) all.push_back(name);
    return all;
  }();
  return names;
}

std::string DrawPicture(const std::string& limiter) {
  const Course course = Subject(limiter).Run();
  std::ostringstream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 680 232' width='680' height='232' "
         "font-family='sans-serif' font-size='12'>\n"
         "<style>path{fill:none}.grid{stroke:#ddd}.left{stroke:#246;stroke-width:2}"
         ".allowed{stroke:#292;stroke-width:3}.refused{stroke:#c22;stroke-width:3}"
         ".end{text-anchor:end}.middle{text-anchor:middle}</style>\n"
         "<rect width='680' height='232' fill='#fff'/>\n"
      << "<text x='" << kLeft << "' y='20' font-size='14'>" << Limiters().at(limiter).title
      << "</text>\n";
  DrawAxes(svg);
  DrawCourse(svg, course);
  svg << "<text x='" << kLeft << "' y='" << kBottom + 60
      << "'>line: units left; green marks: takes of 1 allowed; red marks: refused</text>\n</svg>\n";
  return svg.str();
}

std::string PicturePath(const std::string& limiter) {
  return std::string(PALENA_SOURCE_DIR) + "/docs/pictures/" + limiter + ".svg";
}

}  // namespace palena::limits
