// assay export-sv: the wiring of a datapath over the blocks of rtl_ref.
#include "tb/devices/rtl/export_sv.hpp"

#include <filesystem>
#include <ostream>

#include "sim/cli/subject.hpp"
#include "tb/devices/rtl/export_check.hpp"
#include "tb/devices/rtl/export_dut.hpp"
#include "tb/devices/rtl/module_name.hpp"
#include "tb/vectors/print.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  std::string module;
  std::string dut;
  bool pipelined = false;
};

std::string claim_of(const Subject& subject) {
  if (subject.instruction) return "instruction: " + json_string(subject.name);
  return "datapath: " + json_string(std::filesystem::absolute(subject.name).lexically_normal().string());
}

}  // namespace

void add_export_sv(Command app, const Console& console, int&) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("export-sv", "Writes the SystemVerilog wiring of a datapath over the blocks of rtl_ref.");
  command.footer(
      "Example:  assay export-sv --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --module my_dot > my_dot.sv");
  options->subject.add(command);
  command.add_option("--module", options->module, "The name of the module").required();
  command.add_flag("--pipelined", options->pipelined, "With valid and ready, and registers between stages");
  command.add_option("--dut", options->dut, "Write the DUT file of the wiring in this file in place of the wiring");
  command.callback([options, &console] {
    check_module(options->module);
    const Subject subject = options->subject.open(shipped_catalogue());
    if (const auto why = why_not_exportable(subject.plan)) {
      throw Error{subject.name + " cannot be written as wiring of rtl_ref's blocks: " + *why, Ending::not_here};
    }
    const ExportTiming timing = options->pipelined ? ExportTiming::pipelined : ExportTiming::combinational;
    console.out << (options->dut.empty()
                        ? export_sv(subject.plan, options->module, timing)
                        : export_dut(subject.plan, {claim_of(subject), options->dut, options->module, timing}));
  });
}

}  // namespace assay
