// Runs a study: every point on the same inputs, in units that are finished one by one.
#pragma once

#include <functional>
#include <string>

#include "tb/explore/journal.hpp"

namespace assay {

struct RunPlace {
  std::string folder;
  int threads = 1;
  std::function<void(double macs)> progress;  // multiply-accumulates that are done; not by two threads at once
  // Which units are run; others are taken from the journal where it has them.
  std::size_t first = 0, count = static_cast<std::size_t>(-1);
};

// How many units of work a study has, in the journal's numbers. Throws Error.
std::size_t units_of(const Study& study, const Machines& machines);

// The samples of every machine, input, shape and seed; tensors are read before anything is written. Throws Error.
class Samples {
 public:
  Samples(const Study& study, const Machines& machines);

  std::vector<Sample>& at(std::size_t machine, std::size_t input, std::size_t shape) {
    return samples_[(machine * inputs_ + input) * shapes_ + shape];
  }
  const std::vector<Sample>& at(std::size_t machine, std::size_t input, std::size_t shape) const {
    return samples_[(machine * inputs_ + input) * shapes_ + shape];
  }

 private:
  std::size_t inputs_, shapes_;
  std::vector<std::vector<Sample>> samples_;  // of all seeds
};

Samples run_study(const Study& study, const Machines& machines, const RunPlace& place);

// Rows, points, axes and what was given; neither cost nor findings. `version` is Assay's.
StudyResult result_of(const Study& study, const Machines& machines, const Samples& samples, const std::string& version);

}  // namespace assay
