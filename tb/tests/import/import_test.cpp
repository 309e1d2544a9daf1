// Other people's recordings as commands: small files in each layout, there and back, and every error that is
// documented.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "model/base/sha256.hpp"
#include "model/config/catalogue.hpp"
#include "tb/import/recording.hpp"
#include "tb/tests/cli/run.hpp"
#include "tb/tests/vectors/helpers.hpp"
#include "tb/vectors/bytes.hpp"

namespace assay {
namespace {

using testing_vectors::file_bytes;
using testing_vectors::put_file;

const std::string volta_f32 = "volta:mma.m8n8k4.f32.f16.f16.f32";
const std::string volta_f16 = "volta:mma.m8n8k4.f16.f16.f16.f16";
const std::string scaled = "rtx_blackwell:mma.m16n8k32.block32.f32.e4m3.e4m3.f32.ue8m0";

// A unit of one's own, and a case of it: (5 - 1) x 2 + (2 - 1) x 1 = 9. `s1` is a name of its own and no element of s.
const std::string own_unit =
    "name: own\nk: 2\noperands: {a: f16, b: i4, c: f32, d: f32, zero_b: {format: i4},\n"
    "  scales: {s1: {of: a, format: f16, block: 1, at: product}, s: {of: b, format: i2, at: product}}}\n"
    "specials: step\nadders:\n"
    "  - {name: sum, add: {product: exact, acc: {keep: 23, cut: toward_zero}},\n"
    "     result: [{format: d, cut: stochastic_a, random_bits: 4}]}\n";
const std::string own_case =
    "{\"a\":[\"3c00\",\"3c00\"],\"b\":[\"5\",\"2\"],\"c\":\"00000000\",\"s1\":[\"4000\",\"3c00\"],\"s\":[\"1\"],"
    "\"zero_b\":[\"1\"],\"random\":[\"8\"],\"d\":\"41100000\"}\n";

// What import makes of a file: the cases, without the header.
std::string cases_of(const std::string& file) {
  const std::string text = file_bytes(file);
  return text.substr(text.find('\n') + 1);
}

std::string header_of(const std::string& file) {
  const std::string text = file_bytes(file);
  return text.substr(0, text.find('\n'));
}

class Import : public ::testing::Test {
 protected:
  std::string put(const std::string& name, const std::string& bytes) {
    put_file(folder_ / name, bytes);
    return folder_ / name;
  }

  Ran import(const std::string& name, const std::string& unit = volta_f32, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{"import", folder_ / name, "--instruction", unit, "-o", out()};
    args.insert(args.end(), more.begin(), more.end());
    return run(args);
  }

  Ran import_own(const std::string& name) {
    return run({"import", folder_ / name, "--datapath", put("own.yaml", own_unit), "-o", out()});
  }

  std::string refused_own(const std::string& name) {
    return said([&] { return import_own(name); });
  }

  std::string out() const { return folder_ / "out.jsonl"; }

  // The sentence, without the folder's name, of an import that is refused.
  std::string refused(const std::string& name, const std::string& unit = volta_f32,
                      const std::vector<std::string>& more = {}) {
    return said([&] { return import(name, unit, more); });
  }

  template <class Import>
  std::string said(Import&& import) {
    std::filesystem::remove(out());
    const Ran ran = import();
    EXPECT_EQ(ran.status, wrong_use) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(out()));
    std::string text = ran.err;
    for (std::size_t at; (at = text.find(folder_ / "")) != text.npos;) text.erase(at, (folder_ / "").size());
    return text;
  }

  // 1.5 x 2 + 1 = 4, and the same with a term of 2^-24 more.
  void put_words(const std::string& more_in_d = "") {
    put("a_V100_fp16.txt", "3fc00000 00000000 00000000 00000000 \n3fc00000 33800000 00000000 00000000 \n");
    put("b_V100_fp16.txt", "40000000 00000000 00000000 00000000 \n40000000 3f800000 00000000 00000000 \n");
    put("c_V100_fp32.txt", "00111111100000000000000000000000\n00111111100000000000000000000000\n");
    put("d_V100_fp32.txt", "01000000100000000000000000000000\n01000000100000000000000000000000\n" + more_in_d);
  }

