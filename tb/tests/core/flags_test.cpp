// Flags beside d: those of this processor's own multiply-add, which raises the ones of IEEE 754, and the worked cases
// of the words that no processor has.
#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <map>
#include <random>

#include "model/core/dot.hpp"
#include "tb/tests/core/datapaths.hpp"

namespace assay {
namespace {

using test::input;
using test::to_format;

unsigned raised(const Plan& plan, Code a, Code b, Code c, Code* d = nullptr) {
  Registers registers;
  Trace trace(plan);
  const Code result = dot(plan, {&a, &b, c}, registers, &trace);
  if (d != nullptr) *d = result;
  unsigned bits = 0;
  for (std::size_t i = 0; i < flag_names.size(); ++i) {
    const int place = plan.find_place("flags." + std::string(flag_names[i]));
    bits |= static_cast<unsigned>(trace.field(place, "raised")) << i;
  }
  return bits;
}

Plan planned(const Datapath& words) {
  auto made = plan(words, 1);
  if (const auto* problems = std::get_if<std::vector<Problem>>(&made))
    throw std::runtime_error(problems->front().message);
  return std::get<Plan>(std::move(made));
}

// d = a x b + c, rounded once, every operation by IEEE 754.
Datapath multiply_add(const std::string& format, Cut cut, const Flags& flags = {}) {
  Datapath w;
  w.name = "fma";
  w.operands = {format, format, format, format, "", 0};
  w.specials = Specials::operation;
  w.flags = flags;
  Adder sum = test::adder("sum", {input("product"), input("acc")}, {to_format("d", cut, Overflow::directed)});
  if (cut == Cut::nearest_even) sum.results.front().overflow = Overflow::infinity;
  sum.zero = ZeroSign::ieee;
  w.adders = {sum};
  return w;
}

// --- this processor ---

template <class Float>
struct Of;
template <>
struct Of<float> {
  using Bits = std::uint32_t;
  static constexpr const char* name = "f32";
  static constexpr int mantissa = 23, exponents = 256;
};
template <>
struct Of<double> {
  using Bits = std::uint64_t;
  static constexpr const char* name = "f64";
  static constexpr int mantissa = 52, exponents = 2048;
};

template <class Float>
Float as_float(Code code) {
  const auto bits = static_cast<typename Of<Float>::Bits>(code);
  Float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class Float>
Code as_code(Float value) {
  typename Of<Float>::Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

struct Found {
  Code d = 0;
  unsigned flags = 0;
};

template <class Float>
Found by_processor(Code a, Code b, Code c, int mode) {
  volatile Float x = as_float<Float>(a), y = as_float<Float>(b), z = as_float<Float>(c);
  std::fesetround(mode);
  std::feclearexcept(FE_ALL_EXCEPT);
  volatile Float d = std::fma(x, y, z);
  const int all = std::fetestexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  const auto bit = [&](int of, unsigned flag) { return (all & of) != 0 ? flag : 0U; };
  return {as_code<Float>(d), bit(FE_INVALID, raises::invalid) | bit(FE_OVERFLOW, raises::overflow) |
                                 bit(FE_UNDERFLOW, raises::underflow) | bit(FE_INEXACT, raises::inexact)};
}

// Exponents near each other, at the ends of the range, or any; few bits in a significand, or many.
template <class Float>
class Operands {
 public:
  Code code() {
    const int top = Of<Float>::exponents - 1;
    const std::array<int, 8> fields{0, 1, top, top - 1, top / 2, top / 2 + 1, 2, between(0, top)};
    const auto field = static_cast<Code>(fields[static_cast<std::size_t>(between(0, 7))]);
    Code mantissa = random_() & ((Code{1} << Of<Float>::mantissa) - 1);
    if (between(0, 2) == 0) mantissa &= mantissa << (Of<Float>::mantissa - 4);
    if (between(0, 3) == 0) mantissa = between(0, 1) == 0 ? 0 : (Code{1} << Of<Float>::mantissa) - 1;
    const Code sign = static_cast<Code>(between(0, 1)) << (8 * sizeof(Float) - 1);
    return sign | field << Of<Float>::mantissa | mantissa;
  }
  int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }

 private:
  std::mt19937_64 random_{1};
};

// IEEE 754 leaves open what zero times infinity plus a quiet NaN raises.
template <class Float>
bool is_left_open(Code a, Code b, Code c) {
  const Float x = as_float<Float>(a), y = as_float<Float>(b);
  const bool invalid_product = (x == 0 && std::isinf(y)) || (std::isinf(x) && y == 0);
  return invalid_product && std::isnan(as_float<Float>(c));
}

template <class Float>
void expect_as_processor() {
  const std::map<int, Cut> modes{{FE_TONEAREST, Cut::nearest_even},
                                 {FE_TOWARDZERO, Cut::toward_zero},
                                 {FE_DOWNWARD, Cut::down},
                                 {FE_UPWARD, Cut::up}};
  for (const auto& [mode, cut] : modes) {
    const Plan plan = planned(multiply_add(Of<Float>::name, cut));
    Operands<Float> operands;
    std::map<unsigned, int> seen;
    for (int i = 0; i < 50'000; ++i) {
      const Code a = operands.code(), b = operands.code(), c = operands.code();
      if (is_left_open<Float>(a, b, c)) continue;
      const Found right = by_processor<Float>(a, b, c, mode);
      Code d = 0;
      const unsigned found = raised(plan, a, b, c, &d);
      ASSERT_EQ(found, right.flags) << std::hex << a << " " << b << " " << c << " " << right.d << ", mode " << mode;
      if (!std::isnan(as_float<Float>(right.d))) {
        ASSERT_EQ(d, right.d);
      }
      ++seen[found];
    }
    // Nothing; inexact; with overflow; with underflow; invalid.
    for (const unsigned flags : {0U, 8U, 10U, 12U, 1U}) EXPECT_GT(seen[flags], 100) << flags << ", mode " << mode;
    EXPECT_EQ(seen.size(), 5u);
  }
}

TEST(Flags, AreThoseOfThisProcessor) {
#if defined(__x86_64__)
  expect_as_processor<float>();
  expect_as_processor<double>();
#else
  GTEST_SKIP() << "What a processor takes for tiny differs; x86 looks at it after rounding, as this test does.";
#endif
}

// --- worked ---

constexpr Code one = 0x3f800000;

// 2^-126 less a quarter of the last bit that a subnormal number has: 25 ones, 24 of which a normal number could hold.
TEST(Flags, TinyIsSeenBeforeOrAfterRoundingOrInTheResult) {
  const Code least = 0x00800000;  // 2^-126
  Datapath words = multiply_add("f32", Cut::nearest_even);
  words.operands.a = words.operands.b = "f64";
  const auto with = [&](Tiny tiny) {
    words.flags = Flags{FlagsOf::d, Invalid::made, tiny};
    return planned(words);
  };
  const Code minus_quarter = 0xb68ULL << 52, unit = 0x3ffULL << 52;  // -2^-151
  const unsigned tells = raises::underflow | raises::inexact;
  EXPECT_EQ(raised(with(Tiny::before), minus_quarter, unit, least), tells);
  EXPECT_EQ(raised(with(Tiny::after), minus_quarter, unit, least), raises::inexact);
  EXPECT_EQ(raised(with(Tiny::result), minus_quarter, unit, least), raises::inexact);
  // A half of that bit below: to 24 bits it is still below 2^-126.
  const Code minus_half = 0xb69ULL << 52;  // -2^-150
  EXPECT_EQ(raised(with(Tiny::after), minus_half, unit, least), tells);
  EXPECT_EQ(raised(with(Tiny::result), minus_half, unit, least), raises::inexact);
}

TEST(Flags, AnExactSubnormalRaisesNothing) {
  const Plan plan = planned(multiply_add("f32", Cut::nearest_even));
  EXPECT_EQ(raised(plan, one, 0x00000001, 0), 0u);
}

TEST(Flags, OfAllTellOfWhatWasLostOnTheWay) {
  Datapath words = multiply_add("f32", Cut::nearest_even);
  words.specials = Specials::step;
  for (Input& i : words.adders.front().add) i.keep = 24;
  const Code tiny = 0x2f800000;  // 2^-32 beside 1: shifted out of the window
  EXPECT_EQ(raised(planned(words), one, tiny, one), 0u);
  words.flags->of = FlagsOf::all;
  EXPECT_EQ(raised(planned(words), one, tiny, one), raises::inexact);
  EXPECT_EQ(raised(planned(words), one, one, one), 0u);
}

TEST(Flags, OfDLeaveOutTheRoundingOfProducts) {
  Datapath words = multiply_add("f16", Cut::nearest_even);
  words.product.round = to_format("f16", Cut::nearest_even);
  const Code large = 0x7bff, top = 0xfc00;
  EXPECT_EQ(raised(planned(words), large, large, 0x3c00), 0u);  // infinity + 1
  EXPECT_EQ(raised(planned(words), large, large, top), raises::invalid);
  words.flags->of = FlagsOf::all;
  EXPECT_EQ(raised(planned(words), large, large, 0x3c00), raises::overflow | raises::inexact);
  EXPECT_EQ(raised(planned(words), large, large, top), raises::invalid | raises::overflow | raises::inexact);
}

TEST(Flags, OfAStepThatIsDecidedNothingIsLost) {
  Datapath words = multiply_add("f32", Cut::nearest_even, {FlagsOf::all, Invalid::made, Tiny::after});
  words.specials = Specials::step;
  EXPECT_EQ(raised(planned(words), one, one, 0x7f800000), 0u);               // infinity
  EXPECT_EQ(raised(planned(words), one, 0x7fc00000, one), 0u);               // a quiet NaN
  EXPECT_EQ(raised(planned(words), one, 0x7f800001, one), raises::invalid);  // a signalling one
  words.flags->invalid = Invalid::nan;
  EXPECT_EQ(raised(planned(words), one, 0x7fc00000, one), raises::invalid);
}

TEST(Flags, SayThatAnIntegerIsTooLarge) {
  for (const Overflow overflow : {Overflow::wrap, Overflow::largest, Overflow::symmetric}) {
    Datapath words;
    words.name = "bytes";
    words.operands = {"i8", "i8", "i32", "i8", "", 0};
    words.specials = Specials::numbers;
    words.flags = Flags{};
    words.adders = {test::adder("sum", {input("product"), input("acc")}, {to_format("d", Cut::toward_zero, overflow)})};
    const Plan plan = planned(words);
    EXPECT_EQ(raised(plan, 100, 1, 27), 0u);
    EXPECT_EQ(raised(plan, 100, 1, 28), raises::overflow | raises::inexact);
  }
}

// Of a number that stands above all bits that the register of a sum has, too.
TEST(Flags, SayThatWhatWrapsIsTooLargeHoweverLarge) {
  Datapath words;
  words.name = "wrapping";
  words.operands = {"bf16", "bf16", "f64", "i32", "", 0};
  words.specials = Specials::operation;
  words.flags = Flags{};
  Result wrapped = to_format("d", Cut::toward_zero, Overflow::wrap);
  wrapped.infinity = OfInfinity::largest;
  wrapped.nan = OfNan::zero;
  words.adders = {test::adder("sum", {input("product", 53), input("acc", 53)}, {wrapped})};
  const Plan plan = planned(words);
  for (const double c : {0x1p31, 0x1p100, 0x1p127, 0x1p128, 0x1.8p192, -0x1p128, 0x1.fp1023}) {
    Code code = 0, d = 1;
    std::memcpy(&code, &c, sizeof c);
    EXPECT_EQ(raised(plan, 0, 0, code, &d) & raises::overflow, raises::overflow) << c;
    EXPECT_EQ(d, c == 0x1p31 ? Code{0x80000000} : Code{0}) << c;
  }
}

TEST(Flags, AreNoPlacesWhereTheDatapathSaysNothingOfThem) {
  Datapath words = multiply_add("f32", Cut::nearest_even);
  words.flags.reset();
  EXPECT_EQ(planned(words).find_place("flags.invalid"), -1);
}

}  // namespace
}  // namespace assay
