// assay rtl: a DUT file from a module's header, its build, and Verilator's lint of it.
#include <fmt/format.h>

#include <filesystem>
#include <ostream>

#include "sim/cli/device_option.hpp"
#include "tb/devices/device.hpp"
#include "tb/devices/rtl/build.hpp"
#include "tb/devices/rtl/claims.hpp"
#include "tb/devices/rtl/draft.hpp"

namespace assay {
namespace {

struct Init {
  std::vector<std::string> sources, include_dirs, defines, parameters, files;
  std::string top;
  SubjectOptions subject;
};

// "NAME=VALUE"; "NAME" alone is defined as nothing.
std::vector<std::pair<std::string, std::string>> settings(const std::vector<std::string>& words) {
  std::vector<std::pair<std::string, std::string>> made;
  for (const std::string& word : words) {
    const std::size_t equals = std::min(word.find('='), word.size());
    made.emplace_back(word.substr(0, equals), word.substr(std::min(equals + 1, word.size())));
  }
  return made;
}

std::string draft(const Init& options, const Dut& dut, const Console& console) {
  const std::vector<RtlPort> ports = ports_of(dut);
  if (options.subject.instruction.empty() && options.subject.datapath.empty()) return dut_draft(dut, ports);
  const Subject subject = options.subject.open(shipped_catalogue());
  warn(subject.warning, console);
  const std::string line = subject.instruction ? "instruction: " + subject.name : "datapath: " + subject.name;
  const DraftClaim claim{line, subject.plan};
  return dut_draft(dut, ports, &claim);
}

void run_init(const Init& options, const Console& console) {
  if (options.sources.empty() && (options.files.empty() || options.top.empty()))
    throw Error{"Name the SystemVerilog files of the unit, or a list of them with -f and the module with --top."};
  Dut dut;
  dut.file = "rtl init";
  dut.sources = options.sources;
  dut.include_dirs = options.include_dirs;
  dut.defines = settings(options.defines);
  dut.parameters = settings(options.parameters);
  for (const std::string& file : options.files) dut.options.insert(dut.options.end(), {"-f", file});
  dut.top = options.top.empty() ? std::filesystem::path(options.sources.back()).stem().string() : options.top;
  console.out << draft(options, dut, console);
}

void add_init(Command rtl, const Console& console, int& status) {
  auto options = std::make_shared<Init>();
  Command command = rtl.add_subcommand("init", "Reads a module's header and writes a DUT file to fill in.");
  command.footer(
      "Example:  assay rtl init my_pkg.sv my_unit.sv > my_unit.yaml\n"
      "          assay rtl init my_unit.sv --instruction hopper:wgmma.m64nNk16.f32.f16.f16 > my_unit.yaml\n"
      "          assay rtl init -f my_files.f --top my_unit -I include -D SYNTHESIS -G TERMS=8 > my_unit.yaml");
  command.add_option("SOURCES", options->sources, "SystemVerilog files, packages first");
  command.add_option("--top", options->top, "The module; where it is not said, the last file's name");
  command.add_option("-I,--include", options->include_dirs, "A folder of files to include; may be given again")
      .one_each();
  command.add_option("-D,--define", options->defines, "NAME or NAME=VALUE, for the preprocessor; may be given again")
      .one_each();
  command.add_option("-G,--parameter", options->parameters, "NAME=VALUE, a parameter; may be given again").one_each();
  command.add_option("-f,--files", options->files, "A file of further options for Verilator; may be given again")
      .one_each();
  options->subject.add(command);
  command.callback([options, &console, &status] {
    run_init(*options, console);
    status = passed;
  });
}

struct Build {
  std::string file;
  SubjectOptions subject;
};

void run_build(const Build& options, const Console& console) {
  const Catalogue catalogue = shipped_catalogue();
  const Dut dut = read_dut_file(options.file);
  for (const Subject& subject : subjects_for(options.subject, "rtl:" + options.file, catalogue, console)) {
    const std::string program = build_claimed(dut, subject, catalogue, &console.err);
    const std::filesystem::path log = std::filesystem::path(program).parent_path() / "build.log";
    console.out << fmt::format("{:<10}{}\n{:<10}{}\n{:<10}{}\n{:<10}{}\n", "module", dut.top, "computes", subject.name,
                               "program", program, "log", log.string());
    const std::string wrapper = wrapper_beside(program);
    if (!wrapper.empty()) console.out << fmt::format("{:<10}{}\n", "wrapper", wrapper);
  }
}

void add_build(Command rtl, const Console& console, int& status) {
  auto options = std::make_shared<Build>();
  Command command = rtl.add_subcommand("build", "Builds a DUT with Verilator and says where its program and log are.");
  command.footer("Example:  assay rtl build configs/dut/fused_f25_f16.yaml");
  command.add_option("DUT", options->file, "The DUT file").required();
  options->subject.add(command);
  command.callback([options, &console, &status] {
    run_build(*options, console);
    status = passed;
  });
}

void add_lint(Command rtl, const Console& console, int& status) {
  auto file = std::make_shared<std::string>();
  Command command = rtl.add_subcommand("lint", "Shows what Verilator warns of in a DUT's sources.");
  command.footer("Example:  assay rtl lint configs/dut/fused_f25_f16.yaml");
  command.add_option("DUT", *file, "The DUT file").required();
  command.callback([file, &console, &status] {
    const Dut dut = read_dut_file(*file);
    const std::string words = lint_rtl(dut);
    console.out << (words.empty() ? dut.top + ": Verilator warns of nothing.\n" : words);
    status = words.empty() ? passed : mismatch;
  });
}

}  // namespace

void add_rtl(Command app, const Console& console, int& status) {
  Command rtl = app.add_subcommand("rtl", "Brings RTL: a DUT file, its build, its lint.");
  rtl.require_subcommand();
  add_init(rtl, console, status);
  add_build(rtl, console, status);
  add_lint(rtl, console, status);
}

}  // namespace assay
