// The vector loops of adders in 64-bit lanes, for whichever instruction set this machine has.
#pragma once

#include <cstdint>

#include "model/core/plan.hpp"

namespace assay {

inline constexpr int doubles_lanes_of_plan = 16;  // at most
inline constexpr int doubles_terms = 64;          // of a step whose products are numbers by themselves
inline constexpr int doubles_sums = 96;           // of a step or finish

// Values are kept in slots: what the lanes left, products by themselves, the one of the block, what its sums left.
inline constexpr int doubles_first_term = doubles_lanes_of_plan;
inline constexpr int doubles_one = doubles_first_term + doubles_terms;

struct DoublesItem {
  int slot = 0;
  const Input* words = nullptr;
  bool negate = false;
};

struct DoublesSum {
  const AdderPlan* adder = nullptr;
  const Input* products = nullptr;  // the words of its products, if it takes any: then those of product group `group`
  int group = 0;
  int terms = 0, first_term = 0;  // how many these are; the first one's number in the step
  std::vector<DoublesItem> others;
  int scaled_by = -1;    // as in the circuit
  bool to_odd = false;   // two addends whose sum may be wider than a double: to 53 bits, by `to_odd`
  bool watched = false;  // one that may be wider, and is core's where it is
};

// The sums of a plan, which must outlive them.
struct DoublesShape {
  std::vector<DoublesSum> step, finish;
  int products = 0;  // of a step, where they are numbers by themselves before a sum takes them
};

// Pointers to one tile's first row.
struct DoublesRun {
  const double* a = nullptr;  // rows, a_stride apart; or a panel
  const std::uint16_t* a_exponents = nullptr;
  const double* a_scales = nullptr;  // block after block, with their exponents
  const std::int64_t* a_scale_exponents = nullptr;
  std::int64_t a_stride = 0, a_scale_stride = 0;
  const double* b = nullptr;  // a panel
  const std::uint16_t* b_exponents = nullptr;
  const double* b_scales = nullptr;
  const std::int64_t* b_scale_exponents = nullptr;
  int instructions = 0;
  int group_terms = 0;      // of products: 1, 2, or filled up to a multiple of four
  int product_groups = 0;   // in a step
  int exponent_offset = 0;  // exponent word + this = nominal exponent of a product
  double* acc = nullptr;    // tile_rows x panel_columns: c, then d
  std::uint64_t* redo = nullptr;
};

using DoublesLoop = void (*)(const Plan& plan, const DoublesShape& shape, const DoublesRun& run);
void doubles_rows(const Plan& plan, const DoublesShape& shape, const DoublesRun& run);  // tile_rows rows of A
// A is a panel too; the first row of the tile.
void doubles_lanes(const Plan& plan, const DoublesShape& shape, const DoublesRun& run);

}  // namespace assay
