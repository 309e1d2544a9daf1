// Cells of a library small enough to know by heart, units whose changes can be counted by hand, and what yosys makes of
// datapaths held to the model.
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/gates/clocked.hpp"
#include "tb/gates/energy.hpp"
#include "tb/gates/fpga.hpp"
#include "tb/generate/generator.hpp"

namespace assay {
namespace {

const std::string small_library = R"lib(
/* two lines
   of comment */
library(small) {
  time_unit : "1ns";
  capacitive_load_unit (1,pf);
  nom_voltage : 2;
  cell (AND) {
    area : 3;
    pin(A) { direction : input; capacitance : 0.5; }
    pin(B) { direction : input; capacitance : 0.25; }
    pin(Y) { direction : output; function : "(A B)"; }
  }
  cell (INV) {
    area : 1
    pin(A) { direction : input; capacitance : 1; }
    pin(Y) { direction : output; function : "A'"; }
  }
  cell (REG) {
    area : 9;
    ff (IQ,IQN) { next_state : "D"; clocked_on : "CLK"; }
    pin(CLK) { direction : input; capacitance : 0.1; clock : true; }
    pin(D) { direction : input; capacitance : 0.2;
      timing() { related_pin : "CLK"; timing_type : hold_rising;
        rise_constraint(t) { index_1 ("1"); values ("77"); } }
      timing() { related_pin : "CLK"; timing_type : setup_rising;
        rise_constraint(t) { values ("1, 2, 3", "4, 0.5, 6", "7, 8, 9"); }
        fall_constraint(t) { values ("1, 2, 3", \
          "4, 0.75, 6", "7, 8, 9"); } } }
    pin(Q) { direction : output; function : "IQ";
      timing() { related_pin : "CLK"; timing_type : rising_edge;
        cell_rise(t) { values ("1, 2", "3, 0.25"); }
        cell_fall(t) { values ("1, 2", "3, 0.125"); } } }
  }
  cell (PAD) {
    area : 99;
    pin(P) { direction : inout; capacitance : 5; }
    pin(Y) { direction : output; function : "P"; }
  }
  cell (GATED) {
    area : 9;
    ff (IQ,IQN) { next_state : "D"; clocked_on : "CLK"; clear : "R"; }
    pin(CLK) { direction : input; capacitance : 0.1; }
    pin(D) { direction : input; capacitance : 0.1; }
    pin(R) { direction : input; capacitance : 0.1; }
    pin(Q) { direction : output; function : "IQ"; }
  }
}
)lib";

std::uint64_t evaluated(const std::string& function) {
  // A, B and C take every combination in the eight lowest bits.
  const std::uint64_t pins[] = {0xf0, 0xcc, 0xaa};
  return CellFunction(function, {"A", "B", "C"}).of(pins) & 0xff;
}

// By truth table, written down from the format's own words: ^ binds more than a product, a product more than a sum.
TEST(Liberty, FunctionsAreReadAsTheFormatSays) {
  EXPECT_EQ(evaluated("A"), 0xf0U);
  EXPECT_EQ(evaluated("!A"), 0x0fU);
  EXPECT_EQ(evaluated("A'"), 0x0fU);
  EXPECT_EQ(evaluated("(A B)"), 0xc0U);
  EXPECT_EQ(evaluated("A*B + C"), 0xeaU);
  EXPECT_EQ(evaluated("A + B C"), 0xf8U);
  EXPECT_EQ(evaluated("A & B | !C"), 0xd5U);
  EXPECT_EQ(evaluated("A B ^ C"), 0x60U) << "A and (B xor C)";
  EXPECT_EQ(evaluated("((A^B)^C)"), 0x96U);
  EXPECT_EQ(evaluated("(((A B)+(B C))+(C A))"), 0xe8U);
  EXPECT_EQ(evaluated("(!((A B) + (!A C)))"), 0x35U);
  EXPECT_EQ(evaluated("(A+B)'"), 0x03U);
  EXPECT_EQ(evaluated("1"), 0xffU);
  for (const char* const wrong : {"", "A +", "(A", "D", "A)", "A ! + B"})
    EXPECT_THROW(evaluated(wrong), Error) << wrong;
}

TEST(Liberty, CellsHaveTheirPinsAndRegistersTheirTimes) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  EXPECT_EQ(library.volts, 2);
  const LibraryCell& both = library.cells.at("AND");
  EXPECT_EQ(both.area, 3);
  ASSERT_EQ(both.inputs.size(), 2U);
  EXPECT_EQ(both.inputs[1].capacitance, 0.25);
  EXPECT_FALSE(both.is_register());
  EXPECT_TRUE(library.cells.at("REG").is_register());
  EXPECT_EQ(library.cells.at("REG").data, "D");
  EXPECT_EQ(library.cells.at("REG").state, "Q");
  EXPECT_FALSE(library.cells.at("GATED").is_register()) << "it has a reset";
  EXPECT_EQ(library.cells.count("PAD"), 0U) << "nothing is mapped onto it";
  EXPECT_EQ(library.register_time(), 0.75 + 0.25) << "set-up and clock to output in the middle of the tables";
}

