// Finds nodes of a circuit that are equal for all inputs, and makes one of each such set.
//
// Nodes that no case tells apart are candidates. Each, from the inputs up, is held to the earlier one that it looks
// like: by a solver over a few gates below both, whose own inputs are free; over all gates below; and by trying all
// values of a small set of nodes that decides both. What is equal is merged, so that what lies above is compared as if
// both sides had it in common.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tb/prove/gates.hpp"
#include "tb/prove/sat.hpp"
#include "tb/prove/sum_range.hpp"

namespace assay {

// What a claim of equality rests on.
enum class ProofEngine { structure, local_solver, solver, exhaustion, algebra, case_split };
const char* engine_name(ProofEngine engine);

struct SweepLimits {
  int local_conflicts = 200;
  int conflicts = 100;
  int goal_conflicts = 20000;  // of pairs that are to be equal
  int cut = 22;                // leaves of a set whose values are all tried
  int goal_cut = 24;
  int word_cut = 30;                // of all bits of a stage together
  std::size_t common_below = 3000;  // gates of what both sides have in common, the highest, in which a stage is cut
};

// What is to be equal, bit for bit, lowest first: a place in the model and in the unit.
struct SweepStage {
  std::vector<Lit> model, unit;
  bool is_known = false;      // that they are, from an earlier run
  bool is_refuted = false;    // so that nobody tries
  bool is_sum = false;        // of bits, whose order algebra sees through
  int below_sum = 0;          // so many of the lowest are not of it, but say what was lost
  int product_bits = 0;       // so many of the lowest are a product, perhaps
  bool is_lemma = false;      // one bit that is to be true always, for the stages that are given it; several are asked
                              // together, for lemmas that follow
  bool is_aid = false;        // what is not equal in it needs no more patience
  bool is_rewritten = false;  // of an aid: the model is to be made of the unit's side from here on
  bool is_leaf = false;       // of an aid: its bit may be in a cut as a place's may
  bool is_alone = false;
  bool is_of_unit = false;  // of a lemma
  bool is_plain = false;    // of a lemma: one that a solver mostly sees with all that is below
  std::string name = {};
  std::vector<std::size_t> given = {};  // lemmas before it
  std::vector<std::size_t> spare = {};  // more of these, for where it is not proved under the given ones alone
  std::vector<std::size_t> laws = {};   // lemmas before it that decide each side: it is proved by them, or not
  std::vector<Lit> below = {};          // of a lemma: what it is about, in which it may be cut
  std::vector<Lit> leading = {};        // of a proved place: a sum, whose leading bit decides what is done with it
  std::optional<SumRange> range = {};   // in which that sum is known to lie
  std::vector<Lit> frozen = {};         // what stays as it was made when what it is made of is written anew
  std::vector<std::size_t> reads = {};  // places before it that the unit may read around
  std::vector<Lit> sum = {};  // of an aid: a word whose highest bits are the model, and the one below the unit
  std::vector<std::vector<Lit>> addends = {};  // that this may be the sum of
  std::vector<Lit> shown = {};  // the unit's own gates, which are not merged; where none are given, `unit`
};

// What was spent on a stage's own gates, and on what their merging rests.
struct SweepEffort {
  double seconds = 0;
  std::set<ProofEngine> engines;
  std::set<std::string> under;  // lemmas, proved before it
  std::size_t bounds = 0;       // what its cut's nodes never are, proved too
};

class Sweep {
 public:
  // `patterns`: cases to tell nodes apart, for each input as many words as for the others.
  Sweep(const Gates& gates, std::vector<std::vector<std::uint64_t>> patterns, const SweepLimits& limits,
        std::function<bool()> goes_on);

  // The next stage: its gates are made and merged, then its sides held to each other, as a whole and bit by bit. What
  // is equal is one in the stages that follow.
  void run(SweepStage next);

  // That the last stage's sides are equal, which was shown elsewhere.
  void know_last();

  // Of the cut's free nodes, before any stage: what is true for all values that they take together.
  void assume(std::vector<Lit> given) { assumed_ = std::move(given); }

