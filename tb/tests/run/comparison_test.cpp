// The one run: what it gives, whatever its cases and its reference are.
#include "tb/run/comparison.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "model/config/datapath_file.hpp"
#include "model/core/dot.hpp"
#include "tb/devices/chain.hpp"
#include "tb/devices/model_device.hpp"
#include "tb/run/causes.hpp"
#include "tb/run/comparison_text.hpp"
#include "tb/run/fill_in.hpp"
#include "tb/run/generated_cases.hpp"
#include "tb/run/recorded_cases.hpp"
#include "tb/tests/scratch.hpp"
#include "tb/vectors/writer.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t seed = 3;

// The model, with the lowest bit of d turned wherever a[0] is negative.
class Broken : public Device {
 public:
  explicit Broken(const Plan& plan, std::string complaint = "")
      : model_(model_device(plan)), complaint_(std::move(complaint)) {}

  std::string name() const override { return "broken"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers = model_->run(cases, false);
    for (std::size_t i = 0; i < cases.size(); ++i) answers[i].d ^= is_hit(cases[i]) ? 1 : 0;
    return answers;
  }
  std::string close() override {
    ++closed;
    return std::exchange(complaint_, "");
  }

  static bool is_hit(const Case& c) { return (c.a.front() & 0x8000) != 0; }
  int closed = 0;

 private:
  std::unique_ptr<Device> model_;
  std::string complaint_;
};

class ComparisonOf : public testing::Test {
 protected:
  std::unique_ptr<CaseSource> generated(std::vector<CaseRange> ranges, const std::string& only = "") const {
    return generated_cases(Generator(subject_.plan, seed), {seed, "", std::move(ranges), only});
  }
  Comparison compared(Device& device, CaseSource& cases, Explained explained = Explained::device,
                      int threads = 1) const {
    const auto model = model_device(subject_.plan);
    RunOptions options;
    options.threads = threads;
    options.nan = nan_rule_of(subject_);
    options.explained = explained;
    return compare(subject_, {"model", *model}, {"exec:./broken one", device}, cases, options);
  }

  // A vector file of these cases, with what the device gives.
  std::string recorded(CaseRange range, Device& device) const {
    const std::string bare = (folder_ / "bare.jsonl").string(), full = (folder_ / "full.jsonl").string();
    const Generator generator(subject_.plan, seed);
    VectorWriter cases(bare, subject_.header, case_shape(subject_.plan));
    for (std::uint64_t i = 0; i < range.count; ++i) cases.write(generator.make(range.first + i));
    cases.finish();
    VectorReader reader(bare);
    VectorWriter results(full, subject_.header, case_shape(subject_.plan));
    fill_in(reader, subject_.plan, device, results);
    return full;
  }

