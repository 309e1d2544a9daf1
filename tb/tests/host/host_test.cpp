// This machine's own silicon holds the model, where the machine has any; and what is said where it has none.
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "tb/devices/host/finding.hpp"
#include "tb/devices/host/kernels.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/devices/process.hpp"
#include "tb/generate/generator.hpp"
#include "tb/scoreboard/scoreboard.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/emulated.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/host/shell.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
const std::string architecture_here = "x86:";
#elif defined(__aarch64__)
const std::string architecture_here = "arm:";
#else
const std::string architecture_here = "power10:";
#endif

// Those that a processor of this kind may have.
std::vector<HostUnit> units_of_this_kind() {
  std::vector<HostUnit> units;
  for (const HostUnit& unit : host_units()) {
    if (unit.instructions.front().name.rfind(architecture_here, 0) == 0) units.push_back(unit);
  }
  return units;
}

constexpr const char* fault_of_qemu = "QEMU before 10.0.2 leaves every other row of this unit's results as it was.";
bool has_fault_of_qemu(const HostUnit& unit) { return is_emulated() && unit.name == "smei8i32"; }

class Silicon : public testing::TestWithParam<HostUnit> {
 protected:
  void SetUp() override {
    if (const auto reason = why_absent(GetParam())) {
      std::cout << "NOTHING WAS COMPARED: " << *reason << "\n";
      GTEST_SKIP() << *reason;
    }
    if (has_fault_of_qemu(GetParam())) GTEST_SKIP() << fault_of_qemu;
  }

  // Cases of all families in turn, by way of the device that `open` makes.
  template <class Open>
  void hold_to_model(std::uint64_t count, const Open& open) const {
    const Catalogue catalogue = shipped_catalogue();
    for (const HostInstruction& i : GetParam().instructions) {
      if (!executes(i)) continue;
      const Instruction& instruction = catalogue.instruction(i.name);
      const Plan plan = catalogue.plan_of(instruction);
      ASSERT_EQ(plan.k, i.k) << i.name;
      const std::unique_ptr<Device> device = open(i, instruction, plan);
      const auto model = model_device(plan);
      Scoreboard scoreboard(plan, usual_nan_rule(plan));
      const Generator generator(plan, 7);
      std::vector<Case> cases;
      for (std::uint64_t n = 0; n < count; ++n) {
        cases.push_back(generator.make(n));
        if (cases.size() < 1000 && n + 1 < count) continue;
        scoreboard.check_all(cases, model->run(cases, false), device->run(cases, false));
        cases.clear();
      }
      EXPECT_EQ(device->close(), "");
      EXPECT_EQ(scoreboard.summary().compared, count) << i.name;
      EXPECT_EQ(scoreboard.summary().failures(), 0u) << i.name;
      std::cout << count << " cases of " << i.name << ".\n";
    }
  }
};

// The unit in this process: it was seen to execute.
class UnitHere final : public Device {
 public:
  explicit UnitHere(const HostInstruction& instruction) : compute_(instruction.compute) {}

  std::string name() const override { return "unit"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i)
      answers[i].d = compute_(cases[i].a.data(), cases[i].b.data(), cases[i].c);
    return answers;
  }

 private:
  HostCompute compute_;
};

TEST_P(Silicon, EqualsTheModel) {
  hold_to_model(10'000, [](const HostInstruction&, const Instruction& instruction, const Plan& plan) {
    VectorHeader header;
    header.architecture = instruction.architecture;
    header.instruction = instruction.name;
    return process_device(plan, header, {{ASSAY_HOST_PROGRAM, GetParam().name}, "unit"});
  });
}

// A million cases of each instruction; twenty in full.
TEST_P(Silicon, EqualsTheModelInAMillionCases) {
  const auto count = static_cast<std::uint64_t>(quick_or_full(1'000'000, 20'000'000));
  hold_to_model(count, [](const HostInstruction& i, const Instruction&, const Plan&) {
    return std::unique_ptr<Device>(std::make_unique<UnitHere>(i));
  });
}

class SiliconByName : public testing::TestWithParam<HostUnit> {};

