#include "sim/cli/tally.hpp"

#include <fmt/format.h>

#include <ostream>

#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

void Tally::see(Code d) {
  const Number n = result_number(plan_, d);
  ++results_;
  zeros_ += n.is_zero() ? 1 : 0;
  nans_ += n.cls == Class::nan ? 1 : 0;
}

void Tally::remark(const Console& console) const {
  if (!says_little(zeros_, nans_, results_)) return;
  console.err << fmt::format(
      "assay: warning: {} of {} results are zero and {} are NaN: such a set tells little apart.\n", zeros_, results_,
      nans_);
}

}  // namespace assay
