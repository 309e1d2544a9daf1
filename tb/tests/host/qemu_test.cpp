// Other processors' units, emulated: that they hold the model, that what is known to differ is counted and hides
// nothing else, and what is said where something is missing.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tb/devices/host/units.hpp"
#include "tb/devices/kinds/emulator_file.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/host/shell.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A copy of the catalogue.
class Emulated : public InFolder {
 protected:
  void SetUp() override {
    InFolder::SetUp();
    fs::copy(source_dir() + "/configs", path("configs"), fs::copy_options::recursive);
  }

  // An emulator that is a shell script instead.
  void emulate(const std::string& machine, const std::string& script) const {
    const std::string program = file("emulator", "#!/bin/sh\n" + script);
    fs::permissions(program, fs::perms::owner_all);
    const std::string config = path("configs/emulator/" + machine + ".yaml");
    std::string text = text_of(config);
    const std::size_t from = text.find("command: [") + 10;
    std::ofstream(config) << text.replace(from, text.find(',', from) - from, program);
  }

  ShellRan assay(const std::string& arguments) const {
    return shell("(ASSAY_HOME=" + path("") + " " ASSAY_PROGRAM " " + arguments + ")");
  }

  // What the machine lacks, as a sentence; empty where it lacks nothing.
  std::string missing(const std::string& device, const std::string& instruction) const {
    const ShellRan ran = assay("compare --cases 1 --device " + device + " --instruction " + instruction);
    return ran.status == cannot_here ? ran.text : "";
  }
};

#define ASSAY_NEEDS(device, instruction) \
  if (const std::string reason = missing(device, instruction); !reason.empty()) GTEST_SKIP() << reason

class EmulatedMachine : public Emulated, public testing::WithParamInterface<const char*> {};

// Ten thousand cases of each instruction that is both emulated and in the catalogue.
TEST_P(EmulatedMachine, EqualsTheModel) {
  const std::string device = std::string("qemu:") + GetParam();
  const ShellRan ran = assay("compare --json --cases 10000 --seed 3 --device " + device + " 2>" + path("said"));
  const std::string said = text_of(path("said"));
  if (ran.status == cannot_here) GTEST_SKIP() << said;
  ASSERT_EQ(ran.status, passed) << said << ran.text;
  const json comparisons = json::parse(ran.text).at("comparisons");
  ASSERT_GE(comparisons.size(), 6u);
  for (const json& one : comparisons) EXPECT_EQ(one.at("summary").at("compared"), 10000) << one.at("subject");
}

INSTANTIATE_TEST_SUITE_P(Machines, EmulatedMachine, testing::Values("power10", "arm", "riscv"),
                         [](const auto& tested) { return std::string(tested.param); });

// --- modes of the processor ---

// What every version of QEMU has of FPCR, and what is claimed to be emulated for it: 10,000 cases of mixtures of all
// modes, and 1,000 of each alone.
class EmulatedModes : public Emulated, public testing::WithParamInterface<std::string> {
 protected:
  void hold(const std::string& name, int cases) const {
    const ShellRan ran = assay("compare --json --seed 5 --device qemu:arm --cases " + std::to_string(cases) +
                               " --instruction arm:" + name + " 2>" + path("said"));
    ASSERT_EQ(ran.status, passed) << name << ": " << text_of(path("said")) << ran.text;
    EXPECT_EQ(json::parse(ran.text).at("summary").at("compared"), cases) << name;
  }
};

TEST_P(EmulatedModes, EqualTheModel) {
  const std::string& name = GetParam();
  ASSAY_NEEDS("qemu:arm", "arm:" + name);
  for (const char* mode : {"fz", "fz16", "dn", "rp", "rm", "rz"}) hold(name + "." + mode, 1000);
  for (const char* modes : {"fz.fz16.rp", "fz.fz16.dn.rm"}) hold(name + "." + modes, 10000);
}

INSTANTIATE_TEST_SUITE_P(Arm, EmulatedModes,
                         testing::Values("bfmmla", "bfdot", "bfmopa_bf16f32", "bfmops_bf16f32", "fmmla_f32",
                                         "fmmla_f64", "fmopa_f16f32", "fmops_f16f32", "fmopa_f32", "fmops_f32",
                                         "fmopa_f64", "fmops_f64"),
                         [](const auto& tested) { return tested.param; });

