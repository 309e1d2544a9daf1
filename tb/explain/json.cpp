#include <nlohmann/json.hpp>

#include "model/base/json_version.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/explain/sides.hpp"
#include "tb/explain/sums.hpp"

namespace assay::explain {
namespace {

using Json = nlohmann::ordered_json;
using exact::Dyadic;

const char* class_name(Class cls) { return cls == Class::nan ? "nan" : cls == Class::infinity ? "infinity" : "finite"; }

// significand x 2^quantum, the significand odd or zero; a decimal string, since it may have any number of digits.
Json value_json(const Dyadic& x) {
  if (sign(x) == 0) return {{"significand", "0"}, {"quantum", 0}, {"decimal", "+0"}};
  const long lowest = lowest_one(x);
  const mpz_class significand = units_in(x, lowest, exact::Rounding::toward_zero);
  return {{"significand", significand.get_str()}, {"quantum", lowest}, {"decimal", decimal(x)}};
}

// Bits of every field, the first one uppermost.
Json fields_json(const Place& place, const Bits& bits) {
  Json fields = Json::array();
  int from = place.width;
  for (const Field& field : place.fields) {
    from -= field.width;
    if (field.width > 0)
      fields.push_back(
          {{"name", field.name}, {"from", from}, {"width", field.width}, {"bits", bits.binary(from, field.width)}});
  }
  return fields;
}

// The bits of a place and what they say.
Json place_json(const Trace& trace, int index) {
  const Place& place = trace.plan().places[static_cast<std::size_t>(index)];
  const Bits bits = trace.at(index);
  Json j{{"place", place.name}, {"stage", stage_name(place.stage)},  {"label", place.label}, {"width", place.width},
         {"bits", bits.hex()},  {"fields", fields_json(place, bits)}};
  const Reading reading = read_place(trace, index);
  if (holds_number(place)) {
    j["class"] = class_name(reading.cls);
    j["negative"] = reading.negative;
    if (reading.cls == Class::finite) {
      j["exponent"] = reading.exponent;
      j["value"] = value_json(reading.value);
    }
  } else if (place.stage == Stage::window) {
    j["exponent"] = reading.exponent;
  } else if (place.stage == Stage::special) {
    static const char* const outcomes[] = {"none", "nan", "+infinity", "-infinity"};
    j["outcome"] = outcomes[static_cast<unsigned>(reading.bits)];
  } else if (place.stage == Stage::flags) {
    j["raised"] = reading.bits != 0;
  } else if (place.stage != Stage::encode) {
    j["value"] = value_json(reading.value);
  }
  return j;
}

// What only the items of a sum tell: what came in, where it was cut, what was cut off.
void add_items(Json& places, const Trace& trace, const SumSite& site) {
  const SumReading sum = read_sum(trace, site);
  for (int i = 0; i < site.items(); ++i) {
    const AddendReading& addend = sum.addends[static_cast<std::size_t>(i)];
    Json& j = places[static_cast<std::size_t>(site.align(i))];
    j["grid"] = sum.grid;
    j["class"] = class_name(addend.item.cls);
    if (!addend.item.is_finite()) continue;
    j["item"] = value_json(exactly(addend.item));
    if (addend.cut_at) j["cut_at"] = *addend.cut_at;
    j["cut"] = addend.cut_at ? bits_below(exactly(addend.item), *addend.cut_at) : "";
    j["dropped"] = addend.dropped;
  }
  Json& reduce = places[static_cast<std::size_t>(site.reduce)];
  reduce["grid"] = sum.grid;
  if (site.adder->has_sticky()) reduce["sticky"] = sum.sticky;
}

Json codes_json(const std::vector<Code>& codes, const Format& format) {
  Json list = Json::array();
  for (const Code code : codes) list.push_back(hex_text(code, format));
  return list;
}

Json formats_json(const Plan& plan) {
  Json j{{"a", plan.a.name}, {"b", plan.b.name}, {"c", plan.c.name}, {"d", plan.d.name}};
  if (plan.scale) j["scale"] = plan.scale->name;
  for (const CaseOperand& more : plan.more) j[more.name] = more.format.name;
  return j;
}

// "3/8" of 3 x 2^-3.
std::string fraction_text(const Dyadic& x) {
  if (sign(x) == 0) return "0";
  const long lowest = lowest_one(x);
  const mpz_class significand = units_in(x, lowest, exact::Rounding::toward_zero), one = 1;
  const auto power = static_cast<mp_bitcnt_t>(std::abs(lowest));
  if (lowest >= 0) return mpz_class(significand << power).get_str();
  return significand.get_str() + "/" + mpz_class(one << power).get_str();
}

Json datum_json(const exact::Datum& d) {
  switch (d.kind) {
    case exact::Kind::nan: return {{"class", "nan"}};
    case exact::Kind::infinity: return {{"class", "infinity"}, {"negative", d.negative}};
    case exact::Kind::finite: break;
  }
  return {{"class", "finite"},
          {"negative", d.negative},
          {"value", value_json(d.value)},
          {"fraction", fraction_text(d.value)}};
}

Json places_json(const Trace& trace) {
  const Plan& plan = trace.plan();
  Json places = Json::array();
  for (std::size_t i = 0; i < plan.places.size(); ++i) places.push_back(place_json(trace, static_cast<int>(i)));
  for (const SumSite& site : sum_sites(plan)) add_items(places, trace, site);
  return places;
}

Json exact_json(const Plan& plan, const ExactSum& exact) {
  Json j{{"sum", datum_json(exact.sum)}};
  if (!exact.why_none.empty()) j["why_none"] = exact.why_none;
  if (!exact.nearest) return j;
  j["nearest"] = hex_text(*exact.nearest, plan.d);
  j["beyond_range"] = exact.beyond;
  j["ulp"] = *exact.ulp;
  return j;
}

// An error by itself and in units of the last place.
Json error_json(const Dyadic& error, long ulp) {
  const Dyadic ulps{error.significand, error.exponent - ulp};
  return {{"value", value_json(error)}, {"ulps", in_ulps(error, ulp)}, {"ulps_fraction", fraction_text(ulps)}};
}

// A d, and how far it lies from the exact sum.
Json d_json(const Plan& plan, const ExactSum& exact, Code d) {
  Json j{{"bits", hex_text(d, plan.d)}, {"number", datum_json(exact_value(plan.d, d, plan.datapath.specials))}};
  if (const auto error = error_of(plan, exact, d)) j["error"] = error_json(*error, *exact.ulp);
  return j;
}

Json side_json(const Answered& side, const ExactSum& exact) {
  if (!side.answer.ok()) return {{"name", side.name}, {"error", side.answer.error}};
  Json j{
      {"name", side.name}, {"d", d_json(*side.plan, exact, side.answer.d)}, {"traced", side.answer.trace.has_value()}};
  return j;
}

Json sides_json(const Sides& sides, const ExactSum& exact) {
  const auto& [reference, device] = sides;
  Json differ = Json::array();
  const std::vector<SharedPlace> shared = shared_places(sides);
  for (const SharedPlace& place : shared) {
    if (place.same) continue;
    differ.push_back({{"place", reference.plan->places[static_cast<std::size_t>(place.reference)].name},
                      {"reference", place_json(*reference.answer.trace, place.reference)},
                      {"device", place_json(*device.answer.trace, place.device)}});
  }
  Json j{{"reference", side_json(reference, exact)},
         {"device", side_json(device, exact)},
         {"places_compared", shared.size()}};
  if (!differ.empty()) j["first_difference"] = differ.front().at("place");
  j["differences"] = differ;
  return j;
}

const char* cause_name(Cause cause) {
  static const char* const names[] = {"flushed", "cut",     "floored",    "stepped", "dropped",
                                      "sticky",  "rounded", "overflowed", "wired"};
  return names[static_cast<int>(cause)];
}

Json forecast_json(const Forecast& forecast, const Easement& easement, long ulp) {
  Json j{{"key", easement.key},
         {"value", easement.value},
         {"words", easement.words},
         {"predicted", error_json(forecast.predicted, ulp)}};
  if (forecast.measured) j["measured"] = error_json(*forecast.measured, ulp);
  if (!forecast.refused.empty()) j["refused"] = forecast.refused;
  return j;
}

// In the order of the places; their errors add up to that of the result.
Json budget_json(const Explanation& e) {
  const Attribution& made = e.made;
  if (!made.budget.none.empty()) return {{"none", made.budget.none}};
  Json parts = Json::array(), forecasts = Json::array();
  for (const ErrorPart& part : made.budget.parts.parts) {
    const ErrorSource& source = made.sources[static_cast<std::size_t>(part.source)];
    parts.push_back({{"place", e.shown.plan->places.name(part.place)},
                     {"where", source.where},
                     {"cause", cause_name(source.cause)},
                     {"words", source.words},
                     {"error", error_json(part.error, *e.exact.ulp)}});
  }
  for (const Forecast& forecast : made.forecasts)
    forecasts.push_back(
        forecast_json(forecast, made.easements[static_cast<std::size_t>(forecast.easement)], *e.exact.ulp));
  return {{"parts", parts}, {"forecasts", forecasts}};
}

}  // namespace

Json operands_json(const Plan& plan, const Case& one) {
  Json j{{"a", codes_json(one.a, plan.a)}, {"b", codes_json(one.b, plan.b)}, {"c", hex_text(one.c, plan.c)}};
  if (plan.scale) {
    j["scale_a"] = codes_json(one.scale_a, *plan.scale);
    j["scale_b"] = codes_json(one.scale_b, *plan.scale);
  }
  for (const CaseOperand& more : plan.more)
    j[more.name] = codes_json({one.more.begin() + more.first, one.more.begin() + more.end()}, more.format);
  return j;
}

Json as_json(const Explanation& e) {
  const Plan &plan = *e.shown.plan, &own = *e.question.plan;
  Json j{{"json_version", json_version},
         {"subject", e.question.subject},
         {"model", e.shown.name},
         {"k", plan.k},
         {"formats", formats_json(plan)},
         {"operands", operands_json(plan, e.question.one)},
         {"d", hex_text(e.shown.answer.d, plan.d)},
         {"places", places_json(*e.shown.answer.trace)},
         {"exact", exact_json(own, e.exact)},
         {"result", d_json(own, e.exact, e.shown.answer.d)},
         {"budget", budget_json(e)}};
  if (e.sides) j["sides"] = sides_json(*e.sides, e.exact);
  return j;
}

}  // namespace assay::explain
