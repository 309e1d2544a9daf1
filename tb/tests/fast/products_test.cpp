// 64-bit lanes where products are numbers by themselves before a sum takes them - rounded, counted from their leading
// ones, added as a tree - and the words that these sums can have: drawn together, since each is right by itself.
#include <gtest/gtest.h>

#include <set>

#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/generator.hpp"
#include "tb/generate/random.hpp"
#include "tb/tests/core/datapaths.hpp"
#include "tb/tests/fast/batch.hpp"
#include "tb/tests/fast/plans.hpp"

namespace assay {
namespace {

constexpr std::uint64_t seed = 21;
constexpr int k = 8;
#ifdef NDEBUG
constexpr std::uint64_t drawn_datapaths = 4000;
#else
constexpr std::uint64_t drawn_datapaths = 400;
#endif
constexpr std::uint64_t cases_of_each = 90;

class Drawn {
 public:
  explicit Drawn(std::uint64_t number) : draws_(Random{seed, number}.at(Part::choice)) {}

  Datapath datapath() {
    Datapath d = test::fused(draws_.between(3, 24));
    const auto small = [&] { return one_of<std::string>({"e4m3", "e5m2", "e2m3", "f16", "e4m3fnuz", "e3m2"}); };
    d.operands.a = small();
    d.operands.b = small();
    d.operands.c = d.operands.d = one_of<std::string>({"f32", "f16", "bf16", "e5m2", "tf32"});
    d.nan.reset();
    d.specials = Specials::operation;
    d.step = test::group(1 << draws_.below(4), any<Deal>());
    d.start = any<Start>();
    d.product.exponent = any<ProductExponent>();
    if (draws_.coin()) d.product.round = result();
    if (now_and_then()) d.product.empty = draws_.between(-60, -20);
    if (now_and_then()) d.product.infinity_at = draws_.between(-9, 20);
    if (now_and_then()) scale(d);
    if (now_and_then()) d.factor_a.round = test::at_leading_one(1, any_cut(), std::nullopt);
    if (now_and_then()) d.slices = in_two();
    d.nans_a = any<Nans>();
    d.nans_b = any<Nans>();
    d.nans_c = any<Nans>();
    d.subnormals_acc = any<Subnormals>();
    words(d.adders.front());
    return d;
  }

 private:
  bool now_and_then() { return draws_.below(4) == 0; }

  template <class Word>
  Word any() {
    return static_cast<Word>(draws_.below(words_of<Word>()));
  }
  template <class Word>
  static std::size_t words_of() {
    return assay::words<Word>().size();
  }
  template <class Value>
  Value one_of(std::vector<Value> values) {
    return values[draws_.below(values.size())];
  }

  Cut any_cut() {
    return one_of<Cut>(
        {Cut::toward_zero, Cut::down, Cut::up, Cut::nearest_even, Cut::nearest_away, Cut::nearest_up, Cut::to_odd});
  }

  void scale(Datapath& d) {
    d.operands.scale = one_of<std::string>({"ue8m0", "e4m3", "bf16"});
    d.operands.scale_block = k;
    d.product.times_scales = true;
  }

  // The first bits of a and those that follow.
  Slices in_two() {
    Slices slices;
    slices.pairs = {{0, 0, 2, std::nullopt}, {2, 0, std::nullopt, std::nullopt}};
    slices.exponent = any<SliceExponent>();
    slices.run = any<SliceRun>();
    return slices;
  }

  Result result() {
    Result r = draws_.coin() ? test::to_format(one_of<std::string>({"bf16", "f16", "e5m2", "d"}), any_cut())
                             : test::at_leading_one(draws_.between(1, 12), any_cut(), std::nullopt);
    if (now_and_then()) r = test::at_window(draws_.between(1, 12), any_cut());
    if (r.at == ResultAt::format) format_words(r);
    return r;
  }

