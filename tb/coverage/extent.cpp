#include "tb/coverage/extent.hpp"

#include <algorithm>
#include <climits>
#include <numeric>

#include "model/core/align.hpp"
#include "model/core/cut.hpp"
#include "model/core/factor.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

constexpr int unbounded = INT_MAX / 4;

// -1 becomes the greatest number.
bool wraps_unsigned(const ResultPlan& r) {
  return r.words.at == ResultAt::format && r.words.overflow == Overflow::wrap && !r.format.has_sign;
}

int top_of(const Range& r) { return r.greatest_exponent + r.integer_bits - 1; }

Extent of_format(const Format& f) {
  const int bits = f.stored_bits - (f.sign_magnitude ? 1 : 0);
  if (f.is_integer()) return {false, 0, 0, f.last_place(), bits - 1 - f.fraction_bits, bits};
  return {false,
          f.least_exponent(),
          f.greatest_exponent(),
          f.least_exponent() - f.mantissa_bits,
          f.greatest_exponent(),
          f.mantissa_bits + 1};
}

Extent unite(const Extent& x, const Extent& y) {
  if (x.always_zero) return y;
  if (y.always_zero) return x;
  return {false,
          std::min(x.least, y.least),
          std::max(x.greatest, y.greatest),
          std::min(x.low, y.low),
          std::max(x.top, y.top),
          std::max(x.bits, y.bits),
          std::min(x.least_of_all, y.least_of_all),
          std::max(x.greatest_of_all, y.greatest_of_all),
          std::max(x.fullest, y.fullest),
          std::gcd(std::gcd(x.apart, y.apart), x.first - y.first),
          x.first};
}

Extent product_of(const Extent& x, const Extent& y) {
  if (x.always_zero || y.always_zero) return Extent::zero();
  return {false,
          x.least + y.least,
          x.greatest + y.greatest,
          x.low + y.low,
          x.top + y.top + 1,
          x.bits + y.bits,
          x.least_of_all + y.least_of_all,
          x.greatest_of_all + y.greatest_of_all,
          1,
          std::gcd(x.apart, y.apart),
          x.first + y.first};
}

// The greatest fraction of a power of two that the product of two significands comes to; of long ones, nearly all.
double fullest_product(int a_bits, int b_bits) {
  constexpr int longest = 8;
  if (a_bits > longest || b_bits > longest) return 1;
  double fullest = 0;
  for (std::uint64_t a = 1; a < 1U << a_bits; ++a) {
    for (std::uint64_t b = 1; b < 1U << b_bits; ++b) {
      const double power = static_cast<double>(std::uint64_t{1} << bit_length(a * b));
      fullest = std::max(fullest, static_cast<double>(a * b) / power);
    }
  }
  return fullest;
}

bool ends_at_leading_one(const AdderPlan& adder) {
  return !adder.results.empty() && adder.results.back().words.at != ResultAt::window;
}

bool any_jump(const Input& input) {
  return may_jump(input.cut) ||
         std::any_of(input.again.begin(), input.again.end(), [](const Recut& again) { return may_jump(again.cut); });
}

bool any_carry(const Input& input) {
  return may_carry(input.cut) ||
         std::any_of(input.again.begin(), input.again.end(), [](const Recut& again) { return may_carry(again.cut); });
}

// The fewest fraction bits that any of its cuts keeps.
int coarsest_keep(const Input& input) {
  int keep = *input.keep;
  for (const Recut& again : input.again) keep = std::min(keep, again.keep);
  return keep;
}

bool any_jump(const std::vector<AdderPlan>& adders) {
  return std::any_of(adders.begin(), adders.end(), [](const AdderPlan& a) {
    return a.has_sticky() ||
           std::any_of(a.inputs.begin(), a.inputs.end(), [](const InputPlan& i) { return any_jump(i.words); }) ||
           a.errata.minus_one || std::any_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) {
             return may_jump(r.words.cut) || wraps_unsigned(r);
           });
  });
}

// Whether a result may put the greatest number in the place of something else.
bool may_become_greatest(const Result& w) {
  return w.at == ResultAt::format &&
         (w.overflow == Overflow::largest || w.overflow == Overflow::directed || w.overflow == Overflow::symmetric ||
          w.overflow == Overflow::top || w.infinity == OfInfinity::largest || w.nan == OfNan::largest);
}

