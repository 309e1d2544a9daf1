#include "tb/identify/space.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "model/base/parallel.hpp"
#include "model/config/datapath_text.hpp"
#include "model/core/fields.hpp"
#include "tb/scoreboard/difference.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t most_candidates = 1000;
constexpr double worse_by_a_change = 2;      // answers, of what is tried further
constexpr double worse_by_a_structure = 2;   // and so many more, where sums are others
constexpr double most_behind = 6;            // answers that a candidate may contradict more than the best
constexpr std::size_t most_explaining = 40;  // changes with which another word is changed
constexpr std::size_t most_to_change = 24;   // answers, of those that a base contradicts
constexpr double least_gain = 0.01;          // of an answer
constexpr double any_loss = std::numeric_limits<double>::infinity();
constexpr std::size_t trials_at_a_time = 512;
constexpr int most_varied_in_climb = 24, most_varied_in_stages = 30, most_varied_in_spread = 4;

constexpr double worth_in_stages = 3;

std::int64_t rounded(double loss) { return std::llround(20 * loss); }

std::uint64_t mixed(std::uint64_t hash, std::uint64_t code) {
  hash = (hash ^ code) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 29);
}

// What one answer adds to a signature, in whatever order they come.
std::uint64_t signature_of(std::size_t answer, Code d) { return mixed(mixed(0, answer + 1), d); }

bool has_nan(const Plan& plan, const Case& given) {
  const auto any = [](const Format& format, const std::vector<Code>& codes) {
    return std::any_of(codes.begin(), codes.end(), [&](Code code) { return is_nan_code(format, code); });
  };
  return any(plan.a, given.a) || any(plan.b, given.b) || is_nan_code(plan.c, given.c);
}

// Which sums there are, of what, in how many passes.
std::string sums_of(const Datapath& d) {
  std::string text;
  const auto put = [&](const Group& g) {
    text += fmt::format("{}{}{} ", g.terms.value_or(0), word(g.deal).front(), g.unit);
  };
  put(d.lanes);
  put(d.step);
  text += fmt::format("{} {};", d.slices.pairs.size(), word(d.slices.run));
  for (const std::vector<Adder>* list : {&d.adders, &d.finish}) {
    for (const Adder& adder : *list) {
      if (adder.group) put(*adder.group);
      text += adder.results.empty() ? "+" : "r+";
      for (const Input& input : adder.add) text += input.source.front();
    }
    text += ";";
  }
  return text;
}

// How much a file of it says. Of two values the one that is written shorter is not the simpler.
std::size_t words_in(const Datapath& d) {
  const std::string text = yaml_text(d);
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == ':' || c == ','; }));
}

bool same_operands(const Plan& x, const Plan& y) {
  return are_within(x.more, y.more) && are_within(y.more, x.more) && x.scales == y.scales;
}

}  // namespace

VersionSpace::VersionSpace(const Plan& asked, SameCode same) : asked_(asked), same_(std::move(same)) {}

std::shared_ptr<const Plan> VersionSpace::planned(const Datapath& words) const {
  auto made = plan(words, asked_.k);
  Plan* planned = std::get_if<Plan>(&made);
  if (planned == nullptr || !same_operands(*planned, asked_)) return nullptr;
  return std::make_shared<const Plan>(std::move(*planned));
}

// What results become that d has no code for: the first words, of its last result and of the whole, that can be
// planned.
void VersionSpace::make_writable(Datapath& words) const {
  const auto works = [&] { return planned(words) != nullptr; };
  if (words.nan && words.nan->writes_code()) words.nan.reset();
  Result& last = (words.finish.empty() ? words.adders : words.finish).back().results.back();
  for (const Specials specials : {words.specials, Specials::numbers}) {
    words.specials = specials;
    for (const Overflow overflow : {Overflow::infinity, Overflow::largest, Overflow::wrap, Overflow::nan}) {
      for (const OfInfinity infinity : {OfInfinity::keep, OfInfinity::largest, OfInfinity::nan}) {
        for (const OfNan nan : {OfNan::keep, OfNan::zero}) {
          last.overflow = overflow;
          last.infinity = infinity;
          last.nan = nan;
          if (works()) return;
        }
      }
    }
  }
}

