// Blocks of scales that are shorter than an instruction's k, as long and longer: by the unit and where sums are
// promoted, each held to arithmetic written here from what docs/explore.md says. And what rounding the operands costs.
#include <gtest/gtest.h>

#include <cmath>

#include "tb/explore/real.hpp"
#include "tb/explore/runner.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

const Format& f32 = *find_format("f32");
const Format& e4m3 = *find_format("e4m3");

// Values of many sizes, so that blocks have different scales and steps cut something off.
const std::string scaled_study = R"(study: scaled
title: Blocks of scales
datapath: fused_f25_scaled
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
k: 32
scaling: {format: ue8m0, block: 128}
inputs: [{log_uniform: {least: -12, greatest: 12}}]
shapes: {m: 3, n: 5, k: 256}
)";

class BlockScales : public testing::Test {
 protected:
  Study read(const std::string& text) const { return read_study(scratch_.file("study.yaml", text), test_catalogue()); }

  std::string refused(const std::string& text) const {
    try {
      machines_of(read(text), test_catalogue(), 100);
    } catch (const Error& e) {
      return e.message.substr((scratch_ / "").size());
    }
    return "not refused";
  }

  Sample only_sample(const std::string& text, const std::string& folder) const {
    const Study study = read(text);
    const Machines machines = machines_of(study, test_catalogue(), 100);
    return run_study(study, machines, {scratch_ / folder, 1, {}}).at(0, 0, 0)[0];
  }

  const Scratch scratch_;
};

Workload workload_for(const Study& study, const Machine& machine) {
  return workload_of(reals_of(study.inputs[0], {1, 0}, study.shapes[0], 0, nullptr), machine.operands);
}

double at(const CodeMatrix& codes, int i, int j, const char* format) {
  return value_of(codes.view().get(i, j), *find_format(format));
}

// --- by the unit ---

// The exponent of e4m3's code: that of the least normal number where it is subnormal.
int exponent_of(double x) { return std::max(std::ilogb(x), -6); }

// x cut to the multiples of 2^quantum.
double cut(double x, int quantum) { return std::ldexp(std::trunc(std::ldexp(x, -quantum)), quantum); }

double cut_to_float(double x) {
  const float nearest = static_cast<float>(x);
  return static_cast<double>(std::fabs(static_cast<double>(nearest)) > std::fabs(x) ? std::nextafter(nearest, 0.0F)
                                                                                    : nearest);
}

// One fused sum of 32 products, times the scales of their blocks, and of what came before: 25 bits below the greatest
// exponent are kept.
double fused_step(const Workload& w, int block, int i, int j, int from, double acc) {
  std::vector<double> terms{acc};
  int greatest = acc == 0 ? -133 : std::max(std::ilogb(acc), -133);
  for (int t = from; t < from + 32; ++t) {
    const double a = at(w.a, i, t, "e4m3"), b = at(w.b, j, t, "e4m3");
    const int shift = std::ilogb(at(w.scale_a, i, t / block, "ue8m0") * at(w.scale_b, j, t / block, "ue8m0"));
    if (a != 0 && b != 0) greatest = std::max(greatest, exponent_of(a) + exponent_of(b) + shift);
    terms.push_back(std::ldexp(a * b, shift));
  }
  double sum = 0;
  for (const double term : terms) sum += cut(term, greatest - 25);
  return cut_to_float(sum);
}

TEST_F(BlockScales, OfTheUnitMaySpanSeveralInstructions) {
  for (const int block : {8, 16, 32, 64, 128, 256}) {
    const std::string text = substituted(scaled_study, "block: 128", "block: " + std::to_string(block));
    const Study study = read(text);
    const Machines machines = machines_of(study, test_catalogue(), 100);
    const Workload w = workload_for(study, *machines[0]);
    ASSERT_EQ(w.scale_a.columns(), 256 / block);
    const std::vector<Code> codes = walked(*machines[0], w, 1);
    int rounded = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 5; ++j) {
        double acc = 0, exact = 0;
        for (int from = 0; from < 256; from += 32) acc = fused_step(w, block, i, j, from, acc);
        for (int t = 0; t < 256; ++t)
          exact += at(w.a, i, t, "e4m3") * at(w.scale_a, i, t / block, "ue8m0") * at(w.b, j, t, "e4m3") *
                   at(w.scale_b, j, t / block, "ue8m0");
        EXPECT_EQ(value_of(codes[static_cast<std::size_t>(5 * i + j)], f32), acc) << block << " " << i << "," << j;
        rounded += acc != exact ? 1 : 0;
      }
    }
    EXPECT_GT(rounded, 0) << "nothing was cut off, so that the cuts were not looked at";
    EXPECT_LT(only_sample(text, "unit" + std::to_string(block)).normwise, 1e-5);
  }
}

