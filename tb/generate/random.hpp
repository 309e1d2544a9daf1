// Random values that depend on their place and on nothing else, so that a case alone equals that case in a run, on any
// machine, in any shard. Philox4x64 with ten rounds maps (seed; case, part, index, block) to four words of 64 bits.
#pragma once

#include <Random123/philox.h>

#include <cstdint>

#include "model/core/integer.hpp"

namespace assay {

// What of a case a value is for. The numbers are part of what every seed means: add at the end, never renumber.
enum class Part : std::uint64_t {
  choice = 0,
  term = 1,
  a = 2,
  b = 3,
  c = 4,
  scale_a = 5,
  scale_b = 6,
  block = 7,
  noise = 8,
  outlier = 9,
  more = 10
};

// The values at one (seed, case, part, index), as many as are asked for.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint64_t number, Part part, std::uint64_t index)
      : key_{{seed, 0}}, counter_{{number, static_cast<std::uint64_t>(part), index, 0}} {}

  std::uint64_t bits() {
    if (left_ == 0) next_block();
    return block_[4 - left_--];
  }

  // 0 to n - 1. No value is likelier than another by more than n / 2^64.
  std::uint64_t below(std::uint64_t n) { return static_cast<std::uint64_t>(u128{bits()} * n >> 64); }

  int between(int least, int greatest) {
    assert(least <= greatest);
    return least + static_cast<int>(below(static_cast<std::uint64_t>(greatest - least) + 1));
  }

  bool coin() { return bits() >> 63 != 0; }

 private:
  void next_block() {
    block_ = r123::Philox4x64()(counter_, key_);
    ++counter_[3];
    left_ = 4;
  }

  r123::Philox4x64::key_type key_;
  r123::Philox4x64::ctr_type counter_;
  r123::Philox4x64::ctr_type block_{};
  unsigned left_ = 0;
};

// All random values of one case.
struct Random {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;

  Draws at(Part part, int index = 0) const { return {seed, number, part, static_cast<std::uint64_t>(index)}; }
};

}  // namespace assay
