#include "tb/design/predict.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace assay::design {
namespace {

// --- what a plan looks like ---

double log_bits(double bits) { return std::log2(std::max(bits, 2.0)); }

// Of one adder: shifters, the sum itself, the largest exponent, results; by cut, since rounding up needs a carry.
void add_adder(const AdderPlan& adder, Vector& f) {
  const double sums = static_cast<double>(adder.groups) * adder.sums();
  const double items = adder.sum.items;
  f[0] += sums * items * adder.sum.align_width * log_bits(adder.sum.align_width);
  f[1] += sums * (items - 1) * adder.sum.sum_width;
  f[2] += sums * items * adder.sum.window_exponent_bits;
  f[3] += sums * adder.sum.sum_width * log_bits(adder.sum.sum_width) * static_cast<double>(adder.results.size());
  for (const InputPlan& input : adder.inputs) {
    const double bits = static_cast<double>(adder.groups) * input.count * adder.sum.align_width;
    const Cut cut = input.words.cut;
    if (cut == Cut::down) f[4] += bits;
    if (cut != Cut::down && cut != Cut::toward_zero) f[5] += bits;
  }
  for (const ResultPlan& result : adder.results) {
    if (result.words.cut != Cut::toward_zero) f[6] += sums * adder.sum.sum_width;
  }
  if (adder.has_sticky()) f[7] += sums * items * adder.sum.align_width;
}

Vector structure_of(const Plan& plan) {
  Vector f(9, 0.0);
  const int of_steps = plan.lanes * plan.steps;
  for (const AdderPlan& adder : plan.adders) {
    Vector one(f.size(), 0.0);
    add_adder(adder, one);
    for (std::size_t i = 0; i < f.size(); ++i) f[i] += of_steps * one[i];
  }
  for (const AdderPlan& adder : plan.finish) add_adder(adder, f);
  f[8] = static_cast<double>(plan.products()) * plan.a.significand_bits() * plan.b.significand_bits();
  double all = 0;
  for (const double x : f) all += x;
  f.push_back(all);
  for (double& x : f) x = std::log1p(x);
  return f;
}

// --- where a point lies on its axes ---

void add_place(const StudyAxis& axis, int value, Vector& place) {
  const std::size_t count = axis.values.size();
  const bool has_order =
      std::all_of(axis.values.begin(), axis.values.end(), [](const auto& v) { return number_in(v.label).has_value(); });
  if (has_order) {
    place.push_back(count < 2 ? 0 : static_cast<double>(value) / static_cast<double>(count - 1));
    return;
  }
  for (std::size_t i = 0; i < count; ++i) place.push_back(static_cast<std::size_t>(value) == i ? 0.7 : 0);
}

void standardise(std::vector<Seen>& seen) {
  if (seen.empty()) return;
  const auto n = static_cast<double>(seen.size());
  for (std::size_t i = 0; i < seen.front().structure.size(); ++i) {
    double mean = 0, square = 0;
    for (const Seen& s : seen) mean += s.structure[i] / n;
    for (const Seen& s : seen) square += (s.structure[i] - mean) * (s.structure[i] - mean) / n;
    const double scale = square > 1e-12 ? 1 / std::sqrt(square) : 0;
    for (Seen& s : seen) s.structure[i] = (s.structure[i] - mean) * scale;
  }
}

constexpr double unlikely = 0.02;  // of the likeliest one's likelihood: what is below says nothing

double dot_of(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
  return sum;
}

}  // namespace

double distance(const Vector& x, const Vector& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sum;
}

std::vector<Seen> seen_points(const Study& study, const Machines& machines) {
  std::vector<Seen> seen;
  for (const auto& machine : machines) {
    Seen one{structure_of(machine->plan), {}};
    for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
      add_place(study.axes[axis], machine->point.values[axis], one.place);
    seen.push_back(std::move(one));
  }
  standardise(seen);
  return seen;
}