TEST_F(BlockScales, AreThoseOfTheirOwnValues) {
  const Study study = read(scaled_study);
  const Machines machines = machines_of(study, test_catalogue(), 100);
  const Reals reals = reals_of(study.inputs[0], {1, 0}, study.shapes[0], 0, nullptr);
  const Workload w = workload_of(reals, machines[0]->operands);
  for (int i = 0; i < 3; ++i) {
    for (int block = 0; block < 2; ++block) {
      double greatest = 0;
      for (int t = 128 * block; t < 128 * (block + 1); ++t)
        greatest = std::max(greatest, std::fabs(reals.a[static_cast<std::size_t>(256 * i + t)]));
      EXPECT_EQ(at(w.scale_a, i, block, "ue8m0"), std::ldexp(1.0, std::ilogb(greatest) - 8));
    }
  }
}

// --- at a promotion ---

exact::Dyadic dyadic(float x) {
  const Number n = number_of(static_cast<double>(x));
  exact::Dyadic d;
  d.significand = static_cast<unsigned long>(n.magnitude);
  if (n.negative) d.significand = -d.significand;
  d.exponent = n.quantum;
  return d;
}

float nearest_float(const exact::Dyadic& x) {
  return static_cast<float>(value_of(exact::encode(f32, exact::nearest(f32, exact::finite(x))), f32));
}

// The sum of `count` products from zero, by instructions of 32, without scales: 25 bits kept.
float unit_sum(const Workload& w, int i, int j, int from, int count) {
  double acc = 0;
  for (int first = from; first < from + count; first += 32) {
    std::vector<double> terms{acc};
    int greatest = acc == 0 ? -133 : std::max(std::ilogb(acc), -133);
    for (int t = first; t < first + 32; ++t) {
      const double a = at(w.a, i, t, "e4m3"), b = at(w.b, j, t, "e4m3");
      if (a != 0 && b != 0) greatest = std::max(greatest, exponent_of(a) + exponent_of(b));
      terms.push_back(a * b);
    }
    double sum = 0;
    for (const double term : terms) sum += cut(term, greatest - 25);
    acc = cut_to_float(sum);
  }
  return static_cast<float>(acc);
}

float promoted(const Workload& w, int i, int j, int every, bool fused) {
  exact::Dyadic total;
  for (int from = 0; from < 256; from += every) {
    const auto a = static_cast<float>(at(w.scale_a, i, from / 128, "f32")),
               b = static_cast<float>(at(w.scale_b, j, from / 128, "f32"));
    const float scale = nearest_float(dyadic(a) * dyadic(b));
    const exact::Dyadic product = dyadic(scale) * dyadic(unit_sum(w, i, j, from, every));
    total = dyadic(nearest_float(total + (fused ? product : dyadic(nearest_float(product)))));
  }
  return nearest_float(total);
}

