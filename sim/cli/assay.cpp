// The program's frame: commands, options, and what becomes of errors.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "model/base/printable.hpp"
#include "model/config/catalogue.hpp"
#include "model/config/digest.hpp"
#include "sim/cli/command.hpp"
#include "sim/cli/completion.hpp"

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

// CLI11 takes the word after it for the value that such an option lacks.
void refuse_options_without_value(const std::vector<std::string>& args) {
  for (const std::string& word : args) {
    if (word == "--") return;
    if (word.size() > 3 && word.compare(0, 2, "--") == 0 && word.find('=') == word.size() - 1)
      throw Error{word + " has no value; give one after the =."};
  }
}

int parsed(std::vector<std::string> args, const Console& console) {
  CLI::App app(about, "assay");
  app.footer(statuses);
  app.require_subcommand(1);
  app.set_version_flag("--version", version);
  int status = passed;
  add_commands(Command(app), console, status);
  if (!args.empty() && args.front() == complete_command) {
    print_candidates(app, {args.begin() + 1, args.end()}, console);
    return passed;
  }
  refuse_options_without_value(args);
  try {
    std::reverse(args.begin(), args.end());  // as CLI11 takes a vector
    app.parse(args);
    return status;
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, console.out, console.err);
    throw Error{std::string(e.what()) + " (see assay --help)."};
  }
}

}  // namespace

void add_commands(Command app, const Console& console, int& status) {
  for (const auto add : {add_list,  add_describe,  add_generate,   add_run,       add_check,  add_compare, add_score,
                         add_bench, add_coverage,  add_explain,    add_explore,   add_layout, add_export,  add_import,
                         add_probe, add_identify,  add_evidence,   add_guarantee, add_wave,   add_conv,    add_rtl,
                         add_prove, add_export_sv, add_completion, add_man})
    add(app, console, status);
}

int run_assay(std::vector<std::string> args, const Console& console) {
  PrintableBuffer out_buffer(*console.out.rdbuf(), console.colour), err_buffer(*console.err.rdbuf(), false);
  std::ostream out(&out_buffer), err(&err_buffer);
  const std::string doing = args.empty() ? "assay" : "assay " + args.front();
  return ended("assay", doing, out, err, [&] { return parsed(args, {out, err, console.colour, console.terminal}); });
}

}  // namespace assay
