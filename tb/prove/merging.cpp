#include "tb/prove/merging.hpp"

#include <algorithm>

#include "tb/prove/plan_sums.hpp"

namespace assay {
namespace {

constexpr int passes = 3;
constexpr int conflicts_over_places = 100000;
constexpr int most_tried = 32;  // bits that decide a word, in all their values

// What a proof rests on, but for its time.
void add(SweepEffort& all, const SweepEffort& more) {
  all.under.insert(more.under.begin(), more.under.end());
  all.engines.insert(more.engines.begin(), more.engines.end());
  all.bounds += more.bounds;
}

SweepStage lemma_of(const std::vector<Lit>& always, const std::string& name) {
  SweepStage stage{always, std::vector<Lit>(always.size(), lit_true)};
  stage.name = name;
  stage.is_lemma = stage.is_aid = true;
  return stage;
}

// Nothing where one of them is no function of places.
OverPlaces all_of(const std::vector<const Law*>& laws) {
  OverPlaces all;
  for (const Law* law : laws) {
    const OverPlaces& one = law->over_places;
    if (one.made.empty()) return {};
    all.places = one.places;
    all.is_asked = one.is_asked;
    all.made.insert(all.made.end(), one.made.begin(), one.made.end());
    all.add(one);
  }
  return all;
}

}  // namespace

const char* proof_answer_name(ProofAnswer answer) {
  static const char* const names[] = {"proved", "refuted", "open"};
  return names[static_cast<std::size_t>(answer)];
}

// --- what is known so far ---

ProofAnswer ProofAnswers::of(std::size_t index) const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return places_[index].answer;
}

void ProofAnswers::change(const std::function<void(std::vector<PlaceProof>&)>& how) {
  const std::lock_guard<std::mutex> lock(mutex_);
  how(places_);
  open_ = static_cast<std::size_t>(
      std::count_if(places_.begin(), places_.end(), [](const PlaceProof& p) { return p.answer == ProofAnswer::open; }));
}

// What the places before it rest on, it rests on too.
void ProofAnswers::prove(std::size_t index, const SweepEffort& effort) {
  change([&](std::vector<PlaceProof>& places) {
    PlaceProof& p = places[index];
    if (p.answer != ProofAnswer::open) return;
    p.answer = ProofAnswer::proved;
    p.under = effort.under;
    p.bounds = effort.bounds;
    for (const ProofEngine engine : effort.engines)
      p.engines += (p.engines.empty() ? "" : ", ") + std::string(engine_name(engine));
    if (p.engines.empty()) p.engines = engine_name(ProofEngine::structure);
  });
}

// --- one way ---

Merging::Merging(const ProofTask& task, ProofAnswers& answers, MergingWay way,
                 std::vector<std::vector<std::uint64_t>> patterns)
    : task_(task),
      answers_(answers),
      way_(way),
      patterns_(std::move(patterns)),
      now_(task.sides),
      merged_(task.gates),
      efforts_(task.sides.size()) {
  set_steps();
}

// Each pass has more patience, over what is left of the circuit. Before the first, two units of which most is the same
// are told apart at d.
void Merging::run(const std::function<bool()>& has_time, const Refuted& refuted) {
  const auto goes_on = [&] { return answers_.any_open() && has_time(); };
  SweepLimits limits;
  if (!is_at_places()) solve(now_.size() - 1, limits.goal_conflicts / 10, goes_on, refuted);
  for (int n = 0; n < passes && goes_on(); ++n) {
    pass(limits, goes_on);
    for (std::size_t i = 0; i < now_.size(); ++i) solve(i, limits.goal_conflicts, goes_on, refuted);
    limits.conflicts *= 10;
    limits.local_conflicts *= 2;
    limits.goal_conflicts *= 10;
    limits.cut = std::min(limits.cut + 4, limits.goal_cut);
    limits.goal_cut = std::min(limits.goal_cut + 2, 28);
    limits.word_cut = most_tried;
  }
}

