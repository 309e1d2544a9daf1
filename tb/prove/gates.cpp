#include "tb/prove/gates.hpp"

#include <algorithm>
#include <queue>

namespace assay {

std::uint64_t Gates::key(Lit x, Lit y) { return std::uint64_t{std::min(x, y)} << 32 | std::max(x, y); }

bool Gates::has(Lit x, Lit y) const { return known_.count(key(x, y)) != 0; }

Lit Gates::input() {
  nodes_.push_back({no_gate, no_gate});
  inputs_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
  return lit_of(inputs_.back());
}

Lit Gates::shortcut(Lit x, Lit y) const {
  if (x == y) return x;
  if (x == inverted(y) || x == lit_false || y == lit_false) return lit_false;
  if (x == lit_true) return y;
  if (y == lit_true) return x;
  for (const auto& [one, other] : {std::pair{x, y}, std::pair{y, x}}) {
    if (!is_gate(node_of(one))) continue;
    const Lit p = first(node_of(one)), q = second(node_of(one));
    if (!is_inverted(one) && (other == p || other == q)) return one;
    if (!is_inverted(one) && (other == inverted(p) || other == inverted(q))) return lit_false;
    if (is_inverted(one) && (other == inverted(p) || other == inverted(q))) return other;
    // two gates that are never true together
    if (is_inverted(other) || !is_gate(node_of(other))) continue;
    const Lit r = first(node_of(other)), s = second(node_of(other));
    if (p != inverted(r) && p != inverted(s) && q != inverted(r) && q != inverted(s)) continue;
    return is_inverted(one) ? other : lit_false;
  }
  return no_gate;
}

Lit Gates::both(Lit x, Lit y) {
  const Lit made = shortcut(x, y);
  if (made != no_gate) return made;
  // x and not (x and q) is x and not q
  for (const auto& [one, other] : {std::pair{x, y}, std::pair{y, x}}) {
    if (!is_gate(node_of(one)) || !is_inverted(one)) continue;
    const Lit p = first(node_of(one)), q = second(node_of(one));
    if (other == p) return both(other, inverted(q));
    if (other == q) return both(other, inverted(p));
  }
  if (x > y) std::swap(x, y);
  const auto [at, is_new] = known_.try_emplace(key(x, y), static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({x, y});
  return lit_of(at->second);
}

Lit Gates::differ(Lit x, Lit y) {
  if (is_constant(x)) return inverted_if(y, x == lit_true);
  if (is_constant(y)) return inverted_if(x, y == lit_true);
  const bool inverts = is_inverted(x) != is_inverted(y);
  x &= ~Lit{1};
  y &= ~Lit{1};
  return inverted_if(both(inverted(both(x, y)), inverted(both(inverted(x), inverted(y)))), inverts);
}

Lit Gates::choose(Lit which, Lit then, Lit otherwise) {
  if (which == lit_true || then == otherwise) return then;
  if (which == lit_false) return otherwise;
  if (then == inverted(otherwise)) return differ(which, otherwise);
  return inverted(both(inverted(both(which, then)), inverted(both(inverted(which), otherwise))));
}

Lit Gates::majority(Lit x, Lit y, Lit z) { return either(both(x, y), both(z, either(x, y))); }

Lit differ_in_any(const std::vector<Lit>& x, const std::vector<Lit>& y, Gates& gates) {
  Lit any = lit_false;
  for (std::size_t bit = 0; bit < x.size(); ++bit) any = gates.either(any, gates.differ(x[bit], y[bit]));
  return any;
}

std::vector<std::uint32_t> cone_of(const Gates& gates, const std::vector<Lit>& roots,
                                   const std::function<bool(std::uint32_t)>& is_leaf) {
  std::unordered_set<std::uint32_t> seen;
  std::vector<std::uint32_t> open, cone;
  const auto see = [&](Lit l) {
    if (!is_constant(l) && seen.insert(node_of(l)).second) open.push_back(node_of(l));
  };
  for (const Lit root : roots) see(root);
  while (!open.empty()) {
    const std::uint32_t node = open.back();
    open.pop_back();
    cone.push_back(node);
    if (!gates.is_gate(node) || (is_leaf && is_leaf(node))) continue;
    see(gates.first(node));
    see(gates.second(node));
  }
  std::sort(cone.begin(), cone.end());
  return cone;
}

std::unordered_set<std::uint32_t> gates_below(const Gates& gates, const std::vector<Lit>& roots, std::size_t count) {
  std::priority_queue<std::uint32_t> open;
  std::unordered_set<std::uint32_t> inside;
  for (const Lit root : roots) open.push(node_of(root));
  while (!open.empty() && inside.size() < count) {
    const std::uint32_t node = open.top();
    open.pop();
    if (!gates.is_gate(node) || !inside.insert(node).second) continue;
    open.push(node_of(gates.first(node)));
    open.push(node_of(gates.second(node)));
  }
  return inside;
}

namespace {

// Through `map`, which `input` fills for inputs that nothing stands for yet.
template <class MakeInput>
std::vector<Lit> mapped(const Gates& from, const std::vector<std::uint32_t>& cone, const std::vector<Lit>& roots,
                        std::vector<Lit>& map, Gates& into, const MakeInput& input) {
  const auto of = [&](Lit l) { return inverted_if(map[node_of(l)], is_inverted(l)); };
  for (const std::uint32_t node : cone) {
    if (map[node] != lit_none) continue;
    map[node] = from.is_gate(node) ? into.both(of(from.first(node)), of(from.second(node))) : input(node);
  }
  std::vector<Lit> made;
  made.reserve(roots.size());
  for (const Lit root : roots) made.push_back(of(root));
  return made;
}

// What is to be made for `roots`.
std::vector<std::uint32_t> left_to_map(const Gates& from, const std::vector<Lit>& roots, std::vector<Lit>& map) {
  map.resize(std::max(map.size(), from.size()), lit_none);
  map[0] = lit_false;
  return cone_of(from, roots, [&](std::uint32_t n) { return map[n] != lit_none; });
}

}  // namespace

std::vector<Lit> copied(const Gates& from, const std::vector<Lit>& roots, std::vector<Lit>& map, Gates& into) {
  return copied_cone(from, left_to_map(from, roots, map), roots, map, into);
}

std::vector<Lit> copied_cone(const Gates& from, const std::vector<std::uint32_t>& cone, const std::vector<Lit>& roots,
                             std::vector<Lit>& map, Gates& into) {
  return mapped(from, cone, roots, map, into, [&](std::uint32_t) { return into.input(); });
}

std::vector<Lit> copied_within(Gates& gates, const std::vector<Lit>& roots, std::vector<Lit>& map) {
  const std::vector<std::uint32_t> cone = left_to_map(gates, roots, map);
  return mapped(gates, cone, roots, map, gates, [](std::uint32_t node) { return lit_of(node); });
}

void GateSimulation::run(const std::vector<std::uint64_t>& inputs) {
  words_.assign(gates_->size(), 0);
  for (std::size_t i = 0; i < inputs.size(); ++i) words_[gates_->inputs()[i]] = inputs[i];
  for (std::uint32_t node = 1; node < words_.size(); ++node) {
    if (gates_->is_gate(node)) words_[node] = of(gates_->first(node)) & of(gates_->second(node));
  }
}

}  // namespace assay