// Of an infinity or a NaN, which no extent of numbers knows.
bool makes_numbers(const Result& w) {
  return w.at == ResultAt::format && (w.infinity == OfInfinity::largest || w.nan == OfNan::largest);
}

// Whether what a step or a tree hands on may be as large as its format's numbers are, whatever came in.
bool make_numbers(const std::vector<AdderPlan>& adders) {
  return std::any_of(adders.begin(), adders.end(), [](const AdderPlan& a) {
    return std::any_of(a.results.begin(), a.results.end(), [](const ResultPlan& r) { return makes_numbers(r.words); });
  });
}

// The last bit of the greatest numbers that results put in the place of greater ones.
int lowest_of_greatest(const std::vector<AdderPlan>& adders) {
  int lowest = unbounded;
  for (const AdderPlan& adder : adders) {
    for (const ResultPlan& r : adder.results) {
      if (r.words.bits) lowest = std::min(lowest, r.range.least_exponent - r.words.keep);
      if (!may_become_greatest(r.words)) continue;
      lowest = std::min(lowest, r.format.is_integer() ? r.format.last_place()
                                                      : r.format.greatest_exponent() - r.format.mantissa_bits);
    }
  }
  return lowest;
}

// A finite result of `x`.
Extent rounded(Extent x, const ResultPlan& r) {
  const Result& w = r.words;
  if (makes_numbers(w)) return of_format(r.format);
  if (x.always_zero) return x;
  const int carry = may_carry(w.cut) ? 1 : 0;
  x.fullest = 1;
  if (w.at != ResultAt::window) x.apart = 1;
  x.bits = std::min(x.bits, r.range.significand_bits());
  if (w.at == ResultAt::format && r.format.rounds_to_list()) return of_format(r.format);
  if (w.at == ResultAt::format && r.format.is_integer()) {
    const int unit = r.format.last_place(), top = r.format.stored_bits - 1 + unit;
    const int low = may_become_greatest(w) ? unit : std::max(x.low, unit);
    return {false, 0, 0, low, wraps_unsigned(r) ? top : std::min(x.top + carry, top), r.format.stored_bits};
  }
  const int keep = w.at == ResultAt::format ? r.format.mantissa_bits : w.keep;
  if (w.at != ResultAt::window) {
    const std::optional<int> floor = w.at == ResultAt::format ? r.format.least_exponent() : w.least_exponent;
    x.least = floor ? std::max(*floor, x.low) : x.low;
    x.greatest = std::max(x.top + carry, x.least);
    x.least_of_all = std::min(x.least_of_all, x.least);
    x.greatest_of_all = std::max(x.greatest_of_all, x.greatest);
  }
  x.low = std::max(x.low, x.least - keep);
  const int coarsest = (w.at == ResultAt::window ? x.greatest : x.least) - keep;
  x.top = may_jump(w.cut) ? std::max(x.top + 1, coarsest) : x.top + carry;
  if (w.bits) {  // a full register, or one that has wrapped, has any bits
    x.low = x.least - keep;
    x.bits = *w.bits;
    x.top = std::min(x.top, x.greatest - keep + *w.bits - 1);
  }
  if (w.at == ResultAt::format) {
    x.top = std::min(x.top, r.format.greatest_exponent());
    x.greatest = std::min(x.greatest, r.format.greatest_exponent());
    x.least = std::min(x.least, r.format.greatest_exponent());
    x.least_of_all = x.least;
    x.greatest_of_all = x.greatest;
    if (may_become_greatest(w)) {  // and all bits of the greatest number are ones
      x.low = std::min(x.low, r.format.greatest_exponent() - keep);
      x.bits = keep + 1;
    }
  }
  return x;
}

WindowReach windows(const std::vector<Port>& ports, const Window& w) {
  if (w.exponent == WindowExponent::fixed) return {w.at, w.at};
  const WindowReach bare = largest_exponents(ports).value_or(WindowReach{0, 0});
  const int floor = w.floor.value_or(INT_MIN);
  return {std::max(floor, bare.least + w.raise), stepped(std::max(floor, bare.greatest + w.raise), w)};
}

