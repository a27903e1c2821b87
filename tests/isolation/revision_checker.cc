#include "isolation/revision_checker.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <tuple>

namespace palena::isolation {
namespace {

constexpr std::size_t kFindingsMax = 20;

std::string Shown(const Stamp& stamp) {
  return std::to_string(stamp.ms) + "." + std::to_string(stamp.counter);
}

std::string Shown(const Touch& touch) {
  return std::string(touch.writes ? "write" : "read") + " of key " + std::to_string(touch.key) +
         " revision " + std::to_string(touch.revision) + " at " + Shown(touch.stamp);
}

// One node, so ms and counter tell runs apart.
bool Below(const Stamp& a, const Stamp& b) {
  return std::tie(a.ms, a.counter, a.node) < std::tie(b.ms, b.counter, b.node);
}

class RevisionChecker {
 public:
  Findings Check(const std::vector<Touch>& touches) {
    std::map<int, std::vector<Touch>> by_key;
    for (const Touch& touch : touches) by_key[touch.key].push_back(touch);
    for (auto& [key, of_key] : by_key) {
      CheckRealTime(of_key, [&](const Touch& a, const Touch& b) { CheckOrder(a, b); });
      CheckLine(of_key);
    }
    CheckRealTime(touches, [&](const Touch& a, const Touch& b) {
      if (!Below(a.stamp, b.stamp)) Find(Shown(a) + " was answered before " + Shown(b) + " began");
    });
    return std::move(findings_);
  }

 private:
  void Find(std::string finding) {
    if (findings_.size() < kFindingsMax) findings_.push_back(std::move(finding));
  }

  // For each touch b: check(a, b) with those a answered before b began that have the highest
  // revision and the highest stamp; if these are in order, all are.
  template <typename Function>
  static void CheckRealTime(const std::vector<Touch>& touches, Function check) {
    std::vector<const Touch*> by_answer;
    for (const Touch& touch : touches) by_answer.push_back(&touch);
    std::vector<const Touch*> by_begin = by_answer;
    std::ranges::sort(by_answer, {}, [](const Touch* t) { return t->time.answered_ns; });
    std::ranges::sort(by_begin, {}, [](const Touch* t) { return t->time.began_ns; });
    const Touch* revised = nullptr;
    const Touch* stamped = nullptr;
    std::size_t answered = 0;
    for (const Touch* const b : by_begin) {
      for (; answered < by_answer.size() && by_answer[answered]->time.EndedBefore(b->time);
           ++answered) {
        const Touch* const a = by_answer[answered];
        if (revised == nullptr || a->revision > revised->revision) revised = a;
        if (stamped == nullptr || Below(stamped->stamp, a->stamp)) stamped = a;
      }
      if (revised != nullptr) check(*revised, *b);
      if (stamped != nullptr && stamped != revised) check(*stamped, *b);
    }
  }

  // Of one key, a answered before b began.
  void CheckOrder(const Touch& a, const Touch& b) {
    const bool in_order = b.writes ? a.revision < b.revision : a.revision <= b.revision;
    if (!in_order) Find(Shown(a) + " was answered before " + Shown(b) + " began");
  }

  // By revision, each write before those who read it.
  void CheckLine(std::vector<Touch>& touches) {
    std::ranges::sort(touches, {}, [](const Touch& t) {
      return std::tuple(t.revision, !t.writes, t.stamp.ms, t.stamp.counter);
    });
    for (std::size_t i = 1; i < touches.size(); ++i) CheckNeighbours(touches[i - 1], touches[i]);
  }

  void CheckNeighbours(const Touch& a, const Touch& b) {
    if (b.writes && b.revision == a.revision) Find("one revision twice: " + Shown(b));
    if (b.revision > a.revision + 1) Find("nobody wrote between " + Shown(a) + " and " + Shown(b));
    if (b.revision == a.revision + 1 && !b.writes) Find("nobody wrote what was read: " + Shown(b));
    const bool is_ordered = a.writes || b.writes;  // two reads of one revision are not
    if (is_ordered && !Below(a.stamp, b.stamp)) {
      Find("stamps fall: " + Shown(a) + ", then " + Shown(b));
    }
  }

  Findings findings_;
};

}  // namespace

Findings CheckRevisions(const std::vector<Touch>& touches) {
  return RevisionChecker().Check(touches);
}

Weight Weigh(const std::vector<Touch>& touches) {
  Weighing weighing;
  for (const Touch& touch : touches) {
    if (touch.writes) weighing.AddCommit();
    weighing.AddTouch(touch.key, touch.time);
  }
  return weighing.Weigh();
}

}  // namespace palena::isolation
