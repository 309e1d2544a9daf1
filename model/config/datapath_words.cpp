#include "model/config/datapath_words.hpp"

#include <algorithm>
#include <filesystem>
#include <map>

#include "model/config/format_file.hpp"
#include "model/core/fields.hpp"

namespace assay {
namespace {

using Keys = std::vector<std::string_view>;

// "scale.block": what stands before the dot, and behind it (nothing where there is none).
std::pair<std::string_view, std::string_view> parts_of(std::string_view key) {
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return {key, ""};
  return {key.substr(0, dot), key.substr(dot + 1)};
}

std::optional<Given> find(const Given& given, std::string_view key) {
  const auto [head, rest] = parts_of(key);
  std::optional<Given> found = given.find(head);
  if (!found || rest.empty()) return found;
  return found->find(rest);
}

bool has(const Given& given, std::string_view key) {
  const auto [head, rest] = parts_of(key);
  return rest.empty() ? given.has(head) : find(given, key).has_value();
}

// Reads words by the rows of model/core/fields.hpp.
class WordReader {
 public:
  // A mapping with the words of a struct. `inherited`: what it starts from; nothing where it must say all.
  template <class S>
  void mapping(const Given& given, S& s, const S* inherited) {
    begin(given, s, inherited);
    only_rows(given, s);
    rows(given, s, inherited);
  }

  // Every key of the mapping, and of the mappings within that rows such as "scale.block" make, is a row's or in `keys`.
  template <class S>
  static void only_rows(const Given& given, const S& s, Keys keys = {}) {
    std::map<std::string, Keys> within;
    each_row<S>([&](const auto& row) {
      if (!row.exists(s)) return;
      const std::size_t dot = row.key.find('.');
      const std::string_view head = row.key.substr(0, dot);
      if (std::find(keys.begin(), keys.end(), head) == keys.end()) keys.push_back(head);
      if (dot != std::string_view::npos) within[std::string(head)].push_back(row.key.substr(dot + 1));
    });
    given.only(keys);
    for (const auto& [head, rest] : within) {
      if (const auto inner = given.find(head)) inner->only(rest);
    }
  }

  // A file's, beside which stand the keys of `others`.
  void format_words(const Given& given, Format& format, const Keys& others) {
    begin(given, format, nullptr);
    only_rows(given, format, others);
    rows<Format>(given, format, nullptr);
    finish(given, format);
  }

  // What follows from the words of a format.
  static void finish(const Given& given, Format& format) {
    if (format.is_integer()) format.has_signed_zero = false;
    if (says_fields(format))
      format.stored_bits = format.field_bits() + format.ignored_low_bits + format.ignored_high_bits;
    if (const std::string wrong = complete(format); !wrong.empty()) given.fail("Format " + format.name + ": " + wrong);
  }

  template <class S>
  void rows(const Given& given, S& s, const S* inherited) {
    const auto need = [&](const auto& row) {
      const bool known = inherited != nullptr && row.applies(*inherited);
      if (row.required && !known && !has(given, row.key)) fail_missing(given, row.key, row.missing);
    };
    each_row<S>([&](const auto& row) {
      if (row.stands == nullptr && row.when == nullptr) need(row);
    });
    each_row<S>([&](const auto& row) {
      const auto word = find(given, row.key);
      if (!word) return;
      if (!row.refusal.empty() && !row.applies(s)) word->fail(std::string(row.refusal));
      read(row, *word, s.*row.member);
    });
    each_row<S>([&](const auto& row) {
      if (row.applies(s)) {
        need(row);
      } else if (!row.is_idle(s)) {
        s.*row.member = row.fallback();
      }
    });
  }

 private:
  [[noreturn]] static void fail_missing(const Given& given, std::string_view key, std::string_view sentence) {
    const auto [head, rest] = parts_of(key);
    const Given around = rest.empty() ? given : given.at(head);
    around.fail(sentence.empty() ? "the key '" + std::string(rest.empty() ? head : rest) + "' is missing."
                                 : std::string(sentence));
  }

  // What has to be known of a mapping before its rows.
  template <class S>
  static void begin(const Given&, S&, const S*) {}

