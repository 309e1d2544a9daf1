#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "model/base/json_version.hpp"
#include "tb/guarantee/guarantee.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::guarantee {
namespace {

using Row = std::vector<std::string>;

// Columns side by side, each as wide as its longest cell.
std::string table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string line = " ";
    for (std::size_t i = 0; i < row.size(); ++i) line += fmt::format(" {:<{}}", row[i], widths[i] + 1);
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

const char* symbol(Reference reference) { return reference == Reference::sum ? "S" : "2^E"; }

std::string relative_text(const Rational& amount, Reference reference) {
  if (sgn(amount) == 0) return "0";
  const std::string number = power_text(amount);
  return number + (number.find(" x ") == std::string::npos && number.find('^') == std::string::npos ? " " : " x ") +
         symbol(reference);
}

std::string between(const Bound& bound, Reference reference) {
  const Rational below = bound.below.amount().relative, above = bound.above.amount().relative;
  if (below == above) return "within " + relative_text(above, reference);
  const std::string low = sgn(below) == 0 ? "0" : "-" + relative_text(below, reference);
  return "from " + low + " to " + relative_text(above, reference);
}

// Those of the side that may lose more.
const Shares& greater(const Bound& bound, Shares Slack::*kind) {
  return total(bound.below.*kind) >= total(bound.above.*kind) ? bound.below.*kind : bound.above.*kind;
}

std::string share_of(const Shares& shares, const Source& source, Reference reference) {
  const auto found = shares.find(source);
  return found == shares.end() ? "0" : relative_text(found->second.amount, reference);
}

std::string lost_table(const Guarantee& g) {
  const Shares &by_sum = greater(g.by_sum.bound, &Slack::relative),
               &by_greatest = greater(g.by_greatest.bound, &Slack::relative);
  std::vector<Row> rows{{"place", "", "at most", "against S", "against 2^E"}};
  for (const auto& [source, share] : by_greatest) {
    const std::string times = share.times == 1 ? source.unit : fmt::format("{} x {}", share.times, source.unit);
    rows.push_back({source.place, loss_text(source.loss), times, share_of(by_sum, source, Reference::sum),
                    relative_text(share.amount, Reference::greatest)});
  }
  return table(rows);
}

const char* cause_text(NoneWhere cause) {
  switch (cause) {
    case NoneWhere::last_place: return "terms are no such small numbers";
    case NoneWhere::normal: return "no operand is subnormal";
    case NoneWhere::both: return "no operand is subnormal, and terms are no such small numbers";
    case NoneWhere::never:
    case NoneWhere::relative: break;
  }
  return "-";
}

std::string absolute_part(const Guarantee& g) {
  const Shares& shares = greater(g.by_sum.bound, &Slack::absolute);
  if (shares.empty()) return "";
  std::vector<Row> rows{{"place", "", "at most", "none where"}};
  for (const auto& [source, share] : shares)
    rows.push_back({source.place, loss_text(source.loss), power_text(share.amount), cause_text(source.cause)});
  std::string text =
      fmt::format("\nBeside it, whatever S is: at most {}\n\n{}", power_text(total(shares)), table(rows));
  if (g.by_sum.always_absolute()) return text;
  text += "\n  All of it is none where no operand is subnormal";
  if (g.by_sum.last_place)
    text += fmt::format("\n  and the last place of each product and of c weighs 2^{} or more", *g.by_sum.last_place);
  return text + ".\n";
}

std::string conditions(const Guarantee& g) {
  std::string text = "\nConditions\n\n";
  if (g.most_terms)
    return text + fmt::format("  Nothing wraps where S is at most {}; with c zero, up to K = {}.\n",
                              g.by_sum.limits.empty() ? "what d holds" : power_text_below(g.by_sum.limits.front().sum),
                              *g.most_terms);
  std::vector<Row> rows;
  for (const Limit& limit : g.by_sum.limits) {
    rows.push_back({limit.place, sgn(limit.sum) < 0
                                     ? "may overflow whatever S is"
                                     : "does not overflow where S is at most " + power_text_below(limit.sum)});
  }
  if (rows.empty()) return text + "  Nothing overflows.\n";
  return text + table(rows) + "  What holds of d holds wherever nothing overflows.\n";
}

std::string right_bits_text(const Guarantee& g) {
  const std::optional<long> bits = g.right_bits();
  if (!bits) return "";
  return fmt::format("  d is right to {} bits where nothing cancels; each doubling of S / |exact| takes one of them.\n",
                     *bits);
}

std::string attained(const Guarantee& g, const Plan& plan) {
  std::vector<Row> rows{{"against", "bound", "attained", "quotient", "by"}};
  std::string commands, reasons;
  const auto row = [&](const Promise& claim, const std::optional<Witness>& w) {
    if (const std::string why = reason(claim, w); !why.empty())
      reasons += fmt::format("  Less than half against {}: {}.\n", symbol(claim.reference), why);
    if (!w) return;
    const Rational unit = w->measured.reference(claim.reference);
    rows.push_back({symbol(claim.reference), power_text(w->bound / unit),
                    power_text_below(abs(w->measured.error) / unit), fmt::format("{:.3f}", w->quotient().get_d()),
                    w->built});
    commands += fmt::format("\n  {}\n", explain_command(g.asked.option, plan, w->one));
  };
  row(g.by_sum, g.attained_by_sum);
  row(g.by_greatest, g.attained_by_greatest);
  if (rows.size() == 1) return "";
  return "\nAttained\n\n" + table(rows) + reasons + (g.chain.k == plan.k ? commands : "");
}

std::string chain_text(const Guarantee& g, const Plan& plan) {
  if (g.chain.k == plan.k && !g.chain.promoted()) return fmt::format("one operation of {} terms", plan.k);
  std::string text = fmt::format("{} terms, {} an operation", g.chain.k, plan.k);
  if (g.chain.promote_every != 0) text += fmt::format(", promoted every {}", g.chain.promote_every);
  if (g.chain.split_k != 1) text += fmt::format(", in {} runs", g.chain.split_k);
  return text;
}

std::string bounds_text(const Guarantee& g) {
  if (g.exact()) return "d is exact.\n";
  return "d - exact lies\n\n" +
         table({{"", between(g.by_sum.bound, Reference::sum)},
                {"", between(g.by_greatest.bound, Reference::greatest)},
                {"where no term is below zero", between(g.positive_by_sum.bound, Reference::sum)},
                {"", between(g.positive_by_greatest.bound, Reference::greatest)}}) +
         right_bits_text(g) +
         "\n  S is the sum of |a b| and |c|. E is the greatest exponent of a term: c's own, a product's the sum of "
         "its\n"
         "  factors'.\n";
}

std::string rational_text(const Rational& x) { return x.get_str(); }

nlohmann::ordered_json shares_json(const Shares& shares) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& [source, share] : shares) {
    nlohmann::ordered_json one = {{"place", source.place},
                                  {"loss", loss_text(source.loss)},
                                  {"times", share.times},
                                  {"unit", source.unit},
                                  {"at_most", rational_text(share.amount)}};
    if (source.cause == NoneWhere::last_place) one["none_where"] = "last_place";
    if (source.cause == NoneWhere::normal) one["none_where"] = "normal";
    if (source.cause == NoneWhere::both) one["none_where"] = "last_place_and_normal";
    list.push_back(std::move(one));
  }
  return list;
}

