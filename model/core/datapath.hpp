// The vocabulary: what a datapath file says, as values. docs/datapath.md explains each word with a picture.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.hpp"

namespace assay {

enum class Cut { toward_zero, down, up, nearest_even, nearest_away, to_odd };
enum class Subnormals { keep, zero, signed_zero };
enum class Specials { step, operation, numbers };
enum class Tiny { result, before, after };
enum class Overflow { infinity, largest, wrap };
enum class Deal { neighbours, strided };
enum class Shape { flat, neighbours, halves, serial };
enum class Start { c, zero };
enum class From { first, last };
enum class ZeroSign { positive, ieee };
enum class ResultAt { window, leading_one, format };
enum class WindowExponent { largest, fixed };
enum class ProductExponent { raw, normalised };

// Every word of an enum, spelt as in YAML, in the order of the enumerators. `words<Cut>()[int(Cut::down)] == "down"`.
template <class Enum>
const std::vector<std::string_view>& words();
template <>
const std::vector<std::string_view>& words<Cut>();
template <>
const std::vector<std::string_view>& words<Subnormals>();
template <>
const std::vector<std::string_view>& words<Specials>();
template <>
const std::vector<std::string_view>& words<Tiny>();
template <>
const std::vector<std::string_view>& words<Overflow>();
template <>
const std::vector<std::string_view>& words<Deal>();
template <>
const std::vector<std::string_view>& words<Shape>();
template <>
const std::vector<std::string_view>& words<Start>();
template <>
const std::vector<std::string_view>& words<From>();
template <>
const std::vector<std::string_view>& words<ZeroSign>();
template <>
const std::vector<std::string_view>& words<ResultAt>();
template <>
const std::vector<std::string_view>& words<WindowExponent>();
template <>
const std::vector<std::string_view>& words<ProductExponent>();

template <class Enum>
std::string_view word(Enum value) {
  return words<Enum>()[static_cast<std::size_t>(value)];
}

// How a sum or product becomes a shorter number.
struct Result {
  ResultAt at = ResultAt::format;
  Cut cut = Cut::nearest_even;
  // at window or leading_one
  int keep = 0;
  std::optional<int> least_exponent;
  // at format
  std::string format;  // a name, or "d": the format of d
  Subnormals subnormals = Subnormals::keep;
  Tiny tiny = Tiny::result;
  Overflow overflow = Overflow::infinity;
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

struct Input {
  std::string source;       // product, acc, c, lanes, or an earlier adder of the same list
  std::optional<int> keep;  // fraction bits kept below the window's exponent; nothing: exact
  Cut cut = Cut::toward_zero;
  std::optional<int> empty;       // the exponent a zero counts with
  std::optional<int> lost_below;  // this far below the window it is dropped whole
};

struct Window {
  WindowExponent exponent = WindowExponent::largest;
  int at = 0;                // fixed
  std::optional<int> floor;  // largest
  int step = 1;              // largest: rounded up to a multiple
};

struct Adder {
  std::string name;
  std::vector<Input> add;
  std::optional<Group> group;  // several sums side by side, of the first input
  Shape shape = Shape::flat;
  Window window;
  bool sticky = false;
  bool times_scales = false;
  ZeroSign zero = ZeroSign::positive;
  std::vector<Result> results;
};

struct Product {
  std::optional<Result> round;  // nothing: exact
  ProductExponent exponent = ProductExponent::raw;
  std::optional<int> infinity_at;  // |product| >= 2^this is an infinity
  bool times_scales = false;       // each product takes its block's two scales
};

struct Nan {
  bool propagate = false;  // else `code`
  Code code = 0;
};

struct Operands {
  std::string a, b, c, d;
  std::string scale;    // empty: none
  int scale_block = 0;  // elements of k that share one scale
};

struct Datapath {
  std::string name;
  Operands operands;
  std::vector<Format> formats;  // own ones, looked up before the table
  Subnormals subnormals_a = Subnormals::keep, subnormals_b = Subnormals::keep, subnormals_c = Subnormals::keep;
  Specials specials = Specials::step;
  std::optional<Nan> nan;  // nothing: the quiet NaN of d's format
  Product product;
  Group lanes;
  Group step;
  From from = From::first;  // the end of k at which a lane begins
  Start start = Start::c;
  std::vector<Adder> adders;
  std::vector<Adder> finish;
};

}  // namespace assay
