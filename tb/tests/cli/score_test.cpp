// assay score: what it says of generated cases and of files, and its exit status.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

class Score : public InFolder {};

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// A line that has both.
bool has_line(const std::string& text, const std::string& x, const std::string& y) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (says(line, x) && says(line, y)) return true;
  }
  return false;
}

nlohmann::json only_score(const Ran& ran) { return nlohmann::json::parse(ran.out).at("scores").at(0); }

nlohmann::json mutant(const nlohmann::json& score, const std::string& name) {
  for (const auto& m : score.at("mutants")) {
    if (m.at("name") == name) return m;
  }
  return {};
}

TEST_F(Score, PassesWhereNoneIsOpen) {
  const Ran ran = run({"score", "--instruction", wgmma});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  const auto json = only_score(run({"score", "--instruction", wgmma, "--json"}));
  const std::size_t killed = json.at("killed"), equivalent = json.at("equivalent"), all = json.at("mutants").size();
  EXPECT_GT(killed, 30u);
  EXPECT_EQ(killed + equivalent, all);
  const std::string headline = "\n" + std::to_string(killed) + " of " + std::to_string(all) + " mutants killed, " +
                               std::to_string(equivalent) + " equivalent, 0 open; the last one by case ";
  EXPECT_TRUE(says(ran.out, headline)) << ran.out;
  EXPECT_TRUE(has_line(ran.out, "subnormals", " subnormals.a zero")) << ran.out;
  EXPECT_TRUE(says(ran.out, "unkilled, equivalence shown\n")) << ran.out;
  EXPECT_FALSE(says(ran.out, "unkilled, open")) << ran.out;
}

// A mutant stands for a word or a rule; what no case does at all, the score says beside them.
TEST_F(Score, NamesTheCoverageThatIsOpen) {
  const Ran few = run({"score", "--instruction", wgmma, "--cases", "200", "--family", "specials"});
  EXPECT_TRUE(says(few.out, "reachable bins of coverage hit; in the other ")) << few.out;
  EXPECT_TRUE(says(few.out, "\n  operands: ")) << few.out;
  EXPECT_TRUE(says(few.out, "\nassay coverage --instruction " + std::string(wgmma) + " --open lists ")) << few.out;
  const auto json =
      only_score(run({"score", "--instruction", wgmma, "--cases", "200", "--family", "specials", "--json"}));
  const nlohmann::json against{{"point", "products"}, {"bin", "+infinity with c -infinity"}};
  const auto& open = json.at("coverage").at("open");
  EXPECT_NE(std::find(open.begin(), open.end(), against), open.end()) << open;
  EXPECT_EQ(json.at("coverage").at("reachable").get<std::size_t>(),
            json.at("coverage").at("hit").get<std::size_t>() + open.size());
  EXPECT_EQ(mutant(json, "special.infinite product against infinite c c's").at("fate"), "open");

  const auto all = only_score(run({"score", "--instruction", wgmma, "--json"}));
  for (const auto& bin : all.at("coverage").at("open")) {
    EXPECT_NE(bin.at("point"), "operands");
    EXPECT_NE(bin.at("point"), "products");
  }
}

// A file's cases are not generated: what would choose generated ones must not go without effect in silence.
TEST_F(Score, OptionsOfGeneratedCasesAreRefusedBesideAFile) {
  const std::string file = path("some.jsonl");
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "10", "-o", file}).status, passed);
  for (const std::vector<std::string>& option : std::vector<std::vector<std::string>>{
           {"--cases", "5"}, {"--level", "2"}, {"--family", "raw"}, {"--shard", "1/2"}}) {
    for (const std::string command : {"score", "coverage"}) {
      const Ran ran = run({command, file, option[0], option[1]});
      EXPECT_EQ(ran.status, wrong_use) << command << " " << option[0];
      EXPECT_EQ(ran.err, "assay: FILE excludes " + option[0] + " (see assay --help).\n");
    }
    const Ran ran = run({"generate", "--minimise", "--from", file, option[0], option[1]});
    EXPECT_EQ(ran.status, wrong_use) << option[0];
    EXPECT_EQ(ran.err, "assay: " + option[0] + " excludes --from (see assay --help).\n");
  }
  const Ran module = run({"generate", "--minimise", "--instruction", wgmma, "--module", "mine"});
  EXPECT_EQ(module.status, wrong_use);
  EXPECT_EQ(module.err, "assay: --module excludes --minimise (see assay --help).\n");
}

