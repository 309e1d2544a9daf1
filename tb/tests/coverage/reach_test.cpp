// What is said to be out of reach is never hit: on everything that was built, and on much that nobody built.
#include <gtest/gtest.h>

#include <set>

#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "tb/coverage/sampler.hpp"
#include "tb/generate/generator.hpp"
#include "tb/tests/equality/corner_cases.hpp"
#include "tb/tests/equality/datapath_text.hpp"
#include "tb/tests/equality/effort.hpp"
#include "tb/tests/equality/random_datapath.hpp"

namespace assay {
namespace {

constexpr int shards = 4;

// Three of the generator's cases, then one of the corners.
Case case_of(const Generator& generator, const Plan& plan, std::uint64_t number) {
  return number % 4 == 3 ? corner_case(plan, number / 4) : generator.make(number - number / 4);
}

Coverage covered(const Plan& plan, int cases) {
  const Generator generator(plan, 1);
  Sampler sampler(plan);
  for (int i = 0; i < cases; ++i) sampler.see(case_of(generator, plan, static_cast<std::uint64_t>(i)));
  return sampler.coverage();
}

std::string text(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

class Reach : public testing::TestWithParam<int> {};

TEST_P(Reach, HoldsForEveryDatapathOfTheCatalogue) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  int place = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      if (!seen.insert(datapath_sha256(plan)).second || place++ % shards != GetParam()) continue;
      const Coverage c = covered(plan, quick_or_full(2000, 50'000));
      EXPECT_EQ(text(c.contradictions()), "") << instruction.full_name();
      EXPECT_GT(c.hit() * 3, c.reachable()) << instruction.full_name();
    }
  }
  EXPECT_GT(place, 100);
}

std::string open_of(const Coverage& coverage, const std::string& point) {
  std::string open;
  for (const Point& p : coverage.points) {
    for (const Bin& b : p.bins) {
      if (p.name == point && b.open()) open += b.name + "\n";
    }
  }
  return open;
}

// The cases that the family has in level 1, with a seed of its own for each datapath.
TEST_P(Reach, SpecialRulesLeaveNoPairOfOperandsAndNoProductWithCOut) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  int place = 0, tried = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      if (!seen.insert(datapath_sha256(plan)).second || place++ % shards != GetParam()) continue;
      const Family* rules = find_family(plan, "special_rules");
      if (rules == nullptr) continue;
      ++tried;
      const Generator generator(plan, 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(place), rules);
      Sampler sampler(plan);
      for (std::uint64_t i = 0; i < 180; ++i) sampler.see(generator.make(i));
      const Coverage c = sampler.coverage();
      EXPECT_EQ(open_of(c, "operands"), "") << instruction.full_name();
      EXPECT_EQ(open_of(c, "products"), "") << instruction.full_name();
    }
  }
  EXPECT_GT(tried, 30);
}

TEST_P(Reach, HoldsForDatapathsThatNobodyBuilt) {
  const int each = quick_or_full(500, 20'000) / shards;
  int tried = 0;
  for (int number = GetParam() * each; number < (GetParam() + 1) * each; ++number) {
    for (std::uint64_t attempt = 0; attempt < 100; ++attempt) {
      const OwnDatapath own = random_datapath(static_cast<std::uint64_t>(number), attempt);
      const auto made = plan(own.words, own.k);
      const Plan* good = std::get_if<Plan>(&made);
      if (good == nullptr) continue;
      ++tried;
      EXPECT_EQ(text(covered(*good, 300).contradictions()), "") << "number " << number << "\n"
                                                                << datapath_text(own.words, own.k);
      break;
    }
  }
  EXPECT_EQ(tried, each);
}

INSTANTIATE_TEST_SUITE_P(Shards, Reach, testing::Range(0, shards));

}  // namespace
}  // namespace assay
