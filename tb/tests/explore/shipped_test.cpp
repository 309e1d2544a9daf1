// The studies of configs/study find what is published, with fewer seeds and without the longest sums.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tb/explore/findings.hpp"
#include "tb/explore/real.hpp"
#include "tb/explore/runner.hpp"
#include "tb/tests/explore/make.hpp"
#include "tb/tests/source_dir.hpp"

namespace assay {
namespace {

class Shipped : public testing::Test {
 protected:
  static std::string file_of(const std::string& name) { return source_dir() + "/configs/study/" + name + ".yaml"; }

  void run(const std::string& name, int seeds) {
    study_ = read_study(file_of(name), test_catalogue());
    EXPECT_EQ(study_.name, name);
    run_for(seeds);
  }

  void run_for(int seeds) {
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

// --- formats ---

const std::vector<std::string> weights{"INT8", "MXINT8", "E4M3", "Binary8p3", "HiF8", "posit8", "NF4", "NVFP4"};
const std::string outliers = "outliers p = 0.001, s = 30";

class ShippedFormats : public Shipped {
 protected:
  double lost(const std::string& format, const std::string& input) const {
    const Measures& m = measures("weights = " + format, input, study_.shapes[0].k);
    EXPECT_LT(m.normwise.mean, 1e-7) << format;  // sums are exact but for the last rounding
    EXPECT_NEAR(m.total.mean, m.quantisation.mean, 1e-6) << format;
    return m.quantisation.mean;
  }

  // Of docs/explore.md.
  std::string table() const {
    std::string text = "| weights | normal | outliers |\n|---|---|---|\n";
    for (const std::string& format : weights)
      text += fmt::format("| {} | {:.2g} % | {:.2g} % |\n", format, 100 * lost(format, "normal"),
                          100 * lost(format, outliers));
    return text;
  }
};

TEST_F(ShippedFormats, LoseWhatThePageSays) {
  run("formats", 10);
  EXPECT_EQ(study_.seeds, 10);
  const std::string file = source_dir() + "/docs/explore.md", begin = "<!-- written by tb/tests/explore: FORMATS -->\n";
  std::string page = text_of_file(file);
  const std::size_t from = page.find(begin), first = from + begin.size(), last = page.find("<!-- end -->\n", first);
  ASSERT_TRUE(from != std::string::npos && last != std::string::npos);
  if (std::getenv("ASSAY_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(file) << page.replace(first, last - first, table());
  } else {
    EXPECT_EQ(page.substr(first, last - first), table())
        << "ASSAY_UPDATE_GOLDEN=1 scripts/test -R ShippedFormats writes it anew.";
  }
  EXPECT_EQ(result_.axes[0].values, weights);
  // Steps of one size serve values of one size, and blocks of 32 do not pay for a large one elsewhere.
  EXPECT_LT(3 * lost("INT8", "normal"), lost("posit8", "normal"));
  EXPECT_LT(3 * lost("MXINT8", outliers), lost("INT8", outliers));
  EXPECT_LT(lost("HiF8", outliers), lost("INT8", outliers));
  for (const char* const half : {"NF4", "NVFP4"}) EXPECT_GT(lost(half, "normal"), 1.5 * lost("Binary8p3", "normal"));
}

std::string little(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

// 16 x 1024 f32 of ones, and weights of three sizes: every fourth row of B is 64 times as large as the one before it.
std::string network() {
  const auto code = [](double x) { return little(saturated(number_of(x), *find_format("f32")), 4); };
  std::string data;
  for (int i = 0; i < 16 * 1024; ++i) data += code(1);
  for (int i = 0; i < 16 * 1024; ++i) data += code((i % 7 - 2.5) * (i / 1024 % 4 == 3 ? 0.64 : 0.01));
  const std::string header =
      R"({"x":{"dtype":"F32","shape":[16,1024],"data_offsets":[0,65536]},"w":{"dtype":"F32","shape":[16,1024],)"
      R"("data_offsets":[65536,131072]}})";
  return little(header.size(), 8) + header + data;
}

// As docs/explore.md says: the study with other inputs.
TEST_F(ShippedFormats, TakeATensorOfOnesOwn) {
  scratch_.file("layer.safetensors", network());
  const std::string text = text_of_file(file_of("formats")), inputs = "inputs:\n",
                    shapes = "shapes:", expect = "expect:";
  const std::string own = text.substr(0, text.find(inputs)) +
                          "inputs:\n  - tensor: {file: layer.safetensors, a: x, b: w, b_transposed: true}\n" +
                          text.substr(text.find(shapes), text.find(expect) - text.find(shapes));
  study_ = read_study(scratch_.file("mine.yaml", own), test_catalogue());
  run_for(2);
  // 0.01 x (-2.5, -1.5, .. 3.5), of columns with scales of their own: 3.5 is brought to 127, 0.5 to 18.14, ..
  EXPECT_LT(lost("INT8", "tensor layer.safetensors"), 0.01);
  EXPECT_GT(lost("NF4", "tensor layer.safetensors"), lost("INT8", "tensor layer.safetensors"));
}

TEST(ShippedStudies, AreAllTestedHere) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(source_dir() + "/configs/study"))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"area", "floor_drift", "flushed", "formats", "fp8_window", "knee",
                                             "output_format", "promotion", "width"}));
}

}  // namespace
}  // namespace assay
