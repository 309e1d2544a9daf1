// What a unit that failed computes in place of what it claims: words that changed together, or another unit of the
// catalogue. From results that are at hand; nobody is asked.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tb/identify/space.hpp"

namespace assay::identify {

struct SeenResults {
  std::vector<BoxAnswer> wrong, right;
};

// Further words must be told from chance: so many failures for each.
inline constexpr std::size_t failures_a_word = 5;

struct WordsEffort {
  std::uint64_t most_datapaths = 0;  // about, of each attempt
  int threads = 1;                   // what is found does not depend on it
};

// Words of what the unit claims to be that, changed together, give every wrong result and every right one:
// "adders.sum.add.product.keep were 23 (it is 25)". Nothing where none were found.
std::optional<std::vector<std::string>> words_together(const Plan& claimed, const SameCode& same,
                                                       const SeenResults& seen, const WordsEffort& effort);

// The instructions and datapaths of the catalogue with these operands that give every wrong result and every right one.
struct OtherClaims {
  std::vector<std::string> instructions;  // "volta:mma.m8n8k4.f32.f16.f16.f32"
  std::vector<std::string> datapaths;     // others, on these operands: "fused_f23", "fused_f23 in steps of 4"
};
OtherClaims other_claims(const Plan& claimed, const SameCode& same, const SeenResults& seen,
                         const Catalogue& catalogue);

}  // namespace assay::identify
