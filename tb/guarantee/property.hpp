// A property of a unit: a relation between two cases' operands, and one between their results. The shipped rows and a
// user's own file say it in the same words.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/format.hpp"

namespace assay::guarantee {

// What is done to operands.
enum class ChangeVerb {
  negate,    // a, b, c, or products: each by its a, or by its b where a has no sign
  swap,      // a with b, and the scales of a with those of b
  permute,   // the terms, within each block of scales
  scale,     // a, b or c by a power of two, as far as its format holds that exactly
  increase,  // c, or one element of a or b, to the next number of its format
  replace,   // a, b or c: all of its elements by a number
  zero,      // every product, through its a, its b or both
  oppose,    // two terms x y and -x y, all others zero
};
enum class ChangeOf { a, b, c, products, terms };

struct OperandChange {
  ChangeVerb verb = ChangeVerb::negate;
  ChangeOf of = ChangeOf::c;
  int power = 0;  // of scale
  Code code = 0;  // of replace
};

// What the results of the first operands are held to.
enum class SecondSide {
  changed,  // what the unit makes of the changed operands
  c,        // c itself
  exact,    // the exact sum
  fma,      // IEEE's a b + c
  halves,   // two units of half as many terms, one after the other
  none,
};

enum class ResultWord {
  equal,          // as numbers: +0 is -0, a NaN is a NaN
  same_code,      // a NaN is a NaN
  negated,        // the second is minus the first
  not_less,       // the second is not less
  not_greater,    // the second is not greater
  within,         // so many units in the last place of d apart, at the greater of them, or at the exact sum
  scaled,         // the second is the first times 2^number
  nearest,        // the first is the exact sum, rounded to nearest even
  same_sign,      // one is not positive where the other is negative
  finite,         // the first is neither NaN nor infinity
  not_subnormal,  // nor is the first a subnormal
};

struct ResultRelation {
  ResultWord word = ResultWord::equal;
  int number = 0;  // of within and scaled
};

// Which cases count, by their first operands.
enum class CaseCondition {
  a_not_negative,  // nor any scale
  a_not_positive,  // and no scale negative
  b_not_negative,
  b_not_positive,
  d_holds_c,     // c is a number of d's format
  d_holds_sum,   // the exact sum is
  sum_in_range,  // the exact sum, rounded to nearest, is
  no_overflow,   // |c| and all |a b| together are at most a quarter of what every format on the way holds
  no_underflow,  // nothing on the way can be so small that a least exponent or a floor matters
  any_operands,  // infinities and NaNs count too
};

struct Property {
  std::string name;
  std::string says;
  std::vector<OperandChange> first;   // done to a case before all
  std::vector<OperandChange> second;  // of SecondSide::changed: done to the first operands
  SecondSide side = SecondSide::none;
  ResultRelation results;
  std::vector<CaseCondition> when;

  bool has(CaseCondition condition) const;
  bool changes(ChangeVerb verb) const;  // in first or second
};

// Built-in, in the order in which they are shown.
const std::vector<Property>& properties();
const Property* find_property(std::string_view name);

// The text of each part, in the words of a file.
std::string operands_text(const Property& property);
std::string results_text(const Property& property);
std::string conditions_text(const Property& property);

// A file is one property, or a list of them under `properties`. `name` stands for the file in messages.
std::vector<Property> read_properties_file(const std::string& path);
std::vector<Property> read_properties_text(const std::string& text, const std::string& name);

}  // namespace assay::guarantee
