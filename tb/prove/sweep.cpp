#include "tb/prove/sweep.hpp"

#include <algorithm>
#include <chrono>
#include <queue>
#include <unordered_set>

#include "tb/prove/algebra.hpp"
#include "tb/prove/cut.hpp"

namespace assay {
namespace {

constexpr std::size_t local_gates = 150;         // below two candidates, before what is below is free
constexpr std::size_t solver_variables = 60000;  // after which it is begun anew
constexpr std::size_t tries = 4;                 // candidates that a node is held to
constexpr std::size_t common_gates[] = {0, 500, 4000};
constexpr std::size_t exhausted_gates = 4000;
constexpr std::size_t most_apart = 256;  // values of leaves that are shown to come up never, one by one

}  // namespace

const char* engine_name(ProofEngine engine) {
  static const char* const names[] = {"structure", "CaDiCaL on parts", "CaDiCaL", "exhaustion", "sums", "case split"};
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
  stands_for_.push_back(lit_false);
  patience_.push_back(Patience::all);
  alike_[0].push_back(0);
}

void Sweep::begin() {
  for (const std::uint32_t input : gates_.inputs()) {
    map_[input] = swept_.input();
    add_node(node_of(map_[input]));
  }
  begin_solving();
}

void Sweep::run(SweepStage next) {
  if (stages_.empty()) begin();
  const auto begun = std::chrono::steady_clock::now();
  stages_.push_back(std::move(next));
  efforts_.emplace_back();
  go_through(stages_.back());
  efforts_.back().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}

void Sweep::know_last() {
  const SweepStage& stage = stages_.back();
  for (const std::size_t bit : apart_in(stage)) {
    if (stage.is_rewritten)
      unite(of(stage.model[bit]), of(stage.unit[bit]));
    else
      merge(stage, bit);
  }
}

void Sweep::begin_solving() {
  solving_ = std::make_unique<Solving>(swept_);
  // Not as what they were merged to: that may be true itself.
  if (given_.empty()) given_ = made_plainly(assumed_);
  for (const Lit l : given_) solving_->assume(l);
}

void Sweep::go_through(const SweepStage& stage) {
  proved_.push_back(0);
  if (stage.is_lemma) {
    // Under what is known at a glance, over a cut, or by itself with more patience.
    const auto is_shown = [&] {
      if (!goes_on_()) return false;
      return (stage.is_plain && is_plainly_true(stage, lemmas(stage), limits_.goal_conflicts / 10)) ||
             hold_alone(stage) || (stage.is_plain && is_plainly_true(stage, {}, limits_.goal_conflicts));
    };
    proved_.back() = stage.is_known || is_known_true(stage) || (!stage.is_refuted && is_shown()) ? 1 : 0;
    if (proved_.back() != 0) always_.insert(stage.model.begin(), stage.model.end());
    return;
  }
  for (const std::uint32_t node : make_anew_) map_[node] = lit_none;
  make_anew_.clear();
  std::vector<Lit> roots = stage.model;
  roots.insert(roots.end(), stage.unit.begin(), stage.unit.end());
  std::vector<std::uint32_t> own;
  for (const std::uint32_t node : cone_of(gates_, roots, [&](std::uint32_t n) { return map_[n] != lit_none; })) {
    if (map_[node] == lit_none) own.push_back(node);
  }
  // A sum as it is written: what its gates are equal to hides its adder cells.
  const Patience first = stage.is_sum || stage.is_rewritten || !stage.laws.empty() ? Patience::none
                         : stage.is_alone                                          ? Patience::all
                                                                                   : Patience::nearby;
  if (stage.product_bits != 0 && !stage.is_known && !stage.is_refuted) own = left_of_product(stage, own);
  for (const std::uint32_t node : own) make(node, first);
  if (!stage.addends.empty()) hold_above_sum(stage);
  if (stage.is_known) {
    know_last();
    return freeze(stage);
  }
  if (stage.is_refuted) return;
  if (!stage.laws.empty()) {
    hold_by_laws(stage);
    if (!apart_in(stage).empty()) make_anew_ = own;
    return;
  }
  if (stage.is_alone && stage.is_sum) hold_sum(stage);
  if (stage.is_alone && stage.is_sum && !apart_in(stage).empty()) {
    for (const std::uint32_t node : own) make(node, Patience::all);
  }
  if (!stage.is_alone && !apart_in(stage).empty() && !hold_alone(stage) && !stage.is_aid) {
    for (const std::uint32_t node : own) make(node, Patience::all);
  }
  if (!stage.is_aid) hold(stage);
  if (!frozen_.empty() && !stage.is_aid) settle_around(stage);
  freeze(stage);
}

void Sweep::freeze(const SweepStage& stage) {
  for (const Lit l : made_plainly(stage.frozen)) frozen_.insert(node_of(l));
}

bool Sweep::is_known_true(const SweepStage& lemma) const {
  return std::all_of(lemma.model.begin(), lemma.model.end(), [&](Lit l) { return always_.count(l) != 0; });
}

// A lemma of which little is left once what is known to be equal is one; or that is plain as long as nothing is merged.
bool Sweep::is_plainly_true(const SweepStage& stage, const std::vector<const SweepStage*>& under, int conflicts) {
  Solving solving(swept_), before(gates_);
  for (const SweepStage* known : under) solving.assume(refreshed(made_plainly(known->model)).front());
  const std::vector<Lit> now = refreshed(made_plainly(stage.model));
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i] == lit_true) continue;
    if (solving.ask({inverted(now[i])}, conflicts, goes_on_) != SolverAnswer::never &&
        before.ask({inverted(stage.model[i])}, limits_.goal_conflicts / 10, goes_on_) != SolverAnswer::never)
      return false;
    efforts_.back().engines.insert(ProofEngine::solver);
  }
  for (const SweepStage* known : under) efforts_.back().under.insert(known->name);
  return true;
}

