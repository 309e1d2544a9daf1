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
  if (seconds < 9.5) return fmt::format("{:.1g} s", seconds);
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
  throw Error{study.file + ": This study has " + effort.text() + "; " + why};
}

// --- one point ---

Format result_format(const Plan& plan, const Walk& walk) {
  const bool promoted = walk.is_promoted();
  if (promoted && (plan.d.is_integer() || plan.d.mantissa_bits > 23 || plan.d.exponent_bits > 8))
    throw Error{"partial sums are added in f32, which does not hold every " + plan.d.name +
                ": leave promote_every and split_k out."};
  if (walk.output.empty()) return promoted ? *find_format("f32") : plan.d;
  const Format* output = find_format(walk.output);
  if (output == nullptr || !output->has_infinity || plan.d.is_integer())
    throw Error{"`output` is '" + walk.output + "'; it must be a format with an infinity, such as f16, bf16 or f32."};
  return *output;
}

void check_shape(const Plan& plan, const Walk& walk, const ProductShape& shape) {
  const auto fail = [&](const std::string& sentence) {
    throw Error{fmt::format("{} x {} x {}: {}", shape.m, shape.n, shape.k, sentence)};
  };
  if (std::int64_t{std::max(shape.m, shape.n)} * shape.k > most_elements)
    fail(fmt::format("a matrix of more than {} elements does not fit in memory here.", most_elements));
  if (!plan.more.empty())
    fail(fmt::format("the unit takes {} too, of which a study makes none; it makes a, b, c and pairs of scales.",
                     plan.more.front().name));
  if (shape.k % walk.split_k != 0) fail(fmt::format("K is no multiple of split_k, which is {}.", walk.split_k));
  const int block = walk.scaling.at_promotion() ? walk.scaling.block : plan.scale ? plan.scale_block : 1;
  if (shape.k % block != 0)
    fail(fmt::format("K is {}, which is no multiple of the scales' block of {}.", shape.k, block));
  if (shape.k / walk.split_k % block != 0)
    fail(fmt::format("split_k cuts K into runs of {}, which is no multiple of the scales' block of {}.",
                     shape.k / walk.split_k, block));
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

// Whether the blocks of scales and what takes them fit each other.
void check_scales(const Plan& plan, const Walk& walk) {
  const auto fail = [](const std::string& sentence) { throw Error{sentence}; };
  if (!walk.scaling.at_promotion()) {
    if (plan.scale && plan.scale_block % plan.k != 0 && plan.k % plan.scale_block != 0)
      fail(
          fmt::format("the scales' block of {} neither divides the instruction's k, which is {}, nor is a multiple of "
                      "it.",
                      plan.scale_block, plan.k));
    return;
  }
  const int block = walk.scaling.block;
  if (walk.promote_every == 0)
    fail(fmt::format("the scales are applied where sums are promoted, and none are: give promote_every, such as {}.",
                     block));
  if (block % walk.promote_every != 0)
    fail(
        fmt::format("promote_every is {}, which does not divide the scales' block of {}: a sum that is promoted must "
                    "lie in one block.",
                    walk.promote_every, block));
}

// What is exact is summed from whole numbers of 63 bits: an element times its scale.
void check_factors(const OperandFormats& formats) {
  constexpr int most_bits = 62;
  for (const Format* element : {&formats.a, &formats.b}) {
    if (formats.scale && element->significand_bits() + formats.scale->significand_bits() > most_bits)
      throw Error{
          fmt::format("elements of {} times scales of {} have more than {} bits, more than exact sums can "
                      "be made of here.",
                      element->name, formats.scale->name, most_bits)};
  }
}

// Of the side that has no scales they are 1.
void check_ones(const OperandFormats& formats) {
  if (formats.scale && formats.scaled && value_of(saturated(number_of(1), *formats.scale), *formats.scale) != 1)
    throw Error{
        fmt::format("`scaling` gives only {} scales, so that those of the other side are 1, and {} has no 1: "
                    "take another format, or leave `of` out.",
                    word(*formats.scaled), formats.scale->name)};
}

std::unique_ptr<Machine> machine_of(const Study& study, StudyPoint point, const Unplanned& words) {
  try {
    Plan planned = plan_or_fail(words.file.datapath, *words.file.k, words.file.lines);
    const Format result = result_format(planned, words.walk);
    check_scales(planned, words.walk);
    const OperandFormats operands = operand_formats(planned, words.walk.scaling);
    check_factors(operands);
    check_ones(operands);
    for (const ProductShape& shape : study.shapes) check_shape(planned, words.walk, shape);
    auto machine = std::make_unique<Machine>(std::move(point), std::move(planned), words.walk, result);
    machine->point.path = machine->kernel.path();
    return machine;
  } catch (const Error& e) {
    const std::string& name = point.name.empty() ? words.file.datapath.name : point.name;
    throw Error{study.file + ": The point " + name + " cannot be: " + e.message};
  }
}

}  // namespace

