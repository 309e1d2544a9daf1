// --cbsz, --abid and --blgp: what a matrix instruction is told about the lanes that feed it.
#pragma once

#include "model/layout/modifiers.hpp"
#include "sim/cli/command.hpp"
#include "sim/program/number_option.hpp"

namespace assay {

struct ModifierOptions {
  layout::Modifiers modifiers;

  void add(Command command) {
    add_number(command, "--cbsz", modifiers.cbsz, {0, 7}, "One block of A feeds 2^cbsz neighbours ..").shows_default();
    add_number(command, "--abid", modifiers.abid, {0, 63}, ".. this one of them").shows_default();
    add_number(command, "--blgp", modifiers.blgp, {0, 7}, "The pattern of B's lanes; of f64 which signs are turned")
        .shows_default();
  }

  // Throws Error with the values that the instruction takes, where these are none.
  layout::Modifiers chosen(const std::string& name, const layout::LegalModifiers& legal) const {
    if (const std::string why = modifiers_problem(name, legal, modifiers); !why.empty()) throw Error{why};
    return modifiers;
  }
};

}  // namespace assay
