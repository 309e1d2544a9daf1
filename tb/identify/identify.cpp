#include "tb/identify/identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "model/base/parallel.hpp"
#include "tb/generate/equivalence.hpp"
#include "tb/generate/generator.hpp"
#include "tb/identify/questions.hpp"
#include "tb/identify/results.hpp"
#include "tb/scoreboard/difference.hpp"
#include "tb/scoreboard/shrink.hpp"
#include "tb/vectors/case_line.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t small_pool = 300, large_pool = 4000;
constexpr std::size_t at_a_time = 24;      // questions of one pool, while datapaths agree ..
constexpr std::size_t at_a_time_lost = 8;  // .. and while none does
constexpr int most_lost = 3;               // climbs in vain, one after the other
constexpr int lost_before_stages = 2;
// What is asked where nothing is near, in this order: what decides one stage is settled before the next comes.
struct LearningStage {
  std::optional<SimpleCase> simple;  // nothing: sums whose answer names what was not lost
  std::size_t questions;
};
constexpr auto of_products = SimpleCase::Addends::products, of_c = SimpleCase::Addends::c,
               of_all = SimpleCase::Addends::all;
constexpr std::array<LearningStage, 8> stages{{
    {SimpleCase{1, of_products, true}, 16},
    {SimpleCase{1, of_products, false}, 32},
    {SimpleCase{1, of_c, true}, 8},
    {SimpleCase{1, of_c, false}, 16},
    {std::nullopt, 24},
    {SimpleCase{2, of_all, true}, 32},
    {SimpleCase{2, of_all, false}, 32},
    {SimpleCase{3, of_all, false}, 32},
}};
constexpr int most_addends = 3;
constexpr int climbs_in_vain = 2;
constexpr std::size_t few_of = 40;  // one answer of so many need not be explained for the next stage to help
constexpr std::size_t most_counterexamples = 4;
constexpr int most_confirmations = 16;
constexpr std::uint64_t cases_a_neighbour = 600;
constexpr std::size_t cases_before_an_argument = 100;
constexpr std::size_t neighbours_at_a_time = 64;
constexpr std::size_t confirm_batch = 256, most_aims = 30;
constexpr std::size_t most_next = 16;
constexpr int ask_a_doubt = 3;

// What the classes of datapaths are told apart by at the end.
std::vector<Case> last_cases(const VersionSpace& space, const Plan& plan, const IdentifyEffort& effort) {
  return aimed_cases(space, plan, large_pool, effort.seed + 500);
}

// Of numbers that were left out, at which values they act. One that acts at a value acts at each beyond it, so few of
// hundreds have to be tried:
//
//   -133 -129 .. -101 -97 -93 -89 .. -5 -1
//   silent               silent  acts     acts
//                            ^ tried down to neighbours
class PutIn {
 public:
  // Of each word in the order of its values.
  explicit PutIn(std::vector<Variation> numbers) {
    for (Variation& v : numbers) words_[where(v)].values.emplace(*v.put_in, std::move(v));
  }

  void note(const Variation& v, bool silent) {
    if (v.put_in) words_[where(v)].silent[*v.put_in] = silent;
  }

  // What is to be tried: of each word both ends and the middle, then between two values that differ until these are
  // neighbours. Nothing is left once all are.
  std::vector<Variation> next() const {
    std::vector<Variation> wanted;
    for (const auto& [name, word] : words_) {
      for (const int value : word.wanted()) wanted.push_back(word.values.at(value));
    }
    return wanted;
  }

  // Those between a value that acts and one that does not.
  std::vector<Variation> between(std::vector<Variation> all) const {
    const auto is_not = [&](const Variation& v) {
      const auto of = words_.find(where(v));
      if (of == words_.end()) return true;
      const std::map<int, bool>& silent = of->second.silent;
      const auto above = silent.lower_bound(*v.put_in);
      const bool is_inside = above != silent.end() && above != silent.begin() && above->first != *v.put_in;
      return !is_inside || above->second == std::prev(above)->second;
    };
    all.erase(std::remove_if(all.begin(), all.end(), is_not), all.end());
    return all;
  }

 private:
  struct Word {
    std::map<int, Variation> values;
    std::map<int, bool> silent;  // of values that were tried

    int at(std::size_t index) const { return std::next(values.begin(), static_cast<std::ptrdiff_t>(index))->first; }
    std::size_t index_of(int value) const {
      return static_cast<std::size_t>(std::distance(values.begin(), values.find(value)));
    }

