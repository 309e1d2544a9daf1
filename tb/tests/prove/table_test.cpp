// How far proofs of the units of export-sv's tests come: the table of docs/prove.md, a row of it for each test.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "model/base/error.hpp"
#include "model/base/run_program.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/prove/model_gates.hpp"
#include "tb/prove/prove.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/rtl/bench.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

// Of each unit; ASSAY_PROVE_SECONDS says how many.
int budget() {
  const char* asked = std::getenv("ASSAY_PROVE_SECONDS");
  return asked != nullptr ? std::atoi(asked) : 40;
}

std::string opened(const Proof& proof) {
  std::string text;
  std::size_t more = 0;
  for (const PlaceProof& p : proof.places) {
    if (p.answer == ProofAnswer::proved) continue;
    if (text.size() < 60) {
      text += (text.empty() ? "" : ", ") + p.name;
    } else {
      ++more;
    }
  }
  return more == 0 ? text : text + fmt::format(" and {} more", more);
}

std::string row(const std::string& name, const Proof& proof) {
  const auto proved = std::count_if(proof.places.begin(), proof.places.end() - 1,
                                    [](const PlaceProof& p) { return p.answer == ProofAnswer::proved; });
  return fmt::format("| {:<24} | {:>5} | {:>3} of {:>3} | {:<6} | {:>5.0f} | {} |\n", name, proof.input_bits, proved,
                     proof.places.size() - 1, proof_answer_name(proof.places.back().answer), proof.seconds,
                     opened(proof));
}

class ProvedUnit : public testing::TestWithParam<Unit> {};

// Each is what its blocks say: a place that is called wrong is a fault of the proof or of the unit.
TEST_P(ProvedUnit, IsNowhereCalledWrong) try {
  if (quick_or_full(0, 1) == 0) GTEST_SKIP() << "Up to 40 s each: with ASSAY_FULL=1.";
  if (!said_by({"yosys", "-V"})) GTEST_SKIP() << "yosys reads the RTL of proofs and is not installed here.";
  const Unit& unit = GetParam();
  const Plan plan = plan_of_unit(unit);
  const std::string why_not = why_no_gates(plan) + why_not_exportable(plan).value_or("");
  if (!why_not.empty()) GTEST_SKIP() << unit.name << ": " << why_not;
  const auto folder = scratch_folder();
  write_text(folder / (std::string(unit.name) + ".sv"), export_sv(plan, unit.name));
  write_text(folder / "unit.yaml", dut_text(folder, unit.name, plan, ExportTiming::combinational));
  const Dut dut = read_dut_file((folder / "unit.yaml").string());
  const Proof proof = prove({dut, dut.claims.front()}, plan, {budget(), 2, 4096, false}, nullptr);
  fmt::print("{}", row(unit.name, proof));
  std::fflush(stdout);
  EXPECT_NE(proof.unit, ProofAnswer::refuted);
  EXPECT_EQ(proof.hidden, 0U);
} catch (const Error& error) {
  FAIL() << error.message;
}

const auto name_of_unit = [](const auto& unit) { return std::string(unit.param.name); };
INSTANTIATE_TEST_SUITE_P(Units, ProvedUnit, testing::ValuesIn(units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FurtherUnits, ProvedUnit, testing::ValuesIn(further_units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(FlaggedUnits, ProvedUnit, testing::ValuesIn(flagged_units()), name_of_unit);
INSTANTIATE_TEST_SUITE_P(CommittedUnit, ProvedUnit, testing::Values(committed_unit()), name_of_unit);

}  // namespace
}  // namespace assay
