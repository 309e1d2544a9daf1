// Campaigns of RTL: built once and used without Verilator; mutants that cases kill; proofs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "tb/campaign/merge.hpp"
#include "tb/campaign/run_shard.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/variable.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

// Mutant 1 is always wrong, 2 never, 3 and 4 for some operands.
const char* source = R"(module dot4 (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  input  logic [31:0] c_i,
  input  logic  [2:0] assay_mutant_i,
  output logic [31:0] d_o
);
  logic signed [31:0] sum;
  always_comb begin
    sum = c_i;
    for (int i = 0; i < 4; i++) sum = sum + $signed(a_i[8 * i +: 8]) * $signed(b_i[8 * i +: 8]);
    if (assay_mutant_i == 3'd1) sum[0] = ~sum[0];
    if (assay_mutant_i == 3'd3 && a_i[7:0] == 8'h80) sum = '0;
    if (assay_mutant_i == 3'd4 && c_i == 32'h7fffffff) sum[31] = ~sum[31];
  end
  assign d_o = sum;
endmodule
)";

const char* dut = R"(instruction: riscv:vdot4a.vv
sources: [dot4.sv]
top: dot4
handshake: combinational
constants: {assay_mutant_i: 0}
ports:
  a: {port: a_i, width: 8}
  b: {port: b_i, width: 8}
  c: c_i
  d: d_o
)";

class RtlCampaigns : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    file("dot4.sv", source);
    file("dut.yaml", dut);
  }

  CampaignFolder planned(const std::string& name, const std::string& yaml) {
    const CampaignFolder folder(path(name));
    plan_campaign(file(name + ".yaml", "campaign: " + name + "\n" + yaml), folder, setting_);
    return folder;
  }

  // Why no shard is run.
  std::string refusal(const CampaignFolder& folder) {
    try {
      OpenCampaign(folder, setting_).check();
    } catch (const Error& error) {
      return error.message;
    }
    return "nothing is refused";
  }

  json merged(const std::string& name, const std::string& yaml, const std::string& result) {
    const CampaignFolder folder = planned(name, yaml);
    OpenCampaign open(folder, setting_);
    for (std::uint64_t shard = open.manifest().shards(); shard >= 1; --shard) run_shard(open, folder, shard);
    ending_ = merge_campaign(folder, folder.at("merged"), setting_).ending;
    return json::parse(text_of(folder.at("merged/" + result)));
  }

  Catalogue catalogue_ = shipped_catalogue();
  std::ostringstream log_;
  CampaignSetting setting_{catalogue_, "test", log_};
  Ending ending_ = Ending::passed;
};

TEST_F(RtlCampaigns, ANodeWithoutVerilatorUsesTheBuild) {
  const CampaignFolder folder =
      planned("built", "kind: compare\ndevice: rtl:dut.yaml\ncases: 400\nblock: 100\nshards: 4\n");
  {
    const Variable path_variable("PATH", path("nowhere")), cache("XDG_CACHE_HOME", path("empty"));
    EXPECT_EQ(run_shard(folder, 1, setting_), ShardEnd::done);
    EXPECT_FALSE(fs::exists(path("empty")));
  }
  file("dot4.sv", std::string(source) + "// another\n");
  try {
    run_shard(folder, 2, setting_);
    FAIL() << "another DUT was run";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("No build of this DUT file and its sources"), std::string::npos) << error.message;
  }
}

TEST_F(RtlCampaigns, ADamagedBuildIsRefused) {
  const CampaignFolder folder =
      planned("hurt", "kind: compare\ndevice: rtl:dut.yaml\ncases: 400\nblock: 100\nshards: 4\n");
  for (const auto& entry : fs::recursive_directory_iterator(folder.builds())) {
    if (entry.path().filename() == "device") std::ofstream(entry.path(), std::ios::app) << "x";
  }
  try {
    run_shard(folder, 1, setting_);
    FAIL() << "a damaged build was run";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("is not what it was when the unit was built"), std::string::npos) << error.message;
  }
}

TEST_F(RtlCampaigns, MutantsAreEachKilledByTheFirstCaseThatDoes) {
  const std::string yaml = "kind: mutants\ndevice: rtl:dut.yaml\ncount: 4\ncases: 3000\n";
  const json one = merged("one", yaml + "shards: 1\n", "mutants.json");
  EXPECT_EQ(ending_, Ending::mismatch);
  EXPECT_EQ(one.at("alive"), json::array({2}));
  ASSERT_EQ(one.at("killed").size(), 3U);
  EXPECT_EQ(one.at("killed").at(0), (json{{"mutant", 1}, {"case", 0}}));
  for (const json& kill : one.at("killed")) EXPECT_LT(kill.at("case"), 3000);
  EXPECT_EQ(merged("four", yaml + "shards: 4\n", "mutants.json"), one);
}

