// What a unit that failed computes instead is found from its results: words that changed together, other claims.
#include "tb/identify/failures.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tb/generate/generator.hpp"
#include "tb/tests/identify/boxes.hpp"

namespace assay::identify {
namespace {

const char* const wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

Plan plan_of(const std::string& instruction) { return catalogue().plan_of(catalogue().instruction(instruction)); }

Plan changed(const Plan& right, const std::function<void(Datapath&)>& change) {
  Datapath d = right.datapath;
  change(d);
  return std::get<Plan>(plan(d, right.k));
}

// What `unit` gives for cases of another, as a run would keep it.
SeenResults seen(const Plan& right, const MadeUp::Unit& unit, std::uint64_t cases = 5000) {
  SeenResults results;
  const Generator generator(right, 1);
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case c = generator.make(i);
    const Code d = unit(c, i);
    (d == d_of(right, c) ? results.right : results.wrong).push_back({c, d});
  }
  return results;
}

constexpr std::uint64_t datapaths = 40'000;

TEST(IdentifyFailures, WordsThatChangedTogether) {
  const Plan right = plan_of(wgmma);
  const Plan wrong = changed(right, [](Datapath& d) {
    d.nan = Nan{false, 0x7fc00000};
    d.subnormals_a = Subnormals::zero;
    d.adders[0].add[0].keep = 23;
    d.adders[0].add[0].cut = Cut::down;
    d.adders[0].add[1].keep = 24;
    d.adders[0].results[0].cut = Cut::nearest_even;
  });
  const auto words = words_together(right, same_bits, seen(right, model_of(wrong)), {datapaths});
  ASSERT_TRUE(words);
  const std::vector<std::string> expected{"adders.sum.add.acc.keep were 24 (it is 25)",
                                          "adders.sum.add.product.cut were down (it is toward_zero)",
                                          "adders.sum.add.product.keep were 23 (it is 25)",
                                          "adders.sum.result[0].cut were nearest_even (it is toward_zero)",
                                          "nan were 7fc00000 (it is 7fffffff)",
                                          "subnormals.a were zero (it is keep)"};
  EXPECT_EQ(*words, expected);
}

// Where it stands, of how many bits and how it cuts; the number of the one behind it is another then, its words are
// not.
TEST(IdentifyFailures, AResultThatIsOneMore) {
  const Plan right = plan_of(wgmma);
  const Plan wrong = changed(right, [](Datapath& d) {
    Result more;
    more.at = ResultAt::leading_one;
    more.keep = 13;
    more.cut = Cut::toward_zero;
    d.adders[0].results.insert(d.adders[0].results.begin(), more);
  });
  const auto words = words_together(right, same_bits, seen(right, model_of(wrong)), {datapaths});
  ASSERT_TRUE(words);
  const std::vector<std::string> expected{
      "this were changed: adders.sum.result with one more before result[0], of 13 bits from the leading one, cut "
      "toward_zero"};
  EXPECT_EQ(*words, expected);
}

TEST(IdentifyFailures, WhatNoWordsSayHasNone) {
  const Plan right = plan_of(wgmma);
  const auto unit = [&](const Case& c, std::uint64_t) { return d_of(right, c) ^ (c.a[5] >> 3 & 1); };
  EXPECT_FALSE(words_together(right, same_bits, seen(right, unit, 600), {5000}));
}

TEST(IdentifyFailures, TheUnitThatWasMeant) {
  const Plan right = plan_of(wgmma), other = plan_of("ampere:mma.m16n8k16.f32.f16.f16.f32");
  const OtherClaims claims = other_claims(right, same_bits, seen(right, model_of(other)), catalogue());
  const auto names = [&](const std::string& name) {
    return std::count(claims.instructions.begin(), claims.instructions.end(), name);
  };
  EXPECT_EQ(names("ampere:mma.m16n8k16.f32.f16.f16.f32"), 1);
  EXPECT_EQ(names(wgmma), 0);
}

TEST(IdentifyFailures, ADatapathOfOtherOperands) {
  const Plan right = plan_of(wgmma);
  Datapath words = catalogue().datapath("fused_f23").datapath;
  words.operands = right.datapath.operands;
  const Plan other = std::get<Plan>(plan(words, right.k));
  const OtherClaims claims = other_claims(right, same_bits, seen(right, model_of(other)), catalogue());
  EXPECT_TRUE(claims.instructions.empty());
  EXPECT_EQ(claims.datapaths, std::vector<std::string>{"fused_f23"});
}

}  // namespace
}  // namespace assay::identify
