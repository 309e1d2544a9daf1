#include "tb/campaign/comparison_sum.hpp"

#include <algorithm>

#include "tb/generate/families.hpp"
#include "tb/scoreboard/report.hpp"

namespace assay::campaign {
namespace {

using nlohmann::json;

constexpr std::size_t most_kinds = 1000;  // of failures, and of sentences, that are told apart

// The numbers of a summary that add up, in the order in which a record has them.
constexpr std::uint64_t Summary::*numbers[] = {
    &Summary::compared,   &Summary::differs,    &Summary::masked,           &Summary::nan_codes,
    &Summary::zero_signs, &Summary::unsteady,   &Summary::reference_errors, &Summary::device_errors,
    &Summary::unrecorded, &Summary::leftovers,  &Summary::surplus,          &Summary::zeros,
    &Summary::nans,       &Summary::infinities, &Summary::traced,           &Summary::places};

template <class Key, class Value>
void keep_first(std::map<Key, Value>& all, std::size_t most) {
  while (all.size() > most) all.erase(std::prev(all.end()));
}

void add_each(std::vector<std::uint64_t>& into, const std::vector<std::uint64_t>& from) {
  into.resize(std::max(into.size(), from.size()));
  for (std::size_t i = 0; i < from.size(); ++i) into[i] += from[i];
}

template <class Uses>
std::vector<std::uint64_t> cases_of(const Uses& uses) {
  std::vector<std::uint64_t> cases;
  for (const auto& use : uses) cases.push_back(use.cases);
  return cases;
}

std::string_view family_called(const std::string& name) {
  for (const Family& family : families()) {
    if (family.name == name) return family.name;
  }
  return {};
}

int place_called(const Plan& plan, const std::string& name) {
  for (std::size_t i = 0; i < plan.places.size(); ++i) {
    if (plan.places[i].name == name) return static_cast<int>(i);
  }
  return no_place;
}

json json_of(const AlikeKey& key, const AlikeFailures& alike) {
  json kept = json::array();
  for (const auto& [number, failure] : alike.kept) kept.push_back({number, failure.text, failure.again});
  return {{"first", key.first}, {"changes", key.changes}, {"cases", alike.cases},
          {"kept", kept},       {"block", alike.block},   {"explanation", alike.explanation}};
}

AlikeFailures alike_in(const json& entry) {
  AlikeFailures alike;
  alike.cases = entry.at("cases").get<std::uint64_t>();
  for (const json& failure : entry.at("kept"))
    alike.kept[failure.at(0).get<std::uint64_t>()] = {failure.at(1).get<std::string>(),
                                                      failure.at(2).get<std::string>()};
  alike.block = entry.at("block").get<std::uint64_t>();
  alike.explanation = entry.at("explanation").get<std::vector<std::string>>();
  return alike;
}

// As the scoreboard orders them: the family with most failures first, and of each the most frequent place.
void sort_groups(std::vector<FailureGroup>& groups) {
  std::map<std::string_view, std::uint64_t> of_family;
  for (const FailureGroup& group : groups) of_family[group.family] += group.cases;
  std::stable_sort(groups.begin(), groups.end(), [&](const FailureGroup& x, const FailureGroup& y) {
    const std::uint64_t of_x = of_family[x.family], of_y = of_family[y.family];
    return of_x != of_y ? of_x > of_y : x.family != y.family ? x.family < y.family : x.cases > y.cases;
  });
}

}  // namespace

void AlikeFailures::add(const AlikeFailures& other) {
  if (cases == 0 || other.block < block) {
    block = other.block;
    explanation = other.explanation;
  }
  cases += other.cases;
  kept.insert(other.kept.begin(), other.kept.end());
  keep_first(kept, most_alike);
}

void ComparisonSum::add(const Comparison& found, std::uint64_t block) {
  const Summary s = found.scoreboard.summary();
  ComparisonSum one;
  static_assert(std::size(numbers) == counts_, "a summary has other numbers");
  for (std::size_t i = 0; i < counts_; ++i) one.count_[i] = s.*numbers[i];
  if (s.leftovers != 0) one.first_leftover_ = s.first_leftover;
  for (const PlaceCount& at : s.first_places)
    one.first_places_[found.scoreboard.plan().places[static_cast<std::size_t>(at.place)].name] = at.count;
  for (const ErrorCount& error : s.repeated) one.repeated_[error.sentence] = error.count;
  for (const FailureGroup& group : s.groups) one.groups_[{std::string(group.family), group.first}] += group.cases;
  one.complaints_.insert(s.complaints.begin(), s.complaints.end());
  one.waived_ = cases_of(s.waivers);
  one.known_ = cases_of(s.known);
  one.add_alike(found, s, block);
  add(one);
}

// What is counted by its place stands in the groups; what is shown of it among the failures that were kept.
void ComparisonSum::add_alike(const Comparison& found, const Summary& summary, std::uint64_t block) {
  for (const FailureGroup& group : summary.groups) {
    AlikeFailures& alike = alike_[{group.first, found.changes}];
    alike.cases += group.cases;
    alike.block = block;
    alike.explanation = found.explanation;
  }
  const Plan& plan = found.scoreboard.plan();
  for (const Failure& failure : found.scoreboard.failures()) {
    AlikeFailures& alike = alike_[{first_difference(plan, failure.place, failure.verdict), found.changes}];
    alike.kept[failure.given.number] = {failure_text(plan, failure), found.repro(failure.given)};
    keep_first(alike.kept, most_alike);
  }
}

void ComparisonSum::add(const ComparisonSum& other) {
  for (std::size_t i = 0; i < counts_; ++i) count_[i] += other.count_[i];
  first_leftover_ = std::min(first_leftover_, other.first_leftover_);
  for (const auto& [place, count] : other.first_places_) first_places_[place] += count;
  for (const auto& [sentence, count] : other.repeated_) repeated_[sentence] += count;
  for (const auto& [group, count] : other.groups_) groups_[group] += count;
  complaints_.insert(other.complaints_.begin(), other.complaints_.end());
  add_each(waived_, other.waived_);
  add_each(known_, other.known_);
  for (const auto& [key, alike] : other.alike_) alike_[key].add(alike);
  leave_out();
}

// Those that come first in the alphabet are kept, which is the same choice in whatever order they came.
void ComparisonSum::leave_out() {
  keep_first(alike_, most_kinds);
  keep_first(repeated_, most_kinds);
  while (complaints_.size() > most_kinds) complaints_.erase(std::prev(complaints_.end()));
}

json ComparisonSum::record() const {
  json groups = json::array(), alike = json::array();
  for (const auto& [group, count] : groups_) groups.push_back({group.first, group.second, count});
  for (const auto& [key, failures] : alike_) alike.push_back(json_of(key, failures));
  return {{"counts", count_},
          {"first_leftover", first_leftover_},
          {"first_places", first_places_},
          {"repeated", repeated_},
          {"groups", groups},
          {"complaints", complaints_},
          {"waived", waived_},
          {"known", known_},
          {"alike", alike}};
}

void ComparisonSum::add(const json& record) {
  ComparisonSum one;
  const json& counts = record.at("counts");
  for (std::size_t i = 0; i < counts_; ++i) one.count_[i] = counts.at(i).get<std::uint64_t>();
  one.first_leftover_ = record.at("first_leftover").get<std::uint64_t>();
  one.first_places_ = record.at("first_places").get<std::map<std::string, std::uint64_t>>();
  one.repeated_ = record.at("repeated").get<std::map<std::string, std::uint64_t>>();
  for (const json& group : record.at("groups"))
    one.groups_[{group.at(0).get<std::string>(), group.at(1).get<std::string>()}] = group.at(2).get<std::uint64_t>();
  one.complaints_ = record.at("complaints").get<std::set<std::string>>();
  one.waived_ = record.at("waived").get<std::vector<std::uint64_t>>();
  one.known_ = record.at("known").get<std::vector<std::uint64_t>>();
  for (const json& entry : record.at("alike"))
    one.alike_[{entry.at("first").get<std::string>(), entry.at("changes").get<std::string>()}] = alike_in(entry);
  add(one);
}

Summary ComparisonSum::summary(const Plan& plan, Summary empty) const {
  Summary s = std::move(empty);
  count_into(s);
  for (const auto& [sentence, count] : repeated_) s.repeated.push_back({sentence, count});
  std::stable_sort(s.repeated.begin(), s.repeated.end(),
                   [](const auto& x, const auto& y) { return x.count > y.count; });
  for (const auto& [name, count] : first_places_) s.first_places.push_back({place_called(plan, name), count});
  std::sort(s.first_places.begin(), s.first_places.end(), [](const PlaceCount& x, const PlaceCount& y) {
    return x.count != y.count ? x.count > y.count : x.place < y.place;
  });
  for (const auto& [group, count] : groups_) s.groups.push_back({family_called(group.first), group.second, count});
  std::stable_sort(s.groups.begin(), s.groups.end(), [&](const FailureGroup& x, const FailureGroup& y) {
    return place_called(plan, x.first) < place_called(plan, y.first);
  });
  sort_groups(s.groups);
  for (std::size_t i = 0; i < std::min(waived_.size(), s.waivers.size()); ++i) s.waivers[i].cases = waived_[i];
  for (std::size_t i = 0; i < std::min(known_.size(), s.known.size()); ++i) s.known[i].cases = known_[i];
  return s;
}

void ComparisonSum::count_into(Summary& s) const {
  for (std::size_t i = 0; i < counts_; ++i) s.*numbers[i] = count_[i];
  if (s.leftovers != 0) s.first_leftover = first_leftover_;
  s.complaints.assign(complaints_.begin(), complaints_.end());
}

std::uint64_t ComparisonSum::failures() const {
  Summary s;
  count_into(s);
  return s.failures();
}

}  // namespace assay::campaign