  // A result is in a format where one is given, else at a bit: the row of `at` says which, or that it is missing.
  static void begin(const Given& given, Result& result, const Result* inherited) {
    if (given.has("format")) {
      result.at = ResultAt::format;
    } else if (given.has("at") || inherited == nullptr) {
      result.at = ResultAt::window;
    }
  }

  // A format says its fields, that it is an integer, a rule, or a list of values.
  static void begin(const Given& given, Format& format, const Format*) {
    if (given.has("integer")) {
      format.kind = FormatKind::integer;
    } else if (given.has("rule")) {
      format.rule = "?";
    } else if (given.has("values")) {
      format.kind = FormatKind::values;
    }
  }

  // --- values ---

  template <class Row, class Enum>
  static std::enable_if_t<std::is_enum_v<Enum>> read(const Row& row, const Given& given, Enum& into) {
    std::vector<std::string_view> choices = words<Enum>();
    if (row.choices != 0) choices.resize(row.choices);
    into = static_cast<Enum>(given.value().one_of(choices));
  }

  template <class Row>
  static void read(const Row& row, const Given& given, bool& into) {
    into = given.value().one_of({row.of_flag.begin(), row.of_flag.end()}) == 1;
  }

  template <class Row>
  static void read(const Row& row, const Given& given, int& into) {
    into = given.value().integer(row.of_number.least, row.of_number.greatest);
  }

  template <class Row>
  static void read(const Row& row, const Given& given, std::optional<int>& into) {
    if (given.is_none()) {
      into.reset();
    } else {
      read(row, given, into.emplace());
    }
  }

  template <class Row>
  static void read(const Row&, const Given& given, std::string& into) {
    into = given.value().text();
  }

  template <class Row>
  static void read(const Row&, const Given& given, std::vector<std::string>& into) {
    into = given.value().texts();
  }

  template <class Row>
  static void read(const Row&, const Given& given, std::map<std::string, std::string>& into) {
    into.clear();
    for (const auto& [name, value] : given.members()) into[name] = value.value().text();
  }

  template <class Row>
  static void read(const Row&, const Given& given, std::optional<Code>& into) {
    into = given.value().hex("");
  }

  template <class Row>
  void read(const Row&, const Given& given, std::optional<Nan>& into) {
    if (given.is_mapping()) {
      const bool has_one = into && into->has_order();
      const NanOrder inherited = has_one ? into->order : NanOrder{};
      into = Nan{true, 0, false, inherited};
      mapping(given, into->order, has_one ? &inherited : nullptr);
      if (!into->has_order()) given.fail("take lists no place; name one, or say `propagate`.");
      return;
    }
    const YamlValue value = given.value();
    const bool propagates = value.is_scalar() && value.text() == "propagate";
    const bool with_sign = value.is_scalar() && value.text() == "signed";
    into = propagates  ? Nan{true}
           : with_sign ? Nan{false, 0, true}
                       : Nan{false, value.hex(", or `propagate`, `signed` or {take: ..},")};
  }

  // --- mappings and lists of them ---

  // A list of mappings that is said whole, but for a path to a key of one of them.
  template <class Row, class S>
  void list_of(const Row& row, const Given& given, std::vector<S>& into, std::size_t most, std::string_view what) {
    if (given.is_none()) return into.clear();
    if (given.is_path()) return one_of_list(row, given, into, what);
    const std::vector<Given> items = given.items();
    if (items.size() > most)
      given.fail("at most " + std::to_string(most) + " " + std::string(what) + " fit here, found " +
                 std::to_string(items.size()) + ".");
    into.clear();
    for (const Given& item : items) mapping<S>(item, into.emplace_back(), nullptr);
  }

  template <class Row, class S>
  void one_of_list(const Row& row, const Given& given, std::vector<S>& into, std::string_view what) {
    const auto [key, rest] = given.members().front();
    const std::optional<std::size_t> index = given.index();
    if (!index || *index >= into.size())
      given.fail_path("there are " + std::to_string(into.size()) + " " + std::string(what) +
                      "; a key of the first one is written " + std::string(row.key) + "[0].KEY.");
    const S inherited = into[*index];
    mapping(rest.called(given.key() + "[" + key + "]"), into[*index], &inherited);
  }

