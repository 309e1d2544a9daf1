// The words of a datapath file, a row each: its key, the member it sets, what may stand there, where it means anything
// and how people are told of it. Whoever reads, prints, digests, varies, mutates or documents a datapath goes through
// these rows, so that a new word is one more row here (and the stage that acts on it).
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "model/core/bounds.hpp"
#include "model/core/datapath.hpp"
#include "model/core/plan.hpp"

namespace assay {

template <>
const std::vector<std::string_view>& words<NanCodes>();
template <>
const std::vector<std::string_view>& words<InfinityCodes>();
template <>
const std::vector<std::string_view>& words<Ties>();

namespace bounds {
inline constexpr Bounds terms{1, greatest_k};
}

inline constexpr std::size_t most_adders = 64;  // of one list
inline constexpr std::size_t most_results = 8;  // of one adder
inline constexpr std::size_t most_scales = 16;  // beside the pair
inline constexpr std::size_t most_recuts = 4;   // of one input
inline constexpr std::size_t most_pairs = 16;   // of slices

// How a word is changed by one step to make a mutant: to every other word, by one either way, on or off; to the double
// and the half, of some only where they are said; by a rule that tb/generate/mutations.cpp has for it, since it depends
// on more than the word; or never.
enum class Steps { each, doubling, doubling_if_said, own_rule, none };

template <class S, class V>
struct TableRow {
  using Value = V;

  std::string_view key;  // "subnormals.a": the key a of the mapping `subnormals`
  V S::*member;
  std::string_view says;  // for docs/datapath.md

  // --- what a file may give ---
  Bounds of_number{};
  std::array<std::string_view, 2> of_flag{"false", "true"};
  std::size_t choices = 0;            // of an enum only so many words, from the first on; 0: all
  std::string_view nothing = "none";  // where an optional value is left out
  std::string_view takes{};           // for docs, of a value that no line above describes
  bool required = false;              // where it means anything and no value is inherited
  std::string_view missing{};         // the sentence on a required one that is missing, where it needs its own
  std::string_view left_out{};        // for docs, where the member's default does not say it

  // --- where it stands, and where it means anything ---
  bool (*stands)(const S&) = nullptr;  // elsewhere there is no such key; nothing: everywhere
  bool (*when)(const S&) = nullptr;    // elsewhere it is refused, or idle where no sentence says why
  std::string_view refusal{};
  std::string_view where{};  // both for docs: "with `at`"

  // --- how it is passed on ---
  int told = 0;  // its place among the words that every digest tells, and always told; 0: told where it is no default
  Steps steps = Steps::each;
  std::string_view no_steps{};  // why it has no mutants
  // For `describe`, {} being the value. What begins with a space follows the phrase before it without a comma.
  std::string_view phrase{}, phrase_of_nothing{};
  std::array<std::string_view, 4> phrase_words{};  // for an enum's words
  bool phrase_of_default = true;

  bool exists(const S& s) const { return stands == nullptr || stands(s); }
  bool applies(const S& s) const { return exists(s) && (when == nullptr || when(s)); }
  bool is_idle(const S& s) const { return exists(s) && !applies(s) && refusal.empty(); }
  V fallback() const { return S{}.*member; }

  // --- rows are written as a row and what it has beside ---
  constexpr TableRow within(Bounds bounds_of_it) const { return with(&TableRow::of_number, bounds_of_it); }
  constexpr TableRow flag(std::string_view off, std::string_view on) const {
    return with(&TableRow::of_flag, {off, on});
  }
  constexpr TableRow first_words(std::size_t count) const { return with(&TableRow::choices, count); }
  constexpr TableRow or_else(std::string_view word) const { return with(&TableRow::nothing, word); }
  constexpr TableRow value(std::string_view text) const { return with(&TableRow::takes, text); }
  constexpr TableRow needed(std::string_view why = {}) const {
    return with(&TableRow::required, true).with(&TableRow::missing, why);
  }
  constexpr TableRow otherwise(std::string_view text) const { return with(&TableRow::left_out, text); }
  constexpr TableRow only(bool (*there)(const S&), std::string_view text) const {
    return with(&TableRow::stands, there).with(&TableRow::where, text);
  }
  constexpr TableRow matters(bool (*there)(const S&), std::string_view text) const {
    return with(&TableRow::when, there).with(&TableRow::where, text);
  }
  constexpr TableRow refused_unless(bool (*there)(const S&), std::string_view text, std::string_view sentence) const {
    return matters(there, text).with(&TableRow::refusal, sentence);
  }
  constexpr TableRow digest(int place) const { return with(&TableRow::told, place); }
  constexpr TableRow mutants(Steps kind) const { return with(&TableRow::steps, kind); }
  constexpr TableRow no_mutants(std::string_view why) const {
    return with(&TableRow::steps, Steps::none).with(&TableRow::no_steps, why);
  }
  constexpr TableRow described(std::string_view text, std::string_view of_nothing = {}) const {
    return with(&TableRow::phrase, text).with(&TableRow::phrase_of_nothing, of_nothing);
  }
  constexpr TableRow by_word(std::array<std::string_view, 4> texts) const {
    return with(&TableRow::phrase_words, texts);
  }
  constexpr TableRow if_changed() const { return with(&TableRow::phrase_of_default, false); }

