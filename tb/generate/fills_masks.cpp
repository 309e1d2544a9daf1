// Which products are on, one choice after the other, with what a mask has to hide where they are off.
#include <algorithm>

#include "tb/generate/codes.hpp"
#include "tb/generate/fills.hpp"
#include "tb/generate/mask_draw.hpp"

namespace assay::fills {
namespace {

// The same pattern in each group; without one all on, all off, one off, one on, or every other one.
Code bit_of(Maker& m, const std::vector<std::vector<Code>>& patterns, int i) {
  if (!patterns.empty()) {
    const auto& pattern = patterns[static_cast<std::size_t>(m.counted(static_cast<int>(patterns.size())))];
    return pattern[static_cast<std::size_t>(i) % pattern.size()];
  }
  const int one = m.counted(m.plan().k, 5);
  switch (m.counted(5)) {
    case 0: return 1;
    case 1: return 0;
    case 2: return i == one ? 0 : 1;
    case 3: return i == one ? 1 : 0;
    default: return i % 2 == 0 ? 1 : 0;
  }
}

// A NaN, an infinity, or the greatest number where the format has neither.
Code hidden(const Format& f, Draws& draws) {
  const bool negative = f.has_sign && draws.coin();
  switch (draws.below(3)) {
    case 0: return nan_code(f, negative, draws.bits() | 1);
    case 1: return infinity_code(f, negative);
    default: return greatest_code(f, negative);
  }
}

}  // namespace

void masks(Maker& m) {
  const Plan& p = m.plan();
  put_near(m, p.d.is_integer() ? 4 : 0, 3);
  const CaseOperand& mask = p.more[static_cast<std::size_t>(p.mask)];
  const std::vector<std::vector<Code>> patterns = group_patterns(mask.pattern);
  // Every third time around, all terms that are on are -0: what is off is +0 beside them.
  const int turn = m.counted(3, patterns.empty() ? 5 : static_cast<int>(patterns.size()));
  if (turn == 2) m.code_at(m.place_of_c()) = zero_code(p.c, true);
  std::vector<Code> bits;
  for (int i = 0; i < p.k; ++i) {
    bits.push_back(bit_of(m, patterns, i));
    Draws draws = m.draws(Part::term, i);
    if (bits.back() == 0) {
      if (turn != 0) m.code_at(m.place_of_a(i)) = hidden(p.a, draws);
      if (draws.coin()) m.code_at(m.place_of_b(i)) = hidden(p.b, draws);
    } else if (turn == 2) {
      m.code_at(m.place_of_a(i)) = zero_code(p.a, true);
      m.code_at(m.place_of_b(i)) = one_code(p.b);
    }
  }
  m.put_mask(bits);
}

}  // namespace assay::fills
