// assay explain: its texts, its data, its exact sums, its two sides, its errors.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "model/config/catalogue.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

using exact::Dyadic;
using nlohmann::json;

const std::string tests = source_dir() + "/tb/tests";

// Runs in the repository's root, so that paths are printed as a user there sees them.
class ExplainTest : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = std::filesystem::current_path();
    std::filesystem::current_path(tests + "/../..");
  }
  void TearDown() override { std::filesystem::current_path(before_); }

 private:
  std::filesystem::path before_;
};

struct Golden {
  std::string name;
  std::vector<std::string> args;  // with "explain"

  bool two_sides() const { return std::find(args.begin(), args.end(), "--device") != args.end(); }
};

std::vector<Golden> goldens() {
  std::vector<Golden> all;
  std::ifstream in(tests + "/cli/golden/explain/cases.txt");
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    Golden golden{line.substr(0, colon), words(line.substr(colon + 1))};
    golden.args.insert(golden.args.begin(), "explain");
    all.push_back(golden);
  }
  return all;
}

json data_of(std::vector<std::string> args) {
  args.emplace_back("--json");
  return json::parse(run(args).out);
}

json data_of(const std::string& instruction, const std::string& operands) {
  std::vector<std::string> args = words("explain --instruction " + instruction + " " + operands);
  return data_of(args);
}

void expect_narrow(const std::string& text, const std::string& where) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << where << "\n" << line;
    EXPECT_TRUE(line.empty() || line.back() != ' ') << where << ", blanks at the end of:\n" << line;
  }
}

// --- text ---

TEST_F(ExplainTest, EveryFormAsItWasReviewed) {
  const std::vector<Golden> all = goldens();
  ASSERT_GE(all.size(), 23u);
  for (const Golden& golden : all) {
    const Ran ran = run(golden.args);
    EXPECT_EQ(ran.status, golden.two_sides() ? mismatch : passed) << golden.name << ran.err;
    EXPECT_EQ(ran.out, text_of(tests + "/cli/golden/explain/" + golden.name + ".txt")) << golden.name;
    expect_narrow(ran.out, golden.name);
  }
}

// One instruction of each datapath, on cases that reach far apart.
TEST_F(ExplainTest, EveryArithmeticFitsAHundredColumns) {
  std::set<std::string> seen;
  for (const json& one : json::parse(run({"list", "--json"}).out)) {
    if (!seen.insert(one.at("datapath").get<std::string>()).second) continue;
    const std::string name = one.at("architecture").get<std::string>() + ":" + one.at("instruction").get<std::string>();
    for (const char* number : {"0", "5", "8", "10"}) {
      const Ran ran = run({"explain", "--instruction", name, "--seed", "3", "--case", number});
      EXPECT_EQ(ran.status, passed) << name << ran.err;
      EXPECT_NE(ran.out.find("\nencode"), std::string::npos) << name;
      expect_narrow(ran.out, name + " case " + number);
    }
  }
  EXPECT_GT(seen.size(), 25u);
}

// The page's commands run, and the lines that it shows are among those they print.
TEST_F(ExplainTest, ThePageAboutItIsTrue) {
  std::istringstream page(text_of("docs/explain.md"));
  std::string printed;
  std::vector<std::string> shown;
  int commands = 0;
  bool inside = false;
  for (std::string line; std::getline(page, line);) {
    if (line == "```") {
      inside = !inside;
    } else if (inside && line.rfind("assay ", 0) == 0) {
      const Ran ran = run(words(line.substr(6, line.find(" #") - 6)));  // without its comment
      EXPECT_LE(ran.status, mismatch) << line << ran.err;
      printed += ran.out;
      ++commands;
    } else if (inside) {
      shown.push_back(line);
    }
  }
  EXPECT_EQ(commands, 7);
  EXPECT_GT(shown.size(), 10u);
  for (const std::string& line : shown) EXPECT_NE(printed.find(line + "\n"), std::string::npos) << line;
}

// --- data ---

Dyadic dyadic(const json& value) {
  return {mpz_class(value.at("significand").get<std::string>()), value.at("quantum").get<long>()};
}

