#include "tb/explore/measure.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <string>

#include "model/core/decode.hpp"
#include "tb/explore/along_k.hpp"
#include "tb/explore/real.hpp"
#include "tb/generate/random.hpp"

namespace assay {
namespace {

constexpr int products_looked_at = 512;  // of one seed
constexpr double infinity = std::numeric_limits<double>::infinity();

// Codes in the order of their values: the distance of two is the number of steps from one to the other.
std::int64_t place_of(Code code, const Format& format) {
  const Code used = format.used(code);
  const auto size = static_cast<std::int64_t>(used & ~format.sign_bit());
  if (format.is_integer())
    return (used & format.sign_bit()) != 0 ? size - static_cast<std::int64_t>(format.sign_bit()) : size;
  return (used & format.sign_bit()) != 0 ? -size : size;
}

std::size_t bin_of(std::int64_t distance) {
  const int bits = bit_length(static_cast<std::uint64_t>(distance < 0 ? -distance : distance));
  const int bin = std::min(bits, histogram_zero);
  return static_cast<std::size_t>(distance < 0 ? histogram_zero - bin : histogram_zero + bin);
}

// The unit in the last place of a finite number.
double ulp_of(Code code, const Format& format) {
  if (format.is_integer()) return std::ldexp(1.0, format.last_place());
  const Number n = decode(code, format, Subnormals::keep, Specials::step);
  const int exponent =
      n.is_finite() ? (n.magnitude == 0 ? format.least_exponent() : n.exponent) : format.greatest_exponent();
  return std::ldexp(1.0, exponent - format.mantissa_bits);
}

// A power of two that brings the greatest of the sums to about one, so that no square is too large or too small.
double unit_of(const std::vector<double>& sums) {
  double greatest = 0;
  for (const double x : sums) greatest = std::max(greatest, std::fabs(x));
  return greatest == 0 || !std::isfinite(greatest) ? 1
                                                   : std::ldexp(1.0, -std::clamp(std::ilogb(greatest), -1000, 1000));
}

// The unit in the last place of a number as large as the sums are on the average. Without it a bias in such units
// would show only the few sums that cancel to almost nothing, whose units are tiny.
double usual_ulp(const ExactProduct& exact, const Format& result) {
  const double unit = unit_of(exact.head);
  double squares = 0;
  for (const double x : exact.head) squares += x * unit * (x * unit);
  const double size = std::sqrt(squares / static_cast<double>(exact.head.size())) / unit;
  return std::isfinite(size) ? ulp_of(nearest_code(number_of(size), result), result) : 0;
}

double median(std::vector<double>& values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 != 0) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

double ratio(double x, double y) { return y == 0 ? (x == 0 ? 0 : infinity) : x / y; }

// Frobenius norm of errors over that of what is exact.
class Norms {
 public:
  explicit Norms(const std::vector<double>& exact) : unit_(unit_of(exact)) {}

  void add(double error, double exact) {
    const double e = error * unit_, x = exact * unit_;
    error_squared_ += e * e;
    exact_squared_ += x * x;
  }
  double relative() const { return std::sqrt(ratio(error_squared_, exact_squared_)); }

 private:
  double unit_, error_squared_ = 0, exact_squared_ = 0;
};

// Sums over the elements of one D.
struct Sums {
  double bias = 0, shrink = 0, value = 0;
  std::uint64_t in_errors = 0;
  std::vector<double> relative;