TEST_F(Score, SmallIntegersLeaveRoundingOpen) {
  const Ran ran = run({"score", "--instruction", wgmma, "--cases", "300", "--family", "small_integers"});
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_TRUE(says(ran.out, "unkilled, open\n")) << ran.out;
  EXPECT_TRUE(says(ran.out, "  adders.sum.result[0].cut up (from toward_zero to up)\n")) << ran.out;
}

TEST_F(Score, TheCaseItNamesIsTheFirstThatKills) {
  const auto score = only_score(run({"score", "--instruction", wgmma, "--cases", "1000", "--json"}));
  const auto wider = mutant(score, "adders.sum.add.product.keep +1");
  const int first = wider.at("case");
  EXPECT_EQ(wider.at("family"), "log_uniform");
  ASSERT_GT(first, 0);
  const auto cases_of = [&](int count) {
    return only_score(run({"score", "--instruction", wgmma, "--cases", std::to_string(count), "--json"}));
  };
  EXPECT_EQ(mutant(cases_of(first), "adders.sum.add.product.keep +1").at("fate"), "open");
  EXPECT_EQ(mutant(cases_of(first + 1), "adders.sum.add.product.keep +1").at("fate"), "killed");
}

TEST_F(Score, AFileIsScoredByItsCasesAndNotByTheirResults) {
  const std::string good = path("good.jsonl");
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "400", "-o", good}).status, passed);
  const auto of_file = only_score(run({"score", good, "--json"}));
  const auto generated = only_score(run({"score", "--instruction", wgmma, "--cases", "400", "--json"}));
  EXPECT_EQ(of_file.at("killed"), generated.at("killed"));
  EXPECT_EQ(mutant(of_file, "subnormals.a zero").at("case"), mutant(generated, "subnormals.a zero").at("case"));
  EXPECT_FALSE(mutant(of_file, "subnormals.a zero").contains("family"));

  const std::string wrong =
      file("wrong.jsonl",
           "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\",\"pad\":true}\n"
           "{\"a\":[],\"b\":[],\"c\":\"00000000\",\"d\":\"12345678\"}\n");
  const Ran ran = run({"score", wrong, "--json"});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_EQ(only_score(ran).at("killed"), 0);
}

TEST_F(Score, NothingToScoreIsNoPass) {
  const std::string empty =
      file("empty.jsonl", "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\"}\n");
  EXPECT_EQ(run({"score", empty}).status, nothing_compared);
  EXPECT_EQ(run({"score", "--instruction", wgmma, "--cases", "0"}).status, nothing_compared);
}

TEST_F(Score, ATableForSeveral) {
  const std::string one = path("one.jsonl"), two = path("two.jsonl");
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "2000", "-o", one}).status, passed);
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "10", "-o", two}).status, passed);
  const Ran ran = run({"score", one, two});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_TRUE(has_line(ran.out, "     0  ", "one.jsonl")) << ran.out;
  const std::size_t mutants = 2 * only_score(run({"score", one, "--json"})).at("mutants").size();
  EXPECT_TRUE(says(ran.out, "of " + std::to_string(mutants) + " mutants in all")) << ran.out;
  EXPECT_EQ(run({"score", two, one}).status, mismatch);
  EXPECT_EQ(run({"score", one, one}).status, passed);
}

TEST_F(Score, AnArchitectureIsItsInstructions) {
  const Ran ran = run({"score", "--instruction", "turing", "--cases", "100", "--json"});
  const Ran listed = run({"list", "turing", "--json"});
  EXPECT_EQ(nlohmann::json::parse(ran.out).at("scores").size(), nlohmann::json::parse(listed.out).size());
  EXPECT_EQ(run({"score", "--instruction", "nobody"}).status, wrong_use);
}