// Addends that a narrower word could take the sum of: what stands above that is its sign.
void Sweep::hold_above_sum(const SweepStage& stage) {
  const std::size_t narrow = stage.sum.size() - stage.model.size();
  i128 most = 0;
  std::vector<std::vector<Lit>> addends;
  for (const std::vector<Lit>& addend : stage.addends) {
    if (addend.empty() || addend.size() > widest_in_range) return;
    most += i128{1} << (addend.size() - 1);
    addends.push_back(refreshed(made_plainly(addend)));
  }
  if (narrow > widest_in_range || most > i128{1} << (narrow - 1)) return;
  if (!is_sum_of(swept_, refreshed(made_plainly(stage.sum)), addends)) return;
  efforts_.back().engines.insert(ProofEngine::algebra);
  const Lit sign = of(stage.sum[narrow - 1]);
  for (const std::size_t bit : apart_in(stage)) {
    if (of(stage.unit[bit]) == sign) unite(of(stage.model[bit]), sign);
  }
}

// What a unit makes a place of, and may read in its stead: which of it is the model's.
void Sweep::settle_around(const SweepStage& stage) {
  std::set<std::uint32_t> own;
  for (const Lit l : unmerged(stage.shown)) {
    if (!swept_.is_gate(node_of(l))) continue;
    for (const Lit in : {swept_.first(node_of(l)), swept_.second(node_of(l))}) own.insert(node_of(resolved(in)));
  }
  for (const std::uint32_t node : own) {
    if (patience_[node] == Patience::all || !swept_.is_gate(node)) continue;
    const bool is_listed = patience_[node] != Patience::none;
    patience_[node] = Patience::all;
    settle(lit_of(node), is_listed);
  }
}

// All that is said of the two sides are the laws, which no two values both obey.
void Sweep::hold_by_laws(const SweepStage& stage) {
  const auto is_proved = [&](std::size_t law) { return proved_[law] != 0; };
  const std::vector<std::size_t> apart = apart_in(stage);
  if (apart.empty() || !std::all_of(stage.laws.begin(), stage.laws.end(), is_proved)) return;
  std::unordered_set<std::uint32_t> free;
  for (const auto* list : {&stage.model, &stage.unit, &stage.below}) {
    for (const Lit l : made_plainly(*list)) free.insert(node_of(l));
  }
  std::vector<Lit> laws;
  for (const std::size_t law : stage.laws) laws.push_back(made_plainly(stages_[law].model).front());
  const std::vector<std::uint32_t> said =
      cone_of(swept_, laws, [&](std::uint32_t node) { return free.count(node) != 0; });
  Solving solving(swept_);
  std::unordered_set<std::uint32_t> gates;
  for (const std::uint32_t node : said) {
    if (free.count(node) == 0) gates.insert(node);
  }
  solving.look_at(std::move(gates));
  for (const Lit law : laws) solving.assume(law);
  for (const std::size_t bit : apart) {
    const Lit model = of(stage.model[bit]), unit = of(stage.unit[bit]);
    for (const bool turned : {false, true}) {
      if (solving.ask({inverted_if(model, turned), inverted_if(unit, !turned)}, -1, goes_on_) != SolverAnswer::never)
        return;
    }
  }
  for (const std::size_t law : stage.laws) efforts_.back().under.insert(stages_[law].name);
  efforts_.back().engines.insert(ProofEngine::local_solver);
  for (const std::size_t bit : apart) merge(stage, bit);
}

