// assay rtl: what init, build and lint say.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/variable.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class RtlCommand : public testing::Test {
 protected:
  void SetUp() override {
    std::ofstream(folder_ / "little.sv") << "module little (\n  input  logic [31:0] a_i,\n  input  logic [31:0] b_i,\n"
                                            "  input  logic [31:0] c_i,\n  output logic [31:0] d_o\n);\n"
                                            "  assign d_o = a_i ^ b_i ^ c_i;\nendmodule\n";
    std::ofstream(folder_ / "mine.yaml")
        << "name: mine\nlike: fused_f25\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
    std::ofstream(dut()) << "datapath: mine.yaml\nsources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n"
                            "  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  c: c_i\n  d: d_o\n";
  }
  std::string dut() const { return (folder_ / "dut.yaml").string(); }

  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

TEST_F(RtlCommand, InitReadsAModulesHeader) {
  const Ran ran = run({"rtl", "init", (folder_ / "little.sv").string()});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(
      ran.out.find("top: little\nhandshake: combinational\nports:\n  a: {port: a_i, width: <BITS OF AN ELEMENT>}"),
      std::string::npos)
      << ran.out;
  const Ran wrong = run({"rtl", "init", (folder_ / "little.sv").string(), "--top", "large"});
  EXPECT_EQ(wrong.status, wrong_use);
  EXPECT_EQ(wrong.err.rfind("assay: Verilator cannot read module large: %Error", 0), 0u) << wrong.err;
}

