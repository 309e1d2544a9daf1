// Completion, as the shells ask for it, and the manual page.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

// The words offered for the last of `words`.
std::vector<std::string> offered(std::vector<std::string> words) {
  words.insert(words.begin(), "__complete");
  const Ran ran = run(words);
  EXPECT_EQ(ran.status, passed);
  EXPECT_EQ(ran.err, "");
  std::vector<std::string> found;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) found.push_back(line.substr(0, line.find('\t')));
  return found;
}

using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

TEST(Completion, OffersCommands) {
  EXPECT_EQ(offered({"comp"}), (Words{"compare", "completion"}));
  EXPECT_TRUE(has(offered({""}), "list"));
  EXPECT_EQ(offered({"no_such"}), Words{});
}

TEST(Completion, OffersShippedStudies) {
  EXPECT_EQ(offered({"explore", "f"}), (Words{"floor_drift", "flushed", "formats", "fp8_window"}));
}

TEST(Completion, OffersTheOptionsOfTheCommand) {
  EXPECT_EQ(offered({"compare", "--dev"}), Words{"--device"});
  EXPECT_EQ(offered({"compare", "--cases", "5", "--dev"}), Words{"--device"});
  EXPECT_EQ(offered({"list", "--dev"}), Words{});
  EXPECT_TRUE(has(offered({"-"}), "--version"));
}

TEST(Completion, OffersNamesOfTheCatalogue) {
  EXPECT_EQ(offered({"compare", "--instruction", "hopper:wgmma.m64nNk16.f32.f16"}),
            Words{"hopper:wgmma.m64nNk16.f32.f16.f16"});
  EXPECT_EQ(offered({"list", "--json", "hop"}), Words{"hopper"});
  EXPECT_EQ(offered({"list", "gfx942"}), Words{"gfx942"});
  EXPECT_EQ(offered({"describe", "H100", "wgmma.m64nNk16.f32.f"}), Words{"wgmma.m64nNk16.f32.f16.f16"});
  EXPECT_EQ(offered({"describe", "nobody", "wgmma"}), Words{});  // no complaint either
}

TEST(Completion, OffersInstructionsThatNeedNoArchitecture) {
  EXPECT_EQ(offered({"compare", "--instruction", "tdpf"}), Words{"tdpfp16ps"});
  EXPECT_EQ(offered({"describe", "tdpf"}), Words{"tdpfp16ps"});
  EXPECT_EQ(offered({"list", "tdpf"}), Words{});  // which takes an architecture only
  EXPECT_EQ(offered({"compare", "--instruction", "mma.m16n8k16.f32.f16"}), Words{});  // of several
  EXPECT_FALSE(has(offered({"compare", "--instruction", ""}), "tdpfp16ps"));
  EXPECT_EQ(offered({"bench", "x86:tdpbss"}), Words{"x86:tdpbssd"});  // which takes several
  EXPECT_EQ(offered({"bench", "x86:tdpbssd", "tdpf"}), Words{"tdpfp16ps"});
}

TEST(Completion, OffersDevicesAndTheirFiles) {
  EXPECT_EQ(offered({"compare", "--device", "mod"}), (Words{"model", "model:"}));
  const Scratch folder;
  std::filesystem::create_directories(folder / "more");
  folder.file("mine.yaml", "");
  EXPECT_EQ(offered({"check", "--device", "rtl:" + folder / "mi"}), Words{"rtl:" + folder / "mine.yaml"});
  EXPECT_EQ(offered({"check", "--device", "rtl:" + folder / "mo"}), Words{"rtl:" + folder / "more/"});
}

TEST(Completion, OffersChoicesAndLeavesFilesToTheShell) {
  EXPECT_EQ(offered({"compare", "--nan", ""}), (Words{"bits", "any"}));
  EXPECT_EQ(offered({"completion", "z"}), Words{"zsh"});
  EXPECT_EQ(offered({"check", ""}), Words{});
}

TEST(Completion, OffersValuesOfFamiliesLevelsFormatsAndExports) {
  EXPECT_EQ(offered({"compare", "--family", "canc"}), (Words{"cancellation"}));
  EXPECT_EQ(offered({"compare", "--level", ""}), (Words{"1", "2", "3"}));
  EXPECT_EQ(offered({"describe", "--format", "bf"}), (Words{"bf16"}));
  EXPECT_EQ(offered({"compare", "--formats", "f16,bf"}), (Words{"f16,bf16"}));
  EXPECT_EQ(offered({"compare", "--architectures", "hopper,amp"}), (Words{"hopper,ampere"}));
  EXPECT_EQ(offered({"export", "--to", "sa"}), (Words{"safetensors"}));
}

