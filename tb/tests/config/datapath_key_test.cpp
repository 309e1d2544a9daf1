// One key of a datapath set to another value: that key changes and nothing else; what cannot be is refused by line.
#include <gtest/gtest.h>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_key.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

class DatapathKey : public testing::Test {
 protected:
  const Catalogue catalogue_{source_dir()};

  // The datapath with `path` set to `value`, which stands on line 3 of a file.
  Datapath with(const std::string& name, const std::string& path, const std::string& value) const {
    const YamlValue top = read_yaml_text("study: x\n\nvalue: " + value + "\n", "study.yaml");
    return with_key(catalogue_.datapath(name), path, top.at("value")).datapath;
  }

  std::string refused(const std::string& path, const std::string& value, const std::string& name = "fused_f25") const {
    try {
      with(name, path, value);
    } catch (const Error& e) {
      return e.message;
    }
    return "not refused";
  }
};

TEST_F(DatapathKey, OfOneInputLeavesTheOthers) {
  const Datapath d = with("fused_f25", "adders.sum.add.product.keep", "13");
  ASSERT_EQ(d.adders[0].add.size(), 2u);
  EXPECT_EQ(d.adders[0].add[0].keep, 13);
  EXPECT_EQ(d.adders[0].add[1].keep, 25);
  EXPECT_EQ(d.adders[0].results.size(), 1u);
  EXPECT_EQ(d.adders[0].window.floor, -133);
}

TEST_F(DatapathKey, OfOneResultLeavesTheOthers) {
  const Datapath d = with("late_floor_f24_step8", "adders.sum.result[0].cut", "toward_zero");
  ASSERT_EQ(d.adders[1].results.size(), 2u);
  EXPECT_EQ(d.adders[1].results[0].cut, Cut::toward_zero);
  EXPECT_EQ(d.adders[1].results[0].keep, 31);
  EXPECT_EQ(d.adders[1].results[0].least_exponent, -126);
  EXPECT_EQ(d.adders[1].results[1].format, "f32");
  EXPECT_EQ(d.adders[1].results[1].cut, Cut::nearest_even);
  EXPECT_EQ(d.adders[1].add.size(), 2u);
}

TEST_F(DatapathKey, ReachesEveryPart) {
  EXPECT_EQ(with("fused_f25", "k_order.step.terms", "4").step.terms, 4);
  EXPECT_EQ(with("fused_f25", "subnormals.a", "zero").subnormals_a, Subnormals::zero);
  EXPECT_EQ(with("fused_f25", "operands.d", "f16").operands.d, "f16");
  EXPECT_EQ(with("fused_f25", "adders.sum.add.product", "exact").adders[0].add[0].keep, std::nullopt);
  EXPECT_EQ(with("fused_f25", "adders.sum.window.step", "4").adders[0].window.step, 4);
  EXPECT_EQ(with("pairwise_flush_step4", "product.round.subnormals", "keep").product.round->subnormals,
            Subnormals::keep);
  EXPECT_EQ(with("pairwise_flush_step4", "product.round.subnormals", "keep").product.round->format, "f32");
  EXPECT_EQ(with("split_f25", "finish.late.zero", "positive").finish[0].zero, ZeroSign::positive);
  EXPECT_EQ(with("fused_f25", "adders.sum.result", "[{format: f16, cut: nearest_even}]").adders[0].results[0].format,
            "f16");
}

TEST_F(DatapathKey, WhatCannotBeIsRefusedByLine) {
  EXPECT_NE(refused("adders.sum.add.product.keep", "400").find("study.yaml:3: adders[0].add.product.keep: a whole"),
            std::string::npos);
  EXPECT_EQ(refused("adders.dot.keep", "4"),
            "study.yaml:3: value: a key of an adder is written adders.NAME.KEY; the names here are sum.");
  EXPECT_EQ(refused("finish.dot.keep", "4"),
            "study.yaml:3: value: a key of an adder is written finish.NAME.KEY; the names here are none.");
  EXPECT_EQ(refused("adders.sum.add.pairs.keep", "4"), "study.yaml:3: value: the adder 'sum' does not add 'pairs'.");
  EXPECT_EQ(refused("adders.sum.result[1].cut", "down"),
            "study.yaml:3: value: the adder 'sum' has 1 results; a key of the first one is written "
            "adders.sum.result[0].cut.");
  EXPECT_EQ(refused("name", "x"), "study.yaml:3: value: 'name' is no key of the arithmetic.");
  EXPECT_EQ(refused("adders.\"", "x"),
            "study.yaml:3: value: a path of keys such as adders.sum.add.product.keep is needed, found 'adders.\"'.");
  EXPECT_NE(refused("adders.sum.windwo.step", "4").find("unknown key"), std::string::npos);
  EXPECT_NE(refused("subnormal.a", "zero").find("did you mean 'subnormals'?"), std::string::npos);
}

TEST_F(DatapathKey, OfAnyAdderIsCalledByItsPlaceInTheDatapath) {
  EXPECT_EQ(refused("adders.sum.add.acc.keep", "101", "late_floor_f24_step8"),
            "study.yaml:3: adders[1].add.acc.keep: a whole number from 0 to 100 is needed here, found '101'.");
  EXPECT_EQ(refused("finish.late.result[3].cut", "down", "split_f25"),
            "study.yaml:3: value: the adder 'late' has 1 results; a key of the first one is written "
            "finish.late.result[0].cut.");
  EXPECT_EQ(refused("adders.sum.result.cut", "down"),
            "study.yaml:3: value: the adder 'sum' has 1 results; a key of the first one is written "
            "adders.sum.result[0].cut.");
}

TEST_F(DatapathKey, WithinOneValueThereIsNone) {
  EXPECT_EQ(refused("specials.a", "step"), "study.yaml:3: specials: there is no key 'a' within this; it is one value.");
  EXPECT_EQ(refused("adders.sum.add.product.keep.more", "1"),
            "study.yaml:3: adders[0].add.product.keep: there is no key 'more' within this; it is one value.");
}

// What plan() finds wrong is the study's line where the study set it, and the file's where it did not.
TEST_F(DatapathKey, IsNamedByLineWhenItCannotBePlanned) {
  const YamlValue value = read_yaml_text("study: x\n\nvalue: f17\n", "study.yaml").at("value");
  DatapathFile file = catalogue_.datapath("late_floor_f24_step8");
  file.datapath.operands = {"f16", "f16", "f32", "f32", "", 0};
  file.k = 16;
  const auto message = [&](const std::string& path) -> std::string {
    try {
      plan_of(with_key(file, path, value));
    } catch (const Error& e) {
      return e.message;
    }
    return "";
  };
  EXPECT_EQ(message("adders.sum.result[1].format").find("study.yaml:3: adders[1].result[1].format is 'f17'"), 0U);
  EXPECT_EQ(message("operands.d").find("study.yaml:3: operands.d is 'f17'"), 0U);
}

TEST_F(DatapathKey, TakesANumberThatNeverWasText) {
  const YamlValue range = read_yaml_text("values: 8..35\n", "study.yaml").at("values");
  const DatapathFile file = catalogue_.datapath("fused_f25");
  EXPECT_EQ(with_key(file, "adders.sum.add.product.keep", range.with_number(12)).datapath.adders[0].add[0].keep, 12);
  EXPECT_EQ(range.with_number(-7).text(), "-7");
  try {
    with_key(file, "adders.sum.add.product.keep", range.with_number(101));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.message,
              "study.yaml:1: adders[0].add.product.keep: a whole number from 0 to 100 is needed here, found '101'.");
  }
}

}  // namespace
}  // namespace assay
