#include "tb/design/limit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/base/files.hpp"

namespace assay::design {
namespace {

constexpr double greatest_number = 1e100;
const std::vector<std::string_view> kinds{"bound", "measure", "equals", "property", "program"};

void read_side(const YamlValue& value, DesignLimit& limit) {
  int given = 0;
  const auto take = [&](const char* key, LimitSide side) {
    if (const auto number = value.find(key)) {
      ++given;
      limit.side = side;
      limit.number = number->real(side == LimitSide::within ? 0 : -greatest_number, greatest_number);
    }
  };
  take("most", LimitSide::most);
  take("least", LimitSide::least);
  take("within", LimitSide::within);
  if (given != 1) value.fail("one of the keys most, least and within is needed: the limit itself.");
}

void read_measure(const YamlValue& value, const Study& study, DesignLimit& limit) {
  value.only({"measure", "most", "least", "within", "input", "k"});
  const std::vector<std::string_view> names = names_of_measures();
  limit.name = names[value.at("measure").one_of(names)];
  read_side(value, limit);
  if (const auto input = value.find("input")) {
    limit.input = input->text();
    if (std::none_of(study.inputs.begin(), study.inputs.end(), [&](const auto& i) { return i.name == limit.input; }))
      input->fail("the spec has no input of this name.");
  }
  if (const auto k = value.find("k")) {
    limit.k = k->integer(1, 1 << 20);
    if (std::none_of(study.shapes.begin(), study.shapes.end(), [&](const auto& s) { return s.k == limit.k; }))
      k->fail("no shape of the spec has this K.");
  }
}

void read_property(const YamlValue& value, DesignLimit& limit) {
  value.only({"property"});
  const YamlValue name = value.at("property");
  limit.name = name.text();
  const guarantee::Property* known = guarantee::find_property(limit.name);
  std::vector<std::string> names;
  for (const guarantee::Property& p : guarantee::properties()) names.push_back(p.name);
  if (known == nullptr) name.fail("there is no property of this name; there are " + joined(names) + ".");
  limit.property = *known;
}

std::string instruction_named(const YamlValue& value, const Catalogue& catalogue) try {
  return catalogue.instruction(value.text()).full_name();
} catch (const Error& e) {
  value.fail(e.message);
}

DesignLimit read_limit(const YamlValue& value, const Study& study, const Catalogue& catalogue) {
  DesignLimit limit;
  limit.place = value.place();
  std::size_t found = 0;
  int given = 0;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (!value.find(std::string(kinds[i]))) continue;
    ++given;
    found = i;
  }
  if (given != 1) value.fail("one of the keys bound, measure, equals, property and program is needed in each limit.");
  limit.kind = static_cast<LimitKind>(found);
  switch (limit.kind) {
    case LimitKind::bound:
      value.only({"bound", "most"});
      value.at("bound").one_of({"sum"});
      limit.name = "sum";
      limit.number = value.at("most").real(0, greatest_number);
      break;
    case LimitKind::measure: read_measure(value, study, limit); break;
    case LimitKind::equals:
      value.only({"equals"});
      limit.name = instruction_named(value.at("equals"), catalogue);
      break;
    case LimitKind::property: read_property(value, limit); break;
    case LimitKind::program:
      value.only({"program", "most", "least", "within"});
      limit.name = value.at("program").text();
      limit.file = (folder_of_file(value.file()) / limit.name).lexically_normal().string();
      read_side(value, limit);
      break;
  }
  return limit;
}

bool is_of_one_place(const DesignLimit& x, const DesignLimit& y) {
  return x.kind == y.kind && x.name == y.name && x.file == y.file &&
         (x.input.empty() || y.input.empty() || x.input == y.input) && (x.k == 0 || y.k == 0 || x.k == y.k);
}

double least_of(const DesignLimit& l) {
  return l.side == LimitSide::least ? l.number : l.side == LimitSide::within ? -l.number : -HUGE_VAL;
}
double most_of(const DesignLimit& l) { return l.side == LimitSide::least ? HUGE_VAL : l.number; }

void check_together(const std::vector<DesignLimit>& limits) {
  for (const DesignLimit& x : limits) {
    for (const DesignLimit& y : limits) {
      if ((x.kind == LimitKind::measure || x.kind == LimitKind::program) && is_of_one_place(x, y) &&
          least_of(x) > most_of(y))
        throw Error{fmt::format("{}: This limit, {}, and that of {}, {}, contradict each other: nothing meets both.",
                                x.place, x.text(), y.place, y.text())};
    }
  }
}

}  // namespace

std::string DesignLimit::text() const {
  const char* const how = side == LimitSide::most ? "at most" : side == LimitSide::least ? "at least" : "within +-";
  const std::string number_text = fmt::format("{}{}{:g}", how, side == LimitSide::within ? "" : " ", number);
  switch (kind) {
    case LimitKind::bound: return fmt::format("|d - exact| for all operands at most {:g} x S", number);
    case LimitKind::measure:
      return name + (input.empty() ? "" : " on " + input) + (k == 0 ? "" : fmt::format(" at K = {}", k)) + " " +
             number_text;
    case LimitKind::equals: return "equal to " + name + " on these inputs";
    case LimitKind::property: return "the property " + name;
    case LimitKind::program: return name + " " + number_text;
  }
  return "";
}

bool DesignLimit::is_met(double low, double high) const { return low >= least_of(*this) && high <= most_of(*this); }
bool DesignLimit::is_missed(double low, double high) const { return high < least_of(*this) || low > most_of(*this); }

double DesignLimit::excess(double value) const {
  return std::max({0.0, least_of(*this) - value, value - most_of(*this)});
}

std::vector<DesignLimit> read_limits(const YamlValue& value, const Study& study, const Catalogue& catalogue) {
  std::vector<DesignLimit> limits;
  for (const YamlValue& item : value.items()) limits.push_back(read_limit(item, study, catalogue));
  check_together(limits);
  return limits;
}

}  // namespace assay::design
