#include "tb/design/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <set>

#include "model/base/parallel.hpp"
#include "tb/design/monotony.hpp"

namespace assay::design {
namespace {

constexpr int first_seeds = 2;             // of every point; an interval needs two
constexpr std::size_t greatest_batch = 8;  // points that are chosen at a time, whatever the number of threads
constexpr std::size_t least_syntheses = 16, least_spread = 6;
constexpr double doubt = 2;  // beyond so many deviations a point is not hopeful

class Search {
 public:
  Search(const Spec& spec, const Space& space, const SearchBench& bench, Trials& trials)
      : spec_(spec),
        space_(space),
        trials_(trials),
        bench_(bench),
        effort_(bench.effort),
        judge_(spec, space.machines, bench.catalogue, trials, bench.folder + "/programs"),
        seen_(seen_points(spec.study, space.machines)) {
    Standing fresh;
    fresh.limits.assign(spec.limits.size(), Judged::open);
    fresh.found.assign(spec.limits.size(), "");
    fresh.excess.assign(spec.limits.size(), 0);
    result_.points.assign(space.size(), fresh);
    result_.predicted.resize(space.size());
    result_.wirings = space.count_of_wirings();
    std::map<std::string, int> first;
    points_.resize(space.size());
    std::iota(points_.begin(), points_.end(), 0);
    for (std::size_t i = 0; i < space.size(); ++i)
      first_of_wiring_.push_back(first.emplace(space.wirings[i], static_cast<int>(i)).first->second);
  }

  Searched run() {
    begin();
    effort_.exhaust ? exhaust() : look();
    conclude();
    trials_.finish();
    return std::move(result_);
  }

  KnownPoints ask(const std::vector<int>& points) {
    points_ = points;
    begin();
    exhaust();
    return {costs_, judgements_};
  }

 private:
  void begin() {
    if (!spec_.needs_gates()) {
      for (Standing& s : result_.points) s.cost = Cost{};
    }
    leave_out_what_has_no_blocks();
    judge_bounds();
    derive_errors();
  }

  // --- points ---

  Standing& standing(int point) { return result_.points[static_cast<std::size_t>(point)]; }
  const Standing& standing(int point) const { return result_.points[static_cast<std::size_t>(point)]; }

  std::vector<int> all_points() const {
    std::vector<int> points;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(points),
                 [&](int point) { return !standing(point).is_out(); });
    return points;
  }

  void say(const std::string& sentence) const {
    if (bench_.report.say) bench_.report.say(sentence);
  }

  // --- limits ---

  Judgement judged(std::size_t limit, int point) const {
    if (spec_.limits[limit].kind == LimitKind::bound) return judged_bound(spec_.limits[limit], bound_of(point));
    if (bench_.known != nullptr) {
      const auto found = bench_.known->judgements.find({point, limit});
      if (found != bench_.known->judgements.end()) return found->second;
    }
    return judge_.judge(limit, point);
  }

  void keep(int point, std::size_t limit, const Judgement& judgement) {
    judgements_[{point, limit}] = judgement;
    Standing& s = standing(point);
    s.limits[limit] = judgement.met ? Judged::met : Judged::missed;
    s.found[limit] = judgement.found;
    s.excess[limit] = judgement.excess;
  }

  // Known before any synthesis.
  void leave_out_what_has_no_blocks() {
    if (!spec_.needs_gates()) return;
    for (const int point : points_)
      standing(point).no_cost = why_no_cost(space_.machines[static_cast<std::size_t>(point)]->plan);
  }

  // Several limits, and the error, may ask for the same one.
  DerivedBound bound_of(int point) const {
    const auto found = bounds_.find(point);
    return found != bounds_.end() ? found->second
                                  : derived_bound(spec_.study, *space_.machines[static_cast<std::size_t>(point)]);
  }

  void derive_errors() {
    if (!spec_.trades_bounds()) return;
    say("the bound of every point");
    const std::vector<int> points = all_points();
    parallel(static_cast<int>(points.size()), effort_.threads, [&](int i, int) {
      const int point = points[static_cast<std::size_t>(i)];
      const double bound = bound_of(point).relative;
      standing(point).error = {bound, bound, bound};
      standing(point).has_error = true;
    });
  }

