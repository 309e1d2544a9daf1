#include "tb/run/comparison.hpp"

#include <algorithm>
#include <chrono>

#include "tb/fit/nearest.hpp"
#include "tb/run/ahead.hpp"
#include "tb/run/causes.hpp"
#include "tb/run/failing_case.hpp"
#include "tb/run/failing_case_text.hpp"
#include "tb/run/nearest_text.hpp"
#include "tb/run/shifted.hpp"
#include "tb/run/wider.hpp"
#include "tb/scoreboard/nan_rule.hpp"

namespace assay {
namespace {

using Clock = std::chrono::steady_clock;

struct NearbyCase {
  Case given;
  Code d = 0;
  bool right = false;
};

class Run {
 public:
  Run(const Subject& subject, const Party& reference, const Party& device, CaseSource& source,
      const RunOptions& options)
      : subject_(subject),
        reference_(reference),
        device_(device),
        source_(source),
        options_(options),
        names_{reference.spec, device.spec, subject.option, subject.program},
        trace_(reference.device.offers_trace() && device.device.offers_trace()),
        scoreboard_(subject.plan, options.nan, FailuresKept{options.max_failures, options.max_alike}),
        shifted_(subject.plan),
        same_([this](Code x, Code y) { return scoreboard_.same_d(x, y); }),
        nearest_(subject.plan, same_) {
    scoreboard_.waive(options.waivers);
    scoreboard_.expect_known(reference.device.known_differences(), device.device.known_differences());
  }

  Comparison run() {
    const auto start = Clock::now();
    std::uint64_t compared = 0;
    Ahead ahead(source_, reference_.device, trace_, threads());
    while (const auto batch = ahead.next()) {
      see(batch->cases, batch->expected);
      compared += batch->cases.size();
      if (options_.seen) options_.seen(batch->cases);
      if (options_.progress) options_.progress(batch->read);
    }
    const double seconds = std::max(1e-9, std::chrono::duration<double>(Clock::now() - start).count());
    scoreboard_.leave_out_unrecorded(source_.unrecorded());
    scoreboard_.complain(reference_.device.close());
    scoreboard_.complain(device_.device.close());
    std::vector<std::string> explanation = explained();
    return {subject_.name,
            device_.device.name() + " held to " + reference_.device.name(),
            compared,
            seconds,
            scoreboard_,
            std::move(explanation),
            changes_,
            cause(),
            smallest_,
            source_.why_nothing(),
            [&source = source_, names = names_](const Case& c) { return source.command(names, c); },
            others_count_};
  }

 private:
  // A batch alone, or a device that is held to itself, is not worth a thread.
  int threads() const {
    const std::uint64_t total = source_.total();
    const bool alone = (total != 0 && total <= batch_of_cases) || &reference_.device == &device_.device;
    return alone ? 1 : options_.threads;
  }

  void see(const std::vector<Case>& cases, const std::vector<Answer>& expected) {
    const std::vector<Answer> given = device_.device.run(cases, trace_);
    const std::vector<Verdict> verdicts = scoreboard_.check_all(cases, expected, given);
    for (std::size_t i = 0; i < verdicts.size(); ++i) note(cases[i], expected[i], given[i], verdicts[i]);
  }

  // What is waived or known is no question any more, and an error no result. What depends on the order of cases is no
  // datapath's.
  void note(const Case& c, const Answer& expected, const Answer& given, Verdict verdict) {
    const bool wrong = verdict == Verdict::differs;
    const bool right = verdict == Verdict::equal || verdict == Verdict::masked;
    if (wrong) suspects_.wrong(c, unlike(subject_.plan, expected.d, given.d));
    if (verdict == Verdict::masked) suspects_.masked(c);
    if (verdict == Verdict::unsteady) suspects_.unsteady(c);
    const bool of_device = options_.explained != Explained::reference;
    const bool out_of_step = wrong || verdict == Verdict::device_error;
    shifted_.see((of_device ? expected : given).d, (of_device ? given : expected).d,
                 right         ? Shifted::Result::right
                 : out_of_step ? Shifted::Result::wrong
                               : Shifted::Result::left_out);
    // A datapath is one dot product: an element of a matrix may be several.
    if (options_.explained == Explained::nobody || c.element || !(right || wrong)) return;
    if (!expected.other_order.empty() || !given.other_order.empty()) return;
    nearest_.see(c, of_device ? given.d : expected.d, right);
  }

  // Where changes were found at all.
  std::function<std::string(const Failure&)> cause() {
    if (!causes_.any()) return {};
    return [causes = std::move(causes_)](const Failure& failure) { return causes.of(failure); };
  }

  std::vector<std::string> explained() {
    if (const auto shift = shifted_.find()) return {shift_line(*shift)};
    const std::optional<History> history = source_.history();
    const std::size_t before = nearest_.failures();
    const std::vector<std::string> cases =
        suspects_.none() || !history ? std::vector<std::string>{} : failing_case_lines(*history);
    if (nearest_.failures() == 0) return cases;
    const NearbyChanges found = nearest_.find();
    changes_ = all_changes(found);
    const auto lone = [&] { return history ? lone_elements_of(*history) : std::nullopt; };
    const WiderExplanation wide =
        wider(subject_.plan, nearest_, same_, found, {options_.catalogue, lone, options_.threads});
    const auto same = [judge = Scoreboard(subject_.plan, options_.nan, FailuresKept{})](Code x, Code y) {
      return judge.same_d(x, y);
    };
    causes_ = Causes(subject_.plan, same, options_.explained == Explained::device, found, wide);
    std::vector<std::string> lines = nearest_lines(nearest_, found, wide, nearest_.failures() - before);
    lines.insert(lines.end(), cases.begin(), cases.end());
    return lines;
  }

  // One or several that together give every failure that was kept.
  static std::string all_changes(const NearbyChanges& found) {
    if (!found.conclusive() || found.left != 0 || !found.nearly.empty()) return "";
    std::string text;
    for (const NearbyChange& change : found.agree) text += (text.empty() ? "" : "; ") + change.change;
    return text;
  }

  // Only a unit whose results are its own, case by case, can be asked on.
  std::optional<LoneElements> lone_elements_of(const History& history) {
    if (options_.explained != Explained::device || !stands_alone_) return std::nullopt;
    std::vector<Case> failing;
    for (const Nearest::Result& r : nearest_.wrong()) failing.push_back(r.given);
    const auto fresh = [&](std::uint64_t i) { return history.make(history.cases.first + i); };
    return lone_elements(subject_.plan, same_, failing, fresh, history.cases.count,
                         [this](const std::vector<Case>& cases) { return ask_beside(cases); });
  }

  std::vector<BesideAnswer> ask_beside(const std::vector<Case>& cases) {
    const std::vector<Answer> expected = reference_.device.run(cases, false), given = device_.device.run(cases, false);
    std::vector<BesideAnswer> asked;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const Verdict verdict = scoreboard_.judge(cases[i], expected[i], given[i]);
      const bool known = verdict == Verdict::waived || verdict == Verdict::known;
      asked.push_back(
          {expected[i].ok() && given[i].ok() && !known, scoreboard_.same_d(expected[i].d, given[i].d), given[i].d});
    }
    return asked;
  }

  std::string shift_line(const Shifted::Found& shift) const {
    const bool of_device = options_.explained != Explained::reference;
    return shifted_text(shift, (of_device ? device_ : reference_).device.advice_on_shift(shift.by));
  }

  // From few failures nothing can be concluded: the smaller cases that are tried make more.
  std::vector<std::string> failing_case_lines(const History& history) {
    const bool few = options_.explained == Explained::device && nearest_.failures() < conclusive_failures;
    std::vector<NearbyCase> heard;
    const bool places_matter =
        !options_.waivers.empty() || !suspects_.masked().empty() || !suspects_.unsteady().empty();
    Bench bench{reference_.device, device_.device, scoreboard_, trace_ && places_matter, {}};
    if (few) bench.heard = [&](const Case& c, Code d, bool right) { heard.push_back({c, d, right}); };
    const FailingCase found = failing_case(bench, suspects_, history);
    stands_alone_ = found.alone && !found.remembers && !found.dependent;
    others_count_ = found.dependent.has_value();
    if (found.alone && !found.remembers) learn(heard);
    if (found.alone) smallest_ = Failure{Verdict::differs, *found.alone, found.expected, found.got, no_place};
    std::vector<std::string> lines = lines_of(found, subject_.plan, names_, history);
    const std::string part = found.alone ? device_.device.blame(*found.alone) : "";
    if (!part.empty()) lines.push_back(part);
    return lines;
  }

  void learn(const std::vector<NearbyCase>& heard) {
    nearest_.make_room();
    for (const NearbyCase& one : heard) nearest_.see(one.given, one.d, one.right);
  }

  const Subject& subject_;
  const Party& reference_;
  const Party& device_;
  CaseSource& source_;
  const RunOptions& options_;
  const RunNames names_;
  const bool trace_;
  Scoreboard scoreboard_;
  Shifted shifted_;
  const Nearest::Same same_;
  Nearest nearest_;
  Suspects suspects_;
  std::string changes_;
  Causes causes_;
  std::optional<Failure> smallest_;
  bool others_count_ = false;
  bool stands_alone_ = false;  // a case fails in a unit that was asked nothing before
};

}  // namespace

NanRule nan_rule_of(const Subject& subject) { return nan_rule_of(subject.header, subject.plan); }

Comparison compare(const Subject& subject, const Party& reference, const Party& device, CaseSource& source,
                   const RunOptions& options) {
  return Run(subject, reference, device, source, options).run();
}

}  // namespace assay
