#include "model/core/plan.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "model/core/bounds.hpp"
#include "model/core/cut.hpp"
#include "model/core/factor.hpp"
#include "model/core/reduce.hpp"
#include "model/core/result_words.hpp"

namespace assay {
namespace {

constexpr int greatest_native_sum = 126;   // of i128: a sign and a sticky bit to spare
constexpr int greatest_significand = 124;  // of a number that travels between stages
constexpr int greatest_factor = 64;        // of an element that is multiplied

// "0 and 100"
std::string ends(Bounds b) { return std::to_string(b.least) + " and " + std::to_string(b.greatest); }

// "0 to 52 bits"
std::string bits(Bounds b) { return std::to_string(b.least) + " to " + std::to_string(b.greatest) + " bits"; }

int signed_width(int least, int greatest) {
  int width = 1;
  while (least < -(1 << (width - 1)) || greatest > (1 << (width - 1)) - 1) ++width;
  return width;
}

Range unite(const Range& x, const Range& y) {
  Range r;
  r.least_exponent = std::min(x.least_exponent, y.least_exponent);
  r.greatest_exponent = std::max(x.greatest_exponent, y.greatest_exponent);
  r.integer_bits = std::max(x.integer_bits, y.integer_bits);
  r.fraction_bits = std::max(x.fraction_bits, y.fraction_bits);
  if (x.fixed_quantum || y.fixed_quantum) r.fixed_quantum = std::min(x.least_quantum(), y.least_quantum());
  return r;
}

// Whether `found`, the range of a sum, reaches further down than `assumed`, the range of the like sum that it adds.
bool sinks(const Range& assumed, const Range& found) {
  return found.least_exponent < assumed.least_exponent || found.least_quantum() < assumed.least_quantum();
}

bool same_range(const Range& x, const Range& y) {
  return x.least_exponent == y.least_exponent && x.greatest_exponent == y.greatest_exponent &&
         x.integer_bits == y.integer_bits && x.fraction_bits == y.fraction_bits && x.fixed_quantum == y.fixed_quantum;
}

Range format_range(const Format& f) {
  const int sign = f.sign_magnitude ? 1 : 0;
  if (f.is_integer()) return {0, 0, f.stored_bits - sign - f.fraction_bits, f.fraction_bits, -f.fraction_bits};
  return {f.least_exponent(), f.greatest_exponent(), 1, f.mantissa_bits, std::nullopt};
}

// Below the exponent, wherever that stands.
int deepest_fraction(const Range& r) {
  return r.fixed_quantum ? std::max(0, r.greatest_exponent - *r.fixed_quantum) : r.fraction_bits;
}

// Whether every number of x is one of y.
bool narrower(const Format& x, const Format& y) {
  if (y.is_list()) return false;
  return x.mantissa_bits <= y.mantissa_bits && x.greatest_exponent() <= y.greatest_exponent() &&
         x.least_exponent() - x.mantissa_bits >= y.least_exponent() - y.mantissa_bits;
}

// The fraction bits that an input has left once it was cut, maybe more than once.
int kept_bits(const Input& input) {
  int kept = *input.keep;
  for (const Recut& again : input.again) kept = std::min(kept, again.keep);
  return kept;
}

bool may_carry(const Input& input) {
  return may_carry(input.cut) ||
         std::any_of(input.again.begin(), input.again.end(), [](const Recut& again) { return may_carry(again.cut); });
}

// What an adder of a block can take, as far as its plan depends on it.
struct Surroundings {
  bool in_finish = false;
  int terms = 0;  // products of a step, or lanes
  Range term, one;
  const std::vector<AdderPlan>* earlier = nullptr;
};

// "pair[3]" as its name and its index.
std::pair<std::string, std::optional<int>> indexed_name(const std::string& text) {
  const std::size_t open = text.find('[');
  const bool indexed = open != std::string::npos && text.size() > open + 2 && text.size() < open + 7 &&
                       text.back() == ']' && text.find_first_not_of("0123456789", open + 1) == text.size() - 1;
  if (!indexed) return {text, std::nullopt};
  return {text.substr(0, open), std::stoi(text.substr(open + 1))};
}

class Planner {
 public:
  Planner(const Datapath& datapath, int k) {
    p_.datapath = datapath;
    p_.k = k;
  }

  std::variant<Plan, std::vector<Problem>> run() {
    formats();
    if (problems_.empty()) cut_into_steps();
    if (problems_.empty()) products();
    if (problems_.empty()) adders();
    if (problems_.empty()) acc_as_read();
    if (problems_.empty()) output();
    problems_.insert(problems_.begin(), of_words_.begin(), of_words_.end());
    if (!problems_.empty()) return problems_;
    wire_blocks();
    nan_order();
    if (!problems_.empty()) return problems_;
    random_words();
    auto& last = p_.finish.empty() ? p_.adders : p_.finish;
    last.back().results.back().leaves_d = true;
    places();
    return std::move(p_);
  }

 private:
  void problem(std::string key, std::string message) { problems_.push_back({std::move(key), std::move(message)}); }

  // --- formats ---

  const Format* lookup(const std::string& name) const {
    for (const Format& own : p_.datapath.formats) {
      if (own.name == name) return &own;
    }
    return find_format(name);
  }

  // With `specials: numbers` every code is a number: the top exponent is an ordinary one.
  Format as_used(Format format) const {
    if (p_.datapath.specials == Specials::numbers && !format.is_list()) {
      format.has_infinity = false;
      format.nan = NanCodes::none;
    }
    fields_changed(format);
    return format;
  }

  std::string choices() const {
    std::string names;
    for (const Format& own : p_.datapath.formats) names += own.name + ", ";
    return names + format_names();
  }

  Format operand_format(const std::string& key, const std::string& name) {
    if (name.empty()) {
      problem("operands." + key,
              "operands." + key + " is missing: name the format of " + key + ", one of " + choices() + ".");
      return {};
    }
    const Format* format = lookup(name);
    if (format == nullptr) {
      problem("operands." + key,
              "operands." + key + " is '" + name + "', which is no format; the formats are " + choices() + ".");
      return {};
    }
    return as_used(*format);
  }

  // A search plans millions of good formats: what is wrong is put into words only where it is.
  void wrong_format(const Format& f, std::string_view message) {
    problem("formats." + f.name, "Format " + f.name + ": " + std::string(message));
  }

  void own_formats() {
    for (const Format& f : p_.datapath.formats) {
      if (find_format(f.name) != nullptr)
        wrong_format(f, "this name already belongs to the built-in table; choose another.");
      if (f.fraction_bits > f.stored_bits)
        wrong_format(f, "fraction is " + std::to_string(f.fraction_bits) + ", more bits than it has.");
      if (f.sign_magnitude && (!f.has_sign || f.stored_bits <= 1))
        wrong_format(f, "magnitude: true needs a sign and at least one bit beside it.");
      if (f.kind == FormatKind::floating && f.rule.empty()) own_float(f);
    }
  }

  void own_float(const Format& f) {
    const auto not_that = [&](const std::string& must, int number) {
      wrong_format(f, must + ", not " + std::to_string(number) + ".");
    };
    if (!bounds::format_exponent.hold(f.exponent_bits))
      not_that("exponent must be " + bits(bounds::format_exponent), f.exponent_bits);
    if (!bounds::format_mantissa.hold(f.mantissa_bits))
      not_that("mantissa must be " + bits(bounds::format_mantissa), f.mantissa_bits);
    if (!bounds::format_bias.hold(f.bias)) not_that("bias must lie between " + ends(bounds::format_bias), f.bias);

    const auto check = [&](bool good, std::string_view message) {
      if (!good) wrong_format(f, message);
    };
    check(f.stored_bits <= 64, "sign, exponent and mantissa together must fit 64 bits.");
    const bool at_top = f.has_infinity && f.infinity_codes == InfinityCodes::top_exponent;
    check(!at_top || f.nan == NanCodes::ieee,
          "infinity: true needs nan: ieee, since both share the top exponent, or infinity_codes: last.");
    check(at_top || f.nan != NanCodes::ieee, "nan: ieee needs infinity: true, since both share the top exponent.");
    check(f.has_sign || f.nan != NanCodes::negative_zero, "nan: negative_zero needs a sign.");
    check(f.has_sign || !f.has_signed_zero, "without a sign there is no -0: say signed_zero: false.");
    check(f.nan != NanCodes::negative_zero || !f.has_signed_zero,
          "nan: negative_zero takes the code of -0: say signed_zero: false.");
    check(f.nan != NanCodes::ieee || (f.mantissa_bits >= 1 && f.exponent_bits >= 2),
          "nan: ieee needs at least 2 exponent bits and 1 mantissa bit.");
    const int taken = (f.nan == NanCodes::all_ones ? 1 : 0) + (f.has_infinity && !at_top ? 1 : 0);
    check(f.exponent_bits >= 2 || f.mantissa_bits >= taken,
          "infinity and NaN leave no number that is not subnormal: give it one more bit of exponent or mantissa.");
  }

  // What a list of values leaves no room for.
  void lists() {
    const Datapath& w = p_.datapath;
    const auto check = [&](const Format& f, const std::string& key, Subnormals subnormals) {
      if (!f.is_list()) return;
      if (w.specials == Specials::numbers && (f.has_infinity || f.nan != NanCodes::none))
        problem("specials",
                "Format " + f.name + " is a list of values: with `specials: numbers` its NaN would have none.");
      if (subnormals != Subnormals::keep)
        problem("subnormals." + key, "Format " + f.name +
                                         " is a list of values, none of which is subnormal: leave `subnormals." + key +
                                         "` out.");
    };
    check(p_.a, "a", w.subnormals_a);
    check(p_.b, "b", w.subnormals_b);
    check(p_.c, "c", w.subnormals_c);
    check(p_.d, "d", Subnormals::keep);
  }

