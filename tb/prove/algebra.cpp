#include "tb/prove/algebra.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <unordered_map>

#include "model/core/integer.hpp"

namespace assay {
namespace {

constexpr std::size_t most_cuts = 40;       // kept of each gate
constexpr std::size_t most_gates = 200000;  // of both words
constexpr std::uint32_t nobody = ~std::uint32_t{0};

// Up to three nodes, in order, that decide another, and how: bit i is its value where their values make the number i.
struct Cut {
  std::array<std::uint32_t, 3> leaves{nobody, nobody, nobody};
  int count = 0;
  std::uint8_t table = 0;
};

constexpr std::uint8_t column[3] = {0xaa, 0xcc, 0xf0};

// The table of `cut` over more leaves.
std::uint8_t over(const Cut& cut, const std::array<std::uint32_t, 3>& leaves) {
  std::uint8_t table = 0;
  for (unsigned row = 0; row < 8; ++row) {
    unsigned from = 0;
    for (int i = 0; i < cut.count; ++i) {
      const auto at = std::find(leaves.begin(), leaves.end(), cut.leaves[static_cast<std::size_t>(i)]) - leaves.begin();
      from |= (row >> at & 1) << i;
    }
    table = static_cast<std::uint8_t>(table | (cut.table >> from & 1) << row);
  }
  return table;
}

bool merged(const Cut& x, const Cut& y, Cut& made) {
  std::vector<std::uint32_t> all;
  std::set_union(x.leaves.begin(), x.leaves.begin() + x.count, y.leaves.begin(), y.leaves.begin() + y.count,
                 std::back_inserter(all));
  if (all.size() > 3) return false;
  made.count = static_cast<int>(all.size());
  std::copy(all.begin(), all.end(), made.leaves.begin());
  return true;
}

// An adder cell's output over three or two nodes: literals of these that the cell adds, one for each bit of `turned`.
struct Output {
  std::uint32_t node = 0;
  unsigned turned = 0;  // of a carry: which of the nodes are added inverted
  bool inverts = false;
};

using Leaves = std::array<std::uint32_t, 3>;

// All outputs of adder cells in a circuit.
class Cells {
 public:
  Cells(const Gates& gates, const std::vector<std::uint32_t>& cone) {
    for (const std::uint32_t node : cone) {
      cuts_[node] = {unit_cut(node)};
      if (!gates.is_gate(node)) continue;
      grow(gates, node);
      std::vector<Cut> nearest_first = cuts_[node];
      std::sort(nearest_first.begin(), nearest_first.end(), is_nearer);
      for (const Cut& cut : nearest_first) see(node, cut);
    }
  }

  struct Role {
    Leaves leaves;
    Output output;
  };
  const std::vector<Role>& carries(std::uint32_t node) const { return of(carries_, node); }
  const std::vector<Role>& sums(std::uint32_t node) const { return of(sums_, node); }
  const std::vector<Output>& sums_of(const Leaves& leaves) const {
    static const std::vector<Output> none;
    const auto found = sums_by_leaves_.find(leaves);
    return found == sums_by_leaves_.end() ? none : found->second;
  }

 private:
  using Roles = std::unordered_map<std::uint32_t, std::vector<Role>>;

  static const std::vector<Role>& of(const Roles& roles, std::uint32_t node) {
    static const std::vector<Role> none;
    const auto found = roles.find(node);
    return found == roles.end() ? none : found->second;
  }

  // Of several cells that a gate may be of, the one whose inputs are the highest: a carry's own, and not the one
  // before.
  static bool is_nearer(const Cut& x, const Cut& y) {
    const auto highest = [](const Cut& cut) { return cut.leaves[static_cast<std::size_t>(cut.count - 1)]; };
    return highest(x) > highest(y);
  }

  static Cut unit_cut(std::uint32_t node) { return {{node, nobody, nobody}, 1, column[0]}; }

