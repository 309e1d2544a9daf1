// The points of which no other is both cheaper and more exact.
#pragma once

#include <vector>

namespace assay::design {

// Both are small where they are good.
struct FrontSpot {
  double cost = 0, error = 0;
  int point = -1;
};

// In the order of their costs; of equal ones the first.
std::vector<FrontSpot> front_of(std::vector<FrontSpot> spots);

// The area between a front and the corner `worst`, costs and errors on a scale of their logarithms.
double hypervolume(const std::vector<FrontSpot>& front, const FrontSpot& worst);

// A cost that is not known: its natural logarithm is normal.
struct Guess {
  double mean = 0, deviation = 0;
};

// What a point of this error would add to that area, on the mean of what it may cost.
double expected_gain(const std::vector<FrontSpot>& front, const Guess& cost, double error, const FrontSpot& worst);

// By how much it is cheaper than `most`, on the mean of what it may cost, and on the scale of logarithms.
double expected_saving(const Guess& cost, double most);

// Errors below it count as this much: none is told from none.
inline constexpr double least_error = 8.673617379884035e-19;  // 2^-60

}  // namespace assay::design
