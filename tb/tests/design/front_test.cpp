// Fronts, volumes and predictions, each held to something slow and plain.
#include "tb/design/front.hpp"

#include <cmath>
#include <random>

#include "tb/tests/design/make.hpp"

namespace assay::design {
namespace {

std::vector<FrontSpot> random_spots(std::mt19937& random, int count) {
  std::uniform_int_distribution<int> whole(1, 12);
  std::vector<FrontSpot> spots;
  for (int i = 0; i < count; ++i) spots.push_back({double(whole(random)), double(whole(random)) / 100, i});
  return spots;
}

TEST(Front, IsWhatNoOtherBeats) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<FrontSpot> spots = random_spots(random, 1 + trial % 40);
    std::vector<std::pair<double, double>> expected;
    for (const FrontSpot& x : spots) {
      bool beaten = false;
      for (const FrontSpot& y : spots)
        beaten = beaten || (y.cost <= x.cost && y.error <= x.error && (y.cost < x.cost || y.error < x.error));
      const std::pair<double, double> place{x.cost, x.error};
      if (!beaten && std::find(expected.begin(), expected.end(), place) == expected.end()) expected.push_back(place);
    }
    std::sort(expected.begin(), expected.end());
    std::vector<std::pair<double, double>> got;
    for (const FrontSpot& spot : front_of(spots)) got.emplace_back(spot.cost, spot.error);
    EXPECT_EQ(got, expected);
  }
}

// By counting small squares on the scale of logarithms.
TEST(Front, VolumeIsTheAreaThatIsBeaten) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<FrontSpot> spots = random_spots(random, 6);
    const FrontSpot worst{13, 0.13, -1};
    constexpr int steps = 400;
    const double low_cost = std::log(0.9), low_error = std::log(0.009);
    const double width = (std::log(worst.cost) - low_cost) / steps,
                 height = (std::log(worst.error) - low_error) / steps;
    int beaten = 0;
    for (int i = 0; i < steps; ++i) {
      for (int j = 0; j < steps; ++j) {
        const double cost = std::exp(low_cost + (i + 0.5) * width), error = std::exp(low_error + (j + 0.5) * height);
        for (const FrontSpot& s : spots) {
          if (s.cost <= cost && s.error <= error) {
            ++beaten;
            break;
          }
        }
      }
    }
    EXPECT_NEAR(hypervolume(front_of(spots), worst), beaten * width * height, 0.05);
  }
}

// By drawing costs, and measuring the volume with each.
TEST(Front, TheExpectedGainIsTheMeanOfWhatIsAdded) {
  std::mt19937 random(4);
  const FrontSpot worst{13, 0.13, -1};
  for (int trial = 0; trial < 20; ++trial) {
    const std::vector<FrontSpot> front = front_of(random_spots(random, 1 + trial % 5));
    const double error = random_spots(random, 1).front().error;
    const Guess cost{std::log(2.0 + trial % 9), 0.2};
    std::normal_distribution<double> logarithm(cost.mean, cost.deviation);
    constexpr int draws = 20000;
    double sum = 0;
    for (int i = 0; i < draws; ++i) {
      std::vector<FrontSpot> with = front;
      with.push_back({std::exp(logarithm(random)), error, 99});
      sum += hypervolume(front_of(with), worst) - hypervolume(front, worst);
    }
    EXPECT_NEAR(expected_gain(front, cost, error, worst), sum / draws, 0.02) << trial;
  }
}

// A cost that is known adds what it adds.
TEST(Front, TheGainOfAKnownCostIsItsVolume) {
  std::mt19937 random(5);
  const FrontSpot worst{13, 0.13, -1};
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<FrontSpot> front = front_of(random_spots(random, trial % 6));
    const FrontSpot spot = random_spots(random, 1).front();
    std::vector<FrontSpot> with = front;
    with.push_back(spot);
    EXPECT_NEAR(expected_gain(front, {std::log(spot.cost), 0}, spot.error, worst),
                hypervolume(front_of(with), worst) - hypervolume(front, worst), 1e-12);
  }
}

TEST(Predictor, FindsWhatFollowsFromWidths) {
  const Spec spec = spec_of(small_spec);
  const Space space = space_of(spec, test_catalogue());
  const std::vector<Seen> seen = seen_points(spec.study, space.machines);
  std::vector<int> known;
  Vector costs;
  for (int i = 0; i < 21; i += 2) {
    known.push_back(i);
    costs.push_back(made_up(*space.machines[static_cast<std::size_t>(i)], "").cost->area);
  }
  const Predictor predictor(seen, known, costs);
  for (int i = 0; i < 21; ++i) {
    const double area = made_up(*space.machines[static_cast<std::size_t>(i)], "").cost->area;
    const Guess guess = predictor.guess(i);
    EXPECT_NEAR(std::exp(guess.mean) / area, 1, 0.02) << i;
    EXPECT_LT(std::fabs(guess.mean - std::log(area)), 4 * guess.deviation + 1e-3) << i;
  }
}

TEST(Predictor, IsUnsureFarFromWhatItKnows) {
  const Spec spec = spec_of(small_spec);
  const Space space = space_of(spec, test_catalogue());
  const std::vector<Seen> seen = seen_points(spec.study, space.machines);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(50, 150);
  std::vector<int> known{0, 1, 2, 3, 4, 5};
  Vector costs;
  for (std::size_t i = 0; i < known.size(); ++i) costs.push_back(noise(random));
  const Predictor predictor(seen, known, costs);
  EXPECT_GT(predictor.guess(20).deviation, predictor.guess(0).deviation);
}

// Six costs that happen to lie on a line say little of how far the next ones scatter.
TEST(Predictor, IsNotSureOfManyAfterFew) {
  const Spec spec = spec_of(small_spec);
  const Space space = space_of(spec, test_catalogue());
  const std::vector<Seen> seen = seen_points(spec.study, space.machines);
  const std::vector<int> known{0, 4, 8, 12, 16, 20};
  Vector costs;
  for (const int i : known) costs.push_back(made_up(*space.machines[static_cast<std::size_t>(i)], "").cost->area);
  const Predictor predictor(seen, known, costs);
  double widest = 0;
  for (int i = 0; i < 21; ++i) widest = std::max(widest, predictor.guess(i).deviation);
  EXPECT_GT(widest, 0.01);
}

}  // namespace
}  // namespace assay::design
