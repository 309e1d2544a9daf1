// Which generated cases a command is about: how many, from which seed, of which family.
#pragma once

#include <cstdint>
#include <string>

#include "sim/cli/command.hpp"
#include "tb/generate/generator.hpp"

namespace assay {

struct GenerateOptions {
  std::uint64_t cases = 20'000;
  std::uint64_t seed = 1;
  std::string family;  // empty: all of them in turn

  void add(CLI::App& command);
  Generator open(const Plan& plan) const;  // a ConfigError where the family is none of the plan's
};

}  // namespace assay
