// Formats as IEEE 754 has them are read by their fields: every code of 16 bits, and of wider ones those at the edges of
// each field and many others, is what core decodes.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/core/decode.hpp"
#include "model/fast/doubles.hpp"

namespace assay {
namespace {

double value_by_core(const Number& n) {
  const double magnitude =
      n.is_finite() ? std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n.magnitude)), n.quantum) : HUGE_VAL;
  return n.negative ? -magnitude : magnitude;
}

void expect_as_core(const DoubleDecoder& decoder, const OperandCodes& codes, Code code) {
  const Number core = decode(code, codes.format, codes.subnormals, Specials::step);
  const DoubleDecoder::Number read = decoder(code);
  ASSERT_EQ(read.finite, core.is_finite()) << codes.format.name << " " << code;
  ASSERT_EQ(std::isnan(read.value), core.cls == Class::nan) << codes.format.name << " " << code;
  if (core.cls == Class::nan) return;
  ASSERT_EQ(read.value, value_by_core(core)) << codes.format.name << " " << code;
  ASSERT_EQ(std::signbit(read.value), core.negative) << codes.format.name << " " << code;
  ASSERT_EQ(read.exponent, core.has_exponent() ? core.exponent : DoubleDecoder::none)
      << codes.format.name << " " << code;
}

std::vector<Code> codes_to_try(const Format& f) {
  std::vector<Code> codes;
  if (f.stored_bits <= 16) {
    for (Code code = 0; code < Code{1} << f.stored_bits; ++code) codes.push_back(code);
    return codes;
  }
  const Code all = f.stored_bits == 64 ? ~Code{0} : (Code{1} << f.stored_bits) - 1;
  for (int bit = 0; bit < f.stored_bits; ++bit) {
    for (const Code edge : {Code{1} << bit, (Code{1} << bit) - 1, (Code{1} << bit) + 1}) {
      for (const Code code : {edge, all ^ edge, edge | f.stored(f.sign_bit()), f.stored(f.infinity()) ^ edge})
        codes.push_back(code & all);
    }
  }
  std::mt19937_64 draw(1);
  for (int i = 0; i < 10'000; ++i) codes.push_back(draw() & all);
  return codes;
}

TEST(FastDecoder, ReadsEachCodeAsCoreDoes) {
  for (const char* name : {"f16", "bf16", "e5m2", "tf32", "f32", "f64"}) {
    ASSERT_NE(find_format(name), nullptr) << name;
    const Format& format = *find_format(name);
    for (const Subnormals subnormals : {Subnormals::keep, Subnormals::zero, Subnormals::signed_zero}) {
      const OperandCodes codes{format, subnormals};
      const DoubleDecoder decoder(codes);
      for (const Code code : codes_to_try(format)) expect_as_core(decoder, codes, code);
    }
  }
}

}  // namespace
}  // namespace assay