  void judge_bounds() {
    for (std::size_t limit = 0; limit < spec_.limits.size(); ++limit) {
      if (spec_.limits[limit].kind != LimitKind::bound) continue;
      say("the bounds");
      const Sifted sieve = sifted(spec_.study, space_, all_points(), spec_.limits[limit], effort_.threads,
                                  [&](int point) { return bound_of(point); });
      bounds_.insert(sieve.derived.begin(), sieve.derived.end());
      for (const auto& [point, bound] : sieve.derived) keep(point, limit, judged_bound(spec_.limits[limit], bound));
      for (const auto& [point, by] : sieve.ruled_out) {
        keep(point, limit, ruled_out(by, sieve.derived.at(by)));
        ruled_out_[point] = limit;
      }
      if (result_.not_monotone.empty()) result_.not_monotone = sieve.contradiction;
    }
  }

  // How far it misses the limit is not asked, only that another one of which that is known comes nearer.
  Judgement ruled_out(int by, const DerivedBound& bound) const {
    return {false,
            fmt::format("no less than the {:.3g} x S of {}, which keeps more", bound.relative,
                        space_.machines[static_cast<std::size_t>(by)]->point.name),
            HUGE_VAL};
  }

  // What takes a synthesis's time or more, for those that may be chosen; the others have been missed already.
  void judge_the_rest(int point) {
    for (const LimitKind kind : {LimitKind::equals, LimitKind::property, LimitKind::program}) {
      for (std::size_t limit = 0; limit < spec_.limits.size(); ++limit) {
        const bool is_open = spec_.limits[limit].kind == kind && standing(point).limits[limit] == Judged::open;
        if (is_open && !standing(point).is_out()) keep(point, limit, judged(limit, point));
      }
    }
  }

  // --- samples ---

  void try_points(const std::vector<int>& points, int seeds) {
    trials_.run(points, seeds, [&](std::uint64_t done, std::uint64_t total) {
      if (bench_.report.at) bench_.report.at(done, total, "trials");
    });
    for (const int point : points) read_samples(point);
  }

  void read_samples(int point) {
    Standing& s = standing(point);
    s.has_error = true;
    s.finished = trials_.seeds_of(point) == spec_.study.seeds;
    if (!spec_.trades_bounds()) s.error = {0, 0, 0};
    std::vector<Judged> verdicts(spec_.limits.size(), Judged::met);
    for (std::size_t i = 0; i < spec_.limits.size(); ++i) {
      if (spec_.limits[i].kind == LimitKind::measure) s.found[i].clear(), s.excess[i] = 0;
    }
    for (std::size_t input = 0; input < spec_.study.inputs.size(); ++input) {
      for (std::size_t shape = 0; shape < spec_.study.shapes.size(); ++shape) {
        const Measures measures = with_special(trials_.measures(point, input, shape));
        if (!spec_.error.empty() && !spec_.trades_bounds())
          add_error(as_error(spec_.error, *measure_named(spec_.error, measures)), s);
        judge_measures(measures, input, shape, s, verdicts);
      }
    }
    for (std::size_t limit = 0; limit < spec_.limits.size(); ++limit) {
      if (spec_.limits[limit].kind == LimitKind::measure) s.limits[limit] = verdicts[limit];
    }
  }

  // What is NaN or infinite and should not be is wrong without a bound, whatever the other results are.
  static Measures with_special(Measures measures) {
    if (measures.special == 0) return measures;
    constexpr Estimate none{HUGE_VAL, HUGE_VAL, HUGE_VAL};
    for (Estimate Measures::*error : {&Measures::normwise, &Measures::total, &Measures::elementwise,
                                      &Measures::greatest, &Measures::bias_ulps, &Measures::shrink_ulps})
      measures.*error = none;
    measures.sqnr_db = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    return measures;
  }
  static std::string special_text(const Measures& measures) {
    return measures.special == 0
               ? ""
               : fmt::format("; {} of {} results are NaN or infinite", measures.special, measures.results);
  }

