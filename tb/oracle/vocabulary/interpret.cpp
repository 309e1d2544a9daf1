#include "tb/oracle/vocabulary/interpret.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <utility>

#include "tb/oracle/vocabulary/rounding.hpp"

namespace assay::vocabulary {
namespace {

// One number that is added: where from, and how.
struct Item {
  Value value;
  const Input* words = nullptr;
  int term = -1;  // where in k it comes from (a sum: its first product): this finds its block's scales; -1: nowhere
  bool absent = false;  // acc of a first step that adds to nothing
};

using Items = std::vector<Item>;
using Sources = std::map<std::string, Items>;
using Terms = std::vector<int>;

std::string at(const std::string& name, std::size_t index) { return name + "[" + std::to_string(index) + "]"; }

// terms 8, unit 2 of 16:  neighbours 0000000011111111   strided 0011001100110011
template <class T>
std::vector<std::vector<T>> dealt(const std::vector<T>& all, const Group& group) {
  const std::size_t terms = group.terms ? static_cast<std::size_t>(*group.terms) : all.size();
  const auto unit = static_cast<std::size_t>(group.unit);
  std::vector<std::vector<T>> groups(all.size() / terms);
  for (std::size_t i = 0; i < all.size(); ++i) {
    groups[group.deal == Deal::neighbours ? i / terms : i / unit % groups.size()].push_back(all[i]);
  }
  return groups;
}

bool is_subnormal(const Format& format, const Value& value) {
  return !format.is_integer() && value.kind == Kind::finite && value.magnitude != 0 &&
         value.magnitude < power_of_two(format.least_exponent());
}

Value read(const Format& format, Code code, Subnormals subnormals, Nans nans) {
  const Value value = decode(format, code);
  if (value.kind == Kind::nan && nans == Nans::zero) return zero(false);
  if (subnormals == Subnormals::keep || !is_subnormal(format, value)) return value;
  return zero(subnormals == Subnormals::signed_zero && value.negative);
}

// Whether every number of x is one of y.
bool narrower(const Format& x, const Format& y) {
  if (y.is_list()) return false;
  return x.mantissa_bits <= y.mantissa_bits && x.greatest_exponent() <= y.greatest_exponent() &&
         x.least_exponent() - x.mantissa_bits >= y.least_exponent() - y.mantissa_bits;
}

int first_term(const Items& items) {
  for (const Item& item : items) {
    if (item.term >= 0) return item.term;
  }
  return 0;  // a scale of all k has one block
}

// q - z of integers.
Value less(const Value& q, const Value& z) {
  const mpq_class difference =
      (q.negative ? mpq_class(-q.magnitude) : q.magnitude) - (z.negative ? mpq_class(-z.magnitude) : z.magnitude);
  if (difference == 0) return zero(false);
  return {Kind::finite, difference < 0, abs(difference), 0};
}

Value times(const Value& x, const Value& y) {
  if (x.kind == Kind::nan) return x;
  if (y.kind == Kind::nan) return y;
  const bool negative = x.negative != y.negative;
  if (x.kind == Kind::infinity || y.kind == Kind::infinity) {
    return is_zero(x) || is_zero(y) ? nan(true) : infinity(negative);
  }
  Value product = zero(negative);
  product.magnitude = x.magnitude * y.magnitude;
  if (x.exponent && y.exponent) product.exponent = *x.exponent + *y.exponent;
  return product;
}

// NaN or an infinity, where these numbers make one.
std::optional<Value> decided(const std::vector<Value>& values) {
  bool positive = false, negative = false;
  for (const Value& value : values) {
    if (value.kind == Kind::nan) return value;
    if (value.kind == Kind::infinity) (value.negative ? negative : positive) = true;
  }
  if (positive && negative) return nan(true);
  if (positive || negative) return infinity(negative);
  return std::nullopt;
}

std::vector<Value> values_of(const Items& items) {
  std::vector<Value> values;
  for (const Item& item : items) values.push_back(item.value);
  return values;
}

// The least multiple of step that is not below x.
int rounded_up(int x, int step) {
  const int rest = x % step;
  return rest > 0 ? x + step - rest : x - rest;
}

// The greatest multiple of a factor's step, counted from where it says, that is not above x.
int lowered_to_step(int x, const Factor& words) {
  return words.step_from - rounded_up(words.step_from - x, words.step);
}

// The window's exponent; none where no item has one.
std::optional<int> window_of(const Window& window, const Items& items) {
  std::optional<int> largest;
  for (const Item& item : items) {
    if (item.absent) continue;
    const std::optional<int> exponent = item.value.exponent ? item.value.exponent : item.words->empty;
    if (exponent) largest = std::max(largest.value_or(*exponent), *exponent);
  }
  if (!largest) return std::nullopt;
  if (window.exponent == WindowExponent::fixed) return window.at;
  largest = *largest + window.raise;
  if (window.floor) largest = std::max(*largest, *window.floor);
  return rounded_up(*largest - window.step_from, window.step) + window.step_from;
}

Value aligned(const Item& item, int window) {
  const Input& words = *item.words;
  Value value = item.value;
  if (words.lost_below && value.exponent && *value.exponent < window - *words.lost_below) value.magnitude = 0;
  if (words.keep) value.magnitude = cut_at(value.magnitude, value.negative, window - *words.keep, words.cut);
  for (const Recut& again : words.again)
    value.magnitude = cut_at(value.magnitude, value.negative, window - again.keep, again.cut);
  return value;
}

// Whether an exactly zero sum of these is a negative zero.
bool zero_is_negative(const Adder& adder, Items items) {
  items.erase(std::remove_if(items.begin(), items.end(), [](const Item& item) { return item.absent; }), items.end());
  if (adder.zero == ZeroSign::positive || items.empty()) return false;
  const auto negative = [](const Item& item) { return item.value.negative; };
  if (std::all_of(items.begin(), items.end(), [](const Item& item) { return is_zero(item.value); })) {
    if (std::all_of(items.begin(), items.end(), negative)) return true;
    if (std::none_of(items.begin(), items.end(), negative)) return false;
  }
  return !adder.results.empty() && adder.results.back().cut == Cut::down;
}

// Less than any bit that a result may look at.
mpq_class below_everything() { return power_of_two(-100'000); }

// The fraction bits of the adder's register.
int finest_keep(const Adder& adder) {
  int finest = 0;
  for (const Input& input : adder.add) {
    if (!input.keep) throw std::invalid_argument("Adder " + adder.name + " has `sticky: or` and an exact input.");
    int kept = *input.keep;
    for (const Recut& again : input.again) kept = std::min(kept, again.keep);
    finest = std::max(finest, kept);
  }
  return finest;
}

// Bits `from` and so many after it of a magnitude whose bit 0 weighs 2^first.
mpq_class bits_of(const mpq_class& magnitude, int first, int from, const std::optional<int>& bits) {
  const mpq_class above = power_of_two(first - from + 1);
  mpq_class left = magnitude - cut_at(magnitude, false, first - from + 1, Cut::toward_zero);
  if (left >= above) throw std::logic_error("A slice reaches above its first bit.");
  if (bits) left = cut_at(left, false, first - from - *bits + 1, Cut::toward_zero);
  return left;
}

// --- a product as rows, in two's complement without an end ---

using Integers = std::vector<mpz_class>;

mpz_class shifted(const mpz_class& x, int up) { return x << static_cast<mp_bitcnt_t>(up); }

bool has_constant(const ProductRows& words) {
  return words.digits == RowDigits::booth4 && words.extension == RowExtension::constant;
}

int place_of(const ProductRows& words, std::size_t digit) {
  return static_cast<int>(words.digits == RowDigits::booth4 ? 2 * digit : digit);
}

std::vector<int> digits_of(const ProductRows& words, const mpz_class& y, int bits) {
  const auto bit = [&](int at) { return at < 0 ? 0 : mpz_tstbit(y.get_mpz_t(), static_cast<mp_bitcnt_t>(at)); };
  std::vector<int> digits;
  if (words.digits == RowDigits::bits) {
    for (int i = 0; i < bits; ++i) digits.push_back(bit(i));
  } else {
    for (int i = 0; i <= bits / 2; ++i) digits.push_back(bit(2 * i - 1) + bit(2 * i) - 2 * bit(2 * i + 1));
  }
  return digits;
}

Integers to_two(Compress how, Integers rows) {
  while (rows.size() > 2) {
    Integers next;
    std::size_t done = 0;
    for (; done + 3 <= rows.size() && (how == Compress::tree || done == 0); done += 3) {
      const mpz_class &x = rows[done], &y = rows[done + 1], &z = rows[done + 2];
      next.emplace_back(x ^ y ^ z);
      next.emplace_back(2 * mpz_class((x & y) | (x & z) | (y & z)));
    }
    next.insert(next.end(), rows.begin() + static_cast<std::ptrdiff_t>(done), rows.end());
    rows = next;
  }
  rows.resize(2);
  return rows;
}

Integers both_rows(const ProductRows& words, const std::vector<int>& digits, const mpz_class& x, int sign_bit) {
  const std::size_t size = words.first ? static_cast<std::size_t>(*words.first) : digits.size();
  Integers left;
  for (std::size_t from = 0; from < digits.size(); from += size) {
    Integers group;
    mpz_class owed = 0;
    for (std::size_t i = from; i < std::min(digits.size(), from + size); ++i) {
      mpz_class row = x * digits[i] - (digits[i] < 0 ? 1 : 0);
      if (has_constant(words)) row += shifted(1, sign_bit);
      group.emplace_back(shifted(row, place_of(words, i)) + owed);
      owed = digits[i] < 0 ? shifted(1, place_of(words, i)) : mpz_class(0);
    }
    if (words.digits == RowDigits::booth4) group.push_back(owed);
    for (const mpz_class& row : to_two(words.compress, group)) left.push_back(row);
  }
  return to_two(words.compress, left);
}

class Interpreter {
 public:
  Interpreter(const Datapath& datapath, int k, const Operands& operands, Places* places)
      : datapath_(datapath), k_(k), operands_(operands), places_(places), d_(format(datapath.operands.d)) {}

  Outcome run() const {
    const Value c = operand("decode.c", datapath_.operands.c, operands_.c, datapath_.subnormals_c, datapath_.nans_c);
    const Value d = after_finish(lanes(products(), addend(c)), addend(c));
    const bool is_nan = d.kind == Kind::nan;
    return {is_nan ? nan_code(d) : encode(d_, d), is_nan};
  }

 private:
  const Value& noted(const std::string& place, const Value& value) const {
    if (places_ != nullptr) (*places_)[place] = value;
    return value;
  }

  Format format(const std::string& name) const {
    if (name == "d") return d_;
    const auto own = std::find_if(datapath_.formats.begin(), datapath_.formats.end(),
                                  [&](const Format& candidate) { return candidate.name == name; });
    const Format found = own != datapath_.formats.end() ? *own : *find_format(name);
    return datapath_.specials == Specials::numbers ? all_numbers(found) : found;
  }

  Code nan_code(const Value& value) const {
    if (!datapath_.nan) return encode(d_, value);
    const Nan& words = *datapath_.nan;
    if (words.has_order() && value.magnitude == 0) return words.order.made.value_or(encode(d_, value));
    if (words.has_order()) return operand_nan(d_, value);
    if (words.propagate) return encode(d_, value);
    return words.with_sign ? signed_nan(d_, value.negative) : words.code;
  }

  // `draw`: which of the case's random words is this rounding's.
  Value shortened(const Result& result, const Value& value, std::size_t draw) const {
    if (value.kind != Kind::finite && result.at != ResultAt::format) return value;
    const mpz_class word = is_stochastic(result.cut) ? mpz_class(operands_.more.at("random").at(draw)) : mpz_class(0);
    return result.at == ResultAt::format ? in_format(result, format(result.format), value, word)
                                         : in_bits(result, value, word);
  }

  // --- the numbers of random words: one for each stochastic result of all elements, products and sums ---

  static std::size_t draws(const std::vector<Result>& results) {
    return static_cast<std::size_t>(
        std::count_if(results.begin(), results.end(), [](const Result& r) { return is_stochastic(r.cut); }));
  }

  std::size_t draws_of_elements(const std::optional<Result>& result) const {
    return result && is_stochastic(result->cut) ? static_cast<std::size_t>(k_) : 0;
  }
  std::size_t first_draw_of_b() const { return draws_of_elements(datapath_.factor_a.round); }
  std::size_t first_draw_of_products() const { return first_draw_of_b() + draws_of_elements(datapath_.factor_b.round); }
  std::size_t first_draw_of_steps() const {
    return first_draw_of_products() + pieces() * draws_of_elements(datapath_.product.round);
  }

  // Of all sums of a list of adders, of whose inputs `counts` says how many there are.
  static std::size_t draws_of(const std::vector<Adder>& adders, std::map<std::string, std::size_t> counts) {
    std::size_t all = 0;
    for (const Adder& adder : adders) {
      const std::size_t dealt_items = counts.at(adder.add.front().source);
      const Group group = adder.group.value_or(Group{});
      const std::size_t groups = group.terms ? dealt_items / static_cast<std::size_t>(*group.terms) : 1;
      std::size_t items = dealt_items / groups;
      for (std::size_t i = 1; i < adder.add.size(); ++i) items += counts.at(adder.add[i].source);
      all += groups * (adder.shape == Shape::flat ? 1 : items - 1) * draws(adder.results);
      counts[adder.name] = groups;
    }
    return all;
  }

  // --- operands ---

  Value operand(const std::string& place, const std::string& name, Code code, Subnormals subnormals, Nans nans) const {
    return noted(place, read(format(name), code, subnormals, nans));
  }

  // c as it is added: of a narrower format than d's, it becomes a number of that.
  Value addend(const Value& c) const {
    const Format own = format(datapath_.operands.c);
    if (own.is_integer() || d_.is_integer() || c.kind != Kind::finite || is_zero(c) || !narrower(own, d_)) return c;
    Value widened = c;
    widened.exponent = std::max(floor_log2(c.magnitude), d_.least_exponent());
    return widened;
  }

  std::vector<Value> scales(int term) const {
    const auto block = static_cast<std::size_t>(term / datapath_.operands.scale_block);
    const Format scale = format(datapath_.operands.scale);
    return {noted(at("decode.scale_a", block), decode(scale, operands_.scale_a[block])),
            noted(at("decode.scale_b", block), decode(scale, operands_.scale_b[block]))};
  }

  Value scaled(const Value& value, int term) const {
    const std::vector<Value> both = scales(term);
    return times(value, times(both[0], both[1]));
  }

  Value read_more(const std::string& name, const std::string& format_name, const std::optional<int>& block,
                  int term) const {
    const auto i = static_cast<std::size_t>(block ? term / *block : 0);
    return noted(at("decode." + name, i), decode(format(format_name), operands_.more.at(name).at(i)));
  }

  Value of_scale(const Scale& scale, int term) const { return read_more(scale.name, scale.format, scale.block, term); }

  // Times each of the scales that act there, one after the other; what there is.
  bool acts(const Scale& scale, const std::string& place, std::optional<Side> side = {}) const {
    return scale.at == place && (!side || scale.of == *side);
  }
  bool any_acts(const std::string& place) const {
    const std::vector<Scale>& all = datapath_.operands.scales;
    return std::any_of(all.begin(), all.end(), [&](const Scale& s) { return acts(s, place); });
  }
  Value scaled_at(const std::string& place, Value value, int term, std::optional<Side> side = {}) const {
    for (const Scale& scale : datapath_.operands.scales) {
      if (acts(scale, place, side)) value = times(value, of_scale(scale, term));
    }
    return value;
  }

  // An element of a or b as it is multiplied.
  Value factor(Side side, const Value& element, int term) const {
    const bool is_a = side == Side::a;
    const Factor& words = is_a ? datapath_.factor_a : datapath_.factor_b;
    const ZeroPoints& zeros = is_a ? datapath_.operands.zero_a : datapath_.operands.zero_b;
    Value value = element;
    if (words.zero_point) {
      const int z = *words.zero_point;
      value = less(value, {Kind::finite, z < 0, std::abs(z), 0});
    }
    if (!zeros.format.empty())
      value = less(value, read_more(is_a ? "zero_a" : "zero_b", zeros.format, zeros.block, term));
    value = scaled_at("operand", value, term, side);
    if (words.round)
      value = shortened(*words.round, value, (is_a ? 0 : first_draw_of_b()) + static_cast<std::size_t>(term));
    if (value.exponent && words.step != 1) value.exponent = lowered_to_step(*value.exponent, words);
    if (words.empty && is_zero(value) && !value.exponent) value.exponent = words.empty;
    return noted(at(is_a ? "factors.a" : "factors.b", static_cast<std::size_t>(term)), value);
  }

  // Whether the case's mask switches a term's products off.
  bool is_off(std::size_t term) const {
    if (!datapath_.operands.mask) return false;
    const bool off = operands_.more.at("mask").at(term) == 0;
    noted(at("decode.mask", term), off ? zero(false) : Value{Kind::finite, false, 1, 0});
    return off;
  }

  // --- slices and rows ---

  std::size_t pieces() const {
    const std::optional<ProductRows>& rows = datapath_.product.rows;
    if (rows) return has_constant(*rows) ? 3 : 2;
    return std::max<std::size_t>(1, datapath_.slices.pairs.size());
  }

  // M of a side's elements as they are multiplied.
  int fraction(Side side) const {
    const std::optional<Result>& round = side == Side::a ? datapath_.factor_a.round : datapath_.factor_b.round;
    return format(round ? round->format : side == Side::a ? datapath_.operands.a : datapath_.operands.b).mantissa_bits;
  }

  // Those of a side's whole numbers: M + 1, and as many more as its exponents may be lowered by.
  int whole_bits(Side side) const {
    return fraction(side) + (side == Side::a ? datapath_.factor_a : datapath_.factor_b).step;
  }

  // In units of the last bit that it may have.
  mpz_class whole(Side side, const Value& element) const {
    const mpq_class units = element.magnitude / power_of_two(*element.exponent - fraction(side));
    if (units.get_den() != 1) throw std::logic_error("An element has bits below its format's last.");
    return units.get_num();
  }

  // Of two elements that are not zero.
  Value row_of(const Value& x, const Value& y, const Value& product, std::size_t piece) const {
    const ProductRows& words = *datapath_.product.rows;
    const Side taken = words.of, other = taken == Side::a ? Side::b : Side::a;
    const bool turns = words.digits == RowDigits::booth4 && words.sign == RowSign::digits && product.negative;
    std::vector<int> digits = digits_of(words, whole(taken, taken == Side::a ? x : y), whole_bits(taken));
    for (int& digit : digits) digit = turns ? -digit : digit;
    const int sign_bit = words.width.value_or(whole_bits(other) + 2) - 1;
    mpz_class row;
    if (piece == 2) {
      for (std::size_t i = 0; i < digits.size(); ++i) row -= shifted(1, sign_bit + place_of(words, i));
    } else {
      row = both_rows(words, digits, whole(other, taken == Side::a ? y : x), sign_bit)[piece];
    }
    if (product.negative && !turns) row = -row;
    const int last = *product.exponent - fraction(Side::a) - fraction(Side::b);
    return {Kind::finite, row < 0, mpq_class(abs(row)) * power_of_two(last), product.exponent};
  }

  // How much less the exponent of a pair's product is.
  int lowering(std::size_t piece) const {
    const Slices& words = datapath_.slices;
    if (words.pairs.empty() || words.exponent == SliceExponent::operand) return 0;
    return words.pairs[piece].a_from + words.pairs[piece].b_from;
  }

  // What bit 0 of a side's elements weighs.
  int first_bit(Side side, const Value& element) const {
    const std::optional<Result>& round = side == Side::a ? datapath_.factor_a.round : datapath_.factor_b.round;
    if (round && round->at != ResultAt::format) return *element.exponent;
    const Format own = format(round ? round->format : side == Side::a ? datapath_.operands.a : datapath_.operands.b);
    if (!own.is_integer()) return *element.exponent;
    return own.stored_bits - own.fraction_bits - (own.sign_magnitude ? 2 : 1);
  }

  Value multiplied(const Value& x, const Value& y, std::size_t piece) const {
    Value whole = times(x, y);
    if (whole.kind != Kind::finite) return whole;
    if (is_zero(x) || is_zero(y)) {
      const bool counts = datapath_.factor_a.empty || datapath_.factor_b.empty;
      if (!counts) whole.exponent.reset();  // also of a factor that was cut to zero
      if (!whole.exponent) whole.exponent = datapath_.product.empty;
      if (whole.exponent) whole.exponent = *whole.exponent - lowering(piece);
      return whole;
    }
    if (datapath_.product.rows) return row_of(x, y, whole, piece);
    if (datapath_.slices.pairs.empty()) return whole;
    const SlicePair& pair = datapath_.slices.pairs[piece];
    whole.magnitude = bits_of(x.magnitude, first_bit(Side::a, x), pair.a_from, pair.a_bits) *
                      bits_of(y.magnitude, first_bit(Side::b, y), pair.b_from, pair.b_bits);
    whole.exponent = *whole.exponent - lowering(piece);
    return whole;
  }

  // Number `i` of all products, those of an element side by side.
  Value product(std::size_t i) const {
    const Product& words = datapath_.product;
    const std::size_t element = i / pieces();
    const Value a = operand(at("decode.a", element), datapath_.operands.a, operands_.a[element], datapath_.subnormals_a,
                            datapath_.nans_a);
    const Value b = operand(at("decode.b", element), datapath_.operands.b, operands_.b[element], datapath_.subnormals_b,
                            datapath_.nans_b);
    const int term = static_cast<int>(element);
    const Value left = factor(Side::a, a, term), right = factor(Side::b, b, term), nought = zero(false);
    const bool off = is_off(element);
    Value value = noted(at("multiply", i), multiplied(off ? nought : left, off ? nought : right, i % pieces()));
    if (words.times_scales) value = scaled(value, term);
    value = noted(at("scale", i), scaled_at("product", value, term));
    if (words.exponent == ProductExponent::normalised && value.exponent && value.magnitude != 0)
      value.exponent = floor_log2(value.magnitude);
    if (words.round)
      value = noted(at("multiply.round", i), shortened(*words.round, value, first_draw_of_products() + i));
    return value;
  }

  Items products() const {
    Items all;
    for (int i = 0; i < k_; ++i) {
      for (std::size_t piece = 0; piece < pieces(); ++piece)
        all.push_back({product(static_cast<std::size_t>(i) * pieces() + piece), nullptr, i});
    }
    return all;
  }

  Value grown(const Value& product) const {
    const std::optional<int>& limit = datapath_.product.infinity_at;
    const bool beyond = limit && product.kind == Kind::finite && product.magnitude >= power_of_two(*limit);
    return beyond ? infinity(product.negative) : product;
  }

  // --- one sum ---

  // `rest`: ones were lost that its result looks at.
  Value bare_sum(const Adder& adder, const Items& items, const std::string& place, bool& rest) const {
    if (const std::optional<Value> special = decided(values_of(items))) return *special;
    const std::optional<int> window = window_of(adder.window, items);
    if (!window || (adder.window.lost_at && *window <= *adder.window.lost_at))
      return zero(zero_is_negative(adder, items));

    mpq_class total;
    bool lost = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Value value = noted(at(place + "align", i), aligned(items[i], *window));
      total += value.negative ? mpq_class(-value.magnitude) : value.magnitude;
      lost = lost || value.magnitude != items[i].value.magnitude;
    }
    Value sum{Kind::finite, total < 0, abs(total), *window};
    if (adder.sticky == Sticky::below_sum && lost) sum.magnitude += power_of_two(*window - finest_keep(adder) - 1);
    if (is_zero(sum)) sum.negative = zero_is_negative(adder, items);
    noted(place + "window", {Kind::finite, false, 0, *window});
    noted(place + "reduce", sum);
    const bool minus_one =
        adder.errata.minus_one && sum.negative && sum.magnitude == power_of_two(*window - *adder.add.front().keep);
    if (minus_one) sum.magnitude = power_of_two(*window + *adder.errata.minus_one);
    if (is_zero(sum) && adder.cancelled == Cancelled::none) sum.exponent.reset();
    rest = adder.sticky == Sticky::at_result && lost && !is_zero(sum);
    return sum;
  }

  Value sum(const Adder& adder, const Items& items, const std::string& place) const {
    bool rest = false;
    Value sum = bare_sum(adder, items, place, rest);
    if (adder.times_scales) sum = scaled(sum, first_term(items));
    sum = noted(place + "scale", scaled_at(adder.name, sum, first_term(items)));
    if (rest && sum.kind == Kind::finite && !is_zero(sum)) sum.magnitude += below_everything();
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      sum = noted(adder.results.size() == 1 ? place + "round" : at(place + "round", i),
                  shortened(adder.results[i], sum, next_draw_));
      if (is_stochastic(adder.results[i].cut)) ++next_draw_;
    }
    return sum;
  }

  // --- trees and chains of two-input sums; a sum goes on by the words of its first item ---

  Item tree(const Adder& adder, Items items, const std::string& place) const {
    for (std::size_t sums = 0; items.size() > 1;) {
      Items next;
      const std::size_t half = (items.size() + 1) / 2;
      for (std::size_t i = 0; i < half; ++i) {
        const std::size_t x = adder.shape == Shape::halves ? i : 2 * i;
        const std::size_t y = adder.shape == Shape::halves ? i + half : 2 * i + 1;
        next.push_back(items[x]);
        if (y >= items.size()) continue;
        next.back().value = sum(adder, {items[x], items[y]}, at(place + "add", sums) + ".");
        next.back().absent = false;
        next.back().term = items[x].term >= 0 ? items[x].term : items[y].term;
        ++sums;
      }
      items = next;
    }
    return items.front();
  }

  Item chain(const Adder& adder, const Items& items, const std::string& place) const {
    Item result = items.front();
    for (std::size_t i = 1; i < items.size(); ++i) {
      result.value = sum(adder, {result, items[i]}, at(place + "add", i - 1) + ".");
      result.absent = false;
      if (result.term < 0) result.term = items[i].term;
    }
    return result;
  }

  Item shaped_sum(const Adder& adder, const Items& items, const std::string& place) const {
    switch (adder.shape) {
      case Shape::flat: return {sum(adder, items, place), nullptr, first_term(items)};
      case Shape::neighbours:
      case Shape::halves: return tree(adder, items, place);
      case Shape::serial: return chain(adder, items, place);
    }
    throw std::logic_error("Adder " + adder.name + " has a shape that is none of the four.");
  }

  // --- adders ---

  static Items inputs(const Input& words, const Sources& sources) {
    Items items = sources.at(words.source);
    for (Item& item : items) {
      item.words = &words;
      if (words.negate && item.value.kind != Kind::nan && !item.absent) item.value.negative = !item.value.negative;
    }
    return items;
  }

  Items sums(const Adder& adder, const Sources& sources, const std::string& place) const {
    std::vector<Items> groups = dealt(inputs(adder.add.front(), sources), adder.group.value_or(Group{}));
    for (std::size_t i = 1; i < adder.add.size(); ++i) {
      const Items more = inputs(adder.add[i], sources);
      groups.front().insert(groups.front().end(), more.begin(), more.end());
    }
    Items results;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      const std::string name = place + (groups.size() > 1 ? at(adder.name, i) : adder.name);
      results.push_back(shaped_sum(adder, groups[i], name + "."));
    }
    return results;
  }