void Merging::pass(const SweepLimits& limits, const std::function<bool()>& goes_on) {
  const auto goes_on_here = [this, goes_on] { return goes_on() && !is_settled_elsewhere(); };
  Sweep sweep(merged_, words_of_inputs(), limits, goes_on_here);
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    SweepStage stage = stage_of(n);
    const bool is_open = !stage.is_known && !stage.is_refuted;
    const std::size_t place = step_of_[n] != none ? step_of_[n] : for_[n];
    settling_ = is_open ? place : none;
    // A lemma is asked over places first; what is read after, since what its cut merges helps with what follows.
    const bool is_over_places = over_places_.count(n) != 0 && is_open, is_lemma = stage.is_lemma;
    if (is_over_places && is_lemma) stage.is_known = holds_over_places(n, sweep, goes_on_here);
    if (own_steps_.count(n) != 0) {
      stage.is_known = is_own(n, sweep, goes_on_here);
      stage.is_refuted = !stage.is_known;
    }
    const auto split = splits_.find(n);
    if (split != splits_.end() && is_open && own_ && are_proved({split->second->place - 1})) {
      stage.range = range_of_sum(*split->second, sweep);
      efforts_[place].under.insert(sizes_[split->second->place].begin(), sizes_[split->second->place].end());
    }
    sweep.run(std::move(stage));
    if (is_over_places && !is_lemma && !sweep.is_equal() && holds_over_places(n, sweep, goes_on_here))
      sweep.know_last();
    if (is_settled_elsewhere() && step_of_[n] != none && stage_of(n).is_known) sweep.know_last();
    charge(n, sweep);
    if (!answers_.any_open() && n + 1 < steps_.size()) return;  // by another way
  }
  undecided_ = sweep.undecided();
  go_over_to(sweep);
  for (auto& batch : sweep.learned()) patterns_.push_back(std::move(batch));
  merged_ = sweep.take();
}

// What the other way has settled is known at once.
bool Merging::is_settled_elsewhere() const { return settling_ != none && answers_.of(settling_) != ProofAnswer::open; }

// A place as it is by now: what no case shows a solver often sees once much is merged.
void Merging::solve(std::size_t index, int conflicts, const std::function<bool()>& goes_on, const Refuted& refuted) {
  if (answers_.of(index) != ProofAnswer::open || !goes_on()) return;
  Solving solving(merged_);
  const Lit differ = differ_in_any(now_[index].reference, now_[index].unit, merged_);
  const SolverAnswer verdict = solving.ask({differ}, conflicts, goes_on);
  if (verdict == SolverAnswer::sometimes) refuted(solving, merged_);
  if (verdict != SolverAnswer::never) return;
  efforts_[index].engines.insert(ProofEngine::solver);
  answers_.prove(index, efforts_[index]);
}

std::size_t Merging::bits_apart() const {
  std::size_t bits = 0;
  for (const PlaceSides& s : now_) {
    for (std::size_t bit = 0; bit < s.reference.size(); ++bit) bits += s.reference[bit] != s.unit[bit] ? 1 : 0;
  }
  return bits;
}

// Cases as each input's words.
std::vector<std::vector<std::uint64_t>> Merging::words_of_inputs() const {
  std::vector<std::vector<std::uint64_t>> words(merged_.inputs().size());
  for (const auto& inputs : patterns_) {
    for (std::size_t i = 0; i < inputs.size(); ++i) words[i].push_back(inputs[i]);
  }
  return words;
}

// --- the steps: places and, after each, what helps with those that follow ---

