// The table of words itself: every row is read, printed, digested, varied and mutated, and refuses what lies beyond it.
#include "model/core/fields.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_key.hpp"
#include "model/config/datapath_text.hpp"
#include "model/config/digest.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {
namespace {

// --- no member is without its row ---

template <class S>
constexpr std::size_t row_count = std::tuple_size_v<std::decay_t<decltype(Table<S>::rows)>>;

// A struct with a further member does not compile here. The key of an input in `add` is its source, that of a scale its
// name, and the name of a datapath computes nothing: these three have no row.
[[maybe_unused]] void take_apart() {
  [[maybe_unused]] const auto& [of, oa, ob, oc, od, oe, og, oh, oi, oj] = Operands{};
  static_assert(row_count<Operands> == 10);
  [[maybe_unused]] const auto& [ka, kb, kc] = Mask{};
  static_assert(row_count<Mask> == 3);
  [[maybe_unused]] const auto& [sa, sb, sc, sd, se] = Scale{};
  static_assert(row_count<Scale> == 5 - 1);
  [[maybe_unused]] const auto& [za, zb] = ZeroPoints{};
  static_assert(row_count<ZeroPoints> == 2);
  [[maybe_unused]] const auto& [fa, fb, fc, fd, fe] = Factor{};
  static_assert(row_count<Factor> == 5);
  [[maybe_unused]] const auto& [ra, rb, rc, rd, re, rf, rg, rh, ri, rj, rk, rl, rm, rn] = Result{};
  static_assert(row_count<Result> == 14);
  [[maybe_unused]] const auto& [ga, gb, gc] = Group{};
  static_assert(row_count<Group> == 3);
  [[maybe_unused]] const auto& [ia, ib, ic, id, ie, ig, ih] = Input{};
  static_assert(row_count<Input> == 7 - 1);
  [[maybe_unused]] const auto& [ca, cb] = Recut{};
  static_assert(row_count<Recut> == 2);
  [[maybe_unused]] const auto& [na, nb, nc] = NanOrder{};
  static_assert(row_count<NanOrder> == 3);
  [[maybe_unused]] const auto& [wa, wb, wc, wd, we, wf, wg] = Window{};
  static_assert(row_count<Window> == 7);
  [[maybe_unused]] const auto& [ea] = Errata{};
  static_assert(row_count<Errata> == 1);
  [[maybe_unused]] const auto& [aa, ab, ac, ad, ae, af, ag, ah, ai, aj, ak] = Adder{};
  static_assert(row_count<Adder> == 11);
  [[maybe_unused]] const auto& [pa, pb, pc, pd, pe, pf] = Product{};
  static_assert(row_count<Product> == 6);
  [[maybe_unused]] const auto& [ya, yb, yc, yd, ye, yf, yg] = ProductRows{};
  static_assert(row_count<ProductRows> == 7);
  [[maybe_unused]] const auto& [la, lb, lc, ld] = SlicePair{};
  static_assert(row_count<SlicePair> == 4);
  [[maybe_unused]] const auto& [ma, mb, mc] = Slices{};
  static_assert(row_count<Slices> == 3);
  [[maybe_unused]] const auto& [da, db, dc, dd, de, df, dg, dh, di, dj, dk, dl, dm, dn, dp, dq, dr, ds, dt, du, dv, dw,
                                dx] = Datapath{};
  static_assert(row_count<Datapath> == 23 - 1);
  [[maybe_unused]] const auto& [xa, xb, xc] = Flags{};
  static_assert(row_count<Flags> == 3);
}

template <class S>
void expect_different_rows() {
  const S s{};
  std::set<const void*> members;
  std::set<std::string_view> keys;
  std::set<int> told;
  each_row<S>([&](const auto& row) {
    EXPECT_TRUE(members.insert(&(s.*row.member)).second) << row.key << " is another row's member";
    EXPECT_TRUE(keys.insert(row.key).second) << row.key;
    EXPECT_TRUE(row.told == 0 || told.insert(row.told).second) << row.key << " has another row's place in the digest";
    EXPECT_FALSE(row.says.empty()) << row.key;
    EXPECT_EQ(row.steps == Steps::none, !row.no_steps.empty()) << row.key << ": say why there are no mutants";
  });
}

TEST(Fields, AreMembersKeysAndPlacesOfTheirOwn) {
  expect_different_rows<Operands>();
  expect_different_rows<Scale>();
  expect_different_rows<ZeroPoints>();
  expect_different_rows<Mask>();
  expect_different_rows<Flags>();
  expect_different_rows<Factor>();
  expect_different_rows<Result>();
  expect_different_rows<Group>();
  expect_different_rows<Input>();
  expect_different_rows<NanOrder>();
  expect_different_rows<Window>();
  expect_different_rows<Adder>();
  expect_different_rows<Product>();
  expect_different_rows<ProductRows>();
  expect_different_rows<Datapath>();
}

// --- a datapath in which every word means something somewhere ---

const std::string rich = R"(name: rich
k: 16
formats:
  mine: {exponent: 4, mantissa: 3, bias: 7, infinity: true, nan: ieee, signed_zero: true}
  whole: {integer: 8, fraction: 2}
  few: {values: [0, 1, -0.75, nan], ties: away}
operands:
  {a: mine, b: mine, c: f32, d: f32, scale: {format: ue8m0, block: 8},
   scales: {tensor: {of: b, format: f32, block: 4, at: late}}, zero_a: {format: u8, block: 2}, zero_b: {format: i8},
   mask: {take: 2, among: 4, unit: 2}}
nans: {a: zero, c: zero}
factors: {a: {round: {format: f16, cut: stochastic_b, random_bits: 7}, step: 4, from: -15, empty: -14}, b: {zero_point: 3}}
subnormals: {a: zero, c: signed_zero}
specials: step
nan: 7fffffff
product: {round: {at: leading_one, keep: 10, cut: down, least_exponent: -20}, infinity_at: 100, times: scales, empty: -9,
          rows: {of: b, digits: booth4, sign: digits, extension: constant, width: 9, compress: chain, first: 2}}
slices: {pairs: [{a: {from: 0, bits: 4}, b: {from: 2, bits: 3}}, {a: {from: 4}}], exponent: slice, run: step}
k_order: {lanes: {terms: 8, deal: strided, unit: 2}, step: {terms: 4, deal: strided, unit: 2}, from: last}
start: zero
flags: {of: all, invalid: nan, tiny: before}
adders:
  - name: groups
    add: {product: {keep: 20, cut: down, empty: -3, lost_below: 9}}
    group: {terms: 2, deal: strided, unit: 1}
    window: {floor: -100, raise: 2, step: 4, from: -3, lost_at: -90}
    sticky: at_result
    cancelled: none
    zero: ieee
    result: [{at: window, keep: 20, cut: up, bits: 26, overflow: largest}]
  - name: sum
    add: {groups: exact, acc: {keep: 5, cut: to_odd, again: [{keep: 3, cut: nearest_up}]}}
    window: {exponent: fixed, at: 3}
    errata: {minus_one: 4}
    result:
      - {at: leading_one, keep: 30, cut: down, least_exponent: -126}
      - {format: f32, cut: nearest_even, subnormals: zero, tiny: before, overflow: largest, minus_zero: never}
finish:
  - {name: late, add: {lanes: exact, c: exact}, result: [{format: d, cut: toward_zero}]}
)";

