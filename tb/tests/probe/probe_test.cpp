// Probing finds from the outside what the datapaths say from the inside, what others printed of a part, and a width
// that is wrong.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

using nlohmann::json;

Ran probe(const std::string& instruction, const std::string& device = "model") {
  return run({"probe", "--device", device, "--instruction", instruction, "--json"});
}

struct Expected {
  const char* instruction;
  const char* tree;
  int product_bits, c_bits, d_bits;
  const char *one_in_c, *fraction_in_c, *in_products;  // rounding
};

class Probe : public testing::TestWithParam<Expected> {};

TEST_P(Probe, FindsTheDatapath) {
  const Expected& e = GetParam();
  const Ran ran = run({"probe", "--device", "model", "--instruction", e.instruction});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  std::string tree = ran.out.substr(0, ran.out.find("loses a 2^-"));
  for (std::size_t at = tree.find("\n    "); at != std::string::npos; at = tree.find("\n    ")) {
    tree.erase(at, tree.find_first_not_of(" \n", at) - at - 1);
  }
  EXPECT_NE(tree.find(std::string("summation tree              ") + e.tree), std::string::npos) << ran.out;
  const json j = json::parse(probe(e.instruction).out);
  EXPECT_EQ(j["fraction_bits"]["least_product"]["bits"], e.product_bits);
  EXPECT_EQ(j["fraction_bits"]["greatest_product"]["bits"], e.product_bits);
  EXPECT_EQ(j["fraction_bits"]["c"]["bits"], e.c_bits);
  EXPECT_EQ(j["fraction_bits"]["d"]["bits"], e.d_bits);
  EXPECT_EQ(j["rounding"]["c + p0"]["mode"], e.one_in_c);
  EXPECT_EQ(j["rounding"]["p0 + c"]["mode"], e.fraction_in_c);
  EXPECT_EQ(j["rounding"]["p0 + p1"]["mode"], e.in_products);
  EXPECT_EQ(j["differences"], 0);
}

const char* const rne = "nearest, ties to even";
const char* const rz = "toward zero";
const char* const none = "no single mode";

INSTANTIATE_TEST_SUITE_P(
    Instructions, Probe,
    testing::Values(
        Expected{"volta:mma.m8n8k4.f32.f16.f16.f32", "(c + p0..p3)", 23, 23, 23, rz, rz, rz},
        Expected{"ada:mma.m16n8k16.f16.f16.f16.f16", "((c + p0..p7) + p8..p15)", 24, 24, 10, rne, rne, rne},
        Expected{"hopper:wgmma.m64nNk16.f32.bf16.bf16", "(c + p0..p15)", 25, 25, 23, rz, rz, rz},
        Expected{"hopper:wgmma.m64nNk32.f32.e4m3.e4m3", "(c + p0..p31)", 13, 13, 13, rz, rz, rz},
        Expected{"hopper:mma.m16n8k32.f32.e4m3.e4m3.f32",
                 "(c + ((p0 + p1 + p4 + p5 + p8 + p9 + p12 + p13 + p16 + p17 + p20 + p21 + p24 + p25 + p28 + p29) + "
                 "p2 + p3 + p6 + p7 + p10 + p11 + p14 + p15 + p18 + p19 + p22 + p23 + p26 + p27 + p30 + p31))",
                 25, 23, 23, rne, rne, rz},
        Expected{"hopper:mma.m8n8k4.f64.f64.f64.f64", "((((c + p0) + p1) + p2) + p3)", 52, 52, 52, rne, rne, rne},
        Expected{"rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0", "(c + p0..p31)", 25, 25, 23, rz, rz, rz},
        Expected{"cdna2:v_mfma_f32_32x32x8f16", "((c + ((p0 + p1) + (p2 + p3))) + ((p4 + p5) + (p6 + p7)))", 23, 23, 23,
                 rne, rne, rne},
        Expected{"cdna3:v_mfma_f32_32x32x8_f16", "(c + p0..p7)", 24, 24, 23, rne, none, rz},
        Expected{"x86:vdpbf16ps", "((c + p1) + p0)", 23, 23, 23, rne, rne, rne}),
    [](const auto& tested) {
      std::string name = tested.param.instruction;
      std::replace_if(
          name.begin(), name.end(), [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
      return name;
    });

TEST(Probing, ExactSumsLoseNothing) {
  const json j = json::parse(probe("cdna1:v_mfma_f32_32x32x8f16").out);
  EXPECT_EQ(j["tree"]["exact"], true);
  EXPECT_EQ(j["fraction_bits"]["c"]["at_least"], true);
  EXPECT_EQ(j["terms_a_step"], 4);
}

TEST(Probing, SeesWhatIsFlushedAndWhatIsKept) {
  const auto answers = [](const std::string& instruction) {
    std::map<std::string, std::string> found;
    const json j = json::parse(probe(instruction).out);
    for (const json& f : j["features"])
      found[f["group"].get<std::string>() + ", " + f["question"].get<std::string>()] = f["answer"];
    return found;
  };
  auto kept = answers("cdna1:v_mfma_f32_32x32x4bf16"), flushed = answers("cdna2:v_mfma_f32_32x32x4bf16");
  for (const char* where : {"as an element of a", "as an element of b", "as c", "as a product", "as a sum"}) {
    EXPECT_EQ(kept[std::string("subnormals, ") + where], "kept") << where;
    EXPECT_EQ(flushed[std::string("subnormals, ") + where], "taken as zero") << where;
  }
  auto fused = answers("ampere:mma.m16n8k8.f32.f16.f16.f32"), chain = answers("ampere:mma.m8n8k4.f64.f64.f64.f64");
  EXPECT_EQ(fused["zero, -0 and products that are all -0"], "+0");
  EXPECT_EQ(chain["zero, -0 and products that are all -0"], "-0");
  EXPECT_EQ(fused["sums, c = 1 - u/2 and then c = 1, with the same small products"], "d falls: not monotone");
  EXPECT_EQ(fused["sums, normalised"], "after the sum");
  EXPECT_EQ(fused["special values, 0 x inf"], "NaN");
  // Products of 2^128 are infinite on one part, and ordinary on another.
  const std::string product = "overflow, of a product: 2^128 in a product, and its half taken off in c";
  EXPECT_EQ(answers("cdna3:v_mfma_f32_32x32x8_bf16")[product], "becomes infinity");
  EXPECT_EQ(answers("hopper:wgmma.m64nNk16.f32.bf16.bf16")[product], "held");
}

// Line by line: 22 results with f32 output and 4 with f16, as the author of the write-up printed them.
TEST(Probing, AgreesWithTheResultsPrintedOfAPart) {
  for (const auto& [instruction, lines] :
       {std::pair{"ada:mma.m16n8k16.f32.f16.f16.f32", 22}, std::pair{"ada:mma.m16n8k16.f16.f16.f16.f16", 4}}) {
    const json j = json::parse(probe(instruction).out);
    int printed = 0;
    for (const json& check : j["checks"]) {
      if (check["printed"].is_null()) continue;
      ++printed;
      EXPECT_EQ(check["printed"], check["d"]) << check["name"];
    }
    EXPECT_EQ(printed, lines) << instruction;
  }
}

TEST(Probing, MarksWhatDiffersFromWhatIsPublished) {
  const Scratch folder;
  const std::string file = folder.file("narrow.yaml", "name: narrow\nlike: fused_f23\n");
  const Ran ran = run({"probe", "--device", "model:" + file, "--instruction", "ada:mma.m16n8k16.f32.f16.f16.f32"});
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("fraction bits, of products  23                              published 24  DIFFERS"),
            std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("DIFFERS: printed 33800000"), std::string::npos) << ran.out;  // the extra bits of alignment
}

// That it has at least 58 bits is enough to say that it has not 24.
TEST(Probing, AWidthWithoutAnEndDiffersFromANarrowerOne) {
  const Scratch folder;
  const std::string file = folder.file("exact.yaml",
                                       "name: exact\nspecials: step\nadders: [{name: sum, add: {product: exact, acc: "
                                       "exact}, result: [{format: d, cut: nearest_even}]}]\n");
  const Ran ran = run({"probe", "--device", "model:" + file, "--instruction", "ada:mma.m16n8k16.f32.f16.f16.f32"});
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find("published 24  DIFFERS"), std::string::npos) << ran.out;
}

