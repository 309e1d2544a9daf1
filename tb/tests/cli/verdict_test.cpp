// What compare and check conclude, and from what: what is waived or no result says nothing, a case that fails only
// after another is not shown as if it stood alone, and few failures are few.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string bytes = "cdna1:v_mfma_i32_16x16x16i8";

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

// The first line that begins with `start`; empty where there is none.
std::string line_of(const std::string& text, const std::string& start) {
  const std::size_t at = ("\n" + text).find("\n" + start);
  return at == std::string::npos ? "" : text.substr(at, text.find('\n', at) - at);
}

// The words of the command at the end of a line, without "assay".
std::vector<std::string> command_in(const std::string& line) {
  const std::size_t at = line.find("assay ");
  if (at == std::string::npos) return {};
  std::vector<std::string> command = words(line.substr(at));
  command.erase(command.begin());
  return command;
}

class VerdictOf : public InFolder {
 protected:
  // docs/examples/device.py with these lines before the one that returns the total.
  std::string device(const std::string& lines) const {
    std::string text = text_of(source_dir() + "/docs/examples/device.py");
    text.replace(text.find("    return f\"{total"), 0, lines);
    text.replace(text.find("import json"), 0, "import os\n");
    const std::string script = file("device.py", text);
    fs::permissions(script, fs::perms::owner_all);
    return "exec:" + script;
  }
  Ran compare(const std::string& lines, const std::string& cases = "200") const {
    return run({"compare", "--device", device(lines), "--instruction", bytes, "--cases", cases});
  }

  std::string narrow() const {
    return "model:" + file("narrow.yaml",
                           "name: narrow\nlike: fused_f25\nadders:\n  - name: sum\n"
                           "    add: {product: {keep: 24}, acc: {keep: 25}}\n");
  }
  std::string waivers(const std::string& reason = "the IEEE quiet NaN") const {
    return file("waivers.yaml", "waivers:\n  - {expected: nan, got: nan, reason: " + reason + ", owner: \"J. Doe\"}\n");
  }
};

