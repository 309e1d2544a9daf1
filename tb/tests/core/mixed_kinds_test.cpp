// Integers and floats in one datapath, held to numbers worked out by hand and to the machine's own arithmetic where
// that is exact; and results that say what a format cannot hold becomes.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "model/core/dot.hpp"
#include "model/core/plan.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

Result to(const std::string& format, Cut cut = Cut::nearest_even, Overflow overflow = Overflow::infinity) {
  Result r;
  r.format = format;
  r.cut = cut;
  r.overflow = overflow;
  return r;
}

Adder adder(const std::string& name, const std::vector<std::string>& sources, const std::vector<Result>& results) {
  Adder a;
  a.name = name;
  for (const std::string& source : sources) {
    Input input;
    input.source = source;
    a.add.push_back(input);
  }
  a.results = results;
  return a;
}

Datapath one_sum(const Operands& operands, const Result& result) {
  Datapath w;
  w.name = "mixed";
  w.operands = operands;
  w.adders = {adder("sum", {"product", "acc"}, {result})};
  return w;
}

Result saturated(const std::string& format) {
  Result r = to(format, Cut::nearest_even, Overflow::largest);
  r.infinity = OfInfinity::largest;
  r.nan = OfNan::zero;
  return r;
}

std::string problems_of(const Datapath& w, int k = 1) {
  const auto made = plan(w, k);
  std::string text;
  if (const auto* problems = std::get_if<std::vector<Problem>>(&made)) {
    for (const Problem& p : *problems) text += p.message + "\n";
  }
  return text;
}

Plan planned(const Datapath& w, int k) {
  auto made = plan(w, k);
  if (auto* good = std::get_if<Plan>(&made)) return std::move(*good);
  throw std::runtime_error(problems_of(w, k));
}

Code run(const Plan& p, const std::vector<Code>& a, const std::vector<Code>& b, Code c) {
  Registers registers;
  return dot(p, {a.data(), b.data(), c, nullptr, nullptr}, registers);
}

Code bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Any finite f16, and its value.
struct Half {
  Code code = 0;
  double value = 0;
};
Half half(std::mt19937& random) {
  const Code code = random() % 0x7c00;
  const bool negative = random() % 2 == 0;
  const int field = static_cast<int>(code >> 10);
  const double mantissa = static_cast<double>(code & 0x3ff);
  const double value = field == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, field - 25);
  return {code | (negative ? 0x8000U : 0U), negative ? -value : value};
}

TEST(MixedKinds, AProductOfF16AndI8IsExact) {
  const Plan p = planned(one_sum({"f16", "i8", "f32", "f32", "", 0}, to("d")), 2);
  // (1 + 2^-10) x 127 + 0.5 x -128 = 127.1240234375 - 64
  EXPECT_EQ(run(p, {0x3c01, 0x3800}, {0x7f, 0x80}, 0), 0x427c7f00U);
  // the least subnormal of f16 x -128 = -2^-17
  EXPECT_EQ(run(p, {0x0001, 0x0000}, {0x80, 0x7f}, 0), 0xb7000000U);
  // an infinite weight there is none; an infinite activation times zero is NaN, times -1 infinite
  EXPECT_EQ(run(p, {0x7c00, 0x0000}, {0xff, 0x00}, 0), 0xff800000U);
  EXPECT_EQ(run(p, {0x7c00, 0x0000}, {0x00, 0x00}, 0), 0x7fc00000U);
}

TEST(MixedKinds, SumsOfF16AndI8AreRoundedOnce) {
  constexpr int k = 4;
  const Plan p = planned(one_sum({"f16", "i8", "f32", "f32", "", 0}, to("d")), k);
  std::mt19937 random(1);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Code> a, b;
    double sum = 0;  // of less than 53 bits
    for (int x = 0; x < k; ++x) {
      const Half h = half(random);
      const int weight = static_cast<int>(random() % 256) - 128;
      a.push_back(h.code);
      b.push_back(static_cast<Code>(weight & 0xff));
      sum += h.value * weight;
    }
    if (sum == 0) continue;
    ASSERT_EQ(run(p, a, b, 0), bits_of(static_cast<float>(sum))) << i;
  }
}