  template <class Row>
  void read(const Row& row, const Given& given, std::vector<Recut>& into) {
    list_of(row, given, into, most_recuts, "further cuts");
  }

  template <class Row>
  void read(const Row& row, const Given& given, std::vector<SlicePair>& into) {
    list_of(row, given, into, most_pairs, "pairs of slices");
  }

  template <class Row, class S>
  std::enable_if_t<has_rows<S>> read(const Row&, const Given& given, S& into) {
    const S inherited = into;
    mapping(given, into, &inherited);
  }

  template <class Row, class S>
  std::enable_if_t<has_rows<S>> read(const Row& row, const Given& given, std::optional<S>& into) {
    if (given.is_none()) {
      into.reset();
    } else if (into) {
      read(row, given, *into);
    } else {
      mapping<S>(given, into.emplace(), nullptr);
    }
  }

  // A result is said whole, but for a path to one of its keys.
  void result(const Given& given, Result& into) {
    const Result inherited = into;
    if (!given.is_path()) into = Result{};
    mapping(given, into, given.is_path() ? &inherited : nullptr);
  }

  template <class Row>
  void read(const Row& row, const Given& given, std::optional<Result>& into) {
    if (given.is_scalar()) {
      given.value().one_of({row.nothing});
      into.reset();
    } else if (into) {
      result(given, *into);
    } else {
      mapping<Result>(given, into.emplace(), nullptr);
    }
  }

  template <class Row>
  void read(const Row& row, const Given& given, std::vector<Result>& into) {
    if (given.is_path()) return read_one(row, given, into);
    const std::vector<Given> items = given.items();
    if (items.size() > most_results)
      given.fail("at most " + std::to_string(most_results) + " results fit here, found " +
                 std::to_string(items.size()) + ".");
    into.clear();
    for (const Given& item : items) mapping<Result>(item, into.emplace_back(), nullptr);
  }

  template <class Row>
  void read_one(const Row& row, const Given& given, std::vector<Result>& into) {
    const auto [key, rest] = given.members().front();
    const std::optional<std::size_t> index = given.index();
    if (!index || *index >= into.size())
      given.fail_path("the adder '" + adder_ + "' has " + std::to_string(into.size()) +
                      " results; a key of the first one is written " + list_ + "." + adder_ + "." +
                      std::string(row.key) + "[0].cut.");
    result(rest.called(given.key() + "[" + key + "]"), into[*index]);
  }

  Input input(const std::string& source, const Given& given, const Input* inherited) {
    Input read = inherited != nullptr ? *inherited : Input{};
    read.source = source;
    if (!given.is_scalar()) {
      mapping(given, read, inherited);
    } else if (given.value().text() == "exact") {
      read.keep.reset();
      read.cut = Input{}.cut;
      read.again.clear();
    } else {
      given.fail("found " + given.value().found() + "; say `exact`, or {keep: .., cut: ..}.");
    }
    return read;
  }

  template <class Row>
  void read(const Row&, const Given& given, std::vector<Input>& into) {
    std::vector<Input> read;
    for (const auto& [source, value] : given.members()) {
      const std::string& name = source;
      const auto same = std::find_if(into.begin(), into.end(), [&](const Input& i) { return i.source == name; });
      if (given.is_path()) {
        if (same == into.end()) given.fail_path("the adder '" + adder_ + "' does not add '" + source + "'.");
        *same = input(source, value, &*same);
        return;
      }
      read.push_back(input(source, value, same == into.end() ? nullptr : &*same));
    }
    if (read.empty()) given.fail("an adder adds at least one thing.");
    into = std::move(read);
  }

  void adder(const Given& given, Adder& into, const Adder* inherited) {
    adder_ = into.name;
    mapping(given, into, inherited);
  }

  static std::vector<Adder>::iterator named(const std::string& name, std::vector<Adder>& adders) {
    return std::find_if(adders.begin(), adders.end(), [&](const Adder& a) { return a.name == name; });
  }

