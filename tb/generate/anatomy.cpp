#include "tb/generate/anatomy.hpp"

#include "model/core/decode.hpp"

namespace assay {
namespace {

Exponents add(const Exponents& x, const Exponents& y) { return {x.least + y.least, x.greatest + y.greatest}; }

void sort_out(std::vector<int>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The cuts of one Plan, collected word by word.
class Cuts {
 public:
  explicit Cuts(Anatomy& into) : into_(into) {}

  void input(const Input& input, const Window& window) {
    const bool fixed = window.exponent == WindowExponent::fixed;
    if (input.keep) {
      into_.edges.push_back(*input.keep);
      exact(fixed ? *input.keep - window.at : *input.keep - (window.step - 1));
    }
    if (input.lost_below) {
      into_.edges.push_back(*input.lost_below);
      exact(*input.lost_below);
    }
    if (input.empty) into_.floors.push_back(*input.empty);
    if (input.empty && input.keep) into_.grids.push_back(*input.empty - *input.keep);
  }

  void result(const ResultPlan& result) {
    const bool whole = result.words.at != ResultAt::format;
    const int fraction_bits = whole ? result.words.keep : result.format.mantissa_bits;
    // An integer ends as many bits below its greatest leading one.
    into_.edges.push_back(result.format.is_integer() ? range_of(result.format).greatest : fraction_bits);
    exact(result.format.is_integer() ? result.format.stored_bits - 1 : fraction_bits);
    if (result.words.least_exponent) {
      into_.floors.push_back(*result.words.least_exponent);
      into_.grids.push_back(*result.words.least_exponent - fraction_bits);
    }
    if (!whole) into_.floors.push_back(result.format.least_exponent());
  }

  void adder(const AdderPlan& adder) {
    for (const InputPlan& in : adder.inputs) input(in.words, adder.window);
    for (const ResultPlan& r : adder.results) result(r);
    if (adder.window.exponent == WindowExponent::fixed) {
      if (adder.times_scales) scaled_block(adder);
    } else if (adder.window.floor) {
      into_.floors.push_back(*adder.window.floor);
      for (const InputPlan& in : adder.inputs) {
        if (in.words.keep) into_.grids.push_back(*adder.window.floor - *in.words.keep);
      }
    }
  }

 private:
  // Its sum may stand well above the exponent it counts with.
  void scaled_block(const AdderPlan& adder) {
    into_.block_exponent = adder.window.at;
    into_.deepest = adder.sum.range.integer_bits;
  }

  void exact(int bits) { into_.exact_bits = std::min(into_.exact_bits, std::max(bits, 1)); }

  Anatomy& into_;
};

std::vector<FormatEdge> edges_of_list(const Format& format) {
  return format.rounds_to_list() ? format_edges(format.values()) : std::vector<FormatEdge>{};
}

// Whether what aims at d's ends aims at this format's as well; at those of a list, of sums alone.
bool like_d(const Format& f, const Format& d, InnerEdges::At at) {
  const bool same_fields = f.kind == d.kind && f.exponent_bits == d.exponent_bits &&
                           f.mantissa_bits == d.mantissa_bits && f.bias == d.bias && f.stored_bits == d.stored_bits;
  return f.rounds_to_list() ? f == d && at == InnerEdges::At::sum : f == d || same_fields;
}

std::vector<InnerEdges> inner_edges(const Plan& plan) {
  using At = InnerEdges::At;
  std::vector<InnerEdges> found;
  const auto see = [&](At at, const ResultPlan& r) {
    if (r.words.at != ResultAt::format || like_d(r.format, plan.d, at)) return;
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const InnerEdges& i) { return i.at == at && *i.format == r.format; });
    if (!known) found.push_back({at, &r.format, edges_of_list(r.format)});
  };
  if (plan.factor_a.round) see(At::a, *plan.factor_a.round);
  if (plan.factor_b.round) see(At::b, *plan.factor_b.round);
  if (plan.product_round) see(At::product, *plan.product_round);
  for (const std::vector<AdderPlan>* list : {&plan.adders, &plan.finish}) {
    for (const AdderPlan& adder : *list) {
      for (const ResultPlan& r : adder.results) see(At::sum, r);
    }
  }
  return found;
}

}  // namespace

bool has_inner_formats(const Plan& plan) { return !inner_edges(plan).empty(); }

bool has_lists(const Plan& plan) {
  return plan.a.rounds_to_list() || plan.b.rounds_to_list() || plan.c.rounds_to_list() || plan.d.rounds_to_list();
}

