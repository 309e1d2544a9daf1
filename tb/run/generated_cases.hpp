// Cases that a generator makes, as a run takes them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tb/generate/generator.hpp"
#include "tb/generate/levels.hpp"
#include "tb/run/case_source.hpp"

namespace assay {

struct GeneratedChoice {
  std::uint64_t seed = 1;
  std::string family;             // empty: all of them in turn
  std::vector<CaseRange> ranges;  // one after the other
  std::string only;               // the ranges as they were asked for, "40,41"; empty: a whole run, which has a history
};

// The generator is the choice's own: of its seed and family.
std::unique_ptr<CaseSource> generated_cases(Generator generator, GeneratedChoice choice);

}  // namespace assay
