#include "tb/machine/wave_instruction.hpp"

#include "model/config/free_n.hpp"

namespace assay::machine {
namespace {

[[noreturn]] void refuse(const std::string& why) { throw Error{why, Ending::not_here}; }

// Where the instruction leaves n open, `n` columns or the fewest.
WaveInstruction in_lanes(const Catalogue& catalogue, const Instruction& i, std::optional<int> n) {
  if (const std::string why = layout::left_out(i.name); !why.empty()) refuse(why);
  std::optional<layout::NamedShape> shape = layout::shape_of(i.name);
  if (const auto free = free_n(i); shape && free) shape->n = n.value_or(free->first);
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

WaveInstruction warpgroup_instruction(const Catalogue& catalogue, const Instruction& i, std::optional<int> n) {
  WaveInstruction wave = in_lanes(catalogue, i, n);
  if (const std::string why = why_no_warpgroup(wave); !why.empty()) refuse(why);
  return wave;
}

std::vector<WaveOperand> operands_of(const layout::Fragments& f) {
  std::vector<WaveOperand> all{{"a", &f.a}, {"b", &f.b}, {"c", &f.c}};
  if (f.scale_a) all.insert(all.end(), {{"scale_a", &*f.scale_a}, {"scale_b", &*f.scale_b}});
  all.push_back({"d", &f.d});
  return all;
}

}  // namespace assay::machine
