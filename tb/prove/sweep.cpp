#include "tb/prove/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <queue>
#include <unordered_set>

#include "tb/prove/cut.hpp"

namespace assay {
namespace {

constexpr std::size_t local_gates = 150;        // below two candidates, before what is below is free
constexpr std::size_t solver_variables = 60000;  // after which it is begun anew
constexpr std::size_t tries = 4;                // candidates that a node is held to
constexpr std::size_t common_gates[] = {0, 500, 4000};
constexpr std::size_t exhausted_gates = 20000;
constexpr std::size_t most_apart = 256;  // values of leaves that are shown to come up never, one by one

// The gates nearest below `roots`, so many of them, the highest first: what both sides have in common is reached last.
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

}  // namespace

const char* engine_name(Engine engine) {
  static const char* const names[] = {"structure", "CaDiCaL on parts", "CaDiCaL", "exhaustion"};
  return names[static_cast<std::size_t>(engine)];
}

Sweep::Sweep(const Gates& gates, std::vector<std::vector<std::uint64_t>> patterns, const SweepLimits& limits,
             std::function<bool()> goes_on)
    : gates_(gates),
      patterns_(std::move(patterns)),
      limits_(limits),
      goes_on_(std::move(goes_on)),
      base_words_(patterns_.empty() ? 0 : patterns_.front().size()),
      stride_(base_words_ + extra_words) {
  values_.assign(stride_, 0);
  map_.assign(gates.size(), lit_none);
  map_[0] = lit_false;
  alike_[0].push_back(0);
}

void Sweep::run(const std::vector<Lit>& roots, const std::vector<Goal>& goals, std::vector<std::uint32_t> owners) {
  owners_ = std::move(owners);
  for (const std::uint32_t input : gates_.inputs()) {
    map_[input] = swept_.input();
    add_values(node_of(map_[input]));
  }
  for (const Goal& goal : goals) {
    const Lit later = std::max(goal.model, goal.unit), earlier = std::min(goal.model, goal.unit);
    wanted_[node_of(later)].push_back({inverted_if(earlier, is_inverted(later)), goal.is_known});
  }
  solving_ = std::make_unique<Solving>(swept_);
  for (const std::uint32_t node : cone_of(gates_, roots)) {
    if (map_[node] == lit_none) make(node);
  }
}

void Sweep::make(std::uint32_t node) {
  const auto begun = std::chrono::steady_clock::now();
  effort_ = &efforts_[owners_[node]];
  const std::size_t before = swept_.size();
  const Lit made = swept_.both(of(gates_.first(node)), of(gates_.second(node)));
  map_[node] = made;
  const bool is_new = swept_.size() != before;
  if (is_new) add_values(node_of(made));
  bool found = false;
  const Lit goal = goal_of(made, node, found);
  if (found) map_[node] = goal;
  if (!found && is_new) map_[node] = settled(made);
  effort_->seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

// What the node is to be equal to, where that is shown.
Lit Sweep::goal_of(Lit made, std::uint32_t node, bool& found) {
  const auto wanted = wanted_.find(node);
  if (wanted == wanted_.end()) return made;
  for (const Wanted& want : wanted->second) {
    if (map_[node_of(want.other)] == lit_none) continue;
    const Lit other = of(want.other);
    found = other == made || want.is_known ||
            (goes_on_() && looks_same(made, other) && compare(made, other, true) == Verdict::never);
    if (found) return other;
  }
  return made;
}

// What stands for a new node: an earlier one that is equal, or it.
Lit Sweep::settled(Lit made) {
  bool inverts = false;
  auto& list = alike_[hash_of(node_of(made), inverts)];
  std::size_t tried = 0;
  for (std::size_t i = 0; i < list.size() && tried < tries && goes_on_(); ++i) {
    bool other_inverts = false;
    hash_of(list[i], other_inverts);
    const Lit other = inverted_if(lit_of(list[i]), (inverts != other_inverts) != is_inverted(made));
    if (!looks_same(made, other)) continue;
    ++tried;
    const Verdict verdict = compare(made, other, false);
    if (verdict == Verdict::never) return other;
    if (verdict == Verdict::unknown) ++undecided_;
  }
  list.push_back(node_of(made));
  return made;
}

std::vector<std::vector<std::uint64_t>> Sweep::learned() const {
  std::vector<std::vector<std::uint64_t>> batches;
  for (std::size_t w = 0; w < std::min(extra_words, (learned_ + 63) / 64); ++w) {
    batches.emplace_back();
    for (const std::uint32_t input : swept_.inputs()) batches.back().push_back(values(input)[base_words_ + w]);
  }
  return batches;
}

// --- what cases show ---

void Sweep::add_values(std::uint32_t node) {
  values_.resize(std::max(values_.size(), (std::size_t{node} + 1) * stride_), 0);
  std::uint64_t* to = values_.data() + node * stride_;
  if (swept_.is_input(node)) {
    const auto& inputs = swept_.inputs();
    const auto index = static_cast<std::size_t>(std::lower_bound(inputs.begin(), inputs.end(), node) - inputs.begin());
    std::copy(patterns_[index].begin(), patterns_[index].begin() + static_cast<std::ptrdiff_t>(base_words_), to);
    return;
  }
  const Lit x = swept_.first(node), y = swept_.second(node);
  const std::uint64_t *p = values(node_of(x)), *q = values(node_of(y));
  const std::uint64_t turn_x = is_inverted(x) ? ~std::uint64_t{0} : 0, turn_y = is_inverted(y) ? ~std::uint64_t{0} : 0;
  for (std::size_t w = 0; w < stride_; ++w) to[w] = (p[w] ^ turn_x) & (q[w] ^ turn_y);
}

bool Sweep::looks_same(Lit x, Lit y) const {
  const std::uint64_t turn = is_inverted(x) != is_inverted(y) ? ~std::uint64_t{0} : 0;
  const std::uint64_t *p = values(node_of(x)), *q = values(node_of(y));
  for (std::size_t w = 0; w < stride_; ++w) {
    if (p[w] != (q[w] ^ turn)) return false;
  }
  return true;
}

// Over the cases that were there from the start: the same for a node and its inverse.
std::uint64_t Sweep::hash_of(std::uint32_t node, bool& inverts) const {
  const std::uint64_t* words = values(node);
  inverts = (words[0] & 1) != 0;
  const std::uint64_t turn = inverts ? ~std::uint64_t{0} : 0;
  std::uint64_t hash = 0;
  for (std::size_t w = 0; w < base_words_; ++w) hash = (hash ^ (words[w] ^ turn)) * 0x9e3779b97f4a7c15 + (hash >> 29);
  return hash;
}

void Sweep::learn(const Solving& solving) {
  std::vector<char> inputs;
  for (const std::uint32_t input : swept_.inputs()) inputs.push_back(solving.value(input) ? 1 : 0);
  learn_values(inputs);
}

// One more case, in place of the oldest that was learned.
void Sweep::learn_values(const std::vector<char>& inputs) {
  const std::size_t at = base_words_ + learned_ / 64 % extra_words, bit = learned_ % 64;
  const std::uint64_t mask = std::uint64_t{1} << bit;
  ++learned_;
  const auto& nodes = swept_.inputs();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    std::uint64_t& word = values_[nodes[i] * stride_ + at];
    word = (word & ~mask) | (inputs[i] != 0 ? mask : 0);
  }
  for (std::uint32_t node = 1; node < swept_.size(); ++node) {
    if (!swept_.is_gate(node)) continue;
    const Lit x = swept_.first(node), y = swept_.second(node);
    values_[node * stride_ + at] = (values_[node_of(x) * stride_ + at] ^ (is_inverted(x) ? ~std::uint64_t{0} : 0)) &
                                   (values_[node_of(y) * stride_ + at] ^ (is_inverted(y) ? ~std::uint64_t{0} : 0));
  }
}

// --- what engines say ---

Verdict Sweep::compare(Lit x, Lit y, bool is_goal) {
  const auto said = [&](Engine engine, Verdict verdict) {
    if (verdict == Verdict::never) effort_->engines.insert(engine);
    return verdict;
  };
  if (said(Engine::local_solver, compare_locally(x, y)) == Verdict::never) return Verdict::never;
  Verdict verdict = said(Engine::solver, compare_wholly(x, y, limits_.conflicts));
  if (verdict != Verdict::unknown) return verdict;
  verdict = said(Engine::exhaustion, compare_exhaustively(x, y, is_goal ? limits_.goal_cut : limits_.cut));
  if (verdict != Verdict::unknown || !is_goal) return verdict;
  for (const std::size_t common : common_gates) {
    if (said(Engine::local_solver, compare_above(x, y, common)) == Verdict::never) return Verdict::never;
  }
  return said(Engine::solver, compare_wholly(x, y, limits_.goal_conflicts));
}

// What only one of the two is made of, and so many of the nearest gates that both have in common; those below are free.
Verdict Sweep::compare_above(Lit x, Lit y, std::size_t common) {
  const std::vector<std::uint32_t> of_x = cone_of(swept_, {x}), of_y = cone_of(swept_, {y});
  std::vector<std::uint32_t> apart, shared;
  std::set_symmetric_difference(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::back_inserter(apart));
  std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::back_inserter(shared));
  apart.insert(apart.end(), shared.end() - static_cast<std::ptrdiff_t>(std::min(common, shared.size())), shared.end());
  Solving solving(swept_);
  solving.look_at({apart.begin(), apart.end()});
  for (const bool turned : {false, true}) {
    if (solving.ask({inverted_if(x, turned), inverted_if(y, !turned)}, limits_.goal_conflicts, goes_on_) != Verdict::never)
      return Verdict::unknown;
  }
  return Verdict::never;
}