// All that a designer goes on with: the unit, its vectors, and what was found of it.
TEST_F(RtlCommand, AUnitOfADesignIsTaken) {
  std::ofstream(folder_ / "spec.yaml") << "design: little\ntitle: A little one\ndatapath: fused_f25\n"
                                          "operands: {a: e2m1, b: e2m1, c: f32, d: f32}\nk: 1\n"
                                          "vary: [{name: promotion, set: promote_every, values: [none, 8]}]\n"
                                          "inputs: [normal]\nshapes: {m: 2, n: 2, k: 16}\nseeds: 2\nwant: additions\n";
  const fs::path out = folder_ / "out", unit = out / "unit-1";
  const Ran ran = run({"design", (folder_ / "spec.yaml").string(), "--out", out.string(), "--take", "1"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  for (const char* name : {"datapath.yaml", "unit.sv", "dut.yaml", "vectors.jsonl", "sheet.md"})
    EXPECT_TRUE(fs::exists(unit / name)) << name;
  const auto says = [&](const char* name, const char* word) {
    std::ifstream in(unit / name);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_NE(text.find(word), std::string::npos) << name << ": " << text;
  };
  says("unit.sv", "module unit");
  says("vectors.jsonl", "\"d\"");
  says("compared.txt", "passed");
  says("checked.txt", "passed");
  says("proof.txt", "prove");
  says("guarantee.txt", "exact");
}

// In several processes every case is answered by one of them: the same faults, in the same order.
TEST_F(RtlCommand, SeveralProcessesFindTheSame) {
  std::vector<std::string> args{"compare", "--device", "rtl:" + dut(), "--cases", "5000", "--max-failures", "2"};
  const Ran one = run(args);
  args.insert(args.end(), {"--processes", "3"});
  const Ran three = run(args);
  const auto verdict = [](const std::string& out) { return out.substr(0, out.rfind('\n', out.size() - 2)); };
  EXPECT_EQ(one.status, mismatch) << one.err;
  EXPECT_EQ(verdict(three.out), verdict(one.out));
}

TEST_F(RtlCommand, BenchHoldsComparingToTheUnitAlone) {
  const Ran ran = run({"bench", "--device", "rtl:" + dut(), "--seconds", "0.01", "--json"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const nlohmann::json found = nlohmann::json::parse(ran.out);
  EXPECT_GT(found["evaluations_per_second"], 1000);
  ASSERT_EQ(found["rows"].size(), 1U) << "it has no places";
  const nlohmann::json& row = found["rows"][0];
  EXPECT_EQ(row["compared"], "compared, d alone");
  EXPECT_EQ(row["cases"], 16384);
  EXPECT_GT(row["failures"], 8000) << "it adds nothing";
  EXPECT_GT(row["cases_per_second"], 0);
  EXPECT_GT(row["device_seconds_per_case"], 0) << "the process has ended, and its time is counted";
  const Ran none = run({"bench", "--device", "model", wgmma});
  EXPECT_EQ(none.status, wrong_use);
  EXPECT_EQ(
      none.err,
      "assay: bench --device measures rtl:DUT.yaml against the unit alone; model has nothing inside that could be "
      "run alone.\n");
}

TEST_F(RtlCommand, LintShowsWhatVerilatorWarnsOf) {
  const Ran clean = run({"rtl", "lint", dut()});
  EXPECT_EQ(clean.status, passed) << clean.out << clean.err;
  EXPECT_EQ(clean.out, "little: Verilator warns of nothing.\n");
  std::ofstream(folder_ / "little.sv", std::ios::app) << "module spare (input logic x_i);\nendmodule\n";
  const Ran noisy = run({"rtl", "lint", dut()});
  EXPECT_EQ(noisy.status, mismatch);
  EXPECT_NE(noisy.out.find("little.sv:9"), std::string::npos) << noisy.out;
}

TEST_F(RtlCommand, ADutIsHeldToWhatItsFileClaims) {
  const Ran build = run({"rtl", "build", dut()});
  EXPECT_EQ(build.status, passed) << build.err;
  EXPECT_NE(build.out.find("computes  " + (folder_ / "mine.yaml").string()), std::string::npos) << build.out;
  const Ran held = run({"compare", "--device", "rtl:" + dut(), "--cases", "50"});
  EXPECT_EQ(held.status, mismatch) << held.err;
  EXPECT_NE(held.out.find("mine.yaml: rtl:"), std::string::npos) << held.out;
  const Ran other = run({"compare", "--device", "rtl:" + dut(), "--instruction", wgmma});
  EXPECT_EQ(other.status, wrong_use);
  EXPECT_EQ(other.err, "assay: " + dut() + " claims to be " + (folder_ / "mine.yaml").string() + ", not " + wgmma +
                           "; ask for that instruction, or let it claim another. What is asked for has a of f16, b of "
                           "f16, c of f32, d of f32, k 16; nothing it claims has the same.\n");
}

TEST_F(RtlCommand, BuildShowsTheWrapperThatItMade) {
  std::ofstream(folder_ / "little.sv") << "typedef struct packed { logic [31:0] a; logic [31:0] b; } in_t;\n"
                                          "module little (\n  input  in_t         in_i,\n  input  logic [31:0] c_i,\n"
                                          "  output logic [31:0] d_o\n);\n"
                                          "  assign d_o = in_i.a ^ in_i.b ^ c_i;\nendmodule\n";
  std::ofstream(dut()) << "datapath: mine.yaml\nsources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n"
                          "  a: {port: in_i.a, width: 16}\n  b: {port: in_i.b, width: 16}\n  c: c_i\n  d: d_o\n";
  const Ran ran = run({"rtl", "build", dut()});
  EXPECT_EQ(ran.status, passed) << ran.err;
  const std::string mark = "wrapper   ";
  const std::size_t at = ran.out.find(mark);
  ASSERT_NE(at, std::string::npos) << ran.out;
  std::ifstream in(ran.out.substr(at + mark.size(), ran.out.find('\n', at) - at - mark.size()));
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(text.find("assign in_i.a = member_in_i_a;"), std::string::npos) << text;
  const Ran again = run({"rtl", "build", dut()});
  EXPECT_EQ(again.err, "") << "it was built once more";
  EXPECT_EQ(again.out, ran.out);
}

TEST_F(RtlCommand, AWaveShowsEverySignalOfOneCase) {
  const std::string wave = (folder_ / "case.fst").string();
  const Ran ran = run({"compare", "--device", "rtl:" + dut(), "--case", "3", "--wave", wave});
  EXPECT_NE(ran.status, wrong_use) << ran.err;
  ASSERT_TRUE(fs::exists(wave)) << ran.err;
  EXPECT_GT(fs::file_size(wave), 100u);
  std::ifstream in(wave, std::ios::binary);
  EXPECT_EQ(in.get(), 0);  // an FST file begins with its header block

  const Ran all = run({"compare", "--device", "rtl:" + dut(), "--wave", wave});
  EXPECT_EQ(all.status, wrong_use);
  EXPECT_NE(all.err.find("--wave requires --case"), std::string::npos) << all.err;
  const Ran model = run({"compare", "--device", "model", "--instruction", wgmma, "--case", "3", "--wave", wave});
  EXPECT_EQ(model.status, wrong_use);
  EXPECT_EQ(model.err,
            "assay: --wave shows the signals of rtl:DUT.yaml; model has none. For SystemC's bundles see assay-systemc "
            "--wave.\n");
}

// Whole builds in a cache of the test's own.
class OwnBuilds {
 public:
  explicit OwnBuilds(fs::path folder) : folder_(std::move(folder)) {}

  int count() const {
    int builds = 0;
    for (const auto& entry : fs::recursive_directory_iterator(folder_)) builds += entry.path().filename() == "made_of";
    return builds;
  }

 private:
  fs::path folder_;
  Variable cache_{"ASSAY_CACHE", folder_.string()};
};

TEST_F(RtlCommand, WavesTakeABuildOfTheirOwnUnlessTheFileHasOneForBoth) {
  const OwnBuilds builds(folder_ / "cache");
  const std::string wave = (folder_ / "case.fst").string();
  const auto said = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"compare", "--device", "rtl:" + dut(), "--case", "3"};
    words.insert(words.end(), more.begin(), more.end());
    fs::remove(wave);
    const Ran ran = run(words);
    EXPECT_NE(ran.status, wrong_use) << ran.err;
    EXPECT_EQ(fs::exists(wave), !more.empty());
    return ran.err;
  };
  EXPECT_EQ(said({}), "Building little with Verilator (once; it is kept).\n");
  EXPECT_EQ(said({"--wave", wave}),
            "Building little with Verilator, for waves (once; it is kept; with `waves: true` in the DUT file one build "
            "is enough).\n");
  EXPECT_EQ(said({}) + said({"--wave", wave}), "");
  EXPECT_EQ(builds.count(), 2);

  std::ofstream(dut(), std::ios::app) << "waves: true\n";
  EXPECT_EQ(said({}), "Building little with Verilator (once; it is kept).\n");
  EXPECT_EQ(said({"--wave", wave}) + said({}), "");
  EXPECT_EQ(builds.count(), 3);
}

TEST_F(RtlCommand, UnitsBehindEachOtherAreOneDevice) {
  const fs::path gallery = fs::path(source_dir()) / "rtl_ref/gallery";
  const std::string chain = "rtl:" + (gallery / "chain/dut.yaml").string();
  const std::string along_k = "rtl:" + (gallery / "chain/along_k.yaml").string();
  for (const std::string& device : {chain, along_k}) {
    const std::string sheet = (folder_ / "sheet.md").string();
    const Ran ran = run({"compare", "--device", device, "--cases", "2000", "--sheet", sheet, "--score", "--coverage"});
    EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
    EXPECT_NE(ran.out.find(" mutants killed, "), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" reachable bins of coverage "), std::string::npos) << ran.out;
    std::ostringstream to_sign;
    to_sign << std::ifstream(sheet).rdbuf();
    EXPECT_NE(to_sign.str().find("| RTL (SHA-256) | "), std::string::npos) << to_sign.str();
    const Ran tile = run({"compare", "--gemm", "3x2x24", "--device", device});
    EXPECT_EQ(tile.status, passed) << tile.out << tile.err;
  }
  const Ran bench = run({"bench", "--device", chain, "--seconds", "0.01", "--json"});
  ASSERT_EQ(bench.status, passed) << bench.err;
  const nlohmann::json found = nlohmann::json::parse(bench.out);
  EXPECT_EQ(found["rows"][0]["failures"], 0);
  EXPECT_GT(found["evaluations_per_second"], 1000);

  const auto refused = [&](const std::vector<std::string>& words) {
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, wrong_use) << ran.out;
    return ran.err;
  };
  const std::string file = chain.substr(4);
  EXPECT_EQ(refused({"compare", "--device", chain + "#scale_i=3"}),
            "assay: " + file + " is a chain, which has no ports; hold those of its units in their own files.\n");
  EXPECT_EQ(refused({"compare", "--device", chain, "--case", "1", "--wave", (folder_ / "w.fst").string()}),
            "assay: " + file + " is a chain, and --wave shows one unit; name the DUT file of one of its units.\n");
  for (const char* command : {"build", "lint"}) {
    EXPECT_EQ(refused({"rtl", command, file}), "assay: " + file +
                                                   ":4: chain: a chain is compared as a whole; one unit is wanted "
                                                   "here, so name the DUT file of one of these.\n");
  }
  EXPECT_NE(refused({"compare", "--device", chain, "--instruction", wgmma}).find(" claims to be "), std::string::npos);
}