// As it stands; where that cannot be, with its last result in d's format, steps that divide k, and scales taken.
void VersionSpace::start(const Datapath& words, const std::string& name) {
  Datapath d = words;
  d.name = "identified";
  d.operands = asked_.datapath.operands;
  for (const Format& own : asked_.datapath.formats) d.formats.push_back(own);
  std::vector<Result>& results = (d.finish.empty() ? d.adders : d.finish).back().results;
  const bool in_format = !results.empty() && results.back().at == ResultAt::format;
  if (in_format) results.back().format = "d";
  if (d.step.terms && asked_.k % *d.step.terms != 0) d.step = Group{};
  if (d.lanes.terms && asked_.k % *d.lanes.terms != 0) d.lanes = Group{};
  for (Adder& adder : d.adders) {
    if (adder.group && adder.group->terms)
      adder.group->terms =
          std::gcd(*adder.group->terms,
                   adder.times_scales && asked_.scales > 0 ? asked_.datapath.operands.scale_block : asked_.k);
  }
  const auto held = [&](const Datapath& made, const std::string& told) {
    const std::size_t before = candidates_.size();
    hold_starts({{made, told, {}}});
    if (candidates_.size() > before) starts_.emplace_back(made, told);
  };
  for (const bool scaled : {false, true}) {
    if (scaled && asked_.scales == 0) continue;
    if (scaled) d.product.times_scales = true;
    if (in_format && planned(d) == nullptr) make_writable(d);
    held(d, name);
    for (const int terms : divisors(asked_.k)) {
      Datapath stepped = d;
      stepped.step.terms = terms;
      held(stepped, name + " in steps of " + std::to_string(terms));
    }
  }
  const auto alike = [&](const Datapath& other) {
    return assay::same(other.adders, d.adders) && assay::same(other.finish, d.finish) && other.start == d.start &&
           assay::same(other.nan, d.nan);
  };
  if (std::none_of(others_.begin(), others_.end(), alike)) others_.push_back(d);
  put_in_order();
}

void VersionSpace::start_with(const Datapath& words, const std::string& name) {
  hold_starts({{words, name, {}}});
  starts_.emplace_back(words, name);
  put_in_order();
}

Code VersionSpace::result(const DatapathCandidate& candidate, const Case& given) {
  return dot(*candidate.plan, given.operand(), registers_);
}

std::optional<std::size_t> VersionSpace::contradiction(const Plan& plan) const {
  Registers registers;
  for (std::size_t i = 0; i < answers_.size(); ++i) {
    if (!same_(dot(plan, answers_[i].given.operand(), registers), answers_[i].d)) return i;
  }
  return std::nullopt;
}

// The latest part the candidates best, since they were asked for that.
std::vector<std::size_t> VersionSpace::latest_first() const {
  std::vector<std::size_t> order(answers_.size());
  std::iota(order.rbegin(), order.rend(), 0);
  return order;
}

// Most changes of a base that is wrong turn nothing that is, or all that is right: its wrong answers come first, some
// from all over them before the others.
VersionSpace::Measure VersionSpace::measure(const DatapathCandidate& base, double most_loss) const {
  std::vector<Operand> operands;
  for (const BoxAnswer& a : answers_) operands.push_back(a.given.operand());
  Measure by{latest_first(), most_loss, std::make_shared<MultipliedCases>(base.plan, std::move(operands))};
  const auto is_wrong = [&](std::size_t i) { return !same_(by.base->d()[i], answers_[i].d); };
  const auto right = std::stable_partition(by.order.begin(), by.order.end(), is_wrong);
  by.wrong = static_cast<std::size_t>(right - by.order.begin());
  by.to_change = std::min(by.wrong, most_to_change);
  for (std::size_t i = 0; i < by.to_change; ++i) std::swap(by.order[i], by.order[i * by.wrong / by.to_change]);
  return by;
}

Code VersionSpace::d_of(const Plan& plan, std::size_t answer, const MultipliedCases* suiting,
                        Registers& registers) const {
  return suiting != nullptr ? suiting->d_of(plan, answer, registers)
                            : dot(plan, answers_[answer].given.operand(), registers);
}

// One that loses too much is not held to all answers.
void VersionSpace::hold_to(const Measure& by, DatapathCandidate& made, Registers& registers) const {
  const MultipliedCases* suiting = by.suiting(*made.plan);
  bool changes_nothing = by.to_change > 0;
  for (std::size_t n = 0; n < by.order.size() && made.loss <= by.most_loss; ++n) {
    const std::size_t at = by.order[n];
    const Code answer = answers_[at].d;
    const Code d = d_of(*made.plan, at, suiting, registers);
    made.signature += signature_of(at, d);
    if (!same_(d, answer)) ++made.wrong, made.loss += loss(d, answer);
    changes_nothing = changes_nothing && d == by.base->d()[at];
    if (changes_nothing && n + 1 == by.to_change) made.loss = any_loss;
  }
}