TEST_P(SiliconByName, IsCalledOrItsAbsenceIsExplained) {
  const HostUnit& unit = GetParam();
  if (has_fault_of_qemu(unit)) GTEST_SKIP() << fault_of_qemu;
  const HostFinding finding = look_for(unit);
  const std::string sentence = "assay: " + finding_sentence(unit, finding, processor_name()) + "\n";
  const ShellRan ran = shell(std::string(ASSAY_PROGRAM) + " compare --device host:" + unit.name + " --cases 500");
  EXPECT_NE(ran.text.find(sentence), std::string::npos) << ran.text;  // after which instructions are compared in turn
  EXPECT_EQ(ran.status, finding.executes ? passed : cannot_here) << ran.text;
  if (finding.executes) {
    EXPECT_NE(ran.text.find(unit.instructions.front().name + ": host:"), std::string::npos) << ran.text;
  } else {
    EXPECT_EQ(ran.text, sentence);
  }
}

INSTANTIATE_TEST_SUITE_P(Units, SiliconByName, testing::ValuesIn(units_of_this_kind()),
                         [](const auto& tested) { return tested.param.name; });

// --- what was found, in the words of every place that says it ---

const HostUnit& tiles_of_halves() { return *find_host_unit("amx_fp16"); }

struct Found {
  HostFinding finding;
  std::string text, sentence;
};

class Findings : public testing::TestWithParam<Found> {};

// Of four machines, none of which need be this one.
TEST_P(Findings, HaveTheirWords) {
  const Found& found = GetParam();
  EXPECT_EQ(finding_text(found.finding), found.text);
  EXPECT_EQ(finding_sentence(tiles_of_halves(), found.finding, "a processor"), found.sentence);
  std::vector<HeaderMember> provenance{{"seed", "7"}, {"date", "\"2001-01-01\""}};
  put_part(provenance, found.finding, "a processor", "2026-01-02");
  ASSERT_EQ(provenance.size(), 4u);
  EXPECT_EQ(provenance[1].text(), "a processor");
  EXPECT_EQ(provenance[2].name, "unit");
  EXPECT_EQ(provenance[2].text(), found.text);
  EXPECT_EQ(provenance[3].text(), "2026-01-02");
  EXPECT_EQ(finding_json(tiles_of_halves(), found.finding, "a processor"),
            (nlohmann::ordered_json{{"unit", "amx_fp16"},
                                    {"processor", "a processor"},
                                    {"announced", found.finding.announced},
                                    {"executes", found.finding.executes}}));
}

INSTANTIATE_TEST_SUITE_P(
    All, Findings,
    testing::Values(
        Found{{true, true},
              "announced and executed",
              "This machine has the unit amx_fp16: its processor, a processor, announces and executes it."},
        Found{{false, true},
              "executed though not announced",
              "This machine has the unit amx_fp16: its processor, a processor, executes it, though its feature flag "
              "amx_fp16 does not announce it."},
        Found{{true, false},
              "announced but not executed",
              "This machine has no unit amx_fp16: its processor, a processor, announces it but does not execute it (a "
              "virtual machine or the operating system may withhold it); Xeons from Granite Rapids on have it."},
        Found{{false, false},
              "neither announced nor executed",
              "This machine has no unit amx_fp16: its processor, a processor, neither announces nor executes it; Xeons "
              "from Granite Rapids on have it."}));

TEST(HostUnit, MayLackAnInstruction) {
  const HostUnit& unit = tiles_of_halves();
  EXPECT_EQ(lacking_sentence(unit, unit.instructions.front(), this_machine(unit, "a processor")),
            "This machine has the unit amx_fp16, but its processor, a processor, does not execute x86:tdpfp16ps; Xeons "
            "from Granite Rapids on have it.");
}

// What `announced` says and what the instruction does are asked for separately.
TEST(HostUnit, IsLookedForByFlagAndByExecution) {
  const auto works = [](const std::uint64_t*, const std::uint64_t*, std::uint64_t) -> std::uint64_t { return 0; };
  const auto unknown = [](const std::uint64_t*, const std::uint64_t*, std::uint64_t) -> std::uint64_t {
    std::raise(SIGILL);
    return 0;
  };
  const auto fault = [](const std::uint64_t*, const std::uint64_t*, std::uint64_t) -> std::uint64_t { std::abort(); };
  const auto refused = [](const std::uint64_t*, const std::uint64_t*, std::uint64_t) -> std::uint64_t {
    throw std::runtime_error("The operating system gives this process no tiles.");
  };
  struct Asked {
    bool (*announced)();
    std::uint64_t (*compute)(const std::uint64_t*, const std::uint64_t*, std::uint64_t);
    bool executes;
  };
  const auto yes = [] { return true; };
  const auto no = [] { return false; };
  for (const Asked& asked : {Asked{yes, works, true}, Asked{no, works, true}, Asked{yes, unknown, false},
                             Asked{no, unknown, false}, Asked{yes, fault, false}, Asked{yes, refused, false}}) {
    const HostUnit unit{"unit", "Processors of tomorrow", asked.announced, {{"x", 2, asked.compute}}};
    const HostFinding finding = look_for(unit);
    EXPECT_EQ(finding.announced, asked.announced());
    EXPECT_EQ(finding.executes, asked.executes);
    EXPECT_EQ(why_absent(unit).has_value(), !asked.executes);
  }
}

