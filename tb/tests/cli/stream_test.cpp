// Vector files and streams through the commands: generated, filled in, checked; verdicts over several files; pipes that
// break, disks that are full.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/run.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;

const std::string program = ASSAY_PROGRAM;

// Runs a command line in bash, which knows the status of each part of a pipe. "assay" there is the program.
struct Shell {
  explicit Shell(const std::string& line) {
    const std::string script = "set -o pipefail; assay() { '" + program + "' \"$@\"; }; " + line;
    const std::string command = "exec 2>&1; bash -c '" + quoted(script) + "'";
    FILE* pipe = popen(command.c_str(), "r");
    std::string piece(4096, '\0');
    for (std::size_t n = 0; (n = fread(piece.data(), 1, piece.size(), pipe)) > 0;) out.append(piece, 0, n);
    status = WEXITSTATUS(pclose(pipe));
  }
  static std::string quoted(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result;
  }

  int status = 0;
  std::string out;
};

std::size_t count_of(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++count;
  return count;
}

void generate(const std::string& path, const std::vector<std::string>& more = {}, int cases = 100) {
  std::vector<std::string> args{"generate", "--instruction", wgmma, "-o", path, "--cases", std::to_string(cases)};
  args.insert(args.end(), more.begin(), more.end());
  const Ran ran = run(args);
  ASSERT_EQ(ran.status, passed) << ran.err;
}

// A file of 100 cases, in `wrong` of which d has a wrong bit.
void generate_wrong(const std::string& path, int wrong) {
  generate(path, {"--with-results", "--family", "gaussian"});
  std::string text = file_bytes(path);
  for (std::size_t at = 0; wrong > 0; --wrong) {
    at = text.find("\"d\":\"", at + 1);
    char& digit = text[at + 12];
    digit = digit == '0' ? '1' : '0';
  }
  put_file(path, text);
}

// --- generate ---

TEST(Generate, WritesCasesThatRunAndCheckTake) {
  const Scratch folder;
  generate(folder / "in.jsonl.gz");
  const std::string out = folder / "out.jsonl.zst";
  ASSERT_EQ(run({"run", folder / "in.jsonl.gz", "-o", out}).status, passed);
  const Ran checked = run({"check", out});
  EXPECT_EQ(checked.status, passed) << checked.out << checked.err;
  EXPECT_NE(checked.out.find("compared 100 cases\n"), std::string::npos) << checked.out;
}

TEST(Generate, SaysInTheHeaderHowToMakeItAgain) {
  const Scratch folder;
  generate(folder / "v", {"--seed", "7", "--family", "rounding"});
  const std::string text = file_bytes(folder / "v");
  const auto header = nlohmann::json::parse(text.substr(0, text.find('\n')));
  EXPECT_EQ(header["cases"], 100);
  EXPECT_EQ(header["provenance"], nlohmann::json::parse(R"({"tool":"assay generate","seed":7,"family":"rounding"})"));
  EXPECT_EQ(count_of(text, "\n"), 101U);
  EXPECT_EQ(count_of(text, "\"d\":"), 0U);
}

TEST(Generate, IsTheSameAgainAndOtherwiseUnderAnotherSeed) {
  const Scratch folder;
  generate(folder / "x");
  generate(folder / "y");
  generate(folder / "z", {"--seed", "2"});
  EXPECT_EQ(file_bytes(folder / "x"), file_bytes(folder / "y"));
  EXPECT_NE(file_bytes(folder / "x"), file_bytes(folder / "z"));
}

TEST(Generate, WithResultsIsWhatRunFillsIn) {
  const Scratch folder;
  generate(folder / "with", {"--with-results"});
  generate(folder / "without");
  ASSERT_EQ(run({"run", folder / "without", "-o", folder / "filled"}).status, passed);
  const auto cases = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_EQ(cases(file_bytes(folder / "with")), cases(file_bytes(folder / "filled")));
}