TEST_F(RtlCommand, TheUnitOfAChainThatIsWrongIsNamed) {
  const fs::path chain = fs::path(source_dir()) / "rtl_ref/gallery/chain", here = folder_ / "chain";
  fs::copy(chain, here);
  std::ofstream(here / "scale.yaml", std::ios::app) << "parameters: {Fault: \"1'b1\"}\n";
  const Ran ran = run({"compare", "--device", "rtl:" + (here / "dut.yaml").string(), "--cases", "500"});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  const std::string mark = "unit 2 of 2 is wrong by itself: assay ";
  const std::size_t at = ran.out.find(mark);
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::size_t from = at + mark.size();
  const Ran again = run(words(ran.out.substr(from, ran.out.find('\n', at) - from)));
  EXPECT_EQ(again.status, mismatch) << again.out << again.err;
}

TEST_F(RtlCommand, AWaveGoesIntoWhatIsNoFileAndSaysWhereItCannot) {
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int end = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  const Ran ran = run({"compare", "--device", "rtl:" + dut(), "--case", "3", "--wave", pipe.string()});
  EXPECT_NE(ran.status, wrong_use) << ran.err;
  EXPECT_TRUE(fs::is_fifo(pipe));
  char first[2] = {1, 1};
  EXPECT_EQ(read(end, first, 2), 2);
  EXPECT_EQ(first[0], 0);  // an FST file begins with its header block
  close(end);

  const std::string nowhere = (folder_ / "none/case.fst").string();
  const Ran none = run({"compare", "--device", "rtl:" + dut(), "--case", "3", "--wave", nowhere});
  EXPECT_EQ(none.status, wrong_use);
  EXPECT_EQ(none.err, "assay: " + nowhere + " cannot be written: No such file or directory.\n");
  const Ran stream = run({"compare", "--device", "rtl:" + dut(), "--case", "3", "--wave", "-"});
  EXPECT_EQ(stream.status, wrong_use);
  EXPECT_EQ(stream.err, "assay: --wave needs a file; waves are not written to standard output.\n");
}

