// What numbers become in every format, held to roundings that were worked out without this project.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <limits>
#include <map>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/tests/formats/dossier.hpp"

namespace assay {
namespace {

namespace fs = std::filesystem;
using test::CsvRow;

std::optional<Cut> cut_of(const std::string& mode) {
  static const std::map<std::string, Cut> cuts{
      {"RNE", Cut::nearest_even}, {"RNA", Cut::nearest_away}, {"TA", Cut::nearest_away}, {"posit", Cut::nearest_even},
      {"RTZ", Cut::toward_zero},  {"RTP", Cut::up},           {"RTN", Cut::down},        {"RTO", Cut::to_odd}};
  const auto found = cuts.find(mode);
  return found == cuts.end() ? std::nullopt : std::optional(found->second);
}

// The words for what does not fit. P3109's three, those of the classic formats, and those of integers and posits.
void saturate(Result& words, const std::string& name, const Format& format) {
  const bool extended = format.has_infinity;
  words.overflow = Overflow::largest;
  if (format.rule == "p3109") {
    if (name == "none") {
      words.overflow = extended ? Overflow::directed : Overflow::largest;
      words.infinity = extended ? OfInfinity::keep : OfInfinity::largest;
      words.negative = OfNegative::directed;
    } else {
      words.infinity = name == "propagate" && extended ? OfInfinity::keep : OfInfinity::largest;
    }
    return;
  }
  if (name == "none") {
    words.overflow = extended ? Overflow::directed : format.nan == NanCodes::none ? Overflow::largest : Overflow::nan;
    if (!extended) words.infinity = format.nan == NanCodes::none ? OfInfinity::largest : OfInfinity::nan;
  } else if (name == "sym") {
    words.overflow = Overflow::symmetric;
    words.infinity = OfInfinity::largest;
  } else {
    words.infinity = name == "maxpos" ? OfInfinity::nan : OfInfinity::largest;
  }
}

Code encoded(const Number& n, Cut cut, const std::string& saturation, const Format& format) {
  ResultPlan result;
  result.format = format;
  result.words.cut = cut;
  saturate(result.words, saturation, format);
  const Number rounded = round(n, result);
  return encode(rounded, format, Nan{false, format.stored(format.quiet_nan())});
}

Number number_of(const std::string& f64) {
  return decode(std::stoull(f64, nullptr, 16), *find_format("f64"), Subnormals::keep, Specials::step);
}

class Encode : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(test::formats_folder()))
      GTEST_SKIP() << test::formats_folder() << " is missing; ASSAY_SHARED names its parent.";
  }
};

TEST_F(Encode, RoundsEveryLine) {
  int lines = 0, stochastic = 0;
  for (const fs::path& file : test::csv_files(test::formats_folder() / "encode")) {
    const Format* format = find_format(test::our_name(file.stem().string()));
    if (format == nullptr) continue;
    for (const CsvRow& row : test::rows_of(file)) {
      const std::optional<Cut> cut = cut_of(row[1]);
      if (!cut) {
        ++stochastic;
        continue;
      }
      ++lines;
      const Code code = encoded(number_of(row[0]), *cut, row[2], *format);
      EXPECT_EQ(code, std::stoull(row[3], nullptr, 16)) << file << ": " << row[0] << " " << row[1] << " " << row[2];
    }
  }
  EXPECT_EQ(lines, 55379);
  std::cout << lines << " lines, " << stochastic << " stochastic ones left out.\n";
}

// --- all 120 formats of P3109, over neighbours of every midpoint ---

double beside(double x, double toward) { return std::nextafter(x, toward); }

double value_of(const Number& n) {
  return std::ldexp(n.negative ? -1.0 : 1.0, n.quantum) * static_cast<double>(n.magnitude);
}

// A midpoint between its two neighbours among doubles.
void add_midpoint(std::vector<double>& inputs, double low, double high) {
  const double middle = low / 2 + high / 2;
  for (const double x : {beside(middle, -HUGE_VAL), middle, beside(middle, HUGE_VAL)}) inputs.push_back(x);
}

std::vector<double> inputs_of(const Format& f) {
  const double huge = std::numeric_limits<double>::max(), tiny = std::numeric_limits<double>::denorm_min();
  std::vector<double> inputs{0.0, -0.0, HUGE_VAL, -HUGE_VAL, std::numeric_limits<double>::quiet_NaN()};
  for (const double x : {tiny, -tiny, std::numeric_limits<double>::min(), huge, -huge}) inputs.push_back(x);
  std::vector<double> values;
  for (Code code = 0; code < Code{1} << f.stored_bits; ++code) {
    const Number n = decode(code, f, Subnormals::keep, Specials::step);
    if (n.is_finite()) values.push_back(value_of(n));
  }
  std::sort(values.begin(), values.end());
  const double greatest = values.back();
  const double next = greatest + std::ldexp(1.0, std::ilogb(greatest) - f.mantissa_bits);
  values.push_back(next);
  if (f.has_sign) values.insert(values.begin(), -next);
  for (std::size_t i = 0; i + 1 < values.size(); ++i) add_midpoint(inputs, values[i], values[i + 1]);
  if (!f.has_sign) {
    const double least = values[1];
    for (const double x : {-least / 2, -least, -least / 4}) add_midpoint(inputs, x, x);
  }
  return inputs;
}

std::uint64_t digest_of(const Format& f, const std::string& mode, const std::string& saturation, std::size_t& count) {
  std::uint64_t hash = 0xcbf29ce484222325;
  count = 0;
  for (const double x : inputs_of(f)) {
    Code bits = 0;
    std::memcpy(&bits, &x, sizeof bits);
    const Number n = decode(bits, *find_format("f64"), Subnormals::keep, Specials::step);
    hash = (hash ^ encoded(n, *cut_of(mode), saturation, f)) * 0x100000001b3;
    ++count;
  }
  return hash;
}

TEST_F(Encode, HasTheDigestOfEachFormatOfP3109) {
  std::size_t digests = 0;
  for (const CsvRow& row : test::rows_of(test::formats_folder() / "encode" / "p3109_digests.csv")) {
    const Format* format = find_format(row[0]);
    ASSERT_NE(format, nullptr) << row[0];
    std::size_t count = 0;
    const std::uint64_t digest = digest_of(*format, row[1], row[2], count);
    EXPECT_EQ(std::to_string(count), row[3]) << row[0];
    EXPECT_EQ(digest, std::stoull(row[4], nullptr, 16)) << row[0] << " " << row[1] << " " << row[2];
    ++digests;
  }
  EXPECT_EQ(digests, 720u);
}

}  // namespace
}  // namespace assay
