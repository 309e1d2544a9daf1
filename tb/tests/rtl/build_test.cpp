// Building RTL: what is kept, and each thing that can be wrong.
#include "tb/devices/rtl/build.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "model/config/yaml.hpp"
#include "tb/devices/process.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/devices/rtl/reseeded.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/variable.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// A unit small enough to build quickly: no arithmetic, the right ports. d is what c is.
const std::string little_module = R"(module little (
  input  logic        enable_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic [31:0] d_o,
  output logic [1:0]  special_o
);
  assign d_o = enable_i ? c_i : {a_i[0], b_i[30:0]};
  assign special_o = '0;
endmodule
)";

const std::string little_dut = R"(instruction: "*"
sources: [little.sv]
top: little
handshake: combinational
ports:
  a: {port: a_i, width: 16}
  b: {port: b_i, width: 16}
  c: c_i
  d: d_o
constants: {enable_i: 1}
probes:
  places:
    step[0].special: special_o
options: [-Wno-UNUSED]
)";

const char* const two_terms = R"(
name: two_terms
like: fused_f25
k: 2
operands: {a: f16, b: f16, c: f32, d: f32}
)";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string write_unit(const fs::path& folder, const std::string& module, const std::string& dut) {
  write_text(folder / "little.sv", module);
  write_text(folder / "dut.yaml", dut);
  return (folder / "dut.yaml").string();
}

std::string built(const Dut& dut, const Plan& plan, std::ostream* progress) {
  return build_rtl(dut, dut.claims.front(), plan, progress);
}

TEST(BuildRtl, KeepsWhatItBuilt) {
  const fs::path folder = scratch_folder();
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const Plan plan = plan_of_text(two_terms);
  const std::string file = write_unit(folder, little_module, little_dut);
  std::ostringstream first, second, third;
  const std::string program = built(read_dut_file(file), plan, &first);
  EXPECT_EQ(first.str(), "Building little with Verilator (once; it is kept).\n");
  EXPECT_EQ(fs::path(program).parent_path().parent_path().parent_path(), folder / "cache/assay/rtl");
  EXPECT_TRUE(fs::exists(fs::path(program).parent_path() / "build.log"));
  EXPECT_EQ(built(read_dut_file(file), plan, &second), program);
  EXPECT_EQ(second.str(), "");
  {
    const Variable limit("ASSAY_CACHE_LIMIT", "much");
    EXPECT_THROW(built(read_dut_file(file), plan, &second), Error);
  }
  EXPECT_EQ(zeros_beside_operands(read_dut_file(file), plan, program), "");
  EXPECT_EQ(zeros_beside_operands(read_dut_file(file), plan_of_text(changed(two_terms, "k: 2", "k: 1")), program),
            file + ": no operand reaches bits 31 to 16 of port a_i, bits 31 to 16 of port b_i: held at 0.");

  write_unit(folder, changed(little_module, "c_i :", "~c_i :"), little_dut);
  EXPECT_NE(built(read_dut_file(file), plan, &third), program);
  EXPECT_NE(third.str(), "");
}

// A unit of more terms than its file claims gets zeros for the others; gaps between elements are a stride that was
// given.
TEST(BuildRtl, TellsWhichBitsBesideOperandsAreZero) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(two_terms);
  const std::string spread =
      changed(changed(little_dut, "{port: a_i, width: 16}", "{port: a_i, width: 16, stride: 20}"), "c: c_i",
              "c: \"c_i[35:4]\"");
  const Dut dut = read_dut_file(write_unit(folder, little_module, spread));
  const auto beside = [&](int a, int b, int c) {
    return bits_beside_operands(dut, plan, {{"a_i", true, a, 0}, {"b_i", true, b, 0}, {"c_i", true, c, 0}});
  };
  EXPECT_EQ(beside(36, 32, 36), std::vector<std::string>{"bits 3 to 0 of port c_i"});
  EXPECT_EQ(beside(37, 48, 36),
            (std::vector<std::string>{"bit 36 of port a_i", "bits 47 to 32 of port b_i", "bits 3 to 0 of port c_i"}));
}

// The C++ that Verilator writes computes `real` with the machine's floating point. What its compiler is told stands in
// a log that a compiler leaves which only touches what it is asked for.
TEST(BuildRtl, TellsTheCompilerToContractNothing) {
  const fs::path folder = scratch_folder(), log = folder / "told";
  const std::string compiler = "#!/bin/sh\necho \"$*\" >>" + log.string() +
                               "\nwhile [ $# -gt 1 ]; do [ \"$1\" = -o ] && : >\"$2\"; shift; done\n";
  for (const char* name : {"g++", "c++", "clang++"}) {
    write_text(folder / "bin" / name, compiler);
    fs::permissions(folder / "bin" / name, fs::perms::owner_all);
  }
  const Variable path("PATH", (folder / "bin").string() + ":" + std::getenv("PATH"));
  const Variable uncached("CCACHE_DISABLE", "1"), cache("XDG_CACHE_HOME", (folder / "cache").string());
  built(read_dut_file(write_unit(folder, little_module, little_dut)), plan_of_text(two_terms), nullptr);
  std::istringstream told(read_text(log));
  int compiled = 0;
  for (std::string line; std::getline(told, line);) {
    if (line.find(" -c ") == std::string::npos) continue;
    EXPECT_NE(line.find(" -ffp-contract=off "), std::string::npos) << line;
    ++compiled;
  }
  EXPECT_GE(compiled, 3);
}

