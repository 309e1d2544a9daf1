// The version space: datapaths that agree with every answer so far, and while there are none, those that contradict the
// least.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tb/identify/box.hpp"
#include "tb/identify/results.hpp"
#include "tb/identify/variations.hpp"

namespace assay::identify {

struct DatapathCandidate {
  std::shared_ptr<const Plan> plan;  // of its words
  std::string from;                  // "fused_f25", "fused_f25, adders.sum.add.product.keep +2"
  std::vector<std::string> changes;  // from there, one after the other
  std::size_t wrong = 0;             // answers that it contradicts
  double loss = 0;                   // by how much: an answer counts 1 where it is far off, a half where it is near
  std::uint64_t signature = 0;       // of its results: two that compute the same so far have the same
  bool varied = false;               // its variations were tried
};

// Whether one result passes for the other: the rule for NaN.
using SameCode = std::function<bool(Code, Code)>;

class VersionSpace {
 public:
  // Candidates take the operands of `asked`. A start that cannot be planned on them is left out.
  VersionSpace(const Plan& asked, SameCode same);

  void start(const Datapath& words, const std::string& name);
  // As it stands, and nothing else of it.
  void start_with(const Datapath& words, const std::string& name);
  // No change is tried once so many datapaths were.
  void try_at_most(std::uint64_t datapaths) { most_tried_ = datapaths; }
  // What is found does not depend on it.
  void use_threads(int threads) { threads_ = threads; }
  int threads() const { return threads_; }
  // Is told now and then how many datapaths were tried.
  void tell(std::function<void(std::uint64_t)> listener) { listener_ = std::move(listener); }
  void learn(const BoxAnswer& answer);

  // Whether datapaths with other sums than the best have their turn in a climb: of one addend nearly all sums make the
  // same.
  void let_other_sums_climb(bool let) { other_sums_climb_ = let; }

  // Whether a climb may put other sums in the place of these, or changes their words alone.
  void let_sums_change(bool let) { sums_change_ = let; }

  // Nothing is learnt yet.
  void begin_again();

  // Changes words of those that contradict the fewest answers until one contradicts none; false where none is found.
  // Afresh: from the starts again, which later answers may have made the better ones.
  bool climb(bool afresh = false);
  // Tries the neighbours of all there are, and of the starts: a word that turns most answers, such as a sign, hides
  // that all others are right.
  void vary_each();
  // Changes two words of the best at once, of which the first explains an answer that the best contradicts, whatever
  // else it breaks; false where that leads to nothing nearer.
  bool mend();
  // Of those that agree with everything: the neighbours that do as well.
  void spread();
  // Leaves out of the best what none of the answers and of these cases shows to be there.
  void tidy(const std::vector<Case>& cases);

  // Those that contradict the fewest answers first; of these, those with the fewest changes.
  const std::vector<DatapathCandidate>& candidates() const { return candidates_; }
  const DatapathCandidate& best() const { return candidates_.front(); }
  bool agrees() const { return !candidates_.empty() && best().wrong == 0; }
  std::size_t agreeing() const;
  const std::vector<BoxAnswer>& answers() const { return answers_; }
  std::uint64_t tried() const { return tried_; }  // datapaths held to the answers

  Code result(const DatapathCandidate& candidate, const Case& given);
  bool same(Code x, Code y) const { return same_(x, y); }
  // The index of the first answer that a datapath contradicts; nothing where it agrees with all.
  std::optional<std::size_t> contradiction(const Plan& plan) const;
  // Some of what the search began with, spread over all of it.
  std::vector<std::shared_ptr<const Plan>> some_starts(std::size_t most) const;
  // Planned on these operands; nullptr where it cannot be.
  std::shared_ptr<const Plan> planned(const Datapath& words) const;

 private:
  // Something that may become a candidate.
  struct Trial {
    Datapath words;
    std::string from;
    std::vector<std::string> changes;
  };

  // What trials are held to: the answers in this order. Where they are changes of a base: the answers as it multiplies
  // them, and how many it contradicts, which come first. A trial that gives the same as it of the first `to_change`
  // explains nothing.
  struct Measure {
    std::vector<std::size_t> order;
    double most_loss = 0;
    std::shared_ptr<const MultipliedCases> base = {};
    std::size_t wrong = 0, to_change = 0;

    // What the plan can go on from; nullptr where there is nothing.
    const MultipliedCases* suiting(const Plan& plan) const {
      return base != nullptr && base->suit(plan) ? base.get() : nullptr;
    }
  };

  // Of those that were varied in a climb.
  struct Seen {
    std::set<std::string> sums;
    std::set<std::int64_t> losses;
  };

  bool in_stages() const { return worth_ > 1; }
  std::vector<DatapathCandidate>::iterator next_to_vary(int turn, const Seen& seen);
  void make_writable(Datapath& words) const;
  static Trial trial_of(const DatapathCandidate& of, Variation&& v);
  void start_again();
  std::vector<Trial> changed_words(const DatapathCandidate& of, Breadth breadth) const;
  std::vector<Trial> changed_sums(const DatapathCandidate& of) const;
  // As many as may still be tried.
  std::vector<Trial> allowed(std::vector<Trial> trials) const;
  std::vector<DatapathCandidate> explaining(const DatapathCandidate& best);
  void vary(std::size_t index, Breadth breadth, double most_loss);
  std::vector<std::size_t> latest_first() const;
  Measure measure(const DatapathCandidate& base, double most_loss) const;
  void hold(const std::vector<Trial>& trials, const Measure& by, bool alike_too);
  void hold_starts(const std::vector<Trial>& trials);
  DatapathCandidate held(const Trial& trial, const Measure& by, Registers& registers) const;
  Code d_of(const Plan& plan, std::size_t answer, const MultipliedCases* suiting, Registers& registers) const;
  std::size_t explained_by(const Plan& plan, const Measure& by, Registers& registers) const;
  void hold_to(const Measure& by, DatapathCandidate& made, Registers& registers) const;
  void put_in_order();
  double loss(Code d, Code answer) const;
  double cost(const DatapathCandidate& c) const;
  SeenNans nans() const;

  const Plan& asked_;
  SameCode same_;
  std::vector<DatapathCandidate> candidates_;
  std::vector<std::pair<Datapath, std::string>> starts_;  // as they could be planned, and their names
  std::vector<Datapath> others_;  // the starts, whose adders and NaN may be taken; each pair of these once
  std::vector<BoxAnswer> answers_;
  std::set<std::string> seen_;          // words, as text
  std::set<std::uint64_t> signatures_;  // while nothing agrees
  double worth_ = 1;                    // changes of an answer
  bool crowded_ = false;                // some that agree were left out
  std::uint64_t tried_ = 0, most_tried_ = ~std::uint64_t{0};
  int threads_ = 1;
  std::function<void(std::uint64_t)> listener_;
  bool other_sums_climb_ = true;
  bool sums_change_ = true;
  Registers registers_;
};

}  // namespace assay::identify