  Lit of(Lit l) const { return resolved(inverted_if(map_[node_of(l)], is_inverted(l))); }
  // As they are, whatever they are equal to.
  std::vector<Lit> made_plainly(const std::vector<Lit>& roots);
  // The gates that were made for them, before they were merged.
  std::vector<Lit> unmerged(const std::vector<Lit>& roots);
  bool is_made(Lit l) const { return map_[node_of(l)] != lit_none; }
  bool is_proved(std::size_t lemma) const { return proved_[lemma] != 0; }
  bool is_equal() const { return apart_in(stages_.back()).empty(); }    // the last stage, on both sides
  Gates take() { return std::move(swept_); }                            // at the end
  const std::vector<SweepEffort>& efforts() const { return efforts_; }  // of the stages
  std::size_t undecided() const { return undecided_; }
  // Cases that told candidates apart, 64 in each, a word for each input.
  std::vector<std::vector<std::uint64_t>> learned() const;

 private:
  static constexpr std::size_t extra_words = 16;
  enum class Patience { none, nearby, all };  // with which a node was held to those that look like it

  Lit resolved(Lit l) const;
  void unite(Lit l, Lit with);  // from here on `with` stands for `l`
  Lit plain(Lit x, Lit y);
  void add_node(std::uint32_t node);
  std::vector<Lit> refreshed(const std::vector<Lit>& roots);
  void make(std::uint32_t node, Patience patience);
  void settle(Lit made, bool is_listed);
  void list(std::uint32_t node);
  void begin();
  void begin_solving();
  std::vector<const SweepStage*> lemmas(const SweepStage& stage) const;
  bool is_known_true(const SweepStage& lemma) const;
  bool is_plainly_true(const SweepStage& stage, const std::vector<const SweepStage*>& under, int conflicts);
  void hold_above_sum(const SweepStage& stage);
  bool hold_alone(const SweepStage& stage);
  bool hold_alone_as_given(const SweepStage& stage);
  // What is to be equal over a cut.
  struct Held {
    std::vector<Lit> x, y, given, leading;
    std::optional<SumRange> range;      // of the sum whose bits are leading
    std::vector<std::uint32_t> places;  // leaves: nodes of places that the model reads
    // Where the unit reads around these, its own gates for them: each bit, and what it is the `and` of; and all that
    // these are made of, in which it may be cut.
    std::vector<std::array<Lit, 3>> shown;
    std::unordered_set<std::uint32_t> below;
  };
  // A stage over a cut, as a circuit of its own.
  struct Alone {
    std::vector<std::uint32_t> cut;
    Gates gates;
    std::vector<Lit> map;  // of nodes here, there
    std::vector<std::vector<std::uint64_t>> patterns;
    SweepStage stage;
    std::vector<Lit> assumed;
    std::vector<Lit> leading;  // here, as far as it is there

    std::string content() const;
    std::vector<Lit> roots() const;
  };
  // What such a circuit's nodes are merged to: literals of one circuit; lit_none where nobody looked.
  struct SweptAlone {
    std::vector<Lit> stands_for;
    std::set<ProofEngine> engines;