bool same(const Dyadic& x, const Dyadic& y) { return sign(x - y) == 0; }
Dyadic magnitude(const Dyadic& x) { return {abs(x.significand), x.exponent}; }

// The bits cut off, as a number.
Dyadic cut_value(const json& place) {
  const std::string bits = place.at("cut");
  if (bits.empty()) return {0, 0};
  return {mpz_class(bits, 2), place.at("cut_at").get<long>() - static_cast<long>(bits.size())};
}

// What was kept and what was cut make the item; a cut away from zero adds one unit.
void expect_parts_make_the_item(const json& place) {
  const Dyadic item = magnitude(dyadic(place.at("item"))), kept = magnitude(dyadic(place.at("value")));
  const Dyadic parts = kept + cut_value(place);
  if (same(parts, item)) return;
  EXPECT_FALSE(place.at("cut").get<std::string>().empty()) << place;
  EXPECT_TRUE(same(parts - Dyadic{1, place.at("cut_at").get<long>()}, item)) << place;
}

TEST_F(ExplainTest, DataAddsUpInEverySum) {
  int sums = 0, products = 0;
  for (const Golden& golden : goldens()) {
    const json data = data_of(golden.args);
    Dyadic sum{0, 0};
    std::map<std::string, Dyadic> finite;
    for (const json& place : data.at("places")) {
      const std::string name = place.at("place"), stage = place.at("stage");
      if (stage == "decode" && place.at("class") == "finite") finite[name] = dyadic(place.at("value"));
      if (stage == "multiply" && place.at("class") == "finite") {
        const std::string index = name.substr(name.find('['));
        const Dyadic &a = finite.at("decode.a" + index), &b = finite.at("decode.b" + index);
        EXPECT_TRUE(same(a * b, dyadic(place.at("value")))) << golden.name << place;
        ++products;
      }
      if (stage == "window") sum = {0, 0};
      if (stage == "align") {
        if (place.at("class") == "finite") expect_parts_make_the_item(place);
        sum = sum + dyadic(place.at("value"));
      }
      if (stage == "reduce") {
        EXPECT_TRUE(same(sum, dyadic(place.at("value")))) << golden.name << place;
        ++sums;
      }
    }
  }
  EXPECT_GT(sums, 100);
  EXPECT_GT(products, 100);
}

// The parts of the error are the error of the result; there are some wherever there is one.
TEST_F(ExplainTest, DataAddsUpInEveryBudget) {
  int parts = 0, forecasts = 0;
  for (const Golden& golden : goldens()) {
    const json data = data_of(golden.args), &budget = data.at("budget");
    if (!data.at("result").contains("error")) {
      EXPECT_TRUE(budget.contains("none")) << golden.name;
      continue;
    }
    Dyadic sum{0, 0};
    for (const json& part : budget.at("parts")) {
      sum = sum + dyadic(part.at("error").at("value"));
      ++parts;
    }
    EXPECT_TRUE(golden.two_sides() || same(sum, dyadic(data.at("result").at("error").at("value")))) << golden.name;
    forecasts += static_cast<int>(budget.at("forecasts").size());
  }
  EXPECT_GT(parts, 15);
  EXPECT_GT(forecasts, 5);
}

// The fused form by hand: d from the sums alone, then from the bits of encode.
TEST_F(ExplainTest, DataGivesDAgain) {
  for (const char* operands : {"--a 3c00 --b 3c00 --c bf7fffff", "--a 3c01,5bff,c400 --b 3c01,5bff,3555 --c c7000001",
                               "--family near_exponents --seed 1 --case 12", "--seed 9 --case 3"}) {
    const json data = data_of(wgmma, operands);
    Dyadic sum{0, 0};
    for (const json& place : data.at("places")) {
      if (place.at("stage") == "align") sum = sum + dyadic(place.at("value"));
    }
    ASSERT_NE(sign(sum), 0) << operands;
    const exact::Datum d = exact::rounded(*find_format("f32"), 23, exact::Rounding::toward_zero, exact::finite(sum));
    const Code code = exact::encode(*find_format("f32"), d);
    EXPECT_EQ(explain::hex_text(code, *find_format("f32")), data.at("d")) << operands;
    EXPECT_EQ(data.at("places").back().at("bits"), data.at("d"));
    EXPECT_EQ(data.at("result").at("bits"), data.at("d"));
  }
}

