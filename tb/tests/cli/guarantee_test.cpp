// assay guarantee: its text, its JSON, its refusals; and that its witnesses are what it says.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/run.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const std::string hopper = "hopper:wgmma.m64nNk16.f32.f16.f16";

Ran guarantee(std::vector<std::string> options, const std::string& instruction = hopper) {
  std::vector<std::string> args{"guarantee", "--cases", "60", "--instruction", instruction};
  args.insert(args.end(), options.begin(), options.end());
  return run(args);
}

nlohmann::json json_of(std::vector<std::string> options, const std::string& instruction = hopper) {
  options.push_back("--json");
  const Ran ran = guarantee(std::move(options), instruction);
  EXPECT_EQ(ran.status, passed) << ran.err;
  return nlohmann::json::parse(ran.out);
}

mpq_class exactly(const nlohmann::json& text) { return mpq_class(text.get<std::string>()); }

TEST(CliGuarantee, SaysBoundsTheirPlacesAndACase) {
  const Ran ran = guarantee({});
  EXPECT_EQ(ran.status, passed) << ran.err;
  for (const char* line :
       {"hopper:wgmma.m64nNk16.f32.f16.f16: one operation of 16 terms\n", "within 5 x 2^-23 x S\n",
        "within 17 x 2^-21 x 2^E\n", "from -5 x 2^-23 x S to 0\n", "d is right to 20 bits where nothing cancels",
        "16 x 2^(window - 25)", "does not overflow where S is at most", "\n  assay explain --instruction "})
    EXPECT_NE(ran.out.find(line), std::string::npos) << line << "\n" << ran.out;
}

// The shares of each side add up to it, and what is attained is within the bound.
TEST(CliGuarantee, SharesAddUpInJson) {
  const nlohmann::json json = json_of({});
  ASSERT_EQ(json["bounds"].size(), 4U);
  for (const nlohmann::json& bound : json["bounds"]) {
    for (const char* side : {"below", "above"}) {
      mpq_class sum;
      for (const nlohmann::json& share : bound[side]["relative_shares"]) sum += exactly(share["at_most"]);
      EXPECT_EQ(sum, exactly(bound[side]["relative"])) << bound.dump(1);
    }
  }
  for (const nlohmann::json& attained : json["attained"])
    EXPECT_LE(exactly(attained["attained"]), exactly(attained["bound"])) << attained.dump(1);
}

// The error of a chain grows with it, and less so where partial sums are promoted.
TEST(CliGuarantee, FollowsAChain) {
  const std::string fp8 = "hopper:wgmma.m64nNk32.f32.e4m3.e4m3";
  const auto against_sum = [&](std::vector<std::string> options) {
    return exactly(json_of(std::move(options), fp8)["bounds"][0]["below"]["relative"]);
  };
  const mpq_class once = against_sum({}), chain = against_sum({"--k", "1024"}),
                  promoted = against_sum({"--k", "1024", "--promote-every", "128"});
  EXPECT_GT(chain, 30 * once);
  EXPECT_LT(promoted, chain / 4);
  EXPECT_LT(against_sum({"--k", "1024", "--split-k", "4"}), chain / 2);
}

TEST(CliGuarantee, SaysUpToWhichKNothingWraps) {
  const Ran ran = guarantee({}, "cdna3:v_mfma_i32_16x16x32_i8");
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("d is exact."), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("with c zero, up to K = 131071."), std::string::npos) << ran.out;
}

TEST(CliGuarantee, HoldsTwoUnitsAgainstEachOther) {
  const std::string narrower = source_dir() + "/configs/datapath/fused_f23.yaml";
  const nlohmann::json json = json_of({"--against", narrower})["against"];
  EXPECT_NE(json["witness"]["d"][0], json["witness"]["d"][1]);
  const mpq_class bound = exactly(json["apart"][0]["any"]["relative"]) * exactly(json["witness"]["sum"]);
  EXPECT_LE(exactly(json["witness"]["apart"]), bound);
  EXPECT_GE(exactly(json["witness"]["apart"]), bound / 4);
  // A unit is not apart from itself.
  const nlohmann::json same = json_of({"--against", hopper})["against"];
  EXPECT_EQ(same["apart"][0]["any"]["relative"], "0");
  EXPECT_FALSE(same.contains("witness"));
  EXPECT_NE(guarantee({"--against", hopper}).out.find("No case was found where they differ."), std::string::npos);
}

TEST(CliGuarantee, RefusesWhatIsNoChain) {
  const auto says = [](const Ran& ran, const std::string& sentence) {
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find(sentence), std::string::npos) << ran.err;
  };
  says(guarantee({"--k", "20"}), "K is 20; it must be a multiple of the instruction's 16, and at most 1048576.");
  says(guarantee({"--k", "64", "--split-k", "3"}), "K is 64; 3 runs of it are not whole numbers of operations");
  says(guarantee({"--k", "64", "--promote-every", "24"}),
       "Sums are promoted every 24 values, which is no multiple of the instruction's 16.");
  says(guarantee({"--k", "8", "--split-k", "2"}, "ampere:mma.m8n8k4.f64.f64.f64.f64"),
       "Partial sums are added in f32, which does not hold every f64.");
  says(guarantee({"--k", "8"}, "volta:mma.m8n8k4.f32.f16.f16.f16"), "need c and d of one format");
  says(guarantee({"--against", "hopper:wgmma.m64nNk32.f32.e4m3.e4m3"}),
       "computes 32 terms of e4m3 x e4m3 + f32 -> f32");
  says(guarantee({"--property", "mine.yaml", "--k", "64"}), "--k");
}

}  // namespace
}  // namespace assay
