#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "model/config/describe.hpp"
#include "model/config/home.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::vector<std::string> fields(std::string line) {
  if (!line.empty() && line.back() == '\r') line.pop_back();
  std::vector<std::string> all;
  std::stringstream in(line);
  for (std::string field; std::getline(in, field, ',');) all.push_back(field);
  all.resize(19);
  return all;
}

std::string row_of(const Instruction& i) {
  const std::string block = i.operands.scale.empty() ? "" : std::to_string(i.operands.scale_block);
  std::string row;
  for (const std::string& field :
       {i.architecture, i.name, i.sass, std::to_string(i.m), i.n, std::to_string(i.k), std::to_string(i.blocks),
        i.operands.a, i.operands.b, i.operands.c, i.operands.d, i.operands.scale, block, i.evidence}) {
    row += field + "|";
  }
  return row;
}

// As a row of the table has it behind its algorithm: "fda.sparse24", "power_pair.pn.mask".
std::string mask_of(const Instruction& i) {
  const std::optional<Mask>& mask = i.operands.mask;
  if (!mask) return "";
  return mask->has_pattern() ? ".sparse" + std::to_string(*mask->take) + std::to_string(*mask->among) : ".mask";
}

std::string mask_of(const std::string& algorithm) {
  const std::size_t at = std::min(algorithm.find(".sparse"), algorithm.find(".mask"));
  return at == std::string::npos ? "" : algorithm.substr(at);
}

// The oracle's table was written apart from configs/arch.
TEST(Catalogue, EqualsTheOraclesTableFieldByField) {
  std::ifstream table(home() + "/tb/oracle/instructions.csv");
  std::string line;
  std::getline(table, line);
  int rows = 0;
  while (std::getline(table, line)) {
    const std::vector<std::string> f = fields(line);
    if (f[0].empty() || f[0][0] == '#' || f[0] == "x86") continue;
    std::string row;
    for (int i = 0; i < 13; ++i) row += f[static_cast<std::size_t>(i)] + "|";
    const Instruction& own = catalogue().instruction(f[0], f[1]);
    EXPECT_EQ(row_of(own), row + f[18] + "|");
    EXPECT_EQ(mask_of(own), mask_of(f[13])) << f[1];
    ++rows;
  }
  EXPECT_EQ(rows, 1189);
}

TEST(Catalogue, EveryInstructionHasAPlanAndAPicture) {
  int count = 0;
  for (const Architecture& a : catalogue().architectures()) {
    for (const Instruction& i : a.instructions) {
      const Plan p = catalogue().plan_of(i);
      EXPECT_EQ(p.k, i.k);
      EXPECT_NE(describe_plan(p).find("\nencode"), std::string::npos) << i.name;
      EXPECT_NE(describe_instruction(i).find(i.evidence), std::string::npos);
      ++count;
    }
  }
  EXPECT_EQ(count, 1196);
}

TEST(Catalogue, EveryDatapathIsUsedOrAnExample) {
  std::set<std::string> used{"pair_sum_coarse", "ieee_halves", "level_scaled_exact"};
  for (const Architecture& a : catalogue().architectures()) {
    for (const Instruction& i : a.instructions) used.insert(i.datapath);
  }
  for (const std::string& name : catalogue().datapath_names()) {
    const bool earlier_revision = name.find("_revision1") != std::string::npos;
    EXPECT_TRUE(earlier_revision || used.count(name) == 1 || name == "fused_f24" || name == "fused_f24_f16") << name;
  }
}

struct Spelling {
  std::string asked, found;
};

class Spellings : public ::testing::TestWithParam<Spelling> {};

TEST_P(Spellings, FindTheSameInstruction) {
  EXPECT_EQ(catalogue().instruction(GetParam().asked).full_name(), GetParam().found);
}