// The sum of one item from each port, before its results.
Extent summed(const std::vector<Port>& ports, const AdderPlan& adder) {
  const WindowReach window = windows(ports, adder.window);
  Extent sum{false, window.least, window.greatest, unbounded, -unbounded, 0};
  bool any = false;
  for (const Port& port : ports) {
    if (port.extent.always_zero) continue;
    const Input& in = *port.words;
    any = true;
    const int last = in.keep ? window.least - *in.keep : -unbounded;
    sum.low = std::min(sum.low, std::max(port.extent.low, last));
    const bool grows = in.keep && any_carry(in);
    sum.top = std::max(sum.top, port.extent.top + (grows ? 1 : 0));
    if (in.keep && any_jump(in)) sum.top = std::max(sum.top, window.greatest - coarsest_keep(in));
  }
  if (!any && !largest_exponents(ports)) return Extent::zero();
  if (!any) sum.low = sum.top = window.least;  // zeros that count with an exponent
  const Range& range = adder.sum.range;
  const int joined = adder.sticky == Sticky::at_result ? 2 : 0;  // bits below, which its result looks at
  if (adder.has_sticky()) {                                      // the bit alone, where all that was added is cut off
    sum.low = range.least_quantum() - joined;
    sum.top = std::max(sum.top, range.fixed_quantum.value_or(window.greatest - range.fraction_bits));
  }
  // Its result may round up at its own last place, however far that lies below what was added.
  if (joined > 0) sum.low = std::min(sum.low, adder.results.front().range.least_quantum() - joined);
  sum.top += ceil_log2(static_cast<int>(ports.size()));
  if (adder.errata.minus_one) {
    sum.top = std::max(sum.top, window.greatest + *adder.errata.minus_one);
    sum.low = std::min(sum.low, window.least + *adder.errata.minus_one);
  }
  sum.top = std::min(sum.top, top_of(range));
  sum.bits = sum.top - sum.low + 1;
  if (adder.window.exponent == WindowExponent::largest)
    sum.apart = adder.window.step, sum.first = adder.window.step_from;
  if (joined == 0) sum.bits = std::min(sum.bits, range.significand_bits());
  return sum;
}

bool may_overflow(const Format& f, const Extent& before) {
  if (before.always_zero) return false;
  if (f.is_integer()) return !f.has_sign || before.top >= f.stored_bits - 2 + f.last_place();
  return before.top >= f.greatest_exponent();
}

// Whether adding small numbers to one of the last result's format, and rounding, can leave that format: not where all
// of them together stay below a quarter of the last bit of the greatest number.
bool leaves_format(const std::vector<Port>& ports, const AdderPlan& adder) {
  const ResultPlan& last = adder.results.back();
  const Format& f = last.format;
  const Cut cut = last.words.cut;
  const bool steady = cut == Cut::toward_zero || is_nearest(cut);
  const bool from_infinity = std::any_of(adder.results.begin(), adder.results.end(),
                                         [](const ResultPlan& r) { return makes_numbers(r.words) || r.words.bits; });
  if (f.is_integer() || f.rounds_to_list() || from_infinity || !steady || adder.has_sticky() || adder.is_scaled() ||
      last.words.overflow == Overflow::top || adder.errata.minus_one)
    return true;
  for (std::size_t i = 0; i + 1 < adder.results.size(); ++i) {
    const Result& earlier = adder.results[i].words;
    const bool grows = earlier.cut != Cut::toward_zero && earlier.keep < f.mantissa_bits + 4;
    if (earlier.at != ResultAt::leading_one || grows) return true;
  }
  const int greatest = f.greatest_exponent(), small = greatest - f.mantissa_bits - 2;
  const int coarse =
      adder.window.raise + adder.window.step - 1;  // that much the window may lie above the largest exponent
  int large = 0, others = 0, top = -unbounded;
  for (const Port& port : ports) {
    const Extent& x = port.extent;
    if (x.always_zero) continue;
    const bool own = x.top <= greatest && x.bits <= f.mantissa_bits + 1 && f.nan == NanCodes::ieee;
    const bool whole = !port.words->keep || (port.words->cut == Cut::toward_zero && !any_carry(*port.words)) ||
                       coarsest_keep(*port.words) - coarse >= f.mantissa_bits;
    if (own && whole && x.top + 1 > small - ceil_log2(static_cast<int>(ports.size()))) {
      ++large;
      continue;
    }
    ++others;
    if (x.greatest > greatest) return true;
    top = std::max(top, x.top + 2);
    if (port.words->keep && any_jump(*port.words))
      top = std::max(top, greatest + coarse - coarsest_keep(*port.words) + 1);
  }
  return large > 1 || (others > 0 && top + ceil_log2(others) > small);
}

