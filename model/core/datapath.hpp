// The vocabulary: what a datapath file says, as values. docs/datapath.md explains each word with a picture.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.hpp"

namespace assay {

// Every word of an enum, spelt as in YAML, in the order of the enumerators. `words<Cut>()[int(Cut::down)] == "down"`.
using Words = std::vector<std::string_view>;
template <class Enum>
const Words& words();

enum class Cut {
  toward_zero,
  down,
  up,
  nearest_even,
  nearest_away,
  nearest_up,
  to_odd,
  stochastic_a,
  stochastic_b,
  stochastic_c
};
template <>
inline const Words& words<Cut>() {
  static const Words w{"toward_zero", "down",   "up",           "nearest_even", "nearest_away",
                       "nearest_up",  "to_odd", "stochastic_a", "stochastic_b", "stochastic_c"};
  return w;
}

// The first of its words, those that take no random bits.
inline constexpr std::size_t steady_cuts = 7;
inline bool is_stochastic(Cut cut) { return cut >= Cut::stochastic_a; }

enum class Subnormals { keep, zero, signed_zero };
template <>
inline const Words& words<Subnormals>() {
  static const Words w{"keep", "zero", "signed_zero"};
  return w;
}

enum class Nans { keep, zero };
template <>
inline const Words& words<Nans>() {
  static const Words w{"keep", "zero"};
  return w;
}

enum class Specials { step, operation, numbers };
template <>
inline const Words& words<Specials>() {
  static const Words w{"step", "operation", "numbers"};
  return w;
}

enum class Tiny { result, before, after };
template <>
inline const Words& words<Tiny>() {
  static const Words w{"result", "before", "after"};
  return w;
}

// Whose roundings tell of overflow, underflow and what was lost; which NaNs are an invalid operation.
enum class FlagsOf { d, all };
template <>
inline const Words& words<FlagsOf>() {
  static const Words w{"d", "all"};
  return w;
}

enum class Invalid { made, nan };
template <>
inline const Words& words<Invalid>() {
  static const Words w{"made", "nan"};
  return w;
}

enum class Overflow { infinity, largest, wrap, nan, directed, symmetric, top };
template <>
inline const Words& words<Overflow>() {
  static const Words w{"infinity", "largest", "wrap", "nan", "directed", "symmetric", "top"};
  return w;
}

// What an infinity, a NaN and a number below zero become in a result's format.
enum class OfInfinity { keep, largest, nan };
template <>
inline const Words& words<OfInfinity>() {
  static const Words w{"keep", "largest", "nan"};
  return w;
}

enum class OfNan { keep, positive, zero, largest };
template <>
inline const Words& words<OfNan>() {
  static const Words w{"keep", "positive", "zero", "largest"};
  return w;
}

enum class OfNegative { zero, nan, directed };
template <>
inline const Words& words<OfNegative>() {
  static const Words w{"zero", "nan", "directed"};
  return w;
}

enum class MinusZero { keep, never };
template <>
inline const Words& words<MinusZero>() {
  static const Words w{"keep", "never"};
  return w;
}

enum class Deal { neighbours, strided };
template <>
inline const Words& words<Deal>() {
  static const Words w{"neighbours", "strided"};
  return w;
}

enum class Shape { flat, neighbours, halves, serial };
template <>
inline const Words& words<Shape>() {
  static const Words w{"flat", "neighbours", "halves", "serial"};
  return w;
}

enum class Start { c, zero, none };
template <>
inline const Words& words<Start>() {
  static const Words w{"c", "zero", "none"};
  return w;
}

enum class From { first, last };
template <>
inline const Words& words<From>() {
  static const Words w{"first", "last"};
  return w;
}

enum class ZeroSign { positive, ieee };
template <>
inline const Words& words<ZeroSign>() {
  static const Words w{"positive", "ieee"};
  return w;
}

// Where the bit that remembers lost ones stands: nowhere, right below the sum, or below whatever its result looks at.
enum class Sticky { none, below_sum, at_result };
template <>
inline const Words& words<Sticky>() {
  static const Words w{"none", "or", "at_result"};
  return w;
}

enum class Cancelled { window, none };
template <>
inline const Words& words<Cancelled>() {
  static const Words w{"window", "none"};
  return w;
}

enum class ResultAt { window, leading_one, format };
template <>
inline const Words& words<ResultAt>() {
  static const Words w{"window", "leading_one", "format"};
  return w;
}

enum class WindowExponent { largest, fixed };
template <>
inline const Words& words<WindowExponent>() {
  static const Words w{"largest", "fixed"};
  return w;
}

enum class ProductExponent { raw, normalised };
template <>
inline const Words& words<ProductExponent>() {
  static const Words w{"raw", "normalised"};
  return w;
}

// What nominal exponent a slice of a significand has, and when the products of several slices are added.
enum class SliceExponent { operand, slice };
template <>
inline const Words& words<SliceExponent>() {
  static const Words w{"operand", "slice"};
  return w;
}

enum class SliceRun { together, step, passes };
template <>
inline const Words& words<SliceRun>() {
  static const Words w{"together", "step", "passes"};
  return w;
}

enum class Side { a, b };
template <>
inline const Words& words<Side>() {
  static const Words w{"a", "b"};
  return w;
}

// Which digits of one side the rows of a product are multiples for, what makes a product negative, how the row of a
// negative digit goes on above its own bits, and the order in which rows become two.
enum class RowDigits { bits, booth4 };
template <>
inline const Words& words<RowDigits>() {
  static const Words w{"bits", "booth4"};
  return w;
}

enum class RowSign { rows, digits };
template <>
inline const Words& words<RowSign>() {
  static const Words w{"rows", "digits"};
  return w;
}

enum class RowExtension { sign, constant };
template <>
inline const Words& words<RowExtension>() {
  static const Words w{"sign", "constant"};
  return w;
}

enum class Compress { tree, chain };
template <>
inline const Words& words<Compress>() {
  static const Words w{"tree", "chain"};
  return w;
}

template <class Enum>
std::string_view word(Enum value) {
  return words<Enum>()[static_cast<std::size_t>(value)];
}

// How a sum or product becomes a shorter number.
struct Result {
  ResultAt at = ResultAt::format;
  Cut cut = Cut::nearest_even;
  int random_bits = 0;  // of a stochastic cut
  // at window or leading_one
  int keep = 0;
  std::optional<int> least_exponent;
  std::optional<int> bits;  // at window: of a register, in two's complement; nothing: as many as it takes
  // at format
  std::string format;  // a name, or "d": the format of d
  Subnormals subnormals = Subnormals::keep;
  Tiny tiny = Tiny::result;
  Overflow overflow = Overflow::infinity;
  OfInfinity infinity = OfInfinity::keep;
  OfNan nan = OfNan::keep;
  OfNegative negative = OfNegative::zero;  // of a format without a sign
  MinusZero minus_zero = MinusZero::keep;
};

// Which terms go together.
//   neighbours, terms 4     0000 1111 2222 3333
//   strided,    unit 1      0123 0123 0123 0123
//   strided,    unit 2      0011 2233 0011 2233
struct Group {
  std::optional<int> terms;  // nothing: all there are
  Deal deal = Deal::neighbours;
  int unit = 1;
};

// A further cut of what an input's first one has left, below the same window.
struct Recut {
  int keep = 0;
  Cut cut = Cut::toward_zero;