void Merging::set_steps() {
  const Plan& plan = task_.plan;
  const std::vector<std::vector<int>> read = places_read(plan);
  given_.resize(plan.places.size() + 1);
  std::vector<std::vector<std::size_t>>& given = given_;
  std::vector<std::vector<std::size_t>> spare = given, further = given;
  std::map<std::size_t, std::size_t> step_at;  // of the places that the unit shows
  std::size_t next = 0;
  const auto add_aids = [&](int before) {
    for (; next < task_.aids.size(); ++next) {
      const Aid& aid = task_.aids[next];
      if (aid.place + (aid.is_lemma || !is_at_places() ? 1 : 0) > before) break;
      if (aid.is_at_places && !is_at_places()) continue;
      SweepStage stage{aid.word, aid.made};
      stage.name = aid.name;
      stage.is_aid = true;
      stage.is_lemma = aid.is_lemma;
      stage.is_plain = aid.is_plain;
      stage.is_known = aid.is_known;
      stage.sum = aid.sum;
      stage.addends = aid.addends;
      if (is_at_places()) write_anew(stage, aid);
      if (is_at_places() && !aid.is_lemma) stage.reads = steps_read(static_cast<std::size_t>(aid.place), step_at, read);
      stage.below = aid.below;
      stage.given = given[static_cast<std::size_t>(aid.place)];
      const std::vector<std::size_t>& more = further[static_cast<std::size_t>(aid.place)];
      stage.given.insert(stage.given.end(), more.begin(), more.end());
      stage.spare = spare[static_cast<std::size_t>(aid.place)];
      if (is_at_places()) add_over_places(stage, aid.over_places, none);
      for (const int place : aid.for_places) given[static_cast<std::size_t>(place)].push_back(steps_.size());
      for (const int place : aid.if_needed_for) spare[static_cast<std::size_t>(place)].push_back(steps_.size());
      if (aid.for_lemmas >= 0) further[static_cast<std::size_t>(aid.for_lemmas)].push_back(steps_.size());
      if (!aid.about.empty()) of_places_[steps_.size()] = &aid;
      add_step(std::move(stage), none, none);
    }
  };
  for (std::size_t i = 0; i < task_.sides.size(); ++i) {
    const PlaceProof& p = task_.places[i];
    add_aids(p.place >= 0 ? p.place : static_cast<int>(plan.places.size()));
    SweepStage stage{task_.sides[i].reference, task_.sides[i].unit};
    stage.name = p.name;
    stage.is_sum = is_sum(place_of(i));
    stage.below_sum = bits_below_sum(plan.places[place_of(i)]);
    stage.product_bits = product_bits(p.place);
    stage.given = given[place_of(i)];
    stage.spare = spare[place_of(i)];
    stage.shown = task_.sides[i].unit;
    if (is_at_places()) {
      stage.reads = steps_read(place_of(i), step_at, read);
      add_laws(i, stage, further[place_of(i)]);
      add_own(i, stage);
      add_by_cases(i, stage);
    }
    if (p.place >= 0) step_at[place_of(i)] = steps_.size();
    add_step(std::move(stage), i, none);
  }
}

// `place`: that it is; `decides`: that it is a law of.
void Merging::add_step(SweepStage stage, std::size_t place, std::size_t decides) {
  steps_.push_back(std::move(stage));
  step_of_.push_back(place);
  for_.push_back(decides);
}

// The place once more, by what decides it: each law of the model and of the unit, over the same places as the stage.
// `of_model`: more that is known of the model.
void Merging::add_laws(std::size_t index, const SweepStage& place, const std::vector<std::size_t>& of_model) {
  SweepStage by_laws = place;
  std::vector<Lit> of_both[2];
  const auto add = [&](const std::vector<Lit>& laws, const std::string& name, const OverPlaces& over, bool is_of_unit) {
    SweepStage stage = lemma_of(laws, (is_of_unit ? "the unit's " : "") + name);
    stage.is_of_unit = is_of_unit;
    stage.given = place.given;
    stage.below = by_laws.below;
    if (is_of_unit) {
      stage.reads = place.reads;
    } else {
      stage.given.insert(stage.given.end(), of_model.begin(), of_model.end());
      add_over_places(stage, over, index);
    }
    add_step(std::move(stage), none, index);
  };
  std::vector<const Law*> laws;
  for (const Law& law : task_.laws) {
    if (law.place != task_.places[index].place) continue;
    by_laws.below = law.below;
    of_both[0].push_back(law.of_model);
    of_both[1].push_back(law.of_unit);
    laws.push_back(&law);
  }
  for (const bool is_of_unit : {false, true}) {
    if (laws.empty()) continue;
    add(of_both[is_of_unit ? 1 : 0], "laws of " + place.name, all_of(laws), is_of_unit);
    for (const Law* law : laws) {
      by_laws.laws.push_back(steps_.size());
      add({is_of_unit ? law->of_unit : law->of_model}, law->name, law->over_places, is_of_unit);
    }
  }
  if (!by_laws.laws.empty()) add_step(std::move(by_laws), index, none);
}

