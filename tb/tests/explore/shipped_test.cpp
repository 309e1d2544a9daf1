// The studies of configs/study find what is published, with fewer seeds and without the longest sums.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tb/explore/findings.hpp"
#include "tb/explore/runner.hpp"
#include "tb/tests/explore/make.hpp"

namespace assay {
namespace {

class Shipped : public testing::Test {
 protected:
  void run(const std::string& name, int seeds) {
    study_ = read_study(std::string(ASSAY_SOURCE_DIR) + "/configs/study/" + name + ".yaml", test_catalogue());
    EXPECT_EQ(study_.name, name);
    study_.seeds = seeds;
    const auto longest = [](const ProductShape& s) { return s.k > 4096; };
    study_.shapes.erase(std::remove_if(study_.shapes.begin(), study_.shapes.end(), longest), study_.shapes.end());
    const Machines machines = machines_of(study_, test_catalogue(), 100);
    result_ = result_of(study_, machines, run_study(study_, machines, {scratch_ / "out", 2, {}}), "");
    findings_ = findings_of(study_, result_);
    EXPECT_EQ(findings_.missed, 0);
    EXPECT_FALSE(findings_.list.empty());
  }

  const Measures& measures(const std::string& point, const std::string& input, int k) const {
    for (const Row& row : result_.rows) {
      if (result_.points[static_cast<std::size_t>(row.point)].name == point &&
          result_.inputs[static_cast<std::size_t>(row.input)] == input &&
          result_.shapes[static_cast<std::size_t>(row.shape)].k == k)
        return row.measures;
    }
    ADD_FAILURE() << "no row of " << point << ", " << input << ", " << k;
    return result_.rows.front().measures;
  }

  double error(const std::string& point, const std::string& input, int k) const {
    return measures(point, input, k).normwise.mean;
  }

  // What was measured beside the one published number.
  double beside_published() const {
    EXPECT_TRUE(findings_.list.front().expected && findings_.list.front().measured);
    return findings_.list.front().measured.value_or(0);
  }

  const Scratch scratch_;
  Study study_;
  StudyResult result_;
  Findings findings_;
};

TEST_F(Shipped, Fp8Window) {
  run("fp8_window", 1);
  EXPECT_GT(error("window = 13 bits", "normal", 4096), 1000 * error("window = 25 bits", "normal", 4096));
  EXPECT_GT(error("window = 13 bits", "normal", 4096), 3 * error("window = 13 bits", "normal", 256));
  EXPECT_GT(measures("window = 13 bits", "normal", 4096).swamped.mean, 0);
}

TEST_F(Shipped, FloorDrift) {
  run("floor_drift", 10);
  const Estimate& floored = measures("cut = down", "large products, small c", 8).bias_ulps;
  const Estimate& cut = measures("cut = toward_zero", "large products, small c", 8).bias_ulps;
  EXPECT_LT(floored.high, -0.05);
  EXPECT_LT(std::abs(cut.mean), 0.02);
  EXPECT_EQ(findings_.list[2].text.find("large products, small c, K = 8: bias_ulps is -0."), 0u);
}

TEST_F(Shipped, Flushed) {
  run("flushed", 2);
  EXPECT_GT(error("subnormals = zero", "gradient", 1024), 1000 * error("subnormals = keep", "gradient", 1024));
  EXPECT_LT(error("subnormals = zero", "gradient x 4096", 1024),
            2 * error("subnormals = keep", "gradient x 4096", 1024));
  EXPECT_NEAR(measures("subnormals = zero", "gradient", 1024).swamped.mean, 0.5, 0.1);
}

TEST_F(Shipped, Promotion) {
  run("promotion", 1);
  ASSERT_TRUE(findings_.list[0].row);  // where a page opens
  const Row& published = result_.rows[static_cast<std::size_t>(*findings_.list[0].row)];
  EXPECT_EQ(result_.inputs[static_cast<std::size_t>(published.input)], "uniform, positive");
  EXPECT_LT(4 * error("promotion = 128", "normal", 4096), error("promotion = none", "normal", 4096));
  EXPECT_LT(error("promotion = 32", "normal", 4096), error("promotion = 128", "normal", 4096));
  EXPECT_NEAR(error("promotion = 128", "normal", 4096) / error("promotion = 128", "normal", 1024), 1, 0.1);
  EXPECT_GT(measures("promotion = none", "uniform, positive", 4096).greatest.mean, 0.02);
  EXPECT_LT(measures("promotion = 128", "uniform, positive", 4096).greatest.mean, 0.001);
}

TEST_F(Shipped, OutputFormat) {
  run("output_format", 1);
  EXPECT_GT(error("accumulator = f16", "normal", 1024), 100 * error("accumulator = f32", "normal", 1024));
}

TEST_F(Shipped, Knee) {
  run("knee", 2);
  EXPECT_NEAR(beside_published(), 13, 1);
}

TEST_F(Shipped, Area) {
  run("area", 1);
  EXPECT_TRUE(study_.cost);
  EXPECT_GT(error("F = 9", "normal", 1024), 3 * error("F = 13", "normal", 1024));
}

TEST_F(Shipped, Width) {
  run("width", 1);
  EXPECT_NEAR(beside_published(), 23, 3);
  EXPECT_EQ(result_.points.size(), 58u);
}

TEST(ShippedStudies, AreAllTestedHere) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(ASSAY_SOURCE_DIR) + "/configs/study"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"area", "floor_drift", "flushed", "fp8_window", "knee", "output_format",
                                             "promotion", "width"}));
}

}  // namespace
}  // namespace assay
