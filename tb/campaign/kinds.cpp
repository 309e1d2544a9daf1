#include "tb/campaign/work.hpp"

#include "tb/campaign/compare_kind.hpp"
#include "tb/campaign/coverage_kind.hpp"
#include "tb/campaign/design_kind.hpp"
#include "tb/campaign/explore_kind.hpp"
#include "tb/campaign/generate_kind.hpp"
#include "tb/campaign/identify_kind.hpp"
#include "tb/campaign/mutants_kind.hpp"
#include "tb/campaign/prove_kind.hpp"
#include "tb/campaign/score_kind.hpp"

namespace assay::campaign {

const std::vector<CampaignKind>& campaign_kinds() {
  static const std::vector<CampaignKind> kinds{
      {"compare",
       "holds devices to a reference over generated cases",
       "block",
       {"instruction", "datapath", "device", "reference", "cases", "level", "seed", "family", "block", "nan", "waivers",
        "threads"},
       open_compare},
      {"generate",
       "writes generated cases as a vector file",
       "block",
       {"instruction", "datapath", "cases", "level", "seed", "family", "block", "with_results", "output"},
       open_generate,
       ".jsonl.zst"},
      {"coverage",
       "says what generated cases exercise",
       "block",
       {"instruction", "datapath", "cases", "level", "seed", "family", "block"},
       open_coverage},
      {"score",
       "says which mutants of datapaths generated cases kill",
       "part",
       {"instruction", "datapath", "cases", "level", "seed", "family", "block", "nan"},
       open_score},
      {"mutants",
       "says which mutants of RTL generated cases kill",
       "mutant",
       {"device", "instruction", "port", "count", "cases", "level", "seed", "family", "nan", "waivers"},
       open_mutants},
      {"explore", "runs a study", "unit", {"study", "seeds", "threads"}, open_explore, ".study"},
      {"design", "tries every point of a design's space", "wiring", {"spec", "threads"}, open_design, ".design"},
      {"prove",
       "proves that several units do what the model does, or another unit",
       "proof",
       {"dut", "reference", "instruction", "datapath", "seconds", "threads", "cases"},
       open_prove},
      {"identify",
       "says what several unknown units compute",
       "device",
       {"device", "instruction", "datapath", "formats", "k", "scale", "questions", "confirm", "seed", "nan", "without"},
       open_identify},
  };
  return kinds;
}

const CampaignKind& campaign_kind(const YamlValue& name) {
  std::vector<std::string_view> names;
  for (const CampaignKind& kind : campaign_kinds()) names.push_back(kind.name);
  return campaign_kinds().at(name.one_of(names));
}

}  // namespace assay::campaign