nlohmann::ordered_json side_json(const Slack& side) {
  const Amount amount = side.amount();
  return {{"relative", rational_text(amount.relative)},
          {"absolute", rational_text(amount.absolute)},
          {"relative_shares", shares_json(side.relative)},
          {"absolute_shares", shares_json(side.absolute)}};
}

std::string codes_text(const std::vector<Code>& codes, const Format& f) {
  std::string text;
  for (const Code c : codes) text += fmt::format("{}{:0{}x}", text.empty() ? "" : ",", c, f.hex_digits());
  return text;
}

nlohmann::ordered_json case_json(const Case& one, const Plan& plan) {
  nlohmann::ordered_json json = {{"a", codes_text(one.a, plan.a)}, {"b", codes_text(one.b, plan.b)}};
  json["c"] = fmt::format("{:0{}x}", one.c, plan.c.hex_digits());
  if (plan.scale) {
    json["scale_a"] = codes_text(one.scale_a, *plan.scale);
    json["scale_b"] = codes_text(one.scale_b, *plan.scale);
  }
  return json;
}

nlohmann::ordered_json claim_json(const Promise& claim) {
  return {{"against", symbol(claim.reference)},
          {"signs", claim.signs == Signs::any ? "any" : "positive"},
          {"below", side_json(claim.bound.below)},
          {"above", side_json(claim.bound.above)}};
}

nlohmann::ordered_json attained_json(const Promise& claim, const std::optional<Witness>& w, const Plan& plan) {
  nlohmann::ordered_json json = {{"against", symbol(claim.reference)}};
  if (w) {
    json["bound"] = rational_text(w->bound);
    json["attained"] = rational_text(abs(w->measured.error));
    json["quotient"] = w->quotient().get_d();
    json["built"] = w->built;
    json["case"] = case_json(w->one, plan);
  }
  if (const std::string why = reason(claim, w); !why.empty()) json["reason"] = why;
  return json;
}

std::string apart_text(const Amount& amount, Reference reference) {
  std::string text = relative_text(amount.relative, reference);
  if (sgn(amount.absolute) != 0) text += " + " + power_text(amount.absolute);
  return text;
}

