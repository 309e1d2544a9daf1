// Bounds hold: for generated and directed cases of the catalogue and of datapaths that nobody built.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <map>

#include "model/config/catalogue.hpp"
#include "tb/generate/generator.hpp"
#include "tb/guarantee/witness.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

using guarantee::Claim;
using guarantee::Measured;
using guarantee::Reference;
using guarantee::Signs;

constexpr std::uint64_t seed = 1;

// How many times as many cases as CI takes.
int effort() {
  const char* times = std::getenv("ASSAY_GUARANTEE_EFFORT");
  return times == nullptr ? 1 : std::max(1, std::atoi(times));
}

struct Claims {
  explicit Claims(const Plan& plan) {
    const guarantee::Chain chain{plan.k, 0, 1};
    for (const Signs signs : {Signs::any, Signs::positive}) {
      for (const Reference reference : {Reference::sum, Reference::greatest})
        all.push_back(guarantee::claim(plan, chain, reference, signs));
    }
  }
  std::vector<Claim> all;
};

std::string text(const Case& c) {
  std::string t;
  const auto list = [&](const char* name, const std::vector<Code>& codes) {
    t += std::string(" --") + name + " ";
    char code[20];
    for (std::size_t i = 0; i < codes.size(); ++i) {
      std::snprintf(code, sizeof code, "%s%llx", i == 0 ? "" : ",", static_cast<unsigned long long>(codes[i]));
      t += code;
    }
  };
  list("a", c.a);
  list("b", c.b);
  list("c", {c.c});
  if (!c.scale_a.empty()) {
    list("scale-a", c.scale_a);
    list("scale-b", c.scale_b);
  }
  return t;
}

struct Counted {
  long cases = 0, finite = 0, compared = 0;
};

// Whether every claim that speaks of the case holds.
::testing::AssertionResult hold(const Plan& plan, const Claims& claims, const Case& one, Registers& registers,
                                Counted& counted) {
  const Measured m = guarantee::measure(plan, one, dot(plan, one.operand(), registers));
  ++counted.cases;
  if (!m.terms_finite) return ::testing::AssertionSuccess();
  ++counted.finite;
  const bool within = guarantee::within(claims.all.front().limits, m);
  if (within && !m.finite)
    return ::testing::AssertionFailure() << "d overflows though S is within the limits:" << text(one);
  if (!m.finite || (!within && guarantee::overflows_unseen(plan))) return ::testing::AssertionSuccess();
  ++counted.compared;
  for (const Claim& claim : claims.all) {
    if (claim.signs == Signs::positive && !m.positive) continue;
    if (!guarantee::holds(claim, m))
      return ::testing::AssertionFailure()
             << "d - exact is " << m.error.get_d() << ", R is " << m.reference(claim.reference).get_d() << ", quotient "
             << (m.error.get_d() / m.reference(claim.reference).get_d()) << "; against "
             << (claim.reference == Reference::sum ? "S" : "2^E") << (claim.signs == Signs::any ? "" : ", positive")
             << "; bound -" << claim.bound.below.amount().relative.get_d() << " R - "
             << claim.bound.below.amount().absolute.get_d() << ", +" << claim.bound.above.amount().relative.get_d()
             << " R + " << claim.bound.above.amount().absolute.get_d() << "; relative alone "
             << guarantee::relative_alone(claim, m) << ";" << text(one);
  }
  return ::testing::AssertionSuccess();
}

Case case_of(const Plan& plan, const Generator& generator, std::uint64_t i) {
  return i % 2 == 0 ? corner_case(plan, i / 2) : generator.make(i / 2);
}

// One plan of each form: what is alike but for the name is taken once.
std::map<std::string, Plan> shipped_plans() {
  const Catalogue catalogue = shipped_catalogue();
  std::map<std::string, Plan> plans;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      Plan plan = catalogue.plan_of(instruction);
      plans.emplace(datapath_text(plan.datapath, plan.k), std::move(plan));
    }
  }
  return plans;
}