// A cache of the test's own, but the compiler's cache of all tests.
struct OwnCache {
  explicit OwnCache(const fs::path& folder)
      : compiler("CCACHE_DIR", (cache_place("rtl") / "../../ccache").lexically_normal().string()),
        builds("XDG_CACHE_HOME", (folder / "cache").string()) {}
  Variable compiler, builds;
};

// d is c with bits turned over by what stands in three other files, none of which the DUT file names as a source.
const std::string leading_module = R"(`include "turned.svh"
module little (
  input  logic        enable_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic [31:0] d_o,
  output logic [1:0]  special_o
);
  logic [31:0] found, listed;
  found u_found (.x_i(c_i ^ `TURNED), .y_o(found));
  listed u_listed (.x_i(found), .y_o(listed));
  assign d_o = enable_i ? listed : {a_i[0], b_i[30:0]};
  assign special_o = '0;
endmodule
)";

std::string turning(const std::string& name, int bits) {
  return "module " + name + " (input logic [31:0] x_i, output logic [31:0] y_o);\n  assign y_o = x_i ^ 32'd" +
         std::to_string(bits) + ";\nendmodule\n";
}

// How its program is started.
std::vector<std::string> started_by(const Dut& dut, const std::string& program, const std::string& seed) {
  std::vector<std::string> argv{program, seed};
  for (const std::string& word : run_arguments(dut, dut.claims.front(), program)) argv.push_back(word);
  return argv;
}

// Held to what a unit of four terms gives whose others are nobody's, with and without a clock.
TEST(BuildRtl, HoldsBitsBesideOperandsAtZero) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(two_terms);
  VectorHeader header;
  header.architecture = "hopper";
  header.instruction = "wgmma.m64nNk16.f32.f16.f16";
  const std::string wide =
      changed(changed(changed(little_module, "[31:0] a_i", "[63:0] a_i"), "[31:0] b_i", "[63:0] b_i"),
              "enable_i ? c_i :", "enable_i && a_i[63:32] == '0 && b_i[63:32] == '0 ? c_i :");
  const std::string clocked =
      changed(changed(wide, "input  logic        enable_i,", "input logic clk_i,\n  input logic enable_i,"),
              "assign d_o =", "always_ff @(posedge clk_i) d_o <=");
  const std::string clocked_dut =
      changed(little_dut, "handshake: combinational", "clock: clk_i\nhandshake: {kind: fixed_latency, latency: 1}");
  for (const auto& [module, dut_text] : {std::pair{wide, little_dut}, std::pair{clocked, clocked_dut}}) {
    const Dut dut = read_dut_file(write_unit(folder, module, dut_text));
    const std::string program = built(dut, plan, nullptr);
    for (const char* seed : {"1", "2", "3"}) {
      const auto device = process_device(plan, header, {started_by(dut, program, seed), "rtl"});
      const std::vector<Case> cases = generated_cases(plan, 1, 20);
      const std::vector<Answer> answers = device->run(cases, false);
      for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(answers[i].d, cases[i].c) << seed << answers[i].error;
    }
  }
}

// What the unit answers for c = 0, and whether it had to be built for that.
std::pair<Code, bool> answered(const std::string& file, const Plan& plan) {
  std::ostringstream progress;
  const Dut dut = read_dut_file(file);
  const std::string program = built(dut, plan, &progress);
  VectorHeader header;
  header.architecture = "hopper";
  header.instruction = "wgmma.m64nNk16.f32.f16.f16";
  Case one;
  one.a = one.b = {0, 0};
  const std::vector<Answer> answers =
      process_device(plan, header, {started_by(dut, program, "1"), "rtl"})->run({one}, false);
  EXPECT_EQ(answers.at(0).error, "");
  return {answers.at(0).d, !progress.str().empty()};
}

// Relative names of files are of the DUT file's folder, wherever this runs; a memory without its file is no memory.
TEST(BuildRtl, ReadsMemoriesBesideTheDutFile) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(two_terms);
  const std::string module = changed(little_module, "  assign d_o = enable_i ? c_i :",
                                     "  logic [31:0] rom [0:1];\n  initial $readmemh(\"rom.hex\", rom);\n"
                                     "  assign d_o = enable_i ? c_i ^ rom[a_i[0]] :");
  const std::string file = write_unit(folder, module, little_dut);
  write_text(folder / "rom.hex", "00000500\n00000000\n");
  EXPECT_EQ(answered(file, plan).first, 0x500U);
  fs::remove(folder / "rom.hex");
  const Dut dut = read_dut_file(file);
  VectorHeader header;
  header.architecture = "hopper";
  header.instruction = "wgmma.m64nNk16.f32.f16.f16";
  const auto device = process_device(plan, header, {started_by(dut, built(dut, plan, nullptr), "1"), "rtl"});
  EXPECT_EQ(device->run(generated_cases(plan, 1, 1), false).at(0).error,
            "rtl answers with an error: A memory of the unit is read from rom.hex, which is not there; names without a "
            "folder are of the DUT "
            "file's.");
}

TEST(BuildRtl, WhateverVerilatorReadIsReadAgainWhereItChanged) {
  // Names that a shell, make or a list of files might stumble over.
  const fs::path folder = scratch_folder() / "of $none 'x' \"y\" #1";
  const OwnCache cache(folder);
  const Plan plan = plan_of_text(two_terms);
  const std::string file =
      write_unit(folder, leading_module,
                 changed(little_dut, "[-Wno-UNUSED]", "[-y, modules, -f, files.f]\ninclude_dirs: [early, late]"));
  write_text(folder / "early/other.svh", "");
  write_text(folder / "late/turned.svh", "`define TURNED 32'd1\n");
  write_text(folder / "modules/found.sv", turning("found", 2));
  write_text(folder / "files.f", "-v $ASSAY_TEST_LIBRARY\n");
  const Variable library("ASSAY_TEST_LIBRARY", "one.v");  // where Verilator runs: beside the DUT file
  write_text(folder / "one.v", turning("listed", 4));
  write_text(folder / "two.v", turning("listed", 64));

  const auto expect = [&](Code d, bool is_built) { EXPECT_EQ(answered(file, plan), std::make_pair(d, is_built)); };
  expect(7, true);
  expect(7, false);
  write_text(folder / "late/turned.svh", "`define TURNED 32'd8\n");  // found through include_dirs
  expect(14, true);
  write_text(folder / "modules/found.sv", turning("found", 16));  // found through -y
  expect(28, true);
  write_text(folder / "one.v", turning("listed", 32));  // named in a list of files
  expect(56, true);
  {
    const Variable other("ASSAY_TEST_LIBRARY", "two.v");
    expect(88, true);
  }
  expect(56, false);                                                  // each state that the files had is kept
  write_text(folder / "early/turned.svh", "`define TURNED 32'd0\n");  // now found before the other one
  expect(48, true);
}

TEST(BuildRtl, ADamagedBuildIsMadeAgain) {
  const fs::path folder = scratch_folder();
  const OwnCache cache(folder);
  const Plan plan = plan_of_text(two_terms);
  const std::string file = write_unit(folder, little_module, little_dut);
  const Dut dut = read_dut_file(file);
  const fs::path program = built(dut, plan, nullptr);
  const std::string whole = read_text(program);
  write_text(program, "");
  EXPECT_EQ(answered(file, plan), std::make_pair(Code{0}, true)) << "it was empty";
  write_text(program, whole.substr(0, whole.size() / 2));
  EXPECT_EQ(answered(file, plan), std::make_pair(Code{0}, true)) << "it was cut short";
  write_text(program.parent_path() / "made_of", "made - device\n");
  EXPECT_EQ(answered(file, plan), std::make_pair(Code{0}, true)) << "what it was made of is unknown";
  EXPECT_EQ(answered(file, plan), std::make_pair(Code{0}, false));
}

TEST(BuildRtl, NumbersThatASimulationTakesNeedNoOtherBuild) {
  const fs::path folder = scratch_folder();
  const OwnCache cache(folder);
  const Plan plan = plan_of_text(two_terms);
  const std::string dut = changed(changed(little_dut, "handshake: combinational",
                                          "clock: clk_i\nreset: {port: rst_i, cycles: 4}\n"
                                          "handshake: {kind: fixed_latency, latency: 0, cycle_limit: 99}"),
                                  "constants: {enable_i: 1}", "constants: {enable_i: 1, more_i: 3}");
  const std::string module = changed(changed(little_module, "  input  logic        enable_i,\n",
                                             "  input  logic        enable_i, clk_i, rst_i,\n"
                                             "  input  logic [3:0]  more_i,\n"),
                                     "? c_i :", "? c_i + 32'(more_i) :");
  const auto expect = [&](const std::string& text, Code d, bool is_built) {
    EXPECT_EQ(answered(write_unit(folder, module, text), plan), std::make_pair(d, is_built)) << text;
  };
  expect(dut, 3, true);
  expect(changed(dut, "more_i: 3", "more_i: a"), 10, false);
  expect(changed(dut, "cycles: 4", "cycles: 5"), 3, false);
  expect(changed(dut, "cycle_limit: 99", "cycle_limit: 98"), 3, false);
  const Dut large = read_dut_file(write_unit(folder, module, changed(dut, "more_i: 3", "more_i: 10")));
  try {
    started_by(large, built(large, plan, nullptr), "1");
    FAIL() << "16 was put into four bits.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, large.file + ":12: the constant does not fit port more_i, whose width is 4.");
  }
}

// --- units that end the simulation ---

const std::string stopping_module = R"(module little (
  input  logic        enable_i,
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  output logic [31:0] d_o,
  output logic [1:0]  special_o
);
  import "DPI-C" function int crash(input int c);
  always_comb begin
    d_o = enable_i ? c_i : {a_i[0], b_i[30:0]};
    if (c_i == 100) $fatal(1, "c is %0d", c_i);
    if (c_i == 101) $error("c is odd");
    if (c_i == 200) $finish;
    if (c_i == 201) $stop;
    if (c_i == 300) d_o = crash(c_i);
    assert (c_i != 400);
  end
  assign special_o = '0;
