// Pictures of numbers over numbers, as SVG.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/explore/report/ticks.hpp"

namespace assay {

struct Dot {
  double x = 0, y = 0;
  double low = 0, high = 0;  // how far y may be off: a band around a line
  std::string name = {};     // shown where the picture is pointed at
};

enum class Drawn { line, dots, steps, bars };

struct Series {
  std::string name;  // in the legend; empty: not there
  Drawn drawn = Drawn::line;
  int colour = 0;
  int dash = 0;
  bool dotted = false;    // of a reference
  std::vector<Dot> dots;  // what has no place on the scales, as zero on a logarithmic one, is left out
};

struct Chart {
  std::string title, subtitle;
  std::string x_name, y_name;
  Scale x, y;
  std::vector<Series> series;
  std::optional<double> rule;  // a line across at this y: zero
};

std::string svg_text(const Chart& chart);

}  // namespace assay