  void grow(const Gates& gates, std::uint32_t node) {
    std::vector<Cut> made;
    const Lit p = gates.first(node), q = gates.second(node);
    for (const Cut& x : cuts_[node_of(p)]) {
      for (const Cut& y : cuts_[node_of(q)]) {
        Cut cut;
        if (made.size() >= most_cuts || !merged(x, y, cut)) continue;
        const auto turn = [](Lit l, std::uint8_t table) {
          return is_inverted(l) ? static_cast<std::uint8_t>(~table) : table;
        };
        cut.table = static_cast<std::uint8_t>(turn(p, over(x, cut.leaves)) & turn(q, over(y, cut.leaves)));
        const auto same = [&](const Cut& other) { return other.leaves == cut.leaves; };
        if (std::none_of(made.begin(), made.end(), same)) made.push_back(cut);
      }
    }
    cuts_[node].insert(cuts_[node].end(), made.begin(), made.end());
  }

  void see(std::uint32_t node, const Cut& cut) {
    if (cut.count < 2) return;
    const auto table_of = [&](unsigned turned, bool is_carry) {
      std::uint8_t in[3];
      for (unsigned i = 0; i < 3; ++i)
        in[i] = (turned >> i & 1) != 0 ? static_cast<std::uint8_t>(~column[i]) : column[i];
      if (cut.count == 2) return static_cast<std::uint8_t>(is_carry ? in[0] & in[1] : in[0] ^ in[1]);
      return static_cast<std::uint8_t>(is_carry ? (in[0] & in[1]) | (in[2] & (in[0] | in[1])) : in[0] ^ in[1] ^ in[2]);
    };
    const auto is_either = [&](std::uint8_t table, bool& inverts) {
      inverts = cut.table == static_cast<std::uint8_t>(~table);
      return inverts || cut.table == table;
    };
    bool inverts = false;
    if (is_either(table_of(0, false), inverts)) {
      sums_[node].push_back({cut.leaves, {node, 0, inverts}});
      sums_by_leaves_[cut.leaves].push_back({node, 0, inverts});
    }
    for (unsigned turned = 0; turned < (1U << cut.count); ++turned) {
      if (is_either(table_of(turned, true), inverts)) carries_[node].push_back({cut.leaves, {node, turned, inverts}});
    }
  }

  std::unordered_map<std::uint32_t, std::vector<Cut>> cuts_;
  Roles carries_, sums_;
  std::map<Leaves, std::vector<Output>> sums_by_leaves_;
};

// A weighted sum of nodes, modulo 2^width.
class Polynomial {
 public:
  // Of nodes, whether two of them are never set at once.
  using Carryless = std::function<bool(const Leaves&, unsigned)>;

  Polynomial(const std::vector<Lit>& word, const Cells& cells, Carryless carries_never)
      : cells_(cells),
        carries_never_(std::move(carries_never)),
        mask_(shift_left(1, static_cast<int>(word.size())) - 1) {
    for (std::size_t i = 0; i < word.size(); ++i) add(word[i], u128{1} << i);
  }

  // Until no cell is left, the highest nodes first.
  void reduce() {
    while (take_highest([&](std::uint32_t node) { return take_cell(node); }) ||
           take_highest([&](std::uint32_t node) { return take_without_carry(node); })) {
    }
  }

  using Weights = std::map<std::uint32_t, u128>;
  const Weights& weights() const { return weights_; }
  u128 constant() const { return constant_; }

 private:
  u128 weight(std::uint32_t node) const {
    const auto found = weights_.find(node);
    return found == weights_.end() ? 0 : found->second;
  }

  void add(Lit l, u128 by) {
    if (is_inverted(l)) constant_ = (constant_ + by) & mask_;
    if (is_constant(l)) return;
    u128& at = weights_[node_of(l)];
    at = (at + (is_inverted(l) ? ~by + 1 : by)) & mask_;
    if (at == 0) weights_.erase(node_of(l));
  }

  // Of a node that is a literal of an output: the weight of the output.
  u128 weight_of(std::uint32_t node, bool inverts) const {
    return (inverts ? ~weight(node) + 1 : weight(node)) & mask_;
  }

  // Whether there was one.
  bool take_highest(const std::function<bool(std::uint32_t)>& take) {
    std::vector<std::uint32_t> nodes;
    for (auto term = weights_.rbegin(); term != weights_.rend(); ++term) nodes.push_back(term->first);
    return std::any_of(nodes.begin(), nodes.end(), take);
  }

