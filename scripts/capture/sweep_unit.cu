// The kernels of a sweep, compiled for each unit: nvcc -cubin -arch=sm_90a -I ROOT -DUNIT_HEADER='"unit.h"' ..
#include UNIT_HEADER

#include "scripts/capture/sweep_unit.hpp"

namespace assay::capture {

#define SWEEP_KERNEL(name, count, ...)                                                   \
  extern "C" __global__ void name(__VA_ARGS__) {                                         \
    const std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; \
    if (i >= (count)) return;

SWEEP_KERNEL(sweep_make_a, plan.tiles * plan.m * plan.k, SweepPlan plan, Model::A* a) make_a(plan, a, i); }
SWEEP_KERNEL(sweep_make_b, plan.tiles * plan.n * plan.k, SweepPlan plan, Model::B* b) make_b(plan, b, i); }
SWEEP_KERNEL(sweep_make_c, plan.tiles * plan.m * plan.n, SweepPlan plan, Model::C* c) make_c(plan, c, i); }
SWEEP_KERNEL(sweep_halve, plan.tiles * plan.m, SweepPlan plan, const Model::A* a, std::uint8_t* mask, Model::A* half,
             std::uint8_t* indices)
  halve(plan, a, mask, half, indices, i);
}
SWEEP_KERNEL(sweep_pack_a, count, std::uint64_t count, Operand operand, const Piece* pieces, const Model::A* codes,
             std::uint32_t* words)
  pack(operand, pieces, codes, words, i);
}
SWEEP_KERNEL(sweep_pack_b, count, std::uint64_t count, Operand operand, const Piece* pieces, const Model::B* codes,
             std::uint32_t* words)
  pack(operand, pieces, codes, words, i);
}
SWEEP_KERNEL(sweep_pack_c, count, std::uint64_t count, Operand operand, const Piece* pieces, const Model::C* codes,
             std::uint32_t* words)
  pack(operand, pieces, codes, words, i);
}
SWEEP_KERNEL(sweep_pack_indices, count, std::uint64_t count, Operand operand, const Piece* pieces,
             const std::uint8_t* codes, std::uint32_t* words)
  pack(operand, pieces, codes, words, i);
}
SWEEP_KERNEL(sweep_hold, plan.tiles * plan.m * plan.n, SweepPlan plan, const Model::A* a, const Model::B* b,
             const Model::C* c, const std::uint8_t* mask, Operand operand, const Spot* spots, const std::uint32_t* d,
             Differing* differing)
  if (model_d<>(plan, a, b, c, mask, i) == taken<Model::D>(operand, spots, d, i)) return;
  const unsigned long long number = atomicAdd(&differing->count, 1ull);
  if (number < differing_kept) differing->element[number] = i;
}

}  // namespace assay::capture
