// Gates of small datapaths by yosys itself, and what is made of a yosys that fails: a script in its place.
#include "tb/gates/cost.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "model/config/catalogue.hpp"
#include "tb/devices/device.hpp"
#include "tb/tests/vectors/helpers.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using testing_vectors::file_bytes;
using testing_vectors::put_file;

// Two products of e4m3 and an f32, so many fraction bits kept.
Plan fused(int keep, const std::string& window = "exponent: largest, floor: -133") {
  const std::string f = std::to_string(keep);
  const std::string text =
      "{name: small, k: 2, specials: step, nan: 7fffffff, operands: {a: e4m3, b: e4m3, c: f32, d: f32}, "
      "adders: [{name: sum, add: {product: {keep: " +
      f + ", cut: toward_zero}, acc: {keep: " + f + ", cut: toward_zero}}, window: {" + window +
      "}, result: [{format: f32, cut: toward_zero, overflow: infinity}]}]}";
  return plan_of(read_datapath_text(text, "small.yaml", shipped_catalogue()));
}

const std::string area_text =
    "   Number of cells:                120\n     AND2X2   120\n\n   Chip area for module '\\datapath': 4100.5\n";
const std::string timing_text =
    "ABC: WireLoad = \"none\"  Gates =    120 ( 15.3 %)  Area = 4100.50 ( 96.3 %)  Delay =  1250.50 ps  ( 12.4 %)\n"
    "ABC: netlist : i/o = 48/ 32  lat = 0  nd = 120  edge = 259  area =4100.50  delay =12.00  lev = 12\n";

class CostOf : public ::testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder_ / "cache");
    ASSERT_EQ(setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1), 0);
    put_file(folder_ / "cells.lib", "library(cells) {}\n");
  }

  // A program in yosys's place that says this, and notes each of its starts.
  Synthesis fake(const std::string& area, const std::string& timing, const std::string& ending = "") {
    put_file(folder_ / "area", area);
    put_file(folder_ / "timing", timing);
    const std::string path = folder_ / "yosys";
    put_file(path, "#!/bin/sh\necho started >> '" + folder_ / "starts" +
                       "'\n[ \"$1\" = -V ] && echo Fake 1 && exit 0\ncp '" + folder_ / "area" + "' area.txt\ncp '" +
                       folder_ / "timing" + "' timing.txt\n" + ending + "\n");
    fs::permissions(path, fs::perms::owner_all);
    return find_synthesis(path, folder_ / "cells.lib");
  }

  std::size_t starts() const {
    const std::string text = file_bytes(folder_ / "starts");
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }

  // What cost_of says of a yosys that says this; the place of its log left out.
  std::string refused(const Synthesis& synthesis) {
    try {
      cost_of(fused(8), synthesis);
    } catch (const Error& error) {
      return error.message.substr(0, error.message.find(" (the whole log"));
    }
    return "was taken";
  }

  Scratch folder_;
};

TEST_F(CostOf, ANarrowerAccumulatorIsSmallerAndNoSlower) {
  const Synthesis synthesis = find_synthesis();
  const CostAnswer narrow = cost_of(fused(6), synthesis), wide = cost_of(fused(24), synthesis);
  ASSERT_TRUE(narrow.cost && wide.cost) << narrow.no_cost << wide.no_cost;
  EXPECT_LT(narrow.cost->area, 0.9 * wide.cost->area);
  EXPECT_LT(narrow.cost->cells, wide.cost->cells);
  EXPECT_LT(narrow.cost->delay, wide.cost->delay);
  EXPECT_GT(narrow.cost->depth, 10);
  EXPECT_GT(narrow.cost->delay, 0.05 * narrow.cost->depth) << "nanoseconds: a cell takes some 0.1 of them";
  EXPECT_LT(narrow.cost->delay, 0.5 * narrow.cost->depth);
  EXPECT_GT(narrow.cost->area, 10 * narrow.cost->cells) << "square micrometres";
}

TEST_F(CostOf, ReadsWhatYosysSays) {
  const CostAnswer answer = cost_of(fused(8), fake(area_text, timing_text));
  ASSERT_TRUE(answer.cost) << answer.no_cost;
  EXPECT_EQ(answer.cost->cells, 120);
  EXPECT_EQ(answer.cost->area, 4100.5);
  EXPECT_EQ(answer.cost->depth, 12);
  EXPECT_EQ(answer.cost->delay, 1.2505);
}

TEST_F(CostOf, WhatIsKeptStartsNothing) {
  const Synthesis synthesis = fake(area_text, timing_text);
  const std::size_t looked_up = starts();
  const CostAnswer first = cost_of(fused(8), synthesis);
  EXPECT_EQ(starts(), looked_up + 1);
  const CostAnswer second = cost_of(fused(8), synthesis);
  EXPECT_EQ(starts(), looked_up + 1);
  EXPECT_EQ(second.cost->delay, first.cost->delay);
  EXPECT_EQ(second.cost->area, first.cost->area);
  cost_of(fused(9), synthesis);
  EXPECT_EQ(starts(), looked_up + 2) << "another datapath is another cost";
  Synthesis other = synthesis;
  other.sha256 = "of another library";
  cost_of(fused(8), other);
  EXPECT_EQ(starts(), looked_up + 3);
  other.version = "Fake 2";
  cost_of(fused(8), other);
  EXPECT_EQ(starts(), looked_up + 4);
}

