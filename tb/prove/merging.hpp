// Merges what is equal in a unit and in what it is held to, from the inputs up, pass after pass.
//
// There are two ways: over small cuts, which is quick where stages are small, and at places, where cuts would be large
// or lie below what a unit reads. Both may be gone at once. A place that the first has proved is known to the second;
// not the other way round, since what is merged within a stage helps small cuts with the next.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "tb/prove/aids.hpp"
#include "tb/prove/own_stages.hpp"
#include "tb/prove/proof.hpp"
#include "tb/prove/sweep.hpp"

namespace assay {

// What is to be equal: the bits of a place in what the unit is held to - the model, or another unit - and in the unit.
struct PlaceSides {
  std::vector<Lit> reference, unit;
};

struct ProofTask {
  const Plan& plan;
  const Gates& gates;
  const ModelGates& model;
  const std::vector<Aid>& aids;           // of the model, where that is it
  const std::vector<Law>& laws;           // of both, where the model is what the unit is held to
  const std::vector<OwnStage>& own;       // of the unit, then
  const std::vector<PlaceProof>& places;  // that both show, and d: their names and numbers
  const std::vector<PlaceSides>& sides;   // of each
};

// What is known of the places so far, for several threads.
class ProofAnswers {
 public:
  explicit ProofAnswers(std::vector<PlaceProof>& places) : places_(places) {}

  bool any_open() const { return open_ != 0; }  // once anything was changed
  ProofAnswer of(std::size_t index) const;
  void change(const std::function<void(std::vector<PlaceProof>&)>& how);
  void prove(std::size_t index, const SweepEffort& effort);

 private:
  std::vector<PlaceProof>& places_;
  mutable std::mutex mutex_;
  std::atomic<std::size_t> open_{0};
};

enum class MergingWay { small_cuts, at_places };

class Merging {
 public:
  // `patterns`: cases that tell gates apart, 64 in each, a word for each input; what is learned is added.
  Merging(const ProofTask& task, ProofAnswers& answers, MergingWay way,
          std::vector<std::vector<std::uint64_t>> patterns);

  // Hears of operands for which a place differs: what a solver found in a circuit.
  using Refuted = std::function<void(const Solving&, const Gates&)>;

  // Until no place is open, or as long as there is time.
  void run(const std::function<bool()>& has_time, const Refuted& refuted);

  // The circuit that is left, and the places' sides in it.
  const Gates& gates() const { return merged_; }
  const std::vector<PlaceSides>& sides() const { return now_; }
  std::size_t bits_apart() const;
  std::size_t undecided() const { return undecided_; }
  const std::vector<std::vector<std::uint64_t>>& patterns() const { return patterns_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct OverStep {
    OverPlaces claim;
    std::size_t is_model = 0;  // the step that shows that the model reads what it is said to read
    std::optional<bool> is_function, holds;
  };
  struct OwnStep {
    const OwnStage* stage = nullptr;
    OverStep over = {};
  };

  bool is_at_places() const { return way_ == MergingWay::at_places; }
  std::size_t place_of(std::size_t index) const;
  bool is_shown(int place) const;
  bool is_sum(std::size_t place) const;
  int product_bits(int place) const;
  void set_steps();
  void add_step(SweepStage stage, std::size_t place, std::size_t decides);
  void add_laws(std::size_t index, const SweepStage& place, const std::vector<std::size_t>& of_model);
  void add_own(std::size_t index, const SweepStage& place);
  void add_over_places(const SweepStage& lemma, const OverPlaces& claim, std::size_t decides);
  using GoesOn = std::function<bool()>;
  std::vector<Lit> known_over_places(std::size_t step, const Sweep& sweep, const GoesOn& goes_on);
  bool is_function(OverStep& over, const Sweep& sweep, const GoesOn& goes_on);
  bool holds_over_places(std::size_t step, const Sweep& sweep, const GoesOn& goes_on);
  bool are_true_over_places(const std::vector<Lit>& claims, const OverStep& over, const Sweep& sweep,
                            const GoesOn& goes_on);
  void add_by_cases(std::size_t index, const SweepStage& place);
  void write_anew(SweepStage& stage, const Aid& aid) const;
  std::vector<std::size_t> steps_read(std::size_t place, const std::map<std::size_t, std::size_t>& step_at,
                                      const std::vector<std::vector<int>>& read) const;
  void pass(const SweepLimits& limits, const std::function<bool()>& goes_on);
  bool is_settled_elsewhere() const;
  void solve(std::size_t index, int conflicts, const std::function<bool()>& goes_on, const Refuted& refuted);
  SweepStage stage_of(std::size_t step) const;
  bool is_own(std::size_t step, const Sweep& sweep, const std::function<bool()>& goes_on);
  SweepStage under_what_is_known(const OwnStage& own, const Sweep& sweep, SweepStage stage);
  std::optional<std::size_t> left_in_own(int place, const Sweep& sweep);
  void begin_own(const std::function<bool()>& goes_on);
  std::vector<std::size_t> places_in_own(const std::vector<int>& places);
  std::vector<std::size_t> given_to_own(const std::vector<std::size_t>& given, const Sweep& sweep);
  std::optional<SumRange> range_of_sum(const OwnStage& own, const Sweep& sweep);
  bool are_proved(const std::vector<int>& places) const;
  std::size_t known_of_own(std::size_t lemma);
  void charge(std::size_t step, const Sweep& sweep);
  void go_over_to(Sweep& sweep);
  std::vector<std::vector<std::uint64_t>> words_of_inputs() const;

  const ProofTask& task_;
  ProofAnswers& answers_;
  MergingWay way_;
  std::vector<std::vector<std::uint64_t>> patterns_;
  std::vector<PlaceSides> now_;
  Gates merged_;
  std::vector<SweepStage> steps_;
  std::vector<std::size_t> step_of_;                       // the place of each, none of what helps
  std::vector<std::size_t> for_;                           // of a law the place that it decides, else none
  std::vector<std::vector<std::size_t>> given_;            // of places, the lemmas that help with each
  std::map<int, std::optional<SumRange>> ranges_;          // of sums that are rounded, by the place after
  std::map<int, std::set<std::string>> sizes_;             // lemmas that these rest on
  std::map<std::size_t, OwnStep> own_steps_;               // where it is asked of the unit's own gates
  std::map<std::size_t, OverStep> over_places_;            // of steps: lemmas as functions of places
  std::map<std::size_t, const Aid*> of_places_;            // of steps: lemmas that are about places alone
  std::map<std::size_t, const OwnStage*> splits_;          // of steps: the stage whose sum they are split on
  std::unique_ptr<Sweep> own_;                             // of the unit's gates as they were read
  std::map<std::size_t, std::size_t> known_in_own_;        // of lemmas, their numbers there
  std::map<int, std::size_t> lemma_in_own_, left_in_own_;  // of rounded places, what is known of them there
  std::map<int, std::size_t> place_in_own_;                // of places, their numbers there
  std::vector<SweepEffort> efforts_;                       // of the places
  std::size_t settling_ = none;                            // the place that is worked at, if it was open
  std::size_t undecided_ = 0;
};

}  // namespace assay
