#include "isolation/revision_load.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace palena::isolation {
namespace {

constexpr int kKeysPerSpace = 4;
constexpr int kKeys = 2 * kKeysPerSpace;

std::string E(int key) {
  return key >= kKeysPerSpace ? "e" : "";
}
std::string Name(int key) {
  return "counted" + std::to_string(key % kKeysPerSpace);
}

class RevisionLoad {
 public:
  RevisionLoad(const Setting& setting, Node& node) : setting_(setting), node_(node) {}

  RevisionRecord Record() {
    std::vector<Parameters> names;
    for (int key = 0; key < kKeys; ++key) names.push_back({{"k", Name(key)}});
    RunForEach(
        node_, [](std::size_t i) { return E(static_cast<int>(i)) + "set @k 1"; }, names);
    RunClients(setting_, kClients, [this](std::size_t client, Random& random) {
      return Step(clients_[client], random);
    });
    RevisionRecord record;
    // What RunForEach wrote; far enough in the past to be before everything.
    for (int key = 0; key < kKeys; ++key) record.touches.push_back({key, true, 0, {-2, -1}, {}});
    for (RevisionRecord& client : clients_) {
      std::ranges::move(client.touches, std::back_inserter(record.touches));
      std::ranges::move(client.unexpected, std::back_inserter(record.unexpected));
    }
    return record;
  }

 private:
  // An optimistic run is stamped twice and answers one of the two: left to the other loads.
  Form DrawForm(Random& random) const {
    while (true) {
      const Form form = setting_.DrawForm(random);
      if (form != Form::kOptimistic) return form;
    }
  }

  // One or two keys, each read or written.
  std::vector<Touch> DrawTouches(Random& random) const {
    std::vector<Touch> touches(1 + Draw(random, 2));
    touches[0].key = Draw(random, kKeys);
    if (touches.size() > 1) touches[1].key = (touches[0].key + 1 + Draw(random, kKeys - 1)) % kKeys;
    for (Touch& touch : touches) touch.writes = Draw(random, 2) == 0;
    return touches;
  }

  bool Step(RevisionRecord& client, Random& random) {
    const Form form = DrawForm(random);
    std::vector<Touch> touches = DrawTouches(random);
    std::string body, answer;
    Parameters parameters;
    for (std::size_t i = 0; i < touches.size(); ++i) {
      const std::string n = std::to_string(i), e = E(touches[i].key);
      if (touches[i].writes) body += e + "set @k" + n + " 1\n";
      body += "let v" + n + " = " + e + "get @k" + n + "\n";
      answer += (i == 0 ? "rev(v" : ", rev(v") + n + ")";
      parameters.emplace_back("k" + n, Name(touches[i].key));
    }
    return Note(client, form, std::move(touches),
                Ask(node_, ScriptOf(form, body, "join([" + answer + "], ',')"), parameters));
  }

  static bool Note(RevisionRecord& client, Form form, std::vector<Touch> touches,
                   const Answer& answer) {
    const std::optional<Fate> fate = FateOf(form, answer.result);
    if (!fate) client.unexpected.push_back(Unexpected(FormName(form), answer.result));
    if (fate != Fate::kCommitted) return fate.has_value();
    std::string_view text = answer.result.text();
    for (Touch& touch : touches) {
      const auto parsed = std::from_chars(text.data(), text.data() + text.size(), touch.revision);
      text.remove_prefix(std::min<std::size_t>(parsed.ptr - text.data() + 1, text.size()));
      touch.time = answer.time;
      touch.stamp = answer.result.stamp;
      client.touches.push_back(touch);
    }
    return true;
  }

  const Setting setting_;
  Node& node_;
  std::vector<RevisionRecord> clients_{kClients};
};

}  // namespace

RevisionRecord RecordRevisions(const Setting& setting, Node& node) {
  return RevisionLoad(setting, node).Record();
}

}  // namespace palena::isolation
