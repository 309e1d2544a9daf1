#include "sim/cli/explain_reason.hpp"

#include <fmt/format.h>

#include "model/core/multiply.hpp"
#include "sim/cli/explain_sums.hpp"

namespace assay {
namespace {

Number at(const Trace& trace, const std::string& place) { return number_at(trace, trace.plan().find_place(place)); }

bool is_nan(const Number& n) { return n.cls == Class::nan; }

// A number of a step, and the words for it should it be special.
struct Candidate {
  Number number;
  std::string name;
  std::string because;
};

std::string joined_reason(const std::vector<Candidate>& all) {
  const Candidate *nan = nullptr, *positive = nullptr, *negative = nullptr;
  for (const Candidate& one : all) {
    if (one.number.is_finite()) continue;
    const Candidate*& slot = is_nan(one.number) ? nan : one.number.negative ? negative : positive;
    if (slot == nullptr) slot = &one;
  }
  if (nan != nullptr) return "NaN, because " + nan->because;
  if (positive != nullptr && negative != nullptr) {
    return fmt::format("NaN, because infinities of both signs meet: {} is +inf, {} is -inf", positive->name,
                       negative->name);
  }
  const Candidate* infinite = positive != nullptr ? positive : negative;
  return infinite == nullptr ? "" : fmt::format("{}, because {}", decimal(infinite->number), infinite->because);
}

std::string is_what(const std::string& name, const Number& n) { return name + " is " + decimal(n); }

// Scales by their block, where each product takes its own.
std::string scale_reason(const Trace& trace, int block) {
  for (const char* side : {"scale_a", "scale_b"}) {
    const Number n = at(trace, fmt::format("decode.{}[{}]", side, block));
    if (!n.is_finite()) return is_what(fmt::format("{}[{}]", side, block), n);
  }
  return "a scale of its block says so";
}

// The product as the adders receive it.
Number term_at(const Trace& trace, int i) {
  const Plan& plan = trace.plan();
  const char* place = plan.product_round ? "multiply.round" : plan.datapath.product.times_scales ? "scale" : "multiply";
  return at(trace, fmt::format("{}[{}]", place, i));
}

Candidate term_candidate(const Trace& trace, int i) {
  const Number n = term_at(trace, i);
  const std::string name = fmt::format("a[{}] x b[{}]", i, i);
  if (!n.is_finite()) return {n, name, term_reason(trace, i)};
  const std::optional<int>& limit = trace.plan().datapath.product.infinity_at;
  if (!limit || !reaches(n, *limit)) return {n, name, ""};
  return {Number::infinity(n.negative), name,
          fmt::format("{} is of magnitude 2^{} or more, which counts as infinity here", name, *limit)};
}

}  // namespace

std::string special_reason(const std::vector<NamedNumber>& numbers) {
  std::vector<Candidate> all;
  for (const NamedNumber& one : numbers) all.push_back({one.number, one.name, is_what(one.name, one.number)});
  return joined_reason(all);
}

std::string term_reason(const Trace& trace, int term) {
  const Number a = at(trace, fmt::format("decode.a[{}]", term)), b = at(trace, fmt::format("decode.b[{}]", term));
  const std::string name = fmt::format("a[{}] x b[{}]", term, term);
  if (is_nan(a)) return fmt::format("a[{}] is NaN", term);
  if (is_nan(b)) return fmt::format("b[{}] is NaN", term);
  if (!a.is_finite() || !b.is_finite()) return fmt::format("{} is {} x {}", name, decimal(a), decimal(b));
  const Plan& plan = trace.plan();
  if (plan.datapath.product.times_scales) {
    const Number scaled = at(trace, fmt::format("scale[{}]", term));
    if (!scaled.is_finite()) return scale_reason(trace, term / plan.scale_block);
  }
  return fmt::format("{} is beyond the greatest {}", name, plan.product_round ? plan.product_round->format.name : "");
}

std::string step_reason(const Trace& trace, const Number& acc, int lane, int step) {
  const Plan& plan = trace.plan();
  std::vector<Candidate> all;
  const int* order = plan.step_order(lane, step);
  for (int i = 0; i < plan.step_terms; ++i) all.push_back(term_candidate(trace, order[i]));
  all.push_back({acc, "acc", is_what("acc", acc)});
  bool scaled = false;
  for (const AdderPlan& adder : plan.adders) scaled = scaled || adder.times_scales;
  for (int i = 0; scaled && i < plan.step_terms; ++i) {
    const int block = order[i] / plan.scale_block;
    for (const char* side : {"scale_a", "scale_b"}) {
      const std::string name = fmt::format("{}[{}]", side, block);
      const Number n = at(trace, "decode." + name);
      all.push_back({n, name, is_what(name, n)});
    }
  }
  return joined_reason(all);
}

}  // namespace assay
