// The figures of a synthesised unit.
#pragma once

namespace assay {

struct Cost {
  int cells = 0;
  double area = 0;    // of the cell library, square micrometres
  int depth = 0;      // cells on the longest path
  double delay = 0;   // of the slowest path, nanoseconds
  double energy = 0;  // of a dot product, picojoules (energy.hpp); zero where nobody asked
};

}  // namespace assay