// A lemma that is a function of places is asked of these first, whatever they are made of.
void Merging::add_over_places(const SweepStage& lemma, const OverPlaces& claim, std::size_t decides) {
  if (claim.made.empty() && claim.of_about.empty()) return;
  SweepStage is_model = lemma_of(claim.is_model, lemma.name + " is made of places");
  is_model.is_plain = true;
  is_model.given = lemma.given;
  is_model.below = lemma.below;
  over_places_[steps_.size() + 1] = {claim, steps_.size(), {}, {}};
  add_step(std::move(is_model), none, decides);
}

// First over its cut, which often suffices, but for a sum; then by what the unit's own gates show. That the model's
// stage is a function of places is a lemma, and proved before anything of it is merged.
void Merging::add_own(std::size_t index, const SweepStage& place) {
  const auto found = std::find_if(task_.own.begin(), task_.own.end(),
                                  [&](const OwnStage& own) { return own.place == task_.places[index].place; });
  if (found == task_.own.end()) return;
  SweepStage lemma = lemma_of(found->over.is_model, found->name);
  lemma.is_plain = true;
  lemma.given = place.given;
  lemma.below = found->below;
  SweepStage over_cut = place, by_own = place;
  over_cut.is_aid = by_own.is_aid = true;
  const OwnStep own{&*found, {found->over, steps_.size(), {}, {}}};
  add_step(std::move(lemma), none, index);
  if (found->leading.empty() && !found->is_sum) add_step(std::move(over_cut), index, none);
  own_steps_[steps_.size()] = own;
  add_step(std::move(by_own), index, none);
}

// What is made of a rounded sum alone is split on the sum's leading bit, too, where its cut does not suffice: the model
// goes on with a number that may be kept in another way than its place shows it.
void Merging::add_by_cases(std::size_t index, const SweepStage& place) {
  const int at = static_cast<int>(place_of(index));
  const OwnStage* rounded = nullptr;
  for (const OwnStage& own : task_.own) {
    if (!own.leading.empty() && own.place < at) rounded = &own;
  }
  if (rounded == nullptr) return;
  for (int between = rounded->place + 1; between <= at; ++between) {
    const Stage stage = task_.plan.places[static_cast<std::size_t>(between)].stage;
    if (stage != Stage::acc && stage != Stage::encode) return;
  }
  SweepStage over_cut = place;
  over_cut.is_aid = true;
  SweepStage by_cases = over_cut;
  by_cases.reads.clear();
  const auto summed = static_cast<std::size_t>(rounded->place - 1);
  by_cases.leading = without_bits_below(task_.plan.places[summed], task_.model.places[summed]);
  add_step(std::move(over_cut), index, none);
  splits_[steps_.size()] = rounded;
  add_step(std::move(by_cases), index, none);
}

// Of d the place where it is made.
std::size_t Merging::place_of(std::size_t index) const {
  const int place = task_.places[index].place;
  return static_cast<std::size_t>(place >= 0 ? place : task_.plan.places.first(Region::encode));
}

// What the model reads of a place is to be made of the place's bits, which stay as they are made, and so does the gate
// that says whether the number counts.
void Merging::write_anew(SweepStage& stage, const Aid& aid) const {
  stage.is_rewritten = !aid.is_lemma && !aid.counts;
  if (!aid.counts) return;
  stage.is_leaf = is_shown(aid.place);
  stage.frozen = task_.model.places[static_cast<std::size_t>(aid.place)];
  stage.frozen.insert(stage.frozen.end(), aid.made.begin(), aid.made.end());
}

bool Merging::is_shown(int place) const {
  return std::any_of(task_.places.begin(), task_.places.end(), [&](const PlaceProof& p) { return p.place == place; });
}

bool Merging::is_sum(std::size_t place) const {
  const Stage stage = task_.plan.places[place].stage;
  return stage == Stage::reduce || (stage == Stage::encode && task_.plan.d.is_integer());
}