  Scratch folder_;
};

// --- binary32 words in four files ---

TEST_F(Import, WordsOfFourFiles) {
  put_words();
  ASSERT_EQ(import("d_V100_fp32.txt").status, passed);
  EXPECT_EQ(cases_of(out()),
            "{\"a\":[\"3e00\",\"0000\",\"0000\",\"0000\"],\"b\":[\"4000\",\"0000\",\"0000\",\"0000\"],"
            "\"c\":\"3f800000\",\"d\":\"40800000\"}\n"
            "{\"a\":[\"3e00\",\"0001\",\"0000\",\"0000\"],\"b\":[\"4000\",\"3c00\",\"0000\",\"0000\"],"
            "\"c\":\"3f800000\",\"d\":\"40800000\"}\n");
  EXPECT_EQ(run({"check", out()}).status, passed);
}

TEST_F(Import, ProvenanceNamesEveryFileByItsHash) {
  put_words();
  ASSERT_EQ(import("d_V100_fp32.txt").status, passed);
  const std::string header = header_of(out());
  EXPECT_NE(header.find("\"device\":\"V100\""), header.npos) << header;
  for (const char* name : {"a_V100_fp16.txt", "b_V100_fp16.txt", "c_V100_fp32.txt", "d_V100_fp32.txt"}) {
    const std::string member = "\"" + std::string(name) + "\":\"" + sha256(file_bytes(folder_ / name)) + "\"";
    EXPECT_NE(header.find(member), header.npos) << header;
  }
  EXPECT_NE(header.find("\"tool\":\"assay import "), header.npos) << header;
  EXPECT_NE(header.find("\"imported\":\"20"), header.npos) << header;
  ASSERT_EQ(import("d_V100_fp32.txt", volta_f32, {"--part", "NVIDIA Tesla V100"}).status, passed);
  EXPECT_NE(header_of(out()).find("\"device\":\"NVIDIA Tesla V100\""), header.npos);
}

TEST_F(Import, AWrongResultIsAMismatch) {
  put_words();
  put("d_V100_fp32.txt", "01000000100000000000000000000000\n01000000100000000000000000000001\n");
  ASSERT_EQ(import("d_V100_fp32.txt").status, passed);
  EXPECT_EQ(run({"check", out()}).status, mismatch);
}

// c is rounded to f16 as the recording program does, d is an f16 that was widened; fewer terms than k are filled up.
TEST_F(Import, WordsOfANarrowerResult) {
  put("a_X_fp16.txt", "3fc00000 00000000\r\n");
  put("b_X_fp16.txt", "40000000 00000000\r\n");
  put("c_X_fp32.txt", "00111111100000000000000000000001\r\n");
  put("d_X_fp16.txt", "01000000100000000000000000000000\r\n");
  ASSERT_EQ(import("d_X_fp16.txt", volta_f16).status, passed);
  EXPECT_EQ(cases_of(out()),
            "{\"a\":[\"3e00\",\"0000\",\"0000\",\"0000\"],\"b\":[\"4000\",\"0000\",\"0000\",\"0000\"],"
            "\"c\":\"3c00\",\"d\":\"4400\"}\n");
}

TEST_F(Import, ZeroCNeedsNoFileOfC) {
  put_words();
  std::filesystem::remove(folder_ / "c_V100_fp32.txt");
  EXPECT_EQ(refused("d_V100_fp32.txt"),
            "assay: d_V100_fp32.txt: there is no c_V100_*.txt beside it, with the c of its cases; --zero-c takes c as "
            "zero.\n");
  ASSERT_EQ(import("d_V100_fp32.txt", volta_f32, {"--zero-c"}).status, passed);
  EXPECT_NE(cases_of(out()).find("\"c\":\"00000000\""), std::string::npos);
}

TEST_F(Import, WordsThatAreNoWords) {
  put_words();
  put("a_V100_fp16.txt", "3fc00000 00000000\n3fc00000 0000000g\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: a_V100_fp16.txt, line 2, column 10: '0000000g' is not the bits of f32: those are 8 digits (32 bits) "
      "of 0-9 and a-f.\n");
  put("a_V100_fp16.txt", "3fc00000 00000000\n3fc00000 3f800001\n");
  EXPECT_EQ(refused("d_V100_fp32.txt"),
            "assay: a_V100_fp16.txt, line 2, column 10: the number of the word '3f800001' is none of f16, which the "
            "instruction takes.\n");
  put("a_V100_fp16.txt", "3fc00000 00000000\n3fc00000\n");
  EXPECT_EQ(refused("d_V100_fp32.txt"),
            "assay: a_V100_fp16.txt, line 2: the line has 1 word, but the first has 2; every line has as many.\n");
  put("a_V100_fp16.txt", "3fc00000 0 0 0 0\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: a_V100_fp16.txt, line 1, column 16: the line has 5 words, but the instruction takes 4 terms at most.\n");
}

TEST_F(Import, NumbersThatAreNoNumbers) {
  put_words();
  put("c_V100_fp32.txt", "0011111110000000000000000000000\n");
  EXPECT_EQ(refused("d_V100_fp32.txt"),
            "assay: c_V100_fp32.txt, line 1, column 1: '0011111110000000000000000000000' is not the bits of f32: those "
            "are 32 digits of 0 and 1.\n");
  put("c_V100_fp32.txt", "0 0\n");
  EXPECT_EQ(refused("d_V100_fp32.txt"),
            "assay: c_V100_fp32.txt, line 1, column 3: the line has 2 words; it takes one.\n");
  put_words();
  put("d_V100_fp32.txt", "01000000100000000000000000000001\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt", volta_f16),
      "assay: d_V100_fp32.txt, line 1, column 1: the number of the word '01000000100000000000000000000001' is none "
      "of f16, the format of the instruction's d.\n");
}

