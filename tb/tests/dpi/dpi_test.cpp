// The calls of assay_dpi_pkg, as a simulator makes them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "tb/dpi/assay_dpi.h"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<assay_dpi_word>;

const std::string wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

// Elements side by side, the first lowest, as the simulator packs them.
Words packed(const std::vector<std::uint64_t>& codes, int bits, std::size_t words = ASSAY_DPI_VECTOR_WORDS) {
  Words vector(words, {0, 0});
  int at = 0;
  for (const std::uint64_t code : codes) {
    for (int i = 0; i < bits; ++i, ++at) {
      vector[static_cast<std::size_t>(at / 32)].aval |= static_cast<std::uint32_t>(code >> i & 1) << (at % 32);
    }
  }
  return vector;
}

Words element(std::uint64_t code) { return packed({code}, 64, ASSAY_DPI_ELEMENT_WORDS); }

Words with_unknown(Words vector) {
  vector[0].bval = 1;
  return vector;
}

class Dpi : public testing::Test {
 protected:
  const Scratch scratch_;

  void open(const std::string& name, int k, int ab_bits, int cd_bits) {
    unit_.reset(assay_dpi_open(name.c_str(), k, ab_bits, ab_bits, cd_bits, cd_bits));
  }
  void open_wgmma() { open(wgmma, 16, 16, 32); }

  int expect(const Words& a, const Words& b, std::uint64_t c) {
    return assay_dpi_expect(unit_.get(), a.data(), b.data(), element(c).data());
  }
  int expect_small(std::uint64_t c) { return expect(packed({0x3c00}, 16), packed({0x3c00}, 16), c); }
  int check(std::uint64_t d) { return assay_dpi_check(unit_.get(), element(d).data()); }
  int check(const Words& d) { return assay_dpi_check(unit_.get(), d.data()); }
  int scales(const Words& a, const Words& b) { return assay_dpi_scales(unit_.get(), a.data(), b.data()); }
  long long errors() const { return assay_dpi_errors(unit_.get()); }
  std::string error() const { return assay_dpi_error_text(unit_.get()); }
  std::string summary() const { return assay_dpi_summary(unit_.get()); }
  long long finish() { return assay_dpi_finish(unit_.get()); }

  std::unique_ptr<void, decltype(&assay_dpi_close)> unit_{nullptr, assay_dpi_close};
};

TEST_F(Dpi, CountsWhatItChecked) {
  open_wgmma();
  EXPECT_EQ(expect_small(0xbf7fffff), 1);
  EXPECT_EQ(expect(packed({0, 0x4000}, 16), packed({0, 0x4200}, 16), 0x3f800000), 1);  // 2 x 3 + 1
  EXPECT_EQ(check(0x33800000), 1);
  EXPECT_EQ(check(0x40e00000), 1);
  EXPECT_EQ(finish(), 0) << error();
  EXPECT_EQ(assay_dpi_checked(unit_.get()), 2);
  EXPECT_EQ(error(), "");
  EXPECT_EQ(summary(), wgmma + ": 2 results checked, no error.");
}

TEST_F(Dpi, NamesTheFirstWrongResultAndTheCommandThatShowsIt) {
  open_wgmma();
  for (int i = 0; i < 3; ++i) EXPECT_EQ(expect_small(0xbf7fffff), 1);
  EXPECT_EQ(check(0x33800000), 1);
  EXPECT_EQ(check(0x33800001), 0);
  EXPECT_EQ(check(0x33800002), 0);
  EXPECT_EQ(finish(), 2);
  EXPECT_EQ(error(), "Result 2 of " + wgmma +
                         " is d = 33800001, expected 33800000. This shows it stage by stage:\n  assay explain "
                         "--instruction " +
                         wgmma + " --a 3c00 --b 3c00 --c bf7fffff");
  EXPECT_EQ(summary(), wgmma + ": 3 results checked, 2 errors. The first: " + error());
}

TEST_F(Dpi, UnknownBitsOfAResultAreWrongEvenWhereTheRestIsRight) {
  open_wgmma();
  expect_small(0xbf7fffff);
  EXPECT_EQ(check(with_unknown(element(0x33800000))), 0);
  EXPECT_NE(error().find(" is d = unknown bits (x or z), expected 33800000."), std::string::npos) << error();
}

TEST_F(Dpi, AResultWiderThanDIsWrong) {
  open_wgmma();
  expect_small(0xbf7fffff);
  EXPECT_EQ(check(0xffffffff33800000), 0);
  EXPECT_NE(error().find(" is d = ffffffff33800000, expected 33800000."), std::string::npos) << error();
}

