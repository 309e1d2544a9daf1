// assay bench: multiply-accumulates a second of each form of datapath, beside what the same core does in single
// precision.
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/fast/kernel.hpp"
#include "model/fast/targets.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/sgemm.hpp"
#include "sim/program/number_option.hpp"
#include "tb/devices/device.hpp"
#include "tb/generate/codes.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

constexpr int core_size = 64;  // of a matrix that core multiplies in less than a tenth of a second
constexpr double core_seconds = 0.02;
constexpr std::uint64_t seed = 1;

struct Options {
  std::vector<std::string> instructions;
  int size = 512;
  int threads = 1;
  double seconds = 0.2;
  bool json = false;
};

// Multiply-accumulates a second, the best seen.
struct Rates {
  double core = 0, fast = 0, sgemm = 0;
  double threaded = 0, walled = 0;  // by the clock on the wall: several threads, and one
};

struct Row {
  const Instruction* instruction = nullptr;
  std::string path;
  int size = 0;
  double memory = 0;  // with what the fast path allocates, as a multiple of the matrices
  Rates rates;
};

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
  Workload(const Plan& plan, int size) : plan_(plan), size_(size) {
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

  const Plan& plan_;
  int size_, k_ = 0;
  std::vector<unsigned char> a_, b_, c_, d_, scale_a_, scale_b_;
  Gemm gemm_;
};

double core_rate(const Plan& plan, const Workload& workload) {
  CorePath core(plan);
  int elements = 0;
  double seconds = 0;
  for (; seconds < core_seconds; ++elements) {
    seconds += seconds_of(
        [&] { benchmark::DoNotOptimize(core.element(workload.gemm(), 0, elements % workload.gemm().n)); }, own_time);
  }
  return static_cast<double>(elements) * workload.gemm().k / seconds;
}

// Says nothing by itself.
class Silent : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>&) override {}
};

// All sides take turns in one process, since what else the machine does changes from one moment to the next.
Rates measured(const Plan& plan, const Kernel& kernel, const Workload& workload, const Options& options, Sgemm* sgemm) {
  const Gemm& gemm = workload.gemm();
  Rates best;
  const auto better = [&](double& rate, const std::function<void()>& work, clockid_t clock) {
    const double seconds = seconds_of(work, clock);
    rate = std::max(rate, workload.macs() / seconds);
    return seconds;
  };
  benchmark::RegisterBenchmark(plan.datapath.name.c_str(),
                               [&](benchmark::State& state) {
                                 for (auto _ : state) {
                                   double seconds = better(
                                       best.fast, [&] { kernel.gemm(gemm, 1); }, own_time);
                                   if (sgemm != nullptr)
                                     seconds += better(
                                         best.sgemm, [&] { sgemm->run(gemm.m, gemm.n, gemm.k); }, own_time);
                                   if (options.threads > 1) {
                                     seconds += better(
                                         best.walled, [&] { kernel.gemm(gemm, 1); }, wall_time);
                                     seconds += better(
                                         best.threaded, [&] { kernel.gemm(gemm, options.threads); }, wall_time);
                                   }
                                   state.SetIterationTime(seconds);
                                 }
                               })
      ->UseManualTime()
      ->MinTime(options.seconds);
  Silent reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::ClearRegisteredBenchmarks();
  best.core = core_rate(plan, workload);
  return best;
}

Row measured_row(const Catalogue& catalogue, const Instruction& instruction, const Options& options, Sgemm* sgemm) {
  const Plan plan = catalogue.plan_of(instruction);
  const Kernel kernel(plan);
  Row row;
  row.instruction = &instruction;
  row.path = kernel.path();
  row.size = row.path == "core" ? std::min(options.size, core_size) : options.size;
  const Workload workload(plan, row.size);
  const Gemm& gemm = workload.gemm();
  row.memory =
      1 + static_cast<double>(kernel.workspace(gemm, options.threads)) / static_cast<double>(matrix_bytes(gemm));
  row.rates = measured(plan, kernel, workload, options, sgemm);
  return row;
}

// For each datapath and size of operands in memory the first instruction that has them.
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

std::vector<const Instruction*> chosen_instructions(const Catalogue& catalogue, const Options& options) {
  if (options.instructions.empty()) return one_of_each_form(catalogue);
  std::vector<const Instruction*> chosen;
  for (const std::string& name : options.instructions) chosen.push_back(&catalogue.instruction(name));
  return chosen;
}

std::string billions(double rate) { return rate == 0 ? "-" : fmt::format("{:.2f}", rate * 1e-9); }

std::string as_ratio(const Rates& rates) {
  if (rates.sgemm == 0) return "-";
  return fmt::format("1/{:.1f}", rates.sgemm / rates.fast);
}