INSTANTIATE_TEST_SUITE_P(
    All, Spellings,
    ::testing::Values(
        Spelling{"hopper:wgmma.m64nNk16.f32.f16.f16", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"H100:WGMMA.m64n128k16.f32.f16.f16", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"sm_90a:wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"SM_90:HGMMA.64xNx16.F32", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"a100:mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "ampere:mma.m16n8k16.f32.f16.f16.f32"},
        Spelling{"sm_120a:mma.sync.aligned.m16n8k64.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X.f32.e2m1.e2m1.f32."
                 "ue4m3",
                 "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"},
        Spelling{
            "sm_120a:mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
            "rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0"},
        Spelling{"mi100:v_mfma_f32_32x32x4_2b_f16", "cdna1:v_mfma_f32_32x32x4f16"},
        Spelling{"gfx908:V_MFMA_F32_32X32X4F16", "cdna1:v_mfma_f32_32x32x4f16"},
        Spelling{"MI300X:v_mfma_f32_16x16x16f16", "cdna3:v_mfma_f32_16x16x16_f16"},
        Spelling{"gfx942:v_mfma_f32_32x32x8bf16_1k", "cdna3:v_mfma_f32_32x32x8_bf16"},
        Spelling{"gfx90a:v_mfma_f32_32x32x4bf16_1k", "cdna2:v_mfma_f32_32x32x4bf16_1k"},
        Spelling{"gfx90a:v_mfma_f32_32x32x4_bf16", "cdna2:v_mfma_f32_32x32x4bf16"},
        Spelling{"gfx90a:__builtin_amdgcn_mfma_f32_32x32x4bf16_1k", "cdna2:v_mfma_f32_32x32x4bf16_1k"},
        Spelling{"AMX:TDPBF16PS", "x86:tdpbf16ps"},
        Spelling{"a100:mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "ampere:mma.sp.m16n8k32.f32.f16.f16.f32"},
        Spelling{"a100:mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.u8.s32",
                 "ampere:mma.sp.m16n8k64.s32.s8.u8.s32"},
        Spelling{"wgmma.mma_async.sp.sync.aligned.m64n128k32.f32.f16.f16", "hopper:wgmma.sp.m64nNk32.f32.f16.f16"},
        Spelling{"sm_120a:mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.kind::f8f6f4.f32.e2m1.e3m2.f32",
                 "rtx_blackwell:mma.sp.m16n8k64.f32.e2m1.e3m2.f32"},
        // To nearest where a name says so or nothing; .satfinite before the types, as PTX has it, or behind them.
        Spelling{"hopper:mma.sync.aligned.m8n8k4.row.col.rn.f64.f64.f64.f64", "hopper:mma.m8n8k4.f64.f64.f64.f64"},
        Spelling{"a100:mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "ampere:mma.m8n8k4.f64.f64.f64.f64"},
        Spelling{"a100:mma.sync.aligned.m8n8k4.row.col.rz.f64.f64.f64.f64", "ampere:mma.m8n8k4.rz.f64.f64.f64.f64"},
        Spelling{"mma.sync.aligned.m16n8k16.row.col.rp.f64.f64.f64.f64", "hopper:mma.m16n8k16.rp.f64.f64.f64.f64"},
        Spelling{"ada:DMMA.884.RM", "ada:mma.m8n8k4.rm.f64.f64.f64.f64"},
        Spelling{"hopper:mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32",
                 "hopper:mma.m16n8k16.s32.s8.s8.s32.satfinite"},
        Spelling{"sm_75:mma.sync.aligned.m8n8k32.row.col.s32.s4.u4.s32", "turing:mma.m8n8k32.s32.s4.u4.s32"},
        Spelling{"hopper:mma.m16n8k16.s32.s8.s8.s32.satfinite", "hopper:mma.m16n8k16.s32.s8.s8.s32.satfinite"},
        Spelling{"T4:IMMA.8816.S8.U8.SAT", "turing:mma.m8n8k16.s32.s8.u8.s32.satfinite"},
        Spelling{"wgmma.mma_async.sync.aligned.m64n32k32.satfinite.s32.s8.u8",
                 "hopper:wgmma.m64nNk32.s32.s8.u8.satfinite"},
        Spelling{"MI300X:v_smfmac_f32_16x16x32f16", "cdna3:v_smfmac_f32_16x16x32_f16"},
        // In one architecture only, the name says which.
        Spelling{"tdpbf16ps", "x86:tdpbf16ps"}, Spelling{"TDPBF16PS", "x86:tdpbf16ps"},
        Spelling{"wgmma.m64n128k16.f32.f16.f16", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"HGMMA.64xNx16.F32", "hopper:wgmma.m64nNk16.f32.f16.f16"},
        Spelling{"__builtin_amdgcn_mfma_f32_16x16x32_fp8_fp8", "cdna3:v_mfma_f32_16x16x32_fp8_fp8"},
        Spelling{"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32.ue8m0",
                 "rtx_blackwell:mma.m16n8k64.block32.f32.e2m1.e2m1.f32.ue8m0"}));

// A bare name is taken where one architecture alone would take it, and refused with every candidate where several
// would.
TEST(BareNames, AreTakenWhereOneArchitectureHasThem) {
  int taken = 0, refused = 0;
  for (const Architecture& own : catalogue().architectures()) {
    for (const Instruction& i : own.instructions) {
      std::vector<std::string> owners;
      for (const Architecture& a : catalogue().architectures()) {
        try {
          owners.push_back(catalogue().instruction(a.name, i.name).full_name());
        } catch (const Error&) {
        }
      }
      try {
        EXPECT_EQ(catalogue().instruction(i.name).full_name(), i.full_name());
        EXPECT_EQ(owners, std::vector<std::string>{i.full_name()});
        ++taken;
      } catch (const Error& e) {
        EXPECT_GT(owners.size(), 1u) << i.full_name();
        EXPECT_EQ(e.message, "'" + i.name + "' may be any of " + joined(owners) + "; name one of them.");
        ++refused;
      }
    }
  }
  EXPECT_GT(taken, 100);
  EXPECT_GT(refused, 100);
}

struct Unknown {
  std::string asked, says;
};

class UnknownNames : public ::testing::TestWithParam<Unknown> {};

TEST_P(UnknownNames, SayWhatThereIs) {
  try {
    catalogue().instruction(GetParam().asked);
    FAIL() << "found it";
  } catch (const Error& e) {
    EXPECT_NE(e.message.find(GetParam().says), std::string::npos) << e.message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, UnknownNames,
    ::testing::Values(
        Unknown{"mma.m8n8k4.f64.f64.f64.f64", "'mma.m8n8k4.f64.f64.f64.f64' may be any of "},
        Unknown{"UTCHMMA", "'UTCHMMA' may be any of blackwell:tcgen05.mma.m64nNk8.f32.tf32.tf32, "},
        Unknown{"tdpbf16p",
                "There is no instruction 'tdpbf16p' in any of the 20 architectures (`assay list` shows them); did you "
                "mean 'tdpbf16ps'?"},
        Unknown{
            "hopper:WGMMA.m64nNk8.f",
            "among the 144 of hopper (`assay list hopper` shows them); did you mean 'wgmma.m64nNk8.f32.tf32.tf32'?"},
        Unknown{"x86:tdpb", "shows them); these begin with it: tdpbf16ps, tdpbssd, tdpbsud, tdpbusd, tdpbuud."},
        Unknown{"hopper:wgm", "; these begin with it: wgmma.m64nNk8.f32.tf32.tf32, wgmma.m64nNk16.f32.f16.f16, "},
        Unknown{"h100",
                "'h100' is an architecture; name one of its instructions too, hopper:INSTRUCTION, as `assay list "
                "hopper` shows them."},
        Unknown{"", "There is no instruction '' in any of the 20 architectures (`assay list` shows them)."},
        Unknown{"hoper:x",
                "There is no architecture 'hoper'; the architectures are ada, ampere, arm, blackhole, blackwell, "
                "cdna1, cdna2, "
                "cdna3, gaudi2, gaudi3, hopper, p3109_draft_4_0, power10, rdna3, riscv, rtx_blackwell, turing, volta, "
                "wormhole, x86; did you mean 'hopper'?"},
        Unknown{"hopper:wgmma.m64n12k16.f32.f16.f16",
                "n is 12, but hopper:wgmma.m64nNk16.f32.f16.f16 takes a multiple "
                "of 8 from 8 to 256."},
        Unknown{"hopper:wgmma.m64n264k16.f32.f16.f16", "There is no 'wgmma.m64n264k16.f32.f16.f16': n is 264, "},
        Unknown{"ampere:mma.sp.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32",
                "There is no instruction 'mma.sp.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32' among the 76"},
        Unknown{"blackwell:UTCHMMA", "'UTCHMMA' is the machine instruction of tcgen05.mma.m64nNk8.f32.tf32.tf32, "}));

// A catalogue of one architecture file beside the shipped datapaths.
class ArchitectureFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "configs" / "arch");
    std::filesystem::copy(home() + "/configs/datapath", folder_ / "configs" / "datapath");
  }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "configs" / "arch" / name) << text;
  }
  std::string message() const {
    try {
      Catalogue(folder_.string()).architectures();
    } catch (const Error& e) {
      return e.message;
    }
    return "";
  }

  const std::string family_ =
      "  - name: dot.{a}\n    for: {a: [f16, bf16]}\n    shape: {m: 1, n: 1, k: 4, blocks: 1}\n"
      "    operands: {a: \"{a}\", b: \"{a}\", c: f32, d: f32}\n    datapath: fused_f25\n";
  const std::string head_ = "architecture: mine\nabout: A page\naliases: [M1]\nfamilies:\n";

  const Scratch scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

