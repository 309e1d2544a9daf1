// What came to the C interface with whole arrays: products in place, changed units, formats, calls that are watched.
#include <cmath>
#include <limits>
#include <vector>

#include "tb/tests/capi/opened.hpp"

namespace assay {
namespace {

class Arrays : public testing::Test {
 protected:
  static void SetUpTestSuite() { catalogue_ = catalogue(), unit_ = unit(catalogue_.get()); }
  static void TearDownTestSuite() { unit_.reset(), catalogue_.reset(); }

  // Of a call that gives no text.
  template <class Call>
  static std::string refused(assay_status status, Call call) {
    assay_message message{};
    EXPECT_EQ(call(&message), status) << message.text;
    return message.text;
  }

  static Held<assay_unit> changed(const std::string& settings) {
    assay_unit* unit = nullptr;
    assay_message message{};
    EXPECT_EQ(assay_unit_with(unit_.get(), settings.c_str(), &unit, &message), ASSAY_OK) << message.text;
    return Held<assay_unit>(unit);
  }

  inline static Held<assay_catalogue> catalogue_;
  inline static Held<assay_unit> unit_;
};

// --- products in place ---

constexpr std::size_t m = 3, n = 5, k = 32;

struct Problem {
  std::vector<std::uint16_t> a = std::vector<std::uint16_t>(m * k), b = std::vector<std::uint16_t>(k * n);
  std::vector<std::uint32_t> c = std::vector<std::uint32_t>(m * n), d = std::vector<std::uint32_t>(m * n);

