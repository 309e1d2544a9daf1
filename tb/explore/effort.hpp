// What a study takes, found by running a little of it.
#pragma once

#include "tb/explore/machine.hpp"

namespace assay {

// Points, multiply-accumulates, and the seconds of one thread that they take on this machine: some inputs and shapes
// are run for one seed and some of the points, long products in part, timed by the clock of this thread's processor,
// and what they took stands for the others. Lasts two seconds or three; reads the tensors that it takes. Throws
// Error.
Effort measured_effort(const Study& study, const Machines& machines);

// Of processor time that this thread has had.
double thread_seconds();

}  // namespace assay