  const Catalogue catalogue_ = shipped_catalogue();
  const Subject subject_ = subject_of(catalogue_, catalogue_.instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
};

std::vector<std::uint64_t> numbers(CaseSource& source) {
  std::vector<std::uint64_t> all;
  for (std::vector<Case> cases; source.next(cases);) {
    EXPECT_LE(cases.size(), batch_of_cases);
    for (const Case& c : cases) all.push_back(c.number);
  }
  return all;
}

TEST_F(ComparisonOf, GeneratedCasesComeRangeAfterRange) {
  const auto cases = generated({{17, 2}, {3, 0}, {5, 1}}, "17-18,5");
  EXPECT_EQ(cases->total(), 3u);
  EXPECT_EQ(numbers(*cases), (std::vector<std::uint64_t>{17, 18, 5}));
  EXPECT_EQ(cases->read(), 3u);
  EXPECT_FALSE(cases->history().has_value()) << "single cases are no run";
  EXPECT_EQ(numbers(*generated({{0, batch_of_cases}, {0, 1}})).size(), batch_of_cases + 1);
  EXPECT_TRUE(numbers(*generated({{0, 0}})).empty());
}

TEST_F(ComparisonOf, ADeviceThatAgreesPasses) {
  const auto model = model_device(subject_.plan, "twin");
  const auto cases = generated({{0, 100}});
  const Comparison found = compared(*model, *cases);
  EXPECT_EQ(found.scoreboard.summary().ending(), Ending::passed);
  EXPECT_EQ(found.cases, 100u);
  EXPECT_EQ(found.devices, "twin held to model");
  EXPECT_GT(found.scoreboard.summary().places, 0u) << "both offer traces";
  EXPECT_TRUE(found.explanation.empty());
  EXPECT_EQ(why_not_passed(found), "");
  EXPECT_FALSE(comparison_json(found).contains("message"));
}

// Of several changes the first that gives just this d, and none of a failure that none gives.
TEST_F(ComparisonOf, ACauseGivesJustWhatTheFailureGot) {
  const Plan& plan = subject_.plan;
  Datapath narrow = plan.datapath, other_nan = plan.datapath;
  narrow.adders[0].add[0].keep = 10;
  other_nan.nan->code = 0x7fc00000;
  NearbyChanges found;
  found.agree = {{"narrow", 1, 1, 0, narrow}, {"another NaN", 1, 1, 0, other_nan}};
  const Causes causes(plan, std::equal_to<>(), true, found, {});
  Case cut, nan;
  cut.a = cut.b = nan.a = nan.b = std::vector<Code>(static_cast<std::size_t>(plan.k));
  cut.a[0] = cut.b[0] = 0x3c00;
  cut.a[1] = 0x0400, cut.b[1] = 0x3c00;  // 2^-14 beside 1
  nan.a[0] = 0x7e00;
  const auto failure = [](const Case& given, Code d) {
    Answer got;
    got.d = d;
    return Failure{Verdict::differs, given, Answer{}, got, no_place};
  };
  EXPECT_EQ(causes.of(failure(cut, 0x3f800000)), "narrow");
  EXPECT_EQ(causes.of(failure(nan, 0x7fc00000)), "another NaN");
  EXPECT_EQ(causes.of(failure(cut, 0x40000000)), "");
  Failure error = failure(cut, 0x3f800000);
  error.verdict = Verdict::device_error;
  EXPECT_EQ(causes.of(error), "");
}

// Two words are changed, and the change of both gives every failure.
TEST_F(ComparisonOf, AFailureHasItsCause) {
  Datapath both = subject_.plan.datapath;
  both.nan->code = 0x7fc00000;
  both.adders[0].add[0].keep = 24;
  const Plan changed = plan_or_fail(both, subject_.plan.k, {});
  const auto device = model_device(changed, "both"), model = model_device(subject_.plan);
  RunOptions options;
  options.max_failures = 40;
  options.explained = Explained::device;
  std::vector<std::uint64_t> seen;
  options.seen = [&](const std::vector<Case>& cases) {
    for (const Case& c : cases) seen.push_back(c.number);
  };
  const auto cases = generated({{0, 2000}});
  const Comparison found = compare(subject_, {"model", *model}, {"model:both.yaml", *device}, *cases, options);
  EXPECT_GT(found.scoreboard.failures().size(), 10u);
  for (const Failure& failure : found.scoreboard.failures()) {
    const bool is_right = failure.verdict == Verdict::masked;
    EXPECT_EQ(found.cause(failure),
              is_right ? "" : "nan were 7fc00000 (it is 7fffffff) and adders.sum.add.product.keep were 24 (it is 25)");
  }
  ASSERT_TRUE(found.smallest);
  Registers registers;
  EXPECT_EQ(found.smallest->reference.d, dot(subject_.plan, found.smallest->given.operand(), registers));
  EXPECT_EQ(found.smallest->device.d, dot(changed, found.smallest->given.operand(), registers));
  EXPECT_NE(found.smallest->reference.d, found.smallest->device.d);
  std::vector<std::uint64_t> all(2000);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(seen, all);
}

// Keeps which cases it was asked for, in which order.
class Listening : public Broken {
 public:
  using Broken::Broken;
  std::vector<Answer> run(const std::vector<Case>& cases, bool trace) override {
    for (const Case& c : cases) heard.push_back(c.number);
    return Broken::run(cases, trace);
  }
  std::vector<std::uint64_t> heard;
};

TEST_F(ComparisonOf, ThreadsChangeNothing) {
  const std::uint64_t count = 5 * batch_of_cases + 7;
  std::string text;
  std::vector<std::uint64_t> heard;
  for (const int threads : {1, 2, 5}) {
    Listening device(subject_.plan);
    const auto cases = generated({{3, 9}, {100, count, true}});
    const Comparison found = compared(device, *cases, Explained::device, threads);
    EXPECT_EQ(found.cases, count + 9);
    EXPECT_GT(found.scoreboard.summary().differs, count / 100);
    std::string report = found.scoreboard.failures().front().given.family.data();
    for (const std::string& line : found.explanation) report += "\n" + line;
    for (const Failure& failure : found.scoreboard.failures()) report += "\n" + found.repro(failure.given);
    if (threads == 1) text = report, heard = device.heard;
    EXPECT_EQ(report, text) << threads;
    EXPECT_EQ(device.heard, heard) << threads;
  }
  ASSERT_GT(heard.size(), count + 9);
  EXPECT_EQ(heard[8], 11u);
  EXPECT_EQ(heard[9], 99 + count) << "the second range comes from its last case to its first";
}

// A reference that cannot be asked by two at once is not.
class Alone : public Device {
 public:
  explicit Alone(const Plan& plan) : model_(model_device(plan)) {}
  std::string name() const override { return "alone"; }
  bool offers_trace() const override { return false; }
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    EXPECT_FALSE(inside_.exchange(true)) << "asked while it was at work";
    std::vector<Answer> answers = model_->run(cases, false);
    std::this_thread::yield();
    inside_ = false;
    for (const Case& c : cases) EXPECT_EQ(c.number, next_++) << "out of order";
    return answers;
  }

