// What wgmma works on as files: shared memory, in which A and B lie as their matrix descriptors say, and the registers
// of 128 lanes.
//
//   shared   (words, 1): as many words as A and B reach
//   c, d     (registers, 128): D before and after
#pragma once

#include "model/machine/warpgroup.hpp"
#include "tb/machine/images.hpp"

namespace assay::machine {

// `operation` has descriptors, signs and majors; its registers are of the images.
struct GroupTask {
  const Warpgroup& group;
  WarpgroupOperation operation;
};

// Descriptors of A and of B side by side: rows of `width` bytes (16: no swizzle), majors as the operation has them.
void choose_descriptors(GroupTask& task, int width);

// Throws Error where a descriptor is wrong, or leads beyond shared memory.
std::vector<WaveOperand> operands_of(const GroupTask& task);
RegisterImages generated_images(const GroupTask& task, const Generator& generator, std::uint64_t number);

// Fills in d.
void execute(const GroupTask& task, RegisterImages& images);

}  // namespace assay::machine
