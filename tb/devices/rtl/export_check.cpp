#include "tb/devices/rtl/export_check.hpp"

#include <algorithm>

#include "model/base/error.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  throw Error{key + ": export-sv " + why, Ending::not_here};
}

void check_floating(const std::string& key, const Format& format) {
  if (format.is_integer()) refuse(key, "has blocks for floating point only, not for " + format.name + ".");
}

// What assay_decode and assay_encode read: sign, exponent and mantissa.
void check_fields(const std::string& key, const Format& format) {
  if (format.is_list()) refuse(key, "has no table for the values of " + format.name + " yet.");
  if (format.has_infinity && format.infinity_codes != InfinityCodes::top_exponent)
    refuse(key, "takes infinities in the top exponent only; " + format.name + " has them elsewhere.");
  if (format.rounds_to_list() && format.has_zero)
    refuse(key, "takes powers of two without zero only, as scales; " + format.name + " has a zero.");
}

void check_result_format(const std::string& key, const Format& format) {
  check_floating(key, format);
  check_fields(key, format);
  if (format.mantissa_bits < 1) refuse(key, "rounds to formats with a mantissa; " + format.name + " has none.");
}

void check_input(const std::string& key, const InputPlan& input, bool exact) {
  const std::string at = key + ".add." + input.words.source;
  if (input.range.fixed_quantum) refuse(at, "needs a `result` after an exact sum before another adder can take it.");
  if (input.words.keep.has_value() == exact)
    refuse(at + ".keep", "cannot add exact and cut inputs in one adder; give all of them a `keep`, or none.");
}

void check_result(const std::string& key, const ResultPlan& result) {
  if (result.words.at != ResultAt::format) return;
  check_result_format(key + ".format", result.format);
  if (result.words.subnormals != Subnormals::keep)
    refuse(key + ".subnormals", "keeps subnormal results; it cannot flush them.");
}

void check_adder(const std::string& key, const AdderPlan& adder) {
  if (adder.shape != Shape::flat)
    refuse(key + ".shape", "wires fused sums (shape: flat) only, not " + std::string(word(adder.shape)) + ".");
  if ((adder.window.step & (adder.window.step - 1)) != 0)
    refuse(key + ".window.step", "needs a power of two, not " + std::to_string(adder.window.step) + ".");
  const bool exact = !adder.inputs.front().words.keep;
  for (const InputPlan& input : adder.inputs) check_input(key, input, exact);
  if (adder.times_scales && exact && adder.window.exponent != WindowExponent::fixed)
    refuse(key + ".window", "scales exact sums in a fixed window only: say `window: {exponent: fixed, at: 0}`.");
  for (std::size_t i = 0; i < adder.results.size(); ++i)
    check_result(key + ".result[" + std::to_string(i) + "]", adder.results[i]);
}

// A NaN's payload travels in the significand, right below its top bit.
void check_payload(const std::string& key, const Plan& plan, const AdderPlan& adder) {
  if (adder.inputs.size() > 2) refuse(key + ".add", "propagates NaN payloads through sums of one or two inputs only.");
  const int sent = std::max({plan.a.mantissa_bits, plan.b.mantissa_bits, plan.c.mantissa_bits});
  const int needed = std::min(sent, plan.d.mantissa_bits) + 1;
  if (adder.range.significand_bits() < needed)
    refuse(key + ".result", "propagates NaN payloads in the significand: the result of " + adder.name + " has " +
                                std::to_string(adder.range.significand_bits()) + " bits for it, " +
                                std::to_string(needed) + " are needed.");
}

void check_adders(const std::string& list, const Plan& plan, const std::vector<AdderPlan>& adders) {
  for (std::size_t i = 0; i < adders.size(); ++i) {
    const std::string key = list + "[" + std::to_string(i) + "]";
    check_adder(key, adders[i]);
    const bool carries_nan = list == "finish" || i + 1 == adders.size();
    if (plan.nan.propagate && carries_nan) check_payload(key, plan, adders[i]);
  }
}

}  // namespace

void check_exportable(const Plan& plan) {
  const Datapath& words = plan.datapath;
  if (plan.random.operand >= 0) refuse("cut", "has no blocks that round by chance (stochastic_a, _b, _c).");
  if (!plan.more.empty())
    refuse("operands." + plan.more.front().name, "has ports for the pair of block scales alone (operands.scale).");
  if (plan.factor_a.works() || plan.factor_b.works())
    refuse("factors", "multiplies elements as they are decoded; it cannot subtract from them or round them.");
  check_floating("operands.a", plan.a);
  check_floating("operands.b", plan.b);
  check_floating("operands.c", plan.c);
  check_result_format("operands.d", plan.d);
  if (words.specials != Specials::step)
    refuse("specials", "decides on NaN and infinity once a step (specials: step), not by " +
                           std::string(word(words.specials)) + ".");
  if (const ResultPlan* result = result_beyond(plan))
    refuse("result",
           "gives numbers beyond " + result->format.name +
               " as an infinity or the largest number and leaves infinities and NaNs as they are; it knows "
               "neither other words of `overflow`, nor `infinity`, `nan` and `negative`, nor floats without a "
               "sign.");
  if (plan.nan.with_sign)
    refuse("nan", "has one code for NaN, or propagates payloads; it does not know `nan: signed`.");
  if (plan.nan.propagate && plan.scale)
    refuse("nan", "cannot propagate NaN payloads through scales; give `nan` a code.");
  if (words.product.round) refuse("product.round", "has exact products only.");
  if (words.product.exponent != ProductExponent::raw) refuse("product.exponent", "does not normalise products.");
  check_adders("adders", plan, plan.adders);
  check_adders("finish", plan, plan.finish);
}

std::optional<std::string> why_not_exportable(const Plan& plan) {
  try {
    check_exportable(plan);
    return std::nullopt;
  } catch (const Error& error) {
    return error.message;
  }
}

}  // namespace assay