endmodule
)";

TEST(BuildRtl, AUnitThatEndsTheSimulationLosesItsOwnCaseOnly) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(two_terms);
  write_text(folder / "crash.cpp", "#include <cstdlib>\nextern \"C\" int crash(int) { std::abort(); }\n");
  const std::string dut =
      changed(changed(little_dut, "[little.sv]", "[little.sv, crash.cpp]"), "[-Wno-UNUSED]", "[--assert]");
  const auto device = start_rtl(read_dut_file(write_unit(folder, stopping_module, dut)), plan);
  std::vector<Case> cases(500);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].a = cases[i].b = {0, 0};
    cases[i].c = i;
  }
  const std::map<std::size_t, std::string> expected{
      {100, "An assertion of the unit fired: little.sv:12: Assertion failed in TOP.little: c is 100."},
      {101, "An assertion of the unit fired: little.sv:13: Assertion failed in TOP.little: c is odd."},
      {200, "The unit called $finish, which ends a simulation ("},
      {201, "The unit called $stop ("},
      {300, " was killed by signal 6 (SIGABRT, Aborted) before it answered this case, the oldest of those unanswered."},
      {400, "An assertion of the unit fired: little.sv:17: Assertion failed in TOP.little: 'assert' failed."}};
  const std::vector<Answer> answers = device->run(cases, false);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto found = expected.find(i);
    if (found == expected.end()) {
      EXPECT_EQ(answers[i].error, "") << i;
      EXPECT_EQ(answers[i].d, i);
    } else {
      EXPECT_NE(answers[i].error.find(found->second), std::string::npos) << answers[i].error;
    }
  }
  EXPECT_EQ(device->close(), "");
}

