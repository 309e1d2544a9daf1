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

}  // namespace
}  // namespace assay
