// One product by several instructions: who multiplies, what comes out, and the least that tells them apart.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/core/matmul.hpp"
#include "tb/gemm/comparison.hpp"
#include "tb/tests/source_dir.hpp"

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

// An element by itself: its own part of everything, one instruction after the other.
Code element(const Plan& plan, const Matrices& x, int i, int j) {
  const auto at = [](int row, int columns, int column) { return static_cast<std::size_t>(row * columns + column); };
  const int steps = x.k / plan.k;
  Registers registers;
  Code acc = x.c[at(i, x.n, j)];
  for (int s = 0; s < steps; ++s) {
    std::vector<Code> a, b, scale_a, scale_b, more;
    for (int t = s * plan.k; t < (s + 1) * plan.k; ++t) {
      a.push_back(x.a[at(i, x.k, t)]);
      b.push_back(x.b[at(t, x.n, j)]);
    }
    for (int t = s * plan.scales; t < (s + 1) * plan.scales; ++t) {
      scale_a.push_back(x.scale_a[at(i, steps * plan.scales, t)]);
      scale_b.push_back(x.scale_b[at(t, x.n, j)]);
    }
    for (std::size_t m = 0; m < plan.more.size(); ++m) {
      const CaseOperand& of = plan.more[m];
      for (int t = s * of.count; t < (s + 1) * of.count; ++t) {
        const std::size_t column = at(t, x.n, j), row = at(i, steps * of.count, t);
        const std::size_t word = at(i * x.n + j, steps * of.count, t);
        more.push_back(x.more[m][of.kind == CaseOperandKind::random ? word : of.of == Side::a ? row : column]);
      }
    }
    acc = dot(plan, {a.data(), b.data(), acc, scale_a.data(), scale_b.data(), more.data()}, registers);
  }
  return acc;
}

TEST(ComparedProducts, BringsWhatElseACaseTakesByRowColumnAndElement) {
  const Catalogue catalogue = shipped_catalogue();
  int tried = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/docs/examples/units")) {
    const std::string file = entry.path().string();
    const Subject unit = subject_of_file(catalogue, file);
    const Plan& plan = unit.plan;
    if (plan.more.empty()) continue;
    ++tried;
    const Extents extents{3, 4, plan.k * (plan.c == plan.d ? 2 : 1)};
    const Matrices x = generated(plan, extents, Generator(plan, 1));
    ASSERT_EQ(matmul_problem(plan, x), "") << file;
    const std::vector<Code> d = matmul(plan, x);
    EXPECT_EQ(product(plan, x, 2).d, d) << file;
    for (int i = 0; i < x.m; ++i) {
      for (int j = 0; j < x.n; ++j)
        ASSERT_EQ(d[static_cast<std::size_t>(i * x.n + j)], element(plan, x, i, j)) << file << " " << i << " " << j;
    }
    for (const std::vector<Code>& codes : x.more)
      EXPECT_NE(std::count(codes.begin(), codes.end(), codes.front()), static_cast<std::ptrdiff_t>(codes.size()))
          << file << ": all alike";
  }
  EXPECT_GE(tried, 8);
}

TEST(ComparedProducts, TakesAnArchitecturesEveryDatapath) {
  const GemmProblem p = problem({4, 4, 64}, "e4m3", {"hopper"});
  ASSERT_EQ(p.subjects.size(), 3U);  // wgmma's own, and mma's by way of f16, in steps of 16 and of 8
  EXPECT_EQ(p.subjects[0].name, "hopper:wgmma.m64nNk32.f32.e4m3.e4m3");
  EXPECT_EQ(p.subjects[1].name, "hopper:mma.m16n8k32.f32.e4m3.e4m3.f32");
  EXPECT_EQ(p.subjects[2].name, "hopper:mma.m16n8k16.f32.e4m3.e4m3.f32");
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
