#include "tb/capi/options.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "model/base/text.hpp"
#include "tb/capi/call.hpp"
#include "tb/run/waivers_file.hpp"
#include "tb/vectors/print.hpp"

namespace assay::capi {
namespace {

using nlohmann::json;

constexpr std::uint64_t any_number = std::numeric_limits<std::uint64_t>::max();

struct Option {
  const std::string& name;
  const json& value;

  [[noreturn]] void fail(const std::string& takes) const {
    const std::string found = value.dump(-1, ' ', false, json::error_handler_t::replace);
    throw bad_argument("The option \"" + name + "\" takes " + takes + ", found " + excerpt(found) + ".");
  }

  std::uint64_t number(std::uint64_t least, std::uint64_t most) const {
    if (value.is_number_unsigned() && value >= least && value <= most) return value;
    fail("a whole number from " + grouped(least) + " to " + grouped(most));
  }

  int terms() const { return static_cast<int>(number(1, greatest_k)); }

  std::string text() const {
    if (!value.is_string()) fail("a text");
    return value;
  }

  bool flag() const {
    if (!value.is_boolean()) fail("true or false");
    return value;
  }

  std::string one_of(const std::string& x, const std::string& y) const {
    if (value == x || value == y) return value;
    fail("\"" + x + "\" or \"" + y + "\"");
  }

  std::vector<int> element() const {
    const auto is_index = [](const json& j) { return j.is_number_unsigned() && j <= std::numeric_limits<int>::max(); };
    if (value.is_array() && value.size() == 2 && is_index(value[0]) && is_index(value[1])) return value;
    fail("a row and a column, such as [3, 0]");
  }
};

// What each option does, by its name.
struct Row {
  std::string_view name;
  void (*take)(BenchOptions&, const Option&);
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table{
      {"seed", [](BenchOptions& into, const Option& o) { into.seed = into.identify.seed = o.number(0, any_number); }},
      {"family", [](BenchOptions& into, const Option& o) { into.family = o.text(); }},
      {"level", [](BenchOptions& into, const Option& o) { into.level = o.number(1, levels().size()); }},
      {"cases", [](BenchOptions& into, const Option& o) { into.cases = o.number(0, any_number); }},
      {"first", [](BenchOptions& into, const Option& o) { into.first = o.number(0, any_number); }},
      {"with_results", [](BenchOptions& into, const Option& o) { into.with_results = o.flag(); }},
      {"nan", [](BenchOptions& into, const Option& o) { into.nan = o.one_of("bits", "any"); }},
      {"max_failures", [](BenchOptions& into, const Option& o) { into.max_failures = o.number(0, 1'000'000); }},
      {"waivers", [](BenchOptions& into, const Option& o) { into.waivers = o.text(); }},
      {"case", [](BenchOptions& into, const Option& o) { into.only = o.number(0, any_number); }},
      {"element", [](BenchOptions& into, const Option& o) { into.element = o.element(); }},
      {"name", [](BenchOptions& into, const Option& o) { into.name = o.text(); }},
      {"k", [](BenchOptions& into, const Option& o) { into.chain.k = o.terms(); }},
      {"promote_every", [](BenchOptions& into, const Option& o) { into.chain.promote_every = o.terms(); }},
      {"questions", [](BenchOptions& into, const Option& o) { into.identify.questions = o.number(1, any_number); }},
      {"confirm", [](BenchOptions& into, const Option& o) { into.identify.confirm = o.number(0, any_number); }},
      {"answers", [](BenchOptions& into, const Option& o) { into.answers = o.text(); }},
      {"split_k", [](BenchOptions& into, const Option& o) { into.chain.split_k = o.terms(); }},
  };
  return table;
}

void take(BenchOptions& into, const Option& option, const std::vector<std::string_view>& names) {
  if (std::find(names.begin(), names.end(), option.name) == names.end()) {
    const std::vector<std::string> there(names.begin(), names.end());
    throw bad_argument("This call has no option \"" + option.name + "\"; it has " +
                       (there.empty() ? "none" : joined(there)) + ".");
  }
  for (const Row& row : rows()) {
    if (row.name == option.name) row.take(into, option);
  }
}

// Discarded where it is no JSON. Of a name that is given twice the parser alone would keep the last value.
json parsed(const char* text) {
  std::set<std::string> given;
  return json::parse(
      text,
      [&](int depth, json::parse_event_t event, json& name) {
        if (depth == 1 && event == json::parse_event_t::key && !given.insert(name.get<std::string>()).second)
          throw bad_argument("The option " + name.dump() + " is given twice; give it once.");
        return true;
      },
      false);
}

}  // namespace

BenchOptions read_options(const char* text, const std::vector<std::string_view>& names) {
  BenchOptions options;
  if (text == nullptr) return options;
  const json object = parsed(text);
  if (!object.is_object()) {
    throw bad_argument("Options are the text of a JSON object, such as {\"seed\": 7}, found " + excerpt(text) + ".");
  }
  for (const auto& [name, value] : object.items()) take(options, {name, value}, names);
  if (options.level && options.cases) throw bad_argument("\"cases\" stands in place of \"level\"; give one of them.");
  return options;
}

CaseRange BenchOptions::range() const {
  const std::uint64_t count = cases ? *cases : find_level(static_cast<int>(level.value_or(1)))->cases;
  if (count == 0 || count - 1 <= any_number - first) return {first, count};
  throw bad_argument(grouped(count) + " cases from case " + grouped(first) +
                     " on are more than have a number; the last is " + grouped(any_number) + ".");
}

Generator BenchOptions::open(const Plan& plan) const { return {plan, seed, named_family(plan, "The family", family)}; }

NanRule BenchOptions::nan_rule(const Subject& subject) const {
  return nan.empty() ? nan_rule_of(subject) : nan == "any" ? NanRule::any : NanRule::bits;
}

RunOptions BenchOptions::run(const Subject& subject, Explained explained, const Catalogue& catalogue) const {
  RunOptions options;
  options.catalogue = &catalogue;
  options.nan = nan_rule(subject);
  options.max_failures = max_failures;
  options.explained = explained;
  if (!waivers.empty()) options.waivers = read_waivers(waivers);
  return options;
}

}  // namespace assay::capi
