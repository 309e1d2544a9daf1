#include "tb/run/tally.hpp"

#include <fmt/format.h>

#include "tb/scoreboard/scoreboard.hpp"

namespace assay {

void Tally::see(Code d) {
  const Number n = result_number(*plan_, d);
  ++results_;
  zeros_ += n.is_zero() ? 1 : 0;
  nans_ += n.cls == Class::nan ? 1 : 0;
}

std::string Tally::warning() const {
  if (!says_little(zeros_, nans_, results_)) return "";
  return fmt::format("{} of {} results are zero and {} are NaN: such a set tells little apart.", zeros_, results_,
                     nans_);
}

}  // namespace assay
