// Generated cases as words for the inputs of a model's gates.
#pragma once

#include <cstdint>
#include <vector>

#include "tb/generate/generator.hpp"
#include "tb/prove/model_gates.hpp"

namespace assay {

// 64 cases from the one of this number on, a word for each input.
inline std::vector<std::uint64_t> inputs_of(const Plan& plan, const Gates& gates, std::uint64_t first) {
  const Generator generator(plan, 1);
  std::vector<std::uint64_t> words(gates.inputs().size(), 0);
  for (std::uint64_t n = 0; n < 64; ++n) {
    const std::vector<bool> bits = bits_of_case(plan, generator.make(first + n));
    for (std::size_t i = 0; i < bits.size(); ++i) words[i] |= std::uint64_t{bits[i]} << n;
  }
  return words;
}

}  // namespace assay
