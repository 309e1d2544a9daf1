// Recordings: each set of real parts is placed, and what it leaves open is said.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "tb/generate/generator.hpp"
#include "tb/identify/recorded.hpp"
#include "tb/identify/report.hpp"
#include "tb/tests/identify/boxes.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::identify {
namespace {

std::vector<std::string> recorded_files() {
  const char* shared = std::getenv("ASSAY_SHARED");
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(shared == nullptr ? "../shared" : shared) / "captured";
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Some class agrees; what is published of the part contradicts nothing.
TEST(IdentifyRecording, EachIsPlaced) {
  const std::vector<std::string> files = recorded_files();
  if (files.empty()) GTEST_SKIP() << "ASSAY_SHARED names no folder with captured/ in it.";
  for (const std::string& file : files) {
    const RecordedAnswers recorded = read_recorded(catalogue(), file);
    VersionSpace space = space_for(recorded.subject);
    const Identified found = identify_recorded(recorded.subject, space, recorded.answers, {});
    EXPECT_TRUE(found.outcome == IdentifyOutcome::found || found.outcome == IdentifyOutcome::undecided) << file;
    EXPECT_FALSE(space.contradiction(recorded.subject.plan)) << file;
  }
}

// A real part's order of NaNs, with a code of its own for one that is made, from a search that knows no order at all.
TEST(Identify, AnOrderOfNansThatNoFileHas) {
  const std::string file = source_dir() + "/tb/vectors/captured/hopper_mma_m8n8k4_f64_f64_f64_f64.jsonl.zst";
  const RecordedAnswers recorded = read_recorded(catalogue(), file);
  std::vector<std::string> chains;
  for (const Architecture& a : catalogue().architectures()) {
    for (const Instruction& i : a.instructions) {
      const auto& nan = catalogue().plan_of(i).datapath.nan;
      if (nan && nan->has_order()) chains.push_back(i.datapath);
    }
  }
  VersionSpace space = space_for(recorded.subject, chains);
  const Identified found = identify_recorded(recorded.subject, space, recorded.answers, {});
  // What the recording leaves open is no order: no c of it lies so far below a product that 58 bits and all bits of it
  // make different sums.
  ASSERT_EQ(found.outcome, IdentifyOutcome::undecided);
  for (const AgreeingClass& agrees : found.classes) {
    const NanOrder& order = agrees.first.plan->datapath.nan->order;
    EXPECT_EQ(order.take, (std::vector<std::string>{"b[0]", "acc", "a[0]"}));
    EXPECT_EQ(order.made, 0xfff8000000000000u);
  }
}

// Two answers to one question are named before anything is looked for; the same answer twice is one.
TEST(IdentifyRecording, NamesACaseWithTwoAnswers) {
  const Subject s = subject_of(catalogue(), catalogue().instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  const Generator generator(s.plan, 1);
  std::vector<BoxAnswer> recorded;
  for (std::uint64_t i = 0; i < 20; ++i) recorded.push_back({generator.make(i), d_of(s.plan, generator.make(i))});
  recorded.push_back(recorded[7]);
  VersionSpace space = space_for(s), again = space_for(s);
  EXPECT_NE(identify_recorded(s, space, recorded, {}).outcome, IdentifyOutcome::inconsistent);
  recorded.push_back(recorded[3]);
  recorded.back().d ^= 1;
  const Identified found = identify_recorded(s, again, recorded, {});
  ASSERT_EQ(found.outcome, IdentifyOutcome::inconsistent);
  EXPECT_EQ(found.against->given.a, recorded[3].given.a);
  EXPECT_EQ(found.other_answer, recorded.back().d);
  EXPECT_NE(as_text(s, found, {"few.jsonl", "case"}).find("inconsistent: two cases have these operands, and d "),
            std::string::npos);
}

// A recording of small integers says nothing of widths; the cases that are asked for next do.
TEST(Identify, SaysWhatARecordingLeavesOpen) {
  const Subject s = subject_of(catalogue(), catalogue().instruction("hopper:wgmma.m64nNk16.f32.f16.f16"));
  const Generator generator(s.plan, 1, find_family(s.plan, "small_integers"));
  std::vector<BoxAnswer> recorded;
  for (std::uint64_t i = 0; i < 100; ++i) recorded.push_back({generator.make(i), d_of(s.plan, generator.make(i))});
  VersionSpace space = space_for(s);
  const Identified found = identify_recorded(s, space, recorded, {});
  ASSERT_EQ(found.outcome, IdentifyOutcome::undecided);
  ASSERT_GT(found.classes.size(), 10u);
  ASSERT_FALSE(found.next.empty());
  // Recorded too, they leave fewer.
  for (const Case& c : found.next) recorded.push_back({c, d_of(s.plan, c)});
  VersionSpace again = space_for(s);
  const Identified then = identify_recorded(s, again, recorded, {});
  EXPECT_LT(then.classes.size(), found.classes.size() / 2);
}

// The search for it takes a while, and is heard of.
TEST(Identify, ARecordingOfNoDatapathIsPlacedNowhere) {
  const Subject s = subject_of(catalogue(), catalogue().instruction("volta:mma.m8n8k4.f32.f16.f16.f32"));
  const Generator generator(s.plan, 1);
  std::vector<BoxAnswer> recorded;
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Case c = generator.make(i);
    recorded.push_back({c, d_of(s.plan, c) ^ (i % 7 == 0 ? 0x40 : 0)});
  }
  VersionSpace space = space_for(s);
  std::vector<std::uint64_t> told;
  space.tell([&](std::uint64_t tried) { told.push_back(tried); });
  const Identified found = identify_recorded(s, space, recorded, {});
  EXPECT_EQ(found.outcome, IdentifyOutcome::no_word);
  EXPECT_GT(told.size(), 100u);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), found.tried);
  ASSERT_TRUE(found.against);
  EXPECT_TRUE(found.classes.empty());
}

}  // namespace
}  // namespace assay::identify