TEST(Completion, OffersWhatTheCommandTakesAlone) {
  EXPECT_EQ(offered({"prove", "--reference", ""}), (Words{"model", "rtl:"}));
  EXPECT_EQ(offered({"bench", "--device", ""}), Words{"rtl:"});
  EXPECT_EQ(offered({"wave", "--instruction", "hopper:wgmma.m64nNk16.f32.f16"}),
            Words{"hopper:wgmma.m64nNk16.f32.f16.f16"});
  EXPECT_EQ(offered({"wave", "--instruction", "ada:mma.sp."}), Words{});
  EXPECT_FALSE(offered({"compare", "--instruction", "ada:mma.sp."}).empty());
  const Words all = offered({"compare", "--family", ""});
  const Words some = offered({"compare", "--instruction", "cdna1:v_mfma_i32_16x16x16i8", "--family", ""});
  EXPECT_TRUE(has(some, "raw"));
  EXPECT_LT(some.size(), all.size());
  EXPECT_EQ(offered({"compare", "--instruction", "nobody", "--family", ""}), Words{});
}

TEST(Completion, OffersEachFormatWhereItIsWritten) {
  EXPECT_EQ(offered({"export", "--to", "c"}), (Words{"c", "cpp"}));
  EXPECT_EQ(offered({"export", "--datapath", "mine.yaml", "--to", ""}), (Words{"c", "cpp", "sv-package"}));
  EXPECT_FALSE(has(offered({"export", "file.jsonl", "--to", ""}), "cpp"));
  EXPECT_FALSE(has(offered({"generate", "--to", ""}), "cpp"));
  EXPECT_EQ(offered({"import", "--from", ""}), (Words{"words", "listing", "csv"}));
  EXPECT_EQ(offered({"generate", "--from", ""}), Words{});
}

TEST(Completion, OffersValuesBehindAnEqualsSign) {
  EXPECT_EQ(offered({"compare", "--nan="}), (Words{"--nan=bits", "--nan=any"}));
  EXPECT_EQ(offered({"compare", "--device=mod"}), (Words{"--device=model", "--device=model:"}));
  EXPECT_EQ(offered({"export", "--datapath=mine.yaml", "--to=s"}), Words{"--to=sv-package"});
  EXPECT_EQ(offered({"compare", "--json="}), Words{});
}

TEST(Completion, WithoutACatalogueNothingIsOfferedAndNothingSaid) {
  const char* kept = std::getenv("ASSAY_HOME");
  const std::string before = kept == nullptr ? "" : kept;
  setenv("ASSAY_HOME", "/nowhere", 1);
  EXPECT_EQ(offered({"list", ""}), Words{});
  kept == nullptr ? unsetenv("ASSAY_HOME") : setenv("ASSAY_HOME", before.c_str(), 1);
}

TEST(Completion, NeedsAShellItKnows) {
  EXPECT_EQ(run({"completion"}).status, wrong_use);
  const Ran ran = run({"completion", "tcsh"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_NE(ran.err.find("tcsh not in {bash,zsh,fish}"), std::string::npos) << ran.err;
}

// What a program prints, and whether it liked its input.
Ran shell(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  Ran ran;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) ran.out += static_cast<char>(c);
  ran.status = pclose(pipe);
  return ran;
}

bool is_installed(const std::string& program) { return shell("command -v " + program).status == 0; }

// `assay completion SHELL` sourced by that shell, which then runs `script`.
Ran sourced(const std::string& name, const std::string& script) {
  const Scratch folder;
  folder.file("assay_completion", run({"completion", name}).out);
  folder.file("script", script);
  const std::string arguments = name == "zsh" ? " -f " : " ";
  return shell("cd " + folder.path().string() + " && PATH=" +
               std::filesystem::path(ASSAY_PROGRAM).parent_path().string() + ":$PATH " + name + arguments + "script");
}

// The line as it is typed, the cursor at its end; bash breaks words at colons.
std::string completed_by_bash(const std::string& line) {
  const Ran ran = sourced("bash",
                          "source ./assay_completion\n"
                          "COMP_WORDBREAKS=$' \\t\\n\"\\'><=;|&(:'\n"
                          "COMP_LINE='" +
                              line +
                              "' COMP_POINT=${#COMP_LINE}\n"
                              "_assay\nprintf '%s,' \"${COMPREPLY[@]}\"\n"
                              "complete -p assay\n");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("complete -o default -F _assay assay"), std::string::npos) << ran.out;
  return ran.out.substr(0, ran.out.find("complete -o"));
}

