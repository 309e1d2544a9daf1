// The vector loops of datapaths made of IEEE operations, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

#include "model/core/plan.hpp"

namespace assay {

inline constexpr int ieee_lanes_of_plan = 16;  // at most
inline constexpr int ieee_sums = 256;          // of a step or finish

// Whether results below the least normal number become zeros of their sign: by the result itself, or by what it would
// be with a wider exponent. Then the least normal number itself may be one.
enum class Flush { never, tiny_result, tiny_unbounded };

// What rounds a sum: the machine; or arithmetic, from what a float's addition has lost.
//   to_odd    a float, whose last bit is odd where anything was lost
//   to_half   one of f16's numbers in a float, to the nearest even
enum class Rounds { by_machine, to_odd, to_half };

// Whose signs are turned in a step.
struct Turned {
  bool acc = false, sum = false;  // of the last sum of two: the accumulator, and what is added to it
  bool result = false;

  bool any() const { return acc || sum || result; }
};

struct IeeeShape {
  bool chain = false;           // every step is one fused multiplication and addition
  int tree = 0;                 // 1, 2 or 4 terms of steps that just follow each other: see run_chain; 0: other forms
  bool negate = false;          // every product
  Turned turned;                // of chains and trees
  Cut cut = Cut::nearest_even;  // of all operations
  Rounds rounds = Rounds::by_machine;
  Flush flush = Flush::never;
  bool near_one = false;  // only operands whose exponents are near those of one are taken: see ieee.hpp
  float zero = -0.0F;     // `zero_of` the last result
  float nothing = -0.0F;  // the zero that changes no sum, of `start: none`
};

// Pointers to one tile's first row and first column; the values are float or double.
template <class T>
struct IeeeRun {
  const T* a = nullptr;  // rows: a_stride apart
  std::int64_t a_stride = 0;
  const T* b = nullptr;  // a panel
  int instructions = 0;
  T* acc = nullptr;   // tile_rows x panel_columns: c, then d
  T* redo = nullptr;  // the same; NaN: leave this element to core
};

void ieee_rows(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run);
void ieee_rows(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run);
void ieee_lanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<float>& run);
void ieee_lanes(const Plan& plan, const IeeeShape& shape, const IeeeRun<double>& run);

}  // namespace assay
