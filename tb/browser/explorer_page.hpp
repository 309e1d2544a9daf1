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

// The page. Throws Error where it was not built.
std::string explorer_html(const nlohmann::ordered_json& state);

}  // namespace assay::browser
