// assay export-sv: the wiring of a datapath over the blocks of rtl_ref.
#include "tb/devices/rtl/export_sv.hpp"
#include "tb/devices/rtl/export_check.hpp"

#include <ostream>

#include "sim/cli/subject.hpp"
#include "tb/devices/rtl/module_name.hpp"

namespace assay {
namespace {

struct Options {
  SubjectOptions subject;
  std::string module;
  bool pipelined = false;
};

}  // namespace

void add_export_sv(Command app, const Console& console, int& status) {
  auto options = std::make_shared<Options>();
  Command command =
      app.add_subcommand("export-sv", "Writes the SystemVerilog wiring of a datapath over the blocks of rtl_ref.");
  command.footer(
      "Example:  assay export-sv --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --module my_dot > my_dot.sv");
  options->subject.add(command);
  command.add_option("--module", options->module, "The name of the module").required();
  command.add_flag("--pipelined", options->pipelined, "With valid and ready, and registers between stages");
  command.callback([options, &console, &status] {
    check_module(options->module);
    const Subject subject = options->subject.open(shipped_catalogue());
    if (const auto why = why_not_exportable(subject.plan)) {
      throw Error{subject.name + " cannot be written as wiring of rtl_ref's blocks: " + *why, Ending::not_here};
    }
    const ExportTiming timing = options->pipelined ? ExportTiming::pipelined : ExportTiming::combinational;
    console.out << export_sv(subject.plan, options->module, timing);
  });
}

}  // namespace assay