// --- where builds are kept ---

// As somebody who is not root, who may write anywhere.
void print_cache_folder_as_a_user() {
  if (getuid() == 0 && setuid(65534) != 0) std::exit(1);
  try {
    std::cerr << cache_folder("rtl");
  } catch (const Error& error) {
    std::cerr << error.message;
  }
  std::exit(0);
}

std::string cache_complaint() {
  try {
    return cache_folder("rtl").string();
  } catch (const Error& error) {
    EXPECT_EQ(error.ending, Ending::wrong_use);
    return error.message;
  }
}

TEST(CacheFolder, SaysWhatKeepsItFromBeingThere) {
  const fs::path folder = scratch_folder();
  const std::string remedy = "; set ASSAY_CACHE to the absolute path of a folder that you can write.";
  write_text(folder / "file", "");
  const Variable cache("XDG_CACHE_HOME", (folder / "file").string());
  EXPECT_EQ(cache_complaint(), "The folder " + (folder / "file/assay/rtl").string() +
                                   ", which keeps what is built, cannot be made (Not a directory)" + remedy);
  {
    const Variable none("XDG_CACHE_HOME", "");
    const Variable home("HOME", "/proc/nobody");
    EXPECT_EQ(cache_complaint(),
              "The folder /proc/nobody/.cache/assay/rtl, which keeps what is built, cannot be made (No such file or "
              "directory)" +
                  remedy);
  }
  const fs::path closed = folder / "closed/assay/rtl";
  fs::create_directories(closed);
  fs::permissions(closed,
                  fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_read | fs::perms::others_exec);
  const Variable other("XDG_CACHE_HOME", (folder / "closed").string());
  EXPECT_EXIT(print_cache_folder_as_a_user(), testing::ExitedWithCode(0),
              "cannot be written \\(Permission denied\\); set ASSAY_CACHE");
}

TEST(BuildRtl, ACacheThatCannotBeWrittenIsNoMissingVerilator) {
  const fs::path folder = scratch_folder();
  write_text(folder / "file", "");
  const Variable cache("XDG_CACHE_HOME", (folder / "file").string());
  const Plan plan = plan_of_text(two_terms);
  try {
    built(read_dut_file(write_unit(folder, little_module, little_dut)), plan, nullptr);
    FAIL() << "It was built.";
  } catch (const Error& error) {
    EXPECT_EQ(error.message.find("The folder " + (folder / "file/assay/rtl").string()), 0u) << error.message;
  }
}

TEST(BuildRtl, AnswersThroughTheProcessProtocol) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(two_terms);
  const auto device = start_rtl(read_dut_file(write_unit(folder, little_module, little_dut)), plan);
  Case one;
  one.a = one.b = {0x3c00, 0x3c00};
  one.c = 0x12345678;
  const std::vector<Answer> answers = device->run({one}, true);
  ASSERT_EQ(answers.size(), 1u);
  ASSERT_TRUE(answers[0].ok()) << answers[0].error;
  EXPECT_EQ(answers[0].d, 0x12345678u);
  const auto place = static_cast<std::size_t>(plan.find_place("step[0].special"));
  for (std::size_t i = 0; i < plan.places.size(); ++i) EXPECT_EQ(answers[0].traced[i] != 0, i == place);
}

// Four whole numbers multiplied and added up, in two pipeline stages that stand still together when d has to wait.
const std::string pipelined_module = R"(module pipelined (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic              in_valid_i,
  output logic              in_ready_o,
  input  logic signed [7:0] a_i [4],
  input  logic        [7:0] b0_i, b1_i, b2_i, b3_i,
  input  logic [31:0]       c_i,
  input  logic              mode_i,
  output logic              out_valid_o,
  input  logic              out_ready_i,
  output logic [31:0]       d_o
);
  logic               valid_q;
  logic signed [31:0] products_q [4];
  logic signed [31:0] c_q;
  logic advance;
  assign advance = out_ready_i || !out_valid_o;
  assign in_ready_o = advance;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      out_valid_o <= 1'b0;
    end else if (advance) begin
      valid_q <= in_valid_i;
      out_valid_o <= valid_q;
    end
    if (advance) begin
      products_q[0] <= 32'(a_i[0]) * 32'($signed(b0_i));
      products_q[1] <= 32'(a_i[1]) * 32'($signed(b1_i));
      products_q[2] <= 32'(a_i[2]) * 32'($signed(b2_i));
      products_q[3] <= 32'(a_i[3]) * 32'($signed(b3_i));
      c_q <= mode_i ? c_i : '0;
      d_o <= products_q[0] + products_q[1] + products_q[2] + products_q[3] + c_q;
    end
  end
