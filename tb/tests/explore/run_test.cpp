// Runs: the same bytes whatever the threads and however often they are killed; and what the shipped studies find.
#include "tb/explore/runner.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <limits>

#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <random>
#include <thread>

#include "tb/explore/effort.hpp"
#include "tb/explore/findings.hpp"
#include "tb/explore/output.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// 4 points, 2 inputs, 3 seeds: 6 units.
const std::string two_inputs = substituted(small_study, "[normal]", "[normal, uniform]");

class Runs : public testing::Test {
 protected:
  std::string study_file(const std::string& text) const { return scratch_.file("study.yaml", text); }

  // The result as JSON.
  std::string run(const std::string& text, const std::string& folder, int threads = 1) const {
    const Study study = read_study(study_file(text), test_catalogue());
    const Machines machines = machines_of(study, test_catalogue(), 1000);
    const Samples samples = run_study(study, machines, {scratch_ / folder, threads, {}});
    return result_json(result_of(study, machines, samples, "test"));
  }

  // In a folder of its own.
  std::vector<StudyFinding> found(const std::string& text) const {
    const Study study = read_study(study_file(text), test_catalogue());
    const Machines machines = machines_of(study, test_catalogue(), 1000);
    const std::string folder = scratch_ / ("found" + std::to_string(text.size()));
    const StudyResult result = result_of(study, machines, run_study(study, machines, {folder, 1, {}}), "");
    return findings_of(study, result).list;
  }

  std::string refused(const std::string& text, const std::string& folder) const {
    try {
      run(text, folder);
    } catch (const Error& e) {
      return e.message.substr(std::min(e.message.size(), (scratch_ / "").size()));
    }
    return "not refused";
  }

  std::string what_stops(const Study& study, const Machines& machines, const std::string& folder) const {
    try {
      run_study(study, machines, {scratch_ / folder, 1, {}});
    } catch (const Error& e) {
      return e.message;
    }
    return "nothing";
  }

  std::string journal(const std::string& folder) const { return text_of_file(scratch_ / (folder + "/journal.jsonl")); }

  const Scratch scratch_;
};

TEST_F(Runs, GiveTheSameBytesWithAnyThreads) {
  const std::string one = run(two_inputs, "one", 1);
  EXPECT_EQ(run(two_inputs, "three", 3), one);
  EXPECT_EQ(journal("three"), journal("one"));
  EXPECT_EQ(run(two_inputs, "one", 1), one);  // nothing left to do
}

TEST_F(Runs, GoOnBehindATornLine) {
  const std::string whole = run(two_inputs, "whole");
  const std::string lines = journal("whole");
  for (const std::size_t kept :
       {std::size_t{0}, std::size_t{10}, lines.size() / 3, lines.size() / 2, lines.size() - 1}) {
    fs::create_directories(scratch_ / "torn");
    scratch_.file("torn/journal.jsonl", lines.substr(0, kept));
    EXPECT_EQ(run(two_inputs, "torn"), whole) << kept;
    EXPECT_EQ(journal("torn"), lines) << kept;
  }
}

TEST_F(Runs, KilledAtAnyMomentLoseNothing) {
  const std::string text =
      substituted(substituted(two_inputs, "m: 3, n: 4, k: 64", "m: 16, n: 16, k: 1024"), "seeds: 3", "seeds: 6");
  const std::string whole = run(text, "whole", 2);
  const std::string file = study_file(text);
  std::mt19937 random(5);
  int killed = 0;
  for (int tries = 0; tries < 200; ++tries) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      run(text, "killed", 2);
      _exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(2000 + random() % 20000));
    kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
    ++killed;
  }
  EXPECT_GT(killed, 0);
  EXPECT_EQ(run(text, "killed", 1), whole);
  EXPECT_EQ(journal("killed"), journal("whole"));
}

TEST_F(Runs, KeepToTheirOwnFolder) {
  run(two_inputs, "one");
  EXPECT_EQ(
      refused(substituted(two_inputs, "seeds: 3", "seeds: 4"), "one"),
      "one/journal.jsonl: This journal is that of another study, of other seeds, files or datapaths, or of another "
      "version of Assay; name another folder with --out.");
  fs::create_directories(scratch_ / "full");
  scratch_.file("full/thing", "x");
  EXPECT_EQ(refused(two_inputs, "full"),
            "full: This folder holds something other than a study's results; name a new one with --out.");
  const std::string lines = journal("one");
  scratch_.file("one/journal.jsonl", lines);
  const Journal open(scratch_ / "two", "x");
  EXPECT_EQ(refused(two_inputs, "two"),
            "two/journal.jsonl: Another run is writing this journal; wait for it, or name another folder with --out.");
}

