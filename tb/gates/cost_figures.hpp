// The figures of a synthesised unit.
#pragma once

namespace assay {

struct Cost {
  int cells = 0;
  double area = 0;   // of the cell library, square micrometres
  int depth = 0;     // cells on the longest path
  double delay = 0;  // of the slowest path, nanoseconds
  // Zero where nobody asked:
  double energy = 0;        // of a dot product, picojoules (energy.hpp)
  double clocked_area = 0;  // with registers for a period (clocked.hpp)
  int tables = 0;           // of an FPGA (fpga.hpp)
};

}  // namespace assay
