#include "tb/score/quality.hpp"

namespace assay {

CaseQuality::CaseQuality(const Plan& plan, NanRule nan, QualityAsked asked) {
  if (asked.score) score_ = std::make_unique<KillScore>(plan, nan);
  if (asked.coverage) sampler_ = std::make_unique<Sampler>(plan);
}

void CaseQuality::see(const std::vector<Case>& cases) {
  if (score_) score_->see(cases);
  if (!sampler_) return;
  for (const Case& c : cases) sampler_->see(c);
}

std::optional<Coverage> CaseQuality::coverage() const {
  if (!sampler_) return std::nullopt;
  return sampler_->coverage();
}

}  // namespace assay
