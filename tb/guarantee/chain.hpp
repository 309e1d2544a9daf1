// K terms through one unit: the c of each operation is the d of the one before, and software may add partial sums.
#pragma once

#include <vector>

#include "tb/guarantee/walk.hpp"

namespace assay::guarantee {

// As a study walks K (docs/explore.md).
struct Chain {
  int k = 0;              // a multiple of the instruction's
  int promote_every = 0;  // so many values of k are summed from zero, then added to an f32 accumulator; 0: never
  int split_k = 1;        // so many runs of K, whose sums are added in order, in f32

  bool is_asked_for() const { return k != 0 || promoted(); }
  bool promoted() const { return promote_every != 0 || split_k != 1; }
  int run() const { return k / split_k; }
  int piece() const { return promote_every == 0 ? run() : promote_every; }
};

// Why nothing is promised of a datapath, whatever the chain, as a sentence; else empty.
std::string unspoken(const Plan& plan);

// The same of what the whole command declines: what a case brings beside a, b, c and the pairs of scales.
std::string unit_problem(const Plan& plan);

// The same where d stands for another sum than that of c and all products.
std::string sum_problem(const Plan& plan);

// Why there is no such chain, as a sentence; else empty.
std::string chain_problem(const Plan& plan, const Chain& chain);

// What holds of d - exact for all operands.
struct Promise {
  Reference reference = Reference::sum;
  Signs signs = Signs::any;
  Bound bound;
  std::vector<Limit> limits;
  std::optional<long> last_place;

  bool always_absolute() const;  // some absolute share is there whatever the operands
};

Promise promise(const Plan& plan, const Chain& chain, Reference reference, Signs signs,
                CircuitWalk::Places without = {});

}  // namespace assay::guarantee
