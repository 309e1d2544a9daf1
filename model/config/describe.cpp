#include "model/config/describe.hpp"

#include <fmt/format.h>

#include "model/config/free_n.hpp"

namespace assay {
namespace {

// "s ii.ffff", or with counts where the picture would be long: "s i(8).f(40)".
std::string fixed_point(int sign_bits, int integer_bits, int fraction_bits) {
  const auto run = [](char bit, int count) {
    return count <= 30 ? std::string(static_cast<std::size_t>(std::max(count, 0)), bit)
                       : fmt::format("{}({})", bit, count);
  };
  return fmt::format("{}{}.{}", sign_bits > 0 ? "s " : "", run('i', integer_bits), run('f', fraction_bits));
}

std::string number(const Range& r) {
  if (r.fixed_quantum) {
    return fmt::format("{} bits, the last worth 2^{}", r.significand_bits(), *r.fixed_quantum);
  }
  return fmt::format("{} bits {}, exponent {}..{}", r.significand_bits(),
                     fixed_point(0, r.integer_bits, r.fraction_bits), r.least_exponent, r.greatest_exponent);
}

std::string result_text(const Result& r) {
  std::string text;
  switch (r.at) {
    case ResultAt::window: text = fmt::format("keep {} bits below the window", r.keep); break;
    case ResultAt::leading_one:
      text = fmt::format("keep {} bits after the leading one", r.keep);
      if (r.least_exponent) text += fmt::format(", exponent never below {}", *r.least_exponent);
      break;
    case ResultAt::format:
      text = fmt::format("to {}, overflow {}", r.format, word(r.overflow));
      if (r.subnormals != Subnormals::keep) {
        text += fmt::format(", subnormals to {} (tiny: {})", word(r.subnormals), word(r.tiny));
      }
      break;
  }
  return fmt::format("{}, cut {}", text, word(r.cut));
}

std::string input_text(const Input& i) {
  std::string text = i.keep ? fmt::format("keep {}, cut {}", *i.keep, word(i.cut)) : "exact";
  if (i.empty) text += fmt::format(", a zero counts as 2^{}", *i.empty);
  if (i.lost_below) text += fmt::format(", dropped when {} below", *i.lost_below);
  return text;
}

std::string window_text(const Window& w) {
  if (w.exponent == WindowExponent::fixed) return fmt::format("fixed at {}", w.at);
  std::string text = "largest exponent of a non-zero term";
  if (w.floor) text += fmt::format(", never below {}", *w.floor);
  if (w.step > 1) text += fmt::format(", rounded up to a multiple of {}", w.step);
  return text;
}

std::string source_text(const InputPlan& input) {
  return input.count == 1 ? input.words.source : fmt::format("{} x {}", input.count, input.words.source);
}

std::string shape_text(const AdderPlan& a) {
  switch (a.shape) {
    case Shape::flat: return "one fused sum";
    case Shape::neighbours: return "a tree of two-input sums, neighbours first";
    case Shape::halves: return "a tree of two-input sums, i with i + n/2";
    case Shape::serial: return "a chain of two-input sums";
  }
  return "";
}

class Picture {
 public:
  explicit Picture(const Plan& plan) : p_(plan) {}

  std::string text() {
    operands();
    product();
    steps();
    finish();
    line(0, "encode", fmt::format("{}; NaN is {}", p_.d.name, nan_text()));
    line(0, "", "|");
    line(0, "d", fmt::format("{}, {} bits", p_.d.name, p_.d.stored_bits));
    return text_;
  }

 private:
  void line(int indent, const std::string& stage, const std::string& what) {
    std::string row =
        fmt::format("{}{:<{}}{}", std::string(static_cast<std::size_t>(indent), ' '), stage, 14 - indent, what);
    while (!row.empty() && row.back() == ' ') row.pop_back();
    text_ += row + "\n";
  }

  void operands() {
    line(0, "a", fmt::format("{:>3} x {:<9} significand {}", p_.k, p_.a.name, number(p_.a_range)));
    line(0, "b", fmt::format("{:>3} x {:<9} significand {}", p_.k, p_.b.name, number(p_.b_range)));
    line(0, "c", fmt::format("  1 x {:<9} significand {}", p_.c.name, number(p_.c_range)));
    if (p_.scale)
      line(0, "scale a, b", fmt::format("{:>3} x {:<9} one for {} terms", p_.scales, p_.scale->name, p_.scale_block));
    const Datapath& d = p_.datapath;
    for (const auto& [name, rule] :
         {std::pair("a", d.subnormals_a), std::pair("b", d.subnormals_b), std::pair("c", d.subnormals_c)}) {
      if (rule != Subnormals::keep)
        line(0, "",
             fmt::format("subnormal {} is read as {}", name, rule == Subnormals::zero ? "+0" : "a zero of its sign"));
    }
    line(0, "", "|");
  }