TEST(MixedKinds, Bf16TimesI8AddsToF32) {
  const Plan p = planned(one_sum({"bf16", "i8", "f32", "f32", "", 0}, to("d")), 1);
  // 1.0078125 x 100 + 2^24 = 16777316.78125, a tie of nothing: f32 has even numbers there
  EXPECT_EQ(run(p, {0x3f81}, {0x64}, 0x4b800000), bits_of(16777316.0F));
  EXPECT_EQ(run(p, {0x3f81}, {0x9c}, 0x4b800000), bits_of(16777115.0F));
}

// What accumulates is i32; once, at the end, it is converted and c added.
TEST(MixedKinds, IntegerSumsAreConvertedOnce) {
  constexpr int k = 8;
  Datapath w = one_sum({"i8", "i8", "f32", "f32", "", 0}, to("i32", Cut::toward_zero, Overflow::wrap));
  w.start = Start::zero;
  w.adders = {adder("sum", {"product", "acc"}, {to("i32", Cut::toward_zero, Overflow::wrap)})};
  w.adders[0].window.exponent = WindowExponent::fixed;
  w.step.terms = 4;
  w.finish = {adder("late", {"lanes", "c"}, {to("d")})};
  const Plan p = planned(w, k);
  std::mt19937 random(2);
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Code> a, b;
    std::int64_t sum = 0;
    for (int x = 0; x < k; ++x) {
      const int f = static_cast<int>(random() % 256) - 128, g = static_cast<int>(random() % 256) - 128;
      a.push_back(static_cast<Code>(f & 0xff));
      b.push_back(static_cast<Code>(g & 0xff));
      sum += f * g;
    }
    const float c = std::ldexp(static_cast<float>(static_cast<int>(random() % 16777216) - 8388608),
                               static_cast<int>(random() % 30) - 15);
    const double exact = static_cast<double>(sum) + static_cast<double>(c);
    if (exact == 0) continue;
    ASSERT_EQ(run(p, a, b, bits_of(c)), bits_of(static_cast<float>(exact))) << sum << " + " << c;
  }
}

TEST(MixedKinds, FloatSumsBecomeI8) {
  constexpr int k = 4;
  const Plan p = planned(one_sum({"f16", "f16", "f32", "i8", "", 0}, saturated("d")), k);
  std::mt19937 random(3);
  int ends = 0, inside = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::vector<Code> a, b(k, 0x3c00);
    double sum = 0;
    for (int x = 0; x < k; ++x) {
      const Half h = half(random);
      a.push_back(h.code);
      sum += h.value;
    }
    const double rounded = std::fmin(std::fmax(std::nearbyint(sum), -128), 127);
    ++(rounded == 127 || rounded == -128 ? ends : inside);
    ASSERT_EQ(run(p, a, b, 0), static_cast<Code>(static_cast<int>(rounded) & 0xff)) << sum;
  }
  EXPECT_GT(ends, 1000);
  EXPECT_GT(inside, 1000);
  EXPECT_EQ(run(p, {0x7c00, 0, 0, 0}, {0x3c00, 0, 0, 0}, 0), 0x7fU);
  EXPECT_EQ(run(p, {0xfc00, 0, 0, 0}, {0x3c00, 0, 0, 0}, 0), 0x80U);
  EXPECT_EQ(run(p, {0x7c00, 0xfc00, 0, 0}, {0x3c00, 0x3c00, 0, 0}, 0), 0x00U);
}