// Whatever a line says that no run has written: by the line, with what to do; and doing that mends it.
TEST_F(Runs, RefuseWhatNoRunHasWritten) {
  const std::string whole = run(two_inputs, "one"), lines = journal("one");
  // bits of doubles: -1, NaN and an infinity below zero
  const std::string minus_one = "13830554455654793216", nan = "9221120237041090560", below = "18442240474082181120";
  const auto sample = [](const std::string& first, const std::string& counts, const std::string& bins) {
    return "{\"unit\":0,\"samples\":[[" + first + ",0,0,0,0,0,0,0," + counts + "," + bins + "]]}";
  };
  const std::string good = "12,12,0,0,512", none = "[]";
  struct Line {
    std::string text, why;
  };
  const std::string lacks = "it lacks `unit` or `samples`, or they are not what a run writes",
                    elements = "it counts more elements than there are";
  for (const Line& line :
       std::vector<Line>{{"{\"unit\":0}", lacks},
                         {"[]", lacks},
                         {"{\"unit\":0,\"samples\":[7]}", "a sample has not all of its numbers"},
                         {"{\"unit\":", "it is no JSON, or has a number that none can hold"},
                         {sample("1e999", good, none), "it is no JSON, or has a number that none can hold"},
                         {sample("-1", good, none), "'-1' stands where a count belongs"},
                         {sample("1.5", good, none), "'1.5' stands where a count belongs"},
                         {sample("null", good, none), "'null' stands where a count belongs"},
                         {sample(minus_one, good, none), "normwise is below zero"},
                         {sample(below, good, none), "normwise is below zero"},
                         {sample(nan, good, none), "normwise is not a number"},
                         {sample("0", "-1,12,0,0,512", none), "'-1' stands where a count belongs"},
                         {sample("0", "13,12,0,0,512", none), elements},
                         {sample("0", "0,12,13,0,512", none), elements},
                         {sample("0", "0,12,0,513,512", none), "it counts more swamped products than products"},
                         {sample("0", "0,18446744073709551615,0,0,512", none), elements},
                         {sample("0", good, "[[20,13]]"), elements},
                         {sample("0", good, "[[20,18446744073709551615],[21,18446744073709551615]]"), elements},
                         {sample("0", good, "[[41,1]]"), lacks},
                         {sample("0", good, "[[-1,1]]"), "'-1' stands where a count belongs"},
                         {"{\"unit\":-1,\"samples\":[]}", "'-1' stands where a count belongs"},
                         {"{\"unit\":0.5,\"samples\":[]}", "'0.5' stands where a count belongs"},
                         {"{\"unit\":4294967296,\"samples\":[]}", "there is no unit 4294967296"}}) {
    scratch_.file("one/journal.jsonl", lines + line.text + "\n");
    EXPECT_EQ(refused(two_inputs, "one"), "one/journal.jsonl:8: This line is no finished unit of work: " + line.why +
                                              ". Take the line away: what it stands for is run again.")
        << line.text;
  }
  const auto of_no_unit = [](const std::string& unit) {
    return "one/journal.jsonl: The line of unit " + unit +
           " is of no unit that this study has, or of another size. Take the line away: what it stands for is run "
           "again.";
  };
  scratch_.file("one/journal.jsonl", lines + "{\"unit\":99,\"samples\":[]}\n");
  EXPECT_EQ(refused(two_inputs, "one"), of_no_unit("99"));
  scratch_.file("one/journal.jsonl", lines + sample("0", "0,4096,0,0,0", none) + "\n");
  EXPECT_EQ(refused(two_inputs, "one"), of_no_unit("0"));
  scratch_.file("one/journal.jsonl", lines.substr(0, lines.rfind('{')));  // the last line taken away
  EXPECT_EQ(run(two_inputs, "one"), whole);
  EXPECT_EQ(journal("one"), lines);
}