// Two of the unit along K: a change of either is another device, and what goes wrong in one is told of the whole.
TEST_F(RtlCampaigns, UnitsBehindEachOtherAreOneDevice) {
  file("eight.yaml",
       "name: eight\nk: 8\noperands: {a: i8, b: i8, c: i32, d: i32}\nspecials: step\nadders:\n  - name: sum\n"
       "    add: {product: exact, acc: exact}\n    result: [{format: d, cut: toward_zero, overflow: wrap}]\n");
  file("second.yaml", dut);
  file("chain.yaml", "datapath: eight.yaml\nchain: [dut.yaml, second.yaml]\n");
  const std::string yaml = "kind: compare\ndevice: rtl:chain.yaml\ncases: 400\nblock: 100\nshards: 2\n";
  const json right = merged("right", yaml, "report.json");
  EXPECT_EQ(ending_, Ending::passed) << right.dump(1);
  const CampaignFolder folder = planned("changed", yaml);
  file("second.yaml", std::string(dut).replace(std::string(dut).find("assay_mutant_i: 0"), 17, "assay_mutant_i: 4"));
  EXPECT_THROW(run_shard(folder, 1, setting_), Error);
  merged("wrong", yaml, "report.json");
  EXPECT_EQ(ending_, Ending::mismatch);
  try {
    planned("mutants", "kind: mutants\ndevice: rtl:chain.yaml\ncount: 2\ncases: 100\nshards: 1\n");
    FAIL() << "mutants of a chain were planned";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("is a chain, which has no ports"), std::string::npos) << error.message;
  }
}

TEST_F(RtlCampaigns, ProofsAreEachDone) {
  file("wrong.yaml", std::string(dut).replace(std::string(dut).find("assay_mutant_i: 0"), 17, "assay_mutant_i: 3"));
  const json report =
      merged("proofs", "kind: prove\ndut: [dut.yaml, wrong.yaml]\nseconds: 1\ncases: 1000\n", "report.json");
  EXPECT_EQ(ending_, Ending::mismatch);
  ASSERT_EQ(report.at("items").size(), 2U);
  EXPECT_EQ(report.at("items").at(0).at("report").at("answer"), "open");  // too little time for products of 32 bits
  EXPECT_EQ(report.at("items").at(1).at("report").at("answer"), "refuted");
}

// A proof is of a claim: what another datapath file says was not proved.
TEST_F(RtlCampaigns, ProofsAreOfTheDatapathThatWasPlanned) {
  const std::string of_ports = std::string(dut).substr(std::string(dut).find('\n') + 1);
  const std::string own = "name: own\nlike: integer\noperands: {a: i8, b: i8, c: i32, d: i32}\nk: ";
  file("own.yaml", own + "4\n");
  file("own_dut.yaml", "datapath: own.yaml\n" + of_ports);
  const CampaignFolder folder = planned("claim", "kind: prove\ndut: own_dut.yaml\nshards: 1\n");
  file("own.yaml", own + "8\n");
  EXPECT_NE(refusal(folder).find("own.yaml is not what campaign claim was planned with"), std::string::npos)
      << refusal(folder);
}

// A unit is held to another one, whose sources count as its own do; one that is the same in other words is proved.
TEST_F(RtlCampaigns, ProofsAreOfTheUnitThatIsNamed) {
  file("wrong.yaml", std::string(dut).replace(std::string(dut).find("assay_mutant_i: 0"), 17, "assay_mutant_i: 3"));
  const std::string yaml = "kind: prove\ndut: [wrong.yaml#assay_mutant_i=2, wrong.yaml]\nreference: rtl:dut.yaml\n";
  const json report = merged("same", yaml + "seconds: 5\n", "report.json");
  ASSERT_EQ(report.at("items").size(), 2U);
  EXPECT_EQ(report.at("items").at(0).at("report").at("answer"), "proved");
  EXPECT_EQ(report.at("items").at(0).at("report").at("reference"), "rtl:" + path("dut.yaml"));
  EXPECT_EQ(report.at("items").at(1).at("report").at("answer"), "refuted");

  const CampaignFolder folder = planned("changed", yaml + "shards: 1\n");
  file("dot4.sv", replaced(source, "32'h7fffffff", "32'h7ffffffe"));  // a comment would change nothing that is read
  EXPECT_NE(refusal(folder).find("sources of " + path("wrong.yaml") + " is not what campaign changed was planned with"),
            std::string::npos)
      << refusal(folder);
  try {
    planned("systemc", "kind: prove\ndut: dut.yaml\nreference: systemc\nshards: 1\n");
    FAIL() << "a proof was planned against SystemC";
  } catch (const Error& error) {
    EXPECT_NE(error.message.find("a proof holds a unit to model, or to another unit"), std::string::npos)
        << error.message;
  }
}

}  // namespace
}  // namespace assay::campaign