namespace {

struct OperandCodes {
  OneBitApart::At at;
  const Format* format;
  std::vector<ToldCode> told;
};

std::vector<OperandCodes> codes_of_operands(const Plan& plan) {
  using At = OneBitApart::At;
  std::vector<OperandCodes> all;
  const auto add = [&](At at, const Format& format) { all.push_back({at, &format, told_codes(format)}); };
  add(At::a, plan.a), add(At::b, plan.b), add(At::c, plan.c);
  if (plan.scale) add(At::scale_a, *plan.scale), add(At::scale_b, *plan.scale);
  return all;
}

// Where a, c and d are of one format, c is tested beside a, unless the code is a NaN, which would hide the other's: 3
// times 63 bits of f64 would be too many for the turns of level 1.
void find_one_bit_apart(Anatomy& f) {
  using At = OneBitApart::At;
  const Plan& p = *f.plan;
  const bool alike = p.scales == 0 && p.a == p.c && p.c == p.d;
  const std::vector<OperandCodes> operands = codes_of_operands(p);
  for (int bit = 0; bit < 64; ++bit) {
    for (const auto& [at, format, told] : operands) {
      if (bit >= told_bits(*format)) continue;
      for (const ToldCode& one : told) {
        const Code code = format->stored(one.used ^ Code{1} << bit);
        const Class read_as = decode(code, *format, Subnormals::keep, Specials::step).cls;
        const bool both = alike && read_as == Class::finite;
        auto& found = read_as == Class::nan && format->nan == NanCodes::ieee ? f.nans_apart : f.numbers_apart;
        if (at != At::c || !both) found.push_back({at, code, both && at == At::a});
      }
    }
  }
}

std::vector<int> exponents_to_test(const Anatomy& f) {
  const Plan& p = *f.plan;
  std::vector<int> found;
  if (p.d.is_integer() || p.d.is_list()) return found;
  const Exponents of_c = powers_of(p.c), products = reach_of_one_term(f);
  const auto add = [&](int exponent) {
    if (products.nearest(exponent) == exponent || of_c.nearest(exponent) == exponent) found.push_back(exponent);
  };
  for (const int edge : {p.d.least_exponent(), p.d.greatest_exponent() + 1}) {
    for (int distance = 1; distance <= 1 << 12; distance *= 2) {
      for (const int from : {distance - 1, distance}) add(edge + from), add(edge - from);
    }
  }
  sort_out(found);
  return found;
}

}  // namespace

Anatomy anatomy(const Plan& plan) {
  Anatomy f;
  f.plan = &plan;
  f.exact_bits = 62;

  Cuts cuts(f);
  if (plan.product_round) cuts.result(*plan.product_round);
  for (const AdderPlan& adder : plan.adders) cuts.adder(adder);
  for (const AdderPlan& adder : plan.finish) cuts.adder(adder);
  sort_out(f.edges);
  sort_out(f.floors);
  sort_out(f.grids);
  f.reach = f.edges.empty() ? 0 : f.edges.back();
  f.deepest += f.reach + 3;

  f.of_a = range_of(plan.a), f.of_b = range_of(plan.b);
  f.products = add(f.of_a, f.of_b);
  f.powers = add(powers_of(plan.a), powers_of(plan.b));
  if (plan.scale) f.scales = add(range_of(*plan.scale), range_of(*plan.scale));
  const Exponents all = add(f.products, f.scales);
  const Exponents d = range_of(plan.d);
  f.terms = all.meet({d.least - f.deepest, d.greatest});
  if (f.terms.empty()) f.terms = all;
  f.c = range_of(plan.c);
  f.shared = f.terms.meet(f.c);
  if (f.shared.empty()) f.shared = f.terms;
  f.list_edges = {edges_of_list(plan.a), edges_of_list(plan.b), edges_of_list(plan.c), edges_of_list(plan.d),
                  inner_edges(plan)};
  find_one_bit_apart(f);
  f.exponent_tests = exponents_to_test(f);
  return f;
}

std::vector<int> input_edges(const Plan& plan) {
  std::vector<int> edges;
  for (const std::vector<AdderPlan>* list : {&plan.adders, &plan.finish}) {
    for (const AdderPlan& adder : *list) {
      for (const InputPlan& input : adder.inputs) {
        if (input.words.keep) edges.push_back(*input.words.keep);
        if (input.words.lost_below) edges.push_back(*input.words.lost_below);
      }
    }
  }
  sort_out(edges);
  return edges;
}

namespace {

bool takes_products_alone(const AdderPlan& a) {
  return a.inputs.size() == 1 && a.inputs.front().kind == ValueKind::term && a.shape == Shape::flat;
}

}  // namespace

std::optional<TwiceCut> twice_cut(const Plan& plan) {
  for (const AdderPlan& adder : plan.adders) {
    for (const InputPlan& input : adder.inputs) {
      if (input.words.again.empty() || !input.words.keep) continue;
      for (std::size_t i = 0; i < plan.adders.size(); ++i) {
        if (plan.adders[i].name == input.words.source && takes_products_alone(plan.adders[i]))
          return TwiceCut{static_cast<int>(i), *input.words.keep, input.words.again.front().keep};
      }
    }
  }
  return std::nullopt;
}

std::optional<int> widest_keep_of_products(const Plan& plan) {
  std::optional<int> widest;
  for (const AdderPlan& adder : plan.adders) {
    for (const InputPlan& input : adder.inputs) {
      if (input.kind == ValueKind::term && input.words.keep) widest = std::max(widest.value_or(0), *input.words.keep);
    }
  }
  return widest;
}

std::vector<int> elements_of_group(const Plan& plan, int adder, int group, int instance) {
  std::vector<int> elements;
  for (const SumItem& item : items_of_group(plan.circuit.step, adder, group)) {
    if (plan.circuit.step.kind(item.value) == ValueKind::term)
      elements.push_back(plan.element_of(plan.order_of(instance)[item.value]));
  }
  return elements;
}

}  // namespace assay
