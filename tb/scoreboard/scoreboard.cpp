#include "tb/scoreboard/scoreboard.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "model/base/text.hpp"
#include "model/core/decode.hpp"

namespace assay {
namespace {

bool filled(const Answer& answer, std::size_t place) {
  return answer.trace.has_value() && place < answer.traced.size() && answer.traced[place] != 0;
}

bool all_filled(const Answer& answer, std::size_t places) {
  return answer.traced.size() == places && std::memchr(answer.traced.data(), 0, places) == nullptr;
}

ResultClass class_of(const Format& format, const Number& d) {
  if (d.cls == Class::nan) return ResultClass::nan;
  if (d.cls == Class::infinity) return ResultClass::infinity;
  if (d.is_zero()) return ResultClass::zero;
  const bool whole = format.is_integer() || leading_exponent(d) >= format.least_exponent();
  return whole ? ResultClass::normal : ResultClass::subnormal;
}

std::string_view without_mark(std::string_view word) {
  while (!word.empty() && std::ispunct(static_cast<unsigned char>(word.back())) != 0) word.remove_suffix(1);
  return word;
}

// Whether a word of a sentence is a code, such as "3f800001,", and no number in decimal: what something gives, what no
// number looks like, and as many digits as d has, unless these count cycles.
bool is_code(const std::vector<std::string>& words, std::size_t i, std::size_t digits_of_d) {
  const std::string_view word = without_mark(words[i]);
  if (word.empty() || word.find_first_not_of("0123456789abcdef") != word.npos) return false;
  if (i > 0 && (words[i - 1] == "gives" || words[i - 1] == "give")) return true;
  if (word.size() < 4) return false;
  const bool counts = i + 1 < words.size() && without_mark(words[i + 1]) == "cycles";
  return word.size() >= 8 || word.find_first_of("abcdef") != word.npos || (word.size() == digits_of_d && !counts);
}

// An error of a device without the codes that it names, so that errors of one kind are counted together.
std::string kind_of_error(const std::string& sentence, std::size_t digits_of_d) {
  const std::vector<std::string> words = split(sentence, ' ');
  std::vector<std::string> kind = words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_code(words, i, digits_of_d)) kind[i] = ".." + words[i].substr(without_mark(words[i]).size());
  }
  return joined(kind, " ");
}

}  // namespace

Number result_number(const Plan& plan, Code d) { return decode(d, plan.d, Subnormals::keep, plan.datapath.specials); }

Unlike unlike(const Plan& plan, Code expected, Code got) {
  const Number x = result_number(plan, expected), y = result_number(plan, got);
  if (x.cls == Class::nan && y.cls == Class::nan) return Unlike::nan_code;
  return x.is_zero() && y.is_zero() ? Unlike::zero_sign : Unlike::number;
}

Scoreboard::Scoreboard(const Plan& plan, NanRule nan, FailuresKept kept)
    : plan_(&plan), nan_(nan), kept_(kept), first_at_(plan.places.size()) {}

bool Scoreboard::is_nan(Code d) const { return result_number(*plan_, d).cls == Class::nan; }

bool Scoreboard::same_d(Code expected, Code got) const {
  return expected == got || (nan_ == NanRule::any && is_nan(expected) && is_nan(got));
}

bool Scoreboard::same_place(const Trace& expected, const Trace& got, int place) const {
  if (expected.same(place, got)) return true;
  // The place of the stored d: NaNs that count as equal in d are equal here too.
  if (plan_->places[static_cast<std::size_t>(place)].stage != Stage::encode) return false;
  return same_d(static_cast<Code>(expected.field(place, "bits")), static_cast<Code>(got.field(place, "bits")));
}

void Scoreboard::compare_places(const Answer& reference, const Answer& device, Judged& found) const {
  if (!reference.trace || !device.trace) return;
  // Most cases: both have everything, and all of it is equal.
  const std::size_t places = plan_->places.size();
  if (reference.trace->same(*device.trace) && all_filled(reference, places) && all_filled(device, places)) {
    found.places += places;
    return;
  }
  for (std::size_t i = 0; i < plan_->places.size(); ++i) {
    if (!filled(reference, i) || !filled(device, i)) continue;
    ++found.places;
    const int place = static_cast<int>(i);
    if (found.place == no_place && !same_place(*reference.trace, *device.trace, place)) found.place = place;
  }
}