const Catalogue& catalogue() {
  static const Catalogue shipped = shipped_catalogue();
  return shipped;
}

DatapathFile read(const std::string& text) { return read_datapath_text(text, "mine.yaml", catalogue()); }

std::string digest(const Datapath& datapath) {
  Plan plan;
  plan.datapath = datapath;
  return datapath_sha256(plan);
}

// Of what is read, or why it is not.
std::string digest_of(const std::function<DatapathFile()>& made) {
  try {
    return digest(made().datapath);
  } catch (const Error& error) {
    return error.message;
  }
}

// What means nothing is as if it were left out, which is how it is read back.
template <class S>
void forget_idle(S& s) {
  each_row<S>([&](const auto& row) {
    if (!row.applies(s) && !row.is_idle(s)) s.*row.member = row.fallback();
  });
}

// A word that needs another has it.
template <class S>
void complete(S&) {}
void complete(Result& result) {
  if (is_stochastic(result.cut) && result.random_bits == 0) result.random_bits = 1;
}

// --- each word of it, with the path that a study would take ---

struct WordOf {
  std::string row;   // "Window.floor"
  std::string path;  // "adders.groups.window.floor"
  std::string key;   // "adders[0].window.floor"
};

struct Legal {
  std::string text;
  std::function<void(Datapath&)> set;
};

