// Variants of instructions: found by name, in one order, each with what it changes; and each mistake in a table of
// them.
#include "model/config/variant.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "model/config/home.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

Plan plan_called(const std::string& name) { return catalogue().plan_of(catalogue().instruction(name)); }

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}
std::string refusal(const std::string& name) {
  return message_of([&] { catalogue().instruction(name); });
}

// --- the shipped table ---

TEST(Variants, AreFoundByName) {
  for (const auto& [asked, found] : std::vector<std::pair<std::string, std::string>>{
           {"bfmmla.ebf", "arm:bfmmla.ebf"},
           {"SVE:BFMMLA.EBF.ah.fz", "arm:bfmmla.ebf.ah.fz"},
           {"fmmla_fp8fp32.e4m3.e5m2.osm.s7", "arm:fmmla_fp8fp32.e4m3.e5m2.osm.s7"},
           {"arm:fdot_fp8fp16.e5m2.e5m2.s15", "arm:fdot_fp8fp16.e5m2.e5m2.s15"}}) {
    EXPECT_EQ(catalogue().instruction(asked).full_name(), found);
    EXPECT_EQ(catalogue().named(asked.substr(asked.find(':') + 1)).size(), 1u) << asked;
  }
  EXPECT_EQ(catalogue().instruction("bfmmla.ebf").datapath, "pair_to_odd_flush");
}

TEST(Variants, AreNoRowsOfTheCatalogue) {
  for (const Instruction& i : catalogue().architecture("arm").instructions) {
    EXPECT_TRUE(i.changes.empty()) << i.name;
    EXPECT_EQ(i.name.find(".ebf"), std::string::npos) << i.name;
  }
}

TEST(Variants, ThatCannotBeSayWhatCan) {
  EXPECT_EQ(refusal("smmla.fz"), "arm:smmla has no variants, and so none that is called 'fz'.");
  EXPECT_EQ(
      refusal("fmopa_f32.fzz"),
      "arm:fmopa_f32 has no variant 'fzz'; its variants are ah, fz, fiz, fz16, dn, rp, rm, rz; did you mean 'fz'?");
  EXPECT_EQ(refusal("bfmmla.fz.ah.ebf"), "Variants stand in one order: this one is arm:bfmmla.ebf.ah.fz.");
  EXPECT_EQ(refusal("bfmmla.fz.fz"), "arm:bfmmla takes the variant 'fz' once.");
  EXPECT_EQ(refusal("bfmmla.rp.rz"), "'rp' and 'rz' are both RMode: arm:bfmmla takes one of them.");
  EXPECT_EQ(refusal("fdot_fp8fp16.e5m2.e5m2.s16"), "arm:fdot_fp8fp16.e5m2.e5m2 takes s1 to s15, not 's16'.");
  EXPECT_EQ(refusal("fdot_fp8fp32.e5m2.e5m2.s0"), "arm:fdot_fp8fp32.e5m2.e5m2 takes s1 to s127, not 's0'.");
  EXPECT_EQ(refusal("bfmla.fz").substr(0, 36), "There is no instruction 'bfmla.fz' i");
}

// The four that were rows of their own have the digests that they had.
TEST(Variants, HaveTheirDatapathsDigests) {
  const auto digest = [](const std::string& name) { return datapath_sha256(plan_called(name)).substr(0, 16); };
  EXPECT_EQ(digest("arm:bfmmla.ebf"), "d76b23db160c9b1f");
  EXPECT_EQ(digest("arm:bfdot.ebf"), "3bbf781ed0bdf4d5");
  EXPECT_EQ(digest("arm:bfmopa_bf16f32.ebf"), "3bbf781ed0bdf4d5");
  EXPECT_EQ(digest("arm:bfmops_bf16f32.ebf"), "ba032c72164eafd1");
}

TEST(Variants, ChangeWordsByWhatElseIsAskedFor) {
  const auto sum = [](const std::string& name) { return plan_called(name).datapath.adders.back().results[0]; };
  EXPECT_EQ(sum("fmopa_f32.fz").tiny, Tiny::before);
  EXPECT_EQ(sum("fmopa_f32.ah.fz").tiny, Tiny::after);
  EXPECT_EQ(sum("fmopa_f32.rm").cut, Cut::down);
  EXPECT_EQ(plan_called("fmopa_f32.fz").datapath.subnormals_a, Subnormals::signed_zero);
  EXPECT_EQ(plan_called("fmopa_f32.ah.fz").datapath.subnormals_a, Subnormals::keep);
  EXPECT_EQ(plan_called("fmopa_f32.ah.fz.fiz").datapath.subnormals_a, Subnormals::signed_zero);
  EXPECT_EQ(plan_called("bfmmla.ebf.fiz").datapath.subnormals_acc, Subnormals::signed_zero);
  EXPECT_EQ(plan_called("fdot_fp8fp32.e4m3.e5m2.s7").b.bias, 15 + 7);
}

// No more than its parts.
TEST(Variants, HaveEvidence) {
  const auto evidence = [](const std::string& name) { return catalogue().instruction(name).evidence; };
  EXPECT_EQ(evidence("bfmmla.ebf"), "emulated");
  EXPECT_EQ(evidence("bfmmla.ebf.fz"), "documented");
  EXPECT_EQ(evidence("bfmmla.fz.rz"), "emulated");
  EXPECT_EQ(evidence("fmopa_f32.ah.fz"), "documented");
  EXPECT_EQ(evidence("fmopa_f16.fz16"), "documented");
}