// Numbers of any size come to an integer: what is wrapped has 2^bits taken off, what saturates stays at its end.
TEST(MixedKinds, HugeNumbersMeetTheirEnd) {
  Result wraps = saturated("d");
  wraps.overflow = Overflow::wrap;
  Datapath w = one_sum({"f32", "e2m3", "i32", "i32", "", 0}, saturated("d"));
  EXPECT_EQ(run(planned(w, 1), {0x7f7fffff}, {0x08}, 0), 0x7fffffffU);
  EXPECT_EQ(run(planned(w, 1), {0xff7fffff}, {0x08}, 0x7fffffff), 0x80000000U);
  EXPECT_EQ(run(planned(w, 1), {0x00000001}, {0x08}, 0x00000005), 0x00000005U);
  EXPECT_EQ(
      problems_of(one_sum(w.operands, wraps)),
      "The sum of sum may reach 2^162, and `overflow: wrap` needs its low bits: say `overflow: largest`, or give its "
      "inputs a `keep`.\n");
  Datapath narrow = one_sum({"f16", "e2m3", "i32", "i8", "", 0}, wraps);
  EXPECT_EQ(run(planned(narrow, 1), {0x7bff}, {0x08}, 0x000001ff), 0xdfU);  // 65504 + 511 = 257 x 256 + 223
  EXPECT_EQ(run(planned(narrow, 1), {0xfbff}, {0x08}, 0x000001ff), 0x1fU);  // -64993 = -254 x 256 + 31
}

TEST(ResultWords, UnsignedFormatsHoldWhatIsNotNegative) {
  Result r = to("d", Cut::nearest_even, Overflow::largest);
  const auto d_of = [&](Code a) {
    return run(planned(one_sum({"e4m3", "e4m3", "e4m3", "ue4m3", "", 0}, r), 1), {a}, {0x38}, 0);
  };
  EXPECT_EQ(d_of(0x7e), 0x7eU);
  EXPECT_EQ(d_of(0xb8), 0x00U);
  r.negative = OfNegative::nan;
  EXPECT_EQ(d_of(0xb8), 0x7fU);
  EXPECT_EQ(d_of(0x80), 0x00U);
  r.negative = OfNegative::directed;
  EXPECT_EQ(d_of(0xb8), 0x7fU);
  r.cut = Cut::up;
  EXPECT_EQ(d_of(0xb8), 0x00U);
}

// Report 4.0 of P3109, its SatNone, of a format with infinities and an odd greatest number.
TEST(ResultWords, DirectedIsTheRuleOfEveryDirection) {
  const auto d_of = [](Cut cut, Code a) {
    return run(planned(one_sum({"f32", "f32", "f32", "f16", "", 0}, to("d", cut, Overflow::directed)), 1), {a},
               {0x3f800000}, 0);
  };
  const Code large = 0x47800000, minus = 0xc7800000;  // 65536
  EXPECT_EQ(d_of(Cut::toward_zero, large), 0x7bffU);
  EXPECT_EQ(d_of(Cut::toward_zero, minus), 0xfbffU);
  EXPECT_EQ(d_of(Cut::down, large), 0x7bffU);
  EXPECT_EQ(d_of(Cut::down, minus), 0xfc00U);
  EXPECT_EQ(d_of(Cut::up, large), 0x7c00U);
  EXPECT_EQ(d_of(Cut::up, minus), 0xfbffU);
  EXPECT_EQ(d_of(Cut::nearest_even, large), 0x7c00U);
  EXPECT_EQ(d_of(Cut::nearest_away, minus), 0xfc00U);
  EXPECT_EQ(d_of(Cut::to_odd, large), 0x7bffU);
  EXPECT_EQ(d_of(Cut::nearest_even, 0x477fefff), 0x7bffU);  // 65519.996: below the tie
  EXPECT_EQ(d_of(Cut::nearest_even, 0x477ff000), 0x7c00U);  // 65520: the tie, and the even one is too large
}

// --- messages ---

