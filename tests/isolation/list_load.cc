#include "isolation/list_load.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstddef>
#include <limits>
#include <mutex>
#include <string>
#include <utility>

namespace palena::isolation {
namespace {

// An epoch has lists of its own, so that lists, which are copied with each append, stay short. Half
// of an epoch's lists are persistent.
constexpr int kListsPerSpace = 5;
constexpr int kListsPerEpoch = 2 * kListsPerSpace;
constexpr int kRunsPerEpoch = 1'500;
constexpr int kEpochsMax = 64;
constexpr int kStepsMax = 4;

bool IsEphemeral(int key) {
  return key % kListsPerEpoch >= kListsPerSpace;
}
std::string Bucket(int epoch) {
  return "lists" + std::to_string(epoch);
}
std::string Name(int key) {
  return Bucket(key / kListsPerEpoch) + "/" + std::to_string(key % kListsPerSpace);
}

// The lists of an answer "LIST|LIST|…" into the steps; false when there are more or fewer.
bool FillSeen(std::string_view answer, std::vector<ListStep>& steps) {
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t length = std::min(answer.find('|'), answer.size());
    steps[i].seen = ParseList(answer.substr(0, length));
    const bool is_last = i + 1 == steps.size();
    if (is_last != (length == answer.size())) return false;
    answer.remove_prefix(is_last ? length : length + 1);
  }
  return true;
}

std::string Statement(const ListStep& step, const std::string& number) {
  const std::string e = IsEphemeral(step.key) ? "e" : "";
  const std::string read = "let v" + number + " = " + e + "get @k" + number + "\n";
  if (!step.appends) return read;
  return read + e + "set @k" + number + " concat(v" + number + ", @id)\n";
}

std::string BodyOf(const std::vector<ListStep>& steps) {
  std::string body;
  for (std::size_t i = 0; i < steps.size(); ++i) body += Statement(steps[i], std::to_string(i));
  return body;
}

std::string AnswerOf(const std::vector<ListStep>& steps) {
  std::string names;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    names += (i == 0 ? "v" : ", v") + std::to_string(i);
  }
  return "join([" + names + "], '|')";
}

constexpr std::string_view kByBucket = "let p = get by bucket @in\nlet e = eget by bucket @in";
constexpr std::string_view kByPrefix = "let p = scan by prefix @in\nlet e = escan by prefix @in";
constexpr std::string_view kBothSpaces = "join([join(p, '|'), join(e, '|')], '|')";

class ListLoad {
 public:
  ListLoad(const Setting& setting, Node& node) : setting_(setting), node_(node) {}

  ListHistory Record() {
    CreateAll();
    RunClients(setting_, kClients, [this](std::size_t client, Random& random) {
      return Step(clients_[client], random);
    });
    ListHistory history;
    for (Client& client : clients_) {
      std::ranges::move(client.runs, std::back_inserter(history.runs));
      std::ranges::move(client.unexpected, std::back_inserter(history.unexpected));
    }
    ReadAll(history);
    return history;
  }

 private:
  struct Client {
    std::vector<ListRun> runs;
    Findings unexpected;
    KnownInstants instants;
  };

  int epoch() const { return std::min(last_id_.load() / kRunsPerEpoch, kEpochsMax - 1); }

  // So that each bucket holds all of its lists from the beginning.
  void CreateAll() {
    std::vector<Parameters> names;
    for (int key = 0; key < kEpochsMax * kListsPerEpoch; ++key) names.push_back({{"k", Name(key)}});
    created_ms_ = RunForEach(
        node_,
        [](std::size_t i) { return IsEphemeral(static_cast<int>(i)) ? "eset @k ''" : "set @k ''"; },
        names);
  }

  bool Step(Client& client, Random& random) {
    if (last_id_ >= kEpochsMax * kRunsPerEpoch) return false;
    const int kind = setting_.transactions ? Draw(random, 10) : 9;
    if (kind == 0) return ReadEpoch(client, random);
    if (kind == 1) return ReadPast(client, random);
    return Append(client, random);
  }

  bool Append(Client& client, Random& random) {
    const Form form = setting_.DrawForm(random);
    ListRun run = NewRun(DrawSteps(random));
    const Answer answer =
        Ask(node_, ScriptOf(form, BodyOf(run.steps), AnswerOf(run.steps)), ParametersOf(run));
    client.instants.Note(answer);
    return Note(client, FormName(form), std::move(run), answer, FateOf(form, answer.result));
  }

