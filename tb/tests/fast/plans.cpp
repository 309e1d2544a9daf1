#include "tb/tests/fast/plans.hpp"

#include <hwy/targets.h>

#include <set>
#include <stdexcept>

#include "model/config/catalogue.hpp"
#include "model/fast/targets.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

std::string operands_text(const Plan& p) {
  const std::string scale = p.scale ? ", " + p.scale->name + " a " + std::to_string(p.scale_block) : "";
  std::string mask;
  if (p.mask >= 0) {
    const Mask& pattern = p.more[static_cast<std::size_t>(p.mask)].pattern;
    mask = ", mask";
    if (pattern.has_pattern()) mask += " " + std::to_string(*pattern.take) + " of " + std::to_string(*pattern.among);
  }
  return p.a.name + " x " + p.b.name + " + " + p.c.name + " to " + p.d.name + ", k " + std::to_string(p.k) + scale +
         mask;
}

// Datapaths that neither an instruction uses nor operands of their own are given with are tried on these.
Plan plan_on_halves(DatapathFile file) {
  file.datapath.operands = {"f16", "f16", "f32", "f32", "", 0};
  file.k = 32;
  return plan_of(file);
}

std::vector<Plan> collected_plans() {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<Plan> plans;
  std::set<std::string> seen, used;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Plan p = catalogue.plan_of(instruction);
      used.insert(instruction.datapath);
      if (p.brings_numbers()) continue;  // matrices bring no more than a, b, c, pairs of scales and a mask
      if (seen.insert(plan_text(p)).second) plans.push_back(std::move(p));
    }
  }
  for (const std::string& name : catalogue.datapath_names()) {
    const DatapathFile file = catalogue.datapath(name);
    if (used.count(name) != 0) continue;
    Plan own = file.k ? plan_of(file) : plan_on_halves(file);
    if (!own.brings_numbers()) plans.push_back(std::move(own));
  }
  return plans;
}

// Of the plans made for tests, one in so many is tried: with assertions and sanitizers each takes much longer.
#ifdef NDEBUG
constexpr std::size_t stride = 1;
#else
constexpr std::size_t stride = 10;
#endif

std::vector<Plan> mutated_plans() {
  std::vector<Plan> plans;
  std::set<std::string> seen;
  std::size_t number = 0;
  for (const Plan& shipped : shipped_plans()) {
    if (!seen.insert(shipped.datapath.name).second) continue;
    for (Mutation& mutation : mutations(shipped.datapath, shipped.k)) {
      if (number++ % stride != 0) continue;
      mutation.changed.name += ", " + mutation.name;
      auto made = plan(mutation.changed, shipped.k);
      if (auto* good = std::get_if<Plan>(&made); good != nullptr && !good->brings_numbers())
        plans.push_back(std::move(*good));
    }
  }
  return plans;
}

}  // namespace

const std::vector<Plan>& changed_plans() {
  static const std::vector<Plan> plans = mutated_plans();
  return plans;
}

const std::vector<Plan>& shipped_plans() {
  static const std::vector<Plan> plans = collected_plans();
  return plans;
}

Plan own_plan(std::uint64_t number) {
  for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
    const OwnDatapath own = random_datapath(number, attempt);
    auto made = plan(own.words, own.k);
    if (auto* good = std::get_if<Plan>(&made); good != nullptr && good->more.empty()) return std::move(*good);
  }
  throw std::runtime_error("None of 100 datapaths drawn for number " + std::to_string(number) + " can be planned.");
}

std::string plan_text(const Plan& plan) { return plan.datapath.name + ", " + operands_text(plan); }

OnlyTarget::OnlyTarget(std::int64_t target) { hwy::SetSupportedTargetsForTest(target); }
OnlyTarget::~OnlyTarget() { hwy::SetSupportedTargetsForTest(0); }

std::vector<std::int64_t> targets() { return kernel_targets(); }

}  // namespace assay
