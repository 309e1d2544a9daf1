// A program that computes a stage of the model, well behaved and badly: what it does wrong is a sentence in the answer
// of its case, and the others are answered.
#include "tb/devices/stage_program.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "tb/devices/completed.hpp"
#include "tb/tests/devices/plans.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

using std::chrono::milliseconds;

const Plan the_plan = testing_devices::small_plan();

std::unique_ptr<Device> program(const std::string& mode, milliseconds timeout = milliseconds{60'000}) {
  return model_with_program(the_plan,
                            {"python3 " + source_dir() + "/tb/tests/devices/fake_stage.py " + mode, "fake", timeout});
}

std::vector<Case> some_cases() {
  std::vector<Case> cases(4);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    cases[i].number = i;
    cases[i].a = {0x3c00 + i, 0xbc01};
    cases[i].b = {0x4000, 0x3555 + i};
    cases[i].c = 0x3f800000 + i;
  }
  return cases;
}

Code right(const Case& given, Trace* trace = nullptr) {
  Registers registers;
  return dot(the_plan, given.operand(), registers, trace);
}

std::string start_error(const std::string& mode) {
  try {
    program(mode);
  } catch (const Error& error) {
    return error.message;
  }
  return "no error";
}

TEST(StageProgram, ThatAddsExactlyIsTheModel) {
  const auto device = program("good");
  EXPECT_TRUE(device->offers_trace());
  const std::vector<Case> cases = some_cases();
  const std::vector<Answer> answers = device->run(cases, true);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    Trace expected(the_plan);
    ASSERT_TRUE(answers[i].ok()) << answers[i].error;
    EXPECT_EQ(answers[i].d, right(cases[i], &expected));
    EXPECT_TRUE(answers[i].trace->same(expected));
  }
  EXPECT_EQ(device->close(), "");
}

