#include "tb/explore/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/base/files.hpp"
#include "model/base/text.hpp"
#include "model/config/datapath_key.hpp"

namespace assay {
namespace {

constexpr int most_axes = 8;
constexpr int most_values = 1000;  // of one axis
constexpr int greatest_side = 4096;
constexpr int greatest_sum = 1 << 20;  // of K
constexpr double greatest_real = 1e100;
constexpr double least_greatest = 1e-30, most_greatest = 1e30;  // what scales bring the greatest magnitude to
constexpr std::string_view scaling_prefix = "scaling.";
constexpr std::array<std::string_view, 5> keys_of_bits{"keep", "bits", "mantissa", "fraction", "integer"};
const std::vector<std::string_view> families{"normal",          "uniform",  "outliers", "log_uniform",
                                             "ill_conditioned", "gradient", "listed",   "tensor"};

}  // namespace

std::string plain_name(const YamlValue& value) {
  const std::string text = value.text();
  if (text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
    value.fail("a name of a-z, 0-9, _ and - is needed here, found " + value.found() + ".");
  return text;
}

namespace {

// As whoever writes the results as JSON will ask.
bool is_utf8(const std::string& text) {
  try {
    nlohmann::json(text).dump();
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

// --- the base ---

// A file that a study names lies where the study says, from the study's own folder on.
std::string beside(const YamlValue& value, const std::string& file) {
  return (folder_of_file(value.file()) / file).lexically_normal().string();
}

DatapathFile datapath_named(const YamlValue& value, const Catalogue& catalogue) {
  const std::string text = value.text();
  const bool is_file = text.find('/') != text.npos || std::filesystem::path(text).extension() == ".yaml";
  return is_file ? read_datapath_file(beside(value, text), catalogue) : catalogue.datapath(text);
}

// A name of configs/datapath, the file of an own one, or the datapath itself.
DatapathFile read_any_datapath(const YamlValue& value, const Catalogue& catalogue) {
  if (!value.is_mapping()) return datapath_named(value, catalogue);
  return read_datapath(value, [&](const YamlValue& like) { return datapath_named(like, catalogue); });
}

// A key that two of a study's words give, and what each says of it.
struct Contradiction {
  std::string key, one, other;
};

std::string scale_text(const Operands& operands) {
  return operands.scale.empty() ? "" : fmt::format("{} of {} values", operands.scale, operands.scale_block);
}

// Of k and the operands what both say, and say differently.
std::vector<Contradiction> contradictions(const DatapathFile& one, const DatapathFile& other) {
  const auto k_of = [](const DatapathFile& file) { return file.k ? std::to_string(*file.k) : ""; };
  const Operands &x = one.datapath.operands, &y = other.datapath.operands;
  std::vector<Contradiction> found;
  for (const Contradiction& both :
       {Contradiction{"k", k_of(one), k_of(other)}, Contradiction{"operands.a", x.a, y.a},
        Contradiction{"operands.b", x.b, y.b}, Contradiction{"operands.c", x.c, y.c},
        Contradiction{"operands.d", x.d, y.d}, Contradiction{"operands.scale", scale_text(x), scale_text(y)}}) {
    if (!both.one.empty() && !both.other.empty() && both.one != both.other) found.push_back(both);
  }
  return found;
}

// The study's own `operands` and `k`, which may complete what the base says, and repeat it, but not change it.
void complete_base(const YamlValue& top, const char* said_by, DatapathFile& file) {
  const DatapathFile own = file;
  const auto operands = top.find("operands"), k = top.find("k");
  if (operands) read_operands(*operands, file.datapath.operands);
  if (k) file.k = k->integer(1, greatest_k);
  for (const Contradiction& c : contradictions(own, file))
    (c.key == "k" ? *k : *operands)
        .fail(fmt::format("the {} says {} = {}, and the study says {}; leave one of them out.", said_by, c.key, c.one,
                          c.other));
}

DatapathFile read_base(const YamlValue& top, const Catalogue& catalogue) {
  const auto datapath = top.find("datapath"), instruction = top.find("instruction");
  if (datapath.has_value() == instruction.has_value())
    top.fail("one of the keys 'datapath' and 'instruction' is needed: what the study varies.");
  DatapathFile file;
  if (instruction) {
    file = catalogue.datapath_of(catalogue.instruction(instruction->text()));
  } else {
    file = read_any_datapath(*datapath, catalogue);
  }
  complete_base(top, instruction ? "instruction" : "datapath", file);
  if (!file.k) top.fail("the key 'k' is missing: the number of terms of one instruction.");
  return file;
}

void read_walk_key(const std::string& key, const YamlValue& value, Walk& walk) {
  if (key == "promote_every") walk.promote_every = value.is_none() ? 0 : value.integer(1, greatest_sum);
  if (key == "split_k") walk.split_k = value.is_none() ? 1 : value.integer(1, greatest_sum);
  if (key == "output") walk.output = value.is_none() ? "" : value.text();
}

const std::vector<std::string> walk_keys{"promote_every", "split_k", "output"};

bool is_walk_key(const std::string& key) {
  return std::find(walk_keys.begin(), walk_keys.end(), key) != walk_keys.end();
}

// --- scaling ---

// One key of `scaling`, which is not none.
void read_scaling_key(const std::string& key, const YamlValue& value, Scaling& scaling) {
  if (key == "format") {
    scaling.format = value.text();
  } else if (key == "block") {
    scaling.block = value.integer(1, greatest_sum);
  } else if (key == "tensor") {
    scaling.tensor = value.one_of({"none", "f32"}) == 1;
  } else if (key == "applied") {
    constexpr std::array<ScaledBy, 3> choices{ScaledBy::unit, ScaledBy::fma, ScaledBy::multiply_add};
    scaling.scales = choices[value.one_of({"unit", "fma", "multiply_add"})];
  } else if (key == "of") {
    scaling.of = value.one_of({"a", "b"}) == 0 ? Side::a : Side::b;
  } else if (key == "greatest") {
    scaling.greatest = value.real(least_greatest, most_greatest);
  } else {
    value.fail("'scaling." + key +
               "' is no key; the keys of `scaling` are format, block, applied, tensor, of and greatest.");
  }
}

// `none`, {tensor: f32, ..} for a scale of each whole tensor and none of blocks, or {format: .., block: .., ..}.
Scaling read_scaling(const YamlValue& value) {
  Scaling scaling;
  scaling.scales = ScaledBy::none;
  if (value.is_none()) return scaling;
  value.only({"format", "block", "applied", "tensor", "of", "greatest"});
  const bool of_blocks = !value.find("tensor") || value.find("format") || value.find("block") || value.find("applied");
  if (of_blocks) {
    scaling.scales = ScaledBy::unit;
    value.at("format");
    value.at("block");
  }
  for (const auto& [key, member] : value.members()) read_scaling_key(key, member, scaling);
  return scaling;
}

// A key such as `scaling.block` of what the study says beside it.
void change_scaling(const Setting& setting, Scaling& scaling) {
  const bool of_blocks = scaling.scales != ScaledBy::own && scaling.scales != ScaledBy::none;
  if (!of_blocks)
    setting.value.fail("'" + setting.path +
                       "' changes the scales of blocks, and there are none: give the study "
                       "`scaling: {format: .., block: ..}` as well.");
  read_scaling_key(setting.path.substr(scaling_prefix.size()), setting.value, scaling);
}

// `times: scales` goes with the scales that the unit no longer has.
void take_scales_away(Datapath& datapath) {
  datapath.operands.scale.clear();
  datapath.operands.scale_block = 0;
  datapath.product.times_scales = false;
  for (Adder& adder : datapath.adders) adder.times_scales = false;
}

void apply_scaling(const Scaling& scaling, Datapath& datapath) {
  if (scaling.scales == ScaledBy::own) return;
  if (scaling.scales != ScaledBy::unit) return take_scales_away(datapath);
  datapath.operands.scale = scaling.format;
  datapath.operands.scale_block = scaling.block;
}

// --- axes ---

// "8..35": every whole number from the one to the other.
std::vector<YamlValue> values_of(const YamlValue& value) {
  if (value.is_list()) return value.items();
  const std::string text = value.text();
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos)
    value.fail("a list or a range such as 8..35 is needed here, found " + value.found() + ".");
  const int first = value.with_text(text.substr(0, dots)).integer(-1'000'000, 1'000'000);
  const int last = value.with_text(text.substr(dots + 2)).integer(-1'000'000, 1'000'000);
  if (last - first >= most_values) value.fail(fmt::format("at most {} values fit on an axis.", most_values));
  std::vector<YamlValue> items;
  for (int i = first; i <= last; ++i) items.push_back(value.with_number(i));
  return items;
}

std::vector<std::string> paths_of(const YamlValue& value) {
  return value.is_list() ? value.texts() : std::vector<std::string>{value.text()};
}

std::string label_of(const YamlValue& value) { return value.is_scalar() ? value.text() : json_text(value); }

// A path as its keys are nested: result[0].cut is result.0.cut as well. An instruction has a whole datapath.
std::string nested(const std::string& path) {
  std::string keys;
  for (const char c : path) {
    if (c != ']') keys += c == '[' ? '.' : c;
  }
  return keys == "instruction" ? "datapath" : keys;
}

// Whether one is the other, or lies within it.
bool overlap(const std::string& one, const std::string& other) {
  const auto within = [](const std::string& key, const std::string& whole) { return starts_with(key, whole + "."); };
  return one == other || within(one, other) || within(other, one);
}

// Of two settings of one value the first would do nothing.
void check_apart(const AxisValue& value) {
  for (std::size_t i = 0; i < value.settings.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const Setting &earlier = value.settings[j], &later = value.settings[i];
      if (overlap(nested(earlier.path), nested(later.path)))
        later.value.fail(
            fmt::format("the value '{}' sets '{}' and '{}', which overlap, so that one would undo the other.",
                        value.label, earlier.path, later.path));
    }
  }
}

// Without `set`, each value is a mapping from a label to the keys that it sets.
std::vector<AxisValue> labelled_values(const YamlValue& values) {
  std::vector<AxisValue> result;
  for (const auto& [label, keys] : values.members()) {
    AxisValue value{label, {}};
    for (const auto& [path, given] : keys.members()) value.settings.push_back({path, given});
    result.push_back(std::move(value));
  }
  return result;
}

StudyAxis axis_in(const YamlValue& value) {
  value.only({"name", "set", "values"});
  StudyAxis axis{value.at("name").text(), {}};
  const YamlValue values = value.at("values");
  if (const auto set = value.find("set")) {
    const std::vector<std::string> paths = paths_of(*set);
    for (const YamlValue& item : values_of(values)) {
      AxisValue point{label_of(item), {}};
      for (const std::string& path : paths) point.settings.push_back({path, item});
      axis.values.push_back(std::move(point));
    }
  } else {
    axis.values = labelled_values(values);
  }
  for (const AxisValue& point : axis.values) check_apart(point);
  if (axis.values.empty()) values.fail("the axis '" + axis.name + "' is empty; give it at least one value.");
  if (axis.values.size() > most_values) values.fail(fmt::format("at most {} values fit on an axis.", most_values));
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (axis.values[i].label == axis.values[j].label)
        values.fail("the value '" + axis.values[i].label + "' is given twice.");
    }
  }
  return axis;
}

// What an axis sets, by nested keys; of each the first value that does.
std::map<std::string, const Setting*> keys_set_by(const StudyAxis& axis) {
  std::map<std::string, const Setting*> keys;
  for (const AxisValue& value : axis.values) {
    for (const Setting& setting : value.settings) keys.emplace(nested(setting.path), &setting);
  }
  return keys;
}

// Of two axes that set one key the values of one would do nothing, and their labels would stand on rows all the same.
// Only a whole datapath may be set beside its keys: they are set in that one, whatever the order.
void check_apart(const StudyAxis& earlier, const StudyAxis& later) {
  for (const auto& [first_key, first] : keys_set_by(earlier)) {
    for (const auto& [second_key, second] : keys_set_by(later)) {
      if (!overlap(first_key, second_key)) continue;
      const std::string both =
          first->path == second->path
              ? fmt::format("the axes '{}' and '{}' both set '{}'", earlier.name, later.name, first->path)
              : fmt::format("the axis '{}' sets '{}' and the axis '{}' sets '{}', which overlap", earlier.name,
                            first->path, later.name, second->path);
      second->value.fail(both + ", so that one would undo the other; let each axis set other keys.");
    }
  }
}

bool is_key_of_bits(const std::string& path) {
  const std::string key = path.substr(path.find_last_of('.') + 1);
  return std::find(keys_of_bits.begin(), keys_of_bits.end(), key) != keys_of_bits.end();
}

}  // namespace