TEST_F(Import, FilesOfOneLength) {
  put_words("01000000100000000000000000000000\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: a_V100_fp16.txt, line 2: the file ends here, but d_V100_fp32.txt goes on; they are of one length.\n");
  put_words();
  put("d_V100_fp32.txt", "01000000100000000000000000000000\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: d_V100_fp32.txt, line 1: the file ends here, but a_V100_fp16.txt goes on; they are of one length.\n");
  put_words();
  put("c_V100_fp32.txt", "01000000100000000000000000000000\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: c_V100_fp32.txt, line 1: the file ends here, but d_V100_fp32.txt goes on; they are of one length.\n");
}

TEST_F(Import, FilesThatDoNotGoTogether) {
  put_words();
  put("a_V100_bf16.txt", "3fc00000\n");
  EXPECT_EQ(
      refused("d_V100_fp32.txt"),
      "assay: d_V100_fp32.txt: there are several a_V100_*.txt beside it (a_V100_bf16.txt, a_V100_fp16.txt); leave "
      "one there.\n");
  EXPECT_EQ(
      refused("a_V100_fp16.txt", volta_f32, {"--from", "words"}),
      "assay: a_V100_fp16.txt is not called d_PART_TYPE.txt, as results are in this layout; a, b and c lie beside "
      "it.\n");
  EXPECT_EQ(refused("d_V100_fp32.txt", scaled),
            "assay: d_V100_fp32.txt: this layout has no scales, but the instruction takes some; csv and listing have "
            "them.\n");
  std::filesystem::remove(folder_ / "a_V100_bf16.txt");
  EXPECT_EQ(refused_own("d_V100_fp32.txt"),
            "assay: d_V100_fp32.txt: this layout has no s1, but the instruction takes it; csv and listing have columns "
            "and lines for it.\n");
}

// --- listings ---

const std::string listing =
    "\n---------------------------------------------------\nTests for addr of DP\n\n"
    "case: 2^-24 - 1 + 1\nh_a: 0001 bc00 0000 3c00 \nh_b: 3c00 3c00 0000 3c00 \nf_c: 00000000 \nr  : 33800000 \n"
    "ref: 33800000 \n\n"
    "h_a: 3c00 \nh_b: 3c00 \nf_c: 3f800000 \nr  : 40000000 \n";

TEST_F(Import, Listing) {
  put("listing.txt", listing);
  ASSERT_EQ(import("listing.txt", wgmma).status, passed);
  const std::string cases = cases_of(out());
  EXPECT_EQ(cases.substr(0, 41), "{\"a\":[\"0001\",\"bc00\",\"0000\",\"3c00\",\"0000\",");
  EXPECT_NE(cases.find("\"c\":\"00000000\",\"d\":\"33800000\",\"tag\":\"2^-24 - 1 + 1\"}\n"), cases.npos) << cases;
  EXPECT_NE(cases.find("\"c\":\"3f800000\",\"d\":\"40000000\"}\n"), cases.npos) << cases;
  EXPECT_EQ(run({"check", out()}).status, passed);
}

TEST_F(Import, ListingsThatAreCutOrOfAnotherOrder) {
  put("l.txt", listing + "case: cut\nh_a: 3c00\n");
  EXPECT_EQ(refused("l.txt", wgmma),
            "assay: l.txt, line 17: the file ends inside a case, where the line of h_b should stand.\n");
  put("l.txt", "h_a: 3c00\nf_c: 3f800000\n");
  EXPECT_EQ(
      refused("l.txt", wgmma),
      "assay: l.txt, line 2, column 1: 'f_c: 3f800000' stands where the line of h_b should, as 'h_b: ' and bits.\n");
  put("l.txt", "h_a: 3c00\ngarbage\n");
  EXPECT_EQ(refused("l.txt", wgmma),
            "assay: l.txt, line 2, column 1: 'garbage' stands where the line of h_b should, as 'h_b: ' and bits.\n");
  put("l.txt", "h_a: 3c00 3c0\n");
  EXPECT_EQ(refused("l.txt", wgmma),
            "assay: l.txt, line 1, column 11: '3c0' is not the bits of f16: those are 4 digits (16 bits) of 0-9 and "
            "a-f.\n");
  put("l.txt", "h_a: 3c00\nh_b: \n");
  EXPECT_EQ(refused("l.txt", wgmma), "assay: l.txt, line 2: h_b has 0 words; the instruction takes 1 to 16.\n");
  put("l.txt", "h_a: 3c00\nh_b: 3c00\nf_c: 00000000 00000000\n");
  EXPECT_EQ(refused("l.txt", wgmma), "assay: l.txt, line 3: f_c has 2 words; it takes one.\n");
}