// Widths of the columns of text.
struct Widths {
  std::size_t datapath = 0, operands = 0;
};

std::string operands_text(const Instruction& instruction) {
  const Operands& o = instruction.operands;
  return o.a == o.b ? o.a : o.a + " x " + o.b;
}

Widths widths_of(const std::vector<const Instruction*>& instructions) {
  Widths widths{std::string_view("datapath").size(), std::string_view("operands").size()};
  for (const Instruction* i : instructions) {
    widths.datapath = std::max(widths.datapath, i->datapath.size());
    widths.operands = std::max(widths.operands, operands_text(*i).size());
  }
  return widths;
}

void print_head(const Options& options, const Widths& widths, std::ostream& out) {
  out << fmt::format("Thousand million multiply-accumulates a second, {} x {} x {}, {}.\n", options.size, options.size,
                     options.size, kernel_target_name(kernel_targets().front()));
  out << fmt::format("{:<{}} {:<{}} {:<14} {:>7} {:>6} {:>8} {:>7}", "datapath", widths.datapath, "operands",
                     widths.operands, "path", "core", "fast", "of SGEMM", "memory");
  if (options.threads > 1) out << fmt::format(" {:>9}", fmt::format("{} threads", options.threads));
  out << "\n";
}

void print_row(const Row& row, const Options& options, const Widths& widths, std::ostream& out) {
  out << fmt::format("{:<{}} {:<{}} {:<14} {:>7.4f} {:>6} {:>8} {:>7}", row.instruction->datapath, widths.datapath,
                     operands_text(*row.instruction), widths.operands, row.path, row.rates.core * 1e-9,
                     billions(row.rates.fast), as_ratio(row.rates), fmt::format("x {:.1f}", row.memory));
  if (options.threads > 1) out << fmt::format(" {:>9}", fmt::format("x {:.2f}", row.rates.threaded / row.rates.walled));
  out << "\n" << std::flush;
}

nlohmann::ordered_json as_json(const Row& row, const Options& options) {
  const auto known = [](double rate) { return rate == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(rate); };
  return {{"instruction", row.instruction->full_name()},
          {"datapath", row.instruction->datapath},
          {"path", row.path},
          {"size", row.size},
          {"threads", options.threads},
          {"memory", row.memory},
          {"core", row.rates.core},
          {"fast", row.rates.fast},
          {"threaded", known(row.rates.threaded)},
          {"sgemm", known(row.rates.sgemm)}};
}

void bench(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const std::vector<const Instruction*> chosen = chosen_instructions(catalogue, options);
  const std::unique_ptr<Sgemm> sgemm = Sgemm::open();
  if (!sgemm) {
    console.err << "assay: There is no libopenblas.so.0 here, so there is no SGEMM to compare with; scripts/setup "
                   "installs it.\n";
  }
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  const Widths widths = widths_of(chosen);
  if (!options.json) print_head(options, widths, console.out);
  for (const Instruction* instruction : chosen) {
    const Row row = measured_row(catalogue, *instruction, options, sgemm.get());
    if (options.json) {
      rows.push_back(as_json(row, options));
    } else {
      print_row(row, options, widths, console.out);
    }
  }
  if (options.json) {
    const nlohmann::ordered_json all{{"instruction_set", kernel_target_name(kernel_targets().front())},
                                     {"unit", "multiply-accumulates a second"},
                                     {"rows", rows}};
    console.out << all.dump(1) << "\n";
    return;
  }
  console.out << fmt::format(
      "\ncore and fast: one thread. of SGEMM: OpenBLAS on one thread of this machine, same shape.\n"
      "memory: the matrices and what the fast path allocates beside them, as a multiple of the matrices.\n"
      "A path of \"core\" is a datapath without a kernel, measured at {} x {}.\n",
      core_size, core_size);
}

}  // namespace

void add_bench(CLI::App& app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("bench", "Measures the speed of each form of datapath.");
  command->footer("Example:  assay bench hopper:wgmma.m64nNk16.f32.f16.f16 --threads 2");
  command->add_option("INSTRUCTION", options->instructions,
                      "Instructions such as hopper:wgmma.m64nNk16.f32.f16.f16; without any, one of each form");
  add_number(*command, "--size", options->size, {1, 8192}, "Rows, columns and, as far as the instruction allows, K")
      ->capture_default_str();
  add_number(*command, "--threads", options->threads, {1, 256}, "Measures so many threads as well")
      ->capture_default_str();
  add_number(*command, "--seconds", options->seconds, {0.001, 60.0}, "How long each row is measured at least")
      ->capture_default_str();
  command->add_flag("--json", options->json, "The same as JSON");
  command->callback([options, &console] { bench(*options, console); });
}

}  // namespace assay
