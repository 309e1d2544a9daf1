// A point of a study made ready to run: its plan, the kernel for it, and how it walks K.
#pragma once

#include <memory>
#include <vector>

#include "model/fast/kernel.hpp"
#include "tb/explore/study.hpp"
#include "tb/explore/workload.hpp"

namespace assay {

struct Machine {
  Machine(StudyPoint point_of, Plan planned, Walk way, Format format)
      : point(std::move(point_of)),
        plan(std::move(planned)),
        kernel(plan),
        walk(std::move(way)),
        operands(operand_formats(plan, walk.scaling)),
        result(std::move(format)) {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  StudyPoint point;
  Plan plan;
  Kernel kernel;
  Walk walk;
  OperandFormats operands;
  Format result;  // of what is measured
};

using Machines = std::vector<std::unique_ptr<Machine>>;

// Multiply-accumulates a second of one thread on a path of model/fast, roughly.
double rate_of(std::string_view path);

struct Effort {
  double points = 0;
  double macs = 0;        // multiply-accumulates
  double seconds = 0;     // of one thread
  bool at_least = false;  // what cannot be undercut, rather than an estimate

  std::string text() const;
};

// Throws Error where that is more than `most_seconds`.
void refuse_longer(const Study& study, const Effort& effort, double most_seconds);

// The point at these values of the axes, one index for each; an instruction of the catalogue on the same inputs, with
// `k` terms where that is not 0. Throws Error where it cannot be, or does not fit a shape.
std::unique_ptr<Machine> machine_at(const Study& study, const std::vector<int>& values, const Catalogue& catalogue);
std::unique_ptr<Machine> reference_machine(const Study& study, const std::string& name, const Catalogue& catalogue,
                                           int k = 0);

// The values of the next point, the last axis fastest; false after the last one.
bool to_next_point(const Study& study, std::vector<int>& values);

// Every point of the axes, the last axis fastest, then the references. Throws Error where a point cannot be, does
// not fit a shape, or where its numbers alone say that the study takes longer than `most_seconds` on one thread.
Machines machines_of(const Study& study, const Catalogue& catalogue, double most_seconds);

// Which block the scale `i` of the instruction that begins at `from` belongs to.
inline int block_of(const Plan& plan, int from, int i) { return from / plan.scale_block + i; }

// `total` and a sum that is promoted, each step one of f32; `scales` says whether the sum is multiplied by `scale`, and
// how.
float promoted_sum(ScaledBy scales, float total, float scale, float sum);

// To the nearest number of a format that has infinities.
Code converted(double value, const Format& format);

// The m x n codes of D in `machine.result`, row after row. K is cut into split_k runs, and each run into pieces of
// promote_every; a piece is summed by instructions from zero, pieces and then runs are added in order to f32
// accumulators that begin with c, pieces multiplied by their block's scales where the walk says so. Without either,
// instructions carry c through K by themselves. Scales of the unit that several instructions share are given to each.
std::vector<Code> walked(const Machine& machine, const Workload& workload, int threads);

}  // namespace assay
