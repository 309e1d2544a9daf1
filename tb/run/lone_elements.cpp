#include "tb/run/lone_elements.hpp"

#include <algorithm>

#include "model/core/values.hpp"

namespace assay {
namespace {

constexpr std::size_t most_failing = 16;  // cases that are looked at
constexpr std::size_t most_elements = 2;
constexpr int places_to_move = 3;
constexpr std::uint64_t most_alone = 600;  // cases with these elements and c alone

class Lone {
 public:
  Lone(const Plan& plan, const Nearest::Same& same, const AskBeside& ask) : plan_(plan), same_(same), ask_(ask) {}

  std::optional<LoneElements> find(const std::vector<Case>& failing) {
    keep_failing(failing);
    if (failing_.size() < conclusive_failures) return std::nullopt;
    zero_.assign(static_cast<std::size_t>(plan_.k), true);
    if (!all_right(zero_) || !free(0, plan_.k)) return std::nullopt;
    LoneElements found;
    found.elements = elements();
    found.cases = failing_.size();
    if (found.elements.empty() || 2 * found.elements.size() > static_cast<std::size_t>(plan_.k)) return std::nullopt;
    for (int shift = 1; shift <= places_to_move; ++shift) {
      if (!passes_elsewhere(found, shift)) return std::nullopt;
    }
    return found.moved < conclusive_failures ? std::nullopt : std::optional(found);
  }

  void explain(LoneElements& found, const std::function<Case(std::uint64_t)>& fresh, std::uint64_t cases) {
    std::vector<Case> alone;
    for (std::uint64_t i = 0; i < std::min(cases, most_alone); ++i) {
      alone.push_back(fresh(i));
      for (int e = 0; e < plan_.k; ++e) {
        if (std::find(found.elements.begin(), found.elements.end(), e) == found.elements.end()) clear(alone.back(), e);
      }
    }
    const std::vector<BesideAnswer> answers = ask_(alone);
    Nearest nearest(plan_, same_);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (!answers[i].answered) continue;
      nearest.see(alone[i], answers[i].d, answers[i].right);
      ++found.alone;
    }
    found.failed_alone = nearest.failures();
    if (nearest.failures() < conclusive_failures || nearest.failures() != nearest.failures_seen()) return;
    const NearbyChanges changes = nearest.find();
    if (!changes.whole()) return;
    found.changes.push_back(changes.agree.front().change);
    found.changes.insert(found.changes.end(), changes.as_well.begin(), changes.as_well.end());
  }

 private:
  void clear(Case& c, int i) const {
    c.a[static_cast<std::size_t>(i)] = zero_code(plan_.a);
    c.b[static_cast<std::size_t>(i)] = zero_code(plan_.b);
  }

  void move(Case& c, int from, int to) const {
    const auto at = static_cast<std::size_t>(from), there = static_cast<std::size_t>(to);
    c.a[there] = c.a[at];
    c.b[there] = c.b[at];
    clear(c, from);
  }

  // Those of the cases that fail still.
  void keep_failing(const std::vector<Case>& failing) {
    std::vector<Case> some;
    const std::size_t count = std::min(most_failing, failing.size());
    for (std::size_t i = 0; i < count; ++i) some.push_back(failing[i * failing.size() / count]);
    const std::vector<BesideAnswer> answers = ask_(some);
    for (std::size_t i = 0; i < answers.size(); ++i) {
      if (answers[i].answered && !answers[i].right) failing_.push_back(some[i]);
    }
  }

  bool all_right(const std::vector<bool>& zero) {
    std::vector<Case> cases = failing_;
    for (Case& c : cases) {
      for (int e = 0; e < plan_.k; ++e) {
        if (zero[static_cast<std::size_t>(e)]) clear(c, e);
      }
    }
    const std::vector<BesideAnswer> answers = ask_(cases);
    return std::all_of(answers.begin(), answers.end(), [](const BesideAnswer& a) { return a.answered && a.right; });
  }

  // Elements that need not be zero, a run of them at once; false where too many need to be.
  bool free(int first, int end) {
    std::vector<bool> fewer = zero_;
    std::fill(fewer.begin() + first, fewer.begin() + end, false);
    if (all_right(fewer)) {
      zero_ = fewer;
      return true;
    }
    if (end - first == 1) return ++needed_ <= most_elements;
    const int middle = first + (end - first) / 2;
    return free(first, middle) && free(middle, end);
  }

  std::vector<int> elements() const {
    std::vector<int> list;
    for (int e = 0; e < plan_.k; ++e) {
      if (zero_[static_cast<std::size_t>(e)]) list.push_back(e);
    }
    return list;
  }

  // Their operands in other places; scales of blocks stay what they are.
  std::optional<std::vector<int>> places(const std::vector<int>& from, int shift) const {
    const int block = plan_.scales > 0 ? plan_.k / plan_.scales : plan_.k;
    std::vector<int> to;
    for (const int e : from) {
      int place = e, left = shift;
      for (int tried = 1; tried < block && left > 0; ++tried) {
        const int next = e / block * block + (e + tried) % block;
        if (next >= plan_.k || zero_[static_cast<std::size_t>(next)] ||
            std::find(to.begin(), to.end(), next) != to.end())
          continue;
        place = next;
        --left;
      }
      if (left > 0) return std::nullopt;
      to.push_back(place);
    }
    return to;
  }

  // A word that means all elements fails there as it did here. Whether it would show: with what stood there gone, the
  // case has to fail as it is.
  bool passes_elsewhere(LoneElements& found, int shift) {
    const auto to = places(found.elements, shift);
    if (!to) return true;
    std::vector<Case> here = failing_, there = failing_;
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      for (const int e : *to) clear(here[i], e);
      for (std::size_t e = 0; e < to->size(); ++e) move(there[i], found.elements[e], (*to)[e]);
    }
    const std::vector<BesideAnswer> as_it_is = ask_(here), elsewhere = ask_(there);
    for (std::size_t i = 0; i < failing_.size(); ++i) {
      if (!elsewhere[i].answered || !elsewhere[i].right) return false;
      found.moved += as_it_is[i].answered && !as_it_is[i].right ? 1 : 0;
    }
    return true;
  }

  const Plan& plan_;
  const Nearest::Same& same_;
  const AskBeside& ask_;
  std::vector<Case> failing_;
  std::vector<bool> zero_;
  std::size_t needed_ = 0;
};

}  // namespace

std::optional<LoneElements> lone_elements(const Plan& plan, const Nearest::Same& same, const std::vector<Case>& failing,
                                          const std::function<Case(std::uint64_t)>& fresh, std::uint64_t fresh_cases,
                                          const AskBeside& ask) {
  if (!plan.more.empty() || !plan.a.has_zero || !plan.b.has_zero) return std::nullopt;
  Lone lone(plan, same, ask);
  std::optional<LoneElements> found = lone.find(failing);
  if (found) lone.explain(*found, fresh, fresh_cases);
  return found;
}

}  // namespace assay
