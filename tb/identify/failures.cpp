#include "tb/identify/failures.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "model/core/fields.hpp"
#include "tb/generate/mutations.hpp"
#include "tb/identify/identify.hpp"

namespace assay::identify {
namespace {

constexpr std::size_t most_learnt = 80;  // of each kind before the first climb; the others have to agree as well
constexpr int most_counterexamples = 6;  // climbs, each with one more
constexpr int far_steps = 40;

std::string path_of(const std::string& change) { return change.substr(0, change.find(' ')); }

bool agree(const Plan& plan, const SameCode& same, const std::vector<BoxAnswer>& answers, const BoxAnswer** against) {
  Registers registers;
  for (const BoxAnswer& a : answers) {
    if (same(dot(plan, a.given.operand(), registers), a.d)) continue;
    *against = &a;
    return false;
  }
  return true;
}

// The first result that a plan does not give; nullptr where it gives all.
const BoxAnswer* contradiction(const Plan& plan, const SameCode& same, const SeenResults& seen) {
  const BoxAnswer* against = nullptr;
  if (!agree(plan, same, seen.wrong, &against)) return against;
  return agree(plan, same, seen.right, &against) ? nullptr : against;
}

// How a climb begins: one that ends on a lower hill may not where it begins otherwise.
struct Attempt {
  bool sums_change;  // whether other sums may take the place of the claimed datapath's
  std::size_t from;  // of the results the first that is learnt
};

// Spread over the list.
void learn_some(VersionSpace& space, const std::vector<BoxAnswer>& list, std::size_t from = 0) {
  const std::size_t count = std::min(most_learnt, list.size());
  for (std::size_t i = 0; i < count; ++i) space.learn(list[(i * list.size() / count + from) % list.size()]);
}

// Each word that has a step, and what stands there.
std::map<std::string, std::string> words_of(const Datapath& d, int k) {
  std::map<std::string, std::string> words;
  for (const Mutation& m : mutations(d, k, {1, true})) words.emplace(path_of(m.name), m.from);
  return words;
}

// The results of adders that have more of them, or fewer, than the claimed ones: "adders.sum.result".
std::vector<std::string> recounted_results(const Datapath& claimed, const Datapath& found) {
  std::vector<std::string> paths;
  const auto add = [&](const std::string& list, const std::vector<Adder>& of_claimed, const std::vector<Adder>& all) {
    for (const Adder& adder : all) {
      const auto same = std::find_if(of_claimed.begin(), of_claimed.end(),
                                     [&](const Adder& other) { return other.name == adder.name; });
      if (same != of_claimed.end() && same->results.size() != adder.results.size())
        paths.push_back(list + adder.name + ".result");
    }
  };
  add("adders.", claimed.adders, found.adders);
  add("finish.", claimed.finish, found.finish);
  return paths;
}

bool begins_with_any(const std::string& path, const std::vector<std::string>& of) {
  return std::any_of(of.begin(), of.end(), [&](const std::string& begin) { return path.rfind(begin, 0) == 0; });
}

bool takes_the_same(const Plan& x, const Plan& y) {
  const Operands &of_x = x.datapath.operands, &of_y = y.datapath.operands;
  const auto formats = [](const Operands& o) { return std::tie(o.a, o.b, o.c, o.d, o.scale, o.scale_block); };
  return formats(of_x) == formats(of_y) && are_within(x.more, y.more) && are_within(y.more, x.more);
}

class Together {
 public:
  Together(const Plan& claimed, const SameCode& same, const SeenResults& seen, const WordsEffort& effort,
           const Attempt& attempt)
      : claimed_(claimed), same_(same), seen_(seen), space_(claimed, same) {
    space_.try_at_most(effort.most_datapaths);
    space_.use_threads(effort.threads);
    space_.let_sums_change(attempt.sums_change);
    space_.start_with(claimed.datapath, "");
    learn_some(space_, seen.right, attempt.from);
    learn_some(space_, seen.wrong, attempt.from);
  }

