// What explains failures that no change of a word or two does: more words, other elements, another claim.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tb/identify/failures.hpp"
#include "tb/run/lone_elements.hpp"

namespace assay {

// All of what is said here gives each wrong result that was kept and each right one, but for `lone`, which was asked.
struct WiderExplanation {
  std::size_t wrong = 0, right = 0;  // so many of them
  identify::OtherClaims claims;
  std::vector<std::string> together;  // words that changed, all of them
  std::vector<std::string> misread;   // "elements 0 and 1 of a were exchanged"; each of them alone
  std::optional<LoneElements> lone;
};

struct WiderSearch {
  const Catalogue* catalogue = nullptr;               // where other claims are looked for, if anywhere
  std::function<std::optional<LoneElements>()> lone;  // asks
  int threads = 1;
};

// `found`: what a word or two explain.
WiderExplanation wider(const Plan& plan, const Nearest& nearest, const Nearest::Same& same, const NearbyChanges& found,
                       const WiderSearch& search);

}  // namespace assay