// A trial that cannot be planned has no plan.
DatapathCandidate VersionSpace::held(const Trial& trial, const Measure& by, Registers& registers) const {
  DatapathCandidate made{planned(trial.words), trial.from, trial.changes};
  if (made.plan != nullptr) hold_to(by, made, registers);
  return made;
}

void VersionSpace::hold(const std::vector<Trial>& trials, const Measure& by, bool alike_too) {
  for (std::size_t first = 0; first < trials.size(); first += trials_at_a_time) {
    std::vector<DatapathCandidate> made(std::min(trials_at_a_time, trials.size() - first));
    std::vector<Registers> registers(static_cast<std::size_t>(threads_));
    parallel(static_cast<int>(made.size()), threads_, [&](int i, int worker) {
      const auto at = static_cast<std::size_t>(i);
      made[at] = held(trials[first + at], by, registers[static_cast<std::size_t>(worker)]);
    });
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (made[i].plan == nullptr) continue;
      ++tried_;
      if (made[i].loss > by.most_loss) continue;
      if (!alike_too && !signatures_.insert(made[i].signature).second) continue;
      if (seen_.insert(yaml_text(trials[first + i].words)).second) candidates_.push_back(std::move(made[i]));
    }
    if (listener_) listener_(tried_);
  }
}

void VersionSpace::hold_starts(const std::vector<Trial>& trials) { hold(trials, {latest_first(), any_loss}, true); }

void VersionSpace::learn(const BoxAnswer& answer) {
  answers_.push_back(answer);
  for (DatapathCandidate& c : candidates_) {
    const Code d = result(c, answer.given);
    if (!same_(d, answer.d)) ++c.wrong, c.loss += loss(d, answer.d);
    c.varied = c.varied && c.wrong == 0;  // among other answers other changes count
  }
  put_in_order();
}

// Of two datapaths that contradict a few answers the one nearer to what it came from is tried first: each change has to
// be worth an answer, or part of one.
double VersionSpace::cost(const DatapathCandidate& c) const {
  return c.wrong == 0 ? 0 : worth_ * c.loss + static_cast<double>(c.changes.size());
}

// Of a wrong result. One that is near tells that most of what makes it is right.
double VersionSpace::loss(Code d, Code answer) const {
  if (is_nan_code(asked_.d, d) || is_nan_code(asked_.d, answer)) return 1;
  const double bits = std::log2(1 + static_cast<double>(ulps_between(asked_.d, d, answer)));
  return 0.5 + 0.5 * std::min(1.0, bits / asked_.d.stored_bits);
}

void VersionSpace::put_in_order() {
  std::stable_sort(candidates_.begin(), candidates_.end(),
                   [this](const DatapathCandidate& x, const DatapathCandidate& y) {
                     return std::make_tuple(cost(x), x.changes.size()) < std::make_tuple(cost(y), y.changes.size());
                   });
  if (candidates_.empty()) return;
  const double least = cost(best());
  const auto far = std::find_if(candidates_.begin(), candidates_.end(),
                                [&](const DatapathCandidate& c) { return cost(c) > least + worth_ * most_behind; });
  const auto kept = std::min<std::ptrdiff_t>(far - candidates_.begin(), most_candidates);
  crowded_ = crowded_ || agreeing() > most_candidates;
  candidates_.erase(candidates_.begin() + kept, candidates_.end());
}

std::size_t VersionSpace::agreeing() const {
  return static_cast<std::size_t>(
      std::count_if(candidates_.begin(), candidates_.end(), [](const DatapathCandidate& c) { return c.wrong == 0; }));
}

SeenNans VersionSpace::nans() const {
  std::set<Code> all, made;
  for (const BoxAnswer& a : answers_) {
    if (!is_nan_code(asked_.d, a.d)) continue;
    all.insert(a.d);
    if (!has_nan(asked_, a.given)) made.insert(a.d);
  }
  return {{all.begin(), all.end()}, {made.begin(), made.end()}};
}

VersionSpace::Trial VersionSpace::trial_of(const DatapathCandidate& of, Variation&& v) {
  std::vector<std::string> changes = of.changes;
  changes.push_back(v.change);
  return {std::move(v.words), of.from + ", " + v.change, std::move(changes)};
}

