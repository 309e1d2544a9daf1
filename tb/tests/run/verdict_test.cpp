// What a run says of a device that is wrong in a way of its own: each fault is planted, and the sentence has to be
// true.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "model/base/text.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/rtl/dut.hpp"
#include "tb/devices/rtl/reseeded.hpp"
#include "tb/run/comparison.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/shifted.hpp"
#include "tb/tests/run/stub_device.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 3;

class VerdictOn : public testing::Test {
 protected:
  Comparison compared(Device& device, CaseRange range, std::vector<Waiver> waivers = {},
                      std::size_t max_failures = 3) const {
    const auto model = model_device(subject_.plan);
    source_ = generated_cases(Generator(subject_.plan, seed), {seed, "", {range}, ""});
    RunOptions options;
    options.nan = nan_rule_of(subject_);
    options.explained = Explained::device;
    options.waivers = std::move(waivers);
    options.max_failures = max_failures;
    return compare(subject_, {"model", *model}, {"exec:./stub", device}, *source_, options);
  }

  Plan changed(const std::function<void(Datapath&)>& change) const {
    Datapath d = subject_.plan.datapath;
    change(d);
    return std::get<Plan>(plan(d, subject_.plan.k));
  }

  const Catalogue catalogue_ = shipped_catalogue();
  const Subject subject_ = subject_of(catalogue_, catalogue_.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));

 private:
  mutable std::unique_ptr<CaseSource> source_;
};

bool is_negative(const Case& c) { return (c.a.front() & 0x8000) != 0; }

std::string all_lines(const Comparison& found) { return joined(found.explanation, "\n") + "\n"; }

// The line that has this text; empty where none has.
std::string line_with(const Comparison& found, const std::string& text) {
  for (const std::string& line : found.explanation) {
    if (line.find(text) != std::string::npos) return line;
  }
  return "";
}

// "--a 3c00,0000" of a command, as codes.
std::vector<Code> codes_in(const std::string& line, const std::string& option) {
  const std::size_t from = line.find(option + " ") + option.size() + 1;
  std::vector<Code> codes;
  for (const std::string& word : split(line.substr(from, line.find(' ', from) - from), ','))
    codes.push_back(std::stoull(word, nullptr, 16));
  return codes;
}

// --- waived failures ---

// Two faults, of which one is waived: NaN results of its bits are accepted, and the smallest case and the word are of
// the other alone.
TEST_F(VerdictOn, WaivedFailuresFeedNothing) {
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  StubDevice device(subject_.plan, [&](const Case& c, Code right, const Memory&) {
    const bool nan = (right & 0x7fffffff) > 0x7f800000;
    return nan ? right ^ 1 : dot(narrow, c.operand(), registers);
  });
  Waiver waiver;
  waiver.name = "waivers.yaml:1";
  waiver.expected = waiver.got = ResultClass::nan;
  waiver.reason = "its own NaN";
  waiver.owner = "J. Doe";
  const Comparison found = compared(device, {0, 3000}, {waiver});
  const Summary summary = found.scoreboard.summary();
  ASSERT_GT(summary.waived(), 0u);
  ASSERT_GT(summary.differs, 5u);
  EXPECT_EQ(found.explanation.front(), "nearest explanation: " + std::to_string(summary.differs) + " of " +
                                           std::to_string(summary.differs) +
                                           " failures agree if adders.sum.add.product.keep were 24 (it is 25)");
  const std::string smallest = line_with(found, "smallest failing case: ");
  ASSERT_FALSE(smallest.empty());
  Case small;
  small.a = codes_in(smallest, "--a"), small.b = codes_in(smallest, "--b");
  small.a.resize(16), small.b.resize(16);
  small.c = codes_in(smallest, "--c").front();
  const Code right = dot(subject_.plan, small.operand(), registers);
  EXPECT_NE(right, dot(narrow, small.operand(), registers)) << smallest;
  EXPECT_LE(right & 0x7fffffff, 0x7f800000u) << smallest;
  for (const FailureGroup& group : summary.groups) EXPECT_GT(group.cases, 0u);

  // All of them waived: nothing is said.
  Waiver all;
  all.name = "waivers.yaml:2";
  all.masked = false;
  all.reason = all.owner = "J. Doe";
  const Comparison accepted = compared(device, {0, 3000}, {all});
  EXPECT_EQ(accepted.scoreboard.summary().ending(), Ending::passed);
  EXPECT_TRUE(accepted.explanation.empty()) << all_lines(accepted);
  EXPECT_TRUE(accepted.scoreboard.summary().groups.empty());
}

