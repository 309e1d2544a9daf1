// What assay evidence, list and describe say of recorded sets.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "tb/evidence/captured.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

bool is_x86(const Instruction& i) { return i.architecture == "x86"; }

// What is recorded would not pass a datapath with any one word changed: for each instruction one set kills every mutant
// that can be told apart. The sets are older than the cases that ask for each rule of NaN and infinity, and for a c
// that is NaN.
bool leaves_a_word_open(const nlohmann::json& score) {
  const auto& mutants = score.at("mutants");
  return std::any_of(mutants.begin(), mutants.end(), [](const nlohmann::json& mutant) {
    const auto name = mutant.at("name").get<std::string>();
    return mutant.at("fate") == "open" && name.rfind("special.", 0) != 0 && name != "nans.c zero";
  });
}

TEST(Evidence, SetsOfX86TellTheDatapathFromItsNeighbours) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> told;
  for (const CapturedSet& set : captured_sets(catalogue, shipped_captures(), false, is_x86)) {
    const auto score = nlohmann::json::parse(run({"score", set.file, "--json"}).out).at("scores").at(0);
    if (!leaves_a_word_open(score) && score.at("killed") > 0) told.insert(set.instruction);
  }
  EXPECT_EQ(told.size(), 7u) << testing::PrintToString(told);
}

TEST(Evidence, OfTheShippedSetsIsShown) {
  const Ran ran = run({"evidence", "x86"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(
      ran.out.find("x86:vdpbf16ps  captured      5000 of 5000 cases pass, AMD EPYC (family 25, model 17, stepping "
                   "1), families: all, 2026-11-21\n"),
      std::string::npos)
      << ran.out;
  EXPECT_NE(
      ran.out.find("5000 of 5000 cases pass, AMD EPYC (family 26, model 2, stepping 1), families: all, 2026-11-22\n"),
      std::string::npos)
      << ran.out;
  for (const char* tile : {"tdpbf16ps", "tdpfp16ps", "tdpbssd  ", "tdpbsud  ", "tdpbusd  ", "tdpbuud  "}) {
    EXPECT_NE(ran.out.find("x86:" + std::string(tile) +
                           "  captured      5000 of 5000 cases pass, Intel(R) Xeon(R) Processor (family 6, model 167, "
                           "stepping 1), families: all, 2026-11-22\n"),
              std::string::npos)
        << ran.out;
  }
  EXPECT_NE(ran.out.find("7 of 7 instructions have recorded sets here.\n"), std::string::npos) << ran.out;
}

TEST(Evidence, StandsInListAndDescribe) {
  const std::string list = run({"list", "x86"}).out;
  EXPECT_NE(list.find("captured, 5000 cases here"), std::string::npos) << list;
  EXPECT_EQ(list.find("documented"), std::string::npos) << list;
  const std::string silicon = run({"describe", "x86", "vdpbf16ps"}).out;
  EXPECT_NE(silicon.find("sets          5000 of 5000 cases pass, AMD EPYC"), std::string::npos) << silicon;
  const std::string printed = run({"describe", "ada", "mma.m16n8k16.f32.f16.f16.f32"}).out;
  EXPECT_NE(printed.find("sets          22 of 22 printed results pass, NVIDIA GeForce RTX 4060"), std::string::npos)
      << printed;
  const std::string elsewhere = run({"describe", "volta", "mma.m8n8k4.f32.f16.f16.f32"}).out;
  EXPECT_NE(elsewhere.find("sets          kept elsewhere: assay evidence --sets FOLDER"), std::string::npos)
      << elsewhere;
}

class SetsFolder : public testing::Test {
 protected:
  const Scratch scratch_;
  const std::string folder_ = scratch_.path().string();
};

TEST_F(SetsFolder, OutsideCountsAsExternalAndAWrongResultIsSeen) {
  std::ofstream(folder_ + "/mine.jsonl")
      << R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true,"provenance":{"device":"a part","date":"2026-01-02"}})"
      << "\n"
      << R"({"a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})"
      << "\n"
      << R"({"a":["3c00"],"b":["3c00"],"c":"3f800000","d":"40000001"})"
      << "\n";
  const Ran ran = run({"evidence", "hopper", "--sets", folder_});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("external: 1 of 2 cases pass, a part, 2026-01-02\n"), std::string::npos) << ran.out;
  const auto j =
      nlohmann::json::parse(run({"evidence", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--sets", folder_, "--json"}).out);
  ASSERT_EQ(j.size(), 1u);
  const auto& mine = j[0]["sets"].back();
  EXPECT_EQ(mine["external"], true);
  EXPECT_EQ(mine["passed"], 1);
  EXPECT_EQ(mine["cases"], 2);
}

// 32 terms are two instructions of K = 16: sixteen products of 1 * 2^-4, and onto their sum sixteen of 2^-24.
TEST_F(SetsFolder, MatricesThatTakeSeveralInstructionsAreHeldAsCheckHoldsThem) {
  const auto sixteen = [](const std::string& one, const std::string& between) {
    std::string all = one;
    for (int i = 1; i < 16; ++i) all += between + one;
    return all;
  };
  const std::string row = R"(",")", column = R"("],[")", file = folder_ + "/long.jsonl";
  const std::string a = sixteen("3c00", row) + row + sixteen("0001", row);
  const std::string b = sixteen("2c00", column) + column + sixteen("3c00", column);
  const auto passes = [&](const std::string& d) {
    std::ofstream(file) << R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16"})"
                        << "\n"
                        << R"({"A":[[")" << a << R"("]],"B":[[")" << b << R"("]],"C":[["00000000"]],"D":[[")" << d
                        << R"("]]})"
                        << "\n";
    const Ran ran = run({"evidence", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--sets", folder_});
    EXPECT_EQ(ran.status, run({"check", file}).status) << ran.out << ran.err;
    return ran.out.find("external: 1 of 1 cases pass") != std::string::npos;
  };
  EXPECT_TRUE(passes("3f800008"));
  EXPECT_FALSE(passes("3f800000"));  // of the first instruction alone
}

