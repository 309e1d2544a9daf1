// A datapath made concrete for one instruction: names resolved to indices, every width derived and checked.
// Everything downstream is driven by a Plan: `dot` interprets it, SystemC elaborates modules from it, export-sv prints
// its wiring, explain and describe walk it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/core/case_operands.hpp"
#include "model/core/circuit.hpp"
#include "model/core/datapath.hpp"
#include "model/core/number.hpp"
#include "model/core/places.hpp"
#include "model/core/range.hpp"

namespace assay {

struct InputPlan {
  ValueKind kind = ValueKind::term;  // of the numbers it brings
  int count = 1;                     // of them to one group
  Input words;
  Range range;  // of each number that arrives here
};

struct ResultPlan {
  Result words;
  Format format;                              // for ResultAt::format
  Range range;                                // of what leaves
  std::optional<Flags> flags = std::nullopt;  // of the datapath
  bool leaves_d = false;                      // whether this is the last of all
};

enum class Arithmetic { native, wide640, wide4480 };  // the narrowest register that holds the window

// One sum: of a whole list (flat), or of each pair in a tree or chain.
struct SumPlan {
  int items = 0;
  int window_exponent_bits = 0;
  int integer_bits = 0;              // of an aligned addend, without its sign
  int fraction_bits = 0;             // of the grid below the window's exponent
  std::optional<int> fixed_quantum;  // exact sums: the grid stands still instead
  int align_width = 0;               // two's complement
  int sum_width = 0;                 // two's complement
  Arithmetic arithmetic = Arithmetic::native;
  Range range;  // of the sum before any result
};

struct AdderPlan {
  std::string name;
  std::vector<InputPlan> inputs;
  int groups = 1;
  int terms = 0;  // items of the first input in one group
  Shape shape = Shape::flat;
  Window window;
  Sticky sticky = Sticky::none;
  Cancelled cancelled = Cancelled::window;
  Errata errata;
  bool times_scales = false;
  std::vector<int> scales;  // of Plan::more, that multiply its sums, in order
  ZeroSign zero = ZeroSign::positive;
  SumPlan sum;  // items: of one two-input sum where shape is not flat
  std::vector<ResultPlan> results;
  std::optional<Range> scaled;  // after all scales
  Range range;                  // of what leaves

  int items() const;  // in one group, all inputs together
  int sums() const { return shape == Shape::flat ? 1 : items() - 1; }
  bool is_scaled() const { return times_scales || !scales.empty(); }
  bool has_sticky() const { return sticky != Sticky::none; }
  int draws() const;  // random words that the results of one sum take
  bool rounds_down() const { return !results.empty() && results.back().words.cut == Cut::down; }
};

// What becomes of an element of a or b before it is multiplied.
struct FactorPlan {
  std::optional<Number> zero_point;
  int zero_points = -1;     // of Plan::more; -1: the case brings none
  std::vector<int> scales;  // of Plan::more, in order
  std::optional<ResultPlan> round;
  int step = 1;              // its exponent is rounded down to a multiple
  int step_from = 0;         // whose multiples are counted from here
  std::optional<int> empty;  // the exponent of a zero
  Range range;               // of what leaves

  bool works() const { return zero_point || zero_points >= 0 || !scales.empty() || round || step != 1 || empty; }
};

// How a product becomes rows.
struct RowsPlan {
  int digits = 0;    // of the side that is taken digit by digit
  int at_first = 0;  // so many of them become two rows by themselves
  int sign_bit = 0;  // of a digit's row, counted from its own last bit
  int bits = 0;      // of what is left, without a sign

