#include "tb/explore/runner.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <map>
#include <mutex>

#include "model/base/parallel.hpp"
#include "model/base/sha256.hpp"
#include "model/config/digest.hpp"

namespace assay {
namespace {

constexpr double seconds_of_a_unit = 2;  // about so much of one thread is lost where a run is killed

// All points on one input, shape and seed share what they are given and what is right.
struct Cell {
  std::size_t input = 0, shape = 0;
  int seed = 0;
  std::vector<std::size_t> units;  // their numbers
};

// Some of a cell's points, from `first` on.
struct Unit {
  std::size_t first = 0, count = 0;
};

double seconds_of(const Machine& machine, const ProductShape& s) {
  return static_cast<double>(s.m) * s.n * s.k / rate_of(machine.kernel.path());
}

std::vector<Unit> groups_of(const Machines& machines, const ProductShape& shape) {
  std::vector<Unit> groups;
  double seconds = 0;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    if (groups.empty() || seconds > seconds_of_a_unit) {
      groups.push_back({i, 0});
      seconds = 0;
    }
    ++groups.back().count;
    seconds += seconds_of(*machines[i], shape);
  }
  return groups;
}

class Run {
 public:
  Run(const Study& study, const Machines& machines, const RunPlace& place)
      : study_(study), machines_(machines), place_(place), samples_(study, machines) {
    for (const StudyInput& input : study.inputs) {
      tensors_.push_back(input.family == InputFamily::tensor ? read_tensors(input, study.shapes) : TensorPair{});
    }
    lay_out();
  }

  Samples run() {
    Journal journal(place_.folder, identity());
    for (const auto& [unit, samples] : journal.finished()) {
      const auto number = static_cast<std::size_t>(unit);
      if (!is_of_unit(number, samples))
        throw Error{place_.folder + "/journal.jsonl: The line of unit " + std::to_string(unit) +
                    " is of no unit that this study has, or of another size. Take the line away: what it stands "
                    "for is run again."};
      keep(number, samples);
    }
    const int cells = static_cast<int>(cells_.size());
    const int within = std::max(1, place_.threads / std::max(1, cells));
    parallel(cells, place_.threads,
             [&](int i, int) { run_cell(cells_[static_cast<std::size_t>(i)], journal, within); });
    if (failure_) std::rethrow_exception(failure_);
    journal.sort();
    return std::move(samples_);
  }

  std::size_t units() const { return units_.size(); }

 private:
  struct NumberedUnit {
    std::size_t cell = 0;
    Unit points;
  };

  void lay_out() {
    for (std::size_t input = 0; input < study_.inputs.size(); ++input) {
      for (std::size_t shape = 0; shape < study_.shapes.size(); ++shape) {
        const std::vector<Unit> groups = groups_of(machines_, study_.shapes[shape]);
        for (int seed = 0; seed < study_.seeds; ++seed) {
          Cell cell{input, shape, seed, {}};
          for (const Unit& group : groups) {
            cell.units.push_back(units_.size());
            units_.push_back({cells_.size(), group});
          }
          cells_.push_back(std::move(cell));
        }
      }
    }
  }

  // Everything that the samples depend on.
  std::string identity() const {
    std::string text = study_.text + std::to_string(study_.seeds) + "," + std::to_string(study_.seed);
    for (const auto& machine : machines_) {
      const Walk& walk = machine->walk;
      text += datapath_sha256(machine->plan) + std::to_string(walk.promote_every) + "," + std::to_string(walk.split_k) +
              walk.output + machine->operands.key() + std::to_string(static_cast<int>(walk.scaling.scales));
    }
    for (const TensorPair& pair : tensors_) {
      for (const Tensor* t : {&pair.a, &pair.b})
        text += sha256({reinterpret_cast<const char*>(t->values.data()), t->values.size() * sizeof(double)});
    }
    return sha256(text);
  }

  bool is_of_unit(std::size_t number, const std::vector<Sample>& samples) const {
    if (number >= units_.size() || samples.size() != units_[number].points.count) return false;
    const ProductShape& shape = study_.shapes[cells_[units_[number].cell].shape];
    const std::uint64_t elements = std::uint64_t(shape.m) * std::uint64_t(shape.n);
    return std::all_of(samples.begin(), samples.end(), [&](const Sample& s) { return s.results == elements; });
  }

  void keep(std::size_t number, const std::vector<Sample>& samples) {
    const NumberedUnit& unit = units_[number];
    const Cell& cell = cells_[unit.cell];
    for (std::size_t i = 0; i < samples.size(); ++i)
      samples_.at(unit.points.first + i, cell.input, cell.shape)[static_cast<std::size_t>(cell.seed)] = samples[i];
    for (std::size_t i = 0; i < unit.points.count; ++i) {
      const ProductShape& s = study_.shapes[cell.shape];
      macs_ += static_cast<double>(s.m) * s.n * s.k;
    }
    if (place_.progress) place_.progress(macs_);
  }

