// Units whose cases bring scales of one side, zero points and random words.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <sstream>
#include <vector>

#include "tb/tests/capi/opened.hpp"

namespace assay {
namespace {

// (b - zero_b) x s in f32: 4-bit weights with a zero point for 2 of them and a scale for all 4.
const char* weights =
    "name: weights\nk: 4\n"
    "operands: {a: f16, b: i4, c: f32, d: f32, zero_b: {format: i4, block: 2}, scales: {s: {of: b, format: f16, at: "
    "product}}}\n"
    "specials: step\n"
    "adders: [{name: sum, add: {product: exact, acc: {keep: 30, cut: toward_zero}}, result: [{format: d, cut: "
    "nearest_even}]}]\n";

struct Weights {
  std::vector<std::uint16_t> a, s;
  std::vector<std::uint8_t> b, zero;
  std::vector<std::uint32_t> c;
  std::vector<assay_out> places;
  std::vector<assay_in> more;

  explicit Weights(std::size_t count) : a(4 * count), s(count), b(4 * count), zero(2 * count), c(count) {
    places = {{s.data(), 2 * s.size()}, {zero.data(), zero.size()}};
    for (const assay_out& out : places) more.push_back({out.data, out.bytes});
  }
  assay_operands in() const {
    return {{a.data(), 2 * a.size()}, {b.data(), b.size()}, {c.data(), 4 * c.size()}, {}, {}, more.data()};
  }
  assay_arrays out() {
    return {{a.data(), 2 * a.size()}, {b.data(), b.size()}, {c.data(), 4 * c.size()}, {}, {}, places.data()};
  }
};

class More : public testing::Test {
 protected:
  void SetUp() override {
    assay_unit* opened = nullptr;
    assay_message message{};
    ASSERT_EQ(assay_unit_open_text(catalogue_.get(), weights, &opened, &message), ASSAY_OK) << message.text;
    unit_.reset(opened);
  }

