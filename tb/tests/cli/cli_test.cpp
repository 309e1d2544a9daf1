#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "model/config/digest.hpp"
#include "sim/cli/progress.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

class Cli : public InFolder {
 protected:
  // Sixteen f16 codes, the first ones given.
  static std::string codes(std::vector<std::string> first) {
    first.resize(16, "0000");
    std::string text;
    for (const std::string& code : first) text += (text.empty() ? "\"" : ",\"") + code + "\"";
    return "[" + text + "]";
  }

  const std::string header_ =
      "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n";
};

// The words of the first printed command that begins with `start`, without "assay".
std::vector<std::string> printed_command(const std::string& text, const std::string& start) {
  const std::size_t from = text.find("assay " + start);
  if (from == std::string::npos) return {};
  std::vector<std::string> command = words(text.substr(from, text.find('\n', from) - from));
  command.erase(command.begin());
  return command;
}

TEST_F(Cli, HelpIsACommandToo) {
  EXPECT_EQ(run({"help"}).out, run({"--help"}).out);
  EXPECT_EQ(run({"help", "explain"}).out, run({"explain", "--help"}).out);
  EXPECT_EQ(run({"help"}).status, passed);
  EXPECT_EQ(run({"help", "explor"}).status, wrong_use);
}

// The same case by its bits, by numbers and by C's hexadecimal numbers.
TEST_F(Cli, OperandsMayBeNumbers) {
  const auto shown = [](std::vector<std::string> operands) {
    std::vector<std::string> args{"explain", "--instruction", "hopper:wgmma.m64nNk16.f32.f16.f16"};
    args.insert(args.end(), operands.begin(), operands.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, passed) << ran.err;
    return ran.out;
  };
  const std::string by_bits = shown({"--a", "3e00,c000,7c00", "--b", "3c00,4200,3c00", "--c", "3e000000"});
  EXPECT_EQ(shown({"--a", "1.5,-2,inf", "--b", "1.0,3.0,0x1p0", "--c", "0.125"}), by_bits);
  EXPECT_NE(shown({"--a", "1.5"}), shown({"--a", "2.5"}));
}

// Of 740 cases in 10 seconds: 74 a second, and 1,260 more take 17.03 seconds.
TEST(ProgressText, SaysThePartDoneAndTheTimeLeft) {
  EXPECT_EQ(progress_text(740, 2000, "cases", 10),
            "[" + std::string(14, '#') + std::string(26, '.') + "] 37 %, 740 of 2000 cases, 74/s, 18 s left");
  EXPECT_EQ(progress_text(1, 1000, "cases", 1).substr(43), "0 %, 1 of 1000 cases, 1/s, 16 min 39 s left");
  EXPECT_EQ(progress_text(1, 10000, "cases", 1).substr(43), "0 %, 1 of 10000 cases, 1/s, 2 h 46 min left");
  EXPECT_EQ(progress_text(2000, 2000, "cases", 10).substr(43), "100 %, 2000 of 2000 cases, 200/s, 0 s left");
  EXPECT_EQ(progress_text(0, 2000, "cases", 3).substr(43), "0 %, 0 of 2000 cases, 0/s");
  EXPECT_EQ(progress_text(740, 0, "cases", 10), "740 cases, 74/s");
}

TEST_F(Cli, ListsArchitecturesWithTheirAliases) {
  const Ran ran = run({"list"});
  EXPECT_EQ(ran.status, passed);
  for (const char* name : {"volta", "turing", "ampere", "ada", "hopper", "blackwell", "rtx_blackwell", "cdna1", "cdna2",
                           "cdna3", "x86", "p3109_draft_4_0"}) {
    EXPECT_NE(ran.out.find(std::string("\n") + name + " "), std::string::npos) << name;
  }
  EXPECT_NE(ran.out.find("sm_90a"), std::string::npos);
}