// Where leaves that are free tell the two apart, nothing is known.
Verdict Sweep::compare_locally(Lit x, Lit y) {
  Solving solving(swept_);
  solving.look_at(gates_below(swept_, {x, y}, local_gates));
  if (solving.ask({x, inverted(y)}, limits_.local_conflicts) != Verdict::never) return Verdict::unknown;
  return solving.ask({inverted(x), y}, limits_.local_conflicts) == Verdict::never ? Verdict::never : Verdict::unknown;
}

Verdict Sweep::compare_wholly(Lit x, Lit y, int conflicts) {
  if (solving_->variables() > solver_variables) solving_ = std::make_unique<Solving>(swept_);
  for (const bool turned : {false, true}) {
    const Verdict verdict = solving_->ask({inverted_if(x, turned), inverted_if(y, !turned)}, conflicts, goes_on_);
    if (verdict == Verdict::sometimes) learn(*solving_);
    if (verdict != Verdict::never) return verdict;
  }
  return Verdict::never;
}

Verdict Sweep::compare_exhaustively(Lit x, Lit y, int most) {
  if (cone_of(swept_, {x, y}).size() > exhausted_gates) return Verdict::unknown;
  const auto leaves = smallest_cut(swept_, x, y, most);
  if (!leaves) return Verdict::unknown;
  const std::vector<std::uint64_t>& apart = this->apart(x, y, *leaves);
  if (apart.size() >= most_apart || (!apart.empty() && apart.front() == ~std::uint64_t{0})) return Verdict::unknown;
  for (const std::uint64_t value : apart) {
    const Verdict verdict = reachable(*leaves, value);
    if (verdict != Verdict::never) return verdict;
  }
  return Verdict::never;
}