// By a unit that this machine has, since only such a one answers.
TEST(HostUnit, ThatIsHereStandsInReportsAndRecordings) {
  const auto& all = host_units();
  const auto here = std::find_if(all.begin(), all.end(), [](const HostUnit& u) { return look_for(u).executes; });
  if (here == all.end()) GTEST_SKIP() << "This machine has none of the units " << host_unit_names() << ".";
  const HostFinding finding = look_for(*here);
  const std::string device = " --device host:" + here->name, assay = ASSAY_PROGRAM;
  const ShellRan compared = shell("(" + assay + " compare --json --cases 10" + device + " 2>/dev/null)");
  EXPECT_EQ(nlohmann::json::parse(compared.text).at("host_units"),
            nlohmann::json::array({finding_json(*here, finding, processor_name())}));
  const Scratch folder;
  const std::string sheet = folder / "sheet.md";
  shell(assay + " compare --cases 10 --sheet " + sheet + device);
  EXPECT_NE(
      text_of(sheet).find("| host:" + here->name + " | " + finding_sentence(*here, finding, processor_name()) + " |\n"),
      std::string::npos)
      << text_of(sheet);
  const ShellRan recorded = shell(assay + " generate --cases 10 --instruction " + here->instructions.front().name +
                                  " | " + assay + " run - -o -" + device + " 2>/dev/null | head -1");
  const auto provenance = nlohmann::json::parse(recorded.text).at("provenance");
  EXPECT_EQ(provenance.at("unit"), finding_text(finding));
  EXPECT_EQ(provenance.at("processor"), processor_name());
}

INSTANTIATE_TEST_SUITE_P(Units, Silicon, testing::ValuesIn(units_of_this_kind()),
                         [](const auto& tested) { return tested.param.name; });

// Units of other processors are known by name here, and their instructions end nothing but the child that tries them.
TEST(HostUnit, OfAnotherKindOfProcessorIsNotHere) {
  for (const HostUnit& unit : host_units()) {
    if (unit.instructions.front().name.rfind(architecture_here, 0) == 0) continue;
    EXPECT_EQ(look_for(unit).announced, false) << unit.name;
    for (const HostInstruction& one : unit.instructions) EXPECT_FALSE(executes(one)) << one.name;
  }
}

TEST(HostUnit, OfNoSuchNameIsRefusedWithTheNamesThereAre) {
  const Ran ran = run({"compare", "--device", "host:mmx"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err, "assay: 'host:mmx' is none of the units that a processor may have: " + host_unit_names() + ".\n");
  EXPECT_EQ(host_unit_names().rfind("amx_bf16, amx_fp16, amx_int8, avx512_bf16, mma, asimddp, bf16, ", 0), 0u)
      << host_unit_names();
}

TEST(HostUnit, WhosePositionsDisagreeIsAnError) {
  const std::uint32_t alike[4] = {7, 7, 7, 7}, other[4] = {7, 7, 8, 7};
  EXPECT_EQ(host::agreed(alike, 4), 7u);
  EXPECT_THROW(
      {
        try {
          host::agreed(other, 4);
        } catch (const std::runtime_error& error) {
          EXPECT_STREQ(error.what(),
                       "The same dot product gave another d at position 2 of the unit than at position 0.");
          throw;
        }
      },
      std::runtime_error);
}

TEST(HostProgram, SaysWhichUnitsItKnows) {
  const ShellRan ran = shell(std::string(ASSAY_HOST_PROGRAM) + " mmx");
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.text, "assay-host takes one of the units " + host_unit_names() + ".\n");
  EXPECT_EQ(shell(std::string(ASSAY_HOST_PROGRAM) + " --find mmx").text, ran.text);
}

// What we recorded ourselves, and what others printed of their parts.
TEST(ShippedRecordings, PassTheModel) {
  std::vector<std::string> arguments{"check"};
  for (const auto& file : fs::directory_iterator(source_dir() + "/tb/vectors/captured"))
    arguments.push_back(file.path().string());
  std::sort(arguments.begin() + 1, arguments.end());
  ASSERT_GE(arguments.size(), 11u);
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
}

}  // namespace
}  // namespace assay