  void run_cell(const Cell& cell, Journal& journal, int threads) {
    try {
      std::map<std::string, Prepared> prepared;
      for (const std::size_t number : cell.units) {
        if (stopped_ || !is_wanted(number) || is_finished(journal, number)) continue;
        const std::vector<Sample> samples = run_unit(units_[number].points, cell, prepared, threads);
        if (stopped_) return;
        const std::lock_guard<std::mutex> lock(mutex_);
        journal.add(static_cast<int>(number), samples);
        keep(number, samples);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!failure_) failure_ = std::current_exception();
      stopped_ = true;
    }
  }

  bool is_wanted(std::size_t number) const { return number >= place_.first && number - place_.first < place_.count; }

  bool is_finished(const Journal& journal, std::size_t number) {
    const std::lock_guard<std::mutex> lock(mutex_);
    return journal.finished().count(static_cast<int>(number)) != 0;
  }

  std::vector<Sample> run_unit(const Unit& unit, const Cell& cell, std::map<std::string, Prepared>& prepared,
                               int threads) const {
    std::vector<Sample> samples;
    for (std::size_t i = unit.first; i < unit.first + unit.count && !stopped_; ++i) {
      const Machine& machine = *machines_[i];
      const Prepared& ready = prepare(machine, cell, prepared);
      Sample sample = sample_of(walked(machine, ready.workload, threads), ready.right, machine.result);
      count_swamped(machine, ready.workload, key_of(cell), sample);
      samples.push_back(sample);
    }
    return samples;
  }

  RealsKey key_of(const Cell& cell) const {
    return {static_cast<std::uint64_t>(study_.seed) + static_cast<std::uint64_t>(cell.seed), cell.input};
  }

  const Prepared& prepare(const Machine& machine, const Cell& cell, std::map<std::string, Prepared>& prepared) const {
    const OperandFormats& formats = machine.operands;
    const std::string key = formats.key();
    const auto found = prepared.find(key);
    if (found != prepared.end()) return found->second;
    const Reals reals = reals_of(study_.inputs[cell.input], key_of(cell), study_.shapes[cell.shape],
                                 formats.b.least_exponent(), &tensors_[cell.input]);
    return prepared.emplace(key, prepared_for(reals, formats, results_for(machines_, key))).first->second;
  }

  const Study& study_;
  const Machines& machines_;
  const RunPlace& place_;
  Samples samples_;
  std::vector<TensorPair> tensors_;  // by input
  std::vector<NumberedUnit> units_;
  std::vector<Cell> cells_;
  double macs_ = 0;
  std::mutex mutex_;  // of the journal, the samples and what follows
  std::exception_ptr failure_;
  std::atomic<bool> stopped_{false};
};

std::vector<Axis> shown_axes(const Study& study) {
  std::vector<Axis> axes;
  for (const StudyAxis& axis : study.axes) {
    axes.push_back({axis.name, {}});
    for (const AxisValue& value : axis.values) axes.back().values.push_back(value.label);
  }
  return axes;
}

}  // namespace

Samples::Samples(const Study& study, const Machines& machines)
    : inputs_(study.inputs.size()),
      shapes_(study.shapes.size()),
      samples_(machines.size() * inputs_ * shapes_, std::vector<Sample>(static_cast<std::size_t>(study.seeds))) {}

std::size_t units_of(const Study& study, const Machines& machines) { return Run(study, machines, RunPlace{}).units(); }

Samples run_study(const Study& study, const Machines& machines, const RunPlace& place) {
  return Run(study, machines, place).run();
}

StudyResult result_of(const Study& study, const Machines& machines, const Samples& samples,
                      const std::string& version) {
  StudyResult result;
  result.name = study.name;
  result.title = study.title;
  result.description = study.description;
  result.version = version;
  result.digest = sha256(study.text);
  result.text = study.text;
  result.axes = shown_axes(study);
  for (const StudyInput& input : study.inputs) result.inputs.push_back(input.name);
  result.shapes = study.shapes;
  result.seeds = study.seeds;
  for (std::size_t m = 0; m < machines.size(); ++m) {
    result.points.push_back(machines[m]->point);
    for (std::size_t input = 0; input < study.inputs.size(); ++input) {
      for (std::size_t shape = 0; shape < study.shapes.size(); ++shape) {
        result.rows.push_back({static_cast<int>(m), static_cast<int>(input), static_cast<int>(shape),
                               measures_of(samples.at(m, input, shape))});
      }
    }
  }
  return result;
}

}  // namespace assay
