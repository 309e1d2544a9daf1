// What `assay compare --gemm` found, as a text, as JSON and as a page.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/gemm_smallest.hpp"
#include "tb/scoreboard/difference.hpp"

namespace assay {

struct GemmSide {
  std::string name, datapath, path;  // path: of model/fast
};

struct GemmPair {
  std::size_t one = 0, other = 0;  // of GemmComparison::sides
  Difference difference;
  HeatMap coarse, fine;  // for a terminal, and for a page
  std::optional<SmallestDisagreement> smallest;
};

struct GemmComparison {
  int m = 0, n = 0, k = 0;
  std::string types;     // "f16 x f16 + f32 -> f32"
  std::string operands;  // "family gaussian, seed 1"
  std::vector<GemmSide> sides;
  std::vector<GemmPair> pairs;
  std::string warning;  // a sentence, where most results are zero or NaN

  bool all_agree() const;
};

std::string gemm_text(const GemmComparison& found);
nlohmann::json gemm_json(const GemmComparison& found);
std::string gemm_page(const GemmComparison& found);  // HTML that needs no network and no script

}  // namespace assay
