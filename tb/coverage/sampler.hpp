// Runs cases through the model and counts what they exercise, from its trace.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tb/coverage/class_points.hpp"
#include "tb/coverage/factor_points.hpp"
#include "tb/coverage/round_point.hpp"
#include "tb/coverage/sum_points.hpp"
#include "tb/devices/device.hpp"

namespace assay {

// What one adder's sums exercise.
class AdderPoints {
 public:
  explicit AdderPoints(const AdderReach& adder);
  void see(const SumSample& sum);
  void collect(std::vector<Point>& into) const;

 private:
  std::vector<ShiftPoint> shifts_;
  std::optional<OwnerPoint> owner_;  // where the window follows the items
  CancellationPoint cancellation_;
  CarryPoint carry_;
  std::vector<RoundPoint> rounds_;
};

// What becomes of the elements of one side before they are multiplied.
class FactorPoints {
 public:
  FactorPoints(const Plan& plan, Side side, const std::optional<RoundingReach>& rounding);
  // `more`: the numbers of what the case brings.
  void see(const Trace& trace, const Number* more);
  void collect(std::vector<Point>& into) const;

 private:
  const Plan& plan_;
  const FactorPlan& words_;
  FactorPlan exact_;  // without the rounding
  int first_decoded_, first_made_;
  std::optional<ZeroPointPoint> zero_point_;
  std::optional<RoundPoint> round_;
};

class Sampler {
 public:
  // Refers to `plan`, which must outlive it.
  explicit Sampler(const Plan& plan);
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // The model's d. Of more terms than the plan has, each further k take the d before as their c.
  Code see(const Case& one);

  Coverage coverage() const;

 private:
  Code see(const Operand& operand);
  void see_products();
  void see_sum(const SumSite& site);

  const Plan& plan_;
  Reach reach_;
  std::vector<SumSite> sites_;
  std::vector<std::size_t> adder_of_site_;
  Registers registers_;
  Trace trace_;
  std::uint64_t cases_ = 0;
  int first_rounded_product_ = -1, first_product_ = -1;

  OperandPoint operands_;
  std::vector<OneBitPoint> one_bits_;  // of a, b, c and the pair of scales
  ProductPoint products_;
  std::vector<ScalePoint> scales_;            // the pair first, where there is one
  std::vector<std::size_t> first_of_scales_;  // of the others, their place in Case::more
  std::vector<FactorPoints> factors_;
  std::optional<MaskPoint> mask_;
  std::optional<RandomPoint> random_;
  std::optional<AccPoint> acc_;
  std::optional<RoundPoint> product_round_;
  std::vector<AdderPoints> adders_;
  OutputPoint d_;
};

}  // namespace assay