// A mode that a processor has not is read back as 0.
TEST_F(Emulated, ModesThatAnEmulatorHasNotAreDeclined) {
  ASSAY_NEEDS("qemu:arm", "arm:bfmmla");
  const std::string text = shell("qemu-aarch64 --version").text;
  if (version_of(text) >= version_of("10.0.2")) GTEST_SKIP() << "This QEMU has these modes.";
  for (const char* modes : {"ebf", "ah", "fiz", "ebf.fz"}) {
    const ShellRan ran = assay(std::string("compare --device qemu:arm --instruction arm:bfmmla.") + modes);
    EXPECT_EQ(ran.status, cannot_here);
    EXPECT_EQ(ran.text, std::string("assay: qemu:arm has the unit bf16, but qemu-aarch64 ") + version_in(text) +
                            " does not execute arm:bfmmla." + modes +
                            "; QEMU 10.0.2 has it, and the first qemu-aarch64 on PATH is taken.\n");
  }
}

// --- what is known to differ ---

const std::string pairs = "power10:xvbf16ger2pp";

// Three sums of a pair beyond f32's range, worked out by hand: 2^128 - (2^128 - 2^104), 2^128 - infinity, and 1.5 units
// of the least subnormal, which go to the even one. An f32 for the pair has infinity, NaN and one unit there.
std::string recorded(const std::string& first_d) {
  return R"({"assay":1,"architecture":"power10","instruction":"xvbf16ger2pp"})"
         "\n"
         R"({"a":["5f80","0000"],"b":["5f80","0000"],"c":"ff7fffff","d":")" +
         first_d + "\"}\n" +
         R"({"a":["5f80","0000"],"b":["5f80","0000"],"c":"ff800000","d":"ff800000"})"
         "\n"
         R"({"a":["1a00","0000"],"b":["1a00","0000"],"c":"00000001","d":"00000002"})"
         "\n"
         R"({"a":["3f80","0000"],"b":["3f80","0000"],"c":"3f800000","d":"40000000"})"
         "\n";
}

class KnownPairs : public Emulated {
 protected:
  // The verdict on four cases, as JSON.
  json checked(const std::string& first_d) const {
    const std::string vectors = file("four.jsonl", recorded(first_d));
    return json::parse(assay("check --json --device qemu:power10 " + vectors + " 2>/dev/null").text).at("files")[0];
  }

  // That the first case is a mismatch, and none of those that are known.
  void expect_first_differs(const std::string& expected, const std::string& got) const {
    const json found = checked(expected);
    EXPECT_EQ(found.at("summary").at("differs"), 1);
    EXPECT_EQ(found.at("summary").at("known_differences")[0].at("cases"), 2);
    ASSERT_EQ(found.at("failures").size(), 1u);
    EXPECT_EQ(found.at("failures")[0].at("expected"), expected);
    EXPECT_EQ(found.at("failures")[0].at("got"), got);
  }
};

TEST_F(KnownPairs, AreCountedByNameAndFailNothing) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const json summary = checked("73800000").at("summary");
  EXPECT_EQ(summary.at("conclusion"), "passed");
  EXPECT_EQ(summary.at("compared"), 4);
  EXPECT_EQ(summary.at("differs"), 0);
  ASSERT_EQ(summary.at("known_differences").size(), 1u);
  const json& known = summary.at("known_differences")[0];
  EXPECT_EQ(known.at("name"), "pair_in_f32");
  EXPECT_EQ(known.at("of"), "device");
  EXPECT_EQ(known.at("cases"), 3);
  const ShellRan text = assay("check --device qemu:power10 " + path("four.jsonl"));
  EXPECT_EQ(text.status, passed);
  EXPECT_NE(text.text.find("\n3 cases with the known difference pair_in_f32 of the device: QEMU rounds the sum"),
            std::string::npos)
      << text.text;
  EXPECT_NE(text.text.find("\npassed, 3 with a known difference\n"), std::string::npos) << text.text;
}

// What was recorded is not what the architecture has: QEMU's own difference is no excuse for it.
TEST_F(KnownPairs, ExcuseNoWrongReference) {
  ASSAY_NEEDS("qemu:power10", pairs);
  expect_first_differs("73800001", "7f800000");
}

