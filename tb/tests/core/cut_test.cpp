#include "model/core/cut.hpp"

#include <gtest/gtest.h>

#include "tb/tests/core/numbers.hpp"

namespace assay {
namespace {

// magnitude / 2^distance as whole / unit, with `below` as a 256th of the magnitude's last bit: less than half of any
// unit that the cases use.
struct Quotient {
  u128 whole, rest, unit;
};

Quotient quotient(u128 magnitude, int distance, bool below) {
  const u128 exact = (magnitude << 8) + (below ? 1 : 0);
  const u128 unit = u128{1} << (8 + distance);
  return {exact / unit, exact % unit, unit};
}

u128 rounded(const Quotient& q, bool negative, Cut cut) {
  const bool more_than_half = 2 * q.rest > q.unit;
  const bool half = 2 * q.rest == q.unit;
  const bool odd = q.whole % 2 != 0;
  switch (cut) {
    case Cut::toward_zero: return q.whole;
    case Cut::down: return q.whole + (negative && q.rest != 0 ? 1 : 0);
    case Cut::up: return q.whole + (!negative && q.rest != 0 ? 1 : 0);
    case Cut::nearest_even: return q.whole + (more_than_half || (half && odd) ? 1 : 0);
    case Cut::nearest_away: return q.whole + (more_than_half || half ? 1 : 0);
    case Cut::nearest_up: return q.whole + (more_than_half || (half && !negative) ? 1 : 0);
    case Cut::to_odd: return q.whole + (q.rest != 0 && !odd ? 1 : 0);
    case Cut::stochastic_a:
    case Cut::stochastic_b:
    case Cut::stochastic_c: break;  // tests of their own
  }
  return 0;
}

class CutBits : public testing::TestWithParam<Cut> {};

TEST_P(CutBits, IsWhatIntegersSayForEveryByteAndDistance) {
  const Cut cut = GetParam();
  for (unsigned magnitude = 0; magnitude < 256; ++magnitude) {
    for (int distance = -4; distance <= 12; ++distance) {
      for (const bool negative : {false, true}) {
        for (const bool below : {false, true}) {
          const Quotient q = quotient(magnitude, distance, below);
          const CutResult found = cut_bits(magnitude, distance, negative, cut, below);
          ASSERT_TRUE(found.magnitude == rounded(q, negative, cut))
              << magnitude << " by " << distance << (negative ? " negative" : "") << (below ? " and more below" : "")
              << ": " << static_cast<unsigned>(found.magnitude);
          ASSERT_EQ(found.lost, q.rest != 0) << magnitude << " by " << distance;
        }
      }
    }
  }
}

TEST_P(CutBits, ReachesOverTheWholeRegister) {
  const Cut cut = GetParam();
  const u128 top = u128{1} << 127;
  for (const bool negative : {false, true}) {
    // At 128 the top bit is exactly half; beyond it is less.
    const bool away = cut == Cut::nearest_away || cut == Cut::to_odd || (cut == Cut::down && negative) ||
                      ((cut == Cut::up || cut == Cut::nearest_up) && !negative);
    EXPECT_TRUE(cut_bits(top, 128, negative, cut).magnitude == u128{away});
    EXPECT_TRUE(cut_bits(top + 1, 128, negative, cut).magnitude == u128{away || is_nearest(cut)});
    const bool tiny_away = away && !is_nearest(cut);
    for (const int distance : {129, 200, 40000}) {
      EXPECT_TRUE(cut_bits(top + 1, distance, negative, cut).magnitude == u128{tiny_away}) << distance;
      EXPECT_TRUE(cut_bits(top + 1, distance, negative, cut).lost) << distance;
    }
    EXPECT_TRUE(cut_bits(0, 40000, negative, cut).magnitude == 0);
    EXPECT_FALSE(cut_bits(0, 40000, negative, cut).lost);
    EXPECT_TRUE(cut_bits(top, 127, negative, cut).magnitude == 1);
    EXPECT_TRUE(cut_bits(1, -127, negative, cut).magnitude == top);
  }
}

TEST_P(CutBits, SaysWhetherItMayCarryIntoOneMoreBit) {
  bool carried = false;
  for (const bool negative : {false, true}) {
    carried = carried || bit_length(cut_bits(0b1111, 2, negative, GetParam()).magnitude) > 2;
  }
  EXPECT_EQ(may_carry(GetParam()), carried);
}

INSTANTIATE_TEST_SUITE_P(Modes, CutBits, testing::ValuesIn(test::cuts()),
                         [](const auto& info) { return std::string(word(info.param)); });

}  // namespace
}  // namespace assay