class EachWord {
 public:
  using See = std::function<void(const WordOf&, const std::vector<Legal>& legal, const std::vector<std::string>& beyond,
                                 const std::string& needed)>;

  EachWord(Datapath datapath, See see) : datapath_(std::move(datapath)), see_(std::move(see)) {
    rows<Datapath>({"", "", ""}, [](Datapath& d) -> Datapath& { return d; });
  }

 private:
  template <class T>
  using Of = std::function<T&(Datapath&)>;

  template <class S>
  void rows(const WordOf& in, const Of<S>& of) {
    each_row<S>([&](const auto& row) {
      if (!row.applies(of(datapath_))) return;
      const std::string dot = in.path.empty() ? "" : ".", key(row.key);
      const WordOf word{std::string(Table<S>::name) + "." + key, in.path + dot + key, in.key + dot + key};
      words(row, word, of);
    });
  }

  template <class S, class V>
  Of<V> member(const TableRow<S, V>& row, const Of<S>& of) const {
    return [of, at = row.member](Datapath& d) -> V& { return of(d).*at; };
  }

  template <class S, class V>
  Legal to(const TableRow<S, V>& row, const Of<S>& of, const std::string& text, const V& value) const {
    return {text, [of, at = row.member, value](Datapath& d) {
              of(d).*at = value;
              complete(of(d));
              forget_idle(of(d));
            }};
  }

  template <class S, class V>
  void words(const TableRow<S, V>& row, const WordOf& word, const Of<S>& of) {
    const V now = of(datapath_).*row.member;
    std::vector<Legal> legal;
    if constexpr (std::is_enum_v<V>) {
      const std::size_t count = row.choices == 0 ? assay::words<V>().size() : row.choices;
      std::string choices;
      for (std::size_t i = 0; i < count; ++i) {
        const auto value = static_cast<V>(i);
        choices += (i == 0 ? "" : ", ") + std::string(assay::word(value));
        if (value != now) legal.push_back(to(row, of, std::string(assay::word(value)), value));
      }
      see_(word, legal, {"nonsense", "1", "{}"}, "the choices are " + choices);
    } else if constexpr (std::is_same_v<V, bool>) {
      legal.push_back(to(row, of, std::string(row.of_flag[now ? 0 : 1]), !now));
      see_(word, legal, {"nonsense", "1", "[]"},
           "the choices are " + std::string(row.of_flag[0]) + ", " + std::string(row.of_flag[1]));
    } else if constexpr (std::is_same_v<V, int> || std::is_same_v<V, std::optional<int>>) {
      const int least = row.of_number.least, greatest = row.of_number.greatest;
      for (const int value : {least, least + 1, greatest}) {
        if (now != value) legal.push_back(to(row, of, std::to_string(value), V(value)));
      }
      if constexpr (!std::is_same_v<V, int>) {
        if (now) legal.push_back(to(row, of, "none", V()));
      }
      see_(word, legal, {std::to_string(least - 1), std::to_string(greatest + 1), "nonsense", "1.5", "{}"},
           "a whole number from " + std::to_string(least) + " to " + std::to_string(greatest) + " is needed here");
    } else if constexpr (std::is_same_v<V, std::string>) {
      see_(word, {to(row, of, "bf16", V("bf16"))}, {"{}", "[]"}, "a word is needed here");
    } else if constexpr (std::is_same_v<V, std::optional<Nan>>) {
      see_(word, {to(row, of, "propagate", V(Nan{true, 0})), to(row, of, "7f", V(Nan{false, 0x7f}))},
           {"nonsense", "[]", "11112222333344445"}, "1 to 16 hexadecimal digits without prefix, or `propagate`");
    } else {
      within(row, word, member(row, of));
    }
  }

