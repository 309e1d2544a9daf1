// The real matrices of a study's inputs. Each element is a function of (seed, input, matrix, row, column) and of
// nothing else: a longer K begins with the elements of a shorter one, and every machine makes the same. (Of
// ill-conditioned inputs K also decides which terms cancel.)
#pragma once

#include <memory>
#include <vector>

#include "tb/explore/study.hpp"
#include "tb/explore/tensor.hpp"

namespace assay {

struct Reals {
  ProductShape shape;
  std::vector<double> a;  // m x k, row after row
  std::vector<double> b;  // n x k: column after column of B
  std::vector<double> c;  // m x n
};

// What the values of one seed hang on. `number` is the input's place in the study.
struct RealsKey {
  std::uint64_t seed = 0;
  std::uint64_t number = 0;
};

// `least_exponent_b` is that of b's format, around which gradients lie; `tensors` are those of the input's file.
Reals reals_of(const StudyInput& input, const RealsKey& key, const ProductShape& shape, int least_exponent_b,
               const TensorPair* tensors);

// The natural logarithm and the power of two to within a few units in the last place, of additions and multiplications
// alone: those of C libraries differ from one to the next.
double portable_log(double x);   // x > 0
double portable_exp2(double x);  // -1000 <= x <= 1000

}  // namespace assay
