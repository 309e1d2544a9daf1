// Pictures of numbers over numbers, as SVG: a file of its own, or a part of a page. What is drawn is the same.
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
  int row = -1;              // of the study, for the page's script
};

enum class Drawn {
  line,
  front,  // dots, and stairs along those of which no other is both smaller and more exact
  bars,
};

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
  AxisScale x, y;
  std::vector<Series> series;
  std::optional<double> rule;  // a line across at this y: zero
};

// With title, subtitle and legend beside it.
std::string svg_text(const Chart& chart);

// The same plot under `heading` with its legend below, as HTML that is as wide as it may be. Colours are those of the
// page's style sheet. `more` is further attributes.
std::string picture_html(const Chart& chart, const std::string& heading, const std::string& more = "");

}  // namespace assay