TEST_F(Import, ListingsNeedNoCThatIsZero) {
  put("l.txt", "h_a: 3c00\nh_b: 4000\nr: 40000000\nh_a: 3c00\nh_b: 3c00\nf_c: 3f800000\nr: 3f800000\n");
  EXPECT_EQ(
      refused("l.txt", wgmma),
      "assay: l.txt, line 3, column 1: 'r: 40000000' stands where the line of f_c should, as 'f_c: ' and bits.\n");
  ASSERT_EQ(import("l.txt", wgmma, {"--zero-c"}).status, passed);
  EXPECT_EQ(run({"check", out()}).status, passed);
}

TEST_F(Import, ListingsWithScalesAndMore) {
  put("l.txt", "h_a: 38\nh_b: 38\nf_c: 00000000\nscale_a: 80\nscale_b: 7f\nr: 40000000\n");
  ASSERT_EQ(import("l.txt", scaled).status, passed);
  EXPECT_EQ(run({"check", out()}).status, passed);
  EXPECT_NE(cases_of(out()).find("\"scale_a\":[\"80\"],\"scale_b\":[\"7f\"],\"d\":\"40000000\""), std::string::npos)
      << cases_of(out());

  const std::string before = "h_a: 3c00 3c00\nh_b: 5 2\nf_c: 00000000\n";
  put("l.txt", before + "s1: 4000 3c00\ns: 1\nzero_b: 1\nrandom: 8\nr: 41100000\n");
  ASSERT_EQ(import_own("l.txt").status, passed);
  EXPECT_EQ(cases_of(out()), own_case);
  EXPECT_EQ(run({"check", out()}).status, passed);
  put("l.txt", before + "s1: 4000\n");
  EXPECT_EQ(refused_own("l.txt"), "assay: l.txt, line 4: s1 has 1 word; it takes 2.\n");
  put("l.txt", before + "s1: 4000 3c00\ns: 1 1\n");
  EXPECT_EQ(refused_own("l.txt"), "assay: l.txt, line 5: s has 2 words; it takes one.\n");
  put("l.txt", before + "s1: 4000 3c00\nzero_b: 1\n");
  EXPECT_EQ(refused_own("l.txt"),
            "assay: l.txt, line 5, column 1: 'zero_b: 1' stands where the line of s should, as 's: ' and bits.\n");
  put("l.txt", before + "s1: 4000 3c00\ns: 1\nzero_b: 1\nrandom: 1f\n");
  EXPECT_EQ(refused_own("l.txt"),
            "assay: l.txt, line 7, column 9: '1f' is not the bits of random4: those are 1 digit (4 bits) of 0-9 and "
            "a-f.\n");
}

TEST_F(Import, MasksThatBreakTheirPatternAreRefused) {
  const std::string sparse = "ampere:mma.sp.m16n8k8.f32.tf32.tf32.f32";
  const std::string three = "h_a: 3f800000\nh_b: 3f800000\nf_c: 00000000\n";
  put("l.txt", three + "mask: 1 0 1 0 0 1 1 0\nr: 3f800000\n");
  ASSERT_EQ(import("l.txt", sparse).status, passed);
  EXPECT_EQ(run({"check", out()}).status, passed);
  put("l.txt", three + "mask: 1 0 1 1 0 1 1 0\n");
  EXPECT_EQ(refused("l.txt", sparse),
            "assay: l.txt, line 4: mask[2] to [3] has 2 bits on; of each 2 neighbours exactly 1 is on here.\n");
  const std::string zeros = "00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000";
  put("v.csv", "a,b,c,mask\n" + zeros + "," + zeros + ",00000000,0 0 1 0 0 1 1 0\n");
  EXPECT_EQ(refused("v.csv", sparse),
            "assay: v.csv, line 2: mask[0] to [1] has 0 bits on; of each 2 neighbours exactly 1 is on here.\n");
}

