// assay wave and its files: what is read, what is written, and every sentence that refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "model/base/files.hpp"
#include "tb/tests/cli/run.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string mfma = "cdna2:v_mfma_f32_4x4x1f32";

class WaveFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              ("assay_wave_" + std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string in(const std::string& name) const { return (folder_ / name).string(); }

  std::string written(const std::string& name, const std::string& text) const {
    std::ofstream(in(name)) << text;
    return in(name);
  }

  static std::string content(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  // The message of a run that must fail and write nothing.
  std::string refused(std::vector<std::string> words) const {
    words.insert(words.begin(), "wave");
    words.insert(words.end(), {"-o", in("never.npz")});
    const Ran ran = run(words);
    EXPECT_EQ(ran.status, 2) << ran.out;
    EXPECT_FALSE(fs::exists(in("never.npz")));
    return ran.err;
  }

 private:
  fs::path folder_;
};

TEST_F(WaveFiles, LinesAndArraysHoldTheSame) {
  ASSERT_EQ(run({"wave", "--instruction", mfma, "--cases", "3", "--seed", "5", "-o", in("a.npz")}).status, 0);
  ASSERT_EQ(run({"wave", "--instruction", mfma, "--cases", "3", "--seed", "5", "-o", in("a.jsonl")}).status, 0);
  ASSERT_EQ(run({"wave", "--instruction", mfma, in("a.npz"), "-o", in("b.jsonl")}).status, 0);
  ASSERT_EQ(run({"wave", "--instruction", mfma, in("a.jsonl"), "-o", in("b.npz")}).status, 0);
  EXPECT_EQ(content(in("a.jsonl")), content(in("b.jsonl")));
  EXPECT_EQ(content(in("a.npz")), content(in("b.npz")));
  const std::string first = content(in("a.npz"));
  ASSERT_EQ(run({"wave", "--instruction", mfma, "--cases", "3", "--seed", "6", "-o", in("a.npz")}).status, 0);
  EXPECT_NE(content(in("a.npz")), first);
}

TEST_F(WaveFiles, SayHowLongTheUnitWasBusy) {
  EXPECT_EQ(run({"wave", "--instruction", mfma, "--cases", "3", "-o", in("a.npz")}).out,
            "cdna2:v_mfma_f32_4x4x1f32: 3 executions, 24 cycles of a matrix unit.\n");
}

TEST_F(WaveFiles, AreRefusedInASentence) {
  const std::string good = run({"wave", "--instruction", mfma}).out;
  const auto changed = [&](const std::string& what, const std::string& with) {
    std::string text = good;
    const std::size_t at = text.find(what);
    return written("bad.jsonl", text.replace(at, what.size(), with));
  };
  const auto of = [&](const std::string& file) { return refused({"--instruction", mfma, file}); };
  EXPECT_EQ(of(changed("{\"a\"", "{\"x\"")), "assay: " + in("bad.jsonl") + ":1: \"a\" is missing.\n");
  EXPECT_EQ(of(changed("\"a\": [[", "\"e\": 1, \"a\": [[")),
            "assay: " + in("bad.jsonl") + ":1: the instruction has no operand 'e'.\n");
  EXPECT_EQ(
      of(changed("\"a\": [[", "\"a\": [[\"0\", ")),
      "assay: " + in("bad.jsonl") + ":1: \"a\" is a list of 1 register of 64 lanes each, each a list of words.\n");
  EXPECT_EQ(of(changed("\"a\": [[\"", "\"a\": [[\"x")),
            "assay: " + in("bad.jsonl") + ":1: a register of \"a\" is no text of up to 8 hexadecimal digits.\n");
  EXPECT_EQ(of(written("bad.jsonl", "[]\n")), "assay: " + in("bad.jsonl") + ":1: this line is no object of JSON.\n");
  EXPECT_EQ(of(written("bad.jsonl", "\n")),
            "assay: " + in("bad.jsonl") + ": There is nothing to execute in this file.\n");
  EXPECT_EQ(of(written("bad.jsonl", std::string(std::size_t{3} << 20, '['))),
            "assay: " + in("bad.jsonl") + ":1: a line has 1 MiB at most.\n");
  EXPECT_EQ(of(written("bad.npz", "no archive")),
            "assay: " + in("bad.npz") + ": This is no .npz archive: its directory is missing.\n");
  run({"wave", "--instruction", "cdna2:v_mfma_f32_4x4x2bf16", "--cases", "2", "-o", in("other.npz")});
  run({"wave", "--instruction", "cdna2:v_mfma_f32_16x16x1f32", "-o", in("larger.npz")});
  EXPECT_EQ(of(in("larger.npz")), "assay: " + in("larger.npz") +
                                      ": The array c has to be uint32 of shape (4, 64), or (executions, 4, 64).\n");
  EXPECT_EQ(refused({"--instruction", mfma, "--cbsz", "5"}),
            "assay: cbsz is 5, but cdna2:v_mfma_f32_4x4x1f32 takes 0 to 4.\n");
  EXPECT_EQ(refused({"--instruction", mfma, in("none.npz")}).substr(0, 7 + in("none.npz").size()),
            "assay: " + in("none.npz"));
}

TEST_F(WaveFiles, AreOfLanesAlone) {
  const auto of = [](const std::string& instruction) {
    const Ran ran = run({"wave", "--instruction", instruction});
    EXPECT_EQ(ran.status, 4);
    return ran.err;
  };
  EXPECT_EQ(of("hopper:wgmma.m64nNk16.f32.f16.f16"),
            "assay: hopper:wgmma.m64nNk16.f32.f16.f16 takes operands from memory, and a wave has registers alone.\n");
  EXPECT_EQ(of("x86:tdpbf16ps"),
            "assay: Where x86:tdpbf16ps has its operands in lanes is not in the tables of layouts.\n");
  EXPECT_NE(of("cdna3:v_smfmac_f32_16x16x32_f16").find("takes a sparse A"), std::string::npos);
}

TEST(LayoutModifiers, AnswerWhatAPlaceFeeds) {
  const Ran ran =
      run({"layout", "cdna2", "v_mfma_f32_16x16x1f32", "--operand", "a", "--cbsz", "2", "--abid", "1", "--lane", "17"});
  EXPECT_EQ(
      ran.out,
      "cdna2:v_mfma_f32_16x16x1f32\nROW,COLUMN of the elements of each word, from bit 0 up; with BLOCK: before it\n\n"
      "a: 4 blocks of 16 x 1 f32, 1 register of 32 bits in each of 64 lanes\n"
      "lane 17, reg 0, bits 0..31: 0:1,0 1:1,0 2:1,0 3:1,0\n");
  const Ran none = run({"layout", "cdna2", "v_mfma_f32_16x16x1f32", "--operand", "a", "--cbsz", "2", "--lane", "17"});
  EXPECT_NE(none.out.find("lanes\nnothing\n"), std::string::npos);
  EXPECT_EQ(run({"layout", "cdna2", "v_mfma_f32_16x16x4f32", "--abid", "1"}).err,
            "assay: abid is 1, but cdna2:v_mfma_f32_16x16x4f32 takes 0 alone where cbsz is 0.\n");
  const Ran negated = run({"layout", "cdna3", "v_mfma_f64_4x4x4_4b_f64", "--operand", "b", "--blgp", "2"});
  EXPECT_NE(negated.out.find("an element takes two; each sign is turned"), std::string::npos);
}

}  // namespace
}  // namespace assay
