// The model as gates against core, at every place, bit for bit.
#include <gtest/gtest.h>

#include "model/base/error.hpp"
#include "model/base/text.hpp"
#include "tb/generate/generator.hpp"
#include "tb/prove/c_machine.hpp"
#include "tb/prove/model_gates.hpp"
#include "tb/tests/rtl/units.hpp"

namespace assay {
namespace {

struct Made {
  Gates gates;
  ModelGates model;
};

Made made_of(const Plan& plan, const std::string& text) try {
  Made made;
  const std::vector<OperandGates> operands = make_operands(plan, made.gates);
  made.model = make_model(plan, text, operands, made.gates);
  return made;
} catch (const Error& error) {
  ADD_FAILURE() << error.message;
  throw;
}

// The first place that is not core's in so many cases.
std::string place_not_core(const Plan& plan, const Made& made, std::uint64_t count) {
  const Generator generator(plan, 1);
  GateSimulation simulation(made.gates);
  for (std::uint64_t first = 0; first < count; first += 64) {
    std::vector<std::uint64_t> inputs(made.gates.inputs().size(), 0);
    std::vector<Case> cases;
    for (std::uint64_t n = 0; n < 64; ++n) {
      cases.push_back(generator.make(first + n));
      const std::vector<bool> bits = bits_of_case(plan, cases.back());
      EXPECT_EQ(bits_of_case(plan, case_of_bits(plan, bits)), bits);
      EXPECT_EQ(bits.size(), inputs.size());
      for (std::size_t i = 0; i < bits.size(); ++i) inputs[i] |= std::uint64_t{bits[i]} << n;
    }
    simulation.run(inputs);
    const std::string place = place_not_core(plan, made.model, simulation, cases);
    if (!place.empty()) return place;
  }
  return "";
}

class ModelGatesOf : public testing::TestWithParam<Unit> {};

TEST_P(ModelGatesOf, EqualCoreEverywhere) {
  const Plan plan = plan_of_unit(GetParam());
  if (!why_no_gates(plan).empty()) GTEST_SKIP() << GetParam().name << ": " << why_no_gates(plan);
  EXPECT_EQ(place_not_core(plan, made_of(plan, model_text(plan)), 2048), "");
}

INSTANTIATE_TEST_SUITE_P(Units, ModelGatesOf, testing::ValuesIn(units()),
                         [](const auto& unit) { return std::string(unit.param.name); });
INSTANTIATE_TEST_SUITE_P(FurtherUnits, ModelGatesOf, testing::ValuesIn(further_units()),
                         [](const auto& unit) { return std::string(unit.param.name); });
INSTANTIATE_TEST_SUITE_P(FlaggedUnits, ModelGatesOf, testing::ValuesIn(flagged_units()),
                         [](const auto& unit) { return std::string(unit.param.name); });

// Gates of another text are seen to be another model, at the first place that is.
TEST(ModelGates, OfAWrongTextAreSeenToBeWrong) {
  const Plan plan = plan_of_unit(units().front());
  const std::string text = model_text(plan);
  ASSERT_EQ(place_not_core(plan, made_of(plan, text), 640), "");
  struct Fault {
    const char *is, *becomes, *seen;
  };
  for (const Fault& fault :
       {Fault{"a.quantum + b.quantum", "a.quantum + b.quantum + 1", "multiply["},
        Fault{"const bool negative = a.negative != b.negative", "const bool negative = a.negative", "multiply["}}) {
    ASSERT_NE(text.find(fault.is), std::string::npos) << fault.is;
    const std::string place = place_not_core(plan, made_of(plan, replaced(text, fault.is, fault.becomes)), 640);
    EXPECT_EQ(place.rfind(fault.seen, 0), 0U) << fault.becomes << ": " << place;
  }
}

std::string refusal_of(const std::string& text) {
  try {
    read_c(text);
  } catch (const Error& error) {
    return error.message;
  }
  return "";
}

TEST(ModelGates, SayWhichLineTheyCannotRead) {
  EXPECT_EQ(refusal_of("typedef int32_t x;\nx f(x a) {\n  return a +;\n}\n"),
            "Line 3 of the model as C++ has ';' where a name is read.");
  EXPECT_EQ(refusal_of("goto x;"), "Line 1 of the model as C++ has 'goto' where a type is read.");
}

// What a function of one number comes to, given bits that nobody knows.
std::string error_of(const std::string& body) try {
  const CProgram program = read_c("int32_t f(int32_t a) {\n" + body + "\n}\n");
  Gates gates;
  CMachine machine(program, gates);
  const CObjectRef a = machine.made(machine.type("int32_t"));
  for (Lit& l : a->word.bits) l = gates.input();
  a->is_written = true;
  machine.call("f", {a});
  return "";
} catch (const Error& error) {
  return error.message;
}

TEST(ModelGates, SayWhichLineTheyCannotRun) {
  EXPECT_EQ(error_of("  return a;"), "");
  const std::string begin = "Line 2 of the model as C++ cannot be turned into gates: ";
  EXPECT_EQ(error_of("  for (int32_t i = 0; i < a; ++i) a = a;\n  return 0;"),
            begin + "how often a loop runs depends on operands.");
  EXPECT_EQ(error_of("  return 7 / a;"), begin + "a divisor depends on operands.");
  EXPECT_EQ(error_of("  return a / 0;"), begin + "a divisor is not positive.");
  EXPECT_EQ(error_of("  return b;"), begin + "nothing is called b.");
  EXPECT_EQ(error_of("  return g(a);"), begin + "there is no function g.");
  EXPECT_EQ(error_of("  return f(a, a);"), begin + "f has other arguments.");
  EXPECT_EQ(error_of("  return a.b;"), begin + "nothing has a member b.");
  EXPECT_EQ(error_of("  int32_t x[2] = {1, 2, 3};\n  return 0;"), begin + "a list is longer than what it is for.");
  EXPECT_EQ(error_of("  int32_t x[2] = {1, 2};\n  x[2] = 0;\n  return 0;").substr(0, 6), "Line 3");
}

}  // namespace
}  // namespace assay
