#include "tb/tests/guarantee/second_route.hpp"

#include <set>

#include "model/config/digest.hpp"
#include "model/core/result_words.hpp"
#include "tb/generate/random.hpp"
#include "tb/guarantee/chain.hpp"
#include "tb/guarantee/directed.hpp"
#include "tb/guarantee/property_argument.hpp"
#include "tb/subject/command_line.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay::guarantee {
namespace {

// One property at a time: what two share in a search is worked out anew here.
class Trier {
 public:
  Trier(const std::string& unit, const Plan& plan, const Claim& claim, SecondRoute& route)
      : unit_(unit), plan_(plan), route_(route) {
    for (const Property& property : properties()) {
      auto trial = std::make_unique<PropertyTrial>(plan, property);
      const std::string why = claim(plan, property);
      if (!trial->idle().empty() || why.empty()) continue;
      held_.push_back({std::move(trial), why, false});
      ++route.held;
    }
  }

  bool any() const { return !held_.empty(); }

  void try_case(const Case& one, std::uint64_t number) {
    CaseFacts facts(plan_, one);
    for (Held& held : held_) {
      if (held.contradicted) continue;
      const bool chooses = held.trial->listed_choices() != 1;
      for (const std::uint64_t choice : {std::uint64_t{0}, number + 1}) {
        if (choice == 0 || chooses) seen(held, held.trial->holds(facts, {choice, false}), one, {choice, false});
      }
    }
  }

  void try_all() {
    for (Held& held : held_) {
      std::uint64_t tried = 0;
      const std::optional<FailingTrial> failing = failing_of_all(*held.trial, tried);
      route_.tried += tried;
      if (failing) seen(held, false, failing->one, failing->choice);
    }
  }
  bool all_fit(std::uint64_t most) const {
    for (const Held& held : held_) {
      if (!size_of_all(*held.trial, most)) return false;
    }
    return true;
  }

 private:
  struct Held {
    std::unique_ptr<PropertyTrial> trial;
    std::string why;
    bool contradicted;
  };

  void seen(Held& held, std::optional<bool> holds, const Case& one, TrialChoice choice) {
    if (!holds) return;
    ++route_.tried;
    if (*holds || held.contradicted) return;
    held.contradicted = true;
    const FailingTrial small = made_small(*held.trial, {one, choice});
    const PropertyPair pair = held.trial->pair(small.one, small.choice);
    std::string text = unit_ + ": " + held.trial->property().name + " is said to hold (" + held.why + "), but " +
                       operand_options(plan_, pair.first) + " gives another d than it allows";
    if (pair.second) text += " beside " + operand_options(plan_, *pair.second);
    route_.contradictions.push_back(text + "\n" + datapath_text(plan_.datapath, plan_.k));
  }

  const std::string& unit_;
  const Plan& plan_;
  SecondRoute& route_;
  std::vector<Held> held_;
};

std::optional<Plan> planned(const OwnDatapath& own) {
  auto made = plan(own.words, own.k);
  if (auto* p = std::get_if<Plan>(&made); p != nullptr && is_plain(*p) && !p->takes_more()) return std::move(*p);
  return std::nullopt;
}

// A format of so few bits that all its codes can be tried.
std::string small_format(Draws& draws, bool narrower) {
  static const std::vector<std::string> names{"e2m1", "e3m2", "e2m3", "e4m3", "e5m2"};
  return names[draws.below(narrower ? 3 : names.size())];
}

}  // namespace

std::string by_argument(const Plan& plan, const Property& property) { return std::string(argument(plan, property)); }

void try_what_holds(const std::string& unit, const Plan& plan, const Tries& tries, SecondRoute& route,
                    const Claim& claim) {
  Trier trier(unit, plan, claim, route);
  if (!trier.any()) return;
  if (tries.all > 0 && trier.all_fit(tries.all)) return trier.try_all();
  const DirectedCases directed(plan, tries.seed);
  for (std::uint64_t number = 0; number < tries.cases; ++number)
    trier.try_case(number % 4 == 3 ? corner_case(plan, number + tries.seed) : directed.make(number), number);
}

std::vector<std::pair<std::string, Plan>> distinct_instructions() {
  const Catalogue catalogue = shipped_catalogue();
  std::vector<std::pair<std::string, Plan>> list;
  std::set<std::string> seen;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& i : architecture.instructions) {
      Plan plan = catalogue.plan_of(i);
      if (seen.insert(datapath_sha256(plan)).second) list.emplace_back(i.full_name(), std::move(plan));
    }
  }
  return list;
}

std::optional<Plan> random_plan(std::uint64_t number) {
  const Domain domain = number % 4 == 0 ? Domain::usual : Domain::farther;
  for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
    auto p = planned(random_datapath(number, attempt, domain));
    if (p && unspoken(*p).empty()) return p;
  }
  return std::nullopt;
}

std::optional<Plan> random_small_plan(std::uint64_t number) {
  for (std::uint64_t attempt = 0; attempt < 400; ++attempt) {
    OwnDatapath own = random_datapath(number, attempt, Domain::farther);
    Draws draws(number, attempt, Part::choice, 7);
    own.k = draws.between(1, 2);
    own.words.operands.a = small_format(draws, own.k > 1);
    own.words.operands.b = draws.coin() ? own.words.operands.a : small_format(draws, own.k > 1);
    if (own.k > 1) own.words.operands.a = own.words.operands.b = "e2m1";
    own.words.operands.c = small_format(draws, true);
    own.words.operands.d = draws.coin() ? own.words.operands.c : small_format(draws, false);
    own.words.operands.scale.clear();
    own.words.operands.scale_block = 0;
    own.words.product.times_scales = false;
    for (auto* list : {&own.words.adders, &own.words.finish}) {
      for (Adder& adder : *list) {
        adder.times_scales = false;
        for (Result& result : adder.results) {
          if (result.at == ResultAt::format) result.format = draws.below(3) == 0 ? "f16" : "d";
        }
      }
    }
    auto& last = own.words.finish.empty() ? own.words.adders : own.words.finish;
    if (!last.empty() && !last.back().results.empty()) last.back().results.back().format = "d";
    auto p = planned(own);
    if (p && unspoken(*p).empty()) return p;
  }
  return std::nullopt;
}

}  // namespace assay::guarantee
