#include "tb/source/model_sv.hpp"

#include <algorithm>
#include <functional>

#include "model/base/text.hpp"
#include "model/core/encode.hpp"
#include "model/core/round.hpp"
#include "tb/source/c_formats.hpp"
#include "tb/source/fill.hpp"
#include "tb/source/list_edges.hpp"
#include "tb/source/sv_rows.hpp"
#include "tb/source/sv_words.hpp"
#include "tb/source/widths.hpp"

namespace assay {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

// A negative distance is in parentheses, where it follows an operator.
std::string operand(int value) { return value < 0 ? "(" + n_text(value) + ")" : n_text(value); }

// if (..) NAME = ..; else if (..) NAME = ..; else ..
class Chain {
 public:
  explicit Chain(std::string into, std::string indent = "    ") : into_(std::move(into)), indent_(std::move(indent)) {}

  void when(const std::string& condition, const std::string& value) {
    text_ += indent_ + (text_.empty() ? "" : "else ") + "if (" + condition + ") " + into_ + " = " + value + ";\n";
  }
  std::string otherwise(const std::string& value) const {
    return text_ + indent_ + (text_.empty() ? "" : "else ") + into_ + " = " + value + ";\n";
  }
  // `block`: statements, indented by two more.
  std::string otherwise_block(const std::string& block) const {
    return text_ + indent_ + (text_.empty() ? "begin\n" : "else begin\n") + block + indent_ + "end\n";
  }

 private:
  std::string into_, indent_, text_;
};

// The bits that every tool takes as one vector (IEEE 1800-2017, 6.9.1).
constexpr int most_places_bits = 65'536;

class PackageText {
 public:
  PackageText(const Plan& plan, const SourceFacts& facts)
      : plan_(plan), facts_(facts), w_{std::clamp(widest_magnitude(plan) + 2, 40, 128), carried_by(plan)} {
    place_bits_.push_back(0);
    for (std::size_t i = 0; i < plan.places.size(); ++i)
      place_bits_.push_back(place_bits_.back() + plan.places.spot(static_cast<int>(i)).place->width);
    has_places_ = sv_has_places(plan);
  }

  std::string run() {
    std::string body = decodes() + factors() + products();
    block(plan_.circuit.step, plan_.adders, "", body);
    block(plan_.circuit.finish, plan_.finish, "finish_", body);
    body += step() + finish() + encode() + flags_of_number() + dot() + places();
    return header() + needed_helpers(sv_helpers(w_), body) + body + "\nendpackage\n";
  }

 private:
  bool steps_decide() const { return plan_.datapath.specials == Specials::step; }
  int instances() const { return plan_.lanes * plan_.steps; }
  std::string num() const { return w_.number_type(); }
  std::string mag() const { return w_.magnitude_type(); }
  std::string zero() const { return w_.literal(0); }
  std::string special_type() const { return w_.vector(w_.special_bits()); }
  bool has_flags() const { return w_.carried.raised; }

  std::string function(const std::string& says, const std::string& type, const std::string& name,
                       const std::string& parameters, const std::string& body) const {
    return "\n" + says + "  function automatic " + type + " " + name + "(" + parameters + ");\n" + body +
           "  endfunction\n";
  }

  std::string header() const {
    return fill(R"(// @name@: d = c + the sum of a[i] x b[i], i = 0 to @last@, to the last bit.
// @unit@: a @a@, b @b@, c @c@, d @d@.
// Written by @tool@, export --to sv-package: to change it, change the datapath and export it again.
// Datapath SHA-256 @digest@
//
// dot, at the end, is the whole: codes in, element 0 lowest, a code out. Two-state inside: an unknown bit of an
// operand is read as zero. Flat vectors and no return, which Verilator, Icarus Verilog 11 and Yosys read alike.
// A stage need not look at every field of a number.
// verilator lint_off UNUSEDSIGNAL
package @name@;

  // The exponent of a zero operand or product, which takes no part in finding the largest one.
  localparam int NoExponent = 32'sh80000000;
)",
                {{"name", facts_.name},
                 {"last", n_text(plan_.k - 1)},
                 {"unit", facts_.unit},
                 {"a", plan_.a.name},
                 {"b", plan_.b.name},
                 {"c", plan_.c.name},
                 {"d", plan_.d.name},
                 {"tool", facts_.tool},
                 {"digest", facts_.digest}});
  }

  // --- decode ---

  std::string decodes() const {
    const Datapath& words = plan_.datapath;
    std::string text = decode("a", plan_.a, {words.subnormals_a, words.nans_a}) +
                       decode("b", plan_.b, {words.subnormals_b, words.nans_b}) +
                       decode("c", plan_.c, {words.subnormals_c, words.nans_c});
    if (plan_.scale) text += decode("scale", *plan_.scale, {});
    for (const CaseOperand& more : plan_.more) text += decode("operand_" + more.name, more.format, {});
    return text;
  }

  std::string decode(const std::string& name, const Format& f, const ReadAs& as) const {
    const std::string into = "decode_" + name;
    const std::string used = "    used = code[" + n_text(f.ignored_low_bits) + " +: " + n_text(f.used_bits()) + "];\n";
    const std::string body = "    " + w_.vector(f.used_bits()) + " used;\n" +
                             (f.is_list()      ? listed(into, f, as, used)
                              : f.is_integer() ? integer(into, f, used)
                                               : fields(into, f, as, used));
    return function("  // Stage decode of " + name + ": " + f.name + ", " + n_text(f.stored_bits) + " bits.\n  //\n" +
                        replaced(format_drawing(f), "//", "  //"),
                    num(), into, w_.vector(f.stored_bits) + " code", body);
  }

  std::string sign_of(const Format& f) const { return f.has_sign ? "used[" + n_text(f.used_bits() - 1) + "]" : "1'b0"; }

  std::string integer(const std::string& into, const Format& f, const std::string& used) const {
    const int bits = f.used_bits();
    const std::string magnitude = !f.has_sign        ? "used"
                                  : f.sign_magnitude ? "{1'b0, used[" + n_text(bits - 2) + ":0]}"
                                                     : "negative ? -used : used";
    Chain chain(into);
    chain.when("value == 0", "a_zero(1'b0)");
    return "    " + w_.vector(bits) + " value;\n    bit negative;\n" + used + "    negative = " + sign_of(f) +
           ";\n    value = " + magnitude + ";\n" +
           chain.otherwise("a_number(negative, " + sized("value") + ", 0, " + n_text(f.last_place()) + ")");
  }

  std::string sized(const std::string& value) const { return n_text(w_.magnitude_bits) + "'(" + value + ")"; }

  std::string fields(const std::string& into, const Format& f, const ReadAs& as, const std::string& used) const {
    const int mb = f.mantissa_bits;
    const Subnormals subnormals = as.subnormals;
    std::string text = "    bit negative;\n    int field;\n    " + mag() + " mantissa;\n" + used +
                       "    negative = " + sign_of(f) + ";\n    field = 32'(used[" + n_text(mb) +
                       " +: " + n_text(f.exponent_bits) +
                       "]);\n    mantissa = " + (mb == 0 ? zero() : sized("used[" + n_text(mb - 1) + ":0]")) + ";\n";
    Chain chain(into);
    if (plan_.datapath.specials != Specials::numbers) specials(f, as.nans, chain);
    if (f.has_zero) {
      const std::string flushed = subnormals == Subnormals::zero ? "negative && mantissa == 0" : "negative";
      chain.when(subnormals == Subnormals::keep ? "field == 0 && mantissa == 0" : "field == 0",
                 "a_zero(" + flushed + ")");
      if (subnormals == Subnormals::keep && mb > 0)
        chain.when("field == 0",
                   "a_number(negative, mantissa, " + n_text(1 - f.bias) + ", " + n_text(1 - f.bias - mb) + ")");
    }
    return text + chain.otherwise("a_number(negative, mantissa | " + w_.literal(u128{1} << mb) + ", field - " +
                                  operand(f.bias) + ", field - " + operand(f.bias + mb) + ")");
  }

  // A row a code.
  std::string listed(const std::string& into, const Format& f, const ReadAs& as, const std::string& used) const {
    std::string rows;
    Code code = 0;
    for (Number n : f.values().by_code) {
      if (n.cls == Class::nan) n = as.nans == Nans::zero ? Number::zero() : Number::nan(n.negative, quiet_payload());
      rows += "      " + code_text(f.used_bits(), code++) + ": " + into + " = " + w_.number(n) + ";\n";
    }
    return used + "    case (used)\n" + rows + "      default: " + into + " = a_zero(1'b0);\n    endcase\n";
  }

  static std::string code_text(int bits, Code code) { return n_text(bits) + "'h" + c_hex_digits(code); }

  void specials(const Format& f, Nans nans, Chain& chain) const {
    const auto nan = [&](const std::string& made) { return nans == Nans::zero ? "a_zero(1'b0)" : made; };
    const int bits = f.used_bits() - (f.has_sign ? 1 : 0);
    const std::string below = "used[" + n_text(bits - 1) + ":0]";
    switch (f.nan) {
      case NanCodes::none:
      case NanCodes::listed: break;
      case NanCodes::ieee:
        chain.when(below + " > " + code_text(bits, f.infinity()), nan("a_nan(negative, " + payload(f) + ")"));
        break;
      case NanCodes::all_ones:
        chain.when(below + " == " + code_text(bits, f.quiet_nan()), nan("a_nan(negative, " + quiet() + ")"));
        break;
      case NanCodes::negative_zero:
        chain.when("used == " + code_text(f.used_bits(), f.sign_bit()), nan("a_nan(1'b0, " + quiet() + ")"));
        break;
    }
    if (f.has_infinity) chain.when(below + " == " + code_text(bits, f.infinity()), "an_infinity(negative)");
  }

  u128 quiet_payload() const { return keeps_payloads(plan_) ? quiet_bit : 0; }
  std::string quiet() const { return w_.literal(quiet_payload()); }

  std::string payload(const Format& f) const {
    if (!keeps_payloads(plan_)) return zero();
    return "(mantissa << " + n_text(payload_bits - f.mantissa_bits) + ") | " + w_.literal(quiet_bit) + " | (mantissa[" +
           n_text(f.mantissa_bits - 1) + "] ? " + zero() + " : " + w_.literal(signalling_bit) + ")";
  }

  // --- factors and products ---

  std::string factors() const { return factor("a", plan_.factor_a) + factor("b", plan_.factor_b); }

  std::string factor(const std::string& name, const FactorPlan& factor) const {
    if (!factor.works()) return "";
    const std::string into = "factor_" + name;
    std::string text, body = "    " + into + " = n;\n", parameters = num() + " n";
    const bool by_element = factor.zero_points >= 0 || !factor.scales.empty();
    if (by_element) parameters += ", int index";
    if (factor.zero_point)
      body += assign(into, "minus_zero_point(" + into + ", " + w_.number(*factor.zero_point) + ")");
    if (factor.zero_points >= 0) {
      parameters += ", " + numbers_of(factor.zero_points);
      body += assign(into, "minus_zero_point(" + into + ", " + more_at(factor.zero_points, "index") + ")");
    }
    for (const int scale : factor.scales) parameters += ", " + numbers_of(scale);
    body += scaled(into, false, factor.scales, "index");
    if (factor.round) {
      text = round({"round_factor_" + name, ""}, *factor.round);
      const bool by_chance = is_stochastic(factor.round->words.cut);
      if (by_chance) parameters += ", bit [31:0] random";
      body += assign(into, "round_factor_" + name + "(" + into + (by_chance ? ", random" : "") + ")");
    }
    if (factor.step != 1) body += step_down(into, factor);
    if (factor.empty)
      body += "    if (is_zero(" + into + ") && exponent_of(" + into + ") == NoExponent) " + exponent_field(into) +
              " = " + n_text(*factor.empty) + ";\n";
    return text + function("  // What becomes of an element of " + name + " before it is multiplied.\n", num(), into,
                           parameters, body);
  }

