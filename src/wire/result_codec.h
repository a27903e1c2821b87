#pragma once

// The messages Result and ManyResult, private to wire: their fields without the frame around them.

#include <cstddef>
#include <string_view>

#include "base/status.h"
#include "hlc/stamp.h"
#include "model/result.h"
#include "wire/fields.h"

namespace palena::wire {

// Bytes of `result` as WriteResult writes it.
std::size_t ResultBytes(const model::Result& result);
void WriteResult(FieldWriter& writer, const model::Result& result);

// The message ManyResult: a result with `many`, the verdict first.
std::size_t ManyResultBytes(const model::Result& result);
void WriteManyResult(FieldWriter& writer, const model::Result& result);
base::Status DecodeManyResult(std::string_view message, model::Result& out);

// InvalidArgument when `message` is no Result: among others for an unknown type, code or applied.
base::Status DecodeResult(std::string_view message, model::Result& out);

// Parts of it that other messages have too. Each read fails the reader, or returns why, for what is
// none.
void ReadCode(FieldReader& fields, model::Code& out);
void ReadApplied(FieldReader& fields, model::Applied& out);
base::Status DecodeStamp(std::string_view message, hlc::Stamp& out);
// As the field of this number; a stamp that is not set has none, and costs nothing.
std::size_t StampFieldBytes(const hlc::Stamp& stamp);
void WriteStampField(FieldWriter& writer, int field, const hlc::Stamp& stamp);

}  // namespace palena::wire
