// Specs, spaces and searches for tests, whose costs are made up.
#pragma once

#include "tb/design/answer.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay::design {

// 6 x 6 points, of which a condition leaves 21.
inline const std::string small_spec = R"(design: small
title: A small one
datapath: fused_f25
operands: {a: e4m3, b: e4m3, c: f32, d: f32}
k: 4
vary:
  - {name: product, set: adders.sum.add.product.keep, values: 5..10}
  - {name: acc, set: adders.sum.add.acc.keep, values: 5..10}
conditions: [acc >= product]
inputs: [normal]
shapes: {m: 4, n: 4, k: 64}
seeds: 8
want: area
)";

inline Spec spec_of(const std::string& text) {
  const Scratch scratch;
  return read_spec(scratch.file("spec.yaml", text), test_catalogue());
}

// The message of the Error that `work` throws; empty where it throws none.
template <class Work>
std::string error_of(const Work& work) {
  try {
    work();
  } catch (const Error& e) {
    return e.message;
  }
  return "";
}

inline std::string error_of_spec(const std::string& text) {
  return error_of([&] {
    const Spec spec = spec_of(text);
    space_of(spec, test_catalogue());
  });
}

// A made-up cost: what is kept of products counts four times as much as what is kept of acc.
inline CostAnswer made_up(const Machine& machine, const std::string&) {
  double area = 100;
  for (const InputPlan& input : machine.plan.adders.at(0).inputs)
    area += (input.kind == ValueKind::term ? 4 : 1) * input.words.keep.value_or(0);
  Cost cost;
  cost.area = area;
  cost.delay = 1000 / area;
  cost.cells = cost.depth = 1;
  return {cost, "", ""};
}

struct Made {
  explicit Made(const std::string& text, SearchAllowance effort = {}, const Costs& costs = made_up)
      : spec(spec_of(text)), space(space_of(spec, test_catalogue())) {
    found = run(effort, costs, scratch / "run");
    answer = answer_of(spec, space, found);
  }

  Searched run(const SearchAllowance& effort, const Costs& costs, const std::string& folder) const {
    Trials trials(spec.study, space.machines, "test", folder, effort.threads);
    return searched(spec, space, {test_catalogue(), costs, folder, effort, {}}, trials);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> list;
    for (const Chosen& c : answer.chosen) list.push_back(space.machines[static_cast<std::size_t>(c.point)]->point.name);
    return list;
  }

  Scratch scratch;
  Spec spec;
  Space space;
  Searched found;
  DesignAnswer answer;
};

inline SearchAllowance exhausting() {
  SearchAllowance effort;
  effort.exhaust = true;
  return effort;
}

}  // namespace assay::design