TEST_F(Score, RawCodesAreTriedOnWhatWasKilled) {
  const Ran ran = run({"score", "--instruction", wgmma, "--cases", "1000", "--raw", "2000", "--json"});
  const auto raw = only_score(ran).at("raw");
  const std::size_t wanted = raw.at("wanted"), killed = raw.at("killed");
  EXPECT_EQ(wanted, only_score(ran).at("killed").get<std::size_t>());
  EXPECT_EQ(raw.at("limit"), 2000);
  EXPECT_LT(killed, wanted);
  EXPECT_EQ(killed + raw.at("alive").size(), wanted);
  const Ran text = run({"score", "--instruction", wgmma, "--cases", "1000", "--raw", "2000"});
  EXPECT_TRUE(says(text.out, "raw random cases: after 2,000, ")) << text.out;
  EXPECT_TRUE(says(text.out, "\n  adders.sum.zero ieee\n")) << text.out;

  // A set of raw cases needs as many as it took.
  const Ran same =
      run({"score", "--instruction", wgmma, "--cases", "50", "--family", "raw", "--raw", "2000", "--json"});
  EXPECT_TRUE(only_score(same).at("raw").at("alive").empty()) << same.out;
  EXPECT_LE(only_score(same).at("raw").at("needed"), 50);
}

TEST_F(Score, OfAFewBitsEveryInputIsTried) {
  const std::string tiny =
      file("tiny.yaml",
           "name: tiny\nk: 1\n"
           "formats: {t5: {exponent: 2, mantissa: 2, bias: 1, infinity: false, nan: none, signed_zero: true}}\n"
           "operands: {a: e2m1, b: e2m1, c: t5, d: t5}\nspecials: numbers\n"
           "adders:\n  - name: sum\n    add: {product: exact, acc: exact}\n"
           "    result: [{format: d, cut: nearest_even, overflow: largest}]\n");
  const Ran ran = run({"score", "--datapath", tiny, "--cases", "5", "--family", "small_integers"});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  EXPECT_TRUE(says(ran.out, "All 8192 inputs give the same d.")) << ran.out;
  const std::string before = "killed by, if it were there: assay ";
  const std::size_t at = ran.out.find(before);
  ASSERT_NE(at, std::string::npos) << ran.out;
  std::istringstream in(ran.out.substr(at + before.size(), ran.out.find('\n', at) - at - before.size()));
  const Ran shown = run({std::istream_iterator<std::string>(in), {}});
  EXPECT_EQ(shown.status, passed) << shown.err;
}

// The lines of a vector file, as JSON.
std::vector<nlohmann::json> lines_of(const std::string& path) {
  std::vector<nlohmann::json> found;
  std::istringstream lines(text_of(path));
  for (std::string line; std::getline(lines, line);) found.push_back(nlohmann::json::parse(line));
  return found;
}

TEST_F(Score, TheFewestCasesKillAsMany) {
  const std::string few = path("few.jsonl");
  const Ran ran = run({"generate", "--minimise", "--instruction", wgmma, "--cases", "2000", "-o", few});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const auto of_few = only_score(run({"score", few, "--json"}));
  const auto of_all = only_score(run({"score", "--instruction", wgmma, "--cases", "2000", "--json"}));
  EXPECT_EQ(of_few.at("killed"), of_all.at("killed"));
  EXPECT_EQ(of_few.at("open"), 0);
  const std::size_t count = of_few.at("cases"), killed = of_all.at("killed");
  EXPECT_LT(count, 20u);
  EXPECT_TRUE(says(ran.err, std::to_string(count) + " of 2,000 cases kill the same " + std::to_string(killed) +
                                " mutants; no fewer do.\n"))
      << ran.err;

  const auto lines = lines_of(few);
  ASSERT_EQ(lines.size(), count + 1);
  EXPECT_EQ(lines[0].at("cases"), count);
  EXPECT_TRUE(says(lines[0].at("provenance").at("minimised"), "no fewer do"));
  const Ran all = run({"generate", "--instruction", wgmma, "--cases", "2000", "-o", path("all.jsonl")});
  ASSERT_EQ(all.status, passed);
  const auto every = lines_of(path("all.jsonl"));
  for (std::size_t i = 1; i < lines.size(); ++i) {
    const auto& original = every.at(1 + lines[i].at("case").get<std::size_t>());
    EXPECT_EQ(lines[i].at("a"), original.at("a"));
    EXPECT_EQ(lines[i].at("c"), original.at("c"));
    EXPECT_TRUE(lines[i].contains("family"));
  }
}

