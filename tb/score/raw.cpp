#include "tb/score/raw.hpp"

#include <algorithm>

#include "tb/generate/generator.hpp"

namespace assay {
namespace {

constexpr std::uint64_t batch = 1000;

// By bits: where one NaN is as good as another, score's plans all give the same one.
KillScore of_the_killed(const KillScore& score) {
  std::vector<Mutant> wanted;
  for (const Mutant& m : score.mutants()) {
    if (m.fate() == Fate::killed) wanted.push_back({m.name, m.from, m.to, m.plan, {}, {}, {}, m.fault});
  }
  return {score.plan(), NanRule::bits, std::move(wanted), 0, score.threads()};
}

}  // namespace

RawScore raw_score(const KillScore& score, std::uint64_t seed, std::uint64_t limit,
                   const std::function<void(std::uint64_t)>& done) {
  KillScore raw = of_the_killed(score);
  const Generator generator(score.plan(), seed, find_family(score.plan(), "raw"));
  for (std::uint64_t next = 0; next < limit && raw.counts().open > 0; done(next)) {
    std::vector<Case> cases;
    for (const std::uint64_t end = std::min(next + batch, limit); next < end; ++next)
      cases.push_back(generator.make(next));
    raw.see(cases);
  }
  RawScore result{limit, raw.counts().all(), raw.counts().killed, 0, {}};
  for (const Mutant& m : raw.mutants()) {
    if (m.killer) result.needed = std::max(result.needed, m.killer->number + 1);
    if (!m.killer) result.alive.push_back(m.name);
  }
  return result;
}

}  // namespace assay
