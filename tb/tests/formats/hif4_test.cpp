// 120 units of HiF4, 64 numbers in bfloat16 and what its makers' converter made of them: read back by datapaths whose
// scales have blocks of different sizes, and made anew.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_text.hpp"
#include "model/core/decode.hpp"
#include "model/core/dot.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/tests/formats/dossier.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

constexpr int elements = 64, eights = 8, fours = 16;
constexpr Code one = 4, scale_of_one = 0xc0;  // of hif4_s1p2 and of hif4_e6m2

struct Unit {
  std::vector<Code> input;  // bf16
  Code scale = 0;           // hif4_e6m2
  std::uint64_t eight = 0, four = 0;
  std::vector<Code> element;  // hif4_s1p2

  std::uint64_t eight_of(int i) const { return eight >> (i / 8) & 1; }
  std::uint64_t four_of(int i) const { return four >> (i / 4) & 1; }

  // As the dossier says what a unit means.
  double value(int i) const {
    const auto code = static_cast<int>(element[static_cast<std::size_t>(i)]);
    const double size = (code & 7) / 4.0 * (1 + static_cast<double>(scale & 3) / 4);
    const int exponent = static_cast<int>(scale >> 2) - 48 + static_cast<int>(eight_of(i) + four_of(i));
    return std::ldexp((code & 8) != 0 ? -size : size, exponent);
  }
};

Unit unit_of(const test::CsvRow& row) {
  Unit unit;
  for (std::size_t i = 0; i < elements; ++i) {
    unit.input.push_back(std::stoull(row[1].substr(4 * i, 4), nullptr, 16));
    unit.element.push_back(std::stoull(row[5].substr(i, 1), nullptr, 16));
  }
  unit.scale = std::stoull(row[2], nullptr, 16);
  unit.eight = std::stoull(row[3], nullptr, 16);
  unit.four = std::stoull(row[4], nullptr, 16);
  return unit;
}

double float_of(Code code) {
  const auto bits = static_cast<std::uint32_t>(code);
  float value = 0;
  std::memcpy(&value, &bits, sizeof value);
  return static_cast<double>(value);
}

double value_of(Code code, const char* format) {
  const Number n = decode(code, *find_format(format), Subnormals::keep, Specials::step);
  return std::ldexp(n.negative ? -1.0 : 1.0, n.quantum) * static_cast<double>(n.magnitude);
}

// A double as the f64 that it is, rounded to a format.
Code rounded(double x, const char* format, Cut cut) {
  Code bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  ResultPlan result;
  result.format = *find_format(format);
  result.words.cut = cut;
  result.words.overflow = Overflow::largest;
  return encode(round(decode(bits, *find_format("f64"), Subnormals::keep, Specials::step), result), result.format, {});
}

// One datapath, and the operands of one case of it.
class Bench {
 public:
  explicit Bench(const DatapathFile& file) : plan_(plan_of(file)) {}

  Code d(const std::vector<Code>& a, const std::vector<Code>& b, Code c = 0) {
    return dot(plan_, {a.data(), b.data(), c, nullptr, nullptr, more_.data()}, registers_);
  }

  // The codes of an operand that the case brings.
  template <class Of>
  void put(const std::string& name, const Of& of) {
    more_.resize(static_cast<std::size_t>(plan_.more_codes()));
    for (const CaseOperand& operand : plan_.more) {
      if (operand.name != name) continue;
      for (int i = 0; i < operand.count; ++i) more_[static_cast<std::size_t>(operand.first + i)] = of(i);
      return;
    }
    ADD_FAILURE() << "the datapath has no operand " << name;
  }

  void put_unit(const std::string& side, const Unit& unit) {
    put("four_" + side, [&](int i) { return unit.four >> i & 1; });
    put("eight_" + side, [&](int i) { return unit.eight >> i & 1; });
    put("unit_" + side, [&](int) { return unit.scale; });
  }

 private:
  Plan plan_;
  Registers registers_;
  std::vector<Code> more_;
};

class Hif4 : public testing::Test {
 protected:
  void SetUp() override {
    const auto file = test::formats_folder() / "encode" / "hif4_units.csv";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is missing; ASSAY_SHARED names its folder's parent.";
    for (const test::CsvRow& row : test::rows_of(file)) units_.push_back(unit_of(row));
    ASSERT_EQ(units_.size(), 120u);
  }

  // Each element by itself: the others are multiplied by zero.
  void expect_values(Bench& bench) const {
    Unit ones;
    ones.scale = scale_of_one;
    for (const Unit& unit : units_) {
      bench.put_unit("a", unit);
      bench.put_unit("b", ones);
      for (int i = 0; i < elements; ++i) {
        std::vector<Code> alone(elements, 0);
        alone[static_cast<std::size_t>(i)] = one;
        ASSERT_EQ(float_of(bench.d(unit.element, alone)), unit.value(i)) << i;
      }
    }
  }

  const Catalogue catalogue_ = shipped_catalogue();
  std::vector<Unit> units_;
};

const std::string example = source_dir() + "/configs/datapath/level_scaled_exact.yaml";

// Micro-exponents and scales at the sums of four, of eight and of all.
TEST_F(Hif4, IsReadBackAtTheSums) {
  Bench bench(read_datapath_file(example, catalogue_));
  expect_values(bench);
}

