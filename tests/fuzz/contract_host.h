#pragma once

// A host that holds the VM to the contract of script/host.h: it asks for keys of its footprint
// only, and each as the kind that it is, writes only those that the program declares to write, and
// uses no view for longer than it is valid. What it lists is in order and within the limit. Views
// are of memory that is freed as soon as the contract allows, so that a sanitizer sees every later
// use.

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/limits.h"
#include "script/host.h"
#include "script/program.h"

namespace palena::fuzz {

// A copy of bytes with nothing before or behind it.
class ExactBytes {
 public:
  explicit ExactBytes(std::string_view bytes)
      : bytes_(new char[bytes.size()]), size_(bytes.size()) {
    std::copy(bytes.begin(), bytes.end(), bytes_.get());
  }
  std::string_view view() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

class ContractHost final : public script::Host {
 public:
  ContractHost(const script::Program& program, script::Host& store)
      : program_(program), store_(store) {}

  // The VM is suspended: no view is valid any more.
  void Suspend() { Forget(); }

  script::HostStatus Get(script::KeySlot key, model::VersionView& out) override {
    CheckKey(key, false);
    return Show(store_.Get(key, out), out);
  }
  script::HostStatus GetAt(script::KeySlot key, std::int64_t revision,
                           model::VersionView& out) override {
    CheckKey(key, false);
    PALENA_CHECK(revision >= 0);
    return Show(store_.GetAt(key, revision, out), out);
  }
  script::HostStatus GetAsOf(script::KeySlot key, std::int64_t time_ms,
                             model::VersionView& out) override {
    CheckKey(key, false);
    PALENA_CHECK(time_ms > 0);
    return Show(store_.GetAsOf(key, time_ms, out), out);
  }
  script::HostStatus List(script::KeySlot range, script::Listing& out) override {
    CheckRange(range);
    return Show(store_.List(range, out), out);
  }
  script::HostStatus ListAsOf(script::KeySlot range, std::int64_t time_ms,
                              script::Listing& out) override {
    CheckRange(range);
    PALENA_CHECK(time_ms > 0);
    return Show(store_.ListAsOf(range, time_ms, out), out);
  }
  script::HostStatus Set(script::KeySlot key, const script::SetArguments& arguments,
                         script::WriteResult& out) override {
    CheckKey(key, true);
    PALENA_CHECK(arguments.value.text_bytes() <= base::kValueBytesMax);
    PALENA_CHECK(arguments.expires_ms >= 0);
    return AfterWrite(store_.Set(key, arguments, out));
  }
  script::HostStatus Delete(script::KeySlot key, script::WriteResult& out) override {
    CheckKey(key, true);
    return AfterWrite(store_.Delete(key, out));
  }
  script::HostStatus Extend(script::KeySlot key, std::int64_t expires_ms,
                            script::WriteResult& out) override {
    CheckKey(key, true);
    PALENA_CHECK(expires_ms >= 0);
    return AfterWrite(store_.Extend(key, expires_ms, out));
  }
  std::string_view KeyText(script::KeySlot key) const override {
    CheckKey(key, false);
    return store_.KeyText(key);
  }
  const model::ScriptError& error() const override { return store_.error(); }

 private:
  void CheckKey(script::KeySlot key, bool writes) const {
    PALENA_CHECK(key < program_.footprint().size());
    const script::FootprintKey& known = program_.footprint()[key];
    PALENA_CHECK(known.kind == script::KeyKind::kPoint && (known.writes || !writes));
  }

  void CheckRange(script::KeySlot range) const {
    PALENA_CHECK(range < program_.footprint().size());
    PALENA_CHECK(program_.footprint()[range].kind != script::KeyKind::kPoint);
  }

  script::HostStatus Show(script::HostStatus status, model::VersionView& out) {
    if (status != script::HostStatus::kDone || out.value.is_integer) return status;
    out.value.bytes = shown_.emplace_back(out.value.bytes).view();
    return status;
  }

  script::HostStatus Show(script::HostStatus status, script::Listing& out) {
    if (status != script::HostStatus::kDone) return status;
    PALENA_CHECK(out.entries.size() <= base::kScanEntriesMax);
    auto entries = std::make_unique<script::ListedKey[]>(out.entries.size());
    for (std::size_t i = 0; i < out.entries.size(); ++i) {
      PALENA_CHECK(i == 0 || out.entries[i - 1].key < out.entries[i].key);
      entries[i] = out.entries[i];
      entries[i].key = shown_.emplace_back(entries[i].key).view();
      Show(status, entries[i].version);
    }
    out.entries = {entries.get(), out.entries.size()};
    listed_.push_back(std::move(entries));
    return status;
  }

  void Forget() {
    shown_.clear();
    listed_.clear();
  }

  script::HostStatus AfterWrite(script::HostStatus status) {
    if (status == script::HostStatus::kDone) Forget();
    return status;
  }

  const script::Program& program_;
  script::Host& store_;
  std::vector<ExactBytes> shown_;
  std::vector<std::unique_ptr<script::ListedKey[]>> listed_;
};

}  // namespace palena::fuzz
