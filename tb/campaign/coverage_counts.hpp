// The counts of coverage by themselves: the bins are those of the datapath, which whoever adds them has.
#pragma once

#include <nlohmann/json.hpp>

#include "tb/coverage/coverage.hpp"

namespace assay::campaign {

inline nlohmann::json counts_of(const Coverage& coverage) {
  nlohmann::json points = nlohmann::json::array();
  for (const Point& point : coverage.points) {
    nlohmann::json bins = nlohmann::json::array();
    for (const Bin& bin : point.bins) bins.push_back(bin.count);
    points.push_back(bins);
  }
  return {{"cases", coverage.cases}, {"points", points}};
}

inline void add_counts(Coverage& into, const nlohmann::json& record) {
  into.cases += record.at("cases").get<std::uint64_t>();
  const nlohmann::json& points = record.at("points");
  for (std::size_t p = 0; p < into.points.size(); ++p) {
    std::vector<Bin>& bins = into.points[p].bins;
    for (std::size_t b = 0; b < bins.size(); ++b) bins[b].count += points.at(p).at(b).get<std::uint64_t>();
  }
}

}  // namespace assay::campaign