// What the limit on a file's size cuts off is a sentence, and a later run goes on behind it.
TEST_F(Runs, StopWhereAFileMayNotGrow) {
  const std::string whole = run(two_inputs, "whole");
  const Study study = read_study(study_file(two_inputs), test_catalogue());
  const Machines machines = machines_of(study, test_catalogue(), 1000);
  for (const rlim_t most : {rlim_t{0}, rlim_t{100}, rlim_t{600}, static_cast<rlim_t>(journal("whole").size())}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      std::signal(SIGXFSZ, SIG_IGN);  // as the command does
      const rlimit limit{most, most};
      setrlimit(RLIMIT_FSIZE, &limit);
      const std::string said = what_stops(study, machines, "limited");
      _exit(said.find("This file cannot be written: File too large.") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (most < journal("whole").size()) {
      EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << most << " " << status;
    }
    EXPECT_FALSE(fs::exists(scratch_ / "limited/journal.jsonl.part"));
  }
  EXPECT_EQ(run(two_inputs, "limited"), whole);
}

TEST_F(Runs, RefuseAMissingTensorBeforeAnything) {
  const std::string text = substituted(small_study, "[normal]", "[{tensor: {file: none.npz, a: x, b: y}}]");
  EXPECT_EQ(refused(text, "never"), "none.npz: This file of tensors cannot be read: there is no such file.");
  EXPECT_FALSE(fs::exists(scratch_ / "never"));
}

TEST_F(Runs, TakeEveryKindOfOperand) {
  const std::string text =
      R"(study: kinds
title: Kinds
instruction: hopper:wgmma.m64nNk16.f32.f16.f16
axes:
  - name: kind
    values:
)" + std::string("      f64: {instruction: \"cdna3:v_mfma_f64_16x16x4_f64\"}\n") +
      "      f32: {instruction: \"cdna3:v_mfma_f32_16x16x4_f32\"}\n"
      "      tf32: {instruction: \"cdna3:v_mfma_f32_32x32x4_xf32\"}\n"
      "      bf16: {instruction: \"cdna2:v_mfma_f32_32x32x4bf16\"}\n"
      "      bf8: {instruction: \"cdna3:v_mfma_f32_32x32x16_bf8_bf8\"}\n"
      "      f16: {instruction: \"hopper:mma.m16n8k16.f16.f16.f16.f16\"}\n"
      "      mxfp6: {instruction: \"blackwell:tcgen05.mma.m128nNk32.block32.f32.e3m2.e2m3.ue8m0\"}\n"
      "      i8: {instruction: \"cdna3:v_mfma_i32_32x32x16_i8\"}\n"
      "inputs: [{normal: {times_a: 20, times_b: 20}}, {log_uniform: {least: -100, greatest: 50}}]\n"
      "shapes: {m: 4, n: 4, k: 64}\n";
  const Study study = read_study(study_file(text), test_catalogue());
  const Machines machines = machines_of(study, test_catalogue(), 1000);
  const Samples samples = run_study(study, machines, {scratch_ / "kinds", 1, {}});
  ASSERT_EQ(machines.size(), 8u);
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Sample& s = samples.at(i, 0, 0)[0];
    EXPECT_EQ(s.results, 16u);
    EXPECT_EQ(s.special, 0u) << machines[i]->point.name;
    EXPECT_LT(s.normwise, 0.01) << machines[i]->point.name;
    EXPECT_NE(s.value, 0) << machines[i]->point.name;
  }
  EXPECT_EQ(samples.at(7, 0, 0)[0].correct, 16u);  // integers are exact
}

// K is short of the 512 products that are looked at, so that several elements are walked, or all of them.
TEST_F(Runs, CountSwampedProductsOfSeveralElements) {
  const auto products = [&](const std::string& shape) {
    const Study study = read_study(study_file(substituted(small_study, "m: 3, n: 4, k: 64", shape)), test_catalogue());
    const Machines machines = machines_of(study, test_catalogue(), 1000);
    return run_study(study, machines, {scratch_ / shape, 1, {}}).at(0, 0, 0)[0].products;
  };
  EXPECT_EQ(products("m: 3, n: 4, k: 64"), 512u);
  EXPECT_EQ(products("m: 2, n: 3, k: 16"), 96u);
  EXPECT_EQ(products("m: 1, n: 1, k: 1024"), 512u);
}

