// assay coverage: what it says, writes and merges, and every sentence it refuses something with.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

using nlohmann::json;

class CoverageCommand : public InFolder {
 protected:
  // The coverage of some generated cases, written to a file.
  std::string written(const std::string& name, const std::vector<std::string>& options = {},
                      const std::string& instruction = wgmma) const {
    std::vector<std::string> args{"coverage", "--instruction", instruction, "--cases", "300", "-o", path(name)};
    args.insert(args.end(), options.begin(), options.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, passed) << ran.err;
    return path(name);
  }
};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

void expect_refused(const std::vector<std::string>& args, const std::string& sentence) {
  const Ran ran = run(args);
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err, "assay: " + sentence + "\n");
}

std::uint64_t count(const json& coverage, const std::string& point, const std::string& bin) {
  for (const json& p : coverage.at("points")) {
    if (p.at("point") != point) continue;
    for (const json& b : p.at("bins")) {
      if (b.at("bin") == bin) return b.at("count");
    }
  }
  throw std::invalid_argument(point + ": " + bin);
}

TEST_F(CoverageCommand, ShowsATableOfPoints) {
  const Ran ran = run({"coverage", "--instruction", wgmma, "--cases", "400"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_TRUE(says(ran.out, wgmma + "\n400 cases\n")) << ran.out;
  for (const char* point : {"operands", "products", "sum.shift.product", "sum.shift.acc", "sum.owner",
                            "sum.cancellation", "sum.carry", "sum.round", "d", "all"}) {
    EXPECT_TRUE(says(ran.out, "\n" + std::string(point) + " ")) << point;
  }
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST_F(CoverageCommand, ListsWhatIsOpenAndWhatIsOutOfReach) {
  const Ran few = run({"coverage", "--instruction", wgmma, "--cases", "1", "--open", "--unreachable", "--all"});
  EXPECT_TRUE(says(few.out, "\nOpen: neither hit nor shown to be out of reach\n")) << few.out;
  EXPECT_TRUE(says(few.out, "product[0..15] by 13;")) << few.out;
  EXPECT_TRUE(says(few.out,
                   "\n  sum.owner\n    The floor of -133 never binds: every exponent is greater or the same.\n"
                   "      the floor\n"))
      << few.out;
  EXPECT_TRUE(says(few.out, "\n             -  the floor\n")) << few.out;
  EXPECT_TRUE(says(few.out, "\n             0  product[0] by 13\n")) << few.out;
}

TEST_F(CoverageCommand, CountsTheCasesOfAFile) {
  const std::string header =
      R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true})";
  const std::string cases =
      file("cases.jsonl", header + "\n" + R"({"a":["3c00","2000"],"b":["3c00","3c00"],"c":"00000000"})" + "\n" +
                              R"({"a":["3c00"],"b":["3c00"],"c":"3f800000"})" + "\n");
  const Ran ran = run({"coverage", cases, "--json"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const json coverage = json::parse(ran.out);
  EXPECT_EQ(coverage.at("cases"), 2);
  EXPECT_EQ(count(coverage, "sum.shift.product", "product[1] by 7"), 1U);
  EXPECT_EQ(count(coverage, "sum.shift.product", "product[0] by 0"), 2U);
  EXPECT_EQ(count(coverage, "sum.shift.acc", "acc is zero"), 1U);
  EXPECT_EQ(count(coverage, "sum.owner", "product[0]"), 1U);
  EXPECT_EQ(count(coverage, "sum.owner", "two items alike"), 1U);
}

TEST_F(CoverageCommand, ShardsMergeToTheWhole) {
  const std::string whole = text_of(written("whole.json"));
  const std::string first = written("1.json", {"--shard", "1/3"}), second = written("2.json", {"--shard", "2/3"});
  const Ran merged = run({"coverage", "--merge", first, "--merge", second, "--merge",
                          written("3.json", {"--shard", "3/3"}), "-o", path("merged.json")});
  EXPECT_EQ(merged.status, passed) << merged.err;
  EXPECT_EQ(text_of(path("merged.json")), whole);
  const Ran generated =
      run({"coverage", "--instruction", wgmma, "--cases", "300", "--shard", "3/3", "--merge", first, second, "--json"});
  EXPECT_EQ(generated.out, whole);
}

TEST_F(CoverageCommand, HasToKnowWhatToCover) {
  expect_refused({"coverage"},
                 "Say what to cover: vector files, --instruction ARCHITECTURE:INSTRUCTION or --datapath FILE for "
                 "generated cases, or --merge FILE.json.");
  expect_refused({"coverage", "cases.jsonl", "--instruction", wgmma},
                 "Vector files say what they are of: leave out --instruction and --datapath, or the files.");
}

TEST_F(CoverageCommand, SaysThatNothingWasCovered) {
  const std::string empty =
      file("empty.jsonl", R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16"})"
                          "\n");
  const Ran ran = run({"coverage", empty});
  EXPECT_EQ(ran.status, nothing_compared);
  EXPECT_EQ(ran.err, "assay: Nothing was covered: there were no cases.\n");
}

TEST_F(CoverageCommand, RefusesWhatCannotBeMerged) {
  const std::string good = written("good.json");
  const std::string once = file("once.json", "{}");
  expect_refused({"coverage", "--merge", once, path("./once.json")},
                 "--merge takes each file once; " + once + " and " + path("./once.json") + " are one.");
  expect_refused({"coverage", "--merge", path("none.json")},
                 path("none.json") + ": This file cannot be read: No such file or directory.");
  expect_refused({"coverage", "--merge", file("text.json", "hello")},
                 path("text.json") + " is no coverage file: it must be what `assay coverage -o FILE.json` wrote.");
  expect_refused({"coverage", "--merge", file("next.json", R"({"assay_coverage":2})")},
                 path("next.json") + ": assay_coverage is 2; this version reads 1.");
  expect_refused({"coverage", "--merge", file("half.json", R"({"assay_coverage":1,"subject":"x"})")},
                 path("half.json") +
                     ": a member of this coverage file is missing or of the wrong kind; write it again with `assay "
                     "coverage -o FILE.json`.");
  json other = json::parse(text_of(good));
  other["points"][0]["bins"][0]["bin"] = "something else";
  expect_refused({"coverage", "--merge", good, file("other.json", other.dump())},
                 path("other.json") +
                     " has other points or bins of the same datapath: another version of assay wrote it; write it "
                     "again with this one.");
}

// The library of JSON takes each of these for a number.
TEST_F(CoverageCommand, RefusesACountThatIsNone) {
  const std::string good = text_of(written("good.json"));
  const auto with = [&](const std::string& key, const std::string& value) {
    std::string text = good;
    const std::size_t at = text.find("\"" + key + "\": ") + key.size() + 4;
    return file("bad.json", text.replace(at, text.find_first_of(",\n", at) - at, value));
  };
  const std::string should =
      "; it should be a whole number, not negative, that 64 bits hold. Write the file again with `assay coverage -o "
      "FILE.json`.";
  const json first = json::parse(good)["points"][0];
  const std::string count =
      "the count of " + first["point"].get<std::string>() + ", " + first["bins"][0]["bin"].get<std::string>() + ", is ";
  for (const auto& [given, shown] :
       std::vector<std::pair<std::string, std::string>>{{"-1", "-1"},
                                                        {"0.5", "0.5"},
                                                        {"1e3", "1000.0"},
                                                        {"true", "true"},
                                                        {"null", "null"},
                                                        {"\"7\"", "\"7\""},
                                                        {"18446744073709551616", "1.8446744073709552e+19"}}) {
    expect_refused({"coverage", "--merge", with("count", given)}, path("bad.json") + ": " + count + shown + should);
    expect_refused({"coverage", "--merge", with("cases", given)}, path("bad.json") + ": cases is " + shown + should);
  }
  expect_refused({"coverage", "--merge", with("count", "NaN")},
                 path("bad.json") + " is no coverage file: it must be what `assay coverage -o FILE.json` wrote.");
  const std::string most = with("count", "18446744073709551615");
  EXPECT_EQ(run({"coverage", "--merge", most}).status, passed);
  expect_refused({"coverage", "--merge",
                  file("one.json",
                       [&] {
                         json one = json::parse(good);
                         one["points"][0]["bins"][0]["count"] = 1;
                         return one.dump();
                       }()),
                  most},
                 most + " brings a count beyond what 64 bits hold; leave the file out.");
}

// Each name was once held against all those before it.
TEST_F(CoverageCommand, ShowsVeryManyBins) {
  json one = json::parse(text_of(written("good.json")));
  json bins = json::array();
  for (int i = 0; i < 100'000; ++i)
    bins.push_back({{"bin", "x[" + std::to_string(i) + "] y" + std::to_string(i / 2)}, {"count", 0}});
  for (int i = 0; i < 100'000; ++i)
    bins.push_back({{"bin", "z"}, {"count", 0}, {"unreachable", "Reason " + std::to_string(i)}});
  one["points"] = json::array({json{{"point", "p"}, {"about", "q"}, {"bins", bins}}});
  const Ran ran = run({"coverage", "--merge", file("many.json", one.dump()), "--open", "--unreachable"});
  EXPECT_NE(ran.out.find("x[0..1] y0; x[2..3] y1; "), std::string::npos);
  EXPECT_NE(ran.out.find("    Reason 99999\n      z\n"), std::string::npos);
}

TEST_F(CoverageCommand, RefusesWhatIsNoFile) {
  std::filesystem::create_symlink("loop.json", path("loop.json"));
  expect_refused({"coverage", "--merge", path("loop.json")},
                 path("loop.json") + ": This file cannot be read: Too many levels of symbolic links.");
  expect_refused({"coverage", "--merge", path("")}, path("") + ": This is a folder, and a file is needed here.");
  expect_refused({"coverage", "--merge", "/dev/zero"},
                 "/dev/zero: This file is larger than 64 MiB, too large to be a coverage file.");
}

TEST_F(CoverageCommand, RefusesAnotherDatapath) {
  const std::string good = written("good.json"),
                    other = written("bf16.json", {}, "hopper:wgmma.m64nNk16.f32.bf16.bf16");
  const Ran ran = run({"coverage", "--merge", good, "--merge", other});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_TRUE(says(ran.err, other + " covers hopper:wgmma.m64nNk16.f32.bf16.bf16, whose datapath is ")) << ran.err;
  EXPECT_TRUE(says(ran.err, ": only coverage of one datapath can be merged.\n")) << ran.err;
}

}  // namespace
}  // namespace assay
