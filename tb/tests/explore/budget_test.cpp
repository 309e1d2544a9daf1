// Budgets of studies: the element's own sum is that of the study, its parts are its error, and a forecast's run is that
// of a study with the word changed.
#include "tb/explore/budget.hpp"

#include <cmath>

#include "tb/explain/numbers.hpp"
#include "tb/explore/budget_output.hpp"
#include "tb/explore/element_errors.hpp"
#include "tb/explore/output.hpp"
#include "tb/explore/real.hpp"
#include "tb/explore/runner.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

// Every way to walk K: instructions that carry c, promotion, runs, both; scales by the unit and by software; an output.
struct WalkOf {
  const char* name;
  const char* words;
};
const WalkOf walks[] = {
    {"plain", "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\n"},
    {"output", "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\noutput: bf16\n"},
    {"promoted", "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\npromote_every: 64\n"},
    {"split", "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\nsplit_k: 4\noutput: f16\n"},
    {"split and promoted", "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\nsplit_k: 2\npromote_every: 32\n"},
    {"fma",
     "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\npromote_every: 32\nscaling: {format: f32, block: 64, applied: "
     "fma}\n"},
    {"multiply, add",
     "operands: {a: e4m3, b: e4m3, c: f32, d: f32}\npromote_every: 64\nscaling: {format: f32, block: 64, applied: "
     "multiply_add}\n"},
    {"f16", "operands: {a: f16, b: f16, c: f32, d: f32}\n"},
};

std::string study_of(const WalkOf& walk, const std::string& datapath = "fused_f13_e133") {
  return "study: own\ntitle: Own\ndatapath: " + datapath + "\nk: 32\n" + walk.words +
         "inputs: [{normal: {c: 1}}, {outliers: {probability: 0.1, deviation: 30}}]\nshapes: {m: 3, n: 2, k: 256}\n";
}

class Budgets : public testing::Test {
 protected:
  Study study(const std::string& text) const { return read_study(scratch_.file("study.yaml", text), test_catalogue()); }

  // With the measures of all rows.
  StudyResult result(const Study& study, const Machines& machines) const {
    static int folder = 0;
    const Samples samples = run_study(study, machines, {scratch_ / ("run" + std::to_string(folder++)), 1, {}});
    StudyResult result = result_of(study, machines, samples, "test");
    result.budgets = budgets_of(study, machines, most_attributed, 2);
    return result;
  }

  StudyResult result(const std::string& text) const {
    const Study read = study(text);
    return result(read, machines_of(read, test_catalogue(), 1000));
  }

  const Scratch scratch_;
};

TEST_F(Budgets, WalkAsTheStudyDoes) {
  for (const WalkOf& walk : walks) {
    const Study read = study(study_of(walk));
    const Machines machines = machines_of(read, test_catalogue(), 1000);
    const Machine& machine = *machines.front();
    const Reals reals =
        reals_of(read.inputs.back(), {1, 1}, read.shapes.front(), machine.operands.b.least_exponent(), nullptr);
    const Workload workload = workload_of(reals, machine.operands);
    const std::vector<Code> codes = walked(machine, workload, 1);
    ElementWalk element(machine, machine.plan, nullptr, workload);
    for (int i = 0; i < 6; ++i) {
      const std::optional<exact::Dyadic> d = element.d(i / 2, i % 2);
      const double wanted = value_of(codes[static_cast<std::size_t>(i)], machine.result);
      ASSERT_EQ(d.has_value(), std::isfinite(wanted)) << walk.name;
      const bool same = !d || sign(*d - explain::exactly(number_of(wanted))) == 0;
      EXPECT_TRUE(same) << walk.name << ", element " << i;
    }
  }
}

// The error of all elements together is the one that the study measures another way, and its parts make it up.
TEST_F(Budgets, AreTheErrorsThatAreMeasured) {
  for (const WalkOf& walk : walks) {
    const StudyResult found = result(study_of(walk));
    ASSERT_EQ(found.budgets.size(), found.rows.size());
    for (const RowBudget& budget : found.budgets) {
      const Row& row = found.rows[static_cast<std::size_t>(budget.row)];
      EXPECT_EQ(budget.elements, 6) << walk.name;
      EXPECT_GT(budget.rms, 0);
      EXPECT_NEAR(budget.rms, row.measures.normwise.mean, 1e-9 * budget.rms) << walk.name;
      double share = 0, mean = 0;
      for (const BudgetLine& line : budget.lines) {
        share += line.share;
        mean += line.mean;
      }
      EXPECT_NEAR(share, 1, 1e-9) << walk.name;
      EXPECT_NEAR(mean, budget.mean, 1e-9 * budget.rms) << walk.name;
    }
  }
}

