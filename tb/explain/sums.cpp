#include "tb/explain/sums.hpp"

#include <fmt/format.h>

#include "model/core/align.hpp"
#include "model/core/multiply.hpp"
#include "tb/explain/numbers.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

AddendReading read_addend(const Trace& trace, const SumSite& site, int i, const SumReading& sum) {
  const auto at = static_cast<std::size_t>(i);
  AddendReading addend;
  addend.item = trace.items(site.window)[at];
  addend.kept = {signed_bits(trace.at(site.align(i)), 0), sum.grid};
  if (!addend.item.is_finite()) return addend;
  const Input& input = *site.inputs[at];
  if (input.keep) addend.cut_at = sum.window - *input.keep;
  for (const Recut& again : input.again) addend.cut_at = std::max<long>(*addend.cut_at, sum.window - again.keep);
  const bool all_lost = sum.lost(*site.adder);
  addend.dropped = addend.item.magnitude != 0 && (all_lost || dropped_whole(addend.item, sum.window, input));
  const Dyadic item = exactly(addend.item);
  if (addend.dropped) addend.cut_at = std::max(addend.cut_at.value_or(sum.grid), floor_log2(item) + 1);
  addend.lost = addend.cut_at && !bits_below(item, *addend.cut_at).empty();
  return addend;
}

}  // namespace

mpz_class signed_bits(const Bits& bits, int skipped) {
  mpz_class value;
  const auto words = static_cast<std::size_t>((bits.width + 63) / 64);
  mpz_import(value.get_mpz_t(), words, -1, sizeof(std::uint64_t), 0, 0, bits.words);
  value >>= static_cast<mp_bitcnt_t>(skipped);
  const int width = bits.width - skipped;
  if (width > 0 && bits.bit(bits.width - 1)) value -= mpz_class(1) << static_cast<mp_bitcnt_t>(width);
  return value;
}

long grid_of(const Place& place, int window) {
  return place.absolute ? -place.fraction_bits : window - place.fraction_bits;
}

bool SumReading::lost(const AdderPlan& adder) const { return adder.window.lost_at && window <= *adder.window.lost_at; }

bool SumReading::errs(const AdderPlan& adder) const {
  if (!adder.errata.minus_one) return false;
  return sign(sum + Dyadic{1, window - *adder.inputs.front().words.keep}) == 0;
}

Dyadic SumReading::going_on(const AdderPlan& adder) const {
  if (errs(adder)) return {-1, window + *adder.errata.minus_one};
  if (adder.sticky != Sticky::below_sum) return sum;
  // The sticky bit joins the magnitude.
  const mpz_class magnitude = abs(sum.significand) * 2 + (sticky ? 1 : 0);
  return {sum.significand < 0 ? mpz_class(-magnitude) : magnitude, sum.exponent - 1};
}

SumReading read_sum(const Trace& trace, const SumSite& site) {
  SumReading sum;
  sum.window = static_cast<int>(trace.signed_field(site.window, "exponent"));
  sum.grid = grid_of(trace.plan().places[static_cast<std::size_t>(site.reduce)], sum.window);
  sum.sum = {signed_bits(trace.at(site.reduce), site.adder->has_sticky() ? 1 : 0), sum.grid};
  sum.sticky = site.adder->has_sticky() && trace.at(site.reduce).bit(0);
  for (int i = 0; i < site.items(); ++i) sum.addends.push_back(read_addend(trace, site, i, sum));
  return sum;
}

bool Reading::operator==(const Reading& o) const {
  return cls == o.cls && negative == o.negative && exponent == o.exponent && bits == o.bits &&
         sign(value - o.value) == 0;
}