  void add(double error, double exact, double ulp) {
    bias += error / ulp;
    shrink += (exact < 0 ? -error : error) / ulp;
    ++in_errors;
    if (exact != 0) relative.push_back(std::fabs(error / exact));
  }
};

// (head + tail) x scale less the exact sum of the reals, to a few units of a double: the product's last bits are those
// of a fused multiply-add.
double off_by(double head, double tail, double scale, const ExactProduct& reals, std::size_t i) {
  const double product = head * scale;
  const double rest = std::fma(head, scale, -product) + tail * scale;
  return (product - reals.head[i]) + (rest - reals.tail[i]);
}

double quantisation_of(const Right& right) {
  Norms norms(right.of_reals.head);
  for (std::size_t i = 0; i < right.of_reals.head.size(); ++i)
    norms.add(off_by(right.exact.head[i], right.exact.tail[i], right.tensor_scale, right.of_reals, i),
              right.of_reals.head[i]);
  return norms.relative();
}

// The two-sided 97.5 % point of Student's t.
double student(std::size_t degrees) {
  static constexpr std::array<double, 30> table{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                                2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086,
                                                2.080,  2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
  if (degrees <= table.size()) return table[degrees - 1];
  return 1.960 + 2.46 / static_cast<double>(degrees);  // within 0.001 from there on
}

// Of errors a seed says nothing where all its results are infinite, as they should be.
std::vector<Sample> with_errors(const std::vector<Sample>& seeds) {
  std::vector<Sample> some;
  std::copy_if(seeds.begin(), seeds.end(), std::back_inserter(some),
               [](const Sample& s) { return has_finite(s.histogram) || s.special > 0; });
  return some.empty() ? seeds : some;
}

template <class Get>
Estimate estimate_over(const std::vector<Sample>& seeds, const Get& get) {
  std::vector<double> values;
  for (const Sample& s : seeds) values.push_back(get(s));
  return estimate_of(values);
}

double share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

// --- swamped products ---

bool is_zero(const Bits& bits) {
  for (int from = 0; from < bits.width; from += 64) {
    if (bits.field(from, std::min(64, bits.width - from)) != 0) return false;
  }
  return true;
}

// Where the term of an instruction enters an adder.
struct Entry {
  std::size_t term = 0;
  int place = 0;
};

// By the labels of the places: "a[5] x b[5]".
std::vector<Entry> entries_of(const Plan& plan) {
  std::vector<Entry> entries;
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    const Place& place = plan.places[i];
    if (place.stage == Stage::align && place.label.compare(0, 2, "a[") == 0)
      entries.push_back({std::stoul(place.label.substr(2)), static_cast<int>(i)});
  }
  return entries;
}

// Whether the product of a term is.
bool is_zero(const Operand& operand, std::size_t term, const Plan& plan) {
  return value_of(operand.a[term], plan.a) == 0 || value_of(operand.b[term], plan.b) == 0;
}

}  // namespace

Right right_of(const Reals& reals, const Workload& workload, const OperandFormats& formats,
               const std::vector<Format>& results) {
  return {exact_product(workload, formats, results), exact_product(reals, workload.tensor_scale),
          workload.tensor_scale};
}

Prepared prepared_for(const Reals& reals, const OperandFormats& formats, const std::vector<Format>& results) {
  Workload workload = workload_of(reals, formats);
  Right right = right_of(reals, workload, formats, results);
  return {std::move(workload), std::move(right)};
}

std::vector<Format> results_for(const Machines& machines, const std::string& key) {
  std::vector<Format> results;
  for (const auto& machine : machines) {
    if (machine->operands.key() != key) continue;
    if (std::find(results.begin(), results.end(), machine->result) == results.end()) results.push_back(machine->result);
  }
  return results;
}

Sample sample_of(const std::vector<Code>& codes, const Right& against, const Format& result) {
  const ExactProduct& exact = against.exact;
  const std::vector<Code>& nearest = exact.rounded.at(result.name);
  Sample sample;
  Sums sums;
  Norms norms(exact.head), totals(against.of_reals.head);
  const double least_ulp = usual_ulp(exact, result);
  sample.results = codes.size();
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const double d = value_of(codes[i], result), right = value_of(nearest[i], result);
    sums.value += d;
    if (!std::isfinite(d)) {
      const bool same = codes[i] == nearest[i];
      sample.correct += same ? 1 : 0;
      sample.special += same ? 0 : 1;
      continue;
    }
    const std::int64_t distance = place_of(codes[i], result) - place_of(nearest[i], result);
    sample.correct += d == right ? 1 : 0;
    ++sample.histogram[bin_of(distance)];
    const double error = exact.error(i, d);
    sums.add(error, exact.head[i], std::max(least_ulp, ulp_of(nearest[i], result)));
    norms.add(error, exact.head[i]);
    totals.add(off_by(d, 0, against.tensor_scale, against.of_reals, i), against.of_reals.head[i]);
  }
  const double count = std::max(1.0, static_cast<double>(sums.in_errors));
  sample.normwise = norms.relative();
  sample.quantisation = quantisation_of(against);
  sample.total = totals.relative();
  sample.greatest = sums.relative.empty() ? 0 : *std::max_element(sums.relative.begin(), sums.relative.end());
  sample.elementwise = median(sums.relative);
  sample.bias = sums.bias / count;
  sample.shrink = sums.shrink / count;
  sample.value = sums.value / static_cast<double>(codes.size());
  // Nothing is finite: no error was seen, and it is not zero.
  if (sums.in_errors == 0) sample.normwise = sample.total = sample.greatest = sample.elementwise = infinity;
  return sample;
}

