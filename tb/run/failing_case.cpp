#include "tb/run/failing_case.hpp"

#include <algorithm>

#include "tb/scoreboard/shrink.hpp"

namespace assay {
namespace {

constexpr std::size_t most_wrong = 8;        // cases tried alone, of either kind
constexpr std::uint64_t most_before = 1024;  // cases run again before a case

bool is_error(Verdict v) { return v == Verdict::device_error || v == Verdict::reference_error; }

// Devices in processes of their own begin anew after close(); the others remember nothing.
void begin_anew(const Bench& bench) {
  bench.reference.close();
  bench.device.close();
}

class Search {
 public:
  Search(const Bench& bench, const History& history) : bench_(bench), history_(history) {}

  FailingCase find(const std::vector<Case>& wrong) {
    FailingCase found;
    for (const Case& c : wrong) {
      if (last_of({c}) == Verdict::differs) {
        make_small(c, found);
        break;
      }
      if (found.dependent) continue;
      found.dependent = c;
      if (is_error(verdicts_.back()))
        found.error = expected_.back().ok() ? given_.back().error : expected_.back().error;
    }
    if (found.dependent && found.error.empty()) find_before(found);
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

  // `failing` has just failed alone.
  void make_small(const Case& failing, FailingCase& found) {
    const Unlike like = unlike(verdicts_.size() - 1);
    const auto fails = [&](const std::vector<Case>& cases) { return fail(cases, like); };
    found.alone = shrunk(bench_.scoreboard.plan(), failing, fails);
    if (!answered_) found.size = FailingCase::Size::answered;
    if (last_of({*found.alone}) == Verdict::differs) return;
    found.alone = failing;
    found.size = FailingCase::Size::original;
  }

  bool fails_after(CaseRange before, const Case& c) {
    std::vector<Case> cases;
    for (std::uint64_t i = 0; i < before.count; ++i) cases.push_back(history_.make(before.first + i));
    cases.push_back(c);
    return last_of(cases) == Verdict::differs;
  }

  // Twice as many of those before it each time, until it fails; then as few of these as do.
  void find_before(FailingCase& found) {
    const std::uint64_t number = found.dependent->number, all = std::min(number - history_.first, most_before);
    for (std::uint64_t count = 1; found.tried < all; count *= 2) {
      found.tried = std::min(count, all);
      const CaseRange before{number - found.tried, found.tried};
      if (!fails_after(before, *found.dependent)) continue;
      found.before = fewer(before, *found.dependent);
      return;
    }
  }

  CaseRange fewer(CaseRange before, const Case& c) {
    while (before.count > 1) {
      const std::uint64_t half = before.count / 2;
      const CaseRange early{before.first, half}, late{before.first + half, before.count - half};
      if (fails_after(early, c)) {
        before = early;
      } else if (fails_after(late, c)) {
        before = late;
      } else {
        break;
      }
    }
    return before;
  }

  const Bench& bench_;
  const History& history_;
  std::vector<Answer> expected_, given_;  // of the last run
  std::vector<Verdict> verdicts_;
  bool answered_ = true;  // all that was asked while a case was made smaller
};

}  // namespace

void WrongCases::see(const Case& given, Unlike unlike) {
  std::vector<Case>& list = unlike == Unlike::number ? numbers_ : others_;
  if (list.size() < most_wrong) list.push_back(given);
}

std::vector<Case> WrongCases::all() const {
  std::vector<Case> all = numbers_;
  all.insert(all.end(), others_.begin(), others_.end());
  return all;
}

FailingCase failing_case(const Bench& bench, const std::vector<Case>& wrong, const History& history) {
  return Search(bench, history).find(wrong);
}

}  // namespace assay
