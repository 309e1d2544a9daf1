#include "tb/browser/operands.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "model/core/values.hpp"
#include "tb/explain/exact.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/generate/plain_codes.hpp"
#include "tb/import/value.hpp"
#include "tb/vectors/scan.hpp"

namespace assay::browser {
namespace {

using Json = nlohmann::ordered_json;

// One list of a case, wherever the case keeps it.
struct OperandList {
  std::string name;
  Format format;
  std::vector<Code> codes;
};

std::vector<OperandList> lists_of(const Plan& plan, const Case& one) {
  std::vector<OperandList> lists{{"a", plan.a, one.a}, {"b", plan.b, one.b}, {"c", plan.c, {one.c}}};
  if (plan.scale) {
    lists.push_back({"scale_a", *plan.scale, one.scale_a});
    lists.push_back({"scale_b", *plan.scale, one.scale_b});
  }
  for (const CaseOperand& more : plan.more)
    lists.push_back({more.name, more.format, {one.more.begin() + more.first, one.more.begin() + more.end()}});
  return lists;
}

// `wanted` has the codes that are meant where the list is not given; of what is given in part the rest is zero.
std::vector<Code> read_list(const Json& operands, const OperandList& wanted) {
  const auto found = operands.find(wanted.name);
  if (found == operands.end()) return wanted.codes;
  std::vector<Code> codes(wanted.codes.size(), zero_code(wanted.format));
  const std::vector<std::string> texts =
      found->is_string() ? std::vector<std::string>{found->get<std::string>()} : found->get<std::vector<std::string>>();
  if (texts.size() > codes.size())
    throw Error{fmt::format("{} has {} codes, but this unit takes {}.", wanted.name, texts.size(), codes.size())};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    try {
      codes[i] = parse_hex(texts[i], wanted.format);
    } catch (const ScanError& e) {
      throw Error{fmt::format("{}[{}]: {}", wanted.name, i, e.message)};
    }
  }
  return codes;
}

// Scales of one.
std::vector<Code> plain_scales(const Plan& plan) {
  CaseOperand scale;
  scale.format = *plan.scale;
  scale.count = plan.scales;
  return plain_codes(scale);
}

// A code above its fields: "sign", 1, "exponent", 5, "significand", 10.
Json fields_of(const Format& format) {
  Json fields = Json::array();
  const auto add = [&](const char* name, int width) {
    if (width > 0) fields.push_back({{"name", name}, {"width", width}});
  };
  if (format.is_list() || format.is_integer()) {
    add("bits", format.stored_bits);
    return fields;
  }
  add("ignored", format.ignored_high_bits);
  add("sign", format.has_sign ? 1 : 0);
  add("exponent", format.exponent_bits);
  add("significand", format.mantissa_bits);
  add("ignored", format.ignored_low_bits);
  return fields;
}

}  // namespace

Case read_operands(const Plan& plan, const Json& operands) {
  Case one;
  one.a.assign(static_cast<std::size_t>(plan.k), zero_code(plan.a));
  one.b.assign(static_cast<std::size_t>(plan.k), zero_code(plan.b));
  for (const CaseOperand& more : plan.more) {
    const std::vector<Code> plain = plain_codes(more);
    one.more.insert(one.more.end(), plain.begin(), plain.end());
  }
  one.a = read_list(operands, {"a", plan.a, one.a});
  one.b = read_list(operands, {"b", plan.b, one.b});
  one.c = read_list(operands, {"c", plan.c, {zero_code(plan.c)}}).front();
  if (plan.scale) {
    one.scale_a = read_list(operands, {"scale_a", *plan.scale, plain_scales(plan)});
    one.scale_b = read_list(operands, {"scale_b", *plan.scale, plain_scales(plan)});
  }
  for (const CaseOperand& more : plan.more) {
    const auto first = one.more.begin() + more.first;
    const std::vector<Code> codes =
        read_list(operands, {more.name, more.format, {first, one.more.begin() + more.end()}});
    std::copy(codes.begin(), codes.end(), first);
    const std::string problem = mask_problem(more, one.more.data());
    if (!problem.empty()) throw Error{problem};
  }
  return one;
}

Json short_operands(const Plan& plan, const Case& one) {
  Json operands = Json::object();
  for (const OperandList& list : lists_of(plan, one)) {
    std::size_t used = list.codes.size();
    while (used > 1 && list.codes[used - 1] == zero_code(list.format)) --used;
    Json& codes = operands[list.name] = Json::array();
    for (std::size_t i = 0; i < used; ++i) codes.push_back(explain::hex_text(list.codes[i], list.format));
  }
  return operands;
}

Json operands_facts(const Plan& plan, const Case& one) {
  Json facts = Json::array();
  for (const OperandList& list : lists_of(plan, one)) {
    Json codes = Json::array(), values = Json::array();
    for (const Code code : list.codes) {
      codes.push_back(explain::hex_text(code, list.format));
      values.push_back(explain::decimal(explain::exact_value(list.format, code, plan.datapath.specials)));
    }
    facts.push_back({{"name", list.name},
                     {"format", format_facts(list.format)},
                     {"codes", codes},
                     {"values", values},
                     {"zero", explain::hex_text(zero_code(list.format), list.format)}});
  }
  return facts;
}

Json format_facts(const Format& format) {
  return {{"name", format.name}, {"bits", format.stored_bits}, {"fields", fields_of(format)}};
}

Format operand_format(const Plan& plan, const std::string& name) {
  for (const OperandList& list : lists_of(plan, read_operands(plan, Json::object()))) {
    if (list.name == name) return list.format;
  }
  throw Error{fmt::format("A case of this unit has no operand '{}'.", name)};
}

}  // namespace assay::browser