std::vector<VersionSpace::Trial> VersionSpace::changed_words(const DatapathCandidate& of, Breadth breadth) const {
  std::vector<Trial> trials;
  for (Variation& v : variations(of.plan->datapath, asked_.k, nans(), breadth))
    trials.push_back(trial_of(of, std::move(v)));
  if (breadth != Breadth::far) return trials;
  for (const Datapath& other : others_) {
    trials.push_back(trial_of(of, {"other adders", with_adders_of(of.plan->datapath, other)}));
    Datapath with_nan = of.plan->datapath;
    with_nan.nan = other.nan;
    trials.push_back(trial_of(of, {"another NaN", std::move(with_nan)}));
  }
  return trials;
}

std::vector<VersionSpace::Trial> VersionSpace::changed_sums(const DatapathCandidate& of) const {
  std::vector<Trial> trials;
  for (Variation& v : structures(of.plan->datapath, asked_.k)) trials.push_back(trial_of(of, std::move(v)));
  if (!in_stages()) return trials;  // each piece is a product more, which takes its time
  for (Variation& v : slicings(of.plan->datapath, asked_.k)) trials.push_back(trial_of(of, std::move(v)));
  return trials;
}

std::vector<VersionSpace::Trial> VersionSpace::allowed(std::vector<Trial> trials) const {
  const std::uint64_t left = most_tried_ - std::min(tried_, most_tried_);
  trials.resize(std::min<std::uint64_t>(trials.size(), left));
  return trials;
}

void VersionSpace::vary(std::size_t index, Breadth breadth, double most_loss) {
  candidates_[index].varied = true;
  const DatapathCandidate of = candidates_[index];  // candidates_ grows
  Measure by = measure(of, most_loss);
  hold(allowed(changed_words(of, breadth)), by, breadth == Breadth::near);
  if (breadth != Breadth::far) return;
  by.most_loss += worse_by_a_structure;
  hold(allowed(changed_sums(of)), by, false);
}

// How many of the answers that the base contradicts the plan explains.
std::size_t VersionSpace::explained_by(const Plan& plan, const Measure& by, Registers& registers) const {
  const MultipliedCases* suiting = by.suiting(plan);
  const auto explains = [&](std::size_t i) { return same_(d_of(plan, i, suiting, registers), answers_[i].d); };
  const auto end = by.order.begin() + static_cast<std::ptrdiff_t>(by.wrong);
  return static_cast<std::size_t>(std::count_if(by.order.begin(), end, explains));
}

// Of changes of the best those that explain the most of what it contradicts.
std::vector<DatapathCandidate> VersionSpace::explaining(const DatapathCandidate& best) {
  std::vector<Trial> trials = changed_words(best, Breadth::far);
  for (Trial& t : changed_sums(best)) trials.push_back(std::move(t));
  trials = allowed(std::move(trials));
  Measure by = measure(best, any_loss);
  by.to_change = 0;
  std::vector<DatapathCandidate> made(trials.size());
  std::vector<std::size_t> explained(trials.size());
  std::vector<Registers> registers(static_cast<std::size_t>(threads_));
  parallel(static_cast<int>(trials.size()), threads_, [&](int i, int worker) {
    const auto at = static_cast<std::size_t>(i);
    Registers& own = registers[static_cast<std::size_t>(worker)];
    made[at] = {planned(trials[at].words), trials[at].from, trials[at].changes};
    if (made[at].plan == nullptr) return;
    explained[at] = explained_by(*made[at].plan, by, own);
    if (explained[at] > 0) hold_to(by, made[at], own);
    made[at].plan.reset();  // thousands of plans take a gigabyte where k is large
  });
  tried_ += trials.size();
  std::vector<std::size_t> order(trials.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return std::make_tuple(explained[y], made[x].loss) < std::make_tuple(explained[x], made[y].loss);
  });
  std::vector<DatapathCandidate> first;
  std::set<std::uint64_t> seen;
  for (const std::size_t at : order) {
    if (first.size() == most_explaining || explained[at] == 0) break;
    if (!seen.insert(made[at].signature).second) continue;
    first.push_back(std::move(made[at]));
    first.back().plan = planned(trials[at].words);
  }
  return first;
}

bool VersionSpace::mend() {
  if (candidates_.empty() || agrees()) return false;
  const double before = best().loss;
  for (const DatapathCandidate& c : explaining(best())) {
    const Measure by = measure(c, before - least_gain);
    hold(allowed(changed_words(c, Breadth::far)), by, false);
    hold(allowed(changed_sums(c)), by, false);
  }
  put_in_order();
  return best().loss < before;
}

std::vector<std::shared_ptr<const Plan>> VersionSpace::some_starts(std::size_t most) const {
  std::vector<std::shared_ptr<const Plan>> plans;
  const std::size_t count = std::min(most, starts_.size());
  for (std::size_t i = 0; i < count; ++i) plans.push_back(planned(starts_[i * starts_.size() / count].first));
  return plans;
}