// --- what came before ---

std::size_t terms_of(const Case& c) {
  std::size_t terms = 0;
  for (std::size_t i = 0; i < c.a.size(); ++i) terms += c.a[i] != 0 || c.b[i] != 0 ? 1 : 0;
  return terms;
}

// Fails alone with many terms; with fewer after a case that failed.
TEST_F(VerdictOn, ASmallestCaseFailsAlone) {
  constexpr std::size_t many = 5;
  StubDevice device(subject_.plan, [&](const Case& c, Code right, const Memory& memory) {
    const bool after = !memory.empty() && is_negative(memory.last());
    return is_negative(c) && (terms_of(c) >= many || after) ? right ^ 1 : right;
  });
  const Comparison found = compared(device, {0, 2000});
  const std::string smallest = line_with(found, "smallest failing case: ");
  ASSERT_FALSE(smallest.empty()) << all_lines(found);
  Case small;
  small.a = codes_in(smallest, "--a"), small.b = codes_in(smallest, "--b");
  EXPECT_TRUE(is_negative(small)) << smallest;
  EXPECT_EQ(terms_of(small), many) << "fewer fail only after another case: " << smallest;
  EXPECT_FALSE(line_with(found, "fail only after other cases: the device remembers").empty()) << all_lines(found);

  const std::string pair = line_with(found, " depends on what came before it; alone it passes, after case ");
  ASSERT_FALSE(pair.empty()) << all_lines(found);
  const std::vector<std::string> numbers = split(pair.substr(pair.rfind(' ') + 1), ',');
  ASSERT_EQ(numbers.size(), 2u) << pair;
  const Generator generator(subject_.plan, seed);
  const Case before = generator.make(std::stoull(numbers[0])), after = generator.make(std::stoull(numbers[1]));
  EXPECT_TRUE(is_negative(before) && is_negative(after)) << pair;
  EXPECT_LT(terms_of(after), many) << pair;
  EXPECT_EQ(before.number + 1, after.number) << pair;
}

// The shortest sequence: three cases before, neither two nor four.
TEST_F(VerdictOn, TheShortestSequenceIsShown) {
  StubDevice device(subject_.plan, [](const Case&, Code right, const Memory& memory) {
    return memory.before.size() % 4 == 3 ? right ^ 1 : right;
  });
  const Comparison found = compared(device, {0, 40});
  EXPECT_FALSE(line_with(found,
                         "case 3 depends on what came before it; alone it passes, after cases 0-2 it fails: "
                         "assay compare --reference model --device exec:./stub " +
                             subject_.option + " --seed 3 --case 0-2,3")
                   .empty())
      << all_lines(found);
  EXPECT_NE(comparison_text(found).find("to see again, where a case needs no others (below is what does):\n"),
            std::string::npos);
  EXPECT_TRUE(line_with(found, "failing case: ").empty()) << all_lines(found);
}

// What a unit takes too early it takes from the case behind.
TEST_F(VerdictOn, AUnitThatTakesFromTheNextCaseIsSaidTo) {
  class Early : public StubDevice {
   public:
    explicit Early(const Plan& plan) : StubDevice(plan, [](const Case&, Code right, const Memory&) { return right; }) {}
    std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
      std::vector<Answer> answers = StubDevice::run(cases, trace);
      for (std::size_t i = 0; i + 1 < cases.size(); ++i) {
        if (cases[i].number % 7 == 5 && cases[i + 1].number == cases[i].number + 1) answers[i].d ^= 1;
      }
      return answers;
    }
  };
  Early device(subject_.plan);
  const Comparison found = compared(device, {0, 40});
  EXPECT_FALSE(
      line_with(found, "case 5 depends on what comes after it; alone it passes, before case 6 it fails: ").empty())
      << all_lines(found);
}

// The model, whose first place has another bit after a negative c: d is right.
class FlagOfTheCaseBefore : public Device {
 public:
  explicit FlagOfTheCaseBefore(const Plan& plan) : model_(model_device(plan)) {}