 private:
  std::unique_ptr<Device> model_;
  std::atomic<bool> inside_{false};
  std::uint64_t next_ = 0;
};

TEST_F(ComparisonOf, AReferenceThatCannotBeSharedIsAskedInOrder) {
  Alone reference(subject_.plan);
  const auto model = model_device(subject_.plan, "twin");
  RunOptions options;
  options.threads = 4;
  const auto cases = generated({{0, 6 * batch_of_cases}});
  const Comparison found = compare(subject_, {"exec:alone", reference}, {"model", *model}, *cases, options);
  EXPECT_EQ(found.cases, 6 * batch_of_cases);
  EXPECT_EQ(found.scoreboard.summary().ending(), Ending::passed);
}

TEST_F(ComparisonOf, ADeviceThatDiffersIsExplainedAndShownAgain) {
  Broken device(subject_.plan);
  const auto cases = generated({{0, 100}});
  const Generator generator(subject_.plan, seed);
  std::uint64_t hit = 0;
  for (std::uint64_t i = 0; i < 100; ++i) hit += Broken::is_hit(generator.make(i)) ? 1 : 0;
  ASSERT_GT(hit, 0u);

  const Comparison found = compared(device, *cases);
  const Summary summary = found.scoreboard.summary();
  EXPECT_LE(summary.differs, hit);  // one NaN may pass for another
  EXPECT_GT(summary.differs, 0u);
  const Failure& first = found.scoreboard.failures().front();
  EXPECT_EQ(found.repro(first.given), "assay compare --reference model --device 'exec:./broken one' " +
                                          subject_.option + " --seed 3 --case " + std::to_string(first.given.number));
  const std::string smallest = "smallest failing case: assay explain --reference model --device 'exec:./broken one' " +
                               subject_.option + " --a 8000 --b bc00 --c 00000000";
  EXPECT_EQ(found.explanation.back(), smallest);
  EXPECT_EQ(found.explanation.front().rfind("nearest explanation: ", 0), 0u) << found.explanation.front();

  const std::string text = comparison_text(found);
  EXPECT_EQ(text.rfind(subject_.name + ": broken held to model\n", 0), 0u) << text;
  EXPECT_NE(text.find("\n" + smallest + "\n"), std::string::npos) << text;
  const nlohmann::json json = comparison_json(found);
  EXPECT_EQ(json["devices"], "broken held to model");
  EXPECT_EQ(json["explanation"].size(), found.explanation.size());
  EXPECT_EQ(json["message"], why_not_passed(found));
}

// Of one case that was asked for, what came before it in a run is not asked again.
TEST_F(ComparisonOf, SingleCasesAreNotMadeSmaller) {
  Broken device(subject_.plan);
  const Generator generator(subject_.plan, seed);
  std::uint64_t hit = 0;
  while (!Broken::is_hit(generator.make(hit))) ++hit;
  const auto cases = generated({{hit, 1}}, std::to_string(hit));
  for (const std::string& line : compared(device, *cases).explanation)
    EXPECT_EQ(line.find("failing case: "), std::string::npos) << line;
}

TEST_F(ComparisonOf, WithoutTheModelNothingIsExplained) {
  Broken device(subject_.plan);
  const auto cases = generated({{0, 100}});
  for (const std::string& line : compared(device, *cases, Explained::nobody).explanation)
    EXPECT_EQ(line.find("nearest explanation"), std::string::npos) << line;
}

