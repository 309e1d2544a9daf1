#include "sim/cli/explain_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/core/decode.hpp"
#include "model/core/encode.hpp"
#include "model/core/multiply.hpp"
#include "model/core/reduce.hpp"
#include "model/core/round.hpp"
#include "model/core/scale.hpp"

namespace assay {
namespace {

constexpr int greatest_grid = 72;  // columns of bits that leave room for names

std::string hex(Code code, const Format& format) { return fmt::format("{:0{}x}", code, format.hex_digits()); }

std::string binary(u128 value, int width) {
  std::string text;
  for (int i = width - 1; i >= 0; --i) text += (shift_right(value, i) & 1) != 0 ? '1' : '0';
  return text;
}

// For reading only: decimal values are rounded to what a double holds.
std::string decimal(const Number& n) {
  switch (n.cls) {
    case Class::nan: return "NaN";
    case Class::infinity: return n.negative ? "-inf" : "+inf";
    case Class::finite: break;
  }
  const double value = std::ldexp(static_cast<double>(n.magnitude), n.quantum);
  return fmt::format("{}{:.8g}", n.negative ? "-" : "+", value);
}

// "+1.0110 x 2^-3": the bits of a number with its binary point where its nominal exponent says.
std::string scientific(const Number& n) {
  if (!n.is_finite()) return decimal(n);
  if (n.magnitude == 0) return n.negative ? "-0" : "+0";
  const int fraction = n.exponent - n.quantum;
  const int width = std::max(bit_length(n.magnitude), fraction + 1);
  std::string bits = binary(n.magnitude, width);
  if (fraction > 0) bits.insert(bits.size() - static_cast<std::size_t>(fraction), ".");
  if (bits.find('.') != std::string::npos) {
    while (bits.back() == '0') bits.pop_back();
    if (bits.back() == '.') bits.pop_back();
  }
  if (bits.size() > 60) bits = bits.substr(0, 56) + "...";
  return fmt::format("{}{} x 2^{}", n.negative ? "-" : "+", bits, n.exponent);
}

// A fixed-point value on a grid: `integer_bits` before the point, `fraction_bits` behind it.
std::string on_grid(u128 magnitude, int integer_bits, int fraction_bits) {
  std::string bits = binary(magnitude, integer_bits + fraction_bits);
  if (fraction_bits > 0) bits.insert(static_cast<std::size_t>(integer_bits), ".");
  return bits;
}

class Text {
 public:
  Text(const Plan& plan, const Case& one, const Explanation& explanation)
      : p_(plan), case_(one), trace_(explanation.trace), d_(explanation.d), width_(name_width(plan)) {}

  std::string text() {
    operands();
    for (at_ = first_after_products(); at_ < static_cast<int>(p_.places.size());) stage();
    ending();
    return text_;
  }

 private:
  // Wide enough for every name that begins a line.
  static int name_width(const Plan& plan) {
    std::size_t width = 6;
    for (const Place& place : plan.places) {
      const bool shown = place.stage != Stage::decode && place.stage != Stage::multiply && place.stage != Stage::align;
      if (shown) width = std::max(width, place.name.size());
    }
    return static_cast<int>(width) + 2;
  }

  const Place& place() const { return p_.places[static_cast<std::size_t>(at_)]; }

  void line(const std::string& text) { text_ += text + "\n"; }
  // What stands at a place, behind its name; `blank_row` after an empty line.
  void row(const std::string& name, const std::string& text) { line(fmt::format("{:<{}}{}", name, width_, text)); }
  void blank_row(const std::string& name, const std::string& text) {
    text_ += "\n";
    row(name, text);
  }
  static std::string value_text(const Number& n) { return scientific(n) + "   " + decimal(n); }

