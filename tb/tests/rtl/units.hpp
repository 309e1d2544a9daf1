// Datapaths to wire and build, chosen so that together they use every word that export-sv knows.
#pragma once

#include <string>
#include <vector>

#include "model/core/plan.hpp"

namespace assay {

struct Unit {
  const char* name;          // of its module, too
  const char* text;          // as a datapath file
  bool synthesised = false;  // down to gates, too
};

const std::vector<Unit>& units();
// The same for words that none of these says: lists of values, integers beside floats, what else a case brings, and
// what becomes of numbers that a format cannot hold.
const std::vector<Unit>& further_units();
// The same with flags beside d.
const std::vector<Unit>& flagged_units();
const Unit& committed_unit();  // the one whose wiring lies in rtl_ref

Plan plan_of_text(const std::string& text);
inline Plan plan_of_unit(const Unit& unit) { return plan_of_text(unit.text); }

}  // namespace assay