std::optional<int> int_in(const std::string& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional<int>(number) : std::nullopt;
}

bool sets_bits(const StudyAxis& axis) {
  std::map<std::string, int> bits;  // of the value before, by path
  for (const AxisValue& value : axis.values) {
    if (value.settings.empty()) return false;
    for (const Setting& setting : value.settings) {
      const auto number = setting.value.is_scalar() ? int_in(setting.value.text()) : std::nullopt;
      if (!number || !is_key_of_bits(setting.path)) return false;
      int& before = bits.emplace(setting.path, *number).first->second;
      if (*number < before) return false;
      before = *number;
    }
  }
  return true;
}

void read_axes(const YamlValue& value, Study& study) {
  for (const YamlValue& item : value.items()) {
    study.axes.push_back(axis_in(item));
    const std::string& name = study.axes.back().name;
    for (const char* const taken : {"input", "reference", "k"}) {
      if (name == taken) item.at("name").fail("an axis cannot have the name '" + name + "': `where` means another.");
    }
    for (std::size_t i = 0; i + 1 < study.axes.size(); ++i) {
      if (study.axes[i].name == name) item.at("name").fail("the name '" + name + "' is given twice.");
    }
  }
  if (study.axes.size() > most_axes) value.fail(fmt::format("at most {} axes fit here.", most_axes));
  for (std::size_t i = 0; i < study.axes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) check_apart(study.axes[j], study.axes[i]);
  }
}

