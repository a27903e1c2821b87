#pragma once

// Every visible limit of the node, named once. Options may lower some of them; nothing raises
// those of the language. The documentation's tables quote these.

#include <cstddef>
#include <cstdint>

namespace palena::base {

// The language.
inline constexpr std::size_t kScriptBytesMax = 65'536;
inline constexpr int kNestingDepthMax = 256;
inline constexpr std::size_t kArrayElementsMax = 100'000;
inline constexpr std::uint64_t kRunStepsMax = 10'000'000;
inline constexpr std::size_t kRunMemoryBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kScanEntriesMax = 4096;

// The store.
inline constexpr std::size_t kKeyBytesMax = 1024;
inline constexpr std::size_t kValueBytesMax = std::size_t{1} << 20;
inline constexpr int kVersionsInMemoryMax = 16;  // of one ephemeral key, head included

// The wire.
inline constexpr std::size_t kRequestFrameBytesMax =
    (std::size_t{1} << 20) + (std::size_t{128} << 10);
inline constexpr std::size_t kHandshakeFrameBytesMax = std::size_t{64} << 10;
inline constexpr std::size_t kResultBytesMax = std::size_t{16} << 20;
inline constexpr std::size_t kReplyFrameBytesMax = kResultBytesMax + 1024;  // and its envelope
inline constexpr std::size_t kParametersMax = 65'535;

// A run.
inline constexpr std::uint64_t kFastPathSteps = 20'000;
inline constexpr std::uint64_t kSliceSteps = 100'000;
inline constexpr std::int64_t kSliceNs = 1'000'000;
inline constexpr std::size_t kCallsMax = 32;  // programs of one run, in each of its two lists
inline constexpr std::int64_t kRunTimeoutMs = 5'000;  // default
inline constexpr std::int64_t kRunTimeoutMsMax = 300'000;
inline constexpr std::int64_t kSleepMsMax = 300'000;     // of one `sleep`
inline constexpr std::int64_t kAdmissionWaitMs = 5'000;  // default
inline constexpr std::int64_t kAdmissionWaitMsMax = 30'000;

// The program cache.
inline constexpr std::size_t kCachedProgramsMax = 1000;
inline constexpr std::size_t kCachedProgramBytesMax = std::size_t{16} << 20;

// Connections.
inline constexpr std::size_t kConnectionsMax = 1000;       // default of --max-connections
inline constexpr std::size_t kRequestsInFlightMax = 1024;  // per connection
// Output above which nothing more is read, and above which, behind what is being sent, the
// connection is closed: the largest answer may still be made when there is little less than the
// first.
inline constexpr std::size_t kOutputPauseBytes = std::size_t{4} << 20;
inline constexpr std::size_t kOutputCloseBytes = kOutputPauseBytes + kReplyFrameBytesMax;
inline constexpr std::int64_t kHandshakeTimeoutMs = 10'000;
inline constexpr std::int64_t kFrameTimeoutMs = 10'000;
inline constexpr std::int64_t kOutputStallTimeoutMs = 10'000;

// HTTP, beside those of every connection. A body holds a script or a value, as a frame does.
inline constexpr std::size_t kHttpConnectionsMax = 1000;  // default of --http-max-connections
inline constexpr std::size_t kHttpTargetBytesMax = std::size_t{8} << 10;
inline constexpr std::size_t kHttpHeaderBytesMax = std::size_t{32} << 10;
inline constexpr std::size_t kHttpBodyBytesMax = kRequestFrameBytesMax;
inline constexpr std::size_t kHttpTakeBodyBytesMax = std::size_t{64} << 10;  // of POST /v1/take
inline constexpr std::int64_t kHttpRequestTimeoutMs = 10'000;  // until all of it is there
// Longer than proxies keep an idle connection, so that none is closed while they send.
inline constexpr std::int64_t kHttpIdleTimeoutMs = 75'000;

}  // namespace palena::base