    std::set<int> wanted() const {
      if (values.empty()) return {};
      if (silent.empty()) return {at(0), at(values.size() / 2), at(values.size() - 1)};
      std::set<int> made;
      for (auto low = silent.begin(), high = std::next(low); high != silent.end(); low = high++) {
        const std::size_t from = index_of(low->first), to = index_of(high->first);
        if (low->second != high->second && to - from > 1) made.insert(at((from + to) / 2));
      }
      return made;
    }
  };

  static std::string where(const Variation& v) { return v.change.substr(0, v.change.rfind(' ')); }

  std::map<std::string, Word> words_;
};

class Asking {
 public:
  Asking(const Subject& subject, VersionSpace& space, Box& box, const IdentifyEffort& effort)
      : plan_(subject.plan), space_(space), box_(box), effort_(effort) {}

  Identified run() {
    for (int i = 0; i < most_confirmations; ++i) {
      if (!learn()) return no_word();
      const DatapathCandidate untidy = space_.best();
      space_.tidy(last_cases(space_, plan_, effort_));
      if (found_.before_confirming == 0) found_.before_confirming = box_.questions();
      if (!answers_stand()) return done(IdentifyOutcome::inconsistent);
      const bool stands = told_from_neighbours() && confirmed(untidy);
      if (found_.outcome == IdentifyOutcome::inconsistent) return done(IdentifyOutcome::inconsistent);
      if (stands && ask_from(Pool(space_, last_cases(space_, plan_, effort_))) == 0)
        return done(IdentifyOutcome::found);
    }
    return no_word();
  }

 private:
  // Until no case parts the candidates that agree; false where none agrees.
  bool learn() {
    bool thorough = false;
    int lost = 0;
    const std::uint64_t end = box_.questions() + effort_.questions;
    while (box_.questions() < end) {
      // What was built up in stages is nearer than any start.
      const bool nears = space_.agrees() || space_.climb(!in_stages_ && lost % 2 == 1) || (in_stages_ && space_.mend());
      if (!nears && ++lost > most_lost) return false;
      if (lost == lost_before_stages && !in_stages_) {
        if (!answers_stand()) return false;  // before the longer search
        // Another turn of sums changes nothing of one addend.
        const bool learnt = learn_in_stages(false) || (!one_addend(stages[stage_]) && learn_in_stages(true));
        if (!learnt) return false;
        lost = 0;
      }
      if (space_.agrees()) {
        lost = 0;
        space_.spread();
      }
      const std::size_t asked =
          ask_from(Pool(space_, aimed_cases(space_, plan_, thorough ? large_pool : small_pool, ++round_)));
      if (asked == 0 && thorough && space_.agrees()) return true;
      thorough = asked == 0;
    }
    return space_.agrees() || space_.climb();
  }