// Of a product that is too wide for all its values to be tried.
int Merging::product_bits(int place) const {
  if (place < 0) return 0;
  const Place& at = task_.plan.places[static_cast<std::size_t>(place)];
  return at.stage == Stage::multiply && at.significand_width > most_tried ? at.significand_width : 0;
}

// What a stage reads; where the unit does not show that, what that was made of.
std::vector<std::size_t> Merging::steps_read(std::size_t place, const std::map<std::size_t, std::size_t>& step_at,
                                             const std::vector<std::vector<int>>& read) const {
  std::set<std::size_t> steps;
  std::vector<std::size_t> open{place};
  while (!open.empty()) {
    const std::vector<int>& list = read[open.back()];
    open.pop_back();
    for (const int before : list) {
      const auto found = step_at.find(static_cast<std::size_t>(before));
      if (found != step_at.end())
        steps.insert(found->second);
      else
        open.push_back(static_cast<std::size_t>(before));
    }
  }
  return {steps.begin(), steps.end()};
}

// --- between the steps of a pass, and after it ---

SweepStage Merging::stage_of(std::size_t step) const {
  SweepStage stage = steps_[step];
  if (for_[step] != none) stage.is_refuted = answers_.of(for_[step]) != ProofAnswer::open;
  if (step_of_[step] == none) return stage;
  const ProofAnswer answer = answers_.of(step_of_[step]);
  stage.is_known = answer == ProofAnswer::proved;
  stage.is_refuted = answer == ProofAnswer::refuted;
  return stage;
}

// Whether the unit's gates, as they were read, make of the places that it shows what the model makes of its own, under
// what is proved of these places.
bool Merging::is_own(std::size_t step, const Sweep& sweep, const std::function<bool()>& goes_on) {
  const std::size_t index = step_of_[step];
  OwnStep& own_step = own_steps_.at(step);
  const OwnStage& own = *own_step.stage;
  if (answers_.of(index) != ProofAnswer::open) return answers_.of(index) == ProofAnswer::proved;
  if (!are_proved(own.read) || !is_function(own_step.over, sweep, goes_on)) return false;
  begin_own(goes_on);
  SweepStage stage{own.of_shown, own.shown};
  stage.is_aid = stage.is_rewritten = true;
  stage.is_sum = own.is_sum;
  stage.below_sum = bits_below_sum(task_.plan.places[static_cast<std::size_t>(own.place)]);
  stage = under_what_is_known(own, sweep, std::move(stage));
  own_->run(std::move(stage));
  const SweepEffort& effort = own_->efforts().back();
  answers_.change([&](std::vector<PlaceProof>& places) { places[index].seconds += effort.seconds; });
  if (!own_->is_equal()) return false;
  add(efforts_[index], effort);
  efforts_[index].under.insert(own.name);
  if (!own.leading.empty()) efforts_[index].under.insert(sizes_[own.place].begin(), sizes_[own.place].end());
  return true;
}

// What is known of places by a lemma; nothing where that is not made of them.
std::vector<Lit> Merging::known_over_places(std::size_t step, const Sweep& sweep, const GoesOn& goes_on) {
  const auto found = over_places_.find(step);
  if (found == over_places_.end() || !sweep.is_proved(step) || !is_function(found->second, sweep, goes_on)) return {};
  std::vector<Lit> known = found->second.claim.made;
  const std::vector<Lit>& more = found->second.claim.of_about;
  known.insert(known.end(), more.begin(), more.end());
  return known;
}

// Whether the model reads what it is said to read, and nothing that the places do not show matters.
bool Merging::is_function(OverStep& over, const Sweep& sweep, const GoesOn& goes_on) {
  if (over.is_function || !sweep.is_proved(over.is_model) || !goes_on()) return over.is_function.value_or(false);
  over.is_function = are_true_over_places(over.claim.is_same, over, sweep, goes_on);
  return *over.is_function;
}

bool Merging::holds_over_places(std::size_t step, const Sweep& sweep, const GoesOn& goes_on) {
  OverStep& over = over_places_.at(step);
  if (!over.claim.is_asked || over.claim.made.empty() || over.holds) return over.holds.value_or(false);
  if (!is_function(over, sweep, goes_on)) return false;
  over.holds = are_true_over_places(over.claim.made, over, sweep, goes_on);
  return *over.holds;
}