  static void add_error(const Estimate& error, Standing& s) {
    s.error = {std::max(s.error.mean, error.mean), std::max(s.error.low, error.low),
               std::max(s.error.high, error.high)};
  }

  // With all seeds a limit that the interval reaches beyond counts as missed.
  void judge_measures(const Measures& measures, std::size_t input, std::size_t shape, Standing& s,
                      std::vector<Judged>& verdicts) const {
    for (std::size_t i = 0; i < spec_.limits.size(); ++i) {
      const DesignLimit& limit = spec_.limits[i];
      if (limit.kind != LimitKind::measure) continue;
      if (!limit.input.empty() && limit.input != spec_.study.inputs[input].name) continue;
      if (limit.k != 0 && limit.k != spec_.study.shapes[shape].k) continue;
      const Estimate e = *measure_named(limit.name, measures);
      const bool is_met = limit.is_met(e.low, e.high);
      const bool is_missed = limit.is_missed(e.low, e.high) || (s.finished && !is_met);
      const Judged here = is_met ? Judged::met : is_missed ? Judged::missed : Judged::open;
      const double excess = std::max(limit.excess(e.low), limit.excess(e.high));
      if (s.found[i].empty() || here > verdicts[i] || excess > s.excess[i]) {
        s.found[i] = fmt::format("{:.3g} on {}, K = {} ({:.3g} to {:.3g}){}", e.mean, spec_.study.inputs[input].name,
                                 spec_.study.shapes[shape].k, e.low, e.high, special_text(measures));
        s.excess[i] = here == Judged::met ? 0 : excess;
      }
      verdicts[i] = worse(verdicts[i], here);
    }
  }

  static Judged worse(Judged x, Judged y) {
    if (x == Judged::missed || y == Judged::missed) return Judged::missed;
    return x == Judged::open || y == Judged::open ? Judged::open : Judged::met;
  }

  // --- costs ---

  // Where no cost of gates is wanted, nothing is synthesised, and every point's cost is known.
  void synthesise(const std::vector<int>& points) {
    if (!spec_.needs_gates()) return;
    std::vector<int> lacking;
    std::map<std::string, int> chosen;
    for (const int point : points) {
      const std::string& wiring = space_.wirings[static_cast<std::size_t>(point)];
      if (costs_.count(wiring) == 0 && chosen.emplace(wiring, point).second) lacking.push_back(point);
    }
    std::vector<CostAnswer> answers(lacking.size());
    std::mutex mutex;
    std::uint64_t done = 0;
    if (bench_.report.at && !lacking.empty()) bench_.report.at(done, lacking.size(), "syntheses");
    parallel(static_cast<int>(lacking.size()), effort_.threads, [&](int i, int) {
      const auto at = static_cast<std::size_t>(i);
      const auto point = static_cast<std::size_t>(lacking[at]);
      answers[at] = cost_of_wiring(point);
      const std::lock_guard<std::mutex> lock(mutex);
      ++done;
      if (bench_.report.at) bench_.report.at(done, lacking.size(), "syntheses");
    });
    for (std::size_t i = 0; i < lacking.size(); ++i)
      costs_[space_.wirings[static_cast<std::size_t>(lacking[i])]] = answers[i];
    result_.syntheses = costs_.size();
    spread_costs();
  }

  CostAnswer cost_of_wiring(std::size_t point) const {
    const std::string& wiring = space_.wirings[point];
    if (bench_.known != nullptr) {
      const auto found = bench_.known->costs.find(wiring);
      if (found != bench_.known->costs.end()) return found->second;
    }
    return bench_.costs(*space_.machines[point], wiring);
  }

  // All points of one wiring cost the same.
  void spread_costs() {
    for (std::size_t i = 0; i < space_.size(); ++i) {
      const auto found = costs_.find(space_.wirings[i]);
      if (found == costs_.end()) continue;
      result_.points[i].cost = found->second.cost;
      result_.points[i].no_cost = found->second.no_cost;
    }
  }