// As compare and check judge: which NaN a datapath that propagates gives is seldom its point.
TEST_F(Dpi, JudgesNanAsTheScoreboardDoes) {
  const Words infinity = packed({0x7c00}, 16), zero = packed({0}, 16);
  open_wgmma();  // gives one NaN only
  for (int i = 0; i < 2; ++i) expect(infinity, zero, 0);
  EXPECT_EQ(check(0x7fffffff), 1) << error();
  EXPECT_EQ(check(0x7fc00000), 0);

  const fs::path file = scratch_.path() / "propagates.yaml";
  std::ofstream(file) << "name: propagates\nlike: fused_f25\nnan: propagate\nk: 16\n"
                         "operands: {a: f16, b: f16, c: f32, d: f32}\n";
  open(file.string(), 16, 16, 32);
  ASSERT_EQ(errors(), 0) << error();
  for (int i = 0; i < 2; ++i) expect(infinity, zero, 0);
  EXPECT_EQ(check(0x7fc01234), 1) << error();
  EXPECT_EQ(check(0x7f800000), 0) << "infinity is none";
}

TEST_F(Dpi, Computes) {
  open_wgmma();
  const Words a = packed({0x3c00}, 16), c = element(0xbf7fffff);
  Words d = element(0);
  EXPECT_EQ(assay_dpi_compute(unit_.get(), a.data(), a.data(), c.data(), d.data()), 1);
  EXPECT_EQ(d[0].aval, 0x33800000u);
  EXPECT_EQ(d[0].bval | d[1].aval | d[1].bval, 0u);
  EXPECT_EQ(assay_dpi_compute(unit_.get(), with_unknown(a).data(), a.data(), c.data(), d.data()), 0);
  EXPECT_EQ(d[0].aval & d[0].bval & d[1].aval & d[1].bval, ~0u) << "d is all x";
}

TEST_F(Dpi, TakesElementsOfEightBytes) {
  open("ampere:mma.m8n8k4.f64.f64.f64.f64", 4, 64, 64);
  const Words a = packed({0, 0, 0, 0x4000000000000000}, 64), b = packed({0, 0, 0, 0x4008000000000000}, 64);
  EXPECT_EQ(expect(a, b, 0x3ff0000000000000), 1) << error();
  EXPECT_EQ(check(0x401c000000000000), 1) << error();
}

TEST_F(Dpi, TakesOperandsThatLieAcrossWordsAndADatapathFile) {
  const fs::path folder = scratch_.path() / "assay dpi's";
  fs::create_directories(folder);
  const std::string file = folder / "six.yaml";
  std::ofstream(file) << "name: six\nlike: fused_f25\nk: 8\noperands: {a: e3m2, b: e3m2, c: f32, d: f32}\n";
  open(file, 8, 6, 32);
  ASSERT_EQ(errors(), 0) << error();
  // 1 x 1 in element 5, which lies in bits 35 to 30.
  EXPECT_EQ(expect(packed({0, 0, 0, 0, 0, 0x0c}, 6), packed({0, 0, 0, 0, 0, 0x0c}, 6), 0), 1) << error();
  EXPECT_EQ(check(0), 0);
  EXPECT_NE(error().find("expected 3f800000. "), std::string::npos) << error();
  EXPECT_NE(error().find("assay dpi'\\''s/six.yaml' --a 00,00,00,00,00,0c --b "), std::string::npos) << error();
  EXPECT_NE(error().find("assay explain --datapath '/"), std::string::npos) << error();
}

constexpr const char* scaled = "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0";

TEST_F(Dpi, TakesScales) {
  open(scaled, 32, 8, 32);
  ASSERT_EQ(errors(), 0) << error();
  EXPECT_EQ(scales(packed({0x80}, 8), packed({0x7f}, 8)), 1) << error();
  EXPECT_EQ(expect(packed({0x38}, 8), packed({0x38}, 8), 0), 1) << error();  // 1 x 1 x 2
  EXPECT_EQ(check(0x40000000), 1) << error();
  expect(packed({0x38}, 8), packed({0x38}, 8), 0);
  EXPECT_EQ(check(0), 0);
  EXPECT_NE(error().find(" --scale-a 80 --scale-b 7f"), std::string::npos) << error();
}