std::unique_ptr<Machine> machine_at(const Study& study, const std::vector<int>& values, const Catalogue& catalogue) {
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

std::unique_ptr<Machine> reference_machine(const Study& study, const std::string& name, const Catalogue& catalogue,
                                           int k) {
  const Instruction instruction = catalogue.instruction(name);
  StudyPoint point;
  point.name = point.reference = instruction.full_name();
  Unplanned words{catalogue.datapath_of(instruction), {0, 1, study.walk.output, {}}};
  if (k != 0 && k != instruction.k) {
    words.file.k = k;
    point.name = point.reference += fmt::format(" of {} terms", k);
  }
  words.walk.scaling.tensor = study.walk.scaling.tensor;
  return machine_of(study, std::move(point), words);
}

bool to_next_point(const Study& study, std::vector<int>& values) {
  for (std::size_t i = values.size(); i-- > 0;) {
    if (++values[i] < static_cast<int>(study.axes[i].values.size())) return true;
    values[i] = 0;
  }
  return false;
}

namespace {

// --- the walk ---

CodeMatrix zeros_like(const CodeMatrix& c, const Format& format) { return {c.rows(), c.columns(), format}; }

// Those of the instructions from `from` on, `count` values of k: each instruction has its own, though they be of one
// block.
CodeMatrix scales_of(const Plan& plan, const CodeMatrix& blocks, int from, int count) {
  CodeMatrix scales(blocks.rows(), count / plan.k * plan.scales, *plan.scale);
  const Matrix given = blocks.view();
  const MatrixOut out = scales.out();
  for (int row = 0; row < scales.rows(); ++row) {
    for (int i = 0; i < scales.columns(); ++i)
      out.set(row, i, given.get(row, block_of(plan, from + i / plan.scales * plan.k, i % plan.scales)));
  }
  return scales;
}

// D of the values of k from `from` on, `count` of them, onto `c`.
CodeMatrix piece(const Machine& machine, const Workload& w, const CodeMatrix& c, int from, int count, int threads) {
  const Plan& plan = machine.plan;
  CodeMatrix d(w.shape.m, w.shape.n, plan.d);
  Gemm gemm{w.shape.m, w.shape.n, count,  w.a.from_column(from), transposed(w.b.from_column(from)), c.view(),
            {},        {},        d.out()};
  CodeMatrix scale_a, scale_b;
  if (plan.scale) {
    scale_a = scales_of(plan, w.scale_a, from, count);
    scale_b = scales_of(plan, w.scale_b, from, count);
    gemm.scale_a = scale_a.view();
    gemm.scale_b = transposed(scale_b.view());
  }
  machine.kernel.gemm(gemm, threads);
  return d;
}

std::size_t place(const CodeMatrix& matrix, int i, int j) {
  return static_cast<std::size_t>(i) * static_cast<std::size_t>(matrix.columns()) + static_cast<std::size_t>(j);
}

float float_at(const CodeMatrix& codes, int i, int j, const Format& format) {
  return static_cast<float>(value_of(codes.view().get(i, j), format));
}

void add_to(std::vector<float>& totals, const CodeMatrix& codes, const Format& format) {
  for (int i = 0; i < codes.rows(); ++i) {
    for (int j = 0; j < codes.columns(); ++j) totals[place(codes, i, j)] += float_at(codes, i, j, format);
  }
}

std::vector<float> column_of(const CodeMatrix& scales, int block, const Format& format) {
  std::vector<float> column;
  for (int i = 0; i < scales.rows(); ++i) column.push_back(float_at(scales, i, block, format));
  return column;
}

// The sums of the values of k from `from` on, which lie in one block: added to `totals`, times the scales of that block
// where the walk says so. Each step is one of f32.
void promote(const Machine& machine, const Workload& w, const CodeMatrix& sums, int from, std::vector<float>& totals) {
  const Scaling& scaling = machine.walk.scaling;
  const Format& d = machine.plan.d;
  if (!scaling.at_promotion()) return add_to(totals, sums, d);
  const OperandFormats& formats = machine.operands;
  const int block = from / formats.scale_block;
  const std::vector<float> a = column_of(w.scale_a, block, *formats.scale),
                           b = column_of(w.scale_b, block, *formats.scale);
  for (int i = 0; i < sums.rows(); ++i) {
    for (int j = 0; j < sums.columns(); ++j) {
      const float scale = a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(j)];
      float& total = totals[place(sums, i, j)];
      total = promoted_sum(scaling.scales, total, scale, float_at(sums, i, j, d));
    }
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
      promote(machine, w, piece(machine, w, zeros, from, std::min(step, first + run - from), threads), from, sum);
    for (std::size_t i = 0; i < elements; ++i) total[i] += sum[i];
  }
  return total;
}

}  // namespace