  Number number_at(int index) const {
    const Place& place = p_.places[static_cast<std::size_t>(index)];
    Number n;
    n.cls = static_cast<Class>(trace_.field(index, "class"));
    n.negative = trace_.field(index, "sign") != 0;
    n.magnitude = trace_.field(index, "significand");
    n.exponent = static_cast<int>(trace_.signed_field(index, "exponent"));
    n.quantum = place.absolute ? -place.fraction_bits : n.exponent - place.fraction_bits;
    return n;
  }

  // --- operands and products ---

  void operands() {
    const auto k = static_cast<std::size_t>(p_.k);
    line(fmt::format("{:>6}  {:<16}  {:<16}  {:<16}  {:<16}  {}", "", "a", "", "b", "", "multiply: a x b"));
    const int first = p_.find_place("multiply[0]");
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const Number a = number_at(static_cast<int>(i));
      const Number b = number_at(static_cast<int>(k + i));
      if (a.is_zero() && b.is_zero()) {
        ++zeros;
        continue;
      }
      const Number p = number_at(first + static_cast<int>(i));
      line(fmt::format("{:>6}  {:<16}  {:<16}  {:<16}  {:<16}  {}", fmt::format("[{}]", i), hex(case_.a[i], p_.a),
                       decimal(a), hex(case_.b[i], p_.b), decimal(b), scientific(p)));
    }
    if (zeros > 0) line(fmt::format("        {} more terms are zero times zero", zeros));
    const Number c = number_at(p_.find_place("decode.c"));
    line(fmt::format("{:>6}  {:<16}  {:<16}  {}", "c", hex(case_.c, p_.c), decimal(c), scientific(c)));
    for (int i = 0; i < p_.scales; ++i) {
      const auto at = static_cast<std::size_t>(i);
      line(fmt::format("scales of block {}: a {} = {}, b {} = {}", i, hex(case_.scale_a[at], *p_.scale),
                       decimal(number_at(p_.find_place(fmt::format("decode.scale_a[{}]", i)))),
                       hex(case_.scale_b[at], *p_.scale),
                       decimal(number_at(p_.find_place(fmt::format("decode.scale_b[{}]", i))))));
    }
  }

  int first_after_products() const { return p_.find_place(fmt::format("multiply[{}]", p_.k - 1)) + 1; }

  // --- one place, or all places of one sum ---

  void stage() {
    switch (place().stage) {
      case Stage::window: sum(); return;
      case Stage::special: special(); break;
      case Stage::encode: row("encode", hex(d_, p_.d)); break;
      case Stage::acc: row(place().name, value_text(number_at(at_))); break;
      case Stage::scale:
      case Stage::round: terms_changed(); break;
      case Stage::decode:
      case Stage::multiply:
      case Stage::align:
      case Stage::reduce: break;
    }
    ++at_;
  }

  // Products after scales or rounding; zeros say nothing.
  void terms_changed() {
    const Number n = number_at(at_);
    if (!n.is_zero()) row(place().name, scientific(n));
  }

  void special() {
    static const char* const outcomes[] = {"", "NaN: the step's result is NaN",
                                           "+infinity: the step's result is +infinity",
                                           "-infinity: the step's result is -infinity"};
    const auto outcome = static_cast<unsigned>(trace_.field(at_, "outcome"));
    if (outcome != 0) blank_row(place().name, outcomes[outcome]);
  }

  const AdderPlan& adder_named(const std::string& place_name) const {
    // "step[0].pairs[1].add[2].window" -> pairs
    for (const auto* list : {&p_.adders, &p_.finish}) {
      for (const AdderPlan& adder : *list) {
        const bool here = (list == &p_.finish) == (place_name.rfind("finish.", 0) == 0);
        const std::size_t found = place_name.find("." + adder.name);
        if (!here || found == std::string::npos) continue;
        const char after = place_name[found + 1 + adder.name.size()];
        if (after == '.' || after == '[') return adder;
      }
    }
    return p_.adders.front();
  }