class Walk {
 public:
  explicit Walk(const Plan& plan) : p_(plan) {}

  Reach run() {
    operands();
    reach_.d =
        block(p_.circuit.step, p_.adders, "", {"product", product_}, {"acc", acc_, p_.datapath.start == Start::none});
    if (!p_.finish.empty()) reach_.d = block(p_.circuit.finish, p_.finish, "finish.", {"lanes", reach_.d}, {"c", c_});
    if (!has_signs()) nothing_is_negative();
    return std::move(reach_);
  }

 private:
  bool has_signs() const {
    const auto signs = [](const CaseOperand& more) {
      return more.kind == CaseOperandKind::zero_point || (more.kind == CaseOperandKind::scale && more.format.has_sign);
    };
    return p_.a.has_sign || p_.b.has_sign || p_.c.has_sign || (p_.scale && p_.scale->has_sign) ||
           p_.factor_a.zero_point || p_.factor_b.zero_point || std::any_of(p_.more.begin(), p_.more.end(), signs) ||
           p_.rows || !adds_as_given(p_) || wrapping_result(p_) != nullptr ||
           std::any_of(p_.adders.begin(), p_.adders.end(), [](const AdderPlan& a) { return a.errata.minus_one; });
  }
  void nothing_is_negative() {
    for (auto* one : {&reach_.factor_a, &reach_.factor_b, &reach_.product}) {
      if (*one) (*one)->negative = false;
    }
    for (AdderReach& adder : reach_.adders) {
      for (RoundingReach& rounding : adder.results) rounding.negative = false;
    }
  }

  void operands() {
    c_ = of_format(p_.c);
    if (p_.widen_c) {
      c_.least = c_.least_of_all = std::max(p_.d.least_exponent(), c_.low);
      c_.greatest = c_.greatest_of_all = std::max(p_.d.least_exponent(), c_.greatest);
    }
    product_ = products();
    acc_ = accumulated();
  }

  Extent products() {
    const Product& words = p_.datapath.product;
    const Extent a = factor(of_format(p_.a), p_.factor_a, reach_.factor_a),
                 b = factor(of_format(p_.b), p_.factor_b, reach_.factor_b);
    const bool bare = !p_.has_factors() && p_.product_scales.empty() && !p_.in_pieces();
    Extent x = of_pieces(times(a, b));
    if (bare) x.fullest = fullest_product(a.bits, b.bits);
    if (words.times_scales) x = times(x, scales());
    x = times(x, p_.product_scales);
    if (words.exponent == ProductExponent::normalised) {
      const bool zeros_keep_theirs = p_.is_sliced() || words.empty || p_.counts_zeros();
      x.least = x.least_of_all = zeros_keep_theirs ? std::min(x.least, x.low) : x.low;
      x.greatest = x.greatest_of_all = zeros_keep_theirs ? std::max(x.greatest, x.top) : x.top;
      x.apart = 1;
    }
    if (p_.product_round) {
      RoundingReach r{&*p_.product_round, x, rounded(x, *p_.product_round), true};
      r.overflows = p_.product_round->words.at == ResultAt::format && x.top >= r.result->format.greatest_exponent();
      reach_.product = r;
      x = r.after;
    }
    if (words.infinity_at) {
      // A leading one lies at the exponent or above, unless an operand is subnormal.
      const int subnormal = std::max(a.least + b.greatest, a.greatest + b.least);
      x.top = std::min(x.top, *words.infinity_at - 1);
      if (bare && !words.times_scales && !p_.product_round)
        x.greatest = x.greatest_of_all = std::min(x.greatest, std::max(*words.infinity_at - 1, subnormal));
    }
    return x;
  }

