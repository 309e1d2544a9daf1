#include <fmt/format.h>

#include <algorithm>

#include "model/core/acc.hpp"
#include "model/core/decode.hpp"
#include "tb/explain/budget_text.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explain/page.hpp"
#include "tb/explain/sides.hpp"
#include "tb/explain/sum_text.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

bool same_value(const Number& x, const Number& y) {
  if (x.cls != y.cls || x.negative != y.negative) return false;
  return !x.is_finite() || sign(exactly(x) - exactly(y)) == 0;
}

std::string count_text(std::size_t n, const char* of) {
  return fmt::format("{} more {} {}", n, n == 1 ? "is" : "are", of);
}

// "first", or "first .. last".
std::string span_text(const std::string& first, const std::string& last) {
  return first == last ? first : first + " .. " + last;
}

// Operands, every stage, d.
class Stages {
 public:
  Stages(const Answered& side, const Case& one)
      : p_(*side.plan), case_(one), trace_(*side.answer.trace), d_(side.answer.d), sites_(sum_sites(p_)) {}

  std::string text() {
    operands();
    products(Region::scale);
    products(Region::multiply_round);
    for (int lane = 0; lane < p_.lanes; ++lane) {
      Number acc = start_of(p_.datapath.start, number_at(trace_, first(Region::decode_c)));
      for (int step = 0; step < p_.steps; ++step) acc = one_step(lane, step, read_acc(p_, step, acc));
    }
    end_idle();
    sums_before(static_cast<int>(p_.places.size()));
    ending();
    return page_.text();
  }

 private:
  Place place(int index) const { return p_.places[static_cast<std::size_t>(index)]; }

  int first(Region region, int instance = 0) const { return p_.places.first(region, instance); }

  // --- operands and products ---

  // "3c00  +1"; a subnormal or a NaN that the datapath reads as zero says so.
  std::string operand(Code code, const Format& format, int index) const {
    const Number n = number_at(trace_, index);
    const exact::Datum stored = exact_value(format, code, p_.datapath.specials);
    const bool flushed = n.is_zero() && stored.kind == exact::Kind::finite && exact::sign(stored.value) != 0;
    const bool no_nan = n.is_zero() && stored.kind == exact::Kind::nan;
    return hex_text(code, format) + "  " + decimal(n) + (flushed ? " (subnormal)" : no_nan ? " (NaN)" : "");
  }

  void operands() {
    const auto k = static_cast<std::size_t>(p_.k);
    std::vector<std::string> a, b;
    std::size_t a_width = 1, b_width = 1;
    for (std::size_t i = 0; i < k; ++i) {
      a.push_back(operand(case_.a[i], p_.a, static_cast<int>(i)));
      b.push_back(operand(case_.b[i], p_.b, static_cast<int>(k + i)));
      a_width = std::max(a_width, a.back().size());
      b_width = std::max(b_width, b.back().size());
    }
    page_.line(fmt::format("        {:<{}}  {:<{}}  a x b, exact", "a", a_width, "b", b_width));
    std::size_t zeros = 0;
    for (std::size_t i = 0; i < k; ++i) {
      const int at = static_cast<int>(i);
      if (number_at(trace_, at).is_zero() && number_at(trace_, p_.k + at).is_zero()) {
        ++zeros;
        continue;
      }
      product_line(fmt::format("{:>6}  {:<{}}  {:<{}}  ", fmt::format("[{}]", i), a[i], a_width, b[i], b_width), at);
    }
    if (zeros > 0) page_.line("        " + count_text(zeros, "zero times zero"));
    addend_and_scales();
  }

  // Behind its operands, or under them where it is too long.
  void product_line(const std::string& operands, int i) {
    if (p_.in_pieces()) return piece_lines(operands, i);
    const std::string product = product_text(i);
    if (operands.size() + product.size() <= Page::columns) {
      page_.line(operands + product);
    } else {
      page_.line(operands.substr(0, operands.find_last_not_of(' ') + 1));
      page_.row("", "a x b  " + product);
    }
  }

  std::string product_text(int product) const {
    if (is_off(p_.element_of(product))) return "off";
    const Number n = number_at(trace_, first(Region::multiply, product));
    return n.is_finite() && !p_.d.is_integer() ? scientific(n) : decimal(n);
  }

