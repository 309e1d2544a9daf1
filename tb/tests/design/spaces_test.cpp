// Spaces of configs/design whose points were all run and whose wirings were all synthesised once, by
//
//   assay design configs/design/NAME.yaml --exhaust
//
// What that found stands in spaces/NAME.csv: of each point its error and area (those of promoted.csv, whose wirings are
// the ones of groups, were taken from there). A search with a tenth of the effort is
// given these areas in place of yosys's. One space and seed every day; with ASSAY_FULL all of them on ten seeds.
#include <fmt/format.h>

#include <cstdlib>
#include <map>
#include <sstream>

#include "tb/tests/design/make.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay::design {
namespace {

struct Row {
  double error = 0, area = 0;
};

std::vector<Row> table_of(const std::string& name) {
  std::istringstream in(text_of_file(source_dir() + "/tb/tests/design/spaces/" + name + ".csv"));
  std::vector<Row> rows;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const std::size_t first = line.find(','), second = line.find(',', first + 1);
    rows.push_back({std::stod(line.substr(first + 1)), std::stod(line.substr(second + 1))});
  }
  return rows;
}

// A tenth of the 168 wirings of `coarse` are 16. Areas scatter by 2 % about what any prediction gives: who knew of each
// wiring the areas of all others would find 98.5 % with so few, and more only by luck.
double least_share(const std::string& name) { return name == "coarse" ? 0.98 : 0.99; }

class Spaces : public ::testing::TestWithParam<std::tuple<const char*, int>> {};

TEST_P(Spaces, ATenthFindsNinetyNineOfAHundred) {
  const auto& [name, seed] = GetParam();
  if ((seed != 1 || std::string(name) != "window") && std::getenv("ASSAY_FULL") == nullptr)
    GTEST_SKIP() << "One space and seed are tried every day; ASSAY_FULL=1 tries all of them.";
  Spec spec = read_spec(fmt::format("{}/configs/design/{}.yaml", source_dir(), name), test_catalogue());
  spec.study.seed = seed;
  // A third of the points round what they add, which core alone can: every day they run on less.
  if (std::getenv("ASSAY_FULL") == nullptr) spec.study.shapes = {{8, 8, 512}};
  const Space space = space_of(spec, test_catalogue());
  const std::vector<Row> rows = table_of(name);
  ASSERT_EQ(rows.size(), space.size()) << "the space is another than the table's";
  ASSERT_GE(space.size(), 2000U);
  std::map<std::string, double> areas;
  for (std::size_t i = 0; i < rows.size(); ++i) areas[space.wirings[i]] = rows[i].area;
  const Costs costs = [&](const Machine&, const std::string& wiring) {
    Cost cost;
    cost.area = areas.at(wiring);
    return CostAnswer{cost, ""};
  };
  const Scratch scratch;
  SearchAllowance effort;
  effort.threads = 2;
  Trials trials(spec.study, space.machines, "test", scratch / "run", effort.threads);
  const Searched found = searched(spec, space, {test_catalogue(), costs, scratch / "run", effort, {}}, trials);

  // By the table's errors, which are of all seeds, whatever this search's seed.
  std::vector<FrontSpot> all, kept;
  FrontSpot worst{0, 0, -1};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const FrontSpot spot{rows[i].area, rows[i].error, static_cast<int>(i)};
    all.push_back(spot);
    if (found.points[i].cost && found.points[i].finished) kept.push_back(spot);
    worst.cost = std::max(worst.cost, spot.cost);
    worst.error = std::max(worst.error, spot.error);
  }
  const double share = hypervolume(front_of(kept), worst) / hypervolume(front_of(all), worst);
  RecordProperty("share", fmt::format("{:.4f}", share));
  std::printf("%s, seed %d: %.2f %% of the volume with %.1f %% of the seeds and %zu of %zu wirings\n", name, seed,
              100 * share, 100 * found.trials, found.syntheses, found.wirings);
  EXPECT_GT(share, least_share(name));
  EXPECT_LT(found.trials, 0.11);
  EXPECT_LE(found.syntheses, found.wirings / 10);
}

INSTANTIATE_TEST_SUITE_P(All, Spaces,
                         ::testing::Combine(::testing::Values("window", "groups", "tree", "coarse", "promoted"),
                                            ::testing::Range(1, 11)),
                         [](const auto& info) {
                           return fmt::format("{}_{}", std::get<0>(info.param), std::get<1>(info.param));
                         });

}  // namespace
}  // namespace assay::design