  Problem() {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<std::uint16_t>(0x3000 + 997 * i);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<std::uint16_t>(0xb000 + 1331 * i);
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = static_cast<std::uint32_t>(0x3f800000 + 12345 * i);
  }
  assay_product product() {
    return {m, n, k, {a.data(), k, 1}, {b.data(), n, 1}, {c.data(), n, 1}, {d.data(), n, 1}, {}, {}, nullptr};
  }
};

TEST_F(Arrays, AProductInPlaceIsThatOfBuffers) {
  Problem x;
  std::vector<std::uint32_t> expected(m * n);
  const assay_operands operands{
      {x.a.data(), 2 * m * k}, {x.b.data(), 2 * k * n}, {x.c.data(), 4 * m * n}, {}, {}, nullptr};
  ASSERT_EQ(assay_matmul(unit_.get(), m, n, k, &operands, {expected.data(), 4 * m * n}, nullptr), ASSAY_OK);
  assay_product product = x.product();
  for (const int threads : {1, 2, 7}) {
    x.d.assign(m * n, 0);
    ASSERT_EQ(assay_gemm(unit_.get(), &product, threads, nullptr), ASSAY_OK);
    EXPECT_EQ(x.d, expected);
  }
  product.d = product.c;
  ASSERT_EQ(assay_gemm(unit_.get(), &product, 1, nullptr), ASSAY_OK);
  EXPECT_EQ(x.c, expected);
}

TEST_F(Arrays, StridesMayBeAnything) {
  Problem x;
  assay_product product = x.product();
  ASSERT_EQ(assay_gemm(unit_.get(), &product, 1, nullptr), ASSAY_OK);
  const std::vector<std::uint32_t> expected = x.d;
  std::vector<std::uint16_t> column_major(k * n);
  for (std::size_t i = 0; i < k; ++i) {
    for (std::size_t j = 0; j < n; ++j) column_major[j * k + i] = x.b[i * n + j];
  }
  product.b = {column_major.data(), 1, k};
  // Rows of A and of C from the last one up; those of D, too.
  product.a = {x.a.data() + (m - 1) * k, -static_cast<std::ptrdiff_t>(k), 1};
  product.c = {x.c.data() + (m - 1) * n, -static_cast<std::ptrdiff_t>(n), 1};
  product.d = {x.d.data() + (m - 1) * n, -static_cast<std::ptrdiff_t>(n), 1};
  x.d.assign(m * n, 0);
  ASSERT_EQ(assay_gemm(unit_.get(), &product, 2, nullptr), ASSAY_OK);
  EXPECT_EQ(x.d, expected);
}

TEST_F(Arrays, AProductThatMakesNoSenseIsRefused) {
  Problem x;
  const auto with = [&](auto change, int threads = 1) {
    assay_product product = x.product();
    change(product);
    return refused(ASSAY_BAD_ARGUMENT,
                   [&](assay_message* message) { return assay_gemm(unit_.get(), &product, threads, message); });
  };
  EXPECT_EQ(with([](assay_product& p) { p.k = 24; }), "k is 24, which is no multiple of the instruction's 16.");
  EXPECT_EQ(with([](assay_product& p) { p.m = 0; }), "m is 0; it must be 1 to 2147483647.");
  EXPECT_EQ(with([](assay_product& p) { p.n = std::size_t{1} << 31; }), "n is 2147483648; it must be 1 to 2147483647.");
  EXPECT_EQ(with([](assay_product& p) { p.a.data = nullptr; }), "a is NULL; it must point to one.");
  EXPECT_EQ(with([](assay_product& p) { p.d.data = nullptr; }), "d is NULL; it must point to one.");
  EXPECT_EQ(with([](assay_product& p) { p.scale_a = p.a; }), "This unit has no scales; leave scale_a empty.");
  EXPECT_EQ(with([](assay_product&) {}, 0), "threads is 0; it must be 1 to 256.");
  EXPECT_EQ(with([](assay_product&) {}, 257), "threads is 257; it must be 1 to 256.");
  EXPECT_EQ(refused(ASSAY_BAD_ARGUMENT, [&](assay_message* e) { return assay_gemm(nullptr, nullptr, 1, e); }),
            "unit is NULL; it must point to one.");
  EXPECT_EQ(refused(ASSAY_BAD_ARGUMENT, [&](assay_message* e) { return assay_gemm(unit_.get(), nullptr, 1, e); }),
            "product is NULL; it must point to one.");
}

TEST_F(Arrays, BitsAboveTheWidthOfAnElementAreRefused) {
  const Held<assay_unit> unit = assay::unit(catalogue_.get(), scaled);
  std::vector<std::uint8_t> a(64), scales(2, 127);
  a[5] = 0x13;
  std::uint32_t d = 7;
  const assay_product product{1,
                              1,
                              64,
                              {a.data(), 64, 1},
                              {a.data(), 1, 1},
                              {&d, 1, 1},
                              {&d, 1, 1},
                              {scales.data(), 2, 1},
                              {scales.data(), 1, 1},
                              nullptr};
  EXPECT_EQ(refused(ASSAY_BAD_BITS, [&](assay_message* e) { return assay_gemm(unit.get(), &product, 1, e); }),
            "a[0, 5] has bits above the 4 of e2m1.");
  EXPECT_EQ(d, 7U);
}

// --- changed units ---

TEST_F(Arrays, AUnitAsATextIsTheSameUnit) {
  const Told text = told([&](assay_text** t, assay_message* e) { return assay_unit_text(unit_.get(), t, e); });
  assay_unit* again = nullptr;
  ASSERT_EQ(assay_unit_open_text(catalogue_.get(), text.text.c_str(), &again, nullptr), ASSAY_OK) << text.text;
  EXPECT_STREQ(assay_unit_sha256(again), assay_unit_sha256(unit_.get()));
  assay_unit_close(again);
}

TEST_F(Arrays, KeysAreChangedOneAfterTheOther) {
  Operands one;
  one.a[0] = one.b[0] = 0x3c00;
  one.c = 0xbf7fffff;
  const assay_operands operands = one.all();
  const auto d_with = [&](const std::string& settings) {
    std::uint32_t d = 0;
    EXPECT_EQ(assay_dot(changed(settings).get(), 1, &operands, {&d, 4}, nullptr), ASSAY_OK);
    return d;
  };
  EXPECT_EQ(d_with("{}"), 0x33800000U);
  EXPECT_EQ(d_with("{F: 23}"), 0x34000000U);
  EXPECT_EQ(d_with("{F: 23, adders.sum.add.acc.keep: 24, adders.sum.add.product.keep: 24}"), 0x33800000U);
  EXPECT_STREQ(assay_unit_path(unit_.get()), "32-bit lanes");
  const auto refusal = [&](const char* settings) {
    assay_unit* unit = nullptr;
    assay_message message{};
    EXPECT_NE(assay_unit_with(unit_.get(), settings, &unit, &message), ASSAY_OK);
    EXPECT_EQ(unit, nullptr);
    return std::string(message.text);
  };
  EXPECT_NE(refusal("{adders.none.sticky: all}").find("none"), std::string::npos);
  EXPECT_NE(refusal("{F: many}").find("many"), std::string::npos);
  EXPECT_NE(refusal("[1, 2]").find("the settings"), std::string::npos);
}

// --- formats ---

Held<assay_format> format(const assay_catalogue* catalogue, const char* name) {
  assay_format* opened = nullptr;
  assay_message message{};
  EXPECT_EQ(assay_format_open(catalogue, name, &opened, &message), ASSAY_OK) << message.text;
  return Held<assay_format>(opened);
}

TEST_F(Arrays, NumbersAreRoundedOnceAndCounted) {
  const Held<assay_format> e4m3 = format(catalogue_.get(), "e4m3");
  const std::vector<double> values{1, 0.3, 1.0625, 1.1875, 449, 1e300, -HUGE_VAL, -0.0, 1e-300};
  std::vector<std::uint8_t> codes(values.size());
  assay_encoded tally{};
  ASSERT_EQ(
      assay_format_encode(e4m3.get(), values.size(), values.data(), {codes.data(), codes.size()}, &tally, nullptr),
      ASSAY_OK);
  EXPECT_EQ(codes, (std::vector<std::uint8_t>{0x38, 0x2a, 0x38, 0x3a, 0x7e, 0x7e, 0xfe, 0x80, 0x00}));
  EXPECT_EQ(tally.rounded, 7U);
  EXPECT_EQ(tally.overflowed, 3U);
  std::vector<double> back(codes.size());
  ASSERT_EQ(assay_format_decode(e4m3.get(), codes.size(), {codes.data(), codes.size()}, back.data(), nullptr),
            ASSAY_OK);
  EXPECT_EQ(back, (std::vector<double>{1, 0.3125, 1, 1.25, 448, 448, -448, -0.0, 0}));
}

TEST_F(Arrays, FactsOfAFormat) {
  const Held<assay_format> bf16 = format(catalogue_.get(), "bfloat16");
  const auto facts =
      told([&](assay_text** t, assay_message* e) { return assay_format_facts(bf16.get(), t, e); }).json();
  EXPECT_EQ(facts.at("name"), "bf16");
  EXPECT_EQ(facts.at("max"), 3.3895313892515355e38);
  EXPECT_EQ(facts.at("eps"), 0.0078125);
  EXPECT_EQ(facts.at("nan_code"), 0x7fc0);
  assay_format* of_d = nullptr;
  ASSERT_EQ(assay_format_of(unit_.get(), ASSAY_D, &of_d, nullptr), ASSAY_OK);
  const Held<assay_format> d(of_d);
  EXPECT_EQ(told([&](assay_text** t, assay_message* e) { return assay_format_facts(d.get(), t, e); }).json().at("name"),
            "f32");
}

TEST_F(Arrays, WhatAFormatHasNotIsRefused) {
  const Held<assay_format> e2m1 = format(catalogue_.get(), "e2m1");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::uint8_t code = 0x55;
  EXPECT_EQ(refused(ASSAY_BAD_BITS,
                    [&](assay_message* e) {
                      return assay_format_encode(e2m1.get(), 1, &nan, {&code, 1}, nullptr, e);
                    }),
            "Value 0 is NaN, and e2m1 has no NaN; replace it before it is encoded.");
  EXPECT_EQ(code, 0x55);
  double value = 0;
  EXPECT_EQ(refused(ASSAY_BAD_BITS,
                    [&](assay_message* e) {
                      return assay_format_decode(e2m1.get(), 1, {&code, 1}, &value, e);
                    }),
            "codes[0] has bits above the 4 of e2m1.");
  assay_format* none = nullptr;
  EXPECT_NE(refused(ASSAY_BAD_CONFIGURATION,
                    [&](assay_message* e) { return assay_format_open(catalogue_.get(), "e9m9", &none, e); })
                .find("there are f64, f32"),
            std::string::npos);
  EXPECT_EQ(refused(ASSAY_BAD_ARGUMENT,
                    [&](assay_message* e) { return assay_format_of(unit_.get(), ASSAY_SCALE, &none, e); }),
            "This unit has no such operand.");
  EXPECT_EQ(none, nullptr);
}

// --- calls that are watched ---

struct Watcher {
  int ticks = 0, last = 1 << 30;
  std::uint64_t done = 0, total = 0;

