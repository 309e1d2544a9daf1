#include "tb/probe/features.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/generate/codes.hpp"

namespace assay::probe {
namespace {

using exact::Datum;
using exact::Kind;

// 2^(top - bits) for the most bits that `question` still finds in d, from 1 on.
template <class Question>
std::optional<Width> most_bits(const Workbench& bench, Asker& asker, const Question& question) {
  const Exponents powers = bench.powers();
  std::vector<Case> cases;
  std::vector<Value> expected;
  for (int bits = 1; bits <= powers.greatest - powers.least; ++bits) {
    Value sum;
    const auto made = bench.with(question(power(powers.greatest - bits), sum));
    if (!made) break;
    cases.push_back(*made);
    expected.push_back(sum);
  }
  const std::vector<Datum> results = asker.numbers(cases);
  int bits = 0;
  while (bits < static_cast<int>(results.size()) &&
         equals(results[static_cast<std::size_t>(bits)], expected[static_cast<std::size_t>(bits)])) {
    ++bits;
  }
  if (results.empty()) return std::nullopt;
  return Width{bits, bits == static_cast<int>(results.size())};
}

// Two addends beside `addend` in its sum, whose sizes are then known to be aligned with its own.
std::optional<std::array<int, 2>> neighbours(const Node& sum, int addend) {
  std::vector<int> others;
  for (const Node& child : sum.children) {
    if (child.first_leaf() != addend) others.push_back(child.first_leaf());
  }
  if (others.size() < 2) return std::nullopt;
  return std::array<int, 2>{others[others.size() - 2], others.back()};
}

// X - X + 2^-n X where three meet in one sum; X + 2^-n X where two do.
std::optional<Width> width_of(const Workbench& bench, Asker& asker, const Node& tree, int addend) {
  const Node* sum = sum_of(tree, addend);
  if (sum == nullptr) return std::nullopt;
  const Value top = power(bench.powers().greatest);
  if (const auto beside = neighbours(*sum, addend)) {
    return most_bits(bench, asker, [&](const Value& small, Value& expected) {
      expected = small;
      return Addends{{(*beside)[0], top}, {(*beside)[1], minus(top)}, {addend, small}};
    });
  }
  // A block of scales hides its terms: what two addends show is then the width of d, not of the sum.
  if (bench.free_addends().size() == 2 && bench.plan().k > 1) return std::nullopt;
  const int other = sum->children.front().first_leaf() == addend ? sum->children.back().first_leaf()
                                                                 : sum->children.front().first_leaf();
  const Value under = power(bench.powers().greatest - 1);  // so that the sum is still in range
  const std::optional<Width> width = most_bits(bench, asker, [&](const Value& small, Value& expected) {
    const int bits = under.exponent - small.exponent + 1;
    const Value fraction = power(under.exponent - bits);
    expected = bits < 62 ? Value{(std::int64_t{1} << bits) + 1, fraction.exponent} : fraction;
    return Addends{{other, under}, {addend, fraction}};
  });
  // Beyond d's own bits two addends show nothing of their sum.
  if (!width || width->bits < bench.plan().d.mantissa_bits) return width;
  return Width{width->bits, true};
}

bool fewer(const Width& x, const Width& y) { return x.bits < y.bits; }

// What stands for 1: a power with room for quarters of the result's unit below it.
int one_of(const Workbench& bench, int result_bits) {
  return std::min(bench.powers().greatest - 1, std::max(0, bench.powers().least + result_bits + 4));
}

// +-1 + f u, f in quarters.
std::optional<Case> one_and(const Workbench& bench, const Places& in, bool negative, int quarters, int result_bits) {
  const int top = one_of(bench, result_bits);
  const Value one = power(top), fraction{quarters, top - result_bits - 2};
  return bench.with({{in.one, negative ? minus(one) : one}, {in.fraction, negative ? minus(fraction) : fraction}});
}

std::optional<int> units_beyond_one(const Workbench& bench, const Datum& d, bool negative, int result_bits) {
  if (d.kind != Kind::finite) return std::nullopt;
  const int top = one_of(bench, result_bits);
  const exact::Dyadic rest = d.value - exactly(negative ? minus(power(top)) : power(top));
  const mpz_class units = units_in(rest, top - result_bits, exact::Rounding::toward_zero);
  const bool whole = sign(rest - exact::Dyadic{units, top - result_bits}) == 0;
  if (!whole || abs(units) > 2) return std::nullopt;
  return static_cast<int>(units.get_si());
}

struct Pattern {
  const char* name;
  std::array<int, 4> units;
};

constexpr Pattern modes[] = {{"up", {1, 1, 0, 0}},
                             {"down", {0, 0, -1, -1}},
                             {"toward zero", {0, 0, 0, 0}},
                             {"away from zero", {1, 1, -1, -1}},
                             {"nearest", {1, 0, -1, 0}}};
constexpr Pattern tie_rules[] = {{"ties up", {1, 2, 0, -1}},          {"ties down", {0, 1, -1, -2}},
                                 {"ties toward zero", {0, 1, 0, -1}}, {"ties away", {1, 2, -1, -2}},
                                 {"ties to even", {0, 2, 0, -2}},     {"ties to odd", {1, 1, -1, -1}}};

template <std::size_t N>
std::string name_of(const Pattern (&patterns)[N], const std::array<std::optional<int>, 4>& found) {
  for (const Pattern& p : patterns) {
    bool same = true;
    for (std::size_t i = 0; i < 4; ++i) same = same && found[i] == p.units[i];
    if (same) return p.name;
  }
  return {};
}

class Features {
 public:
  Features(const Workbench& bench, Asker& asker, const Node& tree, int result_bits)
      : bench_(bench), plan_(bench.plan()), asker_(asker), tree_(tree), u_(-result_bits) {}

