#include "tb/design/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tb/design/program.hpp"
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

}  // namespace

guarantee::Chain longest_chain(const Study& study, const Walk& walk) {
  int k = 0;
  for (const ProductShape& s : study.shapes) k = std::max(k, s.k);
  return {k, walk.promote_every, walk.split_k};
}

DerivedBound derived_bound(const Study& study, const Machine& machine) {
  const guarantee::Chain chain = longest_chain(study, machine.walk);
  if (std::string problem = guarantee::chain_problem(machine.plan, chain); !problem.empty()) return {0, problem};
  const guarantee::Promise promised =
      guarantee::promise(machine.plan, chain, guarantee::Reference::sum, guarantee::Signs::any);
  return {promised.bound.either().relative.get_d(), ""};
}

Judgement judged_bound(const DesignLimit& limit, const DerivedBound& bound) {
  if (!bound.why_not.empty()) return {false, "no bound is derived: " + bound.why_not, HUGE_VAL};
  return {limit.is_met(bound.relative, bound.relative), fmt::format("{:.3g} x S", bound.relative),
          limit.excess(bound.relative)};
}

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
    case LimitKind::equals: return equals(limit, machine);
    case LimitKind::property: return property(asked, machine);
    case LimitKind::program: return program(asked, machine, point);
    case LimitKind::bound:
    case LimitKind::measure: break;
  }
  return {true, "", 0};
}

Judgement Judge::equals(std::size_t limit, const Machine& machine) const {
  const Machine& other = *instructions_[limit];
  const Study& study = spec_.study;
  if (machine.operands.key() != other.operands.key() || !(machine.result == other.result))
    return {false, "formats differ", HUGE_VAL};
  // Whoever is equal for longer is nearer, and then whoever has fewer elements that differ.
  const auto inputs = static_cast<int>(study.inputs.size()), shapes = static_cast<int>(study.shapes.size());
  const int products = study.seeds * inputs * shapes;
  for (int i = 0; i < products; ++i) {
    const int seed = i / (inputs * shapes);
    const auto input = static_cast<std::size_t>(i / shapes % inputs), shape = static_cast<std::size_t>(i % shapes);
    const int unlike = trials_.unlike(machine, other, input, shape, seed);
    if (unlike == 0) continue;
    const ProductShape& s = study.shapes[shape];
    return {false,
            fmt::format("{} of {} elements differ on {}, K = {}, seed {}", unlike, s.m * s.n, study.inputs[input].name,
                        s.k, study.seed + seed),
            products - i - 1 + static_cast<double>(unlike) / (s.m * s.n)};
  }
  return {true, "equal", 0};
}

Judgement Judge::property(const DesignLimit& limit, const Machine& machine) const {
  const auto findings = guarantee::property_findings(machine.plan, {limit.property}, {});
  const guarantee::HoldState state = findings.front().state;
  return {state != guarantee::HoldState::fails, state_text(state), 0};
}

Judgement Judge::program(const DesignLimit& limit, const Machine& machine, int point) const try {
  const double number =
      number_of_program(limit.file, machine.plan.datapath, machine.plan.k, fmt::format("{}/{}", folder_, point));
  return {limit.is_met(number, number), fmt::format("{:g}", number), limit.excess(number)};
} catch (const Error& e) {
  throw Error{limit.place + ": The limit " + limit.text() + ": " + e.message, e.ending};
}

}  // namespace assay::design
