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

// Each datapath of the catalogue once, those of a shard; `place` counts all of them.
template <class See>
int each_of_catalogue(int shard, See see) {
  const Catalogue catalogue = shipped_catalogue();
  std::set<std::string> seen;
  int place = 0;
  for (const Architecture& architecture : catalogue.architectures()) {
    for (const Instruction& instruction : architecture.instructions) {
      const Plan plan = catalogue.plan_of(instruction);
      if (seen.insert(datapath_sha256(plan)).second && place++ % shards == shard) see(plan, instruction, place);
    }
  }
  return place;
}

TEST_P(Reach, HoldsForEveryDatapathOfTheCatalogue) {
  const int places = each_of_catalogue(GetParam(), [](const Plan& plan, const Instruction& instruction, int) {
    const Coverage c = covered(plan, quick_or_full(2000, 50'000));
    EXPECT_EQ(text(c.contradictions()), "") << instruction.full_name();
    EXPECT_GT(c.hit() * 3, c.reachable()) << instruction.full_name();
  });
  EXPECT_GT(places, 100);
}

// The bins that are open, of all points whose names end so.
std::string open_of(const Coverage& coverage, const std::string& ending) {
  std::string open;
  for (const Point& p : coverage.points) {
    const bool asked = p.name.size() >= ending.size() && p.name.substr(p.name.size() - ending.size()) == ending;
    for (const Bin& b : p.bins) {
      if (asked && b.open()) open += p.name + ": " + b.name + "\n";
    }
  }
  return open;
}

// What the cases of level 1 cover that are of these families, with a seed of its own for each datapath.
Coverage covered_by(const Plan& plan, int place, const std::vector<const char*>& families) {
  Sampler sampler(plan);
  for (const char* name : families) {
    const Family* family = find_family(plan, name);
    if (family == nullptr) continue;
    const Generator generator(plan, 0x9e3779b97f4a7c15 * static_cast<std::uint64_t>(place), family);
    for (std::uint64_t i = 0; i < 5000 / families_for(plan).size(); ++i) sampler.see(generator.make(i));
  }
  return sampler.coverage();
}

TEST_P(Reach, SpecialRulesLeaveNoPairOfOperandsAndNoProductWithCOut) {
  int tried = 0;
  each_of_catalogue(GetParam(), [&](const Plan& plan, const Instruction& instruction, int place) {
    if (find_family(plan, "special_rules") == nullptr) return;
    ++tried;
    const Coverage c = covered_by(plan, place, {"special_rules"});
    EXPECT_EQ(open_of(c, "operands"), "") << instruction.full_name();
    EXPECT_EQ(open_of(c, "products"), "") << instruction.full_name();
  });
  EXPECT_GT(tried, 30);
}

TEST_P(Reach, OneBitTestsLeaveNoBitOfAnOperandOut) {
  int tried = 0;
  each_of_catalogue(GetParam(), [&](const Plan& plan, const Instruction& instruction, int place) {
    const Coverage c = covered_by(plan, place, {"number_tests", "nan_tests"});
    const bool asked =
        std::any_of(c.points.begin(), c.points.end(), [](const Point& p) { return p.name == "a.one_bit"; });
    tried += asked ? 1 : 0;
    EXPECT_EQ(open_of(c, ".one_bit"), "") << instruction.full_name();
  });
  EXPECT_GT(tried, 80);
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