  std::string name() const override { return "flag"; }
  bool offers_trace() const override { return true; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = model_->run(cases, trace);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      if (answers[i].trace && after_negative_) answers[i].trace->put(0, answers[i].trace->at(0).field(0, 1) ^ 1U);
      after_negative_ = is_negative(cases[i]);
    }
    return answers;
  }
  std::string close() override {
    after_negative_ = false;
    return {};
  }

 private:
  std::unique_ptr<Device> model_;
  bool after_negative_ = false;
};

TEST_F(VerdictOn, APlaceThatDependsOnTheCaseBeforeIsNoCasesOwn) {
  FlagOfTheCaseBefore device(subject_.plan);
  const Comparison found = compared(device, {0, 40});
  EXPECT_GT(found.scoreboard.summary().masked, 0u);
  EXPECT_FALSE(line_with(found, " depends on what came before it; alone it passes, after case ").empty())
      << all_lines(found);
  EXPECT_NE(comparison_text(found).find("to see again, where a case needs no others"), std::string::npos);
}

// The same unit in a second process, which gets the cases from the last to the first.
class VerdictOnRtl : public VerdictOn {
 protected:
  std::unique_ptr<Device> twice(const StubDevice::Change& change) const {
    const auto started = [this, change](const Disturbance& = {}) {
      return std::make_unique<StubDevice>(subject_.plan, change);
    };
    return reseeded(started(), started, subject_.plan.d.hex_digits());
  }
};

// The model, one of whose places shows what a register holds before the reset.
class ShowsARegister : public Device {
 public:
  ShowsARegister(const Plan& plan, bool is_set) : model_(model_device(plan)), is_set_(is_set) {}

  std::string name() const override { return "shows"; }
  bool offers_trace() const override { return true; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    std::vector<Answer> answers = model_->run(cases, trace);
    for (Answer& answer : answers) {
      if (answer.trace) answer.trace->put(0, u128{is_set_ ? 1U : 0U});
    }
    return answers;
  }

 private:
  std::unique_ptr<Device> model_;
  bool is_set_;
};

TEST_F(VerdictOnRtl, WhatAPlaceShowsIsHeldToASecondProcess) {
  const auto started = [&](bool is_set) { return std::make_unique<ShowsARegister>(subject_.plan, is_set); };
  const std::vector<Case> cases(3, Generator(subject_.plan, 1).make(0));
  const auto with_places = reseeded(
      started(false), [&](const Disturbance&) { return started(true); }, subject_.plan.d.hex_digits());
  const std::string name = subject_.plan.places.name(0);
  for (const Answer& answer : with_places->run(cases, true)) {
    EXPECT_EQ(answer.error.rfind(
                  "The result depends on what registers hold before the reset, or on stalls: " + name + " is 0", 0),
              0u)
        << answer.error;
  }
  const auto alone = reseeded(
      started(false), [&](const Disturbance&) { return started(true); }, subject_.plan.d.hex_digits());
  for (const Answer& answer : alone->run(cases, false)) EXPECT_TRUE(answer.ok()) << answer.error;
}

// Wrong late in the run, and by itself only where stalls come: its command fails, so it does not pass alone.
TEST_F(VerdictOnRtl, ACaseThatFailsByItselfWithStallsDoesNotPassAlone) {
  const auto late = [](const Case& c, Code right, const Memory&) {
    return c.number >= reseeded_cases && is_negative(c) ? right ^ 1 : right;
  };
  const auto stalled = [](const Case& c, Code right, const Memory&) { return is_negative(c) ? right ^ 1 : right; };
  std::size_t asked = 0;
  const auto in_the_run = [&](const Case& c, Code right, const Memory& memory) {
    return ++asked <= reseeded_cases + 6 ? late(c, right, memory) : right;
  };
  const auto device = reseeded(
      std::make_unique<StubDevice>(subject_.plan, in_the_run),
      [&](const Disturbance&) { return std::make_unique<StubDevice>(subject_.plan, stalled); },
      subject_.plan.d.hex_digits());
  const Comparison found = compared(*device, {0, reseeded_cases + 6});
  EXPECT_GT(found.scoreboard.summary().differs, 0u);
  EXPECT_FALSE(line_with(found, "and alone it gets no answer: The result depends on what registers hold").empty())
      << all_lines(found);
}

