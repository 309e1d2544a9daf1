// The table and its reader: what it holds, and every way a row can be wrong.
#include <gtest/gtest.h>

#include <sstream>

#include "tb/tests/oracle/rows.hpp"

namespace assay::exact {
namespace {

const std::string header =
    "architecture,name,sass,m,n,k,blocks,a,b,c,d,scale,scale_block,algorithm,terms_per_step,fraction_bits,"
    "exponent_floor,output_fraction_bits,evidence\n";

const std::string good = "p,i,S,16,8:256:8,16,1,f16,f16,f32,f32,,,fda,16,25,-133,23,paper\n";

std::vector<Instruction> read(const std::string& text) {
  std::istringstream stream(text);
  return read_instructions(stream, "t.csv");
}

std::string complaint(const std::string& text) {
  try {
    read(text);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "no complaint";
}

std::string complaint_of_row(const std::string& row) { return complaint(header + row + "\n"); }

// good with one field, counted from 0, replaced.
std::string good_but(std::size_t column, const std::string& value) {
  std::istringstream stream(good.substr(0, good.size() - 1));
  std::string result, field;
  for (std::size_t i = 0; std::getline(stream, field, ','); ++i) {
    result += (i == 0 ? "" : ",") + (i == column ? value : field);
  }
  return result;
}

TEST(InstructionTable, HasEveryRowOfTheNumericsAndTheHostsOwn) {
  std::size_t host = 0, draft = 0, power = 0, arm = 0, simulated = 0, riscv = 0, rdna = 0, sparse = 0, integers = 0,
              directed = 0, fp8_of_16 = 0;
  for (const Instruction& i : table()) {
    host += i.architecture == "x86" ? 1 : 0;
    draft += i.algorithm == Algorithm::projected ? 1 : 0;
    power += i.architecture == "power10" ? 1 : 0;
    arm += i.architecture == "arm" ? 1 : 0;
    simulated += i.algorithm >= Algorithm::grouped_nearest && i.algorithm <= Algorithm::sfma_flush ? 1 : 0;
    riscv += i.architecture == "riscv" ? 1 : 0;
    rdna += i.architecture == "rdna3" ? 1 : 0;
    sparse += i.has(Extra::sparse) ? 1 : 0;
    const bool nvidia = i.name.find("mma.m") != std::string::npos;
    integers += nvidia && i.d.name == "i32" && !i.has(Extra::sparse) ? 1 : 0;
    directed += i.modes.direction != Direction::nearest ? 1 : 0;
    fp8_of_16 += i.algorithm == Algorithm::emulated_fp8 && i.terms_per_step == 8 ? 1 : 0;
  }
  EXPECT_EQ(host, 7u);
  EXPECT_EQ(draft, 69u);
  EXPECT_EQ(power, 2u * 29u);
  EXPECT_EQ(arm, 59u);
  EXPECT_EQ(simulated, 75u);
  EXPECT_EQ(riscv, 31u);
  EXPECT_EQ(rdna, 8u);
  EXPECT_EQ(sparse, 164u);
  EXPECT_EQ(integers, 16u + 16u + 56u + 4u * 48u);  // tcgen05, Turing, Hopper, each of the others
  EXPECT_EQ(directed, 12u + 4u * 3u);
  EXPECT_EQ(fp8_of_16, 2u * 8u);
  const std::size_t others = host + draft + power + arm + simulated + riscv + rdna + sparse + integers;
  EXPECT_EQ(table().size() - others - directed - fp8_of_16, 405u);
}

TEST(InstructionTable, KeepsEveryColumnThatTheArithmeticNeeds) {
  const Instruction& i = row("rtx_blackwell", "mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3");
  EXPECT_EQ(i.m, 16);
  EXPECT_EQ(i.n, "8");
  EXPECT_EQ(i.k, 64);
  EXPECT_EQ(i.a.name + i.b.name + i.c.name + i.d.name, "e2m1e2m1f32f32");
  ASSERT_TRUE(i.scale);
  EXPECT_EQ(i.scale->name, "ue4m3");
  EXPECT_EQ(i.scale_block, 16);
  EXPECT_EQ(i.scales(), 4);
  EXPECT_EQ(i.algorithm, Algorithm::gdfs);
  EXPECT_EQ(i.terms_per_step, 64);
  EXPECT_EQ(i.fraction_bits, 35);
  EXPECT_EQ(i.exponent_floor, -139);
  EXPECT_EQ(i.output_fraction_bits, 23);
  EXPECT_EQ(i.evidence, "paper");
  EXPECT_EQ(row("hopper", "wgmma.m64nNk16.f32.f16.f16").n, "8:256:8");
  EXPECT_EQ(row("cdna1", "v_mfma_f32_32x32x1f32").exponent_floor, std::nullopt);
}

TEST(InstructionTable, EveryRowRuns) {
  for (const Instruction& i : table()) {
    OracleOperands zeros = padded(i, {}, {}, 0);
    zeros.scale_a.resize(static_cast<std::size_t>(i.scales()));
    zeros.scale_b.resize(static_cast<std::size_t>(i.scales()));
    if (i.takes_mask()) zeros.mask.assign(zeros.a.size(), 1);
    const bool turns = i.form == Form::np || i.form == Form::nn || i.form == Form::minus;
    const Code minus_zero = turns && !i.d.is_integer() ? i.d.sign_bit() : 0;
    const OracleResult d = oracle(i, zeros);
    EXPECT_TRUE(d == number(0) || d == number(minus_zero)) << title(i) << ": " << d;
  }
}

TEST(InstructionTable, FindsNothingByAWrongName) {
  EXPECT_EQ(find_instruction(table(), "hopper", "wgmma"), nullptr);
  EXPECT_EQ(find_instruction(table(), "wgmma", "hopper"), nullptr);
}

TEST(InstructionReader, TakesAGoodRow) { EXPECT_EQ(read(header + good).size(), 1u); }

TEST(InstructionReader, TakesEitherLineEnd) {
  const std::string text = header.substr(0, header.size() - 1) + "\r\n" + good.substr(0, good.size() - 1) + "\r\n";
  ASSERT_EQ(read(text).size(), 1u);
  EXPECT_EQ(read(text).front().evidence, "paper");
}

TEST(InstructionReader, SaysWhichFileCannotBeRead) {
  try {
    read_instructions("/nowhere/t.csv");
    FAIL() << "no complaint";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "/nowhere/t.csv: the instruction table cannot be read; it must be a readable CSV file.");
  }
}

TEST(InstructionReader, SaysThatTheFirstLineIsWrong) {
  EXPECT_EQ(complaint("architecture,name\n").find("t.csv:1: the first line is 'architecture,name'; it must be 'archi"),
            0u);
  EXPECT_EQ(complaint("").find("t.csv:1: the first line is ''; it must be"), 0u);
}

TEST(InstructionReader, SaysHowManyFieldsThereAre) {
  EXPECT_EQ(complaint_of_row("p,i"), "t.csv:2: there are 2 fields; there must be 19.");
}

TEST(InstructionReader, SaysWhichNumberIsNone) {
  EXPECT_EQ(complaint_of_row(good_but(3, "x")), "t.csv:2: column 'm' is 'x'; it must be an integer or empty.");
  EXPECT_EQ(complaint_of_row(good_but(16, "-1.5")),
            "t.csv:2: column 'exponent_floor' is '-1.5'; it must be an integer or empty.");
  EXPECT_EQ(complaint_of_row(good_but(5, "")), "t.csv:2: column 'k' is ''; it must be an integer greater than 0.");
  EXPECT_EQ(complaint_of_row(good_but(14, "-4")),
            "t.csv:2: column 'terms_per_step' is '-4'; it must be an integer greater than 0.");
  EXPECT_EQ(complaint_of_row(good_but(11, "ue8m0")),
            "t.csv:2: column 'scale_block' is ''; it must be an integer greater than 0.");
}

TEST(InstructionReader, SaysWhichFormatsThereAre) {
  EXPECT_EQ(complaint_of_row(good_but(7, "f17")),
            "t.csv:2: column 'a' is 'f17'; it must be one of " + names_of_formats() + ".");
  EXPECT_EQ(complaint_of_row(good_but(11, "f17")).find("t.csv:2: column 'scale' is 'f17'; it must be one of f64"), 0u);
}

TEST(InstructionReader, SaysWhichAlgorithmsThereAre) {
  EXPECT_EQ(complaint_of_row(good_but(13, "magic"))
                .find("t.csv:2: column 'algorithm' is 'magic'; it must be one of sfma, fda"),
            0u);
}

TEST(InstructionReader, SaysWhatMayFollowAnAlgorithm) {
  const std::string start = "t.csv:2: column 'algorithm' is ", stand = " may stand, each after a dot, ";
  EXPECT_EQ(complaint_of_row(good_but(13, "fda.minus")),
            start + "'fda.minus'; after fda" + stand + "mask, sparse and digits up to 9.");
  EXPECT_EQ(
      complaint_of_row("p,i,,1,1,1,1,f32,f32,f32,f32,,,power_fma.mm,1,,,,"),
      start + "'power_fma.mm'; after power_fma" + stand + "pn, np, nn, minus, alone, mask, sparse and digits up to 9.");
  EXPECT_EQ(complaint_of_row("p,i,,1,1,4,1,f64,f64,f64,f64,,,sfma.rn,1,,,52,"),
            start + "'sfma.rn'; after sfma" + stand + "rp, rm, rz, mask, sparse and digits up to 9.");
  EXPECT_EQ(complaint_of_row(good_but(13, "fda.rz")),
            start + "'fda.rz'; after fda" + stand + "mask, sparse and digits up to 9.");
  const std::string words = "phases and digits up to 3, minus_one, ones_filled, mask, sparse and digits up to 9.";
  for (const std::string name : {"phases04", "phases", "phases01230", "minus_one2", "minus", "tf32", ""}) {
    const std::string text = "grouped_nearest." + name;
    EXPECT_EQ(complaint_of_row(good_but(13, text)), start + "'" + text + "'; after grouped_nearest" + stand + words);
  }
  EXPECT_EQ(complaint_of_row(good_but(13, "dot_then_add.piecesx")),
            start + "'dot_then_add.piecesx'; after dot_then_add" + stand +
                "tf32, pieces and digits up to 9, idle and digits up to 9, shortcut, tiny_after, mask, sparse and "
                "digits up to 9.");
}

TEST(InstructionReader, SaysThatARowComesTwice) {
  EXPECT_EQ(complaint(header + good + good), "t.csv:3: p i is listed a second time; it must be listed once.");
}

TEST(InstructionReader, SaysWhatTheAlgorithmNeeds) {
  const std::vector<std::pair<std::string, std::string>> wrong{
      {good_but(14, "5"), "k is 16 and terms_per_step 5; k must be a multiple of it."},
      {"p,i,,1,1,32,1,f16,f16,f32,f32,ue8m0,24,fda,32,25,-133,23,",
       "k is 32 and scale_block 24; k must be a multiple of it."},
      {good_but(15, ""), "algorithm fda needs fraction_bits, exponent_floor and output_fraction_bits."},
      {good_but(10, "f64"), "algorithm fda delivers f32 or f16."},
      {good_but(14, "8"), "algorithm fda is one step; terms_per_step must be k."},
      {"p,i,,1,1,16,1,f16,f16,f32,f32,,,cofda,8,,,23,",
       "algorithm cofda needs fraction_bits, exponent_floor and output_fraction_bits."},
      {"p,i,,1,1,32,1,e4m3,e4m3,f32,f32,,,emulated_fp8,32,25,-133,23,",
       "algorithm emulated_fp8 takes two steps: k must be twice terms_per_step."},
      {"p,i,,1,1,32,1,e4m3,e4m3,f32,f32,,,emulated_fp8,16,25,,23,",
       "algorithm emulated_fp8 needs fraction_bits, exponent_floor and output_fraction_bits."},
      {"p,i,,1,1,32,1,e4m3,e4m3,f64,f64,,,emulated_fp8,16,25,-133,23,", "algorithm emulated_fp8 delivers f32 or f16."},
      {"p,i,,1,1,64,1,e2m1,e2m1,f16,f16,ue8m0,16,gdfs,64,35,-139,10,", "algorithm gdfs needs f32 for c and d."},
      {"p,i,,1,1,64,1,e2m1,e2m1,f32,f32,,,gdfs,64,35,-139,23,",
       "algorithm gdfs needs scales, k and scale_block in sixteens."},
      {"p,i,,1,1,4,1,f16,f16,f32,f32,,,fdrda,4,,,23,", "algorithm fdrda needs fraction_bits."},
      {"p,i,,1,1,8,1,f16,f16,f32,f32,,,fdrda,4,24,,23,", "algorithm fdrda is one step; terms_per_step must be k."},
      {"p,i,,1,1,8,1,f16,f16,f32,f32,,,gfdrda,4,24,,23,", "algorithm gfdrda is one step; terms_per_step must be k."},
      {"p,i,,1,1,8,1,f16,f16,f16,f16,,,cofdrda,4,24,,23,", "algorithm cofdrda needs f32 for c and d."},
      {"p,i,,1,1,8,1,f16,f16,f16,f16,,,cogfdrda,4,24,,23,", "algorithm cogfdrda needs f32 for c and d."},
      {"p,i,,1,1,8,1,f16,f16,f32,f32,,,gps,8,,,23,",
       "algorithm gps adds in pairs or fours: terms_per_step must be 2 or 4."},
      {"p,i,,1,1,8,1,f16,f16,f16,f16,,,gps,4,,,10,", "algorithm gps needs f32 for c and d."},
      {"p,i,,1,1,8,1,bf16,bf16,f32,f32,,,riscv_bulk,8,,,,", "algorithm riscv_bulk needs fraction_bits."},
      {"p,i,,1,1,8,1,f16,f16,f16,f16,,,riscv_bulk,8,26,,,", "algorithm riscv_bulk needs f32 for c and d."},
      {"p,i,,1,1,2,1,f16,f16,f32,f32,,,riscv_fma,2,,,,", "algorithm riscv_fma needs a k of 1."},
      {"p,i,,1,1,3,1,bf16,bf16,f32,f32,,,x86_amx_bf16,1,,,23,", "algorithm x86_amx_bf16 needs an even k."},
      {"p,i,,1,1,3,1,f16,f16,f32,f32,,,x86_amx_f16,1,,,23,", "algorithm x86_amx_f16 needs an even k."},
      {"p,i,,1,1,4,1,bf16,bf16,f32,f32,,,x86_avx512_bf16,1,,,23,", "algorithm x86_avx512_bf16 needs a k of 2."},
      {"p,i,,1,1,4,1,f32,f32,f32,f64,,,sfma,1,,,23,", "algorithm sfma needs one IEEE format for c and d."},
      {"p,i,,1,1,4,1,f16,f16,i32,i32,,,exact,4,,,23,", "algorithm exact needs one IEEE format for c and d."},
      {"p,i,,1,1,4,1,i8,i8,f32,i32,,,integer,4,,,,", "algorithm integer needs integer formats."},
      {"p,i,,1,1,16,1,f16,f16,f32,f32,,,grouped_nearest,16,23,-127,23,",
       "algorithm grouped_nearest needs its phases, as in phases01."},
      {"p,i,,1,1,16,1,f16,f16,f32,f32,,,grouped_nearest.phases0,16,23,,23,",
       "algorithm grouped_nearest needs fraction_bits, exponent_floor and output_fraction_bits."},
      {"p,i,,1,1,8,1,f16,f16,f32,f32,,,grouped_nearest.phases0,8,23,-127,23,",
       "algorithm grouped_nearest adds two groups of eight: k must be 16."},
      {"p,i,,1,1,16,1,f16,f32,f32,f32,,,grouped_nearest.phases0,16,23,-127,23,",
       "algorithm grouped_nearest takes operands of at most 11 significant bits."},
      {"p,i,,1,1,16,1,f16,f16,f16,f32,,,grouped_nearest.phases0,16,23,-127,23,",
       "algorithm grouped_nearest needs one of f32, bf16 and f16 for c and d."},
      {"p,i,,1,1,16,1,f16,bf16,f32,f32,,,grouped_nearest.phases0,16,23,-127,23,",
       "algorithm grouped_nearest takes f16 and FP8 onto f32 or f16, bf16 and tf32 onto f32 or bf16."},
      {"p,i,,1,1,16,1,bf16,bf16,f16,f16,,,grouped_nearest.phases0,16,10,-15,10,",
       "algorithm grouped_nearest takes f16 and FP8 onto f32 or f16, bf16 and tf32 onto f32 or bf16."},
      {"p,i,,1,1,16,1,i8,i8,i32,i32,,,integer_magnitudes,16,,,,",
       "algorithm integer_magnitudes needs its phases, as in phases01."},
      {"p,i,,1,1,16,1,i8,i16,i32,i32,,,integer_magnitudes.phases0,16,,,,",
       "algorithm integer_magnitudes takes operands of at most 8 bits."},
      {"p,i,,1,1,16,1,i8,i8,i32,f32,,,integer_magnitudes.phases0,16,,,,",
       "algorithm integer_magnitudes needs integer formats."},
      {"p,i,,1,1,2,1,f16,f16,f32,f32,,,fda_plus_zero.pieces0,2,24,-132,23,",
       "algorithm fda_plus_zero cuts operands into pieces of at least 1 bit."},
      {"p,i,,1,1,2,1,f16,f16,f32,f32,,,fda_plus_zero,2,24,,23,",
       "algorithm fda_plus_zero needs fraction_bits, exponent_floor and output_fraction_bits."},
      {"p,i,,1,1,2,1,f16,f16,f16,f16,,,fda_plus_zero,2,24,-132,23,", "algorithm fda_plus_zero needs f32 for c and d."},
      {"p,i,,1,1,2,1,f16,f16,f32,f32,,,dot_then_add,2,,,23,", "algorithm dot_then_add needs fraction_bits."},
      {"p,i,,1,1,2,1,f16,f16,f32,f16,,,dot_then_add,2,46,,23,", "algorithm dot_then_add needs f32 for c and d."},
      {"p,i,,1,1,1,1,f16,f16,f16,f16,,,sfma_flush,1,,,23,", "algorithm sfma_flush needs f32 for c and d."},
      {"p,i,,1,1,4,1,f16,f16,f32,f32,ue8m0,4,gps,4,,,23,",
       "algorithm gps takes no scales; fda, gdfs and projected do."},
  };
  for (const auto& [text, sentence] : wrong) EXPECT_EQ(complaint_of_row(text), "t.csv:2: " + sentence) << text;
}

std::string complaint_of(const Instruction& instruction, const OracleOperands& operands) {
  try {
    oracle(instruction, operands);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no complaint";
}

TEST(OracleOperandsCheck, SaysWhichOperandDoesNotFit) {
  const Instruction& plain = row("volta", "mma.m8n8k4.f32.f16.f16.f32");
  const std::string name = "volta mma.m8n8k4.f32.f16.f16.f32: ";
  EXPECT_EQ(complaint_of(plain, {{0}, {0, 0, 0, 0}, 0, {}, {}}), name + "operand a has 1 codes; it must have 4.");
  EXPECT_EQ(complaint_of(plain, {{0, 0, 0, 0}, {}, 0, {}, {}}), name + "operand b has 0 codes; it must have 4.");
  EXPECT_EQ(complaint_of(plain, {{0, 0, 0, 0}, {0, 0, 0, 0}, 0, {0x7f}, {}}),
            name + "operand scale_a has 1 codes; it must have 0.");
  EXPECT_EQ(complaint_of(plain, padded(plain, {0x13c00}, {}, 0)),
            name + "operand a has the code 13c00; f16 has 16 bits.");
  EXPECT_EQ(complaint_of(plain, padded(plain, {}, {}, 0x100000000)),
            name + "operand c has the code 100000000; f32 has 32 bits.");
  const Instruction& scaled = row("rtx_blackwell", "mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0");
  OracleOperands operands = padded(scaled, {}, {}, 0);
  operands.scale_a = {0x7f};
  EXPECT_EQ(complaint_of(scaled, operands), title(scaled) + ": operand scale_b has 0 codes; it must have 1.");
  operands.scale_b = {0x17f};
  EXPECT_EQ(complaint_of(scaled, operands), title(scaled) + ": operand scale_b has the code 17f; ue8m0 has 8 bits.");
}

TEST(OracleOperandsCheck, SaysThatAnInstructionMadeByHandIsIncomplete) {
  Instruction incomplete = row("volta", "mma.m8n8k4.f32.f16.f16.f32");
  incomplete.exponent_floor.reset();
  EXPECT_EQ(
      complaint_of(incomplete, padded(incomplete, {}, {}, 0)),
      "volta mma.m8n8k4.f32.f16.f16.f32: algorithm fda needs fraction_bits, exponent_floor and output_fraction_bits.");
}

}  // namespace
}  // namespace assay::exact
