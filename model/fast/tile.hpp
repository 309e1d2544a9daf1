// What every kernel computes at a time: a few rows of D across one panel of columns.
#pragma once

#include <array>

#include "model/core/format.hpp"

namespace assay {

inline constexpr int tile_rows = 4;
inline constexpr int panel_columns = 16;  // a vector of 32-bit lanes, at its widest

struct Tile {
  template <class T>
  using Elements = std::array<std::array<T, panel_columns>, tile_rows>;

  Elements<Code> c{};
  Elements<Code> d{};
  Elements<bool> redo{};  // the kernel has no d for this element: core has to say
};

}  // namespace assay