// Only what differs can be waived or known: an error is no result.
Scoreboard::Judged Scoreboard::judged(const Case& given, const Answer& reference, const Answer& device) const {
  Judged found;
  if (!reference.ok() || !device.ok()) {
    found.verdict = reference.ok() ? Verdict::device_error : Verdict::reference_error;
    return found;
  }
  compare_places(reference, device, found);
  const bool same = same_d(reference.d, device.d);
  if (same && found.place == no_place) {
    if (!device.other_order.empty() || !reference.other_order.empty()) found.verdict = Verdict::unsteady;
    return found;
  }
  found.verdict = same ? Verdict::masked : Verdict::differs;
  const auto becomes = [&](Verdict verdict, std::size_t which) {
    found.verdict = verdict;
    found.which = which;
    return found;
  };
  if (!same) {
    if (const auto known = known_of(given, reference.d, device.d)) return becomes(Verdict::known, *known);
  }
  if (const auto waiver = waiver_of(reference, device, found)) return becomes(Verdict::waived, *waiver);
  return found;
}

std::optional<std::size_t> Scoreboard::known_of(const Case& given, Code expected, Code got) const {
  for (std::size_t i = 0; i < summary_.known.size(); ++i) {
    const KnownUse& use = summary_.known[i];
    const Code right = use.of_reference ? got : expected, other = use.of_reference ? expected : got;
    if (same_d(use.known.right(given), right) && same_d(use.known.device(given), other)) return i;
  }
  return std::nullopt;
}

void Scoreboard::expect_known(const std::vector<KnownDifference>& of_reference,
                              const std::vector<KnownDifference>& of_device) {
  for (const KnownDifference& known : of_reference) summary_.known.push_back({known, true});
  for (const KnownDifference& known : of_device) summary_.known.push_back({known, false});
}

Verdict Scoreboard::judge(const Case& given, const Answer& reference, const Answer& device) const {
  return judged(given, reference, device).verdict;
}

void Scoreboard::count_expected(Code d) {
  const Number expected = result_number(*plan_, d);
  ++summary_.compared;
  if (expected.is_zero()) ++summary_.zeros;
  if (expected.cls == Class::nan) ++summary_.nans;
  if (expected.cls == Class::infinity) ++summary_.infinities;
}

void Scoreboard::count(const Judged& found, const Answer& reference, const Answer& device) {
  switch (found.verdict) {
    case Verdict::equal: return;
    case Verdict::waived: ++summary_.waivers[found.which].cases; return;
    case Verdict::known: ++summary_.known[found.which].cases; return;
    case Verdict::differs: ++summary_.differs; break;
    case Verdict::masked: ++summary_.masked; break;
    case Verdict::unsteady: ++summary_.unsteady; break;
    case Verdict::reference_error: ++summary_.reference_errors; break;
    case Verdict::device_error: ++summary_.device_errors; break;
  }
  if (found.place != no_place) ++first_at_[static_cast<std::size_t>(found.place)];
  if (found.verdict != Verdict::differs) return;
  switch (unlike(*plan_, reference.d, device.d)) {
    case Unlike::number: break;
    case Unlike::nan_code: ++summary_.nan_codes; break;
    case Unlike::zero_sign: ++summary_.zero_signs; break;
  }
}

Verdict Scoreboard::expect_and_check(const Case& given, const Answer& reference, const Answer& device) {
  const Judged found = judged(given, reference, device);
  if (reference.ok() && device.ok()) count_expected(reference.d);
  summary_.places += found.places;
  if (found.places != 0) ++summary_.traced;
  count(found, reference, device);
  const bool accepted = found.verdict == Verdict::waived || found.verdict == Verdict::known;
  if (found.verdict == Verdict::equal || accepted) return found.verdict;
  group(given.family, found);
  Failure failure{found.verdict, given, reference, device, found.place};
  keep_example(failure);
  show(std::move(failure));
  return found.verdict;
}

void Scoreboard::group(std::string_view family, const Judged& found) {
  ++groups_[{family, found.place, found.place == no_place ? found.verdict : Verdict::differs}];
}

std::string first_difference(const Plan& plan, int place, Verdict verdict) {
  if (place != no_place) return plan.places[static_cast<std::size_t>(place)].name;
  if (verdict == Verdict::unsteady) return "d in another order of cases";
  if (verdict == Verdict::reference_error) return "no expected d";
  return verdict == Verdict::differs ? "d" : "no d";
}