TEST_F(RtlCommand, ExportWritesNoNameThatSystemVerilogCannotHave) {
  const auto refused = [](const std::string& module) {
    const Ran ran = run({"export-sv", "--instruction", wgmma, "--module", module});
    EXPECT_EQ(ran.status, wrong_use);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  const std::string letters = " is no name of a SystemVerilog module: letters, digits, _ and $, no digit or $ first.\n";
  EXPECT_EQ(refused("a b"), "assay: --module 'a b'" + letters);
  EXPECT_EQ(refused("1st"), "assay: --module '1st'" + letters);
  EXPECT_EQ(refused("always_ff"), "assay: --module always_ff is a keyword of SystemVerilog; take another.\n");
  EXPECT_EQ(refused("assay_cut"),
            "assay: --module assay_cut is the name of one of rtl_ref's own blocks; take another.\n");
  EXPECT_EQ(refused("tb"), "assay: --module tb is the name of the testbench itself; take another.\n");

  std::ofstream(folder_ / "mine.yaml") << "name: \"one\\nmodule two;\"\nlike: fused_f25\nk: 2\n"
                                          "operands: {a: f16, b: f16, c: f32, d: f32}\n";
  const Ran named = run({"export-sv", "--datapath", (folder_ / "mine.yaml").string(), "--module", "mine"});
  EXPECT_EQ(named.status, passed) << named.err;
  EXPECT_NE(named.out.find("// The wiring of datapath one\\x0amodule two; in one step;\n"), std::string::npos)
      << named.out.substr(0, 200);
}

TEST_F(RtlCommand, ExportWritesTheDutFileOfItsWiring) {
  std::ofstream(folder_ / "mine.yaml")
      << "name: mine\nk: 2\noperands: {a: posit16_1, b: i4, c: f32, d: f32, zero_b: {format: u4}, scales: {tensor: "
         "{of: b, "
         "format: bf16, at: product}}}\nspecials: step\nadders:\n  - name: sum\n    add: {product: {keep: 24, cut: "
         "toward_zero}, acc: {keep: 24, cut: toward_zero}}\n    result: [{format: d, cut: stochastic_b, random_bits: "
         "7}]\n";
  const std::string datapath = (folder_ / "mine.yaml").string();
  std::vector<std::string> words{"export-sv", "--datapath", datapath, "--module", "dot"};
  std::ofstream(folder_ / "dot.sv") << run(words).out;
  words.insert(words.end(), {"--dut", "dot.sv"});
  const Ran file = run(words);
  ASSERT_EQ(file.status, passed) << file.err;
  EXPECT_EQ(file.out.rfind("datapath: \"" + datapath + "\"\nsources:\n", 0), 0u) << file.out;
  EXPECT_NE(file.out.find("ports:\n  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 4}\n  c: c_i\n  d: d_o\n"
                          "  tensor: {port: operand_tensor_i, width: 16}\n"
                          "  zero_b: {port: operand_zero_b_i, width: 4}\n"
                          "  random: {port: operand_random_i, width: 7}\n"
                          "probes: {port: probe_o, layout: plan}\nhandshake: combinational\n"),
            std::string::npos)
      << file.out;
  std::ofstream(dut()) << file.out;
  const Ran ran = run({"compare", "--device", "rtl:" + dut(), "--cases", "300"});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;

  words.emplace_back("--pipelined");
  EXPECT_NE(run(words).out.find("handshake: {kind: valid_ready, in_valid: valid_i,"), std::string::npos);
}

TEST_F(RtlCommand, ADutThatClaimsEverythingMustBeToldWhat) {
  std::ofstream(dut()) << "instruction: \"*\"\nsources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n"
                          "  a: {port: a_i, width: 16}\n  b: {port: b_i, width: 16}\n  c: c_i\n  d: d_o\n";
  const Ran ran = run({"compare", "--device", "rtl:" + dut()});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err, "assay: " + dut() +
                         " claims whatever it is asked for; say what: --instruction ARCHITECTURE:INSTRUCTION, or "
                         "--datapath FILE.\n");
}