TEST_F(BlockScales, OfAPromotionMultiplyWhatTheUnitHasSummed) {
  int differ = 0;
  for (const int every : {32, 64, 128}) {
    std::vector<std::vector<Code>> both;
    for (const bool fused : {true, false}) {
      const std::string text =
          substituted(scaled_study, "{format: ue8m0, block: 128}",
                      std::string("{format: f32, block: 128, applied: ") + (fused ? "fma}" : "multiply_add}")) +
          "promote_every: " + std::to_string(every) + "\n";
      const Study study = read(text);
      const Machines machines = machines_of(study, test_catalogue(), 100);
      EXPECT_FALSE(machines[0]->plan.scale);  // the unit knows of no scales
      const Workload w = workload_for(study, *machines[0]);
      both.push_back(walked(*machines[0], w, 1));
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 5; ++j)
          EXPECT_EQ(static_cast<float>(value_of(both.back()[static_cast<std::size_t>(5 * i + j)], f32)),
                    promoted(w, i, j, every, fused))
              << every << " " << fused << " " << i << "," << j;
      }
      EXPECT_LT(only_sample(text, "promoted" + std::to_string(every) + (fused ? "f" : "m")).normwise, 1e-5);
    }
    for (std::size_t i = 0; i < both[0].size(); ++i) differ += both[0][i] != both[1][i] ? 1 : 0;
  }
  EXPECT_GT(differ, 0) << "the two ways to round were not told apart";
}

// A block's greatest value becomes the greatest of e4m3, 448, by a scale of 24 bits.
TEST_F(BlockScales, OfF32BringTheGreatestToTheGreatest) {
  const OperandFormats formats{e4m3, e4m3, f32, f32, 4, false};
  const Workload w = workload_of({{1, 1, 8}, {1, -3, 0.5, 0, 700, 7, 0, 0}, std::vector<double>(8, 1.0), {0}}, formats);
  EXPECT_EQ(at(w.scale_a, 0, 0, "f32"), static_cast<double>(3.0F / 448.0F));
  EXPECT_EQ(at(w.a, 0, 1, "e4m3"), -448);
  EXPECT_EQ(at(w.scale_a, 0, 1, "f32"), 1.5625);
  EXPECT_EQ(at(w.a, 0, 5, "e4m3"), 4.5);  // 7 / 1.5625 = 4.48
}

// --- of one side, and to another greatest number ---

const OperandFormats of_b(const char* element, const char* scale, std::optional<double> greatest = std::nullopt) {
  return {*find_format("f16"), *find_format(element), f32, *find_format(scale), 4, false, Side::b, greatest};
}

Workload one_row(const std::vector<double>& values, const OperandFormats& formats) {
  const int k = static_cast<int>(values.size());
  return workload_of({{1, 1, k}, values, values, {0}}, formats);
}

TEST_F(BlockScales, OfOneSideLeaveTheOtherAsItIs) {
  const Workload w = one_row({96, 3, 0.1, 0, 1, 0, 0, 0}, of_b("i8", "f32"));
  for (int block = 0; block < 2; ++block) EXPECT_EQ(at(w.scale_a, 0, block, "f32"), 1);
  EXPECT_EQ(at(w.a, 0, 0, "f16"), 96);
  EXPECT_EQ(at(w.a, 0, 2, "f16"), 0.0999755859375);
  EXPECT_EQ(at(w.scale_b, 0, 0, "f32"), static_cast<double>(96.0F / 127.0F));
  EXPECT_EQ(at(w.b, 0, 0, "i8"), 127);
  EXPECT_EQ(at(w.b, 0, 1, "i8"), 4);  // 3 x 127 / 96 = 3.97
  EXPECT_EQ(at(w.b, 0, 4, "i8"), 127);
}

TEST_F(BlockScales, OfAWholeTensorMayBeOfOneSide) {
  OperandFormats formats = of_b("i8", "f32");
  formats.scale.reset();
  formats.tensor_scale = true;
  const Workload w = one_row({254, 3, 0.1, 0}, formats);
  EXPECT_EQ(w.tensor_scale, 2);
  EXPECT_EQ(at(w.a, 0, 0, "f16"), 254);
  EXPECT_EQ(at(w.b, 0, 0, "i8"), 127);
}

TEST_F(BlockScales, BringTheGreatestWhereTheyAreTold) {
  const Workload quotient = one_row({2, 0.6, -0.1, 0}, of_b("posit8_2", "f32", 8));
  EXPECT_EQ(at(quotient.scale_b, 0, 0, "f32"), 0.25);
  EXPECT_EQ(at(quotient.b, 0, 0, "posit8_2"), 8);
  EXPECT_EQ(at(quotient.b, 0, 1, "posit8_2"), 2.5);
  EXPECT_EQ(at(quotient.b, 0, 2, "posit8_2"), -0.40625);
  const Workload power = one_row({5, 0.6, -0.1, 0}, of_b("e4m3", "ue8m0", 1));  // 2^2 <= 5: the exponent of 1
  EXPECT_EQ(at(power.scale_b, 0, 0, "ue8m0"), 4);
  EXPECT_EQ(at(power.b, 0, 0, "e4m3"), 1.25);
}

