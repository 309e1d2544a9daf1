// A verdict of compare or check as a page: counts, where failures begin on the drawing of the datapath, each failure
// with what was expected and got, and a link that opens it in the explorer below.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tb/run/comparison.hpp"
#include "tb/score/quality.hpp"

namespace assay::browser {

// What the sheet says beside the verdict, a name and a text each: "vectors", "generated: 2,000 cases".
using PageFacts = std::vector<std::pair<std::string, std::string>>;

// The part of a page that one comparison is; of its cases with what was asked of them.
std::string verdict_part(const Comparison& found, const Subject& subject, const CaseQuality& quality,
                         const PageFacts& facts);
// In the place of one that could not be made.
std::string not_compared_part(const std::string& subject, const std::string& message);

// The page of these parts. The explorer is below them where it was built; elsewhere a sentence says so.
std::string verdict_page(const std::string& title, const std::vector<std::string>& parts);

}  // namespace assay::browser
