#include "tb/prove/sum_range.hpp"

#include "tb/prove/algebra.hpp"
#include "tb/prove/word.hpp"

namespace assay {

// Over free bits in place of the addends' own.
bool is_sum_of(const Gates& gates, const std::vector<Lit>& sum, const std::vector<std::vector<Lit>>& addends) {
  Gates over;
  std::vector<Lit> map(gates.size(), lit_none);
  map[0] = lit_false;
  for (const std::vector<Lit>& addend : addends) {
    for (const Lit l : addend) {
      if (map[node_of(l)] == lit_none) map[node_of(l)] = over.input();
    }
  }
  WordMaker words(over);
  const int width = static_cast<int>(sum.size());
  GateWord total = constant_word(0, width, true);
  for (const std::vector<Lit>& addend : addends)
    total = words.sum(total, extended({copied(gates, addend, map, over), true}, width, true));
  return is_same_sum(over, copied(gates, sum, map, over), total.bits);
}

}  // namespace assay
