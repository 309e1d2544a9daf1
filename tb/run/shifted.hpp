// Whether results are right but come to the wrong case, as from a unit of another latency than is taken for granted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

class Shifted {
 public:
  enum class Result { right, wrong, left_out };

  explicit Shifted(const Plan& plan) : plan_(&plan) {}

  // In the order of the run; the first few thousand are kept.
  void see(Code expected, Code got, Result result);

  struct Found {
    int by = 0;                 // each result is that of the case so many before it; after it, where negative
    std::size_t of = 0;         // wrong results that tell ..
    std::size_t explained = 0;  // .. and those among them that are right for that case
  };
  // Nothing where too many results are right for their own case, and would not be for the other.
  std::optional<Found> find() const;

 private:
  struct Pair {
    Code expected = 0, got = 0;
    Result result = Result::right;
    bool tells = false;  // zero, infinity and NaN are many cases' result
  };

  Found shifted(int by) const;
  std::size_t contradicting(int by) const;
  const Pair* other(std::size_t i, int by) const;

  const Plan* plan_;
  std::vector<Pair> seen_;
};

// "wrong latency: 812 of 900 wrong results are those of the case before; " and what is to be changed, where it is
// known.
std::string shifted_text(const Shifted::Found& found, const std::string& advice);

}  // namespace assay
