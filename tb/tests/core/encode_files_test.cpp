// Conversions that were worked out elsewhere (formats/encode beside captured/), through a datapath that computes
// a x 1 + 0: roundings, ties, and what becomes of numbers that are too large, of infinity and of NaN.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "model/core/dot.hpp"
#include "model/core/plan.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;

std::string folder() {
  const char* shared = std::getenv("ASSAY_SHARED");
  return std::string(shared != nullptr ? shared : "../shared") + "/formats/encode/";
}

Format own(int exponent, int mantissa, int bias, NanCodes nan) {
  Format f;
  f.name = "own";
  f.exponent_bits = exponent;
  f.mantissa_bits = mantissa;
  f.bias = bias;
  f.stored_bits = 1 + exponent + mantissa;
  f.nan = nan;
  f.has_infinity = nan == NanCodes::ieee;
  f.has_signed_zero = nan != NanCodes::negative_zero;
  return f;
}

// BinaryKpPsf of IEEE P3109: signed, finite, one zero, NaN in the place of -0.
Format finite_p3109(int k, int p) { return own(k - p, p - 1, 1 << (k - p - 1), NanCodes::negative_zero); }

struct File {
  std::string name;
  std::string format;  // of d; "own": the one that follows
  Format own;
  int lines;  // that can be said in words: those without random bits
};

void PrintTo(const File& file, std::ostream* out) { *out << file.name; }

const std::map<std::string, Cut> cuts{{"RNE", Cut::nearest_even}, {"RNA", Cut::nearest_away}, {"TA", Cut::nearest_away},
                                      {"RTZ", Cut::toward_zero},  {"RTP", Cut::up},           {"RTN", Cut::down},
                                      {"RTO", Cut::to_odd}};

// What a saturation of the files is in words; nothing where these have no words for it.
std::optional<Result> words_of(const std::string& saturation, Cut cut, const Format& d) {
  Result r;
  r.format = "d";
  r.cut = cut;
  const bool saturates = saturation != "none" || d.nan == NanCodes::none;
  const bool is_p3109 = saturation == "finite" || saturation == "propagate" || d.name == "p3109";
  if (saturates || is_p3109) {
    r.overflow = saturation == "sym" ? Overflow::symmetric : Overflow::largest;
    r.infinity = OfInfinity::largest;
  } else if (d.has_infinity) {
    r.overflow = Overflow::directed;
  } else {
    if (cut != Cut::nearest_even && cut != Cut::nearest_away) return std::nullopt;
    r.overflow = Overflow::nan;
    r.infinity = OfInfinity::nan;
  }
  if (d.nan == NanCodes::none) r.nan = OfNan::zero;
  return r;
}

Plan converter(const File& file, const Format& d, const Result& result) {
  Datapath words;
  words.name = "converter";
  words.operands = {"f64", "e2m3", "e2m3", d.name, "", 0};
  if (file.format == "i8") words.operands.b = "f16";
  if (file.format == "own") words.formats = {d};
  Adder sum;
  sum.name = "sum";
  sum.zero = ZeroSign::ieee;
  for (const char* source : {"product", "acc"}) {
    Input input;
    input.source = source;
    sum.add.push_back(input);
  }
  sum.results = {result};
  words.adders = {sum};
  auto made = plan(words, 1);
  if (auto* problems = std::get_if<std::vector<Problem>>(&made)) throw std::runtime_error(problems->front().message);
  return std::get<Plan>(std::move(made));
}

class EncodeFile : public testing::TestWithParam<File> {};

TEST_P(EncodeFile, IsWhatTheWordsSay) {
  const File& file = GetParam();
  const std::string path = folder() + file.name + ".csv";
  if (!fs::exists(path)) GTEST_SKIP() << path << " is missing; ASSAY_SHARED names the folder that holds formats/.";
  Format d = file.format == "own" ? file.own : *find_format(file.format);
  std::map<std::string, Plan> plans;
  Registers registers;
  std::ifstream lines(path);
  std::string line;
  std::getline(lines, line);
  int compared = 0;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string input, mode, saturation, code;
    std::getline(cells, input, ',');
    std::getline(cells, mode, ',');
    std::getline(cells, saturation, ',');
    std::getline(cells, code, ',');
    const auto cut = cuts.find(mode);
    if (cut == cuts.end()) continue;
    const auto result = words_of(saturation, cut->second, d);
    if (!result) continue;
    auto known = plans.find(mode + saturation);
    if (known == plans.end()) known = plans.emplace(mode + saturation, converter(file, d, *result)).first;
    const Code a = std::stoull(input, nullptr, 16);
    const Code one = file.format == "i8" ? 0x5400 : 0x08;  // mxint8 counts in 64ths
    const Code zero = a >> 63 != 0 ? 0x20 : 0;             // of the sign of a, so that -0 stays
    const Operand operand{&a, &one, zero, nullptr, nullptr};
    const Code expected = std::stoull(code, nullptr, 16);
    const Format& f = known->second.d;
    const Code got = dot(known->second, operand, registers);
    // Which NaN is free where there are several.
    const bool both_nan =
        f.nan == NanCodes::ieee && (expected & ~f.sign_bit()) > f.infinity() && (got & ~f.sign_bit()) > f.infinity();
    ASSERT_TRUE(got == expected || both_nan) << line << ": " << std::hex << got;
    ++compared;
  }
  EXPECT_EQ(compared, file.lines);
}

Format p3109(int k, int p) {
  Format f = finite_p3109(k, p);
  f.name = "p3109";
  return f;
}

INSTANTIATE_TEST_SUITE_P(
    Formats, EncodeFile,
    testing::Values(File{"float4_e2m1fn", "e2m1", {}, 365}, File{"float6_e2m3fn", "e2m3", {}, 1277},
                    File{"float6_e3m2fn", "e3m2", {}, 1277},
                    File{"float8_e3m4", "own", own(3, 4, 3, NanCodes::ieee), 2000},
                    File{"float8_e4m3", "own", own(4, 3, 7, NanCodes::ieee), 2000},
                    File{"float8_e4m3b11fnuz", "own", own(4, 3, 11, NanCodes::negative_zero), 1841},
                    File{"Binary3p2sf", "own", p3109(3, 2), 936}, File{"Binary4p2sf", "own", p3109(4, 2), 1512},
                    File{"Binary6p3sf", "own", p3109(6, 3), 1700}, File{"Binary8p3sf", "own", p3109(8, 3), 1700},
                    File{"Binary8p4sf", "own", p3109(8, 4), 1700}, File{"Binary8p7sf", "own", p3109(8, 7), 1700},
                    File{"mxint8", "i8", {}, 2000}),
    [](const testing::TestParamInfo<File>& info) { return info.param.name; });

}  // namespace
}  // namespace assay
