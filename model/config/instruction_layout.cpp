#include "model/config/instruction_layout.hpp"

#include "model/config/free_n.hpp"

namespace assay {

std::optional<layout::NamedShape> shape_with(const Instruction& i, std::optional<int> n) {
  std::optional<layout::NamedShape> shape = layout::shape_of(i.name);
  const auto free = free_n(i);
  if (!shape || !free) return shape;
  if (n && !free->has(*n))
    throw Error{i.full_name() + " has no " + std::to_string(*n) + " columns; it takes " + free->text() + "."};
  shape->n = n.value_or(free->first());
  return shape;
}

layout::Fragments fragments_of(const Instruction& i, const OperandLayouts& layouts, const Plan& plan) {
  const auto named = [](const Format& format, const OperandLayout& layout, const layout::Coordinates& size) {
    return in_named_registers({layout.which, layout.slot}, size, format.stored_bits);
  };
  const int n = std::stoi(i.n);
  const layout::Coordinates result{i.m, n, 1, 1, 1};
  return {named(plan.a, layouts.a, {i.m, 1, i.k, 1, 1}),
          named(plan.b, layouts.b, {1, n, i.k, 1, 1}),
          named(plan.c, layouts.d, result),
          named(plan.d, layouts.d, result),
          std::nullopt,
          std::nullopt};
}

std::optional<InstructionLayout> layout_of(const Instruction& i, const Plan& plan) {
  if (!layout::left_out(i.name).empty()) return std::nullopt;
  if (i.layout) return InstructionLayout{{i.m, std::stoi(i.n), i.k, 1, 1}, fragments_of(i, *i.layout, plan)};
  const std::optional<layout::NamedShape> shape = shape_with(i, std::nullopt);
  const std::optional<layout::Fragments> fragments = shape ? layout::fragments_of(*shape) : std::nullopt;
  if (!fragments) return std::nullopt;
  return InstructionLayout{{shape->m, shape->n, shape->k, shape->blocks, 1}, *fragments};
}

}  // namespace assay