TEST_F(ExplainTest, DataNamesEveryPlaceAndEveryBitOfItsFields) {
  const json data = data_of(wgmma, "--a 3c00 --b 3c00");
  EXPECT_EQ(data.at("places").size(), 72u);
  EXPECT_EQ(data.at("subject"), wgmma);
  EXPECT_EQ(data.at("operands").at("a").at(0), "3c00");
  for (const json& place : data.at("places")) {
    std::string bits;
    for (const json& field : place.at("fields")) bits += field.at("bits").get<std::string>();
    ASSERT_EQ(bits.size(), place.at("width").get<std::size_t>()) << place;
    const std::string hex = place.at("bits");
    EXPECT_EQ(mpz_class(bits, 2), mpz_class(hex, 16)) << place;
  }
}

// --- the exact sum ---

struct ExactCase {
  const char* instruction;
  const char* operands;
  const char* fraction;  // of the exact sum; "" where there is none
  const char* nearest;
  const char* ulps;  // d - sum; "" where there is no such error
};

TEST_F(ExplainTest, ExactSumsAndErrors) {
  const char* const f16_out = "hopper:wgmma.m64nNk16.f16.f16.f16";
  const char* const f32_out = "hopper:wgmma.m64nNk16.f32.f16.f16";
  const char* const i32_out = "cdna1:v_mfma_i32_32x32x4i8";
  const char* const flushing = "cdna2:v_mfma_f32_32x32x4f16";
  const char* const scaled = "blackwell:tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0";
  for (const ExactCase& one : {
           // 1 + 2^-11 lies half-way between two f16; 1 ulp is 2^-10
           ExactCase{f16_out, "--a 3c00,1000 --b 3c00,3c00 --c 0000", "2049/2048", "3c00", "-0.5"},
           ExactCase{f16_out, "--a 3c01,1000 --b 3c00,3c00 --c 0000", "2051/2048", "3c02", "+0.5"},
           // an exact zero is exact; an ulp there is the least subnormal
           ExactCase{f32_out, "--a 3c00,bc00 --b 3c00,3c00 --c 00000000", "0", "00000000", "0"},
           // 2^-48, the product of two least subnormals, far below f16's own
           ExactCase{f16_out, "--a 0001 --b 0001 --c 0000", "1/281474976710656", "0000", "-5.96e-08"},
           // subnormal f16: one ulp is 2^-24 for all of them
           ExactCase{f16_out, "--a 0001 --b 3c00 --c 0002", "3/16777216", "0003", "0"},
           // a flushed subnormal operand is missing from d and not from the exact sum
           ExactCase{flushing, "--a 0000 --b 0000 --c 00000003", "3/713623846352979940529142984724747568191373312",
                     "00000003", "-3"},
           // beyond the range: 65520 is where f16 ends; d agrees, and there is no error to tell
           ExactCase{f16_out, "--a 7bff --b 3c00 --c 4c00", "65520", "7c00", ""},
           ExactCase{f16_out, "--a 7bff --b 3c00 --c 4bff", "8386559/128", "7bff", "-0.4998"},
           ExactCase{i32_out, "--a 01 --b 01 --c 7fffffff", "2147483648", "80000000", ""},
           ExactCase{i32_out, "--a ff --b 01 --c 00000000", "-1", "ffffffff", "0"},
           // scales take part: 6 x 6 x 2 x 2^-1 + 1
           ExactCase{scaled, "--a 7 --b 7 --c 3f800000 --scale-a 80,7f --scale-b 7e,7f", "37", "42140000", "0"},
           // what is not finite has no exact sum
           ExactCase{f32_out, "--a 7c00 --b 3c00 --c ff800000", "", "", ""},
       }) {
    const json data = data_of(one.instruction, one.operands);
    const json &exact = data.at("exact"), &result = data.at("result");
    const std::string what = std::string(one.instruction) + " " + one.operands + exact.dump() + result.dump();
    EXPECT_EQ(exact.at("sum").value("fraction", ""), one.fraction) << what;
    EXPECT_EQ(exact.value("nearest", ""), one.nearest) << what;
    const bool beyond = exact.value("beyond_range", false);
    const std::string ulps =
        result.contains("error") && !beyond ? result.at("error").at("ulps").get<std::string>() : "";
    EXPECT_EQ(ulps, one.ulps) << what;
  }
}

