#include "tb/devices/rtl/export_stages.hpp"

#include <algorithm>

#include "model/core/factor.hpp"
#include "model/core/fields.hpp"
#include "model/core/result_words.hpp"
#include "model/core/round.hpp"
#include "tb/devices/rtl/export_list.hpp"
#include "tb/devices/rtl/export_words.hpp"

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

void append(std::vector<Connection>& list, const std::vector<Connection>& more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::vector<Connection> in_shape(const Wire& in) {
  const BundleWidths bundle = in.bundle();
  return {{"Terms", sv_text(in.count)},
          {"InExponentWidth", sv_text(bundle.exponent_bits)},
          {"InSignificandWidth", sv_text(bundle.significand_bits)},
          {"InFractionBits", sv_text(bundle.fraction_bits)},
          {"InAbsolute", sv_text(bundle.absolute)}};
}

std::string values_of_codes(Sheet& sheet, const Format& format, const Range& range) {
  return sheet.table("the values of " + format.name, BundleWidths(range).width(), code_entries(format, range));
}

// A rule has blocks of its name, whose parameters are the rule's own: assay_decode_posit, Bits, Es.
std::string block_of_rule(const std::string& stage, const Format& format) {
  return "assay_" + stage + "_" + format.rule;
}

std::vector<Connection> parameters_of_rule(const Format& format) {
  std::vector<Connection> list;
  for (const auto& [name, value] : format.parameters) list.emplace_back(sv_words(name), sv_text(std::stoi(value)));
  return list;
}

// Of an integer.
std::vector<Connection> sign_beside(const Format& format) {
  if (!format.sign_magnitude) return {};
  return {{"SignMagnitude", sv_text(true)}};
}

bool has_last_infinity(const Format& format) {
  return format.has_infinity && format.infinity_codes == InfinityCodes::last;
}

// One bit of payload is the quiet bit.
bool may_signal(const Format& format) { return format.nan == NanCodes::ieee && format.mantissa_bits > 1; }

bool has_specials(const Format& format) { return format.has_infinity || format.nan != NanCodes::none; }

// Zeros that a significand needs below its last bit, so that a cut at its window leaves `keep` bits.
int zeros_at_window(const Range& in, int keep) {
  const BundleWidths bundle(in);
  return std::max(0, keep - bundle.fraction_bits - (bundle.absolute ? in.least_exponent : 0));
}

bool keeps_nan(const ResultPlan& result) {
  return result.words.at != ResultAt::format || result.words.nan == OfNan::keep;
}

// How a number that is too small is known, as an assay_pkg::small_e.
std::string_view small_word(const ResultPlan& result) {
  if (result.words.at != ResultAt::format || result.format.is_integer()) return "never";
  if (result.format.rounds_to_list()) return "zero";
  return result.flags->tiny == Tiny::result ? "result" : "told";
}

bool leaves_minus_zero(const ResultPlan& result) {
  return result.format.has_signed_zero && result.words.minus_zero == MinusZero::keep;
}

std::vector<Connection> rounded_to(const Wire& in, const ResultPlan& result, bool marks) {
  const Result& words = result.words;
  const Format& format = result.format;
  switch (words.at) {
    case ResultAt::window:
      return {{"Keep", sv_text(words.keep)}, {"Zeros", sv_text(zeros_at_window(in.range, words.keep))}};
    case ResultAt::leading_one:
      return {{"Keep", sv_text(words.keep)},
              {"HasLeastExponent", sv_text(words.least_exponent.has_value())},
              {"LeastExponent", sv_text(words.least_exponent.value_or(0))}};
    case ResultAt::format: {
      std::vector<Connection> list{
          {"Keep", sv_text(format.mantissa_bits)},
          {"LeastExponent", sv_text(format.least_exponent())},
          {"GreatestExponent", sv_text(format.greatest_exponent())},
          {"GreatestIsAllOnes", sv_text(format.mantissa_bits == 0 || (format.greatest_finite() & 1) != 0)},
          {"OverflowToInfinity", sv_text(marks)},
          {"HasSignedZero", sv_text(leaves_minus_zero(result))},
          {"Subnormals", sv_enumerator("Subnormals", word(words.subnormals))},
          {"Tiny", sv_enumerator("Tiny", word(words.tiny))}};
      const auto significand = static_cast<u128>(greatest(format, false).magnitude);
      if (significand < low_mask(format.mantissa_bits + 1) - 1)  // two codes above it are taken
        list.emplace_back("Greatest", sv_bits(significand, format.mantissa_bits + 1));
      if (words.overflow == Overflow::top) list.emplace_back("OverflowToTop", sv_text(true));
      return list;
    }
  }
  return {};
}

}  // namespace

