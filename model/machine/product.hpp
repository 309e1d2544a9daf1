// A matrix product as a machine is about to carry it out, for those who listen: to show what stands at the places of a
// datapath, or to count.
#pragma once

#include <functional>

#include "model/fast/kernel.hpp"

namespace assay::machine {

struct ProductAtWork {
  const Plan& plan;
  const Gemm& gemm;         // its c is what D was; its d is not yet written
  int block = 0;            // of an instruction that does several products
  int row = 0, column = 0;  // of the instruction's D: where this product's begins
};

using ProductListener = std::function<void(const ProductAtWork&)>;

}  // namespace assay::machine