  bool take_cell(std::uint32_t node) {
    for (const Cells::Role& carry : cells_.carries(node)) {
      for (const Output& sum : cells_.sums_of(carry.leaves)) {
        const bool odd = __builtin_parity(carry.output.turned) != 0;
        const bool sum_inverts = sum.inverts != odd;
        const u128 by = weight_of(sum.node, sum_inverts);
        if (by == 0 || ((2 * by) & mask_) != weight_of(node, carry.output.inverts)) continue;
        remove(node, carry.output.inverts);
        remove(sum.node, sum_inverts);
        add_leaves(carry.leaves, carry.output.turned, by);
        return true;
      }
    }
    for (const Cells::Role& sum : cells_.sums(node)) {
      if (((2 * weight_of(node, sum.output.inverts)) & mask_) == 0)  // its carry has no weight
        return put_in_place_of(node, sum.output.inverts, sum.leaves, 0);
    }
    return false;
  }

  // Of literals of which no two are set at once: the carry, which is none; the sum; and `or`, which is their sum.
  bool take_without_carry(std::uint32_t node) {
    for (const Cells::Role& carry : cells_.carries(node)) {
      if (carries_never_(carry.leaves, carry.output.turned)) {
        remove(node, carry.output.inverts);
        return true;
      }
      const unsigned others = carry.output.turned ^ 3;
      if (carry.leaves[2] == nobody && carries_never_(carry.leaves, others))
        return put_in_place_of(node, !carry.output.inverts, carry.leaves, others);
    }
    for (const Cells::Role& sum : cells_.sums(node)) {
      const unsigned count = sum.leaves[2] == nobody ? 2 : 3;
      for (unsigned turned = 0; turned < (1U << count); ++turned) {
        if ((__builtin_parity(turned) != 0) == sum.output.inverts && carries_never_(sum.leaves, turned))
          return put_in_place_of(node, false, sum.leaves, turned);
      }
    }
    return false;
  }

  bool put_in_place_of(std::uint32_t node, bool inverts, const Leaves& leaves, unsigned turned) {
    const u128 by = weight_of(node, inverts);
    remove(node, inverts);
    add_leaves(leaves, turned, by);
    return true;
  }

  // Its weight is that of the output; what was added for an inversion goes with it.
  void remove(std::uint32_t node, bool inverts) {
    const u128 by = weight_of(node, inverts);
    add(inverted_if(lit_of(node), inverts), ~by + 1);
  }

  void add_leaves(const Leaves& leaves, unsigned turned, u128 by) {
    for (unsigned i = 0; i < 3; ++i) {
      if (leaves[i] != nobody) add(inverted_if(lit_of(leaves[i]), (turned >> i & 1) != 0), by);
    }
  }