TEST(Generate, OfAnOwnDatapath) {
  const Scratch folder;
  put_file(folder / "mine.yaml", "name: mine\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  ASSERT_EQ(run({"generate", "--datapath", folder / "mine.yaml", "-o", folder / "v", "--with-results"}).status, passed);
  EXPECT_EQ(run({"check", folder / "v"}).status, passed);
}

std::string cases_of_file(const std::string& path) {
  const std::string text = file_bytes(path);
  return text.substr(text.find('\n') + 1);
}

TEST(Generate, ShardsMakeUpTheWhole) {
  const Scratch folder;
  generate(folder / "whole");
  std::string all;
  for (const std::string shard : {"1/3", "2/3", "3/3"}) {
    generate(folder / "part", {"--shard", shard});
    all += cases_of_file(folder / "part");
  }
  EXPECT_EQ(all, cases_of_file(folder / "whole"));
  const std::string last = file_bytes(folder / "part");
  const auto header = nlohmann::json::parse(last.substr(0, last.find('\n')));
  EXPECT_EQ(header["cases"], 34);
  EXPECT_EQ(header["provenance"],
            nlohmann::json::parse(R"({"tool":"assay generate","seed":1,"shard":"3/3","first_case":66})"));
}

TEST(Generate, SaysBeforehandHowManyCasesItMakes) {
  const Scratch folder;
  const auto said = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args{"generate", "--instruction", wgmma, "-o", folder / "v"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args).err;
  };
  EXPECT_EQ(said({}), "assay: level 1: 5,000 cases, seed 1, 27 families in turn\n");
  EXPECT_EQ(said({"--cases", "40", "--seed", "3", "--family", "carry"}), "assay: 40 cases, seed 3, family carry\n");
  EXPECT_EQ(said({"--shard", "2/8"}),
            "assay: level 1: shard 2/8: 625 of 5,000 cases, from case 625, seed 1, 27 families in turn\n");
}

