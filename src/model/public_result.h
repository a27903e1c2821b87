#pragma once

// From the project's own nouns to those of include/palena/: what the embedded node and the client
// hand to an application.

#include "base/status.h"
#include "model/result.h"
#include "palena/many.h"
#include "palena/result.h"
#include "palena/status.h"

namespace palena::model {

palena::Result ToPublic(const Result& result);
// The same into a result of before, whose memory is used again: a small answer allocates nothing.
void ToPublic(const Result& result, palena::Result& into);

// The result as verdict, and what `many` holds, if anything.
void ToPublic(const Result& result, palena::ManyResult& into);

// Codes without a public name become kInternal.
palena::Status ToPublic(const base::Status& status);

}  // namespace palena::model
