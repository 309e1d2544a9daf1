// What a point costs, guessed from what was synthesised: a Gaussian process over the logarithms of costs.
#pragma once

#include <vector>

#include "tb/design/front.hpp"
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

// Fitted to costs that are known. Few of them leave open how smooth costs are and how far synthesis scatters, so that
// every choice of the kernel's constants speaks, as loudly as these costs make it likely.
class Predictor {
 public:
  // `known` are indices of `seen`, `costs` of each.
  Predictor(const std::vector<Seen>& seen, const std::vector<int>& known, const Vector& costs);
  Guess guess(int point) const;

 private:
  struct Constants {
    double linear = 1, bend = 1, length = 1, noise = 0.01;
  };
  struct Fit {
    Constants constants;
    std::vector<Vector> factor;  // Cholesky's, lower
    Vector weights;
    double likelihood = 0;  // of the costs, as a logarithm
    double share = 1;       // of what all say
  };

  double kernel(const Constants& constants, int x, int y) const;
  Fit fitted(const Constants& constants) const;
  Guess guess(const Fit& fit, int point) const;  // standardised
  void drop_the_unlikely();

  const std::vector<Seen>& seen_;
  std::vector<int> known_;
  Vector values_;  // standardised
  double mean_ = 0, scale_ = 1;
  std::vector<Fit> fits_;
};

}  // namespace assay::design
