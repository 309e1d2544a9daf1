// What a unit does with bits it cannot keep and with numbers that are special, found from the outside.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tb/probe/tree.hpp"

namespace assay::probe {

// Fraction bits kept below the largest addend.
struct Width {
  int bits = 0;
  bool at_least = false;  // nothing smaller could be asked
};
struct Widths {
  std::optional<Width> least_product, greatest_product;  // over all products
  std::optional<Width> c;
  std::optional<Width> result;  // fraction bits of d
};
Widths widths(const Workbench& bench, Asker& asker, const Node& tree);

// What a sum of 1 and a fraction of the result's unit u became.
struct Rounding {
  std::array<std::optional<int>, 4> quarters;  // 1+.75u, 1+.25u, -1-.75u, -1-.25u: d = +-1 + so many u
  std::array<std::optional<int>, 4> ties;      // 1+.5u, 1+1.5u, -1-.5u, -1-1.5u
  std::optional<int> odd;                      // 1+1.25u: 1 where a sticky bit makes results odd
  std::string mode;                            // "toward zero", .. or "no single mode"
};
struct Places {
  int one, fraction;  // addends
};
std::optional<Rounding> rounding(const Workbench& bench, Asker& asker, const Places& in, int result_bits);
std::string mode_of(const Rounding& found);

// A question whose answer is a word.
struct Feature {
  std::string group, question, answer;
  Code d = 0;
};
std::vector<Feature> features(const Workbench& bench, Asker& asker, const Node& tree, int result_bits);

}  // namespace assay::probe
