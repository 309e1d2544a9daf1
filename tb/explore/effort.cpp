#include "tb/explore/effort.hpp"

#include <algorithm>
#include <ctime>
#include <map>
#include <numeric>

#include "tb/explore/measure.hpp"

namespace assay {
namespace {

constexpr std::size_t most_cells = 8;   // inputs with a shape that are tried
constexpr std::size_t most_points = 2;  // of one path, in each of them
constexpr double most_seconds = 2;      // no other is begun afterwards
constexpr double most_macs = 1 << 24;   // of one product
constexpr double run_seconds = 0.02;    // about, of one product on a slow path
constexpr int shortest_sum = 1024;      // so long at least, shortened
constexpr RealsKey first_seed{1, 0};

template <class Work>
double seconds_of(const Work& work) {
  const double start = thread_seconds();
  work();
  return thread_seconds() - start;
}

double macs_of(const ProductShape& s) { return static_cast<double>(s.m) * s.n * s.k; }

// Points that take about as long: those of one path of model/fast.
std::map<std::string, std::vector<std::size_t>> by_path(const Machines& machines) {
  std::map<std::string, std::vector<std::size_t>> paths;
  for (std::size_t i = 0; i < machines.size(); ++i) paths[machines[i]->point.path].push_back(i);
  return paths;
}

// How many times each cell is prepared: once for all points with the same operands.
std::size_t kinds_of_operands(const Machines& machines) {
  std::map<std::string, int> kinds;
  for (const auto& machine : machines) ++kinds[machine->operands.key()];
  return kinds.size();
}

// Every point can sum a multiple of it.
std::int64_t grain_of(const Machines& machines, int k) {
  std::int64_t grain = 1;
  for (const auto& machine : machines) {
    const Walk& walk = machine->walk;
    std::int64_t own = machine->plan.k;
    for (const int part : {walk.promote_every, machine->operands.scale_block}) own = std::lcm(own, std::max(1, part));
    grain = std::lcm(grain, own * walk.split_k);
    if (grain >= k) return k;
  }
  return grain;
}

// At most so many multiply-accumulates: a shorter sum first, then fewer rows and columns.
ProductShape shortened(ProductShape s, double macs, std::int64_t grain) {
  const auto wanted = static_cast<std::int64_t>(macs / (static_cast<double>(s.m) * s.n));
  const std::int64_t k = std::max<std::int64_t>(wanted, shortest_sum) / grain * grain;
  if (k >= grain && k < s.k && s.k % grain == 0) s.k = static_cast<int>(k);
  while (macs_of(s) > macs && std::max(s.m, s.n) > 1) (s.m > s.n ? s.m : s.n) = (std::max(s.m, s.n) + 1) / 2;
  return s;
}

// The samples of one input and shape of a study.
class Cell {
 public:
  Cell(const Study& study, const Machines& machines, std::size_t input, std::size_t shape)
      : machines_(machines), input_(study.inputs[input]), full_(study.shapes[shape]) {
    if (input_.family == InputFamily::tensor) tensors_ = read_tensors(input_, study.shapes);
    grain_ = grain_of(machines, full_.k);
  }

  // Seconds of one seed of it; `turn` chooses which points are tried.
  double seconds(std::size_t turn) {
    double sum = 0;
    for (const auto& [path, points] : by_path(machines_)) sum += seconds_of_path(points, turn);
    return sum + prepare_seconds_ / prepared_ * static_cast<double>(kinds_of_operands(machines_));
  }

 private:
  struct Ready {
    Workload workload;
    Right right;
  };

  double seconds_of_path(const std::vector<std::size_t>& points, std::size_t turn) {
    const std::size_t tried = std::min(most_points, points.size());
    double sum = 0;
    for (std::size_t i = 0; i < tried; ++i)
      sum += seconds_of_point(*machines_[points[(turn + i * points.size() / tried) % points.size()]]);
    return sum / static_cast<double>(tried) * static_cast<double>(points.size());
  }

  // Each part grows with something else.
  double seconds_of_point(const Machine& machine) {
    const ProductShape s = shortened(full_, std::min(most_macs, rate_of(machine.point.path) * run_seconds), grain_);
    const Ready& ready = prepared(machine, s);
    std::vector<Code> codes;
    Sample sample;
    const double walk = seconds_of([&] { codes = walked(machine, ready.workload, 1); });
    const double measure = seconds_of([&] { sample = sample_of(codes, ready.right, machine.result); });
    const double swamped = seconds_of([&] { count_swamped(machine, ready.workload, first_seed, sample); });
    return walk * macs_of(full_) / macs_of(s) + measure * full_.m * full_.n / (s.m * s.n) + swamped * full_.k / s.k;
  }

  // One of each shape and result is enough.
  const Ready& prepared(const Machine& machine, const ProductShape& s) {
    const std::string key = machine.operands.key() + machine.result.name + std::to_string(s.m) + "x" +
                            std::to_string(s.n) + "x" + std::to_string(s.k);
    const auto found = ready_.find(key);
    return found != ready_.end() ? found->second : ready_.emplace(key, prepare(machine, s)).first->second;
  }

  Ready prepare(const Machine& machine, const ProductShape& s) {
    Ready ready;
    Reals reals;
    const double read = seconds_of([&] {
      reals = reals_of(input_, first_seed, s, machine.operands.b.least_exponent(), &tensors_);
      ready.workload = workload_of(reals, machine.operands);
    });
    const double sum =
        seconds_of([&] { ready.right = right_of(reals, ready.workload, machine.operands, {machine.result}); });
    // Few rows say little of what a large product is prepared in.
    const bool is_small = prepared_ > 0 && macs_of(s) < largest_prepared_;
    if (is_small) return ready;
    if (macs_of(s) > largest_prepared_) prepare_seconds_ = prepared_ = 0;
    largest_prepared_ = macs_of(s);
    prepare_seconds_ +=
        read * (static_cast<double>(full_.m) + full_.n) * full_.k / ((static_cast<double>(s.m) + s.n) * s.k) +
        sum * macs_of(full_) / macs_of(s);
    prepared_ += 1;
    return ready;
  }

  const Machines& machines_;
  const StudyInput& input_;
  ProductShape full_;
  std::int64_t grain_ = 1;
  TensorPair tensors_;
  std::map<std::string, Ready> ready_;
  double prepare_seconds_ = 0, prepared_ = 0, largest_prepared_ = 0;
};

}  // namespace

double thread_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

Effort measured_effort(const Study& study, const Machines& machines) {
  const std::size_t shapes = study.shapes.size(), cells = study.inputs.size() * shapes;
  const std::size_t wanted = std::min(most_cells, cells);
  std::vector<double> pace;  // seconds a multiply-accumulate of all points, of the cells tried
  const double start = thread_seconds();
  for (std::size_t i = 0; i < wanted && (pace.empty() || thread_seconds() - start < most_seconds); ++i) {
    const std::size_t cell = i * cells / wanted;
    pace.push_back(Cell(study, machines, cell / shapes, cell % shapes).seconds(i) /
                   macs_of(study.shapes[cell % shapes]));
  }
  Effort effort;
  effort.points = static_cast<double>(machines.size());
  for (std::size_t cell = 0; cell < cells; ++cell) {
    const std::size_t nearest = std::min(cell * wanted / cells, pace.size() - 1);
    const double of_cell = macs_of(study.shapes[cell % shapes]) * study.seeds;
    effort.macs += of_cell * effort.points;
    effort.seconds += of_cell * pace[nearest];
  }
  return effort;
}

}  // namespace assay