std::vector<std::string> offered(const std::string& text, const std::string& key) {
  std::vector<std::string> found;
  const std::string head = "`" + key + ": ";
  for (std::size_t at = text.find(head); at != std::string::npos; at = text.find(head, at + 1)) {
    const std::size_t from = at + head.size();
    found.push_back(text.substr(from, text.find('`', from) - from));
  }
  return found;
}

// Every word that a message offers makes that message go away, and with one of each kind the file is legal; where
// nothing is offered it is so already.
TEST(ResultWords, AreOfferedWhereTheyMakeTheFileLegal) {
  int refused = 0;
  for (const char* d : {"f32", "e5m2", "e4m3", "e4m3fnuz", "e2m1", "e2m3", "ue4m3", "i8", "u8", "i32"}) {
    for (const char* a : {"f16", "e4m3", "e2m1", "i8", "e5m2fnuz"}) {
      for (const char* c : {"f32", "e2m1", "i32"}) {
        Result r = to("d", Cut::nearest_even, Overflow::largest);
        const Operands operands{a, a, c, d, "", 0};
        const std::string told = problems_of(one_sum(operands, r));
        const std::vector<std::string> infinities = offered(told, "infinity"), nans = offered(told, "nan");
        refused += told.empty() ? 0 : 1;
        EXPECT_EQ(told.empty(), infinities.empty() && nans.empty()) << told;
        std::vector<OfInfinity> of_infinity{OfInfinity::keep};
        std::vector<OfNan> of_nan{OfNan::keep};
        if (!infinities.empty()) of_infinity.clear();
        for (const std::string& word : infinities) {
          ASSERT_TRUE(word == "largest" || word == "nan") << told;
          of_infinity.push_back(word == "largest" ? OfInfinity::largest : OfInfinity::nan);
        }
        bool code = false;
        if (!nans.empty()) of_nan.clear();
        for (const std::string& word : nans) {
          if (word == "0") {
            code = true;
          } else if (word != "zero" && word != "largest") {
            EXPECT_EQ(std::string(word), "nan");  // of `infinity: nan`
          } else {
            of_nan.push_back(word == "zero" ? OfNan::zero : OfNan::largest);
          }
        }
        for (const OfInfinity i : of_infinity) {
          for (const OfNan n : of_nan) {
            r.infinity = i;
            r.nan = n;
            EXPECT_EQ(problems_of(one_sum(operands, r)), "") << d << " of " << a << " and " << c;
          }
          if (!code) continue;
          r.nan = OfNan::keep;
          Datapath w = one_sum(operands, r);
          w.nan = Nan{false, 0};
          EXPECT_EQ(problems_of(w), "") << d << " of " << a << " and " << c;
        }
      }
    }
  }
  EXPECT_GT(refused, 40);
}

TEST(ResultWords, AreKnownToThoseWhoCannotDoThem) {
  const Operands floats{"f16", "f16", "f32", "f32", "", 0};
  EXPECT_TRUE(is_plain(planned(one_sum(floats, to("d")), 1)));
  EXPECT_TRUE(is_plain(planned(one_sum(floats, to("d", Cut::down, Overflow::largest)), 1)));
  EXPECT_FALSE(is_plain(planned(one_sum(floats, to("d", Cut::down, Overflow::directed)), 1)));
  Datapath signed_nan = one_sum(floats, to("d"));
  signed_nan.nan = Nan{false, 0, true};
  EXPECT_FALSE(is_plain(planned(signed_nan, 1)));
  for (std::string Operands::*side : {&Operands::a, &Operands::b, &Operands::c}) {
    Operands mixed = floats;
    mixed.*side = "i8";
    EXPECT_TRUE(mixes_kinds(planned(one_sum(mixed, to("d")), 1)));
  }
  Datapath inner = one_sum(floats, to("d"));
  inner.adders[0].results.insert(inner.adders[0].results.begin(), to("i32", Cut::down, Overflow::largest));
  EXPECT_TRUE(mixes_kinds(planned(inner, 1)));
}

}  // namespace
}  // namespace assay