  Held<assay_catalogue> catalogue_ = catalogue();
  Held<assay_unit> unit_;
};

TEST_F(More, IsListed) {
  ASSERT_EQ(assay_unit_more(unit_.get()), 2u);
  EXPECT_STREQ(assay_unit_more_name(unit_.get(), 0), "s");
  EXPECT_STREQ(assay_unit_more_name(unit_.get(), 1), "zero_b");
  EXPECT_EQ(assay_unit_more_codes(unit_.get(), 0), 1u);
  EXPECT_EQ(assay_unit_more_codes(unit_.get(), 1), 2u);
  EXPECT_EQ(assay_unit_more_bytes(unit_.get(), 0), 2u);
  EXPECT_EQ(assay_unit_more_bytes(unit_.get(), 1), 1u);
  EXPECT_EQ(assay_unit_more_name(unit_.get(), 2), nullptr);
  EXPECT_EQ(assay_unit_more_codes(unit_.get(), 2), 0u);
  EXPECT_EQ(assay_unit_more_bytes(unit_.get(), 2), 0u);
  EXPECT_EQ(assay_unit_more(nullptr), 0u);
  const Held<assay_unit> plain = unit(catalogue_.get());
  EXPECT_EQ(assay_unit_more(plain.get()), 0u);

  assay_format* format = nullptr;
  assay_message message{};
  ASSERT_EQ(assay_format_of_more(unit_.get(), 1, &format, &message), ASSAY_OK) << message.text;
  const Told facts = told([&](assay_text** text, assay_message* m) { return assay_format_facts(format, text, m); });
  assay_format_close(format);
  EXPECT_EQ(facts.json().at("name"), "i4");
  EXPECT_EQ(assay_format_of_more(unit_.get(), 2, &format, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "This unit has 2 such operands; there is no number 2, counted from 0.");
}

// Two dot products: 1 x (3 - 1) + 2 x (-8 - 1) of one block and 4 x (7 - -8) of the other, times 0.5, + 10; then zeros.
TEST_F(More, IsComputed) {
  Weights given(2);
  const std::uint16_t a[] = {0x3c00, 0x4000, 0x4400, 0};
  std::copy_n(a, 4, given.a.begin());
  const std::uint8_t b[] = {0x3, 0x8, 0x7, 0};
  std::copy_n(b, 4, given.b.begin());
  given.zero = {0x1, 0x8, 0, 0};
  given.s = {0x3800, 0x3c00};
  given.c = {0x41200000, 0x3f800000};
  const assay_operands operands = given.in();
  std::uint32_t d[2] = {};
  assay_message message{};
  ASSERT_EQ(assay_dot(unit_.get(), 2, &operands, {d, sizeof d}, &message), ASSAY_OK) << message.text;
  float first = 0, second = 0;
  std::memcpy(&first, &d[0], 4), std::memcpy(&second, &d[1], 4);
  EXPECT_EQ(first, 32.0F);  // (2 - 18 + 60) / 2 + 10
  EXPECT_EQ(second, 1.0F);

  const Told shown = told([&](assay_text** text, assay_message* m) {
    Weights one(1);
    one.a.assign(given.a.begin(), given.a.begin() + 4), one.b.assign(given.b.begin(), given.b.begin() + 4);
    one.zero.assign(given.zero.begin(), given.zero.begin() + 2), one.s.assign(1, given.s[0]),
        one.c.assign(1, given.c[0]);
    const assay_operands alone = one.in();
    return assay_explain(unit_.get(), &alone, nullptr, nullptr, nullptr, text, m);
  });
  EXPECT_EQ(shown.json().at("d"), "42000000") << shown.text << shown.message;
}

TEST_F(More, MayBeAMaskOfAPattern) {
  assay_unit* opened = nullptr;
  assay_message message{};
  const char* sparse =
      "name: sparse\nlike: fused_f25\nk: 4\noperands: {a: f16, b: f16, c: f32, d: f32, mask: {take: 2, among: 4}}\n";
  ASSERT_EQ(assay_unit_open_text(catalogue_.get(), sparse, &opened, &message), ASSAY_OK) << message.text;
  const Held<assay_unit> unit(opened);
  EXPECT_STREQ(assay_unit_more_name(opened, 0), "mask");
  EXPECT_EQ(assay_unit_more_owner(opened, 0), 'a');
  const std::uint16_t a[] = {0x3c00, 0x7e00, 0x4000, 0x7c00}, b[] = {0x3c00, 0x3c00, 0x3c00, 0x3c00};
  const std::uint32_t c = 0;
  std::uint8_t mask[] = {1, 0, 1, 0};
  const assay_in more{mask, sizeof mask};
  const assay_operands operands{{a, sizeof a}, {b, sizeof b}, {&c, sizeof c}, {}, {}, &more};
  std::uint32_t d = 0;
  ASSERT_EQ(assay_dot(opened, 1, &operands, {&d, sizeof d}, &message), ASSAY_OK) << message.text;
  EXPECT_EQ(d, 0x40400000U);
  mask[1] = 1;
  EXPECT_EQ(assay_dot(opened, 1, &operands, {&d, sizeof d}, &message), ASSAY_BAD_BITS);
  EXPECT_STREQ(message.text, "mask[0] to [3] has 3 bits on; of each 4 neighbours exactly 2 are on here.");
}

TEST_F(More, HasToBeThere) {
  Weights given(1);
  assay_operands operands = given.in();
  operands.more = nullptr;
  std::uint32_t d = 7;
  assay_message message{};
  EXPECT_EQ(assay_dot(unit_.get(), 1, &operands, {&d, 4}, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "more is NULL; it must point to one.");
  operands = given.in();
  given.more[1].bytes = 3;
  EXPECT_EQ(assay_dot(unit_.get(), 1, &operands, {&d, 4}, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "zero_b has 3 bytes; this call needs 2.");
  given.more[1].bytes = 2;
  given.zero[1] = 0x10;
  EXPECT_EQ(assay_dot(unit_.get(), 1, &operands, {&d, 4}, &message), ASSAY_BAD_BITS);
  EXPECT_STREQ(message.text, "zero_b[1] has bits above the 4 of i4.");
  EXPECT_EQ(d, 7u);
}

// 1 x 8 times 8 x 2, all ones: of column 0 the zero points of its four blocks are 1, 0, -1, -8, its scales 1 and 2, of
// column 1 all zero and 1.
TEST_F(More, IsTakenByMatrices) {
  const std::vector<std::uint16_t> a(8, 0x3c00);
  const std::vector<std::uint8_t> b(16, 0x1), zero{0x1, 0, 0x0, 0, 0xf, 0, 0x8, 0};
  const std::vector<std::uint16_t> s{0x3c00, 0x3c00, 0x4000, 0x3c00};
  const std::uint32_t c[2] = {};
  assay_in more[] = {{s.data(), 8}, {zero.data(), 8}};
  assay_operands operands{{a.data(), 16}, {b.data(), 16}, {c, 8}, {}, {}, more};
  float d[2] = {};
  assay_message message{};
  ASSERT_EQ(assay_matmul(unit_.get(), 1, 2, 8, &operands, {d, 8}, &message), ASSAY_OK) << message.text;
  EXPECT_EQ(d[0], 0 + 2 + 2 * (4 + 18));
  EXPECT_EQ(d[1], 8);

  EXPECT_EQ(assay_unit_more_owner(unit_.get(), 0), 'b');
  EXPECT_EQ(assay_unit_more_owner(unit_.get(), 1), 'b');
  EXPECT_EQ(assay_unit_more_owner(unit_.get(), 2), '\0');
  // Of B transposed, the zero points of one column lie side by side.
  const std::vector<std::uint8_t> turned{0x1, 0x0, 0xf, 0x8, 0, 0, 0, 0};
  const auto matrix = [](const void* data, std::ptrdiff_t row, std::ptrdiff_t column) {
    return assay_matrix{const_cast<void*>(data), row, column};
  };
  assay_matrix views[] = {matrix(s.data(), 2, 1), matrix(turned.data(), 1, 4)};
  float in_place[2] = {};
  assay_product product{
      1, 2, 8, matrix(a.data(), 8, 1), matrix(b.data(), 2, 1), matrix(c, 2, 1), matrix(in_place, 2, 1), {}, {}, views};
  ASSERT_EQ(assay_gemm(unit_.get(), &product, 1, &message), ASSAY_OK) << message.text;
  EXPECT_EQ(in_place[0], d[0]);
  EXPECT_EQ(in_place[1], d[1]);

  views[1] = {};
  EXPECT_EQ(assay_gemm(unit_.get(), &product, 1, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "zero_b is NULL; it must point to one.");
  product.more = nullptr;
  EXPECT_EQ(assay_gemm(unit_.get(), &product, 1, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "more is NULL; it must point to one.");
  more[1].bytes = 2;
  EXPECT_EQ(assay_matmul(unit_.get(), 1, 2, 8, &operands, {d, 8}, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "zero_b has 2 bytes; this call needs 8.");
  operands.more = nullptr;
  EXPECT_EQ(assay_matmul(unit_.get(), 1, 2, 8, &operands, {d, 8}, &message), ASSAY_BAD_ARGUMENT);
  EXPECT_STREQ(message.text, "more is NULL; it must point to one.");
}

TEST_F(More, GivesEachElementRandomWords) {
  assay_unit* opened = nullptr;
  assay_message message{};
  const char* const chance =
      "name: chance\nk: 1\noperands: {a: f16, b: f16, c: f32, d: f32}\nspecials: step\n"
      "adders: [{name: sum, add: {product: {keep: 25, cut: toward_zero}, acc: {keep: 25, cut: toward_zero}},\n"
      "  result: [{format: d, cut: stochastic_a, random_bits: 4}]}]\n";
  ASSERT_EQ(assay_unit_open_text(catalogue_.get(), chance, &opened, &message), ASSAY_OK) << message.text;
  const Held<assay_unit> unit(opened);
  EXPECT_EQ(assay_unit_more_owner(unit.get(), 0), 'd');
  // Half of the last bit of 1, and what chance makes of it: 7 leaves it away, 8 rounds up.
  const std::uint16_t a[] = {0x0c00, 0x0c00}, b[] = {0x0c00, 0x0c00};
  const std::uint32_t c[] = {0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000};
  std::uint8_t words[] = {7, 8, 8, 7};
  const assay_in more[] = {{words, 4}};
  const assay_operands operands{{a, 4}, {b, 4}, {c, 16}, {}, {}, more};
  std::uint32_t d[4] = {};
  ASSERT_EQ(assay_matmul(unit.get(), 2, 2, 1, &operands, {d, 16}, &message), ASSAY_OK) << message.text;
  EXPECT_EQ(std::vector<std::uint32_t>(d, d + 4),
            (std::vector<std::uint32_t>{0x3f800000, 0x3f800001, 0x3f800001, 0x3f800000}));
  words[2] = 16;
  EXPECT_EQ(assay_matmul(unit.get(), 2, 2, 1, &operands, {d, 16}, &message), ASSAY_BAD_BITS);
  EXPECT_STREQ(message.text, "random[2] has bits above the 4 of random4.");
}

int computes(void* user, std::size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  return assay_dot(static_cast<const assay_unit*>(user), count, operands, d, message);
}

// Takes the first zero point for the second, too.
int forgets(void* user, std::size_t count, const assay_operands* operands, assay_out d, assay_message* message) {
  const auto* zero = static_cast<const std::uint8_t*>(operands->more[1].data);
  std::vector<std::uint8_t> wrong(zero, zero + 2 * count);
  for (std::size_t i = 0; i < count; ++i) wrong[2 * i + 1] = wrong[2 * i];
  const assay_in more[] = {operands->more[0], {wrong.data(), wrong.size()}};
  assay_operands given = *operands;
  given.more = more;
  return assay_dot(static_cast<const assay_unit*>(user), count, &given, d, message);
}

TEST_F(More, ReachesDevicesAndArrays) {
  const auto compared = [&](auto run) {
    const assay_device device{"mine", run, nullptr, unit_.get()};
    return told([&](assay_text** text, assay_message* m) {
      return assay_compare(unit_.get(), nullptr, &device, "{\"cases\": 500}", text, m);
    });
  };
  EXPECT_EQ(compared(computes).status, ASSAY_OK);
  const Told wrong = compared(forgets);
  EXPECT_EQ(wrong.status, ASSAY_MISMATCH) << wrong.message;

  Weights made(50);
  const assay_arrays arrays = made.out();
  assay_message message{};
  ASSERT_EQ(assay_generate_into(unit_.get(), 0, 50, nullptr, &arrays, &message), ASSAY_OK) << message.text;
  EXPECT_NE(made.zero, std::vector<std::uint8_t>(100, 0));
  const Told file = told(
      [&](assay_text** text, assay_message* m) { return assay_generate(unit_.get(), "{\"cases\": 50}", text, m); });
  std::istringstream lines(file.text);
  std::string line;
  std::getline(lines, line);
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    const auto zeros = nlohmann::json::parse(line).at("zero_b");
    EXPECT_EQ(std::stoul(zeros[1].get<std::string>(), nullptr, 16), made.zero[2 * i + 1]) << line;
  }
}

}  // namespace
}  // namespace assay
