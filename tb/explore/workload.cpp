#include "tb/explore/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tb/explore/real.hpp"

namespace assay {
namespace {

double greatest_magnitude(const double* values, int count) {
  double greatest = 0;
  for (int i = 0; i < count; ++i) greatest = std::max(greatest, std::fabs(values[i]));
  return greatest;
}

double greatest_of(const Format& format) {
  if (format.is_integer())
    return std::ldexp(std::ldexp(1.0, format.stored_bits - (format.has_sign ? 1 : 0)) - 1, format.last_place());
  return value_of(format.stored(format.greatest_finite()), format);
}

// The scale of a block that brings the magnitude `greatest` to `target`: its code, never zero.
Code scale_code(double greatest, double target, const Format& scale, double tensor_scale) {
  if (scale.mantissa_bits == 0) {
    const int wanted = greatest == 0 ? 0 : number_of(greatest).exponent - number_of(target).exponent;
    return scale.stored(static_cast<Code>(std::clamp(wanted + scale.bias, 0, scale.greatest_exponent_field())));
  }
  const Code code = saturated_quotient(greatest, number_of(target * tensor_scale), scale);
  return value_of(code, scale) == 0 ? scale.stored(1) : code;
}

// What an element of a block is divided by: exact, since an f32 times a scale has at most 28 bits.
Number divisor_of(Code code, const Format& scale, double tensor_scale) {
  return number_of(value_of(code, scale) * tensor_scale);
}

// What scales bring the greatest magnitude to.
double target_of(const Format& element, const OperandFormats& formats) {
  return formats.greatest.value_or(greatest_of(element));
}

struct SideOfProduct {
  CodeMatrix codes, scales;
  double whole = 1;  // the tensor's scale
};

// An f32, so that its product with a scale is exact in a double. Scales with the exponents of an f32 reach as far by
// themselves.
double tensor_scale_of(const std::vector<double>& values, const Format& element, const OperandFormats& formats) {
  if (!formats.tensor_scale || (formats.scale && formats.scale->exponent_bits >= 8)) return 1;
  const double greatest = greatest_magnitude(values.data(), static_cast<int>(values.size()));
  const Format& f32 = *find_format("f32");
  const Number divisor = number_of(target_of(element, formats) * (formats.scale ? greatest_of(*formats.scale) : 1));
  const double scale = greatest == 0 ? 0 : value_of(saturated_quotient(greatest, divisor, f32), f32);
  return scale == 0 ? 1 : scale;
}

SideOfProduct scaled_side(const std::vector<double>& values, int rows, int k, const Format& element,
                          const OperandFormats& formats) {
  const Format& scale = *formats.scale;
  const int blocks = k / formats.scale_block;
  const double whole = tensor_scale_of(values, element, formats);
  SideOfProduct side{CodeMatrix(rows, k, element), CodeMatrix(rows, blocks, scale), whole};
  for (int i = 0; i < rows; ++i) {
    for (int block = 0; block < blocks; ++block) {
      const int first = block * formats.scale_block;
      const double* const from = values.data() + static_cast<std::ptrdiff_t>(i) * k + first;
      const Code code =
          scale_code(greatest_magnitude(from, formats.scale_block), target_of(element, formats), scale, whole);
      side.scales.out().set(i, block, code);
      const Number divisor = divisor_of(code, scale, whole);
      for (int j = 0; j < formats.scale_block; ++j)
        side.codes.out().set(i, first + j, saturated_quotient(from[j], divisor, element));
    }
  }
  return side;
}

CodeMatrix rounded(const std::vector<double>& values, int rows, int columns, const Format& format) {
  CodeMatrix matrix(rows, columns, format);
  const MatrixOut out = matrix.out();
  for (int i = 0; i < rows; ++i) {
    const double* const row = values.data() + static_cast<std::ptrdiff_t>(i) * columns;
    for (int j = 0; j < columns; ++j) out.set(i, j, saturated(number_of(row[j]), format));
  }
  return matrix;
}

CodeMatrix ones(int rows, int columns, const Format& format) {
  return rounded(std::vector<double>(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns), 1.0), rows,
                 columns, format);
}

// Of a side that has no scales, beside one that has: where the unit multiplies by some, they are 1.
SideOfProduct unscaled_side(const std::vector<double>& values, int rows, int k, const Format& element,
                            const OperandFormats& formats) {
  SideOfProduct side{rounded(values, rows, k, element), {}, 1};
  if (formats.scale) side.scales = ones(rows, k / formats.scale_block, *formats.scale);
  return side;
}

SideOfProduct side_of(const std::vector<double>& values, int rows, int k, const Format& element,
                      const OperandFormats& formats, Side which) {
  if (!formats.scales(which)) return unscaled_side(values, rows, k, element, formats);
  if (formats.scale) return scaled_side(values, rows, k, element, formats);
  const double whole = tensor_scale_of(values, element, formats);
  if (whole == 1) return {rounded(values, rows, k, element), {}, 1};
  SideOfProduct side{CodeMatrix(rows, k, element), {}, whole};
  const Number divisor = number_of(whole);
  for (int i = 0; i < rows; ++i) {
    const double* const row = values.data() + static_cast<std::ptrdiff_t>(i) * k;
    for (int j = 0; j < k; ++j) side.codes.out().set(i, j, saturated_quotient(row[j], divisor, element));
  }
  return side;
}

// The format of scales that a promotion multiplies by.
Format promotion_scale(const Plan& plan, const std::string& name) {
  const Format* format = find_format(name);
  for (const Format& own : plan.datapath.formats) {
    if (own.name == name) format = &own;
  }
  if (format == nullptr) throw Error{"`scaling` names the format '" + name + "', which is no format."};
  if (format->is_integer() || format->mantissa_bits > 23 || format->exponent_bits > 8)
    throw Error{"`scaling` names the format " + name +
                ", and a promotion multiplies in f32, which does not hold every such scale: take f32, ue8m0 or "
                "another format within f32."};
  return *format;
}

// Own formats of two points may have one name.
std::string key_of(const Format& f) {
  std::string key = f.name;
  for (const int part :
       {static_cast<int>(f.kind), f.stored_bits, static_cast<int>(f.has_sign), f.exponent_bits, f.mantissa_bits, f.bias,
        static_cast<int>(f.has_infinity), static_cast<int>(f.infinity_codes), static_cast<int>(f.nan),
        static_cast<int>(f.has_zero), f.ignored_low_bits, f.fraction_bits, static_cast<int>(f.ties)})
    key += "," + std::to_string(part);
  for (const auto& [name, value] : f.parameters) key += "," + name + "=" + value;
  for (const std::string& value : f.listed) key += "," + value;
  return key + ";";
}

std::string key_of(const std::optional<Side>& side) { return side ? ";of " + std::string(word(*side)) : ""; }

std::string key_of(const std::optional<double>& greatest) { return greatest ? fmt::format(";to {:a}", *greatest) : ""; }

}  // namespace