TEST_F(Runs, FindTheKnee) {
  const Study study = read_study(
      study_file(substituted(substituted(substituted(small_study, "10..13", "6..20"), "seeds: 3", "seeds: 6"), "k: 64}",
                             "k: 256}") +
                 "output: bf16\nexpect: [{measure: knee, published: 3, within: 1, source: nobody}]\n"),
      test_catalogue());
  const Machines machines = machines_of(study, test_catalogue(), 1000);
  const StudyResult result = result_of(study, machines, run_study(study, machines, {scratch_ / "knee", 1, {}}), "");
  const Findings findings = findings_of(study, result);
  ASSERT_EQ(findings.list.size(), 4u);
  EXPECT_EQ(findings.missed, 1);
  EXPECT_EQ(findings.list[0].expected, 3);
  EXPECT_NE(findings.list[0].text.find("published is 3 (nobody). They disagree."), std::string::npos);
  EXPECT_EQ(findings.list[1].text.find("In short, with K = 256: F = 1"), 0u);
  EXPECT_NE(findings.list[1].text.find(" is enough for normal. More"), std::string::npos);
  ASSERT_TRUE(findings.list[3].measured);
  EXPECT_GE(*findings.list[3].measured, 11);
  EXPECT_LE(*findings.list[3].measured, 15);
  EXPECT_EQ(findings.list[0].measured, findings.list[3].measured);
}

// The findings of a study whose rows have these normwise errors.
std::vector<StudyFinding> findings_for(const Study& study, const std::vector<double>& errors) {
  const Machines machines = machines_of(study, test_catalogue(), 1000);
  StudyResult result = result_of(study, machines, Samples(study, machines), "");
  EXPECT_EQ(result.rows.size(), errors.size());
  for (std::size_t i = 0; i < result.rows.size(); ++i) {
    const double error = errors.at(i);
    result.rows[i].measures.normwise = {error, error, error};
    result.rows[i].measures.histogram[histogram_zero] = 1;
  }
  return findings_of(study, result).list;
}

// Whether any width is enough is not known where the widest one was held against itself alone.
TEST_F(Runs, FindNoKneeWhereNoneIsShown) {
  const Study study =
      read_study(study_file(substituted(small_study, "[normal]", "[normal, uniform]")), test_catalogue());
  // F = 10, 11, 12, 13, of normal and of uniform
  const std::vector<StudyFinding> falling = findings_for(study, {8, 8, 4, 4, 2, 1, 1, 1});
  ASSERT_EQ(falling.size(), 5u);
  EXPECT_EQ(falling[0].text,
            "In short, with K = 64: F = 12 is enough for uniform. More bits lessen the normwise error by less than a "
            "tenth. F = 13, the widest value, is not shown to be enough for normal: the normwise error still falls "
            "there; try wider ones.");
  EXPECT_EQ(falling[2].text,
            "normal, K = 64: no knee is found: the normwise error still falls at the widest value, F = 13. It is 1 "
            "there and 2.00 times that one step narrower; try wider ones.");
  EXPECT_FALSE(falling[2].measured);
  EXPECT_EQ(falling[4].measured, 12);
  // Nothing is better than no error; and what grows with the width is no knee either.
  const std::vector<StudyFinding> ends = findings_for(study, {8, 1, 4, 2, 2, 3, 0, 4});
  EXPECT_EQ(ends[0].text,
            "In short, with K = 64: F = 13 is enough for normal. More bits lessen the normwise error by less than a "
            "tenth. F = 13, the widest value, is not the best for uniform: the normwise error is less at a narrower "
            "one.");
  EXPECT_EQ(ends[2].measured, 13);
  EXPECT_EQ(ends[4].text,
            "uniform, K = 64: there is no knee: the normwise error is least at F = 10, 1, and at the widest value, F = "
            "13, it is 4.");
  EXPECT_FALSE(ends[4].measured);
}

TEST_F(Runs, FindNothingGoodInInfiniteErrors) {
  const Study study = read_study(study_file(small_study), test_catalogue());
  const double none = std::numeric_limits<double>::infinity();
  const std::vector<StudyFinding> all = findings_for(study, {none, none, none, none});
  EXPECT_EQ(all[0].text,
            "In short, with K = 64: No value of F is enough for normal: at none is the normwise error finite.");
  EXPECT_EQ(all[2].text, "normal, K = 64: there is no knee: at no F is the normwise error finite.");
  EXPECT_FALSE(all[2].measured);
  const std::vector<StudyFinding> some = findings_for(study, {none, 2, 1, 1});
  EXPECT_EQ(some[2].measured, 12);
}

