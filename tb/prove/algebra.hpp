// Sums as polynomials: whether two words are the same sum of the same bits, in whatever order these are added.
//
// Gates that compute both outputs of an adder cell over the same bits are found by their truth tables, and
//
//   2 carry + sum = x + y + z        2 carry + sum = x + y
//
// takes both out of the weighted sum of a word's bits, from the top down, until no cell is left. A carry above the word
// has no weight in it, and neither has one that is never set: a gate may be gone for it. What is left of two equal
// words is the same, and then they are equal for all values.
#pragma once

#include <functional>
#include <vector>

#include "tb/prove/gates.hpp"

namespace assay {

// Words of one width, up to 128 bits, lowest first. False says nothing.
bool is_same_sum(const Gates& gates, const std::vector<Lit>& x, const std::vector<Lit>& y);

// What a sum may need to know of the circuit's literals.
struct SumQuestions {
  std::function<bool(Lit, Lit)> is_same;         // for all values; what is left of each is paired so
  std::function<bool(Lit, Lit)> are_never_both;  // set
};
bool is_same_sum(const Gates& gates, const std::vector<Lit>& x, const std::vector<Lit>& y,
                 const SumQuestions& questions);

}  // namespace assay