namespace {

// --- inputs ---

std::vector<double> reals(const YamlValue& list) {
  std::vector<double> values;
  for (const YamlValue& item : list.items()) values.push_back(item.real(-greatest_real, greatest_real));
  if (values.empty()) list.fail("at least one number is needed here.");
  return values;
}

void read_tensor(const YamlValue& v, StudyInput& input) {
  const std::string file = v.at("file").text();
  input.file = beside(v.at("file"), file);
  input.a_name = v.at("a").text();
  input.b_name = v.at("b").text();
  if (const auto transposed = v.find("b_transposed")) input.b_transposed = transposed->boolean();
  input.name = "tensor " + file;
}

// The keys of each family beside `times_a`, `times_b` and `c`, which all random ones have.
std::vector<std::string_view> keys_of(InputFamily family) {
  switch (family) {
    case InputFamily::normal:
    case InputFamily::uniform:
    case InputFamily::gradient: return {"positive", "times_a", "times_b", "c"};
    case InputFamily::outliers: return {"probability", "deviation", "positive", "times_a", "times_b", "c"};
    case InputFamily::log_uniform: return {"least", "greatest", "positive", "times_a", "times_b", "c"};
    case InputFamily::ill_conditioned: return {"condition", "times_a", "times_b", "c"};
    case InputFamily::listed: return {"a", "b", "c"};
    case InputFamily::tensor: return {"file", "a", "b", "b_transposed", "positive", "times_a", "times_b", "c"};
  }
  return {};
}

void read_family(const YamlValue& v, StudyInput& input) {
  v.only(keys_of(input.family));
  const auto factor = [&](const char* key, double& into) {
    if (const auto given = v.find(key)) into = given->real(-1e30, 1e30);
    if (into != 1) input.name += fmt::format(", {} {:g}", key, into);
  };
  switch (input.family) {
    case InputFamily::normal:
    case InputFamily::uniform:
    case InputFamily::gradient: break;
    case InputFamily::outliers:
      input.probability = v.at("probability").real(0, 1);
      input.deviation = v.at("deviation").real(0, 1e30);
      input.name += fmt::format(" p = {:g}, s = {:g}", input.probability, input.deviation);
      break;
    case InputFamily::log_uniform:
      input.least = v.at("least").integer(-120, 120);
      input.greatest = v.at("greatest").integer(input.least + 1, 121);
      input.name += fmt::format(" 2^{}..2^{}", input.least, input.greatest);
      break;
    case InputFamily::ill_conditioned:
      input.condition = v.at("condition").real(1, 1e30);
      input.name += fmt::format(" {:g}", input.condition);
      break;
    case InputFamily::listed:
      input.a = reals(v.at("a"));
      input.b = reals(v.at("b"));
      if (input.a.size() != input.b.size()) v.fail("a and b are lists of one length.");
      if (const auto c = v.find("c")) input.c = c->real(-greatest_real, greatest_real);
      return;
    case InputFamily::tensor: read_tensor(v, input); break;
  }
  if (const auto positive = v.find("positive")) input.positive = positive->boolean();
  if (input.positive) input.name += ", positive";
  factor("times_a", input.times_a);
  factor("times_b", input.times_b);
  if (const auto c = v.find("c")) input.deviation_c = c->real(0, 1e30);
  if (input.deviation_c != 0) input.name += fmt::format(", c s = {:g}", input.deviation_c);
}

InputFamily family_named(const YamlValue& where, const std::string& name) {
  return static_cast<InputFamily>(where.with_text(name).one_of(families));
}

// `normal`, or {outliers: {probability: .., deviation: ..}, name: ..}
StudyInput read_input(const YamlValue& value) {
  StudyInput input;
  if (value.is_scalar()) {
    input.family = family_named(value, value.text());
    input.name = value.text();
    for (const InputFamily bare : {InputFamily::normal, InputFamily::uniform, InputFamily::gradient}) {
      if (bare == input.family) return input;
    }
    value.fail("'" + input.name + "' needs parameters: {" + input.name + ": {" +
               std::string(keys_of(input.family).front()) + ": ..}}.");
  }
  std::optional<std::string> shown;
  int given = 0;
  for (const auto& [key, member] : value.members()) {
    if (key == "name") {
      shown = member.text();
      continue;
    }
    if (std::find(families.begin(), families.end(), key) == families.end())
      value.only(
          {"name", "normal", "uniform", "outliers", "log_uniform", "ill_conditioned", "gradient", "listed", "tensor"});
    ++given;
    input.family = static_cast<InputFamily>(std::find(families.begin(), families.end(), key) - families.begin());
    input.name = key;
    read_family(member, input);
  }
  if (given != 1) value.fail("one family of inputs is needed in each entry of the list.");
  if (shown) input.name = *shown;
  return input;
}

void read_inputs(const YamlValue& value, Study& study) {
  for (const YamlValue& item : value.items()) {
    StudyInput input = read_input(item);
    for (const StudyInput& other : study.inputs) {
      if (other.name == input.name) item.fail("the input '" + input.name + "' is given twice; `name` tells two apart.");
    }
    study.inputs.push_back(std::move(input));
  }
  if (study.inputs.empty()) value.fail("at least one input is needed, such as `normal`.");
}

// --- shapes ---

void read_shape(const YamlValue& value, Study& study) {
  value.only({"m", "n", "k"});
  const int m = value.at("m").integer(1, greatest_side), n = value.at("n").integer(1, greatest_side);
  const YamlValue k = value.at("k");
  const std::vector<YamlValue> sums = k.is_list() ? k.items() : std::vector<YamlValue>{k};
  for (const YamlValue& sum : sums) study.shapes.push_back({m, n, sum.integer(1, greatest_sum)});
  if (sums.empty()) k.fail("at least one K is needed.");
}

void read_shapes(const YamlValue& value, Study& study) {
  if (value.is_mapping()) return read_shape(value, study);
  for (const YamlValue& item : value.items()) read_shape(item, study);
  if (study.shapes.empty()) value.fail("at least one shape is needed, such as {m: 64, n: 64, k: 4096}.");
}

// --- expectations ---

bool knows(const Study& study, const std::string& key, const std::string& value) {
  const auto has = [&](const auto& list, const auto& text_of) {
    return std::any_of(list.begin(), list.end(), [&](const auto& item) { return text_of(item) == value; });
  };
  if (key == "input") return has(study.inputs, [](const StudyInput& i) { return i.name; });
  if (key == "reference") return has(study.references, [](const std::string& r) { return r; });
  if (key == "k") return has(study.shapes, [](const ProductShape& s) { return std::to_string(s.k); });
  for (const StudyAxis& axis : study.axes) {
    if (axis.name == key) return has(axis.values, [](const AxisValue& v) { return v.label; });
  }
  return false;
}

Expectation read_expectation(const YamlValue& value, const Study& study, const Catalogue& catalogue) {
  value.only({"where", "measure", "published", "within", "source"});
  Expectation e;
  e.place = value.place();
  if (const auto where = value.find("where")) {
    for (const auto& [key, member] : where->members()) {
      const std::string text = key == "reference" ? catalogue.instruction(member.text()).full_name() : member.text();
      if (!knows(study, key, text))
        member.fail("the study has no '" + key + "' of that value; `where` names axes, input, reference or k.");
      e.where[key] = text;
    }
  }
  std::vector<std::string_view> measures = names_of_measures();
  measures.push_back(first_correct_measure);
  measures.push_back(knee_measure);
  e.measure = measures[value.at("measure").one_of(measures)];
  e.published = value.at("published").real(-greatest_real, greatest_real);
  if (const auto within = value.find("within")) e.within = within->real(0, greatest_real);
  e.source = value.at("source").text();
  return e;
}

}  // namespace