TEST_F(ArchitectureFiles, ExpandTheirFamilies) {
  write("mine.yaml", head_ + family_ + "    evidence: {captured: [dot.f16], documented: rest}\n");
  const Catalogue read(folder_.string());
  EXPECT_EQ(read.instruction("m1:dot.f16").evidence, "captured");
  EXPECT_EQ(read.instruction("mine:dot.bf16").evidence, "documented");
  EXPECT_EQ(read.plan_of(read.instruction("mine:dot.bf16")).a.name, "bf16");
}

TEST_F(ArchitectureFiles, MayGiveAWordOfTheirNamesAMeaning) {
  const std::string rest =
      "    shape: {m: 1, n: 1, k: 4, blocks: 1}\n    sass: \"IDOT.{A}\"\n"
      "    operands: {a: \"{a}\", b: \"{a}\", c: i32, d: i32}\n    evidence: documented\n";
  write(
      "mine.yaml",
      head_ +
          "  - name: \"dot.{a}.{s}\"\n    for: {a: {s8: i8, u4: u4}, s: {wrap: integer, stop: integer_saturating}}\n" +
          rest + "    datapath: \"{s}\"\n");
  const Catalogue read(folder_.string());
  EXPECT_EQ(read.architecture("m1").instructions.size(), 4u);
  const Instruction i = read.instruction("mine:dot.s8.stop");
  EXPECT_EQ(i.operands.a + " " + i.datapath + " " + i.sass, "i8 integer_saturating IDOT.S8");
  EXPECT_EQ(read.plan_of(read.instruction("mine:dot.u4.wrap")).b.name, "u4");
}

