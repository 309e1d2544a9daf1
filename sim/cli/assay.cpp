// The program's frame: commands, options, and what becomes of errors.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/completion.hpp"
#include "tb/devices/device.hpp"
#include "tb/vectors/bytes.hpp"

namespace assay {
namespace {

constexpr const char* about =
    "A bit-accurate reference model of matrix-multiply units, and a bench that holds RTL,\n"
    "recorded silicon and new ideas against it.";

constexpr const char* statuses =
    "Exit status: 0 passed; 1 mismatch; 2 wrong use, wrong configuration or unreadable file;\n"
    "3 nothing or too little compared; 4 asked for something this build or machine cannot do;\n"
    "141 nobody reads the output any more.\n\n"
    "Begin with:  assay list\n"
    "             assay describe hopper wgmma.m64nNk16.f32.f16.f16";

std::string version() {
  const Catalogue catalogue = shipped_catalogue();
  std::size_t instructions = 0;
  for (const Architecture& a : catalogue.architectures()) instructions += a.instructions.size();
  return fmt::format("assay {}\ncatalogue {} ({} architectures, {} instructions, {} datapaths)", ASSAY_VERSION,
                     catalogue_sha256(catalogue), catalogue.architectures().size(), instructions,
                     catalogue.datapath_names().size());
}

int fail(const Console& console, const std::string& message, int status) {
  console.err << "assay: " << message << "\n";
  return status;
}

}  // namespace

int run_assay(std::vector<std::string> args, const Console& console) {
  CLI::App app(about, "assay");
  app.footer(statuses);
  app.require_subcommand(1);
  app.set_version_flag("--version", version);
  int status = passed;
  add_list(app, console, status);
  add_describe(app, console, status);
  add_generate(app, console, status);
  add_run(app, console, status);
  add_check(app, console, status);
  add_compare(app, console, status);
  add_score(app, console, status);
  add_bench(app, console, status);
  add_coverage(app, console, status);
  add_explain(app, console, status);
  add_explore(app, console, status);
  add_layout(app, console, status);
  add_export(app, console, status);
  add_import(app, console, status);
  add_probe(app, console, status);
  add_evidence(app, console, status);
  add_rtl(app, console, status);
  add_export_sv(app, console, status);
  add_completion(app, console, status);
  add_man(app, console, status);
  if (!args.empty() && args.front() == complete_command) {
    print_candidates(app, {args.begin() + 1, args.end()}, console);
    return passed;
  }
  try {
    std::reverse(args.begin(), args.end());  // as CLI11 takes a vector
    app.parse(args);
    console.out.flush();
    if (!console.out)
      return fail(console, "The output could not be written in full; is the disk full or the pipe closed?", wrong_use);
    return status;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, console.out, console.err);
    return fail(console, std::string(e.what()) + " (see assay --help).", wrong_use);
  } catch (const ConfigError& e) {
    return fail(console, e.message, wrong_use);
  } catch (const VectorError& e) {
    if (e.reader_gone) return reader_gone;
    return fail(console, e.message, wrong_use);
  } catch (const DeviceError& e) {
    return fail(console, e.message, e.status);
  }
}

}  // namespace assay