    Lit of(Lit l) const {
      const Lit at = stands_for[node_of(l)];
      return at == lit_none ? lit_none : inverted_if(at, is_inverted(l));
    }
  };
  Alone over_cut(const std::vector<std::uint32_t>& cut, const Held& held) const;
  std::vector<char> equal_alone(Alone& alone, bool takes_over);
  std::vector<char> sweep_alone(const Alone& alone, bool takes_over);
  Alone merged_nearby(const Alone& alone) const;
  bool is_equal_case_by_case(const Alone& whole, const Held& held);
  std::vector<std::size_t> apart_where(const Alone& alone, const std::vector<std::uint32_t>& cone,
                                       const std::vector<Lit>& known) const;
  bool is_equal_below(Solving& below, const Held& held, const std::vector<Lit>& known,
                      const std::vector<std::size_t>& bits) const;
  bool learn_bounds(Alone& alone) const;  // whether the sides are then equal
  void take_over(const SweptAlone& sub, const std::vector<Lit>& map);
  bool hold_alone(const SweepStage& stage, const Held& held);
  std::optional<Held> at_places(const SweepStage& stage, const Held& held);
  std::optional<std::vector<std::uint32_t>> cut_below(const SweepStage& stage, const Held& held);
  void go_through(const SweepStage& stage);
  void settle_around(const SweepStage& stage);
  void freeze(const SweepStage& stage);
  void hold_by_laws(const SweepStage& stage);
  void hold(const SweepStage& stage);
  // What of a stage is not one yet, by the bits' numbers; and the ways to make it one.
  std::vector<std::size_t> apart_in(const SweepStage& stage) const;
  void merge(const SweepStage& stage, std::size_t bit);
  void hold_sum(const SweepStage& stage);
  std::vector<std::uint32_t> left_of_product(const SweepStage& stage, const std::vector<std::uint32_t>& own);
  void hold_product(const SweepStage& stage);
  void begin_alone();
  bool is_same_product(const std::vector<Lit>& x, const std::vector<Lit>& y);
  bool is_same_where(const std::vector<Lit>& masks, const std::vector<Lit>& x, const std::vector<Lit>& y);
  bool are_same_unless(const std::vector<Lit>& masks, const std::vector<Lit>& x, const std::vector<Lit>& y);
  std::vector<std::vector<std::uint64_t>> cases_with(const std::vector<Lit>& masks) const;
  std::vector<Lit> plainer(const std::vector<Lit>& word);
  void hold_word(const SweepStage& stage, int cut);
  template <class Compare>
  void hold_bits(const SweepStage& stage, const Compare& compare);
  void add_values(std::uint32_t node);
  const std::uint64_t* values(std::uint32_t node) const { return values_.data() + node * stride_; }
  bool looks_same(Lit x, Lit y) const;
  std::uint64_t hash_of(std::uint32_t node, bool& inverts) const;
  SolverAnswer compare(Lit x, Lit y, bool is_goal);
  SolverAnswer compare_hard(Lit x, Lit y);
  SolverAnswer compare_locally(Lit x, Lit y);
  SolverAnswer compare_wholly(Lit x, Lit y, int conflicts);
  SolverAnswer compare_above(Lit x, Lit y, std::size_t common);
  SolverAnswer compare_exhaustively(const std::vector<Lit>& x, const std::vector<Lit>& y, int most);
  const std::vector<std::uint64_t>& apart(const std::vector<Lit>& x, const std::vector<Lit>& y,
                                          const std::vector<std::uint32_t>& leaves);
  SolverAnswer reachable(const std::vector<std::uint32_t>& leaves, std::uint64_t value);
  void learn(const Solving& solving);
  void learn_values(const std::vector<char>& inputs);

  const Gates& gates_;
  Gates swept_;
  std::vector<std::vector<std::uint64_t>> patterns_;
  SweepLimits limits_;
  std::function<bool()> goes_on_;
  std::size_t base_words_, stride_, learned_ = 0;
  std::vector<Lit> map_;
  std::vector<Lit> stands_for_;  // of nodes of `swept_`
  std::vector<Patience> patience_;
  std::vector<SweepStage> stages_;        // so far
  std::vector<std::uint32_t> make_anew_;  // what was made for laws that did not hold, by the next stage
  std::vector<Lit> assumed_, given_;
  std::unordered_set<std::uint32_t> frozen_;
  std::map<std::string, SweptAlone> swept_alone_;  // by what they are
  std::vector<char> proved_;                       // of the stages: lemmas
  std::unordered_set<Lit> always_;                 // of the circuit as it was given: what lemmas say, so far
  std::vector<std::uint64_t> values_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> alike_;
  std::unique_ptr<Solving> solving_;
  std::unordered_map<std::string, std::vector<std::uint64_t>> tried_;  // by the gates, where two of them differ
  std::vector<SweepEffort> efforts_;
  std::size_t undecided_ = 0;
};

}  // namespace assay