  // Rows may be greater than their product, and have ones where its significands have zeros.
  Extent of_rows(Extent x) const {
    const int below = p_.factor_a.range.fraction_bits + p_.factor_b.range.fraction_bits;
    x.bits = std::max(x.bits, p_.rows->bits);
    x.low = std::min(x.low, x.least - below);
    x.top = std::max(x.top, x.greatest + p_.rows->bits - below - 1);
    return x;
  }

  // Slices of either side, whose exponents may be lower; rows; zeros with an exponent of their own.
  Extent of_pieces(Extent whole) const {
    if (p_.rows && !whole.always_zero) whole = of_rows(whole);
    std::optional<Extent> all;
    for (int piece = 0; piece < p_.pieces; ++piece) {
      const int lowered = p_.lowered(piece);
      Extent x = whole;
      x.least -= lowered, x.least_of_all -= lowered;
      x.greatest -= lowered, x.greatest_of_all -= lowered;
      x.first -= lowered;
      if (const std::optional<int>& empty = p_.datapath.product.empty) x = with_zeros_at(x, *empty - lowered);
      all = all ? unite(*all, x) : x;
    }
    return *all;
  }

  Extent times(Extent x, const std::vector<int>& scales) const {
    for (const int scale : scales) x = product_of(x, of_format(p_.more[static_cast<std::size_t>(scale)].format));
    return x;
  }
  static Extent times(const Extent& x, const Extent& y) { return product_of(x, y); }

  // An element as it is multiplied.
  Extent factor(Extent x, const FactorPlan& words, std::optional<RoundingReach>& rounding) const {
    int bits = words.zero_point ? bit_length(words.zero_point->magnitude) : 0;
    if (words.zero_points >= 0) bits = p_.more[static_cast<std::size_t>(words.zero_points)].format.stored_bits;
    if (words.zero_point || words.zero_points >= 0) {
      bits = std::max(bits, x.bits) + 1;
      x = {false, 0, 0, 0, bits - 1, bits};
    }
    x = times(x, words.scales);
    if (words.round) {
      const ResultPlan& round = *words.round;
      rounding = RoundingReach{&round, x, rounded(x, round), true};
      rounding->overflows = round.words.at == ResultAt::format && may_overflow(round.format, x);
      x = rounding->after;
    }
    if (words.step != 1) x = lowered(x, words);
    return words.empty ? with_zeros_at(x, *words.empty) : x;
  }

  // Where exponents are rounded down.
  static Extent lowered(Extent x, const FactorPlan& words) {
    for (int* exponent : {&x.least, &x.greatest, &x.least_of_all, &x.greatest_of_all})
      *exponent = stepped_down(*exponent, words);
    x.apart = words.step, x.first = words.step_from;
    return x;
  }

  // Where zeros have an exponent.
  static Extent with_zeros_at(Extent x, int exponent) {
    x.least = std::min(x.least, exponent);
    x.greatest = std::max(x.greatest, exponent);
    x.least_of_all = std::min(x.least_of_all, exponent);
    x.greatest_of_all = std::max(x.greatest_of_all, exponent);
    x.apart = 1;
    return x;
  }

  Extent scales() const {
    const Extent one = of_format(*p_.scale);
    return times(one, one);
  }

  // What steps hand on: c at first or nothing, then what the last adder left.
  Extent accumulated() const {
    const bool from_c = p_.datapath.start == Start::c;
    if (p_.steps == 1) return from_c ? c_ : Extent::zero();
    const AdderPlan& last = p_.adders.back();
    const Range& r = p_.acc_range;
    Extent terms = product_;
    for (const AdderPlan& adder : p_.adders) {
      if (adder.is_scaled()) terms = unite(terms, scaled(terms, adder));
    }
    Extent acc{false, r.least_exponent, r.greatest_exponent, r.least_quantum(), top_of(r), r.significand_bits()};
    const bool sticky =
        std::any_of(p_.adders.begin(), p_.adders.end(), [](const AdderPlan& a) { return a.has_sticky(); });
    // A scale of one side may multiply what was accumulated, too.
    const bool scales_acc =
        std::any_of(p_.adders.begin(), p_.adders.end(), [](const auto& a) { return !a.scales.empty(); });
    if (!sticky && !scales_acc) {
      const int low = std::min(terms.low, lowest_of_greatest(p_.adders));
      acc.low = std::max(acc.low, from_c ? std::min(c_.low, low) : low);
    }
    constexpr int few = 64;  // steps whose roundings, taken together, add less than the two bits of room below
    if (!any_jump(p_.adders) && p_.steps <= few && !scales_acc && !make_numbers(p_.adders)) {
      const int products = terms.top + ceil_log2(p_.products());
      acc.top = std::min(acc.top, (from_c ? std::max(c_.top, products) : products) + 2);
    }
    if (ends_at_leading_one(last)) follow_leading_one(acc, last.results.back());
    // The exponent of an integer may lie below its last bit.
    if (from_c && p_.c.is_integer()) acc.least = acc.least_of_all = std::min(acc.least, c_.least);
    return acc;
  }

