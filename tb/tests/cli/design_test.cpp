// assay design, where nothing has to be synthesised.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

const std::string spec = R"(design: seldom
title: How seldom
instruction: hopper:wgmma.m64nNk32.f32.e4m3.e4m3
vary:
  - {name: promotion, set: promote_every, values: [none, 128, 64, 32]}
inputs: [{normal: {positive: true}}]
shapes: {m: 4, n: 4, k: 1024}
seeds: 4
must: [{measure: normwise, most: LIMIT}]
want: additions
)";

std::string with_limit(const std::string& limit) {
  std::string text = spec;
  return text.replace(text.find("LIMIT"), 5, limit);
}

class CliDesign : public InFolder {};

TEST_F(CliDesign, WritesTheFront) {
  const std::string from = file("spec.yaml", with_limit("0.001")), out = path("out");
  const Ran ran = run({"design", from, "--out", out, "--json"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const nlohmann::json json = nlohmann::json::parse(ran.out);
  ASSERT_EQ(json["front"].size(), 3U) << ran.out;
  EXPECT_EQ(json["front"][0]["values"]["promotion"], "128");
  EXPECT_EQ(json["front"][0]["cost"]["additions"], 8);
  EXPECT_NE(json["front"][0]["nothing_smaller"].get<std::string>().find("misses normwise at most 0.001"),
            std::string::npos);
  for (const char* name : {"answer.json", "points.csv", "report.html", "front/1.yaml", "front/3.yaml", "spec.yaml"})
    EXPECT_TRUE(std::filesystem::exists(out + "/" + name)) << name;
  EXPECT_EQ(run({"describe", "--datapath", out + "/front/1.yaml"}).status, passed);
}

TEST_F(CliDesign, SaysHowNearNothingCame) {
  const std::string from = file("spec.yaml", with_limit("1e-12")), out = path("out");
  const Ran ran = run({"design", from, "--out", out});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("No point that was tried meets all limits."), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("met by none; promotion = 32 comes nearest"), std::string::npos) << ran.out;
}

TEST_F(CliDesign, HasNoUnitOfThatNumber) {
  const std::string from = file("spec.yaml", with_limit("0.001")), out = path("out");
  const Ran ran = run({"design", from, "--out", out, "--take", "9"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("--take 9: the answer has 3 units."), std::string::npos) << ran.err;
}

TEST_F(CliDesign, WantsAFolderOfItsOwn) {
  const std::string from = file("spec.yaml", with_limit("0.001")), out = path("out");
  std::filesystem::create_directory(out);
  file("out/notes.txt", "mine");
  EXPECT_NE(run({"design", from, "--out", out}).err.find("--out"), std::string::npos);
}

}  // namespace
}  // namespace assay
