// One sum and the results it is brought to, as lines of a page.
#pragma once

#include "tb/explain/page.hpp"
#include "tb/explain/sums.hpp"

namespace assay::explain {

// Window, every addend on its grid, the sum, each result.
void sum_block(Page& page, const Trace& trace, const SumSite& site);

// What cutting `before` to a result leaves: the bits kept, those cut off, the number. `exponent` is before's nominal
// one.
struct ResultStep {
  std::string name;
  exact::Dyadic before;
  long exponent = 0;
  Number after;
  bool lost = false;  // ones further down, which it looks at
};
void result_lines(Page& page, const ResultStep& step, const ResultPlan& plan);

// "f32, toward zero", "23 bits behind the leading one, down".
std::string rule_text(const ResultPlan& plan);

// Whether nothing but zeros came in and went out.
bool all_zero(const Trace& trace, const SumSite& site);

// "+1.01 x 2^3" where a sum of two passes on one of them unchanged because the other is zero; else empty.
std::string passed_on(const Trace& trace, const SumSite& site);

}  // namespace assay::explain