  // What a step leaves can be subnormal in a format alone.
  void acc_as_read() {
    if (p_.datapath.subnormals_acc == Subnormals::keep) return;
    const AdderPlan& last = p_.adders.back();
    if (last.results.empty() || last.results.back().words.at != ResultAt::format)
      return problem("subnormals.acc", "What a step leaves is of no format, and so never subnormal: end `" + last.name +
                                           "` with a result in one, or leave `subnormals.acc` out.");
    const Format& f = last.results.back().format;
    if (f.is_integer() || f.is_list())
      problem("subnormals.acc",
              "A step leaves numbers of " + f.name + ", none of which is subnormal: leave `subnormals.acc` out.");
  }

  void formats() {
    own_formats();
    const Operands& o = p_.datapath.operands;
    p_.a = operand_format("a", o.a);
    p_.b = operand_format("b", o.b);
    p_.c = operand_format("c", o.c);
    p_.d = operand_format("d", o.d);
    if (!o.scale.empty()) scale_format();
    more_operands();
    if (!problems_.empty()) return;
    for (const auto* f : {&p_.a, &p_.b, &p_.c, &p_.d}) {
      if (!f->has_zero) problem("operands", "Format " + f->name + " has no zero and can only be a scale.");
    }
    lists();
    p_.a_range = format_range(p_.a);
    p_.b_range = format_range(p_.b);
    p_.c_range = format_range(p_.c);
    nan_code();
  }

  void scale_format() {
    const Operands& o = p_.datapath.operands;
    p_.scale = operand_format("scale.format", o.scale);
    if (o.scale_block < 1)
      problem("operands.scale.block",
              "operands.scale.block is " + std::to_string(o.scale_block) + "; a block has at least one element.");
    if (!problems_.empty()) return;
    p_.scale_block = o.scale_block;
    p_.scales = (p_.k + o.scale_block - 1) / o.scale_block;
    p_.scale_range = format_range(*p_.scale);
    const bool used =
        p_.datapath.product.times_scales || std::any_of(p_.datapath.adders.begin(), p_.datapath.adders.end(),
                                                        [](const Adder& a) { return a.times_scales; });
    if (!used)
      problem("operands.scale", "The operands have scales, but neither product nor any adder says `times: scales`.");
  }

  // --- what a case brings beside these ---

  void more_operands() {
    const Operands& o = p_.datapath.operands;
    for (const Scale& scale : o.scales) {
      check_operand_name(scale.name);
      check_acts(scale);
      add_operand(scale.name, CaseOperandKind::scale, scale.of, "operands.scales." + scale.name, scale.format,
                  scale.block);
    }
    zero_points(Side::a, o.zero_a, p_.datapath.factor_a, p_.a);
    zero_points(Side::b, o.zero_b, p_.datapath.factor_b, p_.b);
    if (o.mask) mask(*o.mask);
  }

  void mask(const Mask& words) {
    const auto check = [&](bool good, const std::string& key, const std::string& message) {
      if (!good) problem("operands.mask" + key, "operands.mask" + key + message);
    };
    const auto text = [](int number) { return " is " + std::to_string(number); };
    if (words.has_pattern()) {
      const int take = *words.take, among = words.among.value_or(0), unit = words.unit;
      check(take >= 1, ".take", text(take) + "; at least one of each group is on.");
      check(among >= 1, ".among", text(among) + "; a group has at least one term.");
      check(unit >= 1, ".unit", text(unit) + "; a unit has at least one term.");
      if (!problems_.empty() || p_.k < 1) return;
      check(take <= among, ".take", text(take) + ", more than the " + std::to_string(among) + " of a group.");
      check(p_.k % among == 0, ".among",
            text(among) + ", which does not divide the " + std::to_string(p_.k) + " terms there are.");
      check(take % unit == 0 && among % unit == 0, ".unit",
            text(unit) + "; it must divide both take, " + std::to_string(take) + ", and among, " +
                std::to_string(among) + ".");
    }
    if (!problems_.empty() || p_.k < 1) return;
    CaseOperand more;
    more.name = "mask";
    more.kind = CaseOperandKind::mask;
    more.format = mask_format();
    more.range = format_range(more.format);
    more.count = p_.k;
    more.first = p_.more_codes();
    more.pattern = words;
    p_.mask = static_cast<int>(p_.more.size());
    p_.more.push_back(more);
  }

  void add_operand(const std::string& name, CaseOperandKind kind, Side of, const std::string& key,
                   const std::string& format, std::optional<int> block) {
    CaseOperand more;
    more.name = name;
    more.kind = kind;
    more.of = of;
    const std::string path = key.substr(std::string("operands.").size());
    more.format = operand_format(path + ".format", format);
    if (block && *block < 1)
      problem(key + ".block", key + ".block is " + std::to_string(*block) + "; a block has at least one element.");
    if (!problems_.empty() || p_.k < 1) return;
    more.range = format_range(more.format);
    more.block = std::min(block.value_or(p_.k), p_.k);
    more.count = blocks_of(p_.k, more.block);
    more.first = p_.more_codes();
    p_.more.push_back(more);
  }

  void check_operand_name(const std::string& name) {
    const bool is_reserved =
        is_further_operand(name) || (name.size() == 1 && std::string("abcd").find(name) != std::string::npos);
    const std::string key = "operands.scales." + name;
    const bool is_of_pair = !p_.datapath.operands.scale.empty() && (name == "scale_a" || name == "scale_b");
    const auto taken =
        std::find_if(p_.more.begin(), p_.more.end(), [&](const CaseOperand& m) { return m.name == name; });
    if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
      problem(key, "The name '" + name + "' must be made of a-z, 0-9 and _, since a case names its codes by it.");
    } else if (is_reserved || is_of_pair) {
      problem(key, "'" + name + "' already names an operand of the case; choose another name for this scale.");
    } else if (taken != p_.more.end()) {
      problem(key, "Two scales are called '" + name + "'.");
    }
  }

  void check_acts(const Scale& scale) {
    if (scale.at == "operand" || scale.at == "product") return;
    int found = 0;
    std::string names;
    for (const auto* list : {&p_.datapath.adders, &p_.datapath.finish}) {
      for (const Adder& adder : *list) {
        found += adder.name == scale.at ? 1 : 0;
        names += ", " + adder.name;
      }
    }
    const std::string key = "operands.scales." + scale.name + ".at";
    if (found == 0)
      problem(key, key + " is '" + scale.at + "'; a scale multiplies at one of operand, product" + names + ".");
    if (found > 1) problem(key, key + " is '" + scale.at + "', which names two adders; give them different names.");
  }

  void zero_points(Side side, const ZeroPoints& words, const Factor& factor, const Format& elements) {
    const std::string name(word(side)), key = "operands.zero_" + name;
    if (words.format.empty() && words.block)
      return problem(key + ".format", key + ".format is missing: name the integer format of the zero points.");
    const bool from_case = !words.format.empty();
    if (!from_case && !factor.zero_point) return;
    if (from_case && factor.zero_point)
      return problem(key, key + " brings zero points and factors." + name + ".zero_point is one; give one of both.");
    const std::string at = from_case ? key : "factors." + name + ".zero_point";
    if (elements.has_point())
      problem(at, "Zero points are subtracted from whole numbers, and " + name + "'s format " + elements.name +
                      " counts in units of 2^" + std::to_string(elements.last_place()) +
                      "; use an integer format without `fraction`.");
    else if (!elements.name.empty() && !elements.is_integer())
      problem(at, "Zero points are subtracted from integers, and " + name + "'s format " + elements.name +
                      " is none; use a scale, or an integer format.");
    if (!from_case) return;
    add_operand("zero_" + name, CaseOperandKind::zero_point, side, key, words.format, words.block);
    if (const Format* format = lookup(words.format);
        format != nullptr && (!format->is_integer() || format->has_point()))
      problem(key + ".format",
              "A zero point is a whole number; " + words.format +
                  (format->has_point() ? " counts in units of 2^" + std::to_string(format->last_place()) + "."
                                       : " is no integer format."));
  }

