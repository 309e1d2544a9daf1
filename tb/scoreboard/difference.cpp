#include "tb/scoreboard/difference.hpp"

#include <algorithm>

#include "model/core/decode.hpp"

namespace assay {
namespace {

// Grows with the value: negative numbers count down from zero. Of wrapped 64 bits, so that differences are exact.
std::uint64_t ordinal(const Format& format, Code stored) {
  const Code used = format.used(stored);
  const bool negative = (used & format.sign_bit()) != 0;
  if (format.is_integer()) return negative ? used - 2 * format.sign_bit() : used;
  return negative ? std::uint64_t{0} - (used & ~format.sign_bit()) : used;
}

// False where one side alone is NaN, or they are equal.
bool has_distance(const Format& format, Code x, Code y) { return !is_nan_code(format, x) && !is_nan_code(format, y); }

}  // namespace

bool is_nan_code(const Format& format, Code code) {
  return decode(code, format, Subnormals::keep, Specials::step).cls == Class::nan;
}

std::uint64_t ulps_between(const Format& format, Code x, Code y) {
  const auto of_x = static_cast<std::int64_t>(ordinal(format, x)), of_y = static_cast<std::int64_t>(ordinal(format, y));
  return of_x < of_y ? static_cast<std::uint64_t>(of_y) - static_cast<std::uint64_t>(of_x)
                     : static_cast<std::uint64_t>(of_x) - static_cast<std::uint64_t>(of_y);
}

bool same_result(const Format& format, Code x, Code y) {
  return format.used(x) == format.used(y) || (is_nan_code(format, x) && is_nan_code(format, y));
}

Difference difference(const Format& format, const std::vector<Code>& x, const std::vector<Code>& y, int columns) {
  Difference found;
  found.elements = x.size();
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (same_result(format, x[i], y[i])) continue;
    ++found.differ;
    if (!has_distance(format, x[i], y[i])) {
      ++found.nan_in_one;
      continue;
    }
    const std::uint64_t ulps = ulps_between(format, x[i], y[i]);
    sum += static_cast<double>(ulps);
    if (ulps <= found.greatest) continue;
    found.greatest = ulps;
    found.row = static_cast<int>(i) / columns;
    found.column = static_cast<int>(i) % columns;
  }
  if (found.differ > found.nan_in_one) found.mean = sum / static_cast<double>(found.differ - found.nan_in_one);
  return found;
}

HeatMap heat_map(const Format& format, const std::vector<Code>& x, const std::vector<Code>& y, int columns,
                 int most_rows, int most_columns) {
  const int rows = static_cast<int>(x.size()) / columns;
  const auto divided = [](int count, int by) { return (count + by - 1) / by; };
  HeatMap map;
  map.height = divided(rows, most_rows), map.width = divided(columns, most_columns);
  map.rows = divided(rows, map.height), map.columns = divided(columns, map.width);
  map.tiles.resize(static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns));
  for (std::size_t i = 0; i < x.size(); ++i) {
    const int row = static_cast<int>(i) / columns / map.height, column = static_cast<int>(i) % columns / map.width;
    HeatTile& tile = map.tiles[static_cast<std::size_t>(row * map.columns + column)];
    ++tile.elements;
    if (same_result(format, x[i], y[i])) continue;
    ++tile.differ;
    tile.nan_in_one = tile.nan_in_one || !has_distance(format, x[i], y[i]);
    if (has_distance(format, x[i], y[i])) tile.greatest = std::max(tile.greatest, ulps_between(format, x[i], y[i]));
  }
  return map;
}

}  // namespace assay
