// What a datapath could be instead: the words that a search changes to come to a unit's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/generate/mutations.hpp"

namespace assay::identify {

struct Variation {
  std::string change;  // "adders.sum.add.product.keep +2"
  Datapath words;
  std::optional<Spot> spot = {};   // where one word changed, which `equivalence` may have an argument for
  std::optional<int> put_in = {};  // the value of a number that was left out
};

// Near: a mutant, a word that is left out, another order of terms. Words: also numbers by many steps. Far: also a sum
// more or less before the others.
enum class Breadth { near, words, far };

// Codes of NaN that a unit was seen to give.
struct SeenNans {
  std::vector<Code> all;
  std::vector<Code> made;  // of them those of cases that have none
};

std::vector<Variation> variations(const Datapath& words, int k, const SeenNans& nans, Breadth breadth);

// Each number that is left out, at every value within reach.
std::vector<Variation> numbers_put_in(const Datapath& words, int k);

// The same words with products and acc in other sums: steps and groups of other sizes, other shapes of sums.
std::vector<Variation> structures(const Datapath& words, int k);

// The same words with operands multiplied in other pieces.
std::vector<Variation> slicings(const Datapath& words, int k);

// The same words with everything between products and d of another.
Datapath with_adders_of(Datapath words, const Datapath& other);

std::vector<int> divisors(int n);

}  // namespace assay::identify
