// assay wave and its files: what is read, what is written, and every sentence that refuses.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "model/base/files.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/scratch.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

const std::string mfma = "cdna2:v_mfma_f32_4x4x1f32";

class WaveFiles : public ::testing::Test {
 protected:
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
  const Scratch scratch_;
  const fs::path folder_ = scratch_.path();
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

TEST_F(WaveFiles, TakeTheColumnsThatANameSpells) {
  const std::string named = "hopper:wgmma.m64n16k32.s32.s8.s8", free = "hopper:wgmma.m64nNk32.s32.s8.s8";
  EXPECT_EQ(run({"wave", "--instruction", named}).out, run({"wave", "--instruction", free, "--n", "16"}).out);
  EXPECT_NE(run({"wave", "--instruction", named}).out, run({"wave", "--instruction", free}).out);
  EXPECT_EQ(refused({"--instruction", named, "--n", "64"}),
            "assay: --n is 64, but wgmma.m64n16k32.s32.s8.s8 has n = 16; leave one of them away.\n");
}

TEST_F(WaveFiles, TurnNoSignsOfIntegers) {
  EXPECT_EQ(refused({"--instruction", "hopper:wgmma.m64nNk32.s32.s8.s8", "--negate", "a"}),
            "assay: hopper:wgmma.m64nNk32.s32.s8.s8 multiplies integers, whose signs no bit turns; leave --negate "
            "away.\n");
}

TEST_F(WaveFiles, AreOfLanesAlone) {
  const auto of = [](const std::string& instruction) {
    const Ran ran = run({"wave", "--instruction", instruction});
    EXPECT_EQ(ran.status, 4);
    return ran.err;
  };
  EXPECT_EQ(of("blackwell:tcgen05.mma.m64nNk16.f32.f16.f16"),
            "assay: blackwell:tcgen05.mma.m64nNk16.f32.f16.f16 takes operands from memory, and a wave has registers "
            "alone.\n");
  EXPECT_EQ(of("x86:tdpbf16ps"),
            "assay: Where x86:tdpbf16ps has its operands in lanes is not in the tables of layouts.\n");
  EXPECT_NE(of("cdna3:v_smfmac_f32_16x16x32_f16").find("takes a sparse A"), std::string::npos);
}

// --- wgmma ---

const std::string wgmma = "hopper:wgmma.m64nNk16.f32.f16.f16";

// A member of a line of JSON, as it stands there.
std::string member(const std::string& line, const std::string& name) {
  const std::size_t at = line.find("\"" + name + "\": ");
  return line.substr(at, line.find("]]", at) - at);
}

// However A and B lie, they are the same matrices, and D is the same.
TEST_F(WaveFiles, OfAWarpgroupHoldSharedMemory) {
  const auto lines = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"wave", "--instruction", wgmma, "--n", "64", "--seed", "3"});
    const Ran ran = run(options);
    EXPECT_EQ(ran.status, 0) << ran.err;
    return ran.out;
  };
  const std::string plain = lines({});
  std::set<std::string> memories{member(plain, "shared")};
  for (const char* width : {"0", "32", "64", "128"}) {
    for (const char* sides : {"a", "b", "a,b"}) {
      const std::string other = lines({"--swizzle", width, "--transpose", sides});
      EXPECT_EQ(member(other, "d"), member(plain, "d")) << width << " " << sides;
      memories.insert(member(other, "shared"));
    }
    EXPECT_EQ(member(lines({"--swizzle", width}), "d"), member(plain, "d")) << width;
  }
  EXPECT_EQ(memories.size(), 13U);
  EXPECT_EQ(member(lines({"--negate", "a,b"}), "d"), member(plain, "d"));
  EXPECT_NE(member(lines({"--negate", "a"}), "d"), member(plain, "d"));
  EXPECT_NE(member(lines({"--ignore-d"}), "d"), member(plain, "d"));
}

// A of 64 x 16 f16 takes 2,048 bytes, B of 8 columns 256 behind it. Descriptors that say so are those of no options.
TEST_F(WaveFiles, OfAWarpgroupAreReadAgain) {
  ASSERT_EQ(run({"wave", "--instruction", wgmma, "--cases", "2", "-o", in("a.npz")}).status, 0);
  ASSERT_EQ(run({"wave", "--instruction", wgmma, in("a.npz"), "-o", in("b.jsonl"), "--descriptor-a", "1000080000",
                 "--descriptor-b", "1000080080"})
                .status,
            0);
  ASSERT_EQ(run({"wave", "--instruction", wgmma, "--cases", "2", "-o", in("c.jsonl")}).status, 0);
  EXPECT_EQ(content(in("b.jsonl")), content(in("c.jsonl")));
  // A file may follow a list.
  ASSERT_EQ(run({"wave", "--instruction", wgmma, "--transpose", "b", "-o", in("d.npz")}).status, 0);
  ASSERT_EQ(run({"wave", "--instruction", wgmma, "-o", in("e.npz"), "--transpose", "b", in("d.npz")}).status, 0);
  EXPECT_EQ(content(in("d.npz")), content(in("e.npz")));
  const auto of = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--instruction", wgmma});
    return refused(options);
  };
  EXPECT_EQ(
      of({in("a.npz"), "--n", "16"}),
      "assay: " + in("a.npz") + ": The array shared has to be uint32 of shape (640, 1), or (executions, 640, 1).\n");
  EXPECT_EQ(of({"--n", "12"}), "assay: " + wgmma + " has no 12 columns; it takes a multiple of 8 from 8 to 256.\n");
  EXPECT_EQ(of({"--swizzle", "48"}), "assay: --swizzle is 48; it takes 0, 32, 64 and 128.\n");
  EXPECT_EQ(of({"--swizzle", "32", "--descriptor-a", "0", "--descriptor-b", "0"}),
            "assay: --swizzle says how A and B are laid out where no descriptor does; here both have one.\n");
  EXPECT_EQ(of({"--descriptor-a", "4000"}),
            "assay: The descriptor of A has a reserved bit set, one of 15..14, 31..30, 48..46 and 61..52.\n");
  EXPECT_EQ(of({"--descriptor-b", "3fff"}),
            "assay: The matrices reach to byte 262256 of shared memory, but there are 232448.\n");
  EXPECT_EQ(of({"--descriptor-b", "10x"}), "assay: --descriptor-b takes up to 16 hexadecimal digits.\n");
  EXPECT_EQ(of({"--cbsz", "1"}), "assay: cbsz is 1, but " + wgmma + " takes 0 alone.\n");
  EXPECT_EQ(refused({"--instruction", "hopper:wgmma.m64nNk8.f32.tf32.tf32", "--transpose", "b"}),
            "assay: B lies along k: only formats of 16 bits may lie the other way.\n");
  EXPECT_EQ(refused({"--instruction", mfma, "--swizzle", "32"}),
            "assay: " + mfma + " is not of a warpgroup: options of wgmma alone say nothing here.\n");
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