TEST(Completion, WorksInBash) {
  EXPECT_EQ(completed_by_bash("assay comp"), "compare,completion,");
  EXPECT_EQ(completed_by_bash("assay describe hopper wgmma.m64nNk16.f32.f"), "wgmma.m64nNk16.f32.f16.f16,");
  EXPECT_EQ(completed_by_bash("assay compare --nan "), "bits,any,");
  EXPECT_EQ(completed_by_bash("assay compare --nan="), "bits,any,");
  // What stands before the colon is not replaced.
  EXPECT_EQ(completed_by_bash("assay explain --instruction hopper:wgmma.m64nNk16.f32.f"),
            "wgmma.m64nNk16.f32.f16.f16,");
}

// A file's name may be anything, also a command.
TEST(Completion, QuotesInBashWhatIsPutOnTheLine) {
  const Scratch folder;
  for (const char* name : {"a;touch x", "b c", "d$(touch x)", "e'f", "g\\h", "i\nj", "k\033[2J"})
    testing_vectors::put_file(folder / name, "");
  const std::string device = "assay check --device rtl:" + folder / "";
  EXPECT_EQ(completed_by_bash(device + "a"), folder / "a\\;touch\\ x" + ",");
  EXPECT_EQ(completed_by_bash(device + "b\\ "), folder / "b\\ c" + ",");
  EXPECT_EQ(completed_by_bash(device + "d"), folder / "d\\$\\(touch\\ x\\)" + ",");
  EXPECT_EQ(completed_by_bash(device + "e"), folder / "e\\'f" + ",");
  EXPECT_EQ(completed_by_bash(device + "g"), folder / "g\\\\h" + ",");
  for (const char* hidden : {"i", "k"}) EXPECT_EQ(completed_by_bash(device + hidden), ",") << hidden;
}

TEST(Completion, WorksInZsh) {
  if (!is_installed("zsh")) GTEST_SKIP() << "zsh is not installed.";
  const Ran ran = sourced("zsh",
                          "compdef() { print registered $1 $2 }\n_files() { print files }\n"
                          "_describe() { print -l -- \"${(@P)2}\" }\nsource ./assay_completion\n"
                          "words=(assay comp) CURRENT=2\n_assay\nwords=(assay check '') CURRENT=3\n_assay\n");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("registered _assay assay"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("compare:Holds a device to a reference"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\nfiles"), std::string::npos) << ran.out;
}

TEST(Completion, WorksInFish) {
  if (!is_installed("fish")) GTEST_SKIP() << "fish is not installed.";
  const Ran ran = sourced("fish", "source ./assay_completion\ncomplete -C 'assay comp'\n");
  EXPECT_EQ(ran.status, 0) << ran.out;
  EXPECT_NE(ran.out.find("compare\tHolds a device"), std::string::npos) << ran.out;
}

TEST(ManualPage, HasEveryCommandAndOption) {
  const std::string page = run({"man"}).out;
  EXPECT_EQ(page.rfind(".TH ASSAY 1 ", 0), 0u);
  for (const std::string& command : offered({""})) {
    EXPECT_NE(page.find(".SS assay " + command.substr(0, command.find('-'))), std::string::npos) << command;
  }
  for (const char* text : {".SH NAME\n", ".SH COMMANDS\n", ".SH ENVIRONMENT\n", "\\-\\-max\\-failures", "ARCHITECTURE"})
    EXPECT_NE(page.find(text), std::string::npos) << text;
}

TEST(ManualPage, HasTheVariablesThatAreRead) {
  const std::string page = run({"man"}).out;
  for (const char* name :
       {"ASSAY_HOME", "ASSAY_CACHE", "ASSAY_CACHE_LIMIT", "XDG_CACHE_HOME", "VERILATOR_ROOT", "NO_COLOR"})
    EXPECT_NE(page.find(std::string("\n.B ") + name + "\n"), std::string::npos) << name;
}

// No line of the help can be taken for a request.
TEST(ManualPage, RequestsAreThoseOfAManualPage) {
  std::istringstream lines(run({"man"}).out);
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || (line[0] != '.' && line[0] != '\'')) continue;
    const std::string request = line.substr(0, line.find(' '));
    EXPECT_TRUE(has({".TH", ".SH", ".SS", ".TP", ".PP", ".B", ".nf", ".fi"}, request)) << line;
  }
}

TEST(ManualPage, GroffHasNothingToSay) {
  if (!is_installed("groff")) GTEST_SKIP() << "groff is not installed.";
  const Scratch folder;
  const std::string file = folder.file("assay.1", run({"man"}).out);
  const Ran ran = shell("groff -man -Tutf8 -ww -z " + file);
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.out, "");
  std::ofstream(file) << ".TH A 1\n.no_such_request\n";
  EXPECT_NE(shell("groff -man -Tutf8 -ww -z " + file).out, "");  // it would have
}

}  // namespace
}  // namespace assay
