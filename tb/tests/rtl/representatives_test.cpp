// Twelve instructions that stand for the catalogue's fused forms, as RTL: exported, built, and equal to core - on d and
// every place for a thousand cases each, with ASSAY_FULL=1 on d for a million more.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/config/catalogue.hpp"
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/rtl/bench.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 21;

struct Representative {
  const char* module;
  const char* instruction;
};

void PrintTo(const Representative& r, std::ostream* out) { *out << r.instruction; }

constexpr std::uint64_t traced = 1000;

// How many of the `count` cases after the traced ones have the right d.
std::uint64_t right(const Plan& plan, Device& device, std::uint64_t count) {
  const Generator generator(plan, seed);
  Registers registers;
  std::uint64_t same = 0;
  for (std::uint64_t done = 0; done < count;) {
    std::vector<Case> cases;
    for (; done < count && cases.size() < 4096; ++done) cases.push_back(generator.make(traced + done));
    const std::vector<Answer> answers = device.run(cases, false);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      same += answers[i].ok() && answers[i].d == dot(plan, cases[i].operand(), registers) ? 1 : 0;
    }
  }
  return same;
}

class Representatives : public testing::TestWithParam<Representative> {};

TEST_P(Representatives, EqualCoreEverywhere) {
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction(GetParam().instruction));
  const std::string module = GetParam().module;
  const std::filesystem::path folder = scratch_folder();
  write_text(folder / (module + ".sv"), export_sv(plan, module));
  write_text(folder / "dut.yaml", dut_text(folder, module, plan));
  const auto device = start_rtl(read_dut_file((folder / "dut.yaml").string()), plan);
  const Comparison result = compare_with_core(plan, *device, generated_cases(plan, seed, traced));
  EXPECT_EQ(result.cases, traced);
  EXPECT_EQ(result.same, result.cases) << (result.details.empty() ? "" : result.details.front());
  const auto further = static_cast<std::uint64_t>(quick_or_full(0, 1'000'000));
  EXPECT_EQ(right(plan, *device, further), further);
  EXPECT_EQ(device->close(), "");
}

const std::vector<Representative> twelve{
    {"flat_f16", "hopper:wgmma.m64nNk16.f32.f16.f16"},
    {"flat_f16_out", "hopper:wgmma.m64nNk16.f16.f16.f16"},
    {"flat_fp8_f13", "hopper:wgmma.m64nNk32.f32.e4m3.e5m2"},
    {"flat_f23", "volta:mma.m8n8k4.f32.f16.f16.f32"},
    {"chained_bf16", "ampere:mma.m16n8k16.f32.bf16.bf16.f32"},
    {"chained_fp8", "ada:mma.m16n8k32.f32.e4m3.e4m3.f32"},
    {"flat_fp6", "blackwell:tcgen05.mma.m64nNk32.f32.e3m2.e2m3"},
    {"split_fp8", "blackwell:mma.m16n8k32.f32.e4m3.e4m3.f32"},
    {"scaled_fp8", "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0"},
    {"groups_fp4", "rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"},
    {"late_floor", "cdna3:v_mfma_f32_16x16x16_f16"},
    {"even_odd", "cdna3:v_mfma_f32_16x16x32_fp8_bf8"},
};

INSTANTIATE_TEST_SUITE_P(Twelve, Representatives, testing::ValuesIn(twelve),
                         [](const auto& tested) { return std::string(tested.param.module); });

}  // namespace
}  // namespace assay
