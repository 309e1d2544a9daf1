#include "tb/generate/equivalence_of_factors.hpp"

#include "model/base/text.hpp"
#include "model/core/cut.hpp"
#include "model/core/operand_codes.hpp"
#include "tb/generate/equivalence_of_roundings.hpp"

namespace assay {
namespace {

class Factors : MutatedPlace {
 public:
  explicit Factors(const MutatedPlace& place) : MutatedPlace(place) {}

  std::string_view found() const {
    if (is_read_alike()) return "No code of an element is read as another number.";
    if (auto argument = of_side("factors.a.round.", right_.a, right_.factor_a, changed_.factor_a); !argument.empty())
      return argument;
    return of_side("factors.b.round.", right_.b, right_.factor_b, changed_.factor_b);
  }

 private:
  bool of_a() const { return starts_with(key_, "factors.a.round"); }
  bool of_b() const { return starts_with(key_, "factors.b.round"); }

  // What becomes of a NaN is told by words of its own.
  bool is_read_alike() const {
    if ((!of_a() && !of_b()) || ends_with(key_, ".nan")) return false;
    const FactorPlan &x = of_a() ? right_.factor_a : right_.factor_b,
                     &y = of_a() ? changed_.factor_a : changed_.factor_b;
    if (!at_most_rounds(x) || !at_most_rounds(y)) return false;
    return of_a() ? are_alike(codes_of_a(right_), codes_of_a(changed_))
                  : are_alike(codes_of_b(right_), codes_of_b(changed_));
  }

  std::string_view of_side(std::string_view head, const Format& elements, const FactorPlan& x,
                           const FactorPlan& y) const {
    if (!starts_with(key_, head) || !only_rounds(x) || !only_rounds(y)) return {};
    if (keeps_all(elements, x) && keeps_all(elements, y)) return "No element has so many bits: nothing is cut off.";
    const std::string_view word = std::string_view(key_).substr(head.size());
    const std::string_view overflow = word == "overflow" ? overflow_alike(*x.round, *y.round) : std::string_view();
    if (!overflow.empty()) return overflow;
    if (word == "nan" && leaves_nan(x) && leaves_nan(y) && !right_.nan.propagate && !right_.nan.with_sign)
      return "Every NaN is written as one code.";
    return {};
  }

  static bool only_rounds(const FactorPlan& f) {
    return f.round && !f.zero_point && f.zero_points < 0 && f.scales.empty() && !is_stochastic(f.round->words.cut);
  }

  // At the leading one, so that an exponent is all that changes.
  static bool keeps_all(const Format& elements, const FactorPlan& f) {
    const Result& words = f.round->words;
    return words.at == ResultAt::leading_one && !words.least_exponent && words.keep >= elements.mantissa_bits &&
           !elements.is_integer();
  }

  static bool leaves_nan(const FactorPlan& f) {
    return f.round->words.nan == OfNan::keep || f.round->words.nan == OfNan::positive;
  }
};

}  // namespace

std::string_view equivalence_of_factors(const MutatedPlace& place) { return Factors(place).found(); }

}  // namespace assay