  // In order; the last one's sum. Each leaves its sums among the sources.
  Value run_adders(const std::vector<Adder>& adders, Sources& sources, const std::string& place) const {
    for (const Adder& adder : adders) sources[adder.name] = sums(adder, sources, place);
    return sources.at(adders.back().name).front().value;
  }

  // --- steps and lanes ---

  // What NaN and infinities make of a whole step: those among its terms, acc and scales; failing these, products that
  // have grown too large.
  std::optional<Value> decided_step(const Items& products, const Value& acc) const {
    std::vector<Value> terms = values_of(products), large;
    terms.push_back(acc);
    const bool adders_scale = std::any_of(datapath_.adders.begin(), datapath_.adders.end(),
                                          [](const Adder& adder) { return adder.times_scales; });
    for (const Item& item : products) {
      if (adders_scale) {
        for (const Value& scale : scales(item.term)) terms.push_back(scale);
      }
      for (const Scale& scale : datapath_.operands.scales) {
        for (const Adder& adder : datapath_.adders) {
          if (acts(scale, adder.name)) terms.push_back(of_scale(scale, item.term));
        }
      }
      large.push_back(grown(item.value));
    }
    const std::optional<Value> special = decided(terms);
    return special ? special : decided(large);
  }

  // What stands at a place that `nan.take` names. A product's NaN is that of a, of b, or its own.
  Items at_nan_place(const std::string& name, const Sources& sources) const {
    const std::size_t bracket = name.find('[');
    const std::string source = name.substr(0, bracket);
    const std::size_t index = bracket == std::string::npos ? 0 : std::stoul(name.substr(bracket + 1));
    if (source != "a" && source != "b") {
      const Item& item = sources.at(source).at(index);
      if (source != "product") return {item};
      Items both = at_nan_place(at("a", index), sources);
      both.push_back(at_nan_place(at("b", index), sources).front());
      both.push_back(item);
      return both;
    }
    const auto term = static_cast<std::size_t>(sources.at("product").at(index).term);
    if (is_off(term)) return {{zero(false)}};
    return {{source == "a"
                 ? read(format(datapath_.operands.a), operands_.a[term], datapath_.subnormals_a, datapath_.nans_a)
                 : read(format(datapath_.operands.b), operands_.b[term], datapath_.subnormals_b, datapath_.nans_b)}};
  }

