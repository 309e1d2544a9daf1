// Units whose cases bring scales of one side, levels of scales, zero points and random words, held to what plain C++
// arithmetic makes of the same values. Where that is floating point, every sum and product in it is exact.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_file.hpp"
#include "model/core/decode.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/equality/judged.hpp"

namespace assay {
namespace {

Plan plan_of_text(const std::string& text) {
  const auto unlike = [](const YamlValue& name) -> DatapathFile { throw Error{"No datapath is like " + name.text()}; };
  return plan_of(read_datapath(read_yaml_text(text, "own.yaml"), unlike));
}

// The message, or nothing where the file is right.
std::string message_of(const std::string& text) {
  try {
    plan_of_text(text);
  } catch (const Error& error) {
    return error.message;
  }
  return "";
}

Plan right_plan(const std::string& text) {
  const std::string wrong = message_of(text);
  if (!wrong.empty()) throw std::runtime_error(wrong);
  return plan_of_text(text);
}

double value_of(const Format& format, Code code) {
  const Number n = decode(code, format, Subnormals::keep, Specials::step);
  const double magnitude = std::ldexp(static_cast<double>(static_cast<std::uint64_t>(n.magnitude)), n.quantum);
  return n.negative ? -magnitude : magnitude;
}

float float_of(Code code) {
  const auto bits = static_cast<std::uint32_t>(code);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

Code code_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// A case and its numbers.
class Bench {
 public:
  Bench(const std::string& text, std::uint64_t number) : plan(right_plan(text)), draws_(1, number, Part::choice, 0) {
    one.a.resize(static_cast<std::size_t>(plan.k));
    one.b.resize(static_cast<std::size_t>(plan.k));
    one.more.resize(static_cast<std::size_t>(plan.more_codes()));
    one.scale_a.resize(static_cast<std::size_t>(plan.scales));
    one.scale_b.resize(static_cast<std::size_t>(plan.scales));
  }

  Code below(std::uint64_t n) { return draws_.below(n); }
  Code bits(int count) { return draws_.bits() >> (64 - count); }
  const CaseOperand& named(const std::string& name) const {
    for (const CaseOperand& more : plan.more) {
      if (more.name == name) return more;
    }
    throw std::out_of_range(name);
  }
  Code& more(const std::string& name, int i = 0) { return one.more[static_cast<std::size_t>(named(name).first + i)]; }
  double more_value(const std::string& name, int i) { return value_of(named(name).format, more(name, i)); }
  double a(int i) const { return value_of(plan.a, one.a[static_cast<std::size_t>(i)]); }
  double b(int i) const { return value_of(plan.b, one.b[static_cast<std::size_t>(i)]); }

  Code d() {
    EXPECT_EQ(verdict_on_d(plan, one, registers_), "");
    return dot(plan, one.operand(), registers_);
  }

  Plan plan;
  Case one;

 private:
  Draws draws_;
  Registers registers_;
};

const std::string f32_nearest = "{format: f32, cut: nearest_even}";

TEST(CaseOperands, BlockScalesAndOneFloatOnTheResult) {
  const std::string text =
      "name: own\nk: 32\n"
      "operands: {a: e2m1, b: e2m1, c: f32, d: f32, scale: {format: ue4m3, block: 16},\n"
      "           scales: {tensor: {of: a, format: f32, at: late}}}\n"
      "specials: step\nstart: zero\n"
      "adders:\n"
      "  - {name: blocks, add: {product: exact}, group: {terms: 16}, times: scales}\n"
      "  - {name: sum, add: {blocks: exact}, result: [" +
      f32_nearest +
      "]}\n"
      "finish:\n"
      "  - {name: late, add: {lanes: {keep: 23, cut: toward_zero}}, result: [" +
      f32_nearest +
      "]}\n"
      "  - {name: end, add: {late: exact, c: exact}, result: [" +
      f32_nearest + "]}\n";
  for (std::uint64_t number = 0; number < 300; ++number) {
    Bench bench(text, number);
    for (Code& code : bench.one.a) code = bench.bits(4);
    for (Code& code : bench.one.b) code = bench.bits(4);
    for (auto* scales : {&bench.one.scale_a, &bench.one.scale_b}) {
      for (Code& code : *scales) code = bench.below(0x7f);
    }
    bench.more("tensor") = code_of(
        std::ldexp(1.0F + static_cast<float>(bench.bits(23)) * 0x1p-23F, static_cast<int>(bench.below(40)) - 20));
    double sum = 0;
    for (int i = 0; i < 32; ++i) {
      const auto block = static_cast<std::size_t>(i / 16);
      const double scales =
          value_of(*bench.plan.scale, bench.one.scale_a[block]) * value_of(*bench.plan.scale, bench.one.scale_b[block]);
      sum += bench.a(i) * bench.b(i) * scales;
    }
    const double scaled = static_cast<double>(static_cast<float>(sum)) * float_of(bench.more("tensor"));
    ASSERT_EQ(float_of(bench.d()), static_cast<float>(scaled)) << number;
  }
}

// 127 and -128 against the least and greatest zero points, and anything between.
TEST(CaseOperands, IntegersLessZeroPoints) {
  const std::string text =
      "name: own\nk: 8\n"
      "operands: {a: u8, b: i8, c: i32, d: i32, zero_b: {format: i8, block: 3}}\n"
      "factors: {a: {zero_point: 131}}\n"
      "specials: step\n"
      "adders: [{name: sum, add: {product: exact, acc: exact},\n"
      "          result: [{format: i32, cut: toward_zero, overflow: wrap}]}]\n";
  for (std::uint64_t number = 0; number < 2000; ++number) {
    Bench bench(text, number);
    const bool extreme = number % 4 == 0;
    const auto byte = [&] { return extreme ? (bench.below(2) == 0 ? Code{0x7f} : Code{0x80}) : bench.bits(8); };
    for (Code& code : bench.one.a) code = extreme ? (bench.below(2) == 0 ? Code{0} : Code{0xff}) : bench.bits(8);
    for (Code& code : bench.one.b) code = byte();
    for (Code& code : bench.one.more) code = byte();
    bench.one.c = bench.bits(32);
    std::int64_t sum = static_cast<std::int32_t>(bench.one.c);
    for (int i = 0; i < 8; ++i) {
      const int a = static_cast<int>(bench.one.a[static_cast<std::size_t>(i)]) - 131;
      const int b = static_cast<std::int8_t>(bench.one.b[static_cast<std::size_t>(i)]);
      sum += a * (b - static_cast<std::int8_t>(bench.more("zero_b", i / 3)));
    }
    ASSERT_EQ(bench.d(), static_cast<std::uint32_t>(sum)) << number;
  }
}

// Four-bit weights with a scale for two of them, rounded to f16 before they are multiplied.
const std::string weights =
    "name: own\nk: 4\n"
    "operands: {a: f16, b: e2m1, c: f32, d: f32, scales: {scale_b: {of: b, format: f16, block: 2, at: operand}}}\n"
    "factors: {b: {round: {format: f16, cut: nearest_even}}}\n"
    "specials: step\n"
    "adders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: f32, cut: nearest_even}]}]\n";

TEST(CaseOperands, AWeightIsRoundedBeforeItIsMultiplied) {
  Bench bench(weights, 0);
  bench.one.a[0] = 0x3c00;            // 1
  bench.one.b[0] = 5;                 // 3
  bench.more("scale_b", 0) = 0x3c01;  // 1 + 2^-10
  // 3 + 3 x 2^-10 lies half-way between 3 + 2^-9 and 3 + 2^-8 in f16; the second is even.
  EXPECT_EQ(bench.d(), code_of(3.0F + 0x1p-8F));
  bench.one.a[0] = 0x4000;  // 2: the product is exact, the weight was rounded before
  EXPECT_EQ(bench.d(), code_of(6.0F + 0x1p-7F));
  bench.one.b = {0, 0, 5, 0};
  bench.one.a = {0, 0, 0x3c00, 0};
  EXPECT_EQ(bench.d(), 0U) << "the third weight has the second scale, which is zero";
  Bench product(std::string(weights)
                    .replace(weights.find("at: operand"), 11, "at: product")
                    .replace(weights.find("factors"), weights.find("specials") - weights.find("factors"), ""),
                0);
  product.one.a[0] = 0x3c00;
  product.one.b[0] = 5;
  product.more("scale_b", 0) = 0x3c01;
  EXPECT_EQ(product.d(), code_of(3.0F + 3 * 0x1p-10F));
}

double to_f16(double x) {
  if (x == 0) return 0;
  const double unit = std::ldexp(1, std::max(std::ilogb(x), -14) - 10);
  return std::nearbyint(x / unit) * unit;
}

TEST(CaseOperands, WeightsOfAFewBits) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    Bench bench(weights, number);
    for (Code& code : bench.one.b) code = bench.bits(4);
    for (Code& code : bench.one.a) code = bench.bits(1) << 15 | (12 + bench.below(6)) << 10 | bench.bits(10);
    for (Code& code : bench.one.more) code = bench.bits(1) << 15 | (12 + bench.below(6)) << 10 | bench.bits(10);
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += bench.a(i) * to_f16(bench.b(i) * bench.more_value("scale_b", i / 2));
    ASSERT_EQ(float_of(bench.d()), static_cast<float>(sum)) << number;
  }
}

// 64 elements of n/4; one-bit exponents for 4 and for 8 of them, and a scale for all: levels. A one-bit exponent is
// given as its factor, 1 or 2, in u8; e6m2 as a format of its own, whose codes here stay clear of its subnormals.
std::string two_levels() {
  std::string text =
      "name: own\nk: 64\n"
      "formats:\n"
      "  s1p2: {exponent: 1, mantissa: 2, bias: 1, infinity: false, nan: none, signed_zero: true}\n"
      "  e6m2: {exponent: 6, mantissa: 2, bias: 48, infinity: false, nan: none, signed_zero: true}\n"
      "operands:\n  a: s1p2\n  b: s1p2\n  c: f32\n  d: f32\n  scales:\n";
  for (const std::string side : {"a", "b"}) {
    text += "    e4_" + side + ": {of: " + side + ", format: u8, block: 4, at: quads}\n";
    text += "    e8_" + side + ": {of: " + side + ", format: u8, block: 8, at: pairs}\n";
    text += "    unit_" + side + ": {of: " + side + ", format: e6m2, at: unit}\n";
  }
  return text +
         "specials: step\n"
         "adders:\n"
         "  - {name: quads, add: {product: exact}, group: {terms: 4}}\n"
         "  - {name: pairs, add: {quads: exact}, group: {terms: 2}}\n"
         "  - {name: unit, add: {pairs: exact}}\n"
         "  - {name: sum, add: {unit: exact, acc: exact}, result: [{format: f32, cut: nearest_even}]}\n";
}

TEST(CaseOperands, LevelsOfScales) {
  const std::string text = two_levels();
  for (std::uint64_t number = 0; number < 300; ++number) {
    Bench bench(text, number);
    for (Code& code : bench.one.a) code = bench.bits(4);
    for (Code& code : bench.one.b) code = bench.bits(4);
    for (const std::string side : {"a", "b"}) {
      for (int i = 0; i < 16; ++i) bench.more("e4_" + side, i) = 1 + bench.bits(1);
      for (int i = 0; i < 8; ++i) bench.more("e8_" + side, i) = 1 + bench.bits(1);
      bench.more("unit_" + side) = 4 + bench.below(0xf7);
    }
    double sum = 0;
    for (int i = 0; i < 64; ++i) {
      const double levels = bench.more_value("e4_a", i / 4) * bench.more_value("e4_b", i / 4) *
                            bench.more_value("e8_a", i / 8) * bench.more_value("e8_b", i / 8);
      sum += bench.a(i) * bench.b(i) * levels;
    }
    sum *= bench.more_value("unit_a", 0) * bench.more_value("unit_b", 0);
    ASSERT_EQ(float_of(bench.d()), static_cast<float>(sum)) << number;
  }
}

TEST(CaseOperands, SumsRoundByTheirOwnRandomWords) {
  const std::string text =
      "name: own\nk: 4\n"
      "operands: {a: f16, b: f16, c: f32, d: f32}\n"
      "specials: step\n"
      "product: {round: {at: leading_one, keep: 3, cut: stochastic_a, random_bits: 6}}\n"
      "k_order: {step: {terms: 2}}\n"
      "adders: [{name: sum, add: {product: exact, acc: exact},\n"
      "          result: [{at: leading_one, keep: 4, cut: stochastic_a, random_bits: 2}, {format: f32, cut: "
      "to_odd}]}]\n";
  Bench bench(text, 0);
  ASSERT_EQ(bench.plan.more.size(), 1U);
  EXPECT_EQ(bench.named("random").count, 6) << "four products, two steps";
  EXPECT_EQ(bench.named("random").format.stored_bits, 6);
  const auto with = [&](std::vector<Code> a, std::vector<Code> words) {
    bench.one.a = std::move(a);
    bench.one.b.assign(4, 0x3c00);
    bench.one.more = std::move(words);
    return float_of(bench.d());
  };
  const Code x = 0x3c60;  // 1 + 3/32: of its three bits kept, 3/4 of a unit are dropped
  EXPECT_EQ(with({x, 0, 0, 0}, {0, 0, 0, 0, 0, 0}), 1.0F);
  EXPECT_EQ(with({x, 0, 0, 0}, {15, 0, 0, 0, 0, 0}), 1.0F);
  EXPECT_EQ(with({x, 0, 0, 0}, {16, 0, 0, 0, 0, 0}), 1.125F);
  EXPECT_EQ(with({0, x, 0, 0}, {63, 0, 63, 63, 3, 3}), 1.0F) << "the second product has the second word";
  EXPECT_EQ(with({0, x, 0, 0}, {0, 16, 0, 0, 0, 0}), 1.125F);
  // 16 and 1: the sum keeps 4 bits behind 16, that is units of 1; 16 + 1.125 drops an eighth of one.
  EXPECT_EQ(with({0x4c00, 0x3c80, 0, 0}, {0, 0, 0, 0, 3, 0}), 17.0F) << "an eighth is nothing in two bits";
  EXPECT_EQ(with({0x4c00, 0x3f00, 0, 0}, {0, 0, 0, 0, 0, 3}), 17.0F) << "16 + 1.75: the first step has the fifth word";
  EXPECT_EQ(with({0x4c00, 0x3f00, 0, 0}, {0, 0, 0, 0, 1, 0}), 18.0F);
  EXPECT_EQ(with({0x4c00, 0, 0x3f00, 0}, {0, 0, 0, 0, 3, 0}), 17.0F) << "and the second the sixth";
  EXPECT_EQ(with({0x4c00, 0, 0x3f00, 0}, {0, 0, 0, 0, 0, 1}), 18.0F);
}

TEST(CaseOperands, AreOneListInThePlan) {
  const Plan plan = plan_of_text(two_levels());
  std::string all;
  for (const CaseOperand& more : plan.more)
    all += more.name + " " + std::to_string(more.first) + "+" + std::to_string(more.count) + " ";
  EXPECT_EQ(all, "e4_a 0+16 e8_a 16+8 unit_a 24+1 e4_b 25+16 e8_b 41+8 unit_b 49+1 ");
  EXPECT_GE(plan.find_place("decode.e8_b[7]"), 0);
}

struct Wrong {
  std::string operands, rest, message;
};

TEST(CaseOperands, AreRefusedWithASentence) {
  const std::string sum = "add: {product: exact, acc: exact}, result: [{format: d, cut: nearest_even}]}]\n";
  const auto text = [&](const Wrong& wrong) {
    return "name: own\nk: 8\noperands: {" + wrong.operands + ", c: f32, d: f32}\nspecials: step\n" + wrong.rest +
           "adders: [{name: sum, " + sum;
  };
  EXPECT_EQ(message_of(text({"a: f16, b: f16", "", ""})), "");
  const std::string f16 = "a: f16, b: f16, ";
  for (const Wrong& wrong : std::vector<Wrong>{
           {f16 + "scales: {s: {of: a, format: f32, at: nowhere}}", "",
            "operands.scales.s.at is 'nowhere'; a scale multiplies at one of operand, product, sum."},
           {f16 + "scales: {s: {of: a, format: f99}}", "", "operands.scales.s.format is 'f99', which is no format"},
           {f16 + "scales: {s: {of: c, format: f32}}", "", "the choices are a, b"},
           {f16 + "scales: {s: {of: a}}", "", "the key 'format' is missing."},
           {f16 + "scales: {s: {of: a, format: f32, block: 0}}", "", "a whole number from 1 to 1048576 is needed here"},
           {f16 + "scales: {random: {of: a, format: f32}}", "",
            "'random' already names an operand of the case; choose another name for this scale."},
           {f16 + "scale: {format: f32, block: 8}, scales: {scale_a: {of: a, format: f32}}",
            "product: {times: scales}\n", "'scale_a' already names an operand of the case"},
           {f16 + "scales: {S: {of: a, format: f32}}", "", "The name 'S' must be made of a-z, 0-9 and _"},
           {f16 + "scales: {s: {of: a, format: f32, block: 4, at: sum}}", "",
            "A sum of adder sum spans two blocks of 4 of the scale s; its terms must lie inside one."},
           {f16 + "zero_a: {format: u8}", "",
            "Zero points are subtracted from integers, and a's format f16 is none; use a scale, or an integer format."},
           {"a: mxint8, b: i8", "factors: {a: {zero_point: 3}}\n",
            "Zero points are subtracted from whole numbers, and a's format mxint8 counts in units of 2^-6; use an"},
           {f16 + "zero_b: {block: 4}", "", "operands.zero_b.format is missing: name the integer format"},
           {f16.substr(0, f16.size() - 2), "factors: {a: {zero_point: 3}}\n",
            "Zero points are subtracted from integers"},
           {"a: f64, b: f64, scales: {s: {of: a, format: f64}}", "",
            "Each element of a has 106 significant bits where it is multiplied; at most 64 are. Say factors.a.round."},
           {f16.substr(0, f16.size() - 2), "product: {round: {format: f16, cut: stochastic_a}}\n",
            "the key 'random_bits' is missing."},
           {f16.substr(0, f16.size() - 2), "product: {round: {format: f16, cut: up, random_bits: 3}}\n",
            "only `cut: stochastic_a`, `stochastic_b` and `stochastic_c` take random bits."},
           {f16.substr(0, f16.size() - 2), "factors: {a: {nearest: 3}}\n", "unknown key"},
       }) {
    const std::string message = message_of(text(wrong));
    EXPECT_NE(message.find(wrong.message), std::string::npos) << wrong.message << "\nfound: " << message;
  }
  const std::string integers =
      "name: own\nk: 4\noperands: {a: i8, b: i8, c: i32, d: i32, zero_a: {format: ue8m0}}\nspecials: step\n"
      "adders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: d, cut: up, overflow: wrap}]}]\n";
  EXPECT_NE(message_of(integers).find("A zero point is a whole number; ue8m0 is no integer format."),
            std::string::npos);
  const std::string both =
      std::string(integers).replace(integers.find("ue8m0"), 5, "i8") + "factors: {a: {zero_point: 1}}\n";
  EXPECT_NE(
      message_of(both).find("operands.zero_a brings zero points and factors.a.zero_point is one; give one of both."),
      std::string::npos);
  const std::string in_finish =
      "name: own\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, scales: {s: {of: a, format: f32, block: 2, at: "
      "end}}}\n"
      "specials: step\nstart: zero\nadders: [{name: sum, add: {product: exact}}]\n"
      "finish: [{name: end, add: {lanes: exact, c: exact}, result: [{format: d, cut: up}]}]\n";
  EXPECT_NE(message_of(in_finish).find("it needs one code for all of k: leave its `block` out."), std::string::npos);
  const std::string tree =
      "name: own\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, scales: {s: {of: a, format: f32, at: sum}}}\n"
      "specials: step\nadders: [{name: sum, shape: serial, add: {product: exact, acc: exact}, "
      "result: [{format: d, cut: up}]}]\n";
  EXPECT_NE(message_of(tree).find("The scale s multiplies the sums of sum, which needs shape flat."),
            std::string::npos);
}

// --- masks ---

std::string masked_text(const std::string& mask, const std::string& more = "") {
  return "name: own\nk: 8\noperands: {a: f16, b: f16, c: f32, d: f32, mask: " + mask + "}\nspecials: operation\n" +
         more + "adders:\n  - {name: sum, add: {product: exact, acc: exact}, zero: ieee, result: [" + f32_nearest +
         "]}\n";
}

// Whatever stands where a product is off, numbers, infinities and NaNs: the sum is that of the others.
TEST(CaseOperands, ProductsThatAreOffAreLeftOut) {
  for (std::uint64_t number = 0; number < 500; ++number) {
    Bench bench(masked_text("{}"), number);
    float sum = 0;
    for (int i = 0; i < 8; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const bool on = bench.below(2) != 0;
      bench.more("mask", i) = on ? 1 : 0;
      bench.one.a[at] = on ? 0x3c00 + 0x400 * bench.below(4) : bench.bits(16);
      bench.one.b[at] = on ? 0x3c00 : bench.bits(16);
      if (on) sum += static_cast<float>(bench.a(i));
    }
    ASSERT_EQ(float_of(bench.d()), sum) << number;
  }
}

// IEEE's sign of a sum of zeros tells +0 from nothing at all.
TEST(CaseOperands, ProductsThatAreOffArePlusZero) {
  Bench bench(masked_text("{}"), 0);
  for (int i = 0; i < 8; ++i) bench.one.a[static_cast<std::size_t>(i)] = 0x8000, bench.more("mask", i) = 1;
  bench.one.b.assign(8, 0x3c00);
  bench.one.c = 0x80000000;
  EXPECT_EQ(bench.d(), 0x80000000U);
  bench.more("mask", 5) = 0;
  EXPECT_EQ(bench.d(), 0U);
}

// A pair of 2^17 and one of 2^-17 in a window of 20 bits: what is off takes no part in finding its exponent.
TEST(CaseOperands, ProductsThatAreOffHaveNoExponent) {
  const std::string text =
      "name: own\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32, mask: {}}\nspecials: step\n"
      "adders:\n  - name: sum\n    add: {product: {keep: 20, cut: toward_zero}, acc: {keep: 20, cut: toward_zero}}\n"
      "    result: [" +
      f32_nearest + "]\n";
  Bench bench(text, 0);
  bench.one.a = {0x6000, 0x1c00};  // 2^9, 2^-8
  bench.one.b = {0x6000, 0x1c00};
  bench.more("mask", 0) = bench.more("mask", 1) = 1;
  EXPECT_EQ(float_of(bench.d()), 0x1p18F);
  bench.more("mask", 0) = 0;
  EXPECT_EQ(float_of(bench.d()), 0x1p-16F);
}

TEST(CaseOperands, MasksOfAPatternAreToldFromOthers) {
  const Mask any, two{2, 4}, pairs{4, 8, 2}, one{1, 2};
  const auto problem = [](const Mask& pattern, const std::vector<Code>& bits) {
    return mask_problem("mask", pattern, bits.data(), static_cast<int>(bits.size()));
  };
  EXPECT_EQ(problem(any, {0, 1, 0, 0}), "");
  EXPECT_EQ(problem(two, {1, 1, 0, 0, 1, 0, 0, 1}), "");
  EXPECT_EQ(problem(two, {1, 1, 0, 0, 1, 0, 0, 0}),
            "mask[4] to [7] has 1 bit on; of each 4 neighbours exactly 2 are on here.");
  EXPECT_EQ(problem(two, {1, 1, 1, 0, 1, 0, 0, 0}),
            "mask[0] to [3] has 3 bits on; of each 4 neighbours exactly 2 are on here.");
  EXPECT_EQ(problem(one, {1, 1}), "mask[0] to [1] has 2 bits on; of each 2 neighbours exactly 1 is on here.");
  EXPECT_EQ(problem(pairs, {1, 1, 0, 0, 0, 0, 1, 1}), "");
  EXPECT_EQ(problem(pairs, {1, 1, 0, 1, 1, 0, 0, 0}),
            "mask[2] to [3] are one unit and go on or off together; here they differ.");
}

TEST(CaseOperands, MasksWithMistakesAreRefused) {
  const auto message = [](const std::string& mask) { return message_of(masked_text(mask)); };
  EXPECT_EQ(message("{take: 2, among: 4}"), "");
  EXPECT_EQ(message("{take: 5, among: 4}"), "own.yaml:3: operands.mask.take is 5, more than the 4 of a group.");
  EXPECT_EQ(message("{take: 2, among: 3}"),
            "own.yaml:3: operands.mask.among is 3, which does not divide the 8 terms there are.");
  EXPECT_EQ(message("{take: 2, among: 4, unit: 4}"),
            "own.yaml:3: operands.mask.unit is 4; it must divide both take, 2, and among, 4.");
  EXPECT_EQ(message("{take: 2}"),
            "own.yaml:3: operands.mask: the key 'among' is missing: say of how many neighbours so many are on.");
  EXPECT_EQ(message("{among: 4}"),
            "own.yaml:3: operands.mask.among: a mask without `take` may be any, and has no groups.");
  EXPECT_EQ(message("{unit: 2}"),
            "own.yaml:3: operands.mask.unit: a mask without `take` may be any, and has no groups.");
}

TEST(CaseOperands, NoScaleIsCalledMask) {
  const std::string text =
      "name: own\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32, scales: {mask: {of: a, format: f16}}}\n"
      "specials: step\nadders:\n  - {name: sum, add: {product: exact, acc: exact}, result: [" +
      f32_nearest + "]}\n";
  EXPECT_NE(message_of(text).find("'mask' already names an operand of the case; choose another name for this scale."),
            std::string::npos);
}

}  // namespace
}  // namespace assay