Wire Stages::changed_by(const std::string& block, const std::string& name, const Wire& in) {
  Wire out = in;
  out.name = name;
  sheet_.declare(name, out.count * out.width());
  sheet_.instance(block, name, {{"Terms", sv_text(in.count)}, {"NumberWidth", sv_text(in.width())}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::decode(const std::string& own_name, const std::string& port, const Format& format, const Range& range,
                    int count, const Reading& reading) {
  const bool no_nans = reading.nans == Nans::zero && format.nan != NanCodes::none;
  const std::string name = no_nans ? own_name + "_read" : own_name;
  Wire wire{name, count, range, no_nans ? format.has_infinity : has_specials(format)};
  const BundleWidths bundle = wire.bundle();
  const std::vector<Connection> ports{{"code_i", port}, {"number_o", name}};
  sheet_.port(port, count * format.stored_bits);
  sheet_.section("decode." + own_name);
  sheet_.declare(name, count * bundle.width());
  if (format.is_integer()) {
    std::vector<Connection> parameters{{"Terms", sv_text(count)},
                                       {"Bits", sv_text(format.stored_bits)},
                                       {"HasSign", sv_text(format.has_sign)},
                                       {"ExponentWidth", sv_text(bundle.exponent_bits)}};
    append(parameters, sign_beside(format));
    sheet_.instance("assay_decode_integer", "decode_" + name, parameters, ports);
  } else if (says_list(format)) {
    sheet_.instance("assay_decode_list", "decode_" + name,
                    {{"Terms", sv_text(count)},
                     {"Bits", sv_text(format.stored_bits)},
                     {"NumberWidth", sv_text(wire.width())},
                     {"Values", values_of_codes(sheet_, format, range)}},
                    ports);
  } else if (format.is_list()) {
    std::vector<Connection> parameters{{"Terms", sv_text(count)}};
    append(parameters, parameters_of_rule(format));
    parameters.emplace_back("ExponentWidth", sv_text(bundle.exponent_bits));
    sheet_.instance(block_of_rule("decode", format), "decode_" + name, parameters, ports);
  } else {
    std::vector<Connection> parameters{{"Terms", sv_text(count)},
                                       {"ExponentBits", sv_text(format.exponent_bits)},
                                       {"MantissaBits", sv_text(format.mantissa_bits)},
                                       {"HasSign", sv_text(format.has_sign)},
                                       {"HasZero", sv_text(format.has_zero)},
                                       {"IgnoredLowBits", sv_text(format.ignored_low_bits)},
                                       {"IgnoredHighBits", sv_text(format.ignored_high_bits)},
                                       {"Bias", sv_text(format.bias)},
                                       {"HasInfinity", sv_text(format.has_infinity)},
                                       {"NanCodes", nan_codes(format.nan)},
                                       {"Subnormals", sv_enumerator("Subnormals", word(reading.subnormals))},
                                       {"ExponentWidth", sv_text(bundle.exponent_bits)}};
    if (has_last_infinity(format)) parameters.emplace_back("InfinityIsLast", sv_text(true));
    sheet_.instance("assay_decode", "decode_" + name, parameters, ports);
  }
  if (no_nans) wire = changed_by("assay_no_nan", own_name, wire);
  sheet_.probe_numbers(wire);
  if (flags_ && !no_nans && reading.payloads && may_signal(format)) {
    wire.raised = name + "_signals";
    sheet_.declare(wire.raised, count * raised_width);
    sheet_.instance("assay_signals", wire.raised,
                    {{"Terms", sv_text(count)},
                     {"ExponentWidth", sv_text(bundle.exponent_bits)},
                     {"SignificandWidth", sv_text(bundle.significand_bits)}},
                    {{"number_i", name}, {"raised_o", wire.raised}});
  }
  if (no_nans || !reading.payloads || !nans_.are_there() || format.nan == NanCodes::none) return wire;
  wire.nan = name + "_nan";
  sheet_.declare(wire.nan, count * nans_.width());
  std::vector<Connection> parameters{{"Terms", sv_text(count)},
                                     {"ExponentWidth", sv_text(bundle.exponent_bits)},
                                     {"SignificandWidth", sv_text(bundle.significand_bits)},
                                     {"PayloadWidth", sv_text(nans_.payload)}};
  if (nans_.made && format.nan != NanCodes::ieee) parameters.emplace_back("IsQuiet", sv_text(true));
  sheet_.instance("assay_payload", wire.nan, parameters, {{"number_i", name}, {"nan_o", wire.nan}});
  return wire;
}

void Stages::encode(const std::string& port, const Format& format, Code nan, const Wire& number) {
  const bool made_apart = nans_.only_made && !number.nan.empty();
  const std::string code = made_apart ? "code" : port;
  if (made_apart) sheet_.declare(code, format.stored_bits);
  sheet_.port(port, format.stored_bits);
  encode_number(code, format, nan, number);
  if (!made_apart) return;
  sheet_.instance("assay_made_nan", "made_nan",
                  {{"PayloadWidth", sv_text(nans_.payload)},
                   {"StoredBits", sv_text(format.stored_bits)},
                   {"Made", sv_bits(*nans_.made, format.stored_bits)}},
                  {{"code_i", code}, {"nan_i", number.nan}, {"code_o", port}});
}

void Stages::encode_number(const std::string& port, const Format& format, Code nan, const Wire& number) {
  const std::string nan_code = sv_bits(nan, format.stored_bits);
  const BundleWidths bundle = number.bundle();
  if (format.is_integer()) {
    std::vector<Connection> parameters{{"Bits", sv_text(format.stored_bits)},
                                       {"ExponentWidth", sv_text(bundle.exponent_bits)}};
    append(parameters, sign_beside(format));
    if (number.special) append(parameters, {{"HasNan", sv_text(true)}, {"NanCode", nan_code}});
    sheet_.instance("assay_encode_integer", "encode", parameters, {{"number_i", number.name}, {"code_o", port}});
  } else if (says_list(format)) {
    sheet_.instance("assay_encode_list", "encode",
                    {{"Bits", sv_text(format.stored_bits)},
                     {"ExponentWidth", sv_text(bundle.exponent_bits)},
                     {"SignificandWidth", sv_text(bundle.significand_bits)},
                     {"NanCode", nan_code},
                     {"Values", values_of_codes(sheet_, format, number.range)}},
                    {{"number_i", number.name}, {"code_o", port}});
  } else if (format.is_list()) {
    std::vector<Connection> parameters = parameters_of_rule(format);
    append(parameters, {{"ExponentWidth", sv_text(bundle.exponent_bits)}, {"NanCode", nan_code}});
    sheet_.instance(block_of_rule("encode", format), "encode", parameters,
                    {{"number_i", number.name}, {"code_o", port}});
  } else {
    encode_floating(port, format, nan, number);
  }
}

void Stages::encode_floating(const std::string& port, const Format& format, Code nan, const Wire& number) {
  const bool own_nan = !number.nan.empty() && !nans_.only_made;
  const Wire result = own_nan ? quiet("quiet", number, format) : number;
  std::vector<Connection> parameters{{"ExponentBits", sv_text(format.exponent_bits)},
                                     {"MantissaBits", sv_text(format.mantissa_bits)},
                                     {"IgnoredLowBits", sv_text(format.ignored_low_bits)},
                                     {"Bias", sv_text(format.bias)},
                                     {"ExponentWidth", sv_text(number.bundle().exponent_bits)},
                                     {"NanPayloads", sv_text(own_nan)},
                                     {"NanCode", sv_bits(nan, format.stored_bits)}};
  if (!format.has_sign) parameters.emplace_back("HasSign", sv_text(false));
  if (format.ignored_high_bits > 0) parameters.emplace_back("IgnoredHighBits", sv_text(format.ignored_high_bits));
  if (has_last_infinity(format))
    append(parameters,
           {{"InfinityIsLast", sv_text(true)}, {"NanIsAllOnes", sv_text(format.nan == NanCodes::all_ones)}});
  sheet_.instance("assay_encode", "encode", parameters, {{"number_i", result.name}, {"code_o", port}});
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

Wire Stages::slice(const std::string& name, const Wire& in, int from, const std::optional<int>& bits,
                   bool zeros_may_count) {
  Wire out = in;
  out.name = name;
  const BundleWidths bundle = in.bundle();
  sheet_.declare(name, out.count * out.width());
  std::vector<Connection> parameters{{"Terms", sv_text(in.count)},
                                     {"ExponentWidth", sv_text(bundle.exponent_bits)},
                                     {"SignificandWidth", sv_text(bundle.significand_bits)},
                                     {"From", sv_text(from)},
                                     {"Kept", sv_text(bits.value_or(bundle.significand_bits - from))}};
  if (zeros_may_count) parameters.emplace_back("ZerosMayCount", sv_text(true));
  sheet_.instance("assay_slice", name, parameters, {{"number_i", in.name}, {"number_o", name}});
  return out;
}

std::vector<Wire> Stages::rows(const std::string& name, const Wire& a, const Wire& b, const Wire& product,
                               const ProductRows& words, const RowsPlan& plan) {
  const BundleWidths of_a = a.bundle(), of_b = b.bundle(), bundle = product.bundle();
  const std::vector<Connection> parameters{{"Terms", sv_text(product.count)},
                                           {"AExponentWidth", sv_text(of_a.exponent_bits)},
                                           {"ASignificandWidth", sv_text(of_a.significand_bits)},
                                           {"BExponentWidth", sv_text(of_b.exponent_bits)},
                                           {"BSignificandWidth", sv_text(of_b.significand_bits)},
                                           {"ExponentWidth", sv_text(bundle.exponent_bits)},
                                           {"SignificandWidth", sv_text(bundle.significand_bits)},
                                           {"DigitsOfA", sv_text(words.of == Side::a)},
                                           {"Booth", sv_text(words.is_booth())},
                                           {"TurnsDigits", sv_text(words.turns_digits())},
                                           {"HasConstant", sv_text(words.has_constant())},
                                           {"SignBit", sv_text(plan.sign_bit)},
                                           {"First", sv_text(plan.at_first)},
                                           {"Chain", sv_text(words.compress == Compress::chain)}};
  const int bits = product.count * product.width();
  sheet_.declare(name, words.pieces() * bits);
  sheet_.instance("assay_rows", name, parameters,
                  {{"a_i", a.name}, {"b_i", b.name}, {"product_i", product.name}, {"rows_o", name}});
  std::vector<Wire> rows;
  for (const char* piece : {"_sum", "_carry", "_constant"}) {
    const auto at = static_cast<int>(rows.size());
    if (at == words.pieces()) break;
    rows.push_back(product);
    rows.back().name = sheet_.gather(name + piece, {{name, at * bits, bits}});
  }
  return rows;
}

Wire Stages::whole(const std::string& name, const Wire& piece, const Wire& product) {
  const Wire out{name, piece.count, piece.range, product.special, product.nan, false, product.raised};
  sheet_.declare(name, out.count * out.width());
  sheet_.instance(
      "assay_whole", name,
      {{"Terms", sv_text(out.count)}, {"NumberWidth", sv_text(out.width())}, {"WholeWidth", sv_text(product.width())}},
      {{"number_i", piece.name}, {"whole_i", product.name}, {"number_o", name}});
  return out;
}

Wire Stages::multiply(const std::string& name, const Wire& left, const Wire& right, const Range& range,
                      const Multiplying& words) {
  const Wire a = following(name + "_a_relative", left, range), b = following(name + "_b_relative", right, range);
  Wire product{name, a.count, range, a.special || b.special};
  const BundleWidths a_bundle = a.bundle(), b_bundle = b.bundle();
  sheet_.declare(name, product.count * product.width());
  std::vector<Connection> parameters{{"Terms", sv_text(product.count)},
                                     {"AExponentWidth", sv_text(a_bundle.exponent_bits)},
                                     {"ASignificandWidth", sv_text(a_bundle.significand_bits)},
                                     {"BExponentWidth", sv_text(b_bundle.exponent_bits)},
                                     {"BSignificandWidth", sv_text(b_bundle.significand_bits)},
                                     {"ExponentWidth", sv_text(product.bundle().exponent_bits)}};
  const int width = product.bundle().significand_bits;
  if (width != a_bundle.significand_bits + b_bundle.significand_bits)
    parameters.emplace_back("SignificandWidth", sv_text(width));
  if (words.zeros_may_count || words.counts_zeros) parameters.emplace_back("ZerosMayCount", sv_text(true));
  if (words.counts_zeros) parameters.emplace_back("ZeroProductCounts", sv_text(true));
  if (words.lowered > 0) parameters.emplace_back("Lowered", sv_text(words.lowered));
  const int up =
      range.fixed_quantum ? 0 : range.fraction_bits + words.lowered - product_range(a.range, b.range).fraction_bits;
  if (up > 0) parameters.emplace_back("Up", sv_text(up));
  if (words.empty) append(parameters, {{"HasEmpty", sv_text(true)}, {"Empty", sv_text(*words.empty)}});
  sheet_.instance("assay_multiply", name, parameters, {{"a_i", a.name}, {"b_i", b.name}, {"product_o", name}});
  if (words.number_alone) return product;
  std::vector<WireElement> candidates;
  for (int i = 0; i < product.count; ++i) {
    candidates.push_back({&a, i});
    candidates.push_back({&b, i});
  }
  if (product.special) product.nan = nan_of(product, candidates, 2);
  product.raised = raised(product, candidates);
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

// A number that is made of such a one keeps its place where its last bit stands still; else that follows an exponent.
Wire Stages::following(const std::string& name, const Wire& in, const Range& made) {
  return in.bundle().absolute && !made.fixed_quantum ? relative(name, in) : in;
}

Wire Stages::scale(const std::string& name, const Wire& number, const ScalePair& pair, const Range& range) {
  const Wire in = following(name + "_relative", number, range);
  const ScalePair scales{following(name + "_a_relative", pair.a, range),
                         following(name + "_b_relative", pair.b, range)};
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
  out.raised = raised(out, candidates);
  return out;
}

Wire Stages::scale_all(const std::string& name, const Wire& in, const std::optional<ScalePair>& pair,
                       const std::vector<Wire>& sides) {
  Wire out = in;
  std::size_t left = sides.size() + (pair ? 1 : 0);
  const auto next = [&] { return --left == 0 ? name : name + "_before" + sv_text(static_cast<int>(left)); };
  if (pair) {
    const Range by = product_range(pair->a.range, pair->b.range);
    out = scale(next(), out, *pair, product_range(out.range, by));
  }
  for (const Wire& side : sides) out = scale(next(), out, side);
  return out;
}

Wire Stages::scale(const std::string& name, const Wire& number, const Wire& side) {
  const Range range = product_range(number.range, side.range);
  const Wire in = following(name + "_relative", number, range), by = following(name + "_by_relative", side, range);
  Wire out{name, in.count, range, in.special || by.special};
  const BundleWidths from = in.bundle(), scale = by.bundle();
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_scale_side", name,
                  {{"Terms", sv_text(in.count)},
                   {"InExponentWidth", sv_text(from.exponent_bits)},
                   {"InSignificandWidth", sv_text(from.significand_bits)},
                   {"ScaleExponentWidth", sv_text(scale.exponent_bits)},
                   {"ScaleSignificandWidth", sv_text(scale.significand_bits)},
                   {"ExponentWidth", sv_text(out.bundle().exponent_bits)}},
                  {{"number_i", in.name}, {"scale_i", by.name}, {"number_o", name}});
  std::vector<WireElement> candidates;
  for (int i = 0; i < out.count; ++i) {
    candidates.push_back({&in, i});
    candidates.push_back({&by, i});
  }
  if (out.special) out.nan = nan_of(out, candidates, 2);
  out.raised = raised(out, candidates);
  return out;
}

Wire Stages::less_zero_point(const std::string& name, const Wire& in, const Wire& zero) {
  Range range = in.range;
  range.integer_bits = std::max(in.range.integer_bits, zero.range.integer_bits) + 1;
  const Wire out{name, in.count, range};
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_zero_point", name,
                  {{"Terms", sv_text(in.count)},
                   {"InBits", sv_text(in.bundle().significand_bits)},
                   {"ZeroBits", sv_text(zero.bundle().significand_bits)},
                   {"ExponentWidth", sv_text(out.bundle().exponent_bits)}},
                  {{"number_i", in.name}, {"zero_i", zero.name}, {"number_o", name}});
  return out;
}

Wire Stages::gate(const std::string& name, const Wire& in, const Wire& mask) {
  Wire out = in;
  out.name = name;
  sheet_.declare(name, out.count * out.width());
  sheet_.instance(
      "assay_gate", name,
      {{"Terms", sv_text(in.count)}, {"NumberWidth", sv_text(in.width())}, {"BitWidth", sv_text(mask.width())}},
      {{"number_i", in.name}, {"mask_i", mask.name}, {"number_o", name}});
  if (in.raised.empty()) return out;
  out.raised = name + "_raised";
  sheet_.declare(out.raised, in.count * raised_width);
  sheet_.instance(
      "assay_gate", out.raised,
      {{"Terms", sv_text(in.count)}, {"NumberWidth", sv_text(raised_width)}, {"BitWidth", sv_text(mask.width())}},
      {{"number_i", in.raised}, {"mask_i", mask.name}, {"number_o", out.raised}});
  return out;
}

Wire Stages::exponent_step(const std::string& name, const Wire& in, const FactorPlan& words) {
  const Wire out{name, in.count, stepped(in.range, words), in.special, in.nan, false, in.raised};
  const BundleWidths from = in.bundle();
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_exponent_step", name,
                  {{"Terms", sv_text(in.count)},
                   {"InExponentWidth", sv_text(from.exponent_bits)},
                   {"InSignificandWidth", sv_text(from.significand_bits)},
                   {"ExponentWidth", sv_text(out.bundle().exponent_bits)},
                   {"Step", sv_text(words.step)},
                   {"From", sv_text(words.step_from)}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::zero_exponent(const std::string& name, const Wire& in, int empty, const Range& range) {
  const Wire out{name, in.count, range, in.special, in.nan, false, in.raised};
  const BundleWidths from = in.bundle(), to = out.bundle();
  sheet_.declare(name, out.count * out.width());
  sheet_.instance("assay_zero_exponent", name,
                  {{"Terms", sv_text(in.count)},
                   {"InExponentWidth", sv_text(from.exponent_bits)},
                   {"InSignificandWidth", sv_text(from.significand_bits)},
                   {"ExponentWidth", sv_text(to.exponent_bits)},
                   {"SignificandWidth", sv_text(to.significand_bits)},
                   {"Empty", sv_text(empty)}},
                  {{"number_i", in.name}, {"number_o", name}});
  return out;
}

Wire Stages::normalise(const std::string& name, const Wire& in, const Range& range) {
  const Wire out{name, in.count, range, in.special, in.nan, false, in.raised};
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

Wire Stages::negate(const std::string& name, const Wire& in) { return changed_by("assay_negate", name, in); }

Wire Stages::limit(const std::string& name, const Wire& in, int infinity_at) {
  const Wire out{name, in.count, in.range, true, in.nan, false, in.raised};
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

Wire Stages::round(const std::string& name, const Wire& in, const ResultPlan& result, const Beside& beside) {
  if (result.words.bits) {
    ResultPlan without = result;
    without.words.bits.reset();
    without.range = in.range;
    without.range.integer_bits += may_carry(result.words.cut) ? 1 : 0;
    without.range.fraction_bits = result.words.keep;
    without.range.fixed_quantum.reset();
    return full(name, round(name + "_cut", in, without, beside), result, counts(in, result));
  }
  const bool in_format = result.words.at == ResultAt::format;
  const FormatWords words = format_words(result, in.special);
  const std::string own = words.change_something() ? name + "_finite" : name;
  const bool alone = beside.random.empty() && beside.lost.empty();
  const Wire from = alone ? in : with_below(name + "_above", in, beside);
  const Rounding rounding{result, words.marks, beside.random.empty() ? 0 : result.words.random_bits,
                          !beside.lost.empty(), counts(in, result)};
  Wire out = rounds_by_table(result)                   ? round_to_list(own, from, rounding)
             : in_format && result.format.is_integer() ? round_to_integer(own, from, rounding)
             : in_format && result.format.is_list()    ? round_by_rule(own, from, rounding)
                                                       : round_floating(own, from, rounding);
  const std::string told = rounding.tells ? part(out) : "";
  if (words.change_something()) out = hold(name, in, out, result);
  out.special = leaves_special(result, in.special);
  out.nan = in.nan;
  if (!out.special) out.nan.clear();
  if (out.special && (words.change_something() || makes_nan(result, in.special)))
    out.nan = nan_of_result(in, out, result.words.nan == OfNan::keep);
  out.raised = rounding.tells ? raised_rounding(in, out, told, result) : in.raised;
  return out;
}

// Where the rounding that leaves d counts alone, the others tell of a new NaN, if they can make one, and quieten those
// that signal.
bool Stages::counts(const Wire& in, const ResultPlan& result) const {
  if (!result.flags) return false;
  if (tells_lost() || result.leaves_d) return true;
  if (result.words.at != ResultAt::format) return false;
  const bool may_be_invalid = is_unsigned_float(result.format) && below_zero(result.words).cls == Class::nan;
  return may_be_invalid || (!in.raised.empty() && !keeps_nan(result));
}

std::string Stages::leaves(const Wire& out, const Rounding& rounding) {
  const std::string name = rounding.tells ? left_with_told(out) : out.name;
  sheet_.declare(name, out.count * (out.width() + (rounding.tells ? told_width : 0)));
  return name;
}

std::string Stages::part(const Wire& out) {
  const int both = out.width() + told_width;
  std::vector<BitRange> numbers, told;
  for (int i = 0; i < out.count; ++i) {
    numbers.push_back({left_with_told(out), i * both + told_width, out.width()});
    told.push_back({left_with_told(out), i * both, told_width});
  }
  sheet_.gather(out.name, numbers);
  return sheet_.gather(out.name + "_told", told);
}

std::string Stages::raised_rounding(const Wire& in, const Wire& out, const std::string& told,
                                    const ResultPlan& result) {
  const bool all = tells_lost();
  const std::string name = out.name + "_raised";
  sheet_.declare(name, out.count * raised_width);
  sheet_.instance("assay_raised_round", name,
                  {{"Terms", sv_text(out.count)},
                   {"BeforeExponentWidth", sv_text(in.bundle().exponent_bits)},
                   {"BeforeWidth", sv_text(in.width())},
                   {"ExponentWidth", sv_text(out.bundle().exponent_bits)},
                   {"SignificandWidth", sv_text(out.bundle().significand_bits)},
                   {"Small", sv_enumerator("Small", small_word(result))},
                   {"HasSign", sv_text(result.words.at != ResultAt::format || !is_unsigned_float(result.format))},
                   {"KeepsNan", sv_text(keeps_nan(result))},
                   {"Own", sv_text(all || result.leaves_d)},
                   {"Before", sv_text(all)}},
                  {{"raised_i", in.raised.empty() ? "'0" : in.raised},
                   {"before_i", in.name},
                   {"told_i", told},
                   {"number_i", out.name},
                   {"raised_o", name}});
  return name;
}

// Each number above its random word, and that above the bit of what was lost.
Wire Stages::with_below(const std::string& name, const Wire& in, const Beside& beside) {
  std::vector<BitRange> parts;
  for (int i = 0; i < in.count; ++i) {
    if (!beside.lost.empty()) parts.push_back({beside.lost, i, 1});
    if (!beside.random.empty()) parts.push_back(beside.random[static_cast<std::size_t>(i)]);
    parts.push_back({in.name, i * in.width(), in.width()});
  }
  Wire out = in;
  out.name = sheet_.gather(name, parts);
  return out;
}

void Stages::append_below(std::vector<Connection>& parameters, const Rounding& rounding) {
  if (rounding.random_bits > 0) parameters.emplace_back("RandomBits", sv_text(rounding.random_bits));
  if (rounding.lost) parameters.emplace_back("HasLost", sv_text(true));
  if (rounding.tells) parameters.emplace_back("Tells", sv_text(true));
}

// What a register of so many bits makes of numbers that were cut at their window.
Wire Stages::full(const std::string& name, const Wire& in, const ResultPlan& result, bool tells) {
  Wire out{name, in.count, result.range, in.special, in.nan, false, in.raised};
  const Rounding rounding{result, false, 0, false, tells};
  std::vector<Connection> parameters{{"Terms", sv_text(in.count)},
                                     {"ExponentWidth", sv_text(in.bundle().exponent_bits)},
                                     {"InSignificandWidth", sv_text(in.bundle().significand_bits)},
                                     {"SignificandWidth", sv_text(out.bundle().significand_bits)},
                                     {"Bits", sv_text(*result.words.bits)},
                                     {"Wraps", sv_text(result.words.overflow == Overflow::wrap)},
                                     {"Symmetric", sv_text(result.words.overflow == Overflow::symmetric)}};
  append_below(parameters, rounding);
  sheet_.instance("assay_full", name, parameters, {{"number_i", in.name}, {"number_o", leaves(out, rounding)}});
  if (tells) out.raised = raised_rounding(in, out, part(out), result);
  return out;
}

Wire Stages::round_floating(const std::string& name, const Wire& in, const Rounding& rounding) {
  const ResultPlan& result = rounding.result;
  const Wire out{name, in.count, result.range};
  std::vector<Connection> parameters = in_shape(in);
  append(parameters,
         {{"At", sv_enumerator("At", word(result.words.at))}, {"Cut", sv_enumerator("Cut", word(result.words.cut))}});
  append(parameters, rounded_to(in, result, rounding.marks));
  append(parameters, {{"OutExponentWidth", sv_text(out.bundle().exponent_bits)},
                      {"OutSignificandWidth", sv_text(out.bundle().significand_bits)}});
  append_below(parameters, rounding);
  if (rounding.tells && small_word(result) == "told")
    parameters.emplace_back("ToldTiny", sv_enumerator("Tiny", word(result.flags->tiny)));
  sheet_.instance("assay_round", name, parameters, {{"number_i", in.name}, {"number_o", leaves(out, rounding)}});
  return out;
}

// Zeros bring the last bit down to the format's; beyond one more than its bits any number is too large, or has no low
// bits.
Wire Stages::round_to_integer(const std::string& name, const Wire& in, const Rounding& rounding) {
  const ResultPlan& result = rounding.result;
  const Format& format = result.format;
  const Wire out{name, in.count, result.range};
  const BundleWidths from = in.bundle();
  const int needed =
      std::max(0, (from.absolute ? 0 : in.range.greatest_exponent) - from.fraction_bits + format.fraction_bits);
  const int zeros = std::min(needed, format.stored_bits + 1);
  std::vector<Connection> parameters = in_shape(in);
  append(parameters, {{"Zeros", sv_text(zeros)},
                      {"Cut", sv_enumerator("Cut", word(result.words.cut))},
                      {"Bits", sv_text(out.bundle().significand_bits)},
                      {"HasSign", sv_text(format.has_sign)},
                      {"Wraps", sv_text(result.words.overflow == Overflow::wrap)},
                      {"OutExponentWidth", sv_text(out.bundle().exponent_bits)}});
  append(parameters, sign_beside(format));
  if (format.fraction_bits != 0) parameters.emplace_back("OutFractionBits", sv_text(format.fraction_bits));
  if (zeros < needed) parameters.emplace_back("MayBeHuge", sv_text(true));
  if (result.words.overflow == Overflow::symmetric) parameters.emplace_back("Symmetric", sv_text(true));
  if (rounding.marks) parameters.emplace_back("OverflowToInfinity", sv_text(true));
  append_below(parameters, rounding);
  sheet_.instance("assay_round_integer", name, parameters,
                  {{"number_i", in.name}, {"number_o", leaves(out, rounding)}});
  return out;
}

Wire Stages::round_by_rule(const std::string& name, const Wire& in, const Rounding& rounding) {
  const ResultPlan& result = rounding.result;
  const Wire out{name, in.count, result.range};
  std::vector<Connection> parameters = in_shape(in);
  parameters.emplace_back("Cut", sv_enumerator("Cut", word(result.words.cut)));
  append(parameters, parameters_of_rule(result.format));
  append(parameters,
         {{"OverflowToInfinity", sv_text(rounding.marks)}, {"OutExponentWidth", sv_text(out.bundle().exponent_bits)}});
  append_below(parameters, rounding);
  sheet_.instance(block_of_rule("round", result.format), name, parameters,
                  {{"number_i", in.name}, {"number_o", leaves(out, rounding)}});
  return out;
}

Wire Stages::round_to_list(const std::string& name, const Wire& in, const Rounding& rounding) {
  const ResultPlan& result = rounding.result;
  const Wire out{name, in.count, result.range};
  const ListSteps steps = list_steps(result);
  const BundleWidths from = in.bundle();
  const int up = (from.absolute ? 0 : in.range.greatest_exponent) - from.fraction_bits + steps.grid_bits;
  const int step_bits = std::max(1, ceil_log2(static_cast<int>(steps.values.size())));
  std::vector<Sheet::Entry> begins{{}}, values;
  for (const i128 key : steps.from) begins.push_back({static_cast<u128>(key) & low_mask(steps.key_bits)});
  for (const ListSteps::Left& left : steps.values)
    values.push_back({bundle_bits(left.value, out.range), exact_text(left.value)});
  begins.resize(std::size_t{1} << step_bits,
                {low_mask(steps.key_bits - 1)});  // whoever comes here stays the last value
  values.resize(begins.size(), values.back());
  const std::string about = "rounding to " + result.format.name + ", " + std::string(word(result.words.cut));
  std::vector<Connection> parameters = in_shape(in);
  append(parameters, {{"Zeros", sv_text(std::clamp(up, 0, steps.key_bits))},
                      {"GridBits", sv_text(steps.grid_bits)},
                      {"KeyWidth", sv_text(steps.key_bits)},
                      {"StepBits", sv_text(step_bits)},
                      {"HasSignedZero", sv_text(leaves_minus_zero(result))},
                      {"OutWidth", sv_text(out.width())},
                      {"From", sheet_.table(about + ": where each value begins", steps.key_bits, begins)},
                      {"Values", sheet_.table(about + ": the values", out.width(), values)}});
  append_below(parameters, rounding);
  if (rounding.tells) {
    std::vector<Sheet::Entry> keys, too_large;
    for (const ListSteps::Left& left : steps.values) {
      keys.push_back({static_cast<u128>(left.key) & low_mask(steps.key_bits)});
      too_large.push_back({left.too_large ? 1U : 0U});
    }
    keys.resize(values.size(), keys.back());
    too_large.resize(values.size(), too_large.back());
    append(parameters, {{"Keys", sheet_.table(about + ": where each value lies", steps.key_bits, keys)},
                        {"TooLarge", sheet_.table(about + ": beyond which there is none", 1, too_large)}});
  }
  sheet_.instance("assay_round_list", name, parameters, {{"number_i", in.name}, {"number_o", leaves(out, rounding)}});
  return out;
}

// The rounded numbers, and what the result's words make of what its format cannot hold.
Wire Stages::hold(const std::string& name, const Wire& before, const Wire& rounded, const ResultPlan& result) {
  const FormatWords words = format_words(result, before.special);
  const BundleWidths bundle = rounded.bundle();
  std::vector<Connection> parameters{{"Terms", sv_text(rounded.count)},
                                     {"BeforeWidth", sv_text(before.width())},
                                     {"ExponentWidth", sv_text(bundle.exponent_bits)},
                                     {"SignificandWidth", sv_text(bundle.significand_bits)}};
  const auto say = [&](const std::string& parameter, FormatWord word) {
    if (word == FormatWord::keep) return;
    parameters.emplace_back(parameter, sv_enumerator("Word", word_names()[static_cast<std::size_t>(word)]));
  };
  say("TooLarge", words.too_large);
  say("TooSmall", words.too_small);
  say("PlusInfinity", words.plus_infinity);
  say("MinusInfinity", words.minus_infinity);
  say("Nan", words.nan);
  say("BelowZero", words.below_zero);
  for (const bool negative : {false, true})
    parameters.emplace_back(
        negative ? "Least" : "Greatest",
        sv_bits(bundle_bits(farthest(result.words, result.format, negative), rounded.range), rounded.width()));
  sheet_.declare(name, rounded.count * rounded.width());
  sheet_.instance("assay_words", name, parameters,
                  {{"before_i", before.name}, {"number_i", rounded.name}, {"number_o", name}});
  Wire out = rounded;
  out.name = name;
  return out;
}

std::string Stages::nan_of_result(const Wire& before, const Wire& after, bool keeps_nan) {
  if (!nans_.are_there()) return "";
  const std::string name = after.name + "_nan";
  const int bits = after.count * nans_.width();
  sheet_.declare(name, bits);
  sheet_.instance("assay_words_nan", name,
                  {{"Terms", sv_text(after.count)},
                   {"BeforeWidth", sv_text(before.width())},
                   {"NumberWidth", sv_text(after.width())},
                   {"KeepsNan", sv_text(keeps_nan)},
                   {"PayloadWidth", sv_text(nans_.payload)}},
                  {{"nan_i", before.nan.empty() ? "'0" : before.nan},
                   {"before_i", before.name},
                   {"number_i", after.name},
                   {"nan_o", name}});
  return name;
}

std::string Stages::inexact(const std::string& name, const SumLoss& loss) {
  sheet_.declare(name, 1);
  sheet_.instance("assay_inexact", name, {{"Terms", sv_text(loss.count)}, {"AddendWidth", sv_text(loss.addend_width)}},
                  {{"addend_i", loss.addend}, {"lost_i", loss.lost}, {"counts_i", loss.counts}, {"inexact_o", name}});
  return name;
}

Stages::Read Stages::read(const std::string& name, const std::vector<WireElement>& numbers) {
  std::vector<BitRange> raised, nans;
  for (const WireElement& e : numbers) {
    const int width = e.wire->width();
    raised.push_back({e.wire->raised, e.wire->raised.empty() ? 0 : e.index * raised_width, raised_width});
    nans.push_back(e.wire->special ? BitRange{e.wire->name, (e.index + 1) * width - 2, 1} : BitRange{"", 0, 1});
  }
  return {sheet_.gather_by_stage(name + "_before", raised), sheet_.gather_by_stage(name + "_read_nan", nans)};
}

std::string Stages::raised(const Wire& made, const std::vector<WireElement>& others, const std::string& inexact) {
  if (!flags_) return "";
  const bool came =
      std::any_of(others.begin(), others.end(), [](const WireElement& e) { return !e.wire->raised.empty(); });
  if (!came && !made.special && inexact.empty()) return "";
  const std::string name = made.name + "_raised";
  const Read of = read(name, others);
  std::vector<BitRange> classes;
  for (int i = 0; i < made.count; ++i)
    classes.push_back(made.special ? BitRange{made.name, (i + 1) * made.width() - 3, 2} : BitRange{"", 0, 2});
  const std::string class_is = sheet_.gather(name + "_class", classes);
  sheet_.declare(name, made.count * raised_width);
  sheet_.instance(
      "assay_raised", name,
      {{"Terms", sv_text(made.count)}, {"Candidates", sv_text(static_cast<int>(others.size()) / made.count)}},
      {{"raised_i", of.raised},
       {"nan_i", of.nan},
       {"class_i", class_is},
       {"inexact_i", inexact.empty() ? "'0" : inexact},
       {"raised_o", name}});
  return name;
}

std::string Stages::raised_by_step(const std::string& name, const std::string& outcome,
                                   const std::vector<WireElement>& seen, const Wire& sum, const Decision& decision) {
  if (!flags_) return "";
  const Read of = read(name, seen);
  const auto own = [](const Number& n) { return sv_bits(n.raised, raised_width - 1); };
  sheet_.declare(name, raised_width);
  sheet_.instance("assay_raised_step", name,
                  {{"Terms", sv_text(static_cast<int>(seen.size()))},
                   {"Before", sv_text(tells_lost())},
                   {"OfNan", own(decision.nan)},
                   {"PlusInfinity", own(decision.plus_infinity)},
                   {"MinusInfinity", own(decision.minus_infinity)}},
                  {{"outcome_i", outcome},
                   {"raised_i", of.raised},
                   {"nan_i", of.nan},
                   {"sum_i", sum.raised.empty() ? "'0" : sum.raised},
                   {"raised_o", name}});
  return name;
}

void Stages::flags(const std::string& port, const Wire& result) {
  sheet_.port(port, raised_width - 1);
  sheet_.instance(
      "assay_flags", "flags",
      {{"NumberWidth", sv_text(result.width())}, {"EveryNan", sv_text(flags_->invalid == Invalid::nan)}},
      {{"raised_i", result.raised.empty() ? "'0" : result.raised}, {"number_i", result.name}, {"flags_o", port}});
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

bool Stages::Decision::is_plain() const {
  return nan.cls == Class::nan && nan.negative && plus_infinity.cls == Class::infinity &&
         minus_infinity.cls == Class::infinity;
}

Wire Stages::decided(const std::string& name, const std::string& outcome, const Wire& sum,
                     const std::vector<WireElement>& candidates, const Decision& decision) {
  if (decision.is_plain()) return decided(name, outcome, sum, candidates);
  Wire out{name, 1, sum.range, true};
  const auto bits = [&](const Number& n) { return sv_bits(bundle_bits(n, out.range), out.width()); };
  sheet_.declare(name, out.width());
  sheet_.instance("assay_decision", name,
                  {{"NumberWidth", sv_text(out.width())},
                   {"OfNan", bits(decision.nan)},
                   {"PlusInfinity", bits(decision.plus_infinity)},
                   {"MinusInfinity", bits(decision.minus_infinity)}},
                  {{"outcome_i", outcome}, {"sum_i", sum.name}, {"acc_o", name}});
  if (!nans_.are_there()) return out;
  Wire seen = out;  // its class says whether a NaN decided, or came of the sum
  seen.name = name + "_seen";
  sheet_.declare(seen.name, out.width());
  sheet_.instance("assay_acc", seen.name, {{"NumberWidth", sv_text(out.width())}},
                  {{"outcome_i", outcome}, {"sum_i", sum.name}, {"acc_o", seen.name}});
  const std::string nan = nan_of(seen, candidates, static_cast<int>(candidates.size()));
  out.nan = name + "_nan";
  sheet_.declare(out.nan, nans_.width());
  sheet_.instance("assay_decision_nan", out.nan,
                  {{"NumberWidth", sv_text(out.width())},
                   {"KeepsNan", sv_text(decision.nan.cls == Class::nan && decision.nan.negative)},
                   {"PayloadWidth", sv_text(nans_.payload)}},
                  {{"outcome_i", outcome}, {"nan_i", nan}, {"number_i", out.name}, {"nan_o", out.nan}});
  return out;
}

Wire Stages::take(const std::string& name, const Wire& sum, const Taking& taking) {
  if (sum.nan.empty()) return sum;
  Wire out = sum;
  out.nan = name + "_nan";
  const auto places = static_cast<int>(taking.places.size());
  std::vector<BitRange> parts;
  std::string begins;  // the last place first
  for (std::size_t i = 0; i < taking.places.size(); ++i) {
    const WireElement& e = taking.places[i];
    parts.push_back({e.wire->nan, e.wire->nan.empty() ? 0 : e.index * nans_.width(), nans_.width()});
    begins.insert(0, taking.begins[i] ? "1" : "0");
  }
  const std::string list = sheet_.gather_by_stage(name + "_nans", parts);
  sheet_.declare(out.nan, nans_.width());
  sheet_.instance("assay_take", name,
                  {{"Places", sv_text(places)},
                   {"Begins", sv_text(places) + "'b" + begins},
                   {"SignallingFirst", sv_text(taking.signalling_first)},
                   {"PayloadWidth", sv_text(nans_.payload)}},
                  {{"nan_i", list}, {"sum_i", sum.nan}, {"nan_o", out.nan}});
  return out;
}

Wire Stages::quiet(const std::string& name, const Wire& in, const Format& format) {
  const Wire out{name, 1, in.range, in.special};
  sheet_.declare(name, out.width());
  if (nans_.only_sign) {
    sheet_.instance("assay_signed_nan", name,
                    {{"ExponentWidth", sv_text(out.bundle().exponent_bits)},
                     {"SignificandWidth", sv_text(out.bundle().significand_bits)}},
                    {{"number_i", in.name}, {"nan_i", in.nan}, {"number_o", name}});
    return out;
  }
  std::vector<Connection> parameters{{"ExponentWidth", sv_text(out.bundle().exponent_bits)},
                                     {"MantissaBits", sv_text(format.mantissa_bits)}};
  if (nans_.payload != format.mantissa_bits) parameters.emplace_back("PayloadWidth", sv_text(nans_.payload));
  if (nans_.made) {
    const Code made = format.used(*nans_.made);
    append(parameters,
           {{"HasMade", sv_text(true)},
            {"MadeNegative", sv_text((made & format.sign_bit()) != 0)},
            {"Made", sv_bits(made & static_cast<Code>(low_mask(format.mantissa_bits)), format.mantissa_bits)}});
  }
  sheet_.instance("assay_quiet", name, parameters, {{"number_i", in.name}, {"nan_i", in.nan}, {"number_o", name}});
  return out;
}

}  // namespace assay