// An emulator with a fault of its own in just such a case.
TEST_F(KnownPairs, HideNoOtherFault) {
  ASSAY_NEEDS("qemu:power10", pairs);
  emulate("power10", "exec qemu-ppc64le \"$@\" | sed -u 's/\"d\":\"7f800000\"/\"d\":\"7f7fffff\"/'\n");
  expect_first_differs("73800000", "7f7fffff");
}

TEST_F(KnownPairs, AreThoseOfAReferenceToo) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const auto of = [&](const std::string& sides) {
    return json::parse(assay("compare --json --cases 2000 --instruction " + pairs + sides + " 2>/dev/null").text)
        .at("summary");
  };
  const json device = of(" --device qemu:power10"), reference = of(" --reference qemu:power10 --device model");
  EXPECT_EQ(device.at("conclusion"), "passed");
  EXPECT_EQ(reference.at("conclusion"), "passed");
  EXPECT_EQ(reference.at("known_differences")[0].at("of"), "reference");
  EXPECT_EQ(reference.at("known_differences")[0].at("cases"), device.at("known_differences")[0].at("cases"));
  EXPECT_GT(device.at("known_differences")[0].at("cases"), 0);
}

TEST_F(KnownPairs, StandOnTheSheet) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const ShellRan ran =
      assay("compare --cases 2000 --sheet " + path("sheet.md") + " --device qemu:power10 --instruction " + pairs);
  EXPECT_EQ(ran.status, passed) << ran.text;
  const std::string sheet = text_of(path("sheet.md"));
  EXPECT_NE(sheet.find("\n| qemu:power10 (QEMU "), std::string::npos) << sheet;
  EXPECT_NE(sheet.find(" announces and executes it. |\n"), std::string::npos) << sheet;
  EXPECT_NE(sheet.find("\n| known difference pair_in_f32 | "), std::string::npos) << sheet;
}

// What is off hides a NaN from the emulator's instruction, too, and is +0 beside a -0; and which bit is which term's.
TEST_F(Emulated, MasksAreThoseOfThePrefixedInstruction) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const std::string four = R"({"assay":1,"architecture":"power10","instruction":"pmxvf16ger2pp"})"
                           "\n"
                           R"({"a":["7e00","4000"],"b":["3c00","3c00"],"c":"3f800000","mask":["0","1"],"d":"40400000"})"
                           "\n"
                           R"({"a":["4000","7c00"],"b":["3c00","3c00"],"c":"3f800000","mask":["1","0"],"d":"40400000"})"
                           "\n"
                           R"({"a":["8000","8000"],"b":["3c00","3c00"],"c":"80000000","mask":["1","1"],"d":"80000000"})"
                           "\n"
                           R"({"a":["8000","8000"],"b":["3c00","3c00"],"c":"80000000","mask":["1","0"],"d":"00000000"})"
                           "\n";
  const ShellRan ran = assay("check --json --device qemu:power10 " + file("masks.jsonl", four) + " 2>/dev/null");
  const json summary = json::parse(ran.text).at("files")[0].at("summary");
  EXPECT_EQ(summary.at("conclusion"), "passed") << ran.text;
  EXPECT_EQ(summary.at("compared"), 4);
}

TEST_F(Emulated, RecordingsNameTheEmulator) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const ShellRan ran =
      assay("run --device qemu:power10 -o - " + file("four.jsonl", recorded("00000000")) + " 2>/dev/null");
  const json header = json::parse(ran.text.substr(0, ran.text.find('\n')));
  const std::string device = header.at("provenance").at("device");
  EXPECT_EQ(device.rfind("qemu:power10 (QEMU ", 0), 0u) << device;
  EXPECT_NE(ran.text.find(R"("c":"ff7fffff","d":"7f800000")"), std::string::npos) << ran.text;
}

TEST_F(Emulated, RowsThatAreKnownToBeWrongAreLeftOutAloud) {
  ASSAY_NEEDS("qemu:arm", "arm:smopa_i8i32");
  const std::string sentence =
      "assay: Of arm:smopa_i8i32 only the first row of the tile is compared: QEMU 7.2.22 leaves every other row as it "
      "was; QEMU 10.0.2 has them all right.\n";
  const std::string command = "compare --cases 200 --device qemu:arm --instruction arm:smopa_i8i32";
  const ShellRan ran = assay(command);
  EXPECT_EQ(ran.status, passed) << ran.text;
  const std::string version = shell("qemu-aarch64 --version").text;
  EXPECT_EQ(ran.text.find(sentence) != std::string::npos, version_of(version) < version_of("10.0.2")) << ran.text;
  if (version_of(version) >= version_of("10.0.2")) return;
  // Looked at, they fail: the sentence is true.
  emulate("arm", "exec qemu-aarch64 \"$@\"\n");
  const std::string config = path("configs/emulator/arm.yaml");
  const std::string text = text_of(config);
  std::ofstream(config) << text.substr(0, text.find("first_row_only:"));
  const ShellRan all = assay(command);
  EXPECT_EQ(all.status, mismatch) << all.text;
  EXPECT_NE(all.text.find("position 8 of the unit than at position 0."), std::string::npos) << all.text;
}

