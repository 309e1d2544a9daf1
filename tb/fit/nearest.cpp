#include "tb/fit/nearest.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "model/core/dot.hpp"
#include "tb/generate/mutations.hpp"

namespace assay {
namespace {

constexpr int most_steps = 8;                       // of one number
constexpr std::size_t best_words = 6;               // each tried with every other word
constexpr std::size_t most_nearly = 3;              // shown
constexpr int most_mistakes = 4;                    // parted from each other
constexpr std::size_t most_further_codes = 32'768;  // of a, of each kind
constexpr std::size_t first_look = 32;              // failures; a change that explains half of them is worth a second

// A word and what it becomes, maybe in several steps.
struct Word {
  std::string path, from, to;

  std::string text() const { return path + " were " + to + " (it is " + from + ")"; }
};

struct Change {
  std::vector<Word> words;
  Datapath datapath;

  std::string text() const {
    std::string joined;
    for (const Word& word : words) joined += (joined.empty() ? "" : " and ") + word.text();
    return joined;
  }
  bool changes(const std::string& path) const {
    return std::any_of(words.begin(), words.end(), [&](const Word& word) { return word.path == path; });
  }
};

struct Candidate {
  Change change;
  std::vector<std::size_t> explains;  // indices of failures
  std::size_t broken = 0;
};

std::string path_of(const Mutation& m) { return m.name.substr(0, m.name.find(' ')); }

// "-1", "doubled", "toward_zero"
std::string step_of(const Mutation& m) { return m.name.substr(m.name.find(' ') + 1); }

bool is_number(const Mutation& m) {
  const std::string step = step_of(m);
  return step == "-1" || step == "+1" || step == "doubled" || step == "halved";
}

Change then(Change before, const Mutation& m) {
  const std::string path = path_of(m);
  const auto known =
      std::find_if(before.words.begin(), before.words.end(), [&](const Word& w) { return w.path == path; });
  if (known == before.words.end()) {
    before.words.push_back({path, m.from, m.to});
  } else {
    known->to = m.to;
  }
  before.datapath = m.changed;
  return before;
}

}  // namespace

// One search over failures that a Nearest has kept, and its right results.
class NearestSearch {
 public:
  using Failures = std::vector<const Nearest::Result*>;

  NearestSearch(const Nearest& seen, const Failures& wrong)
      : seen_(seen), wrong_(wrong), k_(seen.plan_->k), words_(mutations(seen.plan_->datapath, k_)) {
    one_word();
    if (explained() || wrong_.size() < conclusive_failures) return;
    several_steps();
    every_input();
    if (!explained()) two_words();
  }

  // The change that explains the most and breaks nothing. A further word must explain as much more as tells it from
  // chance; of those that explain as many, the one tried first: its change is the smallest.
  const Candidate* agreeing() const {
    const Candidate* best = nullptr;
    const std::size_t least = std::min(conclusive_failures, wrong_.size());
    for (const Candidate& c : candidates_) {
      if (whole(c)) return &c;
      if (c.broken != 0 || c.explains.size() < least) continue;
      if (best == nullptr || worth(c) > worth(*best)) best = &c;
    }
    return best;
  }

  std::vector<std::string> as_well(const Candidate& taken) const {
    std::vector<std::string> others;
    for (const Candidate& c : candidates_) {
      const bool alike = c.broken == 0 && c.explains == taken.explains;
      const bool as_small = c.change.words.size() == taken.change.words.size();
      if (alike && as_small && c.change.text() != taken.change.text()) others.push_back(c.change.text());
    }
    return others;
  }

  // Those that explain most failures, the best first. A further word that changes nothing of that is none.
  std::vector<const Candidate*> nearly() const {
    std::vector<const Candidate*> most;
    for (const Candidate& c : candidates_) {
      if (2 * c.explains.size() > wrong_.size()) most.push_back(&c);
    }
    std::stable_sort(most.begin(), most.end(),
                     [&](const Candidate* x, const Candidate* y) { return faults(*x) < faults(*y); });
    std::vector<const Candidate*> shown;
    for (const Candidate* c : most) {
      const auto says_as_much = [&](const Candidate* simpler) {
        return simpler->change.words.size() < c->change.words.size() && simpler->broken == c->broken &&
               simpler->explains == c->explains;
      };
      if (shown.size() < most_nearly && std::none_of(shown.begin(), shown.end(), says_as_much)) shown.push_back(c);
    }
    return shown;
  }

  NearbyChange shown(const Candidate& c) const {
    return {c.change.text(), c.explains.size(), wrong_.size(), c.broken, c.change.datapath};
  }

  Failures left_by(const Candidate& c) const {
    Failures left;
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      if (!std::binary_search(c.explains.begin(), c.explains.end(), i)) left.push_back(wrong_[i]);
    }
    return left;
  }

 private:
  static std::ptrdiff_t worth(const Candidate& c) {
    return static_cast<std::ptrdiff_t>(c.explains.size()) -
           static_cast<std::ptrdiff_t>(conclusive_failures * (c.change.words.size() - 1));
  }

  Change unchanged() const { return {{}, seen_.plan_->datapath}; }