// d is the sum of whole numbers, but for mode 2: then it is one more.
TEST_F(RtlCommand, AConstantIsHeldAtAnotherValueWithoutAnotherBuild) {
  std::ofstream(folder_ / "little.sv")
      << "module little (\n  input  logic [1:0] mode_i,\n  input  logic [7:0] a_i,\n  input  logic [7:0] b_i,\n"
         "  input  logic [31:0] c_i,\n  output logic [31:0] d_o\n);\n"
         "  assign d_o = c_i + 32'($signed(a_i)) * 32'($signed(b_i)) + 32'(mode_i == 2'd2);\nendmodule\n";
  std::ofstream(folder_ / "mine.yaml") << "name: mine\nlike: integer\nk: 1\noperands: {a: i8, b: i8, c: i32, d: i32}\n";
  std::ofstream(dut()) << "datapath: mine.yaml\nsources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n"
                          "  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8}\n  c: c_i\n  d: d_o\n"
                          "constants: {mode_i: 0}\n";
  const std::string device = "rtl:" + dut();
  const Ran first = run({"compare", "--device", device, "--cases", "50"});
  EXPECT_EQ(first.status, passed) << first.out << first.err;
  const Ran other = run({"compare", "--device", device + "#mode_i=2", "--cases", "50"});
  EXPECT_EQ(other.status, mismatch) << other.out << other.err;
  EXPECT_NE(other.out.find("compared 50 cases"), std::string::npos) << other.out;
  EXPECT_EQ(other.err.find("Building"), std::string::npos) << other.err;
  EXPECT_EQ(
      run({"compare", "--device", device + "#mode_i=2", "--case", "3", "--wave", (folder_ / "w.fst").string()}).status,
      mismatch);

  const auto refused = [&](const std::string& held) { return run({"compare", "--device", device + held}).err; };
  EXPECT_EQ(refused("#mode_i=4"),
            "assay: " + device + "#mode_i=4: the constant does not fit port mode_i, whose width is 2.\n");
  EXPECT_EQ(refused("#a_i=1"),
            "assay: " + device + "#a_i=1: port a_i is none of the constants of " + dut() + "; it has mode_i.\n");
  EXPECT_EQ(refused("#mode_i=2,mode_i=1"),
            "assay: " + device + "#mode_i=2,mode_i=1: port mode_i is held at two values; give it one.\n");
  for (const char* wrong : {"mode_i", "mode_i=", "=1", "mode_i=xyz", ""}) {
    EXPECT_EQ(refused("#" + std::string(wrong)), "assay: " + device + "#" + wrong + ": '" + wrong +
                                                     "' holds no port at a value; write PORT=HEX, such as "
                                                     "mode_i=1f.\n");
  }
}

