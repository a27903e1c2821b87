#pragma once

#include <memory>

#include "limits/model.h"

namespace palena::limits {

std::unique_ptr<Model> MakeFixedWindow();
std::unique_ptr<Model> MakeFirstHitWindow();
std::unique_ptr<Model> MakeSlidingLog();
std::unique_ptr<Model> MakeSlidingWindow();
std::unique_ptr<Model> MakeTokenBucket();
std::unique_ptr<Model> MakeGcra();
std::unique_ptr<Model> MakeConcurrency();

}  // namespace palena::limits
