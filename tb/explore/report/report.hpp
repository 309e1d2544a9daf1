// What a study found, for people: one HTML file that needs no network, and the same plots as SVG files.
#pragma once

#include <string>
#include <vector>

#include "tb/explore/result.hpp"

namespace assay {

// The same bytes for the same study.
std::string report_html(const StudyResult& study);

struct Plot {
  std::string file;   // "normwise-K-4096.svg"
  std::string title;  // "normwise relative error, K = 4096"
  std::string svg;
};

std::vector<Plot> plots(const StudyResult& study);

}  // namespace assay
