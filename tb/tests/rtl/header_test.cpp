// A module's header without its body.
#include "tb/devices/rtl/module_header.hpp"

#include <gtest/gtest.h>

namespace assay {
namespace {

TEST(ModuleHeader, StandsWithoutItsBodyAndOtherModules) {
  const std::string text = R"(package p; typedef logic [15:0] word_t; endpackage
module other (input logic x); assign y = x; endmodule
module unit import p::*; #(parameter int N = $clog2(16), parameter string S = "a;(") (
  input word_t a_i [N], // module fake;
  output logic d_o
);
  missing u_missing (.a_i, .d_o);
endmodule : unit
module last; endmodule
)";
  const auto header = header_only(text, "unit");
  ASSERT_TRUE(header.has_value());
  EXPECT_NE(header->find("package p;"), std::string::npos);
  EXPECT_NE(header->find("output logic d_o\n);\nendmodule"), std::string::npos) << *header;
  for (const char* gone : {"missing", "module other", "module last", "assign"})
    EXPECT_EQ(header->find(gone), std::string::npos) << gone << " in " << *header;
}

TEST(ModuleHeader, IsNothingWhereTheBodySaysThePorts) {
  EXPECT_FALSE(header_only("module unit (a, d); input a; output d; endmodule", "unit").has_value());
  EXPECT_FALSE(header_only("module other (input a); endmodule", "unit").has_value());
  EXPECT_FALSE(header_only("", "unit").has_value());
  EXPECT_FALSE(header_only("module unit (", "unit").has_value());
  EXPECT_FALSE(header_only("/* module unit (input a);", "unit").has_value());
  EXPECT_FALSE(header_only("\"module unit (input a);", "unit").has_value());
}

TEST(ModuleHeader, SaysItsPortsAndParameters) {
  const std::string text = R"(module other (input logic x); endmodule
module automatic unit import p::*; import q::r; #(
  parameter int N = $clog2(16), M [2] = '{1, 2}, localparam int L = N, parameter type T = logic [3:0]
) (
  input wire clk, rst_n,
  input p::req_t req_i [N], output logic [N-1:0] d_o,
  dot_if.slave bus, other_if many [2]
);
endmodule)";
  const auto header = parse_header(text, "unit");
  ASSERT_TRUE(header.has_value());
  EXPECT_EQ(header->parameters, (std::vector<std::string>{"N", "M", "T"}));
  EXPECT_EQ(header->before_ports.rfind(" import p::*; import q::r; #(\n  parameter int N", 0), 0u);
  std::vector<std::string> lines;
  for (const HeaderPort& port : header->ports)
    lines.push_back(port.name + "|" + port.declaration + "|" + port.type + "|" + port.interface + "|" +
                    port.dimensions);
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "clk|input wire clk|wire||", "rst_n|input wire rst_n|wire||",
                       "req_i|input p::req_t req_i [N]|p::req_t|| [N]", "d_o|output logic [N-1:0] d_o|logic [N-1:0]||",
                       "bus|dot_if.slave bus|dot_if.slave|dot_if|", "many|other_if many [2]|other_if|other_if| [2]"}));
}

TEST(ModuleHeader, DeclaresNoPortsWhereTheBodyDoes) {
  EXPECT_FALSE(parse_header("module unit (a, d); input a; output d; endmodule", "unit").has_value());
  EXPECT_FALSE(parse_header("module other (input a); endmodule", "unit").has_value());
  EXPECT_FALSE(parse_header("module unit", "unit").has_value());
}

}  // namespace
}  // namespace assay