  bool operator==(const Recut& o) const { return keep == o.keep && cut == o.cut; }
};

struct Input {
  std::string source;       // product, acc, c, lanes, or an earlier adder of the same list
  std::optional<int> keep;  // fraction bits kept below the window's exponent; nothing: exact
  Cut cut = Cut::toward_zero;
  std::optional<int> empty;       // the exponent a zero counts with
  std::optional<int> lost_below;  // this far below the window it is dropped whole
  bool negate = false;            // it enters with its sign turned
  std::vector<Recut> again = {};  // cut once more, by each of these in turn

  // What is asked by those who can do some of these words only.
  bool loses_nothing() const { return !keep && !lost_below; }
  bool only_cuts() const { return !empty && !lost_below && again.empty(); }
};

struct Window {
  WindowExponent exponent = WindowExponent::largest;
  int at = 0;                  // fixed
  std::optional<int> floor;    // largest
  int raise = 0;               // largest: it stands so much above, before floor and step
  int step = 1;                // largest: rounded up to a multiple
  int step_from = 0;           // largest: whose multiples are counted from here
  std::optional<int> lost_at;  // largest: a window at this exponent or below leaves nothing of its sum
};

// What a unit is known to compute otherwise than its designers meant.
struct Errata {
  std::optional<int> minus_one;  // a sum of -1 unit of the first input's `keep` comes out as -2^(window + this)
};

struct Adder {
  std::string name;
  std::vector<Input> add;
  std::optional<Group> group;  // several sums side by side, of the first input
  Shape shape = Shape::flat;
  Window window;
  Sticky sticky = Sticky::none;
  bool times_scales = false;
  ZeroSign zero = ZeroSign::positive;
  Cancelled cancelled = Cancelled::window;  // the exponent of a sum that is zero
  Errata errata;
  std::vector<Result> results;
};

// A product in carry-save form: two rows whose sum it is, and a constant that may have to be taken away from them. Each
// goes on by itself.
struct ProductRows {
  Side of = Side::b;  // whose significand is taken digit by digit
  RowDigits digits = RowDigits::bits;
  // of Booth's digits
  RowSign sign = RowSign::rows;
  RowExtension extension = RowExtension::sign;
  std::optional<int> width;  // of a digit's row, with its sign; nothing: as few bits as hold one
  Compress compress = Compress::tree;
  std::optional<int> first;  // so many digits become two rows by themselves; nothing: all at once