nlohmann::ordered_json apart_json(const Apart& apart) {
  const auto amount = [](const Amount& a) {
    return nlohmann::ordered_json{{"relative", rational_text(a.relative)}, {"absolute", rational_text(a.absolute)}};
  };
  return {{"against", symbol(apart.reference)}, {"any", amount(apart.any)}, {"positive", amount(apart.positive)}};
}

void put_bounds(nlohmann::ordered_json& json, const Guarantee& g, const Plan& plan) {
  json["promote_every"] = g.chain.promote_every;
  json["split_k"] = g.chain.split_k;
  json["exact"] = g.exact();
  for (const Promise* claim : {&g.by_sum, &g.by_greatest, &g.positive_by_sum, &g.positive_by_greatest})
    json["bounds"].push_back(claim_json(*claim));
  if (const std::optional<long> bits = g.right_bits()) json["right_bits"] = *bits;
  nlohmann::ordered_json& conditions = json["conditions"];
  conditions["limits"] = nlohmann::ordered_json::array();
  for (const Limit& limit : g.by_sum.limits) {
    nlohmann::ordered_json one = {{"place", limit.place}, {"greatest_sum", nullptr}};
    if (sgn(limit.sum) >= 0) one["greatest_sum"] = rational_text(limit.sum);
    conditions["limits"].push_back(std::move(one));
  }
  conditions["absolute_none_from_last_place"] = nullptr;
  if (g.by_sum.last_place && !g.by_sum.always_absolute())
    conditions["absolute_none_from_last_place"] = *g.by_sum.last_place;
  if (g.most_terms) conditions["most_terms"] = *g.most_terms;
  json["attained"] = {attained_json(g.by_sum, g.attained_by_sum, plan),
                      attained_json(g.by_greatest, g.attained_by_greatest, plan)};
}

}  // namespace

std::string as_text(const Guarantee& g, const Plan& plan) {
  std::string text;
  if (g.no_bounds.empty()) {
    text = fmt::format("{}: {}\n\n{}", g.asked.name, chain_text(g, plan), bounds_text(g));
    if (!g.exact()) text += "\nWhere it is lost\n\n" + lost_table(g) + absolute_part(g);
    text += conditions(g);
    if (!g.exact()) text += attained(g, plan);
  } else {
    text = fmt::format("{}: how far d lies from the exact sum is not said: {}\n", g.asked.name, g.no_bounds);
  }
  for (const Section& section : g.sections) text += "\n" + section.text;
  return text;
}

nlohmann::ordered_json as_json(const Guarantee& g, const Plan& plan) {
  nlohmann::ordered_json json = {
      {"json_version", json_version}, {"unit", g.asked.name}, {"k", g.chain.k}, {"terms_of_an_operation", plan.k}};
  if (g.no_bounds.empty()) {
    put_bounds(json, g, plan);
  } else {
    json["no_bounds"] = g.no_bounds;
  }
  for (const Section& section : g.sections) json[section.key] = nlohmann::ordered_json::parse(section.json);
  return json;
}

Section against_section(const Against& against, const Plan& x, const Plan& y, const Asked& asked) {
  nlohmann::ordered_json json = {{"unit", against.name},
                                 {"alike", against.alike},
                                 {"apart", {apart_json(against.by_sum), apart_json(against.by_greatest)}}};
  std::string text = fmt::format("Against {}\n\n", against.name);
  text += "  For the same operands the two results lie apart by at most\n\n" +
          table({{"", apart_text(against.by_sum.any, Reference::sum)},
                 {"", apart_text(against.by_greatest.any, Reference::greatest)},
                 {"where no term is below zero", apart_text(against.by_sum.positive, Reference::sum)},
                 {"", apart_text(against.by_greatest.positive, Reference::greatest)}});
  if (!against.alike.empty()) {
    std::string places;
    for (const std::string& place : against.alike) places += (places.empty() ? "" : ", ") + place;
    text += fmt::format("  What both lose alike is not counted: at {}\n", places);
  }
  if (const std::optional<ApartWitness>& w = against.witness) {
    const auto code = [](Code c, const Plan& plan) { return fmt::format("{:0{}x}", c, plan.d.hex_digits()); };
    text += fmt::format("\n  {} and {}, {} apart: {}.\n\n  {}\n", code(w->x, x), code(w->y, y),
                        relative_text(w->apart / w->sum, Reference::sum), w->built,
                        explain_command(asked.option, x, w->one));
    json["witness"] = {{"apart", rational_text(w->apart)},
                       {"sum", rational_text(w->sum)},
                       {"d", {code(w->x, x), code(w->y, y)}},
                       {"built", w->built},
                       {"case", case_json(w->one, x)}};
  } else {
    text += "\n  No case was found where they differ.\n";
  }
  return {text, "against", json.dump()};
}

}  // namespace assay::guarantee
