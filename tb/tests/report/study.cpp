#include "tb/tests/report/study.hpp"

#include <cmath>

namespace assay {
namespace {

constexpr int least_f = 8, greatest_f = 35;

Estimate about(double mean) { return {mean, mean - 0.1 * std::abs(mean), mean + 0.1 * std::abs(mean)}; }

// Smooth curves of the right look: errors halve with each bit of F until the output's own rounding is all there is.
Measures measures(double f, bool down, int input, int k) {
  Measures m;
  const double cut = std::exp2(-f) * std::sqrt(k) * (down ? 3 : 1) * (1 + input), rounding = std::exp2(-25);
  m.normwise = about(cut + rounding);
  m.quantisation = about(input == 3 ? 0 : 0.02 * (1 + input));
  m.total = about(0.02 * (1 + input) + cut + rounding);
  m.elementwise = about(0.6 * (cut + rounding));
  m.greatest = about(40 * (cut + rounding));
  m.sqnr_db = about(-20 * std::log10(cut + rounding));
  const double ulps = std::exp2(24 - f);
  m.bias_ulps = about(down ? -0.5 * ulps : 0.02 * (input - 2) * ulps);
  m.shrink_ulps = about(-0.25 * ulps);
  m.correct = about(0.9 / (1 + ulps));
  m.swamped = about(0.3 / (1 + std::exp2(f - 12)));
  m.results = 81920;
  m.special = input == 4 ? 3 : 0;
  for (int bin = -histogram_zero; bin <= histogram_zero; ++bin) {
    const double share = std::exp2(-std::abs(bin) / (1 + ulps / 64));
    m.histogram[static_cast<std::size_t>(histogram_zero + bin)] = static_cast<std::uint64_t>(40000 * share);
  }
  return m;
}

void add_rows(StudyResult& study, int point, double f, bool down) {
  for (int input = 0; input < static_cast<int>(study.inputs.size()); ++input) {
    for (int shape = 0; shape < static_cast<int>(study.shapes.size()); ++shape) {
      study.rows.push_back(
          {point, input, shape, measures(f, down, input, study.shapes[static_cast<std::size_t>(shape)].k)});
    }
  }
}

}  // namespace

StudyResult made_up_study() {
  StudyResult study;
  study.name = "made_up";
  study.title = "Width & cut of \"an\" accumulator </script><script>document.title='broken'</script>";
  study.description = "What F costs & brings, for <five> inputs.";
  study.version = "0.1.0";
  study.digest = std::string(64, 'a');
  study.text =
      "study: made_up  # </pre><script>document.title='broken'</script> & <!--\naxes:\n  - {name: F, values: 8..35}\n";
  study.axes = {{"F", {}}, {"cut", {"nearest even", "downwards"}}};
  for (int f = least_f; f <= greatest_f; ++f) study.axes[0].values.push_back(std::to_string(f));
  study.inputs = {"normal", "uniform", "outliers p = 0.001, s = 10", "log-uniform", "gradient <x>"};
  study.shapes = {{64, 64, 1024}, {64, 64, 4096}};
  study.seeds = 20;
  for (int f = least_f; f <= greatest_f; ++f) {
    for (const bool down : {false, true}) {
      StudyPoint point;
      point.name = "F = " + std::to_string(f) + ", cut = " + study.axes[1].values[down ? 1 : 0];
      point.values = {f - least_f, down ? 1 : 0};
      point.path = "fused";
      if (f < 20) {
        point.cost = Cost{1000 + 90 * f, 9000.0 + 800 * f - (down ? 700 : 0), 30 + f, 2 + 0.1 * f};
      } else {
        point.no_cost = "The RTL candidate holds no F above 19.";
      }
      study.points.push_back(point);
      add_rows(study, static_cast<int>(study.points.size()) - 1, f, down);
    }
  }
  for (const double f : {13.0, 25.0}) {
    StudyPoint point;
    point.name = point.reference =
        f == 13 ? "hopper:wgmma.m64nNk32.f32.e4m3.e4m3" : "hopper:wgmma.m64nNk16.f32.f16.f16";
    point.path = "fused";
    point.no_cost = "The RTL candidate holds no F above 19.";
    study.points.push_back(point);
    add_rows(study, static_cast<int>(study.points.size()) - 1, f, true);
  }
  study.findings = {
      {"At K = 4096 & normal inputs, 99.9 % of results equal the correctly rounded one from F = 24 on.", {}, {}},
      {"Bits beyond F = 25 bring nothing: the output's own rounding is larger.", 25.0, 25.0},
      {"The bias of the floor is negative.", -0.25, -0.2503},
      {"Only who asks for all findings reads this one on a screen.", {}, {}},
  };
  return study;
}

}  // namespace assay
