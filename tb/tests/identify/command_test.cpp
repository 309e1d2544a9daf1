// assay identify: what it prints, its exit statuses, its files, and every sentence of refusal.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/base/text.hpp"
#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

using nlohmann::json;

class IdentifyCommand : public InFolder {
 protected:
  static Ran asked(const std::vector<std::string>& more) {
    std::vector<std::string> args{"identify", "--device", "model:volta:mma.m8n8k4.f32.f16.f16.f32", "--confirm", "500"};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  // Recorded cases of that unit.
  std::string recorded(const std::string& name, int cases) const {
    EXPECT_EQ(run({"generate", "--instruction", "volta:mma.m8n8k4.f32.f16.f16.f32", "--cases", std::to_string(cases),
                   "-o", path("cases.jsonl")})
                  .status,
              passed);
    EXPECT_EQ(run({"run", path("cases.jsonl"), "-o", path(name)}).status, passed);
    return path(name);
  }
};

const std::vector<std::string> formats{"--formats", "f16,f16,f32", "--k", "4"};

std::vector<std::string> and_then(std::vector<std::string> first, const std::vector<std::string>& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

TEST_F(IdentifyCommand, PrintsAFileThatComputesTheSame) {
  const Ran ran = asked(formats);
  ASSERT_EQ(ran.status, passed) << ran.err;
  const std::string unit = file("unit.yaml", ran.out);
  const Ran same = run(
      {"compare", "--device", "model:" + unit, "--instruction", "volta:mma.m8n8k4.f32.f16.f16.f32", "--cases", "2000"});
  EXPECT_EQ(same.status, passed) << same.out << same.err;
}

TEST_F(IdentifyCommand, Json) {
  const json j = json::parse(asked(and_then(formats, {"--json"})).out);
  EXPECT_EQ(j["outcome"], "found");
  EXPECT_EQ(j["classes"].size(), 1u);
  EXPECT_EQ(j["confirmed"], 500);
  EXPECT_LE(j["before_confirming"].get<int>(), 200);
  EXPECT_FALSE(j["words"].empty());
}

TEST_F(IdentifyCommand, GoesOnFromItsAnswers) {
  const std::string answers = path("answers.jsonl");
  const Ran first = asked(and_then(formats, {"--answers", answers}));
  ASSERT_EQ(first.status, passed) << first.err;
  const std::string all = text_of(answers);
  // As if it had been ended after 20 questions.
  std::size_t end = 0;
  for (int line = 0; line < 21; ++line) end = all.find('\n', end) + 1;
  file("answers.jsonl", all.substr(0, end));
  const Ran again = asked(and_then(formats, {"--answers", answers}));
  EXPECT_EQ(again.out, first.out);
  EXPECT_EQ(text_of(answers), all) << "only what was not answered is asked";
}

TEST_F(IdentifyCommand, UndecidedAndTheCasesToRecordNext) {
  const Ran ran = run({"identify", recorded("few.jsonl", 5), "--next", path("next.jsonl")});
  EXPECT_EQ(ran.status, nothing_compared) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(": undecided between "), std::string::npos) << ran.out;
  const Ran filled = run({"run", path("next.jsonl"), "-o", path("next_d.jsonl")});
  EXPECT_EQ(filled.status, passed) << filled.err;
  EXPECT_GT(text_of(path("next_d.jsonl")).size(), 200u);
  const auto left = [&](const std::vector<std::string>& files) {
    const Ran told = run(and_then(and_then({"identify"}, files), {"--together", "--json"}));
    return json::parse(told.out)["classes"].size();
  };
  const std::size_t before = left({path("few.jsonl")}), after = left({path("few.jsonl"), path("next_d.jsonl")});
  EXPECT_GE(after, 1u);
  EXPECT_LT(after, before);
}

// What is not looked at is said, and so is that there is nothing to record: of a recording with two answers nothing is
// looked for.
TEST_F(IdentifyCommand, SaysWhatItLeavesOut) {
  const std::string few = text_of(recorded("few.jsonl", 3));
  const std::string cases = few.substr(few.find('\n') + 1);
  std::string other = cases;
  char& digit = other[other.find("\"d\":\"") + 5];
  digit = digit == '0' ? '1' : '0';
  std::string many = replaced(few, "\"cases\":3", "\"cases\":21006") + other;
  for (int i = 0; i < 7000; ++i) many += cases;
  const Ran ran = run({"identify", file("many.jsonl", many), "--next", path("more.jsonl")});
  EXPECT_EQ(ran.status, mismatch);
  EXPECT_NE(ran.out.find("many.jsonl: inconsistent: two cases have these operands, and d "), std::string::npos)
      << ran.out;
  EXPECT_NE(ran.err.find("many.jsonl: its first 20,000 of 21,006 cases are looked at, and the others are not."),
            std::string::npos)
      << ran.err;
  EXPECT_NE(ran.err.find("more.jsonl: there is no case that would tell more"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(path("more.jsonl")));
}

TEST_F(IdentifyCommand, NoWordEndsWithOne) {
  std::string text = text_of(recorded("cases_d.jsonl", 60));
  // Each second d is another one.
  int line = 0;
  for (std::size_t at = text.find("\"d\":\""); at != std::string::npos; at = text.find("\"d\":\"", at + 5)) {
    char& digit = text[at + 5 + 3];
    if (++line % 2 == 0) digit = digit == '0' ? '1' : '0';
  }
  const Ran ran = run({"identify", file("wrong.jsonl", text)});
  EXPECT_EQ(ran.status, mismatch) << ran.out << ran.err;
  EXPECT_NE(ran.out.find(": no word for this"), std::string::npos) << ran.out;
  EXPECT_EQ(ran.out.find("\nname: "), std::string::npos) << "no file";
}

TEST_F(IdentifyCommand, Refusals) {
  const auto refused = [](const std::vector<std::string>& args, const std::string& sentence) {
    const Ran ran = run(args);
    EXPECT_NE(ran.status, passed) << sentence;
    EXPECT_NE(ran.err.find(sentence), std::string::npos) << ran.err << ran.out;
  };
  refused({"identify"}, "Say what to identify: --device DEVICE, which is asked, or FILE..");
  refused({"identify", "one.jsonl", "two.jsonl", "--next", "next.jsonl"},
          "--next writes the cases of one answer; give one FILE with it, or several of one unit --together.");
  const std::string few = recorded("few.jsonl", 5);
  EXPECT_EQ(run({"generate", "--instruction", "hopper:wgmma.m64nNk16.f32.f16.f16", "--cases", "5", "--with-results",
                 "-o", path("other.jsonl")})
                .status,
            passed);
  refused({"identify", few, path("other.jsonl"), "--together"},
          "--together takes recordings of one unit, with one rule for NaN.");
  const std::vector<std::string> device{"identify", "--device", "model"};
  refused(and_then(device, {"--formats", "f16,f16", "--k", "4"}),
          "--formats takes three formats, of a, b and d, or four, of a, b, c and d; 'f16,f16' has 2.");
  refused(and_then(device, {"--formats", "f16,f17,f32", "--k", "4"}), "--formats names 'f17', which is no format");
  refused(and_then(device, {"--formats", "f16,f16,f32"}), "--formats needs --k, the number of products");
  refused(and_then(device, {"--formats", "f16,f16,f32", "--k", "4", "--scale", "ue8m0"}),
          "--scale takes FORMAT:BLOCK, such as ue8m0:32; 'ue8m0' is something else.");
  refused(and_then(device, {"--formats", "f16,f16,f32", "--k", "4", "--nan", "some"}), "--nan");
  refused(and_then(device, {"--formats", "f16,f16,f32", "--k", "4096"}), "--k takes a whole number from 1 to 1,024");
  refused(and_then(device, {"--datapath", file("long.yaml",
                                               "name: long\nlike: fused_f25\nk: 2048\nk_order: {step: {terms: 16}}\n"
                                               "operands: {a: f16, b: f16, c: f32, d: f32}\n")}),
          "adds 2048 products an operation; `identify` takes units of up to 1024.");
  refused(and_then(device, {"--datapath", file("random.yaml",
                                               "name: random\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32}\n"
                                               "specials: step\nadders:\n  - name: sum\n"
                                               "    add: {product: exact, acc: exact}\n"
                                               "    result: [{format: d, cut: stochastic_a, random_bits: 8}]\n")}),
          "rounds by random words, which `identify` does not search for.");
  refused(and_then(device, {"--datapath", file("mine.yaml",
                                               "name: mine\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, "
                                               "scales: {s: {of: a, format: ue8m0, at: mine}}}\n"
                                               "specials: step\nadders:\n  - name: mine\n"
                                               "    add: {product: exact}\n  - name: sum\n"
                                               "    add: {mine: exact, acc: exact}\n"
                                               "    result: [{format: d, cut: nearest_even}]\n")}),
          "no datapath of the catalogue can be planned on these operands");

  for (const char* option : {"--instruction", "--datapath"}) {
    refused({"identify", "any.jsonl", option, "x"},
            "Vector files say what they are of: leave out --instruction and --datapath, or the files.");
  }
  const std::string four = R"("3c00","3c00","3c00","3c00")", down = R"(["3c00"],["3c00"],["3c00"],["3c00"])";
  const std::string chain = R"({"assay":1,"architecture":"volta","instruction":"mma.m8n8k4.f32.f16.f16.f32"})"
                            "\n{\"A\":[[" +
                            four + "," + four + "]],\"B\":[" + down + "," + down +
                            R"(],"C":[["00000000"]],"D":[["41000000"]]})"
                            "\n";
  refused({"identify", file("chain.jsonl", chain)},
          "the case chains several operations along K; `identify` takes cases of one, with 4 products.");
  const std::string good = recorded("good.jsonl", 5);
  refused({"identify", path("cases.jsonl")}, "has no case with a d; `assay run` or a recorder fills in d.");
  refused(and_then(device, and_then({"--answers", good}, formats)), "these answers are of another question");
  std::vector<std::string> by_name{
      "identify",  "--device",         "model", "--instruction", "volta:mma.m8n8k4.f32.f16.f16.f32",
      "--answers", path("cases.jsonl")};
  refused(by_name, "the case has no d; an answer has one.");
  refused(and_then(device, and_then({"--answers", path("missing/answers.jsonl")}, formats)), "cannot be written");
}

}  // namespace
}  // namespace assay
