// Datapaths of IEEE operations on f32 and f64: each product and each sum is rounded by itself, whatever the compiler
// and the caller of a kernel would rather have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cfenv>
#include <map>
#include <random>
#include <set>
#include <string>

#include "model/fast/kernel.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"
#include "tb/tests/fast/product.hpp"

namespace assay {
namespace {

struct Words {
  const char *factors, *result;
  int step;
  Shape shape;
  bool round_products = true;
  Subnormals subnormals = Subnormals::keep;
  Tiny tiny = Tiny::result;
};

//   pairs   the products of a step, added in the shape
//   sum     acc + pairs
Plan tree(const Words& x) {
  Result result;
  result.format = "d";
  result.subnormals = x.subnormals;
  result.tiny = x.tiny;
  Datapath d;
  d.name = "tree of " + std::to_string(x.step) + ", " + std::string(word(x.shape));
  d.operands = {x.factors, x.factors, x.result, x.result, "", 0};
  d.specials = Specials::operation;
  d.nan = Nan{true, 0};
  if (x.round_products) d.product.round = result;
  d.step.terms = x.step;
  d.adders = {test::adder("pairs", {test::input("product")}, {result}),
              test::adder("sum", {test::input("acc"), test::input("pairs")}, {result})};
  d.adders[0].shape = x.shape;
  for (Adder& adder : d.adders) adder.zero = ZeroSign::ieee;
  return test::planned(d, 8);
}

std::vector<Words> trees() {
  std::vector<Words> all;
  for (const int step : {2, 4, 8}) {
    for (const Shape shape : {Shape::flat, Shape::neighbours, Shape::halves, Shape::serial}) {
      for (const auto& [factors, result] : {std::pair{"f32", "f32"}, {"f64", "f64"}, {"bf16", "f32"}, {"f32", "f64"}}) {
        all.push_back({factors, result, step, shape});
        all.push_back({factors, result, step, shape, false});
      }
      for (const Tiny tiny : {Tiny::result, Tiny::before, Tiny::after})
        all.push_back({"f32", "f32", step, shape, true, Subnormals::signed_zero, tiny});
    }
  }
  return all;
}

std::vector<Case> cases_of(const Plan& plan, int count) {
  const Generator generator(plan, 1);
  std::vector<Case> cases;
  for (int i = 0; i < count; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    cases.push_back(i % 2 != 0 ? corner_case(plan, number) : generator.make(number));
  }
  return cases;
}

TEST(FastIeee, TreesOfEveryShapeEqualCore) {
  std::map<std::string_view, int> paths;
  for (const Words& words : trees()) {
    const Plan plan = tree(words);
    ++paths[Kernel(plan).path()];
    expect_batch_equals_core(plan, cases_of(plan, 240));
  }
  EXPECT_GE(paths["IEEE floats"], 40);
  EXPECT_GE(paths["IEEE doubles"], 20);
}

// (1 + u)^2 - (1 + 2u), with u so small that u^2 is lost as the product is rounded: nothing is left. A product that
// went unrounded into the sum would leave u^2.
TEST(FastIeee, AProductIsRoundedBeforeItIsAdded) {
  Case floats, doubles;
  floats.a = {0x3f800001, 0x3f800002}, floats.b = {0x3f800001, 0xbf800000};
  doubles.a = {0x3ff0000000000001, 0x3ff0000000000002}, doubles.b = {0x3ff0000000000001, 0xbff0000000000000};
  for (auto [format, one] : {std::pair{"f32", floats}, {"f64", doubles}}) {
    const Plan plan = tree({format, format, 2, Shape::neighbours});
    one.a.resize(8);
    one.b.resize(8);
    EXPECT_EQ(by_core(plan, operands_of({one})), std::vector<Code>{0}) << format;
    expect_batch_equals_core(plan, std::vector<Case>(20, one));
  }
}

// Rounding to odd and to f16's numbers is arithmetic, which any operands may show to be wrong: by the catalogue's units
// that round so, on operands of the families and of any bits, and on sums of few bits, half of which are ties.
TEST(FastIeee, RoundingByArithmeticEqualsCore) {
  const std::set<std::string> names{
      "fma_chain_one_nan",         "fma_chain_one_nan_minus", "fma_chain_one_nan_minus_both",
      "fma_chain_one_nan_minus_c", "pair_to_odd_flush",       "pair_to_odd_flush_minus"};
  std::set<std::string> met;
  for (const Plan& plan : shipped_plans()) {
    const bool is_known = plan.a.stored_bits == 16 && plan.d.name != "bf16";
    if (names.count(plan.datapath.name) == 0 || !is_known) continue;
    EXPECT_EQ(Kernel(plan).path(), "IEEE floats") << plan_text(plan);
    met.insert(plan.datapath.name);
    std::vector<Case> cases = cases_of(plan, 4000);
    std::mt19937_64 random(7);
    const auto code = [&](const Format& f, Code kept) {
      return random() & kept & ((Code{2} << (f.stored_bits - 1)) - 1);
    };
    for (int i = 0; i < 8000; ++i) {
      Case one = cases.front();
      const bool is_near = i % 2 != 0;
      const Code few = is_near ? 0xbc60 : ~Code{0};  // exponents of like size, and five bits of a significand
      for (Code& a : one.a) a = code(plan.a, few);
      for (Code& b : one.b) b = code(plan.b, few);
      one.c = code(plan.c, plan.c.stored_bits == 16 && is_near ? 0xbfff : ~Code{0});
      cases.push_back(std::move(one));
    }
    expect_batch_equals_core(plan, cases);
  }
  EXPECT_EQ(met, names);
}

// bf16's exponents reach beyond a float's in products: operands on both sides of what is taken, and where the sum of
// two has no least exponent though a float has.
TEST(FastIeee, OperandsFarFromOneAreLeftToCore) {
  const std::vector<Plan>& all = shipped_plans();
  const auto found =
      std::find_if(all.begin(), all.end(), [](const Plan& p) { return p.datapath.name == "pair24_second"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(Kernel(*found).path(), "IEEE floats");
  std::vector<Case> cases = cases_of(*found, 2000);
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    Case one = cases.front();
    const Code exponent = 127 - 68 + static_cast<Code>(i % 14), other = 127 - 68 + static_cast<Code>(i / 14 % 14);
    for (Code& a : one.a) a = (random() & 0x807f) | exponent << 7;
    for (Code& b : one.b) b = (random() & 0x807f) | other << 7;
    one.c = i % 3 == 0 ? 0 : random() & 0x80ffffff;
    cases.push_back(std::move(one));
  }
  expect_batch_equals_core(*found, cases);
}

// Equality says little of a path that nothing runs on.
TEST(FastIeee, OwnDatapathsMeetThePaths) {
  std::map<std::string_view, int> paths;
  for (std::uint64_t number = 0; number < own_datapaths; ++number) ++paths[Kernel(own_plan(number)).path()];
  EXPECT_GE(paths["IEEE floats"], own_datapaths / 50);
  EXPECT_GE(paths["IEEE doubles"], own_datapaths / 50);
}

// --- what the caller's thread has set ---

// The control word of the machine's floating point, where the library lets it be seen: bits 6 and 15 take subnormals
// for zero, as they come and as they go.
#if defined(__GLIBC__) && defined(__x86_64__)
constexpr unsigned flush_subnormals = 0x8040, raised = 0x3f;
unsigned& control(std::fenv_t& environment) { return environment.__mxcsr; }
#else
constexpr unsigned flush_subnormals = 0, raised = 0;
unsigned& control(std::fenv_t&) {
  static unsigned none = 0;
  return none;
}
#endif

// What its floating point is told, but for the flags that operations raise.
std::pair<int, unsigned> told() {
  std::fenv_t environment;
  std::fegetenv(&environment);
  return {std::fegetround(), control(environment) & ~raised};
}

// A thread that has set this; all is put back when the test ends.
class Caller {
 public:
  Caller(int rounding, bool flush) {
    std::fegetenv(&before_);
    std::fenv_t own = before_;
    if (flush) control(own) |= flush_subnormals;
    std::fesetenv(&own);
    std::fesetround(rounding);
  }
  ~Caller() { std::fesetenv(&before_); }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

 private:
  std::fenv_t before_;
};

// Subnormals, ties and results at the ends of the range, through a kernel that is made, used and used by several
// threads.
void expect_equal_under(const Plan& plan, int rounding, bool flush) {
  const std::vector<Case> cases = cases_of(plan, 600);
  const std::vector<Operand> operands = operands_of(cases);
  const std::vector<Code> core = by_core(plan, operands);
  MatrixProduct product(plan, 5, 19, plan.c == plan.d ? 2 : 1, {});
  std::vector<Code> d(operands.size()), matrix;
  bool kept = true;
  {
    const Caller caller(rounding, flush);
    const std::pair<int, unsigned> before = told();
    const Kernel kernel(plan);
    kernel.batch(operands.data(), operands.size(), d.data(), 3);
    matrix = product.run(kernel, 2);
    kept = told() == before;
  }
  EXPECT_EQ(d, core) << plan_text(plan) << ", rounding " << rounding << ", flush " << flush;
  EXPECT_EQ(matrix, product.expected()) << plan_text(plan) << ", rounding " << rounding << ", flush " << flush;
  EXPECT_TRUE(kept) << plan_text(plan);
}

TEST(FastIeee, WhatTheCallerHasSetChangesNothing) {
  std::map<std::string_view, int> tried;
  const auto try_plan = [&](const Plan& plan) {
    const std::string_view path = Kernel(plan).path();
    if (path == "core" || tried[path] >= 3) return;
    ++tried[path];
    for (const int rounding : {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
      expect_equal_under(plan, rounding, true);
    expect_equal_under(plan, FE_UPWARD, false);
  };
  for (const char* format : {"f32", "f64"}) try_plan(tree({format, format, 4, Shape::neighbours}));
  for (const Plan& plan : shipped_plans()) try_plan(plan);
  for (auto plan = changed_plans().begin(); tried["64-bit lanes"] == 0 && plan != changed_plans().end(); ++plan)
    try_plan(*plan);  // no shipped one is left to these
  for (const char* path :
       {"32-bit lanes", "64-bit lanes", "integer groups", "exact sums", "IEEE floats", "IEEE doubles", "integers"})
    EXPECT_GE(tried[path], 1) << path;
}

}  // namespace
}  // namespace assay
