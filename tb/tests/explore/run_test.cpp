// Runs: the same bytes whatever the threads and however often they are killed; and what the shipped studies find.
#include "tb/explore/runner.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <random>
#include <thread>

#include "tb/explore/findings.hpp"
#include "tb/explore/output.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

// 4 points, 2 inputs, 3 seeds: 6 units.
const std::string two_inputs = replaced(small_study, "[normal]", "[normal, uniform]");

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

  std::string refused(const std::string& text, const std::string& folder) const {
    try {
      run(text, folder);
    } catch (const ConfigError& e) {
      return e.message.substr(std::min(e.message.size(), (scratch_ / "").size()));
    }
    return "not refused";
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
      replaced(replaced(two_inputs, "m: 3, n: 4, k: 64", "m: 16, n: 16, k: 1024"), "seeds: 3", "seeds: 6");
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
      refused(replaced(two_inputs, "seeds: 3", "seeds: 4"), "one"),
      "one/journal.jsonl: This journal is that of another study, or of other seeds, files or datapaths; name another "
      "folder with --out.");
  fs::create_directories(scratch_ / "full");
  scratch_.file("full/thing", "x");
  EXPECT_EQ(refused(two_inputs, "full"),
            "full: This folder holds something other than a study's results; name a new one with --out.");
  const std::string lines = journal("one");
  scratch_.file("one/journal.jsonl", lines + "{\"unit\":0}\n");
  EXPECT_EQ(refused(two_inputs, "one"),
            "one/journal.jsonl: A line of this journal cannot be read; take the folder away and begin again.");
  scratch_.file("one/journal.jsonl", lines + "{\"unit\":99,\"samples\":[]}\n");
  EXPECT_EQ(refused(two_inputs, "one"), "one: The journal has a unit that this study has not; take the folder away.");
  scratch_.file("one/journal.jsonl", lines);
  const Journal open(scratch_ / "two", "x");
  EXPECT_EQ(refused(two_inputs, "two"),
            "two/journal.jsonl: Another run is writing this journal; wait for it, or name another folder with --out.");
}

TEST_F(Runs, RefuseAMissingTensorBeforeAnything) {
  const std::string text = replaced(small_study, "[normal]", "[{tensor: {file: none.npz, a: x, b: y}}]");
  EXPECT_EQ(refused(text, "never"), "none.npz: This file of tensors cannot be read: there is no such file.");
  EXPECT_FALSE(fs::exists(scratch_ / "never"));
}

TEST_F(Runs, TakeEveryKindOfOperand) {
  const std::string text =
      R"(study: kinds
title: Kinds
instruction: hopper:wgmma.m64nNk16.f32.f16.f16
scaling: {format: ue8m0, block: 32}
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

TEST_F(Runs, FindTheKnee) {
  const Study study =
      read_study(study_file(replaced(replaced(replaced(small_study, "10..13", "6..20"), "seeds: 3", "seeds: 6"),
                                     "k: 64}", "k: 256}") +
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

}  // namespace
}  // namespace assay
