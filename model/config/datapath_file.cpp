#include "model/config/datapath_file.hpp"

#include <algorithm>
#include <filesystem>

namespace assay {
namespace {

constexpr int any_exponent = 20000;
constexpr std::size_t most_adders = 64;
constexpr std::size_t most_results = 8;  // of one adder

std::string place_of(const YamlValue& value) { return value.file() + ":" + std::to_string(value.line()); }

void note_lines(const YamlValue& value, const std::string& key, KeyLines& lines) {
  lines[key] = place_of(value);
  if (value.is_mapping()) {
    for (const auto& [name, member] : value.members()) note_lines(member, key + "." + name, lines);
  } else if (value.is_list()) {
    const std::vector<YamlValue> items = value.items();
    for (std::size_t i = 0; i < items.size(); ++i) note_lines(items[i], key + "[" + std::to_string(i) + "]", lines);
  }
}

// An adder's lines are kept under its place in the datapath, which is not that in the file where the file changes
// inherited adders.
void note_adder_lines(const YamlValue& list, const std::string& key, const std::vector<Adder>& adders,
                      KeyLines& lines) {
  lines[key] = place_of(list);
  for (const YamlValue& item : list.items()) {
    const std::string name = item.at("name").text();
    for (std::size_t i = 0; i < adders.size(); ++i) {
      if (adders[i].name == name) note_lines(item, key + "[" + std::to_string(i) + "]", lines);
    }
  }
}

void note_all_lines(const YamlValue& top, const Datapath& datapath, KeyLines& lines) {
  for (const auto& [name, value] : top.members()) {
    if (name == "adders") {
      note_adder_lines(value, name, datapath.adders, lines);
    } else if (name == "finish") {
      note_adder_lines(value, name, datapath.finish, lines);
    } else {
      note_lines(value, name, lines);
    }
  }
}

// Runs `read` on a member that is there.
template <class Read>
void where_given(const YamlValue& mapping, const char* key, Read read) {
  if (const auto value = mapping.find(key)) read(*value);
}

template <class Enum>
void read_word(const YamlValue& mapping, const char* key, Enum& into) {
  where_given(mapping, key, [&](const YamlValue& v) { into = v.word<Enum>(); });
}

void read_integer(const YamlValue& mapping, const char* key, int least, int greatest, int& into) {
  where_given(mapping, key, [&](const YamlValue& v) { into = v.integer(least, greatest); });
}

// `none` takes an inherited value back.
void read_optional(const YamlValue& mapping, const char* key, int least, int greatest, std::optional<int>& into) {
  where_given(mapping, key, [&](const YamlValue& v) {
    if (v.is_none()) {
      into.reset();
    } else {
      into = v.integer(least, greatest);
    }
  });
}

NanCodes read_nan_codes(const YamlValue& v) {
  return static_cast<NanCodes>(v.one_of({"none", "ieee", "all_ones", "negative_zero"}));
}

Format read_format(const std::string& name, const YamlValue& v) {
  v.only({"exponent", "mantissa", "bias", "infinity", "nan", "signed_zero"});
  Format f;
  f.name = name;
  f.exponent_bits = v.at("exponent").integer(1, 11);
  f.mantissa_bits = v.at("mantissa").integer(0, 52);
  f.bias = v.at("bias").integer(-2048, 4096);
  f.has_infinity = v.at("infinity").boolean();
  f.nan = read_nan_codes(v.at("nan"));
  f.has_signed_zero = v.at("signed_zero").boolean();
  f.stored_bits = 1 + f.exponent_bits + f.mantissa_bits;
  return f;
}

// A name that was inherited is given anew.
void read_own_format(const std::string& name, const YamlValue& v, std::vector<Format>& formats) {
  const Format f = read_format(name, v);
  const auto namesake = std::find(formats.begin(), formats.end(), f);
  if (namesake == formats.end()) {
    formats.push_back(f);
  } else {
    *namesake = f;
  }
}

void read_group(const YamlValue& v, Group& group) {
  v.only({"terms", "deal", "unit"});
  read_optional(v, "terms", 1, greatest_k, group.terms);
  read_word(v, "deal", group.deal);
  read_integer(v, "unit", 1, greatest_k, group.unit);
}

Result read_result(const YamlValue& v) {
  Result r;
  if (v.find("format")) {
    v.only({"format", "cut", "subnormals", "tiny", "overflow"});
    r.at = ResultAt::format;
    r.format = v.at("format").text();
    r.cut = v.at("cut").word<Cut>();
    read_word(v, "subnormals", r.subnormals);
    read_word(v, "tiny", r.tiny);
    read_word(v, "overflow", r.overflow);
    return r;
  }
  v.only({"at", "keep", "cut", "least_exponent"});
  if (!v.find("at")) v.fail("a result needs either the key 'format' or the key 'at'.");
  r.at = v.at("at").one_of({"window", "leading_one"}) == 0 ? ResultAt::window : ResultAt::leading_one;
  r.keep = v.at("keep").integer(0, 100);
  r.cut = v.at("cut").word<Cut>();
  if (r.at == ResultAt::window && v.find("least_exponent")) {
    v.at("least_exponent").fail("only a result at the leading one has a least exponent.");
  }
  read_optional(v, "least_exponent", -any_exponent, any_exponent, r.least_exponent);
  return r;
}

// An input that keeps a number of bits must say how the rest is cut.
Input read_input(const std::string& source, const YamlValue& v, const Input* inherited) {
  Input input = inherited != nullptr ? *inherited : Input{};
  input.source = source;
  if (v.is_scalar() && v.text() == "exact")
    return {source, std::nullopt, Cut::toward_zero, input.empty, input.lost_below};
  if (v.is_scalar()) v.fail("found " + v.found() + "; say `exact`, or {keep: .., cut: ..}.");
  v.only({"keep", "cut", "empty", "lost_below"});
  read_optional(v, "keep", 0, 100, input.keep);
  read_word(v, "cut", input.cut);
  read_optional(v, "empty", -any_exponent, any_exponent, input.empty);
  read_optional(v, "lost_below", 0, any_exponent, input.lost_below);
  const bool cut_known = v.find("cut") || (inherited != nullptr && inherited->keep);
  if (input.keep && !cut_known) v.fail("the key 'cut' is missing: say how the bits beyond `keep` are cut.");
  if (!input.keep && v.find("cut")) v.at("cut").fail("there is no `keep`, so nothing is cut here.");
  return input;
}

void read_inputs(const YamlValue& v, std::vector<Input>& inputs) {
  std::vector<Input> read;
  for (const auto& [source, value] : v.members()) {
    const std::string& name = source;
    const auto same = std::find_if(inputs.begin(), inputs.end(), [&](const Input& i) { return i.source == name; });
    read.push_back(read_input(source, value, same == inputs.end() ? nullptr : &*same));
  }
  if (read.empty()) v.fail("an adder adds at least one thing.");
  inputs = std::move(read);
}

void read_window(const YamlValue& v, Window& window) {
  v.only({"exponent", "at", "floor", "step"});
  read_word(v, "exponent", window.exponent);
  if (window.exponent == WindowExponent::fixed) {
    if (v.find("exponent")) window.at = v.at("at").integer(-any_exponent, any_exponent);
    read_integer(v, "at", -any_exponent, any_exponent, window.at);
    for (const char* key : {"floor", "step"}) {
      where_given(v, key, [](const YamlValue& given) { given.fail("a fixed window has none; `at` is its exponent."); });
    }
    window.floor.reset();
    window.step = 1;
    return;
  }
  where_given(v, "at", [](const YamlValue& given) { given.fail("only a fixed window has it."); });
  read_optional(v, "floor", -any_exponent, any_exponent, window.floor);
  read_integer(v, "step", 1, 4096, window.step);
}

bool read_times(const YamlValue& v) { return v.one_of({"none", "scales"}) == 1; }

void read_adder(const YamlValue& v, Adder& adder) {
  v.only({"name", "add", "group", "shape", "window", "sticky", "times", "zero", "result"});
  adder.name = v.at("name").text();
  where_given(v, "add", [&](const YamlValue& x) { read_inputs(x, adder.add); });
  where_given(v, "group", [&](const YamlValue& x) {
    adder.group = x.is_none() ? std::nullopt : std::optional<Group>(adder.group.value_or(Group{}));
    if (adder.group) read_group(x, *adder.group);
  });
  read_word(v, "shape", adder.shape);
  where_given(v, "window", [&](const YamlValue& x) { read_window(x, adder.window); });
  where_given(v, "sticky", [&](const YamlValue& x) { adder.sticky = x.one_of({"none", "or"}) == 1; });
  where_given(v, "times", [&](const YamlValue& x) { adder.times_scales = read_times(x); });
  read_word(v, "zero", adder.zero);
  where_given(v, "result", [&](const YamlValue& x) {
    adder.results.clear();
    const std::vector<YamlValue> items = x.items();
    if (items.size() > most_results)
      x.fail("at most " + std::to_string(most_results) + " results fit here, found " + std::to_string(items.size()) +
             ".");
    for (const YamlValue& item : items) adder.results.push_back(read_result(item));
  });
}

// A list whose names are all inherited changes those adders; any other list replaces what was inherited.
void read_adders(const YamlValue& v, std::vector<Adder>& adders) {
  const auto namesake = [&](const YamlValue& item) {
    const std::string name = item.at("name").text();
    return std::find_if(adders.begin(), adders.end(), [&](const Adder& a) { return a.name == name; });
  };
  const std::vector<YamlValue> items = v.items();
  if (items.size() > most_adders)
    v.fail("at most " + std::to_string(most_adders) + " adders fit here, found " + std::to_string(items.size()) + ".");
  const bool changes = !items.empty() && std::all_of(items.begin(), items.end(), [&](const YamlValue& item) {
    return namesake(item) != adders.end();
  });
  if (changes) {
    for (const YamlValue& item : items) read_adder(item, *namesake(item));
    return;
  }
  adders.clear();
  for (const YamlValue& item : items) {
    item.at("add");
    read_adder(item, adders.emplace_back());
  }
}

void read_product(const YamlValue& v, Product& product) {
  v.only({"round", "exponent", "infinity_at", "times"});
  where_given(v, "round", [&](const YamlValue& x) {
    if (x.is_scalar()) {
      x.one_of({"exact"});
      product.round.reset();
    } else {
      product.round = read_result(x);
    }
  });
  read_word(v, "exponent", product.exponent);
  read_optional(v, "infinity_at", -any_exponent, any_exponent, product.infinity_at);
  where_given(v, "times", [&](const YamlValue& x) { product.times_scales = read_times(x); });
}

void read_nan(const YamlValue& v, std::optional<Nan>& nan) {
  if (v.is_scalar() && v.text() == "propagate") {
    nan = Nan{true, 0};
  } else {
    nan = Nan{false, v.hex(", or `propagate`,")};
  }
}

// What stands within another document, such as a study, is called as that file where it has no name of its own.
std::string name_of(const YamlValue& top) {
  if (!top.find("name") && !top.key().empty()) return std::filesystem::path(top.file()).stem().string();
  return top.at("name").text();
}

}  // namespace

void read_operands(const YamlValue& v, Operands& operands) {
  v.only({"a", "b", "c", "d", "scale"});
  where_given(v, "a", [&](const YamlValue& x) { operands.a = x.text(); });
  where_given(v, "b", [&](const YamlValue& x) { operands.b = x.text(); });
  where_given(v, "c", [&](const YamlValue& x) { operands.c = x.text(); });
  where_given(v, "d", [&](const YamlValue& x) { operands.d = x.text(); });
  where_given(v, "scale", [&](const YamlValue& x) {
    x.only({"format", "block"});
    operands.scale = x.at("format").text();
    operands.scale_block = x.at("block").integer(1, greatest_k);
  });
}

DatapathFile read_datapath(const YamlValue& top, const DatapathSource& like) {
  top.only({"name", "like", "about", "k", "operands", "formats", "subnormals", "specials", "nan", "product", "k_order",
            "start", "adders", "finish"});
  DatapathFile file;
  if (const auto base = top.find("like")) {
    file = like(*base);
  } else {
    top.at("specials");
    top.at("adders");
  }
  Datapath& d = file.datapath;
  d.name = name_of(top);
  where_given(top, "about", [](const YamlValue& v) { v.text(); });
  where_given(top, "k", [&](const YamlValue& v) { file.k = v.integer(1, greatest_k); });
  where_given(top, "operands", [&](const YamlValue& v) { read_operands(v, d.operands); });
  where_given(top, "formats", [&](const YamlValue& v) {
    for (const auto& [name, value] : v.members()) read_own_format(name, value, d.formats);
  });
  where_given(top, "subnormals", [&](const YamlValue& v) {
    v.only({"a", "b", "c"});
    read_word(v, "a", d.subnormals_a);
    read_word(v, "b", d.subnormals_b);
    read_word(v, "c", d.subnormals_c);
  });
  read_word(top, "specials", d.specials);
  where_given(top, "nan", [&](const YamlValue& v) { read_nan(v, d.nan); });
  where_given(top, "product", [&](const YamlValue& v) { read_product(v, d.product); });
  where_given(top, "k_order", [&](const YamlValue& v) {
    v.only({"from", "lanes", "step"});
    read_word(v, "from", d.from);
    where_given(v, "lanes", [&](const YamlValue& x) { read_group(x, d.lanes); });
    where_given(v, "step", [&](const YamlValue& x) { read_group(x, d.step); });
  });
  read_word(top, "start", d.start);
  where_given(top, "adders", [&](const YamlValue& v) { read_adders(v, d.adders); });
  where_given(top, "finish", [&](const YamlValue& v) { read_adders(v, d.finish); });
  note_all_lines(top, d, file.lines);
  return file;
}

Plan plan_or_fail(const Datapath& datapath, int k, const KeyLines& lines) {
  auto planned = plan(datapath, k);
  if (auto* good = std::get_if<Plan>(&planned)) return std::move(*good);
  std::string text;
  for (const Problem& problem : std::get<std::vector<Problem>>(planned)) {
    // The line of the key, or of the nearest key around it.
    std::string key = problem.key;
    while (!key.empty() && lines.find(key) == lines.end()) {
      const std::size_t end = key.find_last_of(".[");
      key = end == std::string::npos ? "" : key.substr(0, end);
    }
    const auto at = lines.find(key);
    text += (text.empty() ? "" : "\n") + (at == lines.end() ? datapath.name : at->second) + ": " + problem.message;
  }
  throw ConfigError{text};
}

}  // namespace assay
