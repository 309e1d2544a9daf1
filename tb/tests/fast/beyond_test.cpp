// Where integers and floats meet or integers have bits after the point there is no kernel but core. What a result says
// of numbers that it cannot hold, 64-bit lanes know.
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

struct Change {
  const char* path;
  std::function<void(Datapath&)> make;
};

// By a kernel of this path, one case at a time.
void expect_cores_results(const Plan& plan, const std::string& path) {
  const Kernel kernel(plan);
  EXPECT_EQ(kernel.path(), path);
  const Generator generator(plan, 1);
  Registers registers;
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Case one = generator.make(i);
    const Operand operand = one.operand();
    Code d = 0;
    kernel.batch(&operand, 1, &d, 1);
    ASSERT_EQ(d, dot(plan, operand, registers)) << "case " << i;
  }
}

TEST(Beyond, IsLeftToCoreOr64BitLanes) {
  const Plan plain = std::get<Plan>(plan(fused([](Datapath&) {}), 16));
  EXPECT_EQ(Kernel(plain).path(), "32-bit lanes");
  const std::vector<Change> changes{
      {"core", [](Datapath& d) { d.operands.b = "i8"; }},
      {"core", [](Datapath& d) { d.operands.a = "i8"; }},
      {"core", [](Datapath& d) { d.operands.c = "i32"; }},
      {"64-bit lanes", [](Datapath& d) { last(d).overflow = Overflow::nan; }},
      {"64-bit lanes", [](Datapath& d) { last(d).overflow = Overflow::directed; }},
      {"64-bit lanes", [](Datapath& d) { last(d).infinity = OfInfinity::largest; }},
      {"64-bit lanes", [](Datapath& d) { last(d).nan = OfNan::zero; }},
      {"64-bit lanes",
       [](Datapath& d) {
         d.nan = Nan{false, 0, true};
       }},
  };
  for (std::size_t change = 0; change < changes.size(); ++change) {
    const Plan changed = std::get<Plan>(plan(fused(changes[change].make), 16));
    SCOPED_TRACE("change " + std::to_string(change));
    ASSERT_NO_FATAL_FAILURE(expect_cores_results(changed, changes[change].path));
  }
}

// A sum that loses nothing stands on a fixed grid, and its window says only whether it is lost.
TEST(Beyond, ALostWindowLeavesNothingOfAnExactSumEither) {
  const auto words_of = [](ZeroSign zero, Cancelled cancelled, int lost_at) {
    return fused([&](Datapath& d) {
      Adder pairs = d.adders.front(), sum = pairs;
      pairs.name = "pairs";
      pairs.add.resize(1);
      pairs.results = {last(d)};
      pairs.results.front().cut = Cut::nearest_even;
      pairs.results.front().format = "f32";
      sum.add.front().source = "pairs";
      for (Input& input : sum.add) input.keep.reset();
      sum.zero = zero;
      sum.cancelled = cancelled;
      sum.window.floor.reset();
      sum.window.lost_at = lost_at;
      d.adders = {pairs, sum};
    });
  };
  for (const ZeroSign zero : {ZeroSign::positive, ZeroSign::ieee}) {
    for (const Cancelled cancelled : {Cancelled::window, Cancelled::none}) {
      for (const int lost_at : {-100, -33, -3, 5}) {
        const Plan lost = std::get<Plan>(plan(words_of(zero, cancelled, lost_at), 4));
        SCOPED_TRACE("lost at " + std::to_string(lost_at));
        ASSERT_NO_FATAL_FAILURE(expect_cores_results(lost, "64-bit lanes"));
      }
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