  bool whole(const Candidate& c) const { return c.explains.size() == wrong_.size() && c.broken == 0; }
  bool explained() const {
    return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) { return whole(c); });
  }
  // Failures left over and right results broken.
  std::size_t faults(const Candidate& c) const { return wrong_.size() - c.explains.size() + c.broken; }

  void one_word() {
    for (const Mutation& m : words_) try_it(then(unchanged(), m), false);
  }

  // The same step again, for as long as there is one.
  std::optional<Change> again(const Change& change, const std::string& name) const {
    for (const Mutation& m : mutations(change.datapath, k_)) {
      if (m.name == name) return then(change, m);
    }
    return std::nullopt;
  }

  void several_steps() {
    for (const Mutation& m : words_) {
      if (!is_number(m)) continue;
      std::optional<Change> change = then(unchanged(), m);
      for (int step = 2; step <= most_steps && (change = again(*change, m.name)); ++step) try_it(*change, true);
    }
  }

  // The inputs of an adder that take the same step.
  void every_input() {
    std::map<std::tuple<bool, int, std::string, std::string>, std::vector<const Mutation*>> alike;
    for (const Mutation& m : words_) {
      if (m.spot.item < 0 || m.spot.key.rfind("add", 0) != 0) continue;
      alike[{m.spot.finish, m.spot.adder, m.spot.key, step_of(m)}].push_back(&m);
    }
    for (const auto& [step, inputs] : alike) {
      if (inputs.size() < 2) continue;
      std::optional<Change> change = unchanged();
      for (int i = 0; i < (is_number(*inputs.front()) ? most_steps : 1) && (change = again_each(*change, inputs)); ++i)
        try_it(*change, true);
    }
  }

  std::optional<Change> again_each(std::optional<Change> change, const std::vector<const Mutation*>& inputs) const {
    for (const Mutation* m : inputs) {
      if (change) change = again(*change, m->name);
    }
    return change;
  }

  // Those that explain the most and break the least, each with every word beside it.
  void two_words() {
    std::vector<const Candidate*> best;
    for (const Candidate& c : candidates_) best.push_back(&c);
    std::stable_sort(best.begin(), best.end(),
                     [&](const Candidate* x, const Candidate* y) { return faults(*x) < faults(*y); });
    std::vector<Change> first;
    for (std::size_t i = 0; i < std::min(best_words, best.size()); ++i) first.push_back(best[i]->change);
    for (const Change& change : first) {
      for (const Mutation& m : mutations(change.datapath, k_)) {
        if (!change.changes(path_of(m))) try_it(then(change, m), true);
      }
    }
  }

  // `most`: only where it may explain most of the failures.
  void try_it(const Change& change, bool most) {
    const auto made = plan(change.datapath, k_);
    const Plan* changed = std::get_if<Plan>(&made);
    if (changed == nullptr || !are_within(changed->more, seen_.plan_->more) || !is_new(change)) return;
    const auto agrees = [&](const Nearest::Result& r) {
      return seen_.same_(r.d, dot(*changed, r.given.operand(), registers_));
    };
    const auto look = static_cast<std::ptrdiff_t>(std::min(first_look, wrong_.size()));
    const auto agrees_there = [&](const Nearest::Result* r) { return agrees(*r); };
    if (most && 2 * std::count_if(wrong_.begin(), wrong_.begin() + look, agrees_there) < look) return;
    Candidate candidate{change, {}, 0};
    for (std::size_t i = 0; i < wrong_.size(); ++i) {
      if (agrees(*wrong_[i])) candidate.explains.push_back(i);
    }
    if (candidate.explains.empty()) return;
    for (const Nearest::Result& r : seen_.right_) candidate.broken += agrees(r) ? 0 : 1;
    candidates_.push_back(std::move(candidate));
  }

  // Two words may be changed in either order.
  bool is_new(const Change& change) {
    std::set<std::string> words;
    for (const Word& word : change.words) words.insert(word.text());
    return tried_.insert(std::move(words)).second;
  }

  const Nearest& seen_;
  const Failures& wrong_;
  int k_;
  std::vector<Mutation> words_;
  std::vector<Candidate> candidates_;  // the smallest changes first
  std::set<std::set<std::string>> tried_;
  Registers registers_;
};

void Nearest::see(const Case& given, Code d, bool right) {
  wrong_seen_ += right ? 0 : 1;
  std::vector<Result>& list = right ? right_ : wrong_;
  std::vector<Result>& further = right ? further_right_ : further_wrong_;
  if (list.size() < kept_) {
    list.push_back({given, d});
  } else if (further.size() < most_further_codes / static_cast<std::size_t>(plan_->k)) {
    further.push_back({given, d});
  }
}

void Nearest::make_room() { kept_ += room; }

NearbyChanges Nearest::find() const {
  NearbyChanges found;
  found.failures = wrong_.size();
  found.right = right_.size();
  NearestSearch::Failures left;
  for (const Result& r : wrong_) left.push_back(&r);
  for (int i = 0; i < most_mistakes && left.size() >= (i == 0 ? 1 : conclusive_failures); ++i) {
    const NearestSearch search(*this, left);
    const Candidate* taken = search.agreeing();
    if (taken != nullptr) {
      if (found.agree.empty()) found.as_well = search.as_well(*taken);
      found.agree.push_back(search.shown(*taken));
    } else {
      const std::vector<const Candidate*> nearly = search.nearly();
      for (const Candidate* c : nearly) found.nearly.push_back(search.shown(*c));
      if (nearly.empty()) break;
      taken = nearly.front();
    }
    left = search.left_by(*taken);
  }
  found.left = left.size();
  return found;
}

}  // namespace assay
