#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/base/hex.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay {
namespace {

using nlohmann::json;

std::string hex(Code code, const Format& format) { return hex_text(code, format.hex_digits()); }

json hex_list(const std::vector<Code>& codes, const Format& format) {
  json list = json::array();
  for (const Code code : codes) list.push_back(hex(code, format));
  return list;
}

json place_json(const Plan& plan, const Failure& failure) {
  return {{"name", plan.places[static_cast<std::size_t>(failure.place)].name},
          {"expected", failure.reference.trace->at(failure.place).hex()},
          {"got", failure.device.trace->at(failure.place).hex()}};
}

}  // namespace

json failure_json(const Plan& plan, const Failure& failure, const ReportOptions& options) {
  const Case& given = failure.given;
  json found{{"case", given.number},
             {"verdict", verdict_name(failure.verdict)},
             {"a", hex_list(given.a, plan.a)},
             {"b", hex_list(given.b, plan.b)},
             {"c", hex(given.c, plan.c)}};
  if (given.element) found["element"] = {given.element->row, given.element->column};
  if (plan.scale) {
    found["scale_a"] = hex_list(given.scale_a, *plan.scale);
    found["scale_b"] = hex_list(given.scale_b, *plan.scale);
  }
  if (failure.reference.ok()) found["expected"] = hex(failure.reference.d, plan.d);
  if (failure.device.ok()) found["got"] = hex(failure.device.d, plan.d);
  if (!failure.reference.ok()) found["reference_error"] = failure.reference.error;
  if (!failure.device.ok()) found["device_error"] = failure.device.error;
  if (failure.verdict == Verdict::unsteady)
    found["other_order"] =
        failure.device.other_order.empty() ? failure.reference.other_order : failure.device.other_order;
  if (failure.place != no_place) found["place"] = place_json(plan, failure);
  if (options.repro) found["again"] = options.repro(given);
  return found;
}

json summary_json(const Plan& plan, const Summary& s) {
  json places = json::array();
  for (const PlaceCount& entry : s.first_places) {
    places.push_back({{"name", plan.places[static_cast<std::size_t>(entry.place)].name}, {"cases", entry.count}});
  }
  json groups = json::array();
  for (const FailureGroup& group : s.groups) {
    json row{{"first", group.first}, {"cases", group.cases}};
    if (!group.family.empty()) row["family"] = group.family;
    groups.push_back(std::move(row));
  }
  json waivers = json::array();
  for (const WaiverUse& use : s.waivers) {
    waivers.push_back({{"waiver", use.waiver.name},
                       {"reason", use.waiver.reason},
                       {"owner", use.waiver.owner},
                       {"cases", use.cases}});
  }
  json known = json::array();
  for (const KnownUse& use : s.known) {
    known.push_back({{"name", use.known.name},
                     {"reason", use.known.reason},
                     {"of", use.of_reference ? "reference" : "device"},
                     {"cases", use.cases}});
  }
  return {{"compared", s.compared},
          {"known_differences", known},
          {"waivers", waivers},
          {"unrecorded", s.unrecorded},
          {"differs", s.differs},
          {"nan_codes", s.nan_codes},
          {"zero_signs", s.zero_signs},
          {"masked", s.masked},
          {"unsteady", s.unsteady},
          {"reference_errors", s.reference_errors},
          {"device_errors", s.device_errors},
          {"leftovers", s.leftovers},
          {"surplus", s.surplus},
          {"complaints", s.complaints},
          {"expected", {{"zero", s.zeros}, {"nan", s.nans}, {"infinity", s.infinities}}},
          {"mistrusted", s.mistrusted()},
          {"traced", s.traced},
          {"places", s.places},
          {"first_places", places},
          {"failure_groups", groups},
          {"conclusion", conclusion(s)}};
}

json report_json(const Scoreboard& scoreboard, const ReportOptions& options) {
  json failures = json::array();
  for (const Failure& failure : scoreboard.failures()) {
    failures.push_back(failure_json(scoreboard.plan(), failure, options));
  }
  return {{"summary", summary_json(scoreboard.plan(), scoreboard.summary())}, {"failures", failures}};
}

}  // namespace assay
