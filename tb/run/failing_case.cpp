#include "tb/run/failing_case.hpp"

#include <algorithm>

#include "tb/scoreboard/shrink.hpp"

namespace assay {
namespace {

constexpr std::size_t most_suspects = 8;     // cases tried alone, of each kind
constexpr std::uint64_t most_before = 1024;  // cases run again before a case
constexpr std::uint64_t few_before = 32;     // of so many each is left out in turn
constexpr int most_anew = 200;               // smaller cases that are each tried in fresh devices

bool is_error(Verdict v) { return v == Verdict::device_error || v == Verdict::reference_error; }

// Devices in processes of their own begin anew after close(); the others remember nothing.
void begin_anew(const Bench& bench) {
  bench.reference.close();
  bench.device.close();
}

class Search {
 public:
  Search(const Bench& bench, const History& history) : bench_(bench), history_(history) {}

  FailingCase find(const Suspects& suspects) {
    FailingCase found;
    for (const Case& c : suspects.wrong()) {
      if (last_of({c}) != Verdict::differs) {
        if (!found.dependent) found = depends(c, std::move(found), history_.cases.backward);
      } else if (!found.alone) {
        make_small(c, found);
      }
      if (found.alone && (found.dependent || !found.remembers)) break;
    }
    // Smaller cases are looked for where d is wrong alone, what a case depends on where a place is, too.
    places_count_ = true;
    for (const Case& c : suspects.masked()) {
      if (found.dependent) break;
      if (!fails(last_of({c}))) found = depends(c, std::move(found), history_.cases.backward);
    }
    places_count_ = suspects.masked().empty();
    // A right d, or place, that another order makes wrong: the cases that come before it there stand behind it in the
    // run.
    for (const Case& c : suspects.unsteady()) {
      if (found.dependent) break;
      if (fails(last_of({c}))) continue;
      found.in_run = false;
      found = depends(c, std::move(found), !history_.cases.backward);
    }
    return found;
  }

 private:
  void run(const std::vector<Case>& cases) {
    expected_ = bench_.reference.run(cases, bench_.trace);
    given_ = bench_.device.run(cases, bench_.trace);
    verdicts_.clear();
    for (std::size_t i = 0; i < cases.size(); ++i)
      verdicts_.push_back(bench_.scoreboard.judge(cases[i], expected_[i], given_[i]));
  }

  // The last of these cases, in devices that were asked nothing before the first.
  Verdict last_of(const std::vector<Case>& cases) {
    begin_anew(bench_);
    run(cases);
    return verdicts_.back();
  }

  bool fails(Verdict v) const { return v == Verdict::differs || (places_count_ && v == Verdict::masked); }

  Unlike unlike(std::size_t i) const { return assay::unlike(bench_.scoreboard.plan(), expected_[i].d, given_[i].d); }

  // Which of these fail as the first one did. After an error no more are asked: a device that dies of one may hang at
  // the next, and each costs its time.
  std::vector<bool> fail(const std::vector<Case>& cases, Unlike like) {
    std::vector<bool> failing(cases.size());
    if (!answered_) return failing;
    run(cases);
    for (std::size_t i = 0; i < cases.size(); ++i) {
      answered_ = answered_ && !is_error(verdicts_[i]);
      if (is_error(verdicts_[i])) continue;
      failing[i] = verdicts_[i] == Verdict::differs && unlike(i) == like;
      if (bench_.heard && verdicts_[i] != Verdict::waived && verdicts_[i] != Verdict::known)
        bench_.heard(cases[i], given_[i].d, verdicts_[i] != Verdict::differs);
    }
    return failing;
  }

  // The first of these that fails as the first one did, each in devices of its own.
  std::vector<bool> fail_alone(const std::vector<Case>& cases, Unlike like) {
    std::vector<bool> failing(cases.size());
    for (std::size_t i = 0; i < cases.size() && anew_ < most_anew; ++i) {
      ++anew_;
      failing[i] = last_of({cases[i]}) == Verdict::differs && unlike(0) == like;
      if (failing[i]) break;
    }
    return failing;
  }

  // `failing` has just failed alone.
  void make_small(const Case& failing, FailingCase& found) {
    const Plan& plan = bench_.scoreboard.plan();
    const Unlike like = unlike(verdicts_.size() - 1);
    found.alone = shrunk(plan, failing, [&](const std::vector<Case>& cases) { return fail(cases, like); });
    if (!answered_) found.size = FailingCase::Size::answered;
    if (last_of({*found.alone}) != Verdict::differs) {
      found.remembers = true;
      found.alone = shrunk(plan, failing, [&](const std::vector<Case>& cases) { return fail_alone(cases, like); });
      found.size = anew_ < most_anew ? FailingCase::Size::smallest : FailingCase::Size::tried;
      last_of({*found.alone});
    }
    found.expected = expected_.back();
    found.got = given_.back();
  }