const std::vector<std::pair<std::string, Estimate Measures::*>>& measure_names() {
  static const std::vector<std::pair<std::string, Estimate Measures::*>> names{
      {"normwise", &Measures::normwise},   {"quantisation", &Measures::quantisation},
      {"total", &Measures::total},         {"elementwise", &Measures::elementwise},
      {"greatest", &Measures::greatest},   {"sqnr_db", &Measures::sqnr_db},
      {"bias_ulps", &Measures::bias_ulps}, {"shrink_ulps", &Measures::shrink_ulps},
      {"correct", &Measures::correct},     {"swamped", &Measures::swamped},
      {"value", &Measures::value}};
  return names;
}

std::vector<std::string_view> names_of_measures() {
  std::vector<std::string_view> names;
  for (const auto& [name, estimate] : measure_names()) names.push_back(name);
  return names;
}

std::optional<Estimate> measure_named(const std::string& name, const Measures& measures) {
  for (const auto& [known, estimate] : measure_names()) {
    if (known == name) return measures.*estimate;
  }
  return std::nullopt;
}

namespace {

// A datapath of an axis takes the study's k and operands. Where it says others itself, another setting must decide.
void check_takes(const Setting& datapath, const DatapathFile& own, const DatapathFile& base,
                 const std::vector<Setting>& settings) {
  for (const Contradiction& c : contradictions(own, base)) {
    const bool is_decided =
        std::any_of(settings.begin(), settings.end(), [&](const Setting& s) { return overlap(nested(s.path), c.key); });
    if (!is_decided)
      datapath.value.fail(fmt::format("the datapath '{}' says {} = {}, and the study says {}; set '{}' with it.",
                                      own.datapath.name, c.key, c.one, c.other, c.key));
  }
}

}  // namespace

