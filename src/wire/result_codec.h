#pragma once

// The message Result, private to wire: its fields without the frame around them.

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "model/result.h"
#include "wire/fields.h"

namespace palena::wire {

// Bytes of `result` as WriteResult writes it.
std::size_t ResultBytes(const model::Result& result);
void WriteResult(FieldWriter& writer, const model::Result& result);

// InvalidArgument when `message` is no Result: among others for an unknown type, code or applied.
base::Status DecodeResult(std::string_view message, model::Result& out);

}  // namespace palena::wire
