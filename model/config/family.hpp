// Files that say many things at once: lists under `for`, and texts with names in braces.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/config/yaml.hpp"

namespace assay {

// One choice of the variables of a family: {a: e4m3, b: e5m2}.
using Binding = std::map<std::string, std::string>;

// The product of the lists, the last one running fastest; of a mapping its keys. `things`: what they make, for a
// message.
std::vector<Binding> bindings(const YamlValue& lists, const std::string& things);

// The same choices with what their words stand for: of {a: {s8: i8, u8: u8}} and {a: s8}, {a: i8}.
std::vector<Binding> meanings(const YamlValue& lists, std::vector<Binding> all);

// Replaces {a} by its value and {A} by the same in capitals. `where`: what fails if a name has no value.
std::string filled(const YamlValue& where, const std::string& pattern, const Binding& binding);

}  // namespace assay