endmodule
)";

const std::string pipelined_dut = R"(instructions:
  - {instruction: "*", constants: {mode_i: 1}}
sources: [little.sv]
top: pipelined
clock: clk_i
reset: {port: rst_ni, active: low}
handshake:
  kind: valid_ready
  in_valid: in_valid_i
  in_ready: in_ready_o
  out_valid: out_valid_o
  out_ready: out_ready_i
ports:
  a: {port: "a_i[]", width: 8}
  b: {port: "b{}_i", width: 8}
  c: c_i
  d: d_o
)";

const char* const four_integers = R"(
name: four_integers
like: integer
k: 4
operands: {a: i8, b: i8, c: i32, d: i32}
)";

// How many of the answers are right.
std::size_t right(const Plan& plan, Device& device, const std::vector<Case>& cases) {
  std::size_t count = 0;
  Registers registers;
  const std::vector<Answer> answers = device.run(cases, false);
  for (std::size_t i = 0; i < answers.size(); ++i) {
    count += answers[i].ok() && answers[i].d == dot(plan, cases[i].operand(), registers) ? 1 : 0;
  }
  return count;
}

TEST(BuildRtl, DrivesAPipelineWithBackPressure) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(four_integers);
  const std::vector<Case> cases = generated_cases(plan, 1, 500);
  const auto good = start_rtl(read_dut_file(write_unit(folder, pipelined_module, pipelined_dut)), plan);
  EXPECT_EQ(right(plan, *good, cases), cases.size());
  EXPECT_EQ(good->close(), "");

  // A second stage that moves on although d has to wait: only back-pressure shows it.
  const std::string hasty =
      changed(pipelined_module, "      d_o <= products_q[0]", "    end\n    begin\n      d_o <= products_q[0]");
  const auto bad = start_rtl(read_dut_file(write_unit(folder, hasty, pipelined_dut)), plan);
  EXPECT_LT(right(plan, *bad, cases), cases.size());
}

TEST(BuildRtl, WhatDependsOnAMissingResetIsFoundByDrawingRegistersAnew) {
  const fs::path folder = scratch_folder();
  const Plan plan = plan_of_text(four_integers);
  const std::string sticky = changed(changed(pipelined_module, "  logic advance;", "  logic advance, forgotten_q;"),
                                     "c_q <= mode_i ? c_i : '0;",
                                     "c_q <= mode_i && forgotten_q ? c_i : '0;\n      forgotten_q <= forgotten_q;");
  const Dut dut = read_dut_file(write_unit(folder, sticky, pipelined_dut));
  const std::string program = built(dut, plan, nullptr);
  VectorHeader header;
  header.architecture = "hopper";
  header.instruction = "wgmma.m64nNk16.f32.f16.f16";
  const auto started = [&](const std::string& seed) {
    return process_device(plan, header, {started_by(dut, program, seed), "rtl"});
  };
  const std::vector<Case> cases = generated_cases(plan, 1, 50);
  // Some pair of seeds draws the register differently.
  int found = 0;
  for (int seed = 2; seed < 12; ++seed) {
    const auto twice = reseeded(
        started("1"), [&](const Disturbance&) { return started(std::to_string(seed)); }, plan.d.hex_digits());
    for (const Answer& answer : twice->run(cases, false)) {
      found +=
          answer.error.rfind("The result depends on what registers hold before the reset, or on stalls: d is ", 0) == 0
              ? 1
              : 0;
    }
  }
  EXPECT_GT(found, 0);
}

struct Mistake {
  const char* name;
  const char* dut_from;
  const char* dut_to;
  const char* module_from;
  const char* module_to;
  const char* message;  // what the error's sentence contains; @ stands for the folder
};

// Builds a unit with one thing wrong; @ in the expected words stands for the folder.
void expect_complaint(const Plan& plan, const std::string& module, const std::string& dut, std::string expected) {
  const fs::path folder = scratch_folder();
  const std::string file = write_unit(folder, module, dut);
  for (std::size_t at; (at = expected.find('@')) != std::string::npos;) expected.replace(at, 1, folder.string());
  try {
    built(read_dut_file(file), plan, nullptr);
    FAIL() << "It was built.";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find(expected), std::string::npos) << error.message << "\nlacks\n" << expected;
    EXPECT_EQ(error.ending, Ending::wrong_use);
  }
}

void PrintTo(const Mistake& mistake, std::ostream* out) { *out << mistake.name; }

class BuildMistake : public testing::TestWithParam<Mistake> {};

TEST_P(BuildMistake, IsASentence) {
  const Mistake& m = GetParam();
  expect_complaint(plan_of_text(two_terms), changed(little_module, m.module_from, m.module_to),
                   changed(little_dut, m.dut_from, m.dut_to), m.message);
}

class PipelineMistake : public testing::TestWithParam<Mistake> {};

TEST_P(PipelineMistake, IsASentence) {
  const Mistake& m = GetParam();
  expect_complaint(plan_of_text(four_integers), changed(pipelined_module, m.module_from, m.module_to),
                   changed(pipelined_dut, m.dut_from, m.dut_to), m.message);
}