  int groups() const { return (digits + at_first - 1) / at_first; }
};

// Which of the case's random words each rounding takes: one each, whether it cuts anything or not. What has no
// stochastic cut takes none.
struct RandomWords {
  int operand = -1;                             // of Plan::more; -1: there are none
  int factor_a = 0, factor_b = 0, product = 0;  // of element and product 0; the others follow
  int step = 0, finish = 0;                     // of the first step, as many for each; of the finish
};

// A place of a step that may hold a NaN.
struct NanPlace {
  enum class Of { a, b, value };
  Of of = Of::value;
  int index = 0;  // of a and b the term of the step, else the value of the circuit's block
  int run = 0;    // neighbours in the list, among which signalling NaNs may go first
};

struct NanTake {
  std::vector<NanPlace> places;
  bool signalling_first = false;
};

struct Plan {
  Datapath datapath;
  int k = 0;
  Format a, b, c, d;
  std::optional<Format> scale;
  int scale_block = 0;
  int scales = 0;                 // on each side
  std::vector<CaseOperand> more;  // what a case brings beside these, in order
  FactorPlan factor_a, factor_b;
  std::vector<int> product_scales;  // of `more`, that multiply each product, in order
  int mask = -1;                    // of `more`; -1: every product is on
  RandomWords random;

  Range a_range, b_range, c_range, scale_range;
  Range product_range;  // of exact a x b, as they enter it
  Range term_range;     // after scales and rounding: what adders receive
  Range acc_range;
  std::optional<RowsPlan> rows;  // nothing: products go on as numbers
  std::optional<ResultPlan> product_round;
  bool widen_c = false;  // c's format is narrower than d's: c is converted first, exactly

  int pieces = 1;  // numbers that each a and b make: a product, so many products of slices, or rows

  int lanes = 1;
  int steps = 1;
  int step_terms = 0;         // products of a step
  std::vector<int> order;     // order[(lane * steps + step) * step_terms + i]: the product that is term i
  std::vector<int> elements;  // indices in k in the order in which they are first added, a step's side by side

  std::vector<AdderPlan> adders;
  std::vector<AdderPlan> finish;
  Circuit circuit;  // what is done to products, and how the sums of both are wired

  Nan nan;
  std::optional<NanTake> take;  // which NaN a step leaves; nothing: what its operations make of them
  PlaceTable places;            // in the order in which a dot product meets them

  int products() const { return k * pieces; }
  int element_of(int product) const { return product / pieces; }  // its index in k
  // Those of a step; several steps may take the same ones, in slices.
  int element_terms() const { return run() == SliceRun::together ? step_terms / pieces : step_terms; }
  bool is_sliced() const { return !datapath.slices.pairs.empty(); }
  SliceRun run() const { return is_sliced() ? datapath.slices.run : SliceRun::together; }
  // Whether what is added is less, or other, than whole products.
  bool in_pieces() const { return is_sliced() || rows; }
  int lowered(int piece) const;  // how much less the exponent of such a product is than its operands'

  const int* step_order(int lane, int step) const { return order_of(lane * steps + step); }
  // Counting steps of all lanes.
  const int* order_of(int instance) const { return order.data() + instance * step_terms; }
  // Whether elements change before they are multiplied; whether that, or operands beside a, b, c and pairs of scales.
  bool has_factors() const { return factor_a.works() || factor_b.works(); }
  // Whether products of zeros have exponents that follow from those of their factors.
  bool counts_zeros() const { return factor_a.empty || factor_b.empty; }
  bool steps_factors() const { return factor_a.step != 1 || factor_b.step != 1; }
  bool takes_more() const { return !more.empty() || has_factors(); }
  // Of these, whether there are any but a mask, which does no more than make elements +0; whether elements become
  // others.
  bool brings_numbers() const { return more.size() != (mask < 0 ? 0U : 1U); }
  bool changes_numbers() const { return has_factors() || brings_numbers(); }
  int more_codes() const { return more.empty() ? 0 : more.back().end(); }
  const AdderPlan& last_adder() const { return (finish.empty() ? adders : finish).back(); }  // leaves d
  int find_place(std::string_view name) const { return places.find(name); }                  // -1 where there is none
};

struct Problem {
  std::string key;      // "adders[0].window.floor"
  std::string message;  // a sentence
};

// `datapath` for dot products of length k. The formats must be filled in.
std::variant<Plan, std::vector<Problem>> plan(const Datapath& datapath, int k);

inline constexpr int greatest_terms_per_step = 1024;
inline constexpr int greatest_k = 1 << 20;

}  // namespace assay
