#include "tb/generate/families.hpp"

#include "model/base/error.hpp"
#include "model/core/result_words.hpp"
#include "tb/generate/fills.hpp"

namespace assay {
namespace {

bool always(const Plan&) { return true; }
bool floating(const Plan& plan) {
  return !plan.a.is_integer() || !plan.b.is_integer() || !plan.c.is_integer() || !plan.d.is_integer();
}
bool beyond(const Plan& plan) { return !is_plain(plan); }
bool integers(const Plan& plan) { return plan.d.is_integer(); }
// All of them, so that c can make any sum.
bool adds_integers(const Plan& plan) {
  return plan.a.is_integer() && plan.b.is_integer() && plan.c.is_integer() && plan.d.is_integer();
}
bool orders_nans(const Plan& plan) { return plan.take.has_value(); }
bool saturates(const Plan& plan) {
  return integers(plan) && plan.last_adder().results.back().words.overflow != Overflow::wrap;
}
bool scaled(const Plan& plan) { return plan.scales > 0; }
bool masked(const Plan& plan) { return plan.mask >= 0; }
bool brings_more(const Plan& plan) { return plan.more.size() > (masked(plan) ? 1U : 0U); }
bool in_blocks(const Plan& plan) { return plan.scales > 1; }
// Whether sums are lost where windows are low, or zero products have an exponent.
bool loses_windows(const Plan& plan) {
  const auto loses = [](const AdderPlan& a) { return a.window.lost_at.has_value(); };
  return floating(plan) && (plan.datapath.product.empty || std::any_of(plan.adders.begin(), plan.adders.end(), loses));
}
bool chained(const Plan& plan) { return floating(plan) && plan.lanes * plan.steps > 1; }
bool has_format_edges(const Plan& plan) { return floating(plan) && (has_lists(plan) || has_inner_formats(plan)); }
bool cuts_items(const Plan& plan) { return floating(plan) && !input_edges(plan).empty(); }
bool cuts_twice(const Plan& plan) { return floating(plan) && plan.scales == 0 && twice_cut(plan).has_value(); }
// Whether products are cut so far down that d shows it only where others cancel.
bool keeps_beyond_d(const Plan& plan) {
  return floating(plan) && widest_keep_of_products(plan).value_or(0) > plan.d.mantissa_bits + 16;
}
bool rounds_elements(const Plan& plan) {
  return cuts_items(plan) && (plan.factor_a.round.has_value() || plan.factor_b.round.has_value());
}
bool tells_numbers(const Plan& plan) {
  const auto has = [](const Format& f) { return !f.is_integer(); };
  return has(plan.a) || has(plan.b) || has(plan.c) || (plan.scale && has(*plan.scale));
}
bool meets_exponents(const Plan& plan) { return floating(plan) && !plan.d.is_integer() && !plan.d.is_list(); }
bool sliced(const Plan& plan) { return plan.is_sliced() && plan.scales == 0; }
bool has_special_values(const Plan& plan) {
  const auto has = [](const Format& f) { return f.has_infinity || f.nan != NanCodes::none; };
  const bool any = has(plan.a) || has(plan.b) || has(plan.c) || (plan.scale && has(*plan.scale));
  return floating(plan) && plan.datapath.specials != Specials::numbers && any;
}
bool has_payloads(const Plan& plan) {
  const auto pays = [](const Format& f) { return f.nan == NanCodes::ieee; };
  return floating(plan) && (pays(plan.a) || pays(plan.b) || pays(plan.c));
}
bool tells_nans(const Plan& plan) { return has_payloads(plan) && plan.datapath.specials != Specials::numbers; }

}  // namespace

const std::vector<Family>& families() {
  static const std::vector<Family> table{
      {"raw", "codes nobody thought of, and bits that should have been ignored", always, fills::raw},
      {"small_integers", "operands in the wrong place: nothing rounds, so every difference is one of layout", always,
       fills::small_integers},
      {"near_exponents", "wrong sums where every term is kept whole or nearly so", floating, fills::near_exponents},
      {"alignment", "one bit too few or too many kept below the largest exponent, or a lost sticky bit", floating,
       fills::alignment},
      {"cut_edges", "an adder that cuts one kind of its items elsewhere or otherwise", cuts_items, fills::cut_edges},
      {"cut_twice", "the first of two cuts of a sum, one bit further up or down or with another rounding", cuts_twice,
       fills::cut_twice},
      {"lost_alone", "terms that are added before they are cut, where each should have been cut alone", keeps_beyond_d,
       fills::lost_alone},
      {"rounded_elements", "the exponent of an element or product that is not that of its leading one", rounds_elements,
       fills::rounded_elements},
      {"slices", "a slice that is a bit too long or short, and the order in which slices are added", sliced,
       fills::slices},
      {"largest", "a term, c or a tie left out of the search for the largest exponent", floating, fills::largest},
      {"cancellation", "normalisation, and bits that a cancelled sum should still have, or no longer", floating,
       fills::cancellation},
      {"carry", "a sum register one bit too narrow", floating, fills::carry},
      {"rounding", "a wrong rounding mode, tie or sticky bit at any cut of the datapath", floating, fills::rounding},
      {"ties", "a tie that bits cut off earlier, or kept too long, decide the other way", floating, fills::ties},
      {"subnormals", "subnormals flushed or kept by mistake", floating, fills::subnormals},
      {"floors", "a wrong floor of a window or of a result, and what is rounded up to the least normal number",
       floating, fills::floors},
      {"overflow", "the step from the greatest number to infinity, of products, steps and results", floating,
       fills::overflow},
      {"specials", "a NaN or infinity overlooked at some place or next to some other", floating, fills::specials},
      {"special_rules", "a rule of NaN and infinity left out, or asked before another", has_special_values,
       fills::special_rules},
      {"nan_payloads", "a NaN of another operand passed on, or changed on the way", has_payloads, fills::nan_payloads},
      {"nan_order", "of two NaNs the other one taken", orders_nans, fills::nan_order},
      {"number_tests", "a number that is taken for zero, infinity or NaN, since a test does not read one bit",
       tells_numbers, fills::number_tests},
      {"nan_tests", "a NaN that is taken for infinity, since a test does not read one bit of its payload", tells_nans,
       fills::nan_tests},
      {"exponent_tests", "a bit that a comparison with the least or the greatest exponent of d does not read",
       meets_exponents, fills::exponent_tests},
      {"signed_zeros", "the sign of an exact zero", floating, fills::signed_zeros},
      {"vanishing", "the sign of what is flushed, cut or rounded to zero", floating, fills::vanishing},
      {"tiny", "underflow where everything is as small as it can be", floating, fills::tiny},
      {"low_windows", "a window that is lost one exponent too early or late, or zeros that count with another exponent",
       loses_windows, fills::low_windows},
      {"zero_times_huge", "a zero product whose exponent takes part in the search for the largest", floating,
       fills::zero_times_huge},
      {"scale_extremes", "scales that are NaN, zero, the least or the greatest", scaled, fills::scale_extremes},
      {"scale_blocks", "a block that takes another one's scale, or is shifted by too little", in_blocks,
       fills::scale_blocks},
      {"operand_extremes",
       "scales of one side, zero points and random words that are the least, the greatest, zero or NaN", brings_more,
       fills::operand_extremes},
      {"masks", "a product that is off and still counts: its value, its NaN, its sign or its exponent", masked,
       fills::masks},
      {"chain_boundaries", "an accumulator rounded too early, too late or not handed on between steps", chained,
       fills::chain_boundaries},
      {"gaussian", "what a network's layers would notice", floating, fills::gaussian},
      {"outliers", "what activations with rare large elements would notice", floating, fills::outliers},
      {"log_uniform", "what data of many magnitudes would notice", floating, fills::log_uniform},
      {"ill_conditioned", "digits lost where a sum is much smaller than its terms: condition 2^0, 2^1, ..", floating,
       fills::ill_conditioned},
      {"result_ends", "what becomes of a number beyond d's format, of infinity and of NaN, and where it begins", beyond,
       fills::result_ends},
      {"format_edges",
       "the ends of a format that is a list of values, its holes, and where its precision changes; and the ends and "
       "ties "
       "of a format on the way to d",
       has_format_edges, fills::format_edges},
      {"integer_edges", "saturation in place of wrapping, a lost carry, a wrong sign extension", integers,
       fills::integer_edges},
      {"integer_carries", "a carry or a borrow that is lost somewhere in a sum, or goes too far", adds_integers,
       fills::integer_carries},
      {"saturation", "a clamp before the whole sum is there, or one clamp too few", saturates, fills::saturation},
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

const Family* named_family(const Plan& plan, const std::string& what, const std::string& name) {
  if (name.empty()) return nullptr;
  const Family* found = find_family(plan, name);
  if (found != nullptr) return found;
  throw Error{what + " " + name + " is not one for this instruction; there are " + family_names(plan) + "."};
}

}  // namespace assay
