// All that is promised of a unit: bounds, witnesses and conditions, as a value, as text and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tb/guarantee/against.hpp"

namespace assay::guarantee {

// Whom a question is about, and how a command line asks it again.
struct Asked {
  std::string name;    // "hopper:wgmma.m64nNk16.f32.f16.f16"
  std::string option;  // "--instruction ..."
};

// What more there is to say of a unit: a heading with its lines, and a member of the JSON.
struct Section {
  std::string text;
  std::string key;
  std::string json;  // its value, as JSON text
};

struct Guarantee {
  Asked asked;
  Chain chain;
  Promise by_sum, by_greatest;                    // whatever the signs
  Promise positive_by_sum, positive_by_greatest;  // where no term is below zero
  std::optional<Witness> attained_by_sum, attained_by_greatest;
  std::optional<long> most_terms;  // of an integer d: up to so many, with c zero, nothing wraps
  std::vector<Section> sections;   // in order, after the bounds
  std::string no_bounds;           // why nothing is said of d - exact; empty where something is

  bool exact() const { return by_sum.bound.is_zero(); }
  // So many leading bits of d are right where nothing cancels; one less with each doubling of S / |exact|. None where
  // all are.
  std::optional<long> right_bits() const;
};

Guarantee guarantee(const Asked& asked, const Plan& plan, const Chain& chain);
Guarantee without_bounds(const Asked& asked, const Chain& chain, const std::string& why);

// Why less than half of a bound is attained, as a clause; empty where it is not so.
std::string reason(const Promise& claim, const std::optional<Witness>& witness);

std::string as_text(const Guarantee& g, const Plan& plan);
nlohmann::ordered_json as_json(const Guarantee& g, const Plan& plan);

// Sections of a Guarantee.
Section against_section(const Against& against, const Plan& x, const Plan& y, const Asked& asked);

}  // namespace assay::guarantee