// The greatest integers, 127 and 127/64, have the exponents 6 and 0.
TEST_F(BlockScales, ThatArePowersFollowTheGreatestInteger) {
  const Workload whole = one_row({100, -3, 1, 0}, of_b("i8", "ue8m0"));
  EXPECT_EQ(at(whole.scale_b, 0, 0, "ue8m0"), 1);
  EXPECT_EQ(at(whole.b, 0, 0, "i8"), 100);
  const Workload parts = one_row({100, -3, 1, 0}, of_b("mxint8", "ue8m0"));
  EXPECT_EQ(at(parts.scale_b, 0, 0, "ue8m0"), 64);
  EXPECT_EQ(at(parts.b, 0, 0, "mxint8"), 1.5625);
}

TEST_F(BlockScales, TellOperandsApart) {
  const OperandFormats base = of_b("i8", "f32");
  OperandFormats both = base, other = base, integer = base;
  both.scaled.reset();
  other.greatest = 8;
  integer.b.fraction_bits = 6;
  for (const OperandFormats& formats : {both, other, integer}) EXPECT_NE(formats.key(), base.key());
  OperandFormats list = of_b("nf4", "f32"), changed = list;
  changed.b.listed[3] = "-0.25";
  EXPECT_NE(list.key(), changed.key());
}

TEST_F(BlockScales, OfOneSideAreSaidInAStudy) {
  const std::string text = substituted(scaled_study, "block: 128}", "block: 128, of: b, greatest: 2}");
  const Study study = read(text);
  const Machines machines = machines_of(study, test_catalogue(), 100);
  EXPECT_EQ(machines[0]->operands.scaled, Side::b);
  EXPECT_EQ(machines[0]->operands.greatest, 2);
  const Workload w = workload_for(study, *machines[0]);
  EXPECT_EQ(at(w.scale_a, 2, 1, "ue8m0"), 1);
  const Sample both = only_sample(scaled_study, "both"), one = only_sample(text, "one");
  EXPECT_LT(one.normwise, 1e-5);
  EXPECT_GT(one.quantisation, both.quantisation);  // of values far beyond e4m3, 2^12 and 2^-12
}

// --- what cannot be ---

struct Refusal {
  const char* scaling;
  const char* more;
  const char* sentence;
};