TEST_F(ComparisonOf, WhatADeviceSaysAtItsEndIsAFault) {
  Broken device(subject_.plan, "It gave a second answer.");
  const auto cases = generated({{0, 0}});
  const Comparison found = compared(device, *cases);
  EXPECT_EQ(device.closed, 1);
  EXPECT_EQ(found.scoreboard.summary().complaints, std::vector<std::string>{"It gave a second answer."});
  EXPECT_EQ(why_not_passed(found), "1 fault in 0 compared cases.");
}

TEST_F(ComparisonOf, NothingIsNoPassAndSaysWhy) {
  const auto model = model_device(subject_.plan);
  const auto cases = generated({{0, 0}});
  EXPECT_EQ(why_not_passed(compared(*model, *cases)),
            "Nothing was compared: there was no case to compare; --cases says how many there are to be.");
}

// The same cases and the same results: a recording is judged as the device was that it is of.
TEST_F(ComparisonOf, ARecordingIsJudgedAsItsDevice) {
  Broken device(subject_.plan);
  const auto cases = generated({{0, 1500}});
  const Summary live = compared(device, *cases).scoreboard.summary();

  VectorReader reader(recorded({0, 1500}, device));
  const auto kept = recorded_cases(reader, subject_.plan, "my file.jsonl");
  const auto reference = recorded_device("my file.jsonl");
  const auto model = chained(model_device(subject_.plan), subject_.plan);
  std::vector<std::uint64_t> heard;
  RunOptions options;
  options.nan = nan_rule_of(subject_);
  options.explained = Explained::reference;
  options.progress = [&](std::uint64_t read) { heard.push_back(read); };
  const Comparison found = compare(subject_, {"", *reference}, {"model", *model}, *kept, options);
  const Summary later = found.scoreboard.summary();
  EXPECT_EQ(later.compared, 1500u);
  EXPECT_GT(later.differs, 0u);
  EXPECT_EQ(later.differs, live.differs);
  EXPECT_EQ(later.nan_codes, live.nan_codes);
  EXPECT_EQ(later.zero_signs, live.zero_signs);
  EXPECT_EQ(heard, (std::vector<std::uint64_t>{1024, 1500}));
  const Case& first = found.scoreboard.failures().front().given;
  EXPECT_EQ(found.repro(first), "assay check 'my file.jsonl' --case " + std::to_string(first.number));
}

TEST_F(ComparisonOf, CasesWithoutADAreLeftOutAndCounted) {
  Broken device(subject_.plan);
  recorded({0, 4}, device);
  VectorReader bare((folder_ / "bare.jsonl").string());
  const auto cases = recorded_cases(bare, subject_.plan, "bare.jsonl");
  const auto reference = recorded_device("bare.jsonl");
  const auto model = model_device(subject_.plan);
  const Comparison found = compare(subject_, {"", *reference}, {"model", *model}, *cases, {});
  EXPECT_EQ(found.scoreboard.summary().unrecorded, 4u);
  EXPECT_EQ(found.scoreboard.summary().ending(), Ending::nothing_compared);
  EXPECT_EQ(reference->run({Case{}}, false).front().error, "case 0 has no recorded d.");
}

// --- results for cases that have none ---

class Silent : public Broken {
 public:
  using Broken::Broken;
  std::vector<Answer> run(const std::vector<Case>& cases, bool) override {
    std::vector<Answer> answers(cases.size());
    answers.back().error = "It fell silent.";
    return answers;
  }
};

TEST_F(ComparisonOf, ACaseWithoutAnAnswerEndsTheFillingIn) {
  Silent device(subject_.plan);
  try {
    recorded({0, 3}, device);
    FAIL() << "it went through";
  } catch (const Error& error) {
    EXPECT_EQ(error.message, (folder_ / "bare.jsonl").string() + ", case 2: It fell silent.");
    EXPECT_EQ(error.ending, Ending::mismatch);
  }
  EXPECT_FALSE(fs::exists(folder_ / "full.jsonl")) << "half a file";
}

TEST_F(ComparisonOf, ResultsOfNothingButZeroTellLittleApart) {
  Tally tally(subject_.plan);
  EXPECT_EQ(tally.warning(), "") << "there was no result";
  for (int i = 0; i < 10; ++i) tally.see(0);
  EXPECT_EQ(tally.warning(), "10 of 10 results are zero and 0 are NaN: such a set tells little apart.");
  for (int i = 0; i < 2; ++i) tally.see(0x3f800000);
  EXPECT_EQ(tally.warning(), "");
}

}  // namespace
}  // namespace assay
