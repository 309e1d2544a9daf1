// The units of docs/examples/units: each word of mixtures, scales, formats and results, as somebody would use it. The
// core against the second judge; SystemC and RTL are held to the core elsewhere.
#include <gtest/gtest.h>

#include <filesystem>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/example_units.hpp"
#include "tb/tests/equality/judged.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

class ExampleUnits : public testing::TestWithParam<std::string> {};

TEST_P(ExampleUnits, AreRunAsTheirWordsSay) {
  const Plan plan = plan_of(read_datapath_file(GetParam(), shipped_catalogue()));
  EXPECT_EQ(plan.datapath.name, std::filesystem::path(GetParam()).stem());
  const Generator generator(plan, 1);
  Registers registers;
  long places = 0;
  const int cases = quick_or_full(300, 50'000), traced = quick_or_full(20, 2'000);
  for (int i = 0; i < cases; ++i) {
    const auto number = static_cast<std::uint64_t>(i);
    const Case one = i % 3 == 2 ? corner_case(plan, number) : generator.make(number);
    std::string wrong = i < traced ? verdict_on_places(plan, one, registers, places) : "";
    wrong += verdict_on_d(plan, one, registers);
    ASSERT_EQ(wrong, "") << "case " << i << ": " << case_text(plan, one);
  }
  EXPECT_GT(places, 10L * traced);
}

INSTANTIATE_TEST_SUITE_P(Each, ExampleUnits, testing::ValuesIn(example_units(source_dir())),
                         [](const auto& one) { return std::filesystem::path(one.param).stem().string(); });

TEST(ExampleUnitFiles, AreTwentyOrMore) { EXPECT_GE(example_units(source_dir()).size(), 20u); }

}  // namespace
}  // namespace assay