TEST(Probing, RefusesIntegers) {
  const Ran ran = run({"probe", "--device", "model", "--instruction", "x86:tdpbssd"});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_EQ(
      ran.err,
      "assay: x86:tdpbssd adds integers, exactly and modulo its width: there is no rounding to ask about. Probe an "
      "instruction with a floating-point result.\n");
}

TEST(Probing, AsksTheProductsThatASparseFormHasOn) {
  const Ran ran = run({"probe", "--device", "model", "--instruction", "ada:mma.sp.m16n8k16.f32.f16.f16.f32"});
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("mask                        1100 of each 4 products, in all questions\n"), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.out.find("summation tree              (c + p0 + p1 + p4 + p5 + p8 + p9 + p12 + p13)\n"),
            std::string::npos)
      << ran.out;
  EXPECT_EQ(run({"probe", "--device", "model", "--instruction", "power10:pmxvf16ger2pp"}).status, passed);
}

TEST(Probing, EndsWithADeviceThatGivesNoAnswer) {
  const Ran ran = run({"probe", "--device", "exec:false", "--instruction", wgmma});
  EXPECT_NE(ran.status, passed);
  EXPECT_NE(ran.err, "");
}

TEST(Probing, WritesTheTree) {
  const Scratch folder;
  const std::string svg = folder / "tree.svg", dot = folder / "tree.dot";
  const Ran ran = run({"probe", "--device", "model", "--instruction", wgmma, "--svg", svg, "--dot", dot});
  EXPECT_EQ(ran.status, passed) << ran.err;
  std::string first;
  std::getline(std::ifstream(svg), first);
  EXPECT_EQ(first.rfind("<svg", 0), 0u);
  std::getline(std::ifstream(dot), first);
  EXPECT_EQ(first, "digraph sum {");
}

// Nothing that a probe asks goes wrong on any instruction.
TEST(Probing, AgreesWithWhatIsPublishedOfEveryInstruction) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  int probed = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      const Plan plan = catalogue.plan_of(i);
      const std::string key = i.datapath + plan.a.name + plan.b.name + plan.c.name + plan.d.name +
                              std::to_string(plan.k) + (i.operands.mask ? "masked" : "");
      const bool more_passes = plan.pieces > 2 && plan.datapath.slices.run == SliceRun::passes;  // of what one shows
      if (plan.d.is_integer() || more_passes || !seen.insert(key).second) continue;
      const Ran ran = probe(i.full_name());
      EXPECT_EQ(ran.status, passed) << i.full_name() << "\n" << ran.err << ran.out;
      ++probed;
    }
  }
  EXPECT_GT(probed, 50);
}

}  // namespace
}  // namespace assay
