#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace palena::app {

// One reply of a RESP2 server (Redis), or why there is none yet.
struct RespReply {
  enum class Kind : std::uint8_t {
    kNeedMore,
    kSimple,
    kError,  // `text` is what the server says of it
    kInteger,
    kBulk,
    kNil,    // a null bulk string or a null array
    kArray,  // skipped as a whole; `text` is empty
    kBad,    // not RESP2, or beyond a limit: `text` says what, for as long as the program runs
  };
  Kind kind = Kind::kNeedMore;
  std::string_view text;           // inside the input, without its type and length
  std::size_t consumed_bytes = 0;  // of a whole reply
  std::size_t needed_bytes = 0;    // kNeedMore: how long the input must be to go on

  // "integer", "error", …
  std::string_view type_name() const;
};

// Looks for one reply at the front of `input`. Pure, allocates nothing and uses no stack for depth:
// an array is skipped by counting the elements that are still to come. A length is judged as soon
// as it is read: above `reply_bytes_max` for the reply as a whole is bad.
RespReply DecodeRespReply(std::string_view input, std::size_t reply_bytes_max);

}  // namespace palena::app
