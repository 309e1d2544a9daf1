// What a study found: everything its report shows, and nothing that must be computed again.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tb/gates/cost_figures.hpp"

namespace assay {

// A mean over seeds and its 95 % confidence interval; of one seed all three are the same.
struct Estimate {
  double mean = 0, low = 0, high = 0;
};

// How many representable values lie between a result and the correctly rounded one, above it where positive:
// bins[histogram_zero] holds those that are equal, bins[histogram_zero + i] the distances 2^(i-1) up to 2^i - 1, and
// bins[histogram_zero - i] their mirror image. The outermost bins hold what is farther as well.
inline constexpr int histogram_zero = 20;
using Histogram = std::array<std::uint64_t, 2 * histogram_zero + 1>;

// Whether any result was finite: none other has a distance.
inline bool has_finite(const Histogram& histogram) {
  return std::any_of(histogram.begin(), histogram.end(), [](std::uint64_t n) { return n > 0; });
}

// Against the correctly rounded result of the same inputs. Errors are those of d against the exact sum of the operands
// as rounded, except where it says otherwise.
struct Measures {
  Estimate normwise;          // of accumulation: |D - exact| / |exact|, Frobenius norms
  Estimate quantisation;      // |exact - sums of the reals| / |sums of the reals|: what rounding the operands did
  Estimate total;             // |D - sums of the reals| / |sums of the reals|
  Estimate elementwise;       // median of |d - exact| / |exact| over the elements
  Estimate greatest;          // greatest of them
  Estimate sqnr_db;           // -20 log10 of normwise; infinite where that is zero
  Estimate bias_ulps;         // mean of (d - exact) / ulp, with its sign; the ulp is that of the result, or of the root
                              // mean square of all where that is larger
  Estimate shrink_ulps;       // the same with the sign of `exact` taken out: negative where results are too small
  Estimate correct;           // share of elements equal to the correctly rounded result, 0 to 1
  Estimate swamped;           // share of non-zero products of which no bit reached the sum, 0 to 1
  Estimate value;             // mean of the elements of D themselves: for inputs that are listed
  std::uint64_t results = 0;  // elements measured, of all seeds
  // Of these NaN or infinite and not what the correctly rounded result is: not among the errors above, unless a seed
  // gave nothing else. Its errors are infinite then, and so is the mean. A seed whose results are all infinite, as they
  // should be, has no errors, and is left out of their means; where all seeds are such, these are infinite.
  std::uint64_t special = 0;
  Histogram histogram{};
};

struct Axis {
  std::string name;                 // "F"
  std::vector<std::string> values;  // as shown: "8" .. "35"
};

// One datapath of the study with one way to walk K.
struct StudyPoint {
  std::string name;         // "F = 13, cut = down", or an instruction for a reference
  std::vector<int> values;  // one index for each axis; empty for a reference
  std::string reference;    // the instruction it stands for, where it is a shipped one and not a point of the axes
  std::string path;         // of model/fast
  std::optional<Cost> cost;
  std::string no_cost;  // a sentence that says why there is none, where there is none
};

struct ProductShape {
  int m = 0, n = 0, k = 0;
};

struct Row {
  int point = 0, input = 0, shape = 0;
  Measures measures;
};

// "At K = 4096 and normal inputs, 99.9 % of results equal the correctly rounded one from F = 21 on."
struct StudyFinding {
  std::string text;
  std::optional<double> expected, measured;  // a published number beside ours
  std::optional<int> row{};                  // where it was measured, of inputs that are not listed
  std::string about{};                       // what findings of a kind stand under: "Published", or an input
};

// What one place does to the errors of a row, relative to the root mean square of `exact`, as the normwise error is.
struct BudgetLine {
  std::string where, words;  // "sum.align product", "bits cut off"
  double mean = 0;           // of its signed errors; those of all places add up to the mean error
  double rms = 0;            // their root mean square
  double share = 0;          // of the mean square error: mean of its error times the whole one; they add up to 1
};

// What the root mean square of the errors would be with one word changed.
struct BudgetForecast {
  std::string key, value, words;   // "adders.sum.add.acc.keep", "26", "one more bit of acc in sum"
  double predicted = 0;            // from the budget: no other sum errs otherwise than it did
  std::optional<double> measured;  // by the changed datapath on the same elements
  std::string refused;             // why it cannot be run
};

struct RowBudget {
  int row = 0;                            // of StudyResult::rows
  int elements = 0, special = 0;          // attributed; left out since a number on the way is infinite or NaN
  double mean = 0, rms = 0;               // of the whole errors
  std::vector<BudgetLine> lines;          // of places that err, the greatest share first
  std::vector<BudgetForecast> forecasts;  // of what would move an error, the best first
};

struct StudyResult {
  std::string name, title, description;
  std::string version, digest;  // of Assay; SHA-256 of the study's text
  std::string text;             // the study as given
  std::vector<Axis> axes;
  std::vector<std::string> inputs;  // as shown: "normal", "outliers p = 0.001, s = 10"
  std::vector<ProductShape> shapes;
  int seeds = 0;
  std::vector<StudyPoint> points;
  std::vector<Row> rows;           // every point x input x shape, in that order
  std::vector<RowBudget> budgets;  // empty where nobody asked
  std::vector<StudyFinding> findings;
};

}  // namespace assay
