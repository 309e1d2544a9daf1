// A campaign gives what a single machine gives: the same bytes for shards of any size, in any order; and says so where
// something is missing, damaged, or not what it was planned with.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <random>

#include "tb/campaign/merge.hpp"
#include "tb/campaign/run_shard.hpp"
#include "tb/campaign/status.hpp"
#include "tb/campaign/submit.hpp"
#include "tb/devices/kinds/kinds.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

const std::string unit = "instruction: " + wgmma + "\n";

// hopper's datapath that loses a NaN's code: wrong in one case of twenty, and only there.
const char* wrong_nan =
    "name: wrong_nan\nlike: fused_f25\nnan: 7fc00000\noperands: {a: f16, b: f16, c: f32, d: f32}\nk: 16\n";

class Campaigns : public InFolder {
 protected:
  CampaignFolder planned(const std::string& name, const std::string& yaml) {
    const CampaignFolder folder(path(name));
    plan_campaign(file(name + ".yaml", "campaign: " + name + "\n" + yaml), folder, setting_);
    return folder;
  }

  void run_all(const CampaignFolder& folder, std::vector<std::uint64_t> shards) {
    OpenCampaign open(folder, setting_);
    open.check();
    for (const std::uint64_t shard : shards) run_shard(open, folder, shard);
  }

  std::vector<std::uint64_t> all_of(const CampaignFolder& folder, unsigned order) {
    std::vector<std::uint64_t> shards(folder.manifest().shards());
    for (std::size_t i = 0; i < shards.size(); ++i) shards[i] = i + 1;
    if (order != 0) std::shuffle(shards.begin(), shards.end(), std::mt19937(order));
    return shards;
  }

  // What merge writes as `file`, of so many shards done in some order.
  std::string merged(const std::string& yaml, std::uint64_t shards, const std::string& file) {
    const CampaignFolder folder =
        planned("of" + std::to_string(shards), yaml + "shards: " + std::to_string(shards) + "\n");
    EXPECT_GE(folder.manifest().shards(), shards);
    run_all(folder, all_of(folder, static_cast<unsigned>(shards)));
    outcome_ = merge_campaign(folder, folder.at("merged"), setting_);
    return text_of(folder.at("merged/" + file));
  }

  std::string sentence_of(const std::function<void()>& action) {
    try {
      action();
    } catch (const Error& error) {
      return error.message;
    }
    return "no error";
  }

  Catalogue catalogue_ = shipped_catalogue();
  std::ostringstream log_;
  CampaignSetting setting_{catalogue_, "test", log_};
  MergedResult outcome_;
};

std::string compare_of(const std::string& device) { return "kind: compare\n" + unit + "device: " + device + "\n"; }

// --- the same bytes ---

TEST_F(Campaigns, ACompareOf400ShardsIsThatOfOne) {
  file("wrong.yaml", wrong_nan);
  // Held to the oracle nothing is explained, which takes longer than 400 blocks of a case are worth.
  const std::string yaml = compare_of("[\"model:wrong.yaml\"]") + "reference: oracle\ncases: 400\nblock: 1\n";
  const std::string one = merged(yaml, 1, "report.json");
  const MergedResult of_one = outcome_;
  EXPECT_EQ(of_one.ending, Ending::mismatch);
  EXPECT_EQ(merged(yaml, 7, "report.json"), one);
  EXPECT_EQ(merged(yaml, 400, "report.json"), one);
  EXPECT_EQ(outcome_.text, of_one.text);
}

TEST_F(Campaigns, WhatExplainsFailuresDoesNotDependOnShards) {
  file("wrong.yaml", wrong_nan);
  const std::string yaml = compare_of("\"model:wrong.yaml\"") + "cases: 2000\nblock: 250\n";
  const std::string one = merged(yaml, 1, "report.json");
  EXPECT_EQ(merged(yaml, 8, "report.json"), one);
  const json alike = json::parse(one).at("comparisons").at(0).at("alike");
  ASSERT_FALSE(alike.empty());
  EXPECT_NE(alike.back().at("changes"), "");
}

