// The C of datapaths against core at every place. Instructions stand for the forms of the catalogue; the units for what
// else the vocabulary has. With ASSAY_FULL=1 the whole catalogue and 200 datapaths that nobody built.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/base/text.hpp"
#include "model/config/digest.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/source/model_sv.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"
#include "tb/tests/rtl/units.hpp"
#include "tb/tests/source/compiled_c.hpp"
#include "tb/tests/source/drawn.hpp"
#include "tb/tests/source/verilated_sv.hpp"

namespace assay {
namespace {

// The first 20,000 cases where anything undefined ends the program, further ones sooner.
void expect_core(const Named& named, std::uint64_t count) {
  constexpr std::uint64_t watched = 20'000;
  CompiledC compiled(named.plan, c_of(named.plan), scratch());
  ASSERT_EQ(compiled.trouble(), "") << named.name;
  for (std::uint64_t first = 0; first < count; first += at_once) {
    const std::uint64_t some = std::min(at_once, count - first);
    const std::vector<Case> cases = cases_of(named.plan, some, first);
    const Judgement judged = first < watched ? compiled.compare(cases) : compiled.compare_quickly(cases);
    ASSERT_EQ(judged.cases, some) << named.name << ": " << judged.first;
    ASSERT_EQ(judged.same, some) << named.name << ": " << judged.first;
  }
}

// --- in every run ---

class CModel : public testing::TestWithParam<const char*> {};

TEST_P(CModel, EqualsCoreEverywhere) { expect_core(instruction_named(GetParam()), 2000); }

INSTANTIATE_TEST_SUITE_P(Instructions, CModel,
                         testing::Values("hopper:wgmma.m64nNk16.f32.f16.f16", "hopper:wgmma.m64nNk16.f16.f16.f16",
                                         "volta:mma.m8n8k4.f32.f16.f16.f32",
                                         "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3",
                                         "cdna3:v_mfma_f32_16x16x16_f16", "wormhole:mvmul.f16.f16.f16.hifi2",
                                         "power10:pmxvf64gernp", "arm:fdot_fp8fp16.e4m3.e5m2"));

// Some of those that use the words which no instruction has.
TEST(CModelOfUnits, EqualCoreEverywhere) {
  for (std::size_t i = 0; i < further_units().size(); i += 4)
    expect_core({further_units()[i].name, plan_of_unit(further_units()[i])}, 1000);
  for (const Unit& unit : flagged_units()) expect_core({unit.name, plan_of_unit(unit)}, 3000);
}

TEST(CModelOfUnits, RowsEqualCoreEverywhere) {
  for (const Named& named : units_of_rows()) expect_core(named, 2000);
}

TEST(CModelOfUnits, ListsWithoutMinusZeroEqualCoreEverywhere) { expect_core(unit_of_a_list(), 2000); }

TEST(CModelOfUnits, LeavesAnalysersSilent) {
  const std::string right = c_of(plan_of_unit(committed_unit())), is = "  number_t product[";
  EXPECT_EQ(said_by_analysers(right, scratch()), "");
  EXPECT_EQ(said_by_analysers(c_of(units_of_rows()[7].plan), scratch()), "") << "rows";
  const std::string text = replaced(right, is, "  int32_t *none = 0;\n  *none = 1;\n" + is);
  const std::string said = said_by_analysers(text, scratch());
  for (const char* analyser : {"gcc: ", "clang: "}) EXPECT_NE(said.find(analyser), std::string::npos) << said;
}

// Somebody who never saw Assay is to read it from top to bottom, comments and all; docs/export.md has the figure.
TEST(CModelOfUnits, AFusedUnitIsShort) {
  const auto lines = [](const char* name) {
    const std::string text = c_of(instruction_named(name).plan);
    return std::count(text.begin(), text.end(), '\n');
  };
  EXPECT_LE(lines("hopper:wgmma.m64nNk16.f32.f16.f16"), 250);
  EXPECT_LE(lines("ada:mma.m16n8k16.f32.f16.f16.f32"), 254) << "in two steps";
  EXPECT_LE(lines("ampere:mma.m16n8k16.f32.f16.f16.f32"), 254) << "in two steps";
}

// What is compared are bits that the C made: one constant of it changed, the first place where that is seen.
TEST(CModelOfUnits, OneChangedConstantIsSeen) {
  const Plan plan = plan_of_unit(committed_unit());
  const std::string text = c_of(plan);
  const std::vector<Case> cases = cases_of(plan, 3000);
  struct Fault {
    const char *is, *becomes, *seen;
  };
  for (const Fault& fault : {Fault{"field - 15, field - 25", "field - 15, field - 24", "decode.a["},
                             Fault{"a.quantum + b.quantum", "a.quantum + b.quantum + 1", "multiply["},
                             Fault{"larger(largest, -133)", "larger(largest, -132)", "step[0].sum.window"},
                             Fault{"if (exponent > 127)", "if (exponent > 126)", "step[0].sum.round"},
                             Fault{"return 0x7fffffff", "return 0x7ffffffe", "encode"}}) {
    ASSERT_NE(text.find(fault.is), std::string::npos) << fault.is;
    const CompiledC compiled(plan, replaced(text, fault.is, fault.becomes), scratch());
    ASSERT_EQ(compiled.trouble(), "");
    const Judgement judged = compiled.compare(cases);
    EXPECT_LT(judged.same, cases.size()) << fault.becomes;
    EXPECT_NE(judged.first.find(fault.seen), std::string::npos) << fault.becomes << ": " << judged.first;
  }
}

// The same of what is raised: what tells of it left out.
TEST(CModelOfUnits, OneChangedFlagIsSeen) {
  struct Fault {
    std::size_t unit;
    const char *is, *becomes, *seen;
  };
  for (const Fault& fault : {Fault{1, "made.raised = raises_overflow", "made.raised = 0", "flags.overflow"},
                             Fault{1, "if (lost) n.raised = raises_inexact", "if (lost) n.raised = 0", "flags.inexact"},
                             Fault{0, "own = raises_underflow", "own = 0", "flags.underflow"},
                             Fault{0, "is_signalling(n) ? raises_invalid", "is_signalling(n) ? 0U", "flags.invalid"}}) {
    const Plan plan = plan_of_unit(flagged_units()[fault.unit]);
    const std::string text = c_of(plan);
    const std::vector<Case> cases = cases_of(plan, 3000);
    ASSERT_NE(text.find(fault.is), std::string::npos) << fault.is;
    const CompiledC compiled(plan, replaced(text, fault.is, fault.becomes), scratch());
    ASSERT_EQ(compiled.trouble(), "");
    const Judgement judged = compiled.compare(cases);
    EXPECT_LT(judged.same, cases.size()) << fault.becomes;
    EXPECT_NE(judged.first.find(fault.seen), std::string::npos) << fault.becomes << ": " << judged.first;
  }
}

// A word that the C or the package does not know would leave its text as it is: each word of these units that is
// changed by a step changes the text, or no result.
TEST(CModelOfUnits, EveryWordIsWritten) {
  std::size_t written = 0;
  for (const auto* list : {&units(), &further_units()}) {
    for (const Unit& unit : *list) {
      const Plan right = plan_of_unit(unit);
      const std::string text = c_of(right), package = sv_of(right, "unit_pkg");
      const std::vector<Case> cases = cases_of(right, 200);
      for (const Mutation& mutant : mutations(right.datapath, right.k)) {
        const auto planned = plan(mutant.changed, right.k);
        const Plan* changed = std::get_if<Plan>(&planned);
        if (changed == nullptr || why_no_source(*changed) || !are_within(changed->more, right.more)) continue;
        if (c_of(*changed) != text && sv_of(*changed, "unit_pkg") != package) {
          ++written;
          continue;
        }
        Registers registers;
        for (const Case& one : cases)
          ASSERT_EQ(dot(*changed, one.operand(), registers), dot(right, one.operand(), registers))
              << unit.name << ", " << mutant.name << ", " << case_name(one);
      }
    }
  }
  EXPECT_GT(written, 1000U);
}

// No mutant has another word of flags.
TEST(CModelOfUnits, EveryWordOfFlagsIsWritten) {
  const Plan right = plan_of_unit(flagged_units().front());
  const std::string text = c_of(right), package = sv_of(right, "unit_pkg");
  for (const Flags& flags :
       {Flags{FlagsOf::all, Invalid::made, Tiny::after}, Flags{FlagsOf::d, Invalid::nan, Tiny::after},
        Flags{FlagsOf::d, Invalid::made, Tiny::before}, Flags{FlagsOf::d, Invalid::made, Tiny::result}}) {
    Datapath words = right.datapath;
    words.flags = flags;
    const auto planned = plan(words, right.k);
    EXPECT_NE(c_of(std::get<Plan>(planned)), text);
    EXPECT_NE(sv_of(std::get<Plan>(planned), "unit_pkg"), package);
  }
}

// --- once ---

void expect_core_and_tell(const Named& named) {
  expect_core(named, full_cases(20'000));
  tell(named, full_cases(20'000));
}

TEST(CModelOfMany, UnitsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  for (const auto* list : {&units(), &further_units(), &flagged_units()}) {
    for (const Unit& unit : *list) {
      const Named named{unit.name, plan_of_unit(unit)};
      if (!why_no_source(named.plan)) expect_core_and_tell(named);
    }
  }
}

TEST(CModelOfMany, LeaveAnalysersSilent) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Some minutes of one core: with ASSAY_FULL=1.";
  for (const auto* list : {&units(), &further_units(), &flagged_units()}) {
    for (const Unit& unit : *list) {
      const Plan plan = plan_of_unit(unit);
      if (why_no_source(plan)) continue;
      EXPECT_EQ(said_by_analysers(c_of(plan), scratch()), "") << unit.name;
    }
  }
}

TEST(CModelOfMany, WholeCatalogueEqualsCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      const Named named{i.full_name(), catalogue.plan_of(i)};
      const bool is_new = seen.insert(datapath_sha256(named.plan) + std::to_string(named.plan.k)).second;
      if (is_new && seen.size() > already_held()) expect_core_and_tell(named);
    }
  }
  std::printf("%zu datapaths\n", seen.size());
}

TEST(CModelOfMany, RandomDatapathsEqualCoreEverywhere) {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "An hour of one core: with ASSAY_FULL=1.";
  int written = 0, drawn = 0;
  for (std::uint64_t number = 0; written < 200; ++number) {
    for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
      const OwnDatapath own = random_datapath(number, attempt, number % 4 == 0 ? Domain::usual : Domain::farther);
      auto made = plan(own.words, own.k);
      auto* good = std::get_if<Plan>(&made);
      if (good == nullptr) continue;
      ++drawn;
      if (why_no_source(*good)) break;
      ++written;
      if (written > static_cast<int>(already_held()))
        expect_core_and_tell({"random " + std::to_string(number) + "." + std::to_string(attempt), std::move(*good)});
      break;
    }
  }
  std::printf("%d of %d\n", written, drawn);
}

}  // namespace
}  // namespace assay