// --- comma-separated values ---

const std::string small_csv =
    "a0,a1,a2,a3,b0,b1,b2,b3,c,d,note\n"
    "3c00,0x0,0b0000000000000000,-1.5,3c00,0000,0000,1.0,00000000,-0x1p-1,\"two, \"\"quoted\"\"\"\n";

TEST_F(Import, CsvInColumns) {
  put("v.csv", small_csv);
  ASSERT_EQ(import("v.csv").status, passed);
  EXPECT_EQ(cases_of(out()),
            "{\"a\":[\"3c00\",\"0000\",\"0000\",\"be00\"],\"b\":[\"3c00\",\"0000\",\"0000\",\"3c00\"],"
            "\"c\":\"00000000\",\"d\":\"bf000000\",\"note\":\"two, \\\"quoted\\\"\"}\n");
  EXPECT_EQ(run({"check", out()}).status, passed);
}

TEST_F(Import, CsvWithAllCodesInOneField) {
  put("v.csv",
      "\xef\xbb\xbf"
      "a , b,c\r\n3c00 0000 0000 be00,3c00 0000 0000 3c00, 00000000\r\n\r\n");
  ASSERT_EQ(import("v.csv").status, passed);
  EXPECT_EQ(cases_of(out()),
            "{\"a\":[\"3c00\",\"0000\",\"0000\",\"be00\"],\"b\":[\"3c00\",\"0000\",\"0000\",\"3c00\"],"
            "\"c\":\"00000000\"}\n")
      << "without d, as run takes it";
}

TEST_F(Import, CsvWithScales) {
  const std::string ones =
      "38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38 38";
  put("v.csv", "a,b,c,scale_a0,scale_b,d\n" + ones + "," + ones + ",0.0,2.0,7f,64.0\n");
  ASSERT_EQ(import("v.csv", scaled).status, passed);
  EXPECT_NE(cases_of(out()).find("\"scale_a\":[\"80\"],\"scale_b\":[\"7f\"],\"d\":\"42800000\""), std::string::npos)
      << cases_of(out());
  EXPECT_EQ(run({"check", out()}).status, passed);
  put("v.csv", "a,b,c,d\n");
  EXPECT_EQ(refused("v.csv", scaled).substr(0, 56), "assay: v.csv, line 1: there is no column scale_a0, and n");
}

TEST_F(Import, CsvWithWhatElseACaseBrings) {
  put("v.csv", "a,b,c,s10,s11,s,zero_b,random,d\n3c00 3c00,5 2,0.0,2.0,1.0,1.0,1.0,8,9.0\n");
  ASSERT_EQ(import_own("v.csv").status, passed);
  EXPECT_EQ(cases_of(out()), own_case);
  EXPECT_EQ(run({"check", out()}).status, passed);
  put("v.csv", "d,random0,zero_b0,s,s1,c,b,a\n9.0,0x8,1,1,4000 3c00,00000000,5 2,1.0 1.0\n");
  ASSERT_EQ(import_own("v.csv").status, passed) << "in any order";
  EXPECT_EQ(cases_of(out()), own_case);
}

TEST_F(Import, CsvWhoseFurtherOperandsAreWrong) {
  const auto refusal = [&](const std::string& names, const std::string& row) {
    put("v.csv", "a,b,c,d," + names + "\n3c00 3c00,5 2,0.0,9.0," + row + "\n");
    return refused_own("v.csv");
  };
  EXPECT_EQ(
      refusal("s1,zero_b,random", "4000 3c00,1,8"),
      "assay: v.csv, line 1: there is no column s0, and none called s with all the codes, spaces between them.\n");
  EXPECT_EQ(refusal("s1,s,zero_b", "4000 3c00,1,1"),
            "assay: v.csv, line 1: there is no column random0, and none called random with all the codes, spaces "
            "between them.\n");
  EXPECT_EQ(refusal("s1,s,zero_b,random", "4000,1,1,8"),
            "assay: v.csv, line 2, column 23: s1 has 1 code, but the instruction takes 2.\n");
  EXPECT_EQ(refusal("s10,s,zero_b,random", "4000,1,1,8"),
            "assay: v.csv, line 1: s1 has 1 code, but the instruction takes 2.\n");
  EXPECT_EQ(refusal("s1,s,zero_b,random", "4000 3c00,1 1,1,8"),
            "assay: v.csv, line 2, column 33: s has 2 codes, but the instruction takes 1.\n");
  EXPECT_EQ(refusal("s1,s,zero_b,random", "4000 3c00,4,1,8"),
            "assay: v.csv, line 2, column 33: s0: '4' has more than the 2 bits of i2.\n");
  EXPECT_EQ(
      refusal("s1,s,zero_b,random", "4000 3c00,1,9.0,8"),
      "assay: v.csv, line 2, column 35: zero_b0: '9.0' is not a number that i4 holds exactly; the nearest has the "
      "bits 7.\n");
  EXPECT_EQ(refusal("s1,s,zero_b,random,random0", "4000 3c00,1,1,8,8"),
            "assay: v.csv, line 1, column 28: the column random0 is none that is read here, but has an operand's name; "
            "leave it out or give it another name.\n");
}