Reading read_place(const Trace& trace, int index) {
  const PlaceTable& places = trace.plan().places;
  const Place& place = places[static_cast<std::size_t>(index)];
  Reading reading;
  switch (place.stage) {
    case Stage::special: reading.bits = trace.field(index, "outcome"); return reading;
    case Stage::encode: reading.bits = trace.field(index, "bits"); return reading;
    case Stage::flags: reading.bits = trace.field(index, "raised"); return reading;
    case Stage::window: reading.exponent = static_cast<int>(trace.signed_field(index, "exponent")); return reading;
    case Stage::align:
    case Stage::reduce: {
      int window = index;
      while (places[static_cast<std::size_t>(window)].stage != Stage::window) --window;
      const bool sticky = place.fields.size() > 1;
      const long grid = grid_of(place, static_cast<int>(trace.signed_field(window, "exponent")));
      reading.value = {signed_bits(trace.at(index), sticky ? 1 : 0), grid};
      reading.negative = reading.value.significand < 0;
      reading.bits = sticky && trace.at(index).bit(0) ? 1 : 0;
      return reading;
    }
    case Stage::decode:
    case Stage::multiply:
    case Stage::scale:
    case Stage::round:
    case Stage::acc: break;
  }
  const Number n = number_at(trace, index);
  reading.cls = n.cls;
  reading.negative = n.negative;
  if (n.is_finite()) reading.value = exactly(n);
  reading.exponent = n.exponent;
  return reading;
}

// --- reasons ---

namespace {

Number at(const Trace& trace, const std::string& place) { return number_at(trace, trace.plan().find_place(place)); }

bool is_nan(const Number& n) { return n.cls == Class::nan; }

// A number of a step, and the words for it should it be special.
struct Candidate {
  Number number;
  std::string name;
  std::string because;
};

std::string joined_reason(const std::vector<Candidate>& all) {
  const Candidate *nan = nullptr, *positive = nullptr, *negative = nullptr;
  for (const Candidate& one : all) {
    if (one.number.is_finite()) continue;
    const Candidate*& slot = is_nan(one.number) ? nan : one.number.negative ? negative : positive;
    if (slot == nullptr) slot = &one;
  }
  if (nan != nullptr) return "NaN, because " + nan->because;
  if (positive != nullptr && negative != nullptr) {
    return fmt::format("NaN, because infinities of both signs meet: {} is +inf, {} is -inf", positive->name,
                       negative->name);
  }
  const Candidate* infinite = positive != nullptr ? positive : negative;
  return infinite == nullptr ? "" : fmt::format("{}, because {}", decimal(infinite->number), infinite->because);
}

std::string is_what(const std::string& name, const Number& n) { return name + " is " + decimal(n); }

// Scales by their block, where each product takes its own.
std::string scale_reason(const Trace& trace, int block) {
  for (const char* side : {"scale_a", "scale_b"}) {
    const Number n = at(trace, fmt::format("decode.{}[{}]", side, block));
    if (!n.is_finite()) return is_what(fmt::format("{}[{}]", side, block), n);
  }
  return "a scale of its block says so";
}

// The first of these scales that is no number, by its name; empty where all are.
std::string reason_in(const Trace& trace, const std::vector<int>& scales, int term) {
  const Plan& plan = trace.plan();
  for (const int one : scales) {
    const CaseOperand& scale = plan.more[static_cast<std::size_t>(one)];
    const std::string name = fmt::format("{}[{}]", scale.name, term / scale.block);
    const Number n = at(trace, "decode." + name);
    if (!n.is_finite()) return is_what(name, n);
  }
  return "";
}

// Of an element that its factor made special, why; empty where it did not.
std::string factor_reason(const Trace& trace, Region region, const FactorPlan& words, int term) {
  const int place = trace.plan().places.first(region, term);
  if (place < 0 || number_at(trace, place).is_finite()) return "";
  const std::string reason = reason_in(trace, words.scales, term);
  return reason.empty() ? is_what(trace.plan().places.name(place), number_at(trace, place)) : reason;
}

// The product as the adders receive it.
Number term_at(const Trace& trace, int i) {
  const Plan& plan = trace.plan();
  return number_at(trace, plan.places.first(plan.circuit.regions_of_products().back(), i));
}

// Of product `i`.
Candidate term_candidate(const Trace& trace, int i) {
  const Number n = term_at(trace, i);
  const int element = trace.plan().element_of(i);
  const std::string name = fmt::format("a[{}] x b[{}]", element, element);
  if (!n.is_finite()) return {n, name, term_reason(trace, element)};
  const std::optional<int>& limit = trace.plan().datapath.product.infinity_at;
  if (!limit || !reaches(n, *limit)) return {n, name, ""};
  return {Number::infinity(n.negative), name,
          fmt::format("{} is of magnitude 2^{} or more, which counts as infinity here", name, *limit)};
}

}  // namespace

