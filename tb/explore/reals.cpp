#include "tb/explore/reals.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tb/generate/random.hpp"

namespace assay {
namespace {

constexpr double ln_2 = 0.693147180559945309417232121458;

// 0 <= x < 1
double unit(Draws& draws) { return std::ldexp(static_cast<double>(draws.bits() >> 11), -53); }

// -1 <= x < 1
double both_sides(Draws& draws) { return 2 * unit(draws) - 1; }

// N(0, 1), by Marsaglia's polar method.
double normal(Draws& draws) {
  for (;;) {
    const double x = both_sides(draws), y = both_sides(draws);
    const double s = x * x + y * y;
    if (s > 0 && s < 1) return x * std::sqrt(-2 * portable_log(s) / s);
  }
}

Draws draws_at(const RealsKey& key, Part part, int row, int column) {
  return {key.seed, key.number, part, static_cast<std::uint64_t>(row) << 32 | static_cast<std::uint64_t>(column)};
}

double log_uniform(Draws& draws, double least, double greatest) {
  const bool negative = draws.coin();
  const double size = portable_exp2(least + (greatest - least) * unit(draws));
  return negative ? -size : size;
}

// +-2^(centre + 3 N(0, 1)): half of them below 2^centre.
double gradient(Draws& draws, int centre) {
  const bool negative = draws.coin();
  const double size = portable_exp2(std::clamp(centre + 3 * normal(draws), -900.0, 900.0));
  return negative ? -size : size;
}

double random_real(const StudyInput& input, Draws& draws, bool of_b, int least_exponent_b) {
  switch (input.family) {
    case InputFamily::normal:
    case InputFamily::ill_conditioned: return normal(draws);
    case InputFamily::uniform: return both_sides(draws);
    case InputFamily::outliers: {
      const double body = normal(draws);
      return unit(draws) < input.probability ? body + input.deviation * normal(draws) : body;
    }
    case InputFamily::log_uniform: return log_uniform(draws, input.least, input.greatest);
    case InputFamily::gradient: return of_b ? gradient(draws, least_exponent_b) : normal(draws);
    case InputFamily::listed:
    case InputFamily::tensor: break;
  }
  return 0;
}

std::size_t count(int rows, int columns) { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }

void fill_random(const StudyInput& input, const RealsKey& key, int least_exponent_b, Reals& reals) {
  const auto [m, n, k] = reals.shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < k; ++j) {
      Draws draws = draws_at(key, Part::a, i, j);
      reals.a[count(i, k) + static_cast<std::size_t>(j)] = random_real(input, draws, false, least_exponent_b);
    }
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < k; ++j) {
      Draws draws = draws_at(key, Part::b, i, j);
      reals.b[count(i, k) + static_cast<std::size_t>(j)] = random_real(input, draws, true, least_exponent_b);
    }
  }
}

// Terms in random places cancel in pairs, a x b and a x -b; a sixteenth is left over, so small that what remains of the
// sum is 1 / condition of what was added: with r terms left over of deviation s each,
//   E |sum| = sqrt(2 / pi) s^2 sqrt(r)   and   E sum of |a x b| = 2 / pi (k - r + r s^2).
void make_ill_conditioned(const StudyInput& input, const RealsKey& key, Reals& reals) {
  const int m = reals.shape.m, n = reals.shape.n, k = reals.shape.k;
  std::vector<int> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), 0);
  Draws draws(key.seed, key.number, Part::choice, 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[draws.below(i)]);
  const int pairs = (k - std::max(1, k / 16)) / 2;
  const double rest = k - 2 * pairs;
  const double variance = 0.8 * (k - rest) / (std::sqrt(rest) * input.condition);
  const double deviation = std::sqrt(variance);
  const auto at = [&](int row, int place) {
    return count(row, k) + static_cast<std::size_t>(order[static_cast<std::size_t>(place)]);
  };
  for (int i = 0; i < m; ++i) {
    for (int p = 0; p < pairs; ++p) reals.a[at(i, 2 * p + 1)] = reals.a[at(i, 2 * p)];
    for (int p = 2 * pairs; p < k; ++p) reals.a[at(i, p)] *= deviation;
  }
  for (int i = 0; i < n; ++i) {
    for (int p = 0; p < pairs; ++p) reals.b[at(i, 2 * p + 1)] = -reals.b[at(i, 2 * p)];
    for (int p = 2 * pairs; p < k; ++p) reals.b[at(i, p)] *= deviation;
  }
}

