#include "tb/design/spec.hpp"

#include <algorithm>
#include <cmath>

#include "tb/design/usual_axes.hpp"

namespace assay::design {
namespace {

constexpr int most_stride = 8;  // of the usual widths

// Measures that say nothing of how good a unit is, or that no unit can mend.
const std::vector<std::string_view> no_errors{"quantisation", "value"};

std::string error_named(const YamlValue& value) {
  std::vector<std::string_view> names{"none", "bound"};
  for (const std::string_view name : names_of_measures()) {
    if (std::find(no_errors.begin(), no_errors.end(), name) == no_errors.end()) names.push_back(name);
  }
  const std::size_t at = value.one_of(names);
  return at == 0 ? "" : std::string(names[at]);
}

std::vector<CostKind> read_want(const YamlValue& value) {
  std::vector<CostKind> want;
  const std::vector<YamlValue> items = value.is_list() ? value.items() : std::vector<YamlValue>{value};
  for (const YamlValue& item : items) {
    const auto kind = static_cast<CostKind>(item.one_of(cost_names()));
    if (std::find(want.begin(), want.end(), kind) != want.end()) item.fail("this cost is named twice.");
    want.push_back(kind);
  }
  if (want.empty()) value.fail("at least one cost is needed, such as area.");
  return want;
}

void check_gates(const YamlValue& value, const Spec& spec) {
  if (!spec.needs_gates())
    value.fail("no cost of gates is wanted, so that nothing is synthesised; name one in `want`.");
}

double read_period(const YamlValue& value, const Spec& spec) {
  check_gates(value, spec);
  return value.real(0.01, 1e6);
}

std::vector<FpgaFamily> read_fpga(const YamlValue& value, const Spec& spec) {
  check_gates(value, spec);
  std::vector<std::string_view> names;
  for (const FpgaFamily& family : fpga_families()) names.push_back(family.name);
  std::vector<FpgaFamily> chosen;
  for (const YamlValue& item : value.items()) {
    const FpgaFamily& family = fpga_families()[item.one_of(names)];
    for (const FpgaFamily& earlier : chosen) {
      if (earlier.name == family.name) item.fail("this family is named twice.");
    }
    chosen.push_back(family);
  }
  return chosen;
}

// As many widths as fit into one design.
void vary_the_usual(Study& study) {
  for (int stride = 1;; stride *= 2) {
    study.axes.clear();
    read_axes(read_yaml_text("vary:\n" + usual_axes(study.base, stride), study.file + " (the usual words)").at("vary"),
              study);
    if (combinations_of(study) <= most_points || stride >= most_stride) return;
  }
}

}  // namespace

const std::vector<std::string_view>& cost_names() {
  static const std::vector<std::string_view> names{"area",   "delay",        "depth",  "cells",
                                                   "energy", "clocked_area", "tables", "additions"};
  return names;
}

double combinations_of(const Study& study) {
  double count = 1;
  for (const StudyAxis& axis : study.axes) count *= static_cast<double>(axis.values.size());
  return count;
}

double software_additions(const Study& study, const Walk& walk) {
  int most = 1;
  for (const ProductShape& shape : study.shapes) {
    const int run = shape.k / walk.split_k;
    const int pieces = walk.promote_every == 0 ? 1 : (run + walk.promote_every - 1) / walk.promote_every;
    if (walk.is_promoted()) most = std::max(most, walk.split_k * pieces);
  }
  return most;
}

bool Spec::wants(CostKind kind) const { return std::find(want.begin(), want.end(), kind) != want.end(); }

std::optional<std::size_t> Spec::ranked() const {
  const auto found = std::find_if(want.begin(), want.end(), is_of_library);
  return found == want.end() ? std::nullopt : std::optional(static_cast<std::size_t>(found - want.begin()));
}

double Spec::units(const Plan& plan) const { return throughput == 0 ? 1 : static_cast<double>(throughput) / plan.k; }

bool Spec::needs_gates() const { return std::any_of(want.begin(), want.end(), is_of_gates); }

double Spec::cost(const Machine& machine, const Cost& cost, CostKind kind) const {
  switch (kind) {
    case CostKind::area: return cost.area;
    case CostKind::delay: return cost.delay;
    case CostKind::depth: return cost.depth;
    case CostKind::cells: return cost.cells;
    case CostKind::energy: return cost.energy;
    case CostKind::clocked_area: return cost.clocked_area;
    case CostKind::tables: return cost.tables;
    case CostKind::additions: return software_additions(study, machine.walk);
  }
  return 0;
}

Spec read_spec(const std::string& path, const Catalogue& catalogue) {
  Spec spec;
  Study& study = spec.study;
  study.file = path;
  study.text = read_study_text(path);
  const YamlValue top = read_yaml_text(study.text, path);
  top.only({"design",  "title",      "description", "datapath", "instruction", "operands", "k",      "promote_every",
            "split_k", "output",     "scaling",     "vary",     "conditions",  "inputs",   "shapes", "seeds",
            "seed",    "references", "must",        "error",    "want",        "clock",    "fpga",   "throughput"});
  study.name = plain_name(top.at("design"));
  read_work(top, catalogue, study);
  if (study.seeds < 2)
    top.at("seeds").fail("points are judged by intervals over seeds, and one seed has none; give it 2 or more.");
  if (const auto vary = top.find("vary")) {
    read_axes(*vary, study);
  } else {
    vary_the_usual(study);
  }
  if (study.axes.empty()) top.fail("`vary` is empty; name at least one word that may vary, or leave it out.");
  if (const auto conditions = top.find("conditions")) {
    for (const YamlValue& item : conditions->items()) spec.conditions.push_back(read_condition(item, study.axes));
  }
  if (const auto must = top.find("must")) spec.limits = read_limits(*must, study, catalogue);
  const auto error = top.find("error");
  spec.error = error ? error_named(*error) : "normwise";
  spec.want = read_want(top.at("want"));
  if (const auto clock = top.find("clock")) spec.clock = read_period(*clock, spec);
  if (const auto fpga = top.find("fpga")) spec.fpga = read_fpga(*fpga, spec);
  if (spec.wants(CostKind::clocked_area) && !spec.clock)
    top.at("want").fail("clocked_area is the area with registers for a period: say which one, such as `clock: 4`.");
  if (spec.wants(CostKind::tables) && spec.fpga.empty())
    top.at("want").fail("tables are those of an FPGA: say of which one, such as `fpga: [" +
                        fpga_families().front().name + "]`.");
  if (const auto throughput = top.find("throughput")) spec.throughput = throughput->integer(1, greatest_k);
  return spec;
}

Estimate as_error(const std::string& measure, const Estimate& e) {
  if (measure == "correct") return {1 - e.mean, 1 - e.high, 1 - e.low};
  const auto relative = [](double db) { return std::pow(10.0, -db / 20); };
  if (measure == "sqnr_db") return {relative(e.mean), relative(e.high), relative(e.low)};
  const double low = std::min(std::fabs(e.low), std::fabs(e.high)),
               high = std::max(std::fabs(e.low), std::fabs(e.high));
  return {std::fabs(e.mean), e.low <= 0 && e.high >= 0 ? 0 : low, high};
}

}  // namespace assay::design
