// The addends of a dot product as exact numbers, and cases that hold them.
#pragma once

#include <map>
#include <optional>

#include "tb/devices/device.hpp"
#include "tb/generate/anatomy.hpp"
#include "tb/oracle/datum.hpp"
#include "tb/oracle/dyadic.hpp"

namespace assay::probe {

// significand x 2^exponent
struct Value {
  std::int64_t significand = 0;
  int exponent = 0;
};

inline Value power(int exponent) { return {1, exponent}; }
inline Value minus(const Value& v) { return {-v.significand, v.exponent}; }
inline exact::Dyadic exactly(const Value& v) { return {mpz_class(static_cast<long>(v.significand)), v.exponent}; }

inline bool equals(const exact::Datum& d, const Value& v) {
  return d.kind == exact::Kind::finite && sign(d.value - exactly(v)) == 0;
}

// Nothing where the format does not hold the value.
std::optional<Code> code_of(const Format& format, const Value& value);

// By addend: products are 0 to k - 1, c is k. What is not named is zero. Of a unit that never has all products on,
// those that its plain mask leaves out cannot be named.
using Addends = std::map<int, Value>;

class Workbench {
 public:
  explicit Workbench(const Plan& plan);

  const Plan& plan() const { return *plan_; }
  int c() const { return plan_->k; }

  // The products that are on, from the first: all of them where there is no mask.
  const std::vector<int>& products() const { return products_; }

  // Nothing where the formats do not hold one of them, or not side by side under one scale.
  std::optional<Case> with(const Addends& addends) const;

  // Exponents of the powers of two that a product, c and d all hold: without subnormal operands, which some units take
  // as zero, where that leaves room for the widths of today; and no further than anything needs, since beyond that
  // products overflow on some units.
  Exponents powers() const { return powers_; }

  // Addends that differ as they please: all of them, or where that takes scales, one of each block of those, and c.
  const std::vector<int>& free_addends() const { return free_; }

 private:
  bool put_product(Case& made, std::vector<std::optional<int>>& shift, int i, const Value& value) const;
  std::optional<int> put_scales(Case& made, int block, const Value& value) const;
  Exponents powers(bool subnormals) const;
  bool holds(int exponent, bool subnormals) const;

  const Plan* plan_;
  std::vector<int> products_;
  bool scales_of_one_;  // or none: the elements alone reach far enough
  Exponents powers_;
  std::vector<int> free_;
};

std::string addend_name(const Plan& plan, int addend);  // "p5", "c"

}  // namespace assay::probe