namespace {

// `wanted` instructions of one element of D, which has no fewer.
void count_swamped(const Machine& machine, AlongK& along, int wanted, Draws& draws, Sample& sample) {
  const std::vector<Entry> entries = entries_of(machine.plan);
  std::set<int> chosen;
  while (static_cast<int>(chosen.size()) < wanted) chosen.insert(draws.between(0, along.instructions() - 1));
  Trace trace(machine.plan);
  for (int i = 0; i <= *chosen.rbegin(); ++i) {
    const bool looked_at = chosen.count(i) != 0;
    along.run(i, looked_at ? &trace : nullptr);
    if (!looked_at) continue;
    for (const Entry& entry : entries) {
      if (is_zero(along.operand(), entry.term, machine.plan)) continue;
      const Bits addend = trace.at(entry.place);
      ++sample.products;
      sample.swamped += is_zero(addend) ? 1 : 0;
    }
  }
}

}  // namespace

void count_swamped(const Machine& machine, const Workload& w, const RealsKey& key, Sample& sample) {
  Draws draws(key.seed, key.number, Part::choice, 2);
  std::set<std::pair<int, int>> elements;
  const auto all = static_cast<std::size_t>(w.shape.m) * static_cast<std::size_t>(w.shape.n);
  int left = std::max(1, products_looked_at / machine.plan.k);
  while (left > 0 && elements.size() < all) {
    const int column = draws.between(0, w.shape.n - 1), row = draws.between(0, w.shape.m - 1);
    if (!elements.emplace(row, column).second) continue;
    AlongK along(machine, machine.plan, w, row, column);
    const int wanted = std::min(left, along.instructions());
    count_swamped(machine, along, wanted, draws, sample);
    left -= wanted;
  }
}

Estimate estimate_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  const auto n = static_cast<double>(values.size());
  const double mean = sum / n;
  if (!std::isfinite(mean) || values.size() < 2) return {mean, mean, mean};
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double half = student(values.size() - 1) * std::sqrt(squares / (n - 1) / n);
  return {mean, mean - half, mean + half};
}

Measures measures_of(const std::vector<Sample>& seeds) {
  Measures m;
  const std::vector<Sample> some = with_errors(seeds);
  m.normwise = estimate_over(some, [](const Sample& s) { return s.normwise; });
  m.quantisation = estimate_over(seeds, [](const Sample& s) { return s.quantisation; });
  m.total = estimate_over(some, [](const Sample& s) { return s.total; });
  m.elementwise = estimate_over(some, [](const Sample& s) { return s.elementwise; });
  m.greatest = estimate_over(some, [](const Sample& s) { return s.greatest; });
  m.sqnr_db = estimate_over(some, [](const Sample& s) { return -20 * std::log10(s.normwise); });
  m.bias_ulps = estimate_over(some, [](const Sample& s) { return s.bias; });
  m.shrink_ulps = estimate_over(some, [](const Sample& s) { return s.shrink; });
  m.correct = estimate_over(seeds, [](const Sample& s) { return share(s.correct, s.results); });
  m.swamped = estimate_over(seeds, [](const Sample& s) { return share(s.swamped, s.products); });
  m.value = estimate_over(seeds, [](const Sample& s) { return s.value; });
  for (const Sample& s : seeds) {
    m.results += s.results;
    m.special += s.special;
    for (std::size_t i = 0; i < m.histogram.size(); ++i) m.histogram[i] += s.histogram[i];
  }
  return m;
}

}  // namespace assay
