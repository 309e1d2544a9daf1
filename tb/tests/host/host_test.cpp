// This machine's own silicon holds the model, where the machine has any; and what is said where it has none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "model/config/catalogue.hpp"
#include "tb/devices/host/kernels.hpp"
#include "tb/devices/host/units.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/devices/process.hpp"
#include "tb/generate/generator.hpp"
#include "tb/scoreboard/scoreboard.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/equality/effort.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

struct ShellRan {
  int status = 0;
  std::string text;
};

// A command line in a shell, with what it writes on both streams.
ShellRan shell(const std::string& command) {
  ShellRan ran;
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  char piece[4096];
  while (const std::size_t n = std::fread(piece, 1, sizeof piece, pipe)) ran.text.append(piece, n);
  ran.status = WEXITSTATUS(pclose(pipe));
  return ran;
}

class Silicon : public testing::TestWithParam<HostUnit> {};

// 30,000 cases an instruction; a million of each family in full.
TEST_P(Silicon, EqualsTheModel) {
  const HostUnit& unit = GetParam();
  if (const auto reason = why_absent(unit)) {
    std::cout << "NOTHING WAS COMPARED: " << *reason << "\n";
    GTEST_SKIP() << *reason;
  }
  const Catalogue catalogue = shipped_catalogue();
  for (const HostInstruction& i : unit.instructions) {
    const Instruction& instruction = catalogue.instruction(std::string(i.name));
    const Plan plan = catalogue.plan_of(instruction);
    ASSERT_EQ(plan.k, i.k) << i.name;
    VectorHeader header;
    header.architecture = instruction.architecture;
    header.instruction = instruction.name;
    const auto device = process_device(plan, header, {{ASSAY_HOST_PROGRAM, std::string(unit.name)}, "unit"});
    const auto model = model_device(plan);
    Scoreboard scoreboard(plan, usual_nan_rule(plan));
    const Generator generator(plan, 7);
    const auto families = static_cast<int>(generator.families().size());
    const auto count = static_cast<std::uint64_t>(quick_or_full(30'000, 1'000'000 * families));
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
  }
}

TEST_P(Silicon, IsCalledByItsNameOrItsAbsenceIsExplained) {
  const HostUnit& unit = GetParam();
  const ShellRan ran =
      shell(std::string(ASSAY_PROGRAM) + " compare --device host:" + std::string(unit.name) + " --cases 500");
  if (const auto reason = why_absent(unit)) {
    EXPECT_EQ(ran.status, cannot_here) << ran.text;
    EXPECT_EQ(ran.text, "assay: " + *reason + "\n");
  } else {
    EXPECT_EQ(ran.status, passed) << ran.text;
    EXPECT_NE(ran.text.find(std::string(unit.instructions.front().name) + ": host:"), std::string::npos) << ran.text;
  }
}

INSTANTIATE_TEST_SUITE_P(Units, Silicon, testing::ValuesIn(host_units()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(HostUnit, OfNoSuchNameIsRefusedWithTheNamesThereAre) {
  const Ran ran = run({"compare", "--device", "host:mmx"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(ran.err,
            "assay: 'host:mmx' is none of the units that a processor may have: amx_bf16, amx_fp16, amx_int8, "
            "avx512_bf16.\n");
}

TEST(HostUnit, ThatIsNotAnnouncedIsAbsentWithTheReason) {
  const HostUnit none{"none", "Processors of tomorrow", [] { return false; }, {}};
  const auto reason = why_absent(none);
  ASSERT_TRUE(reason);
  EXPECT_EQ(*reason, "This machine has no unit none: its processor, " + processor_name() +
                         ", does not announce it; Processors of tomorrow have it.");
}

// What CPUID announces and the machine does not execute ends a child, not the asking process.
TEST(HostUnit, ThatIsAnnouncedButFaultsIsAbsentWithTheReason) {
  const auto fault = [](const std::uint64_t*, const std::uint64_t*, std::uint64_t) -> std::uint64_t { std::abort(); };
  const HostUnit broken{"broken", "Processors of tomorrow", [] { return true; }, {{"x", 2, fault}}};
  const auto reason = why_absent(broken);
  ASSERT_TRUE(reason);
  EXPECT_NE(reason->find("does not execute it (a virtual machine may hide it)"), std::string::npos) << *reason;
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
  EXPECT_EQ(ran.text, "assay-host takes one of the units amx_bf16, amx_fp16, amx_int8, avx512_bf16.\n");
}

// What we recorded ourselves, and what others printed of their parts.
TEST(ShippedRecordings, PassTheModel) {
  std::vector<std::string> arguments{"check"};
  for (const auto& file : fs::directory_iterator(ASSAY_CAPTURED)) arguments.push_back(file.path().string());
  std::sort(arguments.begin() + 1, arguments.end());
  ASSERT_GE(arguments.size(), 5u);
  const Ran ran = run(arguments);
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
}

}  // namespace
}  // namespace assay