  // Of `more`, the scales that multiply here.
  std::vector<int> scales_at(const std::string& at, std::optional<Side> side = {}) const {
    std::vector<int> found;
    const std::vector<Scale>& all = p_.datapath.operands.scales;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].at == at && (!side || all[i].of == *side)) found.push_back(static_cast<int>(i));
    }
    return found;
  }

  Range times_scales(Range r, const std::vector<int>& scales) const {
    for (const int scale : scales) r = product_range(r, p_.more[static_cast<std::size_t>(scale)].range);
    return r;
  }

  void nan_code() {
    p_.nan = p_.datapath.nan ? *p_.datapath.nan : Nan{false, p_.d.stored(p_.d.quiet_nan())};
    if (p_.nan.has_order()) p_.nan.code = p_.nan.order.made.value_or(p_.d.stored(p_.d.quiet_nan()));
    if (!gives_nan_code(p_.datapath) && !p_.nan.has_order()) return;
    if (!p_.d.fits(p_.nan.code))
      problem(p_.nan.has_order() ? "nan.default" : "nan",
              "nan has more bits than d's format " + p_.d.name + " (" + std::to_string(p_.d.stored_bits) + ").");
  }

  // --- k into lanes and steps ---

  int group_terms(const Group& group, int available, const std::string& key) {
    const int terms = group.terms.value_or(available);
    if (terms < 1 || available % std::max(terms, 1) != 0) {
      problem(key + ".terms", key + ".terms is " + std::to_string(terms) + ", which does not divide the " +
                                  std::to_string(available) + " terms there are.");
      return 1;
    }
    const int groups = available / terms;
    if (group.deal == Deal::strided && (group.unit < 1 || terms % group.unit != 0)) {
      problem(key + ".unit", key + ".unit is " + std::to_string(group.unit) +
                                 "; units of it cannot be dealt evenly to " + std::to_string(groups) + " groups.");
      return 1;
    }
    return terms;
  }

  // The members of each group in turn, as places in 0..available-1.
  static std::vector<int> deal(const Group& group, int terms, int available) {
    const int groups = available / terms;
    std::vector<int> members(static_cast<std::size_t>(available));
    std::vector<int> dealt(static_cast<std::size_t>(groups));
    for (int i = 0; i < available; ++i) {
      const int owner = group.deal == Deal::neighbours ? i / terms : i / group.unit % groups;
      members[static_cast<std::size_t>(owner * terms + dealt[static_cast<std::size_t>(owner)]++)] = i;
    }
    return members;
  }

  void cut_into_steps() {
    const Datapath& w = p_.datapath;
    if (p_.k < 1 || p_.k > greatest_k)
      return problem(
          "", "k is " + std::to_string(p_.k) + "; it must lie between 1 and " + std::to_string(greatest_k) + ".");
    const int lane_terms = group_terms(w.lanes, p_.k, "k_order.lanes");
    if (!problems_.empty()) return;
    p_.step_terms = group_terms(w.step, lane_terms, "k_order.step");
    if (!problems_.empty()) return;
    p_.lanes = p_.k / lane_terms;
    p_.steps = lane_terms / p_.step_terms;
    const std::vector<int> lanes = deal(w.lanes, lane_terms, p_.k);
    std::vector<int> steps = deal(w.step, p_.step_terms, lane_terms);
    if (w.from == From::last) std::reverse(steps.begin(), steps.end());
    for (int lane = 0; lane < p_.lanes; ++lane) {
      for (const int i : steps) p_.elements.push_back(lanes[static_cast<std::size_t>(lane * lane_terms + i)]);
    }
    cut_into_pieces();
    if (!problems_.empty()) return;
    if (p_.lanes > 1 && w.start == Start::c)
      problem("start", "With " + std::to_string(p_.lanes) +
                           " lanes c cannot start them all: say `start: zero` and add c in `finish`.");
    if (p_.lanes > 1 && w.finish.empty())
      problem("finish", "With " + std::to_string(p_.lanes) + " lanes a `finish` must add them up.");
    if (w.start == Start::zero && w.finish.empty())
      problem("finish", "`start: zero` leaves c out: a `finish` must add it.");
    if (p_.datapath.product.times_scales) return;
    for (std::size_t i = 0; i < w.adders.size(); ++i) {
      if (w.adders[i].times_scales && !p_.scale)
        problem("adders[" + std::to_string(i) + "].times",
                "Adder " + w.adders[i].name + " says `times: scales`, but the operands have none.");
    }
  }

  // Slices make several products of an element: beside each other in one step, in a step of their own after that of the
  // pair before, or in passes over all the lane's steps.
  //
  //   elements    0 1 | 2 3             together   0a 0b 1a 1b | 2a 2b 3a 3b
  //   pieces      a b                   step       0a 1a | 0b 1b | 2a 3a | 2b 3b
  //                                     passes     0a 1a | 2a 3a | 0b 1b | 2b 3b
  void cut_into_pieces() {
    const SliceRun run = p_.run();
    const std::optional<ProductRows>& rows = p_.datapath.product.rows;
    p_.pieces = rows ? rows->pieces() : std::max(1, static_cast<int>(p_.datapath.slices.pairs.size()));
    const int steps = p_.steps, terms = p_.step_terms;
    const auto product = [&](int lane, int step, int term, int piece) {
      return p_.elements[static_cast<std::size_t>((lane * steps + step) * terms + term)] * p_.pieces + piece;
    };
    const auto put_step = [&](int lane, int step, int piece) {
      for (int i = 0; i < terms; ++i) p_.order.push_back(product(lane, step, i, piece));
    };
    for (int lane = 0; lane < p_.lanes; ++lane) {
      const int passes = run == SliceRun::passes ? p_.pieces : 1, within = run == SliceRun::step ? p_.pieces : 1;
      for (int x = 0; x < passes * steps * within; ++x) {
        const int pass = x / (steps * within), step = x / within % steps;
        if (run != SliceRun::together) {
          put_step(lane, step, pass + x % within);
          continue;
        }
        for (int i = 0; i < terms; ++i) {
          for (int piece = 0; piece < p_.pieces; ++piece) p_.order.push_back(product(lane, step, i, piece));
        }
      }
    }
    (run == SliceRun::together ? p_.step_terms : p_.steps) *= p_.pieces;
    if (p_.step_terms > greatest_terms_per_step)
      problem("k_order.step", "A step has " + std::to_string(p_.step_terms) + " terms; at most " +
                                  std::to_string(greatest_terms_per_step) +
                                  " are summed in one step. Give k_order.step.terms.");
    if (p_.products() > greatest_k)
      problem(rows ? "product.rows" : "slices.pairs", "k is " + std::to_string(p_.k) + " and each element makes " +
                                                          std::to_string(p_.pieces) + " products; at most " +
                                                          std::to_string(greatest_k) + " products are added.");
  }

  // --- products ---

  // Each pair of slices by itself: together they reach from the least to the greatest.
  Range product_ranges() const {
    Range whole = product_range(p_.factor_a.range, p_.factor_b.range);
    if (p_.rows) whole.integer_bits = std::max(whole.integer_bits, p_.rows->bits - whole.fraction_bits);
    std::optional<Range> all;
    for (int piece = 0; piece < p_.pieces; ++piece) {
      const int lowered = p_.lowered(piece);
      Range r = whole;
      r.least_exponent -= lowered;
      r.greatest_exponent -= lowered;
      r.fraction_bits = std::max(0, r.fraction_bits - lowered);
      const std::optional<int>& empty = p_.datapath.product.empty;
      if (empty) {
        r.least_exponent = std::min(r.least_exponent, *empty - lowered);
        r.greatest_exponent = std::max(r.greatest_exponent, *empty - lowered);
      }
      all = all ? unite(*all, r) : r;
    }
    return *all;
  }

  // Bits are counted from the one before the point: there must be one such, of a format or after a leading one.
  void can_be_sliced(Side side, const FactorPlan& factor) {
    const std::string name(word(side));
    const bool changed = factor.zero_point || factor.zero_points >= 0 || !factor.scales.empty();
    if (factor.step != 1)
      problem("slices", "Slices of " + name + " count bits from the one before the point, and with factors." + name +
                            ".step an element has several there: leave one of the two out.");
    if (factor.round ? factor.round->words.at == ResultAt::window : changed)
      problem("slices", "Slices of " + name + " count bits from the one before the point, and its elements may have " +
                            "several there: say factors." + name + ".round with a format or `at: leading_one`.");
  }

  void slices() {
    const Slices& w = p_.datapath.slices;
    if (w.pairs.empty()) return;
    can_be_sliced(Side::a, p_.factor_a);
    can_be_sliced(Side::b, p_.factor_b);
    const auto check = [&](std::size_t i, Side side, int from, const std::optional<int>& bits, const Range& r) {
      const std::string key = "slices.pairs[" + std::to_string(i) + "]." + std::string(word(side));
      if (from < 0 || from >= r.significand_bits())
        problem(key + ".from", key + ".from is " + std::to_string(from) + ", and an element of " +
                                   std::string(word(side)) + " has bits 0 to " +
                                   std::to_string(r.significand_bits() - 1) + " where it is multiplied.");
      if (bits && *bits < 1) problem(key + ".bits", key + ".bits must be at least 1.");
    };
    for (std::size_t i = 0; i < w.pairs.size(); ++i) {
      check(i, Side::a, w.pairs[i].a_from, w.pairs[i].a_bits, p_.factor_a.range);
      check(i, Side::b, w.pairs[i].b_from, w.pairs[i].b_bits, p_.factor_b.range);
    }
  }

  // Digits are those of significands that all have as many bits.
  void has_digits(Side side, const FactorPlan& factor, const Format& own) {
    const std::string name(word(side));
    const bool changed = factor.zero_point || factor.zero_points >= 0 || !factor.scales.empty();
    const bool in_format = factor.round ? factor.round->words.at == ResultAt::format : !changed;
    const Format& format = factor.round ? factor.round->format : own;
    if (!in_format || format.is_integer() || format.is_list())
      problem("product.rows", "Rows are made of significands of one width, and an element of " + name + " has " +
                                  (!in_format ? "none of a format" : "none in " + format.name) + ": say factors." +
                                  name + ".round with a floating format.");
  }

  void rows() {
    const Product& w = p_.datapath.product;
    if (!w.rows) return;
    if (!p_.datapath.slices.pairs.empty())
      problem("product.rows", "Rows are those of whole products: leave `slices` or `product.rows` out.");
    if (w.round || w.exponent == ProductExponent::normalised || w.infinity_at)
      problem("product.rows",
              "A product that goes on as rows is nowhere one number: `round`, `exponent: normalised` and `infinity_at` "
              "would look at each row alone. Leave them out.");
    has_digits(Side::a, p_.factor_a, p_.a);
    has_digits(Side::b, p_.factor_b, p_.b);
    if (problems_.empty()) row_plan(*w.rows);
  }

  void row_plan(const ProductRows& w) {
    const bool of_a = w.of == Side::a, booth = w.is_booth();
    const int y = (of_a ? p_.factor_a : p_.factor_b).range.significand_bits();
    const int x = (of_a ? p_.factor_b : p_.factor_a).range.significand_bits();
    RowsPlan rows;
    rows.digits = booth ? y / 2 + 1 : y;
    rows.at_first = w.first.value_or(rows.digits);
    rows.sign_bit = w.width.value_or(x + 2) - 1;
    const auto wrong = [&](bool is, const std::string& key, int value, const std::string& rest) {
      const std::string path = "product.rows." + key;
      if (is) problem(path, path + " is " + std::to_string(value) + "; " + rest);
    };
    wrong(w.first && (*w.first < 1 || *w.first >= rows.digits), "first", w.first.value_or(0),
          "there are " + std::to_string(rows.digits) + " digits: say fewer, or leave it out.");
    wrong(w.has_constant() && w.width.value_or(x + 2) < x + 2, "width", w.width.value_or(0),
          "twice a significand of " + std::to_string(x) + " bits and a sign need " + std::to_string(x + 2) + ".");
    if (!problems_.empty()) return;
    rows.bits = row_bits(w, rows, x, x + y);
    if (rows.bits > greatest_significand)
      return problem("product.rows", "A row may have " + std::to_string(rows.bits) + " bits; at most " +
                                         std::to_string(greatest_significand) + " travel between stages.");
    p_.rows = rows;
  }

  // Rows without signs are no greater than what they add up to. Others may grow by a bit whenever they become fewer.
  static int row_bits(const ProductRows& w, const RowsPlan& rows, int x, int product) {
    if (w.digits == RowDigits::bits) return product;
    if (w.has_constant()) return std::max(product, rows.sign_bit + 2 * rows.digits - 1) + 1;
    return x + 2 * rows.digits + rounds(rows.at_first + 1, w.compress) + rounds(2 * rows.groups(), w.compress);
  }

  // How often so many rows become fewer until there are two.
  static int rounds(int count, Compress how) {
    int found = 0;
    for (; count > 2; ++found) count -= how == Compress::chain ? 1 : count / 3;
    return found;
  }

  void products() {
    const Product& w = p_.datapath.product;
    p_.factor_a = factor(Side::a, p_.datapath.factor_a, p_.a_range);
    p_.factor_b = factor(Side::b, p_.datapath.factor_b, p_.b_range);
    slices();
    rows();
    if (!problems_.empty()) return;
    Range r = product_ranges();
    const auto work = [&](ProductWork what, std::optional<Region> region) {
      p_.circuit.products.push_back({what, r, region});
    };
    p_.product_range = r;
    work(ProductWork::multiply, Region::multiply);
    p_.product_scales = scales_at("product");
    if (w.times_scales) {
      if (!p_.scale) return problem("product.times", "product says `times: scales`, but the operands have no scale.");
      r = product_range(r, product_range(p_.scale_range, p_.scale_range));
    }
    r = times_scales(r, p_.product_scales);
    if (w.times_scales || !p_.product_scales.empty()) work(ProductWork::scale, Region::scale);
    if (w.exponent == ProductExponent::normalised) {
      r.least_exponent = std::min(r.least_exponent, r.least_quantum());  // a zero keeps its own
      r.greatest_exponent += r.integer_bits - 1;
      r.fraction_bits += r.integer_bits - 1;
      r.integer_bits = 1;
    }
    travels(r, "product", "The product");
    if (w.round) {
      p_.product_round = result_plan(*w.round, r, "product.round");
      r = p_.product_round->range;
      work(ProductWork::round, Region::multiply_round);
    } else if (w.exponent == ProductExponent::normalised) {
      work(ProductWork::round, std::nullopt);
    }
    p_.term_range = r;
    p_.acc_range = p_.c_range;
    p_.widen_c = !p_.c.is_integer() && !p_.d.is_integer() && !(p_.c == p_.d) && narrower(p_.c, p_.d);
    if (p_.widen_c) p_.acc_range = format_range(p_.d);
  }

  FactorPlan factor(Side side, const Factor& words, Range r) {
    const std::string key = "factors." + std::string(word(side));
    FactorPlan f;
    const auto with_zero_point = [&](int bits) { r.integer_bits = std::max(r.integer_bits, bits) + 1; };
    if (words.zero_point) {
      f.zero_point = integer_number(*words.zero_point);
      with_zero_point(bit_length(f.zero_point->magnitude));
    }
    for (std::size_t i = 0; i < p_.more.size(); ++i) {
      if (p_.more[i].kind != CaseOperandKind::zero_point || p_.more[i].of != side) continue;
      f.zero_points = static_cast<int>(i);
      with_zero_point(p_.more[i].range.integer_bits);
    }
    f.scales = scales_at("operand", side);
    r = times_scales(r, f.scales);
    if (words.round) {
      travels(r, key, "Each scaled element");
      f.round = result_plan(*words.round, r, key + ".round");
      r = f.round->range;
    }
    f.step = words.step, f.step_from = words.step_from;
    if (words.step != 1) r = stepped(r, f, key);
    f.empty = words.empty;
    if (words.empty) {
      check_exponent(*words.empty, key + ".empty");
      r.least_exponent = std::min(r.least_exponent, *words.empty);
      r.greatest_exponent = std::max(r.greatest_exponent, *words.empty);
    }
    if (r.significand_bits() > greatest_factor)
      problem(key, "Each element of " + std::string(word(side)) + " has " + std::to_string(r.significand_bits()) +
                       " significant bits where it is multiplied; at most " + std::to_string(greatest_factor) +
                       " are. Say " + key + ".round.");
    f.range = r;
    return f;
  }

  Range stepped(Range r, const FactorPlan& f, const std::string& key) {
    if (!bounds::factor_step.hold(f.step)) {
      problem(key + ".step",
              key + ".step is " + std::to_string(f.step) + "; it must lie between " + ends(bounds::factor_step) + ".");
      return r;
    }
    check_exponent(f.step_from, key + ".from");
    if (r.fixed_quantum)
      problem(key + ".step", key + ".step rounds exponents, and an integer has none: leave it out, or say " + key +
                                 ".round with a floating format.");
    return assay::stepped(r, f);
  }

  void travels(const Range& r, const std::string& key, const std::string& what) {
    if (r.significand_bits() > greatest_significand) {
      problem(key, what + " has " + std::to_string(r.significand_bits()) + " significant bits; at most " +
                       std::to_string(greatest_significand) + " travel between stages. Give it a `result`.");
    }
  }

  // --- results ---

  ResultPlan result_plan(const Result& w, const Range& from, const std::string& key) {
    ResultPlan r{w, {}, from, p_.datapath.flags, false};
    if (is_stochastic(w.cut) && !bounds::random_bits.hold(w.random_bits))
      problem(key + ".random_bits", key + ".random_bits is " + std::to_string(w.random_bits) +
                                        "; a stochastic cut takes between " + ends(bounds::random_bits) + ".");
    const int carry = may_carry(w.cut) ? 1 : 0;
    switch (w.at) {
      case ResultAt::window:
        check_keep(w.keep, key);
        r.range.fraction_bits = w.keep;
        r.range.fixed_quantum.reset();
        r.range.integer_bits += carry;
        break;
      case ResultAt::leading_one:
        check_keep(w.keep, key);
        r.range.greatest_exponent = std::max(from.greatest_exponent + from.integer_bits - 1 + carry,
                                             w.least_exponent.value_or(from.greatest_exponent));
        // A zero has no leading one and keeps its window's exponent.
        r.range.least_exponent = std::min(w.least_exponent.value_or(from.least_quantum()), from.least_exponent);
        r.range.integer_bits = 1;
        r.range.fraction_bits = w.keep;
        r.range.fixed_quantum.reset();
        break;
      case ResultAt::format: format_result(r, key); break;
    }
    if (r.range.significand_bits() > greatest_significand) {
      problem(key, "The result of " + key + " would have " + std::to_string(r.range.significand_bits()) +
                       " bits; at most " + std::to_string(greatest_significand) + " travel between stages.");
    }
    if (w.bits) in_register(r, key);
    return r;
  }

  // Bits of which the last weighs 2^(exponent - keep).
  void in_register(ResultPlan& r, const std::string& key) {
    const Result& w = r.words;
    if (!bounds::register_bits.hold(*w.bits))
      return problem(key + ".bits", key + ".bits is " + std::to_string(*w.bits) + "; a register has between " +
                                        ends(bounds::register_bits) + ".");
    if (w.overflow != Overflow::wrap && w.overflow != Overflow::largest && w.overflow != Overflow::symmetric)
      problem(key + ".overflow", key +
                                     ".bits makes a register, which may be full: say `overflow: wrap`, "
                                     "`overflow: largest` or `overflow: symmetric`.");
    r.range.integer_bits = std::max(1, std::min(r.range.integer_bits, *w.bits - w.keep));
  }

  void check_keep(int keep, const std::string& key) {
    if (!bounds::keep.hold(keep))
      problem(key + ".keep",
              key + ".keep is " + std::to_string(keep) + "; it must lie between " + ends(bounds::keep) + ".");
  }

  void format_result(ResultPlan& r, const std::string& key) {
    const Result& w = r.words;
    const Format* format = w.format == "d" ? &p_.d : lookup(w.format);
    if (format == nullptr)
      return problem(key + ".format",
                     key + ".format is '" + w.format + "', which is no format; say d or one of " + choices() + ".");
    r.format = as_used(*format);
    if (format->is_list() && w.subnormals != Subnormals::keep)
      problem(key + ".subnormals",
              "Format " + format->name + " is a list of values, none of which is subnormal: leave `subnormals` out.");
    if (format->is_list() && is_stochastic(w.cut))
      problem(key + ".cut",
              "Format " + format->name +
                  " is a list of values, and chance rounds to multiples of a power of two: take another cut.");
    if (!format->has_zero)
      problem(key + ".format", "Format " + format->name + " has no zero and cannot hold a result.");
    result_words(w, r.format, key);
    r.range = format_range(r.format);
  }

  // All of these are told together, since none of them changes what else is planned. Results are planned more than
  // once.
  void result_words(const Result& w, const Format& format, const std::string& key) {
    const auto told = [&](const Problem& p) { return p.key.compare(0, key.size(), key) == 0; };
    if (std::any_of(of_words_.begin(), of_words_.end(), told)) return;
    for (Problem& p : result_word_problems(w, format, special_codes(p_.datapath, p_.d), key))
      of_words_.push_back(std::move(p));
  }

  // --- adders ---

  void adders() {
    const Datapath& w = p_.datapath;
    if (w.adders.empty()) return problem("adders", "A datapath needs at least one adder.");
    names(w.adders, "adders");
    names(w.finish, "finish");
    if (!problems_.empty()) return;
    // What accumulates may outgrow c: go on until its range no longer changes.
    std::optional<Range> acc;
    if (w.start == Start::c) acc = p_.acc_range;
    for (int round = 0; round <= p_.steps; ++round) {
      p_.adders.clear();
      step_wires_.clear();
      reached_.clear();
      const Surroundings around{false, p_.step_terms, p_.term_range, acc.value_or(Range{0, 0, 1, 0, std::nullopt}),
                                &p_.adders};
      for (std::size_t i = 0; i < w.adders.size() && problems_.empty(); ++i) {
        p_.adders.push_back(
            adder_plan(w.adders[i], around, step_wires_.emplace_back(), "adders[" + std::to_string(i) + "]"));
      }
      if (!problems_.empty()) return;
      if (p_.adders.back().groups != 1)
        return problem("adders[" + std::to_string(w.adders.size() - 1) + "]",
                       "The last adder of a step must leave one sum, the new acc; " + p_.adders.back().name +
                           " leaves " + std::to_string(p_.adders.back().groups) + ".");
      const Range next = acc ? unite(*acc, p_.adders.back().range) : p_.adders.back().range;
      if (acc && same_range(*acc, next)) break;
      if (round == p_.steps && p_.steps > 1 && sinks(*acc, next))
        return sinking(p_.adders.back(), "adders[" + std::to_string(w.adders.size() - 1) + "]");
      acc = next;
    }
    p_.acc_range = *acc;
    const Surroundings around{true, p_.lanes, p_.adders.back().range, c_in_finish(), &p_.finish};
    for (std::size_t i = 0; i < w.finish.size() && problems_.empty(); ++i) {
      p_.finish.push_back(
          adder_plan(w.finish[i], around, finish_wires_.emplace_back(), "finish[" + std::to_string(i) + "]"));
    }
    if (!problems_.empty()) return;
    unused_inputs();
  }

  void sinking(const AdderPlan& p, const std::string& key) {
    problem(key,
            "The sums of " + p.name +
                " are added to each other, and each needs more bits below the point than the last; end them with a "
                "result in a format, or at the leading one with a least_exponent.");
  }

  Range c_in_finish() const { return p_.widen_c ? format_range(p_.d) : p_.c_range; }

  void names(const std::vector<Adder>& adders, const std::string& key) {
    static const std::set<std::string> reserved{"product", "acc", "c", "lanes", "special"};
    std::set<std::string> seen;
    for (std::size_t i = 0; i < adders.size(); ++i) {
      const std::string& name = adders[i].name;
      const std::string at = key + "[" + std::to_string(i) + "].name";
      if (name.empty() || name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos) {
        problem(at, "The name '" + name + "' must be made of a-z, 0-9 and _, since it names places such as step[0]." +
                        (name.empty() ? "sum" : "x") + ".align[5].");
      } else if (reserved.count(name) != 0) {
        problem(at, "'" + name + "' already names something every adder can take; choose another name.");
      } else if (!seen.insert(name).second) {
        problem(at, "Two adders are called '" + name + "'.");
      }
    }
  }

  // c and every product must end up in d.
  void unused_inputs() {
    const auto takes = [](const std::vector<AdderWires>& adders, ValueKind kind) {
      return std::any_of(adders.begin(), adders.end(), [&](const AdderWires& a) {
        return std::any_of(a.inputs.begin(), a.inputs.end(), [&](const InputWires& i) { return i.kind == kind; });
      });
    };
    if (!takes(step_wires_, ValueKind::term)) problem("adders", "No adder takes `product`: the terms would be lost.");
    const bool acc_needed = p_.steps > 1 || p_.datapath.start == Start::c;
    if (acc_needed && !takes(step_wires_, ValueKind::one))
      problem("adders", "No adder takes `acc`: what was accumulated would be lost.");
    if (!p_.finish.empty() && !takes(finish_wires_, ValueKind::term))
      problem("finish", "No adder of `finish` takes `lanes`: the steps would be lost.");
    if (p_.datapath.start == Start::zero && !takes(finish_wires_, ValueKind::one))
      problem("finish", "`start: zero` leaves c out: an adder of `finish` must take `c`.");
    unused_sums(p_.adders, step_wires_, "adders");
    unused_sums(p_.finish, finish_wires_, "finish");
  }

  void unused_sums(const std::vector<AdderPlan>& adders, const std::vector<AdderWires>& wires, const std::string& key) {
    for (std::size_t i = 0; i + 1 < adders.size(); ++i) {
      bool used = false;
      for (std::size_t j = i + 1; j < wires.size(); ++j) {
        for (const InputWires& in : wires[j].inputs)
          used = used || (in.kind == ValueKind::sum && in.adder == static_cast<int>(i));
      }
      if (!used)
        problem(key + "[" + std::to_string(i) + "]",
                "Adder " + adders[i].name + " is added to nothing; only the last one's sum is the result.");
    }
  }

  // Who brings what `words` name; nothing, and a problem, where nobody does.
  std::optional<InputWires> resolve(const Input& words, const Surroundings& around, InputPlan& input,
                                    const std::string& key) {
    input.words = words;
    const std::string& s = words.source;
    const bool terms = s == (around.in_finish ? "lanes" : "product"), one = s == (around.in_finish ? "c" : "acc");
    if (terms) {
      input.count = around.terms;
      input.range = around.term;
      return InputWires{input.kind = ValueKind::term, -1};
    }
    if (one) {
      input.range = around.one;
      return InputWires{input.kind = ValueKind::one, -1};
    }
    for (std::size_t i = 0; i < around.earlier->size(); ++i) {
      if ((*around.earlier)[i].name != s) continue;
      input.count = (*around.earlier)[i].groups;
      input.range = (*around.earlier)[i].range;
      return InputWires{input.kind = ValueKind::sum, static_cast<int>(i)};
    }
    std::string legal = around.in_finish ? "lanes, c" : "product, acc";
    for (const AdderPlan& earlier : *around.earlier) legal += ", " + earlier.name;
    problem(key + ".add." + s, key + ".add names '" + s + "', which is not there; it can add " + legal + ".");
    return std::nullopt;
  }

  AdderPlan adder_plan(const Adder& w, const Surroundings& around, AdderWires& wires, const std::string& key) {
    AdderPlan p;
    p.name = w.name;
    p.shape = w.shape;
    p.window = w.window;
    p.sticky = w.sticky;
    p.cancelled = w.cancelled;
    p.errata = w.errata;
    p.times_scales = w.times_scales;
    p.zero = w.zero;
    if (w.add.empty()) {
      problem(key + ".add", key + ".add is empty: name what it adds.");
      return p;
    }
    for (const Input& words : w.add) {
      InputPlan input;
      const std::optional<InputWires> from = resolve(words, around, input, key);
      if (!from) return p;
      check_input(words, key);
      p.inputs.push_back(input);
      wires.inputs.push_back(*from);
    }
    if (!problems_.empty()) return p;
    group_members(w, p, wires, key);
    if (w.times_scales && !wires.members.empty()) scale_blocks(p, wires.members, around, key);
    if (!problems_.empty()) return p;
    if (!around.in_finish) reached_.push_back(reached(p, wires));
    p.scales = scales_at(p.name);
    for (const int scale : p.scales) check_scaled_sums(p, p_.more[static_cast<std::size_t>(scale)], around, key);
    if (!problems_.empty()) return p;
    check_window(p, key);
    check_errata(p, key);
    check_sticky(w, key);
    if (p.shape == Shape::flat) {
      std::vector<std::pair<Range, const Input*>> items;
      for (const InputPlan& in : p.inputs) items.emplace_back(in.range, &in.words);
      p.sum = sum_plan(items, p.items(), p, key);
      if (problems_.empty()) p.range = through_results(w, p, key);
    } else {
      two_input_sums(w, p, key);
    }
    return p;
  }

  void check_input(const Input& w, const std::string& key) {
    const std::string at = key + ".add." + w.source;
    if (w.negate && p_.datapath.specials == Specials::step)
      problem(at + ".negate", at +
                                  ".negate turns a sign after `specials: step` has decided on infinities as they came: "
                                  "say `specials: operation`.");
    if (w.keep) check_keep(*w.keep, at);
    for (const Recut& again : w.again) check_keep(again.keep, at + ".again");
    if (!w.again.empty() && !w.keep)
      problem(at + ".again", at + ".again cuts what a first cut has left: say `keep` and `cut` beside it.");
    if (w.lost_below && *w.lost_below < bounds::distance.least)
      problem(at + ".lost_below", at + ".lost_below is negative; it is a distance below the window.");
    if (w.empty) check_exponent(*w.empty, at + ".empty");
  }

  void check_exponent(int value, const std::string& key) {
    if (!bounds::exponent.hold(value))
      problem(key, key + " is " + std::to_string(value) + "; exponents lie between " + ends(bounds::exponent) + ".");
  }

  void check_window(const AdderPlan& p, const std::string& key) {
    const Window& w = p.window;
    if (!bounds::window_step.hold(w.step))
      problem(key + ".window.step", key + ".window.step is " + std::to_string(w.step) + "; it must lie between " +
                                        ends(bounds::window_step) + ".");
    if (!bounds::window_raise.hold(w.raise))
      problem(key + ".window.raise", key + ".window.raise is " + std::to_string(w.raise) + "; it must lie between " +
                                         ends(bounds::window_raise) + ".");
    check_exponent(w.step_from, key + ".window.from");
    const int value = w.exponent == WindowExponent::fixed ? w.at : w.floor.value_or(0);
    if (!bounds::exponent.hold(value))
      problem(key + ".window", key + ".window is at " + std::to_string(value) + "; exponents lie between " +
                                   ends(bounds::exponent) + ".");
  }

  // What stands below every bit that a result looks at needs one that looks at all of them.
  void check_sticky(const Adder& w, const std::string& key) {
    if (w.sticky != Sticky::at_result) return;
    const std::string at = key + ".sticky";
    if (w.results.empty())
      return problem(at, at + " joins lost bits where the sum is rounded, and " + w.name + " has no `result`.");
    const Result& first = w.results.front();
    if (is_stochastic(first.cut))
      problem(at,
              at + " joins lost bits where the sum is rounded, and chance does not look at them: take another cut.");
    const Format* format = first.at == ResultAt::format ? first.format == "d" ? &p_.d : lookup(first.format) : nullptr;
    if (format != nullptr && format->rounds_to_list())
      problem(at, at + " joins lost bits below multiples of a power of two, and " + format->name +
                      " is a list of values: say `sticky: or`.");
  }

  void check_errata(const AdderPlan& p, const std::string& key) {
    if (!p.errata.minus_one) return;
    const std::string at = key + ".errata.minus_one";
    if (p.shape != Shape::flat || p.has_sticky())
      problem(at, at + " speaks of one sum without a sticky bit: say `shape: flat` and `sticky: none`.");
    if (!p.inputs.front().words.keep)
      problem(at,
              at + " counts in units of the first input's `keep`, and " + p.inputs.front().words.source + " has none.");
  }

  void group_members(const Adder& w, AdderPlan& p, AdderWires& wires, const std::string& key) {
    const int available = p.inputs.front().count;
    const Group group = w.group.value_or(Group{});
    p.terms = group_terms(group, available, key + ".group");
    if (!problems_.empty()) return;
    p.groups = available / p.terms;
    wires.members = deal(group, p.terms, available);
    p.inputs.front().count = p.terms;
    if (p.groups > 1 && p.inputs.size() > 1)
      problem(key + ".group", "Adder " + p.name + " makes " + std::to_string(p.groups) +
                                  " sums side by side and can take one input only; add the others in a later adder.");
    if (p.shape != Shape::flat && p.items() < 2)
      problem(key + ".shape", "Adder " + p.name + " has one item to add; a tree or chain needs two.");
  }

  void scale_blocks(const AdderPlan& p, const std::vector<int>& members, const Surroundings& around,
                    const std::string& key) {
    if (p.shape != Shape::flat) problem(key + ".times", "`times: scales` needs shape flat.");
    if (!p_.scale || around.in_finish || p.inputs.front().kind != ValueKind::term)
      return problem(key + ".times",
                     "Adder " + p.name +
                         " says `times: scales`; only a sum of products whose operands have scales can be scaled.");
    const auto block_of = [&](int product) { return p_.element_of(product) / p_.scale_block; };
    for (int lane_step = 0; lane_step < p_.lanes * p_.steps; ++lane_step) {
      const int* order = p_.order.data() + lane_step * p_.step_terms;
      for (std::size_t i = 0; i < members.size(); ++i) {
        const std::size_t first = i - i % static_cast<std::size_t>(p.terms);
        if (block_of(order[members[i]]) != block_of(order[members[first]])) {
          return problem(key + ".times", "A group of adder " + p.name + " spans two scale blocks of " +
                                             std::to_string(p_.scale_block) + "; groups must lie inside one.");
        }
      }
    }
  }

  // The terms of a step that each group of an adder sums, directly or through other sums.
  std::vector<std::vector<int>> reached(const AdderPlan& p, const AdderWires& wires) const {
    std::vector<std::vector<int>> groups(static_cast<std::size_t>(p.groups));
    for (std::size_t g = 0; g < groups.size(); ++g) {
      for (std::size_t i = 0; i < p.inputs.size(); ++i) {
        for (int j = 0; j < p.inputs[i].count; ++j) {
          const int item =
              i == 0 ? wires.members[g * static_cast<std::size_t>(p.terms) + static_cast<std::size_t>(j)] : j;
          if (wires.inputs[i].kind == ValueKind::term) groups[g].push_back(item);
          if (wires.inputs[i].kind != ValueKind::sum) continue;
          const std::vector<int>& below =
              reached_[static_cast<std::size_t>(wires.inputs[i].adder)][static_cast<std::size_t>(item)];
          groups[g].insert(groups[g].end(), below.begin(), below.end());
        }
      }
    }
    return groups;
  }

  // A sum has one scale if all its terms have.
  void check_scaled_sums(const AdderPlan& p, const CaseOperand& scale, const Surroundings& around,
                         const std::string& key) {
    if (p.shape != Shape::flat)
      return problem(key + ".shape",
                     "The scale " + scale.name + " multiplies the sums of " + p.name + ", which needs shape flat.");
    if (scale.count == 1) return;
    if (around.in_finish)
      return problem(key, "The scale " + scale.name +
                              " multiplies in `finish`, where all terms are one sum; it needs "
                              "one code for all of k: leave its `block` out.");
    for (int lane_step = 0; lane_step < p_.lanes * p_.steps; ++lane_step) {
      const int* order = p_.order.data() + lane_step * p_.step_terms;
      for (const std::vector<int>& terms : reached_.back()) {
        const auto block_of = [&](int term) { return p_.element_of(order[term]) / scale.block; };
        if (terms.empty())
          return problem(key, "Adder " + p.name + " sums no products, so no block of the scale " + scale.name +
                                  " is its; leave the `block` of that scale out.");
        if (std::any_of(terms.begin(), terms.end(), [&](int t) { return block_of(t) != block_of(terms.front()); }))
          return problem(key, "A sum of adder " + p.name + " spans two blocks of " + std::to_string(scale.block) +
                                  " of the scale " + scale.name + "; its terms must lie inside one.");
      }
    }
  }

  // Widths of one sum of `count` items, each within one of the given ranges.
  SumPlan sum_plan(const std::vector<std::pair<Range, const Input*>>& items, int count, const AdderPlan& p,
                   const std::string& key) {
    SumPlan s;
    s.items = count;
    const Window& w = p.window;
    int least = INT_MAX, greatest = INT_MIN;
    for (const auto& [range, input] : items) {
      least = std::min({least, range.least_exponent, input->empty.value_or(INT_MAX)});
      greatest = std::max({greatest, range.greatest_exponent, input->empty.value_or(INT_MIN)});
    }
    if (w.exponent == WindowExponent::fixed) {
      least = greatest = w.at;
    } else {
      least += w.raise;
      greatest += w.raise;
      if (w.floor) least = *w.floor, greatest = std::max(greatest, *w.floor);  // alone when every term is zero
      greatest += w.step - 1;
    }
    bool exact = false;
    int least_quantum = INT_MAX;
    for (const auto& [range, input] : items) {
      const bool fixed = w.exponent == WindowExponent::fixed;
      const int above = fixed ? std::max(0, range.greatest_exponent - w.at) : 0;
      const int carry = input->keep && may_carry(*input) ? 1 : 0;
      s.integer_bits = std::max(s.integer_bits, range.integer_bits + above + carry);
      if (input->keep) {
        s.fraction_bits = std::max(s.fraction_bits, kept_bits(*input));
        least_quantum = std::min(least_quantum, least - kept_bits(*input));
      } else {
        exact = true;
        least_quantum = std::min(least_quantum, range.least_quantum());
      }
    }
    if (exact) s.fixed_quantum = least_quantum;
    const int magnitude = exact ? greatest + s.integer_bits - least_quantum : s.integer_bits + s.fraction_bits;
    s.align_width = 1 + std::max(1, magnitude);
    s.sum_width = s.align_width + ceil_log2(count);
    s.window_exponent_bits = signed_width(std::min(least, 0), std::max(greatest, 0));
    s.range = {least, greatest, s.integer_bits + ceil_log2(count), s.fraction_bits, s.fixed_quantum};
    if (w.lost_at) s.range.least_exponent = std::max(least, std::min(*w.lost_at + 1, greatest));
    if (p.errata.minus_one) {
      s.range.integer_bits = std::max(s.range.integer_bits, *p.errata.minus_one + 1);
    }
    if (p.sticky == Sticky::below_sum) {
      s.range.fraction_bits += 1;
      if (s.range.fixed_quantum) --*s.range.fixed_quantum;
    }
    if (s.sum_width <= greatest_native_sum) {
      s.arithmetic = Arithmetic::native;
    } else if (s.sum_width <= 630) {
      s.arithmetic = Arithmetic::wide640;
    } else if (s.sum_width <= 4470) {
      s.arithmetic = Arithmetic::wide4480;
    } else {
      problem(key, "Adder " + p.name + " would need a register of " + std::to_string(s.sum_width) +
                       " bits; the widest is 4470. Give its inputs a `keep`.");
    }
    return s;
  }

  // What leaves one sum after scales and results.
  Range through_results(const Adder& w, AdderPlan& p, const std::string& key) {
    Range r = p.sum.range;
    const bool jammed = p.sum.arithmetic != Arithmetic::native;
    if (p.is_scaled()) {
      if (w.times_scales) r = product_range(r, product_range(p_.scale_range, p_.scale_range));
      r = times_scales(r, p.scales);
      travels(r, key + ".times", "The scaled sum of " + p.name);
      p.scaled = r;
    }
    p.results.clear();
    for (std::size_t i = 0; i < w.results.size() && problems_.empty(); ++i) {
      const std::string at = key + ".result[" + std::to_string(i) + "]";
      p.results.push_back(result_plan(w.results[i], r, at));
      r = p.results.back().range;
    }
    if (!problems_.empty()) return r;
    if (p.results.empty()) travels(r, key, "The sum of " + p.name);
    constexpr int greatest_result = readout_bits - 4;
    if (jammed && !p.results.empty() && p.results.front().words.overflow == Overflow::wrap &&
        !p.results.front().words.bits && p.sum.range.greatest_exponent + p.sum.range.integer_bits > greatest_result)
      problem(key,
              "The sum of " + p.name + " may reach 2^" +
                  std::to_string(p.sum.range.greatest_exponent + p.sum.range.integer_bits) +
                  ", and `overflow: wrap` needs its low bits: say `overflow: largest`, or give its inputs a `keep`.");
    const auto bits_seen = [&](const ResultPlan& result) {
      if (result.words.bits) return p.sum.range.integer_bits + 1 + result.words.keep;  // before it is full
      const bool by_chance = is_stochastic(result.words.cut);
      return result.range.significand_bits() + (by_chance ? result.words.random_bits + 1 : 0);
    };
    if (jammed && (p.is_scaled() || (!p.results.empty() && bits_seen(p.results.front()) > greatest_result))) {
      problem(key, "The exact sum of " + p.name + " is " + std::to_string(p.sum.sum_width) +
                       " bits wide: its inputs need a `keep`, or its first result at most " +
                       std::to_string(greatest_result) + " bits and no scales before it.");
    }
    return r;
  }

  // A tree or chain: each sum takes two items, which may be earlier sums.
  void two_input_sums(const Adder& w, AdderPlan& p, const std::string& key) {
    std::vector<std::pair<Range, const Input*>> items;
    for (const InputPlan& in : p.inputs) items.emplace_back(in.range, &in.words);
    std::optional<Range> between;
    const int depth = p.shape == Shape::serial ? p.items() - 1 : ceil_log2(p.items());
    for (int level = 0; level < depth && problems_.empty(); ++level) {
      auto with_sums = items;
      if (between) {
        for (const auto& item : items) with_sums.emplace_back(*between, item.second);
      }
      p.sum = sum_plan(with_sums, 2, p, key);
      if (!problems_.empty()) return;
      p.range = through_results(w, p, key);
      const Range next = between ? unite(*between, p.range) : p.range;
      if (between && same_range(*between, next)) break;
      if (between && level + 1 == depth && sinks(*between, next)) return sinking(p, key);
      between = next;
    }
    if (between) p.range = *between;
  }

  // --- d ---

  void output() {
    const std::vector<AdderPlan>& list = p_.finish.empty() ? p_.adders : p_.finish;
    const std::string key = (p_.finish.empty() ? "adders[" : "finish[") + std::to_string(list.size() - 1) + "]";
    const AdderPlan& last = list.back();
    const bool ends_in_d =
        !last.results.empty() && last.results.back().words.at == ResultAt::format && last.results.back().format == p_.d;
    if (!ends_in_d)
      problem(key + ".result",
              "The last result of " + last.name + " must be {format: " + p_.d.name + "}, the format of d.");
    if (!problems_.empty()) return;
    problems_ = unwritable_problems(p_, key + ".result[" + std::to_string(last.results.size() - 1) + "]");
  }

  // --- wiring ---

  void wire_blocks() {
    p_.circuit.step = wire(p_.adders, step_wires_, p_.step_terms);
    p_.circuit.finish = wire(p_.finish, finish_wires_, p_.lanes);
    ranges(p_.circuit.step, p_.adders, p_.term_range, p_.acc_range);
    ranges(p_.circuit.finish, p_.finish, p_.adders.back().range, c_in_finish());
  }

  static void ranges(CircuitBlock& block, const std::vector<AdderPlan>& adders, const Range& term, const Range& one) {
    block.ranges.assign(static_cast<std::size_t>(block.terms), term);
    block.ranges.push_back(one);
    for (const SumNode& node : block.sums) block.ranges.push_back(adders[static_cast<std::size_t>(node.adder)].range);
  }

  // --- which NaN a step leaves ---

  void nan_order() {
    if (!p_.nan.has_order()) return;
    const NanOrder& words = p_.nan.order;
    if (p_.datapath.specials != Specials::operation)
      return problem("nan.take",
                     "nan.take says which of the NaNs that operations meet is taken: it needs "
                     "`specials: operation`.");
    NanTake take;
    take.signalling_first = words.signalling_first;
    int run = -1;
    bool in_run = false;  // of elements named one by one
    for (std::size_t i = 0; i < words.take.size(); ++i) {
      const auto [source, index] = indexed_name(words.take[i]);
      const bool element = source == "a" || source == "b";
      if (!element || !in_run) ++run;
      in_run = element;
      const std::string key = "nan.take[" + std::to_string(i) + "]";
      if (element || source == "product") {
        if (!names_a_term(key, words.take[i], index)) return;
        if (source != "b") take.places.push_back({NanPlace::Of::a, *index, run});
        if (source != "a") take.places.push_back({NanPlace::Of::b, *index, run});
      }
      if (element) continue;
      const std::optional<int> value = source == "product" ? index : value_called(words.take[i]);
      if (!value) return unknown_place(key, words.take[i]);
      take.places.push_back({NanPlace::Of::value, *value, run});
    }
    p_.take = std::move(take);
  }

  bool names_a_term(const std::string& key, const std::string& name, std::optional<int> index) {
    if (index && *index < p_.step_terms) return true;
    problem(key, key + " is '" + name + "'; it needs a term of the step in brackets, from [0] to [" +
                     std::to_string(p_.step_terms - 1) + "].");
    return false;
  }

  // acc, or what a sum of the step leaves.
  std::optional<int> value_called(const std::string& name) const {
    const CircuitBlock& block = p_.circuit.step;
    if (name == "acc") return block.one();
    std::optional<int> found;  // of a tree, its last sum
    for (std::size_t i = 0; i < block.sums.size(); ++i) {
      if (block.sums[i].group_name == name) found = block.left_by(i);
    }
    return found;
  }

  void unknown_place(const std::string& key, const std::string& name) {
    std::set<std::string> sums;
    for (const SumNode& node : p_.circuit.step.sums) sums.insert(node.group_name);
    std::string names;
    for (const std::string& sum : sums) names += ", " + sum;
    problem(key, key + " is '" + name +
                     "', which no NaN comes from; the places of a step are a[i], b[i], product[i], acc" + names + ".");
  }

  // --- random words ---

  void random_words() {
    RandomWords& words = p_.random;
    int count = 0;
    const auto draw = [&](const std::optional<ResultPlan>& result, int times, int& first) {
      first = count;
      if (result && is_stochastic(result->words.cut)) count += times;
    };
    draw(p_.factor_a.round, p_.k, words.factor_a);
    draw(p_.factor_b.round, p_.k, words.factor_b);
    draw(p_.product_round, p_.products(), words.product);
    words.step = count;
    words.finish = words.step + p_.lanes * p_.steps * p_.circuit.step.draws;
    count = words.finish + p_.circuit.finish.draws;
    if (count == 0) return;
    CaseOperand random;
    random.name = "random";
    random.kind = CaseOperandKind::random;
    random.format = random_format(most_random_bits());
    random.range = format_range(random.format);
    random.block = 0;
    random.count = count;
    random.first = p_.more_codes();
    words.operand = static_cast<int>(p_.more.size());
    p_.more.push_back(random);
  }

  int most_random_bits() const {
    int most = 0;
    const auto see = [&](const ResultPlan& r) {
      if (is_stochastic(r.words.cut)) most = std::max(most, r.words.random_bits);
    };
    for (const auto* result : {&p_.factor_a.round, &p_.factor_b.round, &p_.product_round}) {
      if (*result) see(**result);
    }
    for (const auto* adders : {&p_.adders, &p_.finish}) {
      for (const AdderPlan& adder : *adders) std::for_each(adder.results.begin(), adder.results.end(), see);
    }
    return most;
  }

  // --- places ---

  static RegionPlace place(std::string name, Stage stage, std::vector<Field> fields, std::string label) {
    RegionPlace made;
    made.place.name = std::move(name);
    made.place.stage = stage;
    made.place.fields = std::move(fields);
    made.place.label = std::move(label);
    return made;
  }

  static RegionPlace number_place(std::string name, Stage stage, const Range& r, std::string label) {
    RegionPlace made =
        place(std::move(name), stage,
              {{"class", 2}, {"sign", 1}, {"exponent", r.exponent_bits()}, {"significand", r.significand_bits()}},
              std::move(label));
    made.place.absolute = r.fixed_quantum.has_value();
    made.place.fraction_bits = r.fixed_quantum ? -*r.fixed_quantum : r.fraction_bits;
    made.place.least_exponent = r.least_exponent;
    made.place.greatest_exponent = r.greatest_exponent;
    return made;
  }

  static RegionPlace fixed_point_place(std::string name, Stage stage, std::vector<Field> fields, const SumPlan& s,
                                       std::string label) {
    RegionPlace made = place(std::move(name), stage, std::move(fields), std::move(label));
    made.place.absolute = s.fixed_quantum.has_value();
    made.place.fraction_bits = s.fixed_quantum ? -*s.fixed_quantum : s.fraction_bits;
    return made;
  }

  // Numbers side by side, one for each operand, scale or product.
  void numbers(Region region, const std::string& name, Stage stage, const Range& r, int count, Labelled labelled,
               std::string label) {
    RegionPlace one = number_place("", stage, r, std::move(label));
    one.labelled = labelled;
    p_.places.add(region, name, {true, count, 1}, {one});
  }

  void places() {
    numbers(Region::decode_a, "decode.a", Stage::decode, p_.a_range, p_.k, Labelled::by_index, "a");
    numbers(Region::decode_b, "decode.b", Stage::decode, p_.b_range, p_.k, Labelled::by_index, "b");
    p_.places.add(Region::decode_c, "decode.c", {}, {number_place("", Stage::decode, p_.c_range, "c")});
    if (p_.scale) {
      numbers(Region::decode_scale_a, "decode.scale_a", Stage::decode, p_.scale_range, p_.scales, Labelled::by_index,
              "scale_a");
      numbers(Region::decode_scale_b, "decode.scale_b", Stage::decode, p_.scale_range, p_.scales, Labelled::by_index,
              "scale_b");
    }
    for (const CaseOperand& more : p_.more)
      numbers(Region::decode_more, "decode." + more.name, Stage::decode, more.range, more.count, Labelled::by_index,
              more.name);
    factor_places(Region::factor_a, "factors.a", p_.factor_a, "a");
    factor_places(Region::factor_b, "factors.b", p_.factor_b, "b");
    for (const ProductNode& node : p_.circuit.products) product_places(node);
    p_.places.add(Region::step, "step", {true, p_.lanes * p_.steps, p_.lanes}, step_places());
    p_.places.label_terms(p_.order, p_.step_terms);
    p_.places.label_pieces(piece_labels());
    if (!p_.finish.empty()) p_.places.add(Region::finish, "finish", {}, sum_places({}, p_.circuit.finish, p_.finish));
    p_.places.add(Region::encode, "encode", {}, {place("", Stage::encode, {{"bits", p_.d.stored_bits}}, "d")});
    if (p_.datapath.flags) p_.places.add(Region::flags, "flags", {}, flag_places());
  }

  static std::vector<RegionPlace> flag_places() {
    std::vector<RegionPlace> list;
    for (const std::string_view name : flag_names)
      list.push_back(place(std::string(name), Stage::flags, {{"raised", 1}}, std::string(name)));
    return list;
  }

  void factor_places(Region region, const std::string& name, const FactorPlan& factor, const std::string& label) {
    if (!factor.works()) return;
    numbers(region, name, factor.round ? Stage::round : Stage::scale, factor.range, p_.k, Labelled::by_index, label);
  }

  void product_places(const ProductNode& node) {
    if (!node.region) return;
    const auto add = [&](const std::string& name, Stage stage, const std::string& label) {
      numbers(*node.region, name, stage, node.range, p_.products(), Labelled::by_product, label);
    };
    switch (node.work) {
      case ProductWork::multiply: return add("multiply", Stage::multiply, "");
      case ProductWork::scale: return add("scale", Stage::scale, " scaled");
      case ProductWork::round: return add("multiply.round", Stage::round, "");
    }
  }

  // Of each row, or pair of slices, what follows a and b: ".0..6"
  std::vector<std::array<std::string, 2>> piece_labels() const {
    const auto label = [](int from, const std::optional<int>& bits, const Range& r) {
      const int last = bits ? from + *bits - 1 : r.significand_bits() - 1;
      return "." + std::to_string(from) + ".." + std::to_string(last);
    };
    std::vector<std::array<std::string, 2>> labels;
    for (int i = 0; p_.rows && i < p_.pieces; ++i)
      labels.push_back({"", std::array<std::string, 3>{" sum", " carry", " constant"}[static_cast<std::size_t>(i)]});
    for (const SlicePair& pair : p_.datapath.slices.pairs)
      labels.push_back(
          {label(pair.a_from, pair.a_bits, p_.factor_a.range), label(pair.b_from, pair.b_bits, p_.factor_b.range)});
    return labels;
  }

  std::vector<RegionPlace> step_places() {
    std::vector<RegionPlace> list;
    if (p_.datapath.specials == Specials::step)
      list.push_back(place("special", Stage::special, {{"outcome", 2}}, "NaN and infinity"));
    list = sum_places(std::move(list), p_.circuit.step, p_.adders);
    list.push_back(number_place("acc", Stage::acc, p_.adders.back().range, "acc"));
    return list;
  }

  // `list` and the places of a block's sums after it.
  std::vector<RegionPlace> sum_places(std::vector<RegionPlace> list, CircuitBlock& block,
                                      const std::vector<AdderPlan>& adders) const {
    for (SumNode& sum : block.sums) {
      const AdderPlan& adder = adders[static_cast<std::size_t>(sum.adder)];
      sum.place = static_cast<int>(list.size());
      list.push_back(place(sum.name + ".window", Stage::window, {{"exponent", adder.sum.window_exponent_bits}},
                           "largest exponent"));
      for (std::size_t i = 0; i < sum.items.size(); ++i) {
        RegionPlace aligned = fixed_point_place(indexed(sum.name + ".align", static_cast<int>(i)), Stage::align,
                                                {{"addend", adder.sum.align_width}}, adder.sum, "");
        label_item(aligned, block, sum, sum.items[i].value);
        if (sum.items[i].negate) aligned.place.label.insert(0, "-");
        list.push_back(std::move(aligned));
      }
      after_alignment(list, sum.name + ".", adder);
    }
    return list;
  }

  static void after_alignment(std::vector<RegionPlace>& list, const std::string& prefix, const AdderPlan& adder) {
    std::vector<Field> sum{{"sum", adder.sum.sum_width}};
    if (adder.has_sticky()) sum.push_back({adder.sticky == Sticky::below_sum ? "sticky" : "lost", 1});
    list.push_back(fixed_point_place(prefix + "reduce", Stage::reduce, std::move(sum), adder.sum, "sum"));
    if (adder.scaled) list.push_back(number_place(prefix + "scale", Stage::scale, *adder.scaled, "scaled sum"));
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      const std::string name = prefix + (adder.results.size() == 1 ? "round" : indexed("round", static_cast<int>(i)));
      list.push_back(number_place(name, Stage::round, adder.results[i].range, "rounded"));
    }
  }

  // Which value enters: a product by its operands, another adder's sum by its name, an earlier sum of a tree as add[2].
  void label_item(RegionPlace& aligned, const CircuitBlock& block, const SumNode& sum, int value) const {
    const bool in_step = &block == &p_.circuit.step;
    std::string& label = aligned.place.label;
    if (value == block.one()) {
      label = in_step ? "acc" : "c";
    } else if (block.kind(value) == ValueKind::sum) {
      const SumNode& from = block.sum_of(value);
      label = from.adder == sum.adder ? from.own_name() : from.group_name;
    } else if (in_step) {
      aligned.labelled = Labelled::by_term;
      aligned.term = value;
    } else {
      label = p_.lanes > 1 ? indexed("lane", value) : "acc";
    }
  }

  Plan p_;
  std::vector<AdderWires> step_wires_, finish_wires_;
  std::vector<std::vector<std::vector<int>>> reached_;  // by adder of the step and group: the terms it sums
  std::vector<Problem> problems_, of_words_;
};

}  // namespace

