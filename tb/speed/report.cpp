#include "tb/speed/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/fast/targets.hpp"

namespace assay::speed {
namespace {

std::string billions(double rate) { return rate == 0 ? "-" : fmt::format("{:.2f}", rate * 1e-9); }

std::string as_ratio(const Rates& rates) {
  if (rates.sgemm == 0) return "-";
  return fmt::format("1/{:.1f}", rates.sgemm / rates.fast);
}

std::string operands_text(const Plan& plan) {
  return plan.a == plan.b ? plan.a.name : plan.a.name + " x " + plan.b.name;
}

nlohmann::ordered_json row_json(const SpeedRow& row, const SpeedEffort& effort) {
  const auto known = [](double rate) { return rate == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(rate); };
  return {{row.subject->is_file ? "file" : "instruction", row.subject->name},
          {"datapath", row.subject->plan.datapath.name},
          {"path", row.path},
          {"size", row.size},
          {"threads", effort.threads},
          {"memory", row.memory},
          {"core", row.rates.core},
          {"fast", row.rates.fast},
          {"threaded", known(row.rates.threaded)},
          {"sgemm", known(row.rates.sgemm)},
          {"times", known(row.rates.sgemm / row.rates.fast)},
          {"noise", row.rates.noise ? nlohmann::ordered_json(*row.rates.noise) : nlohmann::ordered_json()}};
}

}  // namespace

SpeedTable::SpeedTable(const SpeedSubjects& subjects, const SpeedEffort& effort)
    : effort_(effort), datapath_(std::string_view("datapath").size()), operands_(std::string_view("operands").size()) {
  for (const auto& subject : subjects) {
    datapath_ = std::max(datapath_, subject->plan.datapath.name.size());
    operands_ = std::max(operands_, operands_text(subject->plan).size());
  }
}

std::string SpeedTable::head() const {
  std::string text = fmt::format("Thousand million multiply-accumulates a second, {} x {} x {}, {}.\n", effort_.size,
                                 effort_.size, effort_.size, kernel_target_name(kernel_targets().front()));
  text += fmt::format("{:<{}} {:<{}} {:<14} {:>7} {:>6} {:>8} {:>7}", "datapath", datapath_, "operands", operands_,
                      "path", "core", "fast", "of SGEMM", "memory");
  if (effort_.threads > 1) text += fmt::format(" {:>9}", fmt::format("{} threads", effort_.threads));
  return text + "\n";
}

std::string SpeedTable::row(const SpeedRow& row) const {
  std::string text =
      fmt::format("{:<{}} {:<{}} {:<14} {:>7.4f} {:>6} {:>8} {:>7}", row.subject->plan.datapath.name, datapath_,
                  operands_text(row.subject->plan), operands_, row.path, row.rates.core * 1e-9,
                  billions(row.rates.fast), as_ratio(row.rates), fmt::format("x {:.1f}", row.memory));
  if (effort_.threads > 1)
    text += fmt::format(" {:>9}", fmt::format("x {:.2f}", row.rates.threaded / row.rates.walled));
  return text + "\n";
}

std::string SpeedTable::foot() const {
  return fmt::format(
      "\ncore and fast: one thread. of SGEMM: OpenBLAS on one thread of this machine, same shape.\n"
      "memory: the matrices and what the fast path allocates beside them, as a multiple of the matrices.\n"
      "A path of \"core\" is a datapath without a kernel, measured at {} x {}.\n",
      core_size, core_size);
}

nlohmann::ordered_json as_json(const std::vector<SpeedRow>& rows, const SpeedEffort& effort, const SpeedPlace& place) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const SpeedRow& row : rows) list.push_back(row_json(row, effort));
  return {{"machine", place.machine},
          {"assay", place.assay},
          {"instruction_set", kernel_target_name(kernel_targets().front())},
          {"unit", "multiply-accumulates a second"},
          {"rows", list}};
}

}  // namespace assay::speed