TEST_F(BlockScales, SayWhyTheyCannotBe) {
  for (const Refusal& r : std::vector<Refusal>{
           {"{format: ue8m0, block: 24}", "",
            "study.yaml: The point fused_f25_scaled cannot be: the scales' block of 24 neither divides the "
            "instruction's k, which is 32, nor is a multiple of it."},
           {"{format: ue8m0, block: 48}", "",
            "study.yaml: The point fused_f25_scaled cannot be: the scales' block of 48 neither divides the "
            "instruction's k, which is 32, nor is a multiple of it."},
           {"{format: ue8m0, block: 96}", "",
            "study.yaml: The point fused_f25_scaled cannot be: 3 x 5 x 256: K is 256, which is no multiple of the "
            "scales' block of 96."},
           {"{format: ue8m0, block: 128}", "split_k: 4\n",
            "study.yaml: The point fused_f25_scaled cannot be: 3 x 5 x 256: split_k cuts K into runs of 64, which is "
            "no multiple of the scales' block of 128."},
           {"{format: f32, block: 128, applied: fma}", "",
            "study.yaml: The point fused_f25_scaled cannot be: the scales are applied where sums are promoted, and "
            "none are: give promote_every, such as 128."},
           {"{format: f32, block: 128, applied: fma}", "promote_every: 96\n",
            "study.yaml: The point fused_f25_scaled cannot be: promote_every is 96, which does not divide the scales' "
            "block of 128: a sum that is promoted must lie in one block."},
           {"{format: f64, block: 128, applied: fma}", "promote_every: 128\n",
            "study.yaml: The point fused_f25_scaled cannot be: `scaling` names the format f64, and a promotion "
            "multiplies in f32, which does not hold every such scale: take f32, ue8m0 or another format within f32."},
           {"{format: f31, block: 128, applied: fma}", "promote_every: 128\n",
            "study.yaml: The point fused_f25_scaled cannot be: `scaling` names the format 'f31', which is no format."},
           {"{format: ue8m0}", "", "study.yaml:6: scaling: the key 'block' is missing."},
           {"{format: ue8m0, block: 32, of: c}", "",
            "study.yaml:6: scaling.of: found 'c'; the choices are a, b; did you mean 'a'?"},
           {"{format: ue8m0, block: 32, greatest: 0}", "",
            "study.yaml:6: scaling.greatest: a number from 1e-30 to 1e+30 is needed here, found '0'."},
           {"{format: ue8m0, block: 32, applied: twice}", "",
            "study.yaml:6: scaling.applied: found 'twice'; the choices are unit, fma, multiply_add."}}) {
    const std::string text = substituted(scaled_study, "{format: ue8m0, block: 128}", r.scaling) + r.more;
    EXPECT_EQ(refused(text), r.sentence) << r.scaling;
  }
  EXPECT_EQ(refused(substituted(substituted(scaled_study, "a: e4m3, b: e4m3", "a: f64, b: f64"),
                                "{format: ue8m0, block: 128}", "{format: f32, block: 128, applied: fma}") +
                    "promote_every: 128\n"),
            "study.yaml: The point fused_f25_scaled cannot be: elements of f64 times scales of f32 have more than 62 "
            "bits, more than exact sums can be made of here.");
  EXPECT_EQ(
      refused(substituted(substituted(scaled_study, "datapath: fused_f25_scaled",
                                      "datapath: {name: own, like: fused_f25_scaled, formats: {large: {exponent: 2, "
                                      "mantissa: 1, bias: -3, infinity: false, nan: none, signed_zero: false, "
                                      "signed: false, zero: false}}}"),
                          "{format: ue8m0, block: 128}", "{format: large, block: 128, of: b}")),
      "study.yaml: The point own cannot be: `scaling` gives only b scales, so that those of the other side are 1, "
      "and large has no 1: take another format, or leave `of` out.");
  EXPECT_EQ(refused(substituted(substituted(scaled_study, "a: e4m3, b: e4m3, ",
                                            "a: e4m3, b: e4m3, scales: {row: {of: a, format: f32, at: product}}, "),
                                "{format: ue8m0, block: 128}", "none")),
            "study.yaml: The point fused_f25_scaled cannot be: 3 x 5 x 256: the unit takes row too, of which a study "
            "makes none; it makes a, b, c and pairs of scales.");
}

// --- as an axis ---

TEST_F(BlockScales, AreAnAxis) {
  const Study study = read(substituted(scaled_study, "inputs:", R"(axes:
  - name: kind
    values:
      none: {scaling: none}
      tensor: {scaling: {tensor: f32}}
      short: {scaling.block: 32}
      long: {scaling.block: 256}
      software: {scaling.format: f32, scaling.applied: fma, promote_every: 32}
      own: {scaling: {format: ue4m3, block: 16, tensor: f32}}
inputs:)"));
  const Machines machines = machines_of(study, test_catalogue(), 100);
  ASSERT_EQ(machines.size(), 6u);
  const auto formats = [&](std::size_t i) { return machines[i]->operands; };
  EXPECT_FALSE(formats(0).scale);
  EXPECT_FALSE(formats(0).tensor_scale);
  EXPECT_FALSE(formats(1).scale);
  EXPECT_TRUE(formats(1).tensor_scale);
  EXPECT_EQ(formats(2).scale->name, "ue8m0");
  EXPECT_EQ(formats(2).scale_block, 32);
  EXPECT_EQ(formats(3).scale_block, 256);
  EXPECT_TRUE(machines[3]->plan.scale);
  EXPECT_EQ(formats(4).scale->name, "f32");
  EXPECT_EQ(formats(4).scale_block, 128);
  EXPECT_FALSE(machines[4]->plan.scale);
  EXPECT_EQ(formats(5).scale->name, "ue4m3");
  EXPECT_TRUE(formats(5).tensor_scale);
  const Samples samples = run_study(study, machines, {scratch_ / "axis", 2, {}});
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Sample& s = samples.at(i, 0, 0)[0];
    EXPECT_LT(s.normwise, 1e-5) << machines[i]->point.name;
    EXPECT_GT(s.quantisation, 0.001) << machines[i]->point.name;
    EXPECT_LT(s.quantisation, 1) << machines[i]->point.name;
    EXPECT_NEAR(s.total, s.quantisation, 1e-5) << machines[i]->point.name;
  }
}

