// What is known to be read otherwise is found in RTL's text, and nothing else is taken for it.
#include "tb/prove/read_otherwise.hpp"

#include <gtest/gtest.h>

#include "tb/devices/rtl/cache.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

// "2: `~W'(..)`": the line, and what stands there.
std::vector<std::string> found_in(const std::string& text) {
  std::vector<std::string> found;
  for (const ReadOtherwise& one : read_otherwise(text, "unit.sv"))
    found.push_back(std::to_string(one.line) + ": " + one.what.substr(0, one.what.find("`,") + 1));
  return found;
}

using Lines = std::vector<std::string>;

TEST(ReadOtherwise, FindsAnOperatorBeforeACastToASize) {
  EXPECT_EQ(found_in("assign y = ~W'(x);"), Lines{"1: `~W'(..)`"});
  EXPECT_EQ(found_in("assign y = a +\n  -8'(x);"), Lines{"2: `-8'(..)`"});
  EXPECT_EQ(found_in("assign y = a & ~(W + 1)'(x);"), Lines{"1: `~(W+1)'(..)`"});
  EXPECT_EQ(found_in("return ^W'(x);"), Lines{"1: `^W'(..)`"});
  EXPECT_EQ(found_in("if (!W'(x) && -W'(y) < 0)"), (Lines{"1: `!W'(..)`", "1: `-W'(..)`"}));
}

TEST(ReadOtherwise, FindsWhatTheTwoHaveTheirOwnRulesFor) {
  EXPECT_EQ(found_in("`ifdef SYNTHESIS\n`elsif VERILATOR\n`endif\n`ifndef YOSYS"),
            (Lines{"1: ``ifdef SYNTHESIS`", "2: ``elsif VERILATOR`", "4: ``ifndef YOSYS`"}));
  EXPECT_EQ(found_in("// synopsys translate_off\n/* synthesis translate_off */"),
            (Lines{"1: `synopsys translate_off`", "2: `synthesis translate_off`"}));
  EXPECT_EQ(found_in("unique case (x)\nendcase\ncase (x) // synopsys parallel_case\nendcase"),
            (Lines{"1: `unique case`", "3: `synopsys parallel_case`"}));
  EXPECT_EQ(found_in("a === b; a !== b; casex (a)"), (Lines{"1: `===`", "1: `!==`", "1: `casex`"}));
  EXPECT_EQ(found_in("initial $readmemh(\"rom.hex\", rom);"), Lines{"1: `$readmemh`"});
}

TEST(ReadOtherwise, FindsOnesThatAParameterBeginsWith) {
  EXPECT_EQ(found_in("module unit #(parameter int W = 4,\n  parameter logic [W-1:0] Mask = '1) (input a);"),
            Lines{"2: `'1`"});
  EXPECT_EQ(found_in("localparam code_t Ones = '1;"), Lines{"1: `'1`"});
}

// Two operands, other casts, text and comments.
TEST(ReadOtherwise, PassesOverWhatIsReadAlike) {
  for (const char* alike :
       {"assign y = a - W'(x);", "assign y = f(a) & W'(x);", "assign y = a[3] ^ W'(x);", "assign y = {a} | 8'(x);",
        "assign y = a && W'(x) || W'(z);", "assign y = ~(W'(x));", "assign y = a ~^ W'(x);", "assign y = -signed'(x);",
        "assign y = ~unsigned'(x);", "assign y = W'(~x);", "// ~W'(x)\n/* a === b */",
        "$display(\"~W'(x) === \\\" y\");", "localparam logic [3:0] A = 4'hf; assign y = '1;",
        "assign y = a == b ? '1 : '0;", "`ifdef SIMULATION", "case (x)", "unique if (a)", "assign y = ~8'hff;",
        "assign y = '{a, b};"})
    EXPECT_EQ(found_in(alike), Lines{}) << alike;
}

TEST(ReadOtherwise, EndsWithAnyText) {
  const std::string text = "assign y = ~(W)'(x); \"text\\\"\" /* more */ `ifdef SYNTHESIS '1 ' \\name 4'b1x";
  for (std::size_t from = 0; from < text.size(); ++from) {
    for (std::size_t length = 1; from + length <= text.size(); ++length) found_in(text.substr(from, length));
  }
  EXPECT_EQ(found_in(std::string(100'000, ')') + "'("), Lines{});
}

TEST(ReadOtherwise, LooksIntoWhatSourcesInclude) {
  const Scratch folder;
  put_file_text(folder.path() / "unit.sv",
                "`include \"own.svh\"\n`include \"far.svh\"\n`include \"unit.sv\"\nmodule unit;\n");
  put_file_text(folder.path() / "own.svh", "\nassign y = ~W'(x);\n");
  std::filesystem::create_directory(folder.path() / "include");
  put_file_text(folder.path() / "include/far.svh", "assign z = -W'(x);\n");
  Dut dut;
  dut.file = (folder.path() / "unit.yaml").string();
  dut.sources = {"unit.sv", "none.sv"};
  dut.include_dirs = {"include"};
  std::vector<std::string> found;
  for (const ReadOtherwise& one : read_otherwise(dut)) found.push_back(one.file + ":" + std::to_string(one.line));
  EXPECT_EQ(found, (std::vector<std::string>{"own.svh:2", "far.svh:1"}));
}

}  // namespace
}  // namespace assay