  // --- words that hold words ---

  template <class Row, class S>
  std::enable_if_t<has_rows<S>> within(const Row&, const WordOf& word, const Of<S>& of) {
    rows<S>(word, of);
  }
  template <class Row, class S>
  void within(const Row&, const WordOf& word, const Of<std::optional<S>>& of) {
    if (of(datapath_)) rows<S>(word, [of](Datapath& d) -> S& { return *of(d); });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Input>>& of) {
    items<Input>(word, of, [](const Input& i, std::size_t) { return "." + i.source; });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Result>>& of) {
    items<Result>(word, of, [](const Result&, std::size_t i) { return "[" + std::to_string(i) + "]"; });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Recut>>& of) {
    items<Recut>(word, of, [](const Recut&, std::size_t i) { return "[" + std::to_string(i) + "]"; });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<SlicePair>>& of) {
    items<SlicePair>(word, of, [](const SlicePair&, std::size_t i) { return "[" + std::to_string(i) + "]"; });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Scale>>& of) {
    items<Scale>(word, of, [](const Scale& s, std::size_t) { return "." + s.name; });
  }
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Format>>& of) {
    items<Format>(word, of, [](const Format& f, std::size_t) { return "." + f.name; });
  }
  // What only a format by a rule or a list has; tb/tests/formats reads those.
  template <class Row>
  void within(const Row&, const WordOf&, const Of<std::vector<std::string>>&) {}
  template <class Row>
  void within(const Row&, const WordOf&, const Of<std::map<std::string, std::string>>&) {}
  template <class Row>
  void within(const Row&, const WordOf& word, const Of<std::vector<Adder>>& of) {
    for (std::size_t i = 0; i < of(datapath_).size(); ++i) {
      const WordOf one{"", word.path + "." + of(datapath_)[i].name, word.key + "[" + std::to_string(i) + "]"};
      rows<Adder>(one, [of, i](Datapath& d) -> Adder& { return of(d)[i]; });
    }
  }
  template <class S, class Name>
  void items(const WordOf& word, const Of<std::vector<S>>& of, Name name) {
    for (std::size_t i = 0; i < of(datapath_).size(); ++i) {
      const std::string part = name(of(datapath_)[i], i);
      rows<S>({"", word.path + part, word.key + part}, [of, i](Datapath& d) -> S& { return of(d)[i]; });
    }
  }

  Datapath datapath_;
  See see_;
};

template <class S>
void add_rows(std::set<std::string>& names) {
  each_row<S>([&](const auto& row) {
    using V = typename std::decay_t<decltype(row)>::Value;
    const bool holds_words = has_rows<V> || std::is_same_v<V, std::optional<Group>> ||
                             std::is_same_v<V, std::optional<Mask>> || std::is_same_v<V, std::optional<Flags>> ||
                             std::is_same_v<V, std::optional<ProductRows>> ||
                             std::is_same_v<V, std::optional<Result>> || std::is_same_v<V, std::vector<Input>> ||
                             std::is_same_v<V, std::vector<Result>> || std::is_same_v<V, std::vector<Format>> ||
                             std::is_same_v<V, std::vector<Scale>> || std::is_same_v<V, std::vector<Recut>> ||
                             std::is_same_v<V, std::vector<SlicePair>> || std::is_same_v<V, std::vector<Adder>>;
    if (!holds_words) names.insert(std::string(Table<S>::name) + "." + std::string(row.key));
  });
}