 private:
  template <class T>
  constexpr TableRow with(T TableRow::*of, T is) const {
    TableRow copy = *this;
    copy.*of = is;
    return copy;
  }
};

template <class S, class V>
constexpr TableRow<S, V> table_row(std::string_view key, V S::*member, std::string_view says) {
  return {key, member, says};
}

// The rows of a struct as a tuple, and what docs/datapath.md calls a mapping of these keys.
template <class S>
struct Table;

// Calls `see` with each row of a struct, in order.
template <class S, class See>
constexpr void each_row(See&& see) {
  std::apply([&](const auto&... row) { (see(row), ...); }, Table<S>::rows);
}

template <class V, class = void>
inline constexpr bool has_rows = false;
template <class V>
inline constexpr bool has_rows<V, std::void_t<decltype(Table<V>::rows)>> = true;

template <class V>
inline constexpr bool is_optional = false;
template <class V>
inline constexpr bool is_optional<std::optional<V>> = true;

// --- the table ---

inline bool says_fields(const Format& f) { return f.kind == FormatKind::floating && f.rule.empty(); }
inline bool says_integer(const Format& f) { return f.is_integer(); }
inline bool says_list(const Format& f) { return f.is_list() && f.rule.empty(); }
inline bool says_rule(const Format& f) { return !f.rule.empty(); }

template <>
struct Table<Format> {
  static constexpr std::string_view name = "FORMAT";
  static constexpr auto rows = std::make_tuple(
      table_row("exponent", &Format::exponent_bits, "bits of the exponent field")
          .within(bounds::format_exponent)
          .only(says_fields, "without `integer`, `rule` and `values`")
          .needed(),
      table_row("mantissa", &Format::mantissa_bits, "bits after the leading one")
          .within(bounds::format_mantissa)
          .only(says_fields, "with `exponent`")
          .needed(),
      table_row("bias", &Format::bias, "what the exponent field exceeds the exponent by")
          .within(bounds::format_bias)
          .only(says_fields, "with `exponent`")
          .needed(),
      table_row("infinity", &Format::has_infinity, "whether it has infinities")
          .only(says_fields, "with `exponent`")
          .needed(),
      table_row("infinity_codes", &Format::infinity_codes,
                "which codes those are: the top exponent's first, or the last that is not NaN")
          .only(says_fields, "with `exponent`")
          .matters([](const Format& f) { return says_fields(f) && f.has_infinity; }, "with `infinity: true`"),
      table_row("nan", &Format::nan,
                "which codes are NaN: none, those of the top exponent but infinity, every bit below the sign one, or "
                "the code of -0")
          .first_words(4)
          .only(says_fields, "with `exponent`")
          .needed(),
      table_row("signed_zero", &Format::has_signed_zero, "whether there is a -0")
          .only(says_fields, "with `exponent`")
          .needed(),
      table_row("zero", &Format::has_zero,
                "whether there are zero and subnormal numbers; else the least exponent is one like any other")
          .only(says_fields, "with `exponent`"),
      table_row("unused_low", &Format::ignored_low_bits, "bits below the mantissa that are stored and read as zero")
          .within(bounds::unused_bits)
          .only(says_fields, "with `exponent`"),
      table_row("unused_high", &Format::ignored_high_bits, "bits above the others that are stored and read as zero")
          .within(bounds::unused_bits)
          .only(says_fields, "with `exponent`"),
      table_row("integer", &Format::stored_bits, "an integer of so many bits, two's complement where it has a sign")
          .within(bounds::integer_bits)
          .only(says_integer, "in place of `exponent`")
          .needed(),
      table_row("fraction", &Format::fraction_bits,
                "how many of them stand after the point; the last bit is worth 2^-this")
          .within(bounds::fraction_bits)
          .only(says_integer, "with `integer`"),
      table_row("signed", &Format::has_sign, "whether there are negative numbers")
          .only([](const Format& f) { return says_fields(f) || says_integer(f); }, "with `exponent` or `integer`"),
      table_row("magnitude", &Format::sign_magnitude, "whether it is a sign and a magnitude, not two's complement")
          .only(says_integer, "with `integer`"),
      table_row("rule", &Format::rule, "the rule that reads its codes: posit, prefix or p3109")
          .value("a rule")
          .only(says_rule, "in place of `exponent`")
          .needed(),
      table_row("parameters", &Format::parameters, "what the rule asks for")
          .value("{NAME: VALUE, ..}")
          .otherwise("none")
          .only(says_rule, "with `rule`"),
      table_row("values", &Format::listed, "the exact value of each code, from code 0 on")
          .value("[VALUE, ..]: 3, -0.75, 5*2^-9, inf, -inf, nan, -0")
          .only(says_list, "in place of `exponent`")
          .needed(),
      table_row("ties", &Format::ties,
                "which of two values that lie equally near is taken: as the `cut` says, that of the even code, that "
                "away from zero, or the lower")
          .only(says_list, "with `values`"));
};

template <>
struct Table<Scale> {
  static constexpr std::string_view name = "SCALE";
  static constexpr auto rows = std::make_tuple(
      table_row("of", &Scale::of, "whose elements it belongs to").needed().no_mutants("it computes nothing"),
      table_row("format", &Scale::format, "its format")
          .value("a format")
          .needed()
          .no_mutants("another format makes another unit, not a slightly wrong one"),
      table_row("block", &Scale::block, "elements of k that share one")
          .within(bounds::terms)
          .otherwise("all of k")
          .mutants(Steps::own_rule),
      table_row("at", &Scale::at,
                "what it multiplies: `operand`, each element of its side; `product`, each product; or the sums of the "
                "adder of this name")
          .value("`operand`, `product`, an adder's name")
          .mutants(Steps::own_rule));
};

template <>
struct Table<ZeroPoints> {
  static constexpr std::string_view name = "ZERO_POINTS";
  static constexpr auto rows =
      std::make_tuple(table_row("format", &ZeroPoints::format, "an integer format")
                          .value("a format")
                          .otherwise("the case brings none")
                          .no_mutants("another format makes another unit, not a slightly wrong one"),
                      table_row("block", &ZeroPoints::block, "elements of k that share one")
                          .within(bounds::terms)
                          .otherwise("all of k")
                          .mutants(Steps::own_rule));
};

inline bool has_pattern(const Mask& m) { return m.has_pattern(); }

template <>
struct Table<Mask> {
  static constexpr std::string_view name = "MASK";
  static constexpr std::string_view no_arithmetic = "it says which masks a case may bring, and computes nothing";
  static constexpr std::string_view patternless = "a mask without `take` may be any, and has no groups.";
  static constexpr auto rows = std::make_tuple(
      table_row("take", &Mask::take, "how many of each group of neighbours are on, no more and no fewer")
          .within(bounds::terms)
          .otherwise("any")
          .no_mutants(no_arithmetic),
      table_row("among", &Mask::among, "the size of such a group")
          .within(bounds::terms)
          .refused_unless(has_pattern, "with `take`", patternless)
          .needed("the key 'among' is missing: say of how many neighbours so many are on.")
          .no_mutants(no_arithmetic),
      table_row("unit", &Mask::unit, "neighbours that are on or off together")
          .within(bounds::terms)
          .refused_unless(has_pattern, "with `take`", patternless)
          .no_mutants(no_arithmetic));
};

inline bool is_scaled(const Operands& o) { return !o.scale.empty() || o.scale_block != 0; }

template <>
struct Table<Operands> {
  static constexpr std::string_view name = "OPERANDS";
  static constexpr std::string_view another_unit = "another format makes another unit, not a slightly wrong one";
  static constexpr auto rows = std::make_tuple(
      table_row("a", &Operands::a, "format of a")
          .value("a format")
          .otherwise("the instruction's")
          .digest(1)
          .no_mutants(another_unit),
      table_row("b", &Operands::b, "format of b")
          .value("a format")
          .otherwise("the instruction's")
          .digest(2)
          .no_mutants(another_unit),
      table_row("c", &Operands::c, "format of c")
          .value("a format")
          .otherwise("the instruction's")
          .digest(3)
          .no_mutants(another_unit),
      table_row("d", &Operands::d, "format of d")
          .value("a format")
          .otherwise("the instruction's")
          .digest(4)
          .no_mutants(another_unit),
      table_row("scale.format", &Operands::scale, "format of the scales of a and of b")
          .value("a format")
          .matters(is_scaled, "")
          .needed()
          .digest(5)
          .no_mutants(another_unit),
      table_row("scale.block", &Operands::scale_block, "elements of k that share one scale")
          .within(bounds::terms)
          .matters(is_scaled, "")
          .needed()
          .digest(6)
          .mutants(Steps::own_rule),
      table_row("scales", &Operands::scales, "further operands of a case, by name: each scales one side")
          .value("{NAME: SCALE, ..}")
          .otherwise("none"),
      table_row("zero_a", &Operands::zero_a, "zero points of a that the case brings, as its zero_a").otherwise("none"),
      table_row("zero_b", &Operands::zero_b, "the same of b").otherwise("none"),
      table_row("mask", &Operands::mask,
                "a bit of each product, which the case brings; one that is off is (+0) x (+0)"));
};

inline bool in_format(const Result& r) { return r.at == ResultAt::format; }
inline bool in_bits(const Result& r) { return r.at != ResultAt::format; }
inline bool may_be_too_large(const Result& r) { return in_format(r) || r.bits; }

template <>
struct Table<Result> {
  static constexpr std::string_view name = "RESULT";
  static constexpr auto rows = std::make_tuple(
      table_row("format", &Result::format, "rounded to this format; `d` is d's own")
          .value("a format, `d`")
          .only(in_format, "without `at`")
          .needed()
          .digest(5)
          .no_mutants("another format makes another unit, not a slightly wrong one")
          .described("to {}"),
      table_row("cut", &Result::cut, "how what does not fit is cut").needed().digest(2).described("cut {}"),
      table_row("random_bits", &Result::random_bits, "bits of the random word that a stochastic cut takes")
          .within(bounds::random_bits)
          .refused_unless([](const Result& r) { return is_stochastic(r.cut); }, "with a stochastic `cut`",
                          "only `cut: stochastic_a`, `stochastic_b` and `stochastic_c` take random bits.")
          .needed()
          .described(" by {} random bits"),
      table_row("at", &Result::at, "cut at a bit: below the window's exponent, or after the leading one")
          .first_words(2)
          .only(in_bits, "without `format`")
          .needed("a result needs either the key 'format' or the key 'at'.")
          .digest(1)
          .described("{}")
          .by_word({" below the window", " after the leading one"}),
      table_row("keep", &Result::keep, "fraction bits kept there")
          .within(bounds::keep)
          .only(in_bits, "with `at`")
          .needed()
          .digest(3)
          .described("keep {} bits"),
      table_row("least_exponent", &Result::least_exponent, "the exponent after the leading one is never below this")
          .within(bounds::exponent)
          .only(in_bits, "")
          .refused_unless([](const Result& r) { return r.at == ResultAt::leading_one; }, "with `at: leading_one`",
                          "only a result at the leading one has a least exponent.")
          .digest(4)
          .described("exponent never below {}"),
      table_row("bits", &Result::bits,
                "the bits of a register in two's complement, the last of which is the last that is kept")
          .within(bounds::register_bits)
          .otherwise("as many as it takes")
          .only(in_bits, "")
          .refused_unless([](const Result& r) { return r.at == ResultAt::window; }, "with `at: window`",
                          "only a result at the window has a register of so many bits.")
          .described("in a register of {} bits"),
      table_row("subnormals", &Result::subnormals,
                "what becomes of a subnormal result: kept, +0, or a zero of its sign")
          .only(in_format, "with `format`")
          .digest(6)
          .described("subnormals to {}")
          .if_changed(),
      table_row("tiny", &Result::tiny,
                "which results are flushed: those that come out subnormal, those below the least normal number before "
                "rounding, or after rounding as if the exponent had no end")
          .only(in_format, "")
          .matters([](const Result& r) { return r.subnormals != Subnormals::keep; }, "where subnormals are not kept")
          .digest(7)
          .described(" (tiny: {})"),
      table_row("overflow", &Result::overflow,
                "what a result too large becomes: an infinity, the largest number of its sign, its low bits, a NaN; an "
                "infinity or the largest number, as `cut` leads; the largest, or less by one than the least integer; "
                "the first number of the top exponent, which no other result has")
          .only([](const Result& r) { return r.at != ResultAt::leading_one; }, "")
          .refused_unless(may_be_too_large, "with `format` or `bits`",
                          "only a format, or a register of so many `bits`, may be too small for a result.")
          .digest(8)
          .described("overflow {}"),
      table_row("infinity", &Result::infinity,
                "what an infinity becomes: it stays, or becomes the largest number or a NaN of its sign")
          .only(in_format, "with `format`")
          .described("infinity {}")
          .by_word({"", "becomes the largest number", "becomes NaN"})
          .if_changed(),
      table_row("nan", &Result::nan,
                "what a NaN becomes: it stays, or becomes the quiet NaN of sign +, 0, or the largest number")
          .only(in_format, "with `format`")
          .described("NaN {}")
          .by_word({"", "becomes the positive quiet one", "becomes 0", "becomes the largest number"})
          .if_changed(),
      table_row("negative", &Result::negative,
                "what a number below zero becomes in a format without a sign: 0, a NaN, or either as `cut` leads")
          .only(in_format, "with a `format` without a sign that is no integer")
          .described("below zero {}")
          .by_word({"", "becomes NaN", "becomes 0 or NaN as the cut leads"})
          .if_changed(),
      table_row("minus_zero", &Result::minus_zero, "whether a result that is zero may be -0, or is always +0")
          .only(in_format, "with `format`")
          .described("{}")
          .by_word({"", "never -0"})
          .if_changed());
};

template <>
struct Table<Group> {
  static constexpr std::string_view name = "GROUP";
  static constexpr auto rows =
      std::make_tuple(table_row("terms", &Group::terms, "how many go together")
                          .within(bounds::terms)
                          .otherwise("all there are")
                          .digest(1)
                          .mutants(Steps::own_rule),
                      table_row("deal", &Group::deal, "which: the next ones, or dealt out to the groups in turn")
                          .digest(2)
                          .mutants(Steps::own_rule),
                      table_row("unit", &Group::unit, "how many are dealt at a time; matters where they are `strided`")
                          .within(bounds::terms)
                          .digest(3)
                          .mutants(Steps::own_rule));
};

template <>
struct Table<Recut> {
  static constexpr std::string_view name = "RECUT";
  static constexpr auto rows = std::make_tuple(
      table_row("keep", &Recut::keep, "fraction bits kept below the window's exponent")
          .within(bounds::keep)
          .needed()
          .described("keep {}"),
      table_row("cut", &Recut::cut, "how the rest is cut").first_words(steady_cuts).needed().described("cut {}"));
};

template <>
struct Table<Input> {
  static constexpr std::string_view name = "INPUT";
  static constexpr auto rows = std::make_tuple(
      table_row("keep", &Input::keep, "fraction bits kept below the window's exponent; `none` keeps all")
          .within(bounds::keep)
          .digest(2)
          .described("keep {}", "exact"),
      table_row("cut", &Input::cut, "how the rest is cut")
          .first_words(steady_cuts)
          .refused_unless([](const Input& i) { return i.keep.has_value(); }, "with `keep`",
                          "there is no `keep`, so nothing is cut here.")
          .needed("the key 'cut' is missing: say how the bits beyond `keep` are cut.")
          .digest(3)
          .described("cut {}"),
      table_row("again", &Input::again, "what is left is cut once more, by each of these in turn")
          .value("[RECUT, ..]")
          .otherwise("none")
          .refused_unless([](const Input& i) { return i.keep.has_value(); }, "with `keep`",
                          "there is no `keep`, so nothing is cut before."),
      table_row("empty", &Input::empty,
                "the exponent a zero counts with; `none`: it takes no part in finding the largest")
          .within(bounds::exponent)
          .digest(4)
          .described("a zero counts as 2^{}"),
      table_row("lost_below", &Input::lost_below, "a number more than this below the window is dropped whole")
          .within(bounds::distance)
          .digest(5)
          .described("dropped when {} below"),
      table_row("negate", &Input::negate, "whether it enters with its sign turned; a NaN keeps its own")
          .described("its sign turned"));
};

inline bool is_fixed(const Window& w) { return w.exponent == WindowExponent::fixed; }
inline bool is_found(const Window& w) { return w.exponent == WindowExponent::largest; }

template <>
struct Table<Window> {
  static constexpr std::string_view name = "WINDOW";
  static constexpr auto rows = std::make_tuple(
      table_row("exponent", &Window::exponent, "the largest exponent among the terms, or one that stands fixed")
          .digest(1)
          .described("{}")
          .by_word({"largest exponent of a non-zero term", ""}),
      table_row("at", &Window::at, "that exponent")
          .within(bounds::exponent)
          .refused_unless(is_fixed, "with `exponent: fixed`", "only a fixed window has it.")
          .needed()
          .digest(2)
          .described("fixed at {}"),
      table_row("floor", &Window::floor, "the window never goes below this")
          .within(bounds::exponent)
          .refused_unless(is_found, "with `exponent: largest`", "a fixed window has none; `at` is its exponent.")
          .digest(3)
          .described("never below {}"),
      table_row("raise", &Window::raise, "the window stands so much above the largest exponent")
          .within(bounds::window_raise)
          .refused_unless(is_found, "with `exponent: largest`", "a fixed window has none; `at` is its exponent.")
          .mutants(Steps::own_rule)
          .described("raised by {}")
          .if_changed(),
      table_row("step", &Window::step, "the window is rounded up to a multiple of this")
          .within(bounds::window_step)
          .refused_unless(is_found, "with `exponent: largest`", "a fixed window has none; `at` is its exponent.")
          .digest(4)
          .mutants(Steps::doubling)
          .described("rounded up to a multiple of {}")
          .if_changed(),
      table_row("from", &Window::step_from, "the exponent from which these multiples are counted")
          .within(bounds::exponent)
          .matters([](const Window& w) { return is_found(w) && w.step != 1; }, "with `step`")
          .described(" from 2^{} on")
          .if_changed(),
      table_row("lost_at", &Window::lost_at,
                "a window at this exponent or below leaves nothing: its sum is a zero without an exponent")
          .within(bounds::exponent)
          .refused_unless(is_found, "with `exponent: largest`", "a fixed window is never lost.")
          .described("nothing is left at 2^{} or below"));
};

template <>
struct Table<Errata> {
  static constexpr std::string_view name = "ERRATA";
  static constexpr auto rows =
      std::make_tuple(table_row("minus_one", &Errata::minus_one,
                                "a sum of exactly -1 unit of the first input's `keep` comes out as -2^(window + this)")
                          .within(bounds::keep)
                          .described("a sum of -1 unit comes out as -2^(window + {})"));
};

template <>
struct Table<Adder> {
  static constexpr std::string_view name = "ADDER";
  static constexpr auto rows = std::make_tuple(
      table_row("name", &Adder::name, "names places such as step[0].sum.align[5], and what later adders take")
          .value("a-z, 0-9, _")
          .needed()
          .digest(1)
          .no_mutants("a name computes nothing"),
      table_row("add", &Adder::add, "what it adds, and how each enters: product, acc, c, lanes, or an earlier adder")
          .value("{SOURCE: INPUT, ..}")
          .needed()
          .digest(2),
      table_row("group", &Adder::group, "several sums side by side, of the first input").digest(3),
      table_row("shape", &Adder::shape, "one sum of all, or two-input sums: a tree of either kind, or a chain")
          .digest(4)
          .described("{}")
          .by_word({"one fused sum", "a tree of two-input sums, neighbours first",
                    "a tree of two-input sums, i with i + n/2", "a chain of two-input sums"}),
      table_row("window", &Adder::window, "the exponent to which all are brought").otherwise("the largest").digest(5),
      table_row("sticky", &Adder::sticky,
                "whether a bit remembers that any ones were cut off: right below the sum, or below whatever its result "
                "looks at")
          .digest(6)
          .described("{}")
          .by_word({"", " and a sticky one", " and one that joins where it is rounded"})
          .if_changed(),
      table_row("times", &Adder::times_scales, "each sum times its block's two scales")
          .flag("none", "scales")
          .digest(7)
          .described("times its block's two scales")
          .if_changed(),
      table_row("zero", &Adder::zero, "sign of an exactly zero sum: always +, or as IEEE has it")
          .digest(8)
          .described("zero sum: {}")
          .by_word({"+0", "IEEE sign"}),
      table_row("cancelled", &Adder::cancelled, "the exponent of a sum that is zero: its window's, or none")
          .described("{}")
          .by_word({"", "a zero sum has no exponent"})
          .if_changed(),
      table_row("errata", &Adder::errata, "what the unit is known to compute otherwise than was meant")
          .otherwise("none"),
      table_row("result", &Adder::results, "how the sum becomes a shorter number, one after the other")
          .value("[RESULT, ..]")
          .otherwise("exact")
          .digest(9));
};

template <>
struct Table<ProductRows> {
  static bool is_booth(const ProductRows& r) { return r.is_booth(); }
  static constexpr std::string_view name = "ROWS";
  static constexpr std::string_view no_signs = "the bits of a significand have no sign; only Booth's digits have.";
  static constexpr auto rows = std::make_tuple(
      table_row("of", &ProductRows::of,
                "whose significand is taken digit by digit; each digit makes a row of the other one")
          .needed()
          .described("digits of {}"),
      table_row("digits", &ProductRows::digits, "its bits, or digits from -2 to 2 by Booth's rule")
          .needed()
          .described("{}")
          .by_word({"bit by bit", "Booth's, from -2 to 2"}),
      table_row("sign", &ProductRows::sign,
                "what a negative product has turned: its rows when they are two, or its digits")
          .refused_unless(is_booth, "with `digits: booth4`", no_signs)
          .described("a negative product turns its {}"),
      table_row("extension", &ProductRows::extension,
                "above its own bits a row has its sign, or has none: a constant is taken away from the two for that")
          .refused_unless(is_booth, "with `digits: booth4`", no_signs)
          .described("{}")
          .by_word({"rows go on with their signs", "a constant in place of signs"}),
      table_row("width", &ProductRows::width, "bits of a digit's row, the sign among them")
          .within(bounds::row_width)
          .otherwise("two more than the other significand")
          .refused_unless([](const ProductRows& r) { return r.has_constant(); }, "with `extension: constant`",
                          "only where a constant is taken away does it matter how wide a row is.")
          .described("rows of {} bits"),
      table_row("compress", &ProductRows::compress,
                "how rows become two: by threes side by side, level after level, or one row after the other")
          .described("{}")
          .by_word({"a tree of threes", "one row after the other"}),
      table_row("first", &ProductRows::first, "so many digits become two rows by themselves, and then all these rows")
          .within(bounds::row_digits)
          .otherwise("all at once")
          .described("{} digits at a time first"));
};

template <>
struct Table<Product> {
  static constexpr std::string_view name = "PRODUCT";
  static constexpr auto rows = std::make_tuple(
      table_row("round", &Product::round, "each product is rounded by itself, as in an IEEE multiplication")
          .or_else("exact")
          .digest(1),
      table_row("exponent", &Product::exponent, "the sum of the factors' exponents, or that of the leading one")
          .digest(2)
          .described("the exponent follows the leading one")
          .if_changed(),
      table_row("infinity_at", &Product::infinity_at, "a product of magnitude 2^this or more is an infinity")
          .within(bounds::exponent)
          .digest(3)
          .described("an infinity from 2^{} on"),
      table_row("times", &Product::times_scales, "each product times its block's two scales")
          .flag("none", "scales")
          .digest(4)
          .described("each product times its block's two scales")
          .if_changed(),
      table_row("empty", &Product::empty, "the exponent that a product with a zero factor has; slices lower it")
          .within(bounds::exponent)
          .described("with a zero factor, exponent {}"),
      table_row("rows", &Product::rows, "it goes on as two carry-save rows, each aligned and cut by itself"));
};

inline bool is_sliced(const Slices& s) { return !s.pairs.empty(); }

template <>
struct Table<SlicePair> {
  static constexpr std::string_view name = "SLICE_PAIR";
  static constexpr auto rows = std::make_tuple(
      table_row("a.from", &SlicePair::a_from, "the first bit of a's significands; 0 is the one before the point")
          .within(bounds::slice_from)
          .described("a from bit {}"),
      table_row("a.bits", &SlicePair::a_bits, "how many")
          .within(bounds::slice_bits)
          .otherwise("all that follow")
          .described(" {} bits", " all that follow"),
      table_row("b.from", &SlicePair::b_from, "the first bit of b's significands")
          .within(bounds::slice_from)
          .described("b from bit {}"),
      table_row("b.bits", &SlicePair::b_bits, "how many")
          .within(bounds::slice_bits)
          .otherwise("all that follow")
          .described(" {} bits", " all that follow"));
};

template <>
struct Table<Slices> {
  static constexpr std::string_view name = "SLICES";
  static constexpr auto rows = std::make_tuple(
      table_row("pairs", &Slices::pairs, "the parts of a and b that are multiplied, each a product of its own")
          .value("[SLICE_PAIR, ..]")
          .otherwise("whole operands"),
      table_row("exponent", &Slices::exponent,
                "the exponent that a slice has: that of its operand, or as much less as it begins further down")
          .matters(is_sliced, "with `pairs`"),
      table_row("run", &Slices::run,
                "when they are added: all in one step, step by step, or each pair over all of k, one after the other")
          .matters(is_sliced, "with `pairs`"));
};

template <>
struct Table<Factor> {
  static constexpr std::string_view name = "FACTOR";
  static constexpr auto rows = std::make_tuple(
      table_row("zero_point", &Factor::zero_point, "subtracted from each element, exactly, before anything else")
          .within(bounds::zero_point)
          .described("less {}"),
      table_row("round", &Factor::round, "each element is rounded by itself, after its scales")
          .or_else("exact")
          .mutants(Steps::own_rule),
      table_row("step", &Factor::step, "its exponent is rounded down to a multiple of this; its value stays")
          .within(bounds::factor_step)
          .mutants(Steps::doubling_if_said)
          .described("its exponent rounded down to a multiple of {}")
          .if_changed(),
      table_row("from", &Factor::step_from, "the exponent from which these multiples are counted")
          .within(bounds::exponent)
          .matters([](const Factor& f) { return f.step != 1; }, "with `step`")
          .described("counted from 2^{} on")
          .if_changed(),
      table_row("empty", &Factor::empty,
                "the exponent of an element that is zero; where both have one, so has their product")
          .within(bounds::exponent)
          .described("a zero counts as 2^{}"));
};

template <>
struct Table<NanOrder> {
  static constexpr std::string_view name = "NAN_ORDER";
  static constexpr auto rows = std::make_tuple(
      table_row("default", &NanOrder::made, "the code of a NaN that an operation makes of numbers and infinities")
          .value("hexadecimal digits")
          .otherwise("the quiet NaN of d's format"),
      table_row("take", &NanOrder::take,
                "the places of a step; the first that holds a NaN gives the result, made quiet")
          .value("[PLACE, ..]: \"a[0]\", \"b[0]\", \"product[0]\", acc, an adder")
          .needed(),
      table_row(
          "signalling", &NanOrder::signalling_first,
          "whether signalling NaNs go before quiet ones, among neighbours of a and b in the list and in a product")
          .flag("alike", "first"));
};

template <>
struct Table<Flags> {
  static constexpr std::string_view name = "FLAGS";
  static constexpr auto rows = std::make_tuple(
      table_row("of", &Flags::of,
                "whose losses count: those of the rounding that leaves d, or of everything that led to it")
          .described("{}")
          .by_word({"of d's rounding", "of all that led to d"}),
      table_row("invalid", &Flags::invalid,
                "raised where an operation makes a NaN or reads a signalling one, or by every d that is NaN")
          .described("{}")
          .by_word({"invalid where an operation makes a NaN", "invalid where d is NaN"}),
      table_row("tiny", &Flags::tiny, "when a number is too small, of which an underflow tells; as in RESULT")
          .described("{}")
          .by_word({"tiny by its code", "tiny before rounding", "tiny after rounding"}));
};

template <>
struct Table<Datapath> {
  static constexpr std::string_view name = "DATAPATH";
  static constexpr auto rows = std::make_tuple(
      table_row("operands", &Datapath::operands, "formats of the operands and of their scales")
          .otherwise("the instruction's")
          .digest(1),
      table_row("formats", &Datapath::formats, "formats of one's own, by name")
          .value("{NAME: FORMAT, ..}")
          .otherwise("none")
          .digest(2)
          .no_mutants("another format makes another unit, not a slightly wrong one"),
      table_row("subnormals.a", &Datapath::subnormals_a, "a subnormal a is kept, read as +0, or as a zero of its sign")
          .digest(3)
          .described("subnormal a is read as {}")
          .by_word({"", "+0", "a zero of its sign"}),
      table_row("subnormals.b", &Datapath::subnormals_b, "the same of b")
          .digest(4)
          .described("subnormal b is read as {}")
          .by_word({"", "+0", "a zero of its sign"}),
      table_row("subnormals.c", &Datapath::subnormals_c, "the same of c")
          .digest(5)
          .described("subnormal c is read as {}")
          .by_word({"", "+0", "a zero of its sign"}),
      table_row("subnormals.acc", &Datapath::subnormals_acc, "the same of what a step left, as the next one reads it")
          .described("subnormal acc is read as {}")
          .by_word({"", "+0", "a zero of its sign"}),
      table_row("nans.a", &Datapath::nans_a, "a NaN of a is kept, or read as +0")
          .described("{}")
          .by_word({"", "a NaN of a is read as +0"})
          .if_changed(),
      table_row("nans.b", &Datapath::nans_b, "the same of b")
          .described("{}")
          .by_word({"", "a NaN of b is read as +0"})
          .if_changed(),
      table_row("nans.c", &Datapath::nans_c, "the same of c")
          .described("{}")
          .by_word({"", "a NaN of c is read as +0"})
          .if_changed(),
      table_row("factors.a", &Datapath::factor_a, "what becomes of each a before it is multiplied").otherwise("exact"),
      table_row("factors.b", &Datapath::factor_b, "the same of b").otherwise("exact"),
      table_row("specials", &Datapath::specials,
                "NaN and infinity are decided once a step over all its terms, or by each operation; `numbers`: every "
                "code is a number")
          .needed()
          .digest(6)
          .described("{}")
          .by_word({"NaN and infinity decided over all terms of the step", "NaN and infinity decided by each operation",
                    "none: every code is a number"}),
      table_row(
          "nan", &Datapath::nan,
          "the code of every NaN result; `propagate`: the first NaN operand, made quiet; `signed`: the quiet NaN with "
          "the sign of that one; NAN_ORDER: the first of those listed")
          .value("hexadecimal digits, `propagate`, `signed`, NAN_ORDER")
          .otherwise("the quiet NaN of d's format")
          .digest(7)
          .mutants(Steps::own_rule),
      table_row("slices", &Datapath::slices, "operands multiplied in pieces").otherwise("whole"),
      table_row("product", &Datapath::product, "what becomes of the exact products").otherwise("exact").digest(8),
      table_row("k_order.lanes", &Datapath::lanes, "accumulators of their own, each with its share of k")
          .otherwise("one")
          .digest(9),
      table_row("k_order.step", &Datapath::step, "the terms of a lane that are summed at a time")
          .otherwise("all")
          .digest(10),
      table_row("k_order.from", &Datapath::from, "the end of k at which a lane begins").digest(11),
      table_row("start", &Datapath::start, "what the first step adds to: c, +0, or nothing at all").digest(12),
      table_row("adders", &Datapath::adders, "run for each step, in order; what the last one leaves is the new `acc`")
          .value("[ADDER, ..]")
          .needed()
          .digest(13),
      table_row("finish", &Datapath::finish, "adders that run once afterwards, over `lanes` and `c`")
          .value("[ADDER, ..]")
          .otherwise("none")
          .digest(14),
      table_row("flags", &Datapath::flags, "status bits beside d: places `flags.invalid` and three more"));
};

// --- what can be asked of any words ---

// Whether two values of a word are the same.
template <class V>
bool same(const V& x, const V& y);

template <class V>
bool same(const std::optional<V>& x, const std::optional<V>& y) {
  return x.has_value() == y.has_value() && (!x || same(*x, *y));
}

template <class V>
bool same(const std::vector<V>& x, const std::vector<V>& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(), [](const V& a, const V& b) { return same(a, b); });
}

