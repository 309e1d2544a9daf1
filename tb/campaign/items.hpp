// Campaigns of works that are each done by themselves: their reports, one after the other.
#pragma once

#include <string>
#include <vector>

#include "tb/campaign/work.hpp"

namespace assay::campaign {

struct ItemReport {
  Ending ending = Ending::passed;
  std::string text;
  nlohmann::json data;
};

class ItemJob : public Job {
 public:
  std::vector<WorkSeries> series() const override;
  double seconds_of_unit(std::size_t series) override;
  Finished run(const Portion& portion, const GoOn& go_on) override;
  std::unique_ptr<Fold> fold() override;

 protected:
  virtual std::vector<std::string> names() const = 0;
  virtual double usual_seconds() const = 0;  // of one, where nobody can know
  virtual ItemReport report(std::size_t item) = 0;
};

}  // namespace assay::campaign
