// assay layout: the picture, the JSON and what it says where there is nothing to draw.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

const std::string ampere_mma = "mma.m16n8k16.f32.f16.f16.f32";

TEST(CliLayout, DrawsTheRegistersOfEachLane) {
  const Ran ran = run({"layout", "ampere", ampere_mma, "--operand", "a"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(ran.out.substr(0, ran.out.find("     2  ")),
            "ampere:mma.m16n8k16.f32.f16.f16.f32\n"
            "ROW,COLUMN of the elements of each word, from bit 0 up\n\n"
            "a: 16 x 16 f16, 4 registers of 32 bits in each of 32 lanes\n\n"
            "  lane  reg 0      reg 1      reg 2      reg 3\n"
            "     0  0,0..1     8,0..1     0,8..9     8,8..9\n"
            "     1  0,2..3     8,2..3     0,10..11   8,10..11\n");
  EXPECT_NE(ran.out.find("    31  7,6..7     15,6..7    7,14..15   15,14..15\n"), std::string::npos) << ran.out;
}

TEST(CliLayout, DrawsEveryOperandOnPagesOf100Columns) {
  for (const auto& [architecture, instruction] : std::vector<std::pair<std::string, std::string>>{
           {"turing", "mma.m8n8k4.f32.f16.f16.f32"},
           {"hopper", "wgmma.m64nNk32.f32.e4m3.e4m3"},
           {"blackwell", "tcgen05.mma.m64nNk16.f32.f16.f16"},
           {"blackwell", "tcgen05.mma.m128nNk32.block32.f32.e4m3.e2m1.ue8m0"},
           {"sm_120a", "mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"},
           {"MI300X", "v_mfma_f32_32x32x4_2b_f16"}}) {
    const bool open = instruction.find("nNk") != std::string::npos;
    const Ran ran =
        open ? run({"layout", architecture, instruction, "--n", "64"}) : run({"layout", architecture, instruction});
    EXPECT_EQ(ran.status, passed) << ran.err;
    for (const char* operand : {"\na: ", "\nb: ", "\nc: ", "\nd: "}) {
      EXPECT_NE(ran.out.find(operand), std::string::npos) << instruction << operand;
    }
    std::istringstream lines(ran.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(CliLayout, APlaceThatNothingHasIsRefused) {
  const auto refused = [](const std::string& options) {
    const Ran ran = run(words("layout ampere " + ampere_mma + " " + options));
    EXPECT_EQ(ran.status, wrong_use) << options << ran.out;
    return ran.err;
  };
  const std::string name = "ampere:" + ampere_mma;
  EXPECT_EQ(refused("--operand a --lane 32"), "assay: --lane is 32, but a of " + name + " has lanes 0 to 31.\n");
  EXPECT_EQ(refused("--lane 64 --json"), "assay: --lane is 64, but the operands of " + name + " have lanes 0 to 31.\n");
  EXPECT_EQ(refused("--operand b --register 2"),
            "assay: --register is 2, but b of " + name + " has registers 0 to 1.\n");
  const std::string memory = "tcgen05.mma.m64nNk16.f32.f16.f16";
  EXPECT_NE(
      run(words("layout blackwell " + memory + " --operand d --n 64 --register 64")).err.find(" has columns 0 to "),
      std::string::npos);
  EXPECT_NE(run(words("layout blackwell " + memory + " --n 64 --register 1023")).err.find(" have words 0 to "),
            std::string::npos);
  for (const char* last : {"--operand a --lane 31", "--operand b --register 1", "--register 3"})
    EXPECT_EQ(run(words("layout ampere " + ampere_mma + " " + last)).status, passed) << last;
}

TEST(CliLayout, EitherHalfOfAnF64FeedsItsElement) {
  const std::string f64 = "layout cdna3 v_mfma_f64_4x4x4_4b_f64 --operand a --lane 0 --register ";
  const Ran low = run(words(f64 + "0")), high = run(words(f64 + "1"));
  EXPECT_NE(low.out.find("lane 0, regs 0..1: 0:0,0\n"), std::string::npos) << low.out;
  EXPECT_EQ(high.out, low.out);
}

TEST(CliLayout, SaysWhereTheBitsOfAShortElementAre) {
  const Ran ran = run({"layout", "sm_120a", "mma.m16n8k32.f32.e2m1.e3m2.f32", "--operand", "a"});
  EXPECT_NE(ran.out.find("; 4 bits from bit 2 of every 8\n"), std::string::npos) << ran.out;
}

TEST(CliLayout, ScalesInTensorMemory) {
  const Ran ran =
      run({"layout", "blackwell", "tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0", "--operand", "scale_a"});
  EXPECT_NE(
      ran.out.find("scale_a: 128 x 2 ue8m0, 4 columns of tensor memory in each of 32 lanes, and in the next 32 again\n"
                   "\n"
                   "  lane  col 0     col 1     col 2     col 3\n"
                   "     0  0,0..1    32,0..1   64,0..1   96,0..1\n"),
      std::string::npos)
      << ran.out;
}

TEST(CliLayout, JsonHasEveryElement) {
  const Ran ran = run({"layout", "MI300X", "v_mfma_f32_16x16x4_4b_f16", "--json"});
  const auto all = nlohmann::json::parse(ran.out);
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].at("elements").size(), 4U * 16 * 4);
  EXPECT_EQ(all[3].at("elements").size(), 4U * 16 * 16);
  // D[block 2][row 5][column 3]: register 4 * 2 + 1 of lane 3 + 16.
  for (const auto& e : all[3].at("elements")) {
    if (e.at("block") != 2 || e.at("row") != 5 || e.at("column") != 3) continue;
    EXPECT_EQ(e.at("lane"), 19);
    EXPECT_EQ(e.at("word"), 9);
    return;
  }
  FAIL() << "the element is missing";
}

TEST(CliLayout, SaysWhatItCannotDraw) {
  const Ran pairs = run({"layout", "x86", "vdpbf16ps"});
  EXPECT_EQ(pairs.status, cannot_here);
  EXPECT_NE(pairs.err.find("The operands of x86:vdpbf16ps do not live in registers that this command knows"),
            std::string::npos)
      << pairs.err;
}

// Bit 0 of a POWER register is its last: word 0 of the architecture's, of row 0, is our word 3.
TEST(CliLayout, DrawsNamedRegisters) {
  const Ran a = run({"layout", "power10", "xvf16ger2pp", "--operand", "a"});
  EXPECT_EQ(a.status, passed) << a.err;
  EXPECT_EQ(a.out,
            "power10:xvf16ger2pp\n"
            "ROW,COLUMN of the elements of each word, from bit 0 up\n\n"
            "a: 4 x 2 f16, 4 words of 32 bits in one VSR\n\n"
            "   VSR  word 0    word 1    word 2    word 3\n"
            "     0  3,1 3,0   2,1 2,0   1,1 1,0   0,1 0,0\n");
  const Ran d = run({"layout", "power10", "xvf64gerpp", "--operand", "d"});
  EXPECT_NE(d.out.find("d: 4 x 2 f64, 4 words of 32 bits in each of 4 VSRs; an element takes two\n"), std::string::npos)
      << d.out;
  EXPECT_EQ(run({"layout", "power10", "xvf16ger2pp", "--n", "8"}).err, "assay: --n is 8, but xvf16ger2pp has n = 4.\n");
}

// As programs for these units lay out their arrays in memory, whose first byte is bits 0 to 7 of a register.
TEST(CliLayout, NamedRegistersHoldArraysAsProgramsDo) {
  using Index = int (*)(int row, int column);  // in elements, in all registers together
  struct Array {
    const char *instruction, *operand;
    Index index;
  };
  for (const Array& array : std::vector<Array>{
           {"arm:bfmmla", "a", [](int row, int k) { return 4 * row + k; }},
           {"arm:bfmmla", "b", [](int k, int column) { return 4 * column + k; }},
           {"arm:bfmmla", "d", [](int row, int column) { return 2 * row + column; }},
           {"arm:smopa_i8i32", "a", [](int row, int k) { return 4 * row + k; }},
           {"arm:smopa_i8i32", "b", [](int k, int column) { return 4 * column + k; }},
           {"arm:smopa_i8i32", "d", [](int row, int column) { return 16 * row + column; }},
           {"x86:tdpbf16ps", "a", [](int row, int k) { return 32 * row + k; }},
           {"x86:tdpbf16ps", "b", [](int k, int column) { return 32 * (k / 2) + 2 * column + k % 2; }},
           {"x86:tdpbssd", "b", [](int k, int column) { return 64 * (k / 4) + 4 * column + k % 4; }},
           {"x86:tdpbssd", "d", [](int row, int column) { return 16 * row + column; }},
           {"power10:xvi8ger4pp", "a", [](int row, int k) { return 15 - (4 * row + k); }},
           {"power10:xvi8ger4pp", "b", [](int k, int column) { return 15 - (4 * column + k); }},
           {"power10:xvi8ger4pp", "d", [](int row, int column) { return 4 * row + 3 - column; }},
           {"power10:xvf64gerpp", "a", [](int row, int) { return row ^ 1; }},
           {"wormhole:mvmul.f16.f16.f16.lofi", "b", [](int k, int column) { return 16 * k + column; }},
       }) {
    const Ran ran = run({"layout", array.instruction, "--operand", array.operand, "--json"});
    ASSERT_EQ(ran.status, passed) << ran.err;
    const auto operand = nlohmann::json::parse(ran.out)[0];
    EXPECT_EQ(operand.at("in"), "named_registers");
    const int bits = operand.at("bits"), words = operand.at("words");
    for (const auto& e : operand.at("elements")) {
      const int bit = 32 * (words * e.at("lane").get<int>() + e.at("word").get<int>()) + e.at("bit").get<int>();
      EXPECT_EQ(bit, bits * array.index(e.at("row"), e.at("column"))) << array.instruction << " " << array.operand << e;
    }
  }
}

// Bits of D, as the heading has them, of an instruction whose name spells its n out.
TEST(CliLayout, DrawsAsManyColumnsAsTheNameSays) {
  const auto heading = [](const std::vector<std::string>& more) {
    std::vector<std::string> words{"layout", "hopper"};
    words.insert(words.end(), more.begin(), more.end());
    words.insert(words.end(), {"--operand", "d"});
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, passed) << ran.err;
    const std::size_t at = ran.out.find("\nd: ");
    return at == std::string::npos ? ran.out : ran.out.substr(at + 1, ran.out.find('\n', at + 1) - at - 1);
  };
  const std::string open = "d: 64 x 8 f32, 4 registers of 32 bits in each of 128 lanes";
  const std::string wide = "d: 64 x 128 f32, 64 registers of 32 bits in each of 128 lanes";
  EXPECT_EQ(heading({"wgmma.m64nNk16.f32.f16.f16"}), open);
  EXPECT_EQ(heading({"wgmma.m64nNk16.f32.f16.f16", "--n", "128"}), wide);
  EXPECT_EQ(heading({"wgmma.m64n128k16.f32.f16.f16"}), wide);
  EXPECT_EQ(heading({"wgmma.m64n128k16.f32.f16.f16", "--n", "128"}), wide);
  EXPECT_EQ(heading({"WGMMA.mma_async.sync.aligned.m64n128k16.f32.f16.f16"}), wide);
}

TEST(CliLayout, RefusesAnotherNThanTheNameSays) {
  const auto complaint = [](const std::string& architecture, const std::string& instruction, const std::string& n) {
    const Ran ran =
        n.empty() ? run({"layout", architecture, instruction}) : run({"layout", architecture, instruction, "--n", n});
    EXPECT_EQ(ran.status, wrong_use) << instruction;
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(complaint("hopper", "wgmma.m64n128k16.f32.f16.f16", "64"),
            "assay: --n is 64, but wgmma.m64n128k16.f32.f16.f16 has n = 128; leave one of them away.\n");
  EXPECT_EQ(complaint("ampere", ampere_mma, "64"), "assay: --n is 64, but " + ampere_mma + " has n = 8.\n");
  for (const char* n : {"7", "12", "264", "0"}) {
    const std::string name = "wgmma.m64n" + std::string(n) + "k16.f32.f16.f16";
    EXPECT_EQ(complaint("hopper", name, ""), "assay: There is no '" + name + "': n is " + n +
                                                 ", but hopper:wgmma.m64nNk16.f32.f16.f16 takes a multiple of 8 from 8 "
                                                 "to 256.\n");
  }
}

TEST(CliLayout, SaysWhyWhatItLeavesOutIsLeftOut) {
  for (const auto& [architecture, instruction] : std::vector<std::pair<std::string, std::string>>{
           {"cdna3", "v_smfmac_f32_16x16x32_f16"},
           {"cdna3", "V_SMFMAC_I32_32X32X32_I8"},
           {"blackwell", "tcgen05.mma.sp.cta_group::1.kind::f16.m128n64k32.f32.f16.f16"}}) {
    const Ran ran = run({"layout", architecture, instruction});
    EXPECT_EQ(ran.status, cannot_here) << instruction;
    EXPECT_EQ(ran.err.find("assay: '" + instruction + "' takes a sparse A: half of its elements"), 0U) << ran.err;
  }
  const Ran pair = run({"layout", "blackwell", "tcgen05.mma.cta_group::2.kind::f16.m128n64k16.f32.f16.f16"});
  EXPECT_EQ(pair.status, cannot_here);
  EXPECT_NE(pair.err.find("leave cta_group::2 away"), std::string::npos) << pair.err;
}

// Half of each row, and which of its neighbours each element is.
TEST(CliLayout, DrawsASparseAWithItsIndices) {
  const Ran a = run({"layout", "hopper", "mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "--operand", "a"});
  ASSERT_EQ(a.status, passed) << a.err;
  EXPECT_NE(a.out.find("a: 16 x 16 f16, half of each row, 4 registers of 32 bits in each of 32 lanes"),
            std::string::npos)
      << a.out;
  const Ran indices = run({"layout", "hopper", "mma.sp.m16n8k64.s32.s8.s8.s32", "--operand", "indices", "--lane", "3"});
  ASSERT_EQ(indices.status, passed) << indices.err;
  EXPECT_NE(indices.out.find("lane 3, reg 0, bits 30..31: 8,31\n"), std::string::npos) << indices.out;
  EXPECT_EQ(run({"layout", "hopper", "wgmma.m64n8k16.f32.f16.f16", "--operand", "indices"}).status, wrong_use);
}

TEST(CliLayout, RefusesWrongUse) {
  const Ran columns = run({"layout", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--n", "12"});
  EXPECT_EQ(columns.status, wrong_use);
  EXPECT_NE(columns.err.find("--n is 12, but wgmma.m64nNk16.f32.f16.f16 takes a multiple of 8 from 8 to 256."),
            std::string::npos)
      << columns.err;
  const Ran scale = run({"layout", "ampere", ampere_mma, "--operand", "scale_a"});
  EXPECT_EQ(scale.status, wrong_use);
  EXPECT_NE(scale.err.find("ampere:mma.m16n8k16.f32.f16.f16.f32 has no operand scale_a."), std::string::npos)
      << scale.err;
  EXPECT_EQ(run({"layout", "ampere", ampere_mma, "--operand", "e"}).status, wrong_use);
}

}  // namespace
}  // namespace assay