std::string refused(const std::string& library) {
  try {
    read_liberty(library, "l.lib");
  } catch (const Error& error) {
    return error.message;
  }
  return "was taken";
}

TEST(Liberty, WhatCannotBeReadIsNamedWithItsLine) {
  EXPECT_EQ(refused("library(x) {\n  time_unit : \"1ps\";\n  nom_voltage : 1;\n}\n"),
            "l.lib:1: times in 1ns and loads in pf are read, and these are others.");
  EXPECT_EQ(refused("library(x) {\n"), "l.lib:2: `}` is missing.");
  EXPECT_EQ(refused("library(x) { /* \n"), "l.lib:2: a comment does not end.");
  const std::string head = "library(x) {\n time_unit : \"1ns\";\n capacitive_load_unit (1,pf);\n nom_voltage : 1;\n";
  EXPECT_EQ(refused(head + " cell (A) {\n }\n}\n"), "l.lib:5: `area` is missing.");
  EXPECT_EQ(refused(head + " cell (A) { area : x; }\n}\n"), "l.lib:5: a number is needed, found `x`.");
  EXPECT_EQ(refused(head + " cell (A) { area : 1;\n pin(Y) { direction : output; function : \"Z\"; } }\n}\n"),
            "l.lib:6: what A gives at Y cannot be read as a function of its cell's inputs: Z");
}

// d = c & !a.
const std::string and_not =
    ".model datapath\n.inputs a_i b_i c_i\n.outputs d_o\n.names $false\n.names $true\n1\n"
    ".subckt AND A=c_i B=n1 Y=d_o\n.subckt INV A=a_i Y=n1\n.end\n";

Plan one_bit_plan() {
  Plan plan;
  plan.k = 1;
  for (Format* f : {&plan.a, &plan.b, &plan.c, &plan.d}) f->stored_bits = 1;
  return plan;
}

GateCase one_bit(Code a, Code c, Code d) { return {{a}, {0}, {}, {}, c, d}; }

TEST(Energy, ChangesAreCountedByHand) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  const MappedUnit unit = read_mapped(and_not, library);
  EXPECT_EQ(unit.gates.size(), 2U);
  EXPECT_EQ(unit.loads[static_cast<std::size_t>(unit.port("c_i")[0])], 0.5);
  // a: 0 -> 1 -> 0; c stays 1. Each step: a (1 pF), n1 (0.25 pF), d (nothing hangs on it): 1.25 pF x 2 V^2.
  EXPECT_DOUBLE_EQ(
      energy_of(one_bit_plan(), unit, library.volts, {one_bit(0, 1, 1), one_bit(1, 1, 0), one_bit(0, 1, 1)}), 2.5);
  // c falls while a is 1: nothing behind it changes.
  EXPECT_DOUBLE_EQ(energy_of(one_bit_plan(), unit, library.volts, {one_bit(1, 1, 0), one_bit(1, 0, 0)}), 1);
}

