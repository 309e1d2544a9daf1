#include "tb/guarantee/property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "model/base/text.hpp"
#include "model/config/yaml.hpp"

namespace assay::guarantee {
namespace {

// --- the words ---

struct VerbForm {
  std::string_view text;  // with # where a number stands
  ChangeVerb verb;
  ChangeOf of;
};
constexpr std::array<VerbForm, 17> verb_forms{{
    {"negate a", ChangeVerb::negate, ChangeOf::a},
    {"negate b", ChangeVerb::negate, ChangeOf::b},
    {"negate c", ChangeVerb::negate, ChangeOf::c},
    {"negate products", ChangeVerb::negate, ChangeOf::products},
    {"swap a b", ChangeVerb::swap, ChangeOf::products},
    {"permute terms", ChangeVerb::permute, ChangeOf::terms},
    {"scale a by 2^#", ChangeVerb::scale, ChangeOf::a},
    {"scale b by 2^#", ChangeVerb::scale, ChangeOf::b},
    {"scale c by 2^#", ChangeVerb::scale, ChangeOf::c},
    {"increase a", ChangeVerb::increase, ChangeOf::a},
    {"increase b", ChangeVerb::increase, ChangeOf::b},
    {"increase c", ChangeVerb::increase, ChangeOf::c},
    {"replace a by #", ChangeVerb::replace, ChangeOf::a},
    {"replace b by #", ChangeVerb::replace, ChangeOf::b},
    {"replace c by #", ChangeVerb::replace, ChangeOf::c},
    {"zero products", ChangeVerb::zero, ChangeOf::products},
    {"oppose terms", ChangeVerb::oppose, ChangeOf::terms},
}};

// A word of a file, with # where a number stands, and what it means.
template <class Value>
struct WordForm {
  std::string_view text;
  Value value;
};
constexpr std::array<WordForm<SecondSide>, 5> side_forms{{
    {"c", SecondSide::c},
    {"exact", SecondSide::exact},
    {"fma", SecondSide::fma},
    {"halves", SecondSide::halves},
    {"none", SecondSide::none},
}};

constexpr std::array<WordForm<ResultWord>, 11> result_forms{{
    {"equal", ResultWord::equal},
    {"same code", ResultWord::same_code},
    {"negated", ResultWord::negated},
    {"not less", ResultWord::not_less},
    {"not greater", ResultWord::not_greater},
    {"within # ulp", ResultWord::within},
    {"scaled by 2^#", ResultWord::scaled},
    {"nearest", ResultWord::nearest},
    {"same sign", ResultWord::same_sign},
    {"finite", ResultWord::finite},
    {"not subnormal", ResultWord::not_subnormal},
}};

constexpr std::array<WordForm<CaseCondition>, 10> condition_forms{{
    {"a not negative", CaseCondition::a_not_negative},
    {"a not positive", CaseCondition::a_not_positive},
    {"b not negative", CaseCondition::b_not_negative},
    {"b not positive", CaseCondition::b_not_positive},
    {"d holds c", CaseCondition::d_holds_c},
    {"d holds the sum", CaseCondition::d_holds_sum},
    {"sum in range", CaseCondition::sum_in_range},
    {"no overflow", CaseCondition::no_overflow},
    {"no underflow", CaseCondition::no_underflow},
    {"any operands", CaseCondition::any_operands},
}};

constexpr int greatest_power = 4096, greatest_ulps = 1 << 20;

template <class Forms>
std::string choices(const Forms& forms, std::string_view number) {
  std::vector<std::string> texts;
  for (const auto& form : forms) texts.push_back(replaced(std::string(form.text), "#", number));
  return joined(texts);
}

// What stands where a form has its #; empty where the form has none; nothing where the text is another form's.
std::optional<std::string> matched(std::string_view form, std::string_view text) {
  const std::size_t at = form.find('#');
  if (at == std::string_view::npos) return form == text ? std::optional<std::string>("") : std::nullopt;
  const std::string_view head = form.substr(0, at), tail = form.substr(at + 1);
  if (text.size() < head.size() + tail.size() || text.substr(0, head.size()) != head) return std::nullopt;
  if (text.substr(text.size() - tail.size()) != tail) return std::nullopt;
  return std::string(text.substr(head.size(), text.size() - head.size() - tail.size()));
}

template <class Forms>
const auto* form_of(const Forms& forms, const std::string& text, std::string& number) {
  for (const auto& form : forms) {
    if (const auto found = matched(form.text, text)) {
      number = *found;
      return &form;
    }
  }
  return static_cast<const typename Forms::value_type*>(nullptr);
}

// The text for a value; none where no form has it.
template <class Forms, class Value>
std::string text_for(const Forms& forms, Value value) {
  for (const auto& form : forms) {
    if (form.value == value) return std::string(form.text);
  }
  return "";
}

// --- a file ---

// What stands in place of a form's N.
int number_in(const YamlValue& value, const std::string& text, int least, int greatest) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > greatest)
    value.fail(
        fmt::format("{} needs a whole number from {} to {} in place of '{}'.", value.found(), least, greatest, text));
  return number;
}
Code code_in(const YamlValue& value, const std::string& text) {
  Code code = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), code, 16);
  if (error != std::errc{} || end != text.data() + text.size())
    value.fail(
        fmt::format("{} needs 1 to 16 hexadecimal digits without prefix in place of '{}'.", value.found(), text));
  return code;
}

