#include "model/config/variant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "model/base/text.hpp"
#include "model/config/datapath_key.hpp"

namespace assay {
namespace {

using Names = std::vector<std::string>;

constexpr std::string_view number_here = "{n}";

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// --- the table ---

Names names_in(const YamlValue& list, const Names& known, const std::string& what) {
  Names names;
  for (const YamlValue& item : list.items()) {
    const std::string name = item.text();
    if (!has(known, name)) item.fail("this file has no " + what + " '" + name + "'" + nearest(name, known));
    names.push_back(name);
  }
  return names;
}

Names names_at(const YamlValue& entry, const std::string& key, const Names& known, const std::string& what,
               const Names& otherwise) {
  const auto list = entry.find(key);
  return list ? names_in(*list, known, what) : otherwise;
}

VariantChange read_change(const YamlValue& entry, const Names& families, const Names& variants) {
  entry.only({"of", "where", "with", "without", "set"});
  VariantChange change;
  change.of = names_at(entry, "of", families, "family", families);
  change.with = names_at(entry, "with", variants, "variant", {});
  change.without = names_at(entry, "without", variants, "variant", {});
  if (const auto where = entry.find("where")) {
    where->only({"a", "b", "c", "d"});
    for (const auto& [operand, format] : where->members()) change.where[operand] = format.text();
  }
  for (const auto& [path, value] : entry.at("set").members()) change.words.push_back({path, value});
  return change;
}

std::string name_of(const YamlValue& value) {
  const std::string text = value.text();
  const std::size_t end = text.find(number_here);
  const std::string letters = text.substr(0, end);
  const bool ends = end == std::string::npos || end + number_here.size() == text.size();
  if (letters.empty() || !ends ||
      letters.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_") != std::string::npos)
    value.fail("found " + value.found() + "; a variant is called by a-z, 0-9 and _, and {n} may end its name.");
  return text;
}

std::optional<Bounds> number_of(const YamlValue& entry, const std::string& name) {
  const auto number = entry.find("number");
  const bool takes = name.find(number_here) != std::string::npos;
  if (takes && !number) entry.fail("the key 'number' is missing: say [least, greatest] of the n in '" + name + "'.");
  if (!number) return std::nullopt;
  const std::vector<YamlValue> ends = number->items();
  if (!takes || ends.size() != 2) number->fail("it is [least, greatest] of a variant whose name ends in {n}.");
  const int least = ends[0].integer(0, greatest_k);
  return Bounds{least, ends[1].integer(least, greatest_k)};
}

Variant read_variant(const YamlValue& entry, const Names& families, const Names& variants) {
  entry.only({"name", "about", "field", "number", "of", "evidence", "evidence_with_others", "changes"});
  const std::string name = name_of(entry.at("name"));
  const auto field = entry.find("field"), others = entry.find("evidence_with_others"), changes = entry.find("changes");
  Variant v{name,
            entry.at("about").text(),
            field ? field->text() : "",
            number_of(entry, name),
            names_in(entry.at("of"), families, "family"),
            entry.at("evidence"),
            others ? others->text() : "",
            {}};
  if (!changes) return v;
  for (const YamlValue& change : changes->items()) {
    v.changes.push_back(read_change(change, families, variants));
    if (!change.find("of")) v.changes.back().of = v.of;
  }
  return v;
}

// --- names that are asked for ---

bool is_for(const VariantChange& change, const VariantsOf& of) {
  const std::map<std::string, std::string> formats{
      {"a", of.operands.a}, {"b", of.operands.b}, {"c", of.operands.c}, {"d", of.operands.d}};
  const auto is_so = [&](const auto& wanted) { return formats.at(wanted.first) == wanted.second; };
  return has(change.of, of.family) && std::all_of(change.where.begin(), change.where.end(), is_so);
}

std::string without_number(const std::string& name) { return name.substr(0, name.find(number_here)); }

// The n of "s7" as "s{n}" has it.
std::optional<int> number_in(const Variant& v, const std::string& name) {
  const std::string letters = without_number(v.name);
  if (!v.number || name.size() > letters.size() + 6 || name.compare(0, letters.size(), letters) != 0)
    return std::nullopt;
  int n = 0;
  const char* const end = name.data() + name.size();
  const auto [stop, error] = std::from_chars(name.data() + letters.size(), end, n);
  return error == std::errc() && stop == end ? std::optional(n) : std::nullopt;
}

struct Found {
  std::size_t at = 0;  // in the table
  std::optional<int> number;
};

class Asking {
 public:
  Asking(const std::vector<Variant>& table, const VariantsOf& of, const Names& names)
      : table_(table), of_(of), names_(names) {}

  // A sentence on what is wrong; empty where nothing is.
  std::string problem() {
    const Names known = variant_names(table_, of_.family);
    if (known.empty())
      return of_.instruction + " has no variants, and so none that is called '" + names_.front() + "'.";
    for (const std::string& name : names_) {
      if (const std::string wrong = find(name, known); !wrong.empty()) return wrong;
    }
    for (std::size_t i = 0; i < found_.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (const std::string wrong = beside(found_[j], found_[i]); !wrong.empty()) return wrong;
      }
    }
    return order();
  }

  AskedVariants asked() const {
    AskedVariants asked;
    for (const Found& one : found_) asked.variants.push_back(&table_[one.at]);
    for (const Found& one : found_) {
      for (const VariantChange& change : table_[one.at].changes) {
        if (!applies(change)) continue;
        for (const WordChange& word : change.words) asked.changes.push_back(numbered(word, one.number));
      }
    }
    return asked;
  }

 private:
  std::string find(const std::string& name, const Names& known) {
    for (std::size_t at = 0; at < table_.size(); ++at) {
      const Variant& v = table_[at];
      if (!v.is_of(of_.family)) continue;
      const std::optional<int> number = number_in(v, name);
      if (v.name != name && !number) continue;
      if (v.number && (!number || !v.number->hold(*number))) {
        const std::string letters = without_number(v.name);
        return fmt::format("{} takes {}{} to {}{}, not '{}'.", of_.instruction, letters, v.number->least, letters,
                           v.number->greatest, name);
      }
      found_.push_back({at, number});
      return "";
    }
    return fmt::format("{} has no variant '{}'; its variants are {}{}", of_.instruction, name, joined(known),
                       nearest(name, known));
  }

  std::string beside(const Found& x, const Found& y) const {
    const Variant &one = table_[x.at], &other = table_[y.at];
    if (x.at == y.at) return fmt::format("{} takes the variant '{}' once.", of_.instruction, one.name);
    if (one.field.empty() || one.field != other.field) return "";
    return fmt::format("'{}' and '{}' are both {}: {} takes one of them.", one.name, other.name, one.field,
                       of_.instruction);
  }

  std::string order() const {
    const auto before = [](const Found& x, const Found& y) { return x.at < y.at; };
    if (std::is_sorted(found_.begin(), found_.end(), before)) return "";
    std::vector<std::pair<std::size_t, std::string>> right;
    for (std::size_t i = 0; i < names_.size(); ++i) right.emplace_back(found_[i].at, names_[i]);
    std::sort(right.begin(), right.end());
    std::string name = of_.instruction;
    for (const auto& one : right) name += "." + one.second;
    return "Variants stand in one order: this one is " + name + ".";
  }

  bool asks_for(const std::string& name) const {
    return std::any_of(found_.begin(), found_.end(), [&](const Found& one) { return table_[one.at].name == name; });
  }
  bool applies(const VariantChange& change) const {
    const auto asked = [&](const std::string& name) { return asks_for(name); };
    return is_for(change, of_) && std::all_of(change.with.begin(), change.with.end(), asked) &&
           std::none_of(change.without.begin(), change.without.end(), asked);
  }

  // "7 + {n}" as its sum.
  static WordChange numbered(const WordChange& word, std::optional<int> n) {
    if (!n || !word.value.is_scalar()) return word;
    std::string text = word.value.text();
    if (text.find(number_here) == std::string::npos) return word;
    int sum = 0;
    for (const std::string& part : split(text, '+')) {
      const std::size_t first = part.find_first_not_of(' '), last = part.find_last_not_of(' ');
      const std::string term = first == std::string::npos ? "" : part.substr(first, last - first + 1);
      int value = 0;
      const auto [stop, error] = std::from_chars(term.data(), term.data() + term.size(), value);
      if (term == number_here) {
        value = *n;
      } else if (error != std::errc() || stop != term.data() + term.size()) {
        word.value.fail("found " + word.value.found() + "; {n} and numbers may stand here, with + between.");
      }
      sum += value;
    }
    return {word.path, word.value.with_number(sum)};
  }

  const std::vector<Variant>& table_;
  const VariantsOf& of_;
  const Names& names_;
  std::vector<Found> found_;
};

// --- changes ---

constexpr std::string_view each_adder = "adders.*.";

DatapathFile with_change(const DatapathFile& file, const WordChange& change) {
  if (change.path.compare(0, each_adder.size(), each_adder) != 0) return with_key(file, change.path, change.value);
  DatapathFile changed = file;
  for (const Adder& adder : file.datapath.adders)
    changed = with_key(changed, "adders." + adder.name + "." + change.path.substr(each_adder.size()), change.value);
  return changed;
}

// "with ah, without fz: "
std::string conditions(const VariantChange& change) {
  std::string text;
  if (!change.with.empty()) text = "with " + joined(change.with);
  if (!change.without.empty()) text += (text.empty() ? "" : ", ") + ("without " + joined(change.without));
  return text.empty() ? "" : text + ": ";
}

}  // namespace

bool Variant::is_of(const std::string& family) const { return has(of, family); }

std::vector<Variant> read_variants(const YamlValue& list, const std::vector<std::string>& families) {
  const std::vector<YamlValue> items = list.items();
  Names names;
  for (const YamlValue& item : items) names.push_back(name_of(item.at("name")));
  std::vector<Variant> table;
  for (const YamlValue& item : items) {
    Variant v = read_variant(item, families, names);
    for (const Variant& other : table) {
      for (const std::string& family : v.of) {
        if (other.name == v.name && other.is_of(family))
          item.fail("the family '" + family + "' has a variant '" + v.name + "' already.");
      }
    }
    table.push_back(std::move(v));
  }
  return table;
}

std::optional<AskedVariants> ask_variants(const std::vector<Variant>& table, const VariantsOf& of,
                                          const std::vector<std::string>& names, std::string& why) {
  Asking asking(table, of, names);
  if (std::string problem = asking.problem(); !problem.empty()) {
    why = std::move(problem);
    return std::nullopt;
  }
  return asking.asked();
}

DatapathFile with_changes(DatapathFile file, const std::vector<WordChange>& changes) {
  for (const WordChange& change : changes) file = with_change(file, change);
  return file;
}

std::vector<std::string> variant_names(const std::vector<Variant>& table, const std::string& family) {
  Names names;
  for (const Variant& v : table) {
    if (v.is_of(family)) names.push_back(v.name);
  }
  return names;
}

//   variants      fz      FPCR.FZ = 1: ..
//                         without ah: subnormals.a: signed_zero
std::string describe_variants(const std::vector<Variant>& table, const VariantsOf& of) {
  std::string text;
  for (const Variant& v : table) {
    if (!v.is_of(of.family)) continue;
    text += fmt::format("{:<14}{:<6}{}\n", text.empty() ? "variants" : "", v.name, v.about);
    bool changes = false;
    for (const VariantChange& change : v.changes) {
      if (!is_for(change, of)) continue;
      for (const WordChange& word : change.words) {
        const bool scalar = word.value.is_scalar();
        text += fmt::format("{:<20}{}{}: {}\n", "", conditions(change), word.path,
                            scalar ? word.value.text() : json_text(word.value));
        changes = true;
      }
    }
    if (!changes) text += fmt::format("{:<20}changes nothing here\n", "");
  }
  return text;
}

}  // namespace assay