TEST_F(BlockScales, ThatAreNotThereCannotBeChanged) {
  const auto axis = [](const char* set) {
    return "axes:\n  - {name: x, set: " + std::string(set) + ", values: [32]}\ninputs:";
  };
  const std::string none = substituted(substituted(scaled_study, "scaling: {format: ue8m0, block: 128}\n", ""),
                                       "fused_f25_scaled", "fused_f25");
  EXPECT_EQ(refused(substituted(none, "inputs:", axis("scaling.block"))),
            "study.yaml:7: axes[0].values[0]: 'scaling.block' changes the scales of blocks, and there are none: give "
            "the study `scaling: {format: .., block: ..}` as well.");
  EXPECT_EQ(refused(substituted(scaled_study, "inputs:", axis("scaling.blok"))),
            "study.yaml:8: axes[0].values[0]: 'scaling.blok' is no key; the keys of `scaling` are format, block, "
            "applied, tensor, of and greatest.");
  EXPECT_EQ(refused(substituted(scaled_study, "inputs:", axis("operands.scale.block"))),
            "study.yaml:8: axes[0].values[0]: the study has `scaling`, which says what 'operands.scale.block' would: "
            "set `scaling.block` or `scaling`.");
}

// --- what rounding the operands costs ---

const std::string tenths = R"(study: tenths
title: A tenth times three
datapath: fused_f25
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
k: 32
inputs: [{listed: {a: [0.1], b: [3]}}]
shapes: {m: 2, n: 2, k: 32}
)";

// e4m3 has 0.1015625 for 0.1: products are right, and their operands are not.
TEST_F(BlockScales, QuantisationIsMeasuredByItself) {
  const Sample s = only_sample(tenths, "tenths");
  EXPECT_EQ(s.normwise, 0);
  EXPECT_NEAR(s.quantisation, 0.015625, 1e-15);
  EXPECT_NEAR(s.total, 0.015625, 1e-15);
}

// The other way round: 16 and 2^-6 are in e4m3, and a window of 6 bits loses the second.
TEST_F(BlockScales, AccumulationIsMeasuredByItself) {
  const Sample s = only_sample(
      substituted(
          substituted(tenths, "a: [0.1], b: [3]", "a: [16, 0.015625], b: [1, 1]"), "datapath: fused_f25",
          "datapath: {name: narrow, like: fused_f25, adders: [{name: sum, add: {product: {keep: 6}, acc: {keep: "
          "6}}}]}"),
      "narrow");
  EXPECT_EQ(s.quantisation, 0);
  EXPECT_NEAR(s.normwise, 0.015625 / 16.015625, 1e-15);
  EXPECT_EQ(s.total, s.normwise);
}

// A scale of the whole tensor is no error: 1000 and 1 in e4m3 without it are 448 and 1.
TEST_F(BlockScales, OfATensorAreCountedInTheTotal) {
  const std::string large = substituted(tenths, "a: [0.1], b: [3]", "a: [1000, -500], b: [1, 1]");
  EXPECT_NEAR(only_sample(large, "cut").quantisation, 1, 1e-9);  // 448 - 448 for 500
  const Sample s = only_sample(substituted(large, "inputs:", "scaling: {tensor: f32}\ninputs:"), "tensor");
  EXPECT_LT(s.quantisation, 1e-6);  // 448 - 224, times 1000 / 448 in f32
  EXPECT_GT(s.quantisation, 0);
  EXPECT_EQ(s.normwise, 0);
}

}  // namespace
}  // namespace assay