TEST_F(ArchitectureFiles, ThePageOfTheDocumentationWorks) {
  std::ifstream page(home() + "/docs/architectures.md");
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const std::size_t from = text.find("```yaml\n") + 8;
  write("example.yaml", text.substr(from, text.find("```", from) - from));
  const Catalogue read(folder_.string());
  EXPECT_EQ(read.architecture("EX100").instructions.size(), 5u);
  for (const Instruction& i : read.architecture("ex_1").instructions) EXPECT_EQ(read.plan_of(i).k, i.k);
  EXPECT_EQ(read.instruction("example:dot16.f32.bf16.f16").operands.a, "bf16");
  const Datapath all = read.plan_of(read.instruction("example:dot16.f32.bf16.f16.flush.away.keep3")).datapath;
  EXPECT_EQ(all.subnormals_a, Subnormals::zero);
  EXPECT_EQ(all.adders[0].add[0].keep, 19);
  EXPECT_EQ(all.adders[0].results[0].cut, Cut::nearest_away);
  EXPECT_EQ(all.adders[0].results[0].subnormals, Subnormals::keep);
}

TEST_F(ArchitectureFiles, EveryMistakeIsNamed) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {head_ + family_ + "    evidence: rumour\n",
       "families[0].evidence: found 'rumour'; the choices are captured, maker's model, paper, published simulator, "
       "inferred, documented, draft standard, emulated."},
      {head_ + family_ + "    evidence: {captured: [dot.f32], paper: rest}\n",
       "this family makes no instruction 'dot.f32'; did you mean 'dot.f16'?"},
      {head_ + family_ + "    evidence: {captured: [dot.f16]}\n",
       "no evidence is given for 'dot.bf16'; list it, or say `rest` for one kind of evidence."},
      {head_ + family_ + "    evidence: paper\n    colour: red\n",
       "families[0].colour: unknown key; the keys here are name, for"},
      {head_ + family_, "families[0]: the key 'evidence' is missing."},
      {head_ + "  - name: dot.{b}\n    for: {a: [f16]}\n    shape: {m: 1, n: 1, k: 4, blocks: 1}\n" +
           "    operands: {a: f16, b: f16, c: f32, d: f32}\n    evidence: paper\n",
       "families[0].name: '{b}' is no variable of this family; it has a."},
      {head_ + "  - name: x\n    shape: {m: 1, n: many, k: 4, blocks: 1}\n    evidence: paper\n",
       "families[0].shape.n: a number or first:last:step is needed here, or several of these with a space between, "
       "found 'many'."},
      {head_ + family_ + "    evidence: paper\n" + family_ + "    evidence: paper\n",
       "families[1]: the instruction 'dot.f16' is there already."},
  };
  for (const auto& [text, says] : mistakes) {
    write("mine.yaml", text);
    EXPECT_NE(message().find(says), std::string::npos) << message() << "\nwanted: " << says;
  }
}

