#include "isolation/bank_load.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <utility>

namespace palena::isolation {
namespace {

// Persistent ones first, then as many ephemeral ones of the same names.
constexpr int kAccountsPerSpace = 8;
constexpr int kAccounts = 2 * kAccountsPerSpace;
constexpr std::int64_t kOpening = 100;
constexpr int kRetriesMax = 5;

std::string E(int account) {
  return account >= kAccountsPerSpace ? "e" : "";
}
std::string Name(int account) {
  return "bank/" + std::to_string(account % kAccountsPerSpace);
}

std::string TransferBody(int from, int to) {
  return "let a = " + E(from) + "get @from\nlet b = " + E(to) +
         "get @to\n"
         "let n = to_int(@amount)\nlet moved = 0\n"
         "if to_int(a) >= n then\n" +
         E(from) + "set @from to_int(a) - n\n" + E(to) +
         "set @to to_int(b) + n\nlet moved = n\nend";
}

// A way to read all accounts at once.
struct Way {
  std::string how;
  std::string body;
  std::string answer;
  bool is_past = false;  // as of @t
};

// One statement for each account.
Way ByName(const std::string& how, const std::string& as_of) {
  Way way{how, "", "", !as_of.empty()};
  for (int account = 0; account < kAccounts; ++account) {
    const std::string number = std::to_string(account);
    way.body += "let v" + number + " = " + E(account) + "get @k" + number + as_of + "\n";
    way.answer += (account == 0 ? "v" : ", v") + number;
  }
  way.answer = "join([" + way.answer + "], ',')";
  return way;
}

Way ByRead(const std::string& how, const std::string& kind, const std::string& as_of) {
  return {how, "let p = " + kind + as_of + "\nlet e = e" + kind + as_of,
          "join([join(p, ','), join(e, ',')], ',')", !as_of.empty()};
}

const std::vector<Way>& Ways() {
  static const std::vector<Way> ways = {
      ByName("in one script", ""),
      ByRead("by bucket", "get by bucket bank", ""),
      ByRead("by prefix", "scan by prefix 'bank/'", ""),
      ByName("as of", " as of @t"),
      ByRead("by bucket as of", "get by bucket bank", " as of @t"),
      ByRead("by prefix as of", "scan by prefix 'bank/'", " as of @t"),
  };
  return ways;
}

std::vector<std::int64_t> ParseBalances(std::string_view text) {
  std::vector<std::int64_t> balances;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(','), text.size());
    std::int64_t balance = -1;  // below zero: refused, as what is no number should be
    std::from_chars(text.data(), text.data() + length, balance);
    balances.push_back(balance);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return balances;
}

class BankLoad {
 public:
  BankLoad(const Setting& setting, Node& node) : setting_(setting), node_(node) {
    for (int account = 0; account < kAccounts; ++account) {
      names_.emplace_back("k" + std::to_string(account), Name(account));
    }
  }

  BankRecord Record() {
    Open();
    RunClients(setting_, kClients, [this](std::size_t client, Random& random) {
      return Step(clients_[client], random);
    });
    BankRecord record;
    record.history.opening.assign(kAccounts, kOpening);
    for (Client& client : clients_) {
      std::ranges::move(client.transfers, std::back_inserter(record.history.transfers));
      std::ranges::move(client.reads, std::back_inserter(record.history.reads));
      std::ranges::move(client.unexpected, std::back_inserter(record.unexpected));
    }
    for (int account = 0; account < kAccounts; ++account) {
      const Result balance = node_.Execute(E(account) + "get @k", {{"k", Name(account)}});
      record.history.closing.push_back(ParseBalances(balance.text()).at(0));
    }
    return record;
  }

 private:
  struct Client {
    std::vector<Transfer> transfers;
    std::vector<BankRead> reads;
    Findings unexpected;
    KnownInstants instants;
  };

  void Open() {
    std::vector<Parameters> accounts;
    for (int account = 0; account < kAccounts; ++account)
      accounts.push_back({{"k", Name(account)}});
    const std::string set = "set @k " + std::to_string(kOpening);
    opened_ms_ = RunForEach(
        node_, [&](std::size_t i) { return E(static_cast<int>(i)) + set; }, accounts);
  }

  bool Step(Client& client, Random& random) {
    if (Draw(random, 4) == 0) return Read(client, random);
    const Form form = setting_.DrawForm(random);
    for (int i = 0; i < kRetriesMax; ++i) {
      if (!Move(client, random, form)) return false;
      if (form != Form::kOptimistic) return true;
      if (client.transfers.back().fate == Fate::kCommitted) return true;
    }
    return true;
  }

  bool Move(Client& client, Random& random, Form form) {
    const int from = Draw(random, kAccounts);
    const int to = (from + 1 + Draw(random, kAccounts - 1)) % kAccounts;
    const Parameters parameters{
        {"from", Name(from)}, {"to", Name(to)}, {"amount", std::to_string(1 + Draw(random, 40))}};
    const Answer answer = Ask(node_, ScriptOf(form, TransferBody(from, to), "moved"), parameters);
    client.instants.Note(answer);
    const std::optional<Fate> fate = FateOf(form, answer.result);
    if (!fate) return Refuse(client, FormName(form), answer);
    std::int64_t moved = 0;
    if (fate == Fate::kCommitted) moved = ParseBalances(answer.result.text()).at(0);
    client.transfers.push_back({answer.time, *fate, from, to, moved});
    return true;
  }

  bool Read(Client& client, Random& random) {
    const std::vector<Way>& ways = Ways();
    const Way& way = ways[setting_.transactions ? random() % ways.size() : 0];
    const bool as_snapshot = !way.is_past && setting_.transactions && Draw(random, 3) == 0;
    const bool is_past = way.is_past || as_snapshot;
    const bool is_now = client.instants.empty() || Draw(random, 2) == 0;
    const std::int64_t t = (is_now ? Now(opened_ms_) : client.instants.Draw(random)).ms;
    Parameters parameters = names_;
    parameters.emplace_back("t", std::to_string(t));
    const Answer answer = Ask(node_,
                              as_snapshot ? SnapshotOf(way.body, way.answer)
                                          : ScriptOf(Form::kPlain, way.body, way.answer),
                              parameters);
    if (is_past && IsHistoryGone(answer.result)) return true;
    const std::string how = way.how + (as_snapshot ? " in a snapshot" : "");
    if (!answer.result.ok()) return Refuse(client, "read " + how, answer);
    client.reads.push_back({how, is_past ? std::optional(t) : std::nullopt, answer.result.stamp.ms,
                            ParseBalances(answer.result.text())});
    return true;
  }

  static bool Refuse(Client& client, std::string_view what, const Answer& answer) {
    client.unexpected.push_back(Unexpected(what, answer.result));
    return false;
  }

  const Setting setting_;
  Node& node_;
  Parameters names_;  // of all accounts, as @k0 and so on
  std::int64_t opened_ms_ = 0;
  std::vector<Client> clients_{kClients};
};

}  // namespace

BankRecord RecordBank(const Setting& setting, Node& node) {
  return BankLoad(setting, node).Record();
}

}  // namespace palena::isolation
