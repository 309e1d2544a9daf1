// Whole matrices for the tests: the one with a given number is always the same.
#pragma once

#include "model/core/matmul.hpp"
#include "tb/tests/systemc/cases.hpp"

namespace assay::testing {

// m x n x (steps instructions along K), codes as in `make_case`.
inline Matrices make_matrices(const Plan& plan, int m, int n, int steps, std::uint64_t number) {
  Matrices x;
  x.m = m;
  x.n = n;
  x.k = steps * plan.k;
  const auto blocks = static_cast<std::size_t>(steps * plan.scales);
  x.b.resize(static_cast<std::size_t>(x.k * n));
  x.scale_b.resize(blocks * static_cast<std::size_t>(n));
  const auto columns = static_cast<std::size_t>(n);
  for (int i = 0; i < m || i < n; ++i) {
    for (int step = 0; step < steps; ++step) {
      const auto seed = number * 4096 + static_cast<std::uint64_t>(i * steps + step) * 4 + number % 4;
      const systemc::Codes codes = make_case(plan, seed);
      if (i < m) x.a.insert(x.a.end(), codes.a.begin(), codes.a.end());
      if (i < m) x.scale_a.insert(x.scale_a.end(), codes.scale_a.begin(), codes.scale_a.end());
      if (i >= n) continue;
      const auto column = static_cast<std::size_t>(i);
      for (std::size_t t = 0; t < codes.b.size(); ++t) {
        x.b[(static_cast<std::size_t>(step) * codes.b.size() + t) * columns + column] = codes.b[t];
      }
      for (std::size_t t = 0; t < codes.scale_b.size(); ++t) {
        x.scale_b[(static_cast<std::size_t>(step) * codes.scale_b.size() + t) * columns + column] = codes.scale_b[t];
      }
    }
  }
  for (int i = 0; i < m * n; ++i) x.c.push_back(make_case(plan, number * 4096 + 17 + static_cast<std::uint64_t>(i)).c);
  for (const CaseOperand& more : plan.more) {
    std::vector<Code> codes(matrix_size(owner_of(more), m, n, steps * more.count).size());
    for (int i = 0; i < m * n * steps; ++i) {
      const systemc::Codes one = make_case(plan, number * 4096 + 1009 + static_cast<std::uint64_t>(i));
      for (int t = 0; t < more.count; ++t)
        codes[code_place(owner_of(more), {i / steps / n, i / steps % n}, n, steps * more.count,
                         i % steps * more.count + t)] = one.more[static_cast<std::size_t>(more.first + t)];
    }
    x.more.push_back(std::move(codes));
  }
  return x;
}

}  // namespace assay::testing
