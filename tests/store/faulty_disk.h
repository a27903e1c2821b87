#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "rocksdb/env.h"
#include "rocksdb/file_system.h"

namespace palena::store {

// A real disk that, from a chosen moment on, cannot make files of one kind durable: neither appends
// nor syncs of files whose name ends in `suffix` succeed. Counts reads of such files.
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

  void CountRead() { ++reads_; }
  int reads() const { return reads_; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* debug) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& name,
                                        const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* debug) override;

 private:
  bool IsChosen(const std::string& name) const { return name.ends_with(suffix_); }

  const std::string suffix_;
  rocksdb::IOStatus error_;  // written before fault_
  std::atomic<Fault> fault_{Fault::kNone};
  std::atomic<int> reads_{0};
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

class CountedFile final : public rocksdb::FSRandomAccessFileOwnerWrapper {
 public:
  CountedFile(std::unique_ptr<rocksdb::FSRandomAccessFile> file, FaultyDisk& disk)
      : FSRandomAccessFileOwnerWrapper(std::move(file)), disk_(disk) {}

  rocksdb::IOStatus Read(std::uint64_t offset, std::size_t bytes, const rocksdb::IOOptions& options,
                         rocksdb::Slice* result, char* scratch,
                         rocksdb::IODebugContext* debug) const override {
    disk_.CountRead();
    return FSRandomAccessFileOwnerWrapper::Read(offset, bytes, options, result, scratch, debug);
  }

 private:
  FaultyDisk& disk_;
};

inline rocksdb::IOStatus FaultyDisk::NewWritableFile(const std::string& name,
                                                     const rocksdb::FileOptions& options,
                                                     std::unique_ptr<rocksdb::FSWritableFile>* file,
                                                     rocksdb::IODebugContext* debug) {
  rocksdb::IOStatus made = FileSystemWrapper::NewWritableFile(name, options, file, debug);
  if (made.ok() && IsChosen(name)) *file = std::make_unique<FaultyFile>(std::move(*file), *this);
  return made;
}

inline rocksdb::IOStatus FaultyDisk::NewRandomAccessFile(
    const std::string& name, const rocksdb::FileOptions& options,
    std::unique_ptr<rocksdb::FSRandomAccessFile>* file, rocksdb::IODebugContext* debug) {
  rocksdb::IOStatus made = FileSystemWrapper::NewRandomAccessFile(name, options, file, debug);
  if (made.ok() && IsChosen(name)) *file = std::make_unique<CountedFile>(std::move(*file), *this);
  return made;
}

}  // namespace palena::store