TEST(Variants, AreDescribed) {
  const Architecture& arm = catalogue().architecture("arm");
  const auto text = [&](const std::string& name) {
    const Instruction i = catalogue().instruction(name);
    return describe_variants(arm.variants, {i.full_name(), i.family, i.operands});
  };
  EXPECT_EQ(text("arm:smmla"), "");
  EXPECT_NE(text("arm:fmopa_f32").find("variants      ah    FPCR.AH = 1."), std::string::npos) << text("arm:fmopa_f32");
  EXPECT_NE(text("arm:fmopa_f32").find("\n                    with ah: adders.*.result[0].tiny: after\n"),
            std::string::npos)
      << text("arm:fmopa_f32");
  EXPECT_NE(text("arm:fmopa_f32")
                .find("fz16  FPCR.FZ16 = 1. f16 operands and results are flushed; those of FP8 are "
                      "not\n                    changes nothing here\n"),
            std::string::npos)
      << text("arm:fmopa_f32");
}

// --- tables with mistakes ---

class VariantFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_ / "configs" / "arch");
    std::filesystem::copy(home() + "/configs/datapath", folder_ / "configs" / "datapath");
  }

  Catalogue with(const std::string& variants) const {
    std::ofstream(folder_ / "configs/arch/mine.yaml")
        << "architecture: mine\nabout: A page\naliases: []\nvariants:\n" + variants +
               "families:\n  - name: \"dot.{a}\"\n    for: {a: [f16, bf16]}\n    shape: {m: 1, n: 1, k: 4, blocks: 1}\n"
               "    operands: {a: \"{a}\", b: \"{a}\", c: f32, d: f32}\n    datapath: fused_f25\n    evidence: paper\n";
    return Catalogue(folder_.string());
  }
  // What is said of it behind the name of the file.
  std::string said(const std::string& variants, const std::string& asked = "mine:dot.f16") const {
    const std::string text = message_of([&] {
      const Catalogue read = with(variants);
      read.plan_of(read.instruction(asked));
    });
    return text.substr(std::min(text.size(), (folder_ / "configs/arch/mine.yaml").string().size()));
  }

  static std::string variant(const std::string& name, const std::string& rest) {
    return "  - {name: " + name + ", about: x, of: [\"dot.{a}\"], evidence: paper" + rest + "}\n";
  }

  const Scratch scratch_;
  const std::filesystem::path folder_ = scratch_.path();
};

TEST_F(VariantFiles, ChangeWhatTheySay) {
  const Catalogue read =
      with(variant("narrow", ", changes: [{set: {\"adders.*.add.product.keep\": 20}}]") +
           variant("\"w{n}\"",
                   ", number: [1, 9], changes: [{where: {a: bf16}, set: {adders.sum.add.acc.keep: \"{n} + 3\"}},"
                   " {with: [narrow], set: {adders.sum.window.floor: -7}}]"));
  const auto sum = [&](const std::string& name) { return read.plan_of(read.instruction(name)).datapath.adders[0]; };
  EXPECT_EQ(sum("mine:dot.f16.narrow").add[0].keep, 20);
  EXPECT_EQ(sum("mine:dot.bf16.w4").add[1].keep, 7);
  EXPECT_EQ(sum("mine:dot.f16.w4").add[1].keep, 25);
  EXPECT_EQ(sum("mine:dot.bf16.narrow.w4").window.floor, -7);
  EXPECT_NE(sum("mine:dot.bf16.w4").window.floor, -7);
}

TEST_F(VariantFiles, NameEachMistake) {
  EXPECT_EQ(said(variant("fz", ", colour: red")),
            ":5: variants[0].colour: unknown key; the keys here are name, about, field, number, of, evidence, "
            "evidence_with_others, changes.");
  EXPECT_EQ(said("  - {name: fz, about: x, of: [\"dot.{b}\"], evidence: paper}\n"),
            ":5: variants[0].of[0]: this file has no family 'dot.{b}'; did you mean 'dot.{a}'?");
  EXPECT_EQ(said(variant("F.Z", "")),
            ":5: variants[0].name: found 'F.Z'; a variant is called by a-z, 0-9 and _, and {n} may end its name.");
  EXPECT_EQ(said(variant("fz", "") + variant("fz", "")),
            ":6: variants[1]: the family 'dot.{a}' has a variant 'fz' already.");
  EXPECT_EQ(said(variant("\"s{n}\"", "")),
            ":5: variants[0]: the key 'number' is missing: say [least, greatest] of the n in 's{n}'.");
  EXPECT_EQ(said(variant("fz", ", number: [1, 2]")),
            ":5: variants[0].number: it is [least, greatest] of a variant whose name ends in {n}.");
  EXPECT_EQ(said(variant("fz", ", changes: [{with: [ah], set: {}}]")),
            ":5: variants[0].changes[0].with[0]: this file has no variant 'ah'; did you mean 'fz'?");
  EXPECT_EQ(said(variant("fz", ", changes: [{set: {adders.some.zero: ieee}}]"), "mine:dot.f16.fz"),
            ":5: variants[0].changes[0].set.adders.some.zero: a key of an adder is written adders.NAME.KEY; the names "
            "here are sum; did you mean 'sum'?");
  EXPECT_EQ(said(variant("\"s{n}\"", ", number: [1, 2], changes: [{set: {adders.sum.window.floor: \"{n} - 2\"}}]"),
                 "mine:dot.f16.s1"),
            ":5: variants[0].changes[0].set.adders.sum.window.floor: found '{n} - 2'; {n} and numbers may stand here, "
            "with + between.");
}

TEST_F(VariantFiles, CountInTheDigestOfACatalogue) {
  const std::string without = catalogue_sha256(with(variant("fz", "")));
  EXPECT_NE(catalogue_sha256(with(variant("fz", ", changes: [{set: {nan: 7fc00000}}]"))), without);
}

}  // namespace
}  // namespace assay