  std::size_t allowed_syntheses() const {
    const auto share = static_cast<std::size_t>(effort_.syntheses * static_cast<double>(result_.wirings));
    return std::min({result_.wirings, std::max(least_syntheses, share), effort_.most_syntheses});
  }

  // The fewer may be synthesised, the more each has to be chosen by all that is known.
  std::size_t size_of_batch() const { return std::clamp<std::size_t>(allowed_syntheses() / 8, 1, greatest_batch); }

  // The first two seeds of all points are no choice; as much again is always allowed.
  bool may_try() const { return trials_.share() < std::max(effort_.trials, 2.0 * first_seeds / spec_.study.seeds); }

  // --- the search ---

  // All seeds at once: two of them may rule out what more would not.
  void exhaust() {
    say("every point on all seeds");
    try_points(all_points(), spec_.study.seeds);
    const std::vector<int> points = all_points();
    if (spec_.needs_gates()) say(fmt::format("the synthesis of {} wirings", result_.wirings));
    synthesise(points);
    for (const int point : points) judge_the_rest(point);
  }

  void look() {
    say("every point on two seeds");
    try_points(all_points(), std::min(first_seeds, spec_.study.seeds));
    const std::vector<int> spread = spread_points(std::max(least_spread, allowed_syntheses() / 4));
    if (spec_.needs_gates()) say(fmt::format("the synthesis of {} points, spread over the space", spread.size()));
    synthesise(spread);
    for (;;) {
      predict(all_points());
      const std::vector<int> chosen = best_points();
      if (chosen.empty()) return;
      say(fmt::format("{} that may stand on a front; {} of {} wirings synthesised so far",
                      chosen.size() == 1 ? "1 point" : fmt::format("{} points", chosen.size()), costs_.size(),
                      result_.wirings));
      // After all seeds others may be better: a synthesis takes as long as thousands of trials.
      const bool are_finished =
          std::all_of(chosen.begin(), chosen.end(), [&](int point) { return standing(point).finished; });
      are_finished ? finish(chosen) : race(chosen);
    }
  }

  void finish(std::vector<int> points) {
    for (const int point : points) judge_the_rest(point);
    points.erase(std::remove_if(points.begin(), points.end(), [&](int p) { return standing(p).is_out(); }),
                 points.end());
    synthesise(points);
  }

  // Each as far as possible from those before it; the first one is drawn by the spec's seed.
  std::vector<int> spread_points(std::size_t count) const {
    std::vector<int> points, chosen;
    std::set<int> wirings;
    for (const int point : all_points()) {
      if (wirings.insert(first_of_wiring(point)).second) points.push_back(point);
    }
    if (points.empty()) return chosen;
    std::vector<double> nearest(points.size(), std::numeric_limits<double>::infinity());
    std::size_t next = (static_cast<std::size_t>(spec_.study.seed) * 2654435761U) % points.size();
    while (chosen.size() < std::min(count, points.size()) && nearest[next] > 0) {
      chosen.push_back(points[next]);
      const Vector& place = seen_[static_cast<std::size_t>(points[next])].place;
      for (std::size_t i = 0; i < points.size(); ++i)
        nearest[i] = std::min(nearest[i], distance(seen_[static_cast<std::size_t>(points[i])].place, place));
      next = static_cast<std::size_t>(std::max_element(nearest.begin(), nearest.end()) - nearest.begin());
    }
    return chosen;
  }

