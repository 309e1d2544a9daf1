// assay-systemc as a platform: generated cases and files through the unit on a bus, waveforms, and the stopwatch.
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <sstream>

#include "model/config/catalogue.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"
#include "tb/tests/systemc/said.hpp"

namespace assay::testing {
namespace {

const std::string wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

Said check(const std::string& options) { return say(std::string(ASSAY_SYSTEMC) + " " + options + " 2>&1"); }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class Files : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_ / name; }
  std::string file(const std::string& name, const std::string& text) const { return folder_.file(name, text); }

 private:
  const Scratch folder_;
};

std::string chain(const std::string& cases) {
  return R"({"assay":1,"datapath":{"name":"mine","like":"fma_chain","k":1,)"
         R"("operands":{"a":"f32","b":"f32","c":"f32","d":"f32"}}})"
         "\n" +
         cases;
}

TEST(Check, GeneratedCasesAndEveryPlaceOfThem) {
  for (const std::string options : {"", " --engine core", " --stalls 3", " --stalls 3 --depth 1 --latency 0",
                                    " --quantum 1000", " --quantum 1000 --engine core"}) {
    const Said said = check("--instruction " + wgmma + " --cases 300" + options);
    EXPECT_EQ(said.status, 0) << options;
    EXPECT_TRUE(has(said.text, "compared 300 cases, and 21600 places in 300 of them")) << said.text;
    EXPECT_TRUE(has(said.text, "passed")) << said.text;
  }
}

TEST(Check, TimeFollowsLatencyAndStalls) {
  const std::string one = check("--instruction " + wgmma + " --cases 10").text;
  const std::string slow = check("--instruction " + wgmma + " --cases 10 --latency 7").text;
  const std::string stalled = check("--instruction " + wgmma + " --cases 10 --stalls 1").text;
  const auto time = [](const std::string& text) { return text.substr(text.find("simulated time")); };
  EXPECT_NE(time(one), time(slow));
  EXPECT_NE(time(one), time(stalled));
}

TEST(Check, ADatapathOfOnesOwn) {
  const Said said = check("--datapath " + source_dir() + "/configs/datapath/pair_sum_coarse.yaml --cases 200 --json");
  EXPECT_EQ(said.status, 0);
  EXPECT_TRUE(has(said.text, "\"compared\": 200")) << said.text;
}

TEST_F(Files, FlagsArePublishedBesideEncode) {
  const std::string flagged = file(
      "flags.yaml", "name: flags\nlike: fused_f25\nk: 2\noperands: {a: f16, b: f16, c: f32, d: f32}\nflags: {of: d}\n");
  for (const std::string options : {"", " --engine core", " --stalls 1"}) {
    const Said said = check("--datapath " + flagged + " --cases 100" + options);
    EXPECT_EQ(said.status, 0) << options;
    EXPECT_TRUE(has(said.text, "compared 100 cases, and ")) << said.text;
    EXPECT_TRUE(has(said.text, "passed")) << said.text;
  }
}

TEST_F(Files, ARecordedDThatIsWrongFails) {
  const std::string right = R"({"a":["3f800000"],"b":["40000000"],"c":"3f800000","d":"40400000"})";
  const std::string wrong = R"({"a":["3f800000"],"b":["40000000"],"c":"3f800000","d":"40400001"})";
  const std::string name = file("vectors.jsonl", chain(right + "\n" + wrong + "\n" + right + "\n"));
  const Said all = check(name);
  EXPECT_EQ(all.status, 1);
  EXPECT_TRUE(has(all.text, "assay-systemc " + name + " --case 1")) << all.text;
  EXPECT_EQ(check(name + " --case 1").status, 1);
  EXPECT_EQ(check(name + " --case 2").status, 0);
}

TEST_F(Files, WhatDIsHeldToIsSaid) {
  const std::string operands = R"({"a":["3f800000"],"b":["40000000"],"c":"3f800000")";
  const std::string recorded = operands + R"(,"d":"40400000"})" + "\n", bare = operands + "}\n";
  const std::string name = file("with.jsonl", chain(recorded)), over = "the unit on a bus, over the modules, held to ";
  EXPECT_TRUE(has(check(name).text, over + "the d of " + name + "\n")) << check(name).text;
  EXPECT_TRUE(has(check(file("without.jsonl", chain(bare))).text, over + "model\n"));
  const std::string both = file("both.jsonl", chain(recorded + bare));
  EXPECT_TRUE(has(check(both).text, over + "the d of " + both + ", and to model where a case has none\n"));
}