TEST_F(Campaigns, ACompareCountsWhatTheCommandCounts) {
  const std::string wrong = file("wrong.yaml", wrong_nan);
  const json merged_report =
      json::parse(merged(compare_of("\"model:wrong.yaml\"") + "cases: 3000\nblock: 250\n", 5, "report.json"));
  const Ran ran = run({"compare", "--device", "model:" + wrong, "--instruction", wgmma, "--cases", "3000", "--json"});
  EXPECT_EQ(ran.status, 1);
  json counted = json::parse(ran.out).at("summary");
  counted.erase("status");
  EXPECT_EQ(merged_report.at("comparisons").at(0).at("summary"), counted);
  EXPECT_GT(counted.at("differs").get<int>(), 20);
}

TEST_F(Campaigns, SeveralDevicesAreEachCompared) {
  file("wrong.yaml", wrong_nan);
  const json report =
      json::parse(merged(compare_of("[oracle, \"model:wrong.yaml\"]") + "cases: 200\nblock: 50\n", 4, "report.json"));
  ASSERT_EQ(report.at("comparisons").size(), 2U);
  EXPECT_EQ(report.at("comparisons").at(0).at("summary").at("conclusion"), "passed");
  EXPECT_EQ(report.at("comparisons").at(1).at("summary").at("conclusion"), "failed");
  for (const json& one : report.at("comparisons")) EXPECT_EQ(one.at("summary").at("compared"), 200);
}

TEST_F(Campaigns, AVectorFileIsWhatGenerateWrites) {
  for (const std::string name : {"cases.jsonl", "cases.jsonl.zst"}) {
    const std::string alone = path("alone-" + name);
    EXPECT_EQ(run({"generate", "--instruction", wgmma, "--cases", "3000", "--seed", "5", "--with-results", "-o", alone})
                  .status,
              0);
    const std::string yaml =
        "kind: generate\n" + unit + "cases: 3000\nseed: 5\nblock: 7\nwith_results: true\noutput: " + name + "\n";
    for (const std::uint64_t shards : {1, 7, name == "cases.jsonl" ? 400 : 20}) {
      fs::remove_all(path("of" + std::to_string(shards)));
      EXPECT_EQ(merged(yaml, shards, name), text_of(alone)) << name << " of " << shards;
    }
  }
}

TEST_F(Campaigns, CoverageIsWhatTheCommandWrites) {
  const std::string alone = path("alone.json");
  EXPECT_EQ(run({"coverage", "--instruction", wgmma, "--cases", "800", "-o", alone}).status, 0);
  for (const std::uint64_t shards : {1, 7, 400})
    EXPECT_EQ(merged("kind: coverage\n" + unit + "cases: 800\nblock: 2\n", shards, "coverage.json"), text_of(alone));
}

TEST_F(Campaigns, AScoreIsWhatTheCommandGives) {
  const Ran ran = run({"score", "--instruction", wgmma, "--cases", "500", "--family", "specials", "--json"});
  EXPECT_EQ(ran.status, 1);
  for (const std::uint64_t shards : {2, 9})
    EXPECT_EQ(merged("kind: score\n" + unit + "cases: 500\nfamily: specials\nblock: 100\n", shards, "score.json"),
              ran.out);
}

TEST_F(Campaigns, AStudyIsWhatExploreFinds) {
  const std::string alone = path("alone");
  ASSERT_EQ(run({"explore", "floor_drift", "--seeds", "1", "--out", alone}).status, 0);
  for (const std::uint64_t shards : {1, 3}) {
    const std::string result = merged("kind: explore\nstudy: floor_drift\nseeds: 1\n", shards, "result.json");
    json ours = json::parse(result), theirs = json::parse(text_of(alone + "/result.json"));
    for (json* each : {&ours, &theirs}) each->erase("version");
    EXPECT_EQ(ours, theirs) << shards;
  }
}

// Six points of three wirings: what is promoted changes none.
const char* small_design =
    "design: small\ntitle: A small one\ndatapath: fused_f25\noperands: {a: e2m1, b: e2m1, c: f32, d: f32}\nk: 1\n"
    "vary:\n  - {name: F, set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: 4..6}\n"
    "  - {name: promotion, set: promote_every, values: [none, 32]}\n"
    "inputs: [normal]\nshapes: {m: 4, n: 4, k: 64}\nseeds: 4\nmust:\n  - {property: sign_symmetry}\n"
    "  - {bound: sum, most: 1000}\nwant: area\n";