TEST_F(Import, CsvPadsAndTakesCAsZeroOnlyWhenTold) {
  put("v.csv", "a0,b0,d\n3c00,3c00,3f800000\n");
  EXPECT_EQ(refused("v.csv"),
            "assay: v.csv, line 1: a has 1 code, but the instruction takes 4; --pad fills up with zeros.\n");
  EXPECT_EQ(refused("v.csv", volta_f32, {"--pad"}),
            "assay: v.csv, line 1: there is no column c; --zero-c takes c as zero.\n");
  ASSERT_EQ(import("v.csv", volta_f32, {"--pad", "--zero-c"}).status, passed);
  put("v.csv", "a0,b0,c,d\n3c00,3c00,3f800000,3f800000\n");
  ASSERT_EQ(import("v.csv", volta_f32, {"--pad", "--zero-c"}).status, passed);
  EXPECT_NE(cases_of(out()).find("\"c\":\"00000000\",\"d\":\"3f800000\"}"), std::string::npos) << "c is not passed on";
  EXPECT_EQ(run({"check", out()}).status, passed);
}

TEST_F(Import, CsvPadsWithTheFormatsZero) {
  put("nf4.yaml", "name: mine\nlike: fused_f25\nk: 4\noperands: {a: nf4, b: nf4, c: f32, d: f32}\n");
  put("v.csv", "a0,b0,c,d\nf,f,00000000,3f800000\n");
  const std::string unit = folder_ / "nf4.yaml";
  ASSERT_EQ(run({"import", folder_ / "v.csv", "--datapath", unit, "-o", out(), "--pad"}).status, passed);
  EXPECT_NE(cases_of(out()).find(R"("a":["f","7","7","7"],"b":["f","7","7","7"])"), std::string::npos)
      << cases_of(out());
  EXPECT_EQ(run({"check", out()}).status, passed);
}

// Each name was once looked for among all the others: 390 KB took minutes.
TEST_F(Import, CsvOfVeryManyColumns) {
  std::string names;
  for (int i = 0; names.size() < 1'000'000; ++i) names += "x" + std::to_string(i) + ",";
  put("v.csv", names + "a,b,c\n");
  const std::string said = refused("v.csv", volta_f32, {"--from", "csv"});
  EXPECT_NE(said.find(": there are more than 50 columns beside the operands, which is as many as a case carries.\n"),
            std::string::npos)
      << said;
  put("v.csv", names + "a,b,c," + std::string(10'000, 'y') + "," + std::string(10'000, 'y') + "\n");
  EXPECT_LT(refused("v.csv", volta_f32, {"--from", "csv"}).size(), 200U);
}

TEST_F(Import, CsvWhoseHeaderIsWrong) {
  const auto header = [&](const std::string& names) {
    put("v.csv", names + "\n");
    return refused("v.csv", volta_f32, {"--from", "csv"});
  };
  EXPECT_EQ(header("a0,a1,a3,b,c"), "assay: v.csv, line 1, column 7: there is a column a3, but none called a2.\n");
  EXPECT_EQ(header("a,b,c,c"), "assay: v.csv, line 1, column 7: there are two columns 'c'; leave one out.\n");
  EXPECT_EQ(header("a,,c"), "assay: v.csv, line 1, column 3: the column has no name.\n");
  EXPECT_EQ(
      header("a,c"),
      "assay: v.csv, line 1: there is no column b0, and none called b with all the codes, spaces between them.\n");
  EXPECT_EQ(header("a,b\\,c"),
            "assay: v.csv, line 1, column 3: the column's name 'b\\' has a quote, a backslash or a control character "
            "in it.\n");
  for (const char* name : {"scale_a", "scale_b0", "A", "a0", "c0", "scale_B", "mask", "zero_a1", "random"}) {
    EXPECT_EQ(header(std::string("a,b,c,") + name),
              "assay: v.csv, line 1, column 7: the column " + std::string(name) +
                  " is none that is read here, but has an operand's name; leave it "
                  "out or give it another name.\n");
  }
  std::string many = "a,b,c";
  for (int i = 0; i < 51; ++i) many += ",x" + std::to_string(i);
  EXPECT_NE(header(many).find("there are more than 50 columns beside the operands"), std::string::npos);
  EXPECT_EQ(header("a0,a1,a2,a3,a4,b,c"), "assay: v.csv, line 1: a has 5 codes, but the instruction takes 4.\n");
  EXPECT_EQ(header("a,\"b,c"),
            "assay: v.csv, line 1, column 3: the field begins with a quote, and no quote ends it on this line.\n");
  put("v.csv", "");
  EXPECT_EQ(refused("v.csv", volta_f32, {"--from", "csv"}),
            "assay: v.csv is empty; it should begin with the names of its columns.\n");
}