  bool is_off(int element) const {
    if (p_.mask < 0) return false;
    const CaseOperand& mask = p_.more[static_cast<std::size_t>(p_.mask)];
    return case_.more[static_cast<std::size_t>(mask.first + element)] == 0;
  }

  // Under its operands the product of each pair of slices, or its rows.
  void piece_lines(const std::string& operands, int element) {
    page_.line(operands.substr(0, operands.find_last_not_of(' ') + 1));
    for (int i = element * p_.pieces; i < (element + 1) * p_.pieces; ++i)
      page_.row("", place(first(Region::multiply, i)).label + "  " + product_text(i));
  }

  void addend_and_scales() {
    const int c = first(Region::decode_c);
    const Number value = number_at(trace_, c);
    const bool plain = value.is_finite() && !value.is_zero() && !p_.d.is_integer();
    const std::string stored = fmt::format("     c  {}", operand(case_.c, p_.c, c));
    const std::size_t room = Page::columns - std::min(Page::columns, stored.size() + 14);
    page_.line(stored + (plain ? "  " + scientific(value, room) : ""));
    for (int i = 0; i < p_.scales; ++i) {
      const auto at = static_cast<std::size_t>(i);
      page_.line(fmt::format(" scale  [{}] for terms {} to {}: a {}, b {}", i, i * p_.scale_block,
                             (i + 1) * p_.scale_block - 1,
                             operand(case_.scale_a[at], *p_.scale, first(Region::decode_scale_a, i)),
                             operand(case_.scale_b[at], *p_.scale, first(Region::decode_scale_b, i))));
    }
    for (const CaseOperand& more : p_.more) more_operand(more);
    factors("a", Region::decode_a, Region::factor_a);
    factors("b", Region::decode_b, Region::factor_b);
  }

  // "mask  1100 0101", in groups.
  void mask(const CaseOperand& more) {
    const int group = more.pattern.has_pattern() ? *more.pattern.among : 4;
    std::string bits;
    for (int i = 0; i < more.count; ++i) bits += std::string(i % group == 0 ? " " : "") + (is_off(i) ? '0' : '1');
    page_.line("  mask " + bits);
  }

  void more_operand(const CaseOperand& more) {
    if (more.kind == CaseOperandKind::mask) return mask(more);
    const bool random = more.kind == CaseOperandKind::random;
    page_.line(fmt::format(" {}, {}", more.name, random ? "a word for each rounding by chance" : more.format.name));
    for (int i = 0; i < more.count; ++i) {
      const Code code = case_.more[static_cast<std::size_t>(more.first + i)];
      const std::string stored = operand(code, more.format, first(Region::decode_more, more.first + i));
      const int last = std::min((i + 1) * more.block, p_.k) - 1;
      page_.line(random ? fmt::format("        [{}] {}", i, stored)
                        : fmt::format("        [{}] for terms {} to {}: {}", i, i * more.block, last, stored));
    }
  }

  // What is multiplied in place of the elements, where that is something else: those that are not zero, or have an
  // exponent all the same.
  void factors(const char* side, Region decoded, Region made) {
    if (first(made) < 0) return;
    page_.heading(fmt::format("factors.{}", side));
    const FactorPlan& words = made == Region::factor_a ? p_.factor_a : p_.factor_b;
    bool any = false;
    for (int i = 0; i < p_.k; ++i) {
      const Number before = number_at(trace_, first(decoded, i)), after = number_at(trace_, first(made, i));
      const bool is_zero = before.is_zero() && after.is_zero();
      if (is_zero && !words.empty) continue;
      any = true;
      const std::string counts = is_zero ? fmt::format(", which counts as 2^{}", after.exponent) : "";
      page_.row(fmt::format("  [{}]", i), fmt::format("{}{}   from {}", value_text(after), counts, decimal(before)));
    }
    if (!any) page_.row("", "nothing but zeros");
  }

