// Which case to ask next: of many that are aimed at the candidates, the one whose answer parts them best.
#pragma once

#include <optional>
#include <vector>

#include "tb/identify/space.hpp"

namespace assay::identify {

// Cases, and what each candidate gives for each of them.
class Pool {
 public:
  Pool(const VersionSpace& space, std::vector<Case> cases);

  std::size_t cases() const { return cases_.size(); }
  const Case& at(std::size_t i) const { return cases_[i]; }

  // The case whose result says most of which candidate is right, and how much, in bits; nothing where every one left
  // gives the same. `alive` are weights, by candidate.
  struct Choice {
    std::size_t index = 0;
    double bits = 0;
  };
  std::optional<Choice> best(const std::vector<double>& alive) const;

  // What candidate `c` gives for case `i`.
  Code result(std::size_t i, std::size_t c) const { return results_[c][i]; }
  std::size_t candidates() const { return candidates_; }
  void take_out(std::size_t i) { taken_[i] = true; }

 private:
  std::size_t candidates_ = 0;
  std::vector<Case> cases_;
  std::vector<char> taken_;
  std::vector<std::vector<Code>> results_;  // of each candidate
};

// Cases that are aimed at the candidates' own edges, about so many, fewer where there are too many candidates to hold
// to them in seconds. Cases of another round are others.
std::vector<Case> aimed_cases(const VersionSpace& space, const Plan& asked, std::size_t cases, std::uint64_t round);

// Cases in which few words act.
struct SimpleCase {
  enum class Addends { products, c, all };

  int addends = 1;            // so many are not zero ..
  Addends of = Addends::all;  // .. of these
  bool ordinary = false;      // numbers near 1 alone: nothing overflows, is subnormal, or no number
};

// Of the aimed cases, made simple. None where a format has no zero.
std::vector<Case> simple_cases(const VersionSpace& space, const Plan& asked, const SimpleCase& simple,
                               std::size_t cases, std::uint64_t round);

// Several NaNs at once, no two alike, beside products and sums that make one: which of them d shows says in which order
// they are looked for. None where no operand has more than one NaN.
std::vector<Case> cases_of_nans(const Plan& asked, std::size_t cases, std::uint64_t round);

// Sums whose answer names the addends that were not lost: X and -X in two addends, powers of two of their own in the
// others, as small as there are; or every other time at the edge of what a sum keeps.
enum class OrderOf { smallest, edges_too };
std::vector<Case> cases_of_order(const Plan& asked, OrderOf which, std::uint64_t round);

}  // namespace assay::identify