Predictor::Predictor(const std::vector<Seen>& seen, const std::vector<int>& known, const Vector& costs)
    : seen_(seen), known_(known) {
  const auto n = static_cast<double>(costs.size());
  double square = 0;
  for (const double cost : costs) mean_ += std::log(cost) / n;
  for (const double cost : costs) square += (std::log(cost) - mean_) * (std::log(cost) - mean_) / n;
  scale_ = square > 1e-12 ? std::sqrt(square) : 1;
  for (const double cost : costs) values_.push_back((std::log(cost) - mean_) / scale_);
  for (const double linear : {0.1, 1.0}) {
    for (const double bend : {0.03, 0.3, 3.0}) {
      for (const double length : {0.3, 1.0, 3.0}) {
        for (const double noise : {1e-3, 1e-2, 3e-2, 1e-1}) fits_.push_back(fitted({linear, bend, length, noise}));
      }
    }
  }
  drop_the_unlikely();
}

void Predictor::drop_the_unlikely() {
  const auto is_less = [](const Fit& x, const Fit& y) { return x.likelihood < y.likelihood; };
  const double likeliest = std::max_element(fits_.begin(), fits_.end(), is_less)->likelihood;
  double all = 0;
  for (Fit& fit : fits_) fit.share = std::exp(fit.likelihood - likeliest);
  fits_.erase(std::remove_if(fits_.begin(), fits_.end(), [](const Fit& fit) { return fit.share < unlikely; }),
              fits_.end());
  for (const Fit& fit : fits_) all += fit.share;
  for (Fit& fit : fits_) fit.share /= all;
}

double Predictor::kernel(const Constants& constants, int x, int y) const {
  const Seen &of_x = seen_[static_cast<std::size_t>(x)], &of_y = seen_[static_cast<std::size_t>(y)];
  const double far = distance(of_x.place, of_y.place) / (constants.length * constants.length);
  return constants.linear * (dot_of(of_x.structure, of_y.structure) + 1) + constants.bend * std::exp(-far / 2);
}

Predictor::Fit Predictor::fitted(const Constants& constants) const {
  const std::size_t n = known_.size();
  Fit fit{constants, std::vector<Vector>(n, Vector(n, 0.0)), values_};
  std::vector<Vector>& factor = fit.factor;
  Vector& weights = fit.weights;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = kernel(constants, known_[i], known_[j]) + (i == j ? constants.noise : 0);
      for (std::size_t l = 0; l < j; ++l) sum -= factor[i][l] * factor[j][l];
      factor[i][j] = i == j ? std::sqrt(std::max(sum, 1e-9)) : sum / factor[j][j];
    }
    fit.likelihood -= std::log(factor[i][i]);
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j) weights[i] -= factor[i][j] * weights[j];
    weights[i] /= factor[i][i];
  }
  fit.likelihood -= dot_of(weights, weights) / 2;
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) weights[i] -= factor[j][i] * weights[j];
    weights[i] /= factor[i][i];
  }
  return fit;
}

Guess Predictor::guess(const Fit& fit, int point) const {
  Vector row;
  double mean = 0;
  for (std::size_t i = 0; i < known_.size(); ++i) {
    row.push_back(kernel(fit.constants, point, known_[i]));
    mean += row.back() * fit.weights[i];
  }
  double variance = kernel(fit.constants, point, point) + fit.constants.noise;
  for (std::size_t i = 0; i < row.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) row[i] -= fit.factor[i][j] * row[j];
    row[i] /= fit.factor[i][i];
    variance -= row[i] * row[i];
  }
  return {mean, std::sqrt(std::max(variance, 1e-12))};
}

// The mean and deviation of all of them mixed.
Guess Predictor::guess(int point) const {
  double mean = 0, square = 0;
  for (const Fit& fit : fits_) {
    const Guess one = guess(fit, point);
    mean += fit.share * one.mean;
    square += fit.share * (one.deviation * one.deviation + one.mean * one.mean);
  }
  return {mean_ + scale_ * mean, scale_ * std::sqrt(std::max(square - mean * mean, 1e-12))};
}

}  // namespace assay::design
