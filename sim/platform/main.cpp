// assay-systemc: the SystemC model as a program. Alone it is the device `systemc`; with cases, a platform around the
// unit with a scoreboard; with --bench, a stopwatch.
#include <unistd.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <string>
#include <systemc>
#include <vector>

#include "model/base/printable.hpp"
#include "model/config/yaml.hpp"
#include "sim/platform/bench.hpp"
#include "sim/platform/check.hpp"
#include "sim/platform/conversation.hpp"
#include "sim/platform/machine_program.hpp"
#include "sim/program/command.hpp"
#include "sim/program/ending.hpp"
#include "sim/program/number_option.hpp"

namespace assay {
namespace {

struct Options {
  CheckOptions check;
  std::string program;
  bool bench = false;
  int latency = 1;
  std::string engine = "modules";
  std::vector<CommandOption> all;

  void add(Command app) {
    app.add_option("FILE", check.file, "A vector file whose cases go through the platform");
    app.add_option("--instruction", check.instruction, "Generated cases of ARCHITECTURE:INSTRUCTION instead");
    app.add_option("--datapath", check.datapath, "Generated cases of a datapath file with its operands and k instead");
    add_number(app, "--cases", check.cases, {0, most_cases}, "How many cases to generate").shows_default();
    add_number(app, "--seed", check.seed, {}, "The seed they come from").shows_default();
    add_number(app, "--case", check.only, {}, "Only this case, of the file or the seed");
    app.add_option("--program", program,
                   "Carry out this program of a machine around the unit instead (docs/machine.md)");
    app.add_option("--wave", check.wave,
                   "Write the bundles of every place to this VCD file; of a program, its memories");
    app.add_option("--engine", engine, "What the unit on the bus computes with: modules, or the core's functions")
        .one_of({"modules", "core"})
        .shows_default();
    add_number(app, "--latency", latency, {0, 1'000'000}, "Cycles that each stage of the platform's unit takes")
        .shows_default();
    add_number(app, "--stalls", check.unit.stalls, {},
               "Let modules wait at random, as this seed says (same results, other times)");
    add_number(app, "--depth", check.unit.fifo_depth, {1, 65'536}, "Bundles that each FIFO between modules holds")
        .shows_default();
    add_number(app, "--quantum", check.quantum_ns, {0, 1'000'000'000},
               "Nanoseconds by which the platform's initiator may run ahead")
        .shows_default();
    app.add_flag("--bench", bench, "Dot products a second through the modules, the unit on a bus, and the core");
    app.add_flag("--json", check.json, "The verdict or the speeds as JSON");
    all = app.options();
  }

  bool is_given(const std::string& name) const {
    return std::any_of(all.begin(), all.end(),
                       [&](const CommandOption& o) { return o.name() == name && o.is_given(); });
  }

  // What was given and is none of these would change nothing. The sentence of its refusal begins with `why`.
  void take_only(const std::vector<std::string>& taken, const std::string& why) const {
    for (const CommandOption& o : all) {
      if (o.is_given() && std::find(taken.begin(), taken.end(), o.name()) == taken.end())
        throw Error{why + "; leave " + o.name() + " out."};
    }
  }
  void refuse(const std::vector<std::string>& refused, const std::string& why) const {
    for (const std::string& name : refused) {
      if (is_given(name)) throw Error{why + "; leave " + name + " out."};
    }
  }

  int subjects() const {
    return (check.file.empty() ? 0 : 1) + (check.instruction.empty() ? 0 : 1) + (check.datapath.empty() ? 0 : 1);
  }

  int run() {
    if (!program.empty()) {
      take_only({"--program", "--wave"}, "--program stands alone, or with --wave");
      std::cout << run_machine_program(program, check.wave);
      return 0;
    }
    if (bench) {
      take_only({"--bench", "--instruction", "--json"}, "--bench takes an instruction of the catalogue, and --json");
      return assay::bench(check.instruction, check.json);
    }
    if (subjects() > 1) throw Error{"Give one of FILE, --instruction and --datapath."};
    if (subjects() == 0) {
      take_only({"--stalls", "--depth"},
                "Without FILE, --instruction and --datapath there are no cases but a device, which takes --stalls and "
                "--depth");
      return converse(timing());
    }
    if (!check.file.empty()) refuse({"--cases", "--seed"}, "The cases are those of " + check.file);
    if (check.only) refuse({"--cases"}, "--case takes one case alone");
    if (engine == "core") refuse({"--stalls", "--depth"}, "The core's functions have no FIFOs and wait for nobody");
    check.unit.engine = engine == "core" ? bus::Engine::core : bus::Engine::modules;
    check.unit.latency = systemc::every_stage(latency);
    return assay::check(check);
  }

  systemc::Timing timing() const {
    systemc::Timing timing = systemc::steady(check.unit.fifo_depth);
    if (check.unit.stalls) timing.stall = systemc::random_stalls(*check.unit.stalls);
    return timing;
  }
};

int parsed(int argc, char** argv) {
  Options options;
  CLI::App app(
      "The SystemC model of a matrix-multiply instruction: a platform around the unit that holds it to the core, or, "
      "without cases, a device over stdin and stdout.",
      "assay-systemc");
  app.footer(
      "Example:  assay-systemc --instruction hopper:wgmma.m64nNk16.f32.f16.f16 --cases 3 --wave unit.vcd\n"
      "          assay compare --reference model --device 'exec:assay-systemc --stalls 1' \\\n"
      "              --instruction hopper:wgmma.m64nNk16.f32.f16.f16\n"
      "          assay-systemc --program docs/examples/machine/tensor_program.yaml --wave machine.vcd");
  app.set_version_flag("--version", "assay-systemc " ASSAY_VERSION);
  options.add(Command(app));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  }
  return options.run();
}

// Shows on a stream only what is printable, as long as this object lives.
class Printable {
 public:
  Printable(std::ostream& stream, bool colour) : stream_(stream), buffer_(*stream.rdbuf(), colour) {
    before_ = stream.rdbuf(&buffer_);
  }
  ~Printable() { stream_.rdbuf(before_); }
  Printable(const Printable&) = delete;
  Printable& operator=(const Printable&) = delete;

 private:
  std::ostream& stream_;
  PrintableBuffer buffer_;
  std::streambuf* before_;
};

}  // namespace
}  // namespace assay

int sc_main(int argc, char** argv) {
  assay::prepare_ending();
  // A module whose name is taken would be renamed with no more than a warning.
  sc_core::sc_report_handler::set_actions(sc_core::SC_ID_INSTANCE_EXISTS_, sc_core::SC_THROW);
  const assay::Printable out(std::cout, isatty(STDOUT_FILENO) != 0), err(std::cerr, false);
  return assay::ended("assay-systemc", "assay-systemc", std::cout, std::cerr,
                      [&] { return assay::parsed(argc, argv); });
}
