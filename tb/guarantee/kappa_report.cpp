// Kappa as text and as JSON.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/guarantee/kappa.hpp"
#include "tb/subject/command_line.hpp"

namespace assay::guarantee {
namespace {

using Json = nlohmann::ordered_json;

std::string code_text(const Plan& plan, const std::optional<Code>& code) {
  return code ? explain::hex_text(*code, plan.d) : "NaN";
}

std::string apart_text(const KappaCase& found) {
  return found.apart ? found.apart->get_str() : "a NaN in the place of a number";
}

std::string reached_text(const Subject& subject, const std::optional<KappaCase>& found) {
  if (!found) return "    reached: 0\n";
  return fmt::format("    reached: {}, d is {} and the defined result {}\n    {}\n", apart_text(*found),
                     code_text(subject.plan, found->d), code_text(subject.plan, found->defined),
                     explain_command(subject, found->one));
}

const char* state_of(const Kappa& kappa, const Format& d) {
  if (!kappa.declined.empty()) return "declined";
  if (kappa.at_most) return "bounded";
  return kappa.unbounded(d) ? "unbounded" : "open";
}

std::string general_text(const Kappa& kappa, const Format& d) {
  if (kappa.at_most)
    return fmt::format("  at most {}, whatever the operands: {}\n", kappa.at_most->get_str(), kappa.why);
  if (kappa.unbounded(d))
    return "  unbounded: below is a case of which d has no digit; only the range of d's exponents ends the count.\n";
  return "  no argument bounds it, and no case was found that loses every digit.\n";
}

std::string kappa_text(const Subject& subject, const Kappa& kappa) {
  const Format& d = subject.plan.d;
  std::string text =
      fmt::format("Kappa: values of {} between d and the exact sum, rounded once to nearest even\n\n", d.name);
  if (!kappa.declined.empty()) return text + "  " + kappa.declined + "\n";
  text += general_text(kappa, d);
  if (kappa.tried != 0) text += reached_text(subject, kappa.reached);
  if (!kappa.at_most_positive) return text;
  return text + fmt::format("  at most {} where {}\n", kappa.at_most_positive->get_str(), kappa.positive_where) +
         reached_text(subject, kappa.reached_positive);
}

Json count_json(const std::optional<mpz_class>& count) { return count ? Json(count->get_str()) : Json(nullptr); }

Json reached_json(const Subject& subject, const std::optional<KappaCase>& found) {
  if (!found) return nullptr;
  return {{"apart", count_json(found->apart)},
          {"d", code_text(subject.plan, found->d)},
          {"defined", found->defined ? Json(code_text(subject.plan, found->defined)) : Json(nullptr)},
          {"case", explain::operands_json(subject.plan, found->one)},
          {"command", explain_command(subject, found->one)}};
}

Json kappa_json(const Subject& subject, const Kappa& kappa) {
  Json json = {{"format", subject.plan.d.name}, {"state", state_of(kappa, subject.plan.d)}};
  if (!kappa.declined.empty()) {
    json["why"] = kappa.declined;
    return json;
  }
  json["at_most"] = count_json(kappa.at_most);
  if (!kappa.why.empty()) json["why"] = kappa.why;
  json["tried"] = kappa.tried;
  json["reached"] = reached_json(subject, kappa.reached);
  if (!kappa.at_most_positive) return json;
  json["where_nothing_cancels"] = {{"at_most", count_json(kappa.at_most_positive)},
                                   {"where", kappa.positive_where},
                                   {"reached", reached_json(subject, kappa.reached_positive)}};
  return json;
}

}  // namespace

Section kappa_section(const Subject& subject, const Kappa& kappa) {
  return {kappa_text(subject, kappa), "kappa", kappa_json(subject, kappa).dump()};
}

}  // namespace assay::guarantee
