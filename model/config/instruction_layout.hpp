// Where the operands of an instruction stand, by the tables of model/layout or by its family.
#pragma once

#include <optional>

#include "model/config/catalogue.hpp"
#include "model/layout/layout.hpp"

namespace assay {

// Of its name; where the instruction leaves n open, with `n` columns or the fewest. Throws Error where it takes others.
std::optional<layout::NamedShape> shape_with(const Instruction& instruction, std::optional<int> n);

// In named registers, as its family says.
layout::Fragments fragments_of(const Instruction& instruction, const OperandLayouts& layouts, const Plan& plan);

struct InstructionLayout {
  layout::Coordinates size;  // n: the fewest where it is left open
  layout::Fragments operands;
};

// Nothing where no table says it.
std::optional<InstructionLayout> layout_of(const Instruction& instruction, const Plan& plan);

}  // namespace assay