// --- what is said where something is missing ---

TEST_F(Emulated, MachinesAreThoseOfTheFiles) {
  const ShellRan ran = assay("compare --device qemu:sparc --instruction " + pairs);
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.text, "assay: 'qemu:sparc' is none of the machines that are emulated: arm, power10, riscv.\n");
}

TEST_F(Emulated, AnEmulatorThatIsNotHereIsNamedWithItsPackage) {
  const ShellRan ran = shell("ASSAY_HOME=" + path("") +
                             " PATH=/nowhere " ASSAY_PROGRAM " compare --device qemu:power10 --instruction " + pairs);
  EXPECT_EQ(ran.status, cannot_here);
  EXPECT_EQ(
      ran.text,
      "assay: The device qemu:power10 needs the program qemu-ppc64le, which does not run here; on Debian: apt-get "
      "install qemu-user\n");
}

TEST_F(Emulated, AProgramThatIsNotBuiltIsNamedWithItsCompiler) {
  emulate("power10", "echo qemu-ppc64le version 7.2.22\n");
  fs::create_directories(path("bin"));
  fs::copy_file(ASSAY_PROGRAM, path("bin/assay"));
  file("CMakeCache.txt", "");
  const std::string build = path("").substr(0, path("").size() - 1);
  const ShellRan ran = shell("ASSAY_HOME=" + path("") + " " + path("bin/assay") +
                             " compare --device qemu:power10 --instruction " + pairs);
  EXPECT_EQ(ran.status, cannot_here);
  EXPECT_EQ(ran.text,
            "assay: The device qemu:power10 needs the program assay-host-ppc64le beside assay, and this build has none "
            "yet; build it: apt-get install g++-powerpc64le-linux-gnu && cmake " +
                build + " && cmake --build " + build + " --target assay-host-ppc64le\n");
}

TEST_F(Emulated, InstructionsOfAnotherArchitectureAreRefused) {
  ASSAY_NEEDS("qemu:power10", pairs);
  const ShellRan ran = assay("compare --device qemu:power10 --instruction arm:bfmmla");
  EXPECT_EQ(ran.status, cannot_here);
  EXPECT_EQ(ran.text,
            "assay: qemu:power10 has no instruction arm:bfmmla; it takes those of power10: assay list power10\n");
}

// A script for the emulator: what an older and a newer one say of the unit.
class FoundBy : public Emulated {
 protected:
  void SetUp() override {
    Emulated::SetUp();
    if (!fs::exists(fs::path(ASSAY_PROGRAM).parent_path() / "assay-host-aarch64"))
      GTEST_SKIP() << "There is no assay-host-aarch64 here: its compiler is Debian's g++-aarch64-linux-gnu.";
  }

  ShellRan found(const std::string& line) const {
    emulate("arm", "test \"$1\" = --version && echo qemu-aarch64 version 9.9 && exit\necho '" + line + "'\n");
    return assay("compare --device qemu:arm --instruction arm:bfmmla.ebf");
  }
  std::string machine() const { return path("emulator") + " 9.9"; }
};

TEST_F(FoundBy, AnOlderEmulatorIsRefusedWithTheVersionThatHasTheUnit) {
  const ShellRan none = found(R"({"unit":"bf16","processor":"p","announced":false,"executes":[]})");
  EXPECT_EQ(none.status, cannot_here);
  EXPECT_EQ(none.text, "assay: qemu:arm has no unit bf16: " + machine() +
                           " neither announces nor executes it; QEMU 10.0.2 has it, and the first " + path("emulator") +
                           " on PATH is taken.\n");
  const ShellRan other = found(R"({"unit":"bf16","processor":"p","announced":true,"executes":["arm:bfmmla"]})");
  EXPECT_EQ(other.status, cannot_here);
  EXPECT_EQ(other.text, "assay: qemu:arm has the unit bf16, but " + machine() +
                            " does not execute arm:bfmmla.ebf; QEMU 10.0.2 has it, and the first " + path("emulator") +
                            " on PATH is taken.\n");
}