  // Where nothing is near, too much is wrong of every candidate for any answer to say which is the better one. So from
  // the beginning again: what one addend alone decides, then two, three, and then all that was answered before, as far
  // as it takes to explain that too. False where nothing explains a stage; all but a few of its answers will do, and
  // further ones show what is missing.
  bool learn_in_stages(bool other_sums_climb) {
    if (!in_stages_) before_stages_ = space_.answers();
    in_stages_ = true;
    space_.begin_again();
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      stage_ = stage;
      space_.let_other_sums_climb(other_sums_climb && !one_addend(stages[stage]));
      for (const BoxAnswer& a : answers_of(stage)) learn_answer(a.given, a.d);
      if (stage == 0) space_.vary_each();
      if (!settled()) return false;
      if (space_.agrees() && explains_what_was_before()) break;
    }
    space_.let_other_sums_climb(true);
    for (const BoxAnswer& a : before_stages_) learn_answer(a.given, a.d);
    return is_explained();
  }

  // Whether a stage is explained, by what came before or from the beginning.
  bool settled() {
    if (is_explained()) return true;
    space_.vary_each();
    return is_explained();
  }

  bool is_explained() { return climb_often() || few_are_wrong(); }

  bool explains_what_was_before() {
    return std::all_of(before_stages_.begin(), before_stages_.end(),
                       [this](const BoxAnswer& a) { return space_.same(space_.result(space_.best(), a.given), a.d); });
  }

  bool few_are_wrong() const { return space_.best().wrong * few_of <= space_.answers().size(); }

  static bool one_addend(const LearningStage& stage) { return stage.simple && stage.simple->addends == 1; }

  // Asked once, whichever way is gone.
  const std::vector<BoxAnswer>& answers_of(std::size_t stage) {
    if (stage == stage_answers_.size()) {
      const std::vector<Case> cases = cases_of(stages[stage], effort_.seed + 700 + stage);
      const std::vector<Code> results = box_.ask(cases);
      stage_answers_.emplace_back();
      for (std::size_t i = 0; i < cases.size(); ++i) stage_answers_.back().push_back({cases[i], results[i]});
    }
    return stage_answers_[stage];
  }

  std::vector<Case> cases_of(const LearningStage& stage, std::uint64_t round) const {
    if (stage.simple) return simple_cases(space_, plan_, *stage.simple, stage.questions, round);
    std::vector<Case> cases = cases_of_order(plan_, OrderOf::smallest, round);
    cases.resize(std::min(cases.size(), stage.questions));
    return cases;
  }

  // As long as that leads to something nearer.
  bool climb_often() {
    double loss = std::numeric_limits<double>::infinity();
    while (!space_.agrees() && space_.best().loss < loss) {
      loss = space_.best().loss;
      for (int i = 0; i < climbs_in_vain && !space_.climb() && space_.best().loss >= loss; ++i) continue;
      if (space_.best().loss >= loss) space_.mend();
    }
    return space_.agrees();
  }

  std::size_t ask_from(Pool pool) {
    const std::vector<DatapathCandidate> all = space_.candidates();
    std::vector<std::size_t> wrong;
    for (const DatapathCandidate& c : all) wrong.push_back(c.wrong);
    const std::size_t most = space_.agrees() ? at_a_time : at_a_time_lost;
    std::size_t asked = 0;
    while (asked < most) {
      const auto choice = pool.best(weights(wrong));
      if (!choice) break;
      const Case given = pool.at(choice->index);
      const Code d = box_.ask(given);
      learn_answer(given, d);
      for (std::size_t c = 0; c < wrong.size(); ++c) wrong[c] += space_.same(pool.result(choice->index, c), d) ? 0 : 1;
      pool.take_out(choice->index);
      ++asked;
      if (*std::min_element(wrong.begin(), wrong.end()) > 0 && asked >= at_a_time_lost) break;
    }
    return asked;
  }

  // Of those that agree each counts the same; where none does, the nearer the more.
  static std::vector<double> weights(const std::vector<std::size_t>& wrong) {
    const std::size_t least = *std::min_element(wrong.begin(), wrong.end());
    std::vector<double> w;
    for (const std::size_t n : wrong)
      w.push_back(n == least ? 1.0
                  : least == 0
                      ? 0.0
                      : 1.0 / static_cast<double>(std::size_t{1} << (2 * std::min<std::size_t>(n - least, 20))));
    return w;
  }

  void learn_answer(Case given, Code d) {
    given.number = space_.answers().size();
    space_.learn({given, d});
  }

  // Whether the box says the same of all questions, asked from the last to the first.
  bool answers_stand() {
    std::vector<Case> again;
    for (const BoxAnswer& a : space_.answers()) again.push_back(a.given);
    std::reverse(again.begin(), again.end());
    const std::vector<Code> results = box_.ask_again(again);
    for (std::size_t i = 0; i < results.size(); ++i) {
      const BoxAnswer& first = space_.answers()[results.size() - 1 - i];
      if (!space_.same(first.d, results[i])) return doubt(first, results[i]);
    }
    return true;
  }

  bool doubt(const BoxAnswer& first, Code other) {
    found_.against = first;
    found_.other_answer = other;
    found_.outcome = IdentifyOutcome::inconsistent;
    return false;
  }

  // Each neighbour that agrees so far is asked for a case that parts it from the best, aimed at either's edges: what
  // acts in one case of thousands is not met by chance. A number that was left out is put in where it begins to act: a
  // unit that has it at another value acts there as well. False where the unit sided with a neighbour.
  bool told_from_neighbours() {
    const DatapathCandidate best = space_.best();
    const Kernel of_best(*best.plan);
    const Expected own(own_cases(best), of_best);
    const Versus versus{best, of_best, own};
    std::vector<Variation> words = variations(best.plan->datapath, plan_.k, {}, Breadth::near);
    const auto numbers =
        std::stable_partition(words.begin(), words.end(), [](const Variation& v) { return !v.put_in; });
    PutIn put_in(that_can_be_planned({std::make_move_iterator(numbers), std::make_move_iterator(words.end())}));
    words.erase(numbers, words.end());
    if (!told_from(versus, words, put_in)) return false;
    for (std::vector<Variation> next = put_in.next(); !next.empty(); next = put_in.next()) {
      if (!told_from(versus, next, put_in)) return false;
    }
    return told_from(versus, put_in.between(numbers_put_in(best.plan->datapath, plan_.k)), put_in);
  }

  std::vector<Variation> that_can_be_planned(std::vector<Variation> all) const {
    const auto cannot = [this](const Variation& v) { return space_.planned(v.words) == nullptr; };
    all.erase(std::remove_if(all.begin(), all.end(), cannot), all.end());
    return all;
  }

  // What the best gives.
  struct Expected;
  struct Versus {
    const DatapathCandidate& best;
    const Kernel& kernel;
    const Expected& own;
  };

  bool told_from(const Versus& versus, const std::vector<Variation>& all, PutIn& put_in) {
    for (std::size_t first = 0; first < all.size(); first += neighbours_at_a_time) {
      std::vector<Neighbour> some(std::min(neighbours_at_a_time, all.size() - first));
      parallel(static_cast<int>(some.size()), space_.threads(), [&](int i, int) {
        const auto at = static_cast<std::size_t>(i);
        some[at] = neighbour(versus.kernel, all[first + at], versus.own);
      });
      for (std::size_t i = 0; i < some.size(); ++i) {
        if (some[i].plan != nullptr) put_in.note(all[first + i], some[i].agrees && !some[i].parting);
        if (some[i].parting && !stands_against(versus.best, some[i])) return false;
      }
    }
    return true;
  }

  // With a case that parts it from the best, where it agrees with all answers and there is one.
  struct Neighbour {
    std::shared_ptr<const Plan> plan;
    bool agrees = false;
    std::optional<Case> parting;
  };

  // Cases, and what the best gives for them.
  struct Expected {
    Expected(std::vector<Case> given, const Kernel& of_best)
        : cases(std::move(given)), operands(operands_of(cases)), d(results_of(of_best, operands)) {}

    std::vector<Case> cases;
    std::vector<Operand> operands;
    std::vector<Code> d;
  };

  struct Changed {
    const Plan& plan;
    const std::optional<Spot>& spot;  // where it is one word
  };

  Neighbour neighbour(const Kernel& of_best, const Variation& words, const Expected& own) const {
    Neighbour made{space_.planned(words.words), false, std::nullopt};
    made.agrees = made.plan != nullptr && !space_.contradiction(*made.plan);
    if (!made.agrees) return made;
    made.parting = parting_case(of_best, {*made.plan, words.spot}, own);
    return made;
  }

  bool stands_against(const DatapathCandidate& best, const Neighbour& n) {
    if (space_.contradiction(*n.plan)) return true;  // by what another neighbour was asked
    const Code d = box_.ask(*n.parting);
    const bool stands = space_.same(space_.result(best, *n.parting), d);
    if (!stands && !steady(*n.parting, d)) return false;
    learn_answer(*n.parting, d);
    return stands;
  }

  std::vector<Case> own_cases(const DatapathCandidate& best) const {
    std::vector<Case> own = generated(*best.plan, cases_a_neighbour);
    const auto add = [&](std::vector<Case> cases) { std::move(cases.begin(), cases.end(), std::back_inserter(own)); };
    for (int addends = 1; addends <= most_addends; ++addends)
      add(simple_cases(space_, plan_, {addends}, cases_a_neighbour, effort_.seed + 7000 + round_));
    add(cases_of_nans(plan_, cases_a_neighbour, effort_.seed + 8000 + round_));
    return own;
  }

  std::vector<Case> generated(const Plan& plan, std::uint64_t count) const {
    const Generator generator(plan, effort_.seed + 6000 + round_);
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < count; ++i) cases.push_back(generator.make(i));
    return cases;
  }

  // The first few decide it most times. What passes them is most times what no case tells, and is not looked for where
  // there is an argument.
  std::optional<Case> parting_case(const Kernel& of_best, const Changed& to, const Expected& own) const {
    Registers registers;
    const std::size_t few = std::min(cases_before_an_argument, own.cases.size());
    for (std::size_t i = 0; i < few; ++i) {
      if (!space_.same(own.d[i], dot(to.plan, own.operands[i], registers))) return own.cases[i];
    }
    if (to.spot && !equivalence(of_best.plan(), to.plan, *to.spot).empty()) return std::nullopt;
    const Kernel of_other(to.plan);
    if (auto found = parting_case(own, of_other)) return found;
    return parting_case(Expected(generated(to.plan, 3 * cases_a_neighbour), of_best), of_other);
  }

  std::optional<Case> parting_case(const Expected& expected, const Kernel& of_other) const {
    const std::vector<Code> d = results_of(of_other, expected.operands);
    for (std::size_t i = 0; i < d.size(); ++i) {
      if (!space_.same(expected.d[i], d[i])) return expected.cases[i];
    }
    return std::nullopt;
  }

  // Cases of every family: half of them the best candidate's; the others those of what it was before words were left
  // out, of others that agreed to the last, and of starts, some of whose families do not suit the best.
  bool confirmed(const DatapathCandidate& untidy) {
    const DatapathCandidate best = space_.best();
    std::vector<Generator> aims{Generator(*best.plan, effort_.seed + 1000 + round_),
                                Generator(*untidy.plan, effort_.seed + 2000 + round_)};
    const std::vector<DatapathCandidate> others = space_.candidates();
    for (std::size_t i = 0; i < most_aims; ++i)
      aims.emplace_back(*others[i * others.size() / most_aims].plan, effort_.seed + 3000 + 100 * i + round_);
    const std::vector<std::shared_ptr<const Plan>> starts = space_.some_starts(most_aims);
    for (const auto& start : starts) aims.emplace_back(*start, effort_.seed + 6000 + 100 * aims.size() + round_);
    std::vector<Case> wrong;
    std::unordered_set<std::string> distinct;
    const std::uint64_t most_made = 4 * effort_.confirm;  // families make some cases again and again
    for (std::uint64_t i = 0; distinct.size() < effort_.confirm && i < most_made && wrong.empty();) {
      std::vector<Case> cases;
      for (; cases.size() < confirm_batch && distinct.size() < effort_.confirm && i < most_made; ++i) {
        const Case made = i % 2 == 0 ? aims.front().make(i / 2) : aims[i / 2 % aims.size()].make(i / 2 / aims.size());
        if (distinct.insert(box_.key(made)).second) cases.push_back(made);
      }
      const std::vector<Code> results = box_.ask(cases);
      for (std::size_t i = 0; i < results.size(); ++i) {
        if (space_.same(space_.result(best, cases[i]), results[i])) continue;
        if (!steady(cases[i], results[i])) return false;
        if (wrong.size() < most_counterexamples) {
          wrong.push_back(cases[i]);
          learn_answer(cases[i], results[i]);
        }
      }
      if (wrong.empty()) found_.confirmed = distinct.size();
    }
    if (!wrong.empty()) found_.confirmed = 0;
    return wrong.empty();
  }

  // A counterexample is asked for again before it is believed.
  bool steady(const Case& given, Code d) {
    for (const Code again : box_.ask_again(std::vector<Case>(ask_a_doubt, given))) {
      if (!space_.same(again, d)) return doubt({given, d}, again);
    }
    return true;
  }

  Identified no_word() {
    if (found_.before_confirming == 0) found_.before_confirming = box_.questions();
    if (found_.outcome == IdentifyOutcome::inconsistent || !answers_stand()) return done(IdentifyOutcome::inconsistent);
    return done(IdentifyOutcome::no_word);
  }

  Identified done(IdentifyOutcome outcome) {
    found_.outcome = outcome;
    found_.questions = box_.questions();
    return std::move(found_);
  }

  const Plan& plan_;
  VersionSpace& space_;
  Box& box_;
  IdentifyEffort effort_;
  Identified found_;
  std::uint64_t round_ = 0;
  bool in_stages_ = false;
  std::size_t stage_ = 0;  // that was come to
  std::vector<BoxAnswer> before_stages_;
  std::vector<std::vector<BoxAnswer>> stage_answers_;
};

