#include "tb/devices/rtl/export_stages.hpp"

#include <algorithm>

namespace assay {
namespace {

std::string nan_codes(NanCodes codes) {
  switch (codes) {
    case NanCodes::none: return "assay_pkg::NanCodesNone";
    case NanCodes::ieee: return "assay_pkg::NanCodesIeee";
    case NanCodes::all_ones: return "assay_pkg::NanCodesAllOnes";
    case NanCodes::negative_zero: return "assay_pkg::NanCodesNegativeZero";
    case NanCodes::listed: break;  // export_check has refused it
  }
  return "";
}

// The last bit of a number follows its exponent: what Stages::relative makes of an absolute one.
Range relative_range(Range range) {
  if (!range.fixed_quantum) return range;
  range.fraction_bits = std::max(0, range.greatest_exponent - *range.fixed_quantum);
  range.fixed_quantum.reset();
  return range;
}

std::vector<Connection> in_shape(const Wire& in) {
  const BundleWidths bundle = in.bundle();
  return {{"Terms", sv_text(in.count)},
          {"InExponentWidth", sv_text(bundle.exponent_bits)},
          {"InSignificandWidth", sv_text(bundle.significand_bits)},
          {"InFractionBits", sv_text(bundle.fraction_bits)},
          {"InAbsolute", sv_text(bundle.absolute)}};
}

bool has_specials(const Format& format) { return format.has_infinity || format.nan != NanCodes::none; }

// Zeros that a significand needs below its last bit, so that a cut at its window leaves `keep` bits.
int zeros_at_window(const Range& in, int keep) {
  const BundleWidths bundle(in);
  return std::max(0, keep - bundle.fraction_bits - (bundle.absolute ? in.least_exponent : 0));
}

std::vector<Connection> rounded_to(const Wire& in, const ResultPlan& result) {
  const Result& words = result.words;
  const Format& format = result.format;
  switch (words.at) {
    case ResultAt::window:
      return {{"Keep", sv_text(words.keep)}, {"Zeros", sv_text(zeros_at_window(in.range, words.keep))}};
    case ResultAt::leading_one:
      return {{"Keep", sv_text(words.keep)},
              {"HasLeastExponent", sv_text(words.least_exponent.has_value())},
              {"LeastExponent", sv_text(words.least_exponent.value_or(0))}};
    case ResultAt::format:
      return {{"Keep", sv_text(format.mantissa_bits)},
              {"LeastExponent", sv_text(format.least_exponent())},
              {"GreatestExponent", sv_text(format.greatest_exponent())},
              {"GreatestIsAllOnes", sv_text(format.mantissa_bits == 0 || (format.greatest_finite() & 1) != 0)},
              {"OverflowToInfinity", sv_text(words.overflow == Overflow::infinity)},
              {"HasSignedZero", sv_text(format.has_signed_zero)},
              {"Subnormals", sv_enumerator("Subnormals", word(words.subnormals))},
              {"Tiny", sv_enumerator("Tiny", word(words.tiny))}};
  }
  return {};
}

void append(std::vector<Connection>& list, const std::vector<Connection>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

Wire Stages::decode(const std::string& name, const Format& format, Subnormals subnormals, const Range& range,
                    int count) {
  Wire wire{name, count, range, has_specials(format)};
  const BundleWidths bundle = wire.bundle();
  const std::vector<Connection> ports{{"code_i", name + "_i"}, {"number_o", name}};
  sheet_.port(name + "_i", count * format.stored_bits);
  sheet_.section("decode." + name);
  sheet_.declare(name, count * bundle.width());
  if (format.is_integer()) {
    sheet_.instance("assay_decode_integer", "decode_" + name,
                    {{"Terms", sv_text(count)},
                     {"Bits", sv_text(format.stored_bits)},
                     {"HasSign", sv_text(format.has_sign)},
                     {"ExponentWidth", sv_text(bundle.exponent_bits)}},
                    ports);
  } else {
    sheet_.instance("assay_decode", "decode_" + name,
                    {{"Terms", sv_text(count)},
                     {"ExponentBits", sv_text(format.exponent_bits)},
                     {"MantissaBits", sv_text(format.mantissa_bits)},
                     {"HasSign", sv_text(format.has_sign)},
                     {"HasZero", sv_text(format.has_zero)},
                     {"IgnoredLowBits", sv_text(format.ignored_low_bits)},
                     {"IgnoredHighBits", sv_text(format.ignored_high_bits)},
                     {"Bias", sv_text(format.bias)},
                     {"HasInfinity", sv_text(format.has_infinity)},
                     {"NanCodes", nan_codes(format.nan)},
                     {"Subnormals", sv_enumerator("Subnormals", word(subnormals))},
                     {"ExponentWidth", sv_text(bundle.exponent_bits)}},
                    ports);
  }
  sheet_.probe_numbers(wire);
  if (!nans_.are_there() || format.nan == NanCodes::none) return wire;
  wire.nan = name + "_nan";
  sheet_.declare(wire.nan, count * nans_.width());
  sheet_.instance("assay_payload", wire.nan,
                  {{"Terms", sv_text(count)},
                   {"ExponentWidth", sv_text(bundle.exponent_bits)},
                   {"SignificandWidth", sv_text(bundle.significand_bits)},
                   {"PayloadWidth", sv_text(nans_.payload)}},
                  {{"number_i", name}, {"nan_o", wire.nan}});
  return wire;
}

std::string Stages::nan_of(const Wire& number, const std::vector<WireElement>& candidates, int each) {
  if (!nans_.are_there()) return "";
  std::vector<BitRange> parts;
  for (const WireElement& e : candidates)
    parts.push_back({e.wire->nan, e.wire->nan.empty() ? 0 : e.index * nans_.width(), nans_.width()});
  const std::string name = number.name + "_nan";
  const std::string list = sheet_.gather(number.name + "_nans", parts);
  sheet_.declare(name, number.count * nans_.width());
  sheet_.instance("assay_nan", name,
                  {{"Terms", sv_text(number.count)},
                   {"Candidates", sv_text(each)},
                   {"PayloadWidth", sv_text(nans_.payload)},
                   {"NumberWidth", sv_text(number.width())}},
                  {{"nan_i", list}, {"number_i", number.name}, {"nan_o", name}});
  return name;
}

Wire Stages::multiply(const std::string& name, const Wire& a, const Wire& b, const Range& range) {
  Wire product{name, a.count, range, a.special || b.special};
  const BundleWidths a_bundle = a.bundle(), b_bundle = b.bundle();
  sheet_.declare(name, product.count * product.width());
  sheet_.instance("assay_multiply", name,
                  {{"Terms", sv_text(product.count)},
                   {"AExponentWidth", sv_text(a_bundle.exponent_bits)},
                   {"ASignificandWidth", sv_text(a_bundle.significand_bits)},
                   {"BExponentWidth", sv_text(b_bundle.exponent_bits)},
                   {"BSignificandWidth", sv_text(b_bundle.significand_bits)},
                   {"ExponentWidth", sv_text(product.bundle().exponent_bits)}},
                  {{"a_i", a.name}, {"b_i", b.name}, {"product_o", name}});
  std::vector<WireElement> candidates;
  for (int i = 0; i < product.count; ++i) {
    candidates.push_back({&a, i});
    candidates.push_back({&b, i});
  }
  if (product.special) product.nan = nan_of(product, candidates, 2);
  return product;
}

// Only the shift is logic: where the exponent stands fixed there is none.
Wire Stages::relative(const std::string& name, const Wire& in) {
  Wire out = in;
  out.range = relative_range(in.range);
  const BundleWidths from = in.bundle(), to = out.bundle();
  const bool stands = in.range.least_exponent == in.range.greatest_exponent;
  if (stands && to.fraction_bits - from.fraction_bits == in.range.least_exponent && to.width() == from.width())
    return out;
  out.name = name;
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_relative", name,
                  {{"Terms", sv_text(out.count)},
                   {"ExponentWidth", sv_text(to.exponent_bits)},
                   {"InSignificandWidth", sv_text(from.significand_bits)},
                   {"InFractionBits", sv_text(from.fraction_bits)},
                   {"SignificandWidth", sv_text(to.significand_bits)},
                   {"FractionBits", sv_text(to.fraction_bits)}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::scale(const std::string& name, const Wire& number, const ScalePair& scales, const Range& range) {
  const bool follows = number.bundle().absolute && !range.fixed_quantum;
  const Wire in = follows ? relative(name + "_relative", number) : number;
  Wire out{name, in.count, range, in.special || scales.a.special || scales.b.special};
  const BundleWidths from = in.bundle(), by = scales.a.bundle();
  sheet_.declare(name, out.count * out.width());
  sheet_.instance(
      "assay_scale", name,
      {{"Terms", sv_text(in.count)},
       {"InExponentWidth", sv_text(from.exponent_bits)},
       {"InSignificandWidth", sv_text(from.significand_bits)},
       {"ScaleExponentWidth", sv_text(by.exponent_bits)},
       {"ScaleSignificandWidth", sv_text(by.significand_bits)},
       {"ExponentWidth", sv_text(out.bundle().exponent_bits)}},
      {{"number_i", in.name}, {"scale_a_i", scales.a.name}, {"scale_b_i", scales.b.name}, {"number_o", name}});
  std::vector<WireElement> candidates;
  for (int i = 0; i < out.count; ++i) {
    for (const Wire* one : {&in, &scales.a, &scales.b}) candidates.push_back({one, i});
  }
  if (out.special) out.nan = nan_of(out, candidates, 3);
  return out;
}

Wire Stages::normalise(const std::string& name, const Wire& in, const Range& range) {
  const Wire out{name, in.count, range, in.special, in.nan};
  const BundleWidths from = in.bundle();
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_normalise", name,
                  {{"Terms", sv_text(in.count)},
                   {"InExponentWidth", sv_text(from.exponent_bits)},
                   {"SignificandWidth", sv_text(from.significand_bits)},
                   {"FractionBits", sv_text(from.fraction_bits)},
                   {"Absolute", sv_text(from.absolute)},
                   {"ExponentWidth", sv_text(out.bundle().exponent_bits)}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::limit(const std::string& name, const Wire& in, int infinity_at) {
  const Wire out{name, in.count, in.range, true, in.nan};
  const BundleWidths bundle = in.bundle();
  sheet_.declare(name, out.count * bundle.width());
  sheet_.instance("assay_limit", name,
                  {{"Terms", sv_text(out.count)},
                   {"ExponentWidth", sv_text(bundle.exponent_bits)},
                   {"SignificandWidth", sv_text(bundle.significand_bits)},
                   {"FractionBits", sv_text(bundle.fraction_bits)},
                   {"InfinityAt", sv_text(infinity_at)}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::round(const std::string& name, const Wire& in, const ResultPlan& result) {
  if (result.words.at == ResultAt::format && result.format.is_integer()) return round_to_integer(name, in, result);
  const bool overflows = result.words.at == ResultAt::format && result.words.overflow == Overflow::infinity;
  const Wire out{name, in.count, result.range, in.special || overflows, in.nan};
  std::vector<Connection> parameters = in_shape(in);
  append(parameters,
         {{"At", sv_enumerator("At", word(result.words.at))}, {"Cut", sv_enumerator("Cut", word(result.words.cut))}});
  append(parameters, rounded_to(in, result));
  append(parameters, {{"OutExponentWidth", sv_text(out.bundle().exponent_bits)},
                      {"OutSignificandWidth", sv_text(out.bundle().significand_bits)}});
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_round", name, parameters, {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::round_to_integer(const std::string& name, const Wire& in, const ResultPlan& result) {
  const Wire out{name, in.count, result.range, in.special, in.nan};
  const BundleWidths from = in.bundle();
  const int zeros = std::max(0, (from.absolute ? 0 : in.range.greatest_exponent) - from.fraction_bits);
  std::vector<Connection> parameters = in_shape(in);
  append(parameters, {{"Zeros", sv_text(zeros)},
                      {"Cut", sv_enumerator("Cut", word(result.words.cut))},
                      {"Bits", sv_text(result.format.stored_bits)},
                      {"HasSign", sv_text(result.format.has_sign)},
                      {"Wraps", sv_text(result.words.overflow == Overflow::wrap)},
                      {"OutExponentWidth", sv_text(out.bundle().exponent_bits)}});
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_round_integer", name, parameters, {{"number_i", in.name}, {"number_o", name}});
  return out;
}

std::string Stages::special(const std::string& name, const std::vector<Wire>& numbers, const std::string& last) {
  const auto sets = static_cast<int>(numbers.size());
  sheet_.declare(name + "_sets", 2 * sets);
  for (int i = 0; i < sets; ++i) {
    const Wire& set = numbers[static_cast<std::size_t>(i)];
    sheet_.instance("assay_special", name + sv_text(i),
                    {{"Terms", sv_text(set.count)}, {"NumberWidth", sv_text(set.width())}},
                    {{"number_i", set.name}, {"outcome_o", sv_slice(name + "_sets", 2 * i, 2)}});
  }
  sheet_.declare(name, 2);
  sheet_.instance("assay_decide", name, {{"Sets", sv_text(sets)}},
                  {{"outcome_i", name + "_sets"}, {"last_i", last}, {"outcome_o", name}});
  return name;
}

Wire Stages::decided(const std::string& name, const std::string& outcome, const Wire& sum,
                     const std::vector<WireElement>& candidates) {
  Wire out{name, 1, sum.range, true};
  sheet_.declare(name, out.width());
  sheet_.instance("assay_acc", name, {{"NumberWidth", sv_text(out.width())}},
                  {{"outcome_i", outcome}, {"sum_i", sum.name}, {"acc_o", name}});
  out.nan = nan_of(out, candidates, static_cast<int>(candidates.size()));
  return out;
}

Wire Stages::quiet(const std::string& name, const Wire& in) {
  const Wire out{name, 1, in.range, in.special};
  sheet_.declare(name, out.width());
  sheet_.instance("assay_quiet", name,
                  {{"ExponentWidth", sv_text(out.bundle().exponent_bits)}, {"PayloadWidth", sv_text(nans_.payload)}},
                  {{"number_i", in.name}, {"nan_i", in.nan}, {"number_o", name}});
  return out;
}

}  // namespace assay
