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
constexpr std::uint64_t drawn_datapaths = 1200;
#else
constexpr std::uint64_t drawn_datapaths = 120;
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
    if (now_and_then()) d.factor_a.round = test::at_leading_one(1, any_cut(), std::nullopt);
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
    if (draws_.coin()) std::swap(adder.add[0], adder.add[1]);
    adder.shape = any<Shape>();
    adder.sticky = any<Sticky>();
    adder.zero = any<ZeroSign>();
    adder.cancelled = any<Cancelled>();
    if (draws_.coin()) adder.window.floor.reset();
    if (now_and_then()) adder.window.raise = draws_.between(1, 2);
    if (now_and_then()) adder.window.step = draws_.between(2, 5);
    if (now_and_then()) adder.window.lost_at = draws_.between(-30, 0);
    adder.results = {test::to_format("d", any_cut())};
    format_words(adder.results.front());
    if (draws_.coin()) adder.results.insert(adder.results.begin(), result());
  }

  Draws draws_;
};

// Half of all have small codes and zeros of both signs, whose sums are often zero or end right beside a result.
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
  return one;
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

}  // namespace
}  // namespace assay
