// Whole matrices: every shipped plan and 500 own datapaths, on every instruction set this machine has, bit for bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "tb/tests/fast/plans.hpp"
#include "tb/tests/fast/product.hpp"

namespace assay {
namespace {

// A second instruction along K where the plan can be chained.
int instructions(const Plan& plan) { return plan.c == plan.d ? 2 : 1; }

// Odd sizes, every layout in turn.
MatrixProduct product(const Plan& plan, int number, int m, int n) {
  const bool same_size = element_bytes(plan.c.stored_bits) == element_bytes(plan.d.stored_bits);
  return MatrixProduct(plan, m, n, instructions(plan), {number % 2 != 0, number % 3 == 1 && same_size, number % 5});
}

// The first element that differs, as text; empty where none does.
std::string difference(const std::vector<Code>& fast, const std::vector<Code>& core, int columns) {
  if (fast.size() != core.size()) return "There are " + std::to_string(fast.size()) + " elements.";
  for (std::size_t i = 0; i < core.size(); ++i) {
    if (fast[i] == core[i]) continue;
    char text[128];
    const auto at = static_cast<int>(i);
    std::snprintf(text, sizeof text, "d[%d,%d] is %llx, of core %llx.", at / columns, at % columns,
                  static_cast<unsigned long long>(fast[i]), static_cast<unsigned long long>(core[i]));
    return text;
  }
  return "";
}

void expect_equal(const Plan& plan, int number, int m, int n) {
  MatrixProduct x = product(plan, number, m, n);
  const Kernel kernel(plan);
  for (const std::int64_t target : targets()) {
    const OnlyTarget only(target);
    ASSERT_EQ(difference(x.run(kernel, 1), x.expected(), n), "") << plan_text(plan) << " by " << kernel.path();
    ASSERT_FALSE(x.wrote_beside_d()) << plan_text(plan);
  }
}

TEST(FastGemm, EqualsCoreForEveryShippedPlan) {
  ASSERT_GE(shipped_plans().size(), 150U);
  int number = 0;
  for (const Plan& plan : shipped_plans()) expect_equal(plan, number++, 7, 37);
}

TEST(FastGemm, EqualsCoreForOwnDatapaths) {
  for (int number = 0; number < own_datapaths; ++number)
    expect_equal(own_plan(static_cast<std::uint64_t>(number)), number, 5, 19);
}

// The same datapath with a mask: any, or so many of each group.
std::optional<Plan> masked(const Plan& plain, int number) {
  Datapath words = plain.datapath;
  Mask mask;
  const int among = number % 5;
  if (among > 1 && plain.k % among == 0) {
    mask.among = among;
    mask.take = 1 + number % among;
  }
  words.operands.mask = mask;
  auto made = plan(words, plain.k);
  if (auto* good = std::get_if<Plan>(&made)) return std::move(*good);
  return std::nullopt;
}

TEST(FastGemm, EqualsCoreWithMasks) {
  int number = 0;
  std::set<std::string_view> paths;
  for (const std::vector<Plan>* plans : {&shipped_plans(), &changed_plans()}) {
    for (const Plan& plain : *plans) {
      if (plain.mask >= 0 || (++number % 3 != 0 && plans == &changed_plans())) continue;
      const std::optional<Plan> plan = masked(plain, number);
      if (!plan) continue;
      // Rows of more than one block, where there are scales and here and there.
      expect_equal(*plan, number, (plan->scale && plans == &shipped_plans()) || number % 48 == 0 ? 35 : 3, 19);
      paths.insert(Kernel(*plan).path());
    }
  }
  EXPECT_EQ(paths, (std::set<std::string_view>{"32-bit lanes", "64-bit lanes", "core", "exact sums", "integer groups",
                                               "integers"}));
}

// A sum that has signs of zeros tells (+0) x (-1) from what a mask leaves there.
TEST(FastGemm, LeavesMasksToCoreWhereZerosHaveSigns) {
  int tried = 0;
  for (const Plan& plain : shipped_plans()) {
    const std::string_view path = Kernel(plain).path();
    if (path != "IEEE floats" && path != "IEEE doubles") continue;
    const std::optional<Plan> plan = masked(plain, 0);
    ASSERT_TRUE(plan) << plan_text(plain);
    EXPECT_EQ(Kernel(*plan).path(), "core") << plan_text(*plan);
    ++tried;
  }
  EXPECT_GT(tried, 5);
}

TEST(FastGemm, IsTheSameWithAnyNumberOfThreads) {
  for (const Plan& plan : shipped_plans()) {
    MatrixProduct x = product(plan, 0, 13, 18);
    const Kernel kernel(plan);
    for (const int threads : {1, 2, 7}) ASSERT_EQ(x.run(kernel, threads), x.expected()) << plan_text(plan);
  }
}

TEST(FastGemm, TakesMatricesOfOneElement) {
  for (const Plan& plan : shipped_plans()) {
    MatrixProduct x = product(plan, 0, 1, 1);
    ASSERT_EQ(x.run(Kernel(plan), 1), x.expected()) << plan_text(plan);
  }
}

TEST(FastGemm, SaysWhatDoesNotFit) {
  const Plan& plan = shipped_plans().front();
  const Kernel kernel(plan);
  Gemm g;
  g.m = 1, g.n = 1, g.k = plan.k;
  EXPECT_EQ(kernel.problem(g), "");
  g.k = plan.k + 1;
  EXPECT_EQ(kernel.problem(g), "K is " + std::to_string(plan.k + 1) + ", which is no multiple of the instruction's " +
                                   std::to_string(plan.k) + ".");
  g.more.resize(1);
  EXPECT_EQ(kernel.problem(g),
            "Beside a, b, c and pairs of scales the product brings 1 operands; this datapath takes 0.");
  g.more.clear();
  g.m = 0;
  EXPECT_EQ(kernel.problem(g), "A matrix product needs at least one row, one column and one term.");
}

// Own datapaths as people write them: shipped ones with one word changed. Kernels must see each word, or leave the
// datapath to core.
TEST(FastGemm, EqualsCoreForShippedDatapathsWithOneWordChanged) {
  int number = 0;
  for (const Plan& plan : changed_plans()) expect_equal(plan, number++, 3, 19);
}

struct Groups {
  const char *a, *b, *scale;
  int block, terms, k, step, keep;
};

// The shipped groups, of other operands, sizes and widths.
Plan plan_of_groups(const Groups& x) {
  const auto shipped = std::find_if(shipped_plans().begin(), shipped_plans().end(),
                                    [](const Plan& p) { return p.datapath.name == "group_scaled_f35"; });
  Datapath words = shipped->datapath;
  words.operands = {x.a, x.b, "f32", "f32", x.scale, x.block};
  words.step.terms = x.step;
  words.adders[0].group->terms = x.terms;
  for (Input& input : words.adders[1].add) input.keep = x.keep;
  auto made = plan(words, x.k);
  EXPECT_TRUE(std::holds_alternative<Plan>(made)) << x.a << " x " << x.b << ", " << x.scale << " a " << x.block;
  return std::get<Plan>(std::move(made));
}

TEST(FastGemm, TakesGroupsOfAnySmallIntegers) {
  int number = 0;
  for (const Groups& x : std::vector<Groups>{
           {"e2m1", "e2m1", "ue4m3", 16, 16, 128, 64, 35},
           {"e2m1", "e2m1", "ue8m0", 32, 16, 64, 64, 35},
           {"e2m1", "e2m1", "ue8m0", 32, 32, 64, 64, 38},
           {"e2m1", "e2m3", "ue4m3", 64, 64, 128, 128, 30},
           {"e2m3", "e2m1", "ue8m0", 8, 2, 32, 16, 24},
           {"e3m2", "e3m2", "ue4m3", 16, 16, 32, 32, 24},
           {"e2m1", "e3m2", "ue8m0", 5, 5, 15, 15, 35},
       }) {
    Plan made = plan_of_groups(x);
    EXPECT_EQ(Kernel(made).path(), "integer groups") << plan_text(made);
    expect_equal(made, number++, 5, 19);
    made.adders[1].results[0].words.cut = Cut::nearest_even;
    made.adders[1].window.floor = std::nullopt;
    EXPECT_EQ(Kernel(made).path(), "integer groups") << plan_text(made);
    expect_equal(made, number++, 5, 19);
  }
}

const Plan& shipped_plan(const std::string& datapath) {
  return *std::find_if(shipped_plans().begin(), shipped_plans().end(),
                       [&](const Plan& p) { return p.datapath.name == datapath; });
}

// An instruction has the scales of its own k, one where a block is longer. The matrices end where they end: under the
// address sanitizer a path that takes K / block scales a line, or more than there are, reads beyond them.
TEST(FastGemm, TakesBlocksShorterAndLongerThanK) {
  std::set<std::string> paths;
  int number = 0;
  for (const char* const datapath : {"fused_f25_scaled", "group_scaled_f35"}) {
    for (const Cut cut : {Cut::toward_zero, Cut::nearest_even}) {
      for (const int block : {16, 32, 64, 128, 256}) {
        Datapath words = shipped_plan(datapath).datapath;
        words.operands = {"e2m1", "e2m1", "f32", "f32", "ue8m0", block};
        words.adders.back().results[0].cut = cut;
        if (words.adders.size() == 1 && cut == Cut::nearest_even) words.adders[0].add[0].cut = cut;
        const auto made = plan(words, 64);
        ASSERT_TRUE(std::holds_alternative<Plan>(made)) << datapath << " " << block;
        const Plan& p = std::get<Plan>(made);
        EXPECT_EQ(p.scales, std::max(1, 64 / block));
        paths.insert(std::string(Kernel(p).path()));
        expect_equal(p, number++, 9, 21);
      }
    }
  }
  EXPECT_EQ(paths, (std::set<std::string>{"64-bit lanes", "integer groups"}));
}

// What does not fit the integers, a double or the sum: by any other path, and right.
TEST(FastGemm, LeavesGroupsThatAreTooWide) {
  for (const Groups& x : std::vector<Groups>{{"e4m3", "e2m1", "ue8m0", 16, 16, 32, 32, 24},
                                             {"e2m1", "e2m1", "ue4m3", 16, 16, 32, 32, 44},
                                             {"e3m2", "e3m2", "ue4m3", 64, 64, 64, 64, 35}}) {
    const Plan made = plan_of_groups(x);
    EXPECT_NE(Kernel(made).path(), "integer groups") << plan_text(made);
    expect_equal(made, 0, 3, 17);
  }
}

TEST(FastGemm, RunsShippedDatapathsOnThePathsMeantForThem) {
  const std::map<std::string, std::string> paths{
      {"fused_f25", "32-bit lanes"},           {"fused_f25_scaled", "32-bit lanes"},
      {"split_f25", "32-bit lanes"},           {"split_f25_f16", "32-bit lanes"},
      {"group_scaled_f35", "integer groups"},  {"integer", "integers"},
      {"fused_f23_f16", "32-bit lanes"},       {"fused_f13_e133", "32-bit lanes"},
      {"f24_plus_zero_step8", "32-bit lanes"}, {"f24_plus_zero_leading_step8", "32-bit lanes"},
      {"pair_nearest", "IEEE floats"},         {"two_pairs_c_first", "IEEE floats"},
      {"pair_second_minus_c", "IEEE floats"},  {"pair_second_alone", "IEEE floats"},
      {"pair_to_odd_flush", "IEEE floats"},    {"pair24_second", "IEEE floats"},
      {"integer_minus", "integers"},           {"integer_alone", "integers"}};
  std::set<std::string> met;
  for (const Plan& plan : shipped_plans()) {
    const auto path = paths.find(plan.datapath.name);
    // Integers are of 32 bits there, and a step of 32 products more than 32-bit lanes add, whoever switches them off.
    const bool too_long = plan.mask >= 0 && plan.datapath.name == "fused_f25" && plan.k > 32;
    // A mask leaves a zero without a sign, which IEEE's sums would see.
    const bool sees_signs = path != paths.end() && plan.mask >= 0 && path->second == "IEEE floats";
    if (path == paths.end() || plan.d.stored_bits == 64 || too_long || sees_signs) continue;
    met.insert(path->first);
    EXPECT_EQ(Kernel(plan).path(), path->second) << plan_text(plan);
  }
  EXPECT_EQ(met.size(), paths.size());
}

// Results of words that no path knows are left to core (beyond_test.cpp), and units of these makers to 64-bit lanes.
TEST(FastGemm, HasPathsOfFixedShapeForTheWholeCatalogue) {
  const Catalogue catalogue = shipped_catalogue();
  int count = 0;
  const std::set<std::string> not_fixed{"arm", "blackhole", "gaudi2", "gaudi3", "power10", "riscv", "wormhole"};
  for (const Architecture& architecture : catalogue.architectures()) {
    if (not_fixed.count(architecture.name) != 0) continue;
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      if (result_beyond(plan) != nullptr || plan.brings_numbers()) continue;
      const std::string_view path = Kernel(plan).path();
      EXPECT_TRUE(path != "core" && path != "64-bit lanes") << instruction.full_name() << " runs on " << path;
      ++count;
    }
  }
  EXPECT_GT(count, 300);
}

// Makers whose units have slices, groups or operations that turn signs, of which few were to run on core.
TEST(FastGemm, RunsMostUnitsOfEveryMakerOnAKernel) {
  const Catalogue catalogue = shipped_catalogue();
  int all = 0, on_core = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      ++all;
      on_core += Kernel(catalogue.plan_of(instruction)).path() == "core" ? 1 : 0;
    }
  }
  EXPECT_LT(on_core * 4, all) << on_core << " of " << all;
  RecordProperty("on_core", std::to_string(on_core) + " of " + std::to_string(all));
}

// Equality says little where everything runs on core.
TEST(FastGemm, HasKernelsForMostPlans) {
  const auto by_kernel = [](const Plan& plan) { return Kernel(plan).path() != "core"; };
  const auto known = [](const Plan& plan) {
    return is_plain(plan) && adds_as_given(plan) && adds_whole_products(plan);
  };
  const auto count = [&](const std::vector<Plan>& plans) {
    return std::count_if(plans.begin(), plans.end(), by_kernel);
  };
  const auto shipped = count(shipped_plans()), changed = count(changed_plans());
  EXPECT_GE(shipped * 4, std::count_if(shipped_plans().begin(), shipped_plans().end(), known) * 3);
  EXPECT_GE(changed * 8, static_cast<std::ptrdiff_t>(changed_plans().size()) * 7);
  RecordProperty("shipped", std::to_string(shipped) + " of " + std::to_string(shipped_plans().size()));
  RecordProperty("changed", std::to_string(changed) + " of " + std::to_string(changed_plans().size()));
}

TEST(FastGemm, HasATargetHere) { EXPECT_FALSE(targets().empty()); }

}  // namespace
}  // namespace assay
