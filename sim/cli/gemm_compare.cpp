#include "sim/cli/gemm_compare.hpp"

#include <fmt/format.h>

#include <ostream>

#include "model/base/output_file.hpp"
#include "sim/cli/gemm_report.hpp"
#include "sim/cli/progress.hpp"
#include "sim/cli/verdict.hpp"

namespace assay {
namespace {

constexpr int text_rows = 12, text_columns = 28;  // of a heat map
constexpr int page_rows = 32, page_columns = 32;

std::string warning(const Plan& plan, const std::vector<Code>& d) {
  std::uint64_t zeros = 0, nans = 0;
  for (const Code code : d) {
    const Number n = result_number(plan, code);
    zeros += n.is_zero() ? 1 : 0, nans += n.cls == Class::nan ? 1 : 0;
  }
  if (!says_little(zeros, nans, d.size())) return "";
  return "More than nine in ten results are zero or NaN: that they agree, or do not, says little.";
}

GemmPair pair_of(const GemmProblem& problem, const std::vector<std::vector<Code>>& d, std::size_t one,
                 std::size_t other) {
  const Subject &x = problem.subjects[one], &y = problem.subjects[other];
  const Format& format = x.plan.d;
  const int columns = problem.matrices.n;
  return {one,
          other,
          difference(format, d[one], d[other], columns),
          heat_map(format, d[one], d[other], columns, text_rows, text_columns),
          heat_map(format, d[one], d[other], columns, page_rows, page_columns),
          smallest_disagreement(x, y, problem.matrices, d[one], d[other])};
}

GemmComparison comparison_of(const GemmProblem& problem, int threads, const Console& console) {
  const Plan& plan = problem.subjects.front().plan;
  const Matrices& x = problem.matrices;
  GemmComparison found;
  found.m = x.m, found.n = x.n, found.k = x.k;
  found.types = fmt::format("{} x {} + {} -> {}", plan.a.name, plan.b.name, plan.c.name, plan.d.name);
  found.operands = problem.operands;
  const std::size_t sides = problem.subjects.size();
  Progress progress(console, sides + sides * (sides - 1) / 2, "products and pairs");
  std::vector<std::vector<Code>> d;
  for (const Subject& subject : problem.subjects) {
    found.sides.push_back({subject.name, subject.plan.datapath.name, ""});
    d.push_back(gemm_product(subject.plan, x, threads, found.sides.back().path));
    progress.at(d.size());
  }
  found.warning = warning(plan, d.front());
  for (std::size_t i = 0; i < sides; ++i) {
    for (std::size_t j = i + 1; j < sides; ++j) {
      found.pairs.push_back(pair_of(problem, d, i, j));
      progress.at(sides + found.pairs.size());
    }
  }
  return found;
}

}  // namespace

int compare_gemm(const GemmCompareOptions& options, const Console& console) {
  const GemmProblem problem = gemm_problem(options.problem, options.seed, options.family, shipped_catalogue());
  const GemmComparison found = comparison_of(problem, options.problem.threads, console);
  if (options.json) {
    show_json(gemm_json(found), console);
  } else {
    console.out << gemm_text(found);
  }
  if (!options.html.empty()) write_whole_file(options.html, gemm_page(found));
  return found.all_agree() ? passed : mismatch;
}

}  // namespace assay
