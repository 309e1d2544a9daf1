// Where integers and floats meet, integers have bits after the point, or a result says more of what it cannot hold,
// there is no kernel but core.
#include <gtest/gtest.h>

#include <functional>

#include "model/config/catalogue.hpp"
#include "model/core/dot.hpp"
#include "model/fast/kernel.hpp"
#include "tb/generate/generator.hpp"

namespace assay {
namespace {

Datapath fused(const std::function<void(Datapath&)>& change) {
  static const Catalogue catalogue = shipped_catalogue();
  Datapath words = catalogue.datapath("fused_f25").datapath;
  words.operands = {"f16", "f16", "f32", "f32", "", 0};
  change(words);
  return words;
}

Result& last(Datapath& words) { return words.adders.back().results.back(); }

TEST(Beyond, IsLeftToCore) {
  const Plan plain = std::get<Plan>(plan(fused([](Datapath&) {}), 16));
  EXPECT_NE(Kernel(plain).path(), "core");
  const std::vector<std::function<void(Datapath&)>> changes{
      [](Datapath& d) { d.operands.b = "i8"; },
      [](Datapath& d) { d.operands.a = "i8"; },
      [](Datapath& d) { d.operands.c = "i32"; },
      [](Datapath& d) { last(d).overflow = Overflow::nan; },
      [](Datapath& d) { last(d).overflow = Overflow::directed; },
      [](Datapath& d) { last(d).infinity = OfInfinity::largest; },
      [](Datapath& d) { last(d).nan = OfNan::zero; },
      [](Datapath& d) {
        d.nan = Nan{false, 0, true};
      },
  };
  for (std::size_t change = 0; change < changes.size(); ++change) {
    const Plan changed = std::get<Plan>(plan(fused(changes[change]), 16));
    const Kernel kernel(changed);
    EXPECT_EQ(kernel.path(), "core") << "change " << change;
    const Generator generator(changed, 1);
    Registers registers;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const Case one = generator.make(i);
      const Operand operand = one.operand();
      Code d = 0;
      kernel.batch(&operand, 1, &d, 1);
      ASSERT_EQ(d, dot(changed, operand, registers)) << "change " << change << ", case " << i;
    }
  }
}

// The kernel of integers adds codes as they are.
TEST(Beyond, IntegersWithAPointAreLeftToCore) {
  const auto wrapping = [](const std::string& a) {
    Datapath words = shipped_catalogue().datapath("integer").datapath;
    words.operands = {a, "i8", "i32", "i32", "", 0};
    return words;
  };
  const Plan whole = std::get<Plan>(plan(wrapping("i8"), 16));
  EXPECT_NE(Kernel(whole).path(), "core");
  const Plan with_point = std::get<Plan>(plan(wrapping("mxint8"), 16));
  EXPECT_EQ(Kernel(with_point).path(), "core");
}

// Products of a step that reach 2^31 by themselves could stop there and come back.
TEST(Beyond, LongStepsOfIntegersThatStopAreLeftToCore) {
  const auto path = [](const std::string& format, int k) {
    Datapath words = shipped_catalogue().datapath("integer_saturating").datapath;
    words.operands = {format, format, "i32", "i32", "", 0};
    return Kernel(std::get<Plan>(plan(words, k))).path();
  };
  EXPECT_EQ(path("i8", 32), "integers");
  EXPECT_EQ(path("i16", 2), "core");
  EXPECT_EQ(path("u8", 64), "integers");
}

}  // namespace
}  // namespace assay