// d is the sum of whole numbers of signed bytes, of unsigned ones where mode_i says so; then it is one more.
TEST_F(RtlCommand, EachInstructionOfADutIsCompared) {
  std::ofstream(folder_ / "little.sv")
      << "module little (\n  input  logic mode_i,\n  input  logic [7:0] a_i,\n  input  logic [7:0] b_i,\n"
         "  input  logic [31:0] c_i,\n  output logic [31:0] d_o\n);\n"
         "  assign d_o = c_i + (mode_i ? 32'(a_i) * 32'(b_i) + 32'd1 : 32'($signed(a_i)) * 32'($signed(b_i)));\n"
         "endmodule\n";
  const std::string own = "like: integer\nk: 1\noperands: ";
  std::ofstream(folder_ / "signed.yaml") << "name: signed\n" << own << "{a: i8, b: i8, c: i32, d: i32}\n";
  std::ofstream(folder_ / "unsigned.yaml") << "name: unsigned\n" << own << "{a: u8, b: u8, c: i32, d: i32}\n";
  const auto claiming = [&](const std::string& claims) {
    std::ofstream(dut()) << "instructions:\n"
                         << claims
                         << "sources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n"
                            "  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8}\n  c: c_i\n  d: d_o\n";
  };
  const std::string first = "  - {datapath: signed.yaml, constants: {mode_i: 0}}\n";
  const std::string second = "  - {datapath: unsigned.yaml, constants: {mode_i: 1}}\n";
  claiming(first + second);
  const std::string device = "rtl:" + dut();
  const std::string right = (folder_ / "signed.yaml").string(), wrong = (folder_ / "unsigned.yaml").string();
  const std::string junit = (folder_ / "j.xml").string(), sheet = (folder_ / "sheet.md").string();
  const auto text_of = [](const std::string& file) {
    std::ifstream in(file);
    return std::string{std::istreambuf_iterator<char>(in), {}};
  };

  const Ran both = run({"compare", "--device", device, "--cases", "40", "--junit", junit, "--sheet", sheet});
  EXPECT_EQ(both.status, mismatch) << both.out << both.err;
  EXPECT_NE(both.err.find("assay: " + device + " claims 2 instructions; each is compared in turn: " + right + ", " +
                          wrong + "\n"),
            std::string::npos)
      << both.err;
  EXPECT_NE(both.out.find("          40         0  passed            " + right + "\n"), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("          40        40  failed            " + wrong + "\n"), std::string::npos) << both.out;
  EXPECT_NE(text_of(junit).find("tests=\"2\" failures=\"1\" errors=\"0\""), std::string::npos) << text_of(junit);
  EXPECT_NE(text_of(sheet).find(" held to model: passed\n"), std::string::npos) << text_of(sheet);
  EXPECT_NE(text_of(sheet).find(" held to model: failed\n"), std::string::npos) << text_of(sheet);

  const auto json = nlohmann::json::parse(run({"compare", "--device", device, "--cases", "40", "--json"}).out);
  EXPECT_EQ(json["status"], mismatch);
  ASSERT_EQ(json["comparisons"].size(), 2u);
  EXPECT_EQ(json["comparisons"][0]["summary"]["conclusion"], "passed");
  EXPECT_EQ(json["comparisons"][1]["subject"], wrong);

  const Ran one = run({"compare", "--device", device, "--datapath", right, "--cases", "40"});
  EXPECT_EQ(one.status, passed) << one.out << one.err;
  const Ran wave = run({"compare", "--device", device, "--case", "3", "--wave", (folder_ / "w.fst").string()});
  EXPECT_EQ(wave.status, wrong_use);
  EXPECT_EQ(wave.err, "assay: " + device +
                          " claims 2 instructions, and --wave shows the signals of one; name it with "
                          "--instruction or --datapath.\n");

  // Each is compared, though the first cannot be.
  claiming("  - {instruction: \"hopper:wgmma.m64nNk16.f32.f16.f16\"}\n" + second);
  const Ran rest = run({"compare", "--device", device, "--cases", "40"});
  EXPECT_EQ(rest.status, wrong_use) << rest.out << rest.err;
  EXPECT_NE(rest.out.find("           0         0  not compared      hopper:"), std::string::npos) << rest.out;
  EXPECT_NE(rest.out.find("          40        40  failed            " + wrong + "\n"), std::string::npos) << rest.out;

  claiming(first + "  - {datapath: signed.yaml, constants: {mode_i: 1}}\n");
  const Ran twice = run({"compare", "--device", device, "--cases", "40"});
  EXPECT_EQ(twice.status, wrong_use);
  EXPECT_EQ(twice.err, "assay: " + dut() + " claims " + right + " after " + right +
                           ", which computes the same, and would never be compared; leave it out, and hold its ports "
                           "with rtl:FILE#PORT=HEX.\n");
}