  std::vector<Feature> all() {
    subnormals();
    zeros();
    specials();
    overflow();
    sums();
    return std::move(found_);
  }

 private:
  // --- asking ---

  using Reading = std::string (*)(const Datum&);

  void ask(const std::string& group, const std::string& question, const std::optional<Case>& made, Reading reading) {
    if (!made) return;
    const Code d = asker_.code(*made);
    found_.push_back({group, question, reading(exact::decode(plan_.d, d)), d});
  }

  static std::string kept(const Datum& d) {
    if (d.kind != Kind::finite) return what(d);
    return is_zero(d) ? "taken as zero" : "kept";
  }
  static std::string zero_sign(const Datum& d) { return d.negative ? "-0" : "+0"; }
  static std::string held(const Datum& d) {
    return d.kind == Kind::finite ? "held" : d.kind == Kind::nan ? "NaN" : "becomes infinity";
  }
  static std::string what(const Datum& d) {
    return d.kind == Kind::nan ? "NaN" : d.kind == Kind::infinity ? (d.negative ? "-inf" : "+inf") : "a number";
  }

  // --- groups ---

  // Half of the least normal number, times something that makes a result far from d's own subnormals.
  void subnormals() {
    const auto operand = [&](bool in_a) -> std::optional<Case> {
      const Format& small = in_a ? plan_.a : plan_.b;
      const Format& large = in_a ? plan_.b : plan_.a;
      const auto half = code_of(small, power(small.least_exponent() - 1));
      if (!half || plan_.scales > 0) return std::nullopt;
      Case made = *bench_.with({});
      (in_a ? made.a : made.b).front() = *half;
      (in_a ? made.b : made.a).front() = power_code(large, false, std::min(10, large.greatest_exponent()));
      return made;
    };
    ask("subnormals", "as an element of a", operand(true), kept);
    ask("subnormals", "as an element of b", operand(false), kept);
    ask("subnormals", "as c", bench_.with({{bench_.c(), power(plan_.c.least_exponent() - 1)}}), kept);
    const int least = plan_.d.least_exponent();
    ask("subnormals", "as a product", bench_.with({{0, power(least - 1)}}), kept);
    ask("subnormals", "as a sum", bench_.with({{0, {3, least - 1}}, {bench_.c(), minus(power(least))}}), kept);
  }

  // (-0) + (+0)(-0)
  void zeros() {
    if (!plan_.c.has_signed_zero || !plan_.d.has_signed_zero) return;
    Case made = *bench_.with({});
    made.c = zero_code(plan_.c, true);
    if (plan_.b.has_signed_zero) std::fill(made.b.begin(), made.b.end(), zero_code(plan_.b, true));
    const bool all_on = bench_.products().size() == made.b.size();  // one that is off is +0
    if (all_on) ask("zero", "-0 and products that are all -0", made, zero_sign);
    ask("zero", "x - x", bench_.with({{0, power(0)}, {bench_.c(), minus(power(0))}}), zero_sign);
  }