Unplanned with_settings(const Unplanned& base, const std::vector<Setting>& settings, const Catalogue& catalogue) {
  Unplanned result = base;
  // A whole datapath first, so that the other keys change that one.
  for (const Setting& s : settings) {
    if (s.path == "datapath") {
      const DatapathFile before = std::exchange(result.file, read_any_datapath(s.value, catalogue));
      check_takes(s, result.file, before, settings);
      result.file.datapath.operands = before.datapath.operands;
      result.file.k = before.k;
    } else if (s.path == "instruction") {
      result.file = catalogue.datapath_of(catalogue.instruction(s.value.text()));
    } else if (s.path == "scaling") {
      result.walk.scaling = read_scaling(s.value);
    }
  }
  for (const Setting& s : settings) {
    if (s.path == "datapath" || s.path == "instruction" || s.path == "scaling") continue;
    if (is_walk_key(s.path)) {
      read_walk_key(s.path, s.value, result.walk);
    } else if (starts_with(s.path, scaling_prefix)) {
      change_scaling(s, result.walk.scaling);
    } else if (starts_with(s.path, "operands.scale") && result.walk.scaling.scales != ScaledBy::own) {
      s.value.fail("the study has `scaling`, which says what '" + s.path +
                   "' would: set `scaling.block` or `scaling`.");
    } else {
      result.file = with_key(result.file, s.path, s.value);
    }
  }
  apply_scaling(result.walk.scaling, result.file.datapath);
  return result;
}

