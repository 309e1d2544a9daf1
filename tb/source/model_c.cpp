#include "tb/source/model_c.hpp"

#include <algorithm>
#include <array>
#include <sstream>

#include "model/base/text.hpp"
#include "tb/source/c_formats.hpp"
#include "tb/source/c_round.hpp"
#include "tb/source/c_rows.hpp"
#include "tb/source/c_sums.hpp"
#include "tb/source/fill.hpp"
#include "tb/source/known_words.hpp"
#include "tb/source/widths.hpp"

namespace assay {
namespace {

int register_words(const Plan& plan) {
  int words = 0;
  each_adder(plan, [&](const AdderPlan& adder) {
    if (adder.sum.arithmetic != Arithmetic::native) words = std::max(words, (adder.sum.sum_width + 1 + 63) / 64);
  });
  return words;
}

// --- the file ---

class ModelText {
 public:
  ModelText(const Plan& plan, const SourceFacts& facts, const CWords& words)
      : plan_(plan), facts_(facts), w_(words), sums_(plan, w_) {}

  std::string run() {
    for (std::size_t i = 0; i < plan_.adders.size(); ++i)
      step_.push_back(sums_.adder(plan_.circuit.step, plan_.adders, i, ""));
    for (std::size_t i = 0; i < plan_.finish.size(); ++i)
      finish_.push_back(sums_.adder(plan_.circuit.finish, plan_.finish, i, "finish_"));
    std::string body =
        decodes() + factors() + products() + sums_text() + places() + step() + finish() + c_encode(plan_, w_) + dot();
    if (facts_.whole) body += c_whole(plan_, *facts_.whole);
    const std::string helpers = needed_helpers(c_helpers(w_, register_words(plan_)), body);
    const std::string text = header() + numbers() + without_gaps(helpers) + body + footer();
    return replaced(replaced(text, "\nFN ", "\nASSAY_FN "), "\n//\n//   ", "\n//   ");
  }

 private:
  // Functions of one line stand one below the other.
  static std::string without_gaps(const std::string& helpers) {
    std::string text, before;
    std::istringstream lines(helpers);
    for (std::string line; std::getline(lines, line);) {
      const bool is_gap = line.empty() && before.rfind("FN ", 0) == 0 && before.back() == '}';
      if (!is_gap) text += line + "\n";
      before = line;
    }
    return text;
  }

  bool steps_decide() const { return plan_.datapath.specials == Specials::step; }
  static std::size_t at(int index) { return static_cast<std::size_t>(index); }
  int instances() const { return plan_.lanes * plan_.steps; }
  bool takes_nans() const { return plan_.take.has_value(); }
  bool takes(NanPlace::Of of) const {
    return takes_nans() && std::any_of(plan_.take->places.begin(), plan_.take->places.end(),
                                       [&](const NanPlace& place) { return place.of == of; });
  }

  // --- beginning and end ---

  bool is_given() const { return w_.bits > 0; }

  // Magnitudes and sums are of the width that they need, in a type of the user's own.
  static constexpr const char* given = R"(
// An unsigned integer of N bits, named before this file is included: ac_int<N, false>, ap_uint<N>, sc_dt::sc_biguint<N>.
#ifndef ASSAY_BITS
#error "Say what an unsigned integer of N bits is, as in: #define ASSAY_BITS(N) ap_uint<N>"
#endif
)";

  std::string header() const {
    const std::string terms = "a[i] x b[i], i = 0 to " + n_text(plan_.k - 1);
    return fill(R"(// @name@: d = c + the sum of @terms@, to the last bit.
// @unit@: a @a@, b @b@, c @c@, d @d@.
// Written by @tool@, export --to @to@: to change it, change the datapath and export it again.
// Datapath SHA-256 @digest@
// @language@. Nothing is allocated, every loop has a constant bound, every shift distance is held within its word.
// Stages pass numbers on as number_t. dot, at the end, is the whole; in places, unless null, it leaves what they passed.
#ifndef ASSAY_@upper@_H
#define ASSAY_@upper@_H
#include <stdbool.h>
#include <stdint.h>
#if !defined ASSAY_FN && (defined __CUDACC__ || defined __HIPCC__)
#define ASSAY_FN static __host__ __device__ inline
#elif !defined ASSAY_FN
#define ASSAY_FN static inline  // before every function
#endif
@given@#ifdef __cplusplus
namespace @name@ {
#endif
)",
                {{"name", facts_.name},
                 {"upper", upper(facts_.name)},
                 {"to", is_given() ? "cpp" : "c"},
                 {"language", is_given() ? "C++11" : "C99 and C++11"},
                 {"given", is_given() ? given : ""},
                 {"terms", terms},
                 {"unit", facts_.unit},
                 {"a", plan_.a.name},
                 {"b", plan_.b.name},
                 {"c", plan_.c.name},
                 {"d", plan_.d.name},
                 {"tool", facts_.tool},
                 {"digest", facts_.digest}});
  }

  std::string footer() const {
    return fill("\n#ifdef __cplusplus\n}  // namespace @name@\n#endif\n#endif  // ASSAY_@upper@_H\n",
                {{"name", facts_.name}, {"upper", upper(facts_.name)}});
  }

