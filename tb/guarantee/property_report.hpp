// What was found of a unit's properties, for people, for machines, and as the table of the documents.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "tb/guarantee/guarantee.hpp"
#include "tb/guarantee/kappa.hpp"
#include "tb/guarantee/property_search.hpp"
#include "tb/subject/subject.hpp"

namespace assay::guarantee {

std::string_view state_name(HoldState state);  // holds, fails, open, idle

// The commands that show both sides of a failure.
std::vector<std::string> commands(const Subject& subject, const PropertyFinding& finding);

std::string properties_text(const Subject& subject, const std::vector<PropertyFinding>& findings);
nlohmann::ordered_json properties_json(const Subject& subject, const std::vector<PropertyFinding>& findings);

// Bounds of a unit, its kappa, and what was found of its properties. One of which no bound is derived has these all the
// same.
Guarantee guarantee_of(const Subject& subject, const Chain& chain, const std::vector<PropertyFinding>& findings,
                       const Kappa& kappa);

// Sections of a Guarantee. `other` is the name of a second unit.
Section properties_section(const Subject& subject, const std::vector<PropertyFinding>& findings);
Section differences_section(const std::string& other, const std::vector<PropertyDifference>& differences);

// What was found of each distinct instruction of a catalogue, that is, of each digest of a datapath.
struct PropertySurvey {
  struct Form {
    std::vector<std::string> instructions;
    std::vector<PropertyFinding> findings;
  };
  std::vector<Form> forms;
};
PropertySurvey survey(const Catalogue& catalogue, const SearchEffort& effort);

// Markdown: of each property how many forms it holds of, and groups of forms with the same answers.
std::string survey_table(const PropertySurvey& survey);

}  // namespace assay::guarantee
