// A search as a study's result, so that a study's page shows it beside the catalogue's own units.
#pragma once

#include "tb/design/answer.hpp"
#include "tb/explore/runner.hpp"

namespace assay::design {

// The references of the spec; where it names none, units of the catalogue with its operands, one for each arithmetic:
// those of its k, and others with the spec's k in place of theirs until there are eight.
Machines units_beside(const Spec& spec, const Space& space, const Catalogue& catalogue);

// The points that were run on all seeds and synthesised, and the units on the same inputs.
StudyResult as_study(const Spec& spec, const Space& space, const Searched& found, const DesignAnswer& answer,
                     const Trials& trials, const std::string& version);
void add_units(const Spec& spec, const Machines& units, const Trials& trials, const Costs& costs, StudyResult& result);

}  // namespace assay::design
