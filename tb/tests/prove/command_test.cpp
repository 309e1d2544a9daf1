// assay prove: its statuses, its texts, its refusals.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/base/run_program.hpp"
#include "model/base/text.hpp"
#include "tb/devices/rtl/cache.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

class CliProve : public testing::Test {
 protected:
  void SetUp() override {
    if (!said_by({"yosys", "-V"})) GTEST_SKIP() << "yosys reads the RTL of proofs and is not installed here.";
    write_text(file("datapath.yaml"), R"(
name: eight
specials: step
nan: 7fffffff
k: 1
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
adders:
  - name: sum
    add: {product: {keep: 11, cut: toward_zero}, acc: {keep: 11, cut: toward_zero}}
    window: {exponent: largest, floor: -133}
    result: [{format: f32, cut: toward_zero, overflow: infinity, minus_zero: never}]
)");
    const Ran wired = run({"export-sv", "--datapath", file("datapath.yaml"), "--module", "unit"});
    ASSERT_EQ(wired.status, passed) << wired.err;
    text_ = wired.out;
    write_text(file("unit.sv"), text_);
    const Ran dut =
        run({"export-sv", "--datapath", file("datapath.yaml"), "--module", "unit", "--dut", file("unit.sv")});
    ASSERT_EQ(dut.status, passed) << dut.err;
    write_text(file("dut.yaml"), dut.out);
  }

  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  Ran prove(const std::vector<std::string>& options) const {
    std::vector<std::string> args{"prove", file("dut.yaml"), "--cases", "2000"};
    args.insert(args.end(), options.begin(), options.end());
    return run(args);
  }

  fs::path folder_ = scratch_folder();
  std::string text_;
};

TEST_F(CliProve, EndsWithZeroWhereAllIsProved) {
  const Ran ran = prove({"--anew", "--json"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json["status"], passed);
  EXPECT_EQ(json["proofs"][0]["answer"], "proved");
  EXPECT_EQ(json["proofs"][0]["hidden_places"], 0);
}

// The sheet of a comparison says it, where the gates are still those; where not, what is another is named.
TEST_F(CliProve, StandsOnTheSheetOfWhatIsProved) {
  const Ran proved = prove({"--json"});
  ASSERT_EQ(proved.status, passed) << proved.err;
  write_text(file("proof.json"), proved.out);
  const auto compared = [&](const std::string& proof) {
    return run({"compare", "--device", "rtl:" + file("dut.yaml"), "--cases", "20", "--sheet", file("sheet.md"),
                "--proof", proof});
  };
  const Ran ran = compared(file("proof.json"));
  ASSERT_EQ(ran.status, passed) << ran.err;
  const std::string sheet = read_text(file("sheet.md"));
  EXPECT_NE(sheet.find("| proof | proved: for all 2^48 operands d is the model's"), std::string::npos) << sheet;
  EXPECT_NE(sheet.find("; reading: the gates of unit give the d of Verilator's program in 1,024 cases"),
            std::string::npos)
      << sheet;
  write_text(file("other.json"), replaced(proved.out, R"("datapath_sha256": ")", R"("datapath_sha256": "0)"));
  EXPECT_NE(compared(file("other.json")).err.find("the datapath was another one. Prove it again: assay prove"),
            std::string::npos);
  EXPECT_NE(compared(file("dut.yaml")).err.find("dut.yaml is no proof; "), std::string::npos);
  write_text(file("unit.sv"), replaced(text_, ".Keep            (11)", ".Keep            (10)"));
  const Ran changed = compared(file("proof.json"));
  EXPECT_EQ(changed.status, wrong_use);
  EXPECT_NE(changed.err.find("the unit's gates were others"), std::string::npos) << changed.err;
}

// The command that is printed shows the same operands.
TEST_F(CliProve, EndsWithOneAndShowsOperandsWhereItIsRefuted) {
  write_text(file("unit.sv"), replaced(text_, ".Keep            (11)", ".Keep            (10)"));
  const Ran ran = prove({"--anew", "--seconds", "5"});
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("refuted: "), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("assay explain --reference model --device rtl:" + file("dut.yaml") + " --datapath "),
            std::string::npos)
      << ran.out;
}

// Held to the unit that it was made of, and no proof of the model.
TEST_F(CliProve, HoldsAUnitToAnotherOne) {
  write_text(file("old.sv"), text_);
  write_text(file("old.yaml"), replaced(read_text(file("dut.yaml")), "unit.sv", "old.sv"));
  const std::vector<std::string> to_old{"--anew", "--json", "--reference", "rtl:" + file("old.yaml")};
  write_text(file("unit.sv"), replaced(text_, "endmodule", "  // a comment\nendmodule"));
  const Ran same = prove(to_old);
  ASSERT_EQ(same.status, passed) << same.out << same.err;
  const nlohmann::json proof = nlohmann::json::parse(same.out)["proofs"][0];
  EXPECT_EQ(proof["reference"], "rtl:" + file("old.yaml"));
  EXPECT_TRUE(proof["gates"].contains("reference"));
  write_text(file("proof.json"), same.out);
  const Ran sheet = run({"compare", "--device", "rtl:" + file("dut.yaml"), "--cases", "20", "--sheet", file("sheet.md"),
                         "--proof", file("proof.json")});
  EXPECT_EQ(sheet.status, wrong_use);
  EXPECT_NE(sheet.err.find("the unit was held to rtl:" + file("old.yaml") + " and not to the model"), std::string::npos)
      << sheet.err;

  write_text(file("unit.sv"), replaced(text_, ".Keep            (11)", ".Keep            (10)"));
  const Ran other = prove(to_old);
  EXPECT_EQ(other.status, mismatch) << other.err;
  const nlohmann::json refuted = nlohmann::json::parse(other.out)["proofs"][0];
  EXPECT_NE(refuted["conclusion"].get<std::string>().find("differ from the reference"), std::string::npos);
  EXPECT_EQ(prove({"--reference", "exec:true"}).err,
            "assay: --reference exec:true: a proof holds a unit to model, or to another unit as rtl:DUT.yaml.\n");
}

TEST_F(CliProve, SaysWhatIsWrongWithItsWords) {
  EXPECT_EQ(run({"prove", file("none.yaml")}).status, wrong_use);
  EXPECT_EQ(prove({"--seconds", "0"}).status, wrong_use);
  EXPECT_EQ(prove({"--threads", "x"}).status, wrong_use);
}

// What yosys reads is held to Verilator's program wherever there is a Verilator.
TEST_F(CliProve, ReadsWhatVerilatorReads) {
  write_text(file("unit.sv"), replaced(text_, "endmodule", "  wire [2:0] narrow = 8'hff;\nendmodule"));
  const Ran ran = prove({});
  EXPECT_EQ(ran.status, wrong_use) << ran.out;
  EXPECT_NE(ran.err.find("Verilator cannot read this RTL: %Warning-WIDTH"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay
