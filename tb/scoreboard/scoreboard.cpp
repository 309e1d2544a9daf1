#include "tb/scoreboard/scoreboard.hpp"

#include <algorithm>

#include "model/core/decode.hpp"

namespace assay {
namespace {

bool filled(const Answer& answer, std::size_t place) {
  return answer.trace.has_value() && place < answer.traced.size() && answer.traced[place] != 0;
}

ResultClass class_of(const Format& format, const Number& d) {
  if (d.cls == Class::nan) return ResultClass::nan;
  if (d.cls == Class::infinity) return ResultClass::infinity;
  if (d.is_zero()) return ResultClass::zero;
  const bool whole = format.is_integer() || d.quantum + bit_length(d.magnitude) - 1 >= format.least_exponent();
  return whole ? ResultClass::normal : ResultClass::subnormal;
}

}  // namespace

Number result_number(const Plan& plan, Code d) { return decode(d, plan.d, Subnormals::keep, plan.datapath.specials); }

Scoreboard::Scoreboard(const Plan& plan, NanRule nan, std::size_t max_failures)
    : plan_(&plan), nan_(nan), max_failures_(max_failures), first_at_(plan.places.size()) {}

bool Scoreboard::is_nan(Code d) const { return result_number(*plan_, d).cls == Class::nan; }

bool Scoreboard::same_d(Code expected, Code got) const {
  return expected == got || (nan_ == NanRule::any && is_nan(expected) && is_nan(got));
}

bool Scoreboard::same_place(const Trace& expected, const Trace& got, int place) const {
  if (expected.same(place, got)) return true;
  // The stored d once more: NaNs that count as equal do so here as well.
  if (plan_->places[static_cast<std::size_t>(place)].stage != Stage::encode) return false;
  return same_d(static_cast<Code>(expected.field(place, "bits")), static_cast<Code>(got.field(place, "bits")));
}

int Scoreboard::first_difference(const Answer& reference, const Answer& device) {
  if (!reference.trace || !device.trace) return no_place;
  int first = no_place;
  std::uint64_t compared = 0;
  for (std::size_t i = 0; i < plan_->places.size(); ++i) {
    if (!filled(reference, i) || !filled(device, i)) continue;
    ++compared;
    const int place = static_cast<int>(i);
    if (first == no_place && !same_place(*reference.trace, *device.trace, place)) first = place;
  }
  summary_.places += compared;
  if (compared != 0) ++summary_.traced;
  return first;
}

Verdict Scoreboard::verdict(const Answer& reference, const Answer& device, int place) const {
  if (!reference.ok()) return Verdict::reference_error;
  if (!device.ok()) return Verdict::device_error;
  if (!same_d(reference.d, device.d)) return Verdict::differs;
  return place == no_place ? Verdict::equal : Verdict::masked;
}

void Scoreboard::count_expected(Code d) {
  const Number expected = result_number(*plan_, d);
  ++summary_.compared;
  if (expected.is_zero()) ++summary_.zeros;
  if (expected.cls == Class::nan) ++summary_.nans;
  if (expected.cls == Class::infinity) ++summary_.infinities;
}

void Scoreboard::count(Verdict verdict, int place) {
  switch (verdict) {
    case Verdict::equal: return;
    case Verdict::differs: ++summary_.differs; break;
    case Verdict::masked: ++summary_.masked; break;
    case Verdict::reference_error: ++summary_.reference_errors; break;
    case Verdict::device_error: ++summary_.device_errors; break;
  }
  if (place != no_place) ++first_at_[static_cast<std::size_t>(place)];
}

Verdict Scoreboard::expect_and_check(const Case& given, const Answer& reference, const Answer& device) {
  const bool comparable = reference.ok() && device.ok();
  if (comparable) count_expected(reference.d);
  const int place = comparable ? first_difference(reference, device) : no_place;
  const Verdict found = verdict(reference, device, place);
  if (found == Verdict::equal) return found;
  Failure failure{found, given, reference, device, place};
  if (waived(failure)) return found;
  count(found, place);
  show(std::move(failure));
  return found;
}

void Scoreboard::show(Failure failure) {
  constexpr std::size_t most_kinds = 1000;  // counted; a device that never says the same twice needs no counts
  const std::string& error = failure.device.error;
  if (failure.verdict == Verdict::device_error && (errors_.size() < most_kinds || errors_.count(error) != 0)) {
    if (++errors_[error] > 1) return;
  }
  if (failures_.size() < max_failures_) failures_.push_back(std::move(failure));
}

void Scoreboard::waive(const std::vector<Waiver>& waivers) {
  for (const Waiver& waiver : waivers) summary_.waivers.push_back({waiver, 0});
}

// Only what differs can be waived: an error is no result.
bool Scoreboard::waived(const Failure& failure) {
  if (failure.verdict != Verdict::differs && failure.verdict != Verdict::masked) return false;
  for (WaiverUse& use : summary_.waivers) {
    if (!covers(use.waiver, failure)) continue;
    ++use.cases;
    return true;
  }
  return false;
}

bool Scoreboard::covers(const Waiver& waiver, const Failure& failure) const {
  const auto is = [&](const std::optional<ResultClass>& wanted, Code d) {
    return !wanted || *wanted == class_of(plan_->d, result_number(*plan_, d));
  };
  if (waiver.masked && *waiver.masked != (failure.verdict == Verdict::masked)) return false;
  if (!is(waiver.expected, failure.reference.d) || !is(waiver.got, failure.device.d)) return false;
  if (waiver.place.empty()) return true;
  return failure.place != no_place &&
         matches(waiver.place, plan_->places[static_cast<std::size_t>(failure.place)].name);
}

void Scoreboard::leave_over(const Case& given) {
  if (summary_.leftovers == 0) summary_.first_leftover = given.number;
  ++summary_.leftovers;
}

void Scoreboard::complain(const std::string& sentence) {
  if (!sentence.empty()) summary_.complaints.push_back(sentence);
}

void Scoreboard::check_all(const std::vector<Case>& cases, const std::vector<Answer>& references,
                           const std::vector<Answer>& answers) {
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i < references.size() && i < answers.size()) {
      expect_and_check(cases[i], references[i], answers[i]);
    } else {
      leave_over(cases[i]);
    }
  }
  for (const auto* list : {&references, &answers}) {
    if (list->size() > cases.size()) summary_.surplus += list->size() - cases.size();
  }
}

Summary Scoreboard::summary() const {
  Summary s = summary_;
  for (std::size_t i = 0; i < first_at_.size(); ++i) {
    if (first_at_[i] != 0) s.first_places.push_back({static_cast<int>(i), first_at_[i]});
  }
  std::stable_sort(s.first_places.begin(), s.first_places.end(),
                   [](const PlaceCount& x, const PlaceCount& y) { return x.count > y.count; });
  for (const auto& [sentence, count] : errors_) {
    if (count > 1) s.repeated.push_back({sentence, count});
  }
  std::stable_sort(s.repeated.begin(), s.repeated.end(),
                   [](const ErrorCount& x, const ErrorCount& y) { return x.count > y.count; });
  return s;
}

}  // namespace assay