// More cases than are run at once.
TEST(Energy, TheMeanIsThatOfAllSteps) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  const MappedUnit unit = read_mapped(and_not, library);
  std::vector<GateCase> cases(200, one_bit(0, 1, 1));
  for (std::size_t i = 130; i < 200; ++i) cases[i] = one_bit(i % 2, 1, 1 - i % 2);
  EXPECT_DOUBLE_EQ(energy_of(one_bit_plan(), unit, library.volts, cases), 69 * 2.5 / 199);
}

TEST(Energy, CellsThatComputeAnotherDAreNamed) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  const MappedUnit unit = read_mapped(and_not, library);
  try {
    energy_of(one_bit_plan(), unit, library.volts, {one_bit(0, 1, 1), one_bit(1, 1, 1)});
    FAIL() << "a wrong d was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.message.substr(0, 56), "The synthesised cells give d = 0, the model 1: yosys or ");
  }
  EXPECT_THROW(energy_of(one_bit_plan(), unit, library.volts, {one_bit(0, 1, 1)}), Error);
}

TEST(Mapped, RegistersTakeAtEachEdge) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  const MappedUnit unit = read_mapped(
      ".inputs clk_i a_i\n.outputs d_o\n.subckt REG CLK=clk_i D=a_i Q=q\n.subckt REG CLK=clk_i D=n Q=d_o\n"
      ".subckt INV A=q Y=n\n",
      library);
  ASSERT_EQ(unit.registers.size(), 2U);
  NetValues values = fresh_values(unit);
  const auto d = [&] { return values[static_cast<std::size_t>(unit.port("d_o")[0])]; };
  values[static_cast<std::size_t>(unit.port("a_i")[0])] = 0xf0;
  settle(unit, values);
  clock_edge(unit, values);
  settle(unit, values);
  EXPECT_EQ(d(), ~std::uint64_t{0}) << "what was before the first edge, inverted";
  clock_edge(unit, values);
  settle(unit, values);
  EXPECT_EQ(d(), ~std::uint64_t{0xf0});
}

TEST(Mapped, WhatIsNoNetlistOfTheLibraryIsRefused) {
  const CellLibrary library = read_liberty(small_library, "small.lib");
  const auto says = [&](const std::string& blif) {
    try {
      read_mapped(blif, library);
    } catch (const Error& error) {
      return error.message;
    }
    return std::string("was taken");
  };
  EXPECT_EQ(says(".subckt NOR A=a B=b Y=y\n"), "The netlist, line 1: the cell NOR is of no library.");
  EXPECT_EQ(says("\n.subckt AND A=a Y=y\n"), "The netlist, line 2: the cell AND lacks its pin B.");
  EXPECT_EQ(says(".subckt GATED CLK=c D=d R=r Q=q\n"),
            "The netlist, line 1: what the cell GATED does is not read from its library.");
  EXPECT_EQ(says(".names a b y\n11 1\n"), "The netlist, line 2: logic that is no cell of the library.");
  EXPECT_EQ(says(".subckt INV A=a Y=b\n.subckt INV A=b Y=a\n"), "The netlist, line 3: its cells form a loop.");
}

// --- by yosys ---

Plan unit_of(const std::string& operands, int k, int keep, const std::string& more = "") {
  const std::string f = std::to_string(keep);
  return plan_of(read_datapath_text(
      "{name: unit, k: " + std::to_string(k) + ", specials: step, nan: 7fffffff, operands: " + operands +
          ", adders: [{name: sum, add: {product: {keep: " + f + ", cut: toward_zero}, acc: {keep: " + f +
          ", cut: toward_zero}}, window: {exponent: largest, floor: -133}, result: [{format: f32, cut: toward_zero, "
          "overflow: infinity}]}]" +
          more + "}",
      "unit.yaml", shipped_catalogue()));
}

class GatesOfDatapaths : public ::testing::Test {
 protected:
  // GoogleTest does not know Error.
  template <class Body>
  static void tell(const Body& body) {
    try {
      body();
    } catch (const Error& error) {
      FAIL() << error.message;
    }
  }
};

