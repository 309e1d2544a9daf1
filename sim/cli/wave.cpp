// assay wave: executes a matrix instruction on the registers of a wavefront or warp.
#include <fmt/format.h>

#include <ostream>

#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/modifier_options.hpp"
#include "sim/program/number_option.hpp"
#include "tb/gemm/operands.hpp"
#include "tb/machine/images.hpp"

namespace assay {
namespace {

struct Options {
  std::string registers;
  std::string instruction;
  std::string output = "-";
  std::string family;
  ModifierOptions modifiers;
  std::uint64_t seed = 1, cases = 1;
};

std::vector<machine::RegisterImages> images_for(const Options& options, const machine::WaveInstruction& wave) {
  if (!options.registers.empty()) return machine::read_images(options.registers, wave);
  GenerateOptions from;
  from.seed = options.seed;
  from.family = options.family.empty() ? gemm::usual_family(wave.plan) : options.family;
  const Generator generator = from.open(wave.plan);
  std::vector<machine::RegisterImages> images;
  for (std::uint64_t i = 0; i < options.cases; ++i) images.push_back(generated_images(wave, generator, i));
  return images;
}

void execute(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const machine::WaveUnit unit(machine::wave_instruction(catalogue, catalogue.instruction(options.instruction)));
  const machine::WaveInstruction& wave = unit.instruction();
  const layout::Modifiers modifiers = options.modifiers.chosen(wave.name, wave.modifiers);
  std::vector<machine::RegisterImages> images = images_for(options, wave);
  for (machine::RegisterImages& image : images) machine::execute(unit, modifiers, image);
  const std::string text = images_text(options.output, images, wave);
  if (options.output == "-") {
    console.out << text;
    return;
  }
  write_whole_file(options.output, text);
  const std::uint64_t busy = images.size() * static_cast<std::uint64_t>(wave.cycles);
  console.out << fmt::format("{}: {}{}.\n", wave.name, counted(images.size(), "execution"),
                             busy == 0 ? "" : fmt::format(", {} cycles of a matrix unit", grouped(busy)));
}

}  // namespace

void add_wave(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("wave", "Executes a matrix instruction on the registers of a wavefront or warp.");
  command.footer(
      "Example:  assay wave --instruction cdna2:v_mfma_f32_16x16x1f32 --cbsz 2 --abid 1 --seed 7 -o after.npz\n"
      "          assay wave --instruction cdna2:v_mfma_f32_16x16x1f32 after.npz");
  const CommandOption file = command.add_option(
      "REGS", options->registers,
      "What the registers hold: .npz or lines of JSON, an execution each (docs/machine.md); - is standard input");
  command.add_option("--instruction", options->instruction, "ARCHITECTURE:INSTRUCTION, of lanes").required();
  options->modifiers.add(command);
  command.add_option("-o,--output", options->output, "Where the registers go, D's among them; - is standard output")
      .shows_default();
  add_number(command, "--seed", options->seed, {}, "Without REGS: the seed of generated contents")
      .excludes(file)
      .shows_default();
  add_number(command, "--cases", options->cases, {1, 1 << 20}, "Without REGS: so many executions")
      .excludes(file)
      .shows_default();
  command.add_option("--family", options->family, "Without REGS: of this family of cases").excludes(file);
  command.callback([options, &console] { execute(*options, console); });
}

}  // namespace assay
