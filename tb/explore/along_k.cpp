#include "tb/explore/along_k.hpp"

namespace assay {
namespace {

void fetch(const Matrix& matrix, int row, int from, int count, std::vector<Code>& into) {
  into.clear();
  for (int j = 0; j < count; ++j) into.push_back(matrix.get(row, from + j));
}

}  // namespace

void AlongK::run(int i, Trace* trace) {
  fetch(w_.a.view(), row_, i * plan_.k, plan_.k, a_);
  fetch(w_.b.view(), column_, i * plan_.k, plan_.k, b_);
  if (plan_.scale) {
    const int block = block_of(plan_, i * plan_.k, 0);
    fetch(w_.scale_a.view(), row_, block, plan_.scales, scale_a_);
    fetch(w_.scale_b.view(), column_, block, plan_.scales, scale_b_);
  }
  c_ = start(i * plan_.k);
  d_ = dot(plan_, operand(), registers_, trace);
}

// Pieces of a walk begin at zero, all else with c or what was accumulated.
Code AlongK::start(int k) const {
  const Walk& walk = machine_.walk;
  if (!walk.is_promoted()) return k == 0 ? w_.c.view().get(row_, column_) : d_;
  const int within = k % (w_.shape.k / walk.split_k);
  return within == 0 || (walk.promote_every != 0 && within % walk.promote_every == 0) ? 0 : d_;
}

}  // namespace assay
