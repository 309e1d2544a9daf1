// The family that aims at what a result cannot hold, and all families where integers and floats meet.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

std::vector<Case> cases_of(const Plan& plan, const char* family, int count) {
  const Generator generator(plan, 1, find_family(plan, family));
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) cases.push_back(generator.make(static_cast<std::uint64_t>(i)));
  return cases;
}

double value_of(Code code, const Format& format) {
  const Number n = decode(code, format, Subnormals::keep, Specials::step);
  if (n.cls == Class::nan) return std::nan("");
  if (n.cls == Class::infinity) return n.negative ? -INFINITY : INFINITY;
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n.magnitude)), n.quantum);
  return n.negative ? -magnitude : magnitude;
}

// Of finite operands this is exact here: few terms, near each other.
double sum_of(const Plan& plan, const Case& one) {
  double sum = value_of(one.c, plan.c);
  for (std::size_t i = 0; i < one.a.size(); ++i) sum += value_of(one.a[i], plan.a) * value_of(one.b[i], plan.b);
  return sum;
}

struct Met {
  std::set<double> sums;
  std::set<Code> results;
  int nans = 0, infinities = 0;
};

Met met(const Plan& plan) {
  Met all;
  Registers registers;
  for (const Case& one : cases_of(plan, "result_ends", 1000)) {
    const double sum = sum_of(plan, one);
    all.results.insert(dot(plan, one.operand(), registers));
    if (std::isnan(sum))
      ++all.nans;
    else if (std::isinf(sum))
      ++all.infinities;
    else
      all.sums.insert(sum);
  }
  return all;
}

// 448 is e4m3's greatest, its last place 32: 464 is the tie, and goes to 448; what is above is too large.
TEST(ResultEnds, StandAboutTheTieOfE4m3) {
  const Met all = met(planned(f16_to_e4m3()));
  for (const double sum : {440, 448, 456, 464, 472, 480}) {
    EXPECT_EQ(all.sums.count(sum), 1U) << sum;
    EXPECT_EQ(all.sums.count(-sum), 1U) << -sum;
  }
  EXPECT_GT(all.nans, 50);
  EXPECT_GT(all.infinities, 50);
  for (const Code d : {0x7e, 0xfe, 0x7f, 0xff}) EXPECT_EQ(all.results.count(d), 1U) << d;
}

TEST(ResultEnds, StandAboutBothEndsOfAnInteger) {
  const Met all = met(planned(f16_and_i8()));
  for (const double sum : {126.75, 127.0, 127.25, 127.5, 127.75, 128.0, -127.75, -128.0, -128.25, -128.5, -129.0})
    EXPECT_EQ(all.sums.count(sum), 1U) << sum;
  for (const Code d : {0x7f, 0x80, 0x00}) EXPECT_EQ(all.results.count(d), 1U) << d;
}

TEST(ResultEnds, AreThoseOfResultsThatSaySomethingOfThem) {
  EXPECT_EQ(find_family(planned(f16()), "result_ends"), nullptr);
  EXPECT_EQ(find_family(planned(i8()), "result_ends"), nullptr);
  EXPECT_NE(find_family(planned(f16_and_i8()), "result_ends"), nullptr);
}

// Operands of either kind are put where a family wants them, not left at zero.
TEST(MixedKinds, EveryFamilyFillsBothSides) {
  const Plan plan = planned(f16_and_i8());
  EXPECT_NE(find_family(plan, "integer_edges"), nullptr);
  for (const Family* family : families_for(plan)) {
    std::set<Code> a, b;
    for (const Case& one : cases_of(plan, std::string(family->name).c_str(), 300)) {
      a.insert(one.a.begin(), one.a.end());
      b.insert(one.b.begin(), one.b.end());
    }
    for (const Code code : a) EXPECT_TRUE(plan.a.fits(code)) << family->name;
    for (const Code code : b) EXPECT_TRUE(plan.b.fits(code)) << family->name;
    EXPECT_GT(a.size(), 2U) << family->name;
    EXPECT_GT(b.size(), 2U) << family->name;
  }
}

TEST(MixedKinds, ProductsStandWhereTheyAreWanted) {
  const Plan plan = planned(f16_and_i8());
  std::set<int> leading;
  for (const Case& one : cases_of(plan, "near_exponents", 500)) {
    for (const Code code : one.b) {
      const Number n = decode(code, plan.b, Subnormals::keep, Specials::step);
      if (n.magnitude != 0) leading.insert(bit_length(n.magnitude) - 1);
    }
  }
  EXPECT_EQ(leading, (std::set<int>{0, 1, 2, 3, 4, 5, 6}));
}

}  // namespace
}  // namespace assay