Lit Sweep::resolved(Lit l) const {
  while (stands_for_[node_of(l)] != lit_of(node_of(l))) l = inverted_if(stands_for_[node_of(l)], is_inverted(l));
  return l;
}

void Sweep::unite(Lit l, Lit with) {
  l = resolved(l);
  with = resolved(with);
  if (is_constant(l)) std::swap(l, with);
  if (node_of(l) == node_of(with)) return;
  stands_for_[node_of(l)] = inverted_if(with, is_inverted(l));
}

// A gate as it is, whatever it is equal to.
Lit Sweep::plain(Lit x, Lit y) {
  const Lit made = swept_.both(x, y);
  if (node_of(made) == stands_for_.size()) add_node(node_of(made));
  return made;
}

void Sweep::add_node(std::uint32_t node) {
  add_values(node);
  stands_for_.push_back(lit_of(node));
  patience_.push_back(swept_.is_gate(node) ? Patience::none : Patience::all);
}

// What `roots` are made of where nobody has made it yet: as it is, whatever it is equal to.
std::vector<Lit> Sweep::made_plainly(const std::vector<Lit>& roots) {
  std::unordered_map<std::uint32_t, Lit> made;
  const auto of_plain = [&](Lit l) {
    const auto found = made.find(node_of(l));
    return found == made.end() ? of(l) : inverted_if(found->second, is_inverted(l));
  };
  for (const std::uint32_t node : cone_of(gates_, roots, [&](std::uint32_t n) { return map_[n] != lit_none; })) {
    if (map_[node] == lit_none) made[node] = plain(of_plain(gates_.first(node)), of_plain(gates_.second(node)));
  }
  std::vector<Lit> list;
  for (const Lit root : roots) list.push_back(of_plain(root));
  return list;
}

std::vector<Lit> Sweep::unmerged(const std::vector<Lit>& roots) {
  std::vector<Lit> list = made_plainly(roots);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (is_made(roots[i])) list[i] = inverted_if(map_[node_of(roots[i])], is_inverted(roots[i]));
  }
  return list;
}

// With what stands for each node that they are made of.
std::vector<Lit> Sweep::refreshed(const std::vector<Lit>& roots) {
  std::unordered_map<std::uint32_t, Lit> now{{0, lit_false}};
  const auto of_now = [&](Lit l) { return inverted_if(now.at(node_of(l)), is_inverted(l)); };
  const auto is_frozen = [&](std::uint32_t node) { return frozen_.count(node) != 0; };
  for (const std::uint32_t node : cone_of(swept_, roots, is_frozen)) {
    Lit& at = now[node];
    at = resolved(lit_of(node));
    if (at != lit_of(node) || !swept_.is_gate(node) || is_frozen(node)) continue;
    const Lit made = plain(of_now(swept_.first(node)), of_now(swept_.second(node)));
    at = resolved(made);
    unite(lit_of(node), at);
  }
  std::vector<Lit> list;
  for (const Lit root : roots) list.push_back(of_now(root));
  return list;
}

void Sweep::make(std::uint32_t node, Patience patience) {
  map_[node] = plain(of(gates_.first(node)), of(gates_.second(node)));
  const Lit made = resolved(map_[node]);
  Patience& had = patience_[node_of(made)];
  if (had >= patience) return;
  const bool is_listed = had != Patience::none;
  had = patience;
  settle(made, is_listed);
}

// What is quick first: a word whose bits a few nodes decide, then bits, then longer ways.
void Sweep::hold(const SweepStage& stage) {
  if (!stage.is_alone && stage.is_sum) hold_sum(stage);
  hold_word(stage, limits_.goal_cut);
  hold_bits(stage, [&](Lit x, Lit y) { return compare(x, y, true); });
  hold_word(stage, limits_.word_cut);
  hold_bits(stage, [&](Lit x, Lit y) { return compare_hard(x, y); });
}

void Sweep::hold_sum(const SweepStage& stage) {
  if (!goes_on_() || apart_in(stage).empty()) return;
  const auto first = static_cast<std::size_t>(stage.below_sum);
  std::vector<Lit> model, unit;
  for (std::size_t bit = first; bit < stage.model.size(); ++bit) {
    model.push_back(of(stage.model[bit]));
    unit.push_back(of(stage.unit[bit]));
  }
  if (!is_same_sum(swept_, model, unit)) return;
  efforts_.back().engines.insert(ProofEngine::algebra);
  for (const std::size_t bit : apart_in(stage)) {
    if (bit >= first) merge(stage, bit);
  }
}