// Over free bits in place of those of the places; operands stay, of which their places are made. What is known is what
// the step before is given, too.
bool Merging::are_true_over_places(const std::vector<Lit>& claims, const OverStep& over, const Sweep& sweep,
                                   const GoesOn& goes_on) {
  if (claims.empty()) return true;
  Gates gates;
  std::vector<Lit> map(task_.gates.size(), lit_none);
  map[0] = lit_false;
  const auto make_free = [&](Lit l) {
    if (!is_constant(l) && map[node_of(l)] == lit_none) map[node_of(l)] = gates.input();
  };
  for (const int place : over.claim.places) {
    const auto at = static_cast<std::size_t>(place);
    if (task_.plan.places[at].stage == Stage::decode) continue;
    for (const Lit l : task_.model.places[at]) make_free(l);
  }
  for (const Lit l : over.claim.free) make_free(l);
  std::vector<Lit> known;
  for (const std::size_t lemma : steps_[over.is_model].given) {
    const std::vector<Lit> more = copied(task_.gates, known_over_places(lemma, sweep, goes_on), map, gates);
    known.insert(known.end(), more.begin(), more.end());
  }
  Solving solving(gates);
  for (const Lit l : known) solving.assume(l);
  const std::vector<Lit> all = copied(task_.gates, claims, map, gates);
  return std::all_of(all.begin(), all.end(), [&](Lit claim) {
    return solving.ask({inverted(claim)}, conflicts_over_places, goes_on) == SolverAnswer::never;
  });
}

// A claim about what this stage of the unit reads. A rounded sum is split on its leading bit.
SweepStage Merging::under_what_is_known(const OwnStage& own, const Sweep& sweep, SweepStage stage) {
  stage.given = given_to_own(given_[static_cast<std::size_t>(own.place)], sweep);
  stage.leading = own.leading;
  if (!own.leading.empty()) stage.range = range_of_sum(own, sweep);
  if (own.lemma != lit_true) {
    const auto [at, is_new] = lemma_in_own_.try_emplace(own.place, own_->efforts().size());
    if (is_new) own_->run(lemma_of({own.lemma}, own.lemma_name));
    stage.given.push_back(at->second);
  }
  if (own.after < 0) return stage;
  stage.reads = places_in_own(own.read);
  if (const std::optional<std::size_t> left = left_in_own(own.after, sweep)) stage.given.push_back(*left);
  return stage;
}

// The lemma of how a rounded number is left.
std::optional<std::size_t> Merging::left_in_own(int place, const Sweep& sweep) {
  const auto found = left_in_own_.find(place);
  if (found != left_in_own_.end()) return found->second;
  for (const OwnStage& own : task_.own) {
    if (own.place != place || own.left == lit_true) continue;
    own_->run(under_what_is_known(own, sweep, lemma_of({own.left}, own.left_name)));
    return left_in_own_[place] = own_->efforts().size() - 1;
  }
  return std::nullopt;
}

void Merging::begin_own(const std::function<bool()>& goes_on) {
  if (own_) return;
  SweepLimits limits;
  limits.common_below = task_.gates.size();
  own_ = std::make_unique<Sweep>(task_.gates, words_of_inputs(), limits, goes_on);
}

// The steps of these places as the unit shows them, around which it may read.
std::vector<std::size_t> Merging::places_in_own(const std::vector<int>& places) {
  std::vector<std::size_t> steps;
  for (std::size_t i = 0; i < task_.places.size(); ++i) {
    const int place = task_.places[i].place;
    if (std::count(places.begin(), places.end(), place) == 0) continue;
    const auto [at, is_new] = place_in_own_.try_emplace(place, own_->efforts().size());
    steps.push_back(at->second);
    if (!is_new) continue;
    SweepStage shown{task_.sides[i].unit, task_.sides[i].unit};
    shown.is_known = shown.is_rewritten = true;
    own_->run(std::move(shown));
  }
  return steps;
}

