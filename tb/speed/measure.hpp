// Multiply-accumulates a second of a datapath, beside what the same core does in single precision.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/config/catalogue.hpp"
#include "tb/speed/sgemm.hpp"

namespace assay::speed {

constexpr int core_size = 64;  // of a matrix that core multiplies in less than a tenth of a second

struct SpeedEffort {
  int size = 512;        // rows, columns and, as far as an instruction allows, K
  int threads = 1;       // measured as well, where they are more
  double seconds = 0.2;  // that each instruction is measured at least
};

// Multiply-accumulates a second, the best seen; 0: not measured.
struct Rates {
  double core = 0, fast = 0, sgemm = 0;
  double threaded = 0, walled = 0;  // by the clock on the wall: several threads, and one
  // How far the ratios of fast to sgemm lie apart that four parts of the measurement give, relative to the least.
  std::optional<double> noise = {};
};

// What is measured: an instruction of the catalogue, or a datapath of the user's own.
struct SpeedSubject {
  std::string name;  // "hopper:wgmma.m64nNk16.f32.f16.f16", or the datapath file
  bool is_file = false;
  Plan plan;
};

struct SpeedRow {
  std::shared_ptr<const SpeedSubject> subject;
  std::string path;
  int size = 0;
  double memory = 0;  // with what the fast path allocates, as a multiple of the matrices
  Rates rates;
};

using SpeedSubjects = std::vector<std::shared_ptr<const SpeedSubject>>;

// For each datapath and size of operands in memory the first instruction that has them.
std::vector<const Instruction*> one_of_each_form(const Catalogue& catalogue);

// `sgemm` may be nullptr. Throws an Error where whole matrices cannot be multiplied.
SpeedRow measured(const std::shared_ptr<const SpeedSubject>& subject, const SpeedEffort& effort, Sgemm* sgemm);

}  // namespace assay::speed