// 1.0 + 1.0 + 0 is 2 by any adder but one whose carries stop: bit 25 of the window is 2^0.
TEST(StageProgram, OfTheExamplesDropsACarry) {
  const auto device = model_with_program(
      the_plan, {std::string("python3 ") + source_dir() + "/docs/examples/stage.py", "stage", milliseconds{60'000}});
  std::vector<Case> cases(2);
  cases[0].a = {0x3c00, 0}, cases[0].b = {0x3c00, 0}, cases[0].c = 0x3f800000;  // carries where none are cut
  // 1 + 2^-18 + 2^-18: both have bit 7 of the grid 2^-25; their carry into bit 8 is lost.
  cases[1].a = {0x3c00, 0x0040}, cases[1].b = {0x3c00, 0x3c00}, cases[1].c = 0x36800000;
  const std::vector<Answer> answers = device->run(cases, true);
  ASSERT_TRUE(answers[0].ok() && answers[1].ok()) << answers[0].error << answers[1].error;
  EXPECT_EQ(answers[0].d, right(cases[0]));
  EXPECT_EQ(right(cases[1]), 0x3f800040u);
  EXPECT_EQ(answers[1].d, 0x3f800000u);
  EXPECT_EQ(answers[1].trace->field(the_plan.find_place("step[0].sum.round"), "significand"), u128{1} << 23);
}

struct Misbehaviour {
  const char *mode, *sentence;
};

TEST(StageProgram, WhatItGetsWrongIsAnErrorOfItsCase) {
  const std::vector<Misbehaviour> all{
      {"width", "fake gave '0' for place step[0].sum.reduce, which takes exactly 8 lower-case hex digits (30 bits)."},
      {"error", "fake answers with an error at place step[0].sum.reduce: the adder is broken."},
      {"neither", "fake gave a bad answer for place step[0].sum.reduce: it has neither bits nor error."},
      {"id", "where an answer with id 1 was expected."},
      {"garbage", "fake wrote 'no JSON', which is no answer ("},
      {"dies", "fake exited with status 3."}};
  for (const Misbehaviour& one : all) {
    const auto device = program(one.mode);
    const std::vector<Case> cases = some_cases();
    const std::vector<Answer> answers = device->run(cases, false);
    EXPECT_NE(answers[1].error.find(one.sentence), std::string::npos) << one.mode << ": " << answers[1].error;
    EXPECT_EQ(answers[0].d, right(cases[0])) << one.mode;
    EXPECT_TRUE(answers[2].ok()) << one.mode << ": " << answers[2].error;
    EXPECT_EQ(answers[2].d, right(cases[2])) << one.mode;
  }
}

TEST(StageProgram, ThatKeepsSilentIsEnded) {
  const std::vector<Answer> answers = program("silent", milliseconds{1500})->run(some_cases(), false);
  EXPECT_EQ(answers[1].error, "fake gave no answer for 1.500 s and was killed.");
}

TEST(StageProgram, MayNotPutThereWhatCannotStandThere) {
  const std::vector<Answer> answers = program("rounds")->run(some_cases(), false);
  EXPECT_NE(answers[0].error.find(", which is no number this datapath can have there."), std::string::npos)
      << answers[0].error;
}

TEST(StageProgram, MustGreetAndComputeAPlaceThatIsThere) {
  EXPECT_NE(start_error("greeting").find("fake greets with '{\"device\": \"mine\"}'; the first line"),
            std::string::npos);
  EXPECT_NE(start_error("no_place").find("fake computes step[*].sum.nothing, and this datapath has no such place"),
            std::string::npos);
  EXPECT_NE(start_error("special").find("`special` and `flags` are the model's own."), std::string::npos);
  EXPECT_NE(start_error("; exit 4 #").find("fake"), std::string::npos);
}

TEST(StageProgram, SaysAtItsEndWhatWentWrong) {
  auto late = program("late");
  late->run(some_cases(), false);
  EXPECT_EQ(late->close(), "After its last answer fake wrote '{\"id\": 7}' after it was told to end.");
  auto status = program("status");
  status->run(some_cases(), false);
  EXPECT_EQ(status->close(), "After its last answer fake exited with status 5.");
}

// --- a device without d ---

// Shows some places of the model, one of them changed.
class Shows final : public Device {
 public:
  std::function<void(Trace&)> change = [](Trace&) {};
  std::vector<std::string> places{"step[0].sum.window", "step[0].sum.reduce"};

  std::string name() const override { return "shows"; }
  bool offers_trace() const override { return true; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    EXPECT_TRUE(trace);
    std::vector<Answer> answers(cases.size());
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answers[i].trace.emplace(the_plan);
      right(cases[i], &*answers[i].trace);
      change(*answers[i].trace);
      answers[i].traced.assign(the_plan.places.size(), 0);
      for (const std::string& place : places)
        answers[i].traced[static_cast<std::size_t>(the_plan.find_place(place))] = 1;
    }
    return answers;
  }
};

TEST(Completed, GoesOnFromWhatTheDeviceShows) {
  const auto device = completed(the_plan, std::make_unique<Shows>());
  const std::vector<Case> cases = some_cases();
  const std::vector<Answer> answers = device->run(cases, false);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(answers[i].d, right(cases[i]));
    EXPECT_FALSE(answers[i].trace.has_value());
  }
}

TEST(Completed, TakesAWrongSumForWhatItIs) {
  auto shows = std::make_unique<Shows>();
  const int sum = the_plan.find_place("step[0].sum.reduce");
  shows->change = [sum](Trace& trace) { trace.put(sum, i128{-trace.signed_field(sum, "sum")}); };
  const std::vector<Case> cases = some_cases();
  const std::vector<Answer> answers = completed(the_plan, std::move(shows))->run(cases, true);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    EXPECT_EQ(answers[i].d, right(cases[i]) ^ 0x80000000);
    EXPECT_TRUE(answers[i].trace.has_value());
  }
}

TEST(Completed, RefusesWhatIsNoNumber) {
  auto shows = std::make_unique<Shows>();
  shows->places = {"step[0].sum.round"};
  const int place = the_plan.find_place("step[0].sum.round");
  shows->change = [place](Trace& trace) {
    const std::string ones(trace.at(place).hex().size() - 1, 'f');
    trace.set_hex(place, "7" + ones);  // a class that there is not
  };
  const std::vector<Answer> answers = completed(the_plan, std::move(shows))->run(some_cases(), true);
  EXPECT_EQ(answers[0].error,
            "shows gave bits at place step[0].sum.round that are no number this datapath can have there, and the model "
            "cannot go on from them.");
}

}  // namespace
}  // namespace assay
