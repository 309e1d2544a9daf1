// A stage over a cut: its nodes are free, and what a solver shows of them it shows whatever is below.
#include <algorithm>
#include <iterator>
#include <queue>
#include <unordered_set>

#include "tb/prove/cut.hpp"
#include "tb/prove/sweep.hpp"

namespace assay {
namespace {

constexpr int most_free = 800;                 // nodes of a cut
constexpr std::size_t bounding_gates = 40000;  // below a cut, that show what its nodes never are
constexpr int most_bounds = 300;

}  // namespace

// The stage over a cut below which nothing is looked at: whatever its nodes are, under the lemmas. Of these no more
// than it takes: the cut decides them, too.
bool Sweep::hold_alone(const SweepStage& stage) {
  if (hold_alone_as_given(stage)) return true;
  if (stage.spare.empty()) return false;
  SweepStage under_all = stage;
  under_all.given.insert(under_all.given.end(), stage.spare.begin(), stage.spare.end());
  return hold_alone_as_given(under_all);
}

bool Sweep::hold_alone_as_given(const SweepStage& stage) {
  if (!goes_on_()) return false;
  Held held;
  held.x = refreshed(made_plainly(stage.model));
  held.y = refreshed(made_plainly(stage.unit));
  if (stage.is_of_unit) std::swap(held.x, held.y);
  held.leading = refreshed(made_plainly(stage.leading));
  held.range = stage.range;
  for (const SweepStage* lemma : lemmas(stage)) held.given.push_back(refreshed(made_plainly(lemma->model)).front());
  if (const auto around = at_places(stage, held)) {
    if (hold_alone(stage, *around)) return true;
    held.x = refreshed(held.x);
    held.y = refreshed(held.y);
  }
  return hold_alone(stage, held);
}

bool Sweep::hold_alone(const SweepStage& stage, const Held& held) {
  if (!goes_on_()) return false;
  const auto cut = cut_below(stage, held);
  if (!cut) return false;
  Alone alone = over_cut(*cut, held);
  alone.stage.is_sum = stage.is_sum;
  alone.stage.below_sum = stage.below_sum;
  const std::size_t given = alone.assumed.size();
  // What is read of a place is to be made of the place from here on, and of nothing that this is equal to on the way.
  const std::vector<char> equal = held.leading.empty()
                                      ? equal_alone(alone, !stage.is_lemma && !stage.is_rewritten)
                                      : std::vector<char>(held.x.size(), is_equal_case_by_case(alone, held) ? 1 : 0);
  const auto count = std::count(equal.begin(), equal.end(), 1);
  const bool is_all = count == static_cast<std::ptrdiff_t>(equal.size());
  if (count != 0) {
    for (const SweepStage* lemma : lemmas(stage)) efforts_.back().under.insert(lemma->name);
    efforts_.back().bounds += alone.assumed.size() - given;
  }
  for (std::size_t bit = 0; bit < equal.size() && stage.is_lemma; ++bit) {
    if (equal[bit] != 0) always_.insert(stage.model[bit]);
  }
  if (stage.is_lemma) return is_all;
  const std::vector<Lit> made = refreshed(held.y);
  for (std::size_t bit = 0; bit < held.x.size(); ++bit) {
    if (equal[bit] != 0) unite(held.x[bit], made[bit]);
  }
  return is_all;
}

// Places that are proved are free where the model reads them. Where the unit reads what a place is made of, and not the
// place, its own gates from there to the place are known to be the place's bits, and tie the two.
std::optional<Sweep::Held> Sweep::at_places(const SweepStage& stage, const Held& held) {
  if (stage.reads.empty()) return std::nullopt;
  std::unordered_set<std::uint32_t> shown;
  std::vector<Lit> counts;  // whether the next place's number does
  for (std::size_t n = 0; n + 1 < efforts_.size(); ++n) {
    const SweepStage& before = stages_[n];
    if (before.is_leaf) counts = before.unit;
    if (before.is_lemma || before.is_aid) continue;
    if (apart_in(before).empty()) {
      counts.insert(counts.end(), before.model.begin(), before.model.end());
      for (const Lit l : counts) shown.insert(node_of(of(l)));
    }
    counts.clear();
  }
  const auto is_place = [&](std::uint32_t node) { return shown.count(node) != 0; };
  Held around = held;
  for (const std::uint32_t node : cone_of(swept_, stage.is_of_unit ? held.y : held.x, is_place)) {
    if (is_place(node)) around.places.push_back(node);
  }
  if (around.places.empty()) return std::nullopt;
  // A bit that nobody reads ties nothing.
  std::unordered_set<std::uint32_t> read;
  for (const auto* roots : {&held.x, &held.y, &held.given}) {
    for (const std::uint32_t node : cone_of(swept_, *roots, is_place)) read.insert(node);
  }
  std::vector<Lit> own;
  for (const std::size_t n : stage.reads) {
    const SweepStage& before = stages_[n];
    if (!apart_in(before).empty()) continue;
    for (const Lit l : unmerged(before.shown.empty() ? before.unit : before.shown)) {
      const std::uint32_t node = node_of(l);
      if (!swept_.is_gate(node) || read.count(node_of(resolved(l))) == 0) continue;
      const std::vector<Lit> in = refreshed({swept_.first(node), swept_.second(node)});
      around.shown.push_back({inverted_if(resolved(l), is_inverted(l)), in[0], in[1]});
      own.insert(own.end(), in.begin(), in.end());
    }
  }
  for (const std::uint32_t node : cone_of(swept_, own)) around.below.insert(node);
  const std::vector<std::uint32_t> of_x = cone_of(swept_, held.x, is_place), of_y = cone_of(swept_, held.y, is_place);
  const bool reads_around = std::any_of(of_y.begin(), of_y.end(), [&](std::uint32_t node) {
    return around.below.count(node) != 0 && !is_place(node) && !std::binary_search(of_x.begin(), of_x.end(), node);
  });
  if (!reads_around) around.shown.clear(), around.below.clear();
  return around;
}

Sweep::Alone Sweep::over_cut(const std::vector<std::uint32_t>& cut, const Held& held) const {
  Alone alone;
  alone.cut = cut;
  alone.map.assign(swept_.size(), lit_none);
  for (const std::uint32_t node : cut) {
    alone.map[node] = alone.gates.input();
    alone.patterns.emplace_back(values(node), values(node) + stride_);
  }
  const auto copy = [&](const std::vector<Lit>& roots) { return copied(swept_, roots, alone.map, alone.gates); };
  alone.stage.is_alone = true;
  alone.stage.model = copy(held.x);
  alone.stage.unit = copy(held.y);
  alone.assumed = copy(held.given);
  for (const auto& shown : held.shown) {
    const std::vector<Lit> made = copy({shown.begin(), shown.end()});
    alone.assumed.push_back(inverted(alone.gates.differ(made[0], alone.gates.both(made[1], made[2]))));
  }
  for (const Lit l : held.leading) {
    const Lit there = is_constant(l) ? lit_none : alone.map[node_of(l)];
    if (there != lit_none && alone.gates.is_input(node_of(there))) alone.leading.push_back(l);
  }
  return alone;
}

// As it stands; then under what the cut's nodes never are.
std::vector<char> Sweep::equal_alone(Alone& alone, bool takes_over) {
  const std::vector<char> equal = sweep_alone(alone, takes_over);
  if (std::count(equal.begin(), equal.end(), 0) == 0) return equal;
  const std::size_t known = alone.assumed.size();
  if (learn_bounds(alone)) {
    efforts_.back().engines.insert(ProofEngine::solver);
    return std::vector<char>(equal.size(), 1);
  }
  return alone.assumed.size() == known ? equal : sweep_alone(alone, takes_over);
}

// Of each bit whether it is the same on both sides. What is merged on the way is merged here too.
std::vector<char> Sweep::sweep_alone(const Alone& alone, bool takes_over) {
  const std::string content = alone.content();
  const auto found = swept_alone_.find(content);
  if (found == swept_alone_.end()) {
    Sweep sub(alone.gates, alone.patterns, limits_, goes_on_);
    sub.assume(alone.assumed);
    sub.run(alone.stage);
    SweptAlone swept;
    swept.engines = sub.efforts().back().engines;
    for (std::uint32_t node = 0; node < alone.gates.size(); ++node)
      swept.stands_for.push_back(sub.is_made(lit_of(node)) ? sub.of(lit_of(node)) : lit_none);
    swept_alone_[content] = std::move(swept);
  }
  const SweptAlone& swept = swept_alone_.at(content);
  efforts_.back().engines.insert(swept.engines.begin(), swept.engines.end());
  if (takes_over) take_over(swept, alone.map);
  std::vector<char> equal;
  for (std::size_t bit = 0; bit < alone.stage.model.size(); ++bit)
    equal.push_back(swept.of(alone.stage.model[bit]) == swept.of(alone.stage.unit[bit]) ? 1 : 0);
  return equal;
}

// Lanes of a unit are the same gates over other cuts.
std::string Sweep::Alone::content() const {
  std::string text = stage.is_sum ? std::string(1 + static_cast<std::size_t>(stage.below_sum), 's') : "";
  const auto add = [&](Lit l) { text.append(reinterpret_cast<const char*>(&l), sizeof l); };
  for (std::uint32_t node = 1; node < gates.size(); ++node) {
    add(gates.is_gate(node) ? gates.first(node) : lit_none);
    add(gates.is_gate(node) ? gates.second(node) : lit_none);
  }
  for (const auto* list : {&stage.model, &stage.unit, &assumed}) {
    add(static_cast<Lit>(list->size()));
    for (const Lit l : *list) add(l);
  }
  return text;
}

std::vector<Lit> Sweep::Alone::roots() const {
  std::vector<Lit> roots = stage.model;
  for (const auto* list : {&stage.unit, &assumed}) roots.insert(roots.end(), list->begin(), list->end());
  return roots;
}

// What a solver shows at a glance once, it need not show in every case.
Sweep::Alone Sweep::merged_nearby(const Alone& alone) const {
  Sweep sub(alone.gates, alone.patterns, limits_, goes_on_);
  sub.begin_alone();
  for (const std::uint32_t node : cone_of(alone.gates, alone.roots())) {
    if (alone.gates.is_gate(node)) sub.make(node, Patience::nearby);
  }
  Alone merged = alone;
  const auto now = [&](const std::vector<Lit>& list) { return sub.refreshed(sub.made_plainly(list)); };
  merged.stage.model = now(alone.stage.model);
  merged.stage.unit = now(alone.stage.unit);
  merged.assumed = now(alone.assumed);
  for (Lit& l : merged.map) {
    if (l != lit_none) l = sub.is_made(l) ? sub.of(l) : lit_none;
  }
  merged.gates = sub.take();
  return merged;
}

// A sum is split on the first bit, from the top, that its sign is not. Where that is known, so is by how much the sum
// is shifted: of both sides little is left. All cases have to be shown, over the cut or with all that is below.
bool Sweep::is_equal_case_by_case(const Alone& whole, const Held& held) {
  if (whole.leading.empty()) return false;
  const Alone alone = merged_nearby(whole);
  const std::vector<std::uint32_t> cone = cone_of(alone.gates, alone.roots());
  const bool has_range = held.range && alone.leading.size() == held.leading.size();
  const auto never_comes_up = [&](int first, bool sign) { return has_range && !held.range->has(first, sign); };
  Solving below(swept_);
  for (const Lit l : held.given) below.assume(l);
  for (int first = static_cast<int>(alone.leading.size()) - 2; first >= -1; --first) {
    for (const bool sign : {false, true}) {
      if (never_comes_up(first, sign)) continue;
      std::vector<Lit> known;
      for (int bit = static_cast<int>(alone.leading.size()) - 1; bit >= std::max(first, 0); --bit)
        known.push_back(inverted_if(alone.leading[static_cast<std::size_t>(bit)], (bit == first) == sign));
      if (!is_equal_below(below, held, known, apart_where(alone, cone, known))) return false;
    }
  }
  efforts_.back().engines.insert(ProofEngine::case_split);
  return true;
}

// Bits that are not shown to be the same over the cut. What is known are literals here, of nodes of the cut. Of all
// gates the case leaves few, so that they are gone through in their order and most are never made.
std::vector<std::size_t> Sweep::apart_where(const Alone& alone, const std::vector<std::uint32_t>& cone,
                                            const std::vector<Lit>& known) const {
  Gates left;
  std::vector<Lit> map(alone.gates.size(), lit_none);
  map[0] = lit_false;
  for (const Lit l : known) {
    const Lit there = alone.map[node_of(l)];
    map[node_of(there)] = inverted_if(lit_true, is_inverted(l) != is_inverted(there));
  }
  const auto copy = [&](const std::vector<Lit>& roots) { return copied_cone(alone.gates, cone, roots, map, left); };
  const std::vector<Lit> model = copy(alone.stage.model), unit = copy(alone.stage.unit);
  const std::vector<Lit> assumed = copy(alone.assumed);
  const Lit differ = differ_in_any(model, unit, left);
  Solving solving(left);
  for (const Lit l : assumed) solving.assume(l);
  const auto is_never = [&](const std::vector<Lit>& together) {
    return solving.ask(together, limits_.goal_conflicts, goes_on_) == SolverAnswer::never;
  };
  std::vector<std::size_t> bits;
  if (is_never({differ})) return bits;
  for (std::size_t bit = 0; bit < model.size(); ++bit) {
    if (!is_never({model[bit], inverted(unit[bit])}) || !is_never({inverted(model[bit]), unit[bit]}))
      bits.push_back(bit);
  }
  return bits;
}

// The same with all that is below the cut: many cases never come up.
bool Sweep::is_equal_below(Solving& below, const Held& held, const std::vector<Lit>& known,
                           const std::vector<std::size_t>& bits) const {
  const auto is_never = [&](std::vector<Lit> together) {
    together.insert(together.end(), known.begin(), known.end());
    return below.ask(together, limits_.goal_conflicts * 5, goes_on_) == SolverAnswer::never;
  };
  if (bits.empty() || is_never({})) return true;
  return std::all_of(bits.begin(), bits.end(), [&](std::size_t bit) {
    return is_never({held.x[bit], inverted(held.y[bit])}) && is_never({inverted(held.x[bit]), held.y[bit]});
  });
}

// What the cut's nodes never are together, as gates near below show: of values for which the sides differ.
bool Sweep::learn_bounds(Alone& alone) const {
  Gates& gates = alone.gates;
  const Lit differ = differ_in_any(alone.stage.model, alone.stage.unit, gates);
  Solving above(gates), deciding(gates), below(swept_);
  std::vector<Lit> nodes;
  std::unordered_map<std::uint32_t, std::uint32_t> cut_node;  // of the circuit's inputs
  for (const std::uint32_t node : alone.cut) {
    nodes.push_back(lit_of(node));
    cut_node[node_of(alone.map[node])] = node;
  }
  below.look_at(gates_below(swept_, nodes, bounding_gates));
  for (const Lit l : alone.assumed) above.assume(l);
  deciding.assume(inverted(differ));
  for (int n = 0; n < most_bounds && goes_on_(); ++n) {
    const SolverAnswer verdict = above.ask({differ}, limits_.goal_conflicts, goes_on_);
    if (verdict != SolverAnswer::sometimes) return verdict == SolverAnswer::never;
    std::vector<Lit> free, together, all;
    for (const std::uint32_t node : alone.cut) {
      const bool is_one = above.value(node_of(alone.map[node]));
      free.push_back(inverted_if(alone.map[node], !is_one));
      all.push_back(inverted_if(lit_of(node), !is_one));
    }
    // Those values that make the sides differ, whatever the others are.
    if (deciding.ask(free, limits_.goal_conflicts, goes_on_) == SolverAnswer::never) free = deciding.clashing(free);
    for (const Lit l : free) together.push_back(inverted_if(lit_of(cut_node.at(node_of(l))), is_inverted(l)));
    if (below.ask(together, limits_.conflicts, goes_on_) != SolverAnswer::never) {
      together = all;
      if (below.ask(together, limits_.conflicts, goes_on_) != SolverAnswer::never) return false;
    }
    Lit clash = lit_true;
    for (const Lit l : below.clashing(together))
      clash = gates.both(clash, inverted_if(alone.map[node_of(l)], is_inverted(l)));
    alone.assumed.push_back(inverted(clash));
    above.assume(inverted(clash));
  }
  return false;
}

// What was found to be one above the cut is one.
void Sweep::take_over(const SweptAlone& sub, const std::vector<Lit>& map) {
  std::unordered_map<std::uint32_t, Lit> first;  // of the sub's nodes, here
  for (std::uint32_t node = 1; node < map.size(); ++node) {
    if (map[node] == lit_none || sub.of(map[node]) == lit_none) continue;
    const Lit made = sub.of(map[node]);
    const Lit own = is_constant(made) ? lit_false : inverted_if(lit_of(node), is_inverted(made));
    const auto [at, is_new] = first.try_emplace(node_of(made), own);
    const Lit other = inverted_if(at->second, is_inverted(made));
    if (!is_new || is_constant(made)) unite(lit_of(node), other);
    if (patience_[node] == Patience::none && resolved(lit_of(node)) == lit_of(node)) list(node);
    patience_[node] = Patience::all;
  }
}

// The fewest nodes that decide all, of those that both sides are made of, of what a lemma is about, and inputs; of what
// is common only the highest is looked at.
std::optional<std::vector<std::uint32_t>> Sweep::cut_below(const SweepStage& stage, const Held& held) {
  const std::vector<std::uint32_t> of_x = cone_of(swept_, held.x), of_y = cone_of(swept_, held.y);
  std::unordered_set<std::uint32_t> places(held.places.begin(), held.places.end());
  for (const Lit l : held.leading) places.insert(node_of(l));
  std::unordered_set<std::uint32_t> common = held.below, leaves = places, seen;
  std::set_intersection(of_x.begin(), of_x.end(), of_y.begin(), of_y.end(), std::inserter(common, common.end()));
  for (const std::uint32_t node : cone_of(swept_, refreshed(made_plainly(stage.below)))) common.insert(node);
  CutQuestion question;
  question.is_high = !held.shown.empty();
  for (const auto* list : {&held.x, &held.y, &held.given})
    question.roots.insert(question.roots.end(), list->begin(), list->end());
  for (const auto& shown : held.shown) question.roots.insert(question.roots.end(), shown.begin(), shown.end());
  std::priority_queue<std::uint32_t> open;
  const auto see = [&](Lit l) {
    if (!is_constant(l) && seen.insert(node_of(l)).second) open.push(node_of(l));
  };
  for (const Lit root : question.roots) see(root);
  // A sum that is split has to be reached, and so have places that a lemma, or what is read of one, is about.
  const bool is_about_places = (stage.is_lemma || stage.is_rewritten) && !held.places.empty();
  const bool reaches_all = !held.leading.empty() || is_about_places;
  const std::size_t most_common = reaches_all ? swept_.size() : limits_.common_below;
  std::size_t looked_at = 0;
  while (!open.empty()) {
    const std::uint32_t node = open.top();
    open.pop();
    if (leaves.count(node) != 0) continue;
    if (!swept_.is_gate(node) || (common.count(node) != 0 && ++looked_at > most_common)) {
      leaves.insert(node);
      continue;
    }
    see(swept_.first(node));
    see(swept_.second(node));
  }
  question.is_leaf = [&](std::uint32_t node) { return leaves.count(node) != 0; };
  // Above places it is the stage's own work that is shared.
  std::unordered_set<std::uint32_t> above;
  for (const std::uint32_t node : cone_of(swept_, question.roots, question.is_leaf)) {
    if (leaves.count(node) != 0 || !swept_.is_gate(node)) continue;
    const auto is_place = [&](Lit l) { return places.count(node_of(l)) != 0 || above.count(node_of(l)) != 0; };
    if (is_place(swept_.first(node)) || is_place(swept_.second(node))) above.insert(node);
  }
  question.may_cut = [&](std::uint32_t node) {
    return held.below.count(node) != 0 || (common.count(node) != 0 && above.count(node) == 0);
  };
  return smallest_cut(swept_, question, most_free);
}

}  // namespace assay
