#pragma once

// What the value of a flag may be. Each names the value and what is allowed, in plain words; the
// parser puts the flag in front. Without a description, so that help texts show the type's name
// alone.

#include <cstdint>
#include <map>
#include <string>

#include "CLI/CLI.hpp"

namespace palena::app {

// A whole number from `min` to `max`.
CLI::Validator WholeNumber(std::uint64_t min, std::uint64_t max);

// A number, with or without a fraction, from `min` to `max`.
CLI::Validator Number(double min, double max);

// Bytes: a whole number and KiB, MiB, GiB, TiB or nothing; K and KB count as KiB, and so on.
// Replaces the text by the number of bytes: for Option::transform.
CLI::Validator Size();

// Time: a whole number and ms, s, m, h or d. Replaces the text by the number of milliseconds: for
// Option::transform.
CLI::Validator Duration();

// A parameter of a script: `shape`, which is name=value or what the help calls it.
CLI::Validator ParameterText(const std::string& shape);

// The words of a choice, and what each stands for.
template <typename T>
using Choices = std::map<std::string, T>;

// Adds an option that is one of a few words; `out` keeps its value when it is not given, and must
// live as long as `app`.
template <typename T>
CLI::Option* AddChoice(CLI::App& app, const std::string& name, T& out, const Choices<T>& choices,
                       const std::string& about) {
  const auto choose = [name, choices, &out](const std::string& word) {
    const auto chosen = choices.find(word);
    if (chosen == choices.end()) {
      std::string known;
      for (const auto& choice : choices) known += (known.empty() ? "" : ", ") + choice.first;
      throw CLI::ValidationError(name, "'" + word + "' is none of: " + known);
    }
    out = chosen->second;
  };
  return app.add_option_function<std::string>(name, choose, about);
}

}  // namespace palena::app
