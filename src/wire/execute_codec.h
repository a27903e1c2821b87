#pragma once

// The messages Execute and ExecuteMany, private to wire: their fields without the frame around
// them. A decoded request refers to the message and to `storage`.

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "model/request.h"
#include "wire/codec.h"
#include "wire/fields.h"

namespace palena::wire {

base::Status DecodeExecute(std::string_view message, RequestStorage& storage,
                           model::RequestView& out);
base::Status DecodeExecuteMany(std::string_view message, RequestStorage& storage,
                               model::ManyRequestView& out);

// Bytes of a request as WriteRequest writes it.
std::size_t RequestBytes(const model::RequestView& request);
std::size_t RequestBytes(const model::ManyRequestView& request);
void WriteRequest(FieldWriter& writer, const model::RequestView& request);
void WriteRequest(FieldWriter& writer, const model::ManyRequestView& request);

}  // namespace palena::wire