  Extent scaled(const Extent& x, const AdderPlan& adder) const {
    return times(adder.times_scales ? times(x, scales()) : x, adder.scales);
  }

  static void follow_leading_one(Extent& x, const ResultPlan& r) {
    if (r.words.at == ResultAt::format && r.format.is_integer()) return;
    const int floor =
        r.words.at == ResultAt::format ? r.format.least_exponent() : r.words.least_exponent.value_or(x.least);
    x.least = std::max(x.least, x.low);
    x.greatest = std::min(x.greatest, std::max(x.top, floor));
    if (r.words.at != ResultAt::format) return;
    x.least_of_all = x.least;
    x.greatest_of_all = x.greatest;
  }

  // A value of a block: what ports call it, and what it can be.
  struct Known {
    std::string name;
    Extent extent;
    bool may_be_nothing = false;
  };

  // What a block leaves, of terms that are alike and one more value.
  Extent block(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const std::string& prefix,
               const Known& term, const Known& one) {
    const bool numbered = block.terms > 1 || &block == &p_.circuit.step;
    std::vector<Known> values;
    for (int i = 0; i < block.terms; ++i) values.push_back({numbered ? indexed(term.name, i) : term.name, term.extent});
    values.push_back(one);
    auto first = block.sums.begin();
    for (std::size_t i = 0; i < adders.size(); ++i) {
      const auto last =
          std::find_if(first, block.sums.end(), [&](const SumNode& node) { return node.adder != static_cast<int>(i); });
      adder(adders[i], prefix + adders[i].name, {first, last}, values);
      first = last;
    }
    return values.back().extent;
  }

  // All sums of an adder, and what each of them leaves as a value.
  void adder(const AdderPlan& a, const std::string& name, const std::vector<SumNode>& nodes,
             std::vector<Known>& values) {
    AdderReach r{&a, name, {}, {}};
    const std::size_t first = values.size();
    const Extent between = a.shape == Shape::flat ? Extent::zero() : between_sums(a, nodes, values);
    for (const SumNode& node : nodes) {
      values.push_back({node.name, between});
      r.sums.push_back(ports(a, node, values));
    }
    Extent x = Extent::zero();
    for (const std::vector<Port>& sum : r.sums) x = unite(x, summed(sum, a));
    if (a.scaled) {
      x = scaled(x, a);
      x.bits = std::min(x.bits, a.scaled->significand_bits());
    }
    for (const ResultPlan& result : a.results) {
      const Extent after = rounded(x, result);
      r.results.push_back({&result, x, after, overflows(r.sums, a, result, x)});
      x = after;
    }
    // A tree leaves the number that its last sum does, under the tree's own name.
    for (std::size_t i = first; i < values.size(); ++i) values[i] = {nodes[i - first].group_name, x};
    reach_.adders.push_back(std::move(r));
  }

  // Only the last result is looked at closely: a number of d's format and little beside it.
  static bool overflows(const std::vector<std::vector<Port>>& sums, const AdderPlan& a, const ResultPlan& result,
                        const Extent& before) {
    if (result.words.at != ResultAt::format || !may_overflow(result.format, before)) return false;
    return &result != &a.results.back() || std::any_of(sums.begin(), sums.end(), [&](const std::vector<Port>& ports) {
      return leaves_format(ports, a);
    });
  }

