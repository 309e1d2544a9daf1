#include "tb/subject/command_line.hpp"

#include <gtest/gtest.h>

#include "tb/subject/subject.hpp"

namespace assay {
namespace {

TEST(ShellWord, SurvivesATerminal) {
  EXPECT_EQ(shell_word("a_b-c.yaml"), "a_b-c.yaml");
  EXPECT_EQ(shell_word("a b'c"), "'a b'\\''c'");
  EXPECT_EQ(shell_word("a\nb\x1b[1m'\\"), "$'a\\x0ab\\x1b[1m\\'\\\\'");
}

TEST(OperandOptions, LeaveOutZerosAtTheEnd) {
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = subject_of(catalogue, catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")).plan;
  Case one;
  one.a.resize(16), one.b.resize(16);
  one.a[0] = 0x3c00, one.a[2] = 0x1;
  one.c = 0xbf7fffff;
  EXPECT_EQ(operand_options(plan, one), "--a 3c00,0000,0001 --b 0000 --c bf7fffff");
}

// NF4 has zero at code 7, and -1 at code 0.
TEST(OperandOptions, LeaveOutTheCodeOfZeroAndNoOther) {
  const std::string text = "name: own\nlike: fused_f25\nk: 4\noperands: {a: nf4, b: f16, c: f32, d: f32}\n";
  const Plan plan = subject_of_text(shipped_catalogue(), text, "own.yaml").plan;
  Case one;
  one.b.resize(4);
  one.a = {2, 0, 7, 7};
  EXPECT_EQ(operand_options(plan, one), "--a 2,0 --b 0000 --c 00000000");
}

TEST(OperandOptions, NameTheScalesOfBothSides) {
  const Catalogue catalogue = shipped_catalogue();
  const std::string scaled = "blackwell:tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0";
  const Plan plan = subject_of(catalogue, catalogue.instruction(scaled)).plan;
  Case one;
  one.a.resize(64), one.b.resize(64), one.scale_a = {0x7f, 0x60}, one.scale_b = {0x80, 0};
  one.a[0] = 7;
  EXPECT_EQ(operand_options(plan, one), "--a 7 --b 0 --c 00000000 --scale-a 7f,60 --scale-b 80");
}

TEST(OperandOptions, NameWhatElseACaseBrings) {
  const Catalogue catalogue = shipped_catalogue();
  const std::string text =
      "name: own\nlike: fused_f25\nk: 4\n"
      "operands: {a: f16, b: f16, c: f32, d: f32, scales: {tensor: {of: b, format: f32, at: product}}}\n"
      "factors: {a: {round: {format: f16, cut: stochastic_a, random_bits: 6}}}\n";
  const Plan plan = subject_of_text(catalogue, text, "own.yaml").plan;
  Case one;
  one.a.resize(4), one.b.resize(4), one.more = {0x3f800000, 1, 0x2a, 0, 0};
  EXPECT_EQ(operand_options(plan, one),
            "--a 0000 --b 0000 --c 00000000 --operand tensor=3f800000 --operand random=01,2a");
}

TEST(CaseOptions, NameTheElementOfAMatrix) {
  Case one;
  one.number = 3;
  EXPECT_EQ(case_options(one), "--case 3");
  one.element = Element{};
  one.element->row = 0, one.element->column = 7;
  EXPECT_EQ(case_options(one), "--case 3 --element 0,7");
}

}  // namespace
}  // namespace assay
