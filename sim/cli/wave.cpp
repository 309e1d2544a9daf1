// assay wave: executes a matrix instruction on the registers of a wavefront or warp.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <ostream>

#include "model/base/hex.hpp"
#include "model/base/output_file.hpp"
#include "model/base/text.hpp"
#include "model/config/free_n.hpp"
#include "sim/cli/generate_option.hpp"
#include "sim/cli/modifier_options.hpp"
#include "sim/program/number_option.hpp"
#include "tb/gemm/operands.hpp"
#include "tb/machine/group_images.hpp"

namespace assay {
namespace {

// Of wgmma alone.
struct GroupOptions {
  std::optional<int> n;
  int swizzle = 0;   // bytes
  std::string a, b;  // descriptors
  std::vector<std::string> transpose, negate;
  bool ignore_d = false;

  void add(Command command) {
    add_number(command, "--n", n, {8, 256}, "Of wgmma: its columns; the fewest unless given");
    add_number(command, "--swizzle", swizzle, {0, 128},
               "Of wgmma: 0, 32, 64 or 128 bytes, where A and B are put side by side")
        .shows_default();
    command.add_option("--descriptor-a", a, "Of wgmma: the matrix descriptor of A instead, in hexadecimal");
    command.add_option("--descriptor-b", b, "Of wgmma: that of B");
    command.add_option("--transpose", transpose, "Of wgmma: a, b or a,b: they lie along m and n")
        .one_each()
        .delimiter(',')
        .one_of({"a", "b"});
    command.add_option("--negate", negate, "Of wgmma: a, b or a,b: their signs are turned")
        .one_each()
        .delimiter(',')
        .one_of({"a", "b"});
    command.add_flag("--ignore-d", ignore_d, "Of wgmma: sums begin with zeros, not with D");
  }

  bool any() const {
    return n || swizzle != 0 || !a.empty() || !b.empty() || !transpose.empty() || !negate.empty() || ignore_d;
  }

  machine::GroupTask task(const machine::Warpgroup& group) const {
    machine::GroupTask task{group, {}};
    const Plan& plan = group.instruction().plan;
    if (!negate.empty() && (plan.a.is_integer() || plan.b.is_integer()))
      throw Error{fmt::format("{} multiplies integers, whose signs no bit turns; leave --negate away.",
                              group.instruction().name)};
    const auto has = [](const std::vector<std::string>& sides, const char* side) {
      return std::find(sides.begin(), sides.end(), side) != sides.end();
    };
    machine::WarpgroupOperation& o = task.operation;
    o.a_is_mn_major = has(transpose, "a");
    o.b_is_mn_major = has(transpose, "b");
    o.negate_a = has(negate, "a");
    o.negate_b = has(negate, "b");
    o.scale_d = !ignore_d;
    if (swizzle != 0 && swizzle != 32 && swizzle != 64 && swizzle != 128)
      throw Error{fmt::format("--swizzle is {}; it takes 0, 32, 64 and 128.", swizzle)};
    if (swizzle != 0 && !a.empty() && !b.empty())
      throw Error{"--swizzle says how A and B are laid out where no descriptor does; here both have one."};
    choose_descriptors(task, swizzle == 0 ? 16 : swizzle);
    if (!a.empty()) o.a = descriptor("--descriptor-a", a);
    if (!b.empty()) o.b = descriptor("--descriptor-b", b);
    return task;
  }

