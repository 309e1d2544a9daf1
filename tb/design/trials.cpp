#include "tb/design/trials.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>

#include "model/base/parallel.hpp"
#include "model/base/sha256.hpp"
#include "tb/scoreboard/difference.hpp"

namespace assay::design {
namespace {

void check_units(const Study& study, std::size_t points) {
  const double units =
      static_cast<double>(points) * static_cast<double>(study.inputs.size() * study.shapes.size()) * study.seeds;
  if (units > std::numeric_limits<int>::max())
    throw Error{study.file + ": Points times inputs, shapes and seeds are more than can be counted; give it fewer."};
}

std::vector<TensorPair> tensors_of(const Study& study) {
  std::vector<TensorPair> tensors;
  for (const StudyInput& input : study.inputs)
    tensors.push_back(input.family == InputFamily::tensor ? read_tensors(input, study.shapes) : TensorPair{});
  return tensors;
}

std::string with_tensors(std::string identity, const std::vector<TensorPair>& tensors) {
  for (const TensorPair& pair : tensors) {
    for (const Tensor* t : {&pair.a, &pair.b})
      identity += sha256({reinterpret_cast<const char*>(t->values.data()), t->values.size() * sizeof(double)});
  }
  return sha256(identity);
}

}  // namespace

Trials::Trials(const Study& study, const Machines& machines, const std::string& identity, const std::string& folder,
               int threads)
    : study_(study),
      machines_(machines),
      threads_(threads),
      tensors_(tensors_of(study)),
      seeds_(machines.size(), 0),
      journal_(folder, with_tensors(identity, tensors_)),
      finished_(journal_.finished()) {
  check_units(study, machines.size());
  for (const auto& machine : machines) {
    const std::string key = machine->operands.key();
    if (results_.count(key) == 0) results_[key] = results_for(machines, key);
  }
  for (std::size_t shape = 0; shape < study.shapes.size(); ++shape)
    whole_ += macs_of({0, shape, 0}) * static_cast<double>(study.inputs.size() * machines.size()) * study.seeds;
}

double Trials::macs_of(const Cell& cell) const {
  const ProductShape& s = study_.shapes[cell.shape];
  return static_cast<double>(s.m) * s.n * s.k;
}

std::size_t Trials::unit_of(int point, const Cell& cell) const {
  const std::size_t of_point =
      (static_cast<std::size_t>(point) * study_.inputs.size() + cell.input) * study_.shapes.size();
  return (of_point + cell.shape) * static_cast<std::size_t>(study_.seeds) + static_cast<std::size_t>(cell.seed);
}

std::vector<Sample>& Trials::samples(int point, std::size_t input, std::size_t shape) {
  return samples_[unit_of(point, {input, shape, 0})];
}

Measures Trials::measures(int point, std::size_t input, std::size_t shape) const {
  return measures_of(samples_.at(unit_of(point, {input, shape, 0})));
}

Reals Trials::reals(const Machine& machine, const Cell& cell) const {
  const RealsKey key{static_cast<std::uint64_t>(study_.seed) + static_cast<std::uint64_t>(cell.seed), cell.input};
  return reals_of(study_.inputs[cell.input], key, study_.shapes[cell.shape], machine.operands.b.least_exponent(),
                  &tensors_[cell.input]);
}

void Trials::run(const std::vector<int>& points, int seeds,
                 const std::function<void(std::uint64_t ran, std::uint64_t all)>& ran) {
  std::vector<Cell> cells;
  int first = seeds;
  std::uint64_t all = 0, done = 0;
  for (const int point : points) {
    first = std::min(first, seeds_of(point));
    all +=
        static_cast<std::uint64_t>(std::max(0, seeds - seeds_of(point))) * study_.inputs.size() * study_.shapes.size();
  }
  if (ran && all != 0) ran(done, all);
  const auto ran_one = [&] {
    ++done;
    if (ran) ran(done, all);
  };
  for (int seed = first; seed < seeds; ++seed) {
    for (std::size_t input = 0; input < study_.inputs.size(); ++input) {
      for (std::size_t shape = 0; shape < study_.shapes.size(); ++shape) {
        cells.push_back({input, shape, seed});
        for (const int point : points) samples(point, input, shape).resize(static_cast<std::size_t>(seeds));
      }
    }
  }
  const int within = std::max(1, threads_ / std::max(1, static_cast<int>(cells.size())));
  parallel(static_cast<int>(cells.size()), threads_, [&](int i, int) {
    const Cell& cell = cells[static_cast<std::size_t>(i)];
    std::vector<int> lacking;
    for (const int point : points) {
      if (seeds_of(point) <= cell.seed) lacking.push_back(point);
    }
    run_cell(lacking, cell, within, ran_one);
  });
  for (const int point : points) seeds_[static_cast<std::size_t>(point)] = std::max(seeds_of(point), seeds);
}

void Trials::run_cell(const std::vector<int>& points, const Cell& cell, int threads,
                      const std::function<void()>& ran_one) {
  std::map<std::string, Prepared> prepared;
  for (const int point : points) {
    const Machine& machine = *machines_[static_cast<std::size_t>(point)];
    const std::size_t unit = unit_of(point, cell);
    const auto kept = finished_.find(static_cast<int>(unit));
    Sample sample;
    if (kept != finished_.end()) {
      sample = kept->second.at(0);
    } else {
      const std::string key = machine.operands.key();
      auto ready = prepared.find(key);
      if (ready == prepared.end())
        ready = prepared.emplace(key, prepared_for(reals(machine, cell), machine.operands, results_.at(key))).first;
      sample = sample_of(walked(machine, ready->second.workload, threads), ready->second.right, machine.result);
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    if (kept == finished_.end()) journal_.add(static_cast<int>(unit), {sample});
    samples_.at(unit_of(point, {cell.input, cell.shape, 0}))[static_cast<std::size_t>(cell.seed)] = sample;
    done_ += macs_of(cell);
    ran_one();
  }
}

int Trials::unlike(const Machine& x, const Machine& y, std::size_t input, std::size_t shape, int seed) const {
  const auto codes = [&](const Machine& machine) {
    return walked(machine, workload(machine, input, shape, seed), threads_);
  };
  const std::vector<Code> of_x = codes(x), of_y = codes(y);
  int count = 0;
  for (std::size_t i = 0; i < of_x.size(); ++i) {
    const bool both_nan = is_nan_code(x.result, of_x[i]) && is_nan_code(y.result, of_y[i]);
    if (of_x[i] != of_y[i] && !both_nan) ++count;
  }
  return count;
}

}  // namespace assay::design