std::set<std::string> all_rows() {
  std::set<std::string> names;
  add_rows<Operands>(names);
  add_rows<Scale>(names);
  add_rows<ZeroPoints>(names);
  add_rows<Mask>(names);
  add_rows<Flags>(names);
  add_rows<Factor>(names);
  add_rows<Format>(names);
  add_rows<Result>(names);
  add_rows<Group>(names);
  add_rows<Input>(names);
  add_rows<Window>(names);
  add_rows<Adder>(names);
  add_rows<Product>(names);
  add_rows<ProductRows>(names);
  add_rows<Datapath>(names);
  return names;
}

// What has no line of its own in a file: the sizes of a format follow from its words.
void settle(Datapath& d) {
  for (Format& f : d.formats) {
    if (f.is_integer()) f.has_signed_zero = false;
    if (f.is_list()) complete(f);
    if (f.kind != FormatKind::floating) continue;
    f.stored_bits = (f.has_sign ? 1 : 0) + f.exponent_bits + f.mantissa_bits + f.ignored_low_bits + f.ignored_high_bits;
  }
}

YamlValue value_of(const std::string& text) {
  return read_yaml_text("\n\nvalue: " + text + "\n", "study.yaml").at("value");
}

std::string message_of(const DatapathFile& file, const std::string& path, const std::string& text) {
  try {
    with_key(file, path, value_of(text));
  } catch (const Error& error) {
    return error.message;
  }
  return "not refused";
}

TEST(Fields, OfEveryRowAreReadPrintedVariedAndDigested) {
  const DatapathFile file = read(rich);
  std::set<std::string> left = all_rows(), need_more;
  EachWord(file.datapath, [&](const WordOf& word, const std::vector<Legal>& legal, const std::vector<std::string>&,
                              const std::string&) {
    EXPECT_FALSE(legal.empty()) << word.path;
    for (const Legal& one : legal) {
      SCOPED_TRACE(word.path + ": " + one.text);
      Datapath changed = file.datapath;
      one.set(changed);
      settle(changed);
      EXPECT_NE(digest(changed), digest(file.datapath)) << "the digest does not tell it";
      const std::string text = yaml_text(changed, 16);
      EXPECT_EQ(digest_of([&] { return read(text); }), digest(changed)) << text;
      const std::string varied = digest_of([&] { return with_key(file, word.path, value_of(one.text)); });
      if (varied.find(" is missing") == std::string::npos) {
        EXPECT_EQ(varied, digest(changed));
      } else {
        need_more.insert(word.row);
      }
    }
    left.erase(word.row);
  });
  const std::set<std::string> with_cut_or_at{"INPUT.keep", "RESULT.cut", "WINDOW.exponent"};
  EXPECT_EQ(need_more, with_cut_or_at) << "a point of a study sets these together with another word";
  const std::set<std::string> of_formats{"FORMAT.parameters", "FORMAT.rule", "FORMAT.values"};
  EXPECT_EQ(left, of_formats) << "nothing in this test's datapath has these; of these three, tb/tests/formats";
}

TEST(Fields, OfEveryRowRefuseWhatLiesBeyond) {
  const DatapathFile file = read(rich);
  EachWord(file.datapath, [&](const WordOf& word, const std::vector<Legal>&, const std::vector<std::string>& beyond,
                              const std::string& needed) {
    for (const std::string& text : beyond) {
      const std::string message = message_of(file, word.path, text);
      EXPECT_EQ(message.find("study.yaml:3: " + word.key + ": "), 0U) << word.path << ": " << message;
      EXPECT_NE(message.find(needed), std::string::npos) << word.path << ": " << message;
    }
  });
}