  void specials() {
    if (plan_.a.has_infinity && plan_.b.has_infinity) {
      Case made = *bench_.with({});
      made.a.front() = infinity_code(plan_.a, false);
      ask("special values", "0 x inf", made, what);
      made.b.front() = one_code(plan_.b);
      ask("special values", "inf + 1", made, what);
      const auto last = static_cast<std::size_t>(bench_.products().back());
      made.a[last] = infinity_code(plan_.a, true);
      made.b[last] = one_code(plan_.b);
      if (last > 0) ask("special values", "inf - inf, in two products", made, what);
    }
    if (plan_.a.has_infinity && plan_.c.has_infinity) {
      Case made = *bench_.with({});
      made.a.front() = infinity_code(plan_.a, false);
      made.b.front() = one_code(plan_.b);
      made.c = infinity_code(plan_.c, true);
      ask("special values", "inf - inf, in a product and c", made, what);
    }
  }

  void overflow() {
    const int top = plan_.d.greatest_exponent();
    const int c_top = std::min(top, plan_.c.greatest_exponent());
    ask("overflow", "of a product: 2^" + std::to_string(c_top + 1) + " in a product, and its half taken off in c",
        bench_.with({{0, power(c_top + 1)}, {bench_.c(), minus(power(c_top))}}), held);
    if (bench_.free_addends().size() > 2) {
      const int second = bench_.free_addends()[1];
      ask("overflow", "between: 2^E + 2^E in products, and 2^E taken off in c",
          bench_.with({{0, power(c_top)}, {second, power(c_top)}, {bench_.c(), minus(power(c_top))}}), held);
    }
    // The greatest number is (2 - u) 2^E.
    for (const bool negative : {false, true}) {
      for (const int quarters : {1, 2, 3}) {
        const std::int64_t all_ones = (std::int64_t{1} << (1 - u_)) - 1;
        Value c{all_ones, top + u_}, fraction{quarters, top + u_ - 2};
        if (negative) c = minus(c), fraction = minus(fraction);
        ask("overflow", fmt::format("{}(2 - u) 2^E and .{}u 2^E more", negative ? "-" : "", 25 * quarters),
            bench_.with({{0, fraction}, {bench_.c(), c}}), held);
      }
    }
  }

  // The products that are added directly in the sum where most are.
  std::vector<int> widest() const {
    std::vector<int> best;
    const std::vector<const Node*> sums = all_sums(tree_);
    for (const Node* sum : sums) {
      std::vector<int> products;
      for (const Node& child : sum->children) {
        if (child.is_leaf() && child.addend != bench_.c()) products.push_back(child.addend);
      }
      if (products.size() > best.size()) best = products;
    }
    return best;
  }

  static std::vector<const Node*> all_sums(const Node& node) {
    std::vector<const Node*> sums;
    if (node.is_leaf()) return sums;
    sums.push_back(&node);
    for (const Node& child : node.children) {
      for (const Node* below : all_sums(child)) sums.push_back(below);
    }
    return sums;
  }

  void sums() {
    const std::vector<int> together = widest();
    if (together.size() < 2) return;
    // 1.5 in every product of a sum: its integer part grows by as many bits as carries need.
    Addends many;
    for (const int p : together) many[p] = {3, -1};
    const Value total{3 * static_cast<std::int64_t>(together.size()), -1};
    if (const auto made = bench_.with(many)) {
      const Code d = asker_.code(*made);
      const bool all = equals(exact::decode(plan_.d, d), total);
      found_.push_back({"sums", fmt::format("{} products of 1.5 in one sum", together.size()),
                        all ? "no carry is lost" : "a carry is lost", d});
    }
    normalisation(together);
  }

