// The algorithms made of IEEE operations against this machine's own, over pseudo-random operands.
#include <gtest/gtest.h>

#include <cfenv>
#include <cmath>

#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

constexpr Code case_count = 4000;

// Where operands lie decides what is seen: products and sums that meet, underflow or overflow; or any code at all.
struct Range {
  const char* name;
  int a, b, c;  // the least exponent field of each; `any` draws every bit
  bool any;
};

std::ostream& operator<<(std::ostream& out, const Range& range) { return out << range.name; }

// A code whose exponent field is one of eight from `field` on. Half of the mantissas are short, so that results tie.
Code near(const Format& format, int field, Code random) {
  const Code mantissa_mask = (Code{1} << format.mantissa_bits) - 1;
  Code mantissa = random >> 8 & mantissa_mask;
  if ((random & 0x10) != 0) mantissa &= ~(mantissa_mask >> 3);
  const Code exponent = static_cast<Code>(field) + (random & 7);
  const Code sign = random >> 63 << (format.exponent_bits + format.mantissa_bits);
  return sign | exponent << format.mantissa_bits | mantissa;
}

Code drawn(const Format& format, int field, bool any, Code random) {
  if (!any) return near(format, field, random);
  return format.stored_bits == 64 ? random : random & ((Code{1} << format.stored_bits) - 1);
}

OracleOperands drawn_operands(const Instruction& i, const Range& range, Code number) {
  const auto k = static_cast<Code>(i.k);
  const Code first = number * (2 * k + 1);
  OracleOperands operands;
  for (Code index = 0; index < k; ++index) {
    operands.a.push_back(drawn(i.a, range.a, range.any, random_bits(first + index)));
    operands.b.push_back(drawn(i.b, range.b, range.any, random_bits(first + k + index)));
  }
  operands.c = drawn(i.c, range.c, range.any, random_bits(first + 2 * k));
  return operands;
}

// Which of several NaNs comes out of an operation is the processor's own choice.
#if defined(__x86_64__)
constexpr bool has_nans_of_x86 = true;
#else
constexpr bool has_nans_of_x86 = false;
#endif

// Runs every case of the range through the oracle and the host, and says how many results were plain numbers.
template <typename Host>
void compare(const Instruction& i, const Range& range, Host host) {
  for (Code number = 0; number < case_count; ++number) {
    const OracleOperands operands = drawn_operands(i, range, number);
    const OracleResult result = oracle(i, operands);
    const Code expected = host(i, operands);
    if (result.is_nan && !has_nans_of_x86 && decode(i.d, expected).kind == Kind::nan) continue;
    ASSERT_TRUE(agrees(i, result, expected)) << title(i) << ", " << range.name << ", case " << number
                                             << ": the oracle says " << result << ", the host " << std::hex << expected;
  }
}

float float_of(const Format& format, Code code) {
  const Datum x = decode(format, code);
  if (x.kind == Kind::nan) return std::nanf("");
  if (x.kind == Kind::infinity) return x.negative ? -INFINITY : INFINITY;
  const double value = std::ldexp(x.value.significand.get_d(), static_cast<int>(x.value.exponent));
  return static_cast<float>(x.negative && value == 0 ? -0.0 : value);
}

Code f64_chain(const Instruction&, const OracleOperands& o) {
  double d = as_double(o.c);
  for (std::size_t i = 0; i < o.a.size(); ++i) d = std::fma(as_double(o.a[i]), as_double(o.b[i]), d);
  return f64(d);
}

Code f32_chain(const Instruction&, const OracleOperands& o) {
  float d = as_float(o.c);
  for (std::size_t i = 0; i < o.a.size(); ++i) d = std::fmaf(as_float(o.a[i]), as_float(o.b[i]), d);
  return f32(d);
}

constexpr float least_normal = 0x1p-126F;

float flushed(float x) { return std::fabs(x) < least_normal ? std::copysign(0.0F, x) : x; }

// Operands: what is subnormal in its own format becomes +0.
float positive_zero(const Format& format, Code code) {
  return is_subnormal(format, decode(format, code)) ? 0.0F : float_of(format, code);
}

float tree(const std::vector<float>& x, std::size_t first, std::size_t count) {
  if (count == 1) return x[first];
  return flushed(tree(x, first, count / 2) + tree(x, first + count / 2, count / 2));
}

Code grouped(const Instruction& i, const OracleOperands& o) {
  std::vector<float> products;
  for (std::size_t k = 0; k < o.a.size(); ++k) {
    products.push_back(flushed(positive_zero(i.a, o.a[k]) * positive_zero(i.b, o.b[k])));
  }
  float d = positive_zero(i.c, o.c);
  const auto group = static_cast<std::size_t>(i.terms_per_step);
  for (std::size_t first = 0; first < products.size(); first += group) d = flushed(d + tree(products, first, group));
  return f32(d);
}

float own_zero(const Format& format, Code code) {
  const Datum x = decode(format, code);
  return is_subnormal(format, x) ? (x.negative ? -0.0F : 0.0F) : float_of(format, code);
}

// Tiny as if the exponent were unbounded: seen by the same operation 2^64 times larger, where nothing underflows.
float fma_flushing(float a, float b, float c) {
  const float result = std::fmaf(a, b, c);
  if (std::fabs(result) > 2 * least_normal || std::isnan(result)) return result;
  const float larger = std::fmaf(a * 0x1p32F, b * 0x1p32F, c * 0x1p64F);
  return larger != 0 && std::fabs(larger) < least_normal * 0x1p64F ? std::copysign(0.0F, larger) : result;
}