// Of the lemmas that a step is given those that are about places which both sides have in common by now.
std::vector<std::size_t> Merging::given_to_own(const std::vector<std::size_t>& given, const Sweep& sweep) {
  std::vector<std::size_t> known;
  for (const std::size_t lemma : given) {
    const auto aid = of_places_.find(lemma);
    if (aid != of_places_.end() && sweep.is_proved(lemma) && are_proved(aid->second->about))
      known.push_back(known_of_own(lemma));
  }
  return known;
}

// Where the unit's sum is that of its addends, it lies in what they can come to. How large each can be is proved, or it
// may be as large as its bits allow.
std::optional<SumRange> Merging::range_of_sum(const OwnStage& own, const Sweep& sweep) {
  const auto found = ranges_.find(own.place);
  if (found != ranges_.end()) return found->second;
  std::optional<SumRange>& at = ranges_[own.place];
  std::vector<std::vector<Lit>> words;
  for (const OwnAddend& addend : own.addends) words.push_back(addend.bits);
  if (words.empty() || own.leading.size() > widest_in_range || !is_sum_of(task_.gates, own.leading, words)) return at;
  SumRange range;
  for (const OwnAddend& addend : own.addends) {
    SweepStage lemma = lemma_of({addend.is_within}, addend.name);
    lemma.given = given_to_own(given_[static_cast<std::size_t>(addend.place)], sweep);
    own_->run(std::move(lemma));
    const bool is_proved = own_->is_proved(own_->efforts().size() - 1);
    if (is_proved) sizes_[own.place].insert(addend.name);
    const i128 most = is_proved ? i128{addend.most} : i128{1} << (addend.bits.size() - 1);
    range.least -= most;
    range.greatest += most;
  }
  const i128 limit = i128{1} << (own.leading.size() - 1);
  if (range.least >= -limit && range.greatest < limit) at = range;
  return at;
}

bool Merging::are_proved(const std::vector<int>& places) const {
  for (std::size_t i = 0; i < task_.places.size(); ++i) {
    const bool is_one = std::count(places.begin(), places.end(), task_.places[i].place) != 0;
    if (is_one && answers_.of(i) != ProofAnswer::proved) return false;
  }
  return true;
}

// A lemma that is proved of the model's places is known of the unit's where these are the same.
std::size_t Merging::known_of_own(std::size_t lemma) {
  const auto [at, is_new] = known_in_own_.try_emplace(lemma, own_->efforts().size());
  if (!is_new) return at->second;
  SweepStage known = lemma_of({of_places_.at(lemma)->of_unit}, steps_[lemma].name);
  known.is_known = true;
  own_->run(std::move(known));
  return at->second;
}

void Merging::charge(std::size_t step, const Sweep& sweep) {
  const std::size_t index = step_of_[step];
  if (index == none) return;
  const SweepEffort& effort = sweep.efforts().back();
  SweepEffort& all = efforts_[index];
  add(all, effort);
  std::set<std::string> lacking;
  for (const std::size_t lemma : steps_[step].given) {
    if (!sweep.is_proved(lemma)) lacking.insert(steps_[lemma].name);
  }
  answers_.change([&](std::vector<PlaceProof>& places) {
    places[index].seconds += effort.seconds;
    places[index].lacking = std::move(lacking);
  });
  if (sweep.is_equal()) answers_.prove(index, all);
}

// From here on the circuit is the one that the sweep made.
void Merging::go_over_to(Sweep& sweep) {
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    SweepStage& step = steps_[n];
    step.is_known = step.is_lemma && sweep.is_proved(n);
    step.shown = sweep.unmerged(step.shown);
    for (auto* side : {&step.model, &step.unit, &step.below, &step.frozen, &step.sum})
      *side = sweep.made_plainly(*side);
    for (std::vector<Lit>& addend : step.addends) addend = sweep.made_plainly(addend);
    if (step_of_[n] == none) continue;
    now_[step_of_[n]] = {step.model, step.unit};
    if (step.model == step.unit) answers_.prove(step_of_[n], efforts_[step_of_[n]]);
  }
}

}  // namespace assay