TEST_F(VerdictOf, WaivedFailuresNothingIsSaid) {
  const std::string other = "model:" + file("other.yaml", "name: other\nlike: fused_f25\nnan: 7fc00000\n");
  const Ran ran = run({"compare", "--device", other, "--instruction", wgmma, "--cases", "500", "--waivers", waivers()});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_EQ(ran.out.find("nearest explanation"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("failing case"), std::string::npos) << ran.out;
}

TEST_F(VerdictOf, FailuresBesideWaivedOnesLeavesThoseOut) {
  const std::string both = "model:" + file("both.yaml",
                                           "name: both\nlike: fused_f25\nnan: 7fc00000\nadders:\n  - name: sum\n"
                                           "    add: {product: {keep: 24}, acc: {keep: 25}}\n");
  const Ran ran =
      run({"compare", "--device", both, "--instruction", wgmma, "--cases", "2000", "--waivers", waivers(), "--json"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const auto found = nlohmann::json::parse(ran.out);
  const std::string differs = found["summary"]["differs"].dump(), said = found["explanation"][0];
  EXPECT_GT(found["summary"]["waivers"][0]["cases"], 0);
  EXPECT_EQ(said, "nearest explanation: " + differs + " of " + differs +
                      " failures agree if adders.sum.add.product.keep were 24 (it is 25)");
}

// The same numbers that score and coverage give of the same cases, on the terminal, as JSON and on the sheet.
TEST_F(VerdictOf, CasesAreScoredWhereThatIsAskedFor) {
  const std::vector<std::string> of{"--instruction", wgmma, "--cases", "300"};
  const auto with = [&](std::vector<std::string> command, const std::vector<std::string>& more) {
    command.insert(command.end(), of.begin(), of.end());
    command.insert(command.end(), more.begin(), more.end());
    return run(command);
  };
  const auto score = nlohmann::json::parse(with({"score"}, {"--json"}).out)["scores"][0];
  const std::string killed =
      score["killed"].dump() + " of " + std::to_string(score["mutants"].size()) + " mutants killed, ";
  const std::string bins = score["coverage"]["hit"].dump() + " of " + score["coverage"]["reachable"].dump() +
                           " reachable bins of coverage hit";
  const std::string sheet = path("sheet.md");
  const Ran both = with({"compare", "--device", "oracle"}, {"--score", "--coverage", "--sheet", sheet});
  EXPECT_EQ(both.status, passed) << both.err;
  EXPECT_NE(both.out.find("\n" + killed), std::string::npos) << both.out;
  EXPECT_NE(both.out.find("\n" + bins), std::string::npos) << both.out;
  EXPECT_NE(text_of(sheet).find("| kill score | " + killed), std::string::npos) << text_of(sheet);
  EXPECT_NE(text_of(sheet).find("| coverage | " + bins), std::string::npos) << text_of(sheet);

  const std::string vectors = path("some.jsonl");
  ASSERT_EQ(with({"generate"}, {"--with-results", "-o", vectors}).status, passed);
  const auto checked =
      nlohmann::json::parse(run({"check", vectors, "--score", "--coverage", "--json"}).out)["files"][0];
  EXPECT_EQ(checked["score"]["killed"], score["killed"]);
  EXPECT_EQ(checked["coverage"], score["coverage"]);
  const auto neither = nlohmann::json::parse(run({"check", vectors, "--json"}).out)["files"][0];
  EXPECT_FALSE(neither.contains("score") || neither.contains("coverage"));
}

// The first wrong case is one of NaN; what is shown is a wrong number all the same.
TEST_F(VerdictOf, AWrongNumberIsShownRatherThanAnotherNan) {
  const std::string both = "model:" + file("both.yaml",
                                           "name: both\nlike: fused_f25\nnan: 7fc00000\nadders:\n  - name: sum\n"
                                           "    add: {product: {keep: 24}, acc: {keep: 25}}\n");
  const Ran ran = run({"compare", "--device", both, "--instruction", wgmma, "--cases", "2000"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(" of them with a NaN on both sides, of other bits; --nan any takes every NaN for the other\n"),
            std::string::npos)
      << ran.out;
  const std::vector<std::string> smallest = command_in(line_of(ran.out, "smallest failing case: "));
  ASSERT_FALSE(smallest.empty()) << ran.out;
  const std::string shown = run(smallest).out;
  EXPECT_EQ(shown.find("7fc00000"), std::string::npos) << shown;
  // Two words that have nothing to do with each other.
  const std::string said = line_of(ran.out, "nearest explanation: ");
  EXPECT_NE(said.find("nan were 7fc00000 (it is 7fffffff)"), std::string::npos) << ran.out;
  EXPECT_NE(said.find("adders.sum.add.product.keep were 24 (it is 25)"), std::string::npos) << ran.out;
}

TEST_F(VerdictOf, ACaseThatFailsAfterTheOneBeforeItIsShownWithIt) {
  const Ran ran = compare("    total, dot.last = total + getattr(dot, 'last', 0), total & 1\n");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_EQ(ran.out.find("smallest failing case"), std::string::npos) << ran.out;
  const std::size_t at = ran.out.find(" depends on what came before it; alone it passes, after case ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::string finding = ran.out.substr(at, ran.out.find('\n', at) - at);
  const std::vector<std::string> pair = command_in(finding);
  ASSERT_FALSE(pair.empty()) << finding;
  const std::size_t comma = pair.back().find(',');
  ASSERT_NE(comma, std::string::npos) << pair.back();
  EXPECT_EQ(std::stoi(pair.back()) + 1, std::stoi(pair.back().substr(comma + 1)));

  const Ran again = run(pair);
  EXPECT_EQ(again.status, mismatch) << again.out << again.err;
  EXPECT_NE(again.out.find("compared 2 cases"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("--case " + pair.back() + "\n"), std::string::npos) << again.out;  // not the second alone
  std::vector<std::string> alone = pair;
  alone.back() = pair.back().substr(comma + 1);
  EXPECT_EQ(run(alone).status, passed);
}

TEST_F(VerdictOf, ACaseThatFailsAfterSeveralIsShownWithThem) {
  const Ran ran = compare("    dot.n = getattr(dot, 'n', 0) + 1\n    total += dot.n % 5 == 0\n");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const std::string line = line_of(ran.out, "case 4 depends on what came before it");
  EXPECT_NE(line.find("alone it passes, after cases 0-3 it fails: assay compare "), std::string::npos) << ran.out;
  ASSERT_FALSE(command_in(line).empty());
  EXPECT_EQ(command_in(line).back(), "0-3,4");
  EXPECT_EQ(run(command_in(line)).status, mismatch);
}

// Wrong in the first process alone.
TEST_F(VerdictOf, ACaseThatDoesNotFailAgainIsSaidToBeSo) {
  const std::string marker = path("marker");
  const Ran ran = compare(
      "    dot.n = getattr(dot, 'n', 0) + 1\n"
      "    dot.wrong = getattr(dot, 'wrong', not os.path.exists('" +
      marker +
      "'))\n"
      "    open('" +
      marker +
      "', 'w').close()\n"
      "    total += dot.wrong and dot.n > 3\n");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_EQ(line_of(ran.out, "case 3 failed in the run"),
            "case 3 failed in the run, but passes alone and after cases 0-2: what the device answers does not follow "
            "from its cases");
  EXPECT_EQ(ran.out.find("smallest failing case"), std::string::npos) << ran.out;
}

// Of a dependence that reaches back farther than is looked nothing is said.
TEST_F(VerdictOf, ACaseThatDependsOnWhatWasLongBeforeIsNotSaidToDependOnNothing) {
  const Ran ran = compare("    dot.n = getattr(dot, 'n', 0) + 1\n    total += dot.n == 1031\n", "1100");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_EQ(
      line_of(ran.out, "case 1030 failed in the run"),
      "case 1030 failed in the run, but passes alone and after cases 6-1029: what came before these was not tried");
}

// Every case is wrong, and one of nothing but zeros ends the device.
TEST_F(VerdictOf, ADeviceThatDiesOfASmallerCaseIsNotAskedOn) {
  const Ran ran = compare("    open('" + path("starts") +
                              "', 'a').write(f'{os.getpid()}\\n')\n"
                              "    if not any(int(a, 16) for a in case['a']):\n        os._exit(1)\n    total += 1\n",
                          "20");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const std::string shown = line_of(ran.out, "failing case: ");
  ASSERT_FALSE(shown.empty()) << ran.out;
  EXPECT_NE(ran.out.find("\n              of smaller ones the devices did not answer all\n"), std::string::npos)
      << ran.out;
  EXPECT_EQ(run(command_in(shown)).status, mismatch);
  std::istringstream lines(text_of(path("starts")));
  std::vector<std::string> processes{std::istream_iterator<std::string>(lines), {}};
  processes.erase(std::unique(processes.begin(), processes.end()), processes.end());
  EXPECT_LT(processes.size(), 12u);
}

TEST_F(VerdictOf, ErrorsExplainsNothing) {
  const Ran ran = compare("    if total % 3 == 0:\n        raise ValueError('no')\n");
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(" with an error of the device\n"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("failing case"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("nearest explanation"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("depends on"), std::string::npos) << ran.out;
}

TEST_F(VerdictOf, OneFailingCaseIsTooFewAndMoreAreMadeFromIt) {
  const std::string device = narrow();
  const std::vector<std::string> start{"compare", "--device", device, "--instruction", wgmma, "--family", "gaussian"};
  const auto with = [&](const std::string& option, const std::string& value) {
    std::vector<std::string> all = start;
    all.insert(all.end(), {option, value});
    return run(all);
  };
  const auto found = [&] {
    std::vector<std::string> all = start;
    all.insert(all.end(), {"--cases", "2000", "--json"});
    return nlohmann::json::parse(run(all).out);
  }();
  const std::uint64_t number = found["failures"][0]["case"];

  const Ran alone = with("--case", std::to_string(number));
  EXPECT_EQ(alone.status, mismatch);
  const std::string few = line_of(alone.out, "nearest explanation: ");
  EXPECT_EQ(few.rfind("nearest explanation: one failing case is too few to conclude from; it agrees if ", 0), 0u)
      << few;

  const Ran first = with("--cases", std::to_string(number + 1));
  EXPECT_NE(first.out.find("\n1 case with a d that differs\n"), std::string::npos) << first.out;
  const std::string said = line_of(first.out, "nearest explanation: ");
  int explained = 0, failures = 0;
  EXPECT_EQ(std::sscanf(said.c_str(), "nearest explanation: %d of %d failures", &explained, &failures), 2) << first.out;
  EXPECT_GE(failures, 5);
  EXPECT_EQ(explained, failures);
  EXPECT_NE(said.find("adders.sum.add.product.keep were 24 (it is 25)"), std::string::npos) << said;
  EXPECT_NE(first.out.find("of these failures " + std::to_string(failures - 1) +
                           " were made from the first by leaving parts of it out\n"),
            std::string::npos)
      << first.out;
}

// fused_f23 in place of fused_f25: products and accumulator both keep two bits less.
TEST_F(VerdictOf, TwoWordsChangedTogetherAreExplained) {
  const std::string f23 = "model:" + file("f23.yaml", "name: mine\nlike: fused_f23\n");
  const Ran ran = run({"compare", "--device", f23, "--instruction", wgmma, "--cases", "1000"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const std::string said = line_of(ran.out, "nearest explanation: ");
  EXPECT_NE(said.find("failures agree if adders.sum.add.product.keep were 23 (it is 25) and adders.sum.add.acc.keep "
                      "were 23 (it is 25)"),
            std::string::npos)
      << ran.out;
}

// --- nothing to compare ---

class Unrecorded : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "6", "-o", path("bare")}).status, passed);
    ASSERT_EQ(run({"run", path("bare"), "-o", path("full")}).status, passed);
    const std::string full = text_of(path("full")), bare = text_of(path("bare"));
    // Three with d, and three without.
    file("some", lines(full, 0, 4) + lines(bare, 4, 7));
  }
  static std::string lines(const std::string& text, std::size_t first, std::size_t end) {
    std::istringstream in(text);
    std::string some, line;
    for (std::size_t i = 0; i < end && std::getline(in, line); ++i) some += i < first ? "" : line + "\n";
    return some;
  }
};

TEST_F(Unrecorded, ResultsAreNoMismatch) {
  const Ran ran = run({"check", path("bare")});
  EXPECT_EQ(ran.status, nothing_compared);
  EXPECT_NE(ran.out.find("compared 0 cases\n6 cases without a recorded d not compared\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\nnothing compared: none of the 6 cases of " + path("bare") +
                         " has a recorded d; `assay run` fills in d\n"),
            std::string::npos)
      << ran.out;
  const Ran one = run({"check", path("bare"), "--case", "2"});
  EXPECT_EQ(one.status, nothing_compared);
  EXPECT_NE(one.out.find("\nnothing compared: the one case of " + path("bare") +
                         " has no recorded d; `assay run` fills in d\n"),
            std::string::npos)
      << one.out;
}

TEST_F(Unrecorded, ResultsAreCountedBesideRecordedOnes) {
  const Ran ran = run({"check", path("some")});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("compared 3 cases\n3 cases without a recorded d not compared\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("\npassed, 3 not compared\n"), std::string::npos) << ran.out;
}

// "$UNSET" in a script, and one file for two reports.
TEST_F(Unrecorded, ReportsNeedAFileEach) {
  const Ran empty = run({"check", path("full"), "--html", ""});
  EXPECT_EQ(empty.status, wrong_use);
  EXPECT_EQ(empty.err, "assay: --html: the word after it is empty (see assay --help).\n");
  const std::string file = path("report"), again = path("x/../report");
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"check", path("full"), "--junit", file, "--html", again},
        {"compare", "--device", "model", "--instruction", "x86:vdpbf16ps", "--junit", file, "--sheet", again}}) {
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, wrong_use);
    EXPECT_EQ(ran.err, "assay: --junit and " + options[options.size() - 2] + " name the same file, " + again +
                           "; give each its own.\n");
  }
}

// A report over its own recording would leave no recording.
TEST_F(Unrecorded, NoReportIsWrittenOverWhatIsRead) {
  const std::string recorded = path("full"), datapath = path("own.yaml");
  const std::string before = text_of(recorded);
  std::ofstream(datapath) << "name: own\nk: 1\nlike: exact_ieee\noperands: {a: f16, b: f16, c: f32, d: f32}\n";
  std::ofstream(path("waivers")) << "waivers: []\n";
  for (const auto& [args, option] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{"check", recorded, "--html", path("x/../full")}, "--html"},
           {{"check", recorded, "--junit", recorded}, "--junit"},
           {{"check", recorded, "--waivers", path("waivers"), "--html", path("waivers")}, "--html"},
           {{"explain", "--datapath", datapath, "--html", datapath}, "--html"},
           {{"describe", "--datapath", datapath, "--svg", datapath}, "--svg"},
           {{"coverage", recorded, "-o", recorded}, "--output"},
           {{"compare", "--device", "vectors:" + recorded, "--instruction", "x86:vdpbf16ps", "--sheet", recorded},
            "--sheet"}}) {
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, wrong_use) << option;
    EXPECT_EQ(ran.err,
              "assay: " + option + " would write over " + args.back() + ", which is read, too; name another file.\n");
  }
  EXPECT_EQ(text_of(recorded), before);
  const Ran twice = run({"describe", "--datapath", datapath, "--svg", path("drawing"), "--html", path("drawing")});
  EXPECT_NE(twice.err.find("name the same file"), std::string::npos) << twice.err;
}

