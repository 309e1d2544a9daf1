// The kernels of a sweep, compiled for each unit: nvcc -cubin -arch=sm_90a -I ROOT -DUNIT_HEADER='"unit.h"' ..
#include UNIT_HEADER
// after the unit
#include "scripts/capture/sweep_unit.hpp"

namespace assay::capture {

__device__ std::uint64_t thread_number() { return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }

extern "C" __global__ void sweep_make_a(SweepPlan plan, Model::A* a) {
  const std::uint64_t i = thread_number();
  if (i < plan.tiles * elements_of_a(plan)) make_a(plan, a, i);
}

extern "C" __global__ void sweep_make_b(SweepPlan plan, Model::B* b) {
  const std::uint64_t i = thread_number();
  if (i < plan.tiles * elements_of_b(plan)) make_b(plan, b, i);
}

extern "C" __global__ void sweep_make_c(SweepPlan plan, Model::C* c) {
  const std::uint64_t i = thread_number();
  if (i < plan.tiles * elements_of_d(plan)) make_c(plan, c, i);
}

extern "C" __global__ void sweep_halve(SweepPlan plan, const Model::A* a, std::uint8_t* mask, Model::A* half,
                                       std::uint8_t* indices) {
  const std::uint64_t row = thread_number();
  if (row < plan.tiles * static_cast<unsigned>(plan.m)) halve(plan, a, mask, half, indices, row);
}

extern "C" __global__ void sweep_pack_a(std::uint64_t count, SweptOperand operand, const SweptPiece* pieces,
                                        const Model::A* codes, std::uint32_t* words) {
  const std::uint64_t i = thread_number();
  if (i < count) pack(operand, pieces, codes, words, i);
}

extern "C" __global__ void sweep_pack_b(std::uint64_t count, SweptOperand operand, const SweptPiece* pieces,
                                        const Model::B* codes, std::uint32_t* words) {
  const std::uint64_t i = thread_number();
  if (i < count) pack(operand, pieces, codes, words, i);
}

extern "C" __global__ void sweep_pack_c(std::uint64_t count, SweptOperand operand, const SweptPiece* pieces,
                                        const Model::C* codes, std::uint32_t* words) {
  const std::uint64_t i = thread_number();
  if (i < count) pack(operand, pieces, codes, words, i);
}

extern "C" __global__ void sweep_pack_indices(std::uint64_t count, SweptOperand operand, const SweptPiece* pieces,
                                              const std::uint8_t* codes, std::uint32_t* words) {
  const std::uint64_t i = thread_number();
  if (i < count) pack(operand, pieces, codes, words, i);
}

extern "C" __global__ void sweep_hold(SweepPlan plan, const Model::A* a, const Model::B* b, const Model::C* c,
                                      const std::uint8_t* mask, SweptOperand operand, const SweptSpot* spots,
                                      const std::uint32_t* d, Differing* differing) {
  const std::uint64_t i = thread_number();
  if (i >= plan.tiles * elements_of_d(plan)) return;
  if (model_d<>(plan, a, b, c, mask, i) == taken<Model::D>(operand, spots, d, i)) return;
  const unsigned long long number = atomicAdd(&differing->count, 1ull);
  if (number < differing_kept) differing->element[number] = i;
}

}  // namespace assay::capture
