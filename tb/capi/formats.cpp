// Formats: what there is to know of one, and their numbers as doubles.
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/values.hpp"
#include "tb/capi/call.hpp"
#include "tb/capi/elements.hpp"
#include "tb/capi/handles.hpp"
#include "tb/explore/real.hpp"
#include "tb/vectors/print.hpp"

namespace assay::capi {
namespace {

using Json = nlohmann::ordered_json;

// A double holds every number of the format.
void need_doubles(const Format& format) {
  const auto least = format.least_exponent() - format.mantissa_bits;
  if (format.greatest_exponent() < std::numeric_limits<double>::max_exponent &&
      least >= std::numeric_limits<double>::min_exponent - std::numeric_limits<double>::digits)
    return;
  throw bad_argument("The numbers of " + format.name + " reach beyond those of a double; use its codes.");
}

double integer_end(const Format& format, bool greatest) {
  const double codes = std::ldexp(1.0, format.stored_bits);
  if (!format.has_sign) return greatest ? codes - 1 : 0;
  const double most = codes / 2 - 1;
  return greatest ? most : format.sign_magnitude ? -most : -codes / 2;
}

double greatest_of(const Format& format) {
  if (format.is_integer()) return std::ldexp(integer_end(format, true), -format.fraction_bits);
  return value_of(format.stored(format.greatest_finite()), format);
}

double least_of(const Format& format) {
  if (format.is_integer()) return std::ldexp(integer_end(format, false), -format.fraction_bits);
  if (format.is_list()) return value_of(format.values().ascending.front().code, format);
  if (format.has_sign) return -greatest_of(format);
  return format.has_zero ? 0 : std::ldexp(1.0, format.least_exponent());
}

Json facts_of(const Format& f) {
  need_doubles(f);
  Json j{{"name", f.name},
         {"ml_dtypes", f.ml_dtypes_name},
         {"kind", f.is_integer() ? "integer" : "floating"},
         {"bits", f.stored_bits},
         {"bytes", bytes_of(f)},
         {"signed", f.has_sign},
         {"exponent_bits", f.exponent_bits},
         {"mantissa_bits", f.mantissa_bits},
         {"bias", f.bias},
         {"infinity", f.has_infinity},
         {"nan", f.nan != NanCodes::none},
         {"signed_zero", f.has_signed_zero},
         {"zero", f.has_zero},
         {"max", greatest_of(f)},
         {"min", least_of(f)}};
  if (has_zero_code(f)) j["zero_code"] = zero_code(f);
  if (f.is_integer()) return j;
  j["eps"] = std::ldexp(1.0, -f.mantissa_bits);
  j["smallest_normal"] = std::ldexp(1.0, f.least_exponent());
  j["smallest_subnormal"] = std::ldexp(1.0, f.least_exponent() - (f.has_zero ? f.mantissa_bits : 0));
  if (f.has_infinity) j["infinity_code"] = f.stored(f.infinity());
  if (f.nan != NanCodes::none) j["nan_code"] = f.stored(f.quiet_nan());
  return j;
}

// The double's own bits where they are those of a normal number: cut to nearest even where they lie.
//
//   double   s | e e e e e | m m m m m | r r r r     e moves by the difference of the biases; a carry runs into it
class ByBits {
 public:
  explicit ByBits(const Format& format)
      : format_(format),
        applies_(!format.is_integer() && !format.is_list() && format.has_sign && format.has_zero &&
                 format.mantissa_bits < double_mantissa && format.bias < double_bias),
        cut_(double_mantissa - format.mantissa_bits),
        least_((Code{1} << double_mantissa) + moved()),
        greatest_(applies_ ? format.greatest_finite() << cut_ : 0) {}

  // Nothing: a number that is something else, to which the rules of the format belong.
  std::optional<Code> code(double x, assay_encoded& tally) const {
    if (!applies_) return std::nullopt;
    Code bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    const Code sign = bits >> 63, magnitude = bits & ~(Code{1} << 63);
    if (magnitude == 0) return sign != 0 && !format_.has_signed_zero ? std::nullopt : std::optional(stored(sign, 0));
    if (magnitude < least_) return std::nullopt;
    const Code wide = magnitude - moved();
    if (wide > greatest_) return std::nullopt;
    const Code half = (Code{1} << (cut_ - 1)) - 1 + (wide >> cut_ & 1);
    const Code rounded = (wide + half) >> cut_;
    tally.rounded += (rounded << cut_) != wide ? 1 : 0;
    return stored(sign, rounded);
  }

 private:
  static constexpr int double_mantissa = 52, double_bias = 1023;

  // By how much the exponent's field is less than in a double, at its place there.
  Code moved() const { return static_cast<Code>(double_bias - format_.bias) << double_mantissa; }
  Code stored(Code sign, Code magnitude) const { return format_.stored(sign << (format_.used_bits() - 1) | magnitude); }

