// What a point costs, guessed from what was synthesised: a Gaussian process over the logarithms of costs.
#pragma once

#include <vector>

#include "tb/design/space.hpp"

namespace assay::design {

using Vector = std::vector<double>;

// A point as the prediction sees it.
struct Seen {
  Vector structure;  // widths and counts of the plan, on a scale of their logarithms
  Vector place;      // of the axes' values: from 0 to 1 where they have an order, else one number for each value
};
std::vector<Seen> seen_points(const Study& study, const Machines& machines);

// The squared distance of two places.
double distance(const Vector& x, const Vector& y);

struct Guess {
  double mean = 0, deviation = 0;  // of the natural logarithm
};

// Fitted to costs that are known; the kernel's constants are those under which these costs are likeliest.
class Predictor {
 public:
  // `known` are indices of `seen`, `costs` of each.
  Predictor(const std::vector<Seen>& seen, const std::vector<int>& known, const Vector& costs);
  Guess guess(int point) const;

 private:
  struct Constants {
    double linear = 1, bend = 1, length = 1, noise = 0.01;
  };

  double kernel(int x, int y) const;
  double fit();  // the log likelihood of the costs under these constants

  const std::vector<Seen>& seen_;
  std::vector<int> known_;
  Vector values_;  // standardised
  double mean_ = 0, scale_ = 1;
  Constants constants_;
  std::vector<Vector> factor_;  // Cholesky's, lower
  Vector weights_;
};

}  // namespace assay::design