  // All lists of the epoch, by bucket or by prefix.
  bool ReadEpoch(Client& client, Random& random) {
    const bool by_bucket = Draw(random, 2) == 0;
    const bool in_transaction = Draw(random, 2) == 0;
    const Form form = in_transaction ? Form::kBegin : Form::kPlain;
    const int of = epoch();
    ListRun run = NewRun(AllOf(of));
    const std::string body(by_bucket ? kByBucket : kByPrefix);
    const Answer answer = Ask(node_, ScriptOf(form, body, std::string(kBothSpaces)),
                              {{"in", Bucket(of) + (by_bucket ? "" : "/")}});
    const std::string what = std::string("read by ") + (by_bucket ? "bucket" : "prefix");
    return Note(client, what, std::move(run), answer, FateOf(form, answer.result));
  }

  bool ReadPast(Client& client, Random& random) {
    const bool is_now = client.instants.empty() || Draw(random, 2) == 0;
    const KnownInstants::Instant instant = is_now ? Now(created_ms_) : client.instants.Draw(random);
    const bool by_bucket = Draw(random, 2) == 0;
    const int of = epoch();
    ListRun run = NewRun(by_bucket ? AllOf(of) : ReadsOnly(DrawSteps(random)));
    Parameters parameters = ParametersOf(run);
    parameters.insert(parameters.end(), {{"in", Bucket(of)}, {"t", std::to_string(instant.ms)}});
    const std::string script = by_bucket
                                   ? SnapshotOf(std::string(kByBucket), std::string(kBothSpaces))
                                   : SnapshotOf(BodyOf(run.steps), AnswerOf(run.steps));
    Answer answer = Ask(node_, script, parameters);
    if (IsHistoryGone(answer.result)) return true;
    answer.time = {instant.began_ns, std::numeric_limits<std::int64_t>::max()};
    return Note(client, "snapshot", std::move(run), answer, FateOf(Form::kBegin, answer.result));
  }

  bool Note(Client& client, std::string_view what, ListRun run, const Answer& answer,
            std::optional<Fate> fate) {
    run.time = answer.time;
    run.fate = fate.value_or(Fate::kNotApplied);
    bool is_expected = fate.has_value();
    if (fate == Fate::kCommitted) is_expected = FillSeen(answer.result.text(), run.steps);
    if (!is_expected) {
      client.unexpected.push_back(Unexpected(what, answer.result) + " with " +
                                  std::string(answer.result.text().substr(0, 500)));
    }
    client.runs.push_back(std::move(run));
    return is_expected;
  }

  void ReadAll(ListHistory& history) {
    for (int key = 0; key < (epoch() + 1) * kListsPerEpoch; ++key) {
      ListRun run = NewRun({{key, false, {}}});
      const Answer answer =
          Ask(node_, IsEphemeral(key) ? "eget @k0" : "get @k0", ParametersOf(run));
      run.time = answer.time;
      run.steps[0].seen = ParseList(answer.result.text());
      history.runs.push_back(std::move(run));
    }
  }

  ListRun NewRun(std::vector<ListStep> steps) {
    ListRun run;
    run.id = ++last_id_;
    run.steps = std::move(steps);
    return run;
  }

  std::vector<ListStep> DrawSteps(Random& random) const {
    const int first = epoch() * kListsPerEpoch;
    std::vector<ListStep> steps(1 + Draw(random, kStepsMax));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      do {
        steps[i].key = first + Draw(random, kListsPerEpoch);
      } while (std::ranges::count(steps.begin(), steps.begin() + static_cast<std::ptrdiff_t>(i),
                                  steps[i].key, &ListStep::key) > 0);
      steps[i].appends = Draw(random, 2) == 0;
    }
    return steps;
  }
  static std::vector<ListStep> ReadsOnly(std::vector<ListStep> steps) {
    for (ListStep& step : steps) step.appends = false;
    return steps;
  }
  static std::vector<ListStep> AllOf(int epoch) {
    std::vector<ListStep> steps;
    for (int i = 0; i < kListsPerEpoch; ++i)
      steps.push_back({epoch * kListsPerEpoch + i, false, {}});
    return steps;
  }

  static Parameters ParametersOf(const ListRun& run) {
    Parameters parameters{{"id", std::to_string(run.id) + ","}};
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
      parameters.emplace_back("k" + std::to_string(i), Name(run.steps[i].key));
    }
    return parameters;
  }

  const Setting setting_;
  Node& node_;
  std::int64_t created_ms_ = 0;
  std::atomic<RunId> last_id_{0};
  std::vector<Client> clients_{kClients};
};

}  // namespace

std::vector<RunId> ParseList(std::string_view text) {
  std::vector<RunId> ids;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    RunId id = -1;
    const auto [rest, error] = std::from_chars(at, end, id);
    if (error != std::errc() || rest == end || *rest != ',') return {-1};
    ids.push_back(id);
    at = rest + 1;
  }
  return ids;
}

ListHistory RecordLists(const Setting& setting, Node& node) {
  return ListLoad(setting, node).Record();
}

}  // namespace palena::isolation