TEST(Fields, OfEveryRowHaveMutantsOrSayWhyNot) {
  const DatapathFile file = read(rich);
  std::set<std::string> mutated;
  for (const Mutation& m : mutations(file.datapath, *file.k)) {
    const std::string path = m.name.substr(0, m.name.find(' '));
    mutated.insert(path == "operands.scale_block" ? "operands.scale.block" : path);
  }
  std::set<std::string> silent, with_mutants;
  EachWord(file.datapath, [&](const WordOf& word, const auto&, const auto&, const std::string&) {
    (mutated.count(word.path) != 0 ? with_mutants : silent).insert(word.row);
  });
  for (const std::string& row : with_mutants) silent.erase(row);
  const std::set<std::string> named{
      "ADDER.name",      "FORMAT.bias",        "FORMAT.exponent",    "FORMAT.infinity",
      "FORMAT.mantissa", "FORMAT.nan",         "FORMAT.signed_zero", "FORMAT.infinity_codes",
      "FORMAT.signed",   "FORMAT.unused_high", "FORMAT.unused_low",  "FORMAT.zero",
      "FORMAT.integer",  "FORMAT.fraction",    "FORMAT.magnitude",   "FORMAT.ties",
      "MASK.among",      "MASK.take",          "MASK.unit",          "OPERANDS.a",
      "OPERANDS.b",      "OPERANDS.c",         "OPERANDS.d",         "OPERANDS.scale.format",
      "RESULT.format",   "SCALE.format",       "SCALE.of",           "ZERO_POINTS.format"};
  EXPECT_EQ(silent, named) << "their rows, or that of `formats` around them, say why";
}

// Code that heeds some words alone can ask that there are no others.
TEST(Fields, AreAllThatAStructSays) {
  Input input;
  EXPECT_TRUE(says_only(input));
  input.keep = 25;
  input.cut = Cut::down;
  EXPECT_FALSE(says_only(input, &Input::keep));
  EXPECT_TRUE(says_only(input, &Input::keep, &Input::cut));
  input.lost_below = 20;
  EXPECT_FALSE(says_only(input, &Input::keep, &Input::cut));
  Adder adder;
  adder.add = {input};
  EXPECT_TRUE(says_only(adder, &Adder::add));
  adder.group = Group{};
  EXPECT_FALSE(says_only(adder, &Adder::add));
  EXPECT_TRUE(says_only(adder, &Adder::add, &Adder::group));
  Adder other = adder;
  EXPECT_TRUE(same(adder, other));
  other.add[0].lost_below = 21;
  EXPECT_FALSE(same(adder, other));
  other = adder;
  other.add[0].source = "acc";
  EXPECT_FALSE(same(adder, other));
}

// A word that is nobody's default is printed, one that is, is not.
TEST(Fields, ArePrintedOnlyWhereTheySaySomething) {
  EXPECT_EQ(
      yaml_text(
          read("name: mine\nspecials: step\nk: 4\nfinish: []\nstart: c\nadders:\n  - name: sum\n    sticky: none\n"
               "    add: {product: {keep: 25, cut: down}, acc: exact}\n    result: []\n")
              .datapath,
          4),
      "name: mine\nk: 4\nspecials: step\nadders:\n  - name: sum\n    add: {product: {keep: 25, cut: down}, acc: "
      "exact}\n");
  Datapath odd;
  odd.name = "two\n\"words\"";
  EXPECT_EQ(yaml_text(odd), "name: \"two\\u000a\\\"words\\\"\"\nspecials: step\nadders: []\n");
  EXPECT_EQ(read(yaml_text(odd)).datapath.name, odd.name);
}

TEST(Fields, OfEveryShippedDatapathAreReadBack) {
  for (const std::string& name : catalogue().datapath_names()) {
    const DatapathFile file = catalogue().datapath(name);
    const DatapathFile back = read(yaml_text(file.datapath, file.k));
    EXPECT_EQ(digest(back.datapath), digest(file.datapath)) << name;
    EXPECT_EQ(back.datapath.name, name);
    EXPECT_EQ(back.k, file.k);
  }
}

}  // namespace
}  // namespace assay