// A whole-matrix case: its elements are worked on one by one, with all of K.
TEST_F(Files, ElementsOfWholeMatrices) {
  const std::string matrix = R"({"A":[["3f800000","40000000"]],"B":[["3f800000","40000000"],["3f800000","40000000"]],)"
                             R"("C":[["3f800000","00000000"]],"D":[["40800000","40c00000"]]})";
  const Said right = check(file("right.jsonl", chain(matrix + "\n")));
  EXPECT_EQ(right.status, 0) << right.text;
  EXPECT_TRUE(has(right.text, "compared 2 cases")) << right.text;
  std::string wrong = matrix;
  wrong.replace(wrong.find("40c00000"), 8, "40c00001");
  EXPECT_EQ(check(file("wrong.jsonl", chain(wrong + "\n"))).status, 1);
  std::string a, b;
  for (int i = 0; i < 17; ++i) {
    a += std::string(i > 0 ? "," : "") + "\"3f800000\"";
    b += std::string(i > 0 ? "," : "") + "[\"3f800000\"]";
  }
  const Said long_one =
      check(file("long_k.jsonl", chain(R"({"A":[[)" + a + R"(]],"B":[)" + b + R"(],"C":[["00000000"]]})" + "\n")));
  EXPECT_EQ(long_one.status, 1);
  EXPECT_TRUE(has(long_one.text, "takes 17 instructions along K")) << long_one.text;
}

// Two instructions along K, with scales of one side, zero points and random words.
TEST_F(Files, MatricesBringWhatElseACaseTakes) {
  const std::string unit =
      R"({"assay":1,"datapath":{"name":"mine","k":1,"operands":{"a":"f32","b":"i8","c":"f32","d":"f32",)"
      R"("zero_b":{"format":"i8"},"scales":{"s":{"of":"a","format":"f32","at":"product"}}},"specials":"step","adders":)"
      R"([{"name":"sum","add":{"product":{"keep":30,"cut":"down"},"acc":{"keep":30,"cut":"down"}},)"
      R"("result":[{"format":"d","cut":"stochastic_a","random_bits":4}]}]}})";
  // (3 - 1) x 1 x 2 + (5 - 2) x 2 x 4 = 28
  const std::string matrix = R"({"A":[["3f800000","40000000"]],"B":[["03"],["05"]],"C":[["00000000"]],)"
                             R"("s":[["40000000","40800000"]],"zero_b":[["01"],["02"]],"random":[["7","f"]],)"
                             R"("D":[["41e00000"]]})";
  for (const char* const engine : {" --engine core", " --engine modules"}) {
    const Said said = check(file("more.jsonl", unit + "\n" + matrix + "\n") + engine);
    EXPECT_EQ(said.status, 0) << said.text;
    EXPECT_TRUE(has(said.text, "compared 1 case")) << said.text;
    const std::string weights = source_dir() + "/docs/examples/units/weights_i4_bf16.yaml";
    const Said own = check("--datapath " + weights + " --cases 40" + engine);
    EXPECT_EQ(own.status, 0) << own.text;
  }
}

TEST_F(Files, NothingComparedIsNoPass) {
  const Said said = check(file("none.jsonl", chain("")));
  EXPECT_EQ(said.status, 3);
  EXPECT_TRUE(has(said.text, "nothing compared: " + path("none.jsonl") + " holds no case\n")) << said.text;
  const std::string one = file("one.jsonl", chain(R"({"a":["3f800000"],"b":["40000000"],"c":"3f800000","d":"40400000"})"
                                                  "\n"));
  const Said beyond = check(one + " --case 99");
  EXPECT_EQ(beyond.status, 3);
  EXPECT_TRUE(has(beyond.text, "nothing compared: " + one + " holds no case 99\n")) << beyond.text;
}