  static int tick(void* user, std::uint64_t done, std::uint64_t total) {
    auto& self = *static_cast<Watcher*>(user);
    self.done = done, self.total = total;
    return ++self.ticks >= self.last ? 1 : 0;
  }
  assay_watch watch() { return {tick, this}; }
};

TEST_F(Arrays, AWatchHearsAndStops) {
  const assay_device oracle = named("oracle");
  const auto compared = [&](Watcher& watcher) {
    const assay_watch watch = watcher.watch();
    return told([&](assay_text** t, assay_message* e) {
      return assay_compare_watched(unit_.get(), nullptr, &oracle, "{\"cases\": 5000}", &watch, t, e);
    });
  };
  Watcher hears, stops;
  EXPECT_EQ(compared(hears).status, ASSAY_OK);
  EXPECT_EQ(hears.done, 5000U);
  EXPECT_EQ(hears.total, 5000U);
  stops.last = 2;
  const Told stopped = compared(stops);
  EXPECT_EQ(stopped.status, ASSAY_STOPPED);
  EXPECT_FALSE(stopped.has_text);
  EXPECT_EQ(stopped.message, "The call was stopped by whoever watches it.");
  EXPECT_EQ(stops.ticks, 2);
}

TEST_F(Arrays, MeasuresTakeGeneratedCasesAndThoseOfTheCaller) {
  Operands one;
  const assay_operands operands = one.all();
  const auto measured = [&](auto call, const assay_operands* given, const char* options) {
    return told([&](assay_text** t, assay_message* e) { return call(unit_.get(), 1, given, options, nullptr, t, e); });
  };
  EXPECT_EQ(measured(assay_coverage, &operands, nullptr).json().at("cases"), 1);
  EXPECT_EQ(measured(assay_coverage, nullptr, "{\"cases\": 20}").json().at("cases"), 20);
  const Told scored = measured(assay_score, &operands, nullptr);
  EXPECT_EQ(scored.status, ASSAY_MISMATCH);
  EXPECT_EQ(scored.json().at("cases"), 1);
  EXPECT_EQ(measured(assay_score, nullptr, "{\"cases\": 0}").status, ASSAY_NOTHING_COMPARED);
  EXPECT_EQ(measured(assay_score, &operands, "{\"cases\": 5}").message,
            "This call has no option \"cases\"; it has nan.");
  EXPECT_EQ(measured(assay_coverage, &operands, "{\"seed\": 5}").message,
            "This call has no option \"seed\"; it has none.");
}

}  // namespace
}  // namespace assay