// Right in the order of the run, wrong in the other.
TEST_F(VerdictOnRtl, AUnitThatNeedsTheOrderOfTheRunIsNoticed) {
  const auto device = twice([](const Case& c, Code right, const Memory& memory) {
    const bool turned = !memory.empty() && memory.last().number > c.number;
    return turned && is_negative(memory.last()) ? right ^ 1 : right;
  });
  const Comparison found = compared(*device, {0, 500});
  const Summary summary = found.scoreboard.summary();
  EXPECT_EQ(summary.differs, 0u);
  EXPECT_EQ(summary.device_errors, 0u);
  EXPECT_GT(summary.unsteady, 0u);
  EXPECT_EQ(summary.ending(), Ending::mismatch);
  const std::string line = line_with(found, " depends on what came before it; alone it passes, after case ");
  ASSERT_FALSE(line.empty()) << all_lines(found);
  const std::vector<std::string> numbers = split(line.substr(line.rfind(' ') + 1), ',');
  ASSERT_EQ(numbers.size(), 2u) << line;
  EXPECT_EQ(std::stoull(numbers[0]), std::stoull(numbers[1]) + 1) << line;

  const std::string text = comparison_text(found);
  EXPECT_NE(text.find("with an equal result that is another when the cases come in another order\n"),
            std::string::npos);
  EXPECT_NE(text.find(": equal, but not in another order of cases: d is "), std::string::npos) << text;
  const nlohmann::json json = comparison_json(found);
  EXPECT_EQ(json["summary"]["unsteady"], summary.unsteady);
  EXPECT_EQ(json["failures"][0]["verdict"], "depends on the order of cases");
  EXPECT_TRUE(json["failures"][0].contains("other_order"));
}

// Wrong where one kind of case follows another that it never follows in turn, whichever end the run begins at.
TEST_F(VerdictOnRtl, AUnitThatNeedsTheFamiliesInTurnIsNoticed) {
  constexpr std::uint64_t turn = 20;
  const auto device = twice([](const Case& c, Code right, const Memory& memory) {
    const bool met = !memory.empty() && memory.last().number % turn == 3 && c.number % turn == 11;
    return met ? right ^ 1 : right;
  });
  const Comparison found = compared(*device, {0, 500});
  EXPECT_EQ(found.scoreboard.summary().differs, 0u);
  EXPECT_GT(found.scoreboard.summary().unsteady, 0u);
  const std::string line = line_with(found, " depends on what came before it; alone it passes, after case ");
  ASSERT_FALSE(line.empty()) << all_lines(found);
  const std::vector<std::string> numbers = split(line.substr(line.rfind(' ') + 1), ',');
  ASSERT_EQ(numbers.size(), 2u) << line;
  EXPECT_EQ(std::stoull(numbers[0]) % turn, 3u) << line;
  EXPECT_EQ(std::stoull(numbers[1]) % turn, 11u) << line;
  const std::string text = comparison_text(found);
  EXPECT_TRUE(std::regex_search(text, std::regex(" when case [0-9]+\\s+comes\\s+right\\s+before\\s+it\\."))) << text;
}

// Wrong in the order of the run: a wrong result, which no word of the datapath is asked to explain.
TEST_F(VerdictOnRtl, AUnitThatKeepsWhatCameBeforeIsWrongRatherThanInError) {
  const auto device = twice([](const Case&, Code right, const Memory& memory) {
    return !memory.empty() && is_negative(memory.last()) ? right ^ 1 : right;
  });
  const Comparison found = compared(*device, {0, 500});
  const Summary summary = found.scoreboard.summary();
  EXPECT_GT(summary.differs, 0u);
  EXPECT_EQ(summary.device_errors, 0u);
  EXPECT_FALSE(line_with(found, " depends on what came before it; alone it passes, after case ").empty())
      << all_lines(found);
  EXPECT_TRUE(line_with(found, "failures agree").empty()) << all_lines(found);
}

TEST_F(VerdictOnRtl, RegistersAreToldFromTheOrderOfCases) {
  int processes = 0;
  const auto started = [&](const Disturbance& = {}) -> std::unique_ptr<Device> {
    const Code noise = static_cast<Code>(++processes);
    return std::make_unique<StubDevice>(subject_.plan, [noise](const Case& c, Code right, const Memory&) {
      return is_negative(c) ? right ^ noise : right;
    });
  };
  const auto device = reseeded(started(), started, subject_.plan.d.hex_digits());
  const Comparison found = compared(*device, {0, 500});
  EXPECT_EQ(found.scoreboard.summary().unsteady, 0u);
  EXPECT_GT(found.scoreboard.summary().device_errors, 0u);
  EXPECT_EQ(found.scoreboard.failures().front().device.error.rfind(
                "The result depends on what registers hold before the reset, or on stalls: d is ", 0),
            0u);
}