  // Products once more where the datapath scales or rounds them: those that are not zero.
  void products(Region region) {
    if (first(region) < 0) return;
    const bool rounds = region == Region::multiply_round;
    const std::vector<Region> seen = p_.circuit.regions_of_products();
    const Region source = *(std::find(seen.begin(), seen.end(), region) - 1);
    page_.heading(rounds ? "multiply.round" : "scale");
    std::size_t zeros = 0;
    for (int i = 0; i < p_.products(); ++i) {
      const Number before = number_at(trace_, first(source, i)), after = number_at(trace_, first(region, i));
      const std::string name = fmt::format("  [{}]", i);
      if (before.is_zero() && after.is_zero()) {
        ++zeros;
      } else if (!after.is_finite() && (!rounds || !before.is_finite())) {
        page_.row(name, fmt::format("{}, because {}", decimal(after), term_reason(trace_, p_.element_of(i))));
      } else if (rounds) {
        result_lines(page_, {name, exactly(before), before.exponent, after}, *p_.product_round);
      } else {
        page_.row(name,
                  fmt::format("{}   times {}", value_text(after),
                              scales_text(p_, p_.datapath.product.times_scales, p_.product_scales, p_.element_of(i))));
      }
    }
    if (zeros > 0) page_.row("", count_text(zeros, "zero"));
  }

  // --- steps ---

  // Where the next step reads something else of what this one leaves.
  std::string as_next_reads(int step, const Number& left) const {
    if (step + 1 == p_.steps || !left.is_finite()) return "";
    const Number read = read_acc(p_, step + 1, left);
    return read.is_zero() && !left.is_zero() ? fmt::format("   read as {} by the next step", decimal(read)) : "";
  }

  // Accumulates onto `acc`; returns what it leaves.
  Number one_step(int lane, int step, const Number& acc) {
    const int end = p_.places.last(Region::step, lane * p_.steps + step);
    const Number result = number_at(trace_, end);
    if (p_.lanes * p_.steps > 1 && is_idle(lane, step) && same_value(acc, result)) {
      const std::string name = place(end).name;
      idle(name.substr(0, name.rfind('.')), "its products are zero: acc stays " + decimal(result));
      while (site_ < sites_.size() && sites_[site_].window < end) ++site_;
    } else {
      end_idle();
      special(lane, step, acc);
      sums_before(end);
      end_idle();
      page_.entry(place(end).name, value_text(result, p_.d.is_integer()) + as_next_reads(step, result));
    }
    return result;
  }

  bool is_idle(int lane, int step) const {
    const int* order = p_.step_order(lane, step);
    const Region last = p_.circuit.regions_of_products().back();
    return std::all_of(order, order + p_.step_terms,
                       [&](int i) { return number_at(trace_, first(last, i)).is_zero(); });
  }

  void special(int lane, int step, const Number& acc) {
    if (p_.datapath.specials != Specials::step) return;
    const int at = first(Region::step, lane * p_.steps + step);
    if (trace_.field(at, "outcome") == 0) return;
    page_.entry(place(at).name,
                step_reason(trace_, acc, lane, step) + "; this is the step's result, and the sums below leave it out");
  }

  // --- sums ---

  void sums_before(int end) {
    for (; site_ < sites_.size() && sites_[site_].window < end; ++site_) {
      const SumSite& site = sites_[site_];
      const std::string passed = passed_on(trace_, site);
      if (all_zero(trace_, site)) {
        idle(site.name, "nothing but zeros: +0");
      } else if (!passed.empty()) {
        end_idle();
        page_.entry(site.name, passed);
      } else {
        end_idle();
        sum_block(page_, trace_, site);
      }
    }
  }

  // Neighbours that say the same share a line.
  void idle(const std::string& name, const std::string& what) {
    if (what != idle_what_) end_idle();
    if (idle_what_.empty()) idle_first_ = name;
    idle_last_ = name;
    idle_what_ = what;
  }

  void end_idle() {
    if (idle_what_.empty()) return;
    page_.entry(span_text(idle_first_, idle_last_), idle_what_);
    idle_what_.clear();
  }

  // --- d ---

  void ending() {
    const Number d = decode(d_, p_.d, Subnormals::keep, p_.datapath.specials);
    page_.line("");
    page_.row("encode", hex_text(d_, p_.d) + nan_text(d));
    page_.row("d", hex_text(d_, p_.d) + "   " + decimal(d));
    page_.row("", split_code(d_, p_.d));
    if (p_.datapath.flags) page_.row("flags", flags_text());
  }