Range product_range(const Range& a, const Range& b) {
  Range r{a.least_exponent + b.least_exponent, a.greatest_exponent + b.greatest_exponent,
          a.integer_bits + b.integer_bits, deepest_fraction(a) + deepest_fraction(b), std::nullopt};
  if (a.fixed_quantum && b.fixed_quantum) r.fixed_quantum = *a.fixed_quantum + *b.fixed_quantum;
  return r;
}

int Range::exponent_bits() const { return signed_width(std::min(least_exponent, 0), std::max(greatest_exponent, 0)); }

int Plan::lowered(int piece) const {
  const Slices& words = datapath.slices;
  if (words.pairs.empty() || words.exponent == SliceExponent::operand) return 0;
  const SlicePair& pair = words.pairs[static_cast<std::size_t>(piece)];
  return pair.a_from + pair.b_from;
}

int AdderPlan::draws() const {
  return static_cast<int>(
      std::count_if(results.begin(), results.end(), [](const ResultPlan& r) { return is_stochastic(r.words.cut); }));
}

int AdderPlan::items() const {
  int count = 0;
  for (const InputPlan& input : inputs) count += input.count;
  return count;
}

std::variant<Plan, std::vector<Problem>> plan(const Datapath& datapath, int k) { return Planner(datapath, k).run(); }

}  // namespace assay