  std::string numbers() const {
    const std::string type = is_given() ? "typedef ASSAY_BITS(" + n_text(w_.bits) + ") magnitude_t;\n"
                             : w_.wide
                                 ? "typedef struct {\n  uint64_t low, high;\n} magnitude_t;  // @bits@ bits at most\n"
                                 : "typedef uint64_t magnitude_t;  // @bits@ bits at most\n";
    const std::string carried =
        std::string(w_.carried.absent ? "  bool absent;  // a zero that stands for nothing at all\n" : "") +
        (w_.carried.lost ? "  bool lost;  // ones were cut off below, which the next rounding looks at\n" : "") +
        (w_.carried.raised ? "  uint32_t raised;  // on the way, a bit each: raises_invalid and others\n" : "");
    return fill(R"(@type@typedef enum { kind_finite, kind_infinity, kind_nan } kind_t;

// (-1)^negative x magnitude x 2^quantum, if it is finite@payload@.
//
//   magnitude   1 . m m m m          exponent is what hardware carries beside the significand: of an operand its
//                 ^       ^          encoded one, of a product the sum of two, of a sum that of its window
//          2^exponent   2^quantum
typedef struct {
  kind_t kind; bool negative;
@carried@  int32_t exponent, quantum; magnitude_t magnitude;
} number_t;

// The exponent of a zero operand or product, which takes no part in finding the largest one.
static const int32_t no_exponent = INT32_MIN;
)",
                {{"type", fill(type, {{"bits", n_text(widest_magnitude(plan_))}})},
                 {"payload", keeps_payloads(plan_) ? "; of a NaN the magnitude is its payload" : ""},
                 {"carried", carried}});
  }

  // --- operands and products ---

  std::string decodes() const {
    const Datapath& words = plan_.datapath;
    std::string text;
    std::vector<std::array<std::string, 2>> bodies;
    const auto decode = [&](const std::string& name, const Format& format, const ReadAs& as) {
      text += c_decode(plan_, w_, name, format, as, bodies);
    };
    decode("a", plan_.a, {words.subnormals_a, words.nans_a});
    decode("b", plan_.b, {words.subnormals_b, words.nans_b});
    decode("c", plan_.c, {words.subnormals_c, words.nans_c});
    if (plan_.scale) decode("scale", *plan_.scale, {});
    for (const CaseOperand& more : plan_.more) decode("operand_" + more.name, more.format, {});
    return text;
  }

  std::string factors() const { return factor("a", plan_.factor_a) + factor("b", plan_.factor_b); }

  std::string factor(const std::string& name, const FactorPlan& factor) const {
    if (!factor.works()) return "";
    std::string text, body;
    if (factor.zero_point) body += "  n = minus_zero_point(n, " + w_.number(*factor.zero_point) + ");\n";
    if (factor.zero_points >= 0)
      body += "  n = minus_zero_point(n, " + c_numbers(plan_, factor.zero_points) + "[" +
              c_block("element", plan_.more[at(factor.zero_points)].block) + "]);\n";
    if (body.find("minus_zero_point") != std::string::npos && name == "a") text += zero_point_function();
    if (body.find("minus_zero_point") != std::string::npos && name == "b" && !has_zero_points(plan_.factor_a))
      text += zero_point_function();
    body += sums_.scaled(false, factor.scales, "n", "element");
    if (factor.round) {
      text += c_round(w_, {"round_factor_" + name, "factors." + name}, *factor.round);
      body += "  n = round_factor_" + name + "(n" + (is_stochastic(factor.round->words.cut) ? ", random" : "") + ");\n";
    }
    if (factor.step != 1) body += step_down(factor);
    if (factor.empty)
      body += "  if (is_zero(n) && n.exponent == no_exponent) n.exponent = " + n_text(*factor.empty) + ";\n";
    return text + fill(
                      "\n// What becomes of an element of @name@ before it is multiplied.\n"
                      "FN number_t factor_@name@(number_t n@parameters@) {\n@body@  return n;\n}\n",
                      {{"name", name}, {"parameters", factor_parameters(factor)}, {"body", body}});
  }

  static std::string step_down(const FactorPlan& factor) {
    const std::string step = n_text(factor.step);
    const std::string counted =
        factor.step_from == 0 ? "n.exponent" : "(n.exponent - " + c_text(factor.step_from) + ")";
    return "  if (n.kind == kind_finite && n.exponent != no_exponent)\n    n.exponent -= (" + counted + " % " + step +
           " + " + step + ") % " + step + ";\n";
  }

  static bool has_zero_points(const FactorPlan& factor) { return factor.zero_point || factor.zero_points >= 0; }