std::vector<FailureGroup> Scoreboard::groups() const {
  std::map<std::string_view, std::uint64_t> of_family;
  std::vector<FailureGroup> groups;
  for (const auto& [what, cases] : groups_) {
    const auto& [family, place, verdict] = what;
    of_family[family] += cases;
    groups.push_back({family, first_difference(*plan_, place, verdict), cases});
  }
  const auto earlier = [&](const FailureGroup& x, const FailureGroup& y) {
    const std::uint64_t of_x = of_family[x.family], of_y = of_family[y.family];
    return of_x != of_y ? of_x > of_y : x.family != y.family ? x.family < y.family : x.cases > y.cases;
  };
  std::stable_sort(groups.begin(), groups.end(), earlier);
  return groups;
}

void Scoreboard::keep_example(const Failure& failure) {
  constexpr std::size_t most_examples = 64;
  const std::pair begins{failure.place, failure.place == no_place ? failure.verdict : Verdict::differs};
  if (examples_.size() < most_examples && examples_.count(begins) == 0) examples_.emplace(begins, failure);
}

std::vector<Failure> Scoreboard::examples() const {
  std::vector<Failure> all;
  for (const auto& [begins, failure] : examples_) all.push_back(failure);
  return all;
}

void Scoreboard::show(Failure failure) {
  constexpr std::size_t most_kinds = 1000;  // counted; a device that never says the same twice needs no counts
  if (failure.verdict == Verdict::device_error) {
    const std::string error = kind_of_error(failure.device.error, static_cast<std::size_t>(plan_->d.hex_digits()));
    if ((errors_.size() < most_kinds || errors_.count(error) != 0) && ++errors_[error] > 1) return;
  }
  if (has_room(failure)) failures_.push_back(std::move(failure));
}

bool Scoreboard::has_room(const Failure& failure) {
  if (failures_.size() >= kept_.most) return false;
  if (kept_.alike >= kept_.most) return true;
  return kept_at_[first_difference(*plan_, failure.place, failure.verdict)]++ < kept_.alike;
}

void Scoreboard::waive(const std::vector<Waiver>& waivers) {
  for (const Waiver& waiver : waivers) summary_.waivers.push_back({waiver, 0});
}

std::optional<std::size_t> Scoreboard::waiver_of(const Answer& reference, const Answer& device,
                                                 const Judged& found) const {
  for (std::size_t i = 0; i < summary_.waivers.size(); ++i) {
    if (covers(summary_.waivers[i].waiver, reference, device, found)) return i;
  }
  return std::nullopt;
}

bool Scoreboard::covers(const Waiver& waiver, const Answer& reference, const Answer& device,
                        const Judged& found) const {
  const auto is = [&](const std::optional<ResultClass>& wanted, Code d) {
    return !wanted || *wanted == class_of(plan_->d, result_number(*plan_, d));
  };
  if (waiver.masked && *waiver.masked != (found.verdict == Verdict::masked)) return false;
  if (!is(waiver.expected, reference.d) || !is(waiver.got, device.d)) return false;
  if (waiver.place.empty()) return true;
  return matches(waiver.place, first_difference(*plan_, found.place, found.verdict));
}

void Scoreboard::leave_over(const Case& given) {
  if (summary_.leftovers == 0) summary_.first_leftover = given.number;
  ++summary_.leftovers;
}

void Scoreboard::complain(const std::string& sentence) {
  if (!sentence.empty()) summary_.complaints.push_back(sentence);
}

std::vector<Verdict> Scoreboard::check_all(const std::vector<Case>& cases, const std::vector<Answer>& references,
                                           const std::vector<Answer>& answers) {
  std::vector<Verdict> verdicts;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (i < references.size() && i < answers.size()) {
      verdicts.push_back(expect_and_check(cases[i], references[i], answers[i]));
    } else {
      leave_over(cases[i]);
    }
  }
  for (const auto* list : {&references, &answers}) {
    if (list->size() > cases.size()) summary_.surplus += list->size() - cases.size();
  }
  return verdicts;
}

Summary Scoreboard::summary() const {
  Summary s = summary_;
  for (std::size_t i = 0; i < first_at_.size(); ++i) {
    if (first_at_[i] != 0) s.first_places.push_back({static_cast<int>(i), first_at_[i]});
  }
  std::stable_sort(s.first_places.begin(), s.first_places.end(),
                   [](const PlaceCount& x, const PlaceCount& y) { return x.count > y.count; });
  s.groups = groups();
  for (const auto& [sentence, count] : errors_) {
    if (count > 1) s.repeated.push_back({sentence, count});
  }
  std::stable_sort(s.repeated.begin(), s.repeated.end(),
                   [](const ErrorCount& x, const ErrorCount& y) { return x.count > y.count; });
  return s;
}

}  // namespace assay
