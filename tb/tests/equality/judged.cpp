#include "tb/tests/equality/judged.hpp"

#include <cstdio>

#include "tb/tests/equality/traced.hpp"

namespace assay {
namespace {

std::string hex(Code code, const Format& format) {
  char text[32];
  std::snprintf(text, sizeof text, "%0*llx", format.hex_digits(), static_cast<unsigned long long>(code));
  return text;
}

std::string list_text(const std::vector<Code>& codes, const Format& format) {
  std::string text;
  for (const Code code : codes) text += (text.empty() ? "" : ",") + hex(code, format);
  return text;
}

bool same_d(const Plan& plan, Code d, const vocabulary::Outcome& judge) {
  if (!judge.is_nan || !plan.nan.propagate || plan.nan.has_order()) return d == judge.d;
  return vocabulary::decode(plan.d, d).kind == vocabulary::Kind::nan;
}

}  // namespace

vocabulary::Operands judged_operands(const Plan& plan, const Case& given) {
  vocabulary::Operands operands{given.a, given.b, given.c, given.scale_a, given.scale_b, {}};
  for (const CaseOperand& more : plan.more)
    operands.more[more.name].assign(given.more.begin() + more.first, given.more.begin() + more.end());
  return operands;
}

std::string verdict_on_d(const Plan& plan, const Case& given, Registers& registers) {
  const Code d = dot(plan, given.operand(), registers);
  const vocabulary::Outcome judge = vocabulary::interpret(plan.datapath, plan.k, judged_operands(plan, given));
  if (same_d(plan, d, judge)) return "";
  return "The core says " + hex(d, plan.d) + ", the second judge " + hex(judge.d, plan.d) +
         (judge.is_nan ? " (NaN)." : ".");
}

std::string verdict_on_places(const Plan& plan, const Case& given, Registers& registers, long& compared) {
  Trace trace(plan);
  vocabulary::Places seen;
  dot(plan, given.operand(), registers, &trace);
  vocabulary::interpret(plan.datapath, plan.k, judged_operands(plan, given), &seen);
  // In the machine's order, so that the first that differs is where it went wrong.
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const auto found = seen.find(plan.places[i].name);
    if (found == seen.end()) continue;
    ++compared;
    const int place = static_cast<int>(i);
    if (holds(trace, place, found->second)) continue;
    return "At " + plan.places[i].name + " the core has " + trace.at(place).hex() + ", the second judge " +
           (found->second.negative ? "-" : "") + found->second.magnitude.get_str() + " with exponent " +
           std::to_string(found->second.exponent.value_or(0)) + ".";
  }
  return "";
}

std::string case_text(const Plan& plan, const Case& given) {
  std::string text =
      "--a " + list_text(given.a, plan.a) + " --b " + list_text(given.b, plan.b) + " --c " + hex(given.c, plan.c);
  if (plan.scale) {
    text +=
        " --scale-a " + list_text(given.scale_a, *plan.scale) + " --scale-b " + list_text(given.scale_b, *plan.scale);
  }
  return text;
}

}  // namespace assay
