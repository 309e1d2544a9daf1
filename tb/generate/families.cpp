#include "tb/generate/families.hpp"

#include "tb/generate/fills.hpp"

namespace assay {
namespace {

bool always(const Plan&) { return true; }
bool floating(const Plan& plan) { return !plan.d.is_integer(); }
bool integers(const Plan& plan) { return plan.d.is_integer(); }
bool scaled(const Plan& plan) { return plan.scales > 0; }

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"raw", "codes nobody thought of, and bits that should have been ignored", always, fills::raw},
      {"small_integers", "operands in the wrong place: nothing rounds, so every difference is one of layout", always,
       fills::small_integers},
      {"near_exponents", "wrong sums where every term is kept whole or nearly so", floating, fills::near_exponents},
      {"alignment", "one bit too few or too many kept below the largest exponent, or a lost sticky bit", floating,
       fills::alignment},
      {"largest", "a term, c or a tie left out of the search for the largest exponent", floating, fills::largest},
      {"cancellation", "normalisation, and bits that a cancelled sum should still have, or no longer", floating,
       fills::cancellation},
      {"carry", "a sum register one bit too narrow", floating, fills::carry},
      {"rounding", "a wrong rounding mode, tie or sticky bit at any cut of the datapath", floating, fills::rounding},
      {"subnormals", "subnormals flushed or kept by mistake, and a wrong floor of the window", floating,
       fills::subnormals},
      {"overflow", "the step from the greatest number to infinity, one unit early or late", floating, fills::overflow},
      {"specials", "a NaN or infinity overlooked at some place or next to some other", floating, fills::specials},
      {"signed_zeros", "the sign of an exact zero", floating, fills::signed_zeros},
      {"tiny", "underflow where everything is as small as it can be", floating, fills::tiny},
      {"zero_times_huge", "a zero product whose exponent takes part in the search for the largest", floating,
       fills::zero_times_huge},
      {"scale_extremes", "scales that are NaN, zero, the least or the greatest", scaled, fills::scale_extremes},
      {"gaussian", "what a network's layers would notice", floating, fills::gaussian},
      {"log_uniform", "what data of many magnitudes would notice", floating, fills::log_uniform},
      {"integer_edges", "saturation in place of wrapping, a lost carry, a wrong sign extension", integers,
       fills::integer_edges},
  };
  return table;
}

std::vector<const Family*> families_for(const Plan& plan) {
  std::vector<const Family*> suitable;
  for (const Family& family : families()) {
    if (family.suits(plan)) suitable.push_back(&family);
  }
  return suitable;
}

const Family* find_family(const Plan& plan, std::string_view name) {
  for (const Family* family : families_for(plan)) {
    if (family->name == name) return family;
  }
  return nullptr;
}

std::string family_names(const Plan& plan) {
  std::string names;
  for (const Family* family : families_for(plan)) names += (names.empty() ? "" : ", ") + std::string(family->name);
  return names;
}

}  // namespace assay