  // The first of the places that holds a NaN, or the NaN that is there already.
  Value taken(const Value& left, const Sources& sources) const {
    if (left.kind != Kind::nan || !datapath_.nan || !datapath_.nan->has_order()) return left;
    const NanOrder& words = datapath_.nan->order;
    std::vector<Items> groups;  // in each of which signalling NaNs may go first
    bool names_elements = false;
    for (const std::string& name : words.take) {
      const bool element = name.rfind("a[", 0) == 0 || name.rfind("b[", 0) == 0;
      if (!element || !names_elements) groups.emplace_back();
      for (const Item& item : at_nan_place(name, sources)) groups.back().push_back(item);
      names_elements = element;
    }
    for (const Items& group : groups) {
      for (const bool quiet_too : {false, true}) {
        if (!quiet_too && !words.signalling_first) continue;
        for (const Item& item : group) {
          if (is_signalling(item.value) || (quiet_too && item.value.kind == Kind::nan)) return item.value;
        }
      }
    }
    return left;
  }

  Value step(Items products, const Item& acc, const std::string& place) const {
    if (datapath_.specials == Specials::step) {
      if (const std::optional<Value> special = decided_step(products, acc.value)) {
        Value left = *special;
        for (const Result& result : datapath_.adders.back().results) left = shortened(result, left, 0);
        return noted(place + "acc", left);
      }
    }
    for (Item& item : products) item.value = grown(item.value);
    Sources sources{{"product", products}, {"acc", {acc}}};
    const Value left = run_adders(datapath_.adders, sources, place);
    return noted(place + "acc", taken(left, sources));
  }