 private:
  static std::uint64_t descriptor(const std::string& option, const std::string& text) {
    const auto bits = hex_number(text, 16);
    if (!bits) throw Error{fmt::format("{} takes up to 16 hexadecimal digits.", option)};
    return *bits;
  }
};

struct Options {
  std::string registers;
  std::string instruction;
  std::string output = "-";
  std::string family;
  ModifierOptions modifiers;
  GroupOptions group;
  std::uint64_t seed = 1, cases = 1;
};

// `of` is a wave's instruction, or a warpgroup's task: what is generated for it.
template <class Of>
std::vector<machine::RegisterImages> images_for(const Options& options, const Plan& plan, const Of& of,
                                                const std::vector<machine::WaveOperand>& operands) {
  if (!options.registers.empty()) return machine::read_images(options.registers, operands);
  GenerateOptions from;
  from.seed = options.seed;
  from.family = options.family.empty() ? gemm::usual_family(plan) : options.family;
  const Generator generator = from.open(plan);
  std::vector<machine::RegisterImages> images;
  for (std::uint64_t i = 0; i < options.cases; ++i) images.push_back(generated_images(of, generator, i));
  return images;
}

void write(const Options& options, const Console& console, const machine::WaveInstruction& wave,
           const std::vector<machine::RegisterImages>& images, const std::vector<machine::WaveOperand>& operands) {
  const std::string text = images_text(options.output, images, operands);
  if (options.output == "-") {
    console.out << text;
    return;
  }
  write_whole_file(options.output, text);
  const std::uint64_t busy = images.size() * static_cast<std::uint64_t>(wave.cycles);
  console.out << fmt::format("{}: {}{}.\n", wave.name, counted(images.size(), "execution"),
                             busy == 0 ? "" : fmt::format(", {} cycles of a matrix unit", grouped(busy)));
}

void execute_group(const Options& options, const Console& console, machine::WaveInstruction instruction) {
  options.modifiers.chosen(instruction.name, instruction.modifiers);
  const machine::Warpgroup group(std::move(instruction));
  const machine::GroupTask task = options.group.task(group);
  const std::vector<machine::WaveOperand> operands = operands_of(task);
  std::vector<machine::RegisterImages> images = images_for(options, group.instruction().plan, task, operands);
  for (machine::RegisterImages& image : images) machine::execute(task, image);
  write(options, console, group.instruction(), images, operands);
}

// By --n, or by a name that spells them out.
std::optional<int> columns_of(const Instruction& instruction, const Options& options) {
  const std::string name = options.instruction.substr(options.instruction.find(':') + 1);
  return chosen_n(instruction, name, options.group.n);
}

void execute(const Options& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Instruction& instruction = catalogue.instruction(options.instruction);
  if (machine::is_of_warpgroup(instruction))
    return execute_group(options, console,
                         machine::warpgroup_instruction(catalogue, instruction, columns_of(instruction, options)));
  if (options.group.any())
    throw Error{instruction.full_name() + " is not of a warpgroup: options of wgmma alone say nothing here."};
  const machine::WaveUnit unit(machine::wave_instruction(catalogue, instruction));
  const machine::WaveInstruction& wave = unit.instruction();
  const layout::Modifiers modifiers = options.modifiers.chosen(wave.name, wave.modifiers);
  const std::vector<machine::WaveOperand> operands = machine::operands_of(wave.fragments);
  std::vector<machine::RegisterImages> images = images_for(options, wave.plan, wave, operands);
  for (machine::RegisterImages& image : images) machine::execute(unit, modifiers, image);
  write(options, console, wave, images, operands);
}

}  // namespace

void add_wave(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("wave", "Executes a matrix instruction on the registers of a wavefront or warp.");
  command.footer(
      "Example:  assay wave --instruction cdna2:v_mfma_f32_16x16x1f32 --cbsz 2 --abid 1 --seed 7 -o after.npz\n"
      "          assay wave --instruction cdna2:v_mfma_f32_16x16x1f32 after.npz\n"
      "          assay wave --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --n 32 --swizzle 128 -o group.npz");
  const CommandOption file = command.add_option(
      "REGS", options->registers,
      "What the registers hold: .npz or lines of JSON, an execution each (docs/machine.md); - is standard input");
  command.add_option("--instruction", options->instruction, "ARCHITECTURE:INSTRUCTION, of lanes").required();
  options->modifiers.add(command);
  options->group.add(command);
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
