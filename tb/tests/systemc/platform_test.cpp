// assay-systemc, spoken to as `assay` does and by hand.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "tb/devices/process.hpp"
#include "tb/tests/systemc/cases.hpp"
#include "tb/tests/systemc/said.hpp"

namespace assay::testing {
namespace {

// What the program says to these lines, and how it ends.
Said converse(const std::vector<std::string>& lines, const std::string& options = {}) {
  std::string words;
  for (const std::string& line : lines) words += " '" + line + "'";
  return say("printf '%s\\n'" + words + " | " + std::string(ASSAY_SYSTEMC) + " " + options + " 2>&1");
}

constexpr const char* greeting = R"({"device":"systemc","instructions":["*"],"trace":true,"window":256})";
// One f32 multiply-add after the other.
std::string chain_header(int k) {
  return R"({"assay":1,"datapath":{"name":"mine","like":"fma_chain","k":)" + std::to_string(k) +
         R"(,"operands":{"a":"f32","b":"f32","c":"f32","d":"f32"}}})";
}

std::vector<Case> cases_of(const Plan& plan, int count) {
  std::vector<Case> cases;
  for (const systemc::Codes& codes : make_cases(plan, count)) {
    Case c;
    c.number = cases.size();
    c.a.assign(codes.a.begin(), codes.a.end());
    c.b.assign(codes.b.begin(), codes.b.end());
    c.c = codes.c;
    c.scale_a.assign(codes.scale_a.begin(), codes.scale_a.end());
    c.scale_b.assign(codes.scale_b.begin(), codes.scale_b.end());
    cases.push_back(std::move(c));
  }
  return cases;
}

// Compares d, and where traces came every place of them; says what is different, if anything is.
std::string difference(const Plan& plan, const std::vector<Case>& cases, const std::vector<Answer>& answers) {
  Registers registers;
  Trace expected(plan);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string at = "case " + std::to_string(i) + ": ";
    const Code d = dot(plan, cases[i].operand(), registers, &expected);
    if (!answers[i].ok()) return at + answers[i].error;
    if (answers[i].d != d) return at + "d";
    if (!answers[i].trace) continue;
    for (std::size_t place = 0; place < plan.places.size(); ++place) {
      if (answers[i].traced[place] == 0) return at + "no " + plan.places[place].name;
      if (!answers[i].trace->same(static_cast<int>(place), expected)) return at + plan.places[place].name;
    }
  }
  return {};
}

std::unique_ptr<Device> device_for(const Plan& plan, const Instruction& instruction,
                                   std::vector<std::string> options = {}) {
  VectorHeader header;
  header.architecture = instruction.architecture;
  header.instruction = instruction.name;
  ProcessOptions process;
  process.argv = {ASSAY_SYSTEMC};
  process.argv.insert(process.argv.end(), options.begin(), options.end());
  process.name = "systemc";
  return process_device(plan, header, process);
}

TEST(Platform, AnswersAndTracesAreTheCores) {
  const Catalogue catalogue = shipped_catalogue();
  for (const char* name : {"hopper:wgmma.m64nNk16.f32.f16.f16", "cdna3:v_mfma_f32_32x32x16_fp8_fp8"}) {
    const Instruction& instruction = catalogue.instruction(name);
    const Plan plan = catalogue.plan_of(instruction);
    const std::vector<Case> cases = cases_of(plan, 600);
    const auto device = device_for(plan, instruction);
    ASSERT_TRUE(device->offers_trace());
    const std::vector<Answer> answers = device->run(cases, true);
    for (const Answer& answer : answers) EXPECT_TRUE(answer.trace.has_value());
    EXPECT_EQ(difference(plan, cases, answers), "") << name;
  }
}

TEST(Platform, StallsAndDepthsChangeNothing) {
  const Catalogue catalogue = shipped_catalogue();
  const Instruction& instruction = catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16");
  const Plan plan = catalogue.plan_of(instruction);
  const std::vector<Case> cases = cases_of(plan, 1000);
  const std::vector<std::vector<std::string>> all = {{}, {"--stalls", "1"}, {"--stalls", "2", "--depth", "1"}};
  for (const auto& options : all) {
    const auto device = device_for(plan, instruction, options);
    const std::vector<Answer> answers = device->run(cases, false);
    EXPECT_EQ(difference(plan, cases, answers), "");
    for (const Answer& answer : answers) EXPECT_FALSE(answer.trace.has_value());
  }
}

TEST(Platform, ADatapathInTheHeader) {
  const Said said = converse({chain_header(1), R"({"id":5,"a":["3f800000"],"b":["40000000"],"c":"3f800000"})",
                              R"({"id":6,"a":["7f800000"],"b":["00000000"],"c":"3f800000"})", R"({"end":2})"});
  EXPECT_EQ(said.text, std::string(greeting) + "\n" + R"({"id":5,"d":"40400000"})" + "\n" +
                           R"({"id":6,"d":"ffc00000"})" + "\n" + R"({"end":2})" + "\n");
  EXPECT_EQ(said.status, 0);
}

TEST(Platform, NoCasesAtAll) {
  const Said said = converse({chain_header(1), R"({"end":0})"});
  EXPECT_EQ(said.text, std::string(greeting) + "\n" + R"({"end":0})" + "\n");
  EXPECT_EQ(said.status, 0);
}

TEST(Platform, AHostThatGoesAway) {
  const Said said = converse({chain_header(1), R"({"id":5,"a":["3f800000"],"b":["40000000"],"c":"3f800000"})"});
  EXPECT_EQ(said.status, 2);
  EXPECT_NE(said.text.find("The host went away"), std::string::npos) << said.text;
}

TEST(Platform, CasesThatDoNotFitAreAnsweredSoAndTheOthersGoOn) {
  const Said said =
      converse({chain_header(1), R"({"id":1,"a":["3f800000","3f800000"],"b":["40000000"],"c":"3f800000"})",
                R"({"id":2,"a":["3f800000"],"b":["140000000"],"c":"3f800000"})",
                R"({"id":3,"a":["3f800000"],"b":["40000000"],"c":"3f800000","scale_a":["7f"]})",
                R"({"id":4,"a":["3f800000"],"b":["40000000"],"c":"3f800000"})", R"({"end":4})"});
  for (const char* answer : {R"({"id":1,"error":"The case has 2 elements in a; this instruction takes 1."})",
                             R"({"id":2,"error":"b[0] has more than the 32 bits of f32."})",
                             R"({"id":3,"error":"The case has 1 elements in scale_a; this instruction takes 0."})",
                             R"({"id":4,"d":"40400000"})", R"({"end":4})"}) {
    EXPECT_NE(said.text.find(answer), std::string::npos) << answer << " in\n" << said.text;
  }
  EXPECT_EQ(said.status, 0);
}

// Whatever is wrong with the header, every request hears of it.
TEST(Platform, HeadersThatCannotBeBuilt) {
  const std::string request = R"({"id":1,"a":["3c00"],"b":["3c00"],"c":"00000000"})";
  const std::vector<std::pair<std::string, std::string>> wrong = {
      {R"({"assay":1,"architecture":"hopper","instruction":"wgmma.nothing"})", "There is no instruction"},
      {R"({"assay":1,"architecture":"nobody","instruction":"wgmma.nothing"})", "There is no architecture"},
      {R"({"assay":1,"datapath":{"kk":"1"}})", "kk"},
      {R"({"assay":2,"architecture":"hopper","instruction":"x"})", "The header cannot be read: "},
      {R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","datapath_sha256":")" +
           std::string(64, 'a') + "\"}",
       "The header's datapath_sha256 is not that of the datapath in this program's catalogue"},
      {chain_header(2049), "asks for 2049 of them at k = 2049"}};
  for (const auto& [header, sentence] : wrong) {
    const Said said = converse({header, request, R"({"end":1})"});
    EXPECT_NE(said.text.find(R"({"id":1,"error":")"), std::string::npos) << said.text;
    EXPECT_NE(said.text.find(sentence), std::string::npos) << said.text;
    EXPECT_NE(said.text.find(R"({"end":1})"), std::string::npos) << said.text;
    EXPECT_EQ(said.status, 0);
  }
}

TEST(Platform, WrongOptions) {
  EXPECT_EQ(converse({}, "--depth 0").status, 2);
  EXPECT_EQ(converse({}, "--stalls many").status, 2);
  EXPECT_EQ(converse({}, "--nonsense").status, 2);
  const Said help = converse({}, "--help");
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.text.find("--stalls"), std::string::npos);
  EXPECT_NE(help.text.find("Example:"), std::string::npos);
}

}  // namespace
}  // namespace assay::testing