  bool is_booth() const { return digits == RowDigits::booth4; }
  bool has_constant() const { return is_booth() && extension == RowExtension::constant; }
  bool turns_digits() const { return is_booth() && sign == RowSign::digits; }
  int pieces() const { return has_constant() ? 3 : 2; }
};

struct Product {
  std::optional<Result> round;  // nothing: exact
  ProductExponent exponent = ProductExponent::raw;
  std::optional<int> infinity_at;   // |product| >= 2^this is an infinity
  bool times_scales = false;        // each product takes its block's two scales
  std::optional<int> empty;         // the exponent that a product with a zero factor has
  std::optional<ProductRows> rows;  // nothing: it goes on as one number
};

// A part of a's significands and one of b's that are multiplied. Bit 0 is the first, before the point.
//
//   1 m m m m m m m m m m     from 3, bits 4
//         ^-----^
struct SlicePair {
  int a_from = 0, b_from = 0;
  std::optional<int> a_bits, b_bits;  // nothing: all that follow
};

// Operands multiplied in pieces: each pair of them makes a product of its own.
struct Slices {
  std::vector<SlicePair> pairs;  // empty: whole operands are multiplied
  SliceExponent exponent = SliceExponent::operand;
  SliceRun run = SliceRun::together;
};

// Of the NaNs of a step, the first place of `take` that holds one gives the result, made quiet.
struct NanOrder {
  std::optional<Code> made;       // the code of a NaN that an operation makes; nothing: the quiet NaN of d's format
  std::vector<std::string> take;  // a[0], b[0], product[0], acc, an adder, in order; the index is that of the step
  bool signalling_first = false;  // among neighbours of a and b in the list, and in a product
};

struct Nan {
  bool propagate = false;  // else `code`
  Code code = 0;
  bool with_sign = false;  // the quiet NaN, with the sign that the NaN has
  NanOrder order = {};     // with `propagate`

  bool has_order() const { return !order.take.empty(); }
  bool writes_code() const { return has_order() || !(propagate || with_sign); }  // of some NaNs, or of all
};

// A scale of one side, beside the pair that `Operands::scale` makes.
struct Scale {
  std::string name;  // of the case's operand
  Side of = Side::a;
  std::string format;
  std::optional<int> block;    // elements of k that share one; nothing: all of k
  std::string at = "operand";  // what it multiplies: operand, product, or the sums of an adder
};

// Zero points of one side that the case brings.
struct ZeroPoints {
  std::string format;        // empty: none
  std::optional<int> block;  // as of a Scale
};

// Which masks a case may bring: of each `among` neighbours exactly `take` are on, in units that go together.
//
//   take 2, among 4           1100 0101 1001 0011
//   take 4, among 8, unit 2   11001100 00001111
struct Mask {
  std::optional<int> take, among;  // nothing: any
  int unit = 1;

  bool has_pattern() const { return take.has_value(); }
  bool operator==(const Mask& o) const { return take == o.take && among == o.among && unit == o.unit; }
};

struct Operands {
  std::string a, b, c, d;
  std::string scale;    // empty: none
  int scale_block = 0;  // elements of k that share one scale
  std::vector<Scale> scales = {};
  ZeroPoints zero_a = {}, zero_b = {};
  std::optional<Mask> mask = {};  // a bit of each product: those that are off are (+0) x (+0)
};

// What becomes of a decoded a or b before it is multiplied. Its scales act between the two.
struct Factor {
  std::optional<int> zero_point;  // subtracted first
  std::optional<Result> round;    // nothing: exact
  int step = 1;                   // its exponent is rounded down to a multiple
  int step_from = 0;              // whose multiples are counted from here
  std::optional<int> empty;       // the exponent that a zero has
};

// Status bits beside d.
inline constexpr std::array<std::string_view, 4> flag_names{"invalid", "overflow", "underflow", "inexact"};

struct Flags {
  FlagsOf of = FlagsOf::d;
  Invalid invalid = Invalid::made;
  Tiny tiny = Tiny::after;  // of an underflow: too small by its leading one, before or after rounding, or by its code
};

struct Datapath {
  std::string name;
  Operands operands;
  std::vector<Format> formats;  // own ones, looked up before the table
  Subnormals subnormals_a = Subnormals::keep, subnormals_b = Subnormals::keep, subnormals_c = Subnormals::keep;
  Subnormals subnormals_acc = Subnormals::keep;                        // as each step but the first reads it
  Nans nans_a = Nans::keep, nans_b = Nans::keep, nans_c = Nans::keep;  // how NaNs are read
  Factor factor_a, factor_b;
  Specials specials = Specials::step;
  std::optional<Nan> nan;  // nothing: the quiet NaN of d's format
  Slices slices;
  Product product;
  Group lanes;
  Group step;
  From from = From::first;  // the end of k at which a lane begins
  Start start = Start::c;
  std::vector<Adder> adders;
  std::vector<Adder> finish;
  std::optional<Flags> flags;  // nothing: there is d alone
};

}  // namespace assay