  const Format& format_;
  bool applies_;
  int cut_;
  Code least_, greatest_;
};

// Throws where a double holds no such integer.
void need_double(Code code, std::size_t index, const Format& format) {
  if (!format.is_integer() || format.stored_bits <= 53) return;
  const u128 magnitude = decode(code, format, Subnormals::keep, Specials::step).magnitude;
  if (magnitude == 0 || bit_length(magnitude) - trailing_zeros(magnitude) <= 53) return;
  throw CallEnd{ASSAY_BAD_BITS, "Code " + std::to_string(index) + " is an integer of " + format.name +
                                    " that no double holds; use its code."};
}

// As a double the greatest integer of 64 bits is the number above it.
bool is_above_integers(double x, const Format& format) {
  return format.is_integer() &&
         x >= std::ldexp(1.0, format.stored_bits - (format.has_sign ? 1 : 0) - format.fraction_bits);
}

// The code of a double, and what became of it.
Code encoded(double x, std::size_t index, const Format& format, assay_encoded& tally) {
  if (std::isnan(x)) {
    if (format.nan == NanCodes::none) {
      throw CallEnd{ASSAY_BAD_BITS, "Value " + std::to_string(index) + " is NaN, and " + format.name +
                                        " has no NaN; replace it before it is encoded."};
    }
    return format.stored(format.quiet_nan());
  }
  const bool negative = std::signbit(x);
  const bool infinite = std::isinf(x) && format.has_infinity && (format.has_sign || !negative);
  if (infinite) return format.stored(negative ? format.negative_infinity() : format.infinity());
  const double held = std::fmin(std::fmax(x, least_of(format)), greatest_of(format));
  const bool is_outside = held != x || is_above_integers(x, format);
  if (x == 0 && (format.has_zero || format.is_integer()))
    return encode(Number::zero(negative && format.has_signed_zero), format, {});
  // Beyond the greatest number there is still what rounds to it.
  const Code code = nearest_code(number_of(is_outside && (std::isinf(x) || !format.has_infinity) ? held : x), format);
  const double value = value_of(code, format);
  if (value == x && !is_outside) return code;
  tally.rounded += 1;
  tally.overflowed += is_outside ? 1 : 0;
  return code;
}

}  // namespace
}  // namespace assay::capi

namespace capi = assay::capi;

assay_status assay_catalogue_formats(const assay_catalogue* catalogue, assay_text** names, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(names, "names");
    *names = nullptr;
    capi::need(catalogue, "catalogue");
    capi::Json list = capi::Json::array();
    for (const assay::Format& format : assay::formats()) list.push_back(format.name);
    *names = new assay_text{list.dump()};
  });
}

assay_status assay_format_open(const assay_catalogue* catalogue, const char* name, assay_format** format,
                               assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(format, "format");
    *format = nullptr;
    capi::need(catalogue, "catalogue");
    capi::need(name, "name");
    const assay::Format* found = assay::find_format(name);
    if (found == nullptr) {
      throw assay::Error{"There is no format '" + assay::excerpt(name) + "'; there are " + assay::format_names() + "."};
    }
    *format = new assay_format{*found};
  });
}

assay_status assay_format_of(const assay_unit* unit, assay_operand operand, assay_format** format,
                             assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(format, "format");
    *format = nullptr;
    capi::need(unit, "unit");
    const assay::Format* found = capi::format_of(*unit, operand);
    if (found == nullptr) throw capi::bad_argument("This unit has no such operand.");
    *format = new assay_format{*found};
  });
}

assay_status assay_format_of_more(const assay_unit* unit, size_t index, assay_format** format, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(format, "format");
    *format = nullptr;
    capi::need(unit, "unit");
    const assay::CaseOperand* found = capi::more_of(unit, index);
    if (found == nullptr)
      throw capi::bad_argument("This unit has " + std::to_string(assay_unit_more(unit)) +
                               " such operands; there is no number " + std::to_string(index) + ", counted from 0.");
    *format = new assay_format{found->format};
  });
}

void assay_format_close(assay_format* format) { delete format; }

assay_status assay_format_facts(const assay_format* format, assay_text** facts, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(facts, "facts");
    *facts = nullptr;
    capi::need(format, "format");
    *facts = new assay_text{capi::facts_of(format->format).dump()};
  });
}

assay_status assay_format_decode(const assay_format* format, size_t count, assay_in codes, double* values,
                                 assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(format, "format");
    capi::need_doubles(format->format);
    const std::vector<assay::Code> loaded = capi::load({"codes", count, 1}, format->format, codes);
    if (count != 0) capi::need(values, "values");
    for (size_t i = 0; i < count; ++i) {
      capi::need_double(loaded[i], i, format->format);
      values[i] = value_of(loaded[i], format->format);
    }
  });
}

assay_status assay_format_encode(const assay_format* format, size_t count, const double* values, assay_out codes,
                                 assay_encoded* tally, assay_message* message) {
  return capi::guarded(message, [&] {
    capi::need(format, "format");
    capi::need_doubles(format->format);
    capi::check({"codes", count, 1}, format->format, codes);
    if (count != 0) capi::need(values, "values");
    assay_encoded counted{0, 0};
    std::vector<assay::Code> made(count);
    const capi::ByBits by_bits(format->format);
    for (size_t i = 0; i < count; ++i) {
      const std::optional<assay::Code> code = by_bits.code(values[i], counted);
      made[i] = code ? *code : capi::encoded(values[i], i, format->format, counted);
    }
    capi::store(made, format->format, codes.data);
    if (tally != nullptr) *tally = counted;
  });
}
