// Sums that are taken as they come until the vector unit's flags say that one was rounded, or that a number was tiny:
// whole matrices in which that happens seldom, at each place once.
#include <gtest/gtest.h>

#include <cmath>

#include "model/core/matmul.hpp"
#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr int rows = 6, columns = 19;  // more than a tile each way

const Plan& shipped(const std::string& datapath) {
  for (const Plan& plan : shipped_plans()) {
    if (plan.datapath.name == datapath) return plan;
  }
  throw std::runtime_error("No plan has the datapath " + datapath + ".");
}

std::size_t place(int row, int column, int of) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(of) + static_cast<std::size_t>(column);
}

// Numbers near one; C is zero.
Matrices near_one(const Plan& plan, int k, std::uint64_t seed) {
  Matrices x{rows, columns, k, {}, {}, std::vector<Code>(place(rows, 0, columns)), {}, {}};
  Draws draws = Random{seed, 0}.at(Part::term);
  const auto number = [&](const Format& f) { return normal_code(f, draws.coin(), draws.between(-3, 2), draws.bits()); };
  for (std::size_t i = 0; i < place(rows, 0, k); ++i) x.a.push_back(number(plan.a));
  for (std::size_t i = 0; i < place(k, 0, columns); ++i) x.b.push_back(number(plan.b));
  return x;
}

std::vector<Code> by_kernel(const Kernel& kernel, const Matrices& x) {
  std::vector<Code> d(x.c.size());
  kernel.gemm({x.m,
               x.n,
               x.k,
               row_major(x.a.data(), x.k),
               row_major(x.b.data(), x.n),
               row_major(x.c.data(), x.n),
               {},
               {},
               row_major(d.data(), x.n)});
  return d;
}

void expect_equal_to_core(const Plan& plan, const Matrices& x, const std::string& what) {
  const std::vector<Code> core = matmul(plan, x);
  const Kernel kernel(plan);
  for (const std::int64_t target : targets()) {
    const OnlyTarget only(target);
    ASSERT_EQ(by_kernel(kernel, x), core) << plan.datapath.name << ", " << what;
  }
}

Code power(const Format& f, int exponent) { return power_code(f, false, exponent); }

// One element of D is the sum of a few products alone: those of row 0 of A and column 0 of B.
struct Alone {
  const Plan& plan;
  Matrices x;

  Alone(const Plan& p, int k, std::uint64_t seed) : plan(p), x(near_one(p, k, seed)) {
    for (int t = 0; t < k; ++t) x.a[place(0, t, k)] = 0;
  }
  void put(int term, int a, int b) {
    x.a[place(0, term, x.k)] = power(plan.a, a);
    x.b[place(term, 0, columns)] = power(plan.b, b);
  }
  void put_code(int term, Code a, Code b) {
    x.a[place(0, term, x.k)] = a;
    x.b[place(term, 0, columns)] = b;
  }
};

// 2^24 + 1 is half way between two floats, 2^24 + 1 + 2^-30 is above. No double holds the second.
TEST(FastFlags, OfOneSumThatIsNoDoubleAreSeenInAnyStep) {
  for (const std::string name : {"exact_step4", "exact_step2"}) {
    const Plan& plan = shipped(name);
    ASSERT_EQ(Kernel(plan).path(), "exact sums");
    const int k = 256 / plan.k * plan.k, step = plan.step_terms;
    for (const int first : {0, step, 31 * step, 32 * step, 63 * step, k - step}) {
      Alone with(plan, k, 3);
      with.put(first, 12, 12);
      with.put(first + 1, 0, 0);
      const Code tie = matmul(plan, with.x)[0];
      if (step > 2) {
        with.put(first + 2, -15, -15);
      } else {
        with.x.c[0] = power(plan.c, -30);
      }
      EXPECT_NE(matmul(plan, with.x)[0], tie) << "the case does not tell";
      expect_equal_to_core(plan, with.x, "step " + std::to_string(first / step));
    }
  }
}

// Those in which small results become zero, and whose operands reach such results.
std::vector<const Plan*> flushing() {
  std::vector<const Plan*> plans;
  for (const Plan& plan : shipped_plans()) {
    const Result& last = plan.last_adder().results.back().words;
    const bool reaches = !plan.a.is_integer() && plan.a.least_exponent() + plan.b.least_exponent() < -126;
    if (Kernel(plan).path() == "IEEE floats" && last.subnormals != Subnormals::keep && reaches) plans.push_back(&plan);
  }
  return plans;
}

int at_least_64(const Plan& plan) { return (63 / plan.k + 1) * plan.k; }

// Half of the least normal number, twice: zero where each becomes zero, the least normal number where they are kept.
// Nothing is rounded; and what the last operation leaves is no operand any more.
TEST(FastFlags, OfExactTinyNumbersAreSeenInAnyPlace) {
  EXPECT_GE(flushing().size(), 6U);
  for (const Plan* plan : flushing()) {
    const int k = at_least_64(*plan);
    for (int at = 0; at + 1 < k; at += 5) {
      Alone tiny(*plan, k, 4);
      tiny.put(at, -64, -63);
      expect_equal_to_core(*plan, tiny.x, "one, term " + std::to_string(at));
      tiny.put(at + 1, -64, -63);
      expect_equal_to_core(*plan, tiny.x, "two, term " + std::to_string(at));
    }
    Alone last(*plan, k, 4);
    last.put(k - 1, -64, -63);
    expect_equal_to_core(*plan, last.x, "the last term");
  }
}

// Products about the least normal number, of any bits: some are rounded to it, some to less.
TEST(FastFlags, OfRoundedTinyNumbersAreSeen) {
  for (const Plan* plan : flushing()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      Alone some(*plan, at_least_64(*plan), seed);
      Draws draws = Random{seed, 2}.at(Part::noise);
      for (std::uint64_t n = 1 + draws.below(4); n > 0; --n) {
        const auto term = static_cast<int>(draws.below(static_cast<std::uint64_t>(some.x.k)));
        const Code low = draws.coin() ? ~Code{0} : draws.bits();
        some.put_code(term, normal_code(plan->a, draws.coin(), -63, draws.bits()),
                      normal_code(plan->b, draws.coin(), draws.between(-65, -62), low));
      }
      expect_equal_to_core(*plan, some.x, "seed " + std::to_string(seed));
    }
  }
}

}  // namespace
}  // namespace assay