  void format_words(Result& r) {
    r.overflow = one_of<Overflow>({Overflow::infinity, Overflow::largest, Overflow::nan, Overflow::directed});
    r.subnormals = any<Subnormals>();
    if (r.subnormals != Subnormals::keep) r.tiny = any<Tiny>();
    r.minus_zero = any<MinusZero>();
  }

  void words(Adder& adder) {
    for (Input& input : adder.add) {
      if (now_and_then()) input.keep = draws_.between(3, 24);
      input.cut = any_cut();
      if (now_and_then()) input.empty = draws_.between(-40, 4);
      if (now_and_then()) input.lost_below = draws_.between(1, 20);
      if (now_and_then()) input.again = {{draws_.between(1, 8), any_cut()}};
      input.negate = now_and_then();
    }
    if (now_and_then()) leave_whole(adder);
    if (draws_.coin()) std::swap(adder.add[0], adder.add[1]);
    adder.shape = any<Shape>();
    adder.sticky = any<Sticky>();
    adder.zero = any<ZeroSign>();
    adder.cancelled = any<Cancelled>();
    if (draws_.coin()) adder.window.floor.reset();
    if (now_and_then()) adder.window.raise = draws_.between(1, 2);
    if (now_and_then()) adder.window.step = draws_.between(2, 5);
    if (now_and_then()) adder.window.lost_at = draws_.between(-30, 0);
    if (now_and_then()) stand_still(adder.window);
    adder.results = {test::to_format("d", any_cut())};
    format_words(adder.results.front());
    if (draws_.coin()) adder.results.insert(adder.results.begin(), result());
  }

  // Then most sums are far narrower than they could be.
  void stand_still(Window& window) {
    window = Window{};
    window.exponent = WindowExponent::fixed;
    window.at = draws_.between(-12, 12);
  }

  // Then the sum is exact, and stands on a grid of its own.
  static void leave_whole(Adder& adder) {
    for (Input& input : adder.add) {
      input.keep.reset();
      input.lost_below.reset();
      input.again.clear();
    }
  }

