// A format as the list of its values: for codes that are not sign, exponent and mantissa.
#pragma once

#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "model/core/datapath.hpp"
#include "model/core/number.hpp"

namespace assay {

struct ListedValue {
  Number number;
  Code code = 0;
};

//   below |  v0   v1   v2   ..   vn  | above        `ascending`, and what would come next at either end
//             | b0 | b1 |                           `boundaries`: where the nearest value changes
struct ValueTable {
  std::vector<Number> by_code;
  std::vector<ListedValue> ascending;  // finite; each value once, by its least code; zero is +0
  std::vector<Number> boundaries;
  std::optional<Number> below, above;  // nothing: numbers beyond the last value become that
  std::optional<Code> nan, infinity, negative_infinity, negative_zero;
  Ties ties = Ties::cut;

  const Number& greatest() const { return ascending.back().number; }
};

// Worked out when first asked for: a list may have 65,536 values, and most commands use none of them.
class LazyValues {
 public:
  using Make = std::function<ValueTable()>;

  explicit LazyValues(Make make);
  const ValueTable& get() const;

 private:
  Make make_;
  mutable std::once_flag made_;
  mutable ValueTable values_;
};

// -1, 0 or 1: how two finite numbers compare.
int compare(const Number& x, const Number& y);

// (x + y) / 2, exactly: neighbours in a list lie so close that it fits.
Number middle(const Number& x, const Number& y);

// The finite number as a list of values carries it: its leading one at `fraction_bits` above its last bit.
Number normalised(Number n, int fraction_bits);

// What all lists have in common, from the number of each code. `boundary` decides between neighbours; the middle, where
// it is left out.
using Boundary = std::function<Number(const ListedValue& lower, const ListedValue& upper)>;
ValueTable table_of(std::vector<Number> by_code, const Boundary& boundary = {});

// The values of a format of fields.
ValueTable values_of_fields(const Format& format);

// The number that `cut` takes from the list for a finite `n`; nothing, where it lies beyond the list's end.
std::optional<Number> rounded_to_list(const Number& n, Cut cut, const Format& format);

// The code of a finite number of the list.
Code code_in_list(const Number& n, const Format& format);

// +0 where there is no -0, the least number where there is no 0. In a list of values it may stand at any code.
Code zero_code(const Format& format, bool negative = false);
// Whether a list of operands can be filled up with it.
inline bool has_zero_code(const Format& format) { return format.is_integer() || format.has_zero; }

// "3*2^-5", "-0", "inf": exactly what a code means, and back; nothing where a text is no such value.
std::string exact_text(const Number& n);
std::optional<Number> exact_number(std::string_view text);

// Fills in a format that lists its values.
std::string complete_list(Format& format);

inline constexpr int most_list_bits = 16;

}  // namespace assay