// Any codes at all, NaN and infinities among them.
std::vector<GateCase> drawn_cases(const Plan& plan, int count, unsigned seed) {
  std::mt19937_64 random(seed);
  const auto codes = [&](const Format& f, int n) {
    std::vector<Code> list;
    for (int i = 0; i < n; ++i)
      list.push_back(f.stored(static_cast<Code>(random() & ((Code{1} << f.stored_bits) - 1))));
    return list;
  };
  std::vector<GateCase> cases;
  Registers registers;
  for (int i = 0; i < count; ++i) {
    GateCase one{codes(plan.a, plan.k), codes(plan.b, plan.k), {}, {}, codes(plan.c, 1)[0], 0};
    if (plan.scale) one.scale_a = codes(*plan.scale, plan.scales), one.scale_b = codes(*plan.scale, plan.scales);
    one.d = dot(plan, {one.a.data(), one.b.data(), one.c, one.scale_a.data(), one.scale_b.data()}, registers);
    cases.push_back(std::move(one));
  }
  return cases;
}

MappedUnit mapped(const Plan& plan, const Synthesis& synthesis, const CellLibrary& library) {
  return read_mapped(file_text(cost_of(plan, synthesis, NetlistFile::kept).netlist), library);
}

TEST_F(GatesOfDatapaths, GiveTheModelsResults) {
  tell([] {
    const Synthesis synthesis = find_synthesis();
    const CellLibrary library = read_liberty(file_text(synthesis.library), synthesis.library);
    for (const Plan& plan :
         {unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 2, 10), unit_of("{a: e5m2, b: e2m1, c: f32, d: f32}", 4, 6),
          unit_of("{a: e2m1, b: e2m1, c: f32, d: f32, scale: {format: ue8m0, block: 2}}", 4, 12,
                  ", product: {times: scales}")}) {
      const MappedUnit unit = mapped(plan, synthesis, library);
      const std::vector<GateCase> cases = drawn_cases(plan, 1000, 7);
      check_results(plan, unit, cases, 0);
      EXPECT_GT(energy_of(plan, unit, library.volts, cases), 0.1);
    }
  });
}

// A cell's pins exchanged somewhere: another unit, and it is seen.
TEST_F(GatesOfDatapaths, APlantedFaultIsSeen) {
  const Synthesis synthesis = find_synthesis();
  const CellLibrary library = read_liberty(file_text(synthesis.library), synthesis.library);
  const Plan plan = unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 2, 10);
  // Of random codes c alone decides nearly always.
  const Generator generator(plan, 8);
  std::vector<GateCase> cases;
  Registers registers;
  for (std::uint64_t number = 0; number < 4000; ++number) {
    const Case made = generator.make(number);
    cases.push_back({made.a, made.b, {}, {}, made.c, dot(plan, made.operand(), registers)});
  }
  const std::string blif = file_text(cost_of(plan, synthesis, NetlistFile::kept).netlist);
  int seen = 0, planted = 0;
  for (std::size_t at = blif.find(".subckt NAND2X1"); at != blif.npos && planted < 20;
       at = blif.find(".subckt NAND2X1", at + 2000)) {
    std::string faulty = blif;
    faulty.replace(at, 15, ".subckt NOR2X1 ");
    ++planted;
    try {
      check_results(plan, read_mapped(faulty, library), cases, 0);
    } catch (const Error&) {
      ++seen;
    }
  }
  EXPECT_GE(planted, 10);
  EXPECT_GE(seen, planted * 8 / 10) << "of gates that 4,000 cases reach";
}