std::string OperandFormats::key() const {
  return key_of(a) + key_of(b) + key_of(c) + (scale ? key_of(*scale) + std::to_string(scale_block) : "") +
         (tensor_scale ? ";tensor" : "") + key_of(scaled) + key_of(greatest);
}

OperandFormats operand_formats(const Plan& plan, const Scaling& scaling) {
  OperandFormats formats{plan.a,           plan.b,         plan.c,     plan.scale,
                         plan.scale_block, scaling.tensor, scaling.of, scaling.greatest};
  if (scaling.at_promotion()) {
    formats.scale = promotion_scale(plan, scaling.format);
    formats.scale_block = scaling.block;
  }
  return formats;
}

Workload workload_of(const Reals& reals, const OperandFormats& formats) {
  const auto [m, n, k] = reals.shape;
  SideOfProduct a = side_of(reals.a, m, k, formats.a, formats, Side::a),
                b = side_of(reals.b, n, k, formats.b, formats, Side::b);
  Workload w;
  w.shape = reals.shape;
  w.c = rounded(reals.c, m, n, formats.c);
  w.a = std::move(a.codes);
  w.scale_a = std::move(a.scales);
  w.b = std::move(b.codes);
  w.scale_b = std::move(b.scales);
  w.tensor_scale = a.whole * b.whole;
  return w;
}

}  // namespace assay
