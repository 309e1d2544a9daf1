// What a DUT's ports would fit, where its claim does not.
#include "tb/devices/rtl/fitting.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

RtlPort in(const std::string& name, int width, int elements = 0) { return {name, true, width, elements}; }

PortElements packed(const std::string& port, int width) {
  PortElements e;
  e.port = port;
  e.width = e.stride = width;
  return e;
}

Dut dut_of(int width) {
  Dut dut;
  dut.file = "unit.yaml";
  dut.claims = {{"hopper:wgmma.m64nNk16.f32.f16.f16", "", {}}};
  dut.operands = {{"a", {packed("a_i", width)}, ""}, {"b", {packed("b_i", width)}, ""}};
  dut.c = {{"c_i", {}, 0, ""}};
  dut.d = {{"d_o", {}, 0, ""}};
  return dut;
}

std::vector<RtlPort> ports(int a, int c) { return {in("a_i", a), in("b_i", a), in("c_i", c), {"d_o", false, c, 0}}; }

TEST(Fitting, NamesInstructionsOfThatManyElementsOfThatWidth) {
  const Catalogue catalogue = shipped_catalogue();
  const std::string said = what_fits(dut_of(16), ports(256, 32), catalogue);
  EXPECT_EQ(said.rfind(" As this file describes them, the ports have a of 16 bits, b of 16, c of 32, d of 32, k 16; so "
                       "have hopper:",
                       0),
            0u)
      << said;
  // Each that is named has them.
  const std::string names = said.substr(said.find("so have ") + 8);
  for (std::size_t from = 0; from < names.size();) {
    const std::size_t end = names.find_first_of(", ", from);
    const std::string name = names.substr(from, end - from);
    if (name.find(':') == std::string::npos) break;
    const Plan plan = catalogue.plan_of(catalogue.instruction(name));
    EXPECT_EQ(plan.k, 16) << name;
    EXPECT_EQ(plan.a.stored_bits, 16) << name;
    EXPECT_EQ(plan.d.stored_bits, 32) << name;
    from = end + (names[end] == ',' ? 2 : 1);
  }
  EXPECT_NE(said.find(" of the catalogue."), std::string::npos) << said;
}

TEST(Fitting, SaysWhereNothingFits) {
  const std::string said = what_fits(dut_of(13), ports(13 * 7, 29), shipped_catalogue());
  EXPECT_EQ(said,
            " As this file describes them, the ports have a of 13 bits, b of 13, c of 29, d of 29, k 7; no instruction "
            "of the catalogue has, but a datapath file of your own may (docs/own-units.md).");
}

// An array's place says how wide an element is, whatever the file says; and how many there are.
TEST(Fitting, AsksThePortsRatherThanTheFile) {
  Dut dut = dut_of(16);
  PortElements &a = dut.operands[0].parts[0], &b = dut.operands[1].parts[0];
  a.form = b.form = PortElements::Form::array;
  const std::string said =
      what_fits(dut, {in("a_i", 8, 32), in("b_i", 8, 32), in("c_i", 32), {"d_o", false, 32, 0}}, shipped_catalogue());
  EXPECT_NE(said.find("a of 8 bits, b of 8, c of 32, d of 32, k 32; so have hopper:"), std::string::npos) << said;
  a.form = b.form = PortElements::Form::each;
  a.port = "a{}_i", b.port = "b{}_i";
  const std::string each = what_fits(dut,
                                     {in("a0_i", 8),
                                      in("a1_i", 8),
                                      in("a2_i", 8),
                                      in("a3_i", 8),
                                      in("b0_i", 8),
                                      in("b1_i", 8),
                                      in("b2_i", 8),
                                      in("b3_i", 8),
                                      in("c_i", 32),
                                      {"d_o", false, 32, 0}},
                                     shipped_catalogue());
  EXPECT_NE(each.find("a of 8 bits, b of 8, c of 32, d of 32, k 4; so have "), std::string::npos) << each;
}

// Beside what else its port carries, a vector's length is not known.
TEST(Fitting, DoesNotCountWhatSharesAPort) {
  Dut dut = dut_of(16);
  dut.c = {{"b_i", 256, 32, ""}};
  dut.operands[0].parts[0].port = "b_i";
  const std::string said = what_fits(dut, {in("b_i", 544), {"d_o", false, 32, 0}}, shipped_catalogue());
  EXPECT_NE(said.find("d of 32, k any; "), std::string::npos) << said;
}

// Nor what comes some elements at a time.
TEST(Fitting, DoesNotCountWhatComesInBeats) {
  Dut dut = dut_of(16);
  dut.beats.emplace();
  dut.beats->operands = {"a"};
  dut.load.emplace();
  dut.load->operands = {"b"};
  const std::string said = what_fits(dut, ports(32, 32), shipped_catalogue());
  EXPECT_NE(said.find("a of 16 bits, b of 16, c of 32, d of 32, k any; "), std::string::npos) << said;
}

}  // namespace
}  // namespace assay