TEST_F(Runs, FindNoPublishedKneeWhereTheErrorStillFalls) {
  const Study study =
      read_study(study_file(small_study + "expect: [{measure: knee, published: 13, within: 1, source: nobody}]\n"),
                 test_catalogue());
  const std::vector<StudyFinding> list = findings_for(study, {8, 4, 2, 1});
  EXPECT_EQ(list[0].text,
            "normal, K = 64: knee is reached at no value of the axis; published is 13 (nobody). They disagree.");
}

// As somebody's study of f16 said that 12 bits are enough, since they were the most that it tried.
TEST_F(Runs, ClaimNothingOfTheWidestAlone) {
  const std::vector<StudyFinding> list =
      found(substituted(substituted(small_study, "values: 10..13", "values: 8..12"), "k: 64}", "k: 32}"));
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].text.find("is enough"), std::string::npos) << list[0].text;
  EXPECT_NE(list[0].text.find("F = 12, the widest value, is not shown to be enough for normal"), std::string::npos)
      << list[0].text;
  EXPECT_NE(list[2].text.find("the normwise error still falls at the widest value, F = 12."), std::string::npos)
      << list[2].text;
}

// Numbers that grow are no widths where they set no bits: more of them need not be better.
TEST_F(Runs, FindTheBestOfNumbersThatAreNoWidths) {
  const std::string f = "name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 10..13";
  for (const std::string axis :
       {"set: promote_every, values: [16, 32, 64]", "set: split_k, values: [1, 2, 4]",
        "set: k_order.step.terms, values: [4, 8, 16]", "set: adders.sum.window.floor, values: [-4, 0, 4]",
        "values: {1: {promote_every: 64}, 2: {promote_every: 32}, 3: {promote_every: 16}}",
        "values: {1: {adders.sum.add.acc.keep: 13}, 2: {adders.sum.add.acc.keep: 12}, 3: {adders.sum.add.acc.keep: "
        "11}}"}) {
    const std::vector<StudyFinding> list = found(substituted(small_study, f, "name: n, " + axis));
    ASSERT_FALSE(list.empty());
    EXPECT_EQ(list[0].text.find("normal, K = 64: the normwise error is "), 0u) << axis << ": " << list[0].text;
    for (const StudyFinding& finding : list) {
      EXPECT_EQ(finding.text.find("knee"), std::string::npos) << finding.text;
      EXPECT_EQ(finding.text.find("bits"), std::string::npos) << finding.text;
    }
  }
  for (const std::string axis : {"set: \"adders.sum.result[0].keep\", values: 10..12",
                                 "values: {1: {adders.sum.add.acc.keep: 10}, 2: {adders.sum.add.acc.keep: 11}, 3: "
                                 "{adders.sum.add.acc.keep: 12}}"}) {
    const std::string own = substituted(small_study, "datapath: fused_f25",
                                        "datapath: {like: fused_f25, adders: [{name: sum, result: [{at: leading_one, "
                                        "keep: 10, cut: down}, {format: d, cut: down}]}]}");
    const std::vector<StudyFinding> list = found(substituted(own, f, "name: n, " + axis));
    ASSERT_EQ(list.size(), 3u);
    EXPECT_EQ(list[0].text.find("In short, with K = 64: n = "), 0u) << list[0].text;
  }
}

// What a study is about stands first, with its intervals; and a bias is told although the errors are the same.
TEST_F(Runs, FindWhatTheyAreAbout) {
  const std::string text = R"(study: drift
title: Drift
instruction: cdna3:v_mfma_f32_32x32x8_f16
measure: bias_ulps
axes:
  - name: cut
    set: [adders.sum.add.dot.cut, adders.sum.add.acc.cut, "adders.sum.result[0].cut"]
    values: [down, toward_zero]
inputs: [{name: large, normal: {times_a: 1000, times_b: 1000, c: 0.001}}]
shapes: {m: 16, n: 16, k: 8}
seeds: 20
)";
  const std::vector<StudyFinding> with = found(text), without = found(substituted(text, "measure: bias_ulps\n", ""));
  ASSERT_EQ(with.size(), 2u);
  EXPECT_EQ(with[0].text.find("large, K = 8: bias_ulps is -0."), 0u) << with[0].text;
  EXPECT_NE(with[0].text.find(" at cut = down and "), std::string::npos) << with[0].text;
  ASSERT_EQ(without.size(), 2u);
  EXPECT_EQ(with[1].text, without[0].text);
  EXPECT_EQ(without[0].text.find("large, K = 8: the normwise error is "), 0u) << without[0].text;
  EXPECT_EQ(without[1].text.find("large, K = 8: results are pulled down at cut = down, by a bias of -0."), 0u)
      << without[1].text;
}