// --- two sides ---

const char* const facts = "--a 3c00 --b 3c00 --c bf7fffff";

json sides(const std::string& devices) { return data_of(wgmma, std::string(facts) + " " + devices).at("sides"); }

TEST_F(ExplainTest, ADeviceHeldToItselfDiffersNowhere) {
  const Ran ran = run(words("explain --instruction " + wgmma + " " + facts + " --device model"));
  EXPECT_EQ(ran.status, passed);
  EXPECT_NE(ran.out.find("72 places that both name, 0 of them differ"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("first difference"), std::string::npos);
}

TEST_F(ExplainTest, TheFirstDifferenceOfTwoDatapathsAsData) {
  const json both = sides("--device model:configs/datapath/fused_f23.yaml");
  EXPECT_EQ(both.at("first_difference"), "step[0].sum.align[16]");
  EXPECT_EQ(both.at("places_compared"), 72);
  ASSERT_EQ(both.at("differences").size(), 5u);
  const json& first = both.at("differences").at(0);
  EXPECT_TRUE(same(dyadic(first.at("reference").at("value")), {-0xffffff, -24}));
  EXPECT_TRUE(same(dyadic(first.at("device").at("value")), {-0xfffffe, -24}));
  EXPECT_EQ(both.at("reference").at("d").at("error").at("ulps"), "0");
  EXPECT_EQ(both.at("device").at("d").at("error").at("ulps_fraction"), "8388608");
}

TEST_F(ExplainTest, DatapathsOfOtherShapeAreComparedWhereNamesAgree) {
  const json both = sides("--device model:configs/datapath/fused_f24_step8.yaml");
  const int compared = both.at("places_compared");
  EXPECT_GT(compared, 49);  // decode, multiply, and more
  EXPECT_LT(compared, 72);
}

TEST_F(ExplainTest, DevicesWithoutStagesBringTheirD) {
  const Ran ran = run(words("explain --instruction " + wgmma + " " + facts + " --device oracle"));
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("oracle shows none; only d is compared"), std::string::npos) << ran.out;
  const json both = sides("--device oracle");
  EXPECT_EQ(both.at("places_compared"), 0);
  EXPECT_EQ(both.at("device").at("d").at("bits"), "33800000");
}

// Several instructions of fewer terms answer d for one of more, and have no one trace: a model that shows no stages.
TEST_F(ExplainTest, AModelOfFewerTermsBringsItsD) {
  const std::string about = "explain --instruction ampere:mma.m16n8k16.f32.f16.f16.f32 --a 3c00 --b 3c00 ";
  const std::string shorter = "model:ampere:mma.m16n8k8.f32.f16.f16.f32";
  for (const std::string& devices :
       {"--reference " + shorter + " --device model", "--reference oracle --device " + shorter}) {
    const Ran ran = run(words(about + devices));
    EXPECT_EQ(ran.status, passed) << ran.err;
    EXPECT_NE(ran.out.find("\nencode      3f800000\n"), std::string::npos) << ran.out;
    EXPECT_NE(ran.out.find(" shows none; only d is compared"), std::string::npos) << ran.out;
  }
}

class ExplainFiles : public ExplainTest {
 protected:
  // One recorded case: 2 x b, the rest zero.
  void record(const std::string& b, const std::string& d) const {
    std::ofstream out(path_);
    std::string zeros;
    for (int i = 0; i < 15; ++i) zeros += ",\"0000\"";
    out << "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n"
        << "{\"a\":[\"4000\"" << zeros << "],\"b\":[\"" << b << "\"" << zeros << "],\"c\":\"00000000\",\"d\":\"" << d
        << "\"}\n";
  }
  const Scratch folder_;
  const std::string path_ = folder_ / "recorded.jsonl";
};

