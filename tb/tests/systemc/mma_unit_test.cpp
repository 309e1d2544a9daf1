// The matrix unit of modules: the core's bits for whole matrices, whatever the timing, and what resets and wrong
// operations leave.
#include <gtest/gtest.h>

#include "model/systemc/mma_unit.hpp"
#include "tb/tests/systemc/matrices.hpp"
#include "tb/tests/systemc/plans.hpp"

namespace assay::testing {
namespace {

using systemc::Bundle;
using systemc::MatrixProduct;
using systemc::MmaUnit;
using systemc::Operation;

Plan plan_of(const std::string& name) {
  const Example& chosen = example(name);
  return planned(chosen.datapath, chosen.k);
}

class Bench {
 public:
  Bench(std::vector<Plan> plans, const systemc::UnitShape& shape, const systemc::Timing& timing, int depth = 16)
      : operations("operations", depth), products("products", depth), unit("unit", std::move(plans), shape, timing) {
    unit.reset.bind(reset);
    unit.operations.bind(operations);
    unit.products.bind(products);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  void offer(int instruction, const Matrices& matrices, bool traced = false) {
    const Operation operation{instruction, std::make_shared<const Matrices>(matrices)};
    ASSERT_TRUE(operations.nb_write({count_++, traced, operation}));
  }

  std::vector<Bundle<MatrixProduct>> run() {
    sc_core::sc_start();
    return take();
  }

  std::vector<Bundle<MatrixProduct>> take() {
    std::vector<Bundle<MatrixProduct>> all;
    for (Bundle<MatrixProduct> one; products.nb_read(one);) all.push_back(one);
    return all;
  }

  sc_core::sc_signal<bool> reset{"reset"};
  sc_core::sc_fifo<Bundle<Operation>> operations;
  sc_core::sc_fifo<Bundle<MatrixProduct>> products;
  MmaUnit unit;

 private:
  std::uint64_t count_ = 0;
};

std::vector<Code> codes(const MatrixProduct& product) { return {product.d.begin(), product.d.end()}; }

void expect_core_traces(const Plan& plan, const Matrices& x, const MatrixProduct& product) {
  const std::size_t steps = static_cast<std::size_t>(x.k / plan.k);
  ASSERT_EQ(product.dots.size(), x.c.size() * steps);
  Matrices one_step = x;
  Registers registers;
  for (const systemc::DotTrace& dot : product.dots) {
    ASSERT_EQ(dot.recorded.times.size(), plan.places.size());
    // The d of a dot is in its trace, as its last place; a step's c is the d of the step before.
    const auto at = [&](int step) -> const systemc::DotTrace& {
      for (const systemc::DotTrace& other : product.dots) {
        if (other.dot.row == dot.dot.row && other.dot.column == dot.dot.column && other.dot.step == step) return other;
      }
      return dot;
    };
    const auto cell = static_cast<std::size_t>(dot.dot.row * x.n + dot.dot.column);
    const int last = plan.places.first(Region::encode);
    const Code c =
        dot.dot.step == 0 ? x.c[cell] : static_cast<Code>(at(dot.dot.step - 1).recorded.trace.at(last).field(0, 64));
    std::vector<Code> b;
    for (int i = 0; i < plan.k; ++i) {
      b.push_back(x.b[static_cast<std::size_t>((dot.dot.step * plan.k + i) * x.n + dot.dot.column)]);
    }
    Trace expected(plan);
    assay::dot(plan, {x.a.data() + dot.dot.row * x.k + dot.dot.step * plan.k, b.data(), c, nullptr, nullptr}, registers,
               &expected);
    for (int place = 0; place < static_cast<int>(plan.places.size()); ++place) {
      ASSERT_TRUE(dot.recorded.trace.same(place, expected)) << plan.places[static_cast<std::size_t>(place)].name;
    }
  }
}

class MmaUnitTiming : public ::testing::TestWithParam<std::string> {};

systemc::Timing timing(const std::string& name) {
  if (name == "plain") return systemc::steady();
  systemc::Timing chosen = systemc::steady(1);
  chosen.stall = systemc::random_stalls(11);
  chosen.depth = [](const std::string& input) { return 1 + static_cast<int>(std::hash<std::string>{}(input) % 4); };
  return chosen;
}

TEST_P(MmaUnitTiming, MatricesAsInTheCore) {
  const std::vector<Plan> plans = {plan_of("fused_f25"), plan_of("scaled_groups"), plan_of("neighbours")};
  Bench bench(plans, {2, 3}, timing(GetParam()));
  std::vector<Matrices> all;
  for (int i = 0; i < 12; ++i) {
    const Plan& plan = plans[static_cast<std::size_t>(i % 3)];
    const int steps = plan.c == plan.d ? 1 + i / 3 : 1;
    all.push_back(make_matrices(plan, 2, 3, steps, static_cast<std::uint64_t>(i)));
    bench.offer(i % 3, all.back());
  }
  const auto products = bench.run();
  ASSERT_EQ(products.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(products[i].number, i);
    EXPECT_EQ(products[i].value.problem, "");
    EXPECT_EQ(products[i].value.dots.size(), 0U);
    EXPECT_EQ(codes(products[i].value), matmul(plans[i % 3], all[i])) << i;
  }
}

TEST_P(MmaUnitTiming, TracesAreTheCores) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, {2, 2}, timing(GetParam()));
  const Matrices x = make_matrices(plan, 2, 2, 3, 1);
  bench.offer(0, x, true);
  const auto products = bench.run();
  ASSERT_EQ(products.size(), 1U);
  expect_core_traces(plan, x, products[0].value);
}

INSTANTIATE_TEST_SUITE_P(, MmaUnitTiming, ::testing::Values("plain", "stalls_and_depths"),
                         [](const auto& info) { return info.param; });

TEST(MmaUnit, AResetInMidOperationDropsItAndNothingElse) {
  const Plan plan = plan_of("fused_f25");
  systemc::Timing slow = systemc::steady(2);
  slow.stall = [](const std::string&, std::uint64_t) { return 3; };
  Bench bench({plan, plan}, {2, 2}, slow);
  const Matrices x = make_matrices(plan, 2, 2, 4, 1);
  // Wherever the operation is when reset comes, between its first module and its last.
  for (int after = 1; after < 90; after += 4) {
    bench.offer(0, make_matrices(plan, 2, 2, 4, 5), true);
    bench.offer(1, make_matrices(plan, 2, 2, 4, 6), true);
    sc_core::sc_start(after, sc_core::SC_NS);
    bench.reset.write(true);
    sc_core::sc_start(1, sc_core::SC_NS);
    bench.reset.write(false);
    EXPECT_EQ(bench.run().size(), 0U) << "after " << after << " ns";
    bench.offer(after % 2, x, true);
    const auto products = bench.run();
    ASSERT_EQ(products.size(), 1U) << "after " << after << " ns";
    EXPECT_EQ(codes(products[0].value), matmul(plan, x));
    expect_core_traces(plan, x, products[0].value);
  }
}

TEST(MmaUnit, BackPressureLosesNothing) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, {1, 2}, systemc::steady(1), 1);
  std::vector<Bundle<MatrixProduct>> products;
  for (std::uint64_t i = 0; i < 10; ++i) {
    const auto offered = make_matrices(plan, 1, 2, 2, i);
    while (bench.operations.num_free() == 0) {  // products fill up first, then operations
      const auto some = bench.take();
      products.insert(products.end(), some.begin(), some.end());
      sc_core::sc_start();
    }
    bench.offer(0, offered);
    sc_core::sc_start();
  }
  while (products.size() < 10) {
    const auto some = bench.run();
    ASSERT_FALSE(some.empty());
    products.insert(products.end(), some.begin(), some.end());
  }
  ASSERT_EQ(products.size(), 10U);
  for (std::uint64_t i = 0; i < 10; ++i) {
    EXPECT_EQ(codes(products[i].value), matmul(plan, make_matrices(plan, 1, 2, 2, i)));
  }
}

