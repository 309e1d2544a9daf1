#include "tb/explore/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/core/matmul.hpp"
#include "tb/explore/real.hpp"

namespace assay {
namespace {

constexpr double most_points = 20'000;
constexpr double most_samples = 1'000'000;
constexpr std::int64_t most_elements = std::int64_t{1} << 26;  // of one matrix

std::string grouped_count(double count) {
  return count < 1e6 ? fmt::format("{:.0f}", count) : fmt::format("{:.2g}", count);
}

std::string duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  if (seconds < 7200) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.3g} h", seconds / 3600);
}

double macs_of_a_point(const Study& study) {
  double macs = 0;
  for (const ProductShape& s : study.shapes) macs += static_cast<double>(s.m) * s.n * s.k;
  return macs * static_cast<double>(study.inputs.size()) * study.seeds;
}

double points_of(const Study& study) {
  double points = 1;
  for (const StudyAxis& axis : study.axes) points *= static_cast<double>(axis.values.size());
  return points + static_cast<double>(study.references.size());
}

void refuse(const Study& study, const Effort& effort, const std::string& why) {
  throw ConfigError{study.file + ": This study has " + effort.text() + "; " + why};
}

// --- one point ---

Format result_format(const Plan& plan, const Walk& walk) {
  const bool promoted = walk.promote_every != 0 || walk.split_k != 1;
  if (promoted && (plan.d.is_integer() || plan.d.mantissa_bits > 23 || plan.d.exponent_bits > 8))
    throw ConfigError{"partial sums are added in f32, which does not hold every " + plan.d.name +
                      ": leave promote_every and split_k out."};
  if (walk.output.empty()) return promoted ? *find_format("f32") : plan.d;
  const Format* output = find_format(walk.output);
  if (output == nullptr || !output->has_infinity || plan.d.is_integer())
    throw ConfigError{"`output` is '" + walk.output +
                      "'; it must be a format with an infinity, such as f16, bf16 or f32."};
  return *output;
}

void check_shape(const Plan& plan, const Walk& walk, const ProductShape& shape) {
  const auto fail = [&](const std::string& sentence) {
    throw ConfigError{fmt::format("{} x {} x {}: {}", shape.m, shape.n, shape.k, sentence)};
  };
  if (std::int64_t{std::max(shape.m, shape.n)} * shape.k > most_elements)
    fail(fmt::format("a matrix of more than {} elements does not fit in memory here.", most_elements));
  if (shape.k % walk.split_k != 0) fail(fmt::format("K is no multiple of split_k, which is {}.", walk.split_k));
  if (walk.promote_every % plan.k != 0)
    fail(fmt::format("promote_every is {}, which is no multiple of the instruction's {}.", walk.promote_every, plan.k));
  const int run = shape.k / walk.split_k;
  const int piece = walk.promote_every == 0 ? run : std::min(run, walk.promote_every);
  for (const int k : {run, piece}) {
    if (const std::string problem = shape_problem(plan, shape.m, shape.n, k);
        !problem.empty() && (k == piece || k % plan.k != 0))
      fail(problem);
  }
}

std::unique_ptr<Machine> machine_of(const Study& study, StudyPoint point, const Unplanned& words) {
  try {
    Plan planned = plan_or_fail(words.file.datapath, *words.file.k, words.file.lines);
    const Format result = result_format(planned, words.walk);
    for (const ProductShape& shape : study.shapes) check_shape(planned, words.walk, shape);
    auto machine = std::make_unique<Machine>(std::move(point), std::move(planned), words.walk, result);
    machine->point.path = machine->kernel.path();
    return machine;
  } catch (const ConfigError& e) {
    const std::string& name = point.name.empty() ? words.file.datapath.name : point.name;
    throw ConfigError{study.file + ": The point " + name + " cannot be: " + e.message};
  }
}

std::unique_ptr<Machine> axis_machine(const Study& study, const std::vector<int>& values, const Catalogue& catalogue) {
  StudyPoint point;
  point.values = values;
  std::vector<Setting> settings;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const AxisValue& value = study.axes[i].values[static_cast<std::size_t>(values[i])];
    point.name += (point.name.empty() ? "" : ", ") + study.axes[i].name + " = " + value.label;
    settings.insert(settings.end(), value.settings.begin(), value.settings.end());
  }
  if (point.name.empty()) point.name = study.base.datapath.name;
  return machine_of(study, std::move(point), with_settings({study.base, study.walk}, settings, catalogue));
}

std::unique_ptr<Machine> reference_machine(const Study& study, const std::string& name, const Catalogue& catalogue) {
  const Instruction& instruction = catalogue.instruction(name);
  StudyPoint point;
  point.name = point.reference = instruction.full_name();
  Unplanned words{catalogue.datapath(instruction.datapath), {0, 1, study.walk.output}};
  words.file.datapath.operands = instruction.operands;
  words.file.k = instruction.k;
  return machine_of(study, std::move(point), words);
}

// The last axis fastest; false after the last point.
bool advance(const Study& study, std::vector<int>& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    if (++values[i] < static_cast<int>(study.axes[i].values.size())) return true;
    values[i] = 0;
  }
  return false;
}

// --- the walk ---

CodeMatrix zeros_like(const CodeMatrix& c, const Format& format) { return {c.rows(), c.columns(), format}; }