// Wrong in a process that is disturbed so; the error names the disturbance without which it is right.
TEST_F(VerdictOnRtl, WhatComesAmidTheWorkIsNamed) {
  struct Named {
    bool Disturbance::*what;
    const char* sentence;
    const char* before_error;
  };
  for (const Named& named :
       {Named{&Disturbance::resets, "The result depends on a reset before it, with cases in the unit: d is ",
              "With resets amid the unit's work: It hangs."},
        Named{&Disturbance::modes, "The result depends on the modes of the operations beside it: d is ",
              "With operations in other modes between the cases: It hangs."},
        Named{&Disturbance::company,
              "The result depends on the operations beside it that share what is loaded, or on loads amid the work: d "
              "is ",
              "With operations beside the cases that share what is loaded, or with loads amid the work: It hangs."}}) {
    for (const bool hangs : {false, true}) {
      class Disturbed : public StubDevice {
       public:
        Disturbed(const Plan& plan, bool wrong, bool hangs)
            : StubDevice(plan,
                         [=](const Case&, Code right, const Memory&) { return wrong && !hangs ? right ^ 1 : right; }),
              hangs_(wrong && hangs) {}
        std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
          std::vector<Answer> answers = StubDevice::run(cases, trace);
          if (hangs_) answers[0].error = "It hangs.";
          return answers;
        }

       private:
        bool hangs_;
      };
      const auto started = [&](const Disturbance& with) {
        return std::make_unique<Disturbed>(subject_.plan, with.*named.what, hangs);
      };
      const auto device = reseeded(started({}), started, subject_.plan.d.hex_digits(), {true, true, true});
      const Comparison found = compared(*device, {0, 20});
      ASSERT_GT(found.scoreboard.summary().device_errors, 0u);
      const std::string error = found.scoreboard.failures().front().device.error;
      EXPECT_EQ(error.rfind(hangs ? named.before_error : named.sentence, 0), 0u) << error;
    }
  }
}

TEST_F(VerdictOnRtl, WhatAnotherOrderBreaksIsAnError) {
  class Dies : public StubDevice {
   public:
    explicit Dies(const Plan& plan) : StubDevice(plan, [](const Case&, Code right, const Memory&) { return right; }) {}
    std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
      std::vector<Answer> answers = StubDevice::run(cases, trace);
      if (cases.front().number > cases.back().number) answers[1].error = "It died.";
      return answers;
    }
  };
  const auto started = [&](const Disturbance& = {}) -> std::unique_ptr<Device> {
    return std::make_unique<Dies>(subject_.plan);
  };
  const auto device = reseeded(started(), started, subject_.plan.d.hex_digits());
  const Comparison found = compared(*device, {0, 50});
  ASSERT_EQ(found.scoreboard.summary().device_errors, 1u);
  EXPECT_EQ(found.scoreboard.failures().front().device.error,
            "When the cases come from the last to the first: It died.");
}

TEST_F(VerdictOn, EverySecondShardRunsFromItsEnd) {
  const Shard first{1, 4}, second{2, 4};
  EXPECT_FALSE(first.in_turn(1000).backward);
  const CaseRange turned = second.in_turn(1000);
  EXPECT_TRUE(turned.backward);
  EXPECT_EQ(turned.at(0), 499u);
  EXPECT_EQ(turned.at(249), 250u);
  EXPECT_EQ(turned.part(0, 2).at(0), 499u);
  EXPECT_EQ(turned.part(248, 2).at(1), 250u);

  StubDevice device(subject_.plan, [](const Case& c, Code right, const Memory& memory) {
    return !memory.empty() && memory.last().number > c.number ? right ^ 1 : right;
  });
  const Comparison found = compared(device, turned);
  const std::string line = line_with(found, " depends on what came before it; alone it passes, after case ");
  ASSERT_FALSE(line.empty()) << all_lines(found);
  const std::vector<std::string> numbers = split(line.substr(line.rfind(' ') + 1), ',');
  EXPECT_EQ(std::stoull(numbers[0]), std::stoull(numbers[1]) + 1) << line;
}