// The word and what it becomes, of a mutation.
std::string path_of(const Mutation& m) { return m.name.substr(0, m.name.find(' ')); }

// Each word of what was found, and which answer speaks against each other value of it.
void settle(VersionSpace& space, Identified& found, const Pool& pool) {
  const DatapathCandidate& best = found.classes.front().first;
  Registers registers;
  std::map<std::string, std::size_t> place;
  for (const Mutation& m : mutations(best.plan->datapath, best.plan->k)) {
    const auto changed = space.planned(m.changed);
    if (changed == nullptr) continue;
    Settled::Other other{m.to, space.contradiction(*changed), "", false};
    if (!other.excluded) {
      other.argument = equivalence(*best.plan, *changed, m.spot);
      for (std::size_t i = 0; i < pool.cases() && other.argument.empty() && !other.open; ++i)
        other.open = !space.same(dot(*changed, pool.at(i).operand(), registers), space.result(best, pool.at(i)));
    }
    const auto [at, is_new] = place.emplace(path_of(m), found.settled.size());
    if (is_new) found.settled.push_back({path_of(m), m.from, {}});
    found.settled[at->second].others.push_back(other);
  }
}

// Candidates that agree with every answer, those that compute the same on every case of the pool together.
std::vector<AgreeingClass> classes_of(const VersionSpace& space, const Pool& pool) {
  std::vector<AgreeingClass> classes;
  std::map<std::vector<Code>, std::size_t> known;
  for (std::size_t c = 0; c < space.agreeing(); ++c) {
    std::vector<Code> results;
    for (std::size_t i = 0; i < pool.cases(); ++i) results.push_back(pool.result(i, c));
    const auto [at, is_new] = known.emplace(std::move(results), classes.size());
    if (is_new) {
      classes.push_back({space.candidates()[c], {}});
    } else {
      classes[at->second].as_well.push_back(space.candidates()[c].from);
    }
  }
  return classes;
}