  std::string step_down(const std::string& n, const FactorPlan& factor) const {
    const std::string exponent = "exponent_of(" + n + ")", step = n_text(factor.step);
    const std::string counted =
        factor.step_from == 0 ? exponent : "(" + exponent + " - " + operand(factor.step_from) + ")";
    return "    if (kind_of(" + n + ") == 0 && " + exponent + " != NoExponent)\n      " + exponent_field(n) + " = " +
           exponent + " - (" + counted + " % " + step + " + " + step + ") % " + step + ";\n";
  }

  static std::string assign(const std::string& into, const std::string& value) {
    return "    " + into + " = " + value + ";\n";
  }

  const CaseOperand& more(int index) const { return plan_.more[at(index)]; }
  std::string name_of(int operand) const { return "numbers_" + more(operand).name; }
  std::string numbers_of(int operand) const { return w_.numbers(more(operand).count) + " " + name_of(operand); }
  std::string more_at(int operand, const std::string& index) const {
    return w_.element(name_of(operand), block_of(index, more(operand).block));
  }
  static std::string block_of(const std::string& index, int block) {
    return block == 1 ? index : "(" + index + ") / " + n_text(block);
  }

  // Times the scales of the blocks in which element `index` lies, as assignments to `into`.
  std::string scaled(const std::string& into, bool by_pair, const std::vector<int>& others,
                     const std::string& index) const {
    std::string text;
    if (by_pair) {
      const std::string block = block_of(index, plan_.scale_block);
      text += assign(into, "scale_by_pair(" + into + ", " + w_.element("scales_a", block) + ", " +
                               w_.element("scales_b", block) + ")");
    }
    for (const int scale : others) text += assign(into, "scale(" + into + ", " + more_at(scale, index) + ")");
    return text;
  }

  std::string exponent_field(const std::string& n) const {
    return n + "[" + n_text(w_.magnitude_bits + 32) + " +: 32]";
  }

  bool zeros_count() const { return plan_.datapath.product.empty || plan_.counts_zeros(); }

  // The exponent of a product of a and b that is zero, and belongs to a pair of slices.
  std::string exponent_of_zero(int lowered) const {
    const std::optional<int>& empty = plan_.datapath.product.empty;
    const std::string given = empty ? n_text(*empty - lowered) : "NoExponent";
    if (!plan_.counts_zeros()) return given;
    const std::string less = lowered == 0 ? "" : " - " + operand(lowered);
    return "((exponent_of(a) != NoExponent && exponent_of(b) != NoExponent) ? exponent_of(a) + exponent_of(b)" + less +
           " : " + given + ")";
  }

  std::string products() const {
    const bool whole = zeros_count() && !plan_.is_sliced();
    const std::string name = has_flags() ? "exact_multiply" : "multiply";
    Chain chain(name);
    chain.when("kind_of(a) == 2", "a");
    chain.when("kind_of(b) == 2", "b");
    chain.when("infinite && (is_zero(a) || is_zero(b))", "a_nan(1'b1, " + zero() + ")");
    chain.when("infinite", "an_infinity(negative)");
    chain.when("is_zero(a) || is_zero(b)",
               whole ? "a_number(negative, " + zero() + ", " + exponent_of_zero(0) + ", 0)" : "a_zero(negative)");
    std::string text = function(
        "  // Stage multiply: the exact product, never rounded, never normalised.\n  //\n"
        "  //   1.mmm x 1.mmm = pp.mmmmmm\n",
        num(), name, num() + " a, " + num() + " b",
        "    bit negative, infinite;\n    negative = negative_of(a) != negative_of(b);\n"
        "    infinite = kind_of(a) == 1 || kind_of(b) == 1;\n" +
            chain.otherwise("a_number(negative, magnitude_of(a) * magnitude_of(b), exponent_of(a) + exponent_of(b), "
                            "quantum_of(a) + quantum_of(b))"));
    if (has_flags())
      text += function("  // Stage multiply, and what it raises.\n", num(), "multiply", num() + " a, " + num() + " b",
                       assign("multiply", "raising_product(exact_multiply(a, b), a, b)"));
    if (plan_.is_sliced()) text += slices();
    if (plan_.rows) text += sv_multiply_rows(plan_, w_);
    return plan_.product_round ? text + round({"round_product", ""}, *plan_.product_round) : text;
  }