TEST(Bound, HoldsForTheCatalogue) {
  Counted counted;
  for (const auto& [text, plan] : shipped_plans()) {
    ASSERT_EQ(guarantee::chain_problem(plan, {plan.k, 0, 1}), "") << text;
    const Claims claims(plan);
    const Generator generator(plan, seed);
    Registers registers;
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(300 * effort()); ++i) {
      const auto held = hold(plan, claims, case_of(plan, generator, i), registers, counted);
      EXPECT_TRUE(held) << text;
      if (!held) break;
    }
  }
  std::printf("%ld cases, %ld finite, %ld compared\n", counted.cases, counted.finite, counted.compared);
  EXPECT_GT(counted.compared, counted.cases / 3);
}

TEST(Witness, AttainsHalfOfEachBound) {
  int n = 0;
  for (const auto& [words, plan] : shipped_plans()) {
    const Claims claims(plan);
    if (const char* only = std::getenv("ONLY"); only && plan.datapath.name.find(only) == std::string::npos) continue;
    if (std::getenv("ONLY")) for (const auto& c : claims.all) { 
      for (const auto* side : {&c.bound.below, &c.bound.above}) for (const auto* shares : {&side->relative, &side->absolute}) for (const auto& [src, sh] : *shares)
        std::printf("   %d%d %s %s cause %d unit %s: %ld -> %s\n", int(c.reference), int(c.signs), src.place.c_str(), guarantee::loss_text(src.loss).c_str(), int(src.cause), src.unit.c_str(), sh.times, guarantee::power_text(sh.amount).c_str());
      for (auto& l : c.limits) std::printf("   limit %s %s\n", l.place.c_str(), guarantee::power_text(l.sum).c_str());
      std::printf("   last place %ld\n", c.last_place.value_or(-9999)); }
    const auto found = guarantee::witnesses(plan, {plan.k, 0, 1}, claims.all);
    std::printf("%-28s k %3d %s %s %s", plan.datapath.name.c_str(), plan.k, plan.a.name.c_str(), plan.c.name.c_str(),
                plan.d.name.c_str());
    for (std::size_t i = 0; i < claims.all.size(); ++i) {
      const auto& c = claims.all[i];
      std::printf(" | %s(%s) %.3f", guarantee::power_text(c.bound.either().relative).c_str(),
                  guarantee::power_text(c.bound.either().absolute).c_str(),
                  found[i] ? found[i]->quotient().get_d() : -1);
    }
    std::printf("\n");
    if (std::getenv("ONLY")) for (auto& f : found) if (f) std::printf("   %s: %s\n", f->built.c_str(), text(f->one).c_str());
    ++n;
  }
}

TEST(Bound, HoldsForRandomDatapaths) {
  Counted counted;
  int failures = 0;
  for (std::uint64_t number = 0; number < static_cast<std::uint64_t>(300 * effort()) && failures < 5; ++number) {
    for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
      const OwnDatapath own = random_datapath(number, attempt, number % 4 == 0 ? Domain::usual : Domain::farther);
      auto made = plan(own.words, own.k);
      const Plan* good = std::get_if<Plan>(&made);
      if (good == nullptr || !guarantee::chain_problem(*good, {good->k, 0, 1}).empty()) continue;
      const Claims claims(*good);
      const Generator generator(*good, seed);
      Registers registers;
      for (std::uint64_t i = 0; i < 200; ++i) {
        const auto held = hold(*good, claims, case_of(*good, generator, i), registers, counted);
        EXPECT_TRUE(held) << "datapath " << number << "\n" << datapath_text(own.words, own.k);
        if (!held) {
          ++failures;
          break;
        }
      }
      break;
    }
  }
  std::printf("%ld cases, %ld finite, %ld compared\n", counted.cases, counted.finite, counted.compared);
  EXPECT_GT(counted.compared, counted.cases / 4);
}

}  // namespace
}  // namespace assay
