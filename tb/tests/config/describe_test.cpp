// The text of `describe`, held to recorded text. After a change that is meant, the new text is written by running this
// test with ASSAY_UPDATE_GOLDEN=1.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "model/config/describe.hpp"
#include "model/config/home.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

std::string text_of(const std::string& instruction) {
  const Instruction& i = catalogue().instruction(instruction);
  return describe_instruction(i) + "\n" + describe_plan(catalogue().plan_of(i));
}

void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = source_dir() + "/tb/tests/config/golden/" + name + ".txt";
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) std::ofstream(path) << text;
  std::ifstream in(path);
  std::ostringstream golden;
  golden << in.rdbuf();
  ASSERT_FALSE(golden.str().empty()) << path << " is missing.";
  EXPECT_EQ(text, golden.str());
}

TEST(Describe, DrawsAFusedSum) { expect_golden("wgmma_f16", text_of("hopper:wgmma.m64nNk16.f32.f16.f16")); }
TEST(Describe, DrawsSplitSteps) { expect_golden("split_fp8", text_of("hopper:mma.m16n8k32.f32.e4m3.e4m3.f32")); }
TEST(Describe, DrawsScaledGroups) {
  expect_golden("scaled_groups", text_of("rtx_blackwell:mma.m16n8k64.block16.f32.e2m1.e2m1.f32.ue4m3"));
}
TEST(Describe, DrawsLanesAndAFinish) { expect_golden("two_lanes", text_of("x86:tdpbf16ps")); }
TEST(Describe, DrawsRoundedProductsAndATree) { expect_golden("pairwise", text_of("cdna2:v_mfma_f32_32x32x4f16")); }
TEST(Describe, DrawsIntegers) { expect_golden("integers", text_of("cdna1:v_mfma_i32_32x32x4i8")); }

TEST(Describe, DrawsUnitsThatNobodyBuilt) {
  for (const char* name : {"pair_sum_coarse", "ieee_halves"}) {
    const DatapathFile file = read_datapath_file(home() + "/configs/datapath/" + name + ".yaml", catalogue());
    expect_golden(name, describe_plan(plan_of(file)));
  }
}

TEST(Describe, SaysWhatEachKindOfEvidenceMeans) {
  EXPECT_EQ(evidence_meaning("captured"), "bit-exact on vectors recorded from real parts");
  EXPECT_EQ(evidence_meaning("paper"),
            "bit-exact on a million random inputs by the authors' statement; no vectors published");
  EXPECT_EQ(evidence_meaning("published simulator"),
            "taken from a published simulator; no comparison with the part is known");
  EXPECT_EQ(evidence_meaning("inferred"), "inferred from related instructions");
  EXPECT_EQ(evidence_meaning("documented"), "as the vendor documents it");
}

}  // namespace
}  // namespace assay