TEST_F(ExplainFiles, ARecordedResultBesideTheModel) {
  record("3c00", "40000001");
  const Ran ran = run({"explain", "--file", path_, "--case", "0", "--device", "vectors:" + path_});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  EXPECT_NE(ran.out.find("  reference 40000000   0|10000000|00000000000000000000000   +2\n"
                         "  device    40000001   0|10000000|00000000000000000000001   +2.0000002\n"
                         "                   ^                                    ^\n"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("  device    d - exact = +1 ulp; 1 ulp is 2^-22\n"), std::string::npos) << ran.out;
}

TEST_F(ExplainFiles, ADeviceThatGivesNoAnswerSaysWhy) {
  record("3c00", "40000000");
  const Ran ran = run(words("explain --instruction " + wgmma + " --a 3c00 --b 3c00 --device vectors:" + path_));
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("  device    no answer: vectors:" + path_ + " holds no case with these operands."),
            std::string::npos)
      << ran.out;
}

// What compare prints to see a case again names the same case here.
TEST_F(ExplainTest, FamilySeedAndCaseAreThoseOfCompare) {
  const std::string which = "--family alignment --seed 7 --case 3";
  const Ran compared =
      run(words("compare --device model:configs/datapath/fused_f23.yaml --instruction " + wgmma + " " + which));
  const json data = data_of(wgmma, which);
  ASSERT_EQ(compared.status, mismatch) << compared.out;
  EXPECT_NE(compared.out.find(data.at("operands").at("c").get<std::string>()), std::string::npos) << compared.out;
  EXPECT_NE(compared.out.find(data.at("d").get<std::string>()), std::string::npos) << compared.out;
}

// --- wrong use ---

struct Wrong {
  std::string args;
  std::string says;
  int status = wrong_use;
};

TEST_F(ExplainTest, SaysWhatIsWrong) {
  const std::string about = "explain --instruction " + wgmma + " ";
  const std::string scaled = "explain --instruction blackwell:tcgen05.mma.m128nNk64.block32.f32.e2m1.e2m1.ue8m0 ";
  for (const Wrong& wrong : {
           Wrong{about + "--a 3c00 --reference oracle", "--reference requires --device"},
           Wrong{about + "--a 3c00 --device toaster", "'toaster' is no device; the devices are"},
           Wrong{about + "--a 3c00 --device model:/nowhere.yaml", "/nowhere.yaml"},
           Wrong{about + "--a 3c00 --device model:configs/datapath/ieee_halves.yaml", "give both the same operands."},
           Wrong{about + "--a 3c00 --family raw", "--family says which cases a seed makes"},
           Wrong{about + "--seed 1 --case 2 --family cats",
                 "--family cats is not one for this instruction; there are raw"},
           Wrong{about + "--a 3c00 --seed 1 --case 2", "Give one case: its operands"},
           Wrong{about + "--a 3c00,xyzw",
                 "--a takes f16 codes of 4 hexadecimal digits (16 bits) or numbers such as 1.5, found 'xyzw'."},
           Wrong{scaled + "--a 7 --scale-a 7f,7f,7f", "--scale-a has 3 codes, but this instruction takes 2."},
           Wrong{scaled + "--a 7 --scale-b 7",
                 "--scale-b: '7' may be bits or a number; write the bits of ue8m0 with all 2 hexadecimal digits, "},
           Wrong{"explain --instruction hopper:wgmma.m64nNk16.f32.f16.f61 --a 3c00",
                 "did you mean 'wgmma.m64nNk16.f32.f16.f16'?"},
           Wrong{"explain --instruction hoper:wgmma.m64nNk16.f32.f16.f16 --a 3c00", "There is no architecture 'hoper'"},
           Wrong{"explain --datapath configs/datapath/ieee_halves.yaml --a 3f80 --device oracle",
                 "it cannot judge a datapath of your own", cannot_here},
       }) {
    const Ran ran = run(words(wrong.args));
    EXPECT_EQ(ran.status, wrong.status) << wrong.args << ran.out;
    EXPECT_NE(ran.err.find(wrong.says), std::string::npos) << wrong.args << "\n" << ran.err;
    EXPECT_EQ(ran.err.rfind("assay: ", 0), 0u) << ran.err;
  }
}

}  // namespace
}  // namespace assay
