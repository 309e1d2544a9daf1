#include "sim/cli/explain_sums.hpp"

#include <fmt/format.h>

#include <cmath>

#include "model/core/align.hpp"

namespace assay {
namespace {

using exact::Dyadic;

mpz_class integer(u128 value) {
  mpz_class high = static_cast<unsigned long>(value >> 64);
  return (high << 64) + static_cast<unsigned long>(value);
}

// Two's complement of any width, above `skipped` lower bits.
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

AddendReading read_addend(const Trace& trace, const SumSite& site, int i, const SumReading& sum) {
  const auto at = static_cast<std::size_t>(i);
  AddendReading addend;
  addend.item = trace.items(site.window)[at];
  addend.kept = {signed_bits(trace.at(site.align(i)), 0), sum.grid};
  if (!addend.item.is_finite()) return addend;
  const Input& input = *site.inputs[at];
  if (input.keep) addend.cut_at = sum.window - *input.keep;
  addend.dropped = addend.item.magnitude != 0 && dropped_whole(addend.item, sum.window, input);
  const Dyadic item = exactly(addend.item);
  if (addend.dropped) addend.cut_at = std::max(addend.cut_at.value_or(sum.grid), floor_log2(item) + 1);
  addend.lost = addend.cut_at && !bits_below(item, *addend.cut_at).empty();
  return addend;
}

}  // namespace

Explanation explain(const Plan& plan, const Case& one) {
  Explanation e{0, Trace(plan)};
  e.trace.keep_items(true);
  Registers registers;
  e.d = dot(plan, one.operand(), registers, &e.trace);
  return e;
}

Dyadic exactly(const Number& n) {
  const mpz_class magnitude = integer(n.magnitude);
  return {n.negative ? mpz_class(-magnitude) : magnitude, n.quantum};
}

Dyadic SumReading::going_on(const AdderPlan& adder) const {
  if (!adder.sticky) return sum;
  // The sticky bit joins the magnitude.
  const mpz_class magnitude = abs(sum.significand) * 2 + (sticky ? 1 : 0);
  return {sum.significand < 0 ? mpz_class(-magnitude) : magnitude, sum.exponent - 1};
}

SumReading read_sum(const Trace& trace, const SumSite& site) {
  SumReading sum;
  sum.window = static_cast<int>(trace.signed_field(site.window, "exponent"));
  sum.grid = grid_of(trace.plan().places[static_cast<std::size_t>(site.reduce)], sum.window);
  sum.sum = {signed_bits(trace.at(site.reduce), site.adder->sticky ? 1 : 0), sum.grid};
  sum.sticky = site.adder->sticky && trace.at(site.reduce).bit(0);
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

std::string bits_between(const Dyadic& x, long top, long bottom) {
  const mpz_class magnitude = abs(x.significand);
  std::string bits;
  for (long weight = top; weight >= bottom; --weight) {
    const long at = weight - x.exponent;
    bits += at >= 0 && mpz_tstbit(magnitude.get_mpz_t(), static_cast<mp_bitcnt_t>(at)) != 0 ? '1' : '0';
  }
  return bits;
}

long lowest_one(const Dyadic& x) { return static_cast<long>(mpz_scan1(x.significand.get_mpz_t(), 0)) + x.exponent; }

std::string bits_below(const Dyadic& x, long weight) {
  if (sign(x) == 0 || lowest_one(x) >= weight) return "";
  return bits_between(x, weight - 1, lowest_one(x));
}

std::string decimal(const Dyadic& x, bool negative_zero) {
  if (sign(x) == 0) return negative_zero ? "-0" : "+0";
  long exponent = 0;
  const double fraction = mpz_get_d_2exp(&exponent, x.significand.get_mpz_t());
  const long power = exponent + x.exponent;
  if (power <= 50 && x.significand % (mpz_class(1) << static_cast<mp_bitcnt_t>(std::max(-x.exponent, 0L))) == 0) {
    const mpz_class whole = units_in(x, 0, exact::Rounding::toward_zero);
    return (whole > 0 ? "+" : "") + whole.get_str();
  }
  // Beyond what a double holds a power of two must do.
  if (power > 1024 || power < -1073) return fmt::format("about {}2^{}", fraction < 0 ? "-" : "+", power - 1);
  return fmt::format("{:+.8g}", std::ldexp(fraction, static_cast<int>(power)));
}

std::string decimal(const Number& n) {
  switch (n.cls) {
    case Class::nan: return "NaN";
    case Class::infinity: return n.negative ? "-inf" : "+inf";
    case Class::finite: break;
  }
  return decimal(exactly(n), n.negative);
}

std::string decimal(const exact::Datum& d) {
  switch (d.kind) {
    case exact::Kind::nan: return "NaN";
    case exact::Kind::infinity: return d.negative ? "-inf" : "+inf";
    case exact::Kind::finite: break;
  }
  return decimal(d.value, d.negative);
}

}  // namespace assay
