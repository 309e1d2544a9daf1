// The parts of an error are the error, to the last bit: on every form of the catalogue and on datapaths that nobody
// built.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/datapath_text.hpp"
#include "model/config/digest.hpp"
#include "model/core/plain_sums.hpp"
#include "model/core/result_words.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/explain/numbers.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay::explain {
namespace {

using exact::Dyadic;

constexpr std::uint64_t seed = 1;

struct Tally {
  int cases = 0, attributed = 0, wrong_by_something = 0;  // cases; those with a budget; of these with an error
  int lists = 0, beyond = 0;                              // of a list of values; with a result beyond its format
  int forecasts = 0;                                      // that had to be what is found
  std::map<Cause, int> causes;
};

Case case_of(const Generator& generator, const Plan& plan, int i) {
  const auto number = static_cast<std::uint64_t>(i);
  return i % 3 == 2 ? corner_case(plan, number) : generator.make(number - number / 3);
}

// The adder whose one sum leaves d: what is forecast of its words is what is found. None where it makes several.
const AdderPlan* only_sum(const Plan& plan) {
  const AdderPlan& last = plan.adders.back();
  return plan.lanes * plan.steps == 1 && plan.finish.empty() && last.shape == Shape::flat ? &last : nullptr;
}

// Whether d, or a number that goes into it, is infinite or NaN: the last sum's, and with words that make numbers of
// such, any.
bool passes_special(const Trace& trace, const Plan& plan) {
  const int last = plan.places.first(Region::encode) - 1;
  if (result_beyond(plan) == nullptr) return read_place(trace, last).cls != Class::finite;
  for (int i = 0; i <= last; ++i) {
    const auto& fields = plan.places[static_cast<std::size_t>(i)].fields;
    const bool is_number = std::any_of(fields.begin(), fields.end(), [](const Field& f) { return f.name == "class"; });
    if (is_number && read_place(trace, i).cls != Class::finite) return true;
    if (fields.front().name == "outcome" && trace.field(i, "outcome") != 0) return true;
  }
  for (const SumSite& site : sum_sites(plan)) {
    for (const Number& item : trace.items(site.window)) {
      if (!item.is_finite()) return true;  // a product that was too large
    }
  }
  return false;
}

// Whether the changed datapath goes through such: a NaN that is written as the code of a number is no forecast.
bool passes_special(const Easement& easement, const Case& one, int k) {
  const auto plan = std::make_shared<const Plan>(*eased_plan(easement, k).plan);
  return passes_special(*model_side("eased", plan, one).answer.trace, *plan);
}

void expect_forecasts(const ErrorSources& sources, const Case& one, const Budget& budget, Tally& tally) {
  const AdderPlan* adder = only_sum(sources.plan());
  if (adder == nullptr) return;
  for (const Forecast& forecast : forecasts_of(sources, one, budget)) {
    const Easement& easement = sources.easements()[static_cast<std::size_t>(forecast.easement)];
    if (easement.key.rfind("adders." + adder->name + ".", 0) != 0 || !forecast.measured) continue;
    if (result_beyond(sources.plan()) != nullptr && passes_special(easement, one, sources.plan().k)) continue;
    EXPECT_EQ(sign(forecast.predicted - *forecast.measured), 0)
        << easement.key << ": " << easement.value << " forecast " << decimal(forecast.predicted) << ", found "
        << decimal(*forecast.measured);
    ++tally.forecasts;
  }
}

// Whether there is a budget wherever exact sum and d are finite, and whether it adds up.
void expect_whole(const ErrorSources& sources, const std::shared_ptr<const Plan>& plan, const Case& one, Tally& tally) {
  const Answered side = model_side("model", plan, one);
  const ExactSum exact = exact_sum(*plan, one);
  const std::optional<Dyadic> error = error_of(*plan, exact, side.answer.d);
  const Budget budget = budget_of(sources, one, *side.answer.trace);
  tally.lists += list_in(*plan) != nullptr ? 1 : 0;
  tally.beyond += result_beyond(*plan) != nullptr ? 1 : 0;
  ++tally.cases;
  // A NaN may be written as the code of a number, and an infinity may become one on the way.
  const bool special = passes_special(*side.answer.trace, *plan);
  ASSERT_EQ(error.has_value() && !special, budget.none.empty()) << budget.none;
  if (!budget.none.empty()) return;
  ++tally.attributed;
  tally.wrong_by_something += sign(*error) != 0 ? 1 : 0;
  expect_forecasts(sources, one, budget, tally);
  const Dyadic left = *error - sum_of(budget.parts.parts);
  EXPECT_EQ(sign(left), 0) << "error " << decimal(*error) << ", left over " << decimal(left);
  for (const ErrorPart& part : budget.parts.parts) {
    EXPECT_NE(sign(part.error), 0);
    ASSERT_GE(part.source, 0) << "an error of no named source at place " << part.place;
    ++tally.causes[sources.all()[static_cast<std::size_t>(part.source)].cause];
  }
}

void expect_whole(const Plan& plan, int cases, const std::string& name, Tally& tally) {
  const auto shared = std::make_shared<const Plan>(plan);
  const ErrorSources sources(shared);
  const Generator generator(*shared, seed);
  for (int i = 0; i < cases && !testing::Test::HasFailure(); ++i) {
    SCOPED_TRACE(name + ", case " + std::to_string(i));
    expect_whole(sources, shared, case_of(generator, *shared, i), tally);
  }
}

TEST(Attribution, IsWholeOnEveryFormOfTheCatalogue) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> forms;
  Tally tally;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      if (!forms.insert(datapath_sha256(plan)).second || plan.takes_more() || !adds_whole_products(plan)) continue;
      expect_whole(plan, quick_or_full(24, 2000), instruction.full_name(), tally);
    }
  }
  EXPECT_GT(forms.size(), 150u);
  EXPECT_GT(tally.attributed, tally.cases / 2);
  EXPECT_GT(tally.wrong_by_something, tally.cases / 4);
  EXPECT_GT(tally.forecasts, 100);
}

TEST(Attribution, IsWholeOnRandomDatapaths) {
  Tally tally;
  int planned = 0;
  for (int number = 0; number < quick_or_full(500, 5000); ++number) {
    const Domain domain = number % 2 == 0 ? Domain::usual : Domain::farther;
    for (std::uint64_t attempt = 0; attempt < 200; ++attempt) {
      const OwnDatapath own = random_datapath(static_cast<std::uint64_t>(number), attempt, domain);
      const auto made = plan(own.words, own.k);
      if (!std::holds_alternative<Plan>(made)) continue;
      if (std::get<Plan>(made).takes_more() || !adds_whole_products(std::get<Plan>(made))) continue;
      ++planned;
      expect_whole(std::get<Plan>(made), 12, "datapath " + std::to_string(number) + "\n" + yaml_text(own.words, own.k),
                   tally);
      break;
    }
  }
  EXPECT_EQ(planned, quick_or_full(500, 5000));
  EXPECT_GT(tally.wrong_by_something, tally.cases / 4);
  EXPECT_GT(tally.lists, 300);
  EXPECT_GT(tally.beyond, 300);
  EXPECT_GT(tally.forecasts, 100);
  for (const Cause cause : {Cause::flushed, Cause::cut, Cause::floored, Cause::stepped, Cause::dropped, Cause::sticky,
                            Cause::rounded, Cause::overflowed, Cause::wired})
    EXPECT_GT(tally.causes[cause], 10) << static_cast<int>(cause);
}

}  // namespace
}  // namespace assay::explain