TEST_F(Score, AFileIsMinimisedAndKeepsItsResultsAndNumbers) {
  const std::string all = path("all.jsonl"), few = path("few.jsonl"), again = path("again.jsonl");
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "500", "--with-results", "-o", all}).status, passed);
  const Ran ran = run({"generate", "--minimise", "--from", all, "-o", few});
  ASSERT_EQ(ran.status, passed) << ran.err;
  const auto every = lines_of(all), lines = lines_of(few);
  ASSERT_GT(lines.size(), 1u);
  for (std::size_t i = 1; i < lines.size(); ++i) {
    EXPECT_EQ(lines[i].at("d"), every.at(1 + lines[i].at("case").get<std::size_t>()).at("d"));
  }
  EXPECT_EQ(lines[0].at("provenance").at("seed"), 1);  // where the cases come from is still said
  ASSERT_EQ(run({"generate", "--minimise", "--from", few, "-o", again}).status, passed);
  const auto second = lines_of(again);
  ASSERT_EQ(second.size(), lines.size());
  EXPECT_EQ(second.back().at("case"), lines.back().at("case"));  // the first number stays
}

TEST_F(Score, AShardsCasesKeepTheNumbersOfTheWhole) {
  const std::string whole = path("whole.jsonl"), part = path("part.jsonl"), few = path("few.jsonl");
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "2000", "-o", whole}).status, passed);
  ASSERT_EQ(run({"generate", "--instruction", wgmma, "--cases", "2000", "--shard", "2/4", "-o", part}).status, passed);
  const auto every = lines_of(whole);
  const std::vector<std::vector<std::string>> sources{{"--from", part},
                                                      {"--instruction", wgmma, "--cases", "2000", "--shard", "2/4"}};
  for (const std::vector<std::string>& source : sources) {
    std::vector<std::string> command{"generate", "--minimise", "-o", few};
    command.insert(command.end(), source.begin(), source.end());
    ASSERT_EQ(run(command).status, passed);
    const auto lines = lines_of(few);
    ASSERT_GT(lines.size(), 1u);
    EXPECT_FALSE(lines[0].at("provenance").contains("first_case")) << "the first line is another case";
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto number = lines[i].at("case").get<std::size_t>();
      EXPECT_GE(number, 500u);
      EXPECT_EQ(lines[i].at("a"), every.at(1 + number).at("a")) << number;
    }
  }
}

TEST_F(Score, WhatCannotBeMinimisedIsSaid) {
  const std::string matrix =
      file("matrix.jsonl",
           "{\"assay\":1,\"architecture\":\"hopper\",\"instruction\":\"wgmma.m64nNk16.f32.f16.f16\",\"pad\":true}\n"
           "{\"A\":[[\"3c00\"]],\"B\":[[\"3c00\"]],\"C\":[[\"00000000\"]]}\n");
  const Ran ran = run({"generate", "--minimise", "--from", matrix});
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_TRUE(says(ran.err,
                   "matrix.jsonl: case 0 is a whole matrix, of which no element stands alone; --minimise takes "
                   "single dot products."))
      << ran.err;
  const Ran lone = run({"generate", "--from", matrix});
  EXPECT_EQ(lone.status, wrong_use);
  EXPECT_TRUE(says(lone.err, "--minimise")) << lone.err;
  EXPECT_EQ(run({"generate", "--minimise", "--from", matrix, "--instruction", wgmma}).status, wrong_use);
}

TEST_F(Score, WhatIsWrongIsSaid) {
  EXPECT_EQ(run({"score"}).status, wrong_use);
  EXPECT_EQ(run({"score", path("none.jsonl")}).status, wrong_use);
  const Ran both = run({"score", path("none.jsonl"), "--instruction", wgmma});
  EXPECT_EQ(both.status, wrong_use);
  EXPECT_TRUE(says(both.err, "excludes")) << both.err;
}

}  // namespace
}  // namespace assay
