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

struct Side {
  std::string name, datapath, path;  // path: of model/fast
};

struct Pair {
  std::size_t one = 0, other = 0;  // of Comparison::sides
  Difference difference;
  HeatMap coarse, fine;  // for a terminal, and for a page
  std::optional<SmallestDisagreement> smallest;
};

struct Comparison {
  int m = 0, n = 0, k = 0;
  std::string types;     // "f16 x f16 + f32 -> f32"
  std::string operands;  // "family gaussian, seed 1"
  std::vector<Side> sides;
  std::vector<Pair> pairs;
  std::string warning;  // a sentence, where most results are zero or NaN

  bool all_agree() const;
};

// Products and pairs: what there is to do.
std::size_t parts(const Problem& problem);

// `done` hears how many of them are.
Comparison compared(const Problem& problem, int threads, const std::function<void(std::size_t)>& done);

std::string as_text(const Comparison& found);
nlohmann::json as_json(const Comparison& found);
std::string as_page(const Comparison& found);  // HTML that needs no network and no script

}  // namespace assay::gemm