// The cases that part the classes best, one after the other.
std::vector<Case> next_cases(const VersionSpace& space, const Pool& pool) {
  std::vector<Case> next;
  std::vector<std::vector<std::size_t>> groups(1);
  for (std::size_t c = 0; c < space.agreeing(); ++c) groups[0].push_back(c);
  while (next.size() < most_next) {
    // Of what no case before it parts, how much each does.
    double most = 0;
    std::size_t chosen = 0;
    for (std::size_t i = 0; i < pool.cases(); ++i) {
      double parted = 0;
      for (const auto& group : groups) {
        std::set<Code> results;
        for (const std::size_t c : group) results.insert(pool.result(i, c));
        parted += static_cast<double>(results.size() - 1);
      }
      if (parted > most) most = parted, chosen = i;
    }
    if (most == 0) break;
    next.push_back(pool.at(chosen));
    std::vector<std::vector<std::size_t>> parted;
    for (const auto& group : groups) {
      std::map<Code, std::vector<std::size_t>> by;
      for (const std::size_t c : group) by[pool.result(chosen, c)].push_back(c);
      for (auto& [d, members] : by) {
        if (members.size() > 1) parted.push_back(std::move(members));
      }
    }
    groups = std::move(parted);
  }
  return next;
}

// Where nothing agrees: the nearest datapath, and the words of it that would repair the case it contradicts.
void point_at(VersionSpace& space, Identified& found, const Case& given, Code d) {
  const DatapathCandidate& nearest = *found.nearest;
  std::set<std::string> repairing, touching;
  Registers registers;
  const Code now = space.result(nearest, given);
  for (const Variation& v : variations(nearest.plan->datapath, nearest.plan->k, {{d}, {}}, Breadth::near)) {
    const auto changed = space.planned(v.words);
    if (changed == nullptr) continue;
    const Code then = dot(*changed, given.operand(), registers);
    const std::string word = v.change.substr(0, v.change.find(' '));
    if (space.same(then, d)) repairing.insert(word);
    if (!space.same(then, now)) touching.insert(word);
  }
  const std::set<std::string>& words = repairing.empty() ? touching : repairing;
  found.points_at.assign(words.begin(), words.end());
}