  std::string flags_text() const {
    std::string raised;
    const int first = p_.places.first(Region::flags);
    for (int i = 0; i < static_cast<int>(flag_names.size()); ++i) {
      if (trace_.field(first + i, "raised") == 0) continue;
      raised += (raised.empty() ? "" : ", ") + std::string(flag_names[static_cast<std::size_t>(i)]);
    }
    return raised.empty() ? "none raised" : raised;
  }

  std::string nan_text(const Number& d) const {
    if (d.cls != Class::nan) return "";
    if (p_.nan.with_sign) return "   the quiet NaN, with the sign of the NaN";
    if (p_.nan.has_order()) return "   the first NaN of those that `nan.take` lists, made quiet, or the made one";
    return p_.nan.propagate ? "   the first NaN's payload made quiet, or a new quiet NaN"
                            : "   how this datapath writes every NaN";
  }

  const Plan& p_;
  const Case& case_;
  const Trace& trace_;
  Code d_;
  std::vector<SumSite> sites_;
  std::size_t site_ = 0;  // the next sum to show
  std::string idle_first_, idle_last_, idle_what_;
  Page page_;
};

// The exact sum and what it rounds to.
std::string exact_text(const Plan& plan, const ExactSum& exact) {
  Page page;
  if (exact.sum.kind != exact::Kind::finite) {
    page.row("exact", exact.why_none.empty() ? fmt::format("{}: not every term is finite", decimal(exact.sum))
                                             : "none: " + exact.why_none);
    return page.text();
  }
  const Dyadic& sum = exact.sum.value;
  const std::string bits = sign(sum) == 0 || plan.d.is_integer() ? "" : scientific(sum, floor_log2(sum)) + "   ";
  page.row("exact", bits + decimal(sum));
  const std::string nearest = hex_text(*exact.nearest, plan.d);
  if (!exact.beyond && plan.d.is_integer()) {
    page.row("", fmt::format("as {}: {}", plan.d.name, nearest));
  } else if (!exact.beyond) {
    page.row("", fmt::format("to the nearest {} (ties to even): {}", plan.d.name, nearest));
  } else if (plan.d.is_integer()) {
    page.row("", fmt::format("more than {} holds; modulo 2^{}: {}", plan.d.name, plan.d.stored_bits, nearest));
  } else {
    page.row("", fmt::format("beyond the greatest {}; to the nearest (ties to even): {}", plan.d.name, nearest));
  }
  return page.text();
}

// How far a d lies from it, as a sentence.
std::string error_text(const Plan& plan, const ExactSum& exact, Code d) {
  if (!exact.ulp) return "there is no finite exact sum to hold d against";
  if (exact.beyond && d == *exact.nearest) return "d is what the exact sum becomes in " + plan.d.name;
  const std::optional<Dyadic> error = error_of(plan, exact, d);
  if (!error) return "d is not finite, but the exact sum is";
  const bool correct = d == *exact.nearest;
  return fmt::format("d - exact = {} ulp; 1 ulp is 2^{}{}", in_ulps(*error, *exact.ulp), *exact.ulp,
                     correct ? "; d is the exact sum correctly rounded" : "");
}

std::string error_row(const std::string& name, const Explanation& e, const Answered& side) {
  if (!side.answer.ok()) return "";
  return fmt::format("{:<{}}{}\n", name, Page::name_width, error_text(*e.question.plan, e.exact, side.answer.d));
}

}  // namespace

std::string as_text(const Explanation& e, bool colour) {
  const std::string by = e.shown.name == "model" ? "" : " by " + e.shown.name;
  const std::string text = fmt::format("{}{}\n\n{}{}", e.question.subject, by, Stages(e.shown, e.question.one).text(),
                                       exact_text(*e.question.plan, e.exact));
  if (!e.sides) return text + error_row("error", e, e.shown) + budget_text(e);
  return fmt::format("{}{}error\n{}{}{}", text, sides_text(*e.sides, colour),
                     error_row("  reference", e, e.sides->reference), error_row("  device", e, e.sides->device),
                     budget_text(e));
}

}  // namespace assay::explain