TEST_F(ArchitectureFiles, SayWhereElementsLive) {
  const std::string shape =
      "  - name: x\n    shape: {m: 2, n: 4, k: 2, blocks: 1}\n    datapath: fused_f25\n"
      "    operands: {a: f16, b: f16, c: f32, d: f32}\n    evidence: paper\n    layout: ";
  write("mine.yaml", head_ + shape + "{a: 'V: k0 m0', b: 'V:k0 n0 ~n1', d: 'acc row: m0 | n0 n1'}\n");
  const Catalogue read(folder_.string());
  const OperandLayouts layout = *read.instruction("mine:x").layout;
  EXPECT_EQ(layout.a.which + "/" + layout.a.slot, "/k0 m0");
  EXPECT_EQ(layout.b.slot, "k0 n0 ~n1");
  EXPECT_EQ(layout.d.home + "/" + layout.d.which + "/" + layout.d.slot, "acc row/m0/n0 n1");
  const std::string places = "registers and the bits of an element's place in them are needed here";
  for (const auto& [text, says] : std::vector<std::pair<std::string, std::string>>{
           {"{a: 'V: k0', b: 'V: k0', d: 'V: m0'}",
            "layout.a: an element's place is made of m0, k0, each once; found 'V: k0'."},
           {"{a: 'V: k0 m0 m0', b: 'V: k0', d: 'V: m0'}", "found 'V: k0 m0 m0'."},
           {"{a: 'V: k0 m0', b: 'V: k0 n0 n2', d: 'V: m0'}", "layout.b: an element's place is made of n0, n1, k0"},
           {"{a: k0 m0, b: 'V: k0', d: 'V: m0'}", "layout.a: " + places},
           {"{a: 'V: k0 | m0 | n0', b: 'V: k0', d: 'V: m0'}", "layout.a: " + places},
           {"{a: 'V: k0 m0', b: 'V: k0 n0 n1'}", "layout: the key 'd' is missing."},
           {"{a: 'V: k0 m0', c: 'V: k0 n0 n1'}", "layout.c: unknown key"}}) {
    write("mine.yaml", head_ + shape + text + "\n");
    EXPECT_NE(message().find(says), std::string::npos) << message() << "\nwanted: " << says;
  }
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string text = head_ + shape + "{a: 'V: k0 m0', b: 'V: k0 n0 n1', d: 'V: m0 n0 n1'}\n";
    text.replace(text.find(from), from.size(), to);
    write("mine.yaml", text);
    return message();
  };
  EXPECT_NE(with("m: 2", "m: 3").find("m of this shape is no power of two; leave `layout` out."), std::string::npos);
  EXPECT_NE(with("n: 4", "n: 4:8:4").find("this shape leaves it open; leave `layout` out."), std::string::npos);
}

TEST_F(ArchitectureFiles, MayNotShareANameWithAnother) {
  write("mine.yaml", head_ + family_ + "    evidence: paper\n");
  write("other.yaml", "architecture: m1\nabout: A page\naliases: []\nfamilies: []\n");
  EXPECT_EQ(message(), "The name 'm1' belongs to two architectures, mine and m1.");
}

TEST_F(ArchitectureFiles, AnEmptyFolderIsNoCatalogue) {
  std::filesystem::remove_all(folder_ / "configs" / "arch");
  EXPECT_NE(message().find("This folder cannot be read"), std::string::npos) << message();
}

}  // namespace
}  // namespace assay