  std::string slices() const {
    std::string text = fill(R"(
  // Of a significand so many bits from bit `from` on, all that follow where `bits` is below zero.
  //
  //   1 . m m m m m m      from 2, bits 3:   0 . 0 m m m 0 0
  function automatic @mag@ slice(@num@ n, int point, int from, int bits);
    int above, below;
    above = larger(0, exponent_of(n) + point - from - quantum_of(n));
    below = (bits < 0) ? 0 : larger(0, exponent_of(n) + point - from - bits - quantum_of(n));
    slice = magnitude_of(n) & ~({@bits@{1'b1}} << above) & ({@bits@{1'b1}} << below);
  endfunction
)",
                            {{"mag", mag()}, {"num", num()}, {"bits", n_text(w_.magnitude_bits)}});
    std::string body = "    multiply_slices = multiply(a, b);\n";
    const std::string finite = "kind_of(a) == 0 && kind_of(b) == 0";
    for (int piece = 0; piece < plan_.pieces; ++piece) {
      const SlicePair& pair = plan_.datapath.slices.pairs[at(piece)];
      const auto part = [&](const char* n, const FactorPlan& factor, int from, const std::optional<int>& bits) {
        return std::string("slice(") + n + ", " + n_text(factor.range.integer_bits) + ", " + n_text(from) + ", " +
               n_text(bits.value_or(-1)) + ")";
      };
      const std::string negative = "negative_of(a) != negative_of(b), ", lowered = operand(plan_.lowered(piece));
      if (zeros_count())
        body += "    if (pair == " + n_text(piece) + " && " + finite + ") multiply_slices = a_number(" + negative +
                zero() + ", " + exponent_of_zero(plan_.lowered(piece)) + ", 0);\n";
      body += "    if (pair == " + n_text(piece) + " && " + finite + " && !is_zero(a) && !is_zero(b))\n" +
              "      multiply_slices = a_number(" + negative + part("a", plan_.factor_a, pair.a_from, pair.a_bits) +
              " * " + part("b", plan_.factor_b, pair.b_from, pair.b_bits) +
              ",\n          exponent_of(a) + exponent_of(b) - " + lowered + ", quantum_of(a) + quantum_of(b));\n";
    }
    if (has_flags()) body += assign("multiply_slices", "raising_product(multiply_slices, a, b)");
    return text + function("  // Stage multiply of one pair of slices.\n", num(), "multiply_slices",
                           num() + " a, " + num() + " b, int pair", body);
  }

  // --- round ---

  // A function that rounds, and whether ones below what it is given may have been lost.
  struct Rounding {
    std::string name;
    std::string lost;  // an expression; empty: none are
  };

  std::string cut(const Result& words, const std::string& by, const std::string& lost) const {
    if (!lost.empty()) return sv_cut_above(words.cut, "magnitude_of(n)", by, "negative_of(n)", lost);
    if (!is_stochastic(words.cut)) return sv_cut(words.cut, "magnitude_of(n)", by, "negative_of(n)");
    return "cut_" + std::string(word(words.cut)) + "(magnitude_of(n), " + by + ", " + n_text(words.random_bits) +
           ", random)";
  }

  std::string round(const Rounding& asked, const ResultPlan& result) const {
    const Result& w = result.words;
    const Rounding made{(has_flags() ? "exact_" : "") + asked.name, asked.lost};
    const std::string body = w.at == ResultAt::format ? round_to_format(made, w, result.format) : round_number(made, w);
    const std::string to = w.at == ResultAt::format   ? "to " + result.format.name
                           : w.at == ResultAt::window ? "at its window"
                                                      : "at its leading one";
    const std::string parameters = num() + " n" + (is_stochastic(w.cut) ? ", bit [31:0] random" : "");
    const std::string text = lists_of(made.name, result) +
                             function("  // Stage round: " + to + ", " + std::string(word(w.cut)) + ".\n", num(),
                                      made.name, parameters, "    int exponent;\n    " + mag() + " m;\n" + body);
    return has_flags() ? text + raising(asked, made.name, parameters, result) : text;
  }

  // The same with what it raises. A NaN that comes of no overflow is that of a number below zero where there is no
  // sign.
  std::string raising(const Rounding& asked, const std::string& inner, const std::string& parameters,
                      const ResultPlan& result) const {
    const std::string random = is_stochastic(result.words.cut) ? ", random" : "", name = asked.name;
    std::string tiny = "1'b0", locals;
    if (result.words.at == ResultAt::format && result.format.rounds_to_list()) {
      tiny = "is_zero(made)";
    } else if (result.words.at == ResultAt::format && !result.format.is_integer()) {
      const Tiny how = result.flags->tiny;
      tiny = how == Tiny::result ? "m_bits(magnitude_of(made)) <= " + n_text(result.format.mantissa_bits)
                                 : is_tiny_text(how, result.format);
      if (how == Tiny::after)
        locals = "    " + mag() + " unbound;\n" + unbound(result.words, result.format, asked.lost);
    }
    const std::string own = "{inexact, inexact && !overflows && (" + tiny + "), overflows, invalid}";
    const std::string so_far = result.flags->of == FlagsOf::all ? "raised_of(n) | own"
                               : result.leaves_d                ? "(raised_of(n) & 4'h1) | own"
                                                                : "(raised_of(n) | own) & 4'h1";
    const std::string lost = asked.lost.empty() ? "" : asked.lost + " || ";
    return function("  // Stage round, and what it raises.\n", num(), name, parameters,
                    fill(R"(    @num@ made;
    bit overflows, inexact, invalid;
    bit [3:0] own;
@locals@    made = n;
    made[@raised@ +: 4] = 4'h0;
    made = @inner@(made@random@);
    overflows = kind_of(n) == 0 && (raised_of(made) & 4'h2) != 0;
    invalid = kind_of(n) == 0 && kind_of(made) == 2 && !overflows;
    inexact = kind_of(n) == 0 && !invalid && (overflows || @lost@compare(n, made) != 0);
    own = @own@;
    made[@raised@ +: 4] = @so_far@;
    @name@ = made;
)",
                         {{"num", num()},
                          {"locals", locals},
                          {"raised", n_text(w_.raised_at())},
                          {"inner", inner},
                          {"random", random},
                          {"lost", lost},
                          {"own", own},
                          {"so_far", so_far},
                          {"name", name}}));
  }

  // Rounded as if there were no least exponent.
  std::string unbound(const Result& w, const Format& f, const std::string& lost) const {
    return "    unbound = " + cut(w, "leading(n) - " + n_text(f.mantissa_bits) + " - quantum_of(n)", lost) + ";\n";
  }

  std::string at_leading(const Result& w, int keep, std::optional<int> least, const std::string& lost) const {
    return fill(R"(    exponent = @from@;
    m = @cut@;
    if (m_bits(m) > @bits@) begin  // 1.11..1 carried into 10.00..0
      m = m >> 1;
      exponent = exponent + 1;
    end
)",
                {{"from", least ? "larger(leading(n), " + n_text(*least) + ")" : "leading(n)"},
                 {"cut", cut(w, "exponent - " + n_text(keep) + " - quantum_of(n)", lost)},
                 {"bits", n_text(keep + 1)}});
  }

  std::string round_number(const Rounding& made, const Result& w) const {
    const std::string& name = made.name;
    const bool never = w.minus_zero == MinusZero::never;
    std::string text = w.at == ResultAt::leading_one
                           ? at_leading(w, w.keep, w.least_exponent, made.lost)
                           : "    exponent = exponent_of(n);\n    m = " +
                                 cut(w, "exponent - " + n_text(w.keep) + " - quantum_of(n)", made.lost) + ";\n";
    Chain chain(name);
    chain.when("kind_of(n) != 0 || is_zero(n)", "n");
    text += chain.otherwise("a_number(negative_of(n), m, exponent, exponent - " + n_text(w.keep) + ")");
    if (w.bits) text = in_register(text, name, w);
    if (never) text += "    if (is_zero(" + name + ")) " + name + "[" + n_text(w_.magnitude_bits + 64) + "] = 1'b0;\n";
    return text;
  }

  //   s i i i . f f f f     two's complement of so many bits, which wraps or is full
  std::string in_register(const std::string& text, const std::string& name, const Result& w) const {
    const int bits = *w.bits;
    const auto farthest = [&](bool negative) {
      return w_.literal(greatest_of_bits(bits, true, w.overflow == Overflow::symmetric, negative));
    };
    const std::string quantum = "exponent, exponent - " + n_text(w.keep) + ")";
    std::string full =
        "a_number(negative_of(n), negative_of(n) ? " + farthest(true) + " : " + farthest(false) + ", " + quantum;
    if (w.overflow == Overflow::wrap)
      full = "a_number(low[" + n_text(bits - 1) + "], " + sized("left") + ", " + quantum;
    if (has_flags()) full = "raising(" + full + ", 4'h2)";
    return "    " + w_.vector(bits) + " low, left;\n" + text + "    low = " + n_text(bits) +
           "'(negative_of(n) ? -m : m);\n    left = low[" + n_text(bits - 1) + "] ? -low : low;\n" +
           "    if (kind_of(n) == 0 && !is_zero(n) && m > (negative_of(n) ? " + farthest(true) + " : " +
           farthest(false) + "))\n      " + name + " = " + full + ";\n";
  }

  // The rules of what a format cannot hold are core's; each depends on the sign alone.
  template <class Rule>
  std::string ruled(const Rule& rule, const Result& w, const Format& f, Class cls) const {
    return w_.by_sign([&](bool negative) {
      Number n = cls == Class::infinity ? Number::infinity(negative) : Number::zero(negative);
      n.magnitude = cls == Class::finite ? 1 : 0;
      return rule(n, w, f);
    });
  }

  void specials_of(const Result& w, const Format& f, Chain& chain) const {
    chain.when("kind_of(n) == 2", w.nan == OfNan::keep ? "n" : w_.number(nan_to_format(Number::nan(), w, f)));
    const bool passes = w.infinity == OfInfinity::keep && (f.has_sign || f.is_integer());
    chain.when("kind_of(n) == 1", passes ? "n" : ruled(infinity_to_format, w, f, Class::infinity));
    chain.when("is_zero(n)", "a_zero(" + zero_sign(w, f) + ")");
  }

  static std::string zero_sign(const Result& w, const Format& f) {
    return w.minus_zero == MinusZero::keep && f.has_signed_zero ? "negative_of(n)" : "1'b0";
  }

  std::string round_to_format(const Rounding& made, const Result& w, const Format& f) const {
    if (f.is_integer()) return round_integer(made, w, f);
    if (!looks_up(w, f)) return round_fields(made, w, f);
    return f.is_list() ? round_list(made, w, f) : round_power(made, w, f);
  }

  // A draw decides between neighbours that the fields give.
  static bool looks_up(const Result& w, const Format& f) {
    return w.at == ResultAt::format && f.rounds_to_list() && !is_stochastic(w.cut);
  }

  // The functions that look a number up, which stand before the one that rounds.
  std::string lists_of(const std::string& name, const ResultPlan& result) const {
    const Format& f = result.format;
    if (!looks_up(result.words, f)) return "";
    const std::string zero = zero_sign(result.words, f), text = in_list(name, f, result.words.cut, zero);
    return f.is_list() || f.has_sign ? text : text + in_list(name + "_mirrored", f, mirrored(result.words.cut), zero);
  }

  std::string in_list(const std::string& name, const Format& f, Cut cut, const std::string& sign_of_zero) const {
    const std::vector<ListEdge> edges = list_edges(f, cut);
    const std::vector<ListedValue>& values = f.values().ascending;
    const std::string count = n_text(static_cast<int>(edges.size()));
    const int first = edges.size() == values.size() ? 0 : 1;  // the first value stands behind so many edges
    std::string edge_rows, value_rows;
    for (std::size_t i = 0; i < edges.size(); ++i)
      edge_rows += "      " + n_text(static_cast<int>(i)) + ": " + name + "_edge = {" +
                   (edges[i].is_upper ? "1'b1, " : "1'b0, ") + w_.number(edges[i].at) + "};\n";
    for (std::size_t i = 0; i < values.size(); ++i) {
      Number n = values[i].number;
      n.quantum = n.exponent - f.mantissa_bits;
      value_rows += "      " + n_text(static_cast<int>(i) + first) + ": " + name + "_in_list = {1'b1, " +
                    (n.is_zero() ? "a_zero(" + sign_of_zero + ")" : w_.number(n)) + "};\n";
    }
    int half = 1;
    while (2 * half <= static_cast<int>(edges.size())) half *= 2;
    const std::string type = w_.vector(w_.number_bits() + 1);
    return function("  // What lies between two neighbours of " + f.name +
                        ", from the lowest up; the uppermost bit: what\n" +
                        "  // stands there becomes the upper one.\n",
                    type, name + "_edge", "int i",
                    "    case (i)\n" + edge_rows + "      default: " + name +
                        "_edge = {1'b0, a_zero(1'b0)};\n    endcase\n") +
           function("  // The value of " + f.name +
                        " that a finite number becomes, under a bit that says whether there is one.\n",
                    type, name + "_in_list", num() + " n",
                    fill(R"(    int passed, side;
    @type@ edge_there;
    passed = 0;  // how many edges n lies above: half of those that are left, each time
    for (int half = @half@; half > 0; half = half / 2) begin
      edge_there = @name@_edge(passed + half - 1);
      side = compare(n, edge_there[0 +: @bits@]);
      if (passed + half <= @edges@ && (side > 0 || (side == 0 && edge_there[@bits@]))) passed = passed + half;
    end
    case (passed)
@values@      default: @name@_in_list = {1'b0, n};
    endcase
)",
                         {{"type", type},
                          {"half", n_text(half)},
                          {"name", name},
                          {"bits", n_text(w_.number_bits())},
                          {"edges", count},
                          {"values", value_rows}}));
  }

  std::string found_type() const { return "    " + w_.vector(w_.number_bits() + 1) + " found;\n"; }
  std::string fits() const { return "found[" + n_text(w_.number_bits()) + "]"; }
  std::string found_number() const { return "found[0 +: " + n_text(w_.number_bits()) + "]"; }

  std::string round_list(const Rounding& made, const Result& w, const Format& f) const {
    Chain chain(made.name);
    specials_of(w, f, chain);
    if (!f.has_sign) chain.when("negative_of(n)", w_.number(below_zero(w)));
    chain.when("!" + fits(), ruled(too_large, w, f, Class::finite));
    return found_type() + "    found = " + made.name + "_in_list(n);\n" + chain.otherwise(found_number());
  }

  // Below zero, where there is no sign, a number is rounded as its magnitude is.
  std::string round_power(const Rounding& made, const Result& w, const Format& f) const {
    std::string text = found_type(), found = made.name + "_in_list(n)";
    if (w.subnormals != Subnormals::keep && w.tiny == Tiny::after)
      text = "    " + mag() + " unbound;\n" + text + unbound(w, f, made.lost);
    if (!f.has_sign) {
      text = "    " + num() + " above;\n" + text + "    above = n;\n    above[" + n_text(w_.magnitude_bits + 64) +
             "] = 1'b0;\n";
      found = "negative_of(n) ? " + made.name + "_mirrored_in_list(above) : " + made.name + "_in_list(above)";
    }
    text += "    found = " + found + ";\n    exponent = exponent_of(" + found_number() + ");\n    m = magnitude_of(" +
            found_number() + ");\n";
    Chain chain(made.name);
    specials_of(w, f, chain);
    if (w.subnormals != Subnormals::keep)
      chain.when(fits() + " && " + is_tiny_text(w.tiny, f), "a_zero(" + flushed_sign(w, f) + ")");
    chain.when(fits() + " && m == 0", "a_zero(" + zero_sign(w, f) + ")");
    if (!f.has_sign) chain.when("negative_of(n)", w_.number(below_zero(w)));
    const std::string top =
        w.overflow == Overflow::top ? " || exponent >= " + n_text(greatest(f, false).exponent) : std::string();
    chain.when("!" + fits() + top, ruled(too_large, w, f, Class::finite));
    return text + chain.otherwise(found_number());
  }

  static std::string flushed_sign(const Result& w, const Format& f) {
    return w.subnormals == Subnormals::signed_zero ? zero_sign(w, f) : "1'b0";
  }

  std::string round_integer(const Rounding& made, const Result& w, const Format& f) const {
    const std::string quantum = n_text(f.last_place());
    std::string text = "    exponent = 0;\n    m = " + cut(w, quantum + " - quantum_of(n)", made.lost) + ";\n";
    Chain chain(made.name);
    specials_of(w, f, chain);
    if (w.overflow == Overflow::wrap) return wrapped(chain, text, w, f);
    const std::string beyond = ruled(too_large, w, f, Class::finite);
    chain.when("quantum_of(n) + m_bits(magnitude_of(n)) > " + n_text(f.stored_bits - f.fraction_bits + 1), beyond);
    const std::string positive = w_.literal(greatest_integer(w, f, false)),
                      negative = w_.literal(greatest_integer(w, f, true));
    chain.when("m > (negative_of(n) ? " + negative + " : " + positive + ")", beyond);
    chain.when("m == 0", "a_zero(1'b0)");
    return text + chain.otherwise("a_number(negative_of(n), m, 0, " + quantum + ")");
  }

  std::string wrapped(Chain& chain, const std::string& text, const Result& w, const Format& f) const {
    const std::string bits = w_.vector(f.stored_bits);
    const std::string beyond = "m > (negative_of(n) ? " + w_.literal(greatest_integer(w, f, true)) + " : " +
                               w_.literal(greatest_integer(w, f, false)) + ")";
    const auto told = [&](const std::string& n) {
      return has_flags() ? "raising(" + n + ", (" + beyond + ") ? 4'h2 : 4'h0)" : n;
    };
    chain.when("left == 0", told("a_zero(1'b0)"));
    const std::string negative = f.has_sign ? "low[" + n_text(f.stored_bits - 1) + "]" : "1'b0";
    return "    " + bits + " low, left;\n" + text + "    low = " + n_text(f.stored_bits) +
           "'(negative_of(n) ? -m : m);\n" + "    left = " + (f.has_sign ? negative + " ? -low : low" : "low") + ";\n" +
           chain.otherwise(
               told("a_number(" + negative + ", " + sized("left") + ", 0, " + n_text(f.last_place()) + ")"));
  }

  std::string round_fields(const Rounding& made, const Result& w, const Format& f) const {
    Chain chain(made.name);
    specials_of(w, f, chain);
    if (w.subnormals != Subnormals::keep) chain.when(is_tiny_text(w.tiny, f), "a_zero(" + flushed_sign(w, f) + ")");
    chain.when("m == 0", "a_zero(" + zero_sign(w, f) + ")");
    if (!f.has_sign) chain.when("negative_of(n)", w_.number(below_zero(w)));
    chain.when(is_beyond(w, f), ruled(too_large, w, f, Class::finite));
    std::string text = at_leading(w, f.mantissa_bits, f.least_exponent(), made.lost);
    if (w.subnormals != Subnormals::keep && w.tiny == Tiny::after)
      text = "    " + mag() + " unbound;\n" + text + unbound(w, f, made.lost);
    return text + chain.otherwise("a_number(negative_of(n), m, exponent, exponent - " + n_text(f.mantissa_bits) + ")");
  }

  static std::string is_tiny_text(Tiny tiny, const Format& f) {
    const std::string least = n_text(f.least_exponent());
    switch (tiny) {
      case Tiny::before: return "leading(n) < " + least;
      case Tiny::after:
        return "leading(n) + ((m_bits(unbound) > " + n_text(f.mantissa_bits + 1) + ") ? 1 : 0) < " + least;
      case Tiny::result: break;
    }
    return "m_bits(m) <= " + n_text(f.mantissa_bits);
  }

  std::string is_beyond(const Result& w, const Format& f) const {
    const Number top = greatest(f, false);
    const std::string exponent = n_text(top.exponent);
    if (w.overflow == Overflow::top) return "exponent >= " + exponent;
    return "exponent > " + exponent + " || (exponent == " + exponent + " && m > " + w_.literal(top.magnitude) + ")";
  }

  // --- sums ---

  void block(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const std::string& prefix,
             std::string& text) const {
    for (std::size_t i = 0; i < adders.size(); ++i) text += adder(block, adders[i], static_cast<int>(i), prefix);
  }

  static std::vector<const SumNode*> nodes_of(const CircuitBlock& block, int adder) {
    std::vector<const SumNode*> nodes;
    for (const SumNode& node : block.sums) {
      if (node.adder == adder) nodes.push_back(&node);
    }
    return nodes;
  }

  // A function of a sum and an item, where no formula says it.
  std::string lookup(const IndexTable& table, const std::string& name, const std::string& row,
                     const std::string& column, std::string& text) const {
    if (const auto formula = table.formula(row, column)) return *formula;
    const int columns = static_cast<int>(table.rows.front().size());
    std::string cases;
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      for (std::size_t j = 0; j < table.rows[i].size(); ++j)
        cases += "      " + n_text(static_cast<int>(i) * columns + static_cast<int>(j)) + ": " + name + " = " +
                 n_text(table.rows[i][j]) + ";\n";
    }
    text += function("", "int", name, "int row, int column",
                     "    case (row * " + n_text(columns) + " + column)\n" + cases + "      default: " + name +
                         " = 0;\n    endcase\n");
    return name + "(" + (row.empty() ? "0" : row) + ", " + (column.empty() ? "0" : column) + ")";
  }

  std::string adder(const CircuitBlock& block, const AdderPlan& adder, int index, const std::string& prefix) const {
    const std::string name = prefix + adder.name;
    const auto nodes = nodes_of(block, index);
    const int items = static_cast<int>(nodes.front()->items.size());
    IndexTable values, turned, inputs;
    for (const SumNode* node : nodes) {
      values.rows.emplace_back(), turned.rows.emplace_back(), inputs.rows.emplace_back();
      for (const SumItem& item : node->items) {
        values.rows.back().push_back(item.value);
        turned.rows.back().push_back(item.negate ? 1 : 0);
        inputs.rows.back().push_back(item.input);
      }
    }
    std::string text;
    const std::string input = lookup(inputs, "input_" + name, "which", "i", text);
    text += window(name, adder, items, input);
    for (std::size_t i = 0; i < adder.inputs.size(); ++i) text += align(name, adder, i);
    text += reduce(name, adder);
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      const bool sees_lost = i == 0 && adder.sticky == Sticky::at_result;
      text += round({round_name(name, adder, i), sees_lost ? "n[" + n_text(w_.lost_at()) + "]" : ""}, adder.results[i]);
    }
    std::string item = w_.element("value", lookup(values, "from_" + name, "which", "i", text));
    const std::string sign = lookup(turned, "turned_" + name, "which", "i", text);
    if (sign != "0") item = "(" + sign + " != 0) ? negated(" + item + ") : " + item;
    return text + add(name, adder, block.values(), items, item, input);
  }

  static std::string round_name(const std::string& name, const AdderPlan& adder, std::size_t i) {
    return "round_" + name + (adder.results.size() == 1 ? "" : "_" + n_text(static_cast<int>(i)));
  }

  std::string counted(const Input& words, const std::string& n) const {
    if (!words.empty) return "exponent_of(" + n + ")";
    const std::string absent = w_.carried.absent ? " && !is_absent(" + n + ")" : "";
    return "(exponent_of(" + n + ") == NoExponent" + absent + ") ? " + n_text(*words.empty) + " : exponent_of(" + n +
           ")";
  }

  std::string window(const std::string& name, const AdderPlan& adder, int items, const std::string& input) const {
    std::string loop;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i)
      loop += "      if (" + input + " == " + n_text(static_cast<int>(i)) + ") largest_" + name + " = larger(largest_" +
              name + ", " + counted(adder.inputs[i].words, "n") + ");\n";
    const std::string largest = function(
        "  // Stage window of " + adder.name + ": the largest exponent of its items; none where no item has one.\n",
        "int", "largest_" + name, w_.numbers(items) + " item, int which",
        "    " + num() + " n;\n    largest_" + name + " = NoExponent;\n    for (int i = 0; i < " + n_text(items) +
            "; i = i + 1) begin\n      n = " + w_.element("item", "i") + ";\n" + loop + "    end\n");
    const std::string into = "window_" + name;
    const Window& w = adder.window;
    std::string body;
    if (w.exponent == WindowExponent::fixed) {
      body = assign(into, n_text(w.at));
    } else {
      const std::string raised = w.raise == 0 ? "largest" : "largest + " + n_text(w.raise);
      const std::string floored = w.raise == 0 ? "largest" : "(largest == NoExponent) ? NoExponent : " + raised;
      body = "    int found, above;\n    found = " +
             (w.floor ? "larger(" + floored + ", " + n_text(*w.floor) + ")"
                      : std::string("(largest == NoExponent) ? 0 : ") + raised) +
             ";\n";
      const std::string step = n_text(w.step);
      const std::string counted = w.step_from == 0 ? "found" : "(found - " + operand(w.step_from) + ")";
      body += "    above = ((" + counted + " % " + step + ") + " + step + ") % " + step + ";\n";
      const std::string none = w.floor ? "" : "largest == NoExponent || ";
      body += assign(into, "(" + none + "above == 0) ? found : found + " + step + " - above");
    }
    return largest + function("  // The exponent that all items are brought to.\n", "int", into, "int largest", body);
  }

  std::string grid(const AdderPlan& adder) const {
    return adder.sum.fixed_quantum ? n_text(*adder.sum.fixed_quantum) : "window - " + n_text(adder.sum.fraction_bits);
  }

  // The addend above a bit that says whether ones were cut off.
  std::string align(const std::string& name, const AdderPlan& adder, std::size_t index) const {
    const Input& words = adder.inputs[index].words;
    const int width = adder.sum.sum_width;
    std::string body = "    " + mag() + " m;\n    int quantum;\n    bit lost;\n    " + w_.vector(width) +
                       " addend;\n    m = magnitude_of(n);\n    quantum = quantum_of(n);\n    lost = 1'b0;\n";
    if (words.keep) body += cut_below(*words.keep, words.cut);
    for (const Recut& again : words.again) body += cut_below(again.keep, again.cut);
    const std::string wide = n_text(width) + "'(m)";
    body += "    addend = (m == 0) ? " + n_text(width) + "'h0 : " + wide + " << (quantum - (" + grid(adder) + "));\n";
    const std::string into = "align_" + name + "_" + n_text(static_cast<int>(index));
    Chain chain(into);
    chain.when("kind_of(n) != 0 || is_zero(n)", n_text(width + 1) + "'h0");
    if (words.lost_below)
      chain.when("exponent_of(n) != NoExponent && exponent_of(n) < window - " + n_text(*words.lost_below),
                 n_text(width + 1) + "'h1");
    chain.when("negative_of(n)", "{-addend, lost}");
    return function("  // Stage align of " + adder.name + " (" + words.source +
                        "): an item on the grid of the window, " + n_text(width) +
                        " bits in two's complement, and whether it lost ones.\n",
                    w_.vector(width + 1), into, num() + " n, int window", body + chain.otherwise("{addend, lost}"));
  }

  std::string cut_below(int keep, Cut how) const {
    return fill(R"(    if (quantum < window - @keep@) begin
      lost = lost || (m & ~({@bits@{1'b1}} << (window - @keep@ - quantum))) != 0;
      m = @cut@;
      quantum = window - @keep@;
    end
)",
                {{"keep", n_text(keep)},
                 {"bits", n_text(w_.magnitude_bits)},
                 {"cut", sv_cut(how, "m", "window - " + n_text(keep) + " - quantum", "negative_of(n)")}});
  }

  // Of an exact sum its 124 leading bits, where it has more; ones below are kept in the last of them.
  std::string reduce(const std::string& name, const AdderPlan& adder) const {
    const int width = adder.sum.sum_width;
    const bool exact = adder.sum.arithmetic != Arithmetic::native;
    const std::string into = "reduce_" + name;
    std::string body = "    bit negative;\n    int below;\n    " + w_.vector(width) +
                       (exact ? " left, kept;\n    " : " left;\n    ") + mag() + " m;\n    negative = sum[" +
                       n_text(width - 1) + "];\n    left = negative ? -sum : sum;\n    below = 0;\n";
    if (exact) {
      body += fill(R"(    for (int i = 124; i < @width@; i = i + 1) begin
      if (left[i]) below = i - 123;
    end
    kept = left >> below;
    m = @bits@'(kept);
    if ((kept << below) != left) m = m | @one@;
)",
                   {{"width", n_text(width)}, {"bits", n_text(w_.magnitude_bits)}, {"one", w_.literal(1)}});
    } else {
      body += "    m = " + sized("left") + ";\n";
    }
    const bool has_bit = adder.sticky == Sticky::below_sum;
    if (has_bit) body += "    m = (m << 1) | " + sized("lost") + ";\n";
    body += assign(into, "a_number(negative, m, window, " + grid(adder) + " + below" + (has_bit ? " - 1" : "") + ")");
    if (adder.sticky == Sticky::at_result) body += assign(into + "[" + n_text(w_.lost_at()) + "]", "lost && m != 0");
    if (adder.errata.minus_one) body += minus_one(into, adder);
    if (has_flags()) body += "    if (lost) " + into + " = raising(" + into + ", 4'h8);\n";
    return function("  // Stage reduce of " + adder.name + ": the sum of the addends as a number.\n", num(), into,
                    w_.vector(width) + " sum, int window, bit lost", body);
  }

  std::string minus_one(const std::string& into, const AdderPlan& adder) const {
    return "    if (negative && m != 0 && leading(" + into + ") == window - " +
           n_text(*adder.inputs.front().words.keep) + " && (m & (m - " + w_.literal(1) + ")) == 0)\n      " + into +
           " = a_number(negative, " + w_.literal(1) + ", window, window + " + operand(*adder.errata.minus_one) + ");\n";
  }

  // What a sum is given beside values: names with types, or names alone.
  std::string gets(const AdderPlan& adder, bool with_types, const std::string& element = "",
                   const std::string& draw = "") const {
    std::string text;
    if (adder.is_scaled()) text += with_types ? ", int element" : ", " + element;
    if (adder.times_scales)
      for (const char* side : {"scales_a", "scales_b"})
        text += ", " + (with_types ? w_.numbers(plan_.scales) + " " : "") + side;
    for (const int scale : adder.scales) text += ", " + (with_types ? numbers_of(scale) : name_of(scale));
    if (adder.draws() > 0) text += with_types ? ", " + random_type() + " random, int draw" : ", random, " + draw;
    return text;
  }

  std::string random_type() const {
    const CaseOperand& random = more(plan_.random.operand);
    return w_.vector(random.count * random.format.stored_bits);
  }
  std::string word_of(const std::string& which) const {
    const std::string bits = n_text(more(plan_.random.operand).format.stored_bits);
    return "32'(random[" + bits + " * (" + which + ") +: " + bits + "])";
  }

  std::string add(const std::string& name, const AdderPlan& adder, int values, int items, const std::string& item,
                  const std::string& input) const {
    const std::string width = n_text(adder.sum.sum_width);
    std::string aligned;
    for (std::size_t i = 0; i < adder.inputs.size(); ++i)
      aligned += "      if (!none && " + input + " == " + n_text(static_cast<int>(i)) + ") addend = align_" + name +
                 "_" + n_text(static_cast<int>(i)) + "(n, window);\n";
    const std::string align_bits = n_text(adder.sum.align_width);
    const std::string kept =
        has_places_ ? "      aligned[" + align_bits + " * i +: " + align_bits + "] = addend[1 +: " + align_bits + "];\n"
                    : "";
    const std::string lost_at = adder.window.lost_at ? " || window <= " + n_text(*adder.window.lost_at) : std::string();
    std::string body =
        fill(R"(    @num@ n;
    @items@ item;
    @special@ found;
    int largest, window;
    bit none, lost, only_zeros, any_negative, any_positive;
    @addend@ addend;
    @sum@ sum;
    found = @no_special@;
    only_zeros = 1'b1;
    any_negative = 1'b0;
    any_positive = 1'b0;
    for (int i = 0; i < @count@; i = i + 1) begin
      n = @item@;
      @into_item@ = n;
      found = special(found, n);
@signs@    end
    largest = largest_@name@(item, which);
    window = window_@name@(largest);
    none = largest == NoExponent@lost_at@;
    lost = 1'b0;
    sum = @width@'h0;
    for (int i = 0; i < @count@; i = i + 1) begin
      n = @into_item@;
      addend = @wider@'h0;
@aligned@@kept@      sum = sum + addend[@width@:1];
      lost = lost || addend[0];
    end
    n = reduce_@name@(sum, window, lost);
    if (@exponentless@) n[@exponent@ +: 32] = NoExponent;
@zero@@raised@    if (is_decided(found)) n = decision(found);
)",
             {{"num", num()},
              {"items", w_.numbers(items)},
              {"special", special_type()},
              {"no_special", no_special()},
              {"addend", w_.vector(adder.sum.sum_width + 1)},
              {"sum", w_.vector(adder.sum.sum_width)},
              {"count", n_text(items)},
              {"item", item},
              {"into_item", w_.element("item", "i")},
              {"signs", signs(adder)},
              {"name", name},
              {"lost_at", lost_at},
              {"width", width},
              {"wider", n_text(adder.sum.sum_width + 1)},
              {"aligned", aligned},
              {"kept", kept},
              {"exponentless", adder.cancelled == Cancelled::none ? "none || magnitude_of(n) == 0" : "none"},
              {"raised", raised_by_items()},
              {"exponent", n_text(w_.magnitude_bits + 32)},
              {"zero", zero_sign(adder)}});
    int draw = 0, left = numbers_left(adder);
    const auto keep = [&] {
      return has_places_ && --left > 0 ? assign(w_.element("left", n_text(left)), "n") : std::string();
    };
    if (adder.is_scaled()) body += scaled("n", adder.times_scales, adder.scales, "element") + keep();
    for (std::size_t i = 0; i < adder.results.size(); ++i) {
      const bool by_chance = is_stochastic(adder.results[i].words.cut);
      body += assign(
          "n", round_name(name, adder, i) + "(n" + (by_chance ? ", " + word_of("draw + " + n_text(draw++)) : "") + ")");
      body += keep();
    }
    const std::string says = "  // Adder " + adder.name + ": " + n_text(items) + " items to one number",
                      parameters = w_.numbers(values) + " value, int which" + gets(adder, true);
    if (!has_places_)
      return function(says + ".\n", num(), "add_" + name, parameters, body + assign("add_" + name, "n"));
    const int bits = seen_bits(adder, items);
    const std::string lost_bit = adder.has_sticky() ? ", lost" : "";
    body += assign("left[0 +: " + n_text(w_.number_bits()) + "]", "n") +
            assign("sum_" + name,
                   "{sum" + lost_bit + ", aligned, " + sized_to(adder.sum.window_exponent_bits, "window") + ", left}");
    return function(says + ", above it what stands at its places.\n", w_.vector(bits), "sum_" + name, parameters,
                    "    " + w_.vector(items * adder.sum.align_width) + " aligned;\n    " +
                        w_.numbers(numbers_left(adder)) + " left;\n" + body) +
           function(says + ".\n", num(), "add_" + name, parameters,
                    "    " + w_.vector(bits) + " seen;\n    seen = sum_" + name + "(value, which" +
                        gets(adder, false, "element", "draw") + ");\n" +
                        assign("add_" + name, "seen[0 +: " + n_text(w_.number_bits()) + "]"));
  }

  // What is kept of a sum's numbers: after its scales and after each result, the last one lowest; of one with neither
  // that which it leaves.
  static int numbers_left(const AdderPlan& adder) {
    return std::max(1, (adder.is_scaled() ? 1 : 0) + static_cast<int>(adder.results.size()));
  }
  // Of a sum's places up to reduce.
  static int fixed_bits(const AdderPlan& adder, int items) {
    return adder.sum.window_exponent_bits + items * adder.sum.align_width + adder.sum.sum_width +
           (adder.has_sticky() ? 1 : 0);
  }
  int seen_bits(const AdderPlan& adder, int items) const {
    return numbers_left(adder) * w_.number_bits() + fixed_bits(adder, items);
  }

  static std::string sized_to(int bits, const std::string& value) { return n_text(bits) + "'(" + value + ")"; }

  std::string no_special() const { return (has_flags() ? "{7'b0" : "{3'b0") + std::string(", a_zero(1'b0)}"); }

  // Beside what addends lost: what items raised, and a window that leaves nothing of them.
  std::string raised_by_items() const {
    if (!has_flags()) return "";
    const std::string found = "found[" + n_text(w_.number_bits() + 3) + " +: 4]";
    return "    n = raising(n, " + found + " | {none && !only_zeros, 3'b0});\n";
  }

  std::string signs(const AdderPlan& adder) const {
    if (adder.zero != ZeroSign::ieee && !has_flags()) return "";
    const std::string there = w_.carried.absent ? "!is_absent(n) && " : "";
    return "      if (" + there + "!is_zero(n)) only_zeros = 1'b0;\n      if (" + there +
           "negative_of(n)) any_negative = 1'b1;\n      if (" + there + "!negative_of(n)) any_positive = 1'b1;\n";
  }

  // Of a sum that is zero.
  std::string zero_sign(const AdderPlan& adder) const {
    if (adder.zero != ZeroSign::ieee) return "";
    const std::string mixed = adder.rounds_down() ? "any_negative || any_positive" : "1'b0";
    return "    if (magnitude_of(n) == 0)\n      n[" + n_text(w_.magnitude_bits + 64) +
           "] = (only_zeros && any_negative != any_positive) ? any_negative : " + mixed + ";\n";
  }

  // --- a step ---

  std::string products_type() const { return w_.numbers(plan_.products()); }

  // What the adders of a block are given, each once.
  std::string block_gets(const std::vector<AdderPlan>& adders, bool with_types) const {
    std::string text;
    const auto any = [&](auto is) { return std::any_of(adders.begin(), adders.end(), is); };
    if (any([](const AdderPlan& a) { return a.times_scales; }))
      for (const char* side : {"scales_a", "scales_b"})
        text += ", " + (with_types ? w_.numbers(plan_.scales) + " " : "") + side;
    for (std::size_t i = 0; i < plan_.more.size(); ++i) {
      const auto operand = static_cast<int>(i);
      if (any([&](const AdderPlan& a) { return std::count(a.scales.begin(), a.scales.end(), operand) != 0; }))
        text += ", " + (with_types ? numbers_of(operand) : name_of(operand));
    }
    if (any([](const AdderPlan& a) { return a.draws() > 0; }))
      text += with_types ? ", " + random_type() + " random" : ", random";
    return text;
  }
  std::string step_gets(bool with_types) const {
    std::string text;
    for (const char* side : {"of_a", "of_b"}) {
      if (plan_.take) text += ", " + (with_types ? w_.numbers(plan_.k) + " " : "") + side;
    }
    return text + block_gets(plan_.adders, with_types);
  }

  IndexTable order() const {
    IndexTable table;
    for (int instance = 0; instance < instances(); ++instance)
      table.rows.emplace_back(plan_.order_of(instance), plan_.order_of(instance) + plan_.step_terms);
    return table;
  }

  // What each sum of a block leaves behind its items; where places are looked at, what stands at those of the sum, too.
  std::string sums(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const std::string& prefix,
                   const std::string& first_draw, const std::string& term, std::optional<Region> seen) const {
    std::string text;
    for (std::size_t i = 0; i < adders.size(); ++i) {
      int which = 0;
      for (std::size_t sum = 0; sum < block.sums.size(); ++sum) {
        const SumNode& node = block.sums[sum];
        if (node.adder != static_cast<int>(i)) continue;
        const std::string name = prefix + adders[i].name, left = w_.element("value", n_text(block.left_by(sum))),
                          given = "(value, " + n_text(which++) +
                                  gets(adders[i], false, element_text(node, term),
                                       first_draw + " + " + n_text(node.draws_from)) +
                                  ")";
        if (!seen)
          text += assign(left, "add_" + name + given);
        else
          text += assign("of_" + name, "sum_" + name + given) + assign(left, w_.element("of_" + name, "0")) +
                  sum_seen(node, adders[i], "of_" + name, plan_.places.first(*seen));
      }
    }
    return text;
  }

  // Whose blocks' scales multiply a sum. `term`: that of a step, with @i@ for its index; empty: there is none.
  std::string element_text(const SumNode& node, const std::string& term) const {
    return term.empty() ? "0" : block_of(replaced(term, "@i@", n_text(std::max(0, node.scaled_by))), plan_.pieces);
  }

  std::string each_term(const std::string& statements) const {
    return "    for (int i = 0; i < " + n_text(plan_.step_terms) + "; i = i + 1) begin\n" + statements + "    end\n";
  }

  std::string step_parameters() const {
    return "int step, " + products_type() + " product, " + num() + " acc" + step_gets(true);
  }
  std::string product_at(const std::string& term) const { return "      n = " + w_.element("product", term) + ";\n"; }

  std::string step() const {
    std::string text;
    const std::string term = lookup(order(), "term", "step", "i", text);
    const std::string constant = lookup_again(term);
    const std::string product = product_at(term);
    const std::string parameters = step_parameters();
    if (steps_decide())
      text += function("  // Stage special of a step.\n", special_type(), "found_in_step", parameters,
                       "    " + num() + " n;\n    " + special_type() +
                           " found;\n    bit open;\n    found = " + no_special() + ";\n    open = 1'b0;\n" +
                           step_special(product, term) + assign("found_in_step", "found"));
    return text + acc_as_read() +
           function("  // Step number `step`, counting those of all lanes: what acc becomes.\n", num(), "one_step",
                    parameters, step_way(product, constant, false) + assign("one_step", "n"));
  }

  // Terms as adders see them, acc, what each sum leaves, and what acc becomes. `seen`: also what stands at places.
  std::string step_way(const std::string& product, const std::string& constant, bool seen) const {
    const CircuitBlock& block = plan_.circuit.step;
    std::string locals = "    " + num() + " n;\n    " + w_.numbers(block.values()) + " value;\n";
    if (steps_decide()) locals += "    " + num() + " special_left;\n    " + special_type() + " found;\n";
    if (plan_.take) locals += "    bit open;\n    int run;\n";
    if (has_flags() && plan_.take) locals += "    bit [3:0] raised;\n";
    if (seen) locals += "    " + w_.vector(step_places_bits()) + " all;\n" + seen_locals(block, plan_.adders, "");
    std::string body;
    if (steps_decide()) body += assign("found", "found_in_step(step, product, acc" + step_gets(false) + ")");
    if (steps_decide() && seen) body += special_seen();
    body += "    value = " + n_text(block.values() * w_.number_bits()) + "'h0;\n" +
            each_term(product + seen_term() + "      " + w_.element("value", "i") + " = n;\n") +
            assign(w_.element("value", n_text(plan_.step_terms)),
                   steps_decide() ? "(kind_of(acc) == 0) ? acc : a_zero(1'b0)" : "acc") +
            sums(block, plan_.adders, "", step_draws(), constant, seen ? std::optional(Region::step) : std::nullopt) +
            assign("n", w_.element("value", n_text(block.result())));
    if (steps_decide()) body += decided();
    if (plan_.take) body += "    run = -1;\n" + taken(constant);
    return locals + body;
  }

  std::string step_draws() const { return n_text(plan_.random.step) + " + step * " + n_text(plan_.circuit.step.draws); }

  // The term as a text in which @i@ stands for its index.
  static std::string lookup_again(const std::string& term) {
    std::string text;
    for (std::size_t i = 0; i < term.size(); ++i) {
      const auto part = [&](std::size_t at) {
        return at < term.size() && ((term[at] >= 'a' && term[at] <= 'z') || term[at] == '_');
      };
      const bool alone = term[i] == 'i' && (i == 0 || !part(i - 1)) && !part(i + 1);
      text += alone ? std::string("@i@") : std::string(1, term[i]);
    }
    return text;
  }

  std::string reaches() const {
    return "kind_of(n) == 0 && !is_zero(n) && leading(n) >= " + n_text(*plan_.datapath.product.infinity_at);
  }

  // Products too large to stay finite count only where nothing else decides.
  std::string step_special(const std::string& product, const std::string& term) const {
    std::string body = each_term(product + "      found = special(found, n);\n") + "    found = special(found, acc);\n";
    const std::string element = block_of(term, plan_.pieces);
    for (const AdderPlan& adder : plan_.adders) {
      const std::string block = block_of(element, plan_.scale_block);
      if (adder.times_scales)
        body += each_term("      found = special(found, " + w_.element("scales_a", block) +
                          ");\n      found = special(found, " + w_.element("scales_b", block) + ");\n");
      for (const int scale : adder.scales)
        body += each_term("      found = special(found, " + more_at(scale, element) + ");\n");
    }
    if (plan_.datapath.product.infinity_at)
      body +=
          "    open = !is_decided(found);\n" + each_term(product + "      if (open && " + reaches() +
                                                         ") found = special(found, an_infinity(negative_of(n)));\n");
    return body;
  }

  std::string seen_term() const {
    std::string text;
    const std::string infinity =
        has_flags() ? "raising(an_infinity(negative_of(n)), raised_of(n))" : "an_infinity(negative_of(n))";
    if (plan_.datapath.product.infinity_at) text += "      if (" + reaches() + ") n = " + infinity + ";\n";
    return steps_decide() ? text + "      if (kind_of(n) != 0) n = a_zero(1'b0);\n" : text;
  }

  std::string decided() const {
    std::string text = "    special_left = decision(found);\n";
    const AdderPlan& last = plan_.adders.back();
    for (std::size_t i = 0; i < last.results.size(); ++i)
      text += assign("special_left", round_name(last.name, last, i) + "(special_left" +
                                         (is_stochastic(last.results[i].words.cut) ? ", 32'h0" : "") + ")");
    return text + "    if (is_decided(found)) n = special_left;\n";
  }

  // Of the NaNs of a step the first place of a list that holds one; among neighbours signalling ones may go first.
  std::string taken(const std::string& term) const {
    std::string text = "    open = kind_of(n) == 2;\n";
    if (has_flags()) text += "    raised = raised_of(n);\n";
    for (const NanPlace& place : plan_.take->places) {
      const std::string element = block_of(replaced(term, "@i@", n_text(place.index)), plan_.pieces);
      const std::string number = place.of == NanPlace::Of::value ? w_.element("value", n_text(place.index))
                                 : place.of == NanPlace::Of::a   ? w_.element("of_a", element)
                                                                 : w_.element("of_b", element);
      const std::string run = n_text(place.run), bit = n_text(payload_bits);
      const std::string signalling =
          plan_.take->signalling_first ? " || (run == " + run + " && !n[" + bit + "] && is_signalling(" + number + "))"
                                       : "";
      text += "    if (open && kind_of(" + number + ") == 2 && (run < 0" + signalling +
              ")) begin\n      n = " + number + ";\n      run = " + run + ";\n    end\n";
    }
    if (has_flags()) text += "    if (open) n = raising(n, raised);\n";
    return text;
  }

  std::string acc_as_read() const {
    std::string text;
    if (plan_.take && plan_.take->signalling_first)
      text += function("  // The bit above a payload says so.\n", "bit", "is_signalling", num() + " n",
                       assign("is_signalling", "n[" + n_text(payload_bits) + "]"));
    if (!reads_acc()) return text;
    Chain chain("read_acc");
    chain.when("kind_of(n) != 0 || is_zero(n) || leading(n) >= " +
                   n_text(plan_.adders.back().results.back().format.least_exponent()),
               "n");
    const bool keeps = plan_.datapath.subnormals_acc == Subnormals::signed_zero;
    const std::string made = std::string("a_zero(") + (keeps ? "negative_of(n)" : "1'b0") + ")";
    return text + function("  // What a step reads of the one before: a subnormal as a zero.\n", num(), "read_acc",
                           num() + " n", chain.otherwise(has_flags() ? "raising(" + made + ", raised_of(n))" : made));
  }
  bool reads_acc() const { return plan_.datapath.subnormals_acc != Subnormals::keep && plan_.steps > 1; }

  std::string finish_gets(bool with_types) const {
    const std::string lane = with_types ? w_.numbers(plan_.lanes) + " lane, " + num() + " c" : "lane, c";
    return lane + block_gets(plan_.finish, with_types);
  }

  std::string finish() const {
    if (plan_.finish.empty()) return "";
    return function("  // The finish: what lanes left, and c, to one number.\n", num(), "finish", finish_gets(true),
                    finish_way(false) + assign("finish", "n"));
  }

  std::string finish_way(bool seen) const {
    const CircuitBlock& block = plan_.circuit.finish;
    std::string locals = "    " + num() + " n;\n    " + w_.numbers(block.values()) + " value;\n";
    if (seen)
      locals += "    " + w_.vector(finish_places_bits()) + " all;\n" + seen_locals(block, plan_.finish, "finish_");
    return locals + "    value = " + n_text(block.values() * w_.number_bits()) + "'h0;\n    value[" +
           n_text(plan_.lanes * w_.number_bits() - 1) + ":0] = lane;\n" +
           assign(w_.element("value", n_text(plan_.lanes)), "c") +
           sums(block, plan_.finish, "finish_", n_text(plan_.random.finish), "",
                seen ? std::optional(Region::finish) : std::nullopt) +
           assign("n", w_.element("value", n_text(block.result())));
  }

  // --- encode ---

  std::string encode() const {
    const Format& d = plan_.d;
    const int bits = d.stored_bits;
    Chain chain("encode");
    encode_nan(chain);
    if (d.has_infinity)
      chain.when("kind_of(n) == 1", "negative_of(n) ? " + code_text(bits, d.stored(d.negative_infinity())) + " : " +
                                        code_text(bits, d.stored(d.infinity())));
    const std::string type = w_.vector(bits), m = n_text(bits) + "'(magnitude_of(n))";
    if (d.is_list()) return encode_function(chain.otherwise_block(code_in_list()));
    const std::string local =
        d.is_integer() ? "" : "    int biased;\n    biased = exponent_of(n) + " + operand(d.bias) + ";\n";
    std::string body = local + "    sign = negative_of(n) ? " + code_text(bits, d.stored(d.sign_bit())) + " : " +
                       code_text(bits, 0) + ";\n    field = " + code_text(bits, 0) + ";\n";
    if (d.is_integer()) {
      body += chain.otherwise(d.sign_magnitude ? "sign | " + m : "negative_of(n) ? -(" + m + ") : " + m);
    } else {
      body += "    if (magnitude_of(n) >= " + w_.literal(u128{1} << d.mantissa_bits) + ") field = " + n_text(bits) +
              "'(biased);\n";
      const int low = d.ignored_low_bits;
      chain.when("is_zero(n)", d.has_signed_zero ? "sign" : code_text(bits, 0));
      body += chain.otherwise("sign | (field << " + n_text(d.mantissa_bits + low) + ") | ((" + m + " & " +
                              code_text(bits, (Code{1} << d.mantissa_bits) - 1) + ") << " + n_text(low) + ")");
    }
    return encode_function("    " + type + " sign, field;\n" + body);
  }

  std::string encode_function(const std::string& body) const {
    const Format& d = plan_.d;
    return function("  // Stage encode: a number that d holds as its code, " + d.name + ", " + n_text(d.stored_bits) +
                        " bits.\n  //\n" + replaced(format_drawing(d), "//", "  //"),
                    w_.vector(d.stored_bits), "encode", num() + " n", body);
  }

  // Each value of the list has its least code.
  std::string code_in_list() const {
    const Format& d = plan_.d;
    const ValueTable& t = d.values();
    const auto code = [&](Code c) { return code_text(d.stored_bits, c); };
    std::string rows;
    for (const ListedValue& v : t.ascending) {
      const Number& n = v.number;
      const bool turns = n.is_zero() && t.negative_zero;
      rows += "        {1'b" + std::string(n.negative ? "1" : "0") + ", " +
              (n.is_zero() ? "32'h0" : hex_32(n.exponent)) + ", " + w_.literal(n.magnitude) +
              "}: encode = " + (turns ? "negative_of(n) ? " + code(*t.negative_zero) + " : " : "") + code(v.code) +
              ";\n";
    }
    return fill(R"(      case (is_zero(n) ? @none@'h0 : {negative_of(n), exponent_of(n), magnitude_of(n)})
@rows@        default: encode = @last@;
      endcase
)",
                {{"none", n_text(33 + w_.magnitude_bits)}, {"rows", rows}, {"last", code(t.ascending.back().code)}});
  }

  static std::string hex_32(int value) { return "32'h" + c_hex_digits(static_cast<std::uint32_t>(value)); }

  void encode_nan(Chain& chain) const {
    const Format& d = plan_.d;
    const Nan& nan = plan_.nan;
    const int bits = d.stored_bits;
    if (!nan.propagate && !nan.with_sign) return chain.when("kind_of(n) == 2", code_text(bits, nan.code));
    if (nan.has_order()) chain.when("kind_of(n) == 2 && magnitude_of(n) == 0", code_text(bits, nan.code));
    const std::string quiet = code_text(bits, d.stored(d.quiet_nan()));
    switch (said_by_nan(nan, d)) {
      case NanSays::nothing: return chain.when("kind_of(n) == 2", quiet);
      case NanSays::sign: return chain.when("kind_of(n) == 2", "sign | " + quiet);
      case NanSays::sign_and_payload: break;
    }
    const std::string payload =
        n_text(bits) + "'(n[" + n_text(payload_bits - d.mantissa_bits) + " +: " + n_text(d.mantissa_bits) + "])";
    chain.when("kind_of(n) == 2", "sign | " + quiet + " | (" + payload + " << " + n_text(d.ignored_low_bits) + ")");
  }

  // --- the whole ---

  // With `seen` also what stands at each place on the way: lines of the function `places`.
  std::string list(const std::string& into, const std::string& from, const std::string& by, const Format& f, int count,
                   const std::string& seen) const {
    const std::string each = "      " + w_.element(into, "i") + " = decode_" + by + "(" + from + "[" +
                             n_text(f.stored_bits) + " * i +: " + n_text(f.stored_bits) + "]);\n";
    return "    for (int i = 0; i < " + n_text(count) + "; i = i + 1) begin\n" + each + seen + "    end\n";
  }

  // How operands are handed over: with their types, or by name alone.
  std::string operands(bool with_types) const {
    std::vector<std::string> all;
    const auto add = [&](const std::string& name, int bits) {
      all.push_back(with_types ? w_.vector(bits) + " " + name : name);
    };
    add("a", plan_.k * plan_.a.stored_bits), add("b", plan_.k * plan_.b.stored_bits), add("c", plan_.c.stored_bits);
    for (const char* side : {"scale_a", "scale_b"}) {
      if (plan_.scale) add(side, plan_.scales * plan_.scale->stored_bits);
    }
    for (const CaseOperand& m : plan_.more) add("operand_" + m.name, m.count * m.format.stored_bits);
    return joined(all);
  }

  // From operands to lanes. `seen`: also what stands at places.
  std::string way(bool seen) const {
    std::string locals = "    " + num() + " n, x, y, start, acc;\n    " + products_type() + " product;\n    " +
                         w_.numbers(plan_.lanes) + " lane;\n";
    std::string body;
    for (const std::string side : {"a", "b"}) {
      if (!plan_.scale) continue;
      const Region region = side == "a" ? Region::decode_scale_a : Region::decode_scale_b;
      locals += "    " + w_.numbers(plan_.scales) + " scales_" + side + ";\n";
      body += list("scales_" + side, "scale_" + side, "scale", *plan_.scale, plan_.scales,
                   seen ? see(plan_.places.first(region), "i", w_.element("scales_" + side, "i")) : "");
    }
    for (std::size_t i = 0; i < plan_.more.size(); ++i) {
      const CaseOperand& m = plan_.more[i];
      const std::string operand = "operand_" + m.name;
      const bool is_random = static_cast<int>(i) == plan_.random.operand;
      if (is_random) {
        locals += "    " + random_type() + " random;\n";
        body += assign("random", operand);
        if (!seen) continue;
      }
      locals += "    " + numbers_of(static_cast<int>(i)) + ";\n";
      body += list(name_of(static_cast<int>(i)), operand, operand, m.format, m.count,
                   seen ? see(plan_.places.first(Region::decode_more, m.first), "i",
                              w_.element(name_of(static_cast<int>(i)), "i"))
                        : "");
    }
    if (plan_.take) locals += "    " + w_.numbers(plan_.k) + " of_a, of_b;\n";
    if (seen) {
      const int bits = step_places_bits() + w_.number_bits();
      locals += "    " + w_.vector(bits) + " seen;\n    places = " + n_text(places_bits()) + "'h0;\n";
    }
    return locals + body + decoded_products(seen) + start(seen) + steps(seen);
  }

  std::string dot() const {
    const std::string parameters = operands(true), code = w_.vector(plan_.d.stored_bits),
                      whole = "  // The whole dot product.\n";
    if (!has_flags())
      return function(whole, code, "dot", parameters, way(false) + assign("dot", "encode(" + result() + ")"));
    const std::string n = "dot_number(" + operands(false) + ")";
    return function("  // The whole dot product as a number.\n", num(), "dot_number", parameters,
                    way(false) + assign("dot_number", result())) +
           function(whole, code, "dot", parameters, assign("dot", "encode(" + n + ")")) +
           function("  // Its flags: inexact, underflow, overflow, and invalid lowest.\n", "bit [3:0]", "flags",
                    parameters, "    " + num() + " n;\n    n = " + n + ";\n" + assign("flags", "flags_of(n)"));
  }

  std::string flags_of_number() const {
    if (!has_flags()) return "";
    const std::string nan = plan_.datapath.flags->invalid == Invalid::nan ? " | {3'b0, kind_of(n) == 2}" : "";
    return function("  // The flags of a result.\n", "bit [3:0]", "flags_of", num() + " n",
                    assign("flags_of", "raised_of(n)" + nan));
  }

  std::string decoded_products(bool seen) const {
    const auto code = [](const std::string& from, const Format& f) {
      return from + "[" + n_text(f.stored_bits) + " * i +: " + n_text(f.stored_bits) + "]";
    };
    const auto look = [&](Region region, const std::string& index, const char* n) {
      return seen ? see(plan_.places.first(region), index, n) : std::string();
    };
    std::string body =
        "      x = decode_a(" + code("a", plan_.a) + ");\n      y = decode_b(" + code("b", plan_.b) + ");\n";
    body += look(Region::decode_a, "i", "x") + look(Region::decode_b, "i", "y");
    const std::string off = plan_.mask < 0 ? "" : "      if (is_zero(" + more_at(plan_.mask, "i") + ")) ";
    if (plan_.take) {
      for (const auto& [to, from] : {std::pair("of_a", "x"), std::pair("of_b", "y")}) {
        body += "      " + w_.element(to, "i") + " = " + from + ";\n";
        if (!off.empty()) body += off + w_.element(to, "i") + " = a_zero(1'b0);\n";
      }
    }
    body += factor_call("a", "x", plan_.factor_a, plan_.random.factor_a);
    if (plan_.factor_a.works()) body += look(Region::factor_a, "i", "x");
    body += factor_call("b", "y", plan_.factor_b, plan_.random.factor_b);
    if (plan_.factor_b.works()) body += look(Region::factor_b, "i", "y");
    if (!off.empty()) body += off + "x = a_zero(1'b0);\n" + off + "y = a_zero(1'b0);\n";
    for (int piece = 0; piece < plan_.pieces; ++piece) {
      const std::string index = plan_.pieces == 1 ? "i" : n_text(plan_.pieces) + " * i + " + n_text(piece);
      body += "      n = " + product_of(piece) + ";\n";
      for (const ProductNode& node : plan_.circuit.products) {
        if (node.work == ProductWork::scale)
          body += replaced(scaled("n", plan_.datapath.product.times_scales, plan_.product_scales, "i"),
                           "    n = ", "      n = ");
        if (node.work == ProductWork::round) body += rounded(index);
        if (node.region) body += look(*node.region, index, "n");
      }
      body += "      " + w_.element("product", index) + " = n;\n";
    }
    return "    for (int i = 0; i < " + n_text(plan_.k) + "; i = i + 1) begin\n" + body + "    end\n";
  }

  std::string product_of(int piece) const {
    if (!plan_.in_pieces()) return "multiply(x, y)";
    return std::string(plan_.rows ? "multiply_rows" : "multiply_slices") + "(x, y, " + n_text(piece) + ")";
  }

  std::string factor_call(const std::string& name, const std::string& n, const FactorPlan& factor,
                          int first_draw) const {
    if (!factor.works()) return "";
    std::string arguments = n;
    if (factor.zero_points >= 0 || !factor.scales.empty()) arguments += ", i";
    if (factor.zero_points >= 0) arguments += ", " + name_of(factor.zero_points);
    for (const int scale : factor.scales) arguments += ", " + name_of(scale);
    if (factor.round && is_stochastic(factor.round->words.cut))
      arguments += ", " + word_of(n_text(first_draw) + " + i");
    return "      " + n + " = factor_" + name + "(" + arguments + ");\n";
  }

  std::string rounded(const std::string& index) const {
    std::string text;
    if (plan_.datapath.product.exponent == ProductExponent::normalised)
      text +=
          "      if (kind_of(n) == 0 && !is_zero(n)) n[" + n_text(w_.magnitude_bits + 32) + " +: 32] = leading(n);\n";
    if (!plan_.product_round) return text;
    const bool by_chance = is_stochastic(plan_.product_round->words.cut);
    return text + "      n = round_product(n" +
           (by_chance ? ", " + word_of(n_text(plan_.random.product) + " + " + index) : "") + ");\n";
  }

  std::string start(bool seen) const {
    std::string text = assign("start", "decode_c(c)");
    if (seen) text += replaced(see(plan_.places.first(Region::decode_c), "0", "start"), "      places", "    places");
    if (!plan_.widen_c) return text;
    const std::string exponent = "larger(leading(start), " + n_text(plan_.d.least_exponent()) + ")";
    const std::string by = "quantum_of(start) - (" + exponent + " - " + n_text(plan_.d.mantissa_bits) + ")";
    return text +
           "    if (kind_of(start) == 0 && !is_zero(start))  // as d's format carries it\n      start = "
           "a_number(negative_of(start),\n"
           "          (" +
           by + " >= 0) ? magnitude_of(start) << (" + by + ") : magnitude_of(start) >> -(" + by + "),\n          " +
           exponent + ", " + exponent + " - " + n_text(plan_.d.mantissa_bits) + ");\n";
  }

  std::string steps(bool seen) const {
    const std::string acc = plan_.datapath.start == Start::c      ? "start"
                            : plan_.datapath.start == Start::zero ? "a_zero(1'b0)"
                                                                  : "nothing(1'b0)";
    const std::string steps = n_text(plan_.steps),
                      given = "(" + steps + " * i + j, product, acc" + step_gets(false) + ");\n";
    const std::string bits = n_text(step_places_bits()), left = n_text(w_.number_bits());
    const std::string next = seen ? "        seen = step_places" + given + "        places[" +
                                        n_text(first_bit(plan_.places.first(Region::step))) + " + " + bits + " * (" +
                                        steps + " * i + j) +: " + bits + "] = seen[" + left + " +: " + bits +
                                        "];\n        acc = seen[0 +: " + left + "];\n"
                                  : "        acc = one_step" + given;
    return "    for (int i = 0; i < " + n_text(plan_.lanes) + "; i = i + 1) begin\n      acc = " + acc +
           ";\n      for (int j = 0; j < " + steps + "; j = j + 1) begin\n" +
           (reads_acc() ? "        if (j > 0) acc = read_acc(acc);\n" : "") + next + "      end\n      " +
           w_.element("lane", "i") + " = acc;\n    end\n";
  }

  std::string result() const {
    if (plan_.finish.empty()) return w_.element("lane", "0");
    return "finish(lane, start" + block_gets(plan_.finish, false) + ")";
  }

  // --- places ---

  // The first bit of a place in the vector of all.
  int first_bit(int place) const { return place_bits_[at(place)]; }
  int places_bits() const { return place_bits_.back(); }
  int step_places_bits() const {
    const int first = plan_.places.first(Region::step);
    return first_bit(first + plan_.places.instance(Region::step).count()) - first_bit(first);
  }
  int finish_places_bits() const {
    return first_bit(plan_.places.last(Region::finish) + 1) - first_bit(plan_.places.first(Region::finish));
  }

  // "step[0].sum.align[3]" as part of a name: "step_sum_align", where `index` and `step` are given.
  static std::string place_name(const std::string& name) {
    std::string text;
    for (const char c : name) {
      const bool good = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
      if (c == ']') continue;
      text += good ? c : '_';
    }
    return text;
  }

  struct PlaceList {
    std::string name;      // of a function, behind at_
    int first = 0;         // the first of these places
    int count = 1;         // side by side, by the last index
    bool in_step = false;  // in each step
  };

  // Of places that stand side by side the first, and how many.
  std::vector<PlaceList> place_lists() const {
    std::vector<PlaceList> lists;
    const int step = plan_.places.first(Region::step), in_step = plan_.places.instance(Region::step).count();
    std::string before;
    for (int place = 0; place < static_cast<int>(plan_.places.size()); ++place) {
      if (place >= step + in_step && place < step + in_step * instances()) continue;
      std::string name = plan_.places.name(place);
      const bool inside = place >= step && place < step + in_step;
      if (inside) name = "step" + name.substr(name.find("step[0]") + 7);
      const bool is_indexed = name.back() == ']';
      if (is_indexed) name.erase(name.rfind('['));
      name = place_name(name);
      if (is_indexed && name == before) {
        ++lists.back().count;
        continue;
      }
      before = is_indexed ? name : "";
      lists.push_back({name, place, 1, inside});
    }
    return lists;
  }

  // Statements that put a number at place `first` + `index`.
  std::string see(int first, const std::string& index, const std::string& n) const {
    const std::string bits = n_text(plan_.places[at(first)].width);
    const std::string factor = index.find(' ') == std::string::npos ? index : "(" + index + ")";
    const std::string where = n_text(first_bit(first)) + (index == "0" ? "" : " + " + bits + " * " + factor);
    return "      places[" + where + " +: " + bits + "] = " + number_bits(first, n) + ";\n";
  }

  // class | sign | exponent | significand; what does not matter is zero
  std::string number_bits(int place, const std::string& n) const {
    const Place p = plan_.places[at(place)];
    const std::string below =
        p.absolute ? operand(-p.fraction_bits) : "exponent_of(" + n + ") - " + operand(p.fraction_bits);
    const std::string exponent = sized_to(p.exponent_width, "seen_exponent(" + n + ")");
    const std::string significand = sized_to(p.significand_width, "seen_significand(" + n + ", " + below + ")");
    return "{seen_class(" + n + ")" + (p.exponent_width > 0 ? ", " + exponent : "") +
           (p.significand_width > 0 ? ", " + significand : "") + "}";
  }

  std::string places() const {
    if (!has_places_) return "";
    std::string text = fill(R"(
  // --- what stands at each place: `places` is all of it side by side, at_NAME(all, ..) the bits of one ---
  //
  // As a probe of RTL has them: a number as class (0 finite, 1 infinity, 2 NaN), sign, exponent, significand, with
  // zeros where one does not matter; addends and sums in two's complement.
  localparam int PlacesBits = @bits@;

  function automatic bit [2:0] seen_class(@num@ n);
    seen_class = {n[@kind@ +: 2], negative_of(n) && kind_of(n) != 2};
  endfunction
  function automatic int seen_exponent(@num@ n);
    seen_exponent = (kind_of(n) != 0 || exponent_of(n) == NoExponent) ? 0 : exponent_of(n);
  endfunction
  function automatic @mag@ seen_significand(@num@ n, int below);
    seen_significand = (kind_of(n) != 0) ? @zero@ : magnitude_of(n) << (quantum_of(n) - below);
  endfunction
)",
                            {{"bits", n_text(places_bits())},
                             {"num", num()},
                             {"mag", mag()},
                             {"kind", n_text(w_.magnitude_bits + 65)},
                             {"zero", zero()}});
    text += step_places() + finish_places();
    std::string body = way(true);
    if (plan_.finish.empty()) {
      body += assign("n", w_.element("lane", "0"));
    } else {
      const std::string bits = n_text(finish_places_bits()), left = n_text(w_.number_bits());
      body = "    " + w_.vector(finish_places_bits() + w_.number_bits()) + " end_seen;\n" + body +
             assign("end_seen", "finish_places(lane, start" + block_gets(plan_.finish, false) + ")") +
             assign("places[" + n_text(first_bit(plan_.places.first(Region::finish))) + " +: " + bits + "]",
                    "end_seen[" + left + " +: " + bits + "]") +
             assign("n", "end_seen[0 +: " + left + "]");
    }
    body += at_place(plan_.places.first(Region::encode), "encode(n)");
    if (has_flags())
      body += assign("places[" + n_text(first_bit(plan_.places.first(Region::flags))) + " +: 4]", "flags_of(n)");
    return text +
           function("  // All places of a dot product.\n", w_.vector(places_bits()), "places", operands(true), body) +
           each_place();
  }

  std::string at_place(int place, const std::string& value) const {
    return assign("places[" + n_text(first_bit(place)) + " +: " + n_text(plan_.places[at(place)].width) + "]", value);
  }

  std::string step_places() const {
    const int first = plan_.places.first(Region::step), acc = first + plan_.places.instance(Region::step).count() - 1;
    std::string unused;
    const std::string term = lookup(order(), "term", "step", "i", unused);
    return function("  // A step as one_step does it: what acc becomes, above it the places of the step.\n",
                    w_.vector(step_places_bits() + w_.number_bits()), "step_places", step_parameters(),
                    step_way(product_at(term), lookup_again(term), true) +
                        assign(all_at(acc, first, plan_.places[at(acc)].width), number_bits(acc, "n")) +
                        assign("step_places", "{all, n}"));
  }

  std::string special_seen() const {
    const std::string nan = n_text(w_.number_bits() + 2), plus = n_text(w_.number_bits() + 1),
                      minus = n_text(w_.number_bits());
    return assign("all[1:0]", "(found[" + nan + "] || (found[" + plus + "] && found[" + minus + "])) ? 2'd1 : found[" +
                                  plus + "] ? 2'd2 : found[" + minus + "] ? 2'd3 : 2'd0");
  }

  std::string finish_places() const {
    if (plan_.finish.empty()) return "";
    return function("  // The finish and its places, above what it leaves.\n",
                    w_.vector(finish_places_bits() + w_.number_bits()), "finish_places", finish_gets(true),
                    finish_way(true) + assign("finish_places", "{all, n}"));
  }

  // Where a place stands among those of its block, which begin with `first`.
  std::string all_at(int place, int first, int bits) const {
    return "all[" + n_text(first_bit(place) - first_bit(first)) + " +: " + n_text(bits) + "]";
  }

  static int items_of(const CircuitBlock& block, int adder) {
    return static_cast<int>(nodes_of(block, adder).front()->items.size());
  }

  std::string seen_locals(const CircuitBlock& block, const std::vector<AdderPlan>& adders,
                          const std::string& prefix) const {
    std::string text;
    for (std::size_t i = 0; i < adders.size(); ++i)
      text += "    " + w_.vector(seen_bits(adders[i], items_of(block, static_cast<int>(i)))) + " of_" + prefix +
              adders[i].name + ";\n";
    return text;
  }

  // What stands at the places of a sum, which is in `of`. `first`: the place at which those of its block begin.
  std::string sum_seen(const SumNode& node, const AdderPlan& adder, const std::string& of, int first) const {
    const int items = static_cast<int>(node.items.size()), fixed = fixed_bits(adder, items);
    int place = first + node.place;
    std::string text = assign(all_at(place, first, fixed),
                              of + "[" + n_text(numbers_left(adder) * w_.number_bits()) + " +: " + n_text(fixed) + "]");
    place += items + 2;
    for (int left = seen_numbers(adder); left > 0; --left, ++place)
      text += assign("n", w_.element(of, n_text(left - 1))) +
              assign(all_at(place, first, plan_.places[at(place)].width), number_bits(place, "n"));
    return text;
  }
  static int seen_numbers(const AdderPlan& adder) {
    return (adder.is_scaled() ? 1 : 0) + static_cast<int>(adder.results.size());
  }

  std::string each_place() const {
    std::string text;
    for (const PlaceList& list : place_lists()) {
      const std::string bits = n_text(plan_.places[at(list.first)].width);
      std::string where = n_text(first_bit(list.first)), parameters = "bit [PlacesBits - 1:0] all";
      if (list.in_step) parameters += ", int step", where += " + " + n_text(step_places_bits()) + " * step";
      if (list.count > 1) parameters += ", int i", where += " + " + bits + " * i";
      text += "  function automatic " + w_.vector(plan_.places[at(list.first)].width) + " at_" + list.name + "(" +
              parameters + ");\n" + assign("at_" + list.name, "all[" + where + " +: " + bits + "]") + "  endfunction\n";
    }
    return text;
  }

  const Plan& plan_;
  const SourceFacts& facts_;
  SvWords w_;
  std::vector<int> place_bits_;  // where each place begins, and the end of all
  bool has_places_ = false;
};

}  // namespace

bool sv_has_places(const Plan& plan) {
  int bits = 0;
  for (int i = 0; i < static_cast<int>(plan.places.size()) && bits <= most_places_bits; ++i)
    bits += plan.places.spot(i).place->width;
  return bits <= most_places_bits;
}

std::string model_as_sv(const Plan& plan, const SourceFacts& facts) { return PackageText(plan, facts).run(); }

}  // namespace assay
