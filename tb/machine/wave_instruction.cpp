#include "tb/machine/wave_instruction.hpp"

#include "model/config/instruction_layout.hpp"

namespace assay::machine {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error{why, Ending::not_here}; }

WaveInstruction in_lanes(const Catalogue& catalogue, const Instruction& i, std::optional<int> n) {
  if (const std::string why = layout::left_out(i.name); !why.empty()) refuse(why);
  const std::optional<layout::NamedShape> shape = shape_with(i, n);
  const std::optional<layout::Fragments> fragments = shape ? layout::fragments_of(*shape) : std::nullopt;
  if (!fragments) refuse("Where " + i.full_name() + " has its operands in lanes is not in the tables of layouts.");
  return {i.full_name(), catalogue.plan_of(i), *shape, *fragments, i.modifiers, i.timing ? i.timing->cycles : 0};
}

}  // namespace

WaveInstruction wave_instruction(const Catalogue& catalogue, const Instruction& i) {
  WaveInstruction wave = in_lanes(catalogue, i, std::nullopt);
  if (const std::string why = why_no_wave(wave); !why.empty()) refuse(why);
  return wave;
}

bool is_of_warpgroup(const Instruction& i) {
  const auto shape = layout::left_out(i.name).empty() ? shape_with(i, std::nullopt) : std::nullopt;
  const auto fragments = shape ? layout::fragments_of(*shape) : std::nullopt;
  return fragments && !fragments->indices && fragments->b.home == layout::Home::shared_memory &&
         fragments->d.home == layout::Home::registers;
}

WaveInstruction warpgroup_instruction(const Catalogue& catalogue, const Instruction& i, std::optional<int> n) {
  WaveInstruction wave = in_lanes(catalogue, i, n);
  if (const std::string why = why_no_warpgroup(wave); !why.empty()) refuse(why);
  return wave;
}

std::vector<WaveOperand> operands_of(const layout::Fragments& f) {
  const auto named = [](const char* name, const layout::Fragment& of) {
    return WaveOperand{name, of.words(), of.lanes};
  };
  std::vector<WaveOperand> all{named("a", f.a), named("b", f.b), named("c", f.c)};
  if (f.scale_a) all.insert(all.end(), {named("scale_a", *f.scale_a), named("scale_b", *f.scale_b)});
  all.push_back(named("d", f.d));
  return all;
}

}  // namespace assay::machine
