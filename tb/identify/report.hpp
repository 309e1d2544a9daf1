// What was identified, as a datapath file with what speaks for each word, and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tb/identify/identify.hpp"

namespace assay::identify {

// What the words of the text depend on.
struct ReportNames {
  std::string unit;      // "rtl:dut.yaml", "h100.jsonl"
  std::string question;  // what an answer is called: "question", "case"
};

// Comments of YAML; where one class was found, the file that says it follows.
std::string as_text(const Subject& subject, const Identified& found, const ReportNames& names);
nlohmann::ordered_json as_json(const Subject& subject, const Identified& found, const ReportNames& names);

// "found", "undecided", "no word", "inconsistent"
std::string_view outcome_word(IdentifyOutcome outcome);

}  // namespace assay::identify
