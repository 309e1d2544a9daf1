// explorer.html with a case of ours: what it shows where its address says nothing.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "model/config/catalogue.hpp"
#include "tb/explain/explanation.hpp"
#include "tb/subject/subject.hpp"

namespace assay::browser {

// The page's first state, as docs/browser.md has it. Of two sides that are both the model, two units; of another
// device, the d that it gave.
nlohmann::ordered_json first_state(const Subject& subject, const explain::Explanation& explanation);

// Of one unit alone.
nlohmann::ordered_json first_state(const Subject& subject, const explain::Question& question);

// What stands behind the page's address to show a state: "#unit=..&a=..".
std::string address_of(const nlohmann::ordered_json& state);

// The page, with its own first state where none is given. Throws Error where it was not built.
std::string explorer_html(const nlohmann::ordered_json& state);

}  // namespace assay::browser