float promoted_sum(ScaledBy scales, float total, float scale, float sum) {
  if (scales == ScaledBy::fma) return std::fmaf(scale, sum, total);
  const float product = scale * sum;
  return total + product;
}

Code converted(double value, const Format& format) {
  if (std::isnan(value)) return format.stored(format.quiet_nan());
  if (std::isinf(value)) return format.stored((value < 0 ? format.sign_bit() : 0) | format.infinity());
  Number n = number_of(value);
  const Code code = nearest_code(n, format);
  return n.magnitude == 0 && n.negative ? code | format.stored(format.sign_bit()) : code;
}

double rate_of(std::string_view path) {
  if (path == "core") return 1e7;
  return path == "64-bit lanes" ? 1e9 : 5e9;
}

std::string Effort::text() const {
  return fmt::format("{} points and {} multiply-accumulates, {} {} on one thread", grouped_count(points),
                     grouped_count(macs), at_least ? "at least" : "about", duration(seconds));
}

void refuse_longer(const Study& study, const Effort& effort, double most_seconds) {
  if (effort.seconds <= most_seconds) return;
  refuse(study, effort,
         fmt::format(
             "more than the {} that --limit allows: give it fewer points, inputs, shapes or seeds, or raise --limit.",
             duration(most_seconds)));
}

Machines machines_of(const Study& study, const Catalogue& catalogue, double most_seconds) {
  Effort least{points_of(study), points_of(study) * macs_of_a_point(study), 0};
  least.seconds = least.macs / rate_of("");
  least.at_least = true;
  refuse_longer(study, least, most_seconds);
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
    machines.push_back(machine_at(study, values, catalogue));
  } while (to_next_point(study, values));
  for (const std::string& name : study.references) machines.push_back(reference_machine(study, name, catalogue));
  return machines;
}

std::vector<Code> walked(const Machine& machine, const Workload& w, int threads) {
  const auto elements = static_cast<std::size_t>(w.shape.m) * static_cast<std::size_t>(w.shape.n);
  std::vector<Code> codes;
  codes.reserve(elements);
  if (machine.walk.is_promoted()) {
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
