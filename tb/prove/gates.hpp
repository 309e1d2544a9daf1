// A circuit of and gates and inverters, each gate there once.
//
// A literal is twice a node's number, plus one where it is inverted. Node 0 is the constant false; a gate's inputs have
// lower numbers than the gate.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace assay {

using Lit = std::uint32_t;

inline constexpr Lit lit_false = 0;
inline constexpr Lit lit_true = 1;
inline Lit inverted(Lit l) { return l ^ 1; }
inline Lit inverted_if(Lit l, bool inverts) { return l ^ (inverts ? 1U : 0U); }
inline bool is_inverted(Lit l) { return (l & 1) != 0; }
inline std::uint32_t node_of(Lit l) { return l >> 1; }
inline Lit lit_of(std::uint32_t node) { return node << 1; }
inline bool is_constant(Lit l) { return l <= lit_true; }

class Gates {
 public:
  Gates() : nodes_{{0, 0}} {}

  Lit input();
  Lit both(Lit x, Lit y);
  Lit either(Lit x, Lit y) { return inverted(both(inverted(x), inverted(y))); }
  Lit differ(Lit x, Lit y);
  Lit choose(Lit which, Lit then, Lit otherwise);
  Lit majority(Lit x, Lit y, Lit z);

  bool has(Lit x, Lit y) const;  // a gate of these two
  std::size_t size() const { return nodes_.size(); }
  const std::vector<std::uint32_t>& inputs() const { return inputs_; }  // their nodes, in the order they were made
  bool is_input(std::uint32_t node) const { return nodes_[node].first == no_gate && node != 0; }
  bool is_gate(std::uint32_t node) const { return node != 0 && nodes_[node].first != no_gate; }
  Lit first(std::uint32_t gate) const { return nodes_[gate].first; }
  Lit second(std::uint32_t gate) const { return nodes_[gate].second; }

 private:
  static constexpr Lit no_gate = ~Lit{0};
  struct Node {
    Lit first, second;
  };
  static std::uint64_t key(Lit x, Lit y);
  // What `x` and `y` come to without a gate of their own; `no_gate` where they need one.
  Lit shortcut(Lit x, Lit y) const;

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> inputs_;
  std::unordered_map<std::uint64_t, std::uint32_t> known_;
};

// Whether two words differ in any bit.
Lit differ_in_any(const std::vector<Lit>& x, const std::vector<Lit>& y, Gates& gates);

// The gates and inputs that `roots` are made of, lower numbers first; nothing below a leaf, which is in it.
std::vector<std::uint32_t> cone_of(const Gates& gates, const std::vector<Lit>& roots,
                                   const std::function<bool(std::uint32_t)>& is_leaf = {});

// The gates nearest below `roots`, so many of them, the highest first: what both sides have in common is reached last.
std::unordered_set<std::uint32_t> gates_below(const Gates& gates, const std::vector<Lit>& roots, std::size_t count);

// Copies what `roots` are made of into `into`; `map` says what stands for each node that was copied or given, by its
// number: lit_none where nothing does yet.
inline constexpr Lit lit_none = ~Lit{0};
std::vector<Lit> copied(const Gates& from, const std::vector<Lit>& roots, std::vector<Lit>& map, Gates& into);
// The same where `cone` says what they are made of, for roots that are copied again and again. Of gates that come to a
// constant or to another one none is made.
std::vector<Lit> copied_cone(const Gates& from, const std::vector<std::uint32_t>& cone, const std::vector<Lit>& roots,
                             std::vector<Lit>& map, Gates& into);
// The same within one circuit, whose inputs stay.
std::vector<Lit> copied_within(Gates& gates, const std::vector<Lit>& roots, std::vector<Lit>& map);

// The value of every node for 64 cases at once.
class GateSimulation {
 public:
  explicit GateSimulation(const Gates& gates) : gates_(&gates) {}
  // A word for each input, in their order.
  void run(const std::vector<std::uint64_t>& inputs);
  std::uint64_t of(Lit l) const { return words_[node_of(l)] ^ (is_inverted(l) ? ~std::uint64_t{0} : 0); }

 private:
  const Gates* gates_;
  std::vector<std::uint64_t> words_;
};

}  // namespace assay
