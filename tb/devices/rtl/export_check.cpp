#include "tb/devices/rtl/export_check.hpp"

#include "tb/devices/rtl/export_sv.hpp"

namespace assay {
namespace {

[[noreturn]] void refuse(const std::string& key, const std::string& why) {
  throw ExportError{key + ": export-sv " + why};
}

void check_format(const std::string& key, const Format& format) {
  if (format.is_integer()) refuse(key, "has blocks for floating point only, not for " + format.name + ".");
  if (!format.has_sign || format.mantissa_bits < 1)
    refuse(key, "needs formats with a sign and a mantissa; " + format.name + " has not both.");
}

void check_input(const std::string& key, const InputPlan& input, bool exact) {
  const std::string at = key + ".add." + input.words.source;
  if (input.words.empty) refuse(at + ".empty", "cannot give a zero an exponent; leave `empty` out.");
  if (input.words.lost_below) refuse(at + ".lost_below", "cannot drop a term whole; leave `lost_below` out.");
  if (input.range.fixed_quantum) refuse(at, "needs a `result` after an exact sum before another adder can take it.");
  if (input.words.keep.has_value() == exact)
    refuse(at + ".keep", "cannot add exact and cut inputs in one adder; give all of them a `keep`, or none.");
}

void check_result(const std::string& key, const ResultPlan& result, bool last_adder) {
  if (result.words.at != ResultAt::format) return;
  check_format(key + ".format", result.format);
  if (result.words.subnormals != Subnormals::keep)
    refuse(key + ".subnormals", "keeps subnormal results; it cannot flush them.");
  if (!last_adder && result.words.overflow == Overflow::infinity)
    refuse(key + ".overflow", "cannot hand an infinity to a later adder of the same step; say `overflow: largest`.");
}

void check_adder(const std::string& key, const AdderPlan& adder, bool last) {
  if (adder.shape != Shape::flat)
    refuse(key + ".shape", "wires fused sums (shape: flat) only, not " + std::string(word(adder.shape)) + ".");
  if (adder.times_scales) refuse(key + ".times", "has no block for scales.");
  if (adder.zero != ZeroSign::positive) refuse(key + ".zero", "makes every exact zero positive (zero: positive).");
  if ((adder.window.step & (adder.window.step - 1)) != 0)
    refuse(key + ".window.step", "needs a power of two, not " + std::to_string(adder.window.step) + ".");
  const bool exact = !adder.inputs.front().words.keep;
  for (const InputPlan& input : adder.inputs) check_input(key, input, exact);
  for (std::size_t i = 0; i < adder.results.size(); ++i)
    check_result(key + ".result[" + std::to_string(i) + "]", adder.results[i], last);
}

}  // namespace

void check_exportable(const Plan& plan) {
  const Datapath& words = plan.datapath;
  check_format("operands.a", plan.a);
  check_format("operands.b", plan.b);
  check_format("operands.c", plan.c);
  check_format("operands.d", plan.d);
  if (plan.nan.propagate) refuse("nan", "writes one NaN code; it cannot propagate payloads.");
  if (words.specials != Specials::step)
    refuse("specials", "decides on NaN and infinity once a step (specials: step), not by " +
                           std::string(word(words.specials)) + ".");
  if (words.product.round) refuse("product.round", "has exact products only.");
  if (words.product.exponent != ProductExponent::raw) refuse("product.exponent", "does not normalise products.");
  if (words.product.infinity_at) refuse("product.infinity_at", "has products that never overflow.");
  if (words.product.times_scales) refuse("product.times", "has no block for scales.");
  if (plan.lanes > 1) refuse("k_order.lanes", "wires one lane, not " + std::to_string(plan.lanes) + ".");
  if (words.start != Start::c) refuse("start", "accumulates onto c (start: c) only.");
  if (!plan.finish.empty()) refuse("finish", "wires steps only; there must be no `finish`.");
  for (std::size_t i = 0; i < plan.adders.size(); ++i)
    check_adder("adders[" + std::to_string(i) + "]", plan.adders[i], i + 1 == plan.adders.size());
}

}  // namespace assay