TEST_F(Unrecorded, FilesAreSaidInTablesJsonAndJunit) {
  const Ran ran = run({"check", path("full"), path("bare"), "--junit", path("j.xml")});
  EXPECT_EQ(ran.status, nothing_compared);
  EXPECT_NE(ran.out.find("           0         0  nothing compared  " + path("bare") + "\n"), std::string::npos)
      << ran.out;
  const std::string junit = text_of(path("j.xml"));
  EXPECT_NE(junit.find("tests=\"2\" failures=\"0\" errors=\"1\""), std::string::npos) << junit;
  EXPECT_NE(junit.find("message=\"Nothing was compared: none of the 6 cases of "), std::string::npos) << junit;

  const auto json = nlohmann::json::parse(run({"check", path("bare"), "--json"}).out);
  EXPECT_EQ(json["status"], nothing_compared);
  EXPECT_EQ(json["files"][0]["summary"]["unrecorded"], 6);
  EXPECT_EQ(json["files"][0]["summary"]["reference_errors"], 0);
  EXPECT_EQ(std::string(json["files"][0]["message"]).rfind("Nothing was compared: none of the 6 cases of ", 0), 0u);
}

TEST_F(Unrecorded, CasesThatAFileDoesNotHoldAreNamed) {
  const auto says = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "check");
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, nothing_compared) << ran.out << ran.err;
    return line_of(ran.out, "nothing compared: ");
  };
  EXPECT_EQ(says({path("full"), "--case", "77"}), "nothing compared: " + path("full") + " holds no case 77");
  EXPECT_EQ(says({path("full"), "--case", "1", "--element", "0,3"}),
            "nothing compared: " + path("full") + " holds no case 1 with an element [0,3]");
  const std::string empty = file("empty", lines(text_of(path("full")), 0, 1));
  EXPECT_EQ(says({file("head",
                       "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n")}),
            "nothing compared: " + path("head") + " holds no case");
}