  // A list whose names are all inherited changes those adders; any other list replaces what was inherited.
  template <class Row>
  void read(const Row& row, const Given& given, std::vector<Adder>& into) {
    list_ = row.key;
    if (given.is_path()) return read_one(given, into);
    const std::vector<Given> items = given.items();
    if (items.size() > most_adders)
      given.fail("at most " + std::to_string(most_adders) + " adders fit here, found " + std::to_string(items.size()) +
                 ".");
    const auto namesake = [&](const Given& item) { return named(item.at("name").value().text(), into); };
    const bool changes = !items.empty() && std::all_of(items.begin(), items.end(),
                                                       [&](const Given& item) { return namesake(item) != into.end(); });
    if (!changes) into.clear();
    for (const Given& item : items) {
      if (changes) {
        const Adder inherited = *namesake(item);
        adder(item, *namesake(item), &inherited);
      } else {
        adder(item, into.emplace_back(), nullptr);
      }
    }
  }

  void read_one(const Given& given, std::vector<Adder>& into) {
    const auto [name, rest] = given.members().front();
    const auto at = named(name, into);
    if (at == into.end()) {
      std::vector<std::string> names;
      for (const Adder& a : into) names.push_back(a.name);
      given.fail_path("a key of an adder is written " + list_ + ".NAME.KEY; the names here are " +
                      (names.empty() ? "none" : joined(names)) + nearest(name, names));
    }
    const Adder inherited = *at;
    adder(rest.called(given.key() + "[" + std::to_string(at - into.begin()) + "]"), *at, &inherited);
  }

  // A scale that was inherited is given anew, in its place.
  template <class Row>
  void read(const Row&, const Given& given, std::vector<Scale>& into) {
    if (given.is_none()) return into.clear();
    for (const auto& [key, value] : given.members()) {
      const std::string& name = key;
      auto namesake = std::find_if(into.begin(), into.end(), [&](const Scale& s) { return s.name == name; });
      if (namesake == into.end()) {
        if (into.size() == most_scales) given.fail("at most " + std::to_string(most_scales) + " scales fit here.");
        namesake = into.insert(into.end(), Scale{});
      }
      const Scale inherited = *namesake;
      if (!value.is_path()) *namesake = Scale{};
      namesake->name = name;
      mapping(value, *namesake, value.is_path() ? &inherited : nullptr);
    }
  }

  // A name that was inherited is given anew.
  template <class Row>
  void read(const Row&, const Given& given, std::vector<Format>& into) {
    for (const auto& [key, value] : given.members()) {
      Format named;
      named.name = key;
      auto namesake = std::find(into.begin(), into.end(), named);
      if (namesake == into.end()) namesake = into.insert(into.end(), named);
      *namesake = format(value, *namesake);
    }
  }

  // One format of one's own: its words here, or the name of a file beside this one that has them.
  Format format(const Given& given, const Format& inherited) {
    if (given.is_scalar()) {
      Format read = read_format_file(beside(given.value()), inherited.name);
      read.name = inherited.name;
      return read;
    }
    Format read = inherited;
    if (!given.is_path()) {
      read = Format{};
      read.name = inherited.name;
    }
    mapping(given, read, given.is_path() ? &inherited : nullptr);
    finish(given, read);
    return read;
  }

  static std::string beside(const YamlValue& value) {
    const std::string name = value.text();
    if (name.size() < 6 || name.compare(name.size() - 5, 5, ".yaml") != 0)
      value.fail("found " + value.found() + "; say {exponent: .., mantissa: .., ..}, {values: [..]}, {rule: ..}, " +
                 "{integer: ..}, or the name of a file beside this one that ends in .yaml.");
    return (std::filesystem::path(value.file()).parent_path() / name).string();
  }

  std::string list_, adder_;  // that are being read
};

}  // namespace

void only_words(const Given& given, const std::vector<std::string_view>& others) {
  WordReader::only_rows(given, Datapath{}, others);
}

void read_words(const Given& given, Datapath& into, const Datapath* inherited) {
  WordReader().rows(given, into, inherited);
}

void read_format_words(const YamlValue& value, Format& format, const std::vector<std::string_view>& others) {
  WordReader reader;
  const Given given(value);
  reader.format_words(given, format, others);
}

void read_operands(const YamlValue& value, Operands& operands) {
  const Operands inherited = operands;
  WordReader().mapping(Given(value), operands, &inherited);
}

}  // namespace assay