  std::string zero_point_function() const {
    return fill(R"(
// q - z, exactly, of integers.
FN number_t minus_zero_point(number_t q, number_t z) {
  if (q.negative != z.negative) {
    const magnitude_t sum = @sum@;
    return @sum_zero@ ? a_zero(false) : a_number(q.negative, sum, 0, 0);
  }
  const bool turned = @turned@;
  const magnitude_t difference = turned ? @z_minus_q@ : @q_minus_z@;
  return @difference_zero@ ? a_zero(false) : a_number(q.negative != turned, difference, 0, 0);
}
)",
                {{"sum", w_.plus("q.magnitude", "z.magnitude")},
                 {"sum_zero", w_.is_zero("sum")},
                 {"turned", w_.above("z.magnitude", "q.magnitude")},
                 {"z_minus_q", difference("z.magnitude", "q.magnitude")},
                 {"q_minus_z", difference("q.magnitude", "z.magnitude")},
                 {"difference_zero", w_.is_zero("difference")}});
  }

  std::string difference(const std::string& x, const std::string& y) const {
    return w_.wide ? "m_plus(" + x + ", m_minus(" + y + "))" : x + " - " + y;
  }

  std::string factor_parameters(const FactorPlan& factor) const {
    std::string text;
    const bool by_element = factor.zero_points >= 0 || !factor.scales.empty();
    if (by_element) text += ", int32_t element";
    if (factor.zero_points >= 0) text += ", const number_t *" + c_numbers(plan_, factor.zero_points);
    for (const int scale : factor.scales) text += ", const number_t *" + c_numbers(plan_, scale);
    if (factor.round && is_stochastic(factor.round->words.cut)) text += ", uint64_t random";
    return text;
  }

  std::string factor_arguments(const FactorPlan& factor, int first_draw) const {
    std::string text;
    if (factor.zero_points >= 0 || !factor.scales.empty()) text += ", i";
    if (factor.zero_points >= 0) text += ", " + c_numbers(plan_, factor.zero_points);
    for (const int scale : factor.scales) text += ", " + c_numbers(plan_, scale);
    if (factor.round && is_stochastic(factor.round->words.cut)) text += ", random[" + n_text(first_draw) + " + i]";
    return text;
  }

  std::string products() const {
    std::string text = multiply();
    if (plan_.is_sliced()) text += slices();
    if (plan_.rows) text += c_multiply_rows(plan_, w_);
    for (const ProductNode& node : plan_.circuit.products) {
      if (node.work == ProductWork::round && plan_.product_round)
        text += c_round(w_, {"round_product", "a product"}, *plan_.product_round);
    }
    return text;
  }

  bool zeros_count() const { return plan_.datapath.product.empty || plan_.counts_zeros(); }

  // The exponent of a product of a and b that is zero.
  std::string exponent_of_zero() const {
    const std::optional<int>& empty = plan_.datapath.product.empty;
    const std::string given = empty ? n_text(*empty) : "no_exponent";
    if (!plan_.counts_zeros()) return given;
    return "a.exponent != no_exponent && b.exponent != no_exponent ? a.exponent + b.exponent : " + given;
  }

  std::string multiply() const {
    const bool here = zeros_count() && !plan_.is_sliced();
    const std::string zero = here ? "a_number(negative, " + w_.literal(0) + ", " + exponent_of_zero() + ", 0)"
                                  : std::string("a_zero(negative)");
    const std::string raising = w_.carried.raised ? R"(
// Stage multiply, and what it raises.
FN number_t multiply(number_t a, number_t b) { return raising_product(exact_multiply(a, b), a, b); }
)"
                                                  : "";
    return fill(R"(
// Stage multiply: the exact product, never rounded, never normalised.
//
//   1.mmm x 1.mmm = pp.mmmmmm
FN number_t @name@(number_t a, number_t b) {
  const bool negative = a.negative != b.negative;
  if (a.kind == kind_nan) return a;  // the first NaN
  if (b.kind == kind_nan) return b;
  if (a.kind == kind_infinity || b.kind == kind_infinity)
    return is_zero(a) || is_zero(b) ? a_nan(true, @none@) : an_infinity(negative);
  if (is_zero(a) || is_zero(b)) return @zero@;
  return a_number(negative, @times@, a.exponent + b.exponent, a.quantum + b.quantum);
}
)",
                {{"name", w_.carried.raised ? "exact_multiply" : "multiply"},
                 {"none", w_.literal(0)},
                 {"zero", zero},
                 {"times", w_.times("a.magnitude", "b.magnitude")}}) +
           raising;
  }

  // Bits of a significand, which keep their weight.
  std::string slices() const {
    std::vector<std::string> rows;
    for (const SlicePair& pair : plan_.datapath.slices.pairs) {
      const auto row = static_cast<int>(rows.size());
      rows.push_back("{" + n_text(pair.a_from) + ", " + n_text(pair.a_bits.value_or(-1)) + ", " + n_text(pair.b_from) +
                     ", " + n_text(pair.b_bits.value_or(-1)) + ", " + n_text(plan_.lowered(row)) + "}");
    }
    const std::string zero = zeros_count() ? fill(R"(  if (a.kind == kind_finite && b.kind == kind_finite) {
    const int32_t exponent = @exponent@;
    return @number@(a.negative != b.negative, @zero@, exponent == no_exponent ? exponent : exponent - p[4], 0)@raising@;
  }
)",
                                                  {{"exponent", exponent_of_zero()}, {"zero", w_.literal(0)}})
                                           : "";
    return fill(R"(
// Of a significand so many bits from bit `from` on, all that follow where `bits` is below zero. `point`: bits before it.
//
//   1 . m m m m m m      from 2, bits 3:   0 . 0 m m m 0 0
FN magnitude_t slice(number_t n, int32_t point, int32_t from, int32_t bits) {
  const int32_t above = larger(0, n.exponent + point - from - n.quantum);
  const int32_t below = bits < 0 ? 0 : larger(0, n.exponent + point - from - bits - n.quantum);
  return m_left(m_right(m_low(n.magnitude, above), below), below);
}

// Stage multiply of one pair of slices.
FN number_t multiply_slices(number_t a, number_t b, int32_t pair) {
  // from and bits of a, of b, and how much lower the exponent of their product is
  static const int32_t pairs[@count@][5] = {@rows@};
  const int32_t *p = pairs[pair];
  if (a.kind == kind_finite && b.kind == kind_finite && !is_zero(a) && !is_zero(b))
    return @number@(a.negative != b.negative,
                    @times@,
                    a.exponent + b.exponent - p[4], a.quantum + b.quantum)@raising@;
@zero@  return multiply(a, b);
}
)",
                {{"count", n_text(static_cast<int>(rows.size()))},
                 {"rows", joined(rows)},
                 {"zero", zero},
                 {"times", w_.times("slice(a, " + n_text(plan_.factor_a.range.integer_bits) + ", p[0], p[1])",
                                    "slice(b, " + n_text(plan_.factor_b.range.integer_bits) + ", p[2], p[3])")},
                 {"number", w_.carried.raised ? "raising_product(a_number" : "a_number"},
                 {"raising", w_.carried.raised ? ", a, b)" : ""}});
  }

  // --- sums ---

  std::string sums_text() const {
    std::string text;
    for (const auto* list : {&step_, &finish_}) {
      for (const CAdder& adder : *list) text += adder.text;
    }
    return text;
  }

  static std::string member(const CAdder& adder, const std::string& name) {
    const std::size_t count = adder.sums.size();
    return "  " + adder.places + " " + name + (count == 1 ? "" : "[" + n_text(static_cast<int>(count)) + "]") + ";\n";
  }

  std::string members(const std::vector<CAdder>& list, const std::vector<AdderPlan>& adders) const {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) text += member(list[i], c_name(adders[i].name));
    return text;
  }

  // --- places ---

  std::string places() const {
    std::string decode = " number_t a[" + n_text(plan_.k) + "], b[" + n_text(plan_.k) + "], c; ";
    if (plan_.scale || !plan_.more.empty()) decode = "\n   " + decode.substr(0, decode.size() - 1) + "\n  ";
    if (plan_.scale)
      decode += "  number_t scale_a[" + n_text(plan_.scales) + "], scale_b[" + n_text(plan_.scales) + "];\n  ";
    for (const CaseOperand& more : plan_.more)
      decode += "  number_t operand_" + more.name + "[" + n_text(more.count) + "];\n  ";
    std::string text;
    if (plan_.factor_a.works()) text += "  number_t factors_a[" + n_text(plan_.k) + "];\n";
    if (plan_.factor_b.works()) text += "  number_t factors_b[" + n_text(plan_.k) + "];\n";
    for (const ProductNode& node : plan_.circuit.products) {
      if (node.region) text += "  number_t " + region_name(node.work) + "[" + n_text(plan_.products()) + "];\n";
    }
    std::string finish;
    if (!finish_.empty())
      finish = "\n// What can be seen of the finish.\ntypedef struct {\n" + members(finish_, plan_.finish) +
               "} finish_places_t;\n";
    return fill(
        R"(
// What can be seen of a step.@decided@
typedef struct {
@special@@sums@  number_t acc;
} step_places_t;
@finish_type@
// All places, under the names that explain and RTL probes have.
typedef struct {
  struct {@decode@} decode;
@products@  step_places_t step[@steps@];
@finish@  @code@ encode;
@flags@} places_t;
)",
        {{"decided", steps_decide() ? " special: 0 nothing, 1 NaN, 2 +infinity, 3 -infinity." : ""},
         {"special", steps_decide() ? "  uint8_t special;\n" : ""},
         {"sums", members(step_, plan_.adders)},
         {"finish_type", finish},
         {"decode", decode},
         {"products", text},
         {"steps", n_text(instances())},
         {"finish", finish_.empty() ? "" : "  finish_places_t finish;\n"},
         {"code", c_code_type(plan_.d)},
         {"flags", has_flags() ? "  struct {\n    bool invalid, overflow, underflow, inexact;\n  } flags;\n" : ""}});
  }

  static std::string region_name(ProductWork work) {
    return work == ProductWork::multiply ? "multiply" : work == ProductWork::scale ? "scale" : "multiply_round";
  }

  // --- a step ---

  // Which product is term i of a step.
  std::string term(const std::string& i, std::string* declarations = nullptr) const {
    IndexTable table;
    for (int instance = 0; instance < instances(); ++instance)
      table.rows.emplace_back(plan_.order_of(instance), plan_.order_of(instance) + plan_.step_terms);
    std::string unused;
    return looked_up(table, "order", "step", i, declarations == nullptr ? unused : *declarations);
  }

  // What the adders of a block need beside its values, as parameters and as arguments, each behind ", ".
  std::string block_gets(const std::vector<AdderPlan>& adders, int draws, bool as_parameters) const {
    std::string text;
    const auto any = [&](auto is) { return std::any_of(adders.begin(), adders.end(), is); };
    if (any([](const AdderPlan& a) { return a.times_scales; }))
      text += gets("number_t", "scales_a", as_parameters) + gets("number_t", "scales_b", as_parameters);
    for (std::size_t i = 0; i < plan_.more.size(); ++i) {
      const bool used = any(
          [&](const AdderPlan& a) { return std::count(a.scales.begin(), a.scales.end(), static_cast<int>(i)) != 0; });
      if (used) text += gets("number_t", c_numbers(plan_, static_cast<int>(i)), as_parameters);
    }
    return draws > 0 ? text + gets(c_random_type(plan_), "random", as_parameters) : text;
  }

  static std::string gets(const std::string& type, const std::string& name, bool as_parameter) {
    return ", " + (as_parameter ? "const " + type + " *" : std::string()) + name;
  }

  std::string step_gets(bool as_parameters) const {
    std::string text;
    if (takes(NanPlace::Of::a)) text += gets("number_t", "of_a", as_parameters);
    if (takes(NanPlace::Of::b)) text += gets("number_t", "of_b", as_parameters);
    return text + block_gets(plan_.adders, plan_.circuit.step.draws, as_parameters);
  }

  std::string step_special() const {
    if (!steps_decide()) return "";
    const std::optional<int>& limit = plan_.datapath.product.infinity_at;
    std::string text = "  special_t found = " + w_.no_special() + ";\n" +
                       each_term("found = special(found, product[" + term("i") + "]);") +
                       "  found = special(found, acc);\n";
    for (const AdderPlan& adder : plan_.adders) {
      if (adder.times_scales) {
        const std::string block = c_block(element_of(term("i")), plan_.scale_block);
        text += each_term("found = special(found, scales_a[" + block + "]);\n    found = special(found, scales_b[" +
                          block + "]);");
      }
      for (const int scale : adder.scales)
        text += each_term("found = special(found, " + c_numbers(plan_, scale) + "[" +
                          c_block(element_of(term("i")), plan_.more[at(scale)].block) + "]);");
    }
    if (limit)
      text +=
          "  // Products too large to stay finite count only where nothing else decides.\n"
          "  const bool is_open = !is_decided(found);\n" +
          each_term("const number_t p = product[" + term("i") +
                    "];\n    if (is_open && reaches_infinity(p)) found = "
                    "special(found, an_infinity(p.negative));");
    return text + "  if (at) at->special = outcome(found);\n";
  }

  std::string each_term(const std::string& statement) const {
    const std::string each = "  for (int32_t i = 0; i < " + n_text(plan_.step_terms) + "; ++i)";
    const bool is_one = statement.find('\n') == std::string::npos;
    return is_one ? each + " " + statement + "\n" : each + " {\n    " + statement + "\n  }\n";
  }

  std::string element_of(const std::string& product) const { return c_block(product, plan_.pieces); }

  std::string infinity_limit() const {
    const std::optional<int>& limit = plan_.datapath.product.infinity_at;
    if (!limit) return "";
    return fill(R"(
// A product of magnitude 2^@limit@ or more is an infinity.
FN bool reaches_infinity(number_t n) {
  return n.kind == kind_finite && !is_zero(n) && leading(n) >= @limit@;
}
)",
                {{"limit", n_text(*limit)}});
  }

  // Terms as adders see them: what the step has decided on takes no part.
  std::string values() const {
    const bool limited = plan_.datapath.product.infinity_at.has_value();
    const std::string product = "product[" + term("i") + "]";
    std::string one = "value[i] = " + product + ";";
    if (steps_decide() && !limited)
      one = "value[i] = " + product + ".kind == kind_finite ? " + product + " : a_zero(false);";
    else if (steps_decide())
      one += "\n    if (value[i].kind != kind_finite || reaches_infinity(value[i])) value[i] = a_zero(false);";
    else if (limited)
      one += "\n    if (reaches_infinity(value[i])) value[i] = " +
             std::string(has_flags() ? "raising(an_infinity(value[i].negative), value[i].raised)"
                                     : "an_infinity(value[i].negative)") +
             ";";
    const std::string acc = steps_decide() ? "acc.kind == kind_finite ? acc : a_zero(false)" : "acc";
    return "  number_t value[" + n_text(plan_.circuit.step.values()) + "];\n" + each_term(one) + "  value[" +
           n_text(plan_.step_terms) + "] = " + acc + ";\n";
  }

  // Each adder of a block in turn: a call, or a loop of them.
  std::string calls(const CircuitBlock& block, const std::vector<AdderPlan>& adders, const std::vector<CAdder>& list,
                    const std::string& first_draw) const {
    std::string text;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const CAdder& adder = list[i];
      const bool several = adder.sums.size() > 1;
      const int first = adder.sums.front();
      IndexTable terms, draws;
      terms.rows.emplace_back(), draws.rows.emplace_back();
      for (const int sum : adder.sums) {
        terms.rows[0].push_back(std::max(0, block.sums[at(sum)].scaled_by));
        draws.rows[0].push_back(block.sums[at(sum)].draws_from);
      }
      std::string declarations;
      const std::string scaled_by = looked_up(terms, "scaled_" + adder.name, "", "j", declarations);
      const std::string draw = looked_up(draws, "draws_" + adder.name, "", "j", declarations);
      const std::string element = &block == &plan_.circuit.step ? element_of(term(scaled_by)) : "0";
      const std::string place = "at ? &at->" + c_name(adders[i].name) + (several ? "[j]" : "") + " : 0";
      const std::string result = n_text(block.left_by(static_cast<std::size_t>(first)));
      const std::string call =
          "value[" + result + (several ? " + j" : "") + "] = add_" + adder.name + "(value" + (several ? ", j" : "") +
          sums_.arguments(adders[i], element, (first_draw.empty() ? "" : first_draw + " + ") + draw) + ", " + place +
          ");\n";
      const bool needs = adders[i].is_scaled() || adders[i].draws() > 0;
      if (needs) text += declarations;
      if (several)
        text += "  for (int32_t j = 0; j < " + n_text(static_cast<int>(adder.sums.size())) + "; ++j)\n    " + call;
      else
        text += "  " + call;
    }
    return text;
  }

  // What the adders left; what a step decides takes the results of its last adder.
  std::string left() const {
    const std::string result = "value[" + n_text(plan_.circuit.step.result()) + "]";
    if (!steps_decide()) return "  number_t left = " + result + ";\n";
    const AdderPlan& last = plan_.adders.back();
    if (last.results.size() == 1 && !is_stochastic(last.results.front().words.cut))
      return "  number_t left = is_decided(found) ? round_" + step_.back().name + "(decision(found)) : " + result +
             ";\n";
    std::string text = "  number_t left = " + result + ";\n  if (is_decided(found)) {\n    left = decision(found);\n";
    for (std::size_t i = 0; i < last.results.size(); ++i) {
      const std::string name =
          "round_" + step_.back().name + (last.results.size() == 1 ? "" : "_" + n_text(static_cast<int>(i)));
      text += "    left = " + name + "(left" + (is_stochastic(last.results[i].words.cut) ? ", 0" : "") + ");\n";
    }
    return text + "  }\n";
  }

  std::string step() const {
    const std::string draws =
        n_text(plan_.random.step) + (instances() == 1 ? "" : " + step * " + n_text(plan_.circuit.step.draws));
    std::string body = step_special() + values() + calls(plan_.circuit.step, plan_.adders, step_, draws);
    body += left() + taken();
    std::string order;
    term("i", &order);
    if (instances() > 1 && (order + body).find("step") == std::string::npos) order = "  (void)step;\n";
    return infinity_limit() + acc_as_read() +
           fill(R"(
// @says@: what acc becomes.
FN number_t one_step(@step@const number_t *product, number_t acc@gets@, step_places_t *at) {
@order@@body@  if (at) at->acc = left;
  return left;
}
)",
                {{"says", instances() == 1 ? "The step" : "Step number `step`, counting those of all lanes"},
                 {"step", instances() == 1 ? "" : "int32_t step, "},
                 {"gets", step_gets(true)},
                 {"order", order},
                 {"body", body}});
  }

  // Of the NaNs of a step the first place of a list that holds one.
  std::string taken() const {
    if (!takes_nans()) return "";
    const NanTake& take = *plan_.take;
    const std::string before = has_flags() ? "    const uint32_t raised = left.raised;\n" : "";
    std::string text = "  if (left.kind == kind_nan) {\n" + before + "    const number_t places[" +
                       n_text(static_cast<int>(take.places.size())) + "] = {\n";
    std::vector<std::string> runs;
    for (const NanPlace& place : take.places) {
      const std::string index = n_text(place.index);
      const std::string element = element_of(term(index));
      text += "        " +
              (place.of == NanPlace::Of::value ? "value[" + index + "]"
               : place.of == NanPlace::Of::a   ? "of_a[" + element + "]"
                                               : "of_b[" + element + "]") +
              ",\n";
      runs.push_back(n_text(place.run));
    }
    const std::string signalling =
        take.signalling_first ? " || (run == runs[i] && !is_signalling(left) && is_signalling(places[i]))" : "";
    return text + fill(R"(    };
    static const int32_t runs[@count@] = {@runs@};  // neighbours, among which a signalling NaN goes first
    int32_t run = -1;
    for (int32_t i = 0; i < @count@; ++i) {
      if (places[i].kind == kind_nan && (run < 0@signalling@)) {
        left = places[i];
        run = runs[i];
      }
    }
@raised@  }
)",
                       {{"raised", has_flags() ? "    left.raised |= raised;\n" : ""},
                        {"count", n_text(static_cast<int>(runs.size()))},
                        {"runs", joined(runs)},
                        {"signalling", signalling}});
  }

  std::string acc_as_read() const {
    const Subnormals words = plan_.datapath.subnormals_acc;
    if (words == Subnormals::keep || plan_.steps == 1) return "";
    const std::string sign = words == Subnormals::signed_zero ? "n.negative" : "false";
    return fill(R"(
// What a step reads of the one before: a subnormal as a zero.
FN number_t read_acc(number_t n) {
  if (n.kind != kind_finite || is_zero(n) || leading(n) >= @least@) return n;
  return @zero@;
}
)",
                {{"least", n_text(plan_.adders.back().results.back().format.least_exponent())},
                 {"zero", has_flags() ? "raising(a_zero(" + sign + "), n.raised)" : "a_zero(" + sign + ")"}});
  }

  std::string finish() const {
    if (finish_.empty()) return "";
    return fill(R"(
// The finish: what lanes left, and c, to one number.
FN number_t finish(const number_t *lane, number_t c@gets@, finish_places_t *at) {
  number_t value[@values@];
  for (int32_t i = 0; i < @lanes@; ++i) value[i] = lane[i];
  value[@lanes@] = c;
@calls@  return value[@result@];
}
)",
                {{"gets", block_gets(plan_.finish, plan_.circuit.finish.draws, true)},
                 {"values", n_text(plan_.circuit.finish.values())},
                 {"lanes", n_text(plan_.lanes)},
                 {"calls", calls(plan_.circuit.finish, plan_.finish, finish_, n_text(plan_.random.finish))},
                 {"result", n_text(plan_.circuit.finish.result())}});
  }

  // --- the whole ---

  std::string dot() const {
    const std::string k = n_text(plan_.k);
    std::string parameters = "const " + c_code_type(plan_.a) + " a[" + k + "], const " + c_code_type(plan_.b) + " b[" +
                             k + "], " + c_code_type(plan_.c) + " c";
    if (plan_.scale) {
      for (const char* side : {"scale_a", "scale_b"})
        parameters += ", const " + c_code_type(*plan_.scale) + " " + side + "[" + n_text(plan_.scales) + "]";
    }
    for (const CaseOperand& more : plan_.more)
      parameters += ", const " + c_code_type(more.format) + " operand_" + more.name + "[" + n_text(more.count) + "]";
    if (has_flags()) parameters += ", uint32_t *flags";
    return fill(R"(
// The whole dot product@flags_say@.
FN @code@ dot(@parameters@, places_t *places) {
@more@@products@@start@@steps@@encoded@  if (places) places->encode = code;
@flags@  return code;
}
)",
                {{"code", c_code_type(plan_.d)},
                 {"parameters", parameters},
                 {"more", decoded_more()},
                 {"products", decoded_products()},
                 {"start", start()},
                 {"steps", steps()},
                 {"encoded", encoded()},
                 {"flags_say", has_flags() ? ", and its flags, invalid lowest, where `flags` is no null pointer" : ""},
                 {"flags", flags()}});
  }

  std::string encoded() const {
    const std::string code = "  const " + c_code_type(plan_.d) + " code = (" + c_code_type(plan_.d) + ")encode(";
    if (!has_flags()) return code + result() + ");\n";
    return "  const number_t result = " + result() + ";\n" + code + "result);\n";
  }

  bool has_flags() const { return plan_.datapath.flags.has_value(); }

  std::string flags() const {
    if (!has_flags()) return "";
    const bool any = plan_.datapath.flags->invalid == Invalid::nan;
    std::string text = std::string("  const uint32_t raised = result.raised") +
                       (any ? " | (result.kind == kind_nan ? raises_invalid : 0)" : "") +
                       ";\n  if (flags) *flags = raised;\n";
    for (const std::string_view flag : flag_names)
      text +=
          fill("  if (places) places->flags.@flag@ = (raised & raises_@flag@) != 0;\n", {{"flag", std::string(flag)}});
    return text;
  }

  std::string decoded_more() const {
    std::string text;
    for (const CaseOperand& more : plan_.more)
      text += decoded_list(c_numbers(plan_, static_cast<int>(&more - plan_.more.data())), "operand_" + more.name,
                           "operand_" + more.name, more.count);
    if (plan_.scale) {
      text += decoded_list("scales_a", "scale_a", "scale", plan_.scales);
      text += decoded_list("scales_b", "scale_b", "scale", plan_.scales);
    }
    if (plan_.random.operand >= 0)
      text +=
          "  const " + c_random_type(plan_) + " *random = operand_" + plan_.more[at(plan_.random.operand)].name + ";\n";
    return text;
  }

  static std::string decoded_list(const std::string& into, const std::string& from, const std::string& by, int count) {
    return fill(R"(  number_t @into@[@count@];
  for (int32_t i = 0; i < @count@; ++i) {
    @into@[i] = decode_@by@(@from@[i]);
    if (places) places->decode.@from@[i] = @into@[i];
  }
)",
                {{"into", into}, {"from", from}, {"by", by}, {"count", n_text(count)}});
  }

  std::string decoded_products() const {
    std::string body =
        "    number_t x = decode_a(a[i]), y = decode_b(b[i]);\n"
        "    if (places) places->decode.a[i] = x;\n    if (places) places->decode.b[i] = y;\n";
    const std::string off = plan_.mask < 0 ? "" : "is_zero(" + c_numbers(plan_, plan_.mask) + "[i])";
    if (takes(NanPlace::Of::a)) body += "    of_a[i] = " + (off.empty() ? "" : off + " ? a_zero(false) : ") + "x;\n";
    if (takes(NanPlace::Of::b)) body += "    of_b[i] = " + (off.empty() ? "" : off + " ? a_zero(false) : ") + "y;\n";
    body += factor_call("a", "x", plan_.factor_a, plan_.random.factor_a);
    body += factor_call("b", "y", plan_.factor_b, plan_.random.factor_b);
    if (!off.empty()) body += "    if (" + off + ") x = y = a_zero(false);  // switched off\n";
    if (plan_.pieces == 1 && !plan_.is_sliced()) {
      body += indented(indented(product("multiply(x, y)", "i", "i")));
    } else {
      const std::string pieces = n_text(plan_.pieces);
      const std::string piece = plan_.rows ? "multiply_rows(x, y, j)" : "multiply_slices(x, y, j)";
      body += "    for (int32_t j = 0; j < " + pieces + "; ++j) {\n      const int32_t p = " + pieces + " * i + j;\n" +
              indented(indented(indented(product(piece, "p", "i")))) + "    }\n";
    }
    std::string nans;
    for (const auto& [of, name] : {std::pair(NanPlace::Of::a, "of_a"), std::pair(NanPlace::Of::b, "of_b")}) {
      if (takes(of)) nans += std::string("  number_t ") + name + "[" + n_text(plan_.k) + "];\n";
    }
    return nans + "  number_t product[" + n_text(plan_.products()) + "];\n  for (int32_t i = 0; i < " +
           n_text(plan_.k) + "; ++i) {\n" + body + "  }\n";
  }

  std::string factor_call(const std::string& name, const std::string& number, const FactorPlan& factor,
                          int first_draw) const {
    if (!factor.works()) return "";
    return "    " + number + " = factor_" + name + "(" + number + factor_arguments(factor, first_draw) +
           ");\n    if (places) places->factors_" + name + "[i] = " + number + ";\n";
  }

  // From the exact product to what adders receive.
  std::string product(const std::string& made, const std::string& index, const std::string& element) const {
    const std::string into = "product[" + index + "]";
    if (plan_.circuit.products.size() == 1)
      return into + " = " + made + ";\nif (places) places->multiply[" + index + "] = " + into + ";\n";
    std::string text;
    for (const ProductNode& node : plan_.circuit.products) {
      switch (node.work) {
        case ProductWork::multiply: text += "number_t n = " + made + ";\n"; break;
        case ProductWork::scale:
          text += replaced(sums_.scaled(plan_.datapath.product.times_scales, plan_.product_scales, "n", element),
                           "  n = ", "n = ");
          break;
        case ProductWork::round: text += rounded_product(index); break;
      }
      if (node.region) text += "if (places) places->" + region_name(node.work) + "[" + index + "] = n;\n";
    }
    return text + into + " = n;\n";
  }

  std::string rounded_product(const std::string& index) const {
    std::string text;
    if (plan_.datapath.product.exponent == ProductExponent::normalised)
      text += "if (n.kind == kind_finite && !is_zero(n)) n.exponent = leading(n);\n";
    if (!plan_.product_round) return text;
    const bool by_chance = is_stochastic(plan_.product_round->words.cut);
    return text + "n = round_product(n" +
           (by_chance ? ", random[" + n_text(plan_.random.product) + " + " + index + "]" : "") + ");\n";
  }

  std::string start() const {
    std::string text = "  number_t start = decode_c(c);\n  if (places) places->decode.c = start;\n";
    if (plan_.widen_c) {
      text += fill(R"(  if (start.kind == kind_finite && !is_zero(start)) {  // as d's format carries it
    const int32_t exponent = larger(leading(start), @least@);
    const int32_t quantum = exponent - @bits@;
    start.magnitude = quantum <= start.quantum ? m_left(start.magnitude, start.quantum - quantum)
                                               : m_right(start.magnitude, quantum - start.quantum);
    start.exponent = exponent;
    start.quantum = quantum;
  }
)",
                   {{"least", n_text(plan_.d.least_exponent())}, {"bits", n_text(plan_.d.mantissa_bits)}});
    }
    return text;
  }

  std::string steps() const {
    std::string acc = "start";
    if (plan_.datapath.start != Start::c) acc = "a_zero(false)";
    std::string begin = "number_t acc = " + acc + ";\n";
    if (plan_.datapath.start == Start::none) begin += "acc.absent = true;\n";
    const std::string unused = plan_.datapath.start != Start::c && finish_.empty() ? "  (void)start;\n" : "";
    if (is_one_step()) return "";
    if (plan_.lanes == 1) return indented(begin + all_steps("0")) + unused;
    const std::string lanes = n_text(plan_.lanes);
    return "  number_t lane[" + lanes + "];\n  for (int32_t i = 0; i < " + lanes + "; ++i) {\n" +
           indented(indented(begin + all_steps("i") + "lane[i] = acc;\n")) + "  }\n" + unused;
  }

  // Of a lane, whose acc goes from each to the next.
  std::string all_steps(const std::string& lane) const {
    const std::string given = step_gets(false);
    const auto one = [&](const std::string& step) {
      return "acc = one_step(" + (instances() == 1 ? std::string() : step + ", ") + "product, acc" + given +
             ", places ? &places->step[" + step + "] : 0);\n";
    };
    if (instances() == 1) return one("0");
    const std::string steps = n_text(plan_.steps);
    const std::string number = plan_.lanes == 1 ? "j" : steps + " * " + lane + " + j";
    const bool reads = plan_.datapath.subnormals_acc != Subnormals::keep && plan_.steps > 1;
    return "for (int32_t j = 0; j < " + steps + "; ++j) {\n" + (reads ? "  if (j > 0) acc = read_acc(acc);\n" : "") +
           "  " + one(number) + "}\n";
  }

  // From c through one step to d.
  bool is_one_step() const { return instances() == 1 && plan_.datapath.start == Start::c && finish_.empty(); }

  std::string result() const {
    if (is_one_step()) return "one_step(product, start" + step_gets(false) + ", places ? &places->step[0] : 0)";
    if (finish_.empty()) return plan_.lanes == 1 ? "acc" : "lane[0]";
    const std::string given = block_gets(plan_.finish, plan_.circuit.finish.draws, false);
    return "finish(" + std::string(plan_.lanes == 1 ? "&acc" : "lane") + ", start" + given +
           ", places ? &places->finish : 0)";
  }

  const Plan& plan_;
  const SourceFacts& facts_;
  CWords w_;
  CSums sums_;
  std::vector<CAdder> step_, finish_;
};

}  // namespace