  const Cells& cells_;
  Carryless carries_never_;
  u128 mask_;
  Weights weights_;
  u128 constant_ = 0;
};

// x and y; where that is neither (p and q) nor (p and r), as not (p and (q or r)). A carry out of three bits of which
// two are never set together is no cell's; so it is one of two bits, of which the first is their sum.
Lit both_factored(Lit x, Lit y, Gates& gates) {
  if (is_inverted(x) && is_inverted(y) && gates.is_gate(node_of(x)) && gates.is_gate(node_of(y))) {
    const Lit in_x[] = {gates.first(node_of(x)), gates.second(node_of(x))},
              in_y[] = {gates.first(node_of(y)), gates.second(node_of(y))};
    for (const int i : {0, 1}) {
      for (const int j : {0, 1}) {
        if (in_x[i] == in_y[j]) return inverted(gates.both(in_x[i], gates.either(in_x[1 - i], in_y[1 - j])));
      }
    }
  }
  return gates.both(x, y);
}

std::vector<Lit> joined(std::vector<Lit> x, const std::vector<Lit>& y) {
  x.insert(x.end(), y.begin(), y.end());
  return x;
}

// Both words in one circuit of their own, each as it is or factored.
struct Words {
  Gates gates;
  std::vector<Lit> x, y;
  std::vector<Lit> from;  // of a node here one of those that it was made for; lit_none where nothing was
};

Words copied(const Gates& from, const std::vector<Lit>& x, bool factors_x, const std::vector<Lit>& y, bool factors_y) {
  Words words;
  std::unordered_map<std::uint32_t, Lit> inputs;
  const auto copy = [&](const std::vector<Lit>& word, bool factors) {
    std::unordered_map<std::uint32_t, Lit> map{{0, lit_false}};
    const auto of = [&](Lit l) { return inverted_if(map.at(node_of(l)), is_inverted(l)); };
    for (const std::uint32_t node : cone_of(from, word)) {
      if (from.is_gate(node)) {
        const Lit p = of(from.first(node)), q = of(from.second(node));
        map[node] = factors ? both_factored(p, q, words.gates) : words.gates.both(p, q);
      } else {
        map[node] = inputs.at(node);
      }
      words.from.resize(words.gates.size(), lit_none);
      Lit& at = words.from[node_of(map[node])];
      if (at == lit_none) at = inverted_if(lit_of(node), is_inverted(map[node]));
    }
    std::vector<Lit> made;
    for (const Lit l : word) made.push_back(of(l));
    return made;
  };
  for (const std::uint32_t node : cone_of(from, joined(x, y))) {
    if (!from.is_gate(node)) inputs[node] = words.gates.input();
  }
  words.x = copy(x, factors_x);
  words.y = copy(y, factors_y);
  return words;
}

// Whether what only one of the two has goes into pairs of one weight, each the same.
bool are_paired(const Polynomial& p, const Polynomial& q,
                const std::function<bool(std::uint32_t, std::uint32_t)>& same) {
  std::multimap<u128, std::uint32_t> only_q;
  for (const auto& [node, weight] : q.weights()) {
    const auto in_p = p.weights().find(node);
    if (in_p == p.weights().end())
      only_q.emplace(weight, node);
    else if (in_p->second != weight)
      return false;
  }
  for (const auto& [node, weight] : p.weights()) {
    if (q.weights().count(node) != 0) continue;
    const auto [first, last] = only_q.equal_range(weight);
    auto found = first;
    while (found != last && !same(node, found->second)) ++found;
    if (found == last) return false;
    only_q.erase(found);
  }
  return only_q.empty() && p.constant() == q.constant();
}

bool is_same_sum(const Words& words, const SumQuestions& questions) {
  const std::vector<std::uint32_t> all = cone_of(words.gates, joined(words.x, words.y));
  const Cells cells(words.gates, all);
  const auto from = [&](std::uint32_t node) { return words.from[node]; };
  const auto are_never_both = [&](const Leaves& leaves, unsigned turned, unsigned i, unsigned j) {
    if (leaves[i] == nobody || leaves[j] == nobody) return true;
    const Lit x = from(leaves[i]), y = from(leaves[j]);
    return questions.are_never_both && x != lit_none && y != lit_none &&
           questions.are_never_both(inverted_if(x, (turned >> i & 1) != 0), inverted_if(y, (turned >> j & 1) != 0));
  };
  const auto carries_never = [&](const Leaves& leaves, unsigned turned) {
    return are_never_both(leaves, turned, 0, 1) && are_never_both(leaves, turned, 0, 2) &&
           are_never_both(leaves, turned, 1, 2);
  };
  Polynomial p(words.x, cells, carries_never), q(words.y, cells, carries_never);
  p.reduce();
  q.reduce();
  const auto same = [&](std::uint32_t x, std::uint32_t y) {
    return questions.is_same && from(x) != lit_none && from(y) != lit_none && questions.is_same(from(x), from(y));
  };
  return are_paired(p, q, same);
}

}  // namespace

bool is_same_sum(const Gates& gates, const std::vector<Lit>& x, const std::vector<Lit>& y,
                 const SumQuestions& questions) {
  if (x.size() != y.size() || x.size() < 3 || x.size() > 128) return false;
  if (cone_of(gates, joined(x, y)).size() > most_gates) return false;
  // Factored, some ways to write a sum lose the cells that others win.
  return is_same_sum(copied(gates, x, false, y, false), questions) ||
         is_same_sum(copied(gates, x, false, y, true), questions) ||
         is_same_sum(copied(gates, x, true, y, false), questions);
}

bool is_same_sum(const Gates& gates, const std::vector<Lit>& x, const std::vector<Lit>& y) {
  return is_same_sum(gates, x, y, {});
}

}  // namespace assay
