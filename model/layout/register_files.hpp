// The registers of lanes that work together: a wavefront, a warp.
#pragma once

namespace assay::layout {

struct RegisterFiles {
  int lanes = 32;
  int vector = 256;                      // registers of 32 bits in each lane
  int accumulation = 0;                  // the same, of the other bank; 0: there is none
  int aligned = 1;                       // what takes several registers begins at a multiple of it
  bool results_in_accumulation = false;  // C and D stand in the other bank alone
};

}  // namespace assay::layout
