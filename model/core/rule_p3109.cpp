// The binary formats of IEEE P3109: fields whose bias, NaN and infinity follow from four parameters.
#include "model/core/rules.hpp"

namespace assay {
namespace {

// "s" and "u", or "f" and "e": whether it is the second of the two.
std::optional<bool> choice(const Format& format, const std::string& name, const std::string& no, const std::string& yes,
                           std::string& wrong) {
  const auto found = format.parameters.find(name);
  if (found != format.parameters.end() && (found->second == no || found->second == yes)) return found->second == yes;
  wrong = "the rule 'p3109' needs `" + name + "`, either " + no + " or " + yes + ".";
  return std::nullopt;
}

//   signed     s | exponent: bits - precision | mantissa: precision - 1       NaN in place of -0
//   unsigned       exponent: bits - precision + 1 | mantissa                  NaN all ones
std::string fill(Format& f) {
  std::string wrong;
  const std::optional<int> bits = parameter(f, "bits", 3, 16, wrong);
  if (!bits) return wrong;
  const std::optional<bool> is_unsigned = choice(f, "sign", "s", "u", wrong),
                            extended = choice(f, "domain", "f", "e", wrong);
  if (!is_unsigned || !extended) return wrong;
  const std::optional<int> precision = parameter(f, "precision", 1, *is_unsigned ? *bits : *bits - 1, wrong);
  if (!precision) return wrong;
  f.stored_bits = *bits;
  f.has_sign = !*is_unsigned;
  f.mantissa_bits = *precision - 1;
  f.exponent_bits = *bits - *precision + (*is_unsigned ? 1 : 0);
  if (f.exponent_bits > 11) return "an exponent field of more than 11 bits is not read here; raise `precision`.";
  f.bias = *is_unsigned ? 1 << (*bits - *precision) : 1 << (*bits - *precision - 1);
  f.has_signed_zero = false;
  f.nan = *is_unsigned ? NanCodes::all_ones : NanCodes::negative_zero;
  f.has_infinity = *extended;
  f.infinity_codes = InfinityCodes::last;
  return "";
}

}  // namespace

FormatRule p3109_rule() {
  return {"p3109",
          "fields, with the bias, NaN and infinity of IEEE P3109's draft 4.0",
          {{"bits", "3 to 16"},
           {"precision", "1 to bits - 1, unsigned to bits"},
           {"sign", "s signed, u unsigned"},
           {"domain", "f finite, e extended by infinities"}},
          fill};
}

}  // namespace assay