// The values of the leaves for which the two differ. Lanes of a unit are the same gates over other leaves: they are
// tried once.
const std::vector<std::uint64_t>& Sweep::apart(Lit x, Lit y, const std::vector<std::uint32_t>& leaves) {
  Gates both;
  std::vector<Lit> map(swept_.size(), lit_none);
  std::vector<std::uint32_t> inputs;
  for (const std::uint32_t leaf : leaves) {
    map[leaf] = both.input();
    inputs.push_back(node_of(map[leaf]));
  }
  const std::vector<Lit> sides = copied(swept_, {x, y}, map, both);
  const Lit differ = both.differ(sides[0], sides[1]);
  std::string key = std::to_string(leaves.size()) + ":" + std::to_string(differ);
  for (std::uint32_t node = 1; node < both.size(); ++node) {
    if (both.is_gate(node)) key += "," + std::to_string(both.first(node)) + "&" + std::to_string(both.second(node));
  }
  const auto found = tried_.find(key);
  if (found != tried_.end()) return found->second;
  const std::vector<std::uint64_t> values = all_values(both, differ, inputs, most_apart, goes_on_);
  return tried_[key] = values;
}

// Whether the leaves ever hold this value together: nodes that are not inputs may never.
Verdict Sweep::reachable(const std::vector<std::uint32_t>& leaves, std::uint64_t value) {
  std::vector<Lit> together;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    together.push_back(inverted_if(lit_of(leaves[i]), (value >> i & 1) == 0));
  const Verdict verdict = solving_->ask(together, limits_.conflicts, goes_on_);
  if (verdict == Verdict::sometimes) learn(*solving_);
  return verdict;
}

}  // namespace assay
