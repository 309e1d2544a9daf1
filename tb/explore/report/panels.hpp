// Which rows of a study stand in one picture, and which of them make up one line.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/explore/result.hpp"

namespace assay {

// What rows differ in: each axis, then the input, then the shape.
struct Dimension {
  std::string name;
  std::vector<std::string> values;  // as shown
  std::vector<double> numbers;      // the same, where every value is a number; else empty

  bool is_numeric() const { return !numbers.empty(); }
};

std::vector<Dimension> dimensions(const StudyResult& study);

// Of a row: its value along each dimension, by number; -1 along axes, where a reference has none.
using Place = std::vector<int>;
Place place_of(const StudyResult& study, const Row& row);

// The dimension along the horizontal axis: of those that are numbers the one of most values, of several the first;
// where none is, of all.
std::size_t horizontal(const std::vector<Dimension>& dimensions);

// True where numbers grow by factors, as 16, 64, 256 do.
bool grows_by_factors(std::vector<double> numbers);

// "64 x 64 x 4096"
std::string shape_text(const ProductShape& shape);

// Rows along the horizontal axis: of the same axes' values, input and shape otherwise.
struct Curve {
  std::string name;
  bool reference = false;
  int colour = 0, dash = 0;     // small numbers, each with its look
  std::vector<int> rows;        // of StudyResult, one for each of `at`
  std::vector<std::size_t> at;  // values of the horizontal dimension
};

struct Panel {
  std::string file;   // what its files' names say of it: "64x64x4096"; empty where there is only one panel
  std::string title;  // "64 x 64 x 4096"
  std::vector<Curve> curves;
};

inline constexpr std::size_t most_curves = 10;  // of points of the study, in one panel

struct Panels {
  std::vector<Dimension> dimensions;
  std::size_t x = 0;               // along the horizontal axis
  std::vector<std::size_t> split;  // of which each panel shows one value
  std::vector<Panel> panels;
};

Panels panels_of(const StudyResult& study);                 // over the dimension that horizontal() says
Panels panels_of(const StudyResult& study, std::size_t x);  // over any

// The row whose distances in ulps say most: of the first curve the last one before 99.9 % are correctly rounded.
std::optional<int> telling_row(const StudyResult& study, const Panel& panel);

// The row that a page opens at: of what was published first, as its findings begin with that; else one that tells
// something.
std::optional<int> opening_row(const StudyResult& study, const Panels& panels);

}  // namespace assay