// --- wrong latency ---

class LateDevice : public Device {
 public:
  LateDevice(const Plan& plan, int by, std::string advice = "")
      : model_(model_device(plan)), by_(by), advice_(std::move(advice)) {}
  std::string name() const override { return "late"; }
  bool offers_trace() const override { return false; }
  std::string advice_on_shift(int by) const override { return advice_.empty() ? "" : advice_ + std::to_string(by); }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    const std::vector<Answer> right = model_->run(cases, false);
    std::vector<Answer> answers(right.size());
    for (std::size_t i = 0; i < right.size(); ++i) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(i) - by_;
      const bool stalled = i % 6 == 5;  // the operands stood there long enough
      if (stalled) answers[i] = right[i];
      if (!stalled && at >= 0 && at < static_cast<std::ptrdiff_t>(right.size()))
        answers[i] = right[static_cast<std::size_t>(at)];
    }
    return answers;
  }

 private:
  std::unique_ptr<Device> model_;
  int by_;
  std::string advice_;
};

TEST_F(VerdictOn, ResultsThatAreShiftedAreAWrongLatency) {
  for (const int by : {1, -1, 3, -16}) {
    LateDevice device(subject_.plan, by, "shift by ");
    const Comparison found = compared(device, {0, 800});
    ASSERT_EQ(found.explanation.size(), 1u) << all_lines(found);
    const std::string line = found.explanation.front();
    EXPECT_EQ(line.rfind("wrong latency: ", 0), 0u) << line;
    const std::string which = by == 1    ? " wrong results are right for the case before; "
                              : by == -1 ? " wrong results are right for the case after; "
                              : by == 3  ? " wrong results are right for the case 3 places before; "
                                         : " wrong results are right for the case 16 places after; ";
    EXPECT_NE(line.find(which + "shift by " + std::to_string(by)), std::string::npos) << line;
  }
  LateDevice unknown(subject_.plan, 1);
  EXPECT_NE(all_lines(compared(unknown, {0, 800})).find("; the device gives each result 1 case too late\n"),
            std::string::npos);
}

// A hazard: now and then the result of the case before. Most results are right, so it is no latency.
TEST_F(VerdictOn, AResultOfTheCaseBeforeNowAndThenIsNoLatency) {
  Code last = 0;
  StubDevice device(subject_.plan, [&](const Case& c, Code right, const Memory&) {
    return c.number % 5 == 4 ? std::exchange(last, right) : last = right;
  });
  EXPECT_TRUE(line_with(compared(device, {0, 800}), "wrong latency").empty());
  StubDevice zero(subject_.plan, [](const Case&, Code, const Memory&) { return Code{0}; });
  EXPECT_TRUE(line_with(compared(zero, {0, 800}), "wrong latency").empty());
}

Dut dut_with(Handshake::Kind kind, int latency) {
  Dut dut;
  dut.handshake.kind = kind;
  dut.handshake.latency = latency;
  dut.handshake.out_valid.port = "v_o";
  dut.handshake.place = "unit.yaml:7";
  dut.d = {{"d_o", {}, 0, ""}};
  return dut;
}

TEST(Latency, TheKeyOfTheDutFileIsNamed) {
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::fixed_latency, 3), 1), "unit.yaml:7: make `latency` 4, it is 3");
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::fixed_latency, 3), -2), "unit.yaml:7: make `latency` 1, it is 3");
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::fixed_latency, 1), -2), "");
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::valid, 0), 1),
            "unit.yaml:7: `out_valid`, port v_o, is not that of the results at `ports.d`, port d_o: 1 case too early");
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::start_done, 0), -2),
            "unit.yaml:7: `done`, port v_o, is not that of the results at `ports.d`, port d_o: 2 cases too late");
  EXPECT_EQ(advice_on_shift(dut_with(Handshake::Kind::combinational, 0), 1),
            "unit.yaml:7: the unit has registers; make the handshake {kind: fixed_latency, latency: ..} and name its "
            "clock");
}

// --- what most failures agree with ---