std::string scales_text(const Plan& plan, bool pair, const std::vector<int>& others, int term) {
  const int block = pair ? term / plan.scale_block : 0;
  std::string text = pair ? fmt::format("scale_a[{}] and scale_b[{}]", block, block) : "";
  for (const int other : others) {
    const CaseOperand& scale = plan.more[static_cast<std::size_t>(other)];
    text += fmt::format("{}{}[{}]", text.empty() ? "" : " and ", scale.name, term / scale.block);
  }
  return text;
}

std::string special_reason(const std::vector<NamedNumber>& numbers) {
  std::vector<Candidate> all;
  for (const NamedNumber& one : numbers) all.push_back({one.number, one.name, is_what(one.name, one.number)});
  return joined_reason(all);
}

std::string term_reason(const Trace& trace, int term) {
  const Number a = at(trace, fmt::format("decode.a[{}]", term)), b = at(trace, fmt::format("decode.b[{}]", term));
  const std::string name = fmt::format("a[{}] x b[{}]", term, term);
  if (is_nan(a)) return fmt::format("a[{}] is NaN", term);
  if (is_nan(b)) return fmt::format("b[{}] is NaN", term);
  if (!a.is_finite() || !b.is_finite()) return fmt::format("{} is {} x {}", name, decimal(a), decimal(b));
  const Plan& plan = trace.plan();
  for (const std::string& reason : {factor_reason(trace, Region::factor_a, plan.factor_a, term),
                                    factor_reason(trace, Region::factor_b, plan.factor_b, term)}) {
    if (!reason.empty()) return reason;
  }
  if (plan.places.first(Region::scale) >= 0 && !at(trace, fmt::format("scale[{}]", term)).is_finite()) {
    const std::string reason = reason_in(trace, plan.product_scales, term);
    return reason.empty() && plan.scale ? scale_reason(trace, term / plan.scale_block) : reason;
  }
  return fmt::format("{} is beyond the greatest {}", name, plan.product_round ? plan.product_round->format.name : "");
}

std::string step_reason(const Trace& trace, const Number& acc, int lane, int step) {
  const Plan& plan = trace.plan();
  std::vector<Candidate> all;
  const int* order = plan.step_order(lane, step);
  for (int i = 0; i < plan.step_terms; ++i) all.push_back(term_candidate(trace, order[i]));
  all.push_back({acc, "acc", is_what("acc", acc)});
  bool scaled = false;
  for (const AdderPlan& adder : plan.adders) scaled = scaled || adder.times_scales;
  for (int i = 0; scaled && i < plan.step_terms; ++i) {
    const int block = plan.element_of(order[i]) / plan.scale_block;
    for (const char* side : {"scale_a", "scale_b"}) {
      const std::string name = fmt::format("{}[{}]", side, block);
      const Number n = at(trace, "decode." + name);
      all.push_back({n, name, is_what(name, n)});
    }
  }
  for (const AdderPlan& adder : plan.adders) {
    for (const int one : adder.scales) {
      const CaseOperand& scale = plan.more[static_cast<std::size_t>(one)];
      for (int i = 0; i < plan.step_terms; ++i) {
        const std::string name = fmt::format("{}[{}]", scale.name, plan.element_of(order[i]) / scale.block);
        const Number n = at(trace, "decode." + name);
        all.push_back({n, name, is_what(name, n)});
      }
    }
  }
  return joined_reason(all);
}

}  // namespace assay::explain
