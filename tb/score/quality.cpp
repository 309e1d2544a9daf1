#include "tb/score/quality.hpp"

namespace assay {

CaseQuality::CaseQuality(const Plan& plan, NanRule nan, QualityAsked asked, int threads) {
  if (asked.score) score_ = std::make_unique<KillScore>(plan, nan, threads);
  if (asked.coverage) samplers_ = std::make_unique<Samplers>(plan, threads);
}

void CaseQuality::see(const std::vector<Case>& cases) {
  if (score_) score_->see(cases);
  if (samplers_) samplers_->see(cases);
}

std::optional<Coverage> CaseQuality::coverage() const {
  if (!samplers_) return std::nullopt;
  return samplers_->coverage();
}

}  // namespace assay