  // Lists of elements, each with its products, as steps of products.
  std::vector<Items> steps_of(const Items& products) const {
    std::vector<Items> elements;
    for (std::size_t i = 0; i < products.size(); i += pieces())
      elements.emplace_back(products.begin() + static_cast<std::ptrdiff_t>(i),
                            products.begin() + static_cast<std::ptrdiff_t>(i + pieces()));
    if (datapath_.from == From::last) std::reverse(elements.begin(), elements.end());
    const std::vector<std::vector<Items>> whole = dealt(elements, datapath_.step);
    std::vector<Items> steps;
    const auto add_step = [&](const std::vector<Items>& step, std::size_t piece) {
      steps.emplace_back();
      for (const Items& element : step) steps.back().push_back(element[piece]);
    };
    switch (datapath_.slices.pairs.empty() ? SliceRun::together : datapath_.slices.run) {
      case SliceRun::together:
        for (const std::vector<Items>& step : whole) {
          steps.emplace_back();
          for (const Items& element : step) steps.back().insert(steps.back().end(), element.begin(), element.end());
        }
        break;
      case SliceRun::step:
        for (const std::vector<Items>& step : whole) {
          for (std::size_t piece = 0; piece < pieces(); ++piece) add_step(step, piece);
        }
        break;
      case SliceRun::passes:
        for (std::size_t piece = 0; piece < pieces(); ++piece) {
          for (const std::vector<Items>& step : whole) add_step(step, piece);
        }
        break;
    }
    return steps;
  }