  Extent between_sums(const AdderPlan& a, const std::vector<SumNode>& nodes, const std::vector<Known>& values) const {
    Extent all = Extent::zero();
    for (const SumNode& node : nodes) {
      for (const SumItem& item : node.items) {
        const auto at = static_cast<std::size_t>(item.value);
        if (at < values.size()) all = unite(all, values[at].extent);  // what stands before them
      }
    }
    const Range& r = a.range;
    Extent x{false, r.least_exponent, r.greatest_exponent, r.least_quantum(), top_of(r), r.significand_bits()};
    if (!a.has_sticky() && !all.always_zero) x.low = std::max(x.low, std::min(all.low, lowest_of_greatest({a})));
    constexpr int few = 64;
    if (!make_numbers({a}) && !any_jump({a}) && a.items() <= few)
      x.top = std::min(x.top, all.top + ceil_log2(a.items()) + 2);
    if (ends_at_leading_one(a)) follow_leading_one(x, a.results.back());
    return x;
  }

  static std::vector<Port> ports(const AdderPlan& a, const SumNode& node, const std::vector<Known>& values) {
    const std::string group = a.groups > 1 ? indexed("group", node.group) + "." : "";
    const std::string sum = group + node.own_name();
    std::vector<Port> ports;
    for (const SumItem& item : node.items) {
      const Known& value = values[static_cast<std::size_t>(item.value)];
      const std::string side = sum + (ports.empty() ? ".left" : ".right");
      ports.push_back({a.shape == Shape::flat ? value.name : side,
                       &a.inputs[static_cast<std::size_t>(item.input)].words, value.extent, value.may_be_nothing});
    }
    return ports;
  }

  const Plan& p_;
  Extent c_, product_, acc_;
  Reach reach_;
};

}  // namespace

int Port::least_counted() const {
  if (extent.always_zero) return *words->empty;
  return words->empty ? std::min(extent.least_of_all, *words->empty) : extent.least_of_all;
}

int Port::greatest_counted() const {
  if (extent.always_zero) return *words->empty;
  return words->empty ? std::max(extent.greatest_of_all, *words->empty) : extent.greatest_of_all;
}

std::optional<WindowReach> largest_exponents(const std::vector<Port>& ports) {
  WindowReach r{unbounded, -unbounded};
  int always = -unbounded;  // the exponent that something has in every case
  for (const Port& port : ports) {
    if (!port.counts()) continue;
    r.least = std::min(r.least, port.least_counted());
    r.greatest = std::max(r.greatest, port.greatest_counted());
    if (port.always_counts()) always = std::max(always, port.least_counted());
  }
  if (r.least == unbounded) return std::nullopt;
  r.least = std::max(r.least, always);
  return r;
}

WindowReach shift_distances(const std::vector<Port>& ports, std::size_t port, const Window& window) {
  const Extent& own = ports[port].extent;
  if (window.exponent == WindowExponent::fixed) return {window.at - own.greatest, window.at - own.least};
  std::vector<Port> others = ports;
  others.erase(others.begin() + static_cast<std::ptrdiff_t>(port));
  int always = window.floor.value_or(-unbounded), greatest = std::max(own.least + window.raise, always);
  for (const Port& other : others) {
    if (!other.counts()) continue;
    greatest = std::max(greatest, other.greatest_counted() + window.raise);
    if (other.always_counts()) always = std::max(always, other.least_counted() + window.raise);
  }
  return {std::max(window.raise, always - own.greatest),
          std::max(stepped(greatest, window) - own.least, window.raise + window.step - 1)};
}

ShiftGrid shift_grid(const std::vector<Port>& ports, std::size_t port, const Window& window) {
  const Extent& own = ports[port].extent;
  if (window.exponent == WindowExponent::fixed) return {};
  if (window.step != 1) return {std::gcd(window.step, own.apart), window.step_from - own.first};
  Extent all = own;
  for (const Port& other : ports) {
    if (other.words->empty || window.floor) return {};
    if (other.counts()) all = unite(all, other.extent);
  }
  return {all.apart, all.first + window.raise - own.first};
}

Reach reach(const Plan& plan) { return Walk(plan).run(); }

}  // namespace assay
