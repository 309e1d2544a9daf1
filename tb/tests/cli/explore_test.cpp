// assay explore: what it prints, what it writes, what it refuses.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string small = R"(study: small
title: A small one
datapath: fused_f25
operands: {a: f16, b: f16, c: f32, d: f32}
k: 16
output: bf16
axes:
  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 8..16}
inputs: [normal, {name: two, listed: {a: [1.5], b: [2]}}]
shapes: {m: 8, n: 8, k: 64}
seeds: 2
references: [hopper:wgmma.m64nNk16.f32.f16.f16]
expect:
  - {where: {F: 8, input: two}, measure: value, published: 3, within: 0, source: arithmetic}
)";

class Explore : public InFolder {
 protected:
  Ran explore(const std::string& text, const std::vector<std::string>& more = {}) const {
    std::vector<std::string> args{"explore", file("study.yaml", text), "--out", path("out"), "--threads", "2"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  std::string written(const std::string& name) const { return text_of(path("out/" + name)); }
};

TEST_F(Explore, PrintsATableAndFindingsOfAHundredColumns) {
  const Ran ran = explore(small);
  EXPECT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("A small one\n10 points"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("normal, 8 x 8 x 64\n"), std::string::npos);
  EXPECT_NE(ran.out.find("F = 8 "), std::string::npos);
  EXPECT_NE(ran.out.find("- two, K = 64, F = 8: value is 3; published is 3 (arithmetic). They agree."),
            std::string::npos);
  EXPECT_NE(ran.out.find("the knee is at F = "), std::string::npos);
  std::istringstream lines(ran.out.substr(0, ran.out.find("\nOpen ")));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_GT(count, 20);
}

TEST_F(Explore, WritesWhatItSaysItWrote) {
  const Ran ran = explore(small, {"--json"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const auto json = nlohmann::json::parse(ran.out);
  EXPECT_EQ(json.at("points").size(), 10u);
  EXPECT_EQ(json.at("rows").size(), 20u);
  EXPECT_EQ(json.at("rows").at(1).at("value").at("mean"), 3);
  EXPECT_EQ(json.at("rows").at(1).at("sqnr_db").at("mean"), "infinity");
  EXPECT_EQ(written("result.json"), ran.out);
  EXPECT_EQ(written("study.yaml"), small);
  const std::string table = written("table.csv");
  EXPECT_EQ(table.substr(0, 35), "point,reference,F,input,m,n,k,normw");
  EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), 21);
  EXPECT_NE(written("report.html").find("A small one"), std::string::npos);
  EXPECT_NE(written("normwise.svg").find("<svg"), std::string::npos);
}

// Both errors and what they come to, wherever results are written.
TEST_F(Explore, TellsErrorsOfAccumulationFromThoseOfQuantisation) {
  std::string text = small;
  text.replace(text.find("a: [1.5], b: [2]"), 16, "a: [0.1], b: [3]");
  text.replace(text.find("published: 3"), 12, "published: 0.30078125");  // as bf16
  const Ran ran = explore(text);
  ASSERT_EQ(ran.status, passed) << ran.err;
  EXPECT_NE(ran.out.find("  normwise  quantis.     total  greatest  bias ulps right % swamp % special\n"),
            std::string::npos)
      << ran.out;
  const auto row = nlohmann::json::parse(written("result.json")).at("rows").at(1);
  const double in_f16 = 0.0999755859375, d = 0.30078125;  // of 0.1; in bf16
  EXPECT_NEAR(row.at("normwise").at("mean"), (d - 3 * in_f16) / (3 * in_f16), 1e-12);
  EXPECT_NEAR(row.at("quantisation").at("mean"), 1 - in_f16 / 0.1, 1e-12);
  EXPECT_NEAR(row.at("total").at("mean"), (d - 0.3) / 0.3, 1e-12);
  EXPECT_NE(written("table.csv").find(",quantisation,quantisation_low,quantisation_high,total,"), std::string::npos);
  EXPECT_NE(written("report.html").find("\"quantisation error\""), std::string::npos);
  EXPECT_NE(written("report.html").find("\"total error\""), std::string::npos);
  EXPECT_TRUE(fs::exists(path("out/quantisation.svg")) && fs::exists(path("out/total.svg")));
}

// Where a limit on the size of files stops it, at the journal, a table or the page: a sentence, and nothing is lost.
TEST_F(Explore, StopsWithASentenceWhereAFileMayNotGrow) {
  const std::string study = file("study.yaml", small);
  for (const rlim_t most : {0, 300, 5000, 60000}) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      const rlimit limit{most, most};
      setrlimit(RLIMIT_FSIZE, &limit);
      const Ran ran = run({"explore", study, "--out", path("limited"), "--threads", "1"});
      const bool said = ran.err.find("cannot be written: File too large.") != std::string::npos;
      _exit(ran.status == wrong_use && said ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << most << " " << status;
  }
  EXPECT_EQ(run({"explore", study, "--out", path("limited")}).status, passed);
  EXPECT_EQ(explore(small).status, passed);
  EXPECT_EQ(text_of(path("limited/result.json")), written("result.json"));
  for (const auto& entry : fs::directory_iterator(path("limited"))) EXPECT_NE(entry.path().extension(), ".part");
}

TEST_F(Explore, FailsWhereAPublishedNumberIsMissed) {
  std::string text = small;
  text.replace(text.find("published: 3"), 12, "published: 4");
  const Ran ran = explore(text);
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("They disagree."), std::string::npos);
}

// Neither is invented: gates of a small unit, and why there are none of one that reads a list of many values.
TEST_F(Explore, CostsWhatItCanAndSaysWhyNot) {
  std::string values = "0";
  for (int i = 1; i < 2048; ++i) values += ", " + std::to_string(i);
  file("wide.yaml", "name: wide\nlike: fused_f25\nk: 4\nformats: {listed: {values: [" + values +
                        "]}}\noperands: {a: listed, b: e2m1, c: f32, d: f32}\n");
  const std::string text = R"(study: costed
title: Two units
datapath: wide.yaml
k: 4
axes:
  - name: unit
    values:
      narrow: {operands.a: e2m1}
      listed: {}
inputs: [normal]
shapes: {m: 2, n: 2, k: 8}
cost: true
)";
  const Ran ran = explore(text, {"--json"});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const auto points = nlohmann::json::parse(ran.out).at("points");
  const auto costed = [](const nlohmann::json& point) {
    return point.contains("cost") && point.at("cost").at("area") > 0;
  };
  const auto explained = [](const nlohmann::json& point) { return point.contains("no_cost"); };
  EXPECT_TRUE(costed(points.at(0)) || explained(points.at(0)));  // a machine may lack yosys
  EXPECT_FALSE(points.at(1).contains("cost"));
  EXPECT_TRUE(explained(points.at(1))) << points;
  const std::string table = explore(text).out;
  const std::size_t gates = table.find("\ngates\n");
  ASSERT_NE(gates, std::string::npos) << table;
  EXPECT_NE(table.find("  unit = listed", gates), std::string::npos) << table;
}

