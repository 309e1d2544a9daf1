#include "tb/devices/rtl/export_list.hpp"

#include <algorithm>
#include <climits>

#include "model/base/hex.hpp"
#include "model/core/round.hpp"

namespace assay {
namespace {

// Where rounding may step: values, and what lies between them.
std::vector<Number> turning_points(const ValueTable& t) {
  std::vector<Number> list;
  const auto add = [&](const Number& n) {
    if (n.magnitude != 0) list.push_back(n);
  };
  for (const ListedValue& v : t.ascending) add(v.number);
  for (const Number& b : t.boundaries) add(b);
  return list;
}

struct Grid {
  int quantum = INT_MAX, top = INT_MIN;  // every turning point is a multiple of 2^quantum below 2^top
};

Grid grid_of(const std::vector<Number>& points) {
  Grid grid;
  for (const Number& n : points) {
    int zeros = 0;
    while ((n.magnitude >> zeros & 1) == 0) ++zeros;
    grid.quantum = std::min(grid.quantum, n.quantum + zeros);
    grid.top = std::max(grid.top, n.quantum + bit_length(n.magnitude));
  }
  return grid;
}

int key_bits(const Grid& grid) { return grid.top - grid.quantum + 3; }  // one below, one above, and a sign

i128 key_of(const Number& n, int quantum) {
  const auto magnitude = static_cast<i128>(with_quantum(n, quantum).magnitude << 1);
  return n.negative ? -magnitude : magnitude;
}

// The number in the middle of what has this key.
Number number_of(i128 key, int quantum) {
  Number n;
  n.negative = key < 0;
  n.magnitude = static_cast<u128>(n.negative ? -key : key);
  n.quantum = quantum - 1;
  if (key != 0) n.exponent = leading_exponent(n);
  return n;
}

}  // namespace

u128 bundle_bits(const Number& n, const Range& range) {
  const BundleWidths bundle(range);
  const bool counts = n.is_finite() && n.magnitude != 0;
  u128 bits = (counts ? 8 : 0) | static_cast<unsigned>(n.cls) << 1 | (n.negative ? 1 : 0);
  bits = bits << bundle.exponent_bits;
  if (counts) bits |= static_cast<u128>(static_cast<i128>(n.exponent)) & low_mask(bundle.exponent_bits);
  bits = bits << bundle.significand_bits;
  if (!counts) return bits;
  const int unit = bundle.absolute ? -bundle.fraction_bits : n.exponent - bundle.fraction_bits;
  return bits | shift_left(n.magnitude, n.quantum - unit);
}

std::vector<Sheet::Entry> code_entries(const Format& format, const Range& range) {
  std::vector<Sheet::Entry> list;
  for (const Number& n : format.values().by_code)
    list.push_back({bundle_bits(n.cls == Class::nan ? Number::nan() : n, range),
                    hex_text(list.size(), format.hex_digits()) + ": " + exact_text(n)});
  return list;
}

ListSteps list_steps(const ResultPlan& result) {
  const std::vector<Number> points = turning_points(result.format.values());
  const Grid grid = grid_of(points);
  std::vector<i128> keys{0};
  for (const Number& n : points) keys.push_back(key_of(n, grid.quantum));
  for (std::size_t i = 0, count = keys.size(); i < count; ++i) {  // on it, and right beside it
    keys.push_back(keys[i] - 1);
    keys.push_back(keys[i] + 1);
  }
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  ListSteps steps;
  steps.grid_bits = -grid.quantum;
  steps.key_bits = key_bits(grid);
  ResultPlan telling = result;
  telling.flags = Flags{FlagsOf::all, Invalid::made, Tiny::result};
  for (const i128 key : keys) {
    Number n = round(number_of(key, grid.quantum), telling);
    const bool too_large = (n.raised & raises::overflow) != 0;
    n.raised = 0;
    if (!steps.values.empty()) {
      const ListSteps::Left& last = steps.values.back();
      if (n == last.value && too_large == last.too_large) continue;
      steps.from.push_back(key);
    }
    steps.values.push_back({n, too_large, n.is_finite() ? key_of(n, grid.quantum) : 0});
  }
  return steps;
}

}  // namespace assay