std::string model_as_c(const Plan& plan, const SourceFacts& facts) {
  return ModelText(plan, facts, {widest_magnitude(plan) > 64, 0, carried_by(plan)}).run();
}

// Two bits to spare, as core has: a sum that is rounded may carry.
std::string model_as_cpp(const Plan& plan, const SourceFacts& facts) {
  return ModelText(plan, facts, {true, std::clamp(widest_magnitude(plan) + 2, 40, 128), carried_by(plan)}).run();
}

namespace {

// More products than this would need more stack than a thread has.
constexpr int most_products = 16'384;

}  // namespace

std::optional<std::string> why_no_source(const Plan& plan) {
  std::optional<std::string> why = unknown_word(plan.datapath);
  if (why) why = *why + " is a word for which nothing is written.";
  each_format(plan, [&](const Format& f, bool) {
    if (!why && f.is_list() && f.stored_bits > most_table_bits)
      why = "Format " + f.name + " is a list of 2^" + n_text(f.stored_bits) +
            " values, and tables are brought along of at most 2^" + n_text(most_table_bits) + ".";
  });
  if (!why && plan.products() > most_products)
    why = "It has " + n_text(plan.products()) + " products; what allocates nothing takes at most " +
          n_text(most_products) + ".";
  return why;
}

int c_magnitude_words(const Plan& plan) { return widest_magnitude(plan) > 64 ? 2 : 1; }

