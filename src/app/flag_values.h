#pragma once

// What the value of a flag may be. Each names the value and what is allowed, in plain words; the
// parser puts the flag in front. Without a description, so that help texts show the type's name
// alone.

#include <cstdint>

#include "CLI/CLI.hpp"

namespace palena::app {

// A whole number from `min` to `max`.
CLI::Validator WholeNumber(std::uint64_t min, std::uint64_t max);

// A number, with or without a fraction, from `min` to `max`.
CLI::Validator Number(double min, double max);

// Bytes: a whole number and KiB, MiB, GiB, TiB or nothing; K and KB count as KiB, and so on.
// Replaces the text by the number of bytes: for Option::transform.
CLI::Validator Size();

}  // namespace palena::app