// The key of a forecast is the path of the word: a study that sets it measures what the forecast's own run did.
TEST_F(Budgets, ForecastsAreRunAsAStudyWouldRunThem) {
  int compared = 0;
  for (const std::string datapath : {"fused_f13_e133", "late_floor_f24_step8"}) {
    const WalkOf walk{"", "operands: {a: f16, b: f16, c: f32, d: f32}\n"};
    for (const RowBudget& budget : result(study_of(walk, datapath)).budgets) {
      for (const BudgetForecast& forecast : budget.forecasts) {
        if (forecast.key.find('*') != std::string::npos) continue;
        const std::string axis =
            "axes: [{name: word, set: \"" + forecast.key + "\", values: [" + forecast.value + "]}]\n";
        const StudyResult changed = result(study_of(walk, datapath) + axis);
        const double found = changed.rows[static_cast<std::size_t>(budget.row)].measures.normwise.mean;
        ASSERT_TRUE(forecast.measured.has_value()) << forecast.refused;
        EXPECT_NEAR(*forecast.measured, found, 1e-9 * budget.rms) << datapath << " " << forecast.key;
        ++compared;
      }
    }
  }
  EXPECT_GE(compared, 8);
}

// Where nothing but the cut of the window errs, the error halves with a bit, and the forecast knows it.
TEST_F(Budgets, AForecastIsNearWhatIsFound) {
  const std::string text =
      "study: own\ntitle: Own\ndatapath: fused_f25\nk: 32\noperands: {a: e4m3, b: e4m3, c: f32, d: f32}\naxes: [{name: "
      "F, "
      "set: [adders.sum.add.product.keep, adders.sum.add.acc.keep], values: [8, 10]}]\ninputs: [uniform]\nshapes: {m: "
      "8, "
      "n: 8, k: 256}\n";
  for (const RowBudget& budget : result(text).budgets) {
    ASSERT_FALSE(budget.forecasts.empty());
    const BudgetForecast& best = budget.forecasts.front();
    EXPECT_NE(best.key.find(".keep"), std::string::npos) << best.key;
    EXPECT_LT(best.predicted, 0.7 * budget.rms);
    EXPECT_NEAR(*best.measured, best.predicted, 0.15 * budget.rms);
  }
}

TEST_F(Budgets, AreTheSameWithAnyThreads) {
  const Study read = study(study_of(walks[0]));
  const Machines machines = machines_of(read, test_catalogue(), 1000);
  StudyResult one = result(read, machines), three = one;
  one.budgets = budgets_of(read, machines, 4, 1);
  three.budgets = budgets_of(read, machines, 4, 3);
  EXPECT_EQ(one.budgets.front().elements, 4);
  EXPECT_EQ(budget_csv(one), budget_csv(three));
  EXPECT_EQ(forecast_csv(one), forecast_csv(three));
  EXPECT_EQ(result_json(one), result_json(three));
  EXPECT_NE(result_json(one).find("\"budgets\""), std::string::npos);
  one.budgets.clear();
  EXPECT_EQ(result_json(one).find("\"budgets\""), std::string::npos);
}

// 448 x 448 x 32 is beyond f16: no element of it is finite.
TEST_F(Budgets, LeaveOutWhatIsNotFinite) {
  const StudyResult found = result(
      "study: own\ntitle: Own\ndatapath: fused_f25_f16\nk: 16\noperands: {a: f16, b: f16, c: f16, d: f16}\ninputs: "
      "[{uniform: {positive: true, times_a: 1000, times_b: 1000}}]\nshapes: {m: 2, n: 2, k: 64}\n");
  EXPECT_EQ(found.budgets.front().elements, 0);
  EXPECT_EQ(found.budgets.front().special, 4);
  EXPECT_TRUE(found.budgets.front().lines.empty());
  EXPECT_FALSE(budget_table(found).empty());
}

TEST_F(Budgets, TextsAreNarrowAndSayWhatIsLeftOut) {
  const StudyResult found = result(substituted(small_study, "10..13", "10..17"));
  const std::string table = budget_table(found);
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_NE(table.find("2 more rows are in budget.csv"), std::string::npos) << table;
  EXPECT_EQ(budget_csv(found).rfind("point,input,m,n,k,elements,special,where,words,mean,rms,share\r\n", 0), 0u);
}

TEST_F(Budgets, TheKeyIsANumberOfElements) {
  EXPECT_EQ(study(small_study + "budget: 64\n").budget, 64);
  EXPECT_EQ(study(small_study).budget, 0);
  for (const char* wrong : {"budget: 0\n", "budget: 5000\n", "budget: yes\n"}) {
    try {
      study(small_study + wrong);
      ADD_FAILURE() << wrong;
    } catch (const Error& e) {
      EXPECT_NE(e.message.find("budget"), std::string::npos) << e.message;
    }
  }
}

}  // namespace
}  // namespace assay