  std::optional<std::vector<std::string>> find() {
    for (int i = 0; i < most_counterexamples && (space_.agrees() || space_.climb()); ++i) {
      const BoxAnswer* against = contradiction(*space_.best().plan, same_, seen_);
      if (against == nullptr) return told(space_.best());
      space_.learn(*against);
    }
    return std::nullopt;
  }

 private:
  // Words that need not have changed are as they were.
  std::shared_ptr<const Plan> nearer(const Plan& plan) const {
    const auto is = words_of(claimed_.datapath, claimed_.k);
    for (const Mutation& m : mutations(plan.datapath, plan.k, {far_steps, true})) {
      const auto at = is.find(path_of(m.name));
      if (at == is.end() || at->second != m.to) continue;
      const auto back = space_.planned(m.changed);
      if (back != nullptr && contradiction(*back, same_, seen_) == nullptr) return back;
    }
    return nullptr;
  }

  std::optional<std::vector<std::string>> told(const DatapathCandidate& found) const {
    std::shared_ptr<const Plan> plan = found.plan;
    while (const auto back = nearer(*plan)) plan = back;
    const auto is = words_of(claimed_.datapath, claimed_.k), were = words_of(plan->datapath, plan->k);
    const std::vector<std::string> recounted = recounted_results(claimed_.datapath, plan->datapath);
    std::vector<std::string> words, paths;
    for (const auto& [path, value] : were) {
      const auto at = is.find(path);
      if (at == is.end() || at->second == value || begins_with_any(path, recounted)) continue;
      paths.push_back(path);
      words.push_back(path + " were " + value + " (it is " + at->second + ")");
    }
    // What has no single word, such as a further result, is told as it was changed.
    for (const std::string& change : found.changes) {
      const std::string path = path_of(change);
      if (std::none_of(paths.begin(), paths.end(), [&](const std::string& p) { return p.rfind(path, 0) == 0; }) &&
          (is.count(path) == 0 || begins_with_any(path, recounted)))
        words.push_back("this were changed: " + change);
    }
    if (words.empty() || seen_.wrong.size() < failures_a_word * words.size()) return std::nullopt;
    return words;
  }

  const Plan& claimed_;
  const SameCode& same_;
  const SeenResults& seen_;
  VersionSpace space_;
};

}  // namespace

std::optional<std::vector<std::string>> words_together(const Plan& claimed, const SameCode& same,
                                                       const SeenResults& seen, const WordsEffort& effort) {
  // Words of the sums that are there are a plainer answer than other sums that come to the same.
  for (const Attempt& attempt : {Attempt{false, 0}, Attempt{false, 1}, Attempt{true, 0}}) {
    if (auto words = Together(claimed, same, seen, effort, attempt).find()) return words;
  }
  return std::nullopt;
}

OtherClaims other_claims(const Plan& claimed, const SameCode& same, const SeenResults& seen,
                         const Catalogue& catalogue) {
  OtherClaims found;
  if (seen.wrong.empty()) return found;
  VersionSpace space(claimed, same);
  learn_some(space, seen.wrong);
  start_from(space, catalogue, {});
  // The same datapath in steps of other sizes is told where it does not agree as it stands.
  std::vector<const Datapath*> told;
  for (const DatapathCandidate& c : space.candidates()) {
    const Datapath& words = c.plan->datapath;
    const auto alike = [&](const Datapath* d) { return assay::same(d->adders, words.adders); };
    if (c.wrong != 0 || std::any_of(told.begin(), told.end(), alike)) continue;
    if (contradiction(*c.plan, same, seen) != nullptr) continue;
    found.datapaths.push_back(c.from);
    told.push_back(&words);
  }
  for (const Architecture& a : catalogue.architectures()) {
    for (const Instruction& i : a.instructions) {
      if (i.k != claimed.k || i.operands.a != claimed.datapath.operands.a) continue;  // reading a plan takes longer
      const Plan plan = catalogue.plan_of(i);
      if (takes_the_same(plan, claimed) && contradiction(plan, same, seen) == nullptr)
        found.instructions.push_back(i.full_name());
    }
  }
  return found;
}

}  // namespace assay::identify
