// Each family against the mistakes it exists to catch: a datapath with one word changed must give another d for some of
// the family's cases.
#include <functional>

#include "model/core/dot.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/generate/plans.hpp"

namespace assay {
namespace {

struct Mutant {
  std::string name;
  std::string family;
  Shaped shaped;
  std::function<void(Datapath&)> change;
};

void PrintTo(const Mutant& mutant, std::ostream* out) { *out << mutant.family << " catches " << mutant.name; }

int caught(const Mutant& mutant, std::uint64_t cases, std::uint64_t seed = 1) {
  Datapath changed = mutant.shaped.datapath;
  mutant.change(changed);
  const Plan good = planned(mutant.shaped), bad = planned(changed, mutant.shaped.k);
  const Family* family = find_family(good, mutant.family);
  if (family == nullptr) return 0;
  const Generator generator(good, seed, family);
  Registers registers;
  int differ = 0;
  for (std::uint64_t i = 0; i < cases; ++i) {
    const Case made = generator.make(i);
    differ += dot(good, made.operand(), registers) != dot(bad, made.operand(), registers) ? 1 : 0;
  }
  return differ;
}

class Mutants : public testing::TestWithParam<Mutant> {};

TEST_P(Mutants, AreCaught) {
  const int differ = caught(GetParam(), 1000);
  RecordProperty("caught", differ);
  EXPECT_GT(differ, 0);
}

// What a family is directed at, it has by the time its turns of level 1 are over, whatever the seed.
std::uint64_t turns_of_level_one(const Plan& plan) { return 5000 / families_for(plan).size(); }

class Directed : public testing::TestWithParam<Mutant> {};

TEST_P(Directed, AreCaughtWithAnySeed) {
  const std::uint64_t turns = turns_of_level_one(planned(GetParam().shaped));
  for (const std::uint64_t seed : {2ULL, 42ULL, 271828ULL, 1913388632ULL, 18446744073709551615ULL}) {
    EXPECT_GT(caught(GetParam(), turns, seed), 0) << "seed " << seed;
  }
}

Input& first_input(Datapath& d) { return d.adders.back().add[0]; }
Input& acc_input(Datapath& d) { return d.adders.back().add[1]; }
Result& last_result(Datapath& d) { return d.adders.back().results.back(); }

std::function<void(Datapath&)> product_keep(int keep) {
  return [keep](Datapath& d) { first_input(d).keep = keep; };
}
std::function<void(Datapath&)> acc_keep(int keep) {
  return [keep](Datapath& d) { acc_input(d).keep = keep; };
}
std::function<void(Datapath&)> result_cut(Cut cut) {
  return [cut](Datapath& d) { last_result(d).cut = cut; };
}
std::function<void(Datapath&)> result_subnormals(Subnormals subnormals) {
  return [subnormals](Datapath& d) { last_result(d).subnormals = subnormals; };
}
std::function<void(Datapath&)> window_floor(int floor) {
  return [floor](Datapath& d) { d.adders.back().window.floor = floor; };
}

std::vector<Mutant> mutants() {
  const auto zero_sign = [](Datapath& d) { d.adders[0].zero = ZeroSign::ieee; };
  const auto product_down = [](Datapath& d) { first_input(d).cut = Cut::down; };
  const auto acc_down = [](Datapath& d) { acc_input(d).cut = Cut::down; };
  const auto sticky = [](Datapath& d) { d.adders.back().sticky = Sticky::below_sum; };
  const auto coarse_window = [](Datapath& d) { d.adders.back().window.step = 2; };
  const auto lost_below = [](Datapath& d) { acc_input(d).lost_below = 20; };
  const auto to_largest = [](Datapath& d) { last_result(d).overflow = Overflow::largest; };
  const auto late_infinity = [](Datapath& d) { d.product.infinity_at = 129; };
  const auto early_infinity = [](Datapath& d) { d.product.infinity_at = 127; };
  const auto no_infinity = [](Datapath& d) { d.product.infinity_at.reset(); };
  const auto flush_a = [](Datapath& d) { d.subnormals_a = Subnormals::zero; };
  const auto flush_b = [](Datapath& d) { d.subnormals_b = Subnormals::zero; };
  const auto flush_c = [](Datapath& d) { d.subnormals_c = Subnormals::zero; };
  const auto flush_d = [](Datapath& d) { last_result(d).subnormals = Subnormals::zero; };
  const auto keep_a = [](Datapath& d) { d.subnormals_a = Subnormals::keep; };
  const auto keep_d = [](Datapath& d) { last_result(d).subnormals = Subnormals::keep; };
  const auto keep_products = [](Datapath& d) { d.product.round->subnormals = Subnormals::keep; };
  const auto positive_zero = [](Datapath& d) { d.adders.back().zero = ZeroSign::positive; };
  const auto other_nan = [](Datapath& d) { d.nan = Nan{false, 0x7fffffff}; };
  const auto no_specials = [](Datapath& d) {
    d.specials = Specials::numbers;
    last_result(d).overflow = Overflow::largest;
  };
  const auto normalised = [](Datapath& d) { d.product.exponent = ProductExponent::normalised; };
  const auto zero_products_count = [](Datapath& d) { first_input(d).empty = 0; };
  const auto zero_c_counts = [](Datapath& d) { acc_input(d).empty = 0; };
  const auto one_step = [](Datapath& d) { d.step.terms.reset(); };
  const auto strided_steps = [](Datapath& d) { d.step.deal = Deal::strided; };
  const auto serial = [](Datapath& d) { d.adders[0].shape = Shape::serial; };
  const auto halves = [](Datapath& d) { d.adders[0].shape = Shape::halves; };
  const auto short_keep = [](Datapath& d) { d.adders[0].results[0].keep = 12; };
  const auto long_keep = [](Datapath& d) { d.adders[0].results[0].keep = 14; };
  const auto signed_a = [](Datapath& d) { d.subnormals_a = Subnormals::signed_zero; };
  const auto by_step = [](Datapath& d) {
    d.nan = Nan{true, 0};
    d.specials = Specials::step;
  };
  const auto halved_groups = [](Datapath& d) { d.adders[0].group->terms = 8; };
  const auto ue8m0 = e2m1_scaled("ue8m0", 32), ue4m3 = e2m1_scaled("ue4m3", 16);
  return {
      {"product_keep_24", "alignment", f16(), product_keep(24)},
      {"product_keep_26", "alignment", f16(), product_keep(26)},
      {"acc_keep_24", "alignment", f16(), acc_keep(24)},
      {"acc_keep_26", "alignment", f16(), acc_keep(26)},
      {"product_down", "alignment", f16(), product_down},
      {"acc_down", "alignment", f16(), acc_down},
      {"sticky", "rounding", f16_to_f16(), sticky},
      {"coarse_window", "alignment", f16(), coarse_window},
      {"lost_below", "alignment", f16(), lost_below},
      {"product_keep_26", "cancellation", f16_to_f16(), product_keep(26)},
      {"product_keep_24_tf32", "alignment", tf32(), product_keep(24)},
      {"product_keep_25_bf16", "alignment", bf16_in_steps(), product_keep(25)},
      {"one_step", "alignment", bf16_in_steps(), one_step},
      {"strided_steps", "alignment", bf16_in_steps(), strided_steps},
      {"product_keep_12_e4m3", "alignment", e4m3(), product_keep(12)},
      {"product_keep_14_e4m3", "alignment", e4m3(), product_keep(14)},
      {"acc_keep_14_e4m3", "alignment", e4m3(), acc_keep(14)},
      {"group_keep_34", "alignment", ue8m0, product_keep(34)},
      {"acc_keep_34", "alignment", ue8m0, acc_keep(34)},
      {"group_keep_34_ue4m3", "alignment", ue4m3, product_keep(34)},
      {"serial_tree", "alignment", bf16_lanes(), serial},
      {"halves_tree", "alignment", bf16_lanes(), halves},
      {"normalised_products", "largest", f16(), normalised},
      {"coarse_window", "largest", f16(), coarse_window},
      {"product_keep_24", "cancellation", f16(), product_keep(24)},
      {"product_keep_26", "cancellation", f16(), product_keep(26)},
      {"acc_keep_26", "cancellation", f16(), acc_keep(26)},
      {"acc_keep_12", "cancellation", e4m3(), acc_keep(12)},
      {"acc_keep_36", "cancellation", ue8m0, acc_keep(36)},
      {"up", "rounding", f16(), result_cut(Cut::up)},
      {"down", "rounding", f16(), result_cut(Cut::down)},
      {"to_odd", "rounding", f16(), result_cut(Cut::to_odd)},
      {"nearest_even", "rounding", f16(), result_cut(Cut::nearest_even)},
      {"nearest_away", "rounding", f16_to_f16(), result_cut(Cut::nearest_away)},
      {"toward_zero", "rounding", f16_to_f16(), result_cut(Cut::toward_zero)},
      {"nearest_away_f64", "rounding", f64_chain(), result_cut(Cut::nearest_away)},
      {"toward_zero_f64", "rounding", f64_chain(), result_cut(Cut::toward_zero)},
      {"keep_12_e4m3", "rounding", e4m3(), short_keep},
      {"keep_14_e4m3", "rounding", e4m3(), long_keep},
      {"nearest_even_ue8m0", "rounding", ue8m0, result_cut(Cut::nearest_even)},
      {"nearest_even_ue4m3", "rounding", ue4m3, result_cut(Cut::nearest_even)},
      {"product_keep_24", "rounding", f16(), product_keep(24)},
      {"flush_a", "subnormals", f16(), flush_a},
      {"flush_b", "subnormals", f16(), flush_b},
      {"flush_a_e4m3", "subnormals", e4m3(), flush_a},
      {"flush_a_e2m1", "subnormals", ue8m0, flush_a},
      {"flush_c", "subnormals", bf16_in_steps(), flush_c},
      {"flush_d", "subnormals", bf16_in_steps(), flush_d},
      {"flush_d_f16", "subnormals", f16_to_f16(), flush_d},
      {"floor_below", "floors", bf16_in_steps(), window_floor(-133)},
      {"floor_above", "floors", bf16_in_steps(), window_floor(-131)},
      {"floor_below_f16", "floors", f16_to_f16(), window_floor(-22)},
      {"floor_above_f16", "floors", f16_to_f16(), window_floor(-20)},
      {"floor_below_tf32", "floors", tf32(), window_floor(-134)},
      {"floor_above_ue8m0", "floors", ue8m0, window_floor(-138)},
      {"floor_below_ue8m0", "floors", ue8m0, window_floor(-140)},
      {"flush_b", "tiny", f16(), flush_b},
      {"flush_c", "tiny", f16(), flush_c},
      {"to_largest", "overflow", bf16_in_steps(), to_largest},
      {"to_largest_f16", "overflow", f16_to_f16(), to_largest},
      {"down_at_the_end", "overflow", f16_to_f16(), result_cut(Cut::toward_zero)},
      {"late_infinity", "overflow", bf16_lanes(), late_infinity},
      {"early_infinity", "overflow", bf16_lanes(), early_infinity},
      {"no_infinity", "overflow", bf16_lanes(), no_infinity},
      {"serial_tree", "overflow", bf16_operations(), serial},
      {"keep_d", "subnormals", bf16_operations(), keep_d},
      {"keep_products", "subnormals", bf16_operations(), keep_products},
      {"keep_a", "subnormals", bf16_operations(), keep_a},
      {"zero_sign", "signed_zeros", bf16_operations(), positive_zero},
      {"halves_tree", "alignment", bf16_operations(), halves},
      {"serial_tree", "alignment", bf16_operations(), serial},
      {"other_nan", "specials", f16(), other_nan},
      {"no_specials", "specials", f16(), no_specials},
      {"other_nan_e4m3", "specials", e4m3(), other_nan},
      {"other_nan_f16", "raw", f16(), other_nan},
      {"zero_sign", "signed_zeros", f16(), zero_sign},
      {"zero_sign_e4m3", "signed_zeros", e4m3(), zero_sign},
      {"zero_products_count", "zero_times_huge", f16(), zero_products_count},
      {"zero_c_counts", "zero_times_huge", f16(), zero_c_counts},
      {"result_up", "near_exponents", f16(), result_cut(Cut::up)},
      {"acc_keep_12_e4m3", "near_exponents", e4m3(), acc_keep(12)},
      {"product_keep_24", "gaussian", f16(), product_keep(24)},
      {"product_keep_12_e4m3", "gaussian", e4m3(), product_keep(12)},
      {"strided_steps", "gaussian", bf16_in_steps(), strided_steps},
      {"product_keep_24", "log_uniform", f16(), product_keep(24)},
      {"to_largest", "integer_edges", i8(), to_largest},
      {"product_keep_24", "ties", f16_to_f16(), product_keep(24)},
      {"product_keep_26", "ties", f16_to_f16(), product_keep(26)},
      {"nearest_away", "ties", f16_to_f16(), result_cut(Cut::nearest_away)},
      {"floor_above_one_block", "floors", e2m1_in_one_block(), window_floor(-132)},
      {"floor_below_one_block", "floors", e2m1_in_one_block(), window_floor(-134)},
      {"flush_d", "vanishing", bf16_operations(), result_subnormals(Subnormals::zero)},
      {"keep_d", "vanishing", bf16_operations(), result_subnormals(Subnormals::keep)},
      {"positive_zero", "vanishing", bf16_operations(), positive_zero},
      {"signed_a", "vanishing", bf16_operations(), signed_a},
      {"other_nan", "nan_payloads", bf16_operations(), other_nan},
      {"specials_by_step", "nan_payloads", bf16_operations(), by_step},
      {"groups_halved", "scale_blocks", ue8m0, halved_groups},
      {"acc_keep_34", "scale_blocks", ue8m0, acc_keep(34)},
      {"one_step", "chain_boundaries", bf16_in_steps(), one_step},
      {"strided_steps", "chain_boundaries", bf16_in_steps(), strided_steps},
      {"acc_keep_23", "chain_boundaries", bf16_in_steps(), acc_keep(23)},
      {"product_keep_24", "outliers", f16(), product_keep(24)},
      {"acc_keep_24", "ill_conditioned", f16(), acc_keep(24)},
  };
}

INSTANTIATE_TEST_SUITE_P(Families, Mutants, testing::ValuesIn(mutants()),
                         [](const testing::TestParamInfo<Mutant>& info) {
                           return info.param.family + "_" + info.param.name + "_" + info.param.shaped.name;
                         });

Result& first_result(Datapath& d) { return d.adders.back().results.front(); }

std::function<void(Datapath&)> product_cut(Cut cut) {
  return [cut](Datapath& d) { first_input(d).cut = cut; };
}

std::vector<Mutant> directed() {
  // c at the top of f16 against products of few bits: nothing but c reaches so far that they are cut.
  Datapath narrow = fused("e4m3", "f16", 25, -21, Cut::nearest_even);
  narrow.operands.b = "e2m3";
  const Shaped e4m3_e2m3{"e4m3_e2m3", narrow, 32};
  const auto late_least = [](int by) { return [by](Datapath& d) { *first_result(d).least_exponent += by; }; };
  const auto late_down = [](Cut cut) { return [cut](Datapath& d) { first_input(d).cut = cut; }; };
  const auto lost = [](Datapath& d) { *acc_input(d).lost_below -= 1; };
  const auto lost_later = [](Datapath& d) { *acc_input(d).lost_below += 1; };
  const auto keep_pairs = [](Datapath& d) { d.adders[0].results[0].subnormals = Subnormals::keep; };
  const auto largest_lanes = [](Datapath& d) { d.adders[0].results[0].overflow = Overflow::largest; };
  const auto normalised = [](Datapath& d) { d.product.exponent = ProductExponent::normalised; };
  std::vector<Mutant> found{
      {"nearest_even", "cut_edges", e4m3_e2m3, product_cut(Cut::nearest_even)},
      {"normalised", "cut_edges", f16(), normalised},
      {"lost_earlier", "cut_edges", late_floor(), lost},
      {"lost_later", "cut_edges", late_floor(), lost_later},
      {"keep_23", "cut_edges", bf16_in_steps(), acc_keep(23)},
      {"keep_25", "cut_edges", bf16_in_steps(), acc_keep(25)},
      {"dot_to_odd", "ties", late_floor(), late_down(Cut::to_odd)},
      {"dot_toward_zero", "ties", late_floor(), late_down(Cut::toward_zero)},
      {"least_above", "floors", late_floor(), late_least(1)},
      {"least_below", "floors", late_floor(), late_least(-1)},
      {"keep_pairs", "floors", bf16_operations(), keep_pairs},
      {"largest_tree", "overflow", bf16_lanes(), largest_lanes},
      {"minus_zero", "slices", bf16_passes(), result_subnormals(Subnormals::signed_zero)},
      {"floor_above", "slices", f32_bytes(), window_floor(-131)},
      {"floor_below", "slices", f32_bytes(), window_floor(-133)},
      {"normalised", "rounded_elements", f16_leading(), normalised},
      {"encoded_a", "rounded_elements", f16_leading(), [](Datapath& d) { d.factor_a.round.reset(); }},
      {"encoded_b", "rounded_elements", f16_leading(), [](Datapath& d) { d.factor_b.round.reset(); }},
  };
  for (const Cut cut : {Cut::toward_zero, Cut::down, Cut::up, Cut::nearest_away, Cut::to_odd})
    found.push_back({std::string(word(cut)), "cut_twice", bf16_passes(), product_cut(cut)});
  for (const int by : {-1, 1}) {
    const std::string more = by > 0 ? "more" : "less";
    found.push_back({"keep_" + more, "cut_twice", bf16_passes(), product_keep(23 + by)});
    found.push_back({"last_a_" + more, "slices", f32_bytes(), [by](Datapath& d) { *d.slices.pairs[4].a_bits += by; }});
    found.push_back({"last_b_" + more, "slices", f32_bytes(), [by](Datapath& d) { *d.slices.pairs[4].b_bits += by; }});
  }
  for (const Shape shape : {Shape::neighbours, Shape::halves, Shape::serial})
    found.push_back(
        {std::string(word(shape)), "lost_alone", f16_leading(), [shape](Datapath& d) { d.adders[0].shape = shape; }});
  for (const std::size_t i : {1, 2, 3})
    found.push_back({"pair_" + std::to_string(i) + "_first", "slices", i8_passes(),
                     [i](Datapath& d) { std::swap(d.slices.pairs[i - 1], d.slices.pairs[i]); }});
  for (const Shaped& shaped : {f16(), f16_to_f16(), tf32(), e4m3(), e2m1_scaled("ue8m0", 32)}) {
    for (const Cut cut : {Cut::down, Cut::up, Cut::nearest_even, Cut::nearest_away, Cut::to_odd}) {
      if (shaped.name == "e2m1_ue8m0") break;  // its groups are exact
      found.push_back({std::string(word(cut)), "cut_edges", shaped, product_cut(cut)});
    }
    const int keep = *shaped.datapath.adders.back().add[0].keep;
    found.push_back({"keep_less", "cut_edges", shaped, product_keep(keep - 1)});
    found.push_back({"keep_more", "cut_edges", shaped, product_keep(keep + 1)});
  }
  return found;
}

INSTANTIATE_TEST_SUITE_P(Families, Directed, testing::ValuesIn(directed()),
                         [](const testing::TestParamInfo<Mutant>& info) {
                           return info.param.family + "_" + info.param.name + "_" + info.param.shaped.name;
                         });

// An unchanged datapath is not caught: the comparison itself tells nothing apart that is equal.
TEST(Mutants, AnEqualDatapathIsNotCaught) {
  for (const char* family : {"raw", "alignment", "specials"}) {
    EXPECT_EQ(caught({"equal", family, f16(), [](Datapath&) {}}, 300), 0);
  }
}

}  // namespace
}  // namespace assay
