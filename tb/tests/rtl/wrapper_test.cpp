// The module around a unit whose ports are structs or interfaces.
#include "tb/devices/rtl/wrapper.hpp"

#include <gtest/gtest.h>

#include "tb/devices/device.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

const std::string header = R"(module unit import p::*; #(parameter int N = 4) (
  input logic clk_i, rst_ni,
  input req_t req_i,
  unit_if.slave bus
);
endmodule
)";

Dut dut_of(const std::string& a) {
  const auto path = scratch_folder() / "dut.yaml";
  write_text(path,
             "instruction: \"*\"\nsources: [u.sv]\ntop: unit\nclock: clk_i\nhandshake: {kind: valid, in_valid: "
             "req_i.valid, out_valid: \"!bus.empty\"}\nports:\n  a: {port: " +
                 a +
                 ", width: 8}\n  b: {port: \"bus.b[]\", width: 8}\n  c: req_i.c\n  d: bus.d\nconstants: {rst_ni: "
                 "1, req_i.op: 2}\n");
  return read_dut_file(path.string());
}

TEST(Wrapper, GivesEachMemberAPort) {
  const Dut dut = dut_of("req_i.x.a");
  EXPECT_EQ(members_of(dut), (std::vector<std::string>{"req_i.valid", "bus.empty", "req_i.c", "bus.d", "req_i.x.a",
                                                       "bus.b", "req_i.op"}));
  EXPECT_EQ(wrapper_port("req_i.x.a"), "member_req_i_x_a");
  EXPECT_EQ(wrapper_port("clk_i"), "clk_i");
  const std::string text = wrapper_text(dut, header);
  for (const char* line :
       {"module assay_wrapper import p::*; #(parameter int N = 4) (\n  clk_i,\n  rst_ni,\n  member_req_i_valid,",
        "  input logic rst_ni;\n  req_t req_i;\n  unit_if bus (.*);\n",
        "  input logic [$bits(req_i.x.a)-1:0] member_req_i_x_a;\n  assign req_i.x.a = member_req_i_x_a;\n",
        "  input logic [$bits(bus.b[0])-1:0] member_bus_b [$size(bus.b)];\n  assign bus.b = member_bus_b;\n",
        "  output logic [$bits(bus.d)-1:0] member_bus_d;\n  assign member_bus_d = bus.d;\n",
        "  unit #(.N(N)) u_dut (.*);\nendmodule\n"})
    EXPECT_NE(text.find(line), std::string::npos) << text << "lacks\n" << line;
}

std::string complaint(const Dut& dut, const std::string& text) {
  try {
    wrapper_text(dut, text);
  } catch (const Error& error) {
    return error.message.substr(dut.file.size());
  }
  return "";
}

TEST(Wrapper, SaysWhatItLacks) {
  EXPECT_EQ(complaint(dut_of("res_i.a"), header),
            ":7: module unit has no port res_i, of which res_i.a would be a member.");
  EXPECT_EQ(complaint(dut_of("req_i.a"), "module unit (req_i); input req_i; endmodule"),
            ": the header of module unit does not declare its ports, so that their members cannot be named; declare "
            "them there, or name whole ports.");
  EXPECT_EQ(complaint(dut_of("req_i.a"), header), "");
}

}  // namespace
}  // namespace assay