TEST_F(Import, CsvWhoseRowsAreWrong) {
  const auto row = [&](const std::string& fields) {
    put("v.csv", "a,b,c,d\n0000 0000 0000 0000,0000 0000 0000 0000,00000000,00000000\n" + fields + "\n");
    return refused("v.csv");
  };
  EXPECT_EQ(row("0000,0000"), "assay: v.csv, line 3: the line has 2 fields, but the first names 4 columns.\n");
  EXPECT_EQ(
      row("0000 0000 0000 0000,0000 0000 0000 0.1,00000000,00000000"),
      "assay: v.csv, line 3, column 36: b3: '0.1' is not a number that f16 holds exactly; the nearest has the bits "
      "2e66.\n");
  EXPECT_EQ(row("0000 0000 0000 0000,0000 0000 0000 0000,00000000,"),
            "assay: v.csv, line 3, column 50: d: there is nothing, where f32 should stand.\n");
  EXPECT_EQ(row("0000 0000 0000,0000 0000 0000 0000,00000000,00000000"),
            "assay: v.csv, line 3, column 1: a has 3 codes, but the instruction takes 4; --pad fills up with "
            "zeros.\n");
  EXPECT_EQ(row("\"0000\"1,0000,00000000,00000000"),
            "assay: v.csv, line 3, column 7: a comma should follow the quote that ends a field.\n");
}

// A vector file is JSON, which these bytes would end: it is Latin-1 for a micro sign.
TEST_F(Import, TextThatIsNoUtf8) {
  const std::string zeros = "0000 0000 0000 0000,0000 0000 0000 0000,00000000";
  const std::string why = " is no UTF-8, as the text of a vector file is; convert the file, with iconv for example.\n";
  put("v.csv", "a,b,c,time\n" + zeros + ",3 \xb5s\n");
  EXPECT_EQ(refused("v.csv"), "assay: v.csv, line 2, column 52: the byte b5" + why);
  put("v.csv", "a,b,c,\xb5s\n" + zeros + ",3\n");
  EXPECT_EQ(refused("v.csv"), "assay: v.csv, line 1, column 7: the byte b5" + why);
  put("v.csv", "a,b,c,time\n" + zeros + ",3 \xc2\xb5s\n");
  EXPECT_EQ(import("v.csv").status, passed);
  put("l.txt", "case: 3 \xb5s\nh_a: 3c00\nh_b: 3c00\nf_c: 00000000\nr: 3f800000\n");
  EXPECT_EQ(refused("l.txt", wgmma), "assay: l.txt, line 1, column 9: the byte b5" + why);

  put("v\xb5.csv", "a,b,c\n" + zeros + "\n");
  EXPECT_EQ(
      refused("v\xb5.csv"),
      "assay: the name of v\\xb5.csv has the byte b5, which is no UTF-8, as the text of a vector file is; give the "
      "file another.\n");
  EXPECT_EQ(
      refused("v.csv", volta_f32, {"--part", "\xb5"}),
      "assay: the part \\xb5 has the byte b5, which is no UTF-8, as the text of a vector file is; --part names it "
      "otherwise.\n");
}

TEST_F(Import, ALineHasAMebibyteAtMost) {
  const std::string zeros = "0000 0000 0000 0000,0000 0000 0000 0000,00000000,";
  const auto of_size = [&](std::size_t size, const std::string& end) {
    put("v.csv", "a,b,c,text\n" + zeros + std::string(size - zeros.size(), 'x') + end);
  };
  const std::string too_long =
      "assay: v.csv, line 2: the line is longer than 1 MiB, which no line of a recording is.\n";
  for (const char* end : {"\n", "", "\nmore"}) {
    of_size((std::size_t{1} << 20) + 1, end);
    EXPECT_EQ(refused("v.csv"), too_long) << end;
  }
  of_size(std::size_t{1} << 20, "\n");
  EXPECT_EQ(import("v.csv").status, passed);
}

// --- what is none of them ---