constexpr const char* weights =
    "name: weights\nk: 4\n"
    "operands: {a: f16, b: i16, c: f32, d: f32, zero_b: {format: i4, block: 2}, scales: {s: {of: b, format: f16, at: "
    "product}}}\n"
    "specials: step\n"
    "adders: [{name: sum, add: {product: exact, acc: {keep: 30, cut: toward_zero}}, result: [{format: d, cut: "
    "nearest_even}]}]\n";

class DpiOperands : public Dpi {
 protected:
  void SetUp() override {
    std::ofstream(file_) << weights;
    open(file_, 4, 16, 32);
    ASSERT_EQ(errors(), 0) << error();
  }
  int give(const char* name, const Words& codes) { return assay_dpi_operand(unit_.get(), name, codes.data()); }

  const std::string file_ = scratch_ / "weights.yaml";
};

// 1 x (3 - 1) + 2 x (5 - -8), times 0.5; then times 2 with the zero points as they were.
TEST_F(DpiOperands, StayUntilTheyAreGivenAgain) {
  const Words a = packed({0x3c00, 0, 0x4000, 0}, 16), b = packed({3, 0, 5, 0}, 16);
  EXPECT_EQ(give("s", packed({0x3800}, 16)), 1) << error();
  EXPECT_EQ(give("zero_b", packed({0x1, 0x8}, 4)), 1) << error();
  EXPECT_EQ(expect(a, b, 0), 1) << error();
  EXPECT_EQ(give("s", packed({0x4000}, 16)), 1) << error();
  EXPECT_EQ(expect(a, b, 0), 1) << error();
  EXPECT_EQ(check(0x41600000), 1) << error();  // 14
  EXPECT_EQ(check(0x42600000), 1) << error();  // 56
  expect(a, b, 0);
  EXPECT_EQ(check(0), 0);
  EXPECT_NE(error().find(" --operand zero_b=1,8"), std::string::npos) << error();
}

TEST_F(DpiOperands, AreMissedByName) {
  EXPECT_EQ(expect_small(0), 0);
  EXPECT_EQ(error(), file_ + " takes s, too; call assay_dpi_operand with this name first.");
}

TEST_F(DpiOperands, OfAnotherNameAreRefused) {
  EXPECT_EQ(give("zero_a", packed({0}, 4)), 0);
  EXPECT_EQ(error(), file_ + " has no further operand zero_a; it has s, zero_b.");
  open_wgmma();
  EXPECT_EQ(give("s", packed({0}, 4)), 0);
  EXPECT_EQ(error(), wgmma + " has no further operand s; do not call assay_dpi_operand for it.");
}

TEST_F(DpiOperands, WithBitsAboveThemAreRefused) {
  EXPECT_EQ(give("zero_b", packed({0, 0, 1}, 4)), 0);
  EXPECT_EQ(error(), "zero_b has bits set above its 2 x 4; a signed or wider vector must be cut to that width.");
}

TEST_F(DpiOperands, MasksThatBreakTheirPatternAreRefused) {
  std::ofstream(file_) << "name: sparse\nlike: fused_f25\nk: 4\n"
                          "operands: {a: f16, b: f16, c: f32, d: f32, mask: {take: 2, among: 4}}\n";
  open(file_, 4, 16, 32);
  const Words a = packed({0x3c00, 0x7e00, 0x7c00, 0x4000}, 16), ones = packed({0x3c00, 0x3c00, 0x3c00, 0x3c00}, 16);
  EXPECT_EQ(give("mask", packed({1, 0, 0, 1}, 1)), 1) << error();
  EXPECT_EQ(expect(a, ones, 0), 1) << error();
  EXPECT_EQ(check(0x40400000), 1) << error();
  EXPECT_EQ(give("mask", packed({1, 0, 0, 0}, 1)), 0);
  EXPECT_EQ(error(), file_ + ": mask[0] to [3] has 1 bit on; of each 4 neighbours exactly 2 are on here.");
}

// --- wrong use: a sentence, and no crash ---

TEST_F(Dpi, RefusesAnUnknownInstruction) {
  open("hopper:none", 16, 16, 32);
  EXPECT_NE(error().find("There is no instruction 'none'"), std::string::npos) << error();
  EXPECT_EQ(expect_small(0), 0);
  EXPECT_EQ(check(0), 0);
  EXPECT_EQ(finish(), 1);
  EXPECT_NE(summary().find("hopper:none: 0 results checked, 1 error: There is no instruction"), std::string::npos);
}

TEST_F(Dpi, RefusesADatapathFileThatIsNotThere) {
  open("none.yaml", 16, 16, 32);
  EXPECT_NE(error().find("none.yaml"), std::string::npos) << error();
  EXPECT_EQ(errors(), 1);
}