  // `c` has just not failed alone. `backward`: what came before it has higher numbers.
  FailingCase depends(const Case& c, FailingCase found, bool backward) {
    found.dependent = c;
    if (is_error(verdicts_.back())) found.error = expected_.back().ok() ? given_.back().error : expected_.back().error;
    if (!found.error.empty()) return found;
    find_before(found, backward);
    if (!found.before) find_after(found, backward);
    if (!found.before && !found.after) find_neighbour(found);
    return found;
  }

  bool fails_after(CaseRange before, const Case& c) {
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < before.count; ++i) cases.push_back(history_.make(before.at(i)));
    cases.push_back(c);
    return fails(last_of(cases));
  }

  // Twice as many of those before it each time, until it fails; then as few of these as do.
  void find_before(FailingCase& found, bool backward) {
    const std::uint64_t number = found.dependent->number, first = history_.cases.first;
    const std::uint64_t there = backward ? first + history_.cases.count - 1 - number : number - first;
    const std::uint64_t all = std::min(there, most_before);
    found.tried_all = all == there;
    for (std::uint64_t count = 1; found.tried.count < all; count *= 2) {
      const std::uint64_t length = std::min(count, all);
      found.tried = {backward ? number + 1 : number - length, length, backward};
      if (!fails_after(found.tried, *found.dependent)) continue;
      found.before = fewer(found.tried, *found.dependent);
      return;
    }
  }

  // As many of those behind it as make it fail: what it takes from them, it takes too early.
  void find_after(FailingCase& found, bool backward) {
    const std::uint64_t number = found.dependent->number, first = history_.cases.first;
    const std::uint64_t there = backward ? number - first : first + history_.cases.count - 1 - number;
    for (std::uint64_t count = 1; count <= std::min(there, few_before); count *= 2) {
      const CaseRange behind{backward ? number - count : number + 1, count, backward};
      std::vector<Case> cases{*found.dependent};
      for (std::uint64_t i = 0; i < behind.count; ++i) cases.push_back(history_.make(behind.at(i)));
      last_of(cases);
      if (!fails(verdicts_.front())) continue;
      found.after = behind;
      return;
    }
  }

  // Any other case of the run right before it: one, it, the next one, it, ..
  void find_neighbour(FailingCase& found) {
    std::vector<Case> cases;
    std::vector<std::uint64_t> numbers;
    for (std::uint64_t i = 0; i < std::min(history_.cases.count, most_before); ++i) {
      numbers.push_back(history_.cases.at(i));
      cases.push_back(history_.make(numbers.back()));
      cases.push_back(*found.dependent);
    }
    last_of(cases);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      if (!fails(verdicts_[2 * i + 1])) continue;
      const CaseRange one{numbers[i], 1, false};
      if (fails_after(one, *found.dependent)) found.before = one;
      return;
    }
  }

  // A half of them for as long as one is enough, then all but the first or the last.
  CaseRange fewer(CaseRange before, const Case& c) {
    while (before.count > 1) {
      const std::uint64_t half = before.count / 2;
      std::vector<CaseRange> less{before.part(half, before.count - half), before.part(0, half)};
      if (before.count <= few_before) {
        less.push_back(before.part(1, before.count - 1));
        less.push_back(before.part(0, before.count - 1));
      }
      const auto enough =
          std::find_if(less.begin(), less.end(), [&](const CaseRange& some) { return fails_after(some, c); });
      if (enough == less.end()) break;
      before = *enough;
    }
    return before;
  }

  const Bench& bench_;
  const History& history_;
  std::vector<Answer> expected_, given_;  // of the last run
  std::vector<Verdict> verdicts_;
  bool places_count_ = false;  // a case fails by a place as well as by d
  bool answered_ = true;       // all that was asked while a case was made smaller
  int anew_ = 0;               // cases tried in fresh devices while it was
};

}  // namespace

void Suspects::wrong(const Case& given, Unlike unlike) {
  std::vector<Case>& list = unlike == Unlike::number ? numbers_ : others_;
  if (list.size() < most_suspects) list.push_back(given);
}

void Suspects::masked(const Case& given) {
  if (masked_.size() < most_suspects) masked_.push_back(given);
}

void Suspects::unsteady(const Case& given) {
  if (unsteady_.size() < most_suspects) unsteady_.push_back(given);
}

std::vector<Case> Suspects::wrong() const {
  std::vector<Case> all = numbers_;
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

FailingCase failing_case(const Bench& bench, const Suspects& suspects, const History& history) {
  return Search(bench, history).find(suspects);
}

}  // namespace assay