  Draws draws_;
};

// Half of all have small codes and zeros of both signs, whose sums are often zero or end right beside a result; some
// are sums of -0 alone.
Case near_zero(const Plan& plan, Case one, std::uint64_t number) {
  Draws draws = Random{seed, number}.at(Part::term);
  const auto tiny = [&](const Format& format) {
    const bool negative = draws.coin() && format.has_signed_zero;
    if (draws.below(3) == 0) return zero_code(format, negative);
    return power_code(format, draws.coin(), format.least_exponent() + draws.between(0, 3));
  };
  for (std::size_t i = 0; i < one.a.size(); ++i) {
    one.a[i] = draws.coin() ? zero_code(plan.a, draws.coin() && plan.a.has_signed_zero) : tiny(plan.a);
    one.b[i] = tiny(plan.b);
  }
  one.c = tiny(plan.c);
  if (number % 8 != 1 || !plan.a.has_signed_zero || !plan.b.has_zero) return one;
  one.a.assign(one.a.size(), zero_code(plan.a, true));
  one.b.assign(one.b.size(), zero_code(plan.b, false));
  one.c = zero_code(plan.c, plan.c.has_signed_zero);
  return one;
}

std::vector<Case> cases_of_families(const Plan& plan, std::uint64_t count) {
  const Generator generator(plan, seed);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
  return cases;
}

std::vector<Case> cases_of(const Plan& plan) {
  const Generator generator(plan, seed);
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < cases_of_each; ++i)
    cases.push_back(i % 2 == 0 ? generator.make(i) : near_zero(plan, generator.make(i), i));
  return cases;
}

TEST(FastProducts, OfDrawnDatapathsAreCores) {
  std::size_t by_kernel = 0, planned = 0;
  for (std::uint64_t number = 0; number < drawn_datapaths; ++number) {
    const auto made = plan(Drawn(number).datapath(), k);
    const Plan* drawn = std::get_if<Plan>(&made);
    if (drawn == nullptr) continue;
    ++planned;
    if (Kernel(*drawn).path() != "64-bit lanes") continue;
    ++by_kernel;
    SCOPED_TRACE("datapath " + std::to_string(number));
    ASSERT_NO_FATAL_FAILURE(expect_batch_equals_core(*drawn, cases_of(*drawn)));
  }
  EXPECT_GT(planned, drawn_datapaths / 4);
  EXPECT_GT(by_kernel, planned / 2);
}

// value x 2^quantum
Code eleven_bits(const Format& f16, std::uint64_t value, int quantum) {
  if (value == 0) return 0;
  const int length = bit_length(value);
  return normal_code(f16, false, quantum + length - 1, value << (11 - length) & 0x3ff);
}

// A sum of 46 bits whose product with 15 x 15, of 54, is one less than a multiple of 2^30: as a double it is that
// multiple. Each term is 11 bits of the sum, in f16, times a power of two.
Case beside_a_multiple(const Plan& plan) {
  const Format& f16 = plan.a;
  std::uint64_t inverse = 1;  // of 225, modulo 2^64
  for (int i = 0; i < 6; ++i) inverse *= 2 - 225 * inverse;
  std::uint64_t sum = std::uint64_t{0xabcd} << 30 | (-inverse & ((std::uint64_t{1} << 30) - 1));
  Case one;
  one.a.assign(static_cast<std::size_t>(plan.k), 0);
  one.b = one.a;
  for (std::size_t term = 0; sum != 0; ++term, sum >>= 11) {
    const int scale = 11 * static_cast<int>(term) - 32;
    one.a[term] = eleven_bits(f16, sum & 0x7ff, scale / 2 - 4);
    one.b[term] = power_code(f16, false, scale - scale / 2);
  }
  one.scale_a = one.scale_b = {0x3f};  // 15 / 8
  one.c = 0;
  return one;
}

TEST(FastProducts, ScaledSumsAreDoublesOrCores) {
  for (const int keep : {20, 38, 40, 44, 46}) {
    Datapath words = test::group_scaled();
    words.operands = {"f16", "f16", "f32", "f32", "e4m3", 16};
    words.adders[0].window.exponent = WindowExponent::largest;
    words.adders[0].add[0].keep = keep;
    const Plan plan = test::planned(words, 16);
    EXPECT_EQ(Kernel(plan).path(), keep < 40 ? "64-bit lanes" : "core") << keep;
    expect_batch_equals_core(plan, cases_of_families(plan, 300));
    expect_batch_equals_core(plan, {beside_a_multiple(plan)});
  }
}

// A zero that counts with an exponent of its own keeps the sum of a group from being empty.
TEST(FastProducts, GroupsOfZerosThatCountRaiseAWindow) {
  for (const int at : {-2, 0, 3, 8, 40}) {
    for (const std::optional<int> empty : {std::optional<int>{}, std::optional<int>{0}}) {
      Datapath words = test::group_scaled();
      words.adders[0].window.at = at;
      words.adders[0].add[0].empty = empty;
      const Plan plan = test::planned(words, 64);
      EXPECT_EQ(Kernel(plan).path(), empty ? "64-bit lanes" : "integer groups");
      std::vector<Case> cases = cases_of_families(plan, 200);
      for (Case& one : cases) {
        std::fill(one.a.begin(), one.a.begin() + 48, 0);
        one.c = 0;
      }
      expect_batch_equals_core(plan, cases);
    }
  }
}

// 2^30 less one unit of a window that stands still: 66 bits, of which cutting sees the last.
TEST(FastProducts, SumsThatTheirWindowHardlyHoldsAreCores) {
  for (const int product_keep : {0, 3, 24}) {
    Datapath words = test::fused(24);
    words.operands.c = words.operands.d = "f32";
    words.adders.front().add[0].keep = product_keep;
    words.adders.front().window = Window{};
    words.adders.front().window.exponent = WindowExponent::fixed;
    words.adders.front().window.at = -12;
    const Plan plan = test::planned(words, 2);
    EXPECT_EQ(Kernel(plan).path(), "64-bit lanes");
    std::vector<Case> cases;
    for (int power = 0; power <= 15; ++power) {
      for (const bool negative : {false, true}) {
        Case one;
        one.a = {power_code(plan.a, false, power), 0};
        one.b = one.a;
        one.c = power_code(plan.c, negative, -36);
        cases.push_back(one);
      }
    }
    expect_batch_equals_core(plan, cases);
  }
}

// A product that is rounded up to 2^8 is an infinity.
TEST(FastProducts, RoundedUpToAnInfinityAreCores) {
  Datapath words = test::fused(20);
  words.operands.c = words.operands.d = "f32";
  words.product.infinity_at = 8;
  for (const Result& round : {test::to_format("bf16", Cut::nearest_even),
                              test::at_leading_one(2, Cut::up, std::nullopt), test::at_window(0, Cut::up)}) {
    words.product.round = round;
    const Plan plan = test::planned(words, 1);
    EXPECT_EQ(Kernel(plan).path(), "64-bit lanes");
    std::vector<Case> cases;
    for (Code a = 0x4b00; a <= 0x4c10; ++a) {  // 14 to 16.25
      Case one;
      one.a = {a};
      one.b = {a};
      cases.push_back(one);
    }
    expect_batch_equals_core(plan, cases);
  }
}

// A sum right at the least normal number of e5m2, 2^-14, and a product that is lost below it:
//
//   a[0] x 2^-9     1 . 1 1 | 1 x 2^-15      rounded to two bits after the point it is 2^-14, or not
//   2^-9 x 2^-9                  lost
std::vector<Case> around_the_least_normal(const Plan& plan) {
  constexpr Code least = 1;  // 2^-9
  std::vector<Case> cases;
  for (Code a = 0; a < 0x20; ++a) {
    for (const Code sign : {Code{0}, Code{0x80}}) {
      for (const Code second : {Code{0}, least, sign | least}) {
        Case one;
        one.a = {a | sign, second};
        one.b = {least, least};
        one.c = zero_code(plan.c, sign != 0);
        cases.push_back(one);
      }
    }
  }
  return cases;
}

TEST(FastProducts, ALostOneIsSeenWhereTinySumsAreFlushed) {
  std::set<std::vector<Code>> results;
  int changed = 0;
  for (const Cut cut : {Cut::toward_zero, Cut::down, Cut::up, Cut::nearest_even, Cut::nearest_away, Cut::to_odd}) {
    for (const Tiny tiny : {Tiny::result, Tiny::before, Tiny::after}) {
      for (int keep = 1; keep <= 6; ++keep) {
        Datapath words = test::fused(keep);
        words.operands = {"e4m3", "e4m3", "e5m2", "e5m2", "", 0};
        words.nan.reset();
        words.adders.front().window.floor.reset();
        words.adders.front().results = {test::to_format("d", cut)};
        words.adders.front().results.front().subnormals = Subnormals::zero;
        words.adders.front().results.front().tiny = tiny;
        std::vector<Code> without;
        for (const Sticky sticky : {Sticky::none, Sticky::at_result}) {
          words.adders.front().sticky = sticky;
          const Plan plan = test::planned(words, 2);
          const std::vector<Case> cases = around_the_least_normal(plan);
          EXPECT_EQ(Kernel(plan).path(), "64-bit lanes");
          expect_batch_equals_core(plan, cases);
          const std::vector<Code> d = by_core(plan, operands_of(cases));
          changed += sticky == Sticky::at_result && d != without ? 1 : 0;
          without = d;
          results.insert(d);
        }
      }
    }
  }
  EXPECT_GT(changed, 10);
  EXPECT_GT(results.size(), 8U);
}

}  // namespace
}  // namespace assay