TEST_F(Hif4, IsReadBackAtTheElements) {
  std::string text =
      "name: elements\nk: 64\noperands:\n  a: hif4_s1p2\n  b: hif4_s1p2\n  c: f32\n  d: f32\n  scales:\n";
  for (const std::string side : {"a", "b"}) {
    text += "    four_" + side + ": {of: " + side + ", format: ue1m0, block: 4, at: operand}\n";
    text += "    eight_" + side + ": {of: " + side + ", format: ue1m0, block: 8, at: operand}\n";
    text += "    unit_" + side + ": {of: " + side + ", format: hif4_e6m2, at: operand}\n";
  }
  text +=
      "specials: step\n"
      "adders: [{name: sum, add: {product: exact, acc: exact}, result: [{format: f32, cut: nearest_even}]}]\n";
  Bench bench(read_datapath_text(text, "elements.yaml", catalogue_));
  expect_values(bench);
}

// Sums of 64 products of units, where they are so near to each other that a double holds them.
TEST_F(Hif4, DotProductsAreRoundedOnce) {
  Bench bench(read_datapath_file(example, catalogue_));
  int rounded_sums = 0;
  for (std::size_t u = 0; u + 1 < units_.size(); ++u) {
    const Unit &x = units_[u], &y = units_[u + 1];
    bench.put_unit("a", x);
    bench.put_unit("b", y);
    double sum = 0;
    for (int i = 0; i < elements; ++i) sum += x.value(i) * y.value(i);
    const double c = sum * 1.5 + std::ldexp(1.0, std::ilogb(sum == 0 ? 1 : sum) + 20);
    const Code c_code = rounded(c, "f32", Cut::nearest_even);
    const double expected = float_of(c_code) + sum;
    const Code d = bench.d(x.element, y.element, c_code);
    ASSERT_EQ(d, rounded(expected, "f32", Cut::nearest_even)) << u;
    rounded_sums += float_of(d) != expected ? 1 : 0;
  }
  EXPECT_GT(rounded_sums, 20);
}

// --- the converter ---

double greatest_of(const std::vector<double>& values, int first, int count) {
  double greatest = 0;
  for (int i = first; i < first + count; ++i)
    greatest = std::max(greatest, std::fabs(values[static_cast<std::size_t>(i)]));
  return greatest;
}

double bf16(double x) { return value_of(rounded(x, "bf16", Cut::nearest_even), "bf16"); }

// An element as a datapath makes it: times the reciprocal of the scale, halved once for each one-bit exponent, rounded.
const std::string converter =
    "name: converter\nk: 1\n"
    "operands: {a: bf16, b: bf16, c: f32, d: hif4_s1p2, scales: {reciprocal: {of: a, format: bf16},\n"
    "           eight: {of: a, format: ue8m0}, four: {of: a, format: ue8m0}}}\n"
    "factors: {a: {round: {format: d, cut: nearest_away, overflow: largest, infinity: largest, nan: zero}}}\n"
    "specials: operation\n"
    "adders:\n"
    "  - {name: sum, add: {product: exact, acc: exact}, zero: ieee,\n"
    "     result: [{format: d, cut: nearest_even, overflow: largest, infinity: largest, nan: zero}]}\n";

TEST_F(Hif4, IsMadeAsItsConverterMakesIt) {
  Bench bench(read_datapath_text(converter, "converter.yaml", catalogue_));
  const auto half = [](std::uint64_t taken) { return [taken](int) { return Code{127} - taken; }; };
  for (const Unit& unit : units_) {
    std::vector<double> values;
    for (const Code code : unit.input) values.push_back(value_of(code, "bf16"));
    const double wanted = bf16(greatest_of(values, 0, elements) * bf16(1.0 / 7));
    const Code scale = rounded(std::clamp(wanted, std::ldexp(1.0, -48), 49152.0), "hif4_e6m2", Cut::nearest_even);
    ASSERT_EQ(scale, unit.scale);
    const double reciprocal = bf16(1 / value_of(scale, "hif4_e6m2"));
    std::uint64_t eight = 0, four = 0;
    for (int g = 0; g < eights; ++g) eight |= std::uint64_t{greatest_of(values, 8 * g, 8) * reciprocal >= 4} << g;
    ASSERT_EQ(eight, unit.eight);
    for (int g = 0; g < fours; ++g)
      four |= std::uint64_t{std::ldexp(greatest_of(values, 4 * g, 4) * reciprocal, -int(eight >> (g / 2) & 1)) >= 2}
              << g;
    ASSERT_EQ(four, unit.four);
    bench.put("reciprocal", [&](int) { return rounded(reciprocal, "bf16", Cut::nearest_even); });
    for (int i = 0; i < elements; ++i) {
      bench.put("eight", half(unit.eight_of(i)));
      bench.put("four", half(unit.four_of(i)));
      const Code x = unit.input[static_cast<std::size_t>(i)];
      ASSERT_EQ(bench.d({x}, {0x3f80}, x >> 15 << 31), unit.element[static_cast<std::size_t>(i)]) << i;
    }
  }
}

}  // namespace
}  // namespace assay