  // Of these points, as far as they have no cost, each cost that is wanted.
  void predict(const std::vector<int>& points) {
    std::vector<int> known;
    for (int i = 0; i < static_cast<int>(space_.size()); ++i) {
      if (standing(i).cost && first_of_wiring(i) == i) known.push_back(i);
    }
    std::set<int> wirings;
    for (const int point : points) wirings.insert(first_of_wiring(point));
    const std::vector<int> firsts(wirings.begin(), wirings.end());
    guesses_.assign(spec_.want.size(), std::vector<Guess>(space_.size()));
    for (std::size_t kind = 0; kind < spec_.want.size() && !known.empty(); ++kind) {
      if (!is_of_gates(spec_.want[kind])) continue;
      Vector costs;
      for (const int point : known) costs.push_back(known_cost(point, kind));
      const Predictor predictor(seen_, known, costs);
      parallel(static_cast<int>(firsts.size()), effort_.threads, [&](int i, int) {
        const int point = firsts[static_cast<std::size_t>(i)];
        if (!standing(point).cost) guesses_[kind][static_cast<std::size_t>(point)] = predictor.guess(point);
      });
    }
    for (auto& predicted : result_.predicted) predicted.reset();
    for (const int point : points) {
      if (standing(point).cost || !standing(point).no_cost.empty() || known.empty()) continue;
      Vector costs;
      for (std::size_t kind = 0; kind < spec_.want.size(); ++kind) costs.push_back(cost_guess(point, kind, 0));
      result_.predicted[static_cast<std::size_t>(point)] = costs;
    }
  }

  // What does not change the wiring takes no part in its cost.
  int first_of_wiring(int point) const { return first_of_wiring_[static_cast<std::size_t>(point)]; }

  // What software does is known of every point.
  double known_cost(int point, std::size_t kind) const {
    return spec_.cost(*space_.machines[static_cast<std::size_t>(point)], standing(point).cost.value_or(Cost{}),
                      spec_.want[kind]);
  }

  Guess guess(int point, std::size_t kind) const {
    if (standing(point).cost || !is_of_gates(spec_.want[kind])) return {std::log(known_cost(point, kind)), 0};
    return guesses_[kind][static_cast<std::size_t>(first_of_wiring(point))];
  }

  double cost_guess(int point, std::size_t kind, double deviations) const {
    if (standing(point).cost || !is_of_gates(spec_.want[kind])) return known_cost(point, kind);
    const Guess g = guess(point, kind);
    return std::exp(g.mean - deviations * g.deviation);
  }

  // Costed, all seeds run, all limits met.
  bool is_done(int point) const {
    const Standing& s = standing(point);
    return s.finished && s.cost &&
           std::all_of(s.limits.begin(), s.limits.end(), [](Judged j) { return j == Judged::met; });
  }

  std::vector<FrontSpot> front(std::size_t kind) const {
    std::vector<FrontSpot> spots;
    for (int i = 0; i < static_cast<int>(space_.size()); ++i) {
      if (is_done(i)) spots.push_back({known_cost(i, kind), standing(i).error.mean, i});
    }
    return front_of(std::move(spots));
  }

  std::vector<std::vector<FrontSpot>> fronts() const {
    std::vector<std::vector<FrontSpot>> all;
    for (std::size_t kind = 0; kind < spec_.want.size(); ++kind) all.push_back(front(kind));
    return all;
  }

  // The corner from which volumes are counted: the worst of all that is known or guessed.
  FrontSpot worst(std::size_t kind) const {
    FrontSpot corner{0, 0, -1};
    for (const int point : all_points()) {
      corner.cost = std::max(corner.cost, cost_guess(point, kind, 0));
      corner.error = std::max({corner.error, standing(point).error.mean, least_error});
    }
    return {corner.cost * 1.01, corner.error * 1.01, -1};
  }

