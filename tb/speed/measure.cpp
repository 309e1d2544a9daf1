#include "tb/speed/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <functional>
#include <set>

#include "model/core/matmul.hpp"
#include "model/fast/kernel.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"

namespace assay::speed {
namespace {

constexpr double core_seconds = 0.02;
constexpr std::uint64_t seed = 1;

double seconds_now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// What one thread does is measured by that thread's own time, which others on a busy machine do not lengthen.
constexpr clockid_t own_time = CLOCK_THREAD_CPUTIME_ID, wall_time = CLOCK_MONOTONIC;

double seconds_of(const std::function<void()>& work, clockid_t clock) {
  const double begin = seconds_now(clock);
  work();
  return seconds_now(clock) - begin;
}

// A square product of numbers near one, as they are in studies.
class Workload {
 public:
  Workload(const Plan& plan, int size) : size_(size) {
    // Where instructions cannot be chained along K there is only one.
    k_ = plan.c == plan.d ? std::max(size / plan.k, 1) * plan.k : plan.k;
    const int blocks = k_ / plan.k * plan.scales;
    gemm_.m = gemm_.n = size, gemm_.k = k_;
    gemm_.a = filled(a_, plan.a, size, k_, Part::a);
    gemm_.b = filled(b_, plan.b, k_, size, Part::b);
    gemm_.c = filled(c_, plan.c, size, size, Part::c);
    if (plan.scale) {
      gemm_.scale_a = filled(scale_a_, *plan.scale, size, blocks, Part::scale_a);
      gemm_.scale_b = filled(scale_b_, *plan.scale, blocks, size, Part::scale_b);
    }
    more_.resize(plan.more.size());
    for (std::size_t i = 0; i < plan.more.size(); ++i) {
      const CaseOperand& more = plan.more[i];
      const MatrixSize room = matrix_size(owner_of(more), size, size, k_ / plan.k * more.count);
      gemm_.more.push_back(filled(more_[i], more.format, room.rows, room.columns, Part::more));
    }
    const int bytes = element_bytes(plan.d.stored_bits);
    d_.resize(count(size, size) * static_cast<std::size_t>(bytes));
    gemm_.d = {d_.data(), bytes, size, 1};
  }

  const Gemm& gemm() const { return gemm_; }
  double macs() const { return static_cast<double>(size_) * size_ * k_; }

 private:
  static std::size_t count(int rows, int columns) {
    return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  }

  Matrix filled(std::vector<unsigned char>& memory, const Format& format, int rows, int columns, Part part) const {
    const int bytes = element_bytes(format.stored_bits);
    memory.resize(count(rows, columns) * static_cast<std::size_t>(bytes));
    const MatrixOut out{memory.data(), bytes, columns, 1};
    for (int i = 0; i < rows; ++i) {
      Draws draws(seed, static_cast<std::uint64_t>(i), part, 0);
      for (int j = 0; j < columns; ++j) {
        const bool negative = format.has_sign && draws.coin();
        const Code bits = draws.bits();
        out.set(
            i, j,
            format.is_integer() ? bits & all_bits(format) : normal_code(format, negative, draws.between(-3, 0), bits));
      }
    }
    return {memory.data(), bytes, columns, 1};
  }

  int size_, k_ = 0;
  std::vector<unsigned char> a_, b_, c_, d_, scale_a_, scale_b_;
  std::vector<std::vector<unsigned char>> more_;
  Gemm gemm_;
};

double core_rate(const Plan& plan, const Workload& workload) {
  CorePath core(plan);
  int elements = 0;
  double seconds = 0;
  for (; seconds < core_seconds; ++elements) {
    seconds += seconds_of([&] { static_cast<void>(core.element(workload.gemm(), 0, elements % workload.gemm().n)); },
                          own_time);
  }
  return static_cast<double>(elements) * workload.gemm().k / seconds;
}

// The best rates of fast and sgemm in each of four parts of a measurement, which take turns.
class Parts {
 public:
  void add(double fast, double sgemm) {
    Best& part = parts_[next_++ % parts_.size()];
    part.fast = std::max(part.fast, fast);
    part.sgemm = std::max(part.sgemm, sgemm);
  }

  std::optional<double> noise() const {
    if (next_ < 2 * parts_.size()) return std::nullopt;
    std::array<double, 4> ratios{};
    std::transform(parts_.begin(), parts_.end(), ratios.begin(), [](const Best& b) { return b.sgemm / b.fast; });
    const auto [least, greatest] = std::minmax_element(ratios.begin(), ratios.end());
    return *greatest / *least - 1;
  }

 private:
  struct Best {
    double fast = 0, sgemm = 0;
  };
  std::array<Best, 4> parts_{};
  std::size_t next_ = 0;
};

// All sides take turns in one process, since what else the machine does changes from one moment to the next.
Rates rates_of(const Plan& plan, const Kernel& kernel, const Workload& workload, const SpeedEffort& effort,
               Sgemm* sgemm) {
  const Gemm& gemm = workload.gemm();
  Rates best;
  Parts parts;
  const auto better = [&](double& rate, const std::function<void()>& work, clockid_t clock) {
    const double seconds = seconds_of(work, clock);
    rate = std::max(rate, workload.macs() / seconds);
    return seconds;
  };
  double spent = 0;
  do {
    const double fast = better(
        best.fast, [&] { kernel.gemm(gemm, 1); }, own_time);
    spent += fast;
    if (sgemm != nullptr) {
      const double beside = better(
          best.sgemm, [&] { sgemm->run(gemm.m, gemm.n, gemm.k); }, own_time);
      parts.add(1 / fast, 1 / beside);
      spent += beside;
    }
    if (effort.threads > 1) {
      spent += better(
          best.walled, [&] { kernel.gemm(gemm, 1); }, wall_time);
      spent += better(
          best.threaded, [&] { kernel.gemm(gemm, effort.threads); }, wall_time);
    }
  } while (spent < effort.seconds);
  best.core = core_rate(plan, workload);
  best.noise = parts.noise();
  return best;
}

}  // namespace

std::vector<const Instruction*> one_of_each_form(const Catalogue& catalogue) {
  std::vector<const Instruction*> chosen;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      const std::string form = fmt::format("{} {}", i.datapath, element_bytes(find_format(i.operands.a)->stored_bits));
      if (i.operands.c == i.operands.d && seen.insert(form).second) chosen.push_back(&i);
    }
  }
  return chosen;
}

SpeedRow measured(const std::shared_ptr<const SpeedSubject>& subject, const SpeedEffort& effort, Sgemm* sgemm) {
  const Plan& plan = subject->plan;
  const Kernel kernel(plan);
  SpeedRow row;
  row.subject = subject;
  row.path = kernel.path();
  row.size = row.path == "core" ? std::min(effort.size, core_size) : effort.size;
  const Workload workload(plan, row.size);
  const Gemm& gemm = workload.gemm();
  row.memory =
      1 + static_cast<double>(kernel.workspace(gemm, effort.threads)) / static_cast<double>(matrix_bytes(gemm));
  row.rates = rates_of(plan, kernel, workload, effort, sgemm);
  return row;
}

}  // namespace assay::speed