// Whatever does not fit - the name, the width, the number of elements - the ports say what would.
TEST_F(RtlCommand, AClaimThatDoesNotFitIsToldWhatWould) {
  std::ofstream(folder_ / "little.sv")
      << "module little (\n  input  logic [255:0] a_i,\n  input  logic [255:0] b_i,\n  input  logic [31:0] c_i,\n"
         "  output logic [31:0] d_o\n);\n  assign d_o = a_i[31:0] ^ b_i[31:0] ^ c_i;\nendmodule\n";
  const auto claiming = [&](const std::string& instruction, int width) {
    std::ofstream(dut())
        << "instruction: " << instruction
        << "\nsources: [little.sv]\ntop: little\nhandshake: combinational\nports:\n  a: {port: a_i, width: " << width
        << "}\n  b: {port: b_i, width: " << width << "}\n  c: c_i\n  d: d_o\noptions: [-Wno-UNUSED]\n";
    return run({"compare", "--device", "rtl:" + dut(), "--cases", "4"});
  };
  const Ran unknown = claiming("hopper:wgmma.m64nNk16.f32.f16.f17", 16);
  EXPECT_EQ(unknown.status, wrong_use);
  EXPECT_NE(unknown.err.find("There is no instruction 'wgmma.m64nNk16.f32.f16.f17'"), std::string::npos) << unknown.err;
  EXPECT_NE(unknown.err.find("k 16; so have hopper:"), std::string::npos) << unknown.err;
  const Ran longer = claiming("hopper:wgmma.m64nNk32.f32.e4m3.e4m3", 16);
  EXPECT_EQ(longer.status, wrong_use);
  EXPECT_NE(
      longer.err.find("elements of a are 16 bits wide, but a code of e4m3 has 8. As this file describes them, the "
                      "ports have a of 16 bits, b of 16, c of 32, d of 32, k 16; so have hopper:"),
      std::string::npos)
      << longer.err;
  claiming(wgmma, 16);
  const Ran other =
      run({"compare", "--device", "rtl:" + dut(), "--instruction", "hopper:wgmma.m64nNk16.f32.bf16.bf16"});
  EXPECT_EQ(other.status, wrong_use);
  EXPECT_NE(
      other.err.find("What is asked for has a of bf16, b of bf16, c of f32, d of f32, k 16; nothing it claims has "
                     "the same."),
      std::string::npos)
      << other.err;
}

