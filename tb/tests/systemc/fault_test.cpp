// Faults planted in the modules are seen, where they are.
#include <gtest/gtest.h>

#include "model/systemc/simulation.hpp"
#include "tb/tests/systemc/cases.hpp"
#include "tb/tests/systemc/plans.hpp"

namespace assay::testing {
namespace {

// The first place where two traces differ; nothing where they are the same. The Plans have the same places.
std::string first_difference(const Trace& x, const Trace& y) {
  const PlaceTable& places = x.plan().places;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!x.same(static_cast<int>(i), y)) return places[i].name;
  }
  return {};
}

systemc::Codes one_and(Code last_a, Code last_b) {
  std::vector<Code> a(16, 0), b(16, 0);
  a[0] = b[0] = 0x3c00;  // 1 x 1
  a[5] = last_a;
  b[5] = last_b;
  return {systemc::Lines<Code>(a), systemc::Lines<Code>(b), 0, {}, {}};
}

Trace trace_of(const Plan& plan, const systemc::Codes& codes) {
  Trace trace(plan);
  Registers registers;
  dot(plan, operand(codes), registers, &trace);
  return trace;
}

// Modules that keep one fraction bit of a product less than they should. acc still keeps 25, so all widths stay.
Plan one_bit_less() {
  Datapath words = fused_f25();
  words.adders.front().add.front().keep = 24;
  return planned(words, 16);
}

TEST(Fault, OneFractionBitLessIsSeenInTheAlignmentShifter) {
  const Plan right = planned(fused_f25(), 16);
  const Plan wrong = one_bit_less();
  ASSERT_EQ(right.places.words(), wrong.places.words());
  const systemc::Codes kept = one_and(0x0001, 0x3c00);        // 1 + 2^-24: within both
  const systemc::Codes cut_off = one_and(0x0001, 0x3800);     // 1 + 2^-25: the bit in question
  const systemc::Codes below_both = one_and(0x0001, 0x3400);  // 1 + 2^-26
  systemc::Simulation simulation(wrong, systemc::steady());
  const auto answers = simulation.run({kept, cut_off, below_both}, true);
  EXPECT_EQ(first_difference(*answers[0].trace, trace_of(right, kept)), "");
  EXPECT_EQ(first_difference(*answers[1].trace, trace_of(right, cut_off)), "step[0].sum.align[5]");
  EXPECT_EQ(first_difference(*answers[2].trace, trace_of(right, below_both)), "");
}

TEST(Fault, OneFractionBitLessIsSeenInD) {
  const Plan right = planned(fused_f25(), 16);
  const Plan wrong = one_bit_less();
  const std::vector<systemc::Codes> cases = make_cases(right, 2000);
  systemc::Simulation simulation(wrong, systemc::steady());
  const auto answers = simulation.run(cases, false);
  Registers registers;
  int different = 0;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    different += answers[i].d != dot(right, operand(cases[i]), registers) ? 1 : 0;
  }
  EXPECT_GT(different, 10);
  EXPECT_LT(different, 1000);
}

// A module that gets a wire wrong: it adds one to the exponent of whatever passes.
class Loose : public systemc::StageModule {
 public:
  systemc::In<systemc::Numbers> in{"in", *this};
  systemc::Out<systemc::Numbers> out{"out", *this};

  using systemc::StageModule::StageModule;

 private:
  void work() override {
    Number number = in.take()[0];
    number.exponent += 1;
    out.give(systemc::Numbers({number}));
  }
};

TEST(Fault, AWrongBundleIsSeenInTheWindow) {
  const Plan plan = planned(fused_f25(), 16);
  const systemc::Timing timing = systemc::steady();
  systemc::Recorder recorder(plan);
  const systemc::Context context{plan, timing, recorder};
  const AdderPlan& adder = plan.adders.front();
  systemc::Wires wires(timing);
  sc_core::sc_fifo<systemc::Bundle<systemc::Numbers>> source("source", 2), sink("sink", 2);
  Loose loose("loose", context);
  systemc::MaxExponent window("window", context, plan.find_place("step[0].sum.window"), adder.window,
                              {&adder.inputs.front().words});
  sc_core::sc_fifo<systemc::Bundle<systemc::CommonExponent>> found("found", 2);
  loose.in.bind(source);
  wires.connect(loose.out, window.items);
  window.window.bind(found);
  Number number;
  number.magnitude = 3;
  number.exponent = 7;
  source.nb_write({0, false, systemc::Numbers({number})});
  sc_core::sc_start();
  EXPECT_EQ(found.read().value, (systemc::CommonExponent{8, false}));
}

}  // namespace
}  // namespace assay::testing