TEST_F(Files, WhatCannotBeDoneIsSaid) {
  const std::string out = path("unit.vcd"), vectors = file("vectors.jsonl", chain(""));
  const std::vector<std::tuple<std::string, int, std::string>> wrong = {
      {"--instruction " + wgmma + " --datapath x.yaml", 2, "Give one of FILE, --instruction and --datapath."},
      {"--wave " + out, 2, "there are no cases but a device, which takes --stalls and --depth; leave --wave out.\n"},
      {"--engine core", 2, "leave --engine out.\n"},
      {"--latency 3 --depth 2", 2, "leave --latency out.\n"},
      {"--bench --json --instruction " + wgmma + " --wave " + out, 2,
       "--bench takes an instruction of the catalogue, and --json; leave --wave out.\n"},
      {"--bench --seed 1", 2, "leave --seed out.\n"},
      {vectors + " --cases 3", 2, "The cases are those of " + vectors + "; leave --cases out.\n"},
      {vectors + " --seed 1 --case 0", 2, "The cases are those of " + vectors + "; leave --seed out.\n"},
      {"--instruction " + wgmma + " --cases 3 --case 7", 2, "--case takes one case alone; leave --cases out.\n"},
      {"--instruction " + wgmma + " --engine core --stalls 7", 2,
       "The core's functions have no FIFOs and wait for nobody; leave --stalls out.\n"},
      {"--instruction hopper:nothing", 2, "There is no instruction"},
      {"--datapath " + path("missing.yaml"), 2, "missing.yaml"},
      {path("missing.jsonl"), 2, "missing.jsonl"},
      {"--instruction " + wgmma + " --wave /no/such/folder/unit.vcd", 2, "cannot be written"},
      {"--instruction " + wgmma + " --engine none", 2, "modules"},
      {"--bench --datapath x.yaml", 2, "--bench takes an instruction"},
      {file("long.jsonl", R"({"assay":1,"datapath":{"name":"mine","like":"fma_chain","k":2049,)"
                          R"("operands":{"a":"f32","b":"f32","c":"f32","d":"f32"}}})"
                          "\n"),
       4, "at most 2048 are built"}};
  for (const auto& [options, status, sentence] : wrong) {
    const Said said = check(options);
    EXPECT_EQ(said.status, status) << options << "\n" << said.text;
    EXPECT_TRUE(has(said.text, sentence)) << options << "\n" << said.text;
  }
}

// A VCD file as its readers see it: the last value of each variable, by its full name.
std::map<std::string, std::string> last_values(std::istream& vcd) {
  std::map<std::string, std::string> names, values;
  std::vector<std::string> scopes;
  unsigned long long now = 0;
  for (std::string line; std::getline(vcd, line);) {
    std::istringstream words(line);
    std::string first, second, third, fourth, fifth;
    words >> first >> second >> third >> fourth >> fifth;
    if (first == "$scope") scopes.push_back(third);
    if (first == "$upscope") scopes.pop_back();
    if (first == "$var") {
      std::string name;
      for (const std::string& scope : scopes) name += scope + ".";
      EXPECT_TRUE(names.emplace(fourth, name + fifth).second) << "an identifier given twice";
    }
    if (first[0] == '#') {
      EXPECT_GE(std::stoull(first.substr(1)), now) << "time runs backwards";
      now = std::stoull(first.substr(1));
    }
    if (first[0] == 'b') values[names.at(second)] = first.substr(1);
  }
  EXPECT_TRUE(scopes.empty());
  EXPECT_GT(now, 0U);
  return values;
}

TEST_F(Files, AWaveformHasEveryPlaceUnderItsNameInExplain) {
  const std::string vectors =
      file("fact.jsonl", R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true})"
                         "\n"
                         R"({"a":["3c00"],"b":["4000"],"c":"00000000"})"
                         "\n"
                         R"({"a":["3c00"],"b":["3c00"],"c":"bf7fffff"})"
                         "\n");
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction(wgmma));
  for (const std::string engine : {"modules", "core"}) {
    const std::string wave = path("unit_" + engine + ".vcd");
    EXPECT_EQ(check(vectors + " --engine " + engine + " --wave " + wave).status, 0);
    std::ifstream vcd(wave);
    const auto values = last_values(vcd);
    std::size_t fields = 0;
    for (const Place& place : plan.places) {
      fields += place.fields.size();
      for (const Field& field : place.fields) {
        const auto found = values.find(place.name + "." + std::string(field.name));
        ASSERT_NE(found, values.end()) << place.name;
        EXPECT_EQ(found->second.size(), static_cast<std::size_t>(field.width)) << place.name;
      }
    }
    EXPECT_EQ(values.size(), fields);
    EXPECT_EQ(values.at("encode.bits"), "00110011100000000000000000000000");  // 2^-24, as docs/architecture.md says
    EXPECT_EQ(values.at("decode.a[0].significand"), "10000000000");
  }
}

// No time is asserted: that the three agree is checked by the program.
TEST(Check, TheStopwatchShowsAllThree) {
  const Said said = check("--bench --json");
  EXPECT_EQ(said.status, 0);
  for (const char* key : {"\"modules\":", "\"bus\":", "\"core\":", "\"build\":"}) EXPECT_TRUE(has(said.text, key));
}

}  // namespace
}  // namespace assay::testing