  std::vector<int> best_points() const {
    std::vector<std::vector<FrontSpot>> fronts = this->fronts();
    std::vector<FrontSpot> corners;
    for (std::size_t kind = 0; kind < spec_.want.size(); ++kind) corners.push_back(worst(kind));
    std::vector<int> points, chosen;
    for (const int point : all_points()) {
      if (!is_done(point) && beaten_.count(point) == 0 && (standing(point).finished || may_try()))
        points.push_back(point);
    }
    std::set<int> fresh;  // wirings that are to be synthesised, each by its first point
    const std::size_t left = allowed_syntheses() - std::min(allowed_syntheses(), costs_.size());
    const auto is_beyond = [&](int point) {
      return fresh.size() == left && !standing(point).cost && fresh.count(first_of_wiring(point)) == 0;
    };
    while (chosen.size() < size_of_batch()) {
      double most = 1e-9;
      int best = -1;
      for (const int point : points) {
        if (is_beyond(point)) continue;
        double sum = 0;
        for (std::size_t kind = 0; kind < spec_.want.size(); ++kind)
          sum += gain_of(point, kind, fronts[kind], corners[kind]);
        if (sum > most) {
          most = sum;
          best = point;
        }
      }
      if (best < 0) return chosen;
      chosen.push_back(best);
      if (!standing(best).cost) fresh.insert(first_of_wiring(best));
      points.erase(std::find(points.begin(), points.end(), best));
      for (std::size_t kind = 0; kind < spec_.want.size(); ++kind) fronts[kind] = with(fronts[kind], best, kind);
    }
    return chosen;
  }

  // A front once a point costs what is guessed.
  std::vector<FrontSpot> with(std::vector<FrontSpot> front, int point, std::size_t kind) const {
    front.push_back({cost_guess(point, kind, 0), standing(point).error.mean, point});
    return front_of(std::move(front));
  }

  // Without errors to trade all that counts is the cost.
  double gain_of(int point, std::size_t kind, const std::vector<FrontSpot>& front, const FrontSpot& corner) const {
    const Guess cost = guess(point, kind);
    if (!spec_.error.empty()) return expected_gain(front, cost, standing(point).error.mean, corner);
    return expected_saving(cost, front.empty() ? corner.cost : front.front().cost);
  }

  // More and more seeds for those that may still stand on a front.
  void race(std::vector<int> points) {
    for (int seeds = 2 * first_seeds; !points.empty(); seeds *= 2) {
      const std::vector<std::vector<FrontSpot>> known = fronts();
      for (const int point : points) {
        if (!may_stand(point, known)) beaten_.insert(point);
      }
      points.erase(
          std::remove_if(points.begin(), points.end(),
                         [&](int p) { return beaten_.count(p) != 0 || standing(p).finished || standing(p).is_out(); }),
          points.end());
      try_points(points, std::min(seeds, spec_.study.seeds));
    }
  }

  // Whether on some front no point is surely better in both.
  bool may_stand(int point, const std::vector<std::vector<FrontSpot>>& known) const {
    for (std::size_t kind = 0; kind < spec_.want.size(); ++kind) {
      const FrontSpot spot{cost_guess(point, kind, doubt), spec_.error.empty() ? 0 : standing(point).error.low, point};
      const bool is_beaten_surely = std::any_of(known[kind].begin(), known[kind].end(), [&](const FrontSpot& by) {
        const double high = spec_.error.empty() ? 0 : standing(by.point).error.high;
        return by.point != point && by.cost <= spot.cost && high <= spot.error;
      });
      if (!is_beaten_surely) return true;
    }
    return false;
  }

  // The neighbours of the smallest that missed a limit: what they would have cost is no guess then.
  void cost_the_nearest() {
    const std::vector<FrontSpot> smallest = front(0);
    if (smallest.empty()) return;
    std::vector<int> nearest;
    for (const int point : space_.neighbours(smallest.front().point)) {
      if (standing(point).is_out() && standing(point).no_cost.empty()) nearest.push_back(point);
    }
    synthesise(nearest);
  }

  // The same of those that a bound ruled out which was not derived.
  void derive_the_nearest() {
    for (const std::vector<FrontSpot>& front : fronts()) {
      for (const FrontSpot& spot : front) {
        for (const int point : space_.neighbours(spot.point)) {
          const auto at = ruled_out_.find(point);
          if (at == ruled_out_.end()) continue;
          keep(point, at->second, judged(at->second, point));
          ruled_out_.erase(at);
        }
      }
    }
    result_.ruled_out = ruled_out_.size();
  }

  void leave_out(int point) {
    std::vector<WithoutCost>& all = result_.without_cost;
    const std::string& why = standing(point).no_cost;
    auto at = std::find_if(all.begin(), all.end(), [&](const WithoutCost& w) { return w.why == why; });
    if (at == all.end()) at = all.insert(at, {why, {}});
    at->points.push_back(point);
  }

