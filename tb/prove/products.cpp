// Products that are too wide for all their values to be tried: partial products are summed, and algebra sees through
// the order of a sum. A product may be masked, as a whole or at its operands:
//
//   counts and (x * y)     (counts and x) * y
//
// Both are x * y where the masks are set; where one is not, both are zero, which a solver shows.
#include <algorithm>

#include "tb/prove/algebra.hpp"
#include "tb/prove/sweep.hpp"

namespace assay {
namespace {

// A word, each bit of which was the `and` of all masks and of what is left here.
struct Unmasked {
  std::vector<Lit> bits;
  std::vector<Lit> masks;
};

bool has_mask(const Gates& gates, Lit l, Lit mask) {
  return is_constant(l) ? l == lit_false
                        : !is_inverted(l) && gates.is_gate(node_of(l)) &&
                              (gates.first(node_of(l)) == mask || gates.second(node_of(l)) == mask);
}

// Of all bits of a word.
std::optional<Lit> common_mask(const Gates& gates, const std::vector<Lit>& bits) {
  const auto first = std::find_if(bits.begin(), bits.end(), [](Lit l) { return !is_constant(l); });
  if (first == bits.end() || !gates.is_gate(node_of(*first))) return std::nullopt;
  for (const Lit mask : {gates.first(node_of(*first)), gates.second(node_of(*first))}) {
    if (std::all_of(bits.begin(), bits.end(), [&](Lit l) { return has_mask(gates, l, mask); })) return mask;
  }
  return std::nullopt;
}

Unmasked unmasked(const Gates& gates, std::vector<Lit> bits) {
  Unmasked word{std::move(bits), {}};
  while (const auto mask = common_mask(gates, word.bits)) {
    word.masks.push_back(*mask);
    for (Lit& l : word.bits) {
      if (!is_constant(l)) l = gates.first(node_of(l)) == *mask ? gates.second(node_of(l)) : gates.first(node_of(l));
    }
  }
  return word;
}

}  // namespace

// Of a stage's own gates those that are still to be made, once its product is one on both sides.
std::vector<std::uint32_t> Sweep::left_of_product(const SweepStage& stage, const std::vector<std::uint32_t>& own) {
  for (const std::uint32_t node : own) make(node, Patience::none);
  hold_product(stage);
  std::vector<Lit> roots;
  for (const std::size_t bit : apart_in(stage)) roots.insert(roots.end(), {stage.model[bit], stage.unit[bit]});
  const auto is_own = [&](std::uint32_t node) { return std::binary_search(own.begin(), own.end(), node); };
  std::vector<std::uint32_t> left;
  for (const std::uint32_t node : cone_of(gates_, roots, [&](std::uint32_t n) { return !is_own(n); })) {
    if (is_own(node)) left.push_back(node);
  }
  return left;
}

// As it is written, but for constants: what shifts by no distance, selects what is always selected, or masks by what is
// set is one, as cases show. Nothing within a sum of two bits is, though both may never be set together: that would
// hide adder cells.
std::vector<Lit> Sweep::plainer(const std::vector<Lit>& word) {
  for (const std::uint32_t node : cone_of(gates_, word)) {
    if (!gates_.is_gate(node)) continue;
    make(node, Patience::none);
    const Lit made = of(lit_of(node));
    if (gates_.has(inverted(gates_.first(node)), inverted(gates_.second(node)))) continue;
    for (const Lit constant : {lit_false, lit_true}) {
      if (is_constant(made) || !looks_same(made, constant)) continue;
      if (compare(made, constant, true) == SolverAnswer::never) unite(made, constant);
    }
  }
  std::vector<Lit> roots;
  for (const Lit l : word) roots.push_back(of(l));
  return refreshed(roots);
}

// Of each input those of the cases in which all masks are set.
std::vector<std::vector<std::uint64_t>> Sweep::cases_with(const std::vector<Lit>& masks) const {
  std::vector<std::size_t> set;
  for (std::size_t n = 0; n < stride_ * 64; ++n) {
    const auto is_set = [&](Lit l) { return ((values(node_of(l))[n / 64] >> n % 64 & 1) != 0) != is_inverted(l); };
    if (std::all_of(masks.begin(), masks.end(), is_set)) set.push_back(n);
  }
  if (set.empty()) return {};
  std::vector<std::vector<std::uint64_t>> words;
  for (const std::uint32_t input : swept_.inputs()) {
    words.emplace_back((set.size() + 63) / 64, 0);
    for (std::size_t n = 0; n < words.back().size() * 64; ++n) {
      const std::size_t from = set[n % set.size()];
      words.back()[n / 64] |= (values(input)[from / 64] >> from % 64 & 1) << n % 64;
    }
  }
  return words;
}

// Where all masks are set, both words are the same product.
bool Sweep::is_same_where(const std::vector<Lit>& masks, const std::vector<Lit>& x, const std::vector<Lit>& y) {
  const std::vector<std::vector<std::uint64_t>> cases = cases_with(masks);
  if (cases.empty()) return false;
  Gates set;
  std::vector<Lit> map(swept_.size(), lit_none);
  for (const std::uint32_t node : swept_.inputs()) map[node] = set.input();
  const auto copy = [&](const std::vector<Lit>& roots) { return copied(swept_, roots, map, set); };
  const std::vector<Lit> of_masks = copy(masks), of_x = copy(x), of_y = copy(y);
  Sweep sub(set, cases, limits_, goes_on_);
  sub.assume(of_masks);
  sub.begin_alone();
  if (!sub.is_same_product(of_x, of_y)) return false;
  efforts_.back().engines.insert(sub.efforts_.back().engines.begin(), sub.efforts_.back().engines.end());
  return true;
}

// Mask by mask, until none is left.
bool Sweep::is_same_product(const std::vector<Lit>& x, const std::vector<Lit>& y) {
  const std::vector<Lit> plain_x = plainer(x), plain_y = plainer(y);
  const Unmasked of_x = unmasked(swept_, plain_x), of_y = unmasked(swept_, plain_y);
  std::vector<Lit> masks = of_x.masks;
  masks.insert(masks.end(), of_y.masks.begin(), of_y.masks.end());
  const std::vector<Lit> zero(x.size(), lit_false);
  if (!masks.empty())
    return are_same_unless(of_y.masks, plain_x, zero) && are_same_unless(of_x.masks, plain_y, zero) &&
           is_same_where(masks, of_x.bits, of_y.bits);
  const auto is_same = [&](Lit p, Lit q) { return looks_same(p, q) && compare(p, q, false) == SolverAnswer::never; };
  const auto are_never_both = [&](Lit p, Lit q) {
    const Lit both = plain(p, q);
    return both == lit_false || is_same(both, lit_false);
  };
  if (!is_same_sum(swept_, plain_x, plain_y, {is_same, are_never_both})) return false;
  efforts_.back().engines.insert(ProofEngine::algebra);
  return true;
}

// Of numbers, in a circuit of its own that is as both sides were read: what they were merged to hides adder cells, and
// what a solver learns of partial products is of no use later. What NaN and infinity have there is no product.
void Sweep::hold_product(const SweepStage& stage) {
  if (!goes_on_()) return;
  Gates own;
  std::vector<std::vector<std::uint64_t>> cases;
  std::vector<Lit> map(gates_.size(), lit_none);
  for (const std::uint32_t node : gates_.inputs()) {
    map[node] = own.input();
    const std::uint64_t* words = values(node_of(map_[node]));
    cases.emplace_back(words, words + stride_);
  }
  const auto copy = [&](auto begin, auto end) { return copied(gates_, {begin, end}, map, own); };
  const auto low = [&](const std::vector<Lit>& word) { return copy(word.begin(), word.begin() + stage.product_bits); };
  const std::vector<Lit> x = low(stage.model), y = low(stage.unit);
  const std::vector<Lit> special = copy(stage.model.end() - 2, stage.model.end());
  Sweep sub(own, cases, limits_, goes_on_);
  sub.begin_alone();
  const std::vector<Lit> of_x = sub.made_plainly(x), of_y = sub.made_plainly(y);
  std::vector<Lit> finite;
  for (const Lit l : sub.made_plainly(special)) finite.push_back(inverted(l));
  if (!sub.are_same_unless(finite, of_x, of_y) || !sub.is_same_where(finite, of_x, of_y)) return;
  efforts_.back().engines.insert(sub.efforts_.back().engines.begin(), sub.efforts_.back().engines.end());
  for (int bit = 0; bit < stage.product_bits; ++bit) merge(stage, static_cast<std::size_t>(bit));
}

// Whether two words are the same wherever one of the masks is not set.
bool Sweep::are_same_unless(const std::vector<Lit>& masks, const std::vector<Lit>& x, const std::vector<Lit>& y) {
  for (const Lit mask : masks) {
    for (std::size_t bit = 0; bit < x.size(); ++bit) {
      for (const bool turned : {false, true}) {
        if (solving_->ask({inverted(mask), inverted_if(x[bit], turned), inverted_if(y[bit], !turned)},
                          limits_.goal_conflicts / 10, goes_on_) != SolverAnswer::never)
          return false;
      }
    }
  }
  return true;
}

void Sweep::begin_alone() {
  efforts_.emplace_back();
  begin();
}

}  // namespace assay
