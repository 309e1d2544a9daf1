// Dot products by value: what the tests of arithmetic are written in.
#pragma once

#include <vector>

#include "model/core/dot.hpp"
#include "tb/tests/core/table.hpp"

namespace assay::test {

using Codes = std::vector<Code>;
using Values = std::vector<double>;

// One case; terms and scales that are not listed are code 0, a code 0 scale being whatever its format makes of it.
struct Terms {
  Codes a, b;
  Code c = 0;
  Codes scale_a, scale_b;
};

inline Code dot_of(const Plan& plan, Terms terms, Trace* trace = nullptr) {
  const auto k = static_cast<std::size_t>(plan.k), scales = static_cast<std::size_t>(plan.scales);
  if (terms.a.size() > k || terms.b.size() > k) throw std::invalid_argument("more terms than the plan has");
  terms.a.resize(k);
  terms.b.resize(k);
  terms.scale_a.resize(scales);
  terms.scale_b.resize(scales);
  Registers registers;
  return dot(plan, {terms.a.data(), terms.b.data(), terms.c, terms.scale_a.data(), terms.scale_b.data()}, registers,
             trace);
}

inline Codes codes_of(const Format& format, const Values& values) {
  Codes codes;
  for (const double v : values) codes.push_back(code_of(row(format.name), v));
  return codes;
}

inline Code dot_code(const Plan& plan, const Values& a, const Values& b, double c = 0) {
  return dot_of(plan, {codes_of(plan.a, a), codes_of(plan.b, b), code_of(row(plan.c.name), c), {}, {}});
}

inline double dot_value(const Plan& plan, const Values& a, const Values& b, double c = 0) {
  return value_of(row(plan.d.name), dot_code(plan, a, b, c));
}

}  // namespace assay::test