TEST_F(Unrecorded, SetsAreNoEvidence) {
  fs::create_directory(path("sets"));
  fs::copy_file(path("bare"), path("sets") + "/bare.jsonl");
  const Ran ran = run({"evidence", "hopper", "--sets", path("sets")});
  EXPECT_EQ(ran.status, nothing_compared) << ran.out;
  EXPECT_NE(ran.out.find("no case has a recorded d"), std::string::npos) << ran.out;
}

TEST_F(VerdictOf, NoCasesSaysSo) {
  const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--cases", "0"});
  EXPECT_EQ(ran.status, nothing_compared);
  EXPECT_EQ(line_of(ran.out, "nothing compared: "),
            "nothing compared: there was no case to compare; --cases says how many there are to be");
}

TEST_F(VerdictOf, CasesThatAreNoneAreRefused) {
  for (const std::string wrong :
       {"", "x", "1,", "-1", "1-", "1--2", "0-18446744073709551615", "99999999999999999999"}) {
    const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--case=" + wrong});
    EXPECT_EQ(ran.status, wrong_use) << wrong << ": " << ran.out;
    EXPECT_NE(ran.err.find("--case"), std::string::npos) << wrong << ": " << ran.err;
  }
  const Ran three = run({"compare", "--device", "model", "--instruction", wgmma, "--case", "7,2-3"});
  EXPECT_EQ(three.status, passed) << three.err;
  EXPECT_NE(three.out.find("compared 3 cases"), std::string::npos) << three.out;
  const Ran back = run({"compare", "--device", "model", "--instruction", wgmma, "--case", "7,3-2"});
  EXPECT_EQ(back.status, passed) << back.err;
  EXPECT_NE(back.out.find("compared 3 cases"), std::string::npos) << back.out;
}