TEST_F(Cli, VersionNamesTheCatalogueByItsHash) {
  const Ran ran = run({"--version"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("assay 0."), std::string::npos) << ran.out;
  EXPECT_NE(
      ran.out.find("catalogue " + catalogue_sha256(shipped_catalogue()) + " (20 architectures, 1196 instructions"),
      std::string::npos)
      << ran.out;
}

// The newest entry of the changelog names the version, but what is not released yet, and so does whatever else has to
// be changed with it.
TEST_F(Cli, VersionIsTheNewestOfTheChangelog) {
  const std::string said = run({"--version"}).out;
  const std::string version = said.substr(said.find(' ') + 1, said.find('\n') - said.find(' ') - 1);
  const std::string changelog = text_of(source_dir() + "/CHANGELOG.md");
  const std::size_t newest = changelog.find("\n## [", changelog.find("\n## [Unreleased]") + 1) + 5;
  EXPECT_EQ(changelog.substr(newest, changelog.find(']', newest) - newest), version);
  const std::string minor = version.substr(0, version.rfind('.'));
  for (const auto& [file, words] : std::vector<std::pair<std::string, std::string>>{
           {"tb/capi/assay.h", "/* \"" + version + "\" */"},
           {"docs/embedding.md", "find_package(assay " + minor + " REQUIRED)"},
           {"docs/examples/c/CMakeLists.txt", "find_package(assay " + minor + " REQUIRED)"},
           {"docs/examples/model/CMakeLists.txt", "find_package(assay " + minor + " REQUIRED)"},
           {"docs/examples/systemc/CMakeLists.txt", "find_package(assay " + minor + " REQUIRED COMPONENTS systemc)"},
       })
    EXPECT_NE(text_of(source_dir() + "/" + file).find(words), std::string::npos) << file << ": " << words;
}

TEST_F(Cli, ListsTheInstructionsOfAnAlias) {
  const Ran ran = run({"list", "H100"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_NE(ran.out.find("wgmma.m64nNk16.f32.f16.f16"), std::string::npos);
  EXPECT_EQ(ran.out.find("v_mfma"), std::string::npos);
}

TEST_F(Cli, ListAsJsonHoldsTheWholeCatalogue) {
  const Ran ran = run({"list", "--json"});
  const auto all = nlohmann::json::parse(ran.out);
  const std::size_t further_ptx = 16u + 24u + 232u;  // FP8 of 16, f64 in directions, integers
  EXPECT_EQ(all.size(),
            405u + 7u + 69u + 2u * 29u + 59u + 28u + 30u + 7u + 10u + 31u + 8u + 164u + 16u + 32u + further_ptx);
  EXPECT_EQ(all.at(0).at("architecture"), "ada");
}

TEST_F(Cli, ComparePassesAndSaysHowManyItCompared) {
  const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--cases", "500"});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("500"), std::string::npos);
}

TEST_F(Cli, CompareWithTheOraclePasses) {
  const Ran ran =
      run({"compare", "--reference", "oracle", "--device", "model", "--instruction", wgmma, "--cases", "300"});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
}

TEST_F(Cli, CompareFindsANarrowerModelAndItsReproLineFindsItAgain) {
  const std::string narrow = file("narrow.yaml",
                                  "name: narrow\nlike: fused_f25\nadders:\n  - name: sum\n"
                                  "    add: {product: {keep: 24}, acc: {keep: 24}}\n");
  const Ran ran = run({"compare", "--device", "model:" + narrow, "--instruction", wgmma, "--cases", "2000"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const std::vector<std::string> repro = printed_command(ran.out, "compare");
  ASSERT_FALSE(repro.empty()) << ran.out;
  const Ran again = run(repro);
  EXPECT_EQ(again.status, mismatch) << again.out << again.err;
}

TEST_F(Cli, CompareNamesTheWordThatIsWrongAndASmallCase) {
  const std::string narrow = file("narrow.yaml",
                                  "name: narrow\nlike: fused_f25\nadders:\n  - name: sum\n"
                                  "    add: {product: {keep: 24}, acc: {keep: 25}}\n");
  const Ran ran = run({"compare", "--device", "model:" + narrow, "--instruction", wgmma, "--cases", "2000"});
  const std::size_t found = ran.out.find("nearest explanation: ");
  ASSERT_NE(found, std::string::npos) << ran.out;
  const std::string line = ran.out.substr(found, ran.out.find('\n', found) - found);
  int explained = 0, failures = 0;
  EXPECT_EQ(std::sscanf(line.c_str(), "nearest explanation: %d of %d", &explained, &failures), 2) << line;
  EXPECT_GT(failures, 5);
  EXPECT_EQ(explained, failures);
  EXPECT_NE(line.find(" failures agree if adders.sum.add.product.keep were 24 (it is 25)"), std::string::npos) << line;

  const std::vector<std::string> smallest = printed_command(ran.out, "explain");
  ASSERT_FALSE(smallest.empty()) << ran.out;
  EXPECT_EQ(smallest[1], "--reference");
  const Ran shown = run(smallest);
  EXPECT_EQ(shown.status, mismatch) << shown.out << shown.err;
}

TEST_F(Cli, CheckNamesTheWordThatWouldGiveWhatWasRecorded) {
  const std::string wide = file("wide.yaml",
                                "name: wide\nlike: fused_f25\nadders:\n  - name: sum\n"
                                "    add: {product: {keep: 26}, acc: {keep: 25}}\n");
  const Ran made = run({"generate", "--instruction", wgmma, "--cases", "1000", "-o", path("in.jsonl")});
  ASSERT_EQ(made.status, passed) << made.err;
  ASSERT_EQ(run({"run", path("in.jsonl"), "--device", "model:" + wide, "-o", path("out.jsonl")}).status, passed);
  const Ran ran = run({"check", path("out.jsonl")});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find(" failures agree if adders.sum.add.product.keep were 26 (it is 25)"), std::string::npos)
      << ran.out;
}

TEST_F(Cli, WaivedMismatchesPassAndAreSignedFor) {
  const std::string other = file("other.yaml", "name: other\nlike: fused_f25\nnan: 7fc00000\n");
  const std::string waivers =
      file("waivers.yaml",
           "waivers:\n  - {expected: nan, got: nan, reason: quiet NaN as IEEE has it, owner: J. "
           "Doe}\n");
  const std::vector<std::string> command{"compare", "--device", "model:" + other, "--instruction", wgmma,
                                         "--cases", "500"};
  EXPECT_EQ(run(command).status, mismatch);
  std::vector<std::string> waived = command;
  for (const std::string& word : {std::string("--waivers"), waivers, std::string("--sheet"), path("sheet.md")})
    waived.push_back(word);
  const Ran ran = run(waived);
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(waivers + ":2 waives"), std::string::npos) << ran.out;
  const std::string sheet = text_of(path("sheet.md"));
  EXPECT_EQ(sheet.rfind("# model:" + other + " held to model: passed\n", 0), 0u) << sheet;
  EXPECT_NE(sheet.find("| quiet NaN as IEEE has it | J. Doe |"), std::string::npos) << sheet;
  EXPECT_NE(sheet.find("| vectors | generated: 500 cases, seed 1, 27 families in turn |"), std::string::npos) << sheet;
}

TEST_F(Cli, WaiversThatSayTooLittleAreRefused) {
  const auto message = [&](const std::string& text) {
    const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--waivers", file("w.yaml", text)});
    EXPECT_EQ(ran.status, wrong_use);
    return ran.err;
  };
  const std::string at = "assay: " + path("w.yaml") + ":";
  EXPECT_EQ(message("waivers:\n  - {reason: r, owner: o}\n"),
            at + "2: waivers[0]: a waiver must say what it covers: place, verdict, expected or got.\n");
  EXPECT_EQ(message("waivers:\n  - {expected: nan, owner: o}\n"), at + "2: waivers[0]: the key 'reason' is missing.\n");
  EXPECT_EQ(message("waivers:\n  - {expected: nan, reason: r}\n"), at + "2: waivers[0]: the key 'owner' is missing.\n");
  EXPECT_EQ(message("waivers:\n  - {expected: odd, reason: r, owner: o}\n"),
            at + "2: waivers[0].expected: found 'odd'; the choices are zero, subnormal, normal, infinity, nan.\n");
}

TEST_F(Cli, RunSaysWhereItsResultsTellLittle) {
  std::string zeros = header_;
  for (int i = 0; i < 20; ++i) zeros += "{\"a\":" + codes({}) + ",\"b\":" + codes({}) + ",\"c\":\"00000000\"}\n";
  const Ran ran = run({"run", file("zeros.jsonl", zeros), "-o", path("out.jsonl")});
  EXPECT_EQ(ran.status, passed);
  EXPECT_EQ(ran.err, "assay: warning: 20 of 20 results are zero and 0 are NaN: such a set tells little apart.\n");
  const std::string one =
      header_ + "{\"a\":" + codes({"3c00"}) + ",\"b\":" + codes({"3c00"}) + ",\"c\":\"00000000\"}\n";
  EXPECT_EQ(run({"run", file("one.jsonl", one), "-o", path("out.jsonl")}).err, "");
}

// A device that answers rightly and then ends as one does that failed.
TEST_F(Cli, RunOnADeviceThatFailsAtItsEndLeavesNoFile) {
  const std::string script = file("device.py",
                                  "import json, sys\n"
                                  "print('{\"device\":\"odd\",\"instructions\":[\"*\"],\"trace\":false,\"window\":1}', "
                                  "flush=True)\n"
                                  "for line in sys.stdin:\n"
                                  "    case = json.loads(line)\n"
                                  "    if 'id' in case:\n"
                                  "        print(json.dumps({'id': case['id'], 'd': '00000000'}), flush=True)\n"
                                  "    elif 'end' in case:\n"
                                  "        print(json.dumps({'end': case['end']}), flush=True)\n"
                                  "        sys.exit(3)\n");
  const std::string one =
      header_ + "{\"a\":" + codes({"3c00"}) + ",\"b\":" + codes({"3c00"}) + ",\"c\":\"00000000\"}\n";
  const Ran ran = run({"run", file("one.jsonl", one), "--device", "exec:python3 " + script, "-o", path("out.jsonl")});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.err.find("status 3"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(path("out.jsonl")));
}

// Of a shard, too, a case has the number that it has in the whole.
TEST_F(Cli, CompareTakesALevelAndAShard) {
  const std::string narrow = file("narrow.yaml",
                                  "name: narrow\nlike: fused_f25\nadders:\n  - name: sum\n"
                                  "    add: {product: {keep: 24}, acc: {keep: 24}}\n");
  const Ran ran =
      run({"compare", "--device", "model:" + narrow, "--instruction", wgmma, "--level", "1", "--shard", "4/5"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_EQ(ran.err,
            "assay: level 1: shard 4/5: 1,000 of 5,000 cases, from case 3,000, seed 1, 27 families in turn, "
            "the last one first\n");
  EXPECT_NE(ran.out.find("compared 1000 cases"), std::string::npos) << ran.out;
  const std::vector<std::string> repro = printed_command(ran.out, "compare");
  ASSERT_FALSE(repro.empty()) << ran.out;
  EXPECT_GE(std::stoi(repro.back()), 3000);
  EXPECT_LT(std::stoi(repro.back()), 4000);
  EXPECT_EQ(run(repro).status, mismatch);
}

TEST_F(Cli, CompareOfNothingIsNoPass) {
  EXPECT_EQ(run({"compare", "--device", "model", "--instruction", wgmma, "--cases", "0"}).status, nothing_compared);
}

TEST_F(Cli, CompareAsJson) {
  const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--cases", "100", "--json"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("subject"), wgmma);
}

TEST_F(Cli, RunFillsInAndCheckAgrees) {
  const std::string in =
      file("in.jsonl", header_ + "{\"a\":" + codes({"3c00", "4000"}) + ",\"b\":" + codes({"3c00", "3c00"}) +
                           ",\"c\":\"3f800000\",\"tag\":\"kept\"}\n");
  const std::string out = path("out.jsonl");
  const Ran ran = run({"run", in, "-o", out});
  ASSERT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(text_of(out).find("\"d\":\"40800000\""), std::string::npos) << text_of(out);
  EXPECT_NE(text_of(out).find("\"tag\":\"kept\""), std::string::npos);
  EXPECT_EQ(run({"check", out}).status, passed);
}

TEST_F(Cli, CheckSeesOneWrongBit) {
  const std::string wrong = file("wrong.jsonl", header_ + "{\"a\":" + codes({"3c00"}) + ",\"b\":" + codes({"3c00"}) +
                                                    ",\"c\":\"00000000\",\"d\":\"3f800001\"}\n");
  const Ran ran = run({"check", wrong});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("3f800000"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("3f800001"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("assay check " + wrong + " --case 0"), std::string::npos) << ran.out;
  // What it prints to see the case again does show it again.
  EXPECT_EQ(run(printed_command(ran.out, "check")).status, mismatch);
}

TEST_F(Cli, CheckOfAnEmptyFileIsNoPass) {
  EXPECT_EQ(run({"check", file("empty.jsonl", header_)}).status, nothing_compared);
}

TEST_F(Cli, CheckNeedsRecordedResults) {
  const std::string in =
      file("in.jsonl", header_ + "{\"a\":" + codes({}) + ",\"b\":" + codes({}) + ",\"c\":\"3f800000\"}\n");
  const Ran ran = run({"check", in});
  EXPECT_EQ(ran.status, nothing_compared);
  EXPECT_NE(ran.out.find(" has no recorded d; `assay run` fills in d\n"), std::string::npos) << ran.out;
}

TEST_F(Cli, OwnDatapathInsideAVectorFile) {
  const std::string in =
      file("own.jsonl",
           "{\"assay\":1,\"datapath\":{\"name\":\"mine\",\"like\":\"fused_f23\",\"k\":2,"
           "\"operands\":{\"a\":\"f16\",\"b\":\"f16\",\"c\":\"f32\",\"d\":\"f32\"}}}\n"
           "{\"a\":[\"3c00\",\"0000\"],\"b\":[\"3c00\",\"0000\"],\"c\":\"bf7fffff\",\"d\":\"34000000\"}\n");
  const Ran ran = run({"check", in});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
}

TEST_F(Cli, RunWritesTheHashOfTheDatapathAndNobodyComplains) {
  const std::string in =
      file("in.jsonl", header_ + "{\"a\":" + codes({"3c00"}) + ",\"b\":" + codes({}) + ",\"c\":\"3f800000\"}\n");
  const std::string out = path("out.jsonl");
  ASSERT_EQ(run({"run", in, "-o", out}).status, passed);
  const Catalogue catalogue = shipped_catalogue();
  const std::string digest = datapath_sha256(catalogue.plan_of(catalogue.instruction(wgmma)));
  EXPECT_NE(text_of(out).find("\"datapath_sha256\":\"" + digest + "\""), std::string::npos) << text_of(out);
  EXPECT_EQ(run({"check", out}).err, "");
}

TEST_F(Cli, VectorsOfAnotherDatapathAreHeldToThisOneWithAWarning) {
  const std::string other = std::string(64, 'a');
  std::string header = header_;
  header.replace(header.find("}"), 1, ",\"datapath_sha256\":\"" + other + "\"}");
  const std::string in = file("old.jsonl", header + "{\"a\":" + codes({}) + ",\"b\":" + codes({}) +
                                               ",\"c\":\"3f800000\",\"d\":\"3f800000\"}\n");
  const std::string says =
      "assay: warning: " + in + ":1: datapath_sha256 is aaaaaaaaaaaa..., but the datapath here has ";
  for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
           {"check", in}, {"run", in, "-o", path("new.jsonl")}, {"explain", "--file", in, "--case", "0"}}) {
    const Ran ran = run(command);
    EXPECT_EQ(ran.status, passed) << command.front();
    EXPECT_EQ(ran.err.rfind(says, 0), 0u) << command.front() << ": " << ran.err;
  }
  const Ran recorded = run({"check", path("new.jsonl"), "--device", "vectors:" + in});
  EXPECT_EQ(recorded.status, passed) << recorded.err;
  EXPECT_EQ(recorded.err.rfind(says, 0), 0u) << recorded.err;
  EXPECT_EQ(text_of(path("new.jsonl")).find(other), std::string::npos);  // it says what it was filled in by
}

TEST_F(Cli, ExplainsACaseOfAFile) {
  const std::string in = file("in.jsonl", header_ + "{\"a\":" + codes({}) + ",\"b\":" + codes({}) +
                                              ",\"c\":\"3f800000\"}\n{\"a\":" + codes({"3c00"}) +
                                              ",\"b\":" + codes({"4000"}) + ",\"c\":\"3f800000\"}\n");
  const Ran ran = run({"explain", "--file", in, "--case", "1"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("encode      40400000"), std::string::npos) << ran.out;
}

TEST_F(Cli, ExportsWiring) {
  const Ran ran = run({"export-sv", "--instruction", wgmma, "--module", "mine"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("module mine"), std::string::npos);
}

// Every error of the commands themselves: what is typed, what is said, the exit status.
struct Wrong {
  std::vector<std::string> args;
  std::string says;
  int status = wrong_use;
};

class CliErrors : public ::testing::TestWithParam<Wrong> {};

TEST_P(CliErrors, SaysWhatIsWrong) {
  const Ran ran = run(GetParam().args);
  EXPECT_EQ(ran.status, GetParam().status) << ran.out;
  EXPECT_NE(ran.err.find(GetParam().says), std::string::npos) << ran.err;
  EXPECT_EQ(ran.err.rfind("assay: ", 0), 0u) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, CliErrors,
    ::testing::Values(
        Wrong{{}, "A subcommand is required"}, Wrong{{"list", "hoper"}, "There is no architecture 'hoper'"},
        Wrong{{"describe"},
              "Name an architecture (and an instruction), a datapath file with --datapath, or a number format with "
              "--format."},
        Wrong{{"describe", "hopper", "wgmma.m64nNk16.f32.f16.f61"}, "did you mean 'wgmma.m64nNk16.f32.f16.f16'?"},
        Wrong{{"explain", "--instruction", wgmma}, "Give one case: its operands"},
        Wrong{{"explain", "--file", "x.jsonl", "--case", "0", "--instruction", wgmma},
              "A vector file says what it is of: leave out --instruction and --datapath, or --file."},
        Wrong{{"explain", "--file", "x.jsonl", "--case", "0", "--datapath", "x.yaml"},
              "A vector file says what it is of: leave out --instruction and --datapath, or --file."},
        Wrong{{"compare", "--device", "model", "--instruction", wgmma, "--case", "3", "--cases", "5"},
              "--cases excludes --case"},
        Wrong{{"compare", "--device", "model", "--instruction", wgmma, "--case", "3", "--shard", "1/2"},
              "--shard excludes --case"},
        Wrong{{"compare", "--device", "model", "--instruction", wgmma, "--case", "3", "--level", "2"},
              "--level excludes --case"},
        Wrong{{"explain", "--instruction", wgmma, "--seed", "1", "--case", "0", "--scale-a", "7f"},
              "--scale-a, --scale-b and --operand go with --a, --b and --c; a case of a seed or a file has its own."},
        Wrong{{"explain", "--file", "x.jsonl", "--case", "0", "--operand", "mask=1"},
              "--scale-a, --scale-b and --operand go with --a, --b and --c; a case of a seed or a file has its own."},
        Wrong{{"explain", "--instruction", wgmma, "--a", "3c00", "--case", "3"},
              "--case names a case of a seed or a file; leave it out beside --a, --b and --c."},
        Wrong{{"explain", "--instruction", wgmma, "--seed", "1", "--case", "0", "--element", "0,0"},
              "--element is for the whole matrices of a file; give --file with it, or leave it out."},
        Wrong{{"explain", "--a", "3c00"}, "Say what to compute: --instruction ARCHITECTURE:INSTRUCTION"},
        Wrong{{"explain", "--instruction", wgmma, "--seed", "1"}, "--case is missing: which case of the seed or file?"},
        Wrong{{"explain", "--instruction", wgmma, "--a", "3c0"},
              "--a takes f16 codes of 4 hexadecimal digits (16 bits) or numbers such as 1.5, found '3c0'."},
        Wrong{{"explain", "--instruction", wgmma, "--a", "0,1"}, "--a: '0' may be bits or a number;"},
        Wrong{{"explain", "--instruction", wgmma, "--c", "3c00"},
              "--c takes f32 codes of 8 hexadecimal digits (32 bits) or numbers such as 1.5, found '3c00'."},
        Wrong{{"explain", "--instruction", "rtx_blackwell:mma.m16n8k32.f32.e3m2.e3m2.f32", "--a", "7f"},
              "--a takes e3m2 codes of 2 hexadecimal digits (6 bits) or numbers such as 1.5, found '7f'."},
        Wrong{{"explain", "--instruction", wgmma, "--a",
               "3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00,3c00"},
              "--a has 17 codes, but this instruction takes 16."},
        Wrong{{"explain", "--instruction", wgmma, "--a", "3c00", "--scale-a", "7f"},
              "This instruction has no scales; leave --scale-a and --scale-b out."},
        Wrong{{"explain", "--instruction", "mma.m8n8k4.f32.f16.f16.f32", "--a", "3c00"},
              "'mma.m8n8k4.f32.f16.f16.f32' may be any of "},
        Wrong{{"explain", "--instruction", "wgmma.m64nNk16.f32.f16.f61", "--a", "3c00"},
              "in any of the 20 architectures (`assay list` shows them); did you mean 'wgmma.m64nNk16.f32.f16.f16'?"},
        Wrong{{"explain", "--instruction", "hopper", "--a", "3c00"}, "'hopper' is an architecture;"},
        Wrong{{"describe", "mma.m16n8k16.f32.f16.f16.f32"}, "may be any of ada:mma.m16n8k16.f32.f16.f16.f32, ampere:"},
        Wrong{{"describe", "tdpbf16p"}, "There is no architecture 'tdpbf16p'"},
        Wrong{{"describe", "tdpb"}, ". Instructions that begin with it: tdpbf16ps, tdpbssd, "},
        Wrong{{"explor"}, "There is no command 'explor' (assay --help lists them); did you mean 'explore'?"},
        Wrong{{"exp"}, "There is no command 'exp' (assay --help lists them); did you mean 'explain' or 'explore' or "},
        Wrong{{"nothing-like-it"}, "There is no command 'nothing-like-it' (assay --help lists them)."},
        Wrong{{"compare", "--devise", "model"}, "--devise (see assay --help); did you mean '--device'?"},
        Wrong{{"explain", "--instruction", wgmma, "--a", "15"},
              "--a: '15' may be bits or a number; write the bits of f16 with all 4 hexadecimal digits, and a number "
              "with a point."},
        Wrong{{"explain", "--instruction", wgmma, "--a", "0.1"},
              "--a: '0.1' is not a number that f16 holds exactly; the nearest has the bits 2e66."},
        Wrong{{"explain", "--instruction", wgmma, "--a", "1.5.2"}, "--a: '1.5.2' is not a number: write -1.5, "},
        Wrong{{"layout", "hopper"}, "'hopper' is an architecture;"},
        Wrong{{"compare", "--device", "model:tdpbf16p", "--instruction", wgmma}, "did you mean 'tdpbf16ps'?"},
        Wrong{{"compare", "--device", "toaster", "--instruction", wgmma}, "'toaster' is no device; the devices are"},
        Wrong{{"compare", "--device", "model:/nowhere.yaml", "--instruction", wgmma}, "/nowhere.yaml"},
        Wrong{{"compare", "--device", "rtl:/nowhere.yaml", "--instruction", wgmma}, "/nowhere.yaml"},
        Wrong{{"compare", "--device", "vectors:/nowhere.jsonl", "--instruction", wgmma}, "/nowhere.jsonl"},
        Wrong{{"compare", "--device", "model", "--instruction", wgmma, "--family", "cats"},
              "--family cats is not one for this instruction; there are raw"},
        Wrong{{"compare", "--instruction", wgmma}, "Say what to compare: --device DEVICE"},
        Wrong{{"compare", "--device", "model:hopper:wgmma.m64nNk16.f16.f16.f16", "--instruction", wgmma},
              "computes 16 terms of f16 x f16 + f16 -> f16, but"},
        Wrong{{"compare", "--device", "model:hopper:nothing", "--instruction", wgmma},
              "There is no instruction 'nothing'"},
        Wrong{{"compare", "--device", "model", "--instruction", wgmma, "--nan", "maybe"}, "--nan"},
        Wrong{{"check", "/nowhere.jsonl"}, "/nowhere.jsonl"}, Wrong{{"run", "/nowhere.jsonl"}, "/nowhere.jsonl"}));

// In whatever a command shows stands the whole name.
TEST_F(Cli, AnInstructionOfOneArchitectureNeedsNoOther) {
  const std::string whole = "x86:tdpbf16ps", alone = "tdpbf16ps";
  const Ran compared = run({"compare", "--device", "model:" + alone, "--instruction", alone, "--cases", "100"});
  EXPECT_EQ(compared.status, passed) << compared.err;
  EXPECT_EQ(compared.out.rfind(whole + ": model:tdpbf16ps held to model\n", 0), 0u) << compared.out;
  ASSERT_EQ(run({"generate", "--instruction", alone, "--cases", "3", "-o", path("bare.jsonl")}).status, passed);
  EXPECT_NE(text_of(path("bare.jsonl")).find(R"("architecture":"x86","instruction":"tdpbf16ps")"), std::string::npos);
  for (const char* command : {"describe", "evidence"})
    EXPECT_EQ(run({command, alone}).out, run({command, "x86", alone}).out) << command;
  const Ran scored = run({"score", "--instruction", alone, "--cases", "100"});
  EXPECT_EQ(scored.out.rfind(whole, 0), 0u) << scored.out << scored.err;
  const std::string lanes = "wgmma.m64nNk16.f32.f16.f16";
  EXPECT_EQ(run({"layout", lanes, "--operand", "d"}).out, run({"layout", "hopper", lanes, "--operand", "d"}).out);
  const Ran gemm = run({"compare", "--gemm", "8x8x64", "--formats", "f16", "--architectures", lanes + ",ampere"});
  EXPECT_NE(gemm.out.find(wgmma), std::string::npos) << gemm.out << gemm.err;
}

TEST_F(Cli, AModelOfOtherOperandsIsRefused) {
  const std::string other =
      file("other.yaml", "name: other\nlike: fused_f25\nk: 8\noperands: {a: bf16, b: bf16, c: f32, d: f32}\n");
  const Ran ran = run({"compare", "--device", "model:" + other, "--instruction", wgmma});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("computes 8 terms of bf16 x bf16 + f32 -> f32, but"), std::string::npos) << ran.err;
}

TEST_F(Cli, AModelOfFewerTermsTakesSeveralSteps) {
  const Ran same = run({"compare", "--device", "model:hopper:mma.m16n8k16.f32.f16.f16.f32", "--instruction", wgmma});
  EXPECT_EQ(same.status, passed) << same.out << same.err;
  const Ran shorter = run({"compare", "--device", "model:hopper:mma.m16n8k8.f32.f16.f16.f32", "--instruction", wgmma});
  EXPECT_EQ(shorter.status, mismatch) << shorter.out << shorter.err;
  const Ran longer =
      run({"compare", "--device", "model:" + wgmma, "--instruction", "hopper:mma.m16n8k8.f32.f16.f16.f32"});
  EXPECT_EQ(longer.status, wrong_use);
}

TEST_F(Cli, TheOracleCannotJudgeAnOwnDatapath) {
  const std::string mine =
      file("mine.yaml", "name: mine\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  const Ran ran = run({"compare", "--reference", "oracle", "--device", "model", "--datapath", mine});
  EXPECT_EQ(ran.status, cannot_here);
  EXPECT_NE(ran.err.find("it cannot judge a datapath of your own"), std::string::npos) << ran.err;
}

TEST_F(Cli, ADatapathWithoutKSaysSo) {
  const std::string mine =
      file("mine.yaml", "name: mine\nlike: fused_f25\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  const Ran ran = run({"describe", "--datapath", mine});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("says no `k`"), std::string::npos) << ran.err;
}

TEST_F(Cli, AMissingCaseOfAFileIsAnError) {
  const std::string in =
      file("in.jsonl", header_ + "{\"a\":" + codes({}) + ",\"b\":" + codes({}) + ",\"c\":\"3f800000\"}\n");
  const Ran ran = run({"explain", "--file", in, "--case", "7"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("has no case 7."), std::string::npos) << ran.err;
}

// What stands between the first ``` fence of this kind after `from` and the next.
std::string block(const std::string& page, const std::string& fence, std::size_t from = 0) {
  const std::size_t start = page.find(fence + "\n", from);
  if (start == std::string::npos) return "";
  const std::size_t first = start + fence.size() + 1;
  return page.substr(first, page.find("```", first) - first);
}

TEST_F(Cli, TheWalkThroughTheHouseIsWhatExplainShows) {
  const std::string page = text_of(source_dir() + "/docs/architecture.md");
  const std::string command = block(page, "```");
  const Ran ran = run(words(command.substr(command.find("explain"))));
  EXPECT_EQ(ran.status, passed) << ran.err;
  for (const char* said : {"01.0000000000000000000000000", "00.1111111111111111111111110", "33800000"}) {
    EXPECT_NE(ran.out.find(said), std::string::npos) << said;
  }
}

TEST_F(Cli, EveryCommandHasHelpWithAnExample) {
  for (const char* command : {"list", "describe", "generate", "run", "check", "compare", "explain", "layout",
                              "export-sv", "completion", "man"}) {
    const Ran ran = run({command, "--help"});
    EXPECT_EQ(ran.status, passed) << command;
    EXPECT_NE(ran.out.find("Example"), std::string::npos) << command;
  }
}

}  // namespace
}  // namespace assay
