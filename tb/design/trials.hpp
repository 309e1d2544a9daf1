// What points do on the spec's inputs, seed by seed: as many seeds for each as the search asks for.
#pragma once

#include <functional>
#include <mutex>

#include "tb/explore/journal.hpp"

namespace assay::design {

class Trials {
 public:
  // Goes on where the journal of `folder` ends. Throws Error.
  Trials(const Study& study, const Machines& machines, const std::string& identity, const std::string& folder,
         int threads);

  // Runs these points on the first `seeds` seeds of every input and shape; what was run before is not run again.
  // `ran`: so many of all that are run here, from 0 on; one call at a time.
  void run(const std::vector<int>& points, int seeds,
           const std::function<void(std::uint64_t ran, std::uint64_t all)>& ran = {});

  int seeds_of(int point) const { return seeds_[static_cast<std::size_t>(point)]; }
  Measures measures(int point, std::size_t input, std::size_t shape) const;
  // Of all that the whole space with all seeds is, in multiply-accumulates; what a journal had is counted, too.
  double share() const { return done_ / whole_; }
  // What a machine is given there.
  Workload workload(const Machine& machine, std::size_t input, std::size_t shape, int seed) const {
    return workload_of(reals(machine, {input, shape, seed}), machine.operands);
  }
  // How many codes of D are others for two machines on one cell, NaN for NaN.
  int unlike(const Machine& x, const Machine& y, std::size_t input, std::size_t shape, int seed) const;
  void finish() { journal_.sort(); }

 private:
  struct Cell {
    std::size_t input = 0, shape = 0;
    int seed = 0;
  };

  std::size_t unit_of(int point, const Cell& cell) const;
  std::vector<Sample>& samples(int point, std::size_t input, std::size_t shape);
  // `ran_one` is called under the mutex.
  void run_cell(const std::vector<int>& points, const Cell& cell, int threads, const std::function<void()>& ran_one);
  Reals reals(const Machine& machine, const Cell& cell) const;
  double macs_of(const Cell& cell) const;

  const Study& study_;
  const Machines& machines_;
  int threads_;
  std::vector<TensorPair> tensors_;
  std::vector<int> seeds_;
  std::map<std::size_t, std::vector<Sample>> samples_;  // of a point, input and shape: a seed after the other
  std::map<std::string, std::vector<Format>> results_;  // by operands
  Journal journal_;
  std::map<int, std::vector<Sample>> finished_;  // of the journal, as it was found
  double done_ = 0, whole_ = 0;
  std::mutex mutex_;  // of the journal, the samples and what was done
};

}  // namespace assay::design