// --- the sheet ---

// What a reason holds stays in its cell: no line, no mark, nothing that steers a terminal.
TEST_F(VerdictOf, AReasonCannotForgeTheSheet) {
  const std::string device =
      "model:" + file("o|ther\n# passed\n.yaml", "name: other\nlike: fused_f25\nnan: 7fc00000\n");
  const auto sheet = [&](const std::string& reason) {
    const Ran ran = run({"compare", "--device", device, "--instruction", wgmma, "--cases", "300", "--waivers",
                         waivers(reason), "--sheet", path("sheet.md")});
    EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
    return text_of(path("sheet.md"));
  };
  const std::string plain = sheet("plain");
  const std::string forged =
      sheet("\"none |\\n| waived | 0 |\\n\\n# all: passed\\n\\e[31m\\u202e <b>![x](http://h/) `c` \\\\| end\"");
  EXPECT_EQ(count(forged, "\n"), count(plain, "\n")) << forged;
  EXPECT_EQ(forged.find('\x1b'), std::string::npos);
  EXPECT_NE(
      forged.find(" | none \\| \\| waived \\| 0 \\| # all: passed \\\\u001b\\[31m\\\\u202e \\<b\\>!\\[x\\](http://h/) "
                  "\\`c\\` \\\\\\| end | J. Doe |\n"),
      std::string::npos)
      << forged;
  EXPECT_EQ(forged.rfind("# model:", 0), 0u);
  EXPECT_NE(line_of(forged, "# ").find("/o\\|ther # passed .yaml held to model: passed"), std::string::npos) << forged;
  EXPECT_EQ(count(forged, "\n# "), 0u) << forged;
}

TEST_F(VerdictOf, AWaiverWithoutAReasonIsRefused) {
  const Ran ran = run({"compare", "--device", "model", "--instruction", wgmma, "--waivers", waivers("\" \\n\"")});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("waivers[0].reason: it must say something."), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace assay