std::vector<std::size_t> Sweep::apart_in(const SweepStage& stage) const {
  std::vector<std::size_t> bits;
  for (std::size_t bit = 0; bit < stage.model.size(); ++bit) {
    if (of(stage.model[bit]) != of(stage.unit[bit])) bits.push_back(bit);
  }
  return bits;
}

// From here on the unit's gate is the model's.
void Sweep::merge(const SweepStage& stage, std::size_t bit) {
  const Lit unit = stage.unit[bit];
  unite(of(unit), of(stage.model[bit]));
}

void Sweep::hold_word(const SweepStage& stage, int cut) {
  const std::vector<std::size_t> bits = apart_in(stage);
  if (bits.empty() || !goes_on_()) return;
  std::vector<Lit> model, unit;
  for (const std::size_t bit : bits) {
    model.push_back(of(stage.model[bit]));
    unit.push_back(of(stage.unit[bit]));
    if (!looks_same(model.back(), unit.back())) return;
  }
  if (compare_exhaustively(model, unit, cut) != SolverAnswer::never) return;
  efforts_.back().engines.insert(ProofEngine::exhaustion);
  for (const std::size_t bit : bits) merge(stage, bit);
}

template <class Compare>
void Sweep::hold_bits(const SweepStage& stage, const Compare& compare) {
  for (const std::size_t bit : apart_in(stage)) {
    const Lit model = of(stage.model[bit]), unit = of(stage.unit[bit]);
    if (goes_on_() && looks_same(model, unit) && compare(model, unit) == SolverAnswer::never) merge(stage, bit);
  }
}

void Sweep::list(std::uint32_t node) {
  bool inverts = false;
  alike_[hash_of(node, inverts)].push_back(node);
}

// An earlier node that is equal stands for it from here on.
void Sweep::settle(Lit made, bool is_listed) {
  bool inverts = false;
  const std::vector<std::uint32_t>& alike = alike_[hash_of(node_of(made), inverts)];
  std::size_t tried = 0;
  for (std::size_t i = 0; i < alike.size() && tried < tries && goes_on_(); ++i) {
    if (alike[i] == node_of(made)) continue;
    bool other_inverts = false;
    hash_of(alike[i], other_inverts);
    const Lit other = inverted_if(lit_of(alike[i]), (inverts != other_inverts) != is_inverted(made));
    if (!looks_same(made, other)) continue;
    ++tried;
    const SolverAnswer verdict =
        patience_[node_of(made)] == Patience::nearby ? compare_locally(made, other) : compare(made, other, false);
    if (verdict == SolverAnswer::never) return unite(made, other);
    if (verdict == SolverAnswer::unknown) ++undecided_;
  }
  if (!is_listed) list(node_of(made));
}

std::vector<const SweepStage*> Sweep::lemmas(const SweepStage& stage) const {
  std::vector<const SweepStage*> list;
  for (const std::size_t index : stage.given) {
    if (proved_[index] != 0) list.push_back(&stages_[index]);
  }
  return list;
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
    // until something is learned, cases again: not any values, which assumptions might exclude
    for (std::size_t w = 0; w < stride_; ++w) to[w] = base_words_ == 0 ? 0 : patterns_[index][w % base_words_];
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

SolverAnswer Sweep::compare(Lit x, Lit y, bool is_goal) {
  const auto said = [&](ProofEngine engine, SolverAnswer verdict) {
    if (verdict == SolverAnswer::never) efforts_.back().engines.insert(engine);
    return verdict;
  };
  if (said(ProofEngine::local_solver, compare_locally(x, y)) == SolverAnswer::never) return SolverAnswer::never;
  SolverAnswer verdict =
      said(ProofEngine::solver, compare_wholly(x, y, is_goal ? limits_.goal_conflicts / 10 : limits_.conflicts));
  if (verdict != SolverAnswer::unknown) return verdict;
  return is_goal ? verdict : said(ProofEngine::exhaustion, compare_exhaustively({x}, {y}, limits_.cut));
}

// With more patience.
SolverAnswer Sweep::compare_hard(Lit x, Lit y) {
  for (const std::size_t common : common_gates) {
    if (compare_above(x, y, common) != SolverAnswer::never) continue;
    efforts_.back().engines.insert(ProofEngine::local_solver);
    return SolverAnswer::never;
  }
  const SolverAnswer verdict = compare_wholly(x, y, limits_.goal_conflicts);
  if (verdict == SolverAnswer::never) efforts_.back().engines.insert(ProofEngine::solver);
  return verdict;
}

// What only one of the two is made of, and so many of the nearest gates that both have in common; those below are free.
SolverAnswer Sweep::compare_above(Lit x, Lit y, std::size_t common) {
  const std::vector<std::uint32_t> of_x = cone_of(swept_, {x}), of_y = cone_of(swept_, {y});
  std::vector<std::uint32_t> apart, shared;
  std::set_symmetric_difference(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::back_inserter(apart));
  std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::back_inserter(shared));
  apart.insert(apart.end(), shared.end() - static_cast<std::ptrdiff_t>(std::min(common, shared.size())), shared.end());
  Solving solving(swept_);
  solving.look_at({apart.begin(), apart.end()});
  for (const bool turned : {false, true}) {
    if (solving.ask({inverted_if(x, turned), inverted_if(y, !turned)}, limits_.goal_conflicts / 10, goes_on_) !=
        SolverAnswer::never)
      return SolverAnswer::unknown;
  }
  return SolverAnswer::never;
}

