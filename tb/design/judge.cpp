#include "tb/design/judge.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tb/design/program.hpp"
#include "tb/guarantee/chain.hpp"
#include "tb/guarantee/property_search.hpp"

namespace assay::design {
namespace {

const char* state_text(guarantee::HoldState state) {
  switch (state) {
    case guarantee::HoldState::holds: return "holds";
    case guarantee::HoldState::fails: return "fails";
    case guarantee::HoldState::open: return "no case failed";
    case guarantee::HoldState::idle: return "says nothing of this unit";
  }
  return "";
}

int greatest_k_of(const Study& study) {
  int k = 0;
  for (const ProductShape& s : study.shapes) k = std::max(k, s.k);
  return k;
}

}  // namespace

Judge::Judge(const Spec& spec, const Machines& machines, const Catalogue& catalogue, const Trials& trials,
             std::string folder)
    : spec_(spec), machines_(machines), trials_(trials), folder_(std::move(folder)) {
  for (const DesignLimit& limit : spec.limits) {
    instructions_.push_back(nullptr);
    if (limit.kind != LimitKind::equals) continue;
    auto machine = reference_machine(spec.study, limit.name, catalogue);
    const bool fits = std::any_of(machines.begin(), machines.end(), [&](const auto& m) {
      return m->operands.key() == machine->operands.key() && m->result == machine->result;
    });
    if (!fits)
      throw Error{
          fmt::format("{}: {} takes and gives other formats than every point of the space, so that none can equal it.",
                      limit.place, limit.name)};
    instructions_.back() = std::move(machine);
  }
}

Judgement Judge::judge(std::size_t limit, int point) const {
  const DesignLimit& asked = spec_.limits[limit];
  const Machine& machine = *machines_[static_cast<std::size_t>(point)];
  switch (asked.kind) {
    case LimitKind::bound: return bound(asked, machine);
    case LimitKind::equals: return equals(limit, machine);
    case LimitKind::property: return property(asked, machine);
    case LimitKind::program: return program(asked, machine, point);
    case LimitKind::measure: break;
  }
  return {true, "", 0};
}

// The part that is relative to S; what subnormal numbers add is told by `assay guarantee`.
Judgement Judge::bound(const DesignLimit& limit, const Machine& machine) const {
  const guarantee::Chain chain{greatest_k_of(spec_.study), machine.walk.promote_every, machine.walk.split_k};
  const std::string problem = guarantee::chain_problem(machine.plan, chain);
  if (!problem.empty()) return {false, "no bound is derived: " + problem, 0};
  const guarantee::Promise promised =
      guarantee::promise(machine.plan, chain, guarantee::Reference::sum, guarantee::Signs::any);
  const double relative = promised.bound.either().relative.get_d();
  return {limit.is_met(relative, relative), fmt::format("{:.3g} x S", relative), limit.excess(relative)};
}

Judgement Judge::equals(std::size_t limit, const Machine& machine) const {
  const Machine& other = *instructions_[limit];
  const Study& study = spec_.study;
  if (machine.operands.key() != other.operands.key() || !(machine.result == other.result))
    return {false, "formats differ", 0};
  for (int seed = 0; seed < study.seeds; ++seed) {
    for (std::size_t input = 0; input < study.inputs.size(); ++input) {
      for (std::size_t shape = 0; shape < study.shapes.size(); ++shape) {
        if (!trials_.equal(machine, other, input, shape, seed))
          return {false,
                  fmt::format("differs on {}, K = {}, seed {}", study.inputs[input].name, study.shapes[shape].k,
                              study.seed + seed),
                  0};
      }
    }
  }
  return {true, "equal", 0};
}

Judgement Judge::property(const DesignLimit& limit, const Machine& machine) const {
  const auto findings = guarantee::property_findings(machine.plan, {limit.property}, {});
  const guarantee::HoldState state = findings.front().state;
  return {state != guarantee::HoldState::fails, state_text(state), 0};
}

Judgement Judge::program(const DesignLimit& limit, const Machine& machine, int point) const {
  const double number =
      number_of_program(limit.file, machine.plan.datapath, machine.plan.k, fmt::format("{}/{}", folder_, point));
  return {limit.is_met(number, number), fmt::format("{:g}", number), limit.excess(number)};
}

}  // namespace assay::design