  // c = 1 - u/2, where a sum that is normalised on the way, at 1, loses the u/2 that come after.
  void normalisation(const std::vector<int>& together) {
    const std::size_t terms = std::min<std::size_t>(4, together.size());
    const Value below_one{(std::int64_t{1} << (1 - u_)) - 1, u_ - 1};
    Addends less{{bench_.c(), below_one}};
    for (std::size_t i = 0; i < terms; ++i) less[together[i]] = power(u_ - 1);
    Addends more = less;
    more[bench_.c()] = power(0);
    const auto made = bench_.with(less), larger = bench_.with(more);
    if (!made || !larger || terms < 3) return;
    const Code d = asker_.code(*made);
    const bool between = equals(exact::decode(plan_.d, d), power(0));
    found_.push_back({"sums", "normalised", between ? "between additions" : "after the sum", d});
    // The same with a last term of 1.5 u, and half of it all.
    Addends steps{{bench_.c(), below_one}};
    for (std::size_t i = 0; i < terms; ++i) steps[together[i]] = i + 1 < terms ? power(u_ - 2) : Value{3, u_ - 2};
    Addends above = steps;
    above[bench_.c()] = power(0);
    const auto low = bench_.with(steps), high = bench_.with(above);
    if (!low || !high) return;
    const Datum from_less = asker_.number(*low), from_more = asker_.number(*high);
    const bool falls =
        from_less.kind == Kind::finite && from_more.kind == Kind::finite && sign(from_less.value - from_more.value) > 0;
    found_.push_back({"sums", "c = 1 - u/2 and then c = 1, with the same small products",
                      falls ? "d falls: not monotone" : "d does not fall", asker_.code(*low)});
  }

  const Workbench& bench_;
  const Plan& plan_;
  Asker& asker_;
  const Node& tree_;
  int u_;  // the result's unit at 1 is 2^u_
  std::vector<Feature> found_;
};

}  // namespace

Widths widths(const Workbench& bench, Asker& asker, const Node& tree) {
  Widths found;
  for (const int addend : bench.free_addends()) {
    const auto width = width_of(bench, asker, tree, addend);
    if (addend == bench.c()) {
      found.c = width;
    } else if (width) {
      found.least_product = found.least_product ? std::min(*found.least_product, *width, fewer) : width;
      found.greatest_product = found.greatest_product ? std::max(*found.greatest_product, *width, fewer) : width;
    }
  }
  // X + 2^-n X, in whichever two addends show more.
  const Value top = power(bench.powers().greatest - 1);
  for (const int other : {bench.c(), bench.free_addends()[1]}) {
    const auto width = most_bits(bench, asker, [&](const Value& small, Value& expected) {
      const int bits = top.exponent - small.exponent + 1;
      expected = {bits < 62 ? (std::int64_t{1} << bits) + 1 : 1, top.exponent - bits};
      return Addends{{0, top}, {other, power(top.exponent - bits)}};
    });
    if (width && (!found.result || fewer(*found.result, *width))) found.result = width;
  }
  return found;
}

std::string mode_of(const Rounding& found) {
  const std::string mode = name_of(modes, found.quarters);
  if (mode.empty()) return "no single mode";
  if (mode == "away from zero" && found.odd == 1) return "to odd";
  if (mode != "nearest") return mode;
  const std::string ties = name_of(tie_rules, found.ties);
  return mode + ", " + (ties.empty() ? "ties as no rule" : ties);
}

std::optional<Rounding> rounding(const Workbench& bench, Asker& asker, const Places& in, int result_bits) {
  constexpr std::array<int, 4> quarters{3, 1, 3, 1}, ties{2, 6, 2, 6};
  std::vector<Case> cases;
  for (const auto& list : {quarters, ties, {5, 5, 5, 5}}) {
    for (std::size_t i = 0; i < 4; ++i) {
      const auto made = one_and(bench, in, i >= 2, list[i], result_bits);
      if (!made) return std::nullopt;
      cases.push_back(*made);
    }
  }
  const std::vector<Datum> results = asker.numbers(cases);
  Rounding found;
  for (std::size_t i = 0; i < 4; ++i) {
    found.quarters[i] = units_beyond_one(bench, results[i], i >= 2, result_bits);
    found.ties[i] = units_beyond_one(bench, results[4 + i], i >= 2, result_bits);
  }
  found.odd = units_beyond_one(bench, results[8], false, result_bits);
  found.mode = mode_of(found);
  return found;
}

std::vector<Feature> features(const Workbench& bench, Asker& asker, const Node& tree, int result_bits) {
  return Features(bench, asker, tree, result_bits).all();
}

}  // namespace assay::probe
