#include "tb/run/wider.hpp"

#include <algorithm>

#include "tb/fit/misread_elements.hpp"
#include "tb/score/special_faults.hpp"

namespace assay {
namespace {

constexpr std::uint64_t most_datapaths = 20'000;  // in each of three attempts: some seconds

using identify::BoxAnswer;

std::vector<BoxAnswer> answers(const std::vector<Nearest::Result>& first, const std::vector<Nearest::Result>& further) {
  std::vector<BoxAnswer> list;
  for (const auto* results : {&first, &further}) {
    for (const Nearest::Result& r : *results) list.push_back({r.given, r.d});
  }
  return list;
}

// Whether all results are those of `unit`.
template <class Unit>
bool gives_all(const identify::SeenResults& seen, const Nearest::Same& same, const Unit& unit) {
  const auto agrees = [&](const BoxAnswer& a) { return same(unit(a.given), a.d); };
  return std::all_of(seen.wrong.begin(), seen.wrong.end(), agrees) &&
         std::all_of(seen.right.begin(), seen.right.end(), agrees);
}

// Single elements, and rules of special values: of both there is no word.
std::vector<std::string> misread(const Plan& plan, const identify::SeenResults& seen, const Nearest::Same& same) {
  std::vector<std::string> found;
  Registers registers;
  for (const MisreadElement& element : misread_elements(plan)) {
    const auto unit = [&](Case c) {
      element.read(c);
      return dot(plan, c.operand(), registers);
    };
    if (gives_all(seen, same, unit)) found.push_back(element.text);
  }
  for (const SpecialFault& fault : special_faults(plan)) {
    const auto unit = [&](const Case& c) { return result_of(fault, plan, c.operand(), registers); };
    const std::string rule = fault.name.substr(0, fault.name.size() - fault.to.size() - 1);
    if (gives_all(seen, same, unit)) found.push_back(rule + " were " + fault.to + " (it is " + fault.from + ")");
  }
  return found;
}

// One word gives every failure and turns one of a hundred right results, or fewer: that is nearer to what the unit has
// than elements that differ, which a register that stops elsewhere in one step of several looks like.
bool one_word_nearly_fits(const NearbyChanges& found) {
  if (!found.agree.empty() || found.nearly.empty()) return false;
  const NearbyChange& best = found.nearly.front();
  return best.explained == found.failures && 100 * best.broken <= found.right;
}

}  // namespace

WiderExplanation wider(const Plan& plan, const Nearest& nearest, const Nearest::Same& same, const NearbyChanges& found,
                       const WiderSearch& search) {
  WiderExplanation wide;
  if (!found.conclusive()) return wide;
  const identify::SeenResults seen{answers(nearest.wrong(), nearest.further_wrong()),
                                   answers(nearest.right(), nearest.further_right())};
  wide.wrong = seen.wrong.size();
  wide.right = seen.right.size();
  if (search.catalogue != nullptr) wide.claims = identify::other_claims(plan, same, seen, *search.catalogue);
  if (found.whole()) return wide;
  wide.misread = misread(plan, seen, same);
  if (wide.misread.empty() && !one_word_nearly_fits(found)) wide.lone = search.lone();
  if (!wide.misread.empty() || wide.lone) return wide;
  if (const auto words = identify::words_together(plan, same, seen, {most_datapaths, search.threads}))
    wide.together = *words;
  return wide;
}

}  // namespace assay
