// Cuts by chance against the formulas of IEEE P3109, over every dropped part and every random word of small sizes.
#include <gtest/gtest.h>

#include <cmath>

#include "model/core/round.hpp"

namespace assay {
namespace {

// Whether the fraction v of a unit rounds away from zero; all numbers here are exact in a double.
bool rounds_away(Cut cut, double v, int bits, double word) {
  const double steps = std::ldexp(1, bits);
  switch (cut) {
    case Cut::stochastic_a: return std::floor(v * steps) + word >= steps;
    case Cut::stochastic_b: return std::floor(v * 2 * steps) + 2 * word + 1 >= 2 * steps;
    case Cut::stochastic_c: return std::nearbyint(v * steps) + word >= steps;  // to nearest, ties to even
    case Cut::toward_zero:
    case Cut::down:
    case Cut::up:
    case Cut::nearest_even:
    case Cut::nearest_away:
    case Cut::nearest_up:
    case Cut::to_odd: break;
  }
  return false;
}

class Stochastic : public testing::TestWithParam<Cut> {};

TEST_P(Stochastic, IsTheFormulaForEveryWord) {
  const Cut cut = GetParam();
  for (int bits = 1; bits <= 5; ++bits) {
    for (int distance = 1; distance <= 7; ++distance) {
      for (unsigned magnitude = 0; magnitude < 512; ++magnitude) {
        for (Code word = 0; word < Code{1} << bits; ++word) {
          const double exact = std::ldexp(magnitude, -distance), whole = std::floor(exact), v = exact - whole;
          const double wanted = whole + (rounds_away(cut, v, bits, static_cast<double>(word)) ? 1 : 0);
          for (const bool negative : {false, true}) {
            const u128 found = cut_magnitude(magnitude, distance, negative, {cut, bits, word});
            ASSERT_EQ(static_cast<double>(static_cast<std::uint64_t>(found)), wanted)
                << magnitude << " by " << distance << ", word " << word << " of " << bits;
          }
        }
      }
    }
  }
}

// What is exact stays, whatever the word; bits of the word beyond its own are not read.
TEST_P(Stochastic, LeavesWhatNeedsNoCut) {
  const Cut cut = GetParam();
  for (Code word = 0; word < 16; ++word) {
    EXPECT_TRUE(cut_magnitude(40, 3, false, {cut, 4, word}) == 5);
    EXPECT_TRUE(cut_magnitude(5, 0, true, {cut, 4, word}) == 5);
    EXPECT_TRUE(cut_magnitude(5, -2, true, {cut, 4, word}) == 20);
    EXPECT_TRUE(cut_magnitude(43, 3, false, {cut, 4, word}) == cut_magnitude(43, 3, false, {cut, 4, word | 0xff0}));
  }
}

TEST_P(Stochastic, ReachesOverTheWholeRegister) {
  const Cut cut = GetParam();
  const u128 top = u128{1} << 123;
  EXPECT_TRUE(cut_magnitude(top, 124, false, {cut, 32, 0x7fffffff}) == 0);
  EXPECT_TRUE(cut_magnitude(top, 124, false, {cut, 32, 0x80000000}) == 1);
  EXPECT_TRUE(cut_magnitude(top | 1, 1, false, {cut, 32, 0xffffffff}) == top / 2 + 1);
  EXPECT_TRUE(cut_magnitude(top | 1, 1, false, {cut, 32, 0x7fffffff}) == top / 2);
  EXPECT_TRUE(cut_magnitude(1, 400, false, {cut, 32, 0xffffffff}) == 0);
}

INSTANTIATE_TEST_SUITE_P(, Stochastic, testing::Values(Cut::stochastic_a, Cut::stochastic_b, Cut::stochastic_c),
                         [](const auto& info) { return std::string(word(info.param)); });

// Over all words, as many round away as the dropped part is worth: of a, its leading bits; b and c round it.
TEST(StochasticShare, OfWordsThatRoundAway) {
  const auto away = [](Cut cut, unsigned dropped) {
    int count = 0;
    for (Code word = 0; word < 16; ++word) count += cut_magnitude(dropped, 8, false, {cut, 4, word}) == 1 ? 1 : 0;
    return count;
  };
  EXPECT_EQ(away(Cut::stochastic_a, 0x5f), 5);
  EXPECT_EQ(away(Cut::stochastic_a, 0x0f), 0);
  EXPECT_EQ(away(Cut::stochastic_b, 0x57), 5);  // floor(10.875 + 1) / 2
  EXPECT_EQ(away(Cut::stochastic_b, 0x58), 6);
  EXPECT_EQ(away(Cut::stochastic_c, 0x58), 6);  // 5.5: to even
  EXPECT_EQ(away(Cut::stochastic_c, 0x48), 4);  // 4.5: to even
  EXPECT_EQ(away(Cut::stochastic_c, 0xff), 16);
}

}  // namespace
}  // namespace assay
