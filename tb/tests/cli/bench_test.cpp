// assay bench: that every number is there and belongs where it stands; how large it is depends on the machine.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

nlohmann::json bench(std::vector<std::string> args) {
  if (std::find(args.begin(), args.end(), "--seconds") == args.end()) args.insert(args.begin(), {"--seconds", "0.001"});
  args.insert(args.begin(), {"bench", "--json", "--size", "24"});
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, passed) << ran.err;
  return nlohmann::json::parse(ran.out);
}

TEST(Bench, MeasuresTheInstructionsItIsGiven) {
  const nlohmann::json all = bench({wgmma, "cdna2:v_mfma_f32_32x32x8f16"});
  ASSERT_EQ(all["rows"].size(), 2U);
  const nlohmann::json& first = all["rows"][0];
  EXPECT_EQ(first["instruction"], wgmma);
  EXPECT_EQ(first["datapath"], "fused_f25");
  EXPECT_EQ(first["path"], "32-bit lanes");
  EXPECT_GT(first["core"], 0);
  EXPECT_GT(first["fast"], 0);
  EXPECT_TRUE(first["threaded"].is_null());
  EXPECT_GT(first["memory"], 1);
  EXPECT_EQ(all["rows"][1]["datapath"], "pairwise_flush_step4");
}

TEST(Bench, MeasuresThreadsWhereAsked) {
  const nlohmann::json row = bench({wgmma, "--threads", "2"})["rows"][0];
  EXPECT_EQ(row["threads"], 2);
  EXPECT_GT(row["threaded"], 0);
}

// Where this machine has no SGEMM the command says so, and goes on.
TEST(Bench, ComparesWithSgemmOrSaysThatThereIsNone) {
  const Ran ran = run({"bench", "--json", "--size", "24", "--seconds", "0.001", wgmma});
  const bool known = !nlohmann::json::parse(ran.out)["rows"][0]["sgemm"].is_null();
  EXPECT_EQ(ran.err.find("There is no libopenblas.so.0 here") == std::string::npos, known) << ran.err;
}

TEST(Bench, PrintsATableOfEveryForm) {
  const Ran ran = run({"bench", "--size", "8", "--seconds", "0.001", "--threads", "2"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  for (const std::string form : {"fused_f25 ", "fused_f13_e133 ", "group_scaled_f35 ", "integer ", "fma_chain "})
    EXPECT_NE(ran.out.find("\n" + form), std::string::npos) << form << ran.out;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

class BenchRecord : public InFolder {};

TEST_F(BenchRecord, IsHeldAgainstALaterMeasurement) {
  nlohmann::json record = bench({wgmma, "--seconds", "0.01"});
  const auto against = [&](const nlohmann::json& written) {
    return run({"bench", "--against", file("record.json", written.dump()), "--size", "24", "--seconds", "0.01", wgmma});
  };
  if (record["rows"][0]["times"].is_null()) GTEST_SKIP() << "There is no SGEMM here.";
  EXPECT_GE(record["rows"][0]["noise"], 0);
  record["rows"][0]["noise"] = 0, record["rows"][0]["times"] = 1e-6;
  const Ran slower = against(record);
  EXPECT_EQ(slower.status, mismatch) << slower.err;
  EXPECT_NE(slower.out.find("1 slower by more than the noise"), std::string::npos) << slower.out;
  record["rows"][0]["times"] = 1e6;
  EXPECT_EQ(against(record).status, passed);
  record["rows"][0]["size"] = 25;
  const Ran none = against(record);
  EXPECT_EQ(none.status, nothing_compared);
  EXPECT_EQ(none.err, "assay: The record has no form of the same name and size as what was measured.\n");
}

TEST(Bench, RefusesWhatItCannotMeasure) {
  EXPECT_EQ(run({"bench", "--against", "/nowhere.json", wgmma}).status, wrong_use);
  EXPECT_NE(run({"bench", "hopper:nothing"}).err.find("nothing"), std::string::npos);
  EXPECT_EQ(run({"bench", "hopper:nothing"}).status, wrong_use);
  EXPECT_EQ(run({"bench", "--size", "0", wgmma}).status, wrong_use);
  EXPECT_EQ(run({"bench", "--threads", "0", wgmma}).status, wrong_use);
  EXPECT_EQ(run({"bench", "--seconds", "0", wgmma}).status, wrong_use);
}

}  // namespace
}  // namespace assay