TEST_F(Dpi, RefusesAShapeThatIsNotTheUnits) {
  open(wgmma, 8, 16, 32);
  EXPECT_EQ(error(), "The testbench takes " + wgmma + " for one with k = 8; it has k = 16.");
  open(wgmma, 16, 8, 32);
  EXPECT_EQ(error(), "The testbench takes " + wgmma + " for one with a_bits = 8; it has a_bits = 16.");
  open(wgmma, 16, 16, 16);
  EXPECT_EQ(error(), "The testbench takes " + wgmma + " for one with c_bits = 16; it has c_bits = 32.");
  EXPECT_EQ(expect_small(0), 0);
}

TEST_F(Dpi, RefusesVectorsLongerThanThePackageTakes) {
  const fs::path file = scratch_.path() / "long.yaml";
  std::ofstream(file) << "name: long\nlike: fused_f25\nk: 512\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
  open(file, 512, 16, 32);
  EXPECT_EQ(error(), "a of " + file.string() +
                         " has 512 x 16 bits; assay_dpi_pkg takes at most 4096 in a vector: call the C interface, "
                         "assay.h, for longer ones.");
}

TEST_F(Dpi, RefusesUnknownOperandsAndKeepsStep) {
  open_wgmma();
  EXPECT_EQ(expect(packed({0x3c00}, 16), with_unknown(packed({0x3c00}, 16)), 0), 0);
  EXPECT_EQ(expect_small(0xbf7fffff), 1);
  EXPECT_EQ(error(), "b has unknown bits (x or z); the model takes 0 and 1 only.");
  EXPECT_EQ(check(0), 0) << "cannot be judged";
  EXPECT_EQ(check(0x33800000), 1) << "belongs to the second operands";
  EXPECT_EQ(finish(), 2);
}

TEST_F(Dpi, RefusesBitsAboveAnOperand) {
  open_wgmma();
  EXPECT_EQ(expect_small(0xffffffff80000000), 0);
  EXPECT_EQ(error(), "c has bits set above its 1 x 32; a signed or wider vector must be cut to that width.");
  open_wgmma();
  EXPECT_EQ(expect(packed(std::vector<std::uint64_t>(17, 1), 16), packed({}, 16), 0), 0);
  EXPECT_EQ(error(), "a has bits set above its 16 x 16; a signed or wider vector must be cut to that width.");
}

TEST_F(Dpi, RefusesScalesWhereThereAreNoneAndMissesThemWhereThereAreSome) {
  open_wgmma();
  EXPECT_EQ(scales(packed({0x7f}, 8), packed({0x7f}, 8)), 0);
  EXPECT_EQ(error(), wgmma + " has no scales; do not call assay_dpi_scales for it.");
  open(scaled, 32, 8, 32);
  EXPECT_EQ(expect(packed({0x38}, 8), packed({0x38}, 8), 0), 0);
  EXPECT_EQ(error(), std::string(scaled) + " has 1 scale on each side; call assay_dpi_scales first.");
}

TEST_F(Dpi, AResultThatNothingWaitsForIsAnError) {
  open_wgmma();
  EXPECT_EQ(check(0x3f800000), 0);
  EXPECT_EQ(error(),
            "Result 1 of " + wgmma + " is d = 3f800000, but no operands wait for one: call assay_dpi_expect first.");
}

TEST_F(Dpi, AResultThatNeverCameIsAnError) {
  open_wgmma();
  expect_small(0);
  expect_small(0xbf7fffff);
  EXPECT_EQ(check(0x3f800000), 1);
  EXPECT_EQ(finish(), 1);
  EXPECT_EQ(error(), "1 result of " + wgmma + " never came; each assay_dpi_expect needs its assay_dpi_check.");
  EXPECT_EQ(finish(), 1) << "told once";
}

TEST_F(Dpi, NothingCheckedIsNoPass) {
  open_wgmma();
  EXPECT_EQ(finish(), 1);
  EXPECT_EQ(error(), "No result of " + wgmma + " was checked, which is no pass.");
}

TEST_F(Dpi, ANullHandleIsAnError) {
  EXPECT_EQ(expect_small(0), 0);
  EXPECT_EQ(check(0), 0);
  EXPECT_EQ(finish(), 1);
  EXPECT_EQ(assay_dpi_checked(nullptr), 0);
  EXPECT_EQ(summary(), "There is no unit: the handle is null; it must come from assay_dpi_open.");
}

}  // namespace
}  // namespace assay
