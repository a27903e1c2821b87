#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace palena::store {

// A real disk that, from a chosen moment on, cannot make files of one kind durable: neither appends
// nor syncs of files whose name ends in `suffix` succeed.
class FaultyDisk final : public rocksdb::FileSystemWrapper {
 public:
  enum class Fault { kNone, kSync, kAppend };

  explicit FaultyDisk(std::string suffix)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), suffix_(std::move(suffix)) {}

  const char* Name() const override { return "FaultyDisk"; }
  void Break(Fault fault, rocksdb::IOStatus error) {
    error_ = std::move(error);
    fault_ = fault;
  }
  rocksdb::IOStatus Check(Fault fault) const {
    return fault_ == fault ? error_ : rocksdb::IOStatus::OK();
  }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;

 private:
  const std::string suffix_;
  rocksdb::IOStatus error_;  // written before fault_
  std::atomic<Fault> fault_{Fault::kNone};
};

class FaultyFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  FaultyFile(std::unique_ptr<rocksdb::FSWritableFile> file, const FaultyDisk& disk)
      : FSWritableFileOwnerWrapper(std::move(file)), disk_(disk) {}

  using FSWritableFileOwnerWrapper::Append;
  rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                           rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus fault = disk_.Check(FaultyDisk::Fault::kAppend);
    return fault.ok() ? FSWritableFileOwnerWrapper::Append(data, options, debug) : fault;
  }
  rocksdb::IOStatus Sync(const rocksdb::IOOptions& options,
                         rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus fault = disk_.Check(FaultyDisk::Fault::kSync);
    return fault.ok() ? FSWritableFileOwnerWrapper::Sync(options, debug) : fault;
  }
  rocksdb::IOStatus Fsync(const rocksdb::IOOptions& options,
                          rocksdb::IODebugContext* debug) override {
    const rocksdb::IOStatus fault = disk_.Check(FaultyDisk::Fault::kSync);
    return fault.ok() ? FSWritableFileOwnerWrapper::Fsync(options, debug) : fault;
  }

 private:
  const FaultyDisk& disk_;
};

inline rocksdb::IOStatus FaultyDisk::NewWritableFile(const std::string& name,
                                                     const rocksdb::FileOptions& options,
                                                     std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                     rocksdb::IODebugContext* debug) {
  rocksdb::IOStatus made = FileSystemWrapper::NewWritableFile(name, options, file, debug);
  const bool is_chosen = name.size() >= suffix_.size() &&
                         name.compare(name.size() - suffix_.size(), suffix_.size(), suffix_) == 0;
  if (made.ok() && is_chosen) *file = std::make_unique<FaultyFile>(std::move(*file), *this);
  return made;
}

}  // namespace palena::store
