#include "tb/gemm/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/scoreboard/scoreboard.hpp"

namespace assay::gemm {
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

Pair pair_of(const GemmProblem& problem, const std::vector<std::vector<Code>>& d, std::size_t one, std::size_t other) {
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

}  // namespace

bool GemmComparison::all_agree() const {
  return std::all_of(pairs.begin(), pairs.end(), [](const Pair& pair) { return pair.difference.differ == 0; });
}

std::size_t parts(const GemmProblem& problem) {
  const std::size_t sides = problem.subjects.size();
  return sides + sides * (sides - 1) / 2;
}

GemmComparison compared(const GemmProblem& problem, int threads, const std::function<void(std::size_t)>& done) {
  const Plan& plan = problem.subjects.front().plan;
  const Matrices& x = problem.matrices;
  GemmComparison found;
  found.m = x.m, found.n = x.n, found.k = x.k;
  found.types = fmt::format("{} x {} + {} -> {}", plan.a.name, plan.b.name, plan.c.name, plan.d.name);
  found.operands = problem.operands;
  std::vector<std::vector<Code>> d;
  for (const Subject& subject : problem.subjects) {
    GemmProduct made = product(subject.plan, x, threads);
    found.sides.push_back({subject.name, subject.plan.datapath.name, made.path});
    d.push_back(std::move(made.d));
    done(d.size());
  }
  found.warning = warning(plan, d.front());
  for (std::size_t i = 0; i < d.size(); ++i) {
    for (std::size_t j = i + 1; j < d.size(); ++j) {
      found.pairs.push_back(pair_of(problem, d, i, j));
      done(d.size() + found.pairs.size());
    }
  }
  return found;
}

}  // namespace assay::gemm