TEST(ClockedUnits, MeetTheirPeriodWithFewRegistersAndGiveTheModelsResults) {
  const Synthesis synthesis = find_synthesis();
  const Plan plan = unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 2, 10);
  const std::vector<GateCase> cases = drawn_cases(plan, 200, 9);
  const double whole = cost_of(plan, synthesis).cost->delay;
  const Pipelined slow = clocked_at(plan, 2 * whole, synthesis, cases);
  ASSERT_TRUE(slow.at_stages && slow.retimed) << slow.why_not;
  EXPECT_EQ(slow.at_stages->registers, 0);
  EXPECT_EQ(slow.at_stages->cycles(), 1);
  const Pipelined half = clocked_at(plan, 0.7 * whole, synthesis, cases);
  ASSERT_TRUE(half.at_stages && half.retimed) << half.why_not;
  EXPECT_LE(half.at_stages->period, 0.7 * whole);
  EXPECT_GE(half.at_stages->cycles(), 2);
  EXPECT_GT(half.at_stages->registers, 20);
  EXPECT_GT(half.at_stages->area, slow.at_stages->area);
  const Pipelined never = clocked_at(plan, 0.1, synthesis, cases);
  ASSERT_TRUE(never.at_stages && never.retimed) << never.why_not;
  EXPECT_GT(never.at_stages->period, 0.1) << "the shortest that it runs at, and more than was asked";
  EXPECT_LT(never.retimed->period, never.at_stages->period) << "ABC evens the stages out";
  EXPECT_LT(never.retimed->period, half.retimed->period);
}

TEST(FpgaUnits, AreCountedInTablesCarriesAndMultipliers) {
  const Synthesis synthesis = find_synthesis();
  const Plan narrow = unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 1, 6),
             wide = unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 1, 22);
  for (const FpgaFamily& family : fpga_families()) {
    const FpgaCost few = fpga_cost(narrow, family, synthesis), many = fpga_cost(wide, family, synthesis);
    EXPECT_LT(few.tables, many.tables) << family.name;
    EXPECT_LT(few.carries, many.carries) << family.name;
    EXPECT_GT(few.tables, 50) << family.name;
  }
}

// Fewer bits are faster, by more than the twentieth that a placer's luck makes; and what a small part cannot hold is
// said in the placer's words.
TEST(FpgaUnits, ArePlacedWhereAPlacerIsInstalled) {
  FpgaFamily ice40 = fpga_families().front();
  const auto placer = placer_version(ice40);
  if (!placer) GTEST_SKIP() << "nextpnr-ice40 is not installed.";
  EXPECT_NE(placer->find("Version"), std::string::npos) << *placer;
  const Synthesis synthesis = find_synthesis();
  const Plan narrow = unit_of("{a: e2m1, b: e2m1, c: f32, d: f32}", 1, 4),
             wide = unit_of("{a: e4m3, b: e4m3, c: f32, d: f32}", 1, 24);
  const PlacedClock fast = placed_clock(narrow, ice40, *placer, synthesis),
                    slow = placed_clock(wide, ice40, *placer, synthesis);
  EXPECT_EQ(fast.why_not, "");
  EXPECT_EQ(slow.why_not, "");
  EXPECT_GT(slow.megahertz, 1);
  EXPECT_GT(fast.megahertz, slow.megahertz);

  ice40.options = "--lp384 --package qn32 --seed 1 --timing-allow-fail";
  const PlacedClock none = placed_clock(wide, ice40, *placer, synthesis);
  EXPECT_NE(none.why_not, "");
  EXPECT_EQ(none.megahertz, 0);
}

// Another version is asked anew.
TEST(FpgaUnits, AreAsFastEachTime) {
  const FpgaFamily& ice40 = fpga_families().front();
  const auto placer = placer_version(ice40);
  if (!placer) GTEST_SKIP() << "nextpnr-ice40 is not installed.";
  const Plan narrow = unit_of("{a: e2m1, b: e2m1, c: f32, d: f32}", 1, 4);
  const Synthesis synthesis = find_synthesis();
  const PlacedClock first = placed_clock(narrow, ice40, *placer, synthesis);
  const PlacedClock again = placed_clock(narrow, ice40, *placer + ", again", synthesis);
  EXPECT_EQ(first.megahertz, again.megahertz);
}

TEST(FpgaUnits, AreNotPlacedWithoutAPlacer) {
  FpgaFamily family = fpga_families().front();
  family.placer = "nextpnr-of-nobody";
  EXPECT_EQ(placer_version(family), std::nullopt);
  family.placer.clear();
  EXPECT_EQ(placer_version(family), std::nullopt);
}

}  // namespace
}  // namespace assay