TEST_F(Import, WhatIsNoFile) {
  std::filesystem::create_symlink("loop.csv", folder_ / "loop.csv");
  ASSERT_EQ(mkfifo((folder_ / "pipe.csv").c_str(), 0600), 0);
  const std::string name = "; name a file of a recording, or the folder of an export.\n";
  for (const std::vector<std::string>& more : {std::vector<std::string>{}, {"--from", "csv"}, {"--from", "words"}}) {
    EXPECT_EQ(refused("loop.csv", volta_f32, more),
              "assay: loop.csv cannot be imported: Too many levels of symbolic links" + name);
    EXPECT_EQ(refused("pipe.csv", volta_f32, more), "assay: pipe.csv cannot be imported: it is a pipe" + name);
  }
  EXPECT_EQ(refused("", volta_f32, {"--from", "csv"}), "assay:  cannot be imported: it is a folder" + name);
}

// d can be read, but nobody may look for what lies beside it.
TEST_F(Import, WordsInAFolderThatCannotBeRead) {
  std::filesystem::create_directory(folder_ / "locked");
  for (const char* name : {"a_V100_fp16.txt", "b_V100_fp16.txt", "c_V100_fp32.txt", "d_V100_fp32.txt"})
    put(std::string("locked/") + name, "00111111100000000000000000000000\n");
  std::filesystem::permissions(folder_ / "", std::filesystem::perms(0755));
  std::filesystem::permissions(folder_ / "locked", std::filesystem::perms(0311));
  const Catalogue catalogue = shipped_catalogue();
  const Plan plan = catalogue.plan_of(catalogue.instruction(volta_f32));
  const bool root = geteuid() == 0;
  if (root && seteuid(65534) != 0) GTEST_SKIP() << "Root may read everything, and cannot become somebody else here.";
  std::string message;
  try {
    words_format.open(folder_ / "locked/d_V100_fp32.txt", plan, {});
  } catch (const Error& error) {
    message = error.message;
  }
  if (root) {
    ASSERT_EQ(seteuid(0), 0);
  }
  std::filesystem::permissions(folder_ / "locked", std::filesystem::perms(0755));
  EXPECT_EQ(message, folder_ / "locked" + ", in which " + folder_ / "locked/d_V100_fp32.txt" +
                         " lies, cannot be read: Permission denied; a, b and c are looked for there.");
}

TEST_F(Import, AFileOfNoLayout) {
  put("notes.txt", "hello\n");
  EXPECT_EQ(
      refused("notes.txt"),
      "assay: notes.txt is neither an export, which has a manifest.json beside it, nor a recording in a layout that is "
      "known here (words, listing, csv); --from names the one that it should have.\n");
  EXPECT_EQ(refused("notes.txt", volta_f32, {"--from", "xml"}),
            "assay: --from xml is no layout of a recording; there are words, listing, csv.\n");
  EXPECT_EQ(refused("notes.txt", volta_f32, {"--from", "listing"}), "assay: notes.txt has no case in it.\n");
  EXPECT_EQ(
      refused("none.txt"),
      "assay: none.txt cannot be imported: there is no such file; name a file of a recording, or the folder of an "
      "export.\n");
  put("long.txt", std::string(2 << 20, 'x'));
  EXPECT_EQ(refused("long.txt"),
            "assay: long.txt, line 1: the line is longer than 1 MiB, which no line of a recording is.\n");
}

TEST_F(Import, VerdictsAreNoResults) {
  put("report.txt",
      "+----+\n| A. Support for subnormal numbers |\n+----+\n  | *) Binary32 subnormals in input [PASS] |\n");
  EXPECT_EQ(
      refused("report.txt"),
      "assay: report.txt says which tests passed and which failed, but not with which results: there are no cases "
      "in it. `assay probe` asks the same questions of a device.\n");
}

TEST_F(Import, ARecordingNeedsAnInstructionAndAnExportTakesNone) {
  put("v.csv", small_csv);
  const Ran without = run({"import", folder_ / "v.csv", "-o", out()});
  EXPECT_EQ(without.status, wrong_use);
  EXPECT_NE(without.err.find("Say what to compute: --instruction"), without.err.npos) << without.err;
  ASSERT_EQ(import("v.csv").status, passed);
  ASSERT_EQ(run({"export", out(), "--to", "npz", "-o", folder_ / "e"}).status, passed);
  std::filesystem::remove(out());
  EXPECT_NE(refused("e").find("which says itself what it is of"), std::string::npos);
  EXPECT_EQ(run({"import", "-", "--instruction", volta_f32}).status, wrong_use);
}

}  // namespace
}  // namespace assay
