// The places of a plan that may err, and the words that would ease them.
#include <fmt/format.h>

#include <algorithm>

#include "tb/explain/budget.hpp"
#include "tb/explain/sum_text.hpp"

namespace assay::explain {
namespace {

// Whether every value but the last is added exactly once, as it is, and no scales multiply a sum.
bool is_plain(const CircuitBlock& block, bool one_is_given) {
  std::vector<int> uses(static_cast<std::size_t>(block.values()));
  for (const SumNode& node : block.sums) {
    if (node.scaled_by >= 0) return false;
    for (const SumItem& item : node.items) {
      if (item.negate) return false;
      ++uses[static_cast<std::size_t>(item.value)];
    }
  }
  for (int value = 0; value < block.result(); ++value) {
    const int wanted = value == block.one() && !one_is_given ? 0 : 1;
    if (uses[static_cast<std::size_t>(value)] != wanted) return false;
  }
  return true;
}

}  // namespace

ErrorSources::ErrorSources(std::shared_ptr<const Plan> plan) : plan_(std::move(plan)), sites_(sum_sites(*plan_)) {
  const Plan& p = *plan_;
  a_ = of_operand("decode.a", "a", &Datapath::subnormals_a);
  b_ = of_operand("decode.b", "b", &Datapath::subnormals_b);
  c_ = of_operand("decode.c", "c", &Datapath::subnormals_c);
  if (p.steps > 1) acc_ = of_operand("acc", "acc", &Datapath::subnormals_acc);
  if (a_.kept != none && b_.kept != none) {
    Datapath kept = p.datapath;
    kept.subnormals_a = kept.subnormals_b = Subnormals::keep;
    both_kept_ = easement("subnormals.a, subnormals.b", "keep", "subnormals of a and b kept", std::move(kept));
  }
  if (p.product_round) {
    product_ = of_result("multiply.round", "product.round", *p.product_round,
                         [](Datapath& d) -> Result& { return *d.product.round; });
  }
  for (std::size_t i = 0; i < p.adders.size(); ++i) adders_.push_back(of_adder(&Datapath::adders, p.adders[i], i));
  for (std::size_t i = 0; i < p.finish.size(); ++i) finish_.push_back(of_adder(&Datapath::finish, p.finish[i], i));
  const bool c_starts = p.datapath.start == Start::c;
  step_is_plain_ = is_plain(p.circuit.step, true);
  finish_is_plain_ = p.finish.empty() || is_plain(p.circuit.finish, !c_starts);
  wired_ = source("wires", Cause::wired, "added twice, or multiplied by scales twice");
}

int ErrorSources::source(std::string where, Cause cause, std::string words) {
  all_.push_back({std::move(where), cause, std::move(words)});
  return static_cast<int>(all_.size()) - 1;
}

int ErrorSources::easement(std::string key, std::string value, std::string words, Datapath datapath) {
  easements_.push_back({std::move(key), std::move(value), std::move(words), std::move(datapath)});
  return static_cast<int>(easements_.size()) - 1;
}

ErrorSources::OfOperand ErrorSources::of_operand(const std::string& where, const std::string& name,
                                                 Subnormals Datapath::*subnormals) {
  if (plan_->datapath.*subnormals == Subnormals::keep) return {};
  Datapath kept = plan_->datapath;
  kept.*subnormals = Subnormals::keep;
  return {source(where, Cause::flushed, "subnormals read as zero"),
          easement("subnormals." + name, "keep", "subnormals of " + name + " kept", std::move(kept))};
}

ErrorSources::OfResult ErrorSources::of_result(const std::string& where, const std::string& key, const ResultPlan& plan,
                                               const ResultIn& words) {
  OfResult of;
  of.rounded = source(where, Cause::rounded, "rounded: " + rule_text(plan));
  if (plan.words.at != ResultAt::format) {
    Datapath wider = plan_->datapath;
    ResultPlan eased = plan;
    eased.words.keep = ++words(wider).keep;
    const int number =
        easement(key + ".keep", std::to_string(eased.words.keep), "one more bit in " + where, std::move(wider));
    of.eased.push_back({number, std::move(eased)});
    return of;
  }
  const bool keeps_all = plan.words.overflow == Overflow::infinity || plan.words.overflow == Overflow::nan;
  if (!keeps_all || !plan.format.has_sign)
    of.overflowed = source(where, Cause::overflowed, "beyond what " + plan.format.name + " holds");
  if (plan.format.is_integer() || plan.words.subnormals == Subnormals::keep) return of;
  Datapath kept = plan_->datapath;
  words(kept).subnormals = Subnormals::keep;
  of.flushed = source(where, Cause::flushed, "subnormal " + plan.format.name + " flushed to zero");
  ResultPlan eased = plan;
  eased.words.subnormals = Subnormals::keep;
  const int number = easement(key + ".subnormals", "keep", "subnormal results kept in " + where, std::move(kept));
  of.eased.push_back({number, std::move(eased)});
  return of;
}

ErrorSources::OfAdder ErrorSources::of_adder(AdderList list, const AdderPlan& adder, std::size_t index) {
  const bool in_finish = list == &Datapath::finish;
  const std::string where = (in_finish ? "finish." : "") + adder.name;
  const std::string key = (in_finish ? "finish." : "adders.") + adder.name;
  OfAdder of;
  bool counts_zeros = false;
  for (const InputPlan& input : adder.inputs) {
    const std::string place = where + ".align " + input.words.source;
    of.cut.push_back(source(place, Cause::cut, "bits cut off"));
    of.dropped.push_back(input.words.lost_below ? source(place, Cause::dropped, "dropped, too far below the window")
                                                : none);
    counts_zeros = counts_zeros || input.words.empty;
  }
  if (adder.window.exponent == WindowExponent::largest) {
    if (adder.window.floor || counts_zeros)
      of.floored = source(where + ".window", Cause::floored, "bits cut off below the window's floor");
    if (adder.window.step != 1)
      of.stepped = source(where + ".window", Cause::stepped, "bits cut off by the window's step");
  }
  if (adder.has_sticky()) of.sticky = source(where + ".reduce", Cause::sticky, "the sticky bit");
  for (std::size_t i = 0; i < adder.results.size(); ++i) {
    const std::string name = adder.results.size() == 1 ? "round" : indexed("round", static_cast<int>(i));
    of.results.push_back(of_result(where + "." + name, indexed(key + ".result", static_cast<int>(i)), adder.results[i],
                                   [list, index, i](Datapath& d) -> Result& { return (d.*list)[index].results[i]; }));
  }
  for (std::size_t i = 0; i < of.results.size(); ++i) {
    for (const EasedResult& eased : of.results[i].eased) {
      EasedWords words = words_of(adder);
      words.easement = eased.easement;
      words.results[i] = eased.plan;
      of.eased.push_back(std::move(words));
    }
  }
  ease_inputs(list, adder, index, of);
  ease_window(list, adder, index, of);
  return of;
}

ErrorSources::EasedWords ErrorSources::words_of(const AdderPlan& adder) {
  EasedWords words{none, {}, adder.window, adder.results};
  for (const InputPlan& input : adder.inputs) words.inputs.push_back(input.words);
  return words;
}

// One more bit of each input that is cut, and of all of them; one place more before a number is dropped.
void ErrorSources::ease_inputs(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of) {
  const std::string key = (list == &Datapath::finish ? "finish." : "adders.") + adder.name + ".add.";
  const auto ease = [&](const std::vector<std::size_t>& inputs, std::optional<int> Input::*word,
                        const std::string& path, const std::string& words) {
    EasedWords eased = words_of(adder);
    Datapath changed = plan_->datapath;
    for (const std::size_t i : inputs) {
      eased.inputs[i].*word = *(eased.inputs[i].*word) + 1;
      (changed.*list)[index].add[i].*word = eased.inputs[i].*word;
    }
    const std::string value = inputs.size() == 1 ? std::to_string(*(eased.inputs[inputs.front()].*word)) : "+1";
    eased.easement = easement(path, value, words, std::move(changed));
    of.eased.push_back(std::move(eased));
  };
  std::vector<std::size_t> cut;
  for (std::size_t i = 0; i < adder.inputs.size(); ++i) {
    const Input& input = adder.inputs[i].words;
    const std::string of_input = input.source + " in " + adder.name;
    if (input.keep) {
      cut.push_back(i);
      ease({i}, &Input::keep, key + input.source + ".keep", "one more bit of " + of_input);
    }
    if (input.lost_below)
      ease({i}, &Input::lost_below, key + input.source + ".lost_below", "one place more of " + of_input);
  }
  ease_throughout(list, adder, index, of);
  if (cut.size() > 1) ease(cut, &Input::keep, key + "*.keep", "one more bit of all inputs of " + adder.name);
}

// One more bit in every input and every result that has a `keep`, where both do: a bit that one keeps the other may
// cut.
void ErrorSources::ease_throughout(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of) {
  EasedWords eased = words_of(adder);
  Datapath changed = plan_->datapath;
  Adder& words = (changed.*list)[index];
  bool inputs = false, results = false;
  for (std::size_t i = 0; i < eased.inputs.size(); ++i) {
    if (!eased.inputs[i].keep) continue;
    words.add[i].keep = ++*eased.inputs[i].keep;
    inputs = true;
  }
  for (std::size_t i = 0; i < eased.results.size(); ++i) {
    if (eased.results[i].words.at == ResultAt::format) continue;
    words.results[i].keep = ++eased.results[i].words.keep;
    results = true;
  }
  if (!inputs || !results) return;
  const std::string key = (list == &Datapath::finish ? "finish." : "adders.") + adder.name + ".**.keep";
  eased.easement = easement(key, "+1", "one more bit throughout " + adder.name, std::move(changed));
  of.eased.push_back(std::move(eased));
}

void ErrorSources::ease_window(AdderList list, const AdderPlan& adder, std::size_t index, OfAdder& of) {
  const std::string key = (list == &Datapath::finish ? "finish." : "adders.") + adder.name + ".window.";
  const auto ease = [&](const Window& window, const std::string& word, int value, const std::string& words) {
    EasedWords eased = words_of(adder);
    eased.window = window;
    Datapath changed = plan_->datapath;
    (changed.*list)[index].window = window;
    eased.easement = easement(key + word, std::to_string(value), words + " of " + adder.name, std::move(changed));
    of.eased.push_back(std::move(eased));
  };
  Window lower = adder.window, finer = adder.window;
  if (lower.floor) {
    --*lower.floor;
    ease(lower, "floor", *lower.floor, "a window floor one lower");
  }
  if (of.stepped != none) {
    finer.step = 1;
    ease(finer, "step", 1, "a window without step");
  }
}

}  // namespace assay::explain