TEST_F(Explore, RefusesWhatTakesTooLongAndWhatThereIsNot) {
  const Ran slow = explore(small, {"--limit", "0.001", "--seeds", "10000"});
  EXPECT_EQ(slow.status, wrong_use);
  const std::string refused = " on one thread; more than the 0.1 s that --limit allows: give it fewer points";
  EXPECT_NE(slow.err.find("This study has 10 points and 8.2e+08 multiply-accumulates, at least 0.2 s" + refused),
            std::string::npos)
      << slow.err;
  // Its numbers alone do not say it; a little of it, run, does.
  const Ran tried = explore(small, {"--limit", "0.001", "--seeds", "5000"});
  EXPECT_EQ(tried.status, wrong_use);
  EXPECT_NE(tried.err.find("4.1e+08 multiply-accumulates, about "), std::string::npos) << tried.err;
  EXPECT_NE(tried.err.find(refused), std::string::npos) << tried.err;
  EXPECT_FALSE(fs::exists(path("out")));
  EXPECT_NE(
      run({"explore", "widht"})
          .err.find("no study of that name is shipped; shipped are area, floor_drift, flushed, formats, fp8_window, "
                    "knee, output_format, promotion, width; did you mean 'width'?"),
      std::string::npos);
  EXPECT_NE(run({"explore", path("none.yaml")}).err.find("This file cannot be read: No such file or directory."),
            std::string::npos);
}

}  // namespace
}  // namespace assay
