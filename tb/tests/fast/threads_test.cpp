// Several threads give what one gives, whatever path runs and whoever counts. Of few files, so that the thread
// sanitizer can watch it soon.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <new>
#include <set>

#include "model/base/in_order.hpp"
#include "model/base/parallel.hpp"
#include "model/fast/kernel.hpp"
#include "tb/coverage/samplers.hpp"
#include "tb/generate/generator.hpp"
#include "tb/score/score.hpp"
#include "tb/tests/core/datapaths.hpp"

namespace assay {
namespace {

using test::planned;
using test::with;

constexpr int rows = 70, columns = 37;  // several blocks of rows and panels of columns, the last ones not full
constexpr int cases = 600;

// One plan for each path.
std::vector<Plan> plans() {
  const auto fused_cut = [](Cut cut) {
    return with(test::fused(), [&](Datapath& w) { w.adders[0].add[0].cut = cut; });
  };
  const Datapath sticky = with(test::fused(), [](Datapath& w) { w.adders[0].sticky = Sticky::at_result; });
  const Datapath mixed = with(test::fused(), [](Datapath& w) { w.operands.b = "i8"; });
  const Datapath chain = with(test::exact(), [](Datapath& w) {
    w.operands.a = w.operands.b = "f32";
    w.specials = Specials::operation;
    w.step.terms = 1;
    w.adders[0].zero = ZeroSign::ieee;
  });
  return {planned(test::fused(), 16),
          planned(fused_cut(Cut::down), 16),
          planned(sticky, 16),
          planned(mixed, 16),
          planned(chain, 4),
          planned(test::exact(), 4),
          planned(test::integers(), 32),
          planned(test::group_scaled(), 64)};
}

// Any bits, the same ones on every machine.
std::vector<Code> codes(int count, const Format& format) {
  std::vector<Code> all;
  std::uint64_t state = 1;
  for (int i = 0; i < count; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    all.push_back(state >> 32 & ((Code{1} << format.stored_bits) - 1));
  }
  return all;
}

// An m x n product of one instruction, and as many of its dot products as a batch.
struct Work {
  explicit Work(const Plan& of)
      : plan(of),
        a(codes(rows * plan.k, plan.a)),
        b(codes(plan.k * columns, plan.b)),
        c(codes(rows * columns, plan.c)),
        scale_a(plan.scale ? codes(rows * plan.scales, *plan.scale) : std::vector<Code>{}),
        scale_b(plan.scale ? codes(plan.scales * columns, *plan.scale) : std::vector<Code>{}) {}

  std::vector<Code> gemm(const Kernel& kernel, int threads) const {
    std::vector<Code> d(c.size());
    Gemm g;
    g.m = rows, g.n = columns, g.k = plan.k;
    g.a = row_major(a.data(), plan.k);
    g.b = row_major(b.data(), columns);
    g.c = row_major(c.data(), columns);
    g.scale_a = row_major(scale_a.data(), plan.scales);
    g.scale_b = row_major(scale_b.data(), columns);
    g.d = row_major(d.data(), columns);
    kernel.gemm(g, threads);
    return d;
  }

  std::vector<Code> batch(const Kernel& kernel, int threads) const {
    std::vector<Operand> operands;
    for (int i = 0; i < cases; ++i) {
      const int row = i % rows, column = i % columns;
      operands.push_back({a.data() + row * plan.k, b.data() + column * plan.k, c[static_cast<std::size_t>(i)],
                          scale_a.data() + row * plan.scales, scale_b.data() + column * plan.scales});
    }
    std::vector<Code> d(operands.size());
    kernel.batch(operands.data(), operands.size(), d.data(), threads);
    return d;
  }