inline bool same(const Nan& x, const Nan& y) {
  return x.propagate == y.propagate && x.code == y.code && x.with_sign == y.with_sign && same(x.order, y.order);
}

template <class V>
bool same(const V& x, const V& y) {
  if constexpr (has_rows<V>) {
    bool all = true;
    each_row<V>([&](const auto& row) { all = all && same(x.*row.member, y.*row.member); });
    if constexpr (std::is_same_v<V, Input>) all = all && x.source == y.source;
    if constexpr (std::is_same_v<V, Format>) all = all && x.name == y.name && x.kind == y.kind;
    if constexpr (std::is_same_v<V, Scale>) all = all && x.name == y.name;
    return all;
  } else {
    return x == y;
  }
}

// Whether every word of a struct but those of `members` is as if it were left out: for code that heeds these alone, and
// so must not be given any other.
template <class S, class... V>
bool says_only(const S& s, V S::*... members) {
  bool only = true;
  each_row<S>([&](const auto& row) {
    [[maybe_unused]] const auto is_row = [&](auto member) {
      if constexpr (std::is_same_v<decltype(member), std::decay_t<decltype(row.member)>>) return member == row.member;
      return false;
    };
    const bool known = (is_row(members) || ...);
    only = only && (known || same(s.*row.member, row.fallback()));
  });
  return only;
}

}  // namespace assay