// Where leaves that are free tell the two apart, nothing is known.
SolverAnswer Sweep::compare_locally(Lit x, Lit y) {
  Solving solving(swept_);
  solving.look_at(gates_below(swept_, {x, y}, local_gates));
  if (solving.ask({x, inverted(y)}, limits_.local_conflicts) != SolverAnswer::never) return SolverAnswer::unknown;
  return solving.ask({inverted(x), y}, limits_.local_conflicts) == SolverAnswer::never ? SolverAnswer::never
                                                                                       : SolverAnswer::unknown;
}

SolverAnswer Sweep::compare_wholly(Lit x, Lit y, int conflicts) {
  if (solving_->variables() > solver_variables) begin_solving();
  for (const bool turned : {false, true}) {
    const SolverAnswer verdict = solving_->ask({inverted_if(x, turned), inverted_if(y, !turned)}, conflicts, goes_on_);
    if (verdict == SolverAnswer::sometimes) learn(*solving_);
    if (verdict != SolverAnswer::never) return verdict;
  }
  return SolverAnswer::never;
}

SolverAnswer Sweep::compare_exhaustively(const std::vector<Lit>& x, const std::vector<Lit>& y, int most) {
  std::vector<Lit> both = x;
  both.insert(both.end(), y.begin(), y.end());
  if (cone_of(swept_, both).size() > exhausted_gates) return SolverAnswer::unknown;
  const auto leaves = smallest_cut(swept_, x, y, most);
  if (!leaves) return SolverAnswer::unknown;
  const std::vector<std::uint64_t>& apart = this->apart(x, y, *leaves);
  if (apart.size() >= most_apart || (!apart.empty() && apart.front() == ~std::uint64_t{0}))
    return SolverAnswer::unknown;
  for (const std::uint64_t value : apart) {
    const SolverAnswer verdict = reachable(*leaves, value);
    if (verdict != SolverAnswer::never) return verdict;
  }
  return SolverAnswer::never;
}

// The values of the leaves for which the two differ. Lanes of a unit are the same gates over other leaves: they are
// tried once.
const std::vector<std::uint64_t>& Sweep::apart(const std::vector<Lit>& x, const std::vector<Lit>& y,
                                               const std::vector<std::uint32_t>& leaves) {
  Gates both;
  std::vector<Lit> map(swept_.size(), lit_none);
  std::vector<std::uint32_t> inputs;
  for (const std::uint32_t leaf : leaves) {
    map[leaf] = both.input();
    inputs.push_back(node_of(map[leaf]));
  }
  const std::vector<Lit> of_x = copied(swept_, x, map, both), of_y = copied(swept_, y, map, both);
  const Lit differ = differ_in_any(of_x, of_y, both);
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
SolverAnswer Sweep::reachable(const std::vector<std::uint32_t>& leaves, std::uint64_t value) {
  std::vector<Lit> together;
  for (std::size_t i = 0; i < leaves.size(); ++i)
    together.push_back(inverted_if(lit_of(leaves[i]), (value >> i & 1) == 0));
  const SolverAnswer verdict = solving_->ask(together, limits_.conflicts, goes_on_);
  if (verdict == SolverAnswer::sometimes) learn(*solving_);
  return verdict;
}

}  // namespace assay
