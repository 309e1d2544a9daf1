#include "tb/probe/report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tb/explain/numbers.hpp"
#include "tb/oracle/datum.hpp"

namespace assay::probe {
namespace {

using Json = nlohmann::ordered_json;

bool differs(const std::optional<int>& measured, const std::optional<int>& published) {
  return measured && published && *measured != *published;
}

// Of a width that is only known to be so much or more, it does where the published one is less.
bool differs(const std::optional<Width>& measured, const std::optional<int>& published) {
  if (!measured || !published) return false;
  return measured->at_least ? measured->bits > *published : measured->bits != *published;
}

// What is published is one width. Where products have several it is to lie among them.
bool products_differ(const Report& r) {
  const Widths& w = r.widths;
  if (!w.least_product || !r.published_fraction_bits) return false;
  if (w.least_product->bits == w.greatest_product->bits) return differs(w.least_product, r.published_fraction_bits);
  return w.least_product->bits > *r.published_fraction_bits ||
         (!w.greatest_product->at_least && w.greatest_product->bits < *r.published_fraction_bits);
}

std::string text_of(const std::optional<Width>& width) {
  if (!width) return "not told";
  return fmt::format("{}{}", width->at_least ? "at least " : "", width->bits);
}

std::string products_text(const Widths& w) {
  if (!w.least_product || w.least_product->bits == w.greatest_product->bits) return text_of(w.least_product);
  return text_of(w.least_product) + " to " + text_of(w.greatest_product);
}

std::string decimal_of(const Plan& plan, Code d) { return explain::decimal(exact::decode(plan.d, d)); }

constexpr std::array<const char*, 4> quarter_names{"1 + .75u", "1 + .25u", "-1 - .75u", "-1 - .25u"};
constexpr std::array<const char*, 4> tie_names{"1 + .5u", "1 + 1.5u", "-1 - .5u", "-1 - 1.5u"};

// 1 + 2u, -1 - u
std::string in_units(const std::optional<int>& units, bool negative) {
  if (!units) return "other";
  const std::string one = negative ? "-1" : "1";
  if (*units == 0) return one;
  const int count = std::abs(*units);
  return fmt::format("{} {} {}u", one, *units < 0 ? '-' : '+', count == 1 ? "" : std::to_string(count));
}

class Text {
 public:
  explicit Text(const Plan& plan) : plan_(plan) {}

  std::string of(const Report& r) {
    text_ = r.title + "\n\n";
    mask();
    alone(r);
    tree(r);
    row("terms a step", number(r.terms_a_step), r.published_terms_a_step,
        differs(r.terms_a_step, r.published_terms_a_step));
    row("fraction bits, of products", products_text(r.widths), r.published_fraction_bits, products_differ(r));
    row("fraction bits, of c", text_of(r.widths.c));
    row("fraction bits, of d", text_of(r.widths.result), r.published_result_bits,
        differs(r.widths.result, r.published_result_bits));
    roundings(r);
    groups(r);
    checks(r);
    text_ += fmt::format("\n{} questions; {}\n", r.questions, conclusion(r));
    return text_;
  }

 private:
  // Which products take part, where never all of them do.
  void mask() {
    if (plan_.mask < 0) return;
    const Mask& words = plan_.more[static_cast<std::size_t>(plan_.mask)].pattern;
    if (!words.has_pattern()) return;
    std::string bits;
    for (int i = 0; i < *words.among; ++i) bits += plain_mask_bit(words, i) != 0 ? '1' : '0';
    row("mask", bits + " of each " + std::to_string(*words.among) + " products, in all questions");
  }

  void alone(const Report& r) {
    if (r.unread.empty()) return row("each addend alone", "comes through");
    std::vector<std::string> names;
    for (const int addend : r.unread) names.push_back(addend_name(plan_, addend));
    row("each addend alone", fmt::format("lost or changed: {}", fmt::join(names, ", ")));
  }

  void tree(const Report& r) {
    if (!r.no_tree.empty()) return row("summation tree", "none: " + r.no_tree);
    std::string name = "summation tree";
    for (const std::string& line : wrapped(tree_text(plan_, r.tree))) {
      row(name, line);
      name.clear();
    }
    row("", fmt::format("( ) loses a 2^-{} beside a 1, {{ }} does not", r.range));
    const auto asked = static_cast<std::size_t>(r.tree.leaves());
    if (const std::size_t all = Workbench(plan_).products().size() + 1; asked < all)
      row("", fmt::format("one product of each block of scales, {} of {} addends", asked, all));
  }

  // At " + ", so that nothing is wider than a page.
  static std::vector<std::string> wrapped(std::string text) {
    constexpr std::size_t width = 72;
    std::vector<std::string> lines;
    while (text.size() > width) {
      const std::size_t at = text.rfind(" + ", width - 2);
      if (at == std::string::npos) break;
      lines.push_back(text.substr(0, at + 2));
      text.erase(0, at + 3);
    }
    lines.push_back(text);
    return lines;
  }

  static std::string number(const std::optional<int>& n) { return n ? std::to_string(*n) : "not told"; }

  void row(const std::string& name, const std::string& value) { text_ += fmt::format("{:<28}{}\n", name, value); }
  void row(const std::string& name, const std::string& value, const std::optional<int>& published, bool differs) {
    const std::string beside = published ? fmt::format("published {}{}", *published, differs ? "  DIFFERS" : "") : "";
    row(name, beside.empty() ? value : fmt::format("{:<32}{}", value, beside));
  }