TEST(MmaUnit, WrongOperationsAreAnsweredSoAndTheOthersGoOn) {
  const Plan plan = plan_of("fused_f25");
  Bench bench({plan}, {1, 1}, systemc::steady());
  const Matrices right = make_matrices(plan, 1, 1, 1, 0);
  Matrices ragged = right;
  ragged.a.pop_back();
  bench.offer(1, right);
  bench.offer(0, make_matrices(plan, 2, 1, 1, 0));
  bench.offer(0, ragged);
  bench.offer(0, right);
  const auto products = bench.run();
  ASSERT_EQ(products.size(), 4U);
  EXPECT_EQ(products[0].value.problem, "There is no instruction 1; this unit was made with 1, from 0 on.");
  EXPECT_EQ(products[1].value.problem, "This unit makes 1 x 1 results at once, not 2 x 1.");
  EXPECT_EQ(products[2].value.problem, "The matrices do not have the 1 x 1 x 16 entries that M, N and K say.");
  EXPECT_EQ(products[3].value.problem, "");
  EXPECT_EQ(codes(products[3].value), matmul(plan, right));
}

TEST(MmaUnit, WhatCannotBeBuiltIsSaid) {
  const Plan plan = plan_of("fused_f25");
  EXPECT_EQ(systemc::why_not_built({plan}, {2, 2}), std::nullopt);
  EXPECT_EQ(systemc::why_not_built({}, {1, 1}), "A matrix unit needs at least one instruction.");
  EXPECT_EQ(systemc::why_not_built({plan}, {0, 1}),
            "A matrix unit needs at least one row and one column of dot units, found 0 x 1.");
  EXPECT_EQ(systemc::why_not_built({plan, plan}, {32, 33}),
            "The SystemC model builds every sum of every dot unit side by side: 32 x 33 dot units of these "
            "instructions ask for 2112 of them, and at most 2048 are built. Take fewer rows, columns or "
            "instructions.");
}

}  // namespace
}  // namespace assay::testing