TEST_F(FoundBy, OneThatSaysNothingIsRefused) {
  for (const char* line : {"", "no JSON", R"({"unit":"x87","announced":true,"executes":[]})"}) {
    const ShellRan ran = found(line);
    EXPECT_EQ(ran.status, cannot_here);
    EXPECT_EQ(ran.text, "assay: qemu:arm (QEMU 9.9) does not say which units it has; '" + path("emulator") +
                            " -cpu max " + (fs::path(ASSAY_PROGRAM).parent_path() / "assay-host-aarch64").string() +
                            " --find bf16 arm:bfmmla.ebf' should.\n");
  }
}

// --- the files themselves ---

TEST(EmulatorFiles, NameUnitsAndInstructionsThatThereAre) {
  EXPECT_EQ(emulator_names(), (std::vector<std::string>{"arm", "power10", "riscv"}));
  for (const std::string& name : emulator_names()) {
    const Emulator emulator = read_emulator("qemu:" + name, name);
    EXPECT_EQ(emulator.name, name);
    for (const EmulatedUnit& unit : emulator.units) EXPECT_NE(find_host_unit(unit.name), nullptr) << unit.name;
    for (const EmulatedUnit& mode : emulator.modes)
      EXPECT_NE(host_unit_with("arm:bfmmla." + mode.name), nullptr) << mode.name;
    const auto known = [&](const std::vector<std::string>& instructions) {
      for (const std::string& one : instructions) EXPECT_NE(host_unit_with(name + ":" + one), nullptr) << one;
    };
    for (const DatapathDifference& one : emulator.known_differences) known(one.instructions);
    for (const FirstRowOnly& one : emulator.first_row_only) known(one.instructions);
  }
}

// Every unit of another processor than x86 can be emulated, or is said to be in no version of QEMU.
TEST(EmulatorFiles, HaveEveryUnit) {
  for (const HostUnit& unit : host_units()) {
    const std::string& first = unit.instructions.front().name;
    const std::string machine = first.substr(0, first.find(':'));
    if (machine == "x86") continue;
    const Emulator emulator = read_emulator("qemu:" + machine, machine);
    EXPECT_TRUE(std::any_of(emulator.units.begin(), emulator.units.end(), [&](const EmulatedUnit& one) {
      return one.name == unit.name;
    })) << unit.name;
  }
}

TEST_F(Emulated, FilesWithMistakesAreRefused) {
  const std::string config = path("configs/emulator/power10.yaml");
  const std::string good = text_of(config);
  const auto with = [&](const std::string& line, const std::string& instead) {
    std::string text = good;
    std::ofstream(config) << text.replace(text.find(line), line.size(), instead);
    return assay("compare --device qemu:power10 --instruction " + pairs).text;
  };
  EXPECT_EQ(with("units: {mma: 7.2.22}", "units: {mma: new}"),
            "assay: " + config + ":7: units.mma: a version is numbers with points between, such as 7.2.22.\n");
  EXPECT_EQ(with("command: [qemu-ppc64le, -cpu, power10]", "command: []"),
            "assay: " + config + ":3: command: it must name the program that emulates.\n");
  const std::string key = "command: [qemu-ppc64le, -cpu, power10]";
  EXPECT_EQ(with(key, key + "\nolder: [{before: new, command: [qemu]}]"),
            "assay: " + config + ":4: older[0].before: a version is numbers with points between, such as 7.2.22.\n");
  EXPECT_EQ(with(key, key + "\nolder: [{before: 9.0.0, command: []}]"),
            "assay: " + config + ":4: older[0].command: it must name the program that emulates.\n");
}