  void product() {
    const Product& w = p_.datapath.product;
    line(0, "multiply", fmt::format("exact: {}", number(p_.product_range)));
    if (w.times_scales) line(0, "scale", "each product times its block's two scales");
    if (w.exponent == ProductExponent::normalised) line(0, "", "the exponent follows the leading one");
    if (w.infinity_at) line(0, "", fmt::format("an infinity from 2^{} on", *w.infinity_at));
    if (w.round) line(0, "round", result_text(*w.round));
    line(0, "", "|");
  }

  void steps() {
    if (p_.lanes > 1)
      line(0, "lanes",
           fmt::format("{} accumulators, {} terms each, {}", p_.lanes, p_.k / p_.lanes, dealt(p_.datapath.lanes)));
    line(0, "steps",
         fmt::format("{} of {} terms{}; acc starts from {}", p_.steps, p_.step_terms,
                     p_.steps > 1 ? ", " + dealt(p_.datapath.step) : "", word(p_.datapath.start)));
    switch (p_.datapath.specials) {
      case Specials::step: line(2, "special", "NaN and infinity decided over all terms of the step"); break;
      case Specials::operation: line(2, "special", "NaN and infinity decided by each operation"); break;
      case Specials::numbers: line(2, "special", "none: every code is a number"); break;
    }
    for (const AdderPlan& adder : p_.adders) picture(adder);
    line(2, "acc", number(p_.adders.back().range));
    line(0, "", "|");
  }

  static std::string dealt(const Group& g) {
    return g.deal == Deal::neighbours ? "neighbours" : fmt::format("dealt out in units of {}", g.unit);
  }

  void finish() {
    if (p_.finish.empty()) return;
    line(0, "finish", "once, afterwards");
    for (const AdderPlan& adder : p_.finish) picture(adder);
    line(0, "", "|");
  }

  void picture(const AdderPlan& a) {
    std::string inputs;
    for (const InputPlan& input : a.inputs) inputs += (inputs.empty() ? "" : " + ") + source_text(input);
    const std::string groups = a.groups == 1 ? "" : fmt::format("{} groups side by side, each ", a.groups);
    line(2, a.name, groups + inputs + ": " + shape_text(a));
    const SumPlan& s = a.sum;
    line(4, "window", window_text(a.window) + fmt::format("; {} bits", s.window_exponent_bits));
    for (const InputPlan& input : a.inputs)
      line(4, "align", fmt::format("{}: {}", input.words.source, input_text(input.words)));
    const std::string point = s.fixed_quantum ? fmt::format(", the last worth 2^{}", *s.fixed_quantum)
                                              : " " + fixed_point(1, s.integer_bits, s.fraction_bits);
    line(4, "", fmt::format("{} bits{}", s.align_width, point));
    line(4, "reduce",
         fmt::format("{} bits{}, zero sum: {}", s.sum_width, a.sticky ? " and a sticky one" : "",
                     a.zero == ZeroSign::positive ? "+0" : "IEEE sign"));
    if (a.times_scales) line(4, "scale", "times its block's two scales: " + number(*a.scaled));
    for (const ResultPlan& r : a.results) line(4, "round", result_text(r.words));
  }

  std::string nan_text() const {
    if (p_.nan.propagate) return "the first operand's, made quiet";
    return p_.d.nan == NanCodes::none ? "none" : fmt::format("{:0{}x}", p_.nan.code, p_.d.hex_digits());
  }

  const Plan& p_;
  std::string text_;
};

}  // namespace

std::string evidence_meaning(const std::string& evidence) {
  if (evidence == "captured") return "bit-exact on vectors recorded from real parts";
  if (evidence == "paper")
    return "bit-exact on a million random inputs by the authors' statement; no vectors published";
  if (evidence == "published simulator")
    return "taken from a published simulator; no comparison with the part is known";
  if (evidence == "inferred") return "inferred from related instructions";
  return "as the vendor documents it";
}

std::string describe_instruction(const Instruction& i) {
  const std::optional<FreeN> free = free_n(i);
  const std::string n =
      free ? fmt::format("N (N = {} to {} in steps of {})", free->first, free->last, free->step) : i.n;
  std::string text = fmt::format("{}\n", i.full_name());
  if (!i.sass.empty()) text += fmt::format("{:<14}{}\n", "machine", i.sass);
  text += fmt::format("{:<14}M x N x K = {} x {} x {}{}\n", "shape", i.m, n, i.k,
                      i.blocks > 1 ? fmt::format(", {} blocks", i.blocks) : "");
  text += fmt::format("{:<14}{}\n", "datapath", i.datapath);
  text += fmt::format("{:<14}{}: {}\n", "evidence", i.evidence, evidence_meaning(i.evidence));
  return text;
}

std::string describe_plan(const Plan& plan) { return Picture(plan).text(); }

}  // namespace assay