  void sum() {
    const std::string name = place().name.substr(0, place().name.rfind('.'));
    const AdderPlan& adder = adder_named(place().name);
    const std::vector<Number>& items = trace_.items(at_);
    const int window = static_cast<int>(trace_.signed_field(at_, "exponent"));
    blank_row(name + ".window", holder(adder, items, window));
    if (adder.sum.align_width <= greatest_grid) {
      narrow(name, adder, items, window);
    } else {
      wide(name, adder, items);
    }
    for (std::size_t i = 0; i < adder.results.size() + (adder.times_scales ? 1 : 0); ++i, ++at_) {
      const Number n = number_at(at_);
      row(place().name, value_text(n));
    }
  }

  // The window's exponent, and what it is the exponent of.
  std::string holder(const AdderPlan& adder, const std::vector<Number>& items, int window) const {
    if (adder.window.exponent == WindowExponent::fixed) return fmt::format("2^{}  (fixed)", window);
    bool any = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      any = any || items[i].has_exponent();
      if (items[i].has_exponent() && items[i].exponent == window) {
        const std::string& label = p_.places[static_cast<std::size_t>(at_) + 1 + i].label;
        return fmt::format("2^{}  (the largest exponent: {})", window, label);
      }
    }
    if (!any && window == 0) return "none: nothing here has an exponent";
    const bool floor = adder.window.floor && *adder.window.floor == window;
    return fmt::format("2^{}{}", window, floor ? "  (the floor)" : "");
  }

  // Every addend's bits under each other, what is cut off behind a bar.
  void narrow(const std::string& name, const AdderPlan& adder, const std::vector<Number>& items, int window) {
    const SumPlan& s = adder.sum;
    const int fraction = s.fixed_quantum ? window - *s.fixed_quantum : s.fraction_bits;
    const int integer = s.align_width - 1 - std::max(fraction, 0);
    const int growth = s.sum_width - s.align_width;
    ++at_;
    int zeros = 0;
    for (const Number& item : items) {
      if (item.is_zero() || !item.is_finite()) {
        ++zeros;
      } else {
        const i128 addend = trace_.signed_field(at_, "addend");
        const u128 magnitude = static_cast<u128>(addend < 0 ? -addend : addend);
        const std::string pad(static_cast<std::size_t>(growth), ' ');
        const std::string cut = cut_off(item, window - fraction);
        row(short_name(place().name, name), fmt::format("{} {}{}{}   {}", item.negative ? '-' : '+', pad,
                                                        on_grid(magnitude, integer, std::max(fraction, 0)),
                                                        cut.empty() ? "" : " | " + cut, place().label));
      }
      ++at_;
    }
    if (zeros > 0) row("", fmt::format("{} more are zero", zeros));
    const i128 sum = trace_.signed_field(at_, "sum");
    const u128 magnitude = static_cast<u128>(sum < 0 ? -sum : sum);
    const std::string sticky =
        adder.sticky ? fmt::format(" sticky {}", static_cast<int>(trace_.field(at_, "sticky"))) : "";
    row(name + ".reduce", fmt::format("{} {}{}", sum < 0 ? '-' : '+',
                                      on_grid(magnitude, integer + growth, std::max(fraction, 0)), sticky));
    ++at_;
  }

  static std::string short_name(const std::string& place, const std::string& sum) {
    return "  " + place.substr(sum.size() + 1);
  }

  // The bits of `item` below 2^grid, without zeros at the end.
  static std::string cut_off(const Number& item, int grid) {
    const int below = grid - item.quantum;
    if (below <= 0) return "";
    std::string bits = binary(item.magnitude & low_mask(below), std::min(below, 200));
    bits.erase(bits.find_last_not_of('0') + 1);
    const std::size_t zeros = std::min(bits.find('1'), bits.size());
    return zeros <= 12 ? bits : fmt::format("({} zeros) {}", zeros, bits.substr(zeros));
  }

