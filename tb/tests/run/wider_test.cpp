// What is said of failures that a word or two do not explain: more words, single elements, the unit that was meant.
#include <gtest/gtest.h>

#include "tb/run/comparison.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/tests/run/stub_device.hpp"

namespace assay {
namespace {

class WiderOn : public testing::Test {
 protected:
  // What `compare` says of a unit that gives this.
  std::vector<std::string> said(StubDevice::Change unit, std::uint64_t cases = 3000, std::uint64_t seed = 3) const {
    StubDevice device(subject_.plan, std::move(unit));
    const auto source = generated_cases(Generator(subject_.plan, seed), {seed, "", {{0, cases}}, ""});
    const auto model = model_device(subject_.plan);
    RunOptions options;
    options.explained = Explained::device;
    options.catalogue = &catalogue_;
    return compare(subject_, {"model", *model}, {"", device}, *source, options).explanation;
  }
  std::string first(StubDevice::Change unit) const { return said(std::move(unit)).front(); }

  Plan changed(const std::function<void(Datapath&)>& change) const {
    Datapath d = subject_.plan.datapath;
    change(d);
    return std::get<Plan>(plan(d, subject_.plan.k));
  }
  static Code d_of(const Plan& plan, const Case& c) {
    Registers registers;
    return dot(plan, c.operand(), registers);
  }
  Code misread(const std::function<void(Case&)>& read, Case c) const {
    read(c);
    return d_of(subject_.plan, c);
  }

  const Catalogue catalogue_ = shipped_catalogue();
  const Subject subject_ = subject_of(catalogue_, catalogue_.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_F(WiderOn, FourWordsThatChangedTogether) {
  const Plan unit = changed([](Datapath& d) {
    d.adders[0].add[0].keep = 23;
    d.adders[0].add[0].cut = Cut::down;
    d.adders[0].add[1].keep = 22;
    d.adders[0].results[0].cut = Cut::nearest_even;
  });
  for (const std::uint64_t seed : {1, 2, 3, 4}) {
    const auto gives = [&](const Case& c, Code, const Memory&) { return d_of(unit, c); };
    const std::string line = said(gives, 3000, seed).front();
    EXPECT_TRUE(has(line,
                    " failures agree if adders.sum.add.acc.keep were 22 (it is 25) and "
                    "adders.sum.add.product.cut were down (it is toward_zero) and "
                    "adders.sum.add.product.keep were 23 (it is 25) and "
                    "adders.sum.result[0].cut were nearest_even (it is toward_zero)"))
        << "seed " << seed << ": " << line;
  }
}

TEST_F(WiderOn, ElementsThatAreExchanged) {
  const std::string line = first([&](const Case& c, Code, const Memory&) {
    return misread([](Case& read) { std::swap(read.b[5], read.b[12]); }, c);
  });
  EXPECT_TRUE(has(line, " failures agree if elements 5 and 12 of ")) << line;
}

// Both operands of one element have their subnormals read as zero: in a unit of that element alone two words say so.
TEST_F(WiderOn, AnElementThatAloneDiffers) {
  const auto flushed = [](Code& code) { code = (code & 0x7c00) == 0 ? code & 0x8000 : code; };
  const std::vector<std::string> lines = said([&](const Case& c, Code, const Memory&) {
    return misread([&](Case& read) { flushed(read.a[5]), flushed(read.b[5]); }, c);
  });
  EXPECT_EQ(lines[0].rfind("nearest explanation: element 5 alone is wrong: ", 0), 0u) << lines[0];
  EXPECT_TRUE(has(lines[1], "with all other products zero ")) << lines[1];
  EXPECT_TRUE(has(lines[1], "subnormals.a were ") && has(lines[1], "subnormals.b were ")) << lines[1];
}

// What is wrong in every element is no element's alone, nor is what a few cases show in one place only.
TEST_F(WiderOn, WhatAllElementsHaveIsNoElementsAlone) {
  const std::vector<std::string> lines = said(
      [&](const Case& c, Code right, const Memory&) { return (c.a[3] & 3) == 3 && c.a[9] != 0 ? right ^ 4 : right; });
  for (const std::string& line : lines) EXPECT_FALSE(has(line, "element 3 alone")) << line;
  const std::vector<std::string> all = said([&](const Case& c, Code, const Memory&) {
    return misread(
        [](Case& read) {
          for (Code& code : read.a) code &= ~Code{7};
        },
        c);
  });
  for (const std::string& line : all) EXPECT_FALSE(has(line, "alone is wrong")) << line;
}

// A unit whose results depend on what came before is not asked on.
TEST_F(WiderOn, AUnitThatRemembersHasNoLoneElement) {
  const std::vector<std::string> lines = said([&](const Case& c, Code right, const Memory& memory) {
    return memory.before.empty() || memory.before.back().a[5] == 0 ? right : right ^ (c.a[5] & 1);
  });
  for (const std::string& line : lines) EXPECT_FALSE(has(line, "alone is wrong")) << line;
}

TEST_F(WiderOn, TheInstructionThatWasMeant) {
  const Plan other = catalogue_.plan_of(catalogue_.instruction("ampere:mma.m16n8k16.f32.f16.f16.f32"));
  const std::vector<std::string> lines = said([&](const Case& c, Code, const Memory&) { return d_of(other, c); });
  const auto claim = std::find_if(lines.begin(), lines.end(),
                                  [](const std::string& line) { return has(line, "the unit gives what "); });
  ASSERT_NE(claim, lines.end());
  EXPECT_TRUE(has(*claim, "ampere:mma.m16n8k16.f32.f16.f16.f32")) << *claim;
  EXPECT_TRUE(has(*claim, " right ones agree")) << *claim;
}

}  // namespace
}  // namespace assay
