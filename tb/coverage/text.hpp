// Coverage for people: a table of points, and lists of bins.
#pragma once

#include <string>
#include <vector>

#include "tb/coverage/coverage.hpp"

namespace assay {

std::string coverage_table(const Coverage& coverage);
std::string open_bins(const Coverage& coverage);          // of each point
std::vector<std::string> open_names(const Point& point);  // those alike but for an index as one: "product[0..3,7] by 7"
std::string unreachable_bins(const Coverage& coverage);   // each reason once, with its bins
std::string all_bins(const Coverage& coverage);           // with their counts

}  // namespace assay