// Whatever stands there that no synthesis has left is made again.
TEST_F(CostOf, WhatIsKeptAndDamagedIsMadeAgain) {
  const Synthesis synthesis = fake(area_text, timing_text);
  cost_of(fused(8), synthesis);
  fs::path kept;
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache")) {
    if (entry.path().filename() == "cost" && entry.is_regular_file()) kept = entry.path();
  }
  ASSERT_EQ(file_bytes(kept), "120 4100.5 12 1.2505\n");
  for (const char* const text : {"", "120", "120 4100.5 12", "-120 4100.5 12 1.2505\n", "120 nan 12 1.2505\n",
                                 "120 inf 12 1.2505\n", "120 1e999 12 1.2505\n", "120 4100.5 12 1.2505\nmore"}) {
    put_file(kept.string(), text);
    const std::size_t before = starts();
    EXPECT_EQ(cost_of(fused(8), synthesis).cost->area, 4100.5) << text;
    EXPECT_EQ(starts(), before + 1) << text;
  }
}

// One is synthesised to see, and what is kept takes no time.
TEST_F(CostOf, WhatIsToComeIsEstimatedByOne) {
  const Synthesis synthesis = fake(area_text, timing_text);
  const Plan one = fused(8), two = fused(9), three = fused(10);
  const std::size_t before = starts();
  EXPECT_GT(synthesis_seconds({&one, &two, &three}, synthesis), 0);
  EXPECT_EQ(starts(), before + 1);
  for (const Plan* plan : {&one, &two, &three}) cost_of(*plan, synthesis);
  EXPECT_EQ(starts(), before + 3);
  EXPECT_EQ(synthesis_seconds({&one, &two, &three}, synthesis), 0);
  EXPECT_EQ(starts(), before + 3);
}

TEST_F(CostOf, OneOfTwoThatComeAtOnceWaitsForTheOther) {
  const Synthesis synthesis = fake(area_text, timing_text, "sleep 0.2");
  const std::size_t looked_up = starts();
  std::vector<CostAnswer> answers(4);
  std::vector<std::thread> threads;
  for (CostAnswer& answer : answers) threads.emplace_back([&] { answer = cost_of(fused(8), synthesis); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(starts(), looked_up + 1);
  for (const CostAnswer& answer : answers) EXPECT_EQ(answer.cost->cells, 120);
}

TEST_F(CostOf, WhatTheBlocksCannotDoSaysWhy) {
  Plan plan = fused(8);
  plan.adders[0].results[0].words.cut = static_cast<Cut>(99);  // one that nobody has wired
  const CostAnswer answer = cost_of(plan, fake(area_text, timing_text));
  EXPECT_FALSE(answer.cost);
  EXPECT_EQ(answer.no_cost,
            "The blocks of rtl_ref cannot do it: adders[0].result[0].cut: export-sv has no block for this value.");
}

TEST_F(CostOf, ABrokenAnswerIsAnErrorAndNoZero) {
  EXPECT_EQ(refused(fake("", timing_text)),
            "yosys does not say how many cells there are: no number follows 'Number of cells:'");
  EXPECT_EQ(refused(fake(area_text.substr(0, 60), timing_text)),
            "yosys does not say the area: no number follows 'Chip area for module '\\datapath':'");
  EXPECT_EQ(refused(fake(area_text, "")),
            "yosys does not say how many cells are on the longest path: no number follows 'lev ='");
  EXPECT_EQ(refused(fake(area_text, "lev = 3\n")), "yosys does not say the delay: no number follows 'Delay ='");
  EXPECT_EQ(refused(fake(area_text, "Delay = nan ps\nlev = 3\n")),
            "yosys does not say the delay: no number follows 'Delay ='");
  EXPECT_EQ(refused(fake("Number of cells: 0\n", timing_text)),
            "yosys does not say how many cells there are: no number follows 'Number of cells:'");
  EXPECT_EQ(refused(fake("     $_AND_   3\n" + area_text, timing_text)),
            "yosys left the cell $_AND_ that is of no library");
  EXPECT_EQ(refused(fake(area_text, timing_text, "echo 'ERROR: Module is missing.'; exit 1")),
            "yosys cannot synthesise the datapath: Module is missing.");
  EXPECT_EQ(refused(fake(area_text, timing_text, "exit 1")),
            "yosys cannot synthesise the datapath: it does not say why");
  EXPECT_EQ(refused(fake(area_text, timing_text)), "was taken") << "and nothing of the failures was kept";
}

TEST_F(CostOf, AMachineWithoutYosysOrCellsSaysSo) {
  const auto lacking = [&](const std::string& yosys, const std::string& library) {
    try {
      find_synthesis(yosys, library);
    } catch (const Error& error) {
      EXPECT_EQ(error.ending, Ending::not_here);
      return error.message;
    }
    return std::string("was found");
  };
  EXPECT_EQ(lacking("/no/yosys", folder_ / "cells.lib"),
            "/no/yosys cannot be started, and gates need it: install the package yosys (0.23 or later).");
  fake(area_text, timing_text);
  EXPECT_EQ(lacking(folder_ / "yosys", "/no/cells.lib"),
            "There is no cell library /no/cells.lib: install the package qflow-tech-osu018.");
}

}  // namespace
}  // namespace assay