const std::vector<Mistake> pipeline_mistakes{
    {"NoSuchClock", "clock: clk_i", "clock: ck_i", "", "",
     "@/dut.yaml:5: module pipelined has no port ck_i; its ports"},
    {"NoSuchReset", "port: rst_ni", "port: rst_i", "", "",
     "@/dut.yaml:6: module pipelined has no port rst_i; its ports"},
    {"WideHandshake", "in_ready: in_ready_o", "in_ready: d_o", "", "",
     "@/dut.yaml:10: port d_o must have 1 bit here, it has 32."},
    {"HandshakeTurnedRound", "in_ready: in_ready_o", "in_ready: out_ready_i", "", "",
     "@/dut.yaml:10: port out_ready_i is an input, an output is needed here."},
    {"ArrayAsVector", "\"a_i[]\"", "a_i", "", "", "@/dut.yaml:14: port a_i is an unpacked array; write a_i[]."},
    {"VectorAsArray", "\"b{}_i\"", "\"c_i[]\"", "", "",
     "@/dut.yaml:15: b has 4 elements, but port c_i is no unpacked array; name it without []."},
    {"ShortArray", "", "", "a_i [4]", "a_i [5]", "@/dut.yaml:14: a has 4 elements, but port a_i has 5."},
    {"MissingElement", "\"b{}_i\"", "\"c{}_i\"", "", "", "@/dut.yaml:15: module pipelined has no port c0_i; its ports"},
    {"NarrowElement", "", "", "signed [7:0] a_i", "signed [6:0] a_i",
     "@/dut.yaml:14: an element of a needs bits up to 7, but port a_i has 7 bits."},
    {"NeedlessScales", "  d: d_o", "  d: d_o\n  scale_a: {port: c_i, width: 8}", "", "",
     "@/dut.yaml:18: ports.scale_a: a case of this datapath brings nothing of this name; it has a, b and c alone."},
    {"NoSuchOperand", "  d: d_o", "  d: d_o\n  tensor: {port: c_i, width: 32}", "", "",
     "@/dut.yaml:18: ports.tensor: a case of this datapath brings nothing of this name; it has a, b and c alone."},
    {"UnevenBeats", "\nports:", "\nbeats: {elements: 3}\nports:", "", "",
     "@/dut.yaml:13: a has 4 elements, which cannot be dealt out evenly where a comes by 3."},
    {"ShortAddress", "\nports:", "\nload: {operands: [b], elements: 1, valid: mode_i, address: mode_i}\nports:", "", "",
     "@/dut.yaml:13: port mode_i counts up to 3 while operands are loaded, but has 1 bit."},
    {"NoSuchWire", "\nports:", "\nbeats: {elements: 4, first: first_i}\nports:", "", "",
     "@/dut.yaml:13: module pipelined has no port first_i; its ports"},
    {"ConstantOfTheHandshake", "mode_i: 1", "out_ready_i: 1", "", "",
     "@/dut.yaml:2: port out_ready_i carries something else, and is no constant; leave it out here."},
    {"ConstantOfAnOperand", "mode_i: 1", "c_i: 1", "", "",
     "@/dut.yaml:2: port c_i carries something else, and is no constant; leave it out here."},
    {"PortOfTwoRoles", "in_valid: in_valid_i", "in_valid: clk_i", "", "",
     "@/dut.yaml:9: port clk_i would have two roles; give each a port of its own."},
    {"LargeConstantOfAnInstruction", "mode_i: 1", "mode_i: 2", "", "",
     "@/dut.yaml:2: the constant does not fit port mode_i, whose width is 1."},
};