  // A row a sum, a column a choice of addends.
  void roundings(const Report& r) {
    const auto line = [&](const std::string& name, const auto& value) {
      text_ += fmt::format("{:<28}", name);
      for (const PlacedRounding& p : r.roundings) text_ += fmt::format("{:<24}", value(p));
      text_.erase(text_.find_last_not_of(' ') + 1);
      text_ += '\n';
    };
    if (r.roundings.empty()) return;
    text_ += '\n';
    line("rounding, u: last bit of d", [](const PlacedRounding& p) { return p.places; });
    for (const bool ties : {false, true}) {
      for (std::size_t i = 0; i < 4; ++i) {
        line(std::string("  ") + (ties ? tie_names : quarter_names)[i], [&](const PlacedRounding& p) -> std::string {
          if (!p.found) return "cannot be asked";
          return in_units(ties ? p.found->ties[i] : p.found->quarters[i], i >= 2);
        });
      }
    }
    line("  that is", [](const PlacedRounding& p) { return p.found ? p.found->mode : std::string(); });
  }

  void groups(const Report& r) {
    std::string group;
    for (const Feature& f : r.features) {
      if (f.group != group) text_ += "\n" + f.group + "\n";
      group = f.group;
      text_ += fmt::format("  {:<62}{:<24}{:0{}x}\n", f.question, f.answer, f.d, plan_.d.hex_digits());
    }
  }

  void checks(const Report& r) {
    if (r.checks.empty()) return;
    text_ += "\ntests of Fasi, Higham, Mikaitis and Pranesh\n";
    for (const CheckResult& check : r.checks) {
      const auto printed = r.printed.find(check.name);
      const std::string beside = printed == r.printed.end() ? ""
                                 : printed->second == check.d
                                     ? "as printed"
                                     : fmt::format("DIFFERS: printed {:0{}x}", printed->second, plan_.d.hex_digits());
      text_ += fmt::format("  {:<54}{:0{}x}  {:<20}{}", check.name, check.d, plan_.d.hex_digits(),
                           decimal_of(plan_, check.d), beside);
      text_.erase(text_.find_last_not_of(' ') + 1);
      text_ += '\n';
    }
  }

  static std::string conclusion(const Report& r) {
    const int differences = r.differences();
    if (differences > 0) return fmt::format("{} of what is published differ", differences);
    const bool nothing = !r.published_fraction_bits && r.printed.empty();
    return nothing ? "nothing is published of this instruction" : "all agree with what is published";
  }

  const Plan& plan_;
  std::string text_;
};

Json json_of(const std::optional<Width>& width) {
  if (!width) return nullptr;
  return {{"bits", width->bits}, {"at_least", width->at_least}};
}

Json json_of(const std::optional<int>& number) { return number ? Json(*number) : Json(nullptr); }

Json json_of(const std::optional<Rounding>& rounding) {
  if (!rounding) return nullptr;
  Json units;
  for (std::size_t i = 0; i < 4; ++i) units[quarter_names[i]] = json_of(rounding->quarters[i]);
  for (std::size_t i = 0; i < 4; ++i) units[tie_names[i]] = json_of(rounding->ties[i]);
  units["1 + 1.25u"] = json_of(rounding->odd);
  return {{"mode", rounding->mode}, {"units_beyond_1", units}};
}

Json json_of(const Plan& plan, const Node& node) {
  if (node.is_leaf()) return addend_name(plan, node.addend);
  Json children = Json::array();
  for (const Node& child : node.children) children.push_back(json_of(plan, child));
  return {{"exact", node.exact}, {"adds", children}};
}

}  // namespace

int Report::differences() const {
  const bool published = published_fraction_bits || !printed.empty();
  int count = published && !unread.empty() ? 1 : 0;
  count += differs(terms_a_step, published_terms_a_step) ? 1 : 0;
  count += products_differ(*this) ? 1 : 0;
  count += differs(widths.result, published_result_bits) ? 1 : 0;
  for (const CheckResult& check : checks) {
    const auto found = printed.find(check.name);
    count += found != printed.end() && found->second != check.d ? 1 : 0;
  }
  return count;
}

std::string as_text(const Plan& plan, const Report& report) { return Text(plan).of(report); }

Json as_json(const Plan& plan, const Report& r) {
  Json j{{"title", r.title}};
  j["unread"] = Json::array();
  for (const int addend : r.unread) j["unread"].push_back(addend_name(plan, addend));
  if (r.no_tree.empty()) {
    j["tree"] = json_of(plan, r.tree);
  } else {
    j["no_tree"] = r.no_tree;
  }
  j["terms_a_step"] = json_of(r.terms_a_step);
  j["fraction_bits"] = {{"least_product", json_of(r.widths.least_product)},
                        {"greatest_product", json_of(r.widths.greatest_product)},
                        {"c", json_of(r.widths.c)},
                        {"d", json_of(r.widths.result)}};
  j["rounding"] = Json::object();
  for (const PlacedRounding& p : r.roundings) j["rounding"][p.places] = json_of(p.found);
  j["published"] = {{"terms_a_step", json_of(r.published_terms_a_step)},
                    {"fraction_bits", json_of(r.published_fraction_bits)},
                    {"fraction_bits_of_d", json_of(r.published_result_bits)}};
  const auto hex = [&](Code d) { return fmt::format("{:0{}x}", d, plan.d.hex_digits()); };
  j["features"] = Json::array();
  for (const Feature& f : r.features) {
    j["features"].push_back({{"group", f.group}, {"question", f.question}, {"answer", f.answer}, {"d", hex(f.d)}});
  }
  j["checks"] = Json::array();
  for (const CheckResult& check : r.checks) {
    const auto printed = r.printed.find(check.name);
    j["checks"].push_back({{"name", check.name},
                           {"d", hex(check.d)},
                           {"printed", printed == r.printed.end() ? Json(nullptr) : Json(hex(printed->second))}});
  }
  j["questions"] = r.questions;
  j["differences"] = r.differences();
  return j;
}

}  // namespace assay::probe
