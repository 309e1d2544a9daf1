// A small set of nodes that decides others, and all its values tried.
#pragma once

#include <optional>
#include <vector>

#include "tb/prove/gates.hpp"

namespace assay {

// The fewest nodes that both sides are made of and that decide both, those nearest the inputs where there are several
// such sets; nothing where more than `most` are needed.
std::optional<std::vector<std::uint32_t>> smallest_cut(const Gates& gates, const std::vector<Lit>& x,
                                                       const std::vector<Lit>& y, int most);

// The same of nodes that may be in it, and of leaves, below which nobody looks.
struct CutQuestion {
  std::vector<Lit> roots;
  std::function<bool(std::uint32_t)> may_cut, is_leaf;
  bool is_high = false;  // of several such sets the one nearest the roots
};
std::optional<std::vector<std::uint32_t>> smallest_cut(const Gates& gates, const CutQuestion& question, int most);

// All values of `leaves`, of which `root` is a function: those for which it is true, as many as `most` of them. Bit i
// of each is the value of leaf i.
std::vector<std::uint64_t> all_values(const Gates& gates, Lit root, const std::vector<std::uint32_t>& leaves,
                                      std::size_t most, const std::function<bool()>& goes_on);

}  // namespace assay