  // What a step left, by those of its numbers that are subnormal in the format it was left in.
  Value acc_as_read(const Value& left) const {
    const Subnormals words = datapath_.subnormals_acc;
    if (words == Subnormals::keep) return left;
    const Format own = format(datapath_.adders.back().results.back().format);
    return is_subnormal(own, left) ? zero(words == Subnormals::signed_zero && left.negative) : left;
  }

  Value lane(const Items& products, const Value& c, const std::string& place) const {
    const std::vector<Items> steps = steps_of(products);
    Item acc{datapath_.start == Start::c ? c : zero(false)};
    acc.absent = datapath_.start == Start::none;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i > 0) acc.value = acc_as_read(acc.value);
      const std::size_t next_step = next_draw_ + draws_of(datapath_.adders, {{"product", steps[i].size()}, {"acc", 1}});
      acc = Item{step(steps[i], acc, at(place + "step", i) + ".")};
      next_draw_ = next_step;  // also where the step was decided without its sums
    }
    return acc.value;
  }

  // Elements are dealt, with all their products.
  std::vector<Items> lanes_of(const Items& products) const {
    std::vector<std::size_t> elements(products.size() / pieces());
    for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = i;
    std::vector<Items> lanes;
    for (const std::vector<std::size_t>& own : dealt(elements, datapath_.lanes)) {
      lanes.emplace_back();
      for (const std::size_t element : own) {
        for (std::size_t piece = 0; piece < pieces(); ++piece)
          lanes.back().push_back(products[element * pieces() + piece]);
      }
    }
    return lanes;
  }

  Items lanes(const Items& products, const Value& c) const {
    const std::vector<Items> lanes = lanes_of(products);
    Items results;
    next_draw_ = first_draw_of_steps();
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      results.push_back({lane(lanes[i], c, lanes.size() > 1 ? at("lane", i) + "." : "")});
    }
    return results;
  }

  Value after_finish(const Items& lanes, const Value& c) const {
    if (datapath_.finish.empty()) return lanes.front().value;
    Sources sources{{"lanes", lanes}, {"c", {{c}}}};
    return run_adders(datapath_.finish, sources, "finish.");
  }

  const Datapath& datapath_;
  const int k_;
  const Operands& operands_;
  Places* places_;
  const Format d_;
  mutable std::size_t next_draw_ = 0;  // of the sums, which come in the order of their random words
};

}  // namespace

Outcome interpret(const Datapath& datapath, int k, const Operands& operands, Places* places) {
  return Interpreter(datapath, k, operands, places).run();
}

}  // namespace assay::vocabulary