int c_register_words(const Plan& plan, const AdderPlan& adder) {
  return adder.sum.arithmetic == Arithmetic::native ? c_magnitude_words(plan) : register_words(plan);
}

namespace {

// "tree[0].add[2].align[1]" as the members of a block's places: "tree[2].align[1]".
std::string sum_place(const std::string& name, const CircuitBlock& block, const std::vector<AdderPlan>& adders) {
  for (std::size_t i = 0; i < block.sums.size(); ++i) {
    const SumNode& node = block.sums[i];
    if (!starts_with(name, node.name + ".")) continue;
    const auto of_adder = [&](const SumNode& n) { return n.adder == node.adder; };
    const auto count = std::count_if(block.sums.begin(), block.sums.end(), of_adder);
    const auto index = std::count_if(block.sums.begin(), block.sums.begin() + static_cast<std::ptrdiff_t>(i), of_adder);
    return c_name(adders[static_cast<std::size_t>(node.adder)].name) +
           (count > 1 ? "[" + std::to_string(index) + "]" : "") + name.substr(node.name.size());
  }
  return name;
}

// The number in brackets at the front of `text`, which goes on behind it.
int taken_index(std::string& text) {
  const std::size_t end = text.find(']');
  const int index = std::stoi(text.substr(1, end - 1));
  text.erase(0, end + 1);
  return index;
}

}  // namespace

std::string c_place(const std::string& name, const Plan& plan) {
  std::string rest = name;
  const auto take = [&](const std::string& front) {
    if (!starts_with(rest, front)) return false;
    rest.erase(0, front.size());
    return true;
  };
  if (take("decode.")) {
    const std::string operand = rest.substr(0, rest.find('['));
    const bool more = std::any_of(plan.more.begin(), plan.more.end(), [&](const auto& m) { return m.name == operand; });
    return (more ? "decode.operand_" : "decode.") + rest;
  }
  if (take("factors.")) return "factors_" + rest;
  if (take("multiply.round")) return "multiply_round" + rest;
  if (take("finish.")) return "finish." + sum_place(rest, plan.circuit.finish, plan.finish);
  const int lane = take("lane") ? taken_index(rest) : 0;
  if (!rest.empty() && rest.front() == '.') rest.erase(0, 1);
  if (!take("step")) return name;
  const int step = lane * plan.steps + taken_index(rest);
  rest.erase(0, 1);
  return "step[" + std::to_string(step) + "]." + sum_place(rest, plan.circuit.step, plan.adders);
}

}  // namespace assay