  const Plan& plan;
  std::vector<Code> a, b, c, scale_a, scale_b;
};

TEST(Threads, MultiplyMatricesAsOneDoes) {
  for (const Plan& plan : plans()) {
    const Kernel kernel(plan);
    const Work work(plan);
    const std::vector<Code> once = work.gemm(kernel, 1);
    for (const int threads : {2, 7}) EXPECT_EQ(work.gemm(kernel, threads), once) << plan.datapath.name;
  }
}

TEST(Threads, RunBatchesAsOneDoes) {
  for (const Plan& plan : plans()) {
    const Kernel kernel(plan);
    const Work work(plan);
    const std::vector<Code> once = work.batch(kernel, 1);
    for (const int threads : {2, 7}) EXPECT_EQ(work.batch(kernel, threads), once) << plan.datapath.name;
  }
}

// As where `ulimit -u` grants no more of them: no machine has room for a stack of 2^47 bytes.
TEST(Threads, ThatTheMachineDoesNotGrantAreDoneWithout) {
  pthread_attr_t before, greatest;
  pthread_getattr_default_np(&before);
  pthread_attr_init(&greatest);
  ASSERT_EQ(pthread_attr_setstacksize(&greatest, std::size_t{1} << 47), 0);
  ASSERT_EQ(pthread_setattr_default_np(&greatest), 0);
  std::vector<int> done(100), workers(100);
  parallel(100, 8, [&](int task, int worker) {
    const auto i = static_cast<std::size_t>(task);
    ++done[i];
    workers[i] = worker;
  });
  pthread_setattr_default_np(&before);
  pthread_attr_destroy(&before);
  pthread_attr_destroy(&greatest);
  EXPECT_EQ(done, std::vector<int>(100, 1));
  EXPECT_EQ(workers, std::vector<int>(100, 0)) << "threads could be started after all";
}

// From whichever thread it comes.
TEST(Threads, HandOnWhatATaskThrows) {
  for (const int threads : {1, 2, 7}) {
    std::atomic<int> done{0};
    const auto half = [&](int task, int) {
      if (task % 2 == 1) throw std::bad_alloc();
      ++done;
    };
    EXPECT_THROW(parallel(1000, threads, half), std::bad_alloc) << threads;
    EXPECT_LE(done, threads) << "the others went on";
  }
}

TEST(Threads, HandOnPartsInTheirOrder) {
  for (const int threads : {1, 2, 7}) {
    std::vector<std::uint64_t> taken;
    in_order(
        100, threads, [](std::uint64_t i) { return i * i; }, [&](std::uint64_t part) { taken.push_back(part); });
    ASSERT_EQ(taken.size(), 100U) << threads;
    for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(taken[i], i * i) << threads;
    const auto fails = [](std::uint64_t i) {
      if (i == 50) throw std::bad_alloc();
      return i;
    };
    taken.clear();
    EXPECT_THROW(in_order(100, threads, fails, [&](std::uint64_t part) { taken.push_back(part); }), std::bad_alloc);
    EXPECT_EQ(taken.size(), 50U) << threads;
  }
}

// Some mutants die late, some never.
TEST(Threads, ScoreCasesAsOneDoes) {
  const Plan plan = planned(test::fused(), 4);
  const Generator generator(plan, 1);
  KillScore one(plan, NanRule::bits, 1), several(plan, NanRule::bits, 7);
  for (std::uint64_t first = 0; first < 500; first += 100) {
    const std::vector<Case> cases = some_cases(generator, {0, 500}, first, 100);
    one.see(cases);
    several.see(cases);
  }
  ASSERT_EQ(one.mutants().size(), several.mutants().size());
  EXPECT_GT(one.counts().killed, 20U);
  for (std::size_t i = 0; i < one.mutants().size(); ++i) {
    const Mutant &x = one.mutants()[i], &y = several.mutants()[i];
    EXPECT_EQ(x.name, y.name);
    EXPECT_EQ(x.argument, y.argument) << x.name;
    ASSERT_EQ(x.killer.has_value(), y.killer.has_value()) << x.name;
    EXPECT_EQ(x.killer ? x.killer->number : 0, y.killer ? y.killer->number : 0) << x.name;
  }
}

TEST(Threads, CountCoverageAsOneDoes) {
  const Plan plan = planned(test::group_scaled(), 64);
  const std::vector<Case> cases = some_cases(Generator(plan, 1), {0, 500}, 0, 500);
  Samplers one(plan, 1), several(plan, 7);
  one.see(cases);
  several.see(cases);
  const Coverage x = one.coverage(), y = several.coverage();
  EXPECT_EQ(x.cases, 500U);
  EXPECT_EQ(y.cases, 500U);
  ASSERT_EQ(x.points.size(), y.points.size());
  for (std::size_t p = 0; p < x.points.size(); ++p) {
    ASSERT_EQ(x.points[p].bins.size(), y.points[p].bins.size());
    for (std::size_t b = 0; b < x.points[p].bins.size(); ++b)
      EXPECT_EQ(x.points[p].bins[b].count, y.points[p].bins[b].count) << x.points[p].name << " " << b;
  }
}

TEST(Threads, MeetEveryKindOfPath) {
  std::set<std::string_view> paths;
  const std::vector<Plan> all = plans();
  for (const Plan& plan : all) paths.insert(Kernel(plan).path());
  EXPECT_EQ(paths, (std::set<std::string_view>{"32-bit lanes", "64-bit lanes", "IEEE floats", "core", "exact sums",
                                               "integer groups", "integers"}));
}

}  // namespace
}  // namespace assay