TEST_F(SetsFolder, ADatapathThatHasChangedSinceIsNamed) {
  const std::string digest(64, 'a'), file = folder_ + "/old.jsonl";
  std::ofstream(file) << R"({"assay":1,"architecture":"hopper","instruction":"wgmma.m64nNk16.f32.f16.f16","pad":true,)"
                      << R"("datapath_sha256":")" << digest << "\"}\n"
                      << R"({"a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})"
                      << "\n";
  const Ran ran = run({"evidence", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--sets", folder_});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(ran.err.rfind("assay: warning: " + file + ":1: datapath_sha256 is aaaaaaaaaaaa..., but", 0), 0u) << ran.err;
  EXPECT_EQ(ran.err, run({"check", file}).err);
}

// What the model computed is no evidence of the model, whoever asked it to.
TEST_F(SetsFolder, ResultsOfAssayAreNoRecordings) {
  const std::string made = folder_ + "/made.jsonl", filled = folder_ + "/filled.jsonl", oracle = folder_ + "/o.jsonl",
                    passed_on = folder_ + "/passed_on.jsonl";
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "20", "--with-results", "-o", made}).status, passed);
  ASSERT_EQ(run({"run", made, "-o", filled}).status, passed);
  ASSERT_EQ(run({"run", made, "--device", "oracle", "-o", oracle}).status, passed);
  ASSERT_EQ(run({"run", made, "--device", "vectors:" + filled, "-o", passed_on}).status, passed);
  const Ran ran = run({"evidence", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--sets", folder_});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(ran.out.find("external"), std::string::npos) << ran.out;
  const auto says = [](const std::string& file, const std::string& device) {
    return "assay: warning: " + file + " is no recording: its d come from Assay's own " + device +
           ", so it does not count.\n";
  };
  EXPECT_EQ(ran.err, says(filled, "model") + says(made, "model") + says(oracle, "oracle") +
                         "assay: warning: " + passed_on +
                         " is no recording of its own: its d were taken from another file (vectors:" + filled +
                         "), so it does not count; that file does, if it is a recording.\n");
}

TEST_F(SetsFolder, AnOwnDatapathStandsBehindNoInstruction) {
  const std::string own = folder_ + "/own.jsonl";
  ASSERT_EQ(run({"generate", "--datapath", source_dir() + "/configs/datapath/pair_sum_coarse.yaml", "--cases", "5",
                 "-o", own})
                .status,
            passed);
  const Ran ran = run({"evidence", "hopper", "wgmma.m64nNk16.f32.f16.f16", "--sets", folder_});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_EQ(ran.err, "assay: warning: " + own +
                         " is of a datapath of its own, and stands behind no instruction; `assay check` holds it to "
                         "that.\n");
}

TEST_F(SetsFolder, AnUnknownInstructionIsNamedWithItsFile) {
  std::ofstream(folder_ + "/old.jsonl") << R"({"assay":1,"architecture":"hoper","instruction":"x"})"
                                        << "\n";
  const Ran ran = run({"evidence", "hopper", "--sets", folder_});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err.rfind("assay: " + folder_ + "/old.jsonl:1: There is no architecture 'hoper'", 0), 0u) << ran.err;
}

TEST_F(SetsFolder, ThatDoesNotExistIsNamed) {
  const Ran ran = run({"evidence", "--sets", folder_ + "/none"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err, "assay: '" + folder_ +
                         "/none' is no folder of recorded sets that can be read (No such file or directory); name one "
                         "that holds .jsonl, .jsonl.gz or .jsonl.zst files.\n");
}

TEST_F(SetsFolder, ThatCannotBeReadIsNamed) {
  const auto refused = [&](const std::string& folder) {
    const Ran ran = run({"evidence", "--sets", folder});
    EXPECT_EQ(ran.status, wrong_use);
    return ran.err;
  };
  fs::create_symlink("loop", folder_ + "/loop");
  EXPECT_EQ(refused(folder_ + "/loop"),
            "assay: '" + folder_ + "/loop' is no folder of recorded sets that can be read (Too many levels of " +
                "symbolic links); name one that holds .jsonl, .jsonl.gz or .jsonl.zst files.\n");
  const std::string pipe = folder_ + "/pipe.jsonl";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(refused(folder_),
            "assay: " + pipe + " has the name of a recorded set, but cannot be read as one: it is a pipe.\n");
  fs::remove(pipe);
  fs::create_symlink("nowhere", folder_ + "/old.jsonl.gz");
  EXPECT_EQ(refused(folder_),
            "assay: " + folder_ +
                "/old.jsonl.gz has the name of a recorded set, but cannot be read as one: there is no "
                "such file.\n");
}

}  // namespace
}  // namespace assay
