// What the families need to know of a Plan, read off once.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "model/core/plan.hpp"
#include "tb/generate/format_edges.hpp"
#include "tb/generate/told_codes.hpp"

namespace assay {

struct Exponents {
  int least = 0;
  int greatest = 0;

  bool empty() const { return least > greatest; }
  Exponents meet(const Exponents& o) const { return {std::max(least, o.least), std::min(greatest, o.greatest)}; }
  Exponents shifted(int by) const { return {least + by, greatest + by}; }
  int nearest(int exponent) const { return std::clamp(exponent, least, greatest); }
};

// Of the leading ones of normal numbers; of an integer format, of all but the least.
inline Exponents range_of(const Format& f) {
  if (f.is_integer()) return {f.last_place(), f.last_place() + f.stored_bits - (f.has_sign ? 2 : 1)};
  return {f.least_exponent(), f.greatest_exponent()};
}

// The last bit of the greatest number.
inline int last_bit_of_greatest(const Format& f) {
  return f.is_integer() ? f.last_place() : f.greatest_exponent() - f.mantissa_bits;
}

// The powers of two that a format holds.
inline Exponents powers_of(const Format& f) {
  if (f.is_integer()) return range_of(f);
  return {f.least_exponent() - (f.has_zero ? f.mantissa_bits : 0), f.greatest_exponent()};
}

// Of a format with other numbers than d's that something on the way to d is rounded to.
struct InnerEdges {
  enum class At { a, b, product, sum };  // elements of one side, products, or sums

  At at = At::product;
  const Format* format = nullptr;
  std::vector<FormatEdge> edges;  // of a list
};

// The edges of the operands' formats that are lists of values, none of any other; and of formats on the way.
struct ListEdges {
  std::vector<FormatEdge> a, b, c, d;
  std::vector<InnerEdges> inner;  // each format once at each kind of place
};

// A code of an operand that differs in one bit from one that a unit tells apart (told_codes.hpp).
struct OneBitApart {
  enum class At { a, b, c, scale_a, scale_b };

  At at = At::a;
  Code code = 0;
  bool in_c_too = false;  // c is to be minus the same, so that one case tests both
};

struct Anatomy {
  const Plan* plan = nullptr;

  Exponents of_a, of_b;  // of normal operands
  Exponents products;    // nominal exponents of products of normal operands
  Exponents powers;      // of products of two powers of two, subnormal ones too
  Exponents scales;      // what the two scales of a block add to them together; {0, 0} without scales
  Exponents terms;       // of scaled products, as far as they are near enough to d's range to matter
  Exponents c;
  Exponents shared;  // that terms and c can both have, or the terms' where there are none

  // A sum scaled as a whole in a fixed window has that window's exponent, whatever its terms' are.
  std::optional<int> block_exponent;

  std::vector<int> edges;   // fraction bits after which something is cut or rounded, each once, ascending
  std::vector<int> floors;  // exponents below which a window or a result does not go, each once, ascending
  std::vector<int>
      grids;  // the last bits, as powers of two, that windows and results at their floors keep; each once, ascending
  ListEdges list_edges;
  std::vector<OneBitApart> numbers_apart, nans_apart;  // every operand before the next bit
  // Of sums: 2^n and 2^n - 1 from d's least exponent, and from the first above its greatest; each once, ascending.
  std::vector<int> exponent_tests;
  int reach = 0;       // the last of the edges
  int deepest = 0;     // below the largest exponent: everything of a term further down is cut off
  int exact_bits = 0;  // integers of so many bits pass through everything unrounded
};

// The exponents that one product alone can have: a power of two, or where scales put it.
inline Exponents reach_of_one_term(const Anatomy& facts) { return facts.plan->scales > 0 ? facts.terms : facts.powers; }

Anatomy anatomy(const Plan& plan);  // refers to `plan`, which must outlive it

// Whether one of a, b, c and d is a number of a list.
bool has_lists(const Plan& plan);

// Whether something on the way is rounded to a format with other numbers than d's.
bool has_inner_formats(const Plan& plan);

// Sums of groups that an adder cuts, and then once more.
struct TwiceCut {
  int groups = 0;  // the adder of the step that makes them, of products alone
  int first = 0;   // fraction bits kept by the first cut, and by the next
  int second = 0;
};
std::optional<TwiceCut> twice_cut(const Plan& plan);  // the first of them

// The most fraction bits that a cut leaves of products.
std::optional<int> widest_keep_of_products(const Plan& plan);

// The elements, as indices in k, whose products a group of an adder adds in one step; `instance` counts the steps of
// all lanes.
std::vector<int> elements_of_group(const Plan& plan, int adder, int group, int instance);

// The fraction bits after which adders cut what they take, each once, ascending.
std::vector<int> input_edges(const Plan& plan);

}  // namespace assay
