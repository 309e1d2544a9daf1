#include "sim/cli/tally.hpp"

#include <fmt/format.h>

#include <ostream>

#include "model/core/decode.hpp"

namespace assay {

void Tally::see(Code d) {
  const Number n = decode(d, plan_.d, Subnormals::keep, plan_.datapath.specials);
  ++results_;
  zeros_ += n.is_zero() ? 1 : 0;
  nans_ += n.cls == Class::nan ? 1 : 0;
}

void Tally::remark(const Console& console) const {
  if (10 * (zeros_ + nans_) <= 9 * results_) return;
  console.err << fmt::format(
      "assay: warning: {} of {} results are zero and {} are NaN: such a set tells little apart.\n", zeros_, results_,
      nans_);
}

}  // namespace assay