OperandChange change_of(const YamlValue& value) {
  std::string number;
  const VerbForm* form = form_of(verb_forms, value.text(), number);
  if (form == nullptr)
    value.fail(fmt::format("{} is no change of operands; it is one of: {}.", value.found(), choices(verb_forms, "N")));
  OperandChange change{form->verb, form->of, 0, 0};
  if (form->verb == ChangeVerb::scale) change.power = number_in(value, number, -greatest_power, greatest_power);
  if (form->verb == ChangeVerb::replace) change.code = code_in(value, number);
  return change;
}

std::vector<OperandChange> changes_of(const YamlValue& value) {
  std::vector<OperandChange> changes;
  for (const YamlValue& one : value.items()) changes.push_back(change_of(one));
  return changes;
}

void read_second(const YamlValue& value, Property& property) {
  if (value.is_list()) {
    property.side = SecondSide::changed;
    property.second = changes_of(value);
    if (property.second.empty()) value.fail("second is an empty list; say what is done to the operands.");
    return;
  }
  std::string number;
  const auto* form = form_of(side_forms, value.text(), number);
  if (form == nullptr)
    value.fail(
        fmt::format("{} is nothing that results can be held to; give a list of changes of the operands, or one of: {}.",
                    value.found(), choices(side_forms, "")));
  property.side = form->value;
}

ResultRelation relation_of(const YamlValue& value) {
  std::string number;
  const auto* form = form_of(result_forms, value.text(), number);
  if (form == nullptr)
    value.fail(
        fmt::format("{} is no relation of results; it is one of: {}.", value.found(), choices(result_forms, "N")));
  ResultRelation relation{form->value, 0};
  if (form->value == ResultWord::within) relation.number = number_in(value, number, 0, greatest_ulps);
  if (form->value == ResultWord::scaled) relation.number = number_in(value, number, -greatest_power, greatest_power);
  return relation;
}

CaseCondition condition_of(const YamlValue& value) {
  std::string number;
  const auto* form = form_of(condition_forms, value.text(), number);
  if (form == nullptr)
    value.fail(fmt::format("{} is no condition; it is one of: {}.", value.found(), choices(condition_forms, "")));
  return form->value;
}

// Which relations make sense with which second side.
bool fit(SecondSide side, ResultWord word) {
  const bool alone = word == ResultWord::finite || word == ResultWord::not_subnormal;
  if (side == SecondSide::none) return alone;
  if (alone) return false;
  if (word == ResultWord::nearest) return side == SecondSide::exact;
  if (side == SecondSide::exact)
    return word == ResultWord::equal || word == ResultWord::within || word == ResultWord::same_sign;
  return true;
}

void check(const YamlValue& yaml, const Property& property) {
  if (!fit(property.side, property.results.word)) {
    yaml.at("results").fail(fmt::format(
        "{} does not go with this second side: `finite` and `not subnormal` take `second: none`, `nearest` takes "
        "`second: exact`, and `exact` is held by equal, within N ulp, same sign or nearest.",
        yaml.at("results").found()));
  }
}

Property read_property(const YamlValue& yaml) {
  yaml.only({"name", "says", "first", "second", "results", "when"});
  Property property;
  property.name = yaml.at("name").text();
  property.says = yaml.find("says") ? yaml.at("says").text() : "";
  if (const auto first = yaml.find("first")) property.first = changes_of(*first);
  read_second(yaml.at("second"), property);
  property.results = relation_of(yaml.at("results"));
  if (const auto when = yaml.find("when")) {
    for (const YamlValue& one : when->items()) property.when.push_back(condition_of(one));
  }
  check(yaml, property);
  return property;
}

std::vector<Property> read_properties(const YamlValue& yaml) {
  const std::optional<YamlValue> list = yaml.find("properties");
  if (!list) return {read_property(yaml)};
  yaml.only({"properties"});
  std::vector<Property> read;
  for (const YamlValue& one : list->items()) read.push_back(read_property(one));
  return read;
}

}  // namespace

bool Property::has(CaseCondition condition) const {
  return std::find(when.begin(), when.end(), condition) != when.end();
}

