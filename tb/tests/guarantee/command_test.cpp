// assay guarantee as a command: its texts, its statuses, and that the commands it prints show what it says.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

using Json = nlohmann::json;

Ran guarantee(const std::string& options) { return run(words("guarantee " + options)); }

class GuaranteeCommand : public InFolder {};

TEST_F(GuaranteeCommand, SaysWhatHoldsAndWhatFails) {
  const Ran ran = guarantee("--cases 1000 --instruction " + wgmma);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.out.find("holds  sign_symmetry"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("fails  monotone_in_c"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("idle   ieee_fma"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("Says nothing of this unit: It has 16 terms."), std::string::npos) << ran.out;
}

// d of `assay explain`, from its JSON.
std::string explained_d(const std::string& command) {
  const Ran ran = run(words(command.substr(std::string("assay ").size()) + " --json"));
  EXPECT_EQ(ran.status, 0) << command << "\n" << ran.err;
  return Json::parse(ran.out).at("d").get<std::string>();
}

TEST_F(GuaranteeCommand, ItsCommandsShowBothSides) {
  for (const std::string& unit : std::vector<std::string>{wgmma, "cdna3:v_mfma_f32_32x32x8_f16", "x86:tdpbssd"}) {
    const Ran ran = guarantee("--json --cases 600 --instruction " + unit);
    ASSERT_EQ(ran.status, 0) << ran.err;
    int shown = 0;
    const Json said = Json::parse(ran.out);
    for (const Json& p : said.at("properties")) {
      if (p.at("state") != "fails") continue;
      const Json& failure = p.at("failure");
      const Json& commands = failure.at("commands");
      EXPECT_EQ(explained_d(commands.at(0)), failure.at("d").get<std::string>()) << p;
      if (failure.contains("second")) {
        ASSERT_EQ(commands.size(), 2U);
        EXPECT_EQ(explained_d(commands.at(1)), failure.at("second_d").get<std::string>()) << p;
      }
      ++shown;
    }
    EXPECT_GE(shown, 1) << unit;
  }
}

// The commands write the datapath of half the terms first.
TEST_F(GuaranteeCommand, HalvesAreShownOnADatapathOfTheirOwn) {
  const std::string property = file("halves.yaml", "{name: halves, second: halves, results: equal}\n");
  const Ran ran = guarantee("--json --cases 600 --instruction " + wgmma + " --property " + property);
  EXPECT_EQ(ran.status, 1);
  const Json failure = Json::parse(ran.out).at("properties").at(0).at("failure");
  const Json& commands = failure.at("commands");
  ASSERT_EQ(commands.size(), 4U);
  const std::string echo = commands.at(1);
  const std::size_t from = echo.find('\''), to = echo.rfind('\'');
  const std::string half = file("half.yaml", echo.substr(from + 1, to - from - 1) + "\n");
  std::string last = commands.at(3);
  last.replace(last.find("half.yaml"), std::string("half.yaml").size(), half);
  EXPECT_EQ(explained_d(last), failure.at("second_d").get<std::string>());
}

TEST_F(GuaranteeCommand, AFilesOwnPropertyDecidesTheStatus) {
  const std::string holds = file("holds.yaml", "{name: mine, second: [negate c, negate a], results: negated}\n");
  const std::string fails = file("fails.yaml", "{name: mine, second: [negate c], results: negated}\n");
  const std::string own = "--cases 200 --instruction " + wgmma + " --property ";
  EXPECT_EQ(guarantee(own + holds).status, 0);
  const Ran ran = guarantee(own + holds + " --property " + fails);
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("holds  mine"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("fails  mine"), std::string::npos) << ran.out;
}

TEST_F(GuaranteeCommand, WrongUseIsSaid) {
  EXPECT_EQ(guarantee("").status, 2);
  const Ran missing = guarantee("--instruction " + wgmma + " --property " + path("none.yaml"));
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("none.yaml"), std::string::npos) << missing.err;
  const Ran wrong =
      guarantee("--instruction " + wgmma + " --property " + file("bad.yaml", "name: mine\nsecond: c\nresults: near\n"));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("bad.yaml:3: results: 'near' is no relation of results"), std::string::npos) << wrong.err;
}

}  // namespace
}  // namespace assay