std::vector<std::string> study_names(const Catalogue& catalogue) {
  std::vector<std::string> names;
  std::error_code ignored;
  const std::filesystem::path folder = std::filesystem::path(study_path(catalogue, "")).parent_path();
  for (const std::filesystem::path& path : entries_of(folder, ignored)) names.push_back(path.stem().string());
  return names;
}

std::string study_path(const Catalogue& catalogue, const std::string& name) {
  return (std::filesystem::path(catalogue.folder()) / "configs" / "study" / (name + ".yaml")).string();
}

std::string read_study_text(const std::string& path) {
  std::string text = read_config_text(path);
  if (!is_utf8(text)) throw Error{path + ": This file is not UTF-8 text."};
  return text;
}

void read_work(const YamlValue& top, const Catalogue& catalogue, Study& study) {
  study.title = top.at("title").text();
  if (const auto description = top.find("description")) study.description = description->text();
  study.base = read_base(top, catalogue);
  for (const std::string& key : walk_keys) {
    if (const auto value = top.find(key)) read_walk_key(key, *value, study.walk);
  }
  if (const auto scaling = top.find("scaling")) study.walk.scaling = read_scaling(*scaling);
  read_inputs(top.at("inputs"), study);
  read_shapes(top.at("shapes"), study);
  if (const auto seeds = top.find("seeds")) study.seeds = seeds->integer(1, 10'000);
  if (const auto seed = top.find("seed")) study.seed = seed->integer(0, 1'000'000'000);
  if (const auto references = top.find("references")) {
    for (const std::string& name : references->texts())
      study.references.push_back(catalogue.instruction(name).full_name());
  }
}

Study read_study(const std::string& path, const Catalogue& catalogue) {
  Study study;
  study.file = path;
  study.text = read_study_text(path);
  const YamlValue top = read_yaml_text(study.text, path);
  top.only({"study",         "title",   "description", "datapath", "instruction", "operands", "k",
            "promote_every", "split_k", "output",      "scaling",  "axes",        "inputs",   "shapes",
            "seeds",         "seed",    "references",  "cost",     "budget",      "measure",  "expect"});
  study.name = plain_name(top.at("study"));
  read_work(top, catalogue, study);
  if (const auto axes = top.find("axes")) read_axes(*axes, study);
  if (const auto cost = top.find("cost")) study.cost = cost->boolean();
  if (const auto budget = top.find("budget")) study.budget = budget->integer(1, most_attributed);
  if (const auto measure = top.find("measure")) {
    const std::vector<std::string_view> names = names_of_measures();
    study.measure = names[measure->one_of(names)];
  }
  if (const auto expect = top.find("expect")) {
    for (const YamlValue& item : expect->items())
      study.expectations.push_back(read_expectation(item, study, catalogue));
  }
  return study;
}

}  // namespace assay