// Three registers, of which the file knows two: every result is that of the case before.
TEST_F(RtlCommand, AWrongLatencyIsCalledOne) {
  std::ofstream(folder_ / "little.sv")
      << "module little (\n  input  logic clk_i,\n  input  logic [7:0] a_i,\n  input  logic [7:0] b_i,\n"
         "  input  logic [31:0] c_i,\n  output logic [31:0] d_o\n);\n  logic [31:0] first_q, second_q;\n"
         "  always_ff @(posedge clk_i) begin\n"
         "    first_q <= c_i + 32'($signed(a_i)) * 32'($signed(b_i));\n    second_q <= first_q;\n"
         "    d_o <= second_q;\n  end\nendmodule\n";
  std::ofstream(folder_ / "mine.yaml") << "name: mine\nlike: integer\nk: 1\noperands: {a: i8, b: i8, c: i32, d: i32}\n";
  const auto with_latency = [&](int latency) {
    std::ofstream(dut()) << "datapath: mine.yaml\nsources: [little.sv]\ntop: little\nclock: clk_i\n"
                            "handshake: {kind: fixed_latency, latency: "
                         << latency
                         << "}\nports:\n  a: {port: a_i, width: 8}\n  b: {port: b_i, width: 8}\n  c: c_i\n  d: d_o\n";
    return run({"compare", "--device", "rtl:" + dut(), "--cases", "3000"});
  };
  const Ran early = with_latency(2);
  EXPECT_EQ(early.status, mismatch) << early.out << early.err;
  const std::string at = dut() + ":5: ";
  EXPECT_NE(early.out.find(" wrong results are right for the case before; " + at + "make `latency` 3, it is 2\n"),
            std::string::npos)
      << early.out;
  EXPECT_EQ(early.out.find("nearest explanation"), std::string::npos) << early.out;
  const Ran late = with_latency(5);
  EXPECT_NE(
      late.out.find(" wrong results are right for the case 2 places after; " + at + "make `latency` 3, it is 5\n"),
      std::string::npos)
      << late.out;
  // The same build, whatever the latency.
  EXPECT_EQ(late.err.find("Building"), std::string::npos) << late.err;
  const Ran right = with_latency(3);
  EXPECT_EQ(right.status, passed) << right.out << right.err;
  EXPECT_EQ(right.err.find("Building"), std::string::npos) << right.err;
}

// Neither a module that is not there nor an error in the body keeps the header from being read.
TEST_F(RtlCommand, InitReadsTheHeaderAloneAsItIsTold) {
  fs::create_directories(folder_ / "include");
  std::ofstream(folder_ / "include/width.svh") << "`define WIDTH 8\n";
  std::ofstream(folder_ / "unit.sv") << "`include \"width.svh\"\nmodule unit #(parameter int Terms = 2) (\n"
                                        "`ifdef CLOCKED\n  input logic clk_i,\n`endif\n"
                                        "  input logic [Terms*`WIDTH-1:0] a_i, b_i,\n  input logic [31:0] c_i,\n"
                                        "  output logic [31:0] d_o\n);\n  missing u_missing (.*);\nendmodule\n";
  const std::string unit = (folder_ / "unit.sv").string(), include = (folder_ / "include").string();
  const Ran ran = run({"rtl", "init", "-I", include, "-D", "CLOCKED", "-G", "Terms=4", unit});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("  a: {port: a_i, width: <BITS OF AN ELEMENT>}  # ? 32 bits in all\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("clock: clk_i\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("defines:\n  CLOCKED: \"\"\nparameters:\n  Terms: 4\n"), std::string::npos) << ran.out;
  std::ofstream(folder_ / "files.f") << "+incdir+" << include << "\n" << unit << "\n";
  const Ran list = run({"rtl", "init", "-f", (folder_ / "files.f").string(), "--top", "unit"});
  EXPECT_EQ(list.status, passed) << list.err;
  EXPECT_NE(list.out.find("# ? 16 bits in all\n"), std::string::npos) << list.out;
  const Ran nothing = run({"rtl", "init"});
  EXPECT_EQ(nothing.status, wrong_use);
  EXPECT_EQ(nothing.err,
            "assay: Name the SystemVerilog files of the unit, or a list of them with -f and the module with --top.\n");
}

// A warning stands before the error in Verilator's log.
TEST_F(RtlCommand, TheFirstErrorIsShownRatherThanAWarningBeforeIt) {
  std::ofstream(folder_ / "little.sv")
      << "module little (\n  input  logic [31:0] a_i,\n  input  logic [31:0] b_i,\n"
         "  input  logic [31:0] c_i,\n  output logic [31:0] d_o\n);\n"
         "  wire [3:0] narrow = a_i;\n  assign d_o = nowhere ^ b_i ^ c_i;\nendmodule\n";
  const Ran ran = run({"compare", "--device", "rtl:" + dut(), "--cases", "4"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("Verilator cannot read this RTL: %Error"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("nowhere"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay
