// What a report shows of a row, and how: its names, its scale, its place in Measures.
#pragma once

#include <string>
#include <vector>

#include "tb/explore/result.hpp"

namespace assay {

enum class MeasureScale {
  logarithmic,  // errors: zero has no place there
  linear,
  around_zero,  // linear, and zero is shown
  percent,      // a share from 0 to 1, shown times 100
};

struct MeasureView {
  std::string key;   // of files and JSON: "normwise"
  std::string name;  // of axes and columns, with its unit
  MeasureScale scale = MeasureScale::linear;
  Estimate Measures::*estimate = nullptr;

  double factor() const { return scale == MeasureScale::percent ? 100 : 1; }
};

const std::vector<MeasureView>& measure_views();

}  // namespace assay