float read_f16_or_bf16(const Format& format, Code code) {
  return format.name == "f16" ? float_of(format, code) : own_zero(format, code);
}

Code tile(const Instruction& i, const OracleOperands& o) {
  float t[2] = {0, 0};
  for (std::size_t k = 0; k < o.a.size(); ++k) {
    t[k % 2] = fma_flushing(read_f16_or_bf16(i.a, o.a[k]), read_f16_or_bf16(i.b, o.b[k]), t[k % 2]);
  }
  return f32(fma_flushing(1, own_zero(i.c, o.c), fma_flushing(1, t[0], t[1])));
}

Code lane(const Instruction& i, const OracleOperands& o) {
  const float odd = fma_flushing(own_zero(i.a, o.a[1]), own_zero(i.b, o.b[1]), own_zero(i.c, o.c));
  return f32(fma_flushing(own_zero(i.a, o.a[0]), own_zero(i.b, o.b[0]), odd));
}

using F64 = testing::TestWithParam<Range>;

TEST_P(F64, FmaChainIsTheHosts) { compare(row("hopper", "mma.m16n8k16.f64.f64.f64.f64"), GetParam(), f64_chain); }

INSTANTIATE_TEST_SUITE_P(Ranges, F64,
                         testing::Values(Range{"Near1", 1020, 1020, 1020, false}, Range{"Least", 0, 1020, 0, false},
                                         Range{"Below", 500, 490, 0, false}, Range{"Greatest", 1530, 1530, 2038, false},
                                         Range{"Any", 0, 0, 0, true}),
                         [](const auto& info) { return std::string(info.param.name); });

// This machine's direction for as long as this lives.
class HostRounds {
 public:
  explicit HostRounds(int direction) { std::fesetround(direction); }
  ~HostRounds() { std::fesetround(FE_TONEAREST); }
  HostRounds(const HostRounds&) = delete;
  HostRounds& operator=(const HostRounds&) = delete;
};

template <int direction>
Code f64_chain_directed(const Instruction& i, const OracleOperands& o) {
  const HostRounds so(direction);
  const volatile Code d = f64_chain(i, o);  // before the direction changes back
  return d;
}

TEST_P(F64, FmaChainIsTheHostsInEveryDirection) {
  for (const char* name : {"hopper mma.m16n8k16.", "ampere mma.m8n8k4."}) {
    const std::string text = name, architecture = text.substr(0, 6), start = text.substr(7), end = ".f64.f64.f64.f64";
    compare(row(architecture, start + "rz" + end), GetParam(), f64_chain_directed<FE_TOWARDZERO>);
    compare(row(architecture, start + "rm" + end), GetParam(), f64_chain_directed<FE_DOWNWARD>);
    compare(row(architecture, start + "rp" + end), GetParam(), f64_chain_directed<FE_UPWARD>);
  }
}

using F32 = testing::TestWithParam<Range>;

TEST_P(F32, FmaChainIsTheHosts) { compare(row("cdna3", "v_mfma_f32_16x16x4_f32"), GetParam(), f32_chain); }

INSTANTIATE_TEST_SUITE_P(Ranges, F32,
                         testing::Values(Range{"Near1", 124, 124, 124, false}, Range{"Least", 0, 124, 0, false},
                                         Range{"Below", 60, 50, 0, false}, Range{"Greatest", 186, 186, 246, false},
                                         Range{"Any", 0, 0, 0, true}),
                         [](const auto& info) { return std::string(info.param.name); });

using Bf16 = testing::TestWithParam<Range>;

TEST_P(Bf16, GroupsOfFourAreTheHosts) { compare(row("cdna2", "v_mfma_f32_16x16x16bf16_1k"), GetParam(), grouped); }
TEST_P(Bf16, GroupsOfTwoAreTheHosts) { compare(row("cdna2", "v_mfma_f32_16x16x8bf16"), GetParam(), grouped); }
TEST_P(Bf16, TwoChainsAreTheHosts) { compare(row("x86", "tdpbf16ps"), GetParam(), tile); }
TEST_P(Bf16, OddThenEvenIsTheHosts) { compare(row("x86", "vdpbf16ps"), GetParam(), lane); }

INSTANTIATE_TEST_SUITE_P(Ranges, Bf16,
                         testing::Values(Range{"Near1", 124, 124, 124, false}, Range{"Least", 0, 124, 0, false},
                                         Range{"Below", 60, 60, 0, false}, Range{"Lowest", 60, 50, 0, false},
                                         Range{"Greatest", 186, 186, 246, false}, Range{"Any", 0, 0, 0, true}),
                         [](const auto& info) { return std::string(info.param.name); });

using F16 = testing::TestWithParam<Range>;

TEST_P(F16, GroupsOfFourAreTheHosts) { compare(row("cdna2", "v_mfma_f32_16x16x16f16"), GetParam(), grouped); }
TEST_P(F16, TwoChainsAreTheHosts) { compare(row("x86", "tdpfp16ps"), GetParam(), tile); }

INSTANTIATE_TEST_SUITE_P(Ranges, F16,
                         testing::Values(Range{"Near1", 12, 12, 124, false}, Range{"Least", 0, 12, 110, false},
                                         Range{"Greatest", 23, 23, 150, false}, Range{"Any", 0, 0, 0, true}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace assay::exact