  // Exact windows of hundreds of bits: numbers by themselves.
  void wide(const std::string& name, const AdderPlan& adder, const std::vector<Number>& items) {
    ++at_;
    int zeros = 0;
    for (const Number& item : items) {
      if (item.is_zero()) {
        ++zeros;
      } else {
        row(short_name(place().name, name), scientific(item) + "   " + place().label);
      }
      ++at_;
    }
    if (zeros > 0) row("", fmt::format("{} more are zero", zeros));
    row(name + ".reduce", fmt::format("exact, in {} bits", adder.sum.sum_width));
    ++at_;
  }

  void ending() {
    const Exactness exact = exactness(p_, case_, d_);
    const Number d = decode(d_, p_.d, Subnormals::keep, p_.datapath.specials);
    blank_row("d", hex(d_, p_.d) + "   " + decimal(d));
    if (exact.ulps.empty()) return;
    const std::string verdict = exact.nearest == d_
                                    ? "d is the exact sum correctly rounded (nearest even)"
                                    : "the exact sum correctly rounded (nearest even) is " + hex(exact.nearest, p_.d);
    row("exact", fmt::format("{}; d - exact = {} ulp", verdict, exact.ulps));
  }

  const Plan& p_;
  const Case& case_;
  const Trace& trace_;
  Code d_;
  int width_;  // of the column of names
  int at_ = 0;
  std::string text_;
};

using Exact = Wide<70>;
constexpr int exact_grid = -2500;  // below every product of two f64 subnormals

void add_exactly(Exact& sum, const Number& n) {
  const Exact value = Exact::shifted(n.magnitude, n.quantum - exact_grid);
  sum += n.negative ? -value : value;
}

}  // namespace

Explanation explain(const Plan& plan, const Case& one) {
  Explanation e{0, Trace(plan)};
  e.trace.keep_items(true);
  Registers registers;
  e.d = dot(plan, one.operand(), registers, &e.trace);
  return e;
}

std::string explain_text(const Plan& plan, const Case& one, const Explanation& explanation) {
  return Text(plan, one, explanation).text();
}

Exactness exactness(const Plan& plan, const Case& one, Code d) {
  const auto number = [](Code code, const Format& f) { return decode(code, f, Subnormals::keep, Specials::step); };
  Exact sum;
  const Number c = number(one.c, plan.c);
  bool finite = c.is_finite();
  if (finite) add_exactly(sum, c);
  for (std::size_t i = 0; i < one.a.size(); ++i) {
    Number p = multiply(number(one.a[i], plan.a), number(one.b[i], plan.b));
    if (plan.scale) {
      const std::size_t block = i / static_cast<std::size_t>(plan.scale_block);
      p = scale(p, number(one.scale_a[block], *plan.scale), number(one.scale_b[block], *plan.scale));
    }
    finite = finite && p.is_finite();
    if (p.is_finite()) add_exactly(sum, p);
  }
  const Number result = number(d, plan.d);
  Exactness e;
  if (!finite || !result.is_finite()) return e;

  ResultPlan to_d;
  to_d.words.overflow = plan.d.is_integer()   ? Overflow::wrap
                        : plan.d.has_infinity ? Overflow::infinity
                                              : Overflow::largest;
  to_d.format = plan.d;
  const Number rounded = round(read_out(sum, exact_grid), to_d);
  e.nearest = encode(rounded, plan.d, plan.nan);

  Exact error = -sum;
  add_exactly(error, result);
  const Number difference = read_out(error, exact_grid);
  const int ulp = (result.is_zero() ? plan.d.least_exponent() : result.exponent) - plan.d.mantissa_bits;
  const double ulps = std::ldexp(static_cast<double>(difference.magnitude), difference.quantum - ulp);
  e.ulps = fmt::format("{}{:.4g}", difference.magnitude == 0 ? "" : difference.negative ? "-" : "+", ulps);
  return e;
}

}  // namespace assay