// D of the values of k from `from` on, `count` of them, onto `c`.
CodeMatrix piece(const Machine& machine, const Workload& w, const CodeMatrix& c, int from, int count, int threads) {
  const Plan& plan = machine.plan;
  CodeMatrix d(w.shape.m, w.shape.n, plan.d);
  Gemm gemm{w.shape.m, w.shape.n, count,  w.a.from_column(from), transposed(w.b.from_column(from)), c.view(),
            {},        {},        d.out()};
  if (plan.scale) {
    gemm.scale_a = w.scale_a.from_column(from / plan.scale_block);
    gemm.scale_b = transposed(w.scale_b.from_column(from / plan.scale_block));
  }
  machine.kernel.gemm(gemm, threads);
  return d;
}

void add_to(std::vector<float>& sums, const CodeMatrix& codes, const Format& format) {
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto columns = static_cast<std::size_t>(codes.columns());
    sums[i] += static_cast<float>(
        value_of(codes.view().get(static_cast<int>(i / columns), static_cast<int>(i % columns)), format));
  }
}

std::vector<float> promoted(const Machine& machine, const Workload& w, int threads) {
  const auto elements = static_cast<std::size_t>(w.shape.m) * static_cast<std::size_t>(w.shape.n);
  const CodeMatrix zeros = zeros_like(w.c, machine.plan.c);
  const int run = w.shape.k / machine.walk.split_k;
  const int step = machine.walk.promote_every == 0 ? run : machine.walk.promote_every;
  std::vector<float> total(elements);
  add_to(total, w.c, machine.plan.c);
  for (int first = 0; first < w.shape.k; first += run) {
    std::vector<float> sum(elements);
    for (int from = first; from < first + run; from += step)
      add_to(sum, piece(machine, w, zeros, from, std::min(step, first + run - from), threads), machine.plan.d);
    for (std::size_t i = 0; i < elements; ++i) total[i] += sum[i];
  }
  return total;
}

Code converted(double value, const Format& format) {
  if (std::isnan(value)) return format.stored(format.quiet_nan());
  if (std::isinf(value)) return format.stored((value < 0 ? format.sign_bit() : 0) | format.infinity());
  Number n = number_of(value);
  const Code code = nearest_code(n, format);
  return n.magnitude == 0 && n.negative ? code | format.stored(format.sign_bit()) : code;
}

}  // namespace

double rate_of(std::string_view path) {
  if (path == "core") return 1e7;
  return path == "64-bit lanes" ? 1e9 : 5e9;
}

std::string Effort::text() const {
  return fmt::format("{} points and {} multiply-accumulates, about {} on one thread", grouped_count(points),
                     grouped_count(macs), duration(seconds));
}

Effort effort_of(const Study& study, const Machines& machines) {
  const double macs = macs_of_a_point(study);
  Effort effort;
  for (const auto& machine : machines) {
    effort.points += 1;
    effort.macs += macs;
    effort.seconds += macs / rate_of(machine->kernel.path());
  }
  return effort;
}

Machines machines_of(const Study& study, const Catalogue& catalogue, double most_seconds) {
  Effort least{points_of(study), points_of(study) * macs_of_a_point(study), 0};
  least.seconds = least.macs / rate_of("");
  const std::string advice = fmt::format(
      "more than the {} that --limit allows: give it fewer points, inputs, shapes or seeds, or raise --limit.",
      duration(most_seconds));
  if (least.seconds > most_seconds) refuse(study, least, advice);
  if (least.points > most_points)
    refuse(study, least, fmt::format("a study has at most {:.0f} points: shorten its axes.", most_points));
  const double samples = least.points * static_cast<double>(study.inputs.size() * study.shapes.size()) * study.seeds;
  if (samples > most_samples)
    refuse(study, least,
           fmt::format("points times inputs, shapes and seeds are {}, and {:.0f} fit in memory: give it fewer of them.",
                       grouped_count(samples), most_samples));
  Machines machines;
  std::vector<int> values(study.axes.size());
  do {
    machines.push_back(axis_machine(study, values, catalogue));
  } while (advance(study, values));
  for (const std::string& name : study.references) machines.push_back(reference_machine(study, name, catalogue));
  const Effort effort = effort_of(study, machines);
  if (effort.seconds > most_seconds) refuse(study, effort, advice);
  return machines;
}

std::vector<Code> walked(const Machine& machine, const Workload& w, int threads) {
  const auto elements = static_cast<std::size_t>(w.shape.m) * static_cast<std::size_t>(w.shape.n);
  std::vector<Code> codes;
  codes.reserve(elements);
  if (machine.walk.promote_every != 0 || machine.walk.split_k != 1) {
    for (const float value : promoted(machine, w, threads))
      codes.push_back(converted(static_cast<double>(value), machine.result));
    return codes;
  }
  const CodeMatrix d = piece(machine, w, w.c, 0, w.shape.k, threads);
  for (int i = 0; i < w.shape.m; ++i) {
    for (int j = 0; j < w.shape.n; ++j) {
      const Code code = d.view().get(i, j);
      codes.push_back(machine.walk.output.empty() ? code : converted(value_of(code, machine.plan.d), machine.result));
    }
  }
  return codes;
}

}  // namespace assay