TEST_F(Campaigns, ADesignIsWhatExhaustingItFinds) {
  if (std::system("yosys -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "There is no yosys here.";
  const std::string alone = path("alone");
  run({"design", file("small.yaml", small_design), "--exhaust", "--out", alone});
  for (const std::uint64_t shards : {1, 3}) {
    const std::string result = merged("kind: design\nspec: small.yaml\n", shards, "points.csv");
    EXPECT_EQ(result, text_of(alone + "/points.csv")) << shards;
    const auto answer = [](const std::string& folder) {
      json read = json::parse(text_of(folder + "/answer.json"));
      read.erase("version");
      return read;
    };
    EXPECT_EQ(answer(path("of" + std::to_string(shards)) + "/merged"), answer(alone)) << shards;
  }
}

TEST_F(Campaigns, ADesignThatMissesWiringsIsNotFinished) {
  if (std::system("yosys -V >/dev/null 2>&1") != 0) GTEST_SKIP() << "There is no yosys here.";
  file("small.yaml", small_design);
  const CampaignFolder folder = planned("part", "kind: design\nspec: small.yaml\nshards: 3\n");
  run_all(folder, {1, 3});
  const MergedResult found = merge_campaign(folder, folder.at("merged"), setting_);
  EXPECT_EQ(found.ending, Ending::nothing_compared);
  EXPECT_NE(found.text.find("This runs what is missing: assay design"), std::string::npos) << found.text;
}

TEST_F(Campaigns, UnitsAreIdentifiedOneByOne) {
  const std::string yaml =
      "kind: identify\ndevice: [model, oracle]\ninstruction: volta:mma.m8n8k4.f32.f16.f16.f32\nconfirm: 100\n";
  const std::string one = merged(yaml, 2, "report.json");
  const json report = json::parse(one);
  ASSERT_EQ(report.at("items").size(), 2U);
  for (const json& item : report.at("items")) EXPECT_EQ(item.at("report").at("outcome"), "found");
  EXPECT_EQ(outcome_.ending, Ending::passed);
}

// --- once, and nothing twice ---

TEST_F(Campaigns, AShardThatIsDoneIsNotDoneAgain) {
  const CampaignFolder folder = planned("again", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  EXPECT_EQ(run_shard(folder, 2, setting_), ShardEnd::done);
  const std::string result = text_of(folder.result(2));
  EXPECT_EQ(run_shard(folder, 2, setting_), ShardEnd::done_before);
  run_all(folder, {2});
  EXPECT_EQ(text_of(folder.result(2)), result);
}

TEST_F(Campaigns, WhatIsMissingIsSaid) {
  const CampaignFolder folder = planned("gaps", compare_of("oracle") + "cases: 70\nblock: 10\nshards: 7\n");
  run_all(folder, {1, 2, 5, 7});
  const MergedResult found = merge_campaign(folder, folder.at("merged"), setting_);
  EXPECT_EQ(found.ending, Ending::nothing_compared);
  EXPECT_NE(found.text.find("Missing: 3 of 7 blocks; 3 shards without a result: 3-4, 6."), std::string::npos)
      << found.text;
  EXPECT_NE(found.text.find("compared 40 cases"), std::string::npos) << found.text;
  EXPECT_EQ(shards_to_do(folder, folder.manifest()), (std::vector<std::uint64_t>{3, 4, 6}));
}

TEST_F(Campaigns, AStudyThatMissesUnitsIsNotFinished) {
  const CampaignFolder folder = planned("part", "kind: explore\nstudy: floor_drift\nseeds: 2\nshards: 2\n");
  run_all(folder, {2});
  const MergedResult found = merge_campaign(folder, folder.at("merged"), setting_);
  EXPECT_EQ(found.ending, Ending::nothing_compared);
  EXPECT_NE(found.text.find("This runs what is missing: assay explore"), std::string::npos) << found.text;
  EXPECT_FALSE(fs::exists(folder.at("merged/result.json")));
}

// What a task that was killed leaves counts for nothing: a file that is not whole, a sign of life.
TEST_F(Campaigns, WhatAKilledTaskLeavesCountsForNothing) {
  const CampaignFolder folder = planned("killed", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, {1, 2, 3});
  fs::copy(folder.result(1), folder.result(4) + ".part-77-0");
  folder.tell_at_work(4, {"node7", 77, 1000, 0, 0, 0});
  const CampaignStatus status = status_of(folder, 1'000'000'000'000);
  EXPECT_EQ(status.done, 3U);
  ASSERT_EQ(status.at_work.size(), 1U);
  EXPECT_TRUE(status.at_work.front().is_lost());
  EXPECT_NE(merge_campaign(folder, folder.at("merged"), setting_).text.find("compared 30 cases"), std::string::npos);
  run_all(folder, {4});
  EXPECT_NE(merge_campaign(folder, folder.at("merged"), setting_).text.find("compared 40 cases"), std::string::npos);
  EXPECT_TRUE(status_of(folder, 0).complete());
}

// --- what is refused ---

TEST_F(Campaigns, AnotherProgramIsRefused) {
  const CampaignFolder folder = planned("program", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  CampaignManifest others = folder.manifest();
  others.program_sha256 = std::string(64, '0');
  fs::remove(folder.at("manifest.json"));
  file("program/manifest.json", manifest_json(others));
  const std::string sentence = sentence_of([&] { run_shard(folder, 1, setting_); });
  EXPECT_EQ(sentence.rfind("This program is not the one that campaign program was planned with", 0), 0U) << sentence;
  EXPECT_EQ(status_of(folder, 0).failed.at(0).sentence, sentence);
}

// A number of units that the campaign's file does not say would be worked on for hours.
TEST_F(Campaigns, AChangedManifestIsRefused) {
  const CampaignFolder folder = planned("changed", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  const std::string text = text_of(folder.at("manifest.json"));
  fs::permissions(folder.at("manifest.json"), fs::perms::owner_write, fs::perm_options::add);
  for (const std::string was :
       {"\"units\": 4", "\"shards\": 4", "\"threads\": 1", "cases: 40", "\"version\": \"", "\"sha256\": \""}) {
    ASSERT_NE(text.find(was), std::string::npos) << was;
    std::string changed = text;
    changed.insert(changed.find(was) + was.size(), "7");
    file("changed/manifest.json", changed);
    for (const auto& use :
         std::vector<std::function<void()>>{[&] { run_shard(folder, 1, setting_); }, [&] { status_of(folder, 0); },
                                            [&] { merge_campaign(folder, folder.at("merged"), setting_); }})
      EXPECT_NE(sentence_of(use).find("manifest.json: This manifest was changed since it was planned"),
                std::string::npos)
          << was;
  }
  file("changed/manifest.json", text);
  EXPECT_EQ(run_shard(folder, 1, setting_), ShardEnd::done);
}

TEST_F(Campaigns, AnotherDeviceIsRefused) {
  const std::string device = file("wrong.yaml", wrong_nan);
  const CampaignFolder folder =
      planned("device", compare_of("\"model:wrong.yaml\"") + "cases: 40\nblock: 10\nshards: 4\n");
  EXPECT_EQ(run_shard(folder, 1, setting_), ShardEnd::done);
  file("wrong.yaml", std::string(wrong_nan) + "# another\n");
  const std::string sentence = sentence_of([&] { run_shard(folder, 2, setting_); });
  EXPECT_NE(sentence.find("wrong.yaml as " + wgmma + " is not what campaign device was planned with"),
            std::string::npos)
      << sentence;
}

// Of each kind that a datapath file says something to, while shards are done and before they are merged.
TEST_F(Campaigns, AnotherDatapathIsRefused) {
  const std::string cases = "datapath: own.yaml\ncases: 40\nblock: 10\nshards: 4\n";
  for (const std::string kind : {"compare\ndevice: model", "generate", "coverage", "score"}) {
    file("own.yaml", wrong_nan);
    const std::string name = "own_" + kind.substr(0, 5);
    const CampaignFolder folder = planned(name, "kind: " + kind + "\n" + cases);
    run_all(folder, {1});
    file("own.yaml", std::string(wrong_nan) + "k_order: {from: last}\n");
    const std::string another = "own.yaml is not what campaign " + name + " was planned with";
    EXPECT_NE(sentence_of([&] { run_shard(folder, 2, setting_); }).find(another), std::string::npos) << kind;
    EXPECT_NE(sentence_of([&] { merge_campaign(folder, folder.at("merged"), setting_); }).find(another),
              std::string::npos)
        << kind;
  }
}

// Coverage of some of the cases would say of bins that they are open, which others hit.
TEST_F(Campaigns, CoverageIsOfAllCasesOrOfNone) {
  const std::string unit = "kind: score\ninstruction: " + wgmma + "\ncases: 200\nblock: 100\nshards: 1\n";
  const CampaignFolder folder = planned("uncovered", unit);
  run_all(folder, {1});
  const MergedResult part = merge_campaign(folder, folder.at("part"), setting_);
  EXPECT_EQ(part.text.find("bins of coverage"), std::string::npos) << part.text;
  EXPECT_NE(part.text.find(" parts; 1 shard without a result: 2."), std::string::npos) << part.text;
  EXPECT_EQ(part.ending, Ending::nothing_compared);
  run_all(folder, {2});
  EXPECT_NE(merge_campaign(folder, folder.at("whole"), setting_).text.find("bins of coverage"), std::string::npos);
}

TEST_F(Campaigns, OtherWaiversAreRefused) {
  const std::string waiver = "waivers:\n  - {expected: nan, got: nan, reason: why, owner: \"J. Doe\"}\n";
  file("waivers.yaml", waiver);
  const CampaignFolder folder =
      planned("waived", compare_of("oracle") + "waivers: waivers.yaml\ncases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, {1, 2, 3, 4});
  file("waivers.yaml", waiver + "# another\n");
  EXPECT_NE(sentence_of([&] {
              merge_campaign(folder, folder.at("merged"), setting_);
            }).find("waivers.yaml is not what campaign waived was planned with"),
            std::string::npos);
}

// Of a command those words that name files; what PATH finds is the machine's.
TEST_F(Campaigns, ADeviceIsTheFilesThatItsWordsName) {
  const Subject subject = subject_of(catalogue_, catalogue_.instruction(wgmma));
  const std::string program = file("unit.py", "1"), own = file("own.yaml", wrong_nan);
  for (const std::string& device :
       {"exec:python3 -u " + program, "exec:" + program, "model:" + own + "#exec=python3 " + program}) {
    file("unit.py", "1");
    const std::string before = device_sha256(device, subject, catalogue_, "");
    EXPECT_EQ(before.size(), 64U) << device;
    file("unit.py", "2");
    EXPECT_NE(device_sha256(device, subject, catalogue_, ""), before) << device;
  }
  EXPECT_EQ(device_sha256("exec:python3 -u nowhere.py", subject, catalogue_, ""), "");
}

TEST_F(Campaigns, ADamagedResultIsDoneAgain) {
  const CampaignFolder folder = planned("redone", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, all_of(folder, 0));
  const std::string whole = text_of(folder.result(3));
  const std::size_t end = whole.find('\n'), units = whole.find("\"units\":1");
  ASSERT_NE(units, std::string::npos);
  std::string stopped = whole;
  stopped[units + 8] = '0';
  for (const std::string& text : {whole.substr(0, end), whole.substr(0, end + 10), whole + "{}", stopped}) {
    file("redone/results/0000/000003.json", text);
    EXPECT_EQ(status_of(folder, 0).damaged.size(), 1U);
    EXPECT_EQ(run_shard(folder, 3, setting_), ShardEnd::done);
    EXPECT_EQ(status_of(folder, 0).damaged.size(), 0U);
  }
  EXPECT_NE(merge_campaign(folder, folder.at("merged"), setting_).text.find("compared 40 cases"), std::string::npos);
}

TEST_F(Campaigns, APartThatIsAnotherShardsIsRefused) {
  const CampaignFolder folder = planned("parts", "kind: generate\n" + unit + "cases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, all_of(folder, 0));
  const std::string ending = ".jsonl.zst";
  fs::copy_file(folder.part(3, ending), folder.part(2, ending), fs::copy_options::overwrite_existing);
  EXPECT_NE(sentence_of([&] {
              merge_campaign(folder, folder.at("merged"), setting_);
            }).find("000002" + ending + " is not what its result says"),
            std::string::npos);
}

TEST_F(Campaigns, ADamagedResultIsRefused) {
  const CampaignFolder folder = planned("damaged", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, all_of(folder, 0));
  std::string text = text_of(folder.result(3));
  const std::size_t digit = text.find("\"counts\":[10");
  ASSERT_NE(digit, std::string::npos);
  text[digit + 10] = '2';
  file("damaged/results/0000/000003.json", text);
  EXPECT_NE(sentence_of([&] { merge_campaign(folder, folder.at("merged"), setting_); }).find("This result is damaged"),
            std::string::npos);
  file("damaged/results/0000/000003.json", text.substr(0, 20));
  EXPECT_NE(sentence_of([&] { merge_campaign(folder, folder.at("merged"), setting_); }).find("This result is damaged"),
            std::string::npos);
  EXPECT_EQ(status_of(folder, 0).damaged.size(), 1U);
  EXPECT_FALSE(status_of(folder, 0).complete());
}

TEST_F(Campaigns, AResultUnderAnotherNameIsRefused) {
  const CampaignFolder folder = planned("names", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  run_all(folder, {1, 2});
  fs::copy_file(folder.result(1), folder.result(3));
  EXPECT_NE(
      sentence_of([&] { merge_campaign(folder, folder.at("merged"), setting_); }).find("the result of shard 1, under"),
      std::string::npos);
  const CampaignFolder other = planned("other", compare_of("oracle") + "cases: 50\nblock: 10\nshards: 4\n");
  fs::create_directories(fs::path(other.result(1)).parent_path());
  fs::copy_file(folder.result(1), other.result(1));
  EXPECT_NE(sentence_of([&] { merge_campaign(other, other.at("merged"), setting_); }).find("is of another campaign"),
            std::string::npos);
}

TEST_F(Campaigns, AFolderHoldsOneCampaign) {
  const CampaignFolder folder = planned("one", compare_of("oracle") + "cases: 40\nshards: 1\n");
  const std::string yaml = path("one.yaml");
  EXPECT_EQ(sentence_of([&] { plan_campaign(yaml, folder, setting_); }), "no error");
  file("one.yaml", "campaign: one\n" + compare_of("oracle") + "cases: 41\nshards: 1\n");
  EXPECT_NE(sentence_of([&] { plan_campaign(yaml, folder, setting_); }).find("Another campaign is planned here"),
            std::string::npos);
}

TEST_F(Campaigns, MistakesInTheFileAreSentences) {
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"kind: compre\n", "'compre'"},
      {"kind: compare\n" + unit + "cases: 10\n", "`device` is missing"},
      {"kind: compare\ndevice: oracle\ncases: 10\n", "`instruction` or `datapath` is missing"},
      {compare_of("oracle") + "cases: ten\n", "a whole number from 1"},
      {compare_of("oracle") + "cases: 10\nlevel: 1\n", "leave one of the two out"},
      {compare_of("oracle") + "cases: 10\nshard: 4\n", "shard"},
      {compare_of("oracle") + "cases: 10\nshards: 4\nshard_minutes: 2\n", "leave one of the two out"},
      {compare_of("oracle") + "cases: 10\nfamily: none_such\n", "none_such"},
      {compare_of("[]") + "cases: 10\n", "this list is empty"},
      {"kind: generate\ninstruction: turing\ncases: 10\n", "has to name one"},
      {"kind: generate\n" + unit + "cases: 10\noutput: a/b.jsonl\n", "without a folder of its own"},
      {"kind: prove\n", "`dut` is missing"},
      {"kind: score\n", "`instruction` or `datapath` is missing"},
  };
  for (const auto& [yaml, words] : mistakes) {
    const std::string sentence = sentence_of([&, text = yaml] { planned("mistake", text); });
    EXPECT_NE(sentence.find(words), std::string::npos) << yaml << sentence;
    EXPECT_FALSE(fs::exists(path("mistake/manifest.json"))) << yaml;
  }
}

TEST_F(Campaigns, ThereIsNoShardBeyondTheLast) {
  const CampaignFolder folder = planned("few", compare_of("oracle") + "cases: 40\nblock: 10\nshards: 4\n");
  EXPECT_EQ(sentence_of([&] { run_shard(folder, 5, setting_); }),
            "There is no shard 5: campaign few has shards 1 to 4.");
}

// --- stopping early ---

TEST_F(Campaigns, EnoughFailuresEndACampaign) {
  file("wrong.yaml", wrong_nan);
  const CampaignFolder folder =
      planned("early", compare_of("\"model:wrong.yaml\"") + "cases: 400\nblock: 10\nshards: 8\nuntil_failures: 3\n");
  std::uint64_t shard = 1;
  while (run_shard(folder, shard, setting_) == ShardEnd::done) ++shard;
  ASSERT_LT(shard, 8U);
  const CampaignStatus status = status_of(folder, 0);
  EXPECT_TRUE(status.stopped);
  EXPECT_GE(status.failures, 3U);
  EXPECT_EQ(status.cut_short, 1U);
  EXPECT_FALSE(status.shown.empty());
  const MergedResult found = merge_campaign(folder, folder.at("merged"), setting_);
  EXPECT_EQ(found.ending, Ending::mismatch);
  EXPECT_NE(found.text.find("1 shard stopped early"), std::string::npos) << found.text;
  const std::string missing = "Missing: " + std::to_string(status.units - status.done_units) + " of 40 blocks;";
  EXPECT_NE(found.text.find(missing), std::string::npos) << found.text;
  EXPECT_NE(found.text.find("smallest failing case: assay explain"), std::string::npos) << found.text;
  // The file taken away, the campaign goes on, and the shard that was cut short is done whole.
  fs::remove(folder.at("stop"));
  EXPECT_EQ(run_shard(folder, shard - 1, setting_), ShardEnd::done);
}

// --- a disk that is full ---

TEST_F(Campaigns, AFullDiskLeavesNothingHalfWritten) {
  const CampaignFolder folder = planned("full", "kind: generate\n" + unit + "cases: 20000\nblock: 10000\nshards: 2\n");
  OpenCampaign open(folder, setting_);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 100'000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::string sentence = sentence_of([&] { run_shard(open, folder, 1); });
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(sentence.find("cannot be written"), std::string::npos) << sentence;
  EXPECT_TRUE(folder.with_result().empty());
  for (const auto& entry : fs::recursive_directory_iterator(folder.at("results")))
    EXPECT_FALSE(entry.is_regular_file());
  run_all(folder, {1, 2});
  merge_campaign(folder, folder.at("merged"), setting_);
  EXPECT_EQ(run({"check", folder.at("merged/cases.jsonl")}).status, 3);  // whole: its header's count was checked
}

// --- engines ---

const char* no_variable(const char*) { return nullptr; }

TEST(Engines, ATaskOfAnArrayIsAShard) {
  EXPECT_EQ(shard_of_task(no_variable), 0U);
  EXPECT_EQ(shard_of_task([](const char* name) { return std::string(name) == "SLURM_ARRAY_TASK_ID" ? "17" : nullptr; }),
            17U);
  EXPECT_EQ(shard_of_task([](const char* name) { return std::string(name) == "LSB_JOBINDEX" ? "9" : nullptr; }), 9U);
  EXPECT_EQ(shard_of_task([](const char* name) { return std::string(name) == "LSB_JOBINDEX" ? "0" : nullptr; }), 0U);
  const auto both = [](const char* name) {
    return std::string(name) == "ASSAY_SHARD_OFFSET"    ? "1000"
           : std::string(name) == "SLURM_ARRAY_TASK_ID" ? "2"
                                                        : nullptr;
  };
  EXPECT_EQ(shard_of_task(both), 1002U);
  EXPECT_THROW(shard_of_task([](const char*) -> const char* { return "x"; }), Error);
}

TEST_F(Campaigns, LargeArraysAreSeveral) {
  const CampaignFolder folder = planned("wide", compare_of("oracle") + "cases: 2500\nblock: 1\nshards: 2500\n");
  const auto slurm =
      std::find_if(engines().begin(), engines().end(), [](const CampaignEngine& e) { return e.name == "slurm"; });
  const std::vector<EngineScript> scripts = write_scripts(folder, *slurm, {200, 1, "night", {"--qos=low"}});
  ASSERT_EQ(scripts.size(), 3U);  // of 1,000 each: Slurm's usual limit
  const std::string first = text_of(folder.at("submit/slurm-1.sh")), last = text_of(folder.at("submit/slurm-3.sh"));
  EXPECT_NE(first.find("#SBATCH --array=1-1000%80\n"), std::string::npos) << first;
  EXPECT_NE(first.find("#SBATCH --partition=night\n#SBATCH --qos=low\n"), std::string::npos) << first;
  EXPECT_NE(last.find("#SBATCH --array=1-500%40\n"), std::string::npos) << last;
  EXPECT_NE(last.find("ASSAY_SHARD_OFFSET=2000\n"), std::string::npos) << last;
}

TEST_F(Campaigns, ATaskMayDoSeveralShards) {
  const CampaignFolder folder = planned("bundled", compare_of("oracle") + "cases: 25\nblock: 1\nshards: 25\n");
  run_all(folder, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12});
  SubmitOptions options;
  options.at_once = 20;
  options.bundle = 10;
  write_scripts(folder, engines().front(), options);
  const std::string script = text_of(folder.at("submit/slurm-1.sh"));
  EXPECT_NE(script.find("#SBATCH --array=2-3%2\n"), std::string::npos) << script;
  EXPECT_NE(script.find("#SBATCH --cpus-per-task=10\n"), std::string::npos) << script;
  EXPECT_NE(script.find("first=$(((0 + SLURM_ARRAY_TASK_ID - 1) * 10 + 1))"), std::string::npos) << script;
  EXPECT_NE(script.find("$((last < 25 ? last : 25))"), std::string::npos) << script;
}

TEST_F(Campaigns, OnlyWhatHasNoResultIsSubmitted) {
  const CampaignFolder folder = planned("rest", compare_of("oracle") + "cases: 60\nblock: 10\nshards: 6\n");
  run_all(folder, {1, 4});
  write_scripts(folder, engines().front(), {});
  EXPECT_NE(text_of(folder.at("submit/slurm-1.sh")).find("--array=2-3,5-6%"), std::string::npos);
}

// --- the command ---

TEST_F(Campaigns, TheCommandGoesFromPlanToReport) {
  file("c.yaml", "campaign: command\n" + compare_of("oracle") + "cases: 40\nblock: 10\nshards: 2\n");
  const std::string dir = path("dir");
  EXPECT_EQ(run({"campaign", "plan", path("c.yaml"), "-o", dir}).status, 0);
  EXPECT_EQ(run({"campaign", "run", dir}).status, 2);
  EXPECT_EQ(run({"campaign", "run", dir, "--shard", "1"}).out, "shard 1: done\n");
  EXPECT_EQ(run({"campaign", "run", dir, "--shard", "1"}).out, "shard 1: done before\n");
  const Ran half = run({"campaign", "status", dir, "--json", "--html", path("page.html")});
  EXPECT_EQ(half.status, 3);
  EXPECT_EQ(json::parse(half.out).at("waiting"), 1);
  EXPECT_NE(text_of(path("page.html")).find("<meta http-equiv=\"refresh\" content=\"10\">"), std::string::npos);
  EXPECT_EQ(run({"campaign", "merge", dir}).status, 3);
  EXPECT_EQ(run({"campaign", "run", dir, "--shard", "2"}).status, 0);
  EXPECT_EQ(run({"campaign", "merge", dir}).status, 0);
  EXPECT_EQ(run({"campaign", "status", dir}).status, 0);
  EXPECT_EQ(run({"campaign", "submit", dir}).out, "Every shard has its result.\n");
}

}  // namespace
}  // namespace assay::campaign