TEST(Generate, RefusesALevelOrAShardThatIsNone) {
  const auto refused = [](const std::string& option, const std::string& value) {
    const Ran ran = run({"generate", "--instruction", wgmma, option, value});
    EXPECT_EQ(ran.status, wrong_use);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  EXPECT_EQ(refused("--level", "4"), "assay: --level takes a whole number from 1 to 3 in decimal digits, found '4'.\n");
  for (const std::string shard : {"3/2", "0/2", "x", "1/", "/", "1/0", "-1/2", "1/2x"}) {
    EXPECT_EQ(refused("--shard", shard),
              "assay: --shard " + shard + " is no part of a whole; say I/N with I from 1 to N, such as 2/8.\n");
  }
}

TEST(Generate, RefusesAFamilyThatIsNone) {
  const Ran ran = run({"generate", "--instruction", wgmma, "--family", "cats"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("--family cats is not one for this instruction; there are raw"), std::string::npos) << ran.err;
}

// --- pipes ---

TEST(Pipe, GenerateRunCheck) {
  const Shell shell("assay generate --instruction " + wgmma + " --cases 5000 | assay run - | assay check -");
  EXPECT_EQ(shell.status, passed) << shell.out;
  EXPECT_NE(shell.out.find("compared 5000 cases\n"), std::string::npos) << shell.out;
}

TEST(Pipe, CheckSeesThatTheStreamWasCutShort) {
  const Shell shell("assay generate --instruction " + wgmma +
                    " --cases 50 --with-results | head -n 40 | assay check -");
  EXPECT_EQ(shell.status, wrong_use);
  EXPECT_EQ(shell.out, "assay: standard input, line 1: the header promises 50 cases, but the file holds 39.\n");
}

// 141: as a shell counts what a broken pipe ended.
TEST(Pipe, EndsQuietlyWhereNobodyReads) {
  const Shell shell("assay generate --instruction " + wgmma +
                    " --cases 100000 | assay run - | head -n 1 >/dev/null; echo ${PIPESTATUS[@]}");
  EXPECT_EQ(shell.out, "141 141 0\n");
}

TEST(Disk, AFullOneIsSaid) {
  const Scratch folder;
  generate(folder / "v", {"--with-results"});
  const Shell ran("assay run '" + folder / "v' >/dev/full");
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.out, "assay: standard output cannot be written: No space left on device.\n");
  const Shell checked("assay check '" + folder / "v' >/dev/full");
  EXPECT_EQ(checked.status, wrong_use);
  EXPECT_EQ(checked.out, "assay: Standard output could not be written in full; is the disk full or the pipe closed?\n");
}

// A limit on what one file may hold stands for the disk.
TEST(Disk, NothingStaysWhereItFillsUp) {
  const Scratch folder;
  const Shell shell("ulimit -f 8; assay generate --instruction " + wgmma + " --cases 10000 -o '" + folder / "v'");
  EXPECT_EQ(shell.status, wrong_use);
  EXPECT_EQ(shell.out.substr(0, shell.out.find(',')), "assay: 10");  // what is to be made
  EXPECT_EQ(shell.out.substr(shell.out.find('\n') + 1), "assay: " + folder / "v cannot be written: File too large.\n");
  EXPECT_EQ(folder.files(), 0U);
}

TEST(Disk, NothingStaysOfAnExportWhereItFillsUp) {
  const Scratch folder;
  generate(folder / "v.zst", {"--with-results"}, 2000);
  for (const std::string format : {"jsonl", "readmemh", "c", "npz", "safetensors"}) {
    const std::string out = folder / "e";
    const Shell shell("ulimit -f 8; assay export '" + folder / "v.zst' --to " + format + " -o '" + out + "'");
    EXPECT_EQ(shell.status, wrong_use);
    EXPECT_EQ(shell.out.find("assay: " + out + "/"), 0U) << shell.out;
    EXPECT_NE(shell.out.find(" cannot be written: File too large.\n"), std::string::npos) << shell.out;
    EXPECT_EQ(folder.files(), 1U) << format;
  }
}

TEST(Disk, AFullDeviceIsSaid) {
  const Scratch folder;
  generate(folder / "v");
  const std::string full = "assay: /dev/full cannot be written: No space left on device.\n";
  const Shell generated("assay generate --instruction " + wgmma + " --cases 10 -o /dev/full");
  EXPECT_EQ(generated.status, wrong_use);
  EXPECT_NE(generated.out.find(full), std::string::npos) << generated.out;
  const Shell filled("assay run '" + folder / "v' -o /dev/full");
  EXPECT_EQ(filled.status, wrong_use);
  EXPECT_EQ(filled.out, full);
}

TEST(Disk, AnImportIntoAFullOneIsSaid) {
  const Scratch folder;
  generate(folder / "e", {"--to", "npz"});
  const Shell shell("assay import '" + folder / "e' >/dev/full");
  EXPECT_EQ(shell.status, wrong_use);
  EXPECT_EQ(shell.out, "assay: standard output cannot be written: No space left on device.\n");
  const Shell piped("assay import '" + folder / "e' -o /dev/full");
  EXPECT_EQ(piped.out, "assay: /dev/full cannot be written: No space left on device.\n");
}

TEST(Pipe, AnImportEndsQuietlyWhereNobodyReads) {
  const Scratch folder;
  generate(folder / "e", {"--to", "npz"}, 5000);
  const Shell shell("assay import '" + folder / "e' | head -n 1 >/dev/null; echo ${PIPESTATUS[@]}");
  EXPECT_EQ(shell.out, "141 0\n");
}

TEST(Pipe, AnExportOfAStreamThatWasCutShortIsNone) {
  const Scratch folder;
  const Shell shell("assay generate --instruction " + wgmma + " --cases 50 | head -n 40 | assay export - --to c -o '" +
                    folder / "e'");
  EXPECT_EQ(shell.status, wrong_use);
  EXPECT_EQ(shell.out, "assay: standard input, line 1: the header promises 50 cases, but the file holds 39.\n");
  EXPECT_EQ(folder.files(), 0U);
}

// Nothing is left but after SIGKILL, and that has no manifest, and another name.
TEST(Interrupted, AnExportLeavesNothingThatLooksWhole) {
  for (const std::string signal : {"TERM", "KILL"}) {
    const Scratch folder;
    const Shell shell("'" + program + "' generate --instruction " + wgmma + " --cases 100000000 --to npz -o '" +
                      folder / "e" + "' 2>/dev/null & child=$!; until compgen -G '" + folder / "e.part-*/a" +
                      "' >/dev/null; do sleep 0.01; done; kill -" + signal +
                      " $child; wait $child 2>/dev/null; echo $?");
    EXPECT_EQ(shell.out, signal == "TERM" ? "143\n" : "137\n");
    EXPECT_EQ(folder.files(), signal == "TERM" ? 0U : 1U);
    EXPECT_FALSE(std::filesystem::exists(folder / "e"));
  }
}

// --- whole matrices ---

// 2 x 32 times 32 x 3, two instructions along K, of small whole numbers.
std::string matrix_file(const std::string& d = "") {
  const auto rows = [](int m, int n, const std::string& kind) {
    const char* codes[] = {"3c00", "4000", "bc00", "0000"};  // 1 2 -1 0
    std::string text;
    for (int i = 0; i < m; ++i) {
      std::string row;
      for (int j = 0; j < n; ++j)
        row += (j > 0 ? ",\"" : "\"") + (kind == "f16" ? codes[(3 * i + j) % 4] : std::string("3f800000")) + "\"";
      text += (i > 0 ? ",[" : "[") + row + "]";
    }
    return "[" + text + "]";
  };
  return "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n{\"A\":" +
         rows(2, 32, "f16") + ",\"B\":" + rows(32, 3, "f16") + ",\"C\":" + rows(2, 3, "f32") + d + "}\n";
}

TEST(WholeMatrix, IsFilledInAndCheckedOnAnyDevice) {
  const Scratch folder;
  put_file(folder / "in", matrix_file());
  ASSERT_EQ(run({"run", folder / "in", "-o", folder / "model"}).status, passed);
  ASSERT_EQ(run({"run", folder / "in", "-o", folder / "oracle", "--device", "oracle"}).status, passed);
  const auto cases = [&](const std::string& device) {
    const std::string bytes = file_bytes(folder / device);
    EXPECT_NE(bytes.find("\"provenance\":{\"device\":\"" + device + "\"}"), std::string::npos);
    return bytes.substr(bytes.find('\n'));
  };
  EXPECT_EQ(cases("model"), cases("oracle"));
  // Row 0 of A is 1 2 -1 0 ..., row 1 is 0 1 2 -1 ...; the columns of B are 1 0 -1 2 ..., 2 1 0 -1 ..., -1 2 1 0 ....
  const std::string d = ",\"D\":[[\"41880000\",\"42040000\",\"41880000\"],[\"c1f80000\",\"41880000\",\"42040000\"]]";
  EXPECT_NE(file_bytes(folder / "model").find(d), std::string::npos) << file_bytes(folder / "model");
  const Ran checked = run({"check", folder / "model"});
  EXPECT_EQ(checked.status, passed);
  EXPECT_NE(checked.out.find("compared 6 cases\n"), std::string::npos) << checked.out;
}

TEST(WholeMatrix, AWrongElementIsNamedAndFoundAgain) {
  const Scratch folder;
  const std::string d = ",\"D\":[[\"41880000\",\"42040000\",\"41880000\"],[\"c1f80000\",\"41880001\",\"42040000\"]]";
  put_file(folder / "v", matrix_file(d));
  const Ran ran = run({"check", folder / "v"});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  EXPECT_NE(ran.out.find("case 0, element [1,1]: d differs\n"), std::string::npos) << ran.out;
  const std::string again = "assay check " + folder / "v --case 0 --element 1,1\n";
  EXPECT_NE(ran.out.find(again), std::string::npos) << ran.out;
  const Ran alone = run({"check", folder / "v", "--case", "0", "--element", "1,1"});
  EXPECT_EQ(alone.status, mismatch);
  EXPECT_NE(alone.out.find("compared 1 case\n"), std::string::npos) << alone.out;
  EXPECT_EQ(run({"check", folder / "v", "--case", "0", "--element", "0,1"}).status, passed);
  const auto json = nlohmann::json::parse(run({"check", folder / "v", "--json"}).out);
  EXPECT_EQ(json["files"][0]["failures"][0]["element"], nlohmann::json::parse("[1,1]"));
}

TEST(WholeMatrix, ExplainTakesOneElement) {
  const Scratch folder;
  put_file(folder / "v", matrix_file());
  const auto says = [&](const std::vector<std::string>& more) {
    std::vector<std::string> args{"explain", "--file", folder / "v", "--case", "0"};
    args.insert(args.end(), more.begin(), more.end());
    const Ran ran = run(args);
    EXPECT_EQ(ran.status, wrong_use);
    return ran.err;
  };
  EXPECT_EQ(says({}), "assay: Case 0 of " + folder / "v" +
                          " is a whole matrix of 2 x 3; name one of its elements with --element ROW,COLUMN.\n");
  EXPECT_EQ(says({"--element", "2,0"}), "assay: " + folder / "v" + " has no case 0 with an element [2,0].\n");
  EXPECT_EQ(says({"--element", "0,0"}), "assay: Case 0 of " + folder / "v" +
                                            " takes 2 instructions along K; give the one to look at by its operands "
                                            "(--a, --b, --c).\n");
}

TEST(WholeMatrix, ARecordingOfSeveralInstructionsHasNoAnswersToOne) {
  const Scratch folder;
  ASSERT_NO_FATAL_FAILURE(put_file(folder / "in", matrix_file()));
  ASSERT_EQ(run({"run", folder / "in", "-o", folder / "v"}).status, passed);
  const Ran ran = run({"check", folder / "v", "--device", "vectors:" + folder / "v"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("line 2: the matrices take several instructions along K; a recording gives the d of each."),
            std::string::npos)
      << ran.err;
}

// --- verdicts ---

TEST(CheckFiles, GivesEachAVerdictAndAllATable) {
  const Scratch folder;
  const std::string good = folder / "good", bad = folder / "bad", empty = folder / "empty";
  generate(good, {"--with-results"});
  generate_wrong(bad, 2);
  put_file(empty, "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n");
  const Ran ran = run({"check", good, bad, empty});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  const std::string table =
      "\n"
      "    compared    faults  conclusion        file\n"
      "         100         0  passed            " +
      good +
      "\n"
      "         100         2  failed            " +
      bad +
      "\n"
      "           0         0  nothing compared  " +
      empty + "\n";
  EXPECT_NE(ran.out.find(table), std::string::npos) << ran.out;
  EXPECT_EQ(run({"check", good, empty}).status, nothing_compared);
  EXPECT_EQ(run({"check", good, good}).status, passed);
  EXPECT_EQ(run({"check", good}).out.find("conclusion"), std::string::npos);
}

TEST(CheckFiles, GoesOnAfterOneThatCannotBeRead) {
  const Scratch folder;
  const std::string bad = folder / "bad", none = folder / "none", odd = folder / "odd";
  generate_wrong(bad, 1);
  put_file(odd, "{\"assay\":1,\"architecture\":\"hoper\",\"instruction\":\"x\"}\n");
  const Ran ran = run({"check", none, odd, bad});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err.find("assay: " + none + " cannot be opened: No such file or directory.\nassay: "), 0U) << ran.err;
  EXPECT_NE(ran.err.find("There is no architecture 'hoper'"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("           0         0  not compared      " + none + "\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("         100         1  failed            " + bad + "\n"), std::string::npos) << ran.out;
}

TEST(CheckFiles, AsJson) {
  const Scratch folder;
  const std::string bad = folder / "bad", none = folder / "none\xff";
  generate_wrong(bad, 1);
  const auto json = nlohmann::json::parse(run({"check", bad, none, "--json"}).out);
  EXPECT_EQ(json["status"], wrong_use);
  ASSERT_EQ(json["files"].size(), 2U);
  EXPECT_EQ(json["files"][0]["file"], bad);
  EXPECT_EQ(json["files"][0]["summary"]["differs"], 1);
  EXPECT_EQ(json["files"][0]["summary"]["status"], mismatch);
  EXPECT_EQ(json["files"][0]["failures"][0]["again"], "assay check " + bad + " --case 0");
  EXPECT_GT(json["files"][0]["cases_per_second"], 0.0);
  EXPECT_EQ(json["files"][1]["status"], wrong_use);
  EXPECT_NE(json["files"][1]["error"].get<std::string>().find("cannot be opened"), std::string::npos);
}

TEST(Verdict, ShowsAsManyFailuresAsAskedForAndTheirCommandsAtTheEnd) {
  const Scratch folder;
  const std::string bad = folder / "bad";
  generate_wrong(bad, 5);
  const std::string out = run({"check", bad, "--max-failures", "2"}).out;
  EXPECT_EQ(count_of(out, ": d differs\n"), 2U) << out;
  EXPECT_NE(out.find("3 more failures not shown\n"), std::string::npos) << out;
  const std::string again = "assay check " + bad + " --case ";
  EXPECT_NE(out.find("failed: 5 faults\nto see again:\n  " + again + "0\n  " + again + "1\n"), std::string::npos)
      << out;
  EXPECT_EQ(count_of(run({"check", bad, "--max-failures", "0"}).out, "assay check"), 0U);
}

TEST(Verdict, SaysWhereMostResultsAreZero) {
  const Scratch folder;
  std::string zeros = "[\"0000\"";
  for (int i = 1; i < 16; ++i) zeros += ",\"0000\"";
  zeros += "]";
  put_file(folder / "v",
           "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n{\"a\":" + zeros +
               ",\"b\":" + zeros + ",\"c\":\"00000000\",\"d\":\"00000000\"}\n");
  const Ran ran = run({"check", folder / "v"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_NE(ran.out.find("mistrusted: 100.0 % of the expected d are zero or NaN"), std::string::npos) << ran.out;
}

TEST(Junit, IsWrittenWholeOrNotAtAll) {
  const Scratch folder;
  const std::string bad = folder / "bad";
  generate_wrong(bad, 1);
  const Ran ran = run({"check", bad, "--junit", folder / "none/report.xml"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err, "assay: " + folder / "none/report.xml cannot be written: No such file or directory.\n");
  EXPECT_EQ(run({"check", bad, "--junit", folder / "report.xml"}).status, mismatch);
  EXPECT_NE(file_bytes(folder / "report.xml").find("</testsuites>\n"), std::string::npos);
  EXPECT_EQ(folder.files(), 2U);
}

}  // namespace
}  // namespace assay