void VersionSpace::start_again() {
  candidates_.clear();
  seen_.clear();
  std::vector<Trial> trials;
  for (const auto& [words, name] : starts_) trials.push_back({words, name, {}});
  hold_starts(trials);
  put_in_order();
}

void VersionSpace::begin_again() {
  worth_ = worth_in_stages;
  answers_.clear();
  start_again();
}

// Every third has other sums than any that was varied: what is wrong of their words hides how good these are. In stages
// only every third is the best, and the others lose by other amounts: where all are far off, most of the best compute
// the same.
std::vector<DatapathCandidate>::iterator VersionSpace::next_to_vary(int turn, const Seen& seen) {
  const auto first = [&](bool other_loss, bool other_sums) {
    return std::find_if(candidates_.begin(), candidates_.end(), [&](const DatapathCandidate& c) {
      return !c.varied && (!other_loss || seen.losses.count(rounded(c.loss)) == 0) &&
             (!other_sums || seen.sums.count(sums_of(c.plan->datapath)) == 0);
    });
  };
  const bool other_loss = in_stages() && turn % 3 != 0;
  auto next = first(other_loss, turn % 3 == 2 && other_sums_climb_);
  if (next == candidates_.end()) next = first(other_loss, false);
  return next == candidates_.end() ? first(false, false) : next;
}

void VersionSpace::vary_each() {
  std::vector<DatapathCandidate> all = candidates_;
  for (const auto& [words, name] : starts_)
    all.push_back(held({words, name, {}}, {latest_first(), any_loss}, registers_));
  Seen seen;
  signatures_.clear();
  for (const DatapathCandidate& c : all) {
    const bool other_loss = seen.losses.insert(rounded(c.loss)).second;
    const bool other_sums = seen.sums.insert(sums_of(c.plan->datapath)).second;
    if (!other_loss && !other_sums) continue;
    const double most_loss = std::min(c.loss, best().loss + worse_by_a_change);
    hold(allowed(changed_words(c, Breadth::near)), measure(c, most_loss), false);
    put_in_order();
  }
}

// What computes the same as something tried already leads nowhere else.
bool VersionSpace::climb(bool afresh) {
  if (afresh) start_again();
  signatures_.clear();
  seen_.clear();
  for (const DatapathCandidate& c : candidates_) seen_.insert(yaml_text(c.plan->datapath));
  const int most = in_stages() ? most_varied_in_stages : most_varied_in_climb;
  Seen seen;
  for (int i = 0; i < most && !agrees() && tried_ < most_tried_; ++i) {
    const auto next = next_to_vary(i, seen);
    if (next == candidates_.end()) return false;
    seen.sums.insert(sums_of(next->plan->datapath));
    seen.losses.insert(rounded(next->loss));
    vary(static_cast<std::size_t>(next - candidates_.begin()), sums_change_ ? Breadth::far : Breadth::words,
         next->loss + worse_by_a_change);
    put_in_order();
  }
  return agrees();
}

void VersionSpace::spread() {
  if (crowded_ && !candidates_.empty()) candidates_.front().varied = false;
  crowded_ = false;
  for (int i = 0; i < most_varied_in_spread; ++i) {
    const auto next = std::find_if(candidates_.begin(), candidates_.end(),
                                   [](const DatapathCandidate& c) { return c.wrong == 0 && !c.varied; });
    if (next == candidates_.end() || agreeing() > most_candidates / 3) break;
    vary(static_cast<std::size_t>(next - candidates_.begin()), Breadth::near, 0);
    put_in_order();
  }
}

void VersionSpace::tidy(const std::vector<Case>& cases) {
  const auto simpler = [&](const DatapathCandidate& than) -> std::shared_ptr<const Plan> {
    const std::size_t said = words_in(than.plan->datapath);
    for (const Variation& v : variations(than.plan->datapath, asked_.k, {}, Breadth::near)) {
      if (words_in(v.words) >= said) continue;
      const auto plan = planned(v.words);
      const auto alike = [&](const Case& c) { return same_(dot(*plan, c.operand(), registers_), result(than, c)); };
      if (plan != nullptr && !contradiction(*plan) && std::all_of(cases.begin(), cases.end(), alike)) return plan;
    }
    return nullptr;
  };
  DatapathCandidate best = candidates_.front();
  while (const auto plan = simpler(best)) best.plan = plan, best.changes.clear(), best.varied = false;
  if (best.plan != candidates_.front().plan) candidates_.insert(candidates_.begin(), best);
}

}  // namespace assay::identify