// A script that says its version and what it was called with.
TEST_F(Emulated, OlderVersionsAreCalledWithTheirOwnOptions) {
  if (!fs::exists(fs::path(ASSAY_PROGRAM).parent_path() / "assay-host-riscv64"))
    GTEST_SKIP() << "There is no assay-host-riscv64 here: its compiler is Debian's g++-riscv64-linux-gnu.";
  const std::string program = file("emulator", "#!/bin/sh\ntest \"$1\" = --version && cat " + path("version") +
                                                   " && exit\necho \"$2\" >>" + path("asked") + "\n");
  fs::permissions(program, fs::perms::owner_all);
  const std::string config = path("configs/emulator/riscv.yaml");
  std::string text = text_of(config);
  for (std::size_t at = 0; (at = text.find("[qemu-riscv64", at)) != std::string::npos;)
    text.replace(at + 1, 12, program);
  std::ofstream(config) << text;
  for (const char* version : {"7.2.22", "10.0.1", "10.0.2", "11.1.3"}) {
    file("version", std::string("qemu-riscv64 version ") + version + "\n");
    EXPECT_EQ(assay("compare --device qemu:riscv --instruction riscv:vfwmacc.vv.f32").status, cannot_here);
  }
  EXPECT_EQ(text_of(path("asked")), "rv64,v=true,vext_spec=v1.0\nrv64,v=true,vext_spec=v1.0\nmax\nmax\n");
}

TEST(Versions, AreReadAndOrdered) {
  EXPECT_EQ(version_in("qemu-ppc64le version 7.2.22 (Debian 1:7.2+dfsg-7)"), "7.2.22");
  EXPECT_EQ(version_in("7.2"), "7.2");
  EXPECT_EQ(version_in("qemu"), "");
  EXPECT_LT(version_of("7.2.22"), version_of("10.0.2"));
  EXPECT_LT(version_of("10.0"), version_of("10.0.2"));
}

// --- the host's own program, on the processors it is for ---

class HostProgramOn : public Emulated {
 protected:
  std::string program(const std::string& name) const { return (fs::path(ASSAY_PROGRAM).parent_path() / name).string(); }
};

TEST_F(HostProgramOn, Power10ComputesAndPower9Refuses) {
  ASSAY_NEEDS("qemu:power10", pairs);
  // Bytes 1 x 2 + 3 x 4 + (-1) x 255 + 0 onto 7, as the architecture reads them: a signed, b not.
  const std::string talk = R"('{"assay":1,"architecture":"power10","instruction":"xvi8ger4pp"}'
{"id":0,"a":["01","03","ff","00"],"b":["02","04","ff","09"],"c":"00000007"}
{"id":1,"a":["01"],"b":["02"],"c":"00000007"}
{"end":2})";
  const std::string host = program("assay-host-ppc64le") + " mma";
  std::string lines = talk;
  lines.erase(std::remove(lines.begin(), lines.end(), '\''), lines.end());
  const std::string in = file("talk", lines + "\n");
  const ShellRan ran = shell("qemu-ppc64le -cpu power10 " + host + " <" + in);
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.text.find("{\"id\":0,\"d\":\"ffffff16\"}\n"), std::string::npos) << ran.text;
  EXPECT_NE(ran.text.find("{\"id\":1,\"error\":\"The instruction takes 4 elements in a and in b.\"}\n"),
            std::string::npos)
      << ran.text;
  const ShellRan older = shell("qemu-ppc64le -cpu power9 " + host + " <" + in);
  EXPECT_EQ(older.status, cannot_here);
  EXPECT_EQ(
      older.text,
      "This machine has no unit mma: its processor, of another kind, neither announces nor executes it; POWER10 and "
      "later processors have it.\n");
}

TEST_F(HostProgramOn, ArmFindsWhatAProcessorHas) {
  ASSAY_NEEDS("qemu:arm", "arm:bfmmla");
  const std::string host = program("assay-host-aarch64");
  const auto found = [&](const std::string& processor) {
    return shell("qemu-aarch64 -cpu " + processor + " " + host + " --find asimddp bf16 mma").text;
  };
  const std::string older = found("cortex-a76"), all = found("max");
  EXPECT_NE(older.find(R"("announced":true,"executes":["arm:sdot","arm:udot"]})"), std::string::npos) << older;
  EXPECT_NE(older.find("\"processor\":\"aarch64 (implementer 65, part 3339, variant "), std::string::npos) << older;
  EXPECT_NE(older.find("\"announced\":false,\"executes\":[]}"), std::string::npos) << older;
  EXPECT_NE(all.find(R"("announced":true,"executes":["arm:bfmmla","arm:bfdot"]})"), std::string::npos) << all;
  EXPECT_NE(all.find(R"({"unit":"mma",)"), std::string::npos) << all;
}

}  // namespace
}  // namespace assay