void tell_no_word(const Plan& plan, VersionSpace& space, Identified& found, Box* box) {
  if (space.candidates().empty()) return;
  found.nearest = space.best();
  found.of = space.candidates().size();
  const auto speaks_against = [&](const Case& given, Code d) {
    return static_cast<std::size_t>(
        std::count_if(space.candidates().begin(), space.candidates().end(),
                      [&](const DatapathCandidate& c) { return !space.same(space.result(c, given), d); }));
  };
  // Of the answers that the nearest contradicts, the one that most others do, the latest of several.
  for (const BoxAnswer& a : space.answers()) {
    if (space.same(space.result(*found.nearest, a.given), a.d)) continue;
    const std::size_t against = speaks_against(a.given, a.d);
    if (found.against && against < found.contradicted_by) continue;
    found.against = a;
    found.contradicted_by = against;
  }
  if (!found.against) return;
  if (box != nullptr) {
    const Fails fails = [&](const std::vector<Case>& cases) {
      const std::vector<Code> results = box->ask(cases);
      std::vector<bool> failing;
      for (std::size_t i = 0; i < cases.size(); ++i)
        failing.push_back(speaks_against(cases[i], results[i]) >= found.contradicted_by);
      return failing;
    };
    found.against->given = shrunk(plan, found.against->given, fails);
    found.against->d = box->ask(found.against->given);
  }
  point_at(space, found, found.against->given, found.against->d);
}

