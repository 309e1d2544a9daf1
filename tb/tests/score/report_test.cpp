// What is said of a score, without any command.
#include "tb/score/report.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"

namespace assay {
namespace {

KillScore scored(std::uint64_t count) {
  const Catalogue catalogue = shipped_catalogue();
  KillScore score(catalogue.plan_of(catalogue.instruction("hopper:wgmma.m64nNk16.f32.f16.f16")), NanRule::bits);
  const Generator generator(score.plan(), 1);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
  score.see(cases);
  return score;
}

TEST(ScoreReport, SaysOfEachMutantWhatBecameOfIt) {
  const KillScore score = scored(300);
  const ScoreTitle title{"a unit", "", "300 cases", {}, {}, {}};
  const nlohmann::json data = score_json(title, score);
  const Counts n = score.counts();
  EXPECT_EQ(data.at("subject"), "a unit");
  EXPECT_EQ(data.at("mutants").size(), n.all());
  EXPECT_EQ(data.at("killed"), n.killed);
  EXPECT_FALSE(data.contains("status"));  // an exit status is a command's
  const std::string text = score_text(title, score);
  EXPECT_EQ(text.rfind("a unit: 300 cases\n\n", 0), 0u) << text;
  for (const Mutant& m : score.mutants()) EXPECT_NE(text.find(m.name), std::string::npos) << m.name;
}

TEST(RawScore, TriesNoMoreThanItHasTo) {
  const KillScore score = scored(300);
  std::uint64_t heard = 0;
  const RawScore raw = raw_score(score, 1, 2500, [&](std::uint64_t done) {
    EXPECT_GT(done, heard);
    heard = done;
  });
  EXPECT_EQ(raw.wanted, score.counts().killed);
  EXPECT_EQ(raw.killed + raw.alive.size(), raw.wanted);
  EXPECT_LE(raw.needed, heard);
  EXPECT_EQ(heard, raw.alive.empty() ? (raw.needed + 999) / 1000 * 1000 : 2500);
  // Where there is nothing to kill nothing is tried.
  heard = 0;
  EXPECT_EQ(raw_score(scored(0), 1, 2500, [&](std::uint64_t done) { heard = done; }).wanted, 0u);
  EXPECT_EQ(heard, 0u);
}

}  // namespace
}  // namespace assay
