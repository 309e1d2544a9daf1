#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tb/tests/cli/in_folder.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

using nlohmann::json;

Ran compare(std::vector<std::string> more) {
  more.insert(more.begin(), "compare");
  return run(more);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class GemmCli : public InFolder {};

TEST(Gemm, PrintsWhatShowsTheDisagreementAgain) {
  // Instructions of 16, of 16 and of 4 terms.
  const Ran ran = compare({"--gemm", "32x32x256", "--formats", "f16", "--architectures", "hopper,ampere,volta"});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  int commands = 0;
  for (std::size_t at = ran.out.find("assay explain"); at != std::string::npos;
       at = ran.out.find("assay explain", at + 1)) {
    std::vector<std::string> command = words(ran.out.substr(at, ran.out.find('\n', at) - at));
    command.erase(command.begin());
    const Ran again = run(command);
    EXPECT_EQ(again.status, mismatch) << again.out << again.err;
    ++commands;
  }
  EXPECT_EQ(commands, 3);
}

TEST(Gemm, ShowsTablesAndMapsInAHundredColumns) {
  const Ran ran = compare({"--gemm", "64x48x256", "--formats", "f16", "--architectures", "hopper,ampere,cdna1,cdna2"});
  EXPECT_TRUE(has(ran.out, "D = A x B + C, 64 x 48 x 256, f16 x f16 + f32 -> f32; family gaussian, seed 1."));
  EXPECT_TRUE(has(ran.out, "hopper:wgmma.m64nNk16.f32.f16.f16"));
  EXPECT_TRUE(has(ran.out, "a character for 6 x 2 elements"));
  std::istringstream lines(ran.out);
  int maps = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!has(line, "assay explain")) {
      EXPECT_LE(line.size(), 100U) << line;
    }
    maps += line.rfind("  |", 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(maps, 11);  // tiles of 6 rows of 64; three maps side by side
}

TEST(Gemm, SaysThatAllAgree) {
  const Ran ran = compare({"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper,blackwell"});
  EXPECT_EQ(ran.status, passed);
  EXPECT_TRUE(has(ran.out, "All agree on all 64 elements."));
  EXPECT_FALSE(has(ran.out, "Where they differ"));
}

TEST(Gemm, SaysWhenAlmostAllIsNan) {
  const Ran ran =
      compare({"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper,ampere", "--family", "nan_payloads"});
  EXPECT_TRUE(has(ran.out, "More than nine in ten results are zero or NaN")) << ran.out;
}

TEST(Gemm, IsTheSameEachTimeAndAnotherOfAnotherSeed) {
  const std::vector<std::string> command{"--gemm", "16x16x64", "--formats", "f16", "--architectures", "hopper,cdna3"};
  std::vector<std::string> threads = command, seed = command;
  threads.insert(threads.end(), {"--threads", "2"});
  seed.insert(seed.end(), {"--seed", "2"});
  EXPECT_EQ(compare(command).out, compare(threads).out);
  EXPECT_NE(compare(command).out, compare(seed).out);
}

TEST_F(GemmCli, WritesJson) {
  const Ran ran = compare({"--gemm", "16x8x64", "--formats", "e4m3,e5m2", "--architectures", "hopper", "--json"});
  const json all = json::parse(ran.out);
  EXPECT_EQ(all["types"], "e4m3 x e5m2 + f32 -> f32");
  ASSERT_EQ(all["pairs"].size(), 3U);  // of wgmma, and of mma of 32 and of 16 terms
  EXPECT_EQ(all["pairs"][0]["elements"], 128);
  EXPECT_GT(all["pairs"][0]["differ"], 0);
  EXPECT_GT(all["pairs"][0]["greatest_ulps"], 0);
  EXPECT_TRUE(has(all["pairs"][0]["smallest"]["command"], "assay explain --instruction hopper:"));
}

TEST_F(GemmCli, WritesAPageWithoutScriptOrNetwork) {
  const std::string page = path("heat.html");
  compare({"--gemm", "40x40x64", "--formats", "f16", "--architectures", "hopper,cdna3,blackwell", "--html", page});
  const std::string html = text_of(page);
  EXPECT_TRUE(has(html, "default-src 'none'"));
  EXPECT_FALSE(has(html, "<script"));
  EXPECT_FALSE(has(html, "src="));
  EXPECT_TRUE(has(html, "<title>from [0, 0]: "));
  EXPECT_TRUE(has(html, "They agree on every element."));
  EXPECT_TRUE(has(html, "</html>"));
}

TEST_F(GemmCli, TakesTheMatrixOfAFile) {
  const std::string header =
      "{\"assay\":1,\"architecture\":\"ampere\",\"instruction\":\"mma.m16n8k8.f32.f16.f16.f32\"}\n";
  const std::string row = "[\"3c00\",\"0000\",\"0000\",\"0000\",\"0000\",\"0000\",\"0000\",\"0000\"]";
  std::string b;
  for (int i = 0; i < 8; ++i) b += std::string(i > 0 ? "," : "") + "[\"0800\",\"3c00\"]";
  const std::string matrix =
      file("one.jsonl", header + "{\"A\":[" + row + "],\"B\":[" + b + "],\"C\":[[\"bf7fffff\",\"00000000\"]]}\n");
  const Ran ran = compare({"--gemm", matrix, "--architectures", "ampere:mma.m16n8k8.f32.f16.f16.f32,volta"});
  EXPECT_TRUE(has(ran.out, "1 x 2 x 8, f16 x f16 + f32 -> f32; the first case of " + matrix)) << ran.out << ran.err;
  const std::string single =
      file("single.jsonl", header + "{\"a\":" + row + ",\"b\":" + row + ",\"c\":\"00000000\"}\n");
  EXPECT_TRUE(
      has(compare({"--gemm", single, "--architectures", "ampere,volta"}).err, "the first case is no whole matrix"));
  EXPECT_TRUE(has(compare({"--gemm", matrix, "--formats", "f16", "--architectures", "ampere,volta"}).err,
                  "a file says its own formats"));
}

TEST_F(GemmCli, TakesADatapathOfOnesOwn) {
  const std::string mine =
      file("mine.yaml", "name: mine\nlike: fused_f24\nk: 8\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  const Ran ran = compare({"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper," + mine});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  EXPECT_TRUE(has(ran.out, "--device model:" + mine)) << ran.out;
  const std::string odd =
      file("odd.yaml", "name: odd\nlike: fused_f24\nk: 12\noperands: {a: f16, b: f16, c: f32, d: f32}\n");
  EXPECT_TRUE(has(compare({"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper," + odd}).err,
                  "K is 64, which is no multiple of the instruction's 12."));
  const Ran apart = compare({"--gemm", "8x8x48", "--formats", "f16", "--architectures", "hopper," + odd});
  EXPECT_EQ(apart.status, mismatch);
  EXPECT_FALSE(has(apart.out, "assay explain"));  // 16 and 12 terms have no step in common
}

const std::string weights_unit =
    "name: weights\nk: 4\noperands: {a: f16, b: i4, c: f32, d: f32, zero_b: {format: i4, block: 2},\n"
    "  scales: {s: {of: a, format: bf16, at: product}}}\nspecials: step\nadders:\n"
    "  - {name: sum, add: {product: {keep: 25, cut: toward_zero}, acc: {keep: 25, cut: toward_zero}},\n"
    "     result: [{format: d, cut: toward_zero}]}\n";

TEST_F(GemmCli, BringsWhatElseCasesTake) {
  const std::string one = file("one.yaml", weights_unit);
  std::string narrower = weights_unit;
  narrower.replace(narrower.find("keep: 25"), 8, "keep: 12");
  const std::string other = file("other.yaml", narrower);
  const Ran ran = compare(
      {"--gemm", "12x8x16", "--formats", "f16,i4,f32", "--architectures", one + "," + other, "--family", "raw"});
  EXPECT_EQ(ran.status, mismatch) << ran.err;
  const std::size_t at = ran.out.find("assay explain");
  ASSERT_NE(at, ran.out.npos) << ran.out;
  std::vector<std::string> command = words(ran.out.substr(at, ran.out.find('\n', at) - at));
  command.erase(command.begin());
  const Ran again = run(command);
  EXPECT_EQ(again.status, mismatch) << again.out << again.err;
  EXPECT_EQ(compare({"--gemm", "12x8x16", "--formats", "f16,i4,f32", "--architectures", one + "," + one}).status,
            passed);

  std::string wider = weights_unit;
  wider.replace(wider.find("block: 2"), 8, "block: 4");
  EXPECT_EQ(
      compare({"--gemm", "8x8x16", "--formats", "f16,i4,f32", "--architectures", one + "," + file("w.yaml", wider)})
          .err,
      "assay: " + path("w.yaml") +
          " computes f16 x i4 + f32 -> f32, s bf16 of a for 4 each, zero_b i4 of b for 4 each, but " + one +
          " computes f16 x i4 + f32 -> f32, s bf16 of a for 4 each, zero_b i4 of b for 2 each; one product needs "
          "the same operands.\n");
}

// 2 x 8 times 8 x 1 by two instructions, all ones, less zero points: row 0 times 1 and 2, row 1 times 4 and 8.
TEST_F(GemmCli, CarriesThemInMatricesOfFiles) {
  const std::string header =
      "{\"assay\":1,\"datapath\":{\"name\":\"weights\",\"k\":4,\"operands\":{\"a\":\"f16\",\"b\":\"i4\",\"c\":\"f32\","
      "\"d\":"
      "\"f32\",\"zero_b\":{\"format\":\"i4\",\"block\":2},\"scales\":{\"s\":{\"of\":\"a\",\"format\":\"bf16\",\"at\":"
      "\"product\"}}},\"specials\":\"step\",\"adders\":[{\"name\":\"sum\",\"add\":{\"product\":\"exact\",\"acc\":{"
      "\"keep\":25,"
      "\"cut\":\"toward_zero\"}},\"result\":[{\"format\":\"d\",\"cut\":\"toward_zero\"}]}]}}\n";
  std::string row = "[", b = "[";
  for (int i = 0; i < 8; ++i)
    row += std::string(i > 0 ? "," : "") + "\"3c00\"", b += std::string(i > 0 ? "," : "") + "[\"1\"]";
  const std::string matrix = "{\"A\":[" + row + "]," + row + "]],\"B\":" + b +
                             "],\"C\":[[\"00000000\"],[\"00000000\"]],\"s\":[[\"3f80\",\"4000\"],[\"4080\",\"4100\"]],"
                             "\"zero_b\":[[\"1\"],[\"0\"],[\"f\"],[\"8\"]]";
  const std::string bare = file("bare.jsonl", header + matrix + "}\n");
  // (0 + 2) + 2 x (4 + 18) and 4 x 2 + 8 x 22
  const std::string whole = matrix + ",\"D\":[[\"42380000\"],[\"43380000\"]]}\n";
  ASSERT_EQ(run({"run", bare, "-o", path("out.jsonl")}).status, passed);
  const std::string out = text_of(path("out.jsonl"));
  EXPECT_EQ(out.substr(out.find('\n') + 1), whole);
  const Ran ran = run({"check", path("out.jsonl")});
  EXPECT_EQ(ran.status, passed) << ran.out;
  std::string wrong = whole;
  wrong.replace(wrong.find("43380000"), 8, "43380001");
  EXPECT_TRUE(has(run({"check", file("wrong.jsonl", header + wrong)}).out, "case 0, element [1,0]"));
}

// --- one device, chained along K ---

TEST(GemmChain, HoldsEachElementToTheReference) {
  const Ran ran = compare({"--gemm", "5x7x64", "--device", "oracle", "--instruction", wgmma});
  EXPECT_EQ(ran.status, passed) << ran.out << ran.err;
  EXPECT_TRUE(has(ran.out, "compared 35 cases\n")) << ran.out;
}

// The step is the first in which both, given the same c, give another d: explain shows it.
TEST(GemmChain, NamesTheStepAtWhichAnElementParts) {
  const std::string other = "model:ampere:mma.m16n8k16.f32.f16.f16.f32";
  const Ran ran = compare({"--gemm", "8x8x64", "--device", other, "--instruction", wgmma, "--max-failures", "1"});
  ASSERT_EQ(ran.status, mismatch) << ran.out << ran.err;
  const std::size_t at = ran.out.find("parts at step ");
  ASSERT_NE(at, std::string::npos) << ran.out;
  const std::string line = ran.out.substr(at, ran.out.find('\n', at) - at);
  const std::vector<std::string> all = words(line.substr(line.find("assay explain")));
  const Ran shown = run({all.begin() + 1, all.end()});
  EXPECT_EQ(shown.status, mismatch) << line << "\n" << shown.out << shown.err;
  EXPECT_TRUE(has(ran.out, "again     assay compare --reference model --device " + other + " --instruction " + wgmma +
                               " --gemm 8x8x64 --seed 1 --family gaussian\n"))
      << ran.out;
}

struct WrongGemm {
  std::vector<std::string> options;
  std::string said;
};

class GemmErrors : public ::testing::TestWithParam<WrongGemm> {};

TEST_P(GemmErrors, AreSentences) {
  const Ran ran = compare(GetParam().options);
  EXPECT_EQ(ran.status, wrong_use);
  EXPECT_TRUE(has(ran.err, GetParam().said)) << ran.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, GemmErrors,
    ::testing::Values(
        WrongGemm{{}, "Say what to compare: --device DEVICE, or --gemm MxNxK with --architectures."},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f16", "--device", "model"}, "--device excludes --formats"},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f16", "--cases", "3"}, "--cases excludes --gemm"},
        WrongGemm{{"--gemm", "8x8", "--device", "model", "--instruction", wgmma},
                  "--gemm with --device takes MxNxK; found '8x8'."},
        WrongGemm{{"--gemm", "8x8x40", "--device", "model", "--instruction", wgmma},
                  wgmma + " adds 16 terms at a time, and K = 40 is no multiple of that; try K = 48."},
        WrongGemm{{"--gemm", "8x8x64", "--device", "model", "--datapath",
                   source_dir() + "/rtl_ref/gallery/cleared/eight_terms.yaml"},
                  "eight_terms.yaml adds to nothing, so --gemm cannot hand d on as its c."},
        WrongGemm{{"--gemm", "8x8x64", "--device", "model", "--instruction", wgmma, "--cases", "7"},
                  "--cases excludes --gemm"},
        WrongGemm{{"--device", "model", "--instruction", wgmma, "--processes", "2"},
                  "--processes is for rtl:DUT.yaml, of which several can run at once; model is one alone."},
        WrongGemm{{"--formats", "f16"}, "--formats requires --gemm"},
        WrongGemm{{"--gemm", "8x8x64", "--architectures", "hopper,ampere"},
                  "--formats takes the formats of A, B and D, such as f16 or e4m3,e5m2 or f16,f16,f16; found ''."},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f61", "--architectures", "hopper,ampere"}, "'f61' is no format"},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f16"}, "--architectures takes two or more"},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper"},
                  "Here is one instruction alone."},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "e4m3", "--architectures", "volta,hopper"},
                  "volta has no instruction for e4m3 x e4m3 + f32 -> f32; it has f16 x f16 + f16 -> f16; f16"},
        WrongGemm{{"--gemm", "8x8x6", "--formats", "f16", "--architectures", "hopper,ampere"},
                  "takes a number of terms that K = 6 is a multiple of."},
        WrongGemm{
            {"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper,ampere:mma.m16n8k16.f16.f16.f16.f16"},
            "computes f16 x f16 + f16 -> f16, but hopper:wgmma.m64nNk16.f32.f16.f16 computes"},
        WrongGemm{{"--gemm", "0x8x16", "--formats", "f16", "--architectures", "hopper,ampere"},
                  "--gemm 0x8x16: '0' is no number of rows, columns or products; it is from 1 up."},
        WrongGemm{{"--gemm", "99999x8x64000", "--formats", "f16", "--architectures", "hopper,ampere"},
                  "has a matrix of more than 16,777,216 elements"},
        WrongGemm{{"--gemm", "any.jsonl", "--architectures", "hopper,ampere", "--seed", "1"},
                  "--seed and --family go with --gemm MxNxK; a file has its own matrices."},
        WrongGemm{{"--gemm", "any.jsonl", "--architectures", "hopper,ampere", "--family", "raw"},
                  "--seed and --family go with --gemm MxNxK; a file has its own matrices."},
        WrongGemm{{"--gemm", "/nowhere.jsonl", "--architectures", "hopper,ampere"}, "/nowhere.jsonl"},
        WrongGemm{{"--gemm", "8x8x64", "--formats", "f16", "--architectures", "hopper,hoper"},
                  "There is no architecture 'hoper'"}));

}  // namespace
}  // namespace assay