void conclude(const Subject& subject, VersionSpace& space, Identified& found, Box* box, const IdentifyEffort& effort) {
  found.answers = space.answers();
  found.tried = space.tried();
  if (found.outcome == IdentifyOutcome::inconsistent) return;
  if (found.outcome == IdentifyOutcome::no_word) return tell_no_word(subject.plan, space, found, box);
  const Pool pool(space, last_cases(space, subject.plan, effort));
  found.classes = classes_of(space, pool);
  if (found.classes.size() > 1) {
    found.outcome = IdentifyOutcome::undecided;
    found.next = next_cases(space, pool);
  }
  settle(space, found, pool);
}

}  // namespace

void start_from(VersionSpace& space, const Catalogue& catalogue, const std::vector<std::string>& without) {
  for (const std::string& name : catalogue.datapath_names()) {
    if (std::find(without.begin(), without.end(), name) == without.end())
      space.start(catalogue.datapath(name).datapath, name);
  }
}

namespace {

SameCode same_by(const std::string& nan, const Subject& subject) {
  const bool any = nan.empty() ? subject.header.nan == NanPolicy::any : nan == "any";
  if (!any) return [](Code x, Code y) { return x == y; };
  return [d = subject.plan.d](Code x, Code y) { return same_result(d, x, y); };
}

}  // namespace

VersionSpace begun(const Subject& subject, const Catalogue& catalogue, const SearchStart& start) {
  if (subject.plan.random.operand >= 0)
    throw Error{subject.name + " rounds by random words, which `identify` does not search for."};
  if (subject.plan.k > greatest_terms_per_step)
    throw Error{fmt::format("{} adds {} products an operation; `identify` takes units of up to {}.", subject.name,
                            subject.plan.k, greatest_terms_per_step)};
  VersionSpace space(subject.plan, same_by(start.nan, subject));
  start_from(space, catalogue, start.without);
  if (space.candidates().empty())
    throw Error{subject.name +
                ": no datapath of the catalogue can be planned on these operands, so there is "
                "nothing to begin with; give formats and a k that `assay list` shows together."};
  return space;
}

Identified identify(const Subject& subject, VersionSpace& space, Box& box, const IdentifyEffort& effort) {
  Identified found = Asking(subject, space, box, effort).run();
  conclude(subject, space, found, &box, effort);
  found.questions = box.questions();
  return found;
}

namespace {

// The first case whose operands an earlier one has, with another answer; the earlier one first.
std::optional<std::pair<std::size_t, std::size_t>> two_answers(const Subject& subject, const VersionSpace& space,
                                                               const std::vector<BoxAnswer>& recorded) {
  const CaseShape shape = case_shape(subject.plan);
  std::unordered_map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto [at, is_new] = first.try_emplace(operands_text(recorded[i].given, shape), i);
    if (!is_new && !space.same(recorded[at->second].d, recorded[i].d)) return std::pair{at->second, i};
  }
  return std::nullopt;
}

}  // namespace

Identified identify_recorded(const Subject& subject, VersionSpace& space, const std::vector<BoxAnswer>& recorded,
                             const IdentifyEffort& effort) {
  Identified found;
  found.questions = recorded.size();
  if (const auto two = two_answers(subject, space, recorded)) {
    found.outcome = IdentifyOutcome::inconsistent;
    found.against = recorded[two->first];
    found.other_answer = recorded[two->second].d;
    return found;
  }
  for (const BoxAnswer& a : recorded) space.learn(a);
  found.outcome = space.agrees() || space.climb() ? IdentifyOutcome::found : IdentifyOutcome::no_word;
  if (found.outcome == IdentifyOutcome::found) space.spread();
  conclude(subject, space, found, nullptr, effort);
  return found;
}

}  // namespace assay::identify