  bool is_nothing_done() const {
    return std::none_of(points_.begin(), points_.end(), [&](int point) { return is_done(point); });
  }

  // How many limits a point misses, and how far, each by its own number.
  std::pair<int, double> distance_from_good(int point) const {
    std::pair<int, double> distance{0, 0};
    const Standing& s = standing(point);
    for (std::size_t i = 0; i < s.limits.size(); ++i) {
      if (s.limits[i] != Judged::missed) continue;
      ++distance.first;
      distance.second += s.excess[i] / std::max(std::fabs(spec_.limits[i].number), least_error);
    }
    return distance;
  }

  bool is_asked(std::size_t limit) const {
    return std::any_of(points_.begin(), points_.end(),
                       [&](int point) { return standing(point).limits[limit] != Judged::open; });
  }

  // Where nothing is good enough: a limit that was asked of no point, since each missed another one before, is asked of
  // those that came nearest, so that its closest miss is known.
  void ask_every_limit() {
    std::vector<int> nearest;
    std::copy_if(points_.begin(), points_.end(), std::back_inserter(nearest),
                 [&](int point) { return standing(point).no_cost.empty(); });
    std::stable_sort(nearest.begin(), nearest.end(),
                     [&](int x, int y) { return distance_from_good(x) < distance_from_good(y); });
    nearest.resize(std::min(nearest.size(), greatest_batch));
    for (std::size_t limit = 0; limit < spec_.limits.size(); ++limit) {
      if (is_asked(limit)) continue;
      if (spec_.limits[limit].kind == LimitKind::measure) {
        try_points(nearest, spec_.study.seeds);
      } else {
        for (const int point : nearest) keep(point, limit, judged(limit, point));
      }
    }
  }

  void conclude() {
    if (is_nothing_done()) ask_every_limit();
    cost_the_nearest();
    derive_the_nearest();
    std::vector<int> every(space_.size());
    std::iota(every.begin(), every.end(), 0);
    predict(every);
    result_.fronts = fronts();
    for (std::vector<FrontSpot>& front : result_.fronts) {
      if (spec_.error.empty() && front.size() > 1) front.resize(1);
    }
    for (std::size_t i = 0; i < space_.size(); ++i) {
      if (!result_.points[i].no_cost.empty()) leave_out(static_cast<int>(i));
    }
    const std::vector<std::vector<FrontSpot>> known = fronts();
    for (const int point : all_points()) {
      if (!is_done(point) && may_stand(point, known)) ++result_.hopeful;
    }
    result_.trials = trials_.share();
  }

  const Spec& spec_;
  const Space& space_;
  Trials& trials_;
  const SearchBench& bench_;
  const SearchAllowance& effort_;
  Judge judge_;
  std::vector<Seen> seen_;
  std::vector<int> points_;  // that are asked anything
  std::map<std::pair<int, std::size_t>, Judgement> judgements_;
  std::map<std::string, CostAnswer> costs_;  // by wiring
  std::vector<int> first_of_wiring_;         // by point
  std::map<int, DerivedBound> bounds_;       // by point: those that limits asked for
  std::map<int, std::size_t> ruled_out_;     // points, by the limit on a bound that was not derived
  std::set<int> beaten_;                     // that left a race: no more is asked of them
  std::vector<std::vector<Guess>> guesses_;  // by Spec::want, of points without a cost
  Searched result_;
};

}  // namespace

bool Standing::is_out() const {
  return !no_cost.empty() || std::any_of(limits.begin(), limits.end(), [](Judged j) { return j == Judged::missed; });
}

Searched searched(const Spec& spec, const Space& space, const SearchBench& bench, Trials& trials) {
  return Search(spec, space, bench, trials).run();
}

KnownPoints asked_of(const std::vector<int>& points, const Spec& spec, const Space& space, const SearchBench& bench,
                     Trials& trials) {
  return Search(spec, space, bench, trials).ask(points);
}

}  // namespace assay::design
