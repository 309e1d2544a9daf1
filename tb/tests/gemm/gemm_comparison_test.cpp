// One product by several instructions: who multiplies, what comes out, and the least that tells them apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/core/matmul.hpp"
#include "tb/gemm/comparison.hpp"

namespace assay::gemm {
namespace {

// A and B of one format, by the usual family.
GemmProblem problem(const Extents& extents, const std::string& format, const std::vector<std::string>& names) {
  const Types types{format, format, usual_d(*find_format(format))};
  std::vector<Subject> subjects = subjects_of(names, types, extents.k, shipped_catalogue());
  check(subjects, extents);
  const Plan& plan = subjects.front().plan;
  const Generator generator(plan, 1, find_family(plan, usual_family(plan)));
  Matrices matrices = generated(plan, extents, generator);
  return {"as usual", std::move(subjects), std::move(matrices)};
}

TEST(ComparedProducts, IsTheProductThatCoreMakes) {
  for (const char* const formats : {"f16", "e4m3", "e2m1"}) {
    const GemmProblem p = problem({5, 7, 128}, formats, {"rtx_blackwell", "rtx_blackwell"});
    const Plan& plan = p.subjects.front().plan;
    EXPECT_EQ(product(plan, p.matrices, 2).d, matmul(plan, p.matrices)) << formats;
    const auto zeros = std::count(p.matrices.a.begin(), p.matrices.a.end(), Code{0});
    EXPECT_LT(zeros, static_cast<std::ptrdiff_t>(p.matrices.a.size() / 2));
  }
}

TEST(ComparedProducts, HasBlockScalesWhereTheInstructionHas) {
  const Catalogue catalogue = shipped_catalogue();
  std::string name;
  for (const Instruction& i : catalogue.architecture("rtx_blackwell").instructions)
    if (!i.operands.scale.empty() && i.operands.a == "e2m1") name = i.full_name();
  ASSERT_FALSE(name.empty());
  const GemmProblem p = problem({3, 5, 256}, "e2m1", {name, name});
  const Plan& plan = p.subjects.front().plan;
  EXPECT_EQ(p.matrices.scale_a.size(), static_cast<std::size_t>(3 * 256 / plan.k * plan.scales));
  EXPECT_EQ(product(plan, p.matrices, 1).d, matmul(plan, p.matrices));
}

TEST(ComparedProducts, TakesAnArchitecturesEveryDatapath) {
  const GemmProblem p = problem({4, 4, 64}, "e4m3", {"hopper"});
  ASSERT_EQ(p.subjects.size(), 2U);  // wgmma's own, and mma's by way of f16
  EXPECT_EQ(p.subjects[0].name, "hopper:wgmma.m64nNk32.f32.e4m3.e4m3");
  EXPECT_EQ(p.subjects[1].name, "hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
}

TEST(ComparedProducts, FindsAnInputOfOneTerm) {
  const GemmProblem p = problem({16, 16, 64}, "f16", {"hopper", "volta"});
  const Subject &one = p.subjects[0], &other = p.subjects[1];
  const std::vector<Code> x = product(one.plan, p.matrices, 1).d, y = product(other.plan, p.matrices, 1).d;
  ASSERT_GT(difference(one.plan.d, x, y, 16).differ, 0U);
  const auto smallest = smallest_disagreement(one, other, p.matrices, x, y);
  ASSERT_TRUE(smallest);
  EXPECT_EQ(smallest->terms, 1);
  EXPECT_NE(smallest->input.a[0], 0U);  // moved to the front
  EXPECT_FALSE(smallest_disagreement(one, one, p.matrices, x, x));
}

TEST(ComparedProducts, IsComparedInPairs) {
  const GemmProblem p = problem({16, 8, 64}, "f16", {"hopper", "volta", "hopper"});
  ASSERT_EQ(p.subjects.size(), 3u);
  std::vector<std::size_t> heard;
  const GemmComparison found = compared(p, 1, [&](std::size_t done) { heard.push_back(done); });
  EXPECT_EQ(heard, (std::vector<std::size_t>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(parts(p), heard.size());
  ASSERT_EQ(found.pairs.size(), 3u);
  EXPECT_GT(found.pairs[0].difference.differ, 0u);
  EXPECT_EQ(found.pairs[1].difference.differ, 0u);
  EXPECT_FALSE(found.all_agree());
  const nlohmann::json data = as_json(found);
  EXPECT_EQ(data.at("sides").size(), 3u);
  EXPECT_EQ(data.at("pairs").at(0).at("other"), p.subjects[1].name);
  EXPECT_NE(as_text(found).find("D = A x B + C, 16 x 8 x 64, f16 x f16 + f32 -> f32; as usual.\n"), std::string::npos);
  EXPECT_NE(as_page(found).find("They agree on every element."), std::string::npos);
}

}  // namespace
}  // namespace assay::gemm