bool Property::changes(ChangeVerb verb) const {
  const auto is = [&](const OperandChange& change) { return change.verb == verb; };
  return std::any_of(first.begin(), first.end(), is) || std::any_of(second.begin(), second.end(), is);
}

std::vector<Property> read_properties_text(const std::string& text, const std::string& name) {
  return read_properties(read_yaml_text(text, name));
}

std::vector<Property> read_properties_file(const std::string& path) { return read_properties(read_yaml_file(path)); }

// --- the rows ---

namespace {

// In the words of a file, and read as one.
constexpr std::string_view rows = R"(properties:
- name: sign_symmetry
  says: a x b and c negated give d negated
  second: [negate products, negate c]
  results: negated
- name: order_of_terms
  says: terms in another order, within each block of scales, give the same d
  second: [permute terms]
  results: equal
- name: swap_a_b
  says: a and b swapped give the same d
  second: [swap a b]
  results: equal
- name: monotone_in_c
  says: a greater c gives no less d
  second: [increase c]
  results: not less
- name: monotone_in_a
  says: a greater a[i] with no b negative gives no less d
  second: [increase a]
  results: not less
  when: [b not negative]
- name: monotone_in_a_mirrored
  says: a greater a[i] with no b positive gives no greater d
  second: [increase a]
  results: not greater
  when: [b not positive]
- name: scaling_by_2
  says: a and c times 2 give d times 2 while nothing over- or underflows
  second: [scale a by 2^1, scale c by 2^1]
  results: scaled by 2^1
  when: [no overflow, no underflow]
- name: c_alone_stays
  says: where all products are zero, d is c
  first: [zero products]
  second: c
  results: equal
  when: [d holds c]
- name: opposite_terms_cancel
  says: x y - x y + 0 is 0
  first: [oppose terms, replace c by 0]
  second: c
  results: equal
- name: opposite_terms_leave_c
  says: x y - x y + c is c
  first: [oppose terms]
  second: c
  results: equal
  when: [d holds c]
- name: exact_where_d_holds_it
  says: d is the exact sum wherever d's format holds that
  second: exact
  results: equal
  when: [d holds the sum]
- name: within_one_ulp
  says: d is less than or just one unit of its last place from the exact sum
  second: exact
  results: within 1 ulp
  when: [sum in range]
- name: correctly_rounded
  says: d is the exact sum, rounded to nearest even
  second: exact
  results: nearest
  when: [sum in range]
- name: right_sign
  says: d never has the sign opposite to the exact sum's
  second: exact
  results: same sign
  when: [sum in range]
- name: never_subnormal
  says: d is never a subnormal
  second: none
  results: not subnormal
- name: finite_without_overflow
  says: d is neither NaN nor infinity where |c| and all |a b| add up to a quarter of the range at most
  second: none
  results: finite
  when: [no overflow]
- name: overflow_only_of_the_exact_sum
  says: d is neither NaN nor infinity where the exact sum, rounded to nearest, is neither
  second: none
  results: finite
  when: [sum in range]
- name: two_of_half_the_terms
  says: one instruction of k terms is two of k / 2, the first one's d being the second one's c
  second: halves
  results: equal
- name: ieee_fma
  says: of one term, d is IEEE's a b + c, infinities and NaN included
  second: fma
  results: same code
  when: [any operands]
)";

std::string text_of(const OperandChange& change) {
  for (const VerbForm& form : verb_forms) {
    if (form.verb != change.verb || form.of != change.of) continue;
    const std::string number =
        change.verb == ChangeVerb::scale ? std::to_string(change.power) : fmt::format("{:x}", change.code);
    return replaced(std::string(form.text), "#", number);
  }
  return "";
}

std::string list_text(const std::vector<OperandChange>& changes) {
  std::vector<std::string> texts;
  for (const OperandChange& change : changes) texts.push_back(text_of(change));
  return joined(texts);
}

}  // namespace

const std::vector<Property>& properties() {
  static const std::vector<Property> table = read_properties_text(std::string(rows), "the table of properties");
  return table;
}

const Property* find_property(std::string_view name) {
  for (const Property& property : properties()) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

std::string operands_text(const Property& property) {
  const bool changes = property.side == SecondSide::changed;
  const std::string second = changes ? list_text(property.second) : text_for(side_forms, property.side);
  return property.first.empty() ? second : list_text(property.first) + "; " + second;
}

std::string results_text(const Property& property) {
  return replaced(text_for(result_forms, property.results.word), "#", std::to_string(property.results.number));
}

std::string conditions_text(const Property& property) {
  std::vector<std::string> texts;
  for (const CaseCondition condition : property.when) texts.push_back(text_for(condition_forms, condition));
  return joined(texts);
}

}  // namespace assay::guarantee