void fill_listed(const StudyInput& input, Reals& reals) {
  const auto [m, n, k] = reals.shape;
  const std::size_t terms = std::min(input.a.size(), static_cast<std::size_t>(k));
  for (int i = 0; i < m; ++i)
    std::copy_n(input.a.begin(), terms, reals.a.begin() + static_cast<std::ptrdiff_t>(count(i, k)));
  for (int i = 0; i < n; ++i)
    std::copy_n(input.b.begin(), terms, reals.b.begin() + static_cast<std::ptrdiff_t>(count(i, k)));
  std::fill(reals.c.begin(), reals.c.end(), input.c);
}

// `rows` x k of a tensor, from a place that the seed draws.
void fill_from(const Tensor& tensor, int row, int column, int k, std::vector<double>& into) {
  for (std::size_t i = 0; i < into.size(); ++i) {
    const int r = row + static_cast<int>(i / static_cast<std::size_t>(k));
    const int c = column + static_cast<int>(i % static_cast<std::size_t>(k));
    into[i] = tensor.values[count(r, tensor.columns) + static_cast<std::size_t>(c)];
  }
}

void fill_tensor(const TensorPair& tensors, const RealsKey& key, Reals& reals) {
  const auto [m, n, k] = reals.shape;
  Draws draws(key.seed, key.number, Part::choice, 1);
  const int row_a = draws.between(0, tensors.a.rows - m), row_b = draws.between(0, tensors.b.rows - n);
  const int column = draws.between(0, tensors.a.columns - k);
  fill_from(tensors.a, row_a, column, k, reals.a);
  fill_from(tensors.b, row_b, column, k, reals.b);
}

}  // namespace

// x = 2^e m with m around 1, and ln m = 2 (t + t^3/3 + t^5/5 + ..) where t = (m - 1) / (m + 1), |t| < 0.172.
double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < 0.70710678118654752) {
    m *= 2;
    --exponent;
  }
  const double t = (m - 1) / (m + 1), square = t * t;
  double sum = 0;
  for (int i = 21; i >= 1; i -= 2) sum = sum * square + 1.0 / i;
  return exponent * ln_2 + 2 * t * sum;
}

// 2^x = 2^i e^(f ln 2) with |f| <= 1/2, by Taylor's series.
double portable_exp2(double x) {
  const double whole = std::nearbyint(x);
  const double f = (x - whole) * ln_2;
  double sum = 1;
  for (int i = 17; i >= 1; --i) sum = 1 + f / i * sum;
  return std::ldexp(sum, static_cast<int>(whole));
}

Reals reals_of(const StudyInput& input, const RealsKey& key, const ProductShape& shape, int least_exponent_b,
               const TensorPair* tensors) {
  Reals reals{shape, std::vector<double>(count(shape.m, shape.k)), std::vector<double>(count(shape.n, shape.k)),
              std::vector<double>(count(shape.m, shape.n))};
  if (input.family == InputFamily::listed) {
    fill_listed(input, reals);
    return reals;
  }
  if (input.family == InputFamily::tensor) {
    fill_tensor(*tensors, key, reals);
  } else {
    fill_random(input, key, least_exponent_b, reals);
  }
  if (input.family == InputFamily::ill_conditioned) make_ill_conditioned(input, key, reals);
  for (std::vector<double>* side : {&reals.a, &reals.b}) {
    if (!input.positive) break;
    for (double& x : *side) x = std::fabs(x);
  }
  for (double& x : reals.a) x *= input.times_a;
  for (double& x : reals.b) x *= input.times_b;
  if (input.deviation_c != 0) {
    for (std::size_t i = 0; i < reals.c.size(); ++i) {
      Draws draws(key.seed, key.number, Part::c, i);
      reals.c[i] = input.deviation_c * normal(draws);
    }
  }
  return reals;
}

}  // namespace assay