// What is published of one input is told first, along the axis too; the page opens at it.
TEST_F(Runs, FindFirstWhatIsPublished) {
  const std::vector<StudyFinding> list = found(substituted(two_inputs, "values: 10..13", "values: [10, 12]") +
                                               "expect: [{where: {F: 10, input: uniform}, measure: greatest, "
                                               "published: 3, source: nobody}]\n");
  ASSERT_EQ(list.size(), 4u);
  EXPECT_EQ(list[0].text.find("uniform, K = 64, F = 10: greatest is "), 0u) << list[0].text;
  EXPECT_EQ(list[0].row, 1);
  EXPECT_EQ(list[1].text.find("uniform, K = 64: greatest is "), 0u) << list[1].text;
  EXPECT_NE(list[1].text.find(" at F = 10 and "), std::string::npos) << list[1].text;
  EXPECT_EQ(list[2].text.find("uniform, K = 64: the normwise error is least at F = 12, "), 0u) << list[2].text;
  EXPECT_EQ(list[3].text.find("normal, K = 64: the normwise error is least at F = 12, "), 0u) << list[3].text;
}

// Where operands differ, sums that are right of the wrong ones are no answer.
TEST_F(Runs, FindTheBestByTheTotalWhereQuantisationDiffers) {
  const std::string text = R"(study: formats
title: Formats
datapath: fused_f25
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
k: 32
axes:
  - name: format
    values:
      e4m3: {operands.a: e4m3}
      f16: {operands.a: f16, operands.b: f16}
inputs: [normal]
shapes: {m: 8, n: 8, k: 256}
)";
  const std::vector<StudyFinding> list = found(text);
  ASSERT_EQ(list.size(), 1u);
  const std::string& said = list[0].text;
  EXPECT_EQ(said.find("normal, K = 256: the total error is least at format = f16, 0.000"), 0u) << said;
  EXPECT_NE(said.find(" (quantisation 0.000"), std::string::npos) << said;
  EXPECT_NE(said.find(", and greatest at format = e4m3, 0.0"), std::string::npos) << said;
}

// --- the estimate ---

// Points of every kind, sums that are too long to be tried whole and such that can only be tried so.
TEST_F(Runs, AreEstimatedByALittleOfThem) {
  const std::string text = R"(study: long
title: Long
datapath: fused_f25
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
k: 32
axes:
  - name: way
    values:
      plain: {k: 16}
      odd: {split_k: 3}
      blocks: {scaling: {format: f32, block: 96, applied: multiply_add}, promote_every: 96}
      other: {datapath: late_floor_f24_step8, k: 8}
inputs: [{tensor: {file: t.safetensors, a: a, b: b, b_transposed: true}}, gradient]
shapes: [{m: 64, n: 64, k: 6144}, {m: 1, n: 1, k: 96}]
seeds: 7
)";
  const std::string header = R"({"a":{"dtype":"F8_E4M3","shape":[64,6144],"data_offsets":[0,393216]},)"
                             R"("b":{"dtype":"F8_E4M3","shape":[64,6144],"data_offsets":[393216,786432]}})";
  std::string length(8, '\0');
  length[0] = static_cast<char>(header.size());
  scratch_.file("t.safetensors", length + header + std::string(786432, '\x30'));
  const Study study = read_study(study_file(text), test_catalogue());
  const Machines machines = machines_of(study, test_catalogue(), 1000);
  const Effort effort = measured_effort(study, machines);
  EXPECT_EQ(effort.points, 4);
  EXPECT_EQ(effort.macs, (64.0 * 64 * 6144 + 96) * 2 * 7 * 4);
  EXPECT_GT(effort.seconds, 0);
  EXPECT_TRUE(std::isfinite(effort.seconds));
  refuse_longer(study, effort, 2 * effort.seconds);
  try {
    refuse_longer(study, {4, 1e9, 100}, 50);
    ADD_FAILURE();
  } catch (const Error& e) {
    EXPECT_EQ(e.message, study.file +
                             ": This study has 4 points and 1e+09 multiply-accumulates, about 100 s on one thread; "
                             "more than the 50 s that --limit allows: give it fewer points, inputs, shapes or seeds, "
                             "or raise --limit.");
  }
}

}  // namespace
}  // namespace assay
