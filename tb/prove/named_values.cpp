#include "tb/prove/named_values.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace assay {
namespace {

constexpr std::size_t fewest = 8;  // bits: of fewer, cases by chance have each value

}  // namespace

std::vector<std::vector<Lit>> named_values(const Gates& gates, const std::vector<Lit>& roots, std::size_t most) {
  std::vector<std::vector<Lit>> of(gates.size());  // what each gate takes together
  std::set<std::vector<Lit>> found;
  const auto taken = [&](Lit l) {
    if (gates.is_input(node_of(l))) return std::vector<Lit>{l};
    return is_inverted(l) || !gates.is_gate(node_of(l)) ? std::vector<Lit>{} : of[node_of(l)];
  };
  for (const std::uint32_t node : cone_of(gates, roots)) {
    if (!gates.is_gate(node)) continue;
    const std::vector<Lit> x = taken(gates.first(node)), y = taken(gates.second(node));
    std::set_union(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(of[node]));
    // A part of a longer one is that one's.
    if (of[node].size() < fewest || of[node].size() == std::max(x.size(), y.size())) continue;
    found.erase(x);
    found.erase(y);
    found.insert(of[node]);
  }
  std::vector<std::vector<Lit>> longest(found.begin(), found.end());
  std::stable_sort(longest.begin(), longest.end(), [](const auto& x, const auto& y) { return x.size() > y.size(); });
  if (longest.size() > most) longest.resize(most);
  return longest;
}

}  // namespace assay
