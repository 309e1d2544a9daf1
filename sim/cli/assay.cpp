// The program's frame: commands, options, and what becomes of errors.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <ostream>

#include "model/base/printable.hpp"
#include "model/base/text.hpp"
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

// `assay help` and `assay help COMMAND` are --help.
std::vector<std::string> with_help_as_option(std::vector<std::string> args) {
  if (args.empty() || args.front() != "help") return args;
  args.erase(args.begin());
  args.resize(std::min<std::size_t>(args.size(), 1));
  args.emplace_back("--help");
  return args;
}

std::vector<std::string> names_of_commands(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

void refuse_unknown_command(const CLI::App& app, const std::vector<std::string>& args) {
  if (args.empty() || (!args.front().empty() && args.front().front() == '-')) return;
  const std::vector<std::string> names = names_of_commands(app);
  if (std::find(names.begin(), names.end(), args.front()) != names.end()) return;
  std::vector<std::string> begin_so;
  for (const std::string& name : names) {
    if (args.front().size() > 1 && name.compare(0, args.front().size(), args.front()) == 0) begin_so.push_back(name);
  }
  const std::string guess =
      begin_so.empty() ? nearest(args.front(), names) : "; did you mean '" + joined(begin_so, "' or '") + "'?";
  throw Error{"There is no command '" + args.front().substr(0, 60) + "' (assay --help lists them)" + guess};
}

// Of a word that was not expected: the option that was meant.
std::string nearest_option(CLI::App& app, const std::vector<std::string>& args) {
  const auto commands = app.get_subcommands();  // the one that was chosen
  if (commands.empty()) return ".";
  std::vector<std::string> names;
  for (const CLI::Option* option : commands.front()->get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  for (const std::string& word : args) {
    const std::string given = word.substr(0, word.find('='));
    if (given.compare(0, 2, "--") != 0 || std::find(names.begin(), names.end(), given) != names.end()) continue;
    return nearest(given, names);
  }
  return ".";
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
  args = with_help_as_option(std::move(args));
  refuse_unknown_command(app, args);
  try {
    app.parse(std::vector<std::string>(args.rbegin(), args.rend()));  // as CLI11 takes a vector
    return status;
  } catch (const CLI::ExtrasError& e) {
    throw Error{std::string(e.what()) + " (see assay --help)" + nearest_option(app, args)};
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e, console.out, console.err);
    throw Error{std::string(e.what()) + " (see assay --help)."};
  }
}

}  // namespace

void add_commands(Command app, const Console& console, int& status) {
  for (const auto add :
       {add_list,      add_describe, add_generate,  add_run,        add_check,  add_compare, add_score,  add_bench,
        add_coverage,  add_explain,  add_explore,   add_design,     add_layout, add_export,  add_import, add_probe,
        add_identify,  add_evidence, add_guarantee, add_wave,       add_conv,   add_rtl,     add_prove,  add_campaign,
        add_export_sv, add_cache,    add_doctor,    add_completion, add_man})
    add(app, console, status);
}

int run_assay(std::vector<std::string> args, const Console& console) {
  PrintableBuffer out_buffer(*console.out.rdbuf(), console.colour), err_buffer(*console.err.rdbuf(), false);
  std::ostream out(&out_buffer), err(&err_buffer);
  const std::string doing = args.empty() ? "assay" : "assay " + args.front();
  return ended("assay", doing, out, err, [&] { return parsed(args, {out, err, console.colour, console.terminal}); });
}

}  // namespace assay