INSTANTIATE_TEST_SUITE_P(Rtl, PipelineMistake, testing::ValuesIn(pipeline_mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

const std::vector<Mistake> mistakes{
    {"NoSuchFile", "[little.sv]", "[large.sv]", "", "", "@/dut.yaml: sources: there is no file @/large.sv."},
    {"NameThatMakeCannotHave", "[little.sv]", "[little.sv, \"a b.cpp\"]", "", "",
     "@/dut.yaml: sources: @/a b.cpp is compiled by make, which cannot have ' ' in a path; put it where letters, "
     "digits "
     "and _./+-,="},
    {"NameThatVerilatorCannotHave", "[little.sv]", "[\"$HOME.sv\"]", "", "",
     "@/dut.yaml: sources: @/$HOME.sv cannot be read: Verilator takes $HOME for a variable of the environment; move it "
     "to where no name has a $."},
    {"NoSuchFolder", "top:", "include_dirs: [none]\ntop:", "", "",
     "@/dut.yaml: include_dirs: there is no folder @/none."},
    {"WrongTop", "top: little", "top: littl", "", "", "@/dut.yaml: Verilator cannot read this RTL: %Error"},
    {"Syntax", "", "", "assign special_o = '0;", "assign special_o = ;",
     "@/dut.yaml: Verilator cannot read this RTL: %Error: @/little.sv:10"},
    {"Warning", "", "", "output logic [1:0]  special_o", "output logic [2:0]  special_o = 2'b11",
     "@/dut.yaml: Verilator cannot read this RTL: %"},
    {"NoSuchPort", "d: d_o", "d: e_o", "", "",
     "@/dut.yaml:9: module little has no port e_o; its ports are a_i, b_i, c_i, d_o, enable_i, special_o."},
    {"OutputAsInput", "c: c_i", "c: d_o", "", "", "@/dut.yaml:8: port d_o is an output, an input is needed here."},
    {"InputAsOutput", "d: d_o", "d: c_i", "", "", "@/dut.yaml:9: port c_i is an input, an output is needed here."},
    {"ElementWidth", "a: {port: a_i, width: 16}", "a: {port: a_i, width: 8}", "", "",
     "@/dut.yaml:6: elements of a are 8 bits wide, but a code of f16 has 16."},
    {"PortTooNarrow", "", "", "[31:0] b_i", "[30:0] b_i",
     "@/dut.yaml:7: 2 elements of b need bits up to 31, but port b_i has 31 bits."},
    {"OffsetTooLarge", "a: {port: a_i, width: 16}", "a: {port: a_i, width: 16, offset: 1}", "", "",
     "@/dut.yaml:6: 2 elements of a need bits up to 32, but port a_i has 32 bits."},
    {"ElementBeyond", "a: {port: a_i, width: 16}", "a: {port: a_i, width: 16, elements: 0-2}", "", "",
     "@/dut.yaml:6: element 2 of a is given a place, but a has 2, from 0 to 1."},
    {"ElementWithoutAPlace", "a: {port: a_i, width: 16}", "a: {port: a_i, width: 16, elements: 1}", "", "",
     "@/dut.yaml:6: bit 0 of element 0 of a goes to no port; a has 2 elements of f16, whose codes have 16 bits."},
    {"BitWithoutAPlace", "a: {port: a_i, width: 16}", "a: {port: a_i, bits: \"15:1\"}", "", "",
     "@/dut.yaml:6: bit 0 of element 0 of a goes to no port;"},
    {"FieldTooHigh", "a: {port: a_i, width: 16}", "a: {port: a_i, bits: \"16:1\"}", "", "",
     "@/dut.yaml:6: elements of a are 17 bits wide, but a code of f16 has 16."},
    {"StrideTooLarge", "a: {port: a_i, width: 16}", "a: {port: a_i, width: 16, stride: 17}", "", "",
     "@/dut.yaml:6: 2 elements of a need bits up to 32, but port a_i has 32 bits."},
    {"TwoOperandsOnOneBit", "b: {port: b_i, width: 16}", "b: {port: a_i, width: 16}", "", "",
     "@/dut.yaml:7: bits 15 to 0 of port a_i would carry b, and carry a."},
    {"ResultReadTwice", "d: d_o", "d: [\"d_o[15:0]\", \"d_o[15:0]\"]", "", "",
     "@/dut.yaml:9: bits 15 to 0 of port d_o would be read twice as d."},
    {"OneOperandTwice", "b: {port: b_i, width: 16}",
     "b: [{port: b_i, width: 16}, {port: b_i, width: 16, elements: 1, offset: 8}]", "", "",
     "@/dut.yaml:7: bits 23 to 8 of port b_i would carry b twice."},
    {"NoC", "c: c_i", "c: none", "", "",
     "@/dut.yaml: ports.c is `none`, but the datapath adds c; name its port, or claim a datapath that begins with "
     "nothing, `start: none`."},
    {"ShortList", "d: d_o", "d: [\"d_o[31:16]\", \"d_o[7:0]\"]", "", "",
     "@/dut.yaml:9: d has 32 bits, but the ports of this list are given 24."},
    {"PartBeyondThePort", "d: d_o", "d: [\"d_o[32:16]\", \"d_o[14:0]\"]", "", "",
     "@/dut.yaml:9: this part of d has 17 bits, but d_o is given 17 of its 32."},
    {"WholePort", "c: c_i", "c: enable_i", "", "", "@/dut.yaml:8: c has 32 bits, but enable_i has 1."},
    {"TooFewBits", "d: d_o", "d: \"d_o[15:0]\"", "", "", "@/dut.yaml:9: d has 32 bits, but d_o is given 16 of its 32."},
    {"BitsBeyondThePort", "d: d_o", "d: \"d_o[32:1]\"", "", "",
     "@/dut.yaml:9: d has 32 bits, but d_o is given 32 of its 32."},
    {"Undriven", "constants: {enable_i: 1}\n", "", "", "",
     "@/dut.yaml: input enable_i of little is not driven; give it a value under `constants`."},
    {"LargeConstant", "enable_i: 1", "enable_i: 2", "", "",
     "@/dut.yaml:10: the constant does not fit port enable_i, whose width is 1."},
    {"NoSuchPlace", "step[0].special", "step[1].special", "", "",
     "@/dut.yaml:13: the datapath has no place 'step[1].special'; its places run from decode.a[0] to encode."},
    {"ProbeWidth", "step[0].special: special_o", "step[0].sum.window: special_o", "", "",
     "@/dut.yaml:13: step[0].sum.window has "},
    {"PlanProbe", "probes:\n", "probes:\n  port: special_o\n  layout: plan\n", "", "",
     "@/dut.yaml:12: the plan's trace has "},
};

INSTANTIATE_TEST_SUITE_P(Rtl, BuildMistake, testing::ValuesIn(mistakes),
                         [](const auto& mistake) { return std::string(mistake.param.name); });

// Of a scale of one side: no port, one of the wrong width, and one that no case needs.
TEST(BuildRtl, WhatElseACaseBringsNeedsItsPorts) {
  const Plan plan = plan_of_text(R"(
name: one_scale
k: 2
operands: {a: f16, b: f16, c: f32, d: f32, scales: {tensor: {of: b, format: f32, at: sum}}}
specials: step
adders:
  - name: sum
    add: {product: {keep: 24, cut: toward_zero}}
    result: [{format: f32, cut: toward_zero}]
  - name: end
    add: {sum: exact, acc: exact}
    result: [{format: d, cut: toward_zero}]
)");
  expect_complaint(plan, little_module, little_dut,
                   "@/dut.yaml: ports.tensor is missing: a case of this datapath brings 1 code of f32 under this name; "
                   "write `tensor: {port: .., width: 32}`.");
  const auto with = [](const std::string& line) { return changed(little_dut, "  d: d_o", "  d: d_o\n  " + line); };
  expect_complaint(plan, little_module, with("tensor: {port: c_i, width: 16}"),
                   "@/dut.yaml:10: elements of tensor are 16 bits wide, but a code of f32 has 32.");
  expect_complaint(
      plan, little_module, with("tensor: {port: c_i, width: 32}\n  random: {port: c_i, width: 8}"),
      "@/dut.yaml:11: ports.random: a case of this datapath brings nothing of this name; beside a, b and c "
      "it has tensor.");
}

TEST(BuildRtl, AFailedBuildKeepsItsLogAndNoProgram) {
  const fs::path folder = scratch_folder();
  const Variable cache("XDG_CACHE_HOME", (folder / "cache").string());
  const Plan plan = plan_of_text(two_terms);
  const std::string file = write_unit(folder, changed(little_module, "endmodule", "endmodul"), little_dut);
  std::string message;
  try {
    built(read_dut_file(file), plan, nullptr);
  } catch (const Error& error) {
    message = error.message;
  }
  const std::size_t from = message.find((folder / "cache").string());
  ASSERT_NE(from, std::string::npos) << message;
  const fs::path log = message.substr(from, message.find(')', from) - from);
  EXPECT_NE(read_text(log).find("endmodul"), std::string::npos);
  EXPECT_FALSE(fs::exists(log.parent_path() / "device"));

  // Once mended, it builds.
  write_unit(folder, little_module, little_dut);
  EXPECT_TRUE(fs::exists(built(read_dut_file(file), plan, nullptr)));
}

TEST(BuildRtl, FilesThatCannotBeReachedAreNamed) {
  const fs::path folder = scratch_folder(), loop = folder / "loop";
  fs::create_symlink("loop", loop);
  Dut dut;
  dut.file = "mine.yaml";
  const auto complaint = [&] {
    try {
      lint_rtl(dut);
    } catch (const Error& error) {
      return error.message;
    }
    return std::string("none");
  };
  dut.sources = {loop.string()};
  EXPECT_EQ(complaint(),
            "mine.yaml: sources: there is no file " + loop.string() + " (Too many levels of symbolic links).");
  dut.sources = {};
  dut.include_dirs = {(loop / "headers").string()};
  EXPECT_EQ(complaint(), "mine.yaml: include_dirs: there is no folder " + (loop / "headers").string() +
                             " (Too many levels of symbolic links).");
}

TEST(BuildRtl, WithoutVerilatorItSaysWhatWouldProvideIt) {
  const fs::path folder = scratch_folder();
  const Variable path("PATH", folder.string());
  const Plan plan = plan_of_text(two_terms);
  try {
    built(read_dut_file(write_unit(folder, little_module, little_dut)), plan, nullptr);
    FAIL() << "It was built.";
  } catch (const Error& error) {
    EXPECT_EQ(
        error.message,
        "Verilator is not installed here, and RTL needs it: install the package verilator (4.200 or later), put one "
        "on PATH, or let VERILATOR_ROOT name its folder.");
    EXPECT_EQ(error.ending, Ending::not_here);
  }
}

TEST(BuildRtl, TakesTheVerilatorOfItsRoot) {
  const fs::path root = scratch_folder(), program = root / "bin" / "verilator";
  fs::create_directories(program.parent_path());
  const Variable variable("VERILATOR_ROOT", root.string());
  EXPECT_EQ(verilator_program(), "verilator");  // as Debian's, whose folder has none
  std::ofstream(program) << "#!/bin/sh\necho Verilator of the root\n";
  fs::permissions(program, fs::perms::owner_all);
  EXPECT_EQ(verilator_program(), program.string());
  const Dut dut = read_dut_file(write_unit(root, little_module, little_dut));
  EXPECT_NE(lint_rtl(dut).find("Verilator of the root"), std::string::npos);
}

// 4.228, the last before, refuses the option of 5 that leaves delays out.
TEST(BuildRtl, AnOlderVerilatorIsNotAskedForWhatItDoesNotKnow) {
  const fs::path root = scratch_folder(), program = root / "bin" / "verilator";
  fs::create_directories(program.parent_path());
  const Variable variable("VERILATOR_ROOT", root.string());
  const Dut dut = read_dut_file(write_unit(root, little_module, little_dut));
  const auto asked = [&](const std::string& version) {
    std::ofstream(program) << "#!/bin/sh\ncase \"$*\" in --version) echo \"Verilator " << version
                           << " 2022-10-01\" ;; *) echo \"asked: $*\" ;; esac\n";
    fs::permissions(program, fs::perms::owner_all);
    return lint_rtl(dut);
  };
  EXPECT_NE(asked("5.006").find("asked: --no-timing --lint-only"), std::string::npos);
  EXPECT_NE(asked("4.228").find("asked: --lint-only"), std::string::npos);
}

}  // namespace
}  // namespace assay
