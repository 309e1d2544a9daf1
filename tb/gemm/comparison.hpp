// One matrix product by several instructions: how much they differ, where, and on what; as a text, as JSON and as a
// page.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tb/gemm/smallest.hpp"
#include "tb/scoreboard/difference.hpp"

namespace assay::gemm {

struct GemmSide {
  std::string name, datapath, path;  // path: of model/fast
};

struct Pair {
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
  std::vector<Pair> pairs;
  std::string warning;  // a sentence, where most results are zero or NaN

  bool all_agree() const;
};

// Products and pairs: what there is to do.
std::size_t parts(const GemmProblem& problem);

// `done` hears how many of them are.
GemmComparison compared(const GemmProblem& problem, int threads, const std::function<void(std::size_t)>& done);

std::string as_text(const GemmComparison& found);
nlohmann::json as_json(const GemmComparison& found);
std::string as_page(const GemmComparison& found);  // HTML that needs no network and no script

}  // namespace assay::gemm