TEST_F(VerdictOn, AWordThatExplainsMostIsSaidWithWhatItBreaks) {
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  StubDevice device(subject_.plan, [&](const Case& c, Code right, const Memory&) {
    return c.number % 7 == 0 ? right : dot(narrow, c.operand(), registers);
  });
  const Comparison found = compared(device, {0, 3000});
  const std::string text = all_lines(found);
  EXPECT_EQ(text.find("none"), std::string::npos) << text;
  const std::string differs = std::to_string(found.scoreboard.summary().differs);
  EXPECT_NE(text.find(differs + " of " + differs + " explained, "), std::string::npos) << text;
  EXPECT_NE(text.find(" of 300 right ones broken, if adders.sum.add.product.keep were 24 (it is 25)\n"),
            std::string::npos)
      << text;
}

// Three failures of which a word explains two: too few to conclude from, but not none.
TEST_F(VerdictOn, OfFewFailuresTooTheBestWordIsSaid) {
  const Plan narrow = changed([](Datapath& d) { d.adders[0].add[0].keep = 24; });
  Registers registers;
  std::vector<std::uint64_t> hit;
  const Generator generator(subject_.plan, seed);
  for (std::uint64_t i = 0; hit.size() < 3; ++i) {
    const Case c = generator.make(i);
    if (dot(narrow, c.operand(), registers) != dot(subject_.plan, c.operand(), registers)) hit.push_back(i);
  }
  StubDevice device(subject_.plan, [&](const Case& c, Code right, const Memory&) {
    const auto at = std::find(hit.begin(), hit.end(), c.number);
    if (at == hit.end()) return right;
    return at == hit.begin() + 2 ? right ^ 0x00400000 : dot(narrow, c.operand(), registers);
  });
  const Comparison found = compared(device, {0, hit.back() + 1});
  ASSERT_EQ(found.scoreboard.summary().differs, 3u);
  const std::string text = all_lines(found);
  EXPECT_EQ(text.find("none"), std::string::npos) << text;
  EXPECT_NE(text.find("nearest explanation: 3 failing cases are too few to conclude from; 2 of 3 explained, "),
            std::string::npos)
      << text;
}

// --- one is one ---

TEST_F(VerdictOn, OneOfAnythingIsSingular) {
  StubDevice device(subject_.plan,
                    [](const Case& c, Code right, const Memory&) { return c.number == 3 ? right ^ 1 : right; });
  const Comparison found = compared(device, {3, 1});
  const std::string text = comparison_text(found);
  EXPECT_NE(text.find("compared 1 case\n"), std::string::npos) << text;
  EXPECT_NE(text.find("1 case with a d that differs\n"), std::string::npos) << text;
  EXPECT_NE(text.find("failed: 1 fault\n"), std::string::npos) << text;
  for (const char* plural : {" 1 cases", " 1 faults", " 1 failures", "\n1 cases", "of 1 failing cases"})
    EXPECT_EQ(text.find(plural), std::string::npos) << plural << " in\n" << text;
}

// --- by family and place ---

TEST_F(VerdictOn, FailuresAreCountedByFamily) {
  StubDevice device(subject_.plan,
                    [](const Case& c, Code right, const Memory&) { return is_negative(c) ? right ^ 1 : right; });
  const Comparison found = compared(device, {0, 600}, {}, 0);
  const Summary summary = found.scoreboard.summary();
  ASSERT_GT(summary.groups.size(), 2u);
  std::uint64_t sum = 0;
  for (const FailureGroup& group : summary.groups) {
    sum += group.cases;
    EXPECT_EQ(group.first, "d");
    EXPECT_FALSE(group.family.empty());
  }
  EXPECT_EQ(sum, summary.differs);
  EXPECT_TRUE(std::is_sorted(summary.groups.begin(), summary.groups.end(),
                             [](const FailureGroup& x, const FailureGroup& y) { return x.cases > y.cases; }));
  const nlohmann::json groups = comparison_json(found)["summary"]["failure_groups"];
  ASSERT_EQ(groups.size(), summary.groups.size());
  EXPECT_EQ(groups[0]["family"], summary.groups[0].family);
  EXPECT_EQ(groups[0]["first"], "d");
  EXPECT_EQ(groups[0]["cases"], summary.groups[0].cases);
  EXPECT_NE(comparison_text(found).find("failures by family and by the first place that differs:\n  family"),
            std::string::npos);
}

}  // namespace
}  // namespace assay
