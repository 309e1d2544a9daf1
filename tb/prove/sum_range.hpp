// How large a sum can be, by how large each of its addends can be.
#pragma once

#include <vector>

#include "model/core/integer.hpp"
#include "tb/prove/gates.hpp"

namespace assay {

struct SumRange {
  i128 least = 0, greatest = 0;

  // Whether a number in it has its first bit, from the top, that is not its sign at `first`; -1: it has none.
  bool has(int first, bool negative) const {
    const i128 above = i128{1} << (first + 1), at = first < 0 ? 0 : i128{1} << first;
    return negative ? least <= -at - 1 && greatest >= -above : least <= above - 1 && greatest >= at;
  }
};

inline constexpr std::size_t widest_in_range = 100;  // bits of a sum

// Whether a sum is that of these words, whatever their bits are. All are signed.
bool is_sum_of(const Gates& gates, const std::vector<Lit>& sum, const std::vector<std::vector<Lit>>& addends);

}  // namespace assay
